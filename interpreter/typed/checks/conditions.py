"""Does every condition decide something?

Only what the text alone settles is told. Options and constants may be set otherwise tomorrow, so
what they settle is nothing to complain about.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.model.types import Type
from interpreter.report.problem import Notes, Problems
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.seats import bare
from interpreter.typed.walk import Parts, alike


def check_conditions(parts: Parts, problems: Problems) -> None:
    for condition in _conditions(parts):
        _check(condition, problems)


def _conditions(parts: Parts) -> Iterator[v.Value]:
    yield from (each.condition for each in parts.of(s.Arm))
    yield from (each.condition for each in parts.of(s.When))
    yield from (each.condition for each in parts.of(v.IfElse))
    yield from (each.condition for each in parts.of(v.Every))
    yield from (each.condition for each in parts.of(r.Always))
    yield from (each.where for each in parts.of(v.Line))
    yield from (each.where for each in parts.of(v.Region))
    yield from (each.where for each in parts.of(v.Way))
    yield from (test for each in parts.of(v.Binder) for test in each.tests)
    unsure = [each.condition for each in parts.of(r.Case)]
    unsure += [each.where for each in parts.of(s.Turns)]
    unsure += [each.value for each in parts.of(s.Repeat) if each.how in ("until", "while")]
    yield from (each for each in unsure if each is not None)


def _check(condition: v.Value, problems: Problems) -> None:
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        match part:
            case v.Logic():
                waiting += [part.right, part.left]
            case v.Not():
                waiting.append(part.operand)
            case _:
                known = _known(part)
                if known is not None:
                    answer = "yes" if known else "no"
                    message = f"this is always `{answer}`, so it decides nothing"
                    help_ = "compare with something that changes, or take the condition away"
                    reached = _never_reached(part)
                    help_, notes = reached if reached is not None else (help_, ())
                    problems.warning("RR438", message, part.mark, help=help_, notes=notes)


def _never_reached(condition: v.Value) -> tuple[str, Notes] | None:
    """A variable is compared with a number just beside its range, which was meant to have it."""
    if not isinstance(condition, v.Compare):
        return None
    read, asked = bare(condition.left), _span(condition.right)
    if not isinstance(read, v.Read) or asked is None or asked[0] != asked[1]:
        return None
    bounds, number = _bounds(read.variable.type), asked[0]
    if bounds is None or bounds[0] <= number <= bounds[1]:
        return None
    (low, high), name = bounds, read.variable.name
    wider = f"{min(low, number)}..{max(high, number)}"
    help_ = (
        f"`{name}` goes from {low} to {high}, so it is never {number}; "
        f"if it can be, declare `{name}: {wider}`"
    )
    return help_, ((read.variable.mark, "it is declared here"),)


def _known(condition: v.Value) -> bool | None:
    """The answer if the text alone tells it."""
    match condition:
        case v.Constant(named=None):
            return bool(condition.value)
        case v.Compare():
            below, equal, above = _ORDERS[condition.word]
            if alike(condition.left, condition.right):
                return equal
            left, right = _span(condition.left), _span(condition.right)
            if left is None or right is None:
                return None
            possible = set()
            if left[0] < right[1]:
                possible.add(below)
            if left[0] <= right[1] and right[0] <= left[1]:
                possible.add(equal)
            if left[1] > right[0]:
                possible.add(above)
            return possible.pop() if len(possible) == 1 else None
        case _:
            return None


# What a comparison says when the left is less, equal, more.
_ORDERS: dict[v.CompareWord, tuple[bool, bool, bool]] = {
    "equal": (False, True, False),
    "unequal": (True, False, True),
    "less": (True, False, False),
    "atMost": (True, True, False),
    "more": (False, False, True),
    "atLeast": (False, True, True),
}


def _span(value: v.Value) -> tuple[int, int] | None:
    """The least and the most a value can be, where the rules say so in numbers."""
    match value:
        case v.Constant(named=None):
            return value.value, value.value
        case v.Negate(operand=v.Constant(named=None) as number):
            return -number.value, -number.value
        case v.Quantified(word="count") | v.NumberOf():
            return 0, 1 << 62
        case v.Read() if value.variable.plain_range:
            return _bounds(value.variable.type)
        case v.Fit():
            return _span(value.value)
        case _:
            return None


def _bounds(type_: Type) -> tuple[int, int] | None:
    if type_.sort != "int" or type_.optional:
        return None
    return type_.low, type_.high
