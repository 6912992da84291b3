"""Imagining: a full state that agrees with everything a view tells."""

from __future__ import annotations

from interpreter.play import dealing, knowledge
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.program.program import Program
from interpreter.view import worked_out
from interpreter.view.view import View

_ATTEMPTS = 32  # to imagine a state in which the game would stand where it does
STRIDE = 0x9E3779B97F4A7C15  # between seeds of which several are needed


def imagined(machine: Machine, view: View, seed: int) -> Buffer:
    """Hidden things are dealt anew until somebody would have something to choose, and all is so
    that the rules say is always so. If that does not come about, the game goes on to where
    somebody has; if that does not either, what the view tells must do."""
    program = machine.program
    viewer = knowledge.SPECTATOR if view.seat is None else view.seat
    seen = list(view.masked)
    unknown = _unknown_cells(program, seen, viewer)
    plan = plan_of(program, view)
    standing: Buffer = []  # where somebody would have something to choose, at least
    for attempt in range(_ATTEMPTS):
        buffer = dealing.imagine(plan, seed + attempt * STRIDE)
        if unknown:
            worked_out.for_imagined(program, buffer, unknown)
        try:
            if not machine.stands(buffer, viewer):
                continue
            if all(machine.evaluate(buffer, always, []) for always, _, _ in program.always):
                return buffer
        except Failure:
            continue
        standing = standing or buffer
    if standing:
        return standing
    try:
        machine.go_on(buffer)
    except Failure:
        return seen
    return buffer


def plan_of(program: Program, view: View) -> dealing.Plan:
    """How what a view does not tell is dealt anew."""
    viewer = knowledge.SPECTATOR if view.seat is None else view.seat
    seen = _supposing(program, list(view.masked), viewer)
    return dealing.plan(program, seen, viewer, view.supposed, view.named)


def _supposing(program: Program, seen: Buffer, viewer: int) -> Buffer:
    """A view leaves out what the others know. Where the rules test that, whoever imagines a game
    supposes that it was all shown to them: nothing else asks what somebody knows, and the game was
    not stopped."""
    for kind in program.layout.kinds:
        others = (1 << kind.players) - 1
        others &= ~0 if viewer == knowledge.SPECTATOR else ~(1 << viewer)
        for piece in range(len(kind.row_of) if kind.told else 0):
            if seen[kind.where + piece] in kind.told:
                seen[kind.known + piece] |= others
    return seen


def nothing_to_work_out(program: Program, view: View) -> bool:
    """Whether dealing anew is all there is to imagining."""
    viewer = knowledge.SPECTATOR if view.seat is None else view.seat
    return not _unknown_cells(program, list(view.masked), viewer)


def _unknown_cells(program: Program, seen: Buffer, viewer: int) -> list[int]:
    worked = worked_out.for_viewer(program, seen, viewer)
    return [cell for cell, value in worked.items() if value is None]
