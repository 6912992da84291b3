"""Counting, adding up, picking and ranking over what can be gone through."""

from __future__ import annotations

from typing import Literal

from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.cells import asked_for, cell_at
from interpreter.program.lower.loops import iterate, iterate_domain
from interpreter.program.lower.scope import Scope
from interpreter.typed import values as typed

_ZERO, _ONE = ops.Const(0), ops.Const(1)


def _add(register: ops.Local, op: ops.Expr, at: int = -1) -> ops.Statement:
    return ops.SetLocal(register.index, ops.Binary("add", register, op, at))


def number_of(scope: Scope, value: typed.NumberOf) -> ops.Expr:
    """`number of players`, of a place, of a list, or of the values of a type."""
    domain = scope.domain(value.domain)
    pool = domain.place is not None and domain.place.place.word == "pool"
    if isinstance(value.domain, typed.InPlace) and domain.place is not None and not pool:
        return domain.place.count
    if domain.count is not None:
        return domain.count
    total = scope.register()
    # The position of a row in a pool is how many there are.
    add = domain.loop(lambda _, at: (_add(total, at if pool else _ONE),))
    return ops.Sequence((ops.SetLocal(total.index, _ZERO), *add), total)


def quantified(scope: Scope, value: typed.Quantified) -> ops.Expr:
    found = scope.register()
    if value.word == "count":
        act: Body = (_add(found, _ONE),)
    else:
        act = (ops.SetLocal(found.index, _ONE), ops.Break())
    body = iterate(scope, value.binder, lambda inner, element, at: act)
    return ops.Sequence((ops.SetLocal(found.index, _ZERO), *body), found)


def every(scope: Scope, value: typed.Every) -> ops.Expr:
    all_do = scope.register()

    def visit(inner: Scope, element: ops.Expr, at: ops.Expr) -> Body:
        test = inner.value(value.condition)
        return (ops.When(test, (), (ops.SetLocal(all_do.index, _ZERO), ops.Break())),)

    body = iterate(scope, value.binder, visit)
    return ops.Sequence((ops.SetLocal(all_do.index, _ONE), *body), all_do)


def aggregate(scope: Scope, value: typed.Aggregate) -> ops.Expr:
    total, some = scope.register(), scope.register()
    spot = scope.builder.spot(value.mark)
    binders = (value.binder, *value.more)

    def nested(depth: int, around: Scope) -> Body:
        if depth == len(binders):
            return visit(around)
        return iterate(around, binders[depth], lambda inner, element, at: nested(depth + 1, inner))

    def visit(inner: Scope) -> Body:
        op = inner.value(value.value)
        if value.word == "sum":
            return (_add(total, op, spot),)
        new = ops.Choice(some, ops.Binary(value.word, total, op), op)
        return (ops.SetLocal(total.index, new), ops.SetLocal(some.index, _ONE))

    body: Body = (ops.SetLocal(total.index, _ZERO),)
    if value.word == "sum":
        return ops.Sequence((*body, *nested(0, scope)), total)
    body += (ops.SetLocal(some.index, _ZERO), *nested(0, scope))
    empty: Body = (ops.Fail("RR612", spot),)
    if value.otherwise is not None:
        empty = (ops.SetLocal(total.index, scope.value(value.otherwise)),)
    return ops.Sequence((*body, ops.When(some, (), empty)), total)


def member_of(scope: Scope, value: typed.MemberOf) -> ops.Expr:
    if isinstance(value.domain, typed.Range):
        return _between(scope, value, value.domain)
    domain = scope.domain(value.domain)
    element = scope.value(value.element)
    found, wanted = scope.register(), scope.register()

    def act(each: ops.Expr, at: ops.Expr) -> Body:
        if value.rows:
            kind = scope.builder.ruleset.kinds[value.domain.type.name]
            each = ops.Lookup(scope.builder.table(kind.components), each)
        test = ops.Binary("equal", each, wanted)
        return (ops.When(test, (ops.SetLocal(found.index, _ONE), ops.Break())),)

    start = (ops.SetLocal(found.index, _ZERO), ops.SetLocal(wanted.index, element))
    return ops.Sequence((*start, *domain.loop(act)), found)


def _between(scope: Scope, value: typed.MemberOf, domain: typed.Range) -> ops.Expr:
    """Whether a value is in a range: its ends are looked at, not what lies between them."""
    low, high = scope.value(domain.low), scope.value(domain.high)
    step: ops.Expr = _ONE if domain.step is None else scope.value(domain.step)
    element = scope.value(value.element)
    wanted, first, width, last = (scope.register() for _ in range(4))
    start: Body = (
        ops.SetLocal(wanted.index, element),
        ops.SetLocal(first.index, low),
        ops.SetLocal(width.index, step),
        ops.SetLocal(last.index, high),
    )
    inside: ops.Expr = ops.Binary(
        "and", ops.Binary("atMost", first, wanted), ops.Binary("atMost", wanted, last)
    )
    if step != _ONE:
        spot = scope.builder.spot(domain.mark)
        way = ops.Binary("subtract", wanted, first, spot)
        met = ops.Binary("equal", ops.Binary("modulo", way, width, spot), _ZERO)
        inside = ops.Binary("and", inside, met)
    return ops.Sequence(start, inside)


def pick(scope: Scope, value: typed.Pick) -> ops.Expr:
    """The best element by several keys, or none; what happens on a tie is always said."""
    asked = asked_for(value)
    if asked is not None:
        return cell_at(scope, *asked)
    best, tied = scope.register(), scope.register()
    olds = [scope.register() for _ in value.keys.keys]
    news = [scope.register() for _ in value.keys.keys]
    none = ops.Const(value.type.none)

    def visit(inner: Scope, element: ops.Expr, at: ops.Expr) -> Body:
        body: Body = tuple(
            ops.SetLocal(new.index, inner.value(key.value))
            for key, new in zip(value.keys.keys, news, strict=True)
        )
        equal: ops.Expr = _ONE
        for old, new in zip(olds, news, strict=True):
            equal = ops.Binary("and", equal, ops.Binary("equal", new, old))
        take: Body = (ops.SetLocal(best.index, element), ops.SetLocal(tied.index, _ZERO))
        take += tuple(ops.SetLocal(old.index, new) for old, new in zip(olds, news, strict=True))
        first = ops.Binary("less", best, _ZERO)
        same = (ops.When(equal, (ops.SetLocal(tied.index, _ONE),)),)
        better = _better(value.keys.keys, news, olds)
        return (*body, ops.When(ops.Binary("or", first, better), take, same))

    body = iterate(scope, value.binder, visit)
    start = (ops.SetLocal(best.index, none), ops.SetLocal(tied.index, _ZERO))
    result: ops.Expr = best
    if value.keys.ties == "none":
        result = ops.Choice(tied, none, best)
    return ops.Sequence((*start, *body), result)


def _better(keys: tuple[typed.Key, ...], news: list[ops.Local], olds: list[ops.Local]) -> ops.Expr:
    """Whether new keys come before old ones, the first that differs deciding."""
    new, old = news[0], olds[0]
    wins = ops.Binary(_beats(keys[0]), new, old)
    if len(keys) == 1:
        return wins
    rest = _better(keys[1:], news[1:], olds[1:])
    return ops.Binary("or", wins, ops.Binary("and", ops.Binary("equal", new, old), rest))


def _beats(key: typed.Key) -> Literal["more", "less"]:
    return "more" if key.word == "most" else "less"


def rank(scope: Scope, value: typed.Rank) -> ops.Expr:
    """1 for the best. `rank` leaves a gap after a tie, `denseRank` does not.

    An element ranks behind each better one; in a dense rank, behind each better value, which
    is counted at the first element that shows it.
    """
    domain = scope.domain(value.binder.domain)
    subject = scope.value(value.subject)
    own, result, held = scope.register(), scope.register(), scope.register()
    inner = scope.inner()
    inner.bind(value.binder.element, held)
    start: Body = (
        ops.SetLocal(held.index, subject),
        ops.SetLocal(own.index, inner.value(value.key.value)),
        ops.SetLocal(result.index, _ONE),
    )

    def visit(inner: Scope, element: ops.Expr, at: ops.Expr) -> Body:
        key = inner.register()
        body: Body = (ops.SetLocal(key.index, inner.value(value.key.value)),)
        better: ops.Expr = ops.Binary(_beats(value.key), key, own)
        if value.word == "denseRank":
            better = ops.Binary("and", better, ops.Unary("not", _shown(inner, value, at, key)))
        return (*body, ops.When(better, (_add(result, _ONE),)))

    body = iterate_domain(scope, value.binder, domain, visit, placed=True)
    return ops.Sequence((*start, *body), result)


def _shown(scope: Scope, value: typed.Rank, at: ops.Expr, key: ops.Expr) -> ops.Expr:
    """Whether an earlier element of the domain shows the same key."""
    found = scope.register()

    def visit(inner: Scope, element: ops.Expr, earlier: ops.Expr) -> Body:
        before = ops.Binary("less", earlier, at)
        same = ops.Binary("equal", inner.value(value.key.value), key)
        shown = (ops.SetLocal(found.index, _ONE), ops.Break())
        return (ops.When(ops.Binary("and", before, same), shown),)

    body = iterate(scope, value.binder, visit, placed=True)
    return ops.Sequence((ops.SetLocal(found.index, _ZERO), *body), found)
