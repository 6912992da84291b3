"""Elements of HTML and SVG as text. Whatever is not made here is taken for data and escaped."""

from __future__ import annotations

from html import escape

from interpreter.report.visible import visible

Value = str | float | bool | None
_VOID = {"meta", "input", "br", "link"}


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def el(tag: str, *children: Markup | str | None, **attributes: Value) -> Markup:
    """An element. Names of attributes are written with `_` for `-`, and one more at the end where
    Python has the word itself; None and False are left out."""
    told = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{tag}{told}>")
    return Markup(f"<{tag}{told}>{join(*children)}</{tag}>")


def join(*children: Markup | str | None) -> Markup:
    return Markup("".join(_child(child) for child in children if child is not None))


def number(value: float) -> str:
    """Short, for attributes: two places after the point are a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))


def _child(child: Markup | str) -> str:
    return child if isinstance(child, Markup) else escape(visible(child), quote=False)


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    told = number(value) if isinstance(value, int | float) else escape(visible(value))
    return f' {name}="{told}"'
