"""Pictures of a look: small SVG files beside it, taken apart into shapes that can do nothing.

A file may come from anywhere, so nothing of it is passed on as text: it becomes a tree of a few
known elements with a few known attributes, and whoever draws builds it from that.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Data = dict[str, Any]
MOST_BYTES = 20_000
_MOST_PARTS = 200
_DEEPEST = 12
_SPACE = "{http://www.w3.org/2000/svg}"
_SHAPES = ("g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon")
_SILENT = ("title", "desc", "metadata")  # what they say is for others
_ATTRIBUTES = frozenset(
    [
        "d",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "width",
        "height",
        "points",
        "transform",
        "fill",
        "stroke",
        "stroke-width",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "fill-rule",
        "opacity",
        "fill-opacity",
        "stroke-opacity",
    ]
)
_HARMLESS = frozenset(
    ["id", "version", "xmlns", "role", "focusable", "aria-hidden", "aria-label", "class"]
)
_VALUE = re.compile(r"[\w#.,\s()%+-]*")
_FUNCTIONS = re.compile(r"[A-Za-z][\w-]*(?=\s*\()")
_TURNS = ("translate", "scale", "rotate", "skewX", "skewY", "matrix")
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,6})?(px)?")
_DECLARED = re.compile(rb"<!(?!--)")


class BadPicture(Exception):
    """Why a file cannot be used as a picture, in words for whoever drew it."""


def read_picture(path: Path) -> Data:
    """The shapes of a file and the box they are drawn in. Raises BadPicture."""
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadPicture(f"it cannot be read ({error.strerror})") from None
    if len(text) > MOST_BYTES:
        raise BadPicture(f"it is larger than {MOST_BYTES:,} bytes")
    if _DECLARED.search(text):
        raise BadPicture("it declares a document type or entities")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise BadPicture(f"it is no SVG: {error}") from None
    if root.tag != f"{_SPACE}svg":
        raise BadPicture("it does not begin with `<svg xmlns=...>`")
    drawing = _Drawing()
    outside = {name: value for name, value in root.attrib.items() if name in _INHERITED}
    return {"box": _box(root), "with": drawing.attributes(outside), "parts": drawing.inside(root)}


_INHERITED = ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule")


def _box(root: ElementTree.Element) -> list[float]:
    written = root.get("viewBox")
    if written is None:
        written = f"0 0 {root.get('width', '24')} {root.get('height', '24')}"
    parts = written.replace(",", " ").split()
    if len(parts) != 4 or not all(_NUMBER.fullmatch(each) for each in parts):
        raise BadPicture("its `viewBox` is not four numbers")
    box = [float(each.removesuffix("px")) for each in parts]
    if min(box[2:]) <= 0:
        raise BadPicture("its `viewBox` holds nothing")
    return box


class _Drawing:
    def __init__(self) -> None:
        self.parts = 0

    def inside(self, element: ElementTree.Element, depth: int = 0) -> list[Data]:
        if depth > _DEEPEST:
            raise BadPicture(f"its groups lie more than {_DEEPEST} deep")
        found: list[Data] = []
        for each in element:
            name = each.tag.removeprefix(_SPACE)
            if name in _SILENT:
                continue
            if name not in _SHAPES:
                raise BadPicture(f"`<{name.rpartition('}')[2][:40]}>` is not drawn")
            self.parts += 1
            if self.parts > _MOST_PARTS:
                raise BadPicture(f"it has more than {_MOST_PARTS} shapes")
            part: Data = {"name": name, "with": self.attributes(each.attrib)}
            if name == "g":
                part["parts"] = self.inside(each, depth + 1)
            found.append(part)
        return found

    def attributes(self, written: dict[str, str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, value in written.items():
            if name in _HARMLESS or name.startswith("data-"):
                continue
            if name not in _ATTRIBUTES:
                raise BadPicture(f"`{name.rpartition('}')[2][:40]}` is not drawn")
            called = _FUNCTIONS.findall(value) if name != "d" else []
            allowed = _TURNS if name == "transform" else ("rgb",)
            if not _VALUE.fullmatch(value) or any(each not in allowed for each in called):
                raise BadPicture(f"what `{name}` says is not drawn: `{value[:40]}`")
            found[name] = value
        return found
