"""Every option as one number: the same number means the same in all states.

An action is a verb with its arguments, and has a range of numbers to itself. Its arguments are the
digits of a number, each in the base of its own domain: the cells of a board, the members of an
enum, the rows of a kind. A piece goes by what its chooser calls it (`words.py`): its row, with what
tells copies of it apart, or the place where it lies. So options that read the same are one action.

Where an argument has no bounds, such as a bid, or where there would be more than `MOST_ACTIONS`
numbers for one verb, that argument is no digit. Options that agree in all digits are then told
apart by their order: the first, the second, up to so many `places`. What comes after that has no
number and cannot be chosen by it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import prod

from interpreter.frozen import frozen
from interpreter.play import chance, words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.pieces import CONTENTS
from interpreter.play.spaces.domains import (
    Mark,
    bounds,
    is_countable,
    kind_number,
    marks_of,
)
from interpreter.program.layout import MENU
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Action, Param, Program

MOST_ACTIONS = 1 << 16  # of one verb
MOST_PLACES = 64  # for options that agree in all digits
_LEAST_PLACES = 8
NO_ACTION = -1
VALUE, ROW, COPY, PLACE = range(4)  # how a value is told apart from others
_MASK = (1 << 64) - 1


@frozen
class Digit:
    """An argument as a number from 0. With a stride of 0 it is none of the digits, and only what
    equal options are told by."""

    form: int
    kind: int  # of a piece
    low: int
    high: int
    size: int  # 0: without bounds
    optional: bool  # of a piece: 0 is none, and all others are one more
    marks: tuple[Mark, ...]
    stride: int


@frozen
class Verb:
    """An action and its numbers: `first`, and as many as there are values of its digits, each with
    so many places."""

    name: str
    params: tuple[Param, ...]
    digits: tuple[Digit, ...]
    first: int
    size: int
    places: int


@dataclass(frozen=True, slots=True)
class Actions:
    """All verbs of a game, and which of them the entries of a menu are."""

    verbs: tuple[Verb, ...]
    entries: tuple[tuple[int, ...], ...]  # by menu and entry, the number of the verb
    size: int


@once_for_each_program
def actions_of(program: Program) -> Actions:
    numbers: dict[tuple[str, tuple[Param, ...]], int] = {}
    verbs: list[Verb] = []
    first = 0
    for menu in program.menus:
        for entry in menu.entries:
            action = program.actions[entry.action]
            if (action.name, action.params) not in numbers:
                numbers[action.name, action.params] = len(verbs)
                verbs.append(_verb(program, action, first))
                first += verbs[-1].size
    entries = tuple(
        tuple(numbers[_named(program.actions[entry.action])] for entry in menu.entries)
        for menu in program.menus
    )
    return Actions(tuple(verbs), entries, max(1, first))


def _named(action: Action) -> tuple[str, tuple[Param, ...]]:
    return action.name, action.params


def _verb(program: Program, action: Action, first: int) -> Verb:
    digits = [_digit(program, param) for param in action.params]
    kept, places = _kept([digit.size for digit in digits])
    stride, found = 1, []
    for number, digit in reversed(list(enumerate(digits))):
        found.append(_with_stride(digit, stride if number in kept else 0))
        stride *= digit.size if number in kept else 1
    found.reverse()
    return Verb(action.name, action.params, tuple(found), first, stride * places, places)


def _kept(sizes: list[int]) -> tuple[set[int], int]:
    """Which arguments are digits, and how many places there are for options that agree in them."""
    if 0 < prod(sizes) <= MOST_ACTIONS:
        return set(range(len(sizes))), 1
    kept, room = set(), MOST_ACTIONS // _LEAST_PLACES
    for number, size in enumerate(sizes):
        if 0 < size <= room:
            kept.add(number)
            room //= size
    return kept, min(MOST_PLACES, MOST_ACTIONS // prod(sizes[number] for number in kept))


def _with_stride(digit: Digit, stride: int) -> Digit:
    head = (digit.form, digit.kind, digit.low, digit.high, digit.size)
    return Digit(*head, digit.optional, digit.marks, stride)


def _digit(program: Program, param: Param) -> Digit:
    low, high = bounds(program, param.type)
    kinds = program.layout.kinds
    if param.type.sort != "kind" or words.kind_of(program, param.type.name).fungible:
        size = high - low + 1 if is_countable(low, high) else 0
        return Digit(VALUE, 0, low, high, size, False, (), 0)
    number = kind_number(program, param.type.name)
    kind = kinds[number]
    marks: tuple[Mark, ...] = ()
    form = {"place": PLACE, "copy": COPY}.get(param.form, ROW)
    if form == PLACE:
        size = sum(_rooms(program, number))
    elif form == COPY:
        size = len(kind.rows) * most_copies(program, number)
    else:
        marks = marks_of(program, kind.name) if param.form == "row" and kind.has_copies else ()
        bounded = all(is_countable(mark.low, mark.high) for mark in marks)
        size = len(kind.rows) * prod(mark.size for mark in marks) * bounded
    more = int(param.type.optional)
    return Digit(form, number, low, high, size + more * bool(size), bool(more), marks, 0)


def most_copies(program: Program, kind: int) -> int:
    rows = program.layout.kinds[kind].row_of
    return max((rows.count(row) for row in set(rows)), default=1)


def _rooms(program: Program, kind: int) -> list[int]:
    """How many pieces each place can hold; the box is none."""
    return [0, *program.layout.kinds[kind].instance_capacity[1:]]


@once_for_each_program
def rooms_before(program: Program, kind: int) -> tuple[int, ...]:
    """For each place, how many positions the places before it have."""
    found, total = [], 0
    for room in _rooms(program, kind):
        found.append(total)
        total += room
    return tuple(found)


@once_for_each_program
def copied_rows(program: Program, kind: int) -> tuple[bool, ...]:
    rows = program.layout.kinds[kind].row_of
    return tuple(rows.count(row) > 1 for row in range(len(program.layout.kinds[kind].rows)))


def told(program: Program, m: Buffer, digit: Digit, value: int) -> int:
    """A value as it is told apart: below the size of its digit, if that has bounds."""
    if digit.form == VALUE:
        return min(max(value, digit.low), digit.high) - digit.low if digit.size else value
    if value < 0:
        return 0
    kind = program.layout.kinds[digit.kind]
    row = kind.row_of[value]
    if digit.form == PLACE:
        before = rooms_before(program, digit.kind)[m[kind.where + value]]
        found = before + m[kind.position + value]
    elif digit.form == COPY:
        first = kind.instance_address[m[kind.where + value]] + CONTENTS
        before = sum(
            kind.row_of[other] == row for other in m[first : first + m[kind.position + value]]
        )
        found = row * most_copies(program, digit.kind) + before
    else:
        found = row
        counts = copied_rows(program, digit.kind)[row]
        for mark in digit.marks:
            here = m[mark.address + value]
            if digit.size:
                here = min(max(here, mark.low), mark.high) - mark.low
                found = found * mark.size + here * counts
            elif counts:
                found = chance.number(found, here & _MASK)
    return found + digit.optional


def numbers(program: Program, m: Buffer, choices: list[Choice]) -> list[int]:
    """The number of each option of a state, in the order of the machine; `m` is the state as its
    chooser sees it. Options that read the same have the same number."""
    table = actions_of(program)
    entries = table.entries[m[MENU]]
    seen: dict[tuple[int, int], dict[tuple[int, ...], int]] = {}
    found: list[int] = []
    for entry, *values in choices:
        verb = table.verbs[entries[entry]]
        number, rest = 0, []
        for digit, value in zip(verb.digits, values, strict=False):
            part = told(program, m, digit, value)
            number += part * digit.stride
            if not digit.stride:
                rest.append(part)
        others = seen.setdefault((entry, number), {})
        place = others.setdefault(tuple(rest), len(others))
        is_one = place < verb.places
        found.append(verb.first + number * verb.places + place if is_one else NO_ACTION)
    return found


# ---- in words


def action_text(program: Program, number: int) -> str:
    """The option a number means, as options are written: `drop(cell: a1)`. Where an argument is no
    digit, `#2` is the second of those that are offered."""
    table = actions_of(program)
    if not 0 <= number < table.size or not table.verbs:
        raise ValueError(f"there is no action {number}: they are 0 to {table.size - 1}")
    verb = table.verbs[bisect_right(table.verbs, number, key=lambda each: each.first) - 1]
    number, place = divmod(number - verb.first, verb.places)
    parts = []
    for param, digit in zip(verb.params, verb.digits, strict=True):
        text = f"#{place + 1}"
        if digit.stride:
            text = _digit_text(program, param, digit, number // digit.stride % digit.size)
        parts.append(f"{param.name}: {text}")
    return f"{verb.name}({', '.join(parts)})" if parts else verb.name


def _digit_text(program: Program, param: Param, digit: Digit, value: int) -> str:
    if digit.form == VALUE:
        value += digit.low
        optional = param.type.optional and value == digit.low
        return words.value_text(program, param.type, param.type.none if optional else value)
    if digit.optional and not value:
        return "none"
    value -= digit.optional
    kind = program.layout.kinds[digit.kind]
    if digit.form == PLACE:
        before = rooms_before(program, digit.kind)
        place = bisect_right(before, value) - 1
        return f"{kind.instance_names[place]}#{value - before[place] + 1}"
    if digit.form == COPY:
        row, copy = divmod(value, most_copies(program, digit.kind))
        return kind.rows[row] if not copy else f"{kind.rows[row]}#{copy + 1}"
    parts = []
    for mark in reversed(digit.marks):
        value, part = divmod(value, mark.size)
        variable = next(each for each in program.layout.variables if each.address == mark.address)
        written = words.value_text(program, variable.type, part + mark.low)
        parts.append(f"{mark.name}:{written}")
    name = kind.rows[value]
    copied = digit.marks and copied_rows(program, digit.kind)[value]
    return f"{name}[{', '.join(reversed(parts))}]" if copied else name
