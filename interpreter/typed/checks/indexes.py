"""Do indexes stay within what was declared, as far as loops over plain ranges tell that?

Only a number that surely comes about is told: one that is written, or one of a name that goes
through a range with known ends while no condition asks anything about that name.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.frozen import frozen
from interpreter.model.ruleset import Dimension
from interpreter.model.types import Type
from interpreter.report.problem import Problems
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build.known import constant_of
from interpreter.typed.seats import bare
from interpreter.typed.walk import Node, Parts, children, walk


@frozen
class _Span:
    """The least and the greatest number a value takes, the name that takes them, and where that is
    bound; no name for a number that is written. How many play and what options are chosen may be
    asked elsewhere, so where they set the end, it is not `sure`."""

    low: int
    high: int
    binder: v.Binder | None = None
    local: v.Local | None = None
    shift: int = 0
    sure: bool = True


@frozen
class _Fault:
    index: v.Value
    span: _Span
    name: str
    low: int
    high: int


def check_indexes(parts: Parts, problems: Problems) -> None:
    spans = _spans(parts)
    faults = [
        _Fault(value, span, name, type_.low, type_.high)
        for name, type_, value in _indexes(parts)
        if (span := _span(bare(value), spans)) is not None
        and (span.low < type_.low or (span.sure and span.high > type_.high))
    ]
    asked = _asked(parts, {id(each.index) for each in faults})
    told: set[tuple[v.Local, str]] = set()
    for fault in faults:
        local = fault.span.local
        if local is None:
            _tell(fault, problems)
        elif local not in asked and (local, fault.name) not in told:
            told.add((local, fault.name))
            _tell(fault, problems)


def _indexes(parts: Parts) -> Iterator[tuple[str, Type, v.Value]]:
    """Every index that is a number: of what, which numbers it takes, and its value."""
    found: list[tuple[str, tuple[Dimension, ...], tuple[v.Value, ...]]] = []
    found += [(x.variable.name, x.variable.dimensions, x.indexes) for x in parts.of(v.Read)]
    found += [(x.variable.name, x.variable.dimensions, x.indexes) for x in parts.of(s.Entry)]
    found += [(x.constant.name, x.constant.dimensions, x.indexes) for x in parts.of(v.ConstantAt)]
    found += [(x.info.name, x.info.dimensions, x.indexes) for x in parts.of(v.FieldOf)]
    found += [(x.place.name, x.place.dimensions, x.indexes) for x in parts.of(v.PlaceAt)]
    for name, dimensions, indexes in found:
        for dimension, index in zip(dimensions, indexes, strict=False):  # a history has none
            if dimension.type.sort == "int":
                yield name, dimension.type, index
    for each in parts.of(v.Builtin):
        if each.name == "nth":
            called = "players" if each.type.sort == "player" else each.type.name
            yield called, each.arguments[0].type, each.arguments[0]


def _spans(parts: Parts) -> dict[v.Local, _Span]:
    """What the names of plain loops take."""
    found: dict[v.Local, _Span] = {}
    for binder in parts.of(v.Binder):
        domain = binder.domain
        goes_on = binder.stays is None and binder.ends is None
        if isinstance(domain, v.Range) and goes_on and domain.step is None:
            low, high = constant_of(domain.low), constant_of(domain.high)
            if low is not None and high is not None and low <= high:
                sure = not any(_is_chosen(each) for each in walk(domain.high))
                found[binder.element] = _Span(low, high, binder, binder.element, sure=sure)
        if binder.position is None or binder.tests:
            continue
        if isinstance(domain, v.AllPlayers | v.AllOf):
            sure = isinstance(domain, v.AllOf)
            found[binder.position] = _Span(1, domain.bound, binder, binder.position, sure=sure)
    return found


def _is_chosen(node: Node) -> bool:
    """How many play, or an option."""
    return isinstance(node, v.Constant) and node.named is not None and node.named.word != "constant"


def _span(value: v.Value, spans: dict[v.Local, _Span]) -> _Span | None:
    match value:
        case v.LocalValue():
            return spans.get(value.local)
        case v.Constant(named=None):
            return _Span(value.value, value.value)
        case v.Arithmetic(word="add" | "subtract" as word):
            inner, by = _span(bare(value.left), spans), constant_of(value.right)
            if inner is None or by is None or inner.binder is None:
                return None
            by = by if word == "add" else -by
            low, high = inner.low + by, inner.high + by
            return _Span(low, high, inner.binder, inner.local, inner.shift + by, inner.sure)
        case _:
            return None


def _asked(parts: Parts, faults: set[int]) -> set[v.Local]:
    """The names that conditions ask about, apart from where they are faulty indexes: a loop may be
    kept from the numbers that there are not."""
    conditions: list[Node | None] = [each.condition for each in parts.of(s.Arm)]
    conditions += [each.condition for each in parts.of(s.When)]
    conditions += [each.condition for each in parts.of(v.IfElse)]
    conditions += [each.condition for each in parts.of(r.Case)]
    conditions += [each.value for each in parts.of(s.Repeat)]
    conditions += [each.left for each in parts.of(v.Logic)]
    conditions += [test for each in parts.of(v.Binder) for test in each.tests]
    found: set[v.Local] = set()
    waiting = [each for each in conditions if each is not None]
    while waiting:
        node = waiting.pop()
        if id(node) in faults:
            continue
        if isinstance(node, v.LocalValue):
            found.add(node.local)
        waiting += children(node)
    return found


def _tell(fault: _Fault, problems: Problems) -> None:
    span, name = fault.span, fault.name
    has = f"`{name}` has the indexes {fault.low}..{fault.high}"
    if span.binder is None or span.local is None:
        message = f"{has}, and {span.low} is not among them"
        help_ = f"write a number from {fault.low} to {fault.high}"
        problems.warning("RR461", message, fault.index.mark, help=help_)
        return
    called = span.local.name
    if span.shift == 0:
        message = f"{has}, but `{called}` goes through {span.low}..{span.high}"
        help_ = f"let it go through the same: `{called} in {fault.low}..{fault.high}`"
        if span.local is span.binder.position:
            help_ = f"ask before: `if {called} <= {fault.high}`"
    else:
        message = f"{has}, but this goes from {span.low} to {span.high}"
        low, high = span.low - span.shift, span.high - span.shift
        outside = span.low < fault.low
        limit = fault.low - span.shift if outside else fault.high - span.shift
        help_ = f"ask before: `if {called} {'>=' if outside else '<='} {limit}`"
        if fault.low <= low and high <= fault.high:
            help_ = f"counting begins with {fault.low}: write `{name}[{called}]`;\nor {help_}"
    notes = ((span.binder.mark, f"`{called}` is bound here"),)
    problems.warning("RR461", message, fault.index.mark, help=help_, notes=notes)
