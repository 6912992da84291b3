"""Choices as numbers: what is counted for a choice goes by how its chooser can tell it apart from
others, so it is the same in all states that look the same."""

from __future__ import annotations

from interpreter.play import chance
from interpreter.play.buffer import Buffer, Choice
from interpreter.program.layout import MENU
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

_MASK = (1 << 64) - 1
AS_IT_IS, BY_ROW, BY_PLACE = range(3)  # how a value of a choice is told apart from others


@once_for_each_program
def how_told(program: Program, menu: int, entry: int) -> list[tuple[int, int]]:
    """For each value of an option: how it is told apart, and the kind of a piece."""
    found: list[tuple[int, int]] = []
    chosen = program.menus[menu].entries[entry]
    params = program.actions[chosen.action].params
    for number in range(len(chosen.cells)):
        type_ = params[number].type if number < len(params) else None
        if type_ is None or type_.sort != "kind":
            found.append((AS_IT_IS, 0))
            continue
        kinds = program.layout.kinds
        kind = next(number for number, each in enumerate(kinds) if each.name == type_.name)
        form = BY_PLACE if params[number].form == "place" else BY_ROW
        found.append((AS_IT_IS if kinds[kind].fungible else form, kind))
    return found


@once_for_each_program
def mark_addresses(program: Program, kind: int) -> list[int]:
    """Where the variables begin by which equal pieces of a kind can be told apart."""
    name = program.layout.kinds[kind].name
    return [
        variable.address
        for variable in program.layout.variables
        if len(variable.indexes) == 1
        and variable.indexes[0].type.sort == "kind"
        and variable.indexes[0].type.name == name
        and not variable.secret
    ]


def told_value(program: Program, m: Buffer, form: int, kind: int, value: int) -> int:
    """A value of a choice as it is told apart: the same in all states that look the same."""
    if form == AS_IT_IS or value < 0:
        return value
    layout = program.layout.kinds[kind]
    if form == BY_PLACE:
        return chance.number(m[layout.where + value] & _MASK, m[layout.position + value])
    found = chance.number(layout.row_of[value], 0)
    for address in mark_addresses(program, kind):
        found = chance.number(found, m[address + value])
    return found


def mixed(history: int, menu: int, entry: int, told: list[int]) -> int:
    found = chance.number(history, menu << 16 | entry)
    for value in told:
        found = chance.number(found, value)
    return found or 1


def choice_keys(program: Program, m: Buffer, choices: list[Choice], history: int) -> list[int]:
    """What tallies of these choices go by. `m` is the state as its chooser sees it."""
    menu = m[MENU]
    forms = {entry: how_told(program, menu, entry) for entry in {choice[0] for choice in choices}}
    found: list[int] = []
    for choice in choices:
        told = [
            told_value(program, m, form, kind, value)
            for (form, kind), value in zip(forms[choice[0]], choice[1:], strict=False)
        ]
        found.append(mixed(history, menu, choice[0], told))
    return found
