"""Loops between decisions that look for the next round in which something is done.

`for each y in Ducks where y is not x and y.spot is cell`, with a body in which somebody may choose,
is made of instructions: whether there is another round, whose it is, whether the condition holds.
Mostly it does not, and then nothing has happened but that the loop has gone on. Where a condition
compares cells that stand together, one for each round, those of all rounds are compared at once
(emit/passing.py), and the loop goes on with the first that holds.

What must not be assumed: that nobody sees the rounds that are passed over. They count as steps, and
the last of them has left its number.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.compared import Compared
from interpreter.program import ops
from interpreter.program.program import Program

_MOST_ROUNDS = 64  # bits of a word
LENGTH = 3  # instructions of a round that comes to nothing


@dataclass(frozen=True, slots=True)
class Named:
    """The number of the round must (or must not) be a value."""

    equal: bool
    content: ops.Expr


@dataclass(frozen=True, slots=True)
class Passed:
    """Rounds that come to nothing as long as one of these does not hold."""

    index: int  # cells: the next round, the end, and which round it is
    end: int
    element: int
    rounds: int  # for so many there are cells to be compared
    compared: tuple[Compared, ...]
    named: tuple[Named, ...]


def find_passed(program: Program, pc: int) -> Passed | None:
    """The loop that begins with an instruction."""
    match program.code[pc : pc + LENGTH]:
        case (
            ops.Unless(ops.Binary("less", ops.Memory(index), ops.Memory(end))),
            ops.Do(
                (
                    ops.SetMemory(element, ops.Memory(first)),
                    ops.SetMemory(counted, ops.Binary("add", ops.Memory(before), ops.Const(1))),
                )
            ),
            ops.Unless(condition, ops.Label(again)),
        ) if again == pc and {first, counted, before} == {index}:
            pass
        case _:  # other instructions
            return None
    own = {index, end, element}
    if len(own) < 3:
        return None
    compared, named, rounds = list[Compared](), list[Named](), _MOST_ROUNDS
    for part in _all_of(condition):
        match part:
            case ops.Binary("equal" | "unequal" as word, left, held) if _stays(held, own):
                equal = word == "equal"
            case _:  # it asks for something else
                return None
        match left:
            case ops.Memory(cell) if cell == element:
                named.append(Named(equal, held))
            case ops.MemoryAt(base, ops.Memory(cell), size) if cell == element:
                if own & set(range(base, base + size)):
                    return None
                compared.append(Compared(base, equal, held))
                rounds = min(rounds, size)
            case _:  # it compares something else
                return None
    if not compared:
        return None
    return Passed(index, end, element, rounds, tuple(compared), tuple(named))


def _all_of(condition: ops.Expr) -> list[ops.Expr]:
    match condition:
        case ops.Binary("and", left, right):
            return _all_of(left) + _all_of(right)
        case _:  # one condition
            return [condition]


def _stays(held: ops.Expr, own: set[int]) -> bool:
    """Whether it is the same in all rounds."""
    match held:
        case ops.Const():
            return True
        case ops.Memory(cell):
            return cell not in own
        case _:  # that is not known
            return False
