"""Which cells of the frames of routines are open: nothing hidden went into them.

That is settled for the whole program, by following all that is written; what is written where
something hidden decides whether it is written counts as hidden, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from interpreter.play.looked_at import hidden_cells
from interpreter.play.words import kind_of
from interpreter.program import ops
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import (
    TOUCHES,
    cells_written,
    locals_read,
    locals_set,
    operations,
    with_called,
)


@once_for_each_program
def closed_cells(program: Program) -> list[frozenset[int]]:
    """For each routine the cells of its frame that something hidden may have gone into."""
    return _Frames(program).closed()


class _Frames:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.first = program.layout.frames
        self.secret = hidden_cells(program) | self._of_hidden_kinds()
        self.by_function: dict[int, set[int]] = {}
        self.found: list[set[int]] = [set() for _ in program.routines]
        self.named: list[set[int]] = []  # cells that name a piece that may be hidden
        for routine in program.routines:
            self.named.append(
                {
                    routine.address + offset
                    for offset, name in routine.pieces
                    if kind_of(program, name).known >= 0
                }
            )

    def _of_hidden_kinds(self) -> set[int]:
        """Where such pieces lie, who knows them, what lies on them, which one is meant."""
        found: set[int] = set()
        for kind in self.program.layout.kinds:
            if kind.known < 0:
                continue
            for start in (kind.where, kind.position, kind.known):
                found.update(range(start, start + len(kind.row_of)))
            for variable in self.program.layout.variables:
                types = [variable.type, *(index.type for index in variable.indexes)]
                if any(each.sort == "kind" and each.name == kind.name for each in types):
                    found.update(range(variable.address, variable.address + variable.size))
        return found

    def closed(self) -> list[frozenset[int]]:
        starts = [routine.entry.position for routine in self.program.routines]
        ends = [*starts[1:], len(self.program.code)]
        changed = True
        while changed:
            size = sum(map(len, self.found))
            for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
                self._routine(number, range(start, end))
            changed = sum(map(len, self.found)) != size
        # A cell that names a piece is not closed: whether the piece is known is asked later.
        return [
            frozenset(found - {routine.address + offset for offset, _ in routine.pieces})
            for found, routine in zip(self.found, self.program.routines, strict=True)
        ]

    def _routine(self, number: int, span: range) -> None:
        code = self.program.code
        guarded: set[int] = set()  # instructions that something hidden decides about
        for pc in span:
            op = code[pc]
            if isinstance(op, ops.Unless) and self._is_closed(number, op.condition):
                guarded.update(_guarded(code, pc, op.target.position))
        for pc in span:
            self._instruction(number, code[pc], pc in guarded)

    def _instruction(self, number: int, op: ops.Instruction, guarded: bool) -> None:
        match op:
            case ops.Do(statements):
                self._statements(number, statements, guarded)
            case ops.Invoke(routine, arguments):
                base = self.program.routines[routine].address + 1
                for position, argument in enumerate(arguments):
                    if guarded or self._is_closed(number, argument):
                        self.found[routine].add(base + position)
            case ops.Decide(menu):
                if guarded:
                    for entry in self.program.menus[menu].entries:
                        self.found[number].update(entry.cells)
            case ops.Chance(_, address, _, _, variable, _):
                if guarded or (variable >= 0 and self.program.layout.variables[variable].secret):
                    self.found[number].add(address)
            case ops.Goto() | ops.Unless() | ops.Finish() | ops.Unwind() | ops.Over():
                pass  # these write nothing into a frame that is still needed
            case ops.Sealed() | ops.SealedEnd() | ops.LookAhead() | ops.LookEnd():
                pass
            case _:
                assert_never(op)

    def _statements(
        self, number: int, statements: tuple[ops.Statement, ...], guarded: bool
    ) -> None:
        """What one block writes; a local that holds something hidden closes what it goes to."""
        locals_: set[int] = set()
        changed = True
        while changed:
            size = len(locals_)
            for statement in statements:
                if (
                    guarded
                    or self._is_closed(number, statement)
                    or not locals_.isdisjoint(locals_read(statement))
                ):
                    locals_ |= locals_set(statement)
                    for span in cells_written(self.program, statement):
                        self.found[number].update(span if span.start >= self.first else ())
            changed = len(locals_) != size

    def _is_closed(self, number: int, item: Any) -> bool:
        """Whether an operation of a routine reads anything hidden, in functions it calls too."""
        closed = self.secret | self.found[number] | self.named[number]
        return any(address in closed for address in self._reads(item))

    def _reads(self, item: Any) -> set[int]:
        found = self._read_by(operations(item))
        for each in operations(item):
            for function in TOUCHES[type(each)].calls(each, self.program):
                found |= self._function(function)
        return found

    def _function(self, number: int) -> set[int]:
        if number not in self.by_function:
            body = self.program.functions[number].body
            self.by_function[number] = self._read_by(with_called(self.program, body))
        return self.by_function[number]

    def _read_by(self, found: Iterable[Any]) -> set[int]:
        """Of what lies outside of frames, the first cell of an array stands for all of it."""
        cells: set[int] = set()
        for each in found:
            row = TOUCHES[type(each)]
            span = row.reads(each)
            cells.update(span if span.start >= self.first else span[:1])
            if row.tries:
                cells |= self.secret
        return cells


def _guarded(code: list[ops.Instruction], pc: int, target: int) -> range:
    """What a condition decides about: up to where it leads, and the other branch."""
    if target <= pc:
        return range(target, pc)
    last = code[target - 1]
    if isinstance(last, ops.Goto) and last.target.position > target:
        return range(pc + 1, last.target.position)
    return range(pc + 1, target)
