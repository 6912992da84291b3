"""What is told by tables: which conditions of an inner loop are settled before anybody looks at the
board.

Options like `go(from in men(me), to in goals(me))` are offered cell by cell by cell, and most pairs
are out of the question whatever lies in between: a knight never goes to the cell beside it. That
depends on tables, on the place of the outer loop, and on what lies there. For each of these (a
*key*) it is found out once which rounds of the inner loop can offer anything at all, and the loop
goes through these only: emit/possible.py.

A value is told if it is made of constants, tables, the number of the round, and what belongs to the
key; also what is looked for in tables, as whether a cell is beside another. Where it is enough that
one of several conditions holds, one that is the same in all rounds belongs to the key, whatever it
looks at: `to in neighbours(from) or me.men = 3`. A condition that is not told may hold or not. A
round is left out only if no way through it leads to an offer or to anything that might go wrong.

What must not be assumed: that cells hold what their type says. A key outside its bounds has all
rounds. Nor that a function may be asked for its value beforehand that looks at the state: it is
told only if it looks at nothing, and else gone through like the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.play.native.facts.shape import NEVER, Steps, is_plain, looks_at_nothing
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, locals_read, locals_set, operations

_NAMES = 16  # of a type: those beyond are rare, and need not be told apart
_ENTRIES = 1 << 15  # of a table
_MOST_ROUNDS, _LEAST_ROUNDS = 256, 9
_MOST_STEADY = 2  # conditions
_TESTS = ("equal", "unequal", "less", "atMost", "more", "atLeast")
_IN_TABLES = (
    ops.Const, ops.Local, ops.Lookup, ops.Unary, ops.Binary, ops.Choice, ops.Sequence, ops.SetLocal,
    ops.When, ops.CountLoop, ops.Break, ops.Continue,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the state that belongs to a key: a single one, or that of a place (`local`)."""

    base: int
    local: int | None
    low: int
    size: int


@dataclass(slots=True)
class Keys:
    """What the rounds of a loop depend on. `places` are locals with their bounds."""

    program: Program
    places: dict[int, tuple[int, int]]
    words: int  # of a row of the table
    cells: dict[tuple[int, int | None], Cell] = field(default_factory=dict)
    steady: dict[ops.Expr, None] = field(default_factory=dict)  # conditions

    @property
    def entries(self) -> int:
        found = 1
        for low, high in self.places.values():
            found *= high - low + 1
        for cell in self.cells.values():
            found *= cell.size
        return found << len(self.steady)

    def has(self, base: int, local: int | None) -> bool:
        """Whether a cell belongs to the key; it is added if there is room for it."""
        if (base, local) in self.cells:
            return True
        bounds = bounds_of(self.program, base, local is not None)
        if bounds is None or self.entries * bounds[1] * self.words > _ENTRIES:
            return False
        self.cells[base, local] = Cell(base, local, *bounds)
        return True

    def has_steady(self, op: ops.Expr) -> bool:
        """Whether a condition belongs to the key; it is added if there is room for it."""
        room = len(self.steady) < _MOST_STEADY and 2 * self.entries * self.words <= _ENTRIES
        if room:
            self.steady[op] = None
        return op in self.steady


def bounds_of(program: Program, base: int, several: bool) -> tuple[int, int] | None:
    """The lowest content of a variable and how many there are, if they are few."""
    for variable in program.layout.variables:
        if variable.address == base and (several or variable.size == 1):
            match variable.type.sort:
                case "player":
                    return -1, program.players + 1
                case "bool":
                    return 0, 2
                case "enum":
                    return -1, _NAMES
                case "int" if not variable.type.optional:
                    size = variable.type.high - variable.type.low + 1
                    return (variable.type.low, size) if size <= _NAMES else None
                case _:  # of all others there are many
                    return None
    return None


def find_keys(steps: Steps, loop: ops.CountLoop, rounds: int, bounds: Any) -> Keys | None:
    """Of a loop that is worth it: it calls functions, and depends on places that are set around it.
    `bounds` tells those of a local."""
    if not _LEAST_ROUNDS <= rounds <= _MOST_ROUNDS:
        return None
    inside = list(operations(loop.body))
    if not any(isinstance(op, ops.Emit) for op in inside):
        return None
    if not any(isinstance(op, ops.Call) or _goes_through(op) for op in inside):
        return None
    given = sorted(locals_read(loop.body) - locals_set(loop))
    places: dict[int, tuple[int, int]] = {}
    size = 1
    for index in given:
        low, high = bounds(ops.Local(index))
        if high - low < _MOST_ROUNDS and size * (high - low + 1) <= _ENTRIES // _NAMES:
            places[index] = low, high
            size *= high - low + 1
    return Keys(steps.program, places, (rounds + 63) // 64) if places else None


def _goes_through(op: ops.Expr | ops.Statement) -> bool:
    """Whether something is looked for in a loop."""
    return isinstance(op, ops.Sequence) and any(
        isinstance(each, ops.CountLoop) for each in op.statements
    )


@dataclass(frozen=True, slots=True)
class Told:
    """A local whose value is told: the operand, and which place of the key it is, if one."""

    operand: str
    place: int | None = None


Env = dict[int, Told | None]  # of locals that are set; None: not told


class Telling:
    """Which values are told, given those of locals."""

    def __init__(self, steps: Steps, keys: Keys) -> None:
        self.steps, self.program, self.keys = steps, steps.program, keys

    def is_told(self, op: ops.Expr, env: Env) -> bool:
        if op in self.keys.steady:
            return True
        match op:
            case ops.Const():
                return True
            case ops.Local(index):
                return env.get(index) is not None
            case ops.Lookup(_, index):
                return self.is_told(index, env)
            case ops.Memory(address):
                return self.keys.has(address, None)
            case ops.MemoryAt(base, ops.Local(index)):
                held = env.get(index)
                if held is None or held.place is None:
                    return False
                return self.keys.has(base, held.place)
            case ops.Unary() | ops.Binary() | ops.Choice() | ops.Within():
                return all(self.is_told(getattr(op, n), env) for n in TOUCHES[type(op)].inner)
            case ops.Call(number, arguments):
                return self._is_known(number) and all(self.is_told(part, env) for part in arguments)
            case ops.Sequence() if _goes_through(op):
                own = locals_set(op)
                if any(env.get(each) is not None for each in own):
                    return False
                looks = any(TOUCHES[type(each)].reads(each) for each in operations(op))
                plain = all(isinstance(each, _IN_TABLES) for each in operations(op))
                given = locals_read(op) - own
                return plain and not looks and all(env.get(each) is not None for each in given)
            case ops.Sequence(statements, result):
                inner = dict(env)
                for each in statements:
                    if not isinstance(each, ops.SetLocal) or not self.is_told(each.value, inner):
                        return False
                    inner[each.index] = Told("")
                return self.is_told(result, inner)
            case _:  # others look at the state
                return False

    def _is_known(self, number: int) -> bool:
        """Whether a function can be asked beforehand."""
        return looks_at_nothing(self.program, number) and self.steps.function(number) < NEVER

    def settle(self, op: ops.Expr) -> None:
        """A condition that is the same in all rounds becomes part of the key."""
        tests = isinstance(op, ops.Unary) or (isinstance(op, ops.Binary) and op.word in _TESTS)
        reads = any(TOUCHES[type(each)].reads(each) for each in operations(op))
        if tests and reads and is_plain(op) and not locals_read(op) and not self.may_fail(op):
            self.keys.has_steady(op)

    def may_fail(self, op: ops.Expr) -> bool:
        """Whether a value that is not told may go wrong."""
        risky = (ops.Within, ops.Call, ops.Can, ops.WhatIf, ops.Sequence)
        return any(
            isinstance(each, risky)
            or (isinstance(each, ops.Binary) and (each.at >= 0 or _divides(each)))
            for each in operations(op)
        )


def _divides(op: ops.Binary) -> bool:
    return op.word in ("divide", "divideUp", "modulo") and not (
        isinstance(op.right, ops.Const) and op.right.value > 0
    )
