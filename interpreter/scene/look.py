"""A look: how a game is to be drawn, as data beside its rules (`NAME.look.yaml`).

It says colours, symbols and names for people, and decides nothing: a table without one is drawn
from the rules alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.data.validate import validate_node
from interpreter.model.declare import declare
from interpreter.model.ruleset import Ruleset
from interpreter.reading import Rules
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Source, read_source
from interpreter.report.suggest import did_you_mean
from interpreter.resources import schemas_folder
from interpreter.scene.picture import BadPicture, read_picture

_DRAWN = "Pictures are groups and plain shapes: no text, styles, scripts, images or links."
_SOME = 8  # names listed for somebody who guessed wrong
SHAPES = ("circle", "diamond", "triangle", "square", "star", "hexagon", "cross", "drop")


def look_path(rules: str | Path) -> Path:
    """Where the look of a rule file is, if there is one."""
    return Path(rules).with_suffix(".look.yaml")


def look_of(rules: str | Path) -> dict[str, Any] | None:
    """The look of a rule file as data; None if there is none that could be used."""
    path = look_path(rules)
    if not path.is_file():
        return None
    node, problems, _ = _read(path)
    if node is None or problems:
        return None
    data: dict[str, Any] = yaml_tree.plain(node)
    try:
        pictures = {name: read_picture(path.parent / file) for name, file in _files(data)}
    except BadPicture:
        return None
    return {**data, "symbols": {**data["symbols"], **pictures}} if pictures else data


def _files(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Symbols that are files beside the look."""
    return [pair for pair in data.get("symbols", {}).items() if pair[1].endswith(".svg")]


def check_look(rules: Rules, path: str | Path) -> list[Problem]:
    """What is wrong with the look of these rules. Its source is added to theirs."""
    found = look_path(path)
    if str(path) == "-" or not found.is_file():
        return []
    node, problems, source = _read(found)
    if source is not None:
        rules.sources[source.name] = source
    if node is None or problems:
        return problems
    ruleset = declare(rules.declarations, rules.data, rules.players[1], {}, Problems())
    return [*_unknown(node, ruleset), *_not_drawn(node, found.parent)]


def _not_drawn(node: yaml_tree.Node, folder: Path) -> Iterator[Problem]:
    symbols = _at(node, ("symbols",))
    for _, file in symbols.entries if isinstance(symbols, yaml_tree.Mapping) else ():
        if not isinstance(file, yaml_tree.Scalar) or not file.text.endswith(".svg"):
            continue
        try:
            read_picture(folder / file.text)
        except BadPicture as why:
            message = f"`{file.text}` cannot be used as a picture: {why}."
            yield Problem("RR902", message, file.mark, help=_DRAWN)


def _read(path: Path) -> tuple[yaml_tree.Node | None, list[Problem], Source | None]:
    from interpreter.data.yaml_reader import compose

    source = read_source(path, limits.YAML_BYTES)
    if isinstance(source, Problem):
        return None, [source], None
    node, problems = compose(source)
    if node is not None and not problems:
        problems = validate_node(node, _schema())
    return node, problems, source


@cache
def _schema() -> dict[str, Any]:
    text = (schemas_folder() / "look.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(frozen=True, slots=True)
class _Names:
    """Keys of a mapping of the look, and what they may be called."""

    path: tuple[str, ...]
    what: str
    known: Collection[str]


def _unknown(node: yaml_tree.Node, ruleset: Ruleset) -> Iterator[Problem]:
    """Names the rules do not have, and symbols that are drawn nowhere."""
    for names in _expected(node, ruleset):
        for key in _keys(node, names.path):
            if key.text not in names.known:
                message = f"The rules have no {names.what} `{key.text}`."
                help_ = did_you_mean(key.text, names.known) or _listed(names.known)
                yield Problem("RR900", message, key.mark, help=help_)
    drawn = {*SHAPES, *(key.text for key in _keys(node, ("symbols",)))}
    for symbol in _symbols(node):
        if symbol.text not in drawn:
            message = f"There is no symbol `{symbol.text}`."
            help_ = did_you_mean(symbol.text, drawn) or "Draw it under `symbols`."
            yield Problem("RR901", message, symbol.mark, help=help_)


def _listed(known: Collection[str]) -> str | None:
    some = ", ".join(f"`{name}`" for name in list(known)[:_SOME])
    return f"There are: {some}{', ...' if len(known) > _SOME else ''}" if known else None


def _expected(node: yaml_tree.Node, ruleset: Ruleset) -> Iterator[_Names]:
    members = {**ruleset.variables, **ruleset.places}
    yield _Names(("boards",), "board", ruleset.boards)
    yield _Names(("kinds",), "kind", ruleset.kinds)
    tables = {name: [row.name for row in kind.rows] for name, kind in ruleset.kinds.items()}
    yield _Names(("names",), "enum or table", {**tables, **ruleset.enums})
    yield _Names(("members",), "variable or place", members)
    for name, rows in tables.items():
        yield _Names(("kinds", name, "rows"), f"row of {name}", rows)
    for name, values in {**tables, **ruleset.enums}.items():
        yield _Names(("names", name), f"value of {name}", values)


def _at(node: yaml_tree.Node, path: tuple[str, ...]) -> yaml_tree.Node | None:
    here: yaml_tree.Node | None = node
    for step in path:
        here = here.get(step) if isinstance(here, yaml_tree.Mapping) else None
    return here


def _keys(node: yaml_tree.Node, path: tuple[str, ...]) -> list[yaml_tree.Scalar]:
    found = _at(node, path)
    return [key for key, _ in found.entries] if isinstance(found, yaml_tree.Mapping) else []


def _symbols(node: yaml_tree.Node) -> Iterator[yaml_tree.Scalar]:
    if not isinstance(node, yaml_tree.Mapping):
        return
    for key, value in node.entries:
        if key.text == "symbol" and isinstance(value, yaml_tree.Scalar):
            yield value
        yield from _symbols(value)
