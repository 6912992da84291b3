"""Division as on paper, and how code that was translated fails."""

from __future__ import annotations

from typing import NoReturn

from interpreter.play.failure import Failure


def fail(code: str, at: int) -> NoReturn:
    raise Failure(code, at)


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
