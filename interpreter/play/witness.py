"""What happens between two decisions, as the log will tell it. Nothing is noted in a simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from interpreter import limits
from interpreter.play import pieces
from interpreter.play.buffer import SCRATCH, Buffer
from interpreter.play.compile import STEPS, Compiler, Run
from interpreter.play.failure import Failure
from interpreter.play.memory import Memory, kept
from interpreter.program import ops
from interpreter.program.layout import MODE
from interpreter.program.program import Program

Act = Callable[[Buffer], None]

_NO_BUFFER: Buffer = []  # one for all events: there can be very many


@dataclass(slots=True)
class Event:
    """Something that happened between two decisions, for the log.

    - say: a saying and its values;
    - forced: an entry of a menu and its values, taken because there was nothing else;
    - passed: the same, where nothing could be chosen but to pass, which is not worth a word;
    - sealed: the position of a sealed block, which is over now; `before`: what it has made;
    - chance: a chance event and its outcome; `seat`: the only one who may see it, or -1;
      `variable`, `pool`: what it is kept in, or -1, and its index after the outcome;
    - secret: the rules have looked at a secret variable, or at pieces not everybody sees;
    - moved, shown: a kind; then the piece, where it was and its position there (-1: nobody
      can tell), where it is now, and who knew it before and knows it now; `shown`: to whom it
      lay open before.
    """

    word: Literal["say", "forced", "passed", "sealed", "chance", "secret", "moved", "shown"]
    number: int
    values: tuple[int, ...]
    seat: int = -1
    menu: int = -1
    variable: int = -1
    before: Buffer = field(default_factory=lambda: _NO_BUFFER)
    pool: int = -1
    shown: int = 0


class Witness:
    """The part of a machine that notes events while somebody wants to know of them."""

    compiler: Compiler

    def __init__(self, program: Program) -> None:
        self.program = program
        self.events: list[Event] | None = None
        self.indexes: dict[int, Run] = {}  # of what chance decides, by instruction
        self.memory: Memory | None = None  # what the viewers remember, if it is wanted

    def _charge_copy(self, m: Buffer) -> None:
        """The log keeps a copy of the state. It costs the same with and without a log."""
        m[STEPS] += len(m)
        if m[STEPS] > limits.STEPS_PER_MOVE:
            raise Failure("RR608", -1)

    def tell(self, saying: int, values: tuple[int, ...], m: Buffer) -> None:
        self._charge_copy(m)
        if self.events is not None and not m[MODE] & SCRATCH:
            self.events.append(Event("say", saying, values, before=m.copy()))

    def _note_chance(self, m: Buffer, op: ops.Chance, value: int, pc: int) -> None:
        """What chance has brought at an instruction."""
        if self.events is None:
            return
        if self.memory is not None:
            self.memory.begin(m)
        seat, index = -1, self.chance_index(m, op, pc)
        if op.variable >= 0:
            variable = self.program.layout.variables[op.variable]
            if variable.secret:
                players = self.program.players
                seat = players if variable.unseen else index // (variable.size // players)
        self.events.append(
            Event("chance", op.event, (value, index), seat, -1, op.variable, pool=op.pool)
        )

    def chance_index(self, m: Buffer, op: ops.Chance, pc: int) -> int:
        """Which entry of a variable or which pool chance decides about, at an instruction."""
        if op.index is None:
            return 0
        if pc not in self.indexes:
            self.indexes[pc] = self.compiler.expression(op.index)
        return self.indexes[pc](m, [])

    def secret(self, value: int) -> int:
        """Something hidden, which the rules have now looked at."""
        if self.events is not None and not (self.events and self.events[-1].word == "secret"):
            self.events.append(Event("secret", 0, ()))
        return value

    def note_piece(
        self, word: Literal["moved", "shown"], m: Buffer, number: int, piece: int, act: Act
    ) -> None:
        """Carry out what happens to a piece, and note what there was to see of it."""
        if self.events is None:
            act(m)
            return
        kind = self.program.layout.kinds[number]
        if kind.known < 0 and not (self.events and self.events[-1].word == "chance"):
            act(m)  # nobody can learn anything from it, and it is not where a draw went
            return
        source, position = m[kind.where + piece], pieces.visible_position(m, kind, piece)
        before = pieces.who_knows(m, kind, piece)
        shown = m[kind.known + piece] >> pieces.SHOWN if kind.known >= 0 else 0
        self._remember(m, number, act, piece if word == "moved" else None, word == "shown")
        target, after = m[kind.where + piece], pieces.who_knows(m, kind, piece)
        values = (piece, source, position, target, before, after)
        self.events.append(Event(word, number, values, shown=shown))

    def shuffle(self, m: Buffer, number: int, place: int) -> None:
        kind = self.program.layout.kinds[number]
        self._remember(m, number, lambda b: pieces.shuffle(b, kind, place), None, False)

    def _remember(self, m: Buffer, number: int, act: Act, moved: int | None, hidden: bool) -> None:
        """Do something to pieces, and let those who lose track of one remember where it was."""
        kind = self.program.layout.kinds[number]
        if self.events is None or self.memory is None or kind.known < 0:
            act(m)
            return
        before = kept(m, kind)
        act(m)
        self.memory.note(number, before, m, moved, hidden)
