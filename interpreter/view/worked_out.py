"""What the rules have worked out on the way to a stop, as far as a viewer could do so, too.

`let best = max(card.value for card in p.hand)` is kept in the frame of its routine, over all the
decisions until it is needed. A view must carry it to those only who can see the hand. So each cell
that something hidden may have gone into is worked out once more from what the viewer knows now;
if that cannot be done, the view says 0, and whoever imagines a state works it out from the cards
imagined.

Looked at are cells that are written by one run of statements only, and parameters: all that `let`
makes, unless it is given another value later on.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.play import knowledge
from interpreter.play.failure import Failure
from interpreter.play.machine import Buffer
from interpreter.play.words import kind_of, known_to
from interpreter.program import liveness, ops
from interpreter.program.layout import KindLayout
from interpreter.program.program import Program
from interpreter.program.verify import operations
from interpreter.view.open_frames import closed_cells
from interpreter.view.openness import Alike, Closed, Left, Reader

_UNSET = Alike(0)  # a local that nothing, or nothing known, has been put into
_HANDLED = (
    ops.SetLocal, ops.SetLocalAt, ops.When, ops.CountLoop, ops.While, ops.Break, ops.Continue,
    ops.Return, ops.Evaluate,
)  # fmt: skip


def for_viewer(program: Program, m: Buffer, viewer: int) -> dict[int, int | None]:
    """The cells of frames that may hold something hidden, with what a viewer would work out; None
    if it cannot."""
    if not any(closed_cells(program)):
        return {}
    return _Worker(program, m, viewer, everything=False).all()


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
        self.written: dict[int, int] = {}  # by the statements being gone through
        self.blank: set[int] = set()  # what they should have written, but it cannot be known
        self.results: dict[int, int | None] = {}
        self.runs: dict[int, int] = {}  # where a cell is worked out: the position of a run
        self.arguments: dict[int, ops.Expr] = {}  # what a parameter was given
        active = liveness.active_routines(program, m)
        for each, caller in zip(active, [*active[1:], None], strict=True):
            self._follow(each, caller)

    def _follow(self, each: liveness.Active, caller: liveness.Active | None) -> None:
        routine, program = each.routine, self.program
        for offset, name in routine.pieces:
            self.pieces[routine.address + offset] = kind_of(program, name)
        live = knowledge.live_cells(program)[each.pc]
        runs = _runs(program, each.number)
        for cell in closed_cells(program)[each.number] & live:
            if len(runs.get(cell, ())) == 1:
                self.runs[cell] = runs[cell][0]
            number = cell - routine.address - 1
            if cell in runs or caller is None or not 0 <= number < routine.params:
                continue
            call = program.code[caller.pc - 1]
            if isinstance(call, ops.Invoke) and call.routine == each.number:
                self.arguments[cell] = call.arguments[number]

    def all(self) -> dict[int, int | None]:
        return {cell: self.result(cell) for cell in [*self.runs, *self.arguments]}

    def result(self, cell: int) -> int | None:
        if cell not in self.results:
            self.results[cell] = None  # what depends on itself cannot be worked out
            outer = self.written, self.blank
            self.written, self.blank = {}, set()
            if cell in self.arguments:
                self._run_of((ops.SetMemory(cell, self.arguments[cell]),), 64)
            elif cell in self.runs:
                run = self.program.code[self.runs[cell]]
                assert isinstance(run, ops.Do)
                self._run_of(run.statements, run.locals)
            self.results[cell] = None if cell in self.blank else self.written.get(cell)
            self.written, self.blank = outer
        return self.results[cell]

    def _run_of(self, statements: tuple[ops.Statement, ...], locals_: int) -> None:
        """Go through statements, as far as what they need is known."""
        r: list[int] = [_UNSET] * locals_
        for statement in statements:
            try:
                self._block((statement,), r)
            except (Closed, Left, Failure, IndexError, ZeroDivisionError):
                self._forget(statement, r)

    def _forget(self, statement: ops.Statement, r: list[int]) -> None:
        for each in operations(statement):
            match each:
                case ops.SetLocal(index) | ops.CountLoop(index):
                    r[index] = _UNSET
                case ops.SetLocalAt(base):
                    r[base:] = [_UNSET] * len(r[base:])
                case ops.SetMemory(address):
                    self.blank.add(address)
                case ops.SetMemoryAt(base, _, size):
                    self.blank.update(range(base, base + size))
                case _:
                    pass

    # ---- as a reader, with the cells of frames

    def _block(self, statements: Iterable[ops.Statement], r: list[int]) -> None:
        for each in statements:
            match each:
                case ops.SetMemory(address, value) if address >= self.first:
                    self._write(address, self._plain(value, r))
                case ops.SetMemoryAt(base, index, _, value) if base >= self.first:
                    self._write(base + self._plain(index, r), self._plain(value, r))
                case _ if isinstance(each, _HANDLED):
                    super()._block((each,), r)
                case _:
                    pass  # it has been carried out already

    def _value(self, op: ops.Expr, r: list[int]) -> int:
        found = super()._value(op, r)
        if found is _UNSET:
            raise Closed
        return found

    def _write(self, address: int, value: int) -> None:
        self.written[address] = value
        self.blank.discard(address)

    def _read(self, address: int) -> int:
        if address < self.first:
            return super()._read(address)
        if address in self.blank:
            raise Closed
        value = self.written.get(address, self.m[address])
        if address in self.pieces:
            return self._piece(self.pieces[address], value) if value >= 0 else value
        if address not in self.written and (address in self.runs or address in self.arguments):
            found = self.result(address)
            if found is None:
                raise Closed
            return found
        return value

    def _is_known(self, kind: KindLayout, piece: int) -> bool:
        return self.everything or super()._is_known(kind, piece)


def _runs(program: Program, number: int) -> dict[int, list[int]]:
    """Where the cells of a routine's frame are written: the positions of runs of statements; what
    is written otherwise, by a decision for instance, counts as written in two places."""
    if number not in program.runs:
        found: dict[int, list[int]] = {}
        start = program.routines[number].entry.position
        ends = [each.entry.position for each in program.routines if each.entry.position > start]
        for pc in range(start, min(ends, default=len(program.code))):
            op = program.code[pc]
            for cell in _written(program, op):
                found.setdefault(cell, []).extend([pc] if isinstance(op, ops.Do) else [pc, pc])
        program.runs[number] = found
    return program.runs[number]


def _written(program: Program, op: ops.Instruction) -> set[int]:
    found: set[int] = set()
    match op:
        case ops.Do(statements):
            for each in operations(statements):
                match each:
                    case ops.SetMemory(address):
                        found.add(address)
                    case ops.SetMemoryAt(base, _, size):
                        found.update(range(base, base + size))
                    case _:
                        pass
        case ops.Decide(menu):
            found.update(cell for entry in program.menus[menu].entries for cell in entry.cells)
        case ops.Chance(_, address):
            found.add(address)
        case ops.Sealed(seat):
            found.add(seat)
        case _:
            pass
    return found
