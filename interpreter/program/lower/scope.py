"""Where code is being lowered: what each local is bound to, and how to lower what stands inside.

A value contains loops, a loop contains conditions, a condition calls functions. So that no module
of this package needs another that needs it, they ask the scope: `scope.value(...)`,
`scope.domain(...)`. The modules that answer are put together in one table (`Recursion`), by
assemble.py alone.

A local of the typed tree is bound to different operations in different code: while the options of a
menu are generated it is a register, in the body that is carried out a cell of the frame, in a
condition that is asked again to explain a refusal a parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from interpreter.model.types import Type
from interpreter.program import ops
from interpreter.program.lower.builder import Body, Builder, frame_cell
from interpreter.program.lower.references import Array, PlaceRef
from interpreter.typed import values as typed

# What is done with one element and its position, both as operations.
Act = Callable[[ops.Expr, ops.Expr], Body]


@dataclass(frozen=True, slots=True)
class Domain:
    """A loop waiting for its body.

    `place`: where the elements lie, if they are pieces in a place. `count` and `element`: how many
    there are and which they are, where that can be told from their number alone at any time.
    """

    loop: Callable[[Act], Body]
    place: PlaceRef | None = None
    count: ops.Expr | None = None
    element: Callable[[ops.Expr], ops.Expr] | None = None


@dataclass(slots=True)
class Registers:
    """The locals of one function, or of one routine between two instructions."""

    count: int = 0

    def new(self, number: int) -> int:
        index = self.count
        self.count += number
        return index


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a routine that `stop`, `skip`, `again` and `leave` can refer to."""

    label: str | None
    stop: ops.Label
    skip: ops.Label
    again: ops.Label | None = None


@dataclass(frozen=True, slots=True)
class Testing:
    """Whether pieces that are read must be known to all, or to the one for whom they are read."""

    all: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class Recursion:
    """Who lowers what stands inside: the table that closes the circle."""

    value: Callable[[Scope, typed.Value], ops.Expr]
    domain: Callable[[Scope, typed.Domain], Domain]
    # The number of a declared function, where pieces must be known.
    function: Callable[[Scope, str, Testing], int]
    can: Callable[[Scope, typed.Can], ops.Expr]
    what_if: Callable[[Scope, typed.WhatIf], ops.Expr]


@dataclass(slots=True)
class Scope:
    builder: Builder
    recursion: Recursion
    registers: Registers = field(default_factory=Registers)
    bound: dict[typed.Local, ops.Expr] = field(default_factory=dict)
    loops: tuple[Loop, ...] = ()
    routine: int | None = None  # whose frame has the cells of this code
    testing: Testing = Testing()  # inside what is called where pieces must be known
    # For whom values are read: who chooses, who hears it, whose sealed block it is.
    hearer: ops.Expr | None = None
    chooser: ops.Expr | None = None  # in the conditions and words of an option: who may choose it

    # ---- scopes from scopes

    def inner(self) -> Scope:
        """The same code; what is bound in it from now on is not bound out here."""
        return replace(self, bound=dict(self.bound))

    def beside(self) -> Scope:
        """A function with registers of its own that uses the cells bound here."""
        return replace(self, registers=Registers(), bound=dict(self.bound))

    def elsewhere(self, routine: int | None = None) -> Scope:
        """Code that knows nothing of what is bound here."""
        return Scope(self.builder, self.recursion, routine=routine)

    # ---- what stands inside

    def value(self, value: typed.Value) -> ops.Expr:
        return self.recursion.value(self, value)

    def values(self, values: tuple[typed.Value, ...]) -> tuple[ops.Expr, ...]:
        return tuple(self.value(each) for each in values)

    def domain(self, domain: typed.Domain) -> Domain:
        return self.recursion.domain(self, domain)

    def function(self, name: str, testing: Testing) -> int:
        """The number of a declared function, lowered the first time it is met."""
        return self.recursion.function(self, name, testing)

    # ---- where things are kept

    def bind(self, local: typed.Local, op: ops.Expr) -> None:
        self.bound[local] = op

    def register(self) -> ops.Local:
        return ops.Local(self.registers.new(1))

    def array(self, size: int) -> Array:
        return Array(self.registers.new(size), size)

    def cell(self, type_: Type) -> ops.Memory:
        """A new cell in the frame of the routine being lowered."""
        return ops.Memory(self.cells(1, type_))

    def cells(self, number: int, type_: Type) -> int:
        assert self.routine is not None
        routine = self.builder.program.routines[self.routine]
        offset = routine.size
        routine.size += number
        routine.types.extend((offset + each, type_) for each in range(number))
        if self.holds_piece(type_):
            routine.pieces.extend((offset + each, type_.name) for each in range(number))
        return frame_cell(self.routine, offset)

    def holds_piece(self, type_: Type) -> bool:
        return type_.sort == "kind" and self.builder.ruleset.kinds[type_.name].tracked
