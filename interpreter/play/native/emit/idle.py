"""Trials that tell of the next option, too: see facts/idle.py.

Code that trials come to notes what sorts of cells it reads, where it branches: once for what an
instruction reads, and of what offers options once for what its conditions read first, and once
behind them. After a trial, an option that differs only in the piece that is moved has the same
answer, if nothing was read of what the move has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.code import Unit
from interpreter.play.native.emit.text import PTR, Fn
from interpreter.play.native.facts.idle import Moved, find_idle
from interpreter.program import ops


def noting_reads(unit: Unit, fn: Fn) -> Callable[[Any], None]:
    """What notes that some code is going to be run."""
    idle = find_idle(unit.program)

    def note(code: Any) -> None:
        bits = idle.bits(code)
        if bits:
            fn.store("%c", context.TOUCHED, fn.either(fn.load("%c", context.TOUCHED), bits))

    return note


def note_instruction(unit: Unit, fn: Fn, pc: int, op: ops.Instruction) -> None:
    """What an instruction reads; what offers options notes it by itself."""
    if pc in find_idle(unit.program).code:
        noting_reads(unit, fn)(op.seat if isinstance(op, ops.Decide) else op)


class Alike:
    """What the trial of the option before has told, while options of one entry are tried."""

    def __init__(self, unit: Unit, fn: Fn, entry: ops.Entry, moved: Moved) -> None:
        self.fn, self.width, self.changed = fn, len(entry.cells), moved.changed
        kind = unit.program.layout.kinds[moved.kind]
        self.where, self.pieces = kind.where, len(kind.row_of)
        self.places = unit.table(find_idle(unit.program).kinds[moved.kind].places)
        self.holds, self.place = fn.variable("0"), fn.variable("0")
        self.found, self.nodes = fn.variable("0"), fn.variable("0")

    def _place_of(self, row: str) -> str:
        """Where the piece of an option lies."""
        piece = self.fn.load(row, self.width - 1)
        inside = self.fn.compare("ult", piece, self.pieces)
        return self.fn.load(self.fn.at("%m", self.where), self.fn.select(inside, piece, 0))

    def is_known(self, row: str) -> str:
        """Whether the trial before tells of this option."""
        fn = self.fn
        known = fn.compare("ne", fn.get(self.holds), 0)
        nodes = fn.add(fn.load("%c", context.NODES), fn.get(self.nodes))
        tests = [
            fn.compare("eq", self._place_of(row), fn.get(self.place)),
            fn.compare("sle", nodes, limits.SEARCH_NODES),
        ]
        before = fn.op(f"select i1 {known}, {PTR} {fn.at(row, -self.width)}, {PTR} {row}")
        tests += [
            fn.compare("eq", fn.load(row, offset), fn.load(before, offset))
            for offset in range(self.width - 1)
        ]
        for each in tests:
            known = fn.op(f"and i1 {known}, {each}")
        return known

    def recall(self) -> str:
        fn = self.fn
        nodes = fn.add(fn.load("%c", context.NODES), fn.get(self.nodes))
        fn.store("%c", context.NODES, nodes)
        return fn.get(self.found)

    def begin(self) -> None:
        """Before a trial."""
        fn = self.fn
        fn.store("%c", context.TOUCHED, 0)
        fn.set(self.nodes, fn.load("%c", context.NODES))

    def end(self, row: str, found: str) -> None:
        """After it, when everything lies where it did before."""
        fn = self.fn
        place, table = self._place_of(row), self.places
        known = fn.compare("ult", place, len(table.values))
        at = fn.at(table.name, fn.select(known, place, 0), table.type)
        own = fn.op(f"load {table.type}, {PTR} {at}, !invariant.load !1")
        if table.type != "i64":
            own = fn.op(f"sext {table.type} {own} to i64")
        read = fn.both(fn.load("%c", context.TOUCHED), fn.either(own, self.changed))
        holds = fn.op(f"and i1 {known}, {fn.compare('eq', read, 0)}")
        fn.set(self.holds, fn.widen(holds))
        fn.set(self.place, place)
        fn.set(self.found, found)
        fn.set(self.nodes, fn.sub(fn.load("%c", context.NODES), fn.get(self.nodes)))
