"""Whether a decision may be taken back. That it may must tell nobody anything, either.

Who is asked a question, and who is passed over or has nothing to choose between, may hang on what
they hold. So nobody may take back what led to such a question, having learnt that it was asked; and
nobody may take back the answer to one, since who was not asked could not. Nor may a seat take back
what it did if a sealed block waits for others only: had they nothing to choose, it would be over.
Nor may it choose again in a block that answers its choice with what nobody can see.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.seats import seat_name
from interpreter.play import knowledge
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.knowledge import SPECTATOR
from interpreter.play.step import Step
from interpreter.play.words import known_to
from interpreter.program import ops
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    COUNTER,
    DECISION,
    LOOK,
    MENU,
    MODE,
    OVER,
    SEALED,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    KindLayout,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, with_called
from interpreter.view.openness import Alike, Closed, Reader

CHANCE = "something was drawn or rolled since"
SHOWN = "something hidden was shown since"
GONE_ON = "the game has gone on since"
HIDDEN = "what came of it hangs on something hidden, and taking it back would tell"


def told_nothing(program: Program, step: Step) -> bool:
    """Whether a step is a decision that called for no chance, showed nobody anything hidden, and
    nobody else has acted since."""
    return why_it_stays(program, step) is None


def why_it_stays(program: Program, step: Step, asker: int | None = None) -> str | None:
    """Why a step cannot be taken back, if so, told to the seat that asks. That chance was called
    for or something was shown all have seen; of all else the reason would tell more than that
    there is one."""
    if step.chosen_in is None:
        return CHANCE
    events = step.events
    if any(
        each.word in ("moved", "shown") and each.values[-1] & ~each.values[-2] for each in events
    ):
        return SHOWN
    if any(each.word == "chance" for each in events):
        return CHANCE
    for each in events:  # that it had to be is not told: so it reads in the log
        if each.word == "forced" and each.seat != step.seat and not each.before[SEALED]:
            return GONE_ON if each.seat == asker else f"{seat_name(each.seat)} has acted since"
    return None if _hides_nothing(program, step) else HIDDEN


def _hides_nothing(program: Program, step: Step) -> bool:
    before, after, seat = step.chosen_in, step.after, step.seat
    if before is None or before[COUNTER] != after[COUNTER]:
        return False
    for event in step.events:
        if event.word == "secret" or (event.word == "forced" and event.seat != seat):
            return False
        others = event.word == "passed" and event.seat != seat
        if others and not tells_nothing(program, event.before, event.menu, seat):
            return False
    if after[STATUS] == SEALING and after[SEALED_DONE] >> seat & 1:
        return False
    if before[STATUS] == SEALING:
        open_ = knowledge.sealed_is_open(program, before, after, seat)
        return open_ and not _tells_its_seat(program, before[SEALED] - 1)
    if not tells_nothing(program, before, before[MENU], SPECTATOR):
        return False
    if after[STATUS] == DECISION and after[SEAT] != seat:
        return tells_nothing(program, after, after[MENU], seat)
    return not (after[STATUS] == OVER and knowledge.hides_something(program, before))


@once_for_each_program
def _tells_its_seat(program: Program, block: int) -> bool:
    """Whether a sealed block looks at what nobody sees: then a seat may have learnt something by
    its choice, and must not choose again with that in mind."""
    op = program.code[block]
    assert isinstance(op, ops.Sealed)
    unseen = [each for each in program.layout.variables if each.unseen]
    spans = [range(each.address, each.address + each.size) for each in unseen]
    inside = tuple(program.code[op.body.position : op.end.position])
    return any(
        TOUCHES[type(each)].reads(each).start in span
        for each in with_called(program, inside)
        for span in spans
    )


@once_for_each_program
def hides_anything(program: Program) -> bool:
    """Whether there is anything in this game that somebody may not see."""
    layout = program.layout
    return any(kind.known >= 0 for kind in layout.kinds) or any(
        variable.secret or variable.unseen for variable in layout.variables
    )


def tells_nothing(program: Program, m: Buffer, menu: int, viewer: int) -> bool:
    """Whether it is no news to a viewer that somebody is asked here, or is not."""
    chosen = program.menus[menu]
    if (
        chosen.asked
        or not hides_anything(program)
        or (m[MODE] & ASK_WHEN_FORCED and not chosen.passes)
    ):
        return True
    if m[LOOK]:
        return False
    counter = _Counter(program, m, (), (), viewer, known_to(viewer), menu)
    try:
        for entry in chosen.entries:
            counter.emitted(entry.generator)
    except (Closed, Failure, IndexError, ZeroDivisionError):
        return False
    return True


class _Counter(Reader):
    """Goes through the options without looking at pieces that the viewer does not know: how many
    lie in a place is never hidden."""

    def emitted(self, generator: int) -> None:
        function = self.program.functions[generator]
        self._run(function, [0] * function.locals)

    def _block(self, statements: Iterable[ops.Statement], r: list[int]) -> None:
        for each in statements:
            if not isinstance(each, ops.Emit):
                super()._block((each,), r)

    def _look_into(self, kind: KindLayout, instance: int) -> None:
        pass

    def _piece(self, kind: KindLayout, piece: int) -> int:
        if self._is_known(kind, piece):
            return piece
        return Alike.of(piece, tuple(range(len(kind.row_of))))
