"""The plan of a table: all that can be known of it before the game starts."""

from __future__ import annotations

from interpreter.embedding import Game
from interpreter.model.declare import declare
from interpreter.model.ruleset import BoardInfo, FieldInfo, KindInfo, RowInfo, Ruleset, size_of
from interpreter.model.seats import seat_name
from interpreter.model.types import Type
from interpreter.play.words import member_words, setting_words
from interpreter.program.layout import Index
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.report.problem import Problems
from interpreter.report.visible import spaced, visible
from interpreter.scene.values import Data, type_data
from interpreter.tree import nodes

LONGEST_TRACK = 40  # spaces; a wider range is a number to read, not a way to go


def plan_of(game: Game) -> Data:
    """JSON-ready, as described by schemas/scene.schema.json."""
    settings = [visible(setting_words(game.program, name)) for name in _unusual(game)]
    return _plan(game.program, _declared(game), settings)


@once_for_each_program
def plain_plan(program: Program) -> Data:
    """The same without what is printed on pieces, for which rules have to be read once more."""
    return _plan(program, None, [])


def _plan(program: Program, ruleset: Ruleset | None, settings: list[str]) -> Data:
    return {
        "schema": "rulerun/plan@1",
        "title": visible(program.title),
        "rules": program.rules_hash,
        "players": [seat_name(seat) for seat in range(program.players)],
        "settings": settings,
        "scored": program.score >= 0,
        "boards": {
            name: _board(program, ruleset.boards[name] if ruleset else None, name)
            for name in program.boards
        },
        "kinds": {
            kind.name: _kind(program, ruleset.kinds.get(kind.name) if ruleset else None, number)
            for number, kind in enumerate(program.layout.kinds)
        },
        "names": {
            name: _names(program, ruleset.kinds.get(name) if ruleset else None, name)
            for name in program.enums
        },
        "members": _members(program),
    }


def _unusual(game: Game) -> list[str]:
    """Options that were set otherwise than the rules do it themselves."""
    chosen = game.program.options
    if game.rules is None:
        return list(chosen)
    usual = {each.name: _written(each.default) for each in game.rules.settings}
    return [name for name, value in chosen.items() if usual.get(name) != value]


def _written(default: nodes.Expr) -> str | int | None:
    match default:
        case nodes.Number(value=value):
            return value
        case nodes.Name(name=name):
            return name
        case _:  # worked out from others: told in any case
            return None


def _declared(game: Game) -> Ruleset | None:
    """The declarations once more, for what is printed on pieces: play does not need it."""
    if game.rules is None:
        return None
    problems = Problems()
    rules = game.rules
    ruleset = declare(rules.declarations, rules.data, game.players, game.options, problems)
    return None if problems.has_errors else ruleset


def _board(program: Program, info: BoardInfo | None, name: str) -> Data:
    board = program.boards[name]
    labels = board.labels or board.cells
    signs = program.signs.get(name, ())
    cells: list[Data] = []
    for number, cell in enumerate(board.cells):
        x, y = board.coordinates[number] if board.coordinates else (number, 0)
        found: Data = {"name": cell, "label": visible(labels[number]), "x": x, "y": y}
        if number < len(signs) and signs[number]:
            found["sign"] = visible(signs[number])
        if info is not None:
            found |= _printed(info.rows[number] if number < len(info.rows) else None)
            found["fields"] = _fields(program, info.fields, number, len(board.cells))
        cells.append(found)
    directions = list(board.directions)
    return {"shape": board.shape, "cells": cells, "directions": directions, "joins": _joins(info)}


def _joins(info: BoardInfo | None) -> list[list[int]]:
    """Pairs of cells with a step between them, each pair once."""
    if info is None:
        return []
    pairs = {
        (min(cell, other), max(cell, other))
        for direction in info.orthogonal
        for cell, other in enumerate(info.steps[direction])
        if other >= 0
    }
    return [list(pair) for pair in sorted(pairs)]


def _kind(program: Program, info: KindInfo | None, number: int) -> Data:
    kind = program.layout.kinds[number]
    signs = program.signs.get(kind.name, ())
    rows: list[Data] = []
    for row, name in enumerate(kind.rows):
        found: Data = {"name": name, "label": visible(kind.labels[row])}
        if row < len(signs) and signs[row]:
            found["sign"] = visible(signs[row])
        if kind.back:
            found["back"] = visible(kind.back[row])
        if info is not None:
            found |= _printed(info.rows[row])
            found["fields"] = _fields(program, info.fields, row, len(kind.rows))
        rows.append(found)
    return {"words": visible(spaced(kind.name)), "counted": kind.fungible, "rows": rows}


def _names(program: Program, info: KindInfo | None, name: str) -> list[Data]:
    """The values of an enum, or the rows of a table with what they say."""
    values = program.enums[name]
    signs = program.signs.get(name, ())
    found: list[Data] = []
    for row, label in enumerate(program.labels.get(name, values)):
        told: Data = {"name": values[row], "label": visible(label)}
        if row < len(signs) and signs[row]:
            told["sign"] = visible(signs[row])
        if info is not None:
            told["fields"] = _fields(program, info.fields, row, len(values))
        found.append(told)
    return found


def _printed(row: RowInfo | None) -> Data:
    if row is None:
        return {}
    found: Data = {}
    if row.note:
        found["text"] = visible(row.note)
    if row.copies != 1:
        found["copies"] = row.copies
    return found


def _fields(program: Program, fields: dict[str, FieldInfo], row: int, rows: int) -> list[Data]:
    """What a row says, for people: only what is there, in the order of the declaration."""
    found: list[Data] = []
    for name, info in fields.items():
        values = [_words(program, info.type, value) for value in _values(info, row)]
        said = [value for value in values if value]
        if said and len(said) == len(values):
            found.append({"name": name, "words": visible(spaced(name)), "value": ", ".join(said)})
    return found


def _values(info: FieldInfo, row: int) -> list[int]:
    if info.type.sort == "list":
        if row >= len(info.starts):
            return []
        start = info.starts[row]
        return info.pool[start : start + info.lengths[row]]
    size = size_of(info.dimensions)
    return info.values[row * size : (row + 1) * size] if size == 1 else []


def _words(program: Program, type_: Type, value: int) -> str:
    """A value that is printed on something; nothing for what is not there."""
    inner = type_.of if type_.sort == "list" and type_.of is not None else type_
    if value == inner.none and (inner.optional or value < 0):
        return ""
    match inner.sort:
        case "int":
            return str(value)
        case "bool":
            return "yes" if value else ""
        case "player":
            return seat_name(value)
        case "enum" | "table":
            labels = program.labels.get(inner.name) or program.enums.get(inner.name, ())
            return visible(spaced(labels[value])) if value < len(labels) else ""
        case "board":
            board = program.boards[inner.name]
            return visible((board.labels or board.cells)[value])
        case "direction":
            return visible(program.boards[inner.name].directions[value])
        case "kind" | "row":
            kind = next((k for k in program.layout.kinds if k.name == inner.name), None)
            if kind is None:
                return ""
            by_row = kind.fungible or inner.sort == "row"
            return visible(kind.labels[value if by_row else kind.row_of[value]])
        case _:
            return ""


# ---- what is kept


def _members(program: Program) -> dict[str, Data]:
    unseen = {each.name for each in program.layout.variables if each.unseen}
    left_out = program.not_shown | unseen
    found: dict[str, Data] = {}
    for variable in program.layout.variables:
        name = variable.name
        if name in left_out or name.startswith("used_") or variable.remembers:
            continue
        found[name] = {
            "sort": "value",
            "words": visible(member_words(program, name)),
            "indexes": _indexes(program, variable.indexes),
            "type": type_data(variable.type),
            "show": _show(variable.type),
        }
    for place in program.layout.places:
        if place.name not in left_out:
            found[place.name] = {
                "sort": "place",
                "words": visible(member_words(program, place.name)),
                "indexes": _indexes(program, place.indexes),
                "kind": program.layout.kinds[place.kind].name,
                "word": place.word,
            }
    return found


def _show(type_: Type) -> str:
    """How a value is best shown: a range is a track, a cell or a player is a marker."""
    match type_.sort:
        case "int":
            return "track" if 0 < type_.high - type_.low < LONGEST_TRACK else "number"
        case "bool":
            return "flag"
        case "player" | "board":
            return "marker"
        case "direction":
            return "facing"
        case _:
            return "name"


def _indexes(program: Program, indexes: tuple[Index, ...]) -> list[Data]:
    return [type_data(index.type) | {"size": index.size} for index in indexes]
