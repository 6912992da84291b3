"""Looking ahead: trials on copies of the state, depth first, without chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter import limits
from interpreter.play.buffer import FOUND, HALT, Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.program import trials
from interpreter.program.layout import DECISION, LOOK, MENU, OVER, STATUS, STEPS
from interpreter.program.trials import Spans

if TYPE_CHECKING:
    from interpreter.play.compile import Run
    from interpreter.play.machine import Machine


def can(machine: Machine, m: Buffer, routine: int, arguments: list[int], at: int) -> int:
    """1 if the routine can be carried through with these arguments, 0 if not."""
    copy = m.copy()
    frame = machine.program.routines[routine].address
    copy[frame] = HALT
    for offset, value in enumerate(arguments, 1):
        copy[frame + offset] = value
    copy[LOOK] = 0
    if not machine.searching:
        machine.search_nodes = 0
    depth = machine.depth
    try:
        entry = machine.program.routines[routine].entry.position
        return int(_search(machine, copy, entry, 0))
    except Failure as failure:
        raise failure.tried(at) from None
    finally:
        machine.depth = depth


def what_if(machine: Machine, m: Buffer, spans: Spans, run: Run, r: list[int], at: int) -> int:
    """What is worked out after some steps, which are then put back. Nobody hears what they say;
    but that something hidden was looked at is known to whoever notes such things."""
    m[STEPS] += trials.cost(spans)
    if m[STEPS] > limits.STEPS_PER_MOVE:
        raise Failure("RR608", at)
    held = [m[first : first + number] for first, number in spans]
    events, memory = machine.events, machine.memory
    machine.events, machine.memory = (None if events is None else []), None
    try:
        return run(m, r)
    except Failure as failure:
        raise failure.tried(at) from None
    finally:
        for (first, number), cells in zip(spans, held, strict=True):
            m[first : first + number] = cells
        looked = any(each.word == "secret" for each in machine.events or ())
        machine.events, machine.memory = events, memory
        if looked:
            machine.secret(0)


def carried_through(
    machine: Machine, m: Buffer, menu: int, choices: list[Choice], at: int
) -> list[Choice]:
    """Inside `looking ahead`, keep only what can be carried through to its end."""
    if not m[LOOK] or machine.searching:
        return choices
    machine.search_nodes = 0
    kept: list[Choice] = []
    for choice in choices:
        copy = m.copy()
        target = machine.enter(copy, machine.program.menus[menu], choice)
        try:
            if _search(machine, copy, target, 0):
                kept.append(choice)
        except Failure as failure:
            raise failure.tried(at) from None
    return kept


def _search(machine: Machine, m: Buffer, pc: int, level: int) -> bool:
    """Whether some sequence of choices leads from here to the end of the trial."""
    machine.search_nodes += 1
    if machine.search_nodes > limits.SEARCH_NODES or level > limits.SEARCH_DEPTH:
        raise Failure("RR614", machine.spot_near(max(pc, 0)))
    events, machine.events = machine.events, None
    machine.searching += 1
    try:
        machine.run(m, pc)
        if m[STATUS] != DECISION:
            return m[STATUS] in (FOUND, OVER)
        menu = machine.program.menus[m[MENU]]
        for choice in machine.choices(m, menu, -1):
            copy = m.copy()
            if _search(machine, copy, machine.enter(copy, menu, choice), level + 1):
                return True
        return False
    except Failure as failure:
        if failure.code != "RR607":
            raise
        return False  # a dead end: somebody must choose and cannot
    finally:
        machine.searching -= 1
        machine.events = events
