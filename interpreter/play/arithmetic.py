"""Division as on paper, and how code that was translated fails."""

from __future__ import annotations

from typing import NoReturn

from interpreter.limits import INT_MAX
from interpreter.play.failure import Failure


def fail(code: str, at: int) -> NoReturn:
    raise Failure(code, at)


def outside(code: str, at: int, value: int, low: int, high: int) -> NoReturn:
    """A number that is not from `low` to `high`; what is none is told by its code alone."""
    told = ""
    if code == "RR604":
        span = f"{low} or more" if high >= INT_MAX else f"from {low} to {high}"
        told = f"this number is {value}, and only numbers {span} are accepted here"
    raise Failure(code, at, told=told)


def divide(left: int, right: int, at: int) -> int:
    if right == 0:
        raise Failure("RR602", at)
    return left // right


def divide_up(left: int, right: int, at: int) -> int:
    if right == 0:
        raise Failure("RR602", at)
    return -(-left // right)


def modulo(left: int, right: int, at: int) -> int:
    if right == 0:
        raise Failure("RR602", at)
    return left % right
