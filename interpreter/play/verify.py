"""Looks over a state: what is wrong here is our bug, not the author's, unless it is a limit.

Every piece lies in exactly one place, places count what they hold, values stay in the ranges
declared for them, and nothing is left of routines that are over.
"""

from __future__ import annotations

from itertools import pairwise

from interpreter.model.types import Type
from interpreter.play.buffer import Buffer
from interpreter.play.pieces import CONTENTS, EMPTY, SHOWN, UNDER, UNORDERED
from interpreter.program import liveness, ops
from interpreter.program.layout import (
    CHANCE,
    COUNTER,
    DECISION,
    LOOK,
    MENU,
    MODE,
    MOVES,
    OVER,
    PC,
    SEALED,
    SEALED_DONE,
    SEALED_READ,
    SEALED_SEAT,
    SEALING,
    SEAT,
    STATUS,
    STEPS,
    TOTAL_STEPS,
    WINNERS,
    KindLayout,
)  # fmt: skip
from interpreter.program.program import Program

_MOST_COUNTED = 1 << 40  # far beyond every limit, far below what a number can hold
_MODES = 4  # stopping at chance or not, asking when forced or not


def check_buffer(program: Program, m: Buffer) -> list[str]:
    """Everything that is wrong with a state at a stop; nothing for a good one."""
    if len(m) != program.layout.size:
        return [f"{len(m)} cells instead of {program.layout.size}"]
    found = _header(program, m) + _variables(program, m) + _frames(program, m)
    for kind in program.layout.kinds:
        if not kind.fungible:
            found += _pieces(program, m, kind)
    return found + _pools(program, m)


def check_stop(program: Program, m: Buffer) -> list[str]:
    """What is wrong with where a state stands in the code; nothing for a good one. Of a state from
    outside this is asked first: how all the rest is to be read hangs on it."""
    pc = m[PC]
    if m[STATUS] == OVER:
        return [] if pc == 0 else ["it is over, and goes on"]
    op = program.code[pc] if 0 <= pc < len(program.code) else None
    stops = (
        (m[STATUS] == DECISION and isinstance(op, ops.Decide) and op.menu == m[MENU])
        or (m[STATUS] == CHANCE and isinstance(op, ops.Chance) and op.generator == m[MENU])
        or (m[STATUS] == SEALING and isinstance(op, ops.Sealed) and m[SEALED] == pc + 1)
    )
    if not stops:
        return [f"it does not stop at {pc}"]
    counts = (m[STEPS], m[TOTAL_STEPS], m[MOVES], m[COUNTER])
    if min(counts) < 0 or max(counts) > _MOST_COUNTED or not 0 <= m[MODE] < _MODES:
        return ["it counts what nobody can have counted"]
    looks = {each.end.position + 1 for each in program.code if isinstance(each, ops.LookAhead)}
    if m[LOOK] and m[LOOK] not in looks:
        return ["it looks ahead to no end"]
    return _callers(program, m)


def _callers(program: Program, m: Buffer) -> list[str]:
    """Every routine under way goes back to behind a call of it."""
    active = liveness.active_routines(program, m)
    for inner, outer in pairwise(active):
        call = program.code[outer.pc - 1] if 0 < outer.pc < len(program.code) else None
        if not isinstance(call, ops.Invoke) or call.routine != inner.number:
            return [f"{inner.routine.name} goes back to {outer.pc}, where nobody called it"]
    last = active[-1]
    if not last.routine.root or m[last.routine.address] > 0:
        return [f"{last.routine.name} goes back to nowhere"]
    return [
        f"{each.routine.name} holds {value}, which is no {type_}"
        for each in active
        for offset, type_ in each.routine.types
        # What is not set yet is 0; whoever passed has chosen none, and a piece may be gone.
        if (value := m[each.routine.address + offset])
        and value != type_.none
        and not _in_range(program, type_, value)
    ]


def _header(program: Program, m: Buffer) -> list[str]:
    found: list[str] = []
    everyone = (1 << program.players) - 1
    if m[STATUS] not in (DECISION, CHANCE, SEALING, OVER):
        found.append(f"status {m[STATUS]} is no stop")
    if not 0 <= m[PC] < len(program.code):
        found.append(f"the game goes on at {m[PC]}, where there is nothing")
    if not 0 <= m[SEAT] < program.players:
        found.append(f"seat {m[SEAT]} of {program.players}")
    if m[STATUS] == DECISION and not 0 <= m[MENU] < len(program.menus):
        found.append(f"menu {m[MENU]} of {len(program.menus)}")
    lost = m[WINNERS] == everyone + 1  # all of them
    if (m[WINNERS] & ~everyone and not lost) or (m[STATUS] != OVER and m[WINNERS]):
        found.append(f"winners {m[WINNERS]:b}")
    if m[STATUS] == OVER and m[LOOK]:
        found.append("the game is over and looks ahead")
    if m[STATUS] == SEALING:
        if not m[SEALED] or m[SEALED_DONE] & ~everyone or m[SEALED_DONE] == everyone:
            found.append("sealed choices are open that are not")
    elif m[SEALED] or m[SEALED_DONE]:
        found.append("something is left of a sealed block")
    if m[SEALED_SEAT] or m[SEALED_READ]:
        found.append("a sealed block is being run at a stop")
    return found + _sealed(program, m)


def _sealed(program: Program, m: Buffer) -> list[str]:
    where = program.layout
    if not where.sealed_width:
        return []
    found: list[str] = []
    for seat in range(program.players):
        length = m[where.sealed_length + seat]
        if not 0 <= length <= where.sealed_capacity:
            found.append(f"seat {seat} has sealed {length} choices")
            continue
        rest = range(where.sealed_row(seat, length), where.sealed_row(seat + 1, 0))
        if any(m[cell] for cell in rest):
            found.append(f"seat {seat} has choices beyond those it has sealed")
        for row in (where.sealed_row(seat, number) for number in range(length)):
            menu = m[row + where.sealed_width - 1]
            known = 0 <= menu < len(program.menus)
            if not known or not 0 <= m[row] < len(program.menus[menu].entries):
                found.append(f"seat {seat} has sealed a choice that there is not")
    return found


def _in_range(program: Program, type_: Type, value: int) -> bool:
    if type_.optional and value == type_.none:
        return True
    match type_.sort:
        case "int" | "bool":
            return type_.low <= value <= type_.high
        case "player":
            return 0 <= value < program.players
        case "enum" | "table":
            return 0 <= value < len(program.enums[type_.name])
        case "board":
            return 0 <= value < len(program.boards[type_.name].cells)
        case "direction":
            return 0 <= value < len(program.boards[type_.name].directions)
        case "kind":
            kind = next(each for each in program.layout.kinds if each.name == type_.name)
            return 0 <= value < len(kind.rows if kind.fungible else kind.row_of)
        case _:
            return True


def _variables(program: Program, m: Buffer) -> list[str]:
    found: list[str] = []
    for variable in program.layout.variables:
        for offset in range(variable.size):
            value = m[variable.address + offset]
            if not _in_range(program, variable.type, value):
                found.append(f"{variable.name}[{offset}] is {value}, outside {variable.type}")
    return found


def _frames(program: Program, m: Buffer) -> list[str]:
    first = program.layout.frames
    under_way = [each.routine for each in liveness.active_routines(program, m)]
    used = {
        cell
        for routine in under_way
        for cell in range(routine.address, routine.address + routine.size)
    }
    left = [c for c in range(first, first + program.layout.frames_size) if m[c] and c not in used]
    return [f"cell {cell} of a frame that is over holds {m[cell]}" for cell in left]


def _pieces(program: Program, m: Buffer, kind: KindLayout) -> list[str]:
    found: list[str] = []
    seen: dict[int, int] = {}
    for place in range(1, len(kind.instance_address)):
        name = kind.instance_names[place]
        address, capacity = kind.instance_address[place], kind.instance_capacity[place]
        count = m[address]
        if not 0 <= count <= capacity:
            found.append(f"{name} counts {count} pieces of at most {capacity}")
            continue
        contents = m[address + CONTENTS : address + CONTENTS + count]
        rest = m[address + CONTENTS + count : address + CONTENTS + capacity]
        if any(cell != EMPTY for cell in rest):
            found.append(f"{name} holds something beyond its {count} pieces")
        loose, under = m[address + UNORDERED], m[address + UNDER]
        if loose < 0 or under < 0 or loose + under > count or (under and not loose):
            found.append(f"{name} has {loose} loose pieces over {under}, of {count}")
        elif contents[under : under + loose] != sorted(contents[under : under + loose]):
            found.append(f"the loose pieces of {name} are not sorted")
        if kind.instance_sorted[place] and contents != sorted(contents):
            found.append(f"{name} is not sorted")
        for position, piece in enumerate(contents):
            if piece in seen or not 0 <= piece < len(kind.row_of):
                found.append(f"{name} holds piece {piece}, which is elsewhere or nowhere")
                continue
            seen[piece] = place
            if m[kind.where + piece] != place or m[kind.position + piece] != position:
                found.append(f"piece {piece} does not know that it is in {name} at {position}")
    for piece in range(len(kind.row_of)):
        if piece not in seen and m[kind.where + piece]:
            found.append(f"piece {piece} is not where it thinks it is")
        if kind.known >= 0 and m[kind.known + piece] & ~(kind.everyone * (1 | 1 << SHOWN)):
            found.append(f"piece {piece} is known to seats that do not exist")
        if kind.known >= 0 and m[kind.known + piece] >> SHOWN & ~m[kind.known + piece]:
            found.append(f"piece {piece} is shown to seats that do not know it")
    return found


def _pools(program: Program, m: Buffer) -> list[str]:
    found: list[str] = []
    for place in program.layout.places:
        if place.word == "pool":
            cells = range(place.address, place.address + place.size * place.stride)
            if any(m[cell] < 0 for cell in cells):
                found.append(f"{place.name} holds less than nothing")
    return found
