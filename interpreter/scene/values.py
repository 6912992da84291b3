"""Values of a view as typed data: numbers are numbers, players are seats, cells have numbers."""

from __future__ import annotations

from typing import Any

from interpreter.model.types import Type
from interpreter.program.program import Program

Data = dict[str, Any]
HIDDEN: Data = {"hidden": True}  # there is a value, and this seat may not see it


def typed(program: Program, type_: Type, text: str | None) -> Any:
    """What a view says of a value, as data. Nothing (`none`) is null; what is hidden says so."""
    if text is None:
        return HIDDEN
    if text == "none" and type_.optional:
        return None
    match type_.sort:
        case "int":
            return None if text == "none" else int(text)
        case "bool":
            return text == "yes"
        case "player":
            return int(text[1:]) - 1 if text[1:].isdigit() else None
        case "board":
            cells = program.boards[type_.name].cells
            return cells.index(text) if text in cells else None
        case _:
            return text


def type_data(type_: Type) -> Data:
    """How values of a type are to be read."""
    found: Data = {"sort": type_.sort}
    if type_.name and type_.sort not in ("player", "bool"):
        found["name"] = type_.name
    if type_.sort == "int":
        bounds = Type("int")
        if (type_.low, type_.high) != (bounds.low, bounds.high):
            found |= {"low": type_.low, "high": type_.high}
    if type_.optional:
        found["optional"] = True
    return found
