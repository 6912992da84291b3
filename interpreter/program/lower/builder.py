"""What the lowering builds up: tables, functions, routines, spots; and the scopes of names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from interpreter.model.ruleset import FieldInfo, KindInfo, Ruleset
from interpreter.model.types import UNKNOWN, Type
from interpreter.program import ops
from interpreter.program.lower.effects import Summaries
from interpreter.program.program import Program, Spot
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Mark
from interpreter.report.work import Work
from interpreter.tree import nodes

Body = tuple[ops.Statement, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Value:
    """A lowered expression and its type.

    The operation is an `ops.Expr`, except that a place or a constant list that was named is
    held as a reference (see expressions.py) until something is done with it.
    """

    op: Any
    type: Type
    origin: Any = field(default=None, compare=False)  # the PlaceRef a piece was found in


BROKEN = Value(ops.Const(0), UNKNOWN)


@dataclass(frozen=True, slots=True)
class Binding:
    """A local name. `slot` says where it is kept, for names that may be given a new value."""

    value: Value
    settable: bool = False


@dataclass(slots=True)
class Locals:
    """Registers of one function, or of one run of statements in a routine."""

    count: int = 0

    def new(self, number: int = 1) -> int:
        index = self.count
        self.count += number
        return index


@dataclass(slots=True)
class Loop:
    """A loop or block that `stop`, `skip`, `again` and `leave` can refer to.

    In a routine the labels are set; in straight code `depth` counts enclosing loops.
    """

    label: str | None
    stop: ops.Label | None = None
    skip: ops.Label | None = None
    again: ops.Label | None = None


@dataclass(slots=True)
class Code:
    """Where statements go: a routine under construction, or straight code."""

    routine: int | None
    phase: str
    instructions: list[ops.Instruction] = field(default_factory=list)
    pending: list[ops.Statement] = field(default_factory=list)


class Builder:
    def __init__(
        self, ruleset: Ruleset, problems: Problems, work: Work, *, watched: bool = False
    ) -> None:
        self.work = work
        self.watched = watched
        self.ruleset = ruleset
        self.problems = problems
        self.program = Program(ruleset.title, ruleset.players, {})
        self.tables: dict[tuple[int, ...], int] = {}
        self.made: dict[tuple[object, ...], Any] = {}  # what takes long to work out, by what it is
        self.functions: dict[str, int] = {}
        self.function_types: dict[str, Type] = {}
        self.routines: dict[str, int] = {}
        self.read_fields: set[tuple[str, str]] = set()
        self.used_names: set[str] = set()
        self.phase = ""
        self.stopping: set[str] = set()
        self.codes: dict[int, list[Any]] = {}
        self.labels: dict[str, tuple[int, ops.Label]] = {}
        self.sealed = False
        self._summaries: Summaries | None = None
        self.sealed_changes: set[str] = set()  # inside a sealed block: what its seats change
        self.looked_into: dict[tuple[object, ...], list[Problem]] = {}
        self.revealed: dict[str, set[str]] | None = None  # places that are shown to all, by kind
        self.kind_numbers = {
            name: number
            for number, name in enumerate(k for k, v in ruleset.kinds.items() if v.physical)
        }

    @property
    def summaries(self) -> Summaries:
        """What every procedure and action can do, found out when it is first asked."""
        if self._summaries is None:
            self._summaries = Summaries(self.ruleset)
        return self._summaries

    def spot(self, mark: Mark, cites: tuple[str, ...] = ()) -> int:
        self.program.spots.append(Spot(mark, self.phase, cites))
        return len(self.program.spots) - 1

    def took_part(self, line: nodes.Line) -> Body:
        """What tells that a line which cites clauses is carried out."""
        if not self.watched or not line.cites:
            return ()
        self.program.cited.append((line.mark, line.cites))
        return (ops.Cite(len(self.program.cited) - 1),)

    def table(self, values: list[int] | tuple[int, ...]) -> int:
        self.work.spend_cells(len(values))
        key = tuple(values)
        if key not in self.tables:
            self.tables[key] = len(self.program.tables)
            self.program.tables.append(key)
        return self.tables[key]

    def field_table(self, kind: KindInfo, info: FieldInfo, column: list[int]) -> int:
        """A column, one entry a piece (or a row, where pieces are not tracked)."""
        self.read_fields.add((kind.name, info.name))
        if not kind.tracked:
            return self.table(column)
        size = max(1, len(column) // max(1, len(kind.rows)))
        values: list[int] = []
        for row in kind.components:
            values.extend(column[row * size : (row + 1) * size])
        return self.table(values)

    def function(self, name: str, params: int) -> int:
        self.program.functions.append(ops.Function(name, params))
        return len(self.program.functions) - 1

    def error(
        self,
        code: str,
        message: str,
        mark: Mark,
        help_: str | None = None,
        notes: tuple[tuple[Mark, str], ...] = (),
    ) -> None:
        self.problems.error(code, message, mark, help=help_, notes=notes)

    def count_expression(self, mark: Mark) -> None:
        """Groups are put where they are used, so few lines can become very many."""
        self.work.mark = mark
        self.work.spend(1)

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What is made of a board is made once, however often the rules ask for it."""
        if key not in self.made:
            self.made[key] = make()
        found: T = self.made[key]
        return found


@dataclass(slots=True)
class Scope:
    """The names in force at one place, and where new ones are kept."""

    builder: Builder
    locals: Locals
    names: dict[str, Binding] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    routine: int | None = None  # set while a routine is lowered
    reads_for: Value | None = None  # the chooser, inside the conditions of an option
    sealed_for: str | None = None  # inside `sealed for p`: p
    straight: bool = False  # in code that never stops: new names go to locals
    lowering: tuple[str, ...] = ()  # groups being unfolded, against endless recursion
    found: frozenset[str] = frozenset()  # inside the text of a `say`: what had a name before

    def inner(self) -> Scope:
        return Scope(
            self.builder,
            self.locals,
            dict(self.names),
            list(self.loops),
            self.routine,
            self.reads_for,
            self.sealed_for,
            self.straight,
            self.lowering,
            self.found,
        )

    def bind(self, name: str, value: Value, *, settable: bool = False) -> None:
        self.names[name] = Binding(value, settable)

    def fresh(self, type_: Type) -> tuple[int, Value]:
        """A new register."""
        index = self.locals.new()
        return index, Value(ops.Local(index), type_)

    def cell(self, type_: Type) -> tuple[int, Value]:
        """A new cell in the frame of the routine being lowered; addresses are relative to
        the frame until all frames are laid out, and negative to show it."""
        assert self.routine is not None
        routine = self.builder.program.routines[self.routine]
        offset = routine.size
        routine.size += 1
        if self.holds_piece(type_):
            routine.pieces.append((offset, type_.name))
        address = frame_cell(self.routine, offset)
        return address, Value(ops.Memory(address), type_)

    def holds_piece(self, type_: Type) -> bool:
        return type_.sort == "kind" and self.builder.ruleset.kinds[type_.name].tracked

    def cells(self, number: int, type_: Type) -> int:
        assert self.routine is not None
        routine = self.builder.program.routines[self.routine]
        offset = routine.size
        routine.size += number
        if self.holds_piece(type_):
            routine.pieces.extend((offset + each, type_.name) for each in range(number))
        return frame_cell(self.routine, offset)


# Frames are laid out when the whole call graph is known. Until then a cell of a frame is
# a negative number that names its routine and offset.
_SPAN = 1 << 20


def frame_cell(routine: int, offset: int) -> int:
    return -(routine * _SPAN + offset + 1)


def resolve_cell(address: int, frames: list[int]) -> int:
    if address >= 0:
        return address
    routine, offset = divmod(-address - 1, _SPAN)
    return frames[routine] + offset
