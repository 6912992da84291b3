"""How far the values of a type reach, and the things that are kept for each piece."""

from __future__ import annotations

from interpreter.frozen import frozen
from interpreter.model.types import Type
from interpreter.play import words
from interpreter.play.words import kind_of
from interpreter.program.layout import KindLayout, VariableLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

LEAST, MOST = -(2**31) + 1, 2**31 - 1  # what a number without bounds is cut off at
_FEW = 1 << 16  # values: more than that are not counted out


def bounds(program: Program, type_: Type) -> tuple[int, int]:
    """The least and the greatest value. Of optional ones `none` is the least; a number that is
    beyond them is cut off."""
    match type_.sort:
        case "int":
            if type_.low <= LEAST or type_.high >= MOST:
                return LEAST, MOST
            return type_.low - type_.optional, type_.high
        case "bool":
            number = 2
        case "player":
            number = program.players
        case "enum" | "table":
            number = len(program.enums[type_.name])
        case "board":
            number = len(program.boards[type_.name].cells)
        case "direction":
            number = len(program.boards[type_.name].directions)
        case "kind" | "row":
            number = len(kind_of(program, type_.name).rows)
        case _:
            return LEAST, MOST
    return -int(type_.optional), number - 1


def is_countable(low: int, high: int) -> bool:
    return high - low < _FEW


@frozen
class Mark:
    """What is kept for each piece of a kind: at the address, for the first of them."""

    name: str
    address: int
    step: int  # cells from one piece to the next
    low: int
    high: int

    @property
    def size(self) -> int:
        return self.high - self.low + 1


@once_for_each_program
def marks_of(program: Program, name: str) -> tuple[Mark, ...]:
    """By what copies of a row can be told apart, as in the texts of options (`words.piece_text`)
    and in views."""
    found: list[Mark] = []
    for variable in program.layout.variables:
        if is_mark(variable) and variable.indexes[0].type.name == name:
            low, high = bounds(program, variable.type)
            found.append(Mark(variable.name, variable.address, 1, low, high))
    return tuple(found)


def is_mark(variable: VariableLayout) -> bool:
    return (
        len(variable.indexes) == 1
        and variable.indexes[0].type.sort == "kind"
        and not variable.secret
        and not is_internal(variable)
    )


def is_internal(variable: VariableLayout) -> bool:
    """What the rules keep for themselves: no view has it."""
    return variable.name.startswith("used_") or variable.remembers


def goes_by_name(kind: KindLayout) -> bool:
    """Whether each piece is one of a kind that everybody can always name: then its number is no
    secret, and it is as good an index as a player is."""
    return kind.fungible or (kind.known < 0 and not kind.has_copies)


def kind_number(program: Program, name: str) -> int:
    return program.layout.kinds.index(words.kind_of(program, name))
