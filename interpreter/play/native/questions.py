"""Short loops that only ask whether there is something: answered without a jump.

A loop pays for all of its rounds before it begins. So it does not matter whether it ends at the
first thing it finds, if looking at the rest cannot go wrong. To look at all of them at once is
cheaper than a jump out of the loop that nobody can foresee.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from interpreter.program import ops
from interpreter.program.verify import operations

_ROUNDS, _SIZE = 64, 600  # a loop with more rounds or operations had better stop in time
_COMPARED = ("equal", "unequal", "less", "atMost", "more", "atLeast", "and", "or")
_COUNTED = ("add", "subtract", "multiply")


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the condition holds (or fails) in any round; if so, the local gets the answer."""

    rounds: range
    before: tuple[ops.SetLocal, ...]  # what each round works out first
    condition: ops.Expr
    holds: bool
    local: int
    answer: int


def find_question(loop: ops.CountLoop, reads: Counter[int]) -> Question | None:
    """`reads` tells how often each local is read in all the code around."""
    match loop:
        case ops.CountLoop(_, ops.Const(low), ops.Const(high), (*first, ops.When() as last)):
            rounds = range(low, high)
        case _:
            return None
    match last:
        case ops.When(condition, then, ()) | ops.When(condition, (), then):
            holds = not last.otherwise
        case _:
            return None
    match then:
        case (*others, ops.SetLocal(local, ops.Const(answer)), ops.Break()):
            before, after = _settings(first), _settings(others)
        case _:
            return None
    size = len(rounds) * sum(1 for _ in operations(loop.body))
    if before is None or after is None or not 0 < len(rounds) <= _ROUNDS or size > _SIZE:
        return None
    question = Question(rounds, before, condition, holds, local, answer)
    return question if _is_closed(loop, question, after, reads) else None


def count_reads(code: Any) -> Counter[int]:
    """How often each local is read by itself."""
    return Counter(op.index for op in operations(code) if isinstance(op, ops.Local))


def _settings(statements: list[ops.Statement]) -> tuple[ops.SetLocal, ...] | None:
    """Statements that only work out locals, and cannot fail."""
    found = tuple(each for each in statements if isinstance(each, ops.SetLocal))
    safe = len(found) == len(statements) and all(_is_safe(each.value) for each in found)
    return found if safe else None


def _is_closed(
    loop: ops.CountLoop,
    question: Question,
    after: tuple[ops.SetLocal, ...],
    reads: Counter[int],
) -> bool:
    """Whether each round is by itself, and nothing but the answer is asked for later."""
    inside = count_reads(loop.body)
    late = {each.index for each in after}
    unset = {each.index for each in question.before}
    changed = {loop.local, *late, *unset}
    if question.local in changed or any(inside[index] for index in (question.local, *late)):
        return False
    if any(inside[index] != reads[index] for index in changed):
        return False
    for each in question.before:
        if count_reads(each.value).keys() & unset:
            return False
        unset.discard(each.index)
    return _is_safe(question.condition)


def _is_safe(op: ops.Expr) -> bool:
    """Whether an expression cannot fail, whatever lies in the state."""
    match op:
        case ops.Const() | ops.Local() | ops.Memory():
            return True
        case ops.MemoryAt(_, index) | ops.Lookup(_, index):
            return _is_safe(index) and not any(
                isinstance(each, (ops.Memory, ops.MemoryAt)) for each in operations(index)
            )
        case ops.Unary(_, operand):
            return _is_safe(operand)
        case ops.Binary(word, left, right, at):
            usual = word in _COMPARED or (word in _COUNTED and at < 0)
            return usual and _is_safe(left) and _is_safe(right)
        case _:
            return False
