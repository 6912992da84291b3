"""The program under construction: its tables, functions, routines and spots.

In comes, bit by bit, what the other modules have lowered; out comes the `Program` that finishing.py
lays out. A frame is laid out when the whole call graph is known; until then a cell of a frame is a
negative number that names its routine and offset (`frame_cell`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from interpreter.model.ruleset import FieldInfo, KindInfo, Ruleset
from interpreter.model.types import Type
from interpreter.program import ops
from interpreter.program.program import Program, Spot
from interpreter.report.source import Mark
from interpreter.report.work import Work
from interpreter.typed.rules import Rules
from interpreter.typed.statements import Line

Body = tuple[ops.Statement, ...]
T = TypeVar("T")


class Builder:
    def __init__(self, rules: Rules, work: Work, *, watched: bool = False) -> None:
        self.rules = rules
        self.work = work
        self.watched = watched
        self.program = Program(rules.ruleset.title, rules.ruleset.players, {})
        # Declared functions, by name, and by who must know their pieces.
        self.functions: dict[tuple[str, object], int] = {}
        self.procedures: dict[str, int] = {}  # functions of procedures that never stop, by name
        self.routines: dict[str, int] = {}
        # The code of each routine, with labels among the instructions.
        self.codes: dict[int, list[ops.Instruction | ops.Label]] = {}
        self.labels: dict[str, tuple[int, ops.Label]] = {}  # of loops: their routine and their end
        self.phase = ""  # of the rules, for spots
        self.sealed = False  # whether there is a sealed block
        self.tries = False  # whether something is worked out as it would be after some steps
        kinds = [name for name, kind in rules.ruleset.kinds.items() if kind.physical]
        self.kind_numbers = {name: number for number, name in enumerate(kinds)}
        self._made: dict[tuple[object, ...], object] = {}
        self._tables: dict[tuple[int, ...], int] = {}

    @property
    def ruleset(self) -> Ruleset:
        return self.rules.ruleset

    def spot(self, mark: Mark, cites: tuple[str, ...] = ()) -> int:
        self.program.spots.append(Spot(mark, self.phase, cites))
        return len(self.program.spots) - 1

    def took_part(self, line: Line) -> Body:
        """What tells that a line is carried out."""
        if not self.watched:
            return ()
        self.program.cited.append((line.mark, line.cites))
        return (ops.Cite(len(self.program.cited) - 1),)

    def table(self, values: list[int] | tuple[int, ...]) -> int:
        self.work.spend_cells(len(values))
        key = tuple(values)
        if key not in self._tables:
            self._tables[key] = len(self.program.tables)
            self.program.tables.append(key)
        return self._tables[key]

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What takes long to work out is worked out once, however often the rules ask for it."""
        if key not in self._made:
            self._made[key] = make()
        return cast(T, self._made[key])

    def column(self, of: Type, info: FieldInfo, column: list[int]) -> int:
        """A column of the data, one entry a piece (or a row or cell, where there are no pieces)."""
        kind = self.ruleset.kinds.get(of.name) if of.sort == "kind" else None
        if kind is None or not kind.tracked:
            return self.table(column)
        return self.table(_by_piece(kind, column))

    def new_function(self, name: str, params: int, bounds: tuple[tuple[int, int], ...] = ()) -> int:
        """A function whose body follows (`complete`): it may be called before that."""
        self.program.functions.append(ops.Function(name, params, bounds=bounds))
        return len(self.program.functions) - 1

    def complete(self, number: int, body: Body, locals_: int) -> None:
        function = self.program.functions[number]
        function.body = body
        function.locals = locals_

    def new_routine(self, name: str, params: int) -> int:
        number = len(self.program.routines)
        self.routines[name] = number
        self.program.routines.append(ops.Routine(name, params))
        return number

    def count_expression(self, mark: Mark) -> None:
        """Groups are put where they are used, so few lines can become very many."""
        self.work.mark = mark
        self.work.spend(1)


def _by_piece(kind: KindInfo, column: list[int]) -> list[int]:
    size = max(1, len(column) // max(1, len(kind.rows)))
    values: list[int] = []
    for row in kind.components:
        values.extend(column[row * size : (row + 1) * size])
    return values


_SPAN = 1 << 20


def frame_cell(routine: int, offset: int) -> int:
    return -(routine * _SPAN + offset + 1)


def resolve_cell(address: int, frames: list[int]) -> int:
    if address >= 0:
        return address
    routine, offset = divmod(-address - 1, _SPAN)
    return frames[routine] + offset
