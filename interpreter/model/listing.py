"""A checked ruleset as a text for people; `rulerun inspect model` prints it."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.rows import index_names, value_names
from interpreter.model.ruleset import Dimension, FieldInfo, KindInfo, RowInfo, Ruleset, size_of
from interpreter.model.types import Type
from interpreter.report.visible import small, spaced

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
    """Every row or cell whose name has these words, with what is printed on it and all else it
    says; hidden fields are left out, and so is what it does not have. If rows are called exactly
    so, or have just these words, it is only those."""
    wanted = words.casefold().split()
    found: list[tuple[int, str]] = []
    described: list[tuple[str, list[RowInfo], dict[str, FieldInfo]]] = [
        *((kind.name, kind.rows, kind.fields) for kind in _named_kinds(ruleset)),
        *((board.name, board.rows, board.fields) for board in ruleset.boards.values()),
    ]
    for title, rows, fields in described:
        for number, row in enumerate(rows):
            names = [each.casefold() for each in (row.label, row.name, spaced(row.name))]
            if not wanted or not all(word in " ".join(names) for word in wanted):
                continue
            said = _row_fields(ruleset, fields, number)
            parts = [row.note] * bool(row.note) + [said] * bool(said)
            told = f"{row.label} ({small(title)}): {' | '.join(parts) or 'nothing more'}"
            whole = set("".join(c if c.isalnum() else " " for c in " ".join(names)).split())
            rank = 0 if " ".join(wanted) in names else 1 if whole.issuperset(wanted) else 2
            found.append((rank, told))
    best = min((rank for rank, _ in found), default=0)
    return list(dict.fromkeys(told for rank, told in found if rank == best))


def _named_kinds(ruleset: Ruleset) -> list[KindInfo]:
    return [kind for kind in ruleset.kinds.values() if not kind.nested]


def _row_fields(ruleset: Ruleset, fields: dict[str, FieldInfo], row: int) -> str:
    said = [
        f"{spaced(field.name)} {_row_value(ruleset, field, row)}".removesuffix(" yes")
        for field in fields.values()
        if not field.hidden and _says_something(field, row)
    ]
    return "; ".join(said)


def _says_something(field: FieldInfo, row: int) -> bool:
    """Whether a row has anything in a field."""
    size = size_of(field.dimensions)
    entries = slice(row * size, (row + 1) * size)
    if field.type.sort == "list":
        return any(field.lengths[entries])
    nothing = (field.type.none, 0) if field.type.sort == "bool" else (field.type.none,)
    return any(value not in nothing for value in field.values[entries])


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
            parts.append(f"{spaced(name)} {told}".strip())
    return ", ".join(parts) or "none"


def _word(ruleset: Ruleset, type_: Type, value: int) -> str:
    if value == type_.none:
        return "none"
    if type_.sort == "bool":
        return "yes" if value else "no"
    if type_.sort == "table" and not ruleset.kinds[type_.name].rows:
        return str(value)
    if type_.sort in ("kind", "table"):
        kind = ruleset.kinds[type_.name]
        rows = kind.rows
        if kind.nested and 0 <= value < len(rows) and rows[value].label == rows[value].name:
            return f"({_row_fields(ruleset, kind.fields, value)})"
        return rows[value].label if 0 <= value < len(rows) else str(value)
    if type_.sort == "enum" and 0 <= value < len(ruleset.enums[type_.name]):
        return ruleset.member_labels(type_.name)[value]
    names = value_names(ruleset, type_)
    return spaced(str(names[value])) if 0 <= value < len(names) else str(value)


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
    hidden = ", hidden" if field.hidden else ", on the back" if field.on_back else ""
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
        if each.remembers:
            lines.append(f"history {each.name} of the last {ruleset.histories[each.name].size}")
            continue
        hidden = ", seen by nobody" if each.unseen else ", secret"
        said = [hidden] * each.secret + [", clamped"] * each.clamped
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
