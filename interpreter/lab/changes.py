"""What two versions of the rules declare differently: constants, actions, phases, members, rows of
the data. Lines, comments, layout and citations do not count, nor does the order of declarations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from difflib import ndiff
from typing import Any, Literal

from interpreter.data import yaml_tree
from interpreter.reading import Rules
from interpreter.report.source import Mark
from interpreter.report.visible import spaced
from interpreter.tree import nodes
from interpreter.tree.format import format_tree

Kind = Literal["added", "removed", "changed"]
_LONGEST = 200  # characters of a line that is shown


@dataclass(frozen=True, slots=True)
class Change:
    """A declaration, or a value of the data, that is there in one version only or is another."""

    kind: Kind
    sort: str  # constant, action, data ...
    name: str
    old: tuple[str, ...]  # lines, without those that are the same
    new: tuple[str, ...]
    file: str  # where it stands, in the new version if it is there
    line: int


def changes(old: Rules, new: Rules) -> list[Change]:
    """Declarations first, then data, in the order of the new version; what is gone comes last."""
    found = _compared(_declared(old), _declared(new))
    return found + _compared(_data(old), _data(new))


_Found = dict[tuple[str, str], tuple[str, Mark]]


def _compared(old: _Found, new: _Found) -> list[Change]:
    found: list[Change] = []
    for (sort, name), (text, mark) in new.items():
        before = old.get((sort, name))
        if before is None:
            found.append(Change("added", sort, name, (), _lines(text), mark.file, mark.line))
        elif before[0] != text:
            lost, gained = _different(before[0], text)
            found.append(Change("changed", sort, name, lost, gained, mark.file, mark.line))
    for (sort, name), (text, mark) in old.items():
        if (sort, name) not in new:
            found.append(Change("removed", sort, name, _lines(text), (), mark.file, mark.line))
    return found


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip()[:_LONGEST] for line in text.splitlines()[:1])


def _different(old: str, new: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    told = list(ndiff(old.splitlines(), new.splitlines()))
    lost = [line[2:].strip()[:_LONGEST] for line in told if line.startswith("- ")]
    gained = [line[2:].strip()[:_LONGEST] for line in told if line.startswith("+ ")]
    return tuple(lost), tuple(gained)


# ---- declarations


def _declared(rules: Rules) -> _Found:
    found: _Found = {}
    for each in rules.declarations:
        for declaration in _single(each):
            sort, name = _sort(declaration), _name(declaration)
            text = format_tree(nodes.Tree((_bare(declaration),)))
            # There may be several without a name of their own, such as `always`.
            key, number = (sort, name), 1
            while key in found:
                number += 1
                key = sort, f"{name} ({number})"
            found[key] = text, _single_mark(declaration)
    return found


def _single(declaration: nodes.Declaration) -> Iterator[nodes.Declaration]:
    """What several have declared together, each by itself."""
    if not isinstance(declaration, nodes.Has):
        yield declaration
        return
    for member in declaration.members:
        yield replace(declaration, members=(member,))


def _single_mark(declaration: nodes.Declaration) -> Mark:
    inside = declaration.members[0] if isinstance(declaration, nodes.Has) else declaration
    return inside.mark


def _sort(declaration: nodes.Declaration) -> str:
    if isinstance(declaration, nodes.Has):
        return f"each {', '.join(declaration.owners)} has" if declaration.owners else "the game has"
    if isinstance(declaration, nodes.Setting):
        return "option"
    return spaced(type(declaration).__name__).lower()


def _name(declaration: nodes.Declaration) -> str:
    if isinstance(declaration, nodes.Has):
        return ", ".join(declaration.members[0].names)
    name = getattr(declaration, "name", None)
    return name if isinstance(name, str) else ""


def _bare(value: Any) -> Any:
    """The same without comments and citations, inside too."""
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    if not isinstance(value, nodes.Node):
        return value
    inner = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
    changed = {
        name: _bare(each) for name, each in inner.items() if isinstance(each, (tuple, nodes.Node))
    }
    if isinstance(value, nodes.Line):
        changed |= {"cites": (), "before": (), "after": None}
    return replace(value, **changed)


# ---- data


def _data(rules: Rules) -> _Found:
    found: _Found = {}
    if rules.data is not None:
        _add_values(rules.data.root, "", found)
    return found


def _add_values(node: yaml_tree.Node, path: str, found: _Found) -> None:
    dot = "." if path else ""
    match node:
        case yaml_tree.Scalar():
            found["data", path] = node.text, node.mark
        case yaml_tree.Mapping():
            for key, value in node.entries:
                _add_values(value, f"{path}{dot}{key.text}", found)
        case yaml_tree.Sequence():
            if all(isinstance(item, yaml_tree.Scalar) for item in node.items):
                texts = [item.text for item in node.items if isinstance(item, yaml_tree.Scalar)]
                found["data", path] = ", ".join(texts), node.mark
                return
            for number, item in enumerate(node.items, 1):
                _add_values(item, f"{path}{dot}{_row(item) or number}", found)


def _row(item: yaml_tree.Node) -> str | None:
    """What a row is called."""
    for name in ("id", "name"):
        value = item.get(name) if isinstance(item, yaml_tree.Mapping) else None
        if isinstance(value, yaml_tree.Scalar):
            return value.text
    return None
