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


class Imagining:
    """Full states that agree with a view. What is to be dealt, and what is to be worked out again
    after that, is found out once for all of them."""

    def __init__(self, machine: Machine, view: View) -> None:
        self.machine = machine
        self.viewer = knowledge.SPECTATOR if view.seat is None else view.seat
        self.seen = list(view.masked)
        self.unknown = _unknown_cells(machine.program, self.seen, self.viewer)
        self.plan = plan_of(machine.program, view)

    @property
    def is_dealing(self) -> bool:
        """Whether dealing anew is all there is to it."""
        return not self.unknown

    def state(self, seed: int) -> Buffer:
        """Hidden things are dealt anew until somebody would have something to choose, and all is
        so that the rules say is always so. If that does not come about, the game goes on to where
        somebody has; if that does not either, what the view tells must do."""
        machine, program = self.machine, self.machine.program
        standing: Buffer = []  # where somebody would have something to choose, at least
        for attempt in range(_ATTEMPTS):
            buffer = dealing.imagine(self.plan, seed + attempt * STRIDE)
            if self.unknown:
                worked_out.for_imagined(program, buffer, self.unknown)
            try:
                if not machine.stands(buffer, self.viewer):
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
            return self.seen
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


def _unknown_cells(program: Program, seen: Buffer, viewer: int) -> list[int]:
    worked = worked_out.for_viewer(program, seen, viewer)
    return [cell for cell, value in worked.items() if value is None]
