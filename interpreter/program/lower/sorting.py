"""Elements that are put into registers before a loop goes through them, sorted if there are keys.

A loop that moves pieces would lose its way in the place that it goes through; a loop in a routine
may stop, so it cannot keep its place in a domain; and what has keys must be put in order first.
"""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.keys import sort_keys
from interpreter.program.lower.loops import iterate_domain
from interpreter.program.lower.references import Array
from interpreter.program.lower.scope import Domain, Scope
from interpreter.typed.statements import ForEach
from interpreter.typed.values import Keys


def room(statement: ForEach) -> int:
    """How many registers or cells its elements need at most."""
    return max(1, statement.binder.domain.bound)


def collected(
    scope: Scope, statement: ForEach, domain: Domain, copied: Array, count: ops.Local
) -> Body:
    """Copy the elements into registers. Filters of a sorted loop are looked at here, those of an
    unsorted one when each element's turn comes."""
    start = ops.SetLocal(count.index, ops.Const(0))
    one_more = ops.SetLocal(count.index, ops.Binary("add", count, ops.Const(1)))
    if statement.keys is not None:
        return (start, *_sorted(scope, statement, statement.keys, domain, copied, count, one_more))
    add = domain.loop(lambda element, at: (copied.put(count, element), one_more))
    return (start, *add)


def _sorted(
    scope: Scope,
    statement: ForEach,
    keys: Keys,
    domain: Domain,
    copied: Array,
    count: ops.Local,
    one_more: ops.Statement,
) -> Body:
    columns = [scope.array(copied.size) for _ in keys.keys]
    hole = scope.register()

    def insert(inner: Scope, element: ops.Expr, at: ops.Expr) -> Body:
        """Insertion sort: find the hole for the new element from the back."""
        held = inner.register()
        body: Body = (ops.SetLocal(held.index, element),)
        news: list[ops.Local] = []
        for op in sort_keys(inner, keys):
            new = inner.register()
            body += (ops.SetLocal(new.index, op),)
            news.append(new)
        before = ops.Binary("subtract", hole, ops.Const(1))
        later: ops.Expr = ops.Const(0)
        for column, new in zip(reversed(columns), reversed(news), strict=True):
            old = column.at(before)
            equal = ops.Binary("and", ops.Binary("equal", old, new), later)
            later = ops.Binary("or", ops.Binary("more", old, new), equal)
        shift: Body = tuple(column.put(hole, column.at(before)) for column in (copied, *columns))
        shift += (ops.SetLocal(hole.index, before),)
        test = ops.Binary("and", ops.Binary("more", hole, ops.Const(0)), later)
        body += (ops.SetLocal(hole.index, count), ops.While(test, shift))
        body += (copied.put(hole, held),)
        body += tuple(column.put(hole, new) for column, new in zip(columns, news, strict=True))
        return (*body, one_more)

    return iterate_domain(scope, statement.binder, domain, insert)
