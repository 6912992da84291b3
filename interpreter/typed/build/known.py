"""What can be worked out before a game begins: values that are constants, and bounds of results."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.types import Type
from interpreter.typed import values as v


def constant_of(value: v.Value) -> int | None:
    """The number a value stands for, if numbers and constants alone tell it."""
    match value:
        case v.Constant():
            return value.value
        case v.Fit():
            return constant_of(value.value)
        case v.Negate():
            known = constant_of(value.operand)
            return None if known is None else -known
        case v.Arithmetic():
            left, right = constant_of(value.left), constant_of(value.right)
            if left is None or right is None:
                return None
            return worked_out(value.word, left, right)
        case _:
            return None


def worked_out(word: str, left: int, right: int) -> int | None:
    """A sum of two numbers, if it has a result that can be kept."""
    match word:
        case "add":
            found = left + right
        case "subtract":
            found = left - right
        case "multiply":
            found = left * right
        case "divide" if right:
            found = left // right
        case "modulo" if right:
            found = left % right
        case _:
            return None
    return found if abs(found) <= limits.INT_MAX else None


def bounds_of(word: v.ArithmeticWord, left: Type, right: Type) -> tuple[int, int] | None:
    """The range of a result, so that most sums need no test for overflow while playing."""
    if left.sort != "int" or right.sort != "int" or left.optional or right.optional:
        return None
    match word:
        case "add":
            return left.low + right.low, left.high + right.high
        case "subtract":
            return left.low - right.high, left.high - right.low
        case "multiply":
            ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return min(ends), max(ends)
        case "modulo" if right.low > 0:
            return 0, right.high - 1
        case "divide" | "divideUp" if right.low > 0:
            return min(left.low, 0), max(left.high, 0)
        case _:
            return None
