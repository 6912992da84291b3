"""What the rules have worked out on the way to a stop, as far as a viewer could do so, too.

`let best = max(card.value for card in p.hand)` is kept in the frame of its routine, over all the
decisions until it is needed. A view must carry it to those only who can see the hand. So each cell
that something hidden may have gone into is worked out once more from what the viewer knows now;
if that cannot be done, the view says 0, and whoever imagines a state works it out from the cards
imagined.

Looked at are parameters and what `let` makes. What is given other values later on, between
decisions, cannot be worked out again: a view keeps it if nothing hidden is read for it (hidden
from anybody, where it depends on what changes), and an imagined state begins with the first value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from interpreter.play import knowledge
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.looked_at import hidden_cells
from interpreter.play.words import kind_of, known_to
from interpreter.program import liveness, ops, origins, touches
from interpreter.program.layout import DECISION, SEAT, STATUS, KindLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.view.open_frames import closed_cells
from interpreter.view.openness import Alike, Closed, Left, Reader

_UNSET = Alike(0)  # a local that nothing, or nothing known, has been put into
_MOST_LOCALS = 256  # in what a parameter is given


def for_viewer(program: Program, m: Buffer, viewer: int) -> dict[int, int | None]:
    """The cells of frames that may hold something hidden, with what a viewer would work out; None
    if it cannot."""
    if not _keeps_something(program, origins.under_way(program, m)):
        return {}
    return _Worker(program, m, viewer, everything=False).all()


@once_for_each_program
def _keeps_something(program: Program, where: tuple[int, ...]) -> bool:
    return any(
        closed_cells(program)[each.number] & cells
        for each, cells in origins.kept_at(program, where)
    )


@once_for_each_program
def _cells_read(program: Program, pc: int) -> frozenset[int]:
    return frozenset(touches.frame_cells_read(program, program.code[pc]))


def for_imagined(program: Program, m: Buffer, cells: Iterable[int]) -> None:
    """Work some cells out from a full state, as it has been imagined."""
    worker = _Worker(program, m, knowledge.SPECTATOR, everything=True)
    found = {cell: worker.result(cell) for cell in cells}
    for cell, value in found.items():
        if value is not None:
            m[cell] = value


class _Worker(Reader):
    def __init__(self, program: Program, m: Buffer, viewer: int, *, everything: bool) -> None:
        super().__init__(program, m, (), (), viewer, known_to(viewer), None)
        self.everything = everything
        if everything:
            self.hidden = frozenset()
        self.first = program.layout.frames
        self.strict = False  # whether nothing is read that is hidden from anybody
        self.anybodys = hidden_cells(program)
        self.written: dict[int, int] = {}  # by the statements being gone through
        self.blank: set[int] = set()  # what they should have written, but it cannot be known
        self.results: dict[int, int | None] = {}
        self.runs: dict[int, list[int]] = {}  # the runs of statements that write a cell
        self.given: dict[int, ops.Expr] = {}  # what a parameter was given
        self.arguments: dict[int, ops.Expr] = {}  # the same, where it may be hidden
        self.settled: set[int] = set()  # cells that have been given one value only
        active = origins.kept(program, m)
        for number, (each, cells) in enumerate(active):
            caller = active[number + 1][0] if number + 1 < len(active) else None
            self._follow(each, caller, cells)
        asking = program.code[active[0][0].pc] if active else None
        if m[STATUS] == DECISION and isinstance(asking, ops.Decide):
            seat: ops.Expr | None = asking.seat
            while isinstance(seat, ops.Memory):
                self.results[seat.address] = m[SEAT]  # all see who is asked
                seat = self.given.get(seat.address)

    def _follow(
        self, each: liveness.Active, caller: liveness.Active | None, cells: frozenset[int]
    ) -> None:
        routine, program = each.routine, self.program
        for offset, name in routine.pieces:
            self.pieces[routine.address + offset] = kind_of(program, name)
        closed = closed_cells(program)[each.number] & cells
        runs = origins.runs(program, each.number)
        for cell in closed & {routine.address + offset for offset in routine.lets}:
            if cell in runs:
                self.runs[cell] = runs[cell]
        given = origins.arguments(program, each, caller)
        self.given |= given
        self.arguments |= {cell: given[cell] for cell in given if cell in closed}
        lets = {routine.address + offset for offset in routine.lets}
        self.settled |= set(given) | {cell for cell in lets if len(runs.get(cell, ())) == 1}

    def all(self) -> dict[int, int | None]:
        return {cell: self.result(cell) for cell in [*self.runs, *self.arguments]}

    def result(self, cell: int) -> int | None:
        if cell not in self.results:
            self.results[cell] = None  # what depends on itself cannot be worked out
            if cell in self.arguments:
                given = ops.SetMemory(cell, self.arguments[cell])
                self.results[cell] = self._after((given,), _MOST_LOCALS, cell)
            else:
                self.results[cell] = self._after_all(cell)
        return self.results[cell]

    def _after_all(self, cell: int) -> int | None:
        found: list[int | None] = []
        for pc in self.runs[cell]:
            run = self.program.code[pc]
            assert isinstance(run, ops.Do)
            changing = _cells_read(self.program, pc) - self.settled - {cell}
            self.strict = len(self.runs[cell]) > 1 and bool(changing) and not self.everything
            found.append(self._after(run.statements, run.locals, cell))
        self.strict = False
        if len(found) == 1 or None in found:
            return found[0] if len(found) == 1 or self.everything else None
        return found[0] if self.everything else self.m[cell]

    def _after(self, statements: tuple[ops.Statement, ...], locals_: int, cell: int) -> int | None:
        """What is in a cell after some statements, if all that goes into it is known."""
        outer = self.written, self.blank
        self.written, self.blank = {}, set()
        r: list[int] = [_UNSET] * locals_
        for statement in statements:
            try:
                self._block((statement,), r)
            except (Closed, Left, Failure, IndexError, ZeroDivisionError):
                self._forget(statement, r)
        found = None if cell in self.blank else self.written.get(cell, self.m[cell])
        self.written, self.blank = outer
        return found

    def _forget(self, statement: ops.Statement, r: list[int]) -> None:
        for local in touches.locals_set(statement) & set(range(len(r))):
            r[local] = _UNSET
        for span in touches.cells_written(self.program, statement):
            self.blank.update(span if span.start >= self.first else ())

    # ---- as a reader, with the cells of frames

    def _block(self, statements: Iterable[ops.Statement], r: list[int]) -> None:
        for each in statements:
            match each:
                case ops.SetMemory(address, value):
                    if address >= self.first:
                        self._write(address, self._plain(value, r))
                case ops.SetMemoryAt(base, index, _, value):
                    if base >= self.first:
                        self._write(base + self._plain(index, r), self._plain(value, r))
                case ops.SetLocal() | ops.SetLocalAt() | ops.Evaluate() | ops.Return():
                    super()._block((each,), r)
                case ops.When() | ops.CountLoop() | ops.While() | ops.Reach():
                    super()._block((each,), r)
                case ops.Break() | ops.Continue():
                    super()._block((each,), r)
                case ops.MovePiece() | ops.ShufflePlace() | ops.Know() | ops.Tell():
                    pass  # it has been carried out already
                case ops.Emit() | ops.Fail() | ops.Cite():
                    pass
                case _:
                    assert_never(each)

    def _value(self, op: ops.Expr, r: list[int]) -> int:
        found = super()._value(op, r)
        if found is _UNSET:
            raise Closed
        return found

    def _write(self, address: int, value: int) -> None:
        self.written[address] = value
        self.blank.discard(address)

    def _read(self, address: int) -> int:
        if self.strict and address in self.anybodys:
            raise Closed
        if address < self.first:
            return super()._read(address)
        if address in self.blank:
            raise Closed
        value = self.written.get(address, self.m[address])
        if address in self.pieces:
            return self._piece(self.pieces[address], value) if value >= 0 else value
        if address in self.written or not (address in self.runs or address in self.arguments):
            return value
        if len(self.runs.get(address, ())) > 1 and address in self.results:
            return value  # it is counted up
        found = self.result(address)
        if found is None:
            raise Closed
        return found

    def _is_known(self, kind: KindLayout, piece: int) -> bool:
        return self.everything or super()._is_known(kind, piece)
