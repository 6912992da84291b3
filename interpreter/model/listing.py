"""A checked ruleset as a text for people; `rulerun inspect model` prints it."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.rows import index_names, value_names
from interpreter.model.ruleset import Dimension, FieldInfo, KindInfo, Ruleset, size_of
from interpreter.model.types import Type

_SHOWN = 12  # rows or cells that are listed before it becomes a count


def list_ruleset(ruleset: Ruleset) -> str:
    lines = [f"{ruleset.title}: {ruleset.players} players"]
    for name, value in ruleset.options.items():
        names = ruleset.enums.get(name)
        lines.append(f"option {name} = {names[value] if names else value}")
    sections = [
        [
            f"enum {name}: {', '.join(members)}"
            for name, members in ruleset.enums.items()
            if members
        ],
        [line for kind in ruleset.kinds.values() for line in _kind(kind)],
        _boards(ruleset),
        [
            f"constant {each.name}{_index(each.dimensions)}: {each.type} = {_some(each.values)}"
            for each in ruleset.constants.values()
        ],
        _variables(ruleset),
        _places(ruleset),
        _bodies("function", ruleset.functions),
        _bodies("group", ruleset.groups),
        _bodies("procedure", ruleset.procedures),
        _bodies("action", ruleset.actions),
        _bodies("ability", ruleset.abilities),
    ]
    for section in sections:
        if section:
            lines += ["", *section]
    return "\n".join(lines)


def describe_rows(ruleset: Ruleset, words: str) -> list[str]:
    """Every row whose name has these words, with all it says; hidden fields are left out."""
    wanted = words.casefold().split()
    found: list[str] = []
    for kind in ruleset.kinds.values():
        for number, row in enumerate(kind.rows):
            name = f"{row.label} {row.name}".casefold()
            if not wanted or not all(word in name for word in wanted):
                continue
            fields = [
                f"{field.name} {_row_value(ruleset, field, number)}"
                for field in kind.fields.values()
                if not field.hidden
            ]
            found.append(f"{row.label} ({kind.name}): {'; '.join(fields) or 'nothing more'}")
    return found


def _row_value(ruleset: Ruleset, field: FieldInfo, row: int) -> str:
    size = size_of(field.dimensions)
    names = [""]
    for dimension in field.dimensions:
        inner = index_names(ruleset, dimension)
        names = [f"{name} {each}".strip() for name in names for each in inner]
    parts: list[str] = []
    for offset, name in enumerate(names):
        at = row * size + offset
        if field.type.sort == "list":
            assert field.type.of is not None
            items = field.pool[field.starts[at] : field.starts[at] + field.lengths[at]]
            told = ", ".join(_word(ruleset, field.type.of, item) for item in items) or "none"
        else:
            told = _word(ruleset, field.type, field.values[at])
        if told != "none" or size == 1:
            parts.append(f"{name} {told}".strip())
    return ", ".join(parts) or "none"


def _word(ruleset: Ruleset, type_: Type, value: int) -> str:
    if value == type_.none:
        return "none"
    if type_.sort == "bool":
        return "yes" if value else "no"
    if type_.sort == "table" and not ruleset.kinds[type_.name].rows:
        return str(value)
    names = value_names(ruleset, type_)
    return str(names[value]) if 0 <= value < len(names) else str(value)


def _kind(kind: KindInfo) -> list[str]:
    word = "kind" if kind.physical else "table"
    count = f", {len(kind.components)} pieces" if kind.physical else ""
    counted = ", counted in pools" if kind.fungible else ""
    lines = [f"{word} {kind.name}: {len(kind.rows)} rows{count}{counted}"]
    lines += [f"    {_field(field)}" for field in kind.fields.values()]
    rows = [row.name if row.copies == 1 else f"{row.name} x{row.copies}" for row in kind.rows]
    if rows:
        lines.append(f"    rows: {_some(rows)}")
    return lines


def _field(field: FieldInfo) -> str:
    hidden = ", hidden" if field.hidden else ""
    default = "" if field.default is None else f" = {field.default}"
    return f"{field.name}{_index(field.dimensions)}: {field.type}{default}{hidden}"


def _boards(ruleset: Ruleset) -> list[str]:
    lines: list[str] = []
    for board in ruleset.boards.values():
        lines.append(f"board {board.name}: {board.shape}, {len(board.cells)} cells")
        lines.append(f"    cells: {_some(board.cells)}")
        lines.append(f"    directions: {', '.join(board.directions)}")
        lines += [f"    {_field(field)}" for field in board.fields.values()]
    return lines


def _variables(ruleset: Ruleset) -> list[str]:
    lines: list[str] = []
    for each in ruleset.variables.values():
        said = [", secret"] * each.secret + [", clamped"] * each.clamped
        said += [f", per {each.scope}"] if each.scope else []
        lines.append(f"variable {each.name}{_index(each.dimensions)}: {each.type}{''.join(said)}")
    return lines


def _places(ruleset: Ruleset) -> list[str]:
    lines: list[str] = []
    for each in ruleset.places.values():
        said = f", up to {each.capacity}, seen by {each.seen}"
        said += ", active" if each.active else ""
        said += f", refilled from {each.refill}" if each.refill else ""
        what = f"{each.word} of {each.kind}"
        lines.append(f"place {each.name}{_index(each.dimensions)}: {what}{said}")
    return lines


def _bodies(word: str, names: Iterable[str]) -> list[str]:
    return [f"{word} {name}" for name in names]


def _index(dimensions: tuple[Dimension, ...]) -> str:
    return f"[{', '.join(str(each.type) for each in dimensions)}]" if dimensions else ""


def _some(values: Iterable[object]) -> str:
    listed = [str(value) for value in values]
    if len(listed) <= _SHOWN:
        return ", ".join(listed)
    return f"{', '.join(listed[:_SHOWN])}, ... {len(listed)} in all"
