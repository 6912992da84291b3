"""Going through what stands after `in`: a loop for each element that a binder lets through."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.scope import Act, Domain, Scope
from interpreter.typed.values import Binder

# What is done with one element, in a scope that has the names of the binder.
Visit = Callable[[Scope, ops.Expr, ops.Expr], Body]


def counted(
    scope: Scope, count: ops.Expr, element: Callable[[ops.Expr], ops.Expr], before: Body = ()
) -> Callable[[Act], Body]:
    """A loop through as many elements as `count` says, each told by its number."""

    def loop(act: Act) -> Body:
        index = scope.register()
        at = ops.Binary("add", index, ops.Const(1))
        body = act(element(index), at)
        return (*before, ops.CountLoop(index.index, ops.Const(0), count, body))

    return loop


def iterate(scope: Scope, binder: Binder, visit: Visit, *, placed: bool = False) -> Body:
    """The whole loop of a binder."""
    return iterate_domain(scope, binder, scope.domain(binder.domain), visit, placed=placed)


def iterate_domain(
    scope: Scope, binder: Binder, domain: Domain, visit: Visit, *, placed: bool = False
) -> Body:
    """`placed`: the position of an element is kept, though the binder may have no name for it."""

    def act(element: ops.Expr, at: ops.Expr) -> Body:
        inner = scope.inner()
        inner.bind(binder.element, element)
        if binder.position is not None:
            inner.bind(binder.position, at)
        return visit(inner, element, at)

    return filtered(scope, binder, domain, act, placed=placed)


def filtered(
    scope: Scope, binder: Binder, domain: Domain, act: Act, *, placed: bool = False
) -> Body:
    """The loop of a domain, for what passes the tests of a binder."""
    if binder.ends is None:
        return domain.loop(lambda e, at: _tested(scope, binder, e, at, act, placed, None))
    last = scope.register()
    body = domain.loop(lambda e, at: _tested(scope, binder, e, at, act, placed, last))
    return (ops.SetLocal(last.index, ops.Const(0)), *body)


def until(last: ops.Local, ends: ops.Expr) -> Body:
    """What comes before each pass of a loop with `until`: whether the pass before was the last one,
    and whether this one is. (After a pass would be too late: `skip` may have left it.)"""
    return (ops.When(last, (ops.Break(),)), ops.SetLocal(last.index, ends))


def _tested(
    scope: Scope,
    binder: Binder,
    element: ops.Expr,
    at: ops.Expr,
    act: Act,
    placed: bool,
    last: ops.Local | None,
) -> Body:
    """Keep an element, stop where `while` or `until` ends, pass over what `where` leaves out."""
    inner = scope.inner()
    kept = scope.register()
    body: Body = (ops.SetLocal(kept.index, element),)
    inner.bind(binder.element, kept)
    position = at
    if binder.position is not None or placed:
        register = scope.register()
        body += (ops.SetLocal(register.index, at),)
        position = register
    if binder.position is not None:
        inner.bind(binder.position, position)
    if binder.stays is not None:
        body += (ops.When(inner.value(binder.stays), (), (ops.Break(),)),)
    if binder.ends is not None and last is not None:
        body += until(last, inner.value(binder.ends))
    rest = act(kept, position)
    if binder.where is not None:
        return (*body, ops.When(inner.value(binder.where), rest))
    return (*body, *rest)
