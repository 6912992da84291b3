"""What stands after `in`: everything that can be gone through, each lowered to one loop."""

from __future__ import annotations

from typing import assert_never

from interpreter.program import ops
from interpreter.program.lower import board_domains, reading
from interpreter.program.lower.builder import Body
from interpreter.program.lower.loops import counted, filtered
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.revealed import after_test, testing_inside
from interpreter.program.lower.scope import Act, Domain, Scope
from interpreter.report.source import Mark
from interpreter.typed import values as typed


def lower(scope: Scope, domain: typed.Domain) -> Domain:
    match domain:
        case typed.AllPlayers():
            return _known(scope, scope.builder.ruleset.players)
        case typed.AllOf():
            size = scope.builder.ruleset.type_size(domain.type)
            assert size is not None
            return _known(scope, size)
        case typed.Range():
            return _range(scope, domain)
        case typed.Listed():
            return _listed(scope, domain)
        case typed.InPlace():
            return in_place(scope, reading.place_ref(scope, domain.place), domain.place.mark)
        case typed.InList():
            return _in_list(scope, domain)
        case typed.InGroup():
            return _in_group(scope, domain)
        case typed.Seats():
            return _seats(scope, domain)
        case typed.Around():
            return board_domains.around(scope, domain)
        case typed.Ray():
            return board_domains.ray(scope, domain)
        case typed.Region():
            return board_domains.region(scope, domain)
        case typed.Reach():
            return board_domains.reach(scope, domain)
        case typed.Nowhere():
            raise AssertionError("what was reported is never lowered")
        case _:
            assert_never(domain)


def _known(scope: Scope, size: int) -> Domain:
    count = ops.Const(size)
    return Domain(counted(scope, count, _same), count=count, element=_same)


def _same(index: ops.Expr) -> ops.Expr:
    return index


def _range(scope: Scope, domain: typed.Range) -> Domain:
    low, high = scope.value(domain.low), scope.value(domain.high)
    step: ops.Expr = ops.Const(1)
    if domain.step is not None:
        step = scope.value(domain.step)
    if isinstance(low, ops.Const) and isinstance(high, ops.Const) and step == ops.Const(1):
        return _known_range(scope, low.value, high.value)
    # The bounds are looked at once, before the first time round.
    first, size, width = scope.register(), scope.register(), scope.register()
    spot = scope.builder.spot(domain.mark)
    span = ops.Binary("subtract", high, first, spot)
    count = ops.Binary("add", ops.Binary("divide", span, width, spot), ops.Const(1), spot)
    before: Body = (
        ops.SetLocal(first.index, low),
        ops.SetLocal(width.index, step),
        ops.SetLocal(size.index, ops.Binary("max", count, ops.Const(0))),
    )

    def element(index: ops.Expr) -> ops.Expr:
        moved = index if step == ops.Const(1) else ops.Binary("multiply", index, width)
        return ops.Binary("add", first, moved)

    return Domain(counted(scope, size, element, before))


def _known_range(scope: Scope, low: int, high: int) -> Domain:
    """A range that is known before the game begins."""

    def element(index: ops.Expr) -> ops.Expr:
        return ops.Binary("add", ops.Const(low), index) if low else index

    return Domain(counted(scope, ops.Const(max(0, high - low + 1)), element))


def _listed(scope: Scope, domain: typed.Listed) -> Domain:
    """Values that are written one after the other. What is known beforehand is a table; anything
    else is looked at once, before the first time round."""
    values, count = scope.values(domain.values), ops.Const(len(domain.values))
    known = [value.value for value in values if isinstance(value, ops.Const)]
    if len(known) == len(values):
        table = scope.builder.table(known)

        def element(index: ops.Expr) -> ops.Expr:
            return ops.Lookup(table, index)

        return Domain(counted(scope, count, element), count=count, element=element)
    kept = scope.array(len(values))
    before = tuple(kept.put(ops.Const(at), value) for at, value in enumerate(values))
    return Domain(counted(scope, count, kept.at, before))


def _in_list(scope: Scope, domain: typed.InList) -> Domain:
    ref = reading.list_ref(scope, domain.list)

    def element(index: ops.Expr) -> ops.Expr:
        return ops.Lookup(ref.pool, ops.Binary("add", ref.start, index))

    return Domain(counted(scope, ref.length, element))


def in_place(scope: Scope, ref: PlaceRef, mark: Mark) -> Domain:
    if ref.place.word == "pool":
        return _in_pool(scope, ref)
    in_slot = ref.content(ops.Const(0))

    def element(index: ops.Expr) -> ops.Expr:
        piece = in_slot if ref.place.word == "slot" else ref.content(index)
        return after_test(scope, ref.place, mark, piece, mark)

    return Domain(counted(scope, ref.count, element), ref)


def _in_pool(scope: Scope, ref: PlaceRef) -> Domain:
    """Each row of which there are some; its position is how many."""

    def loop(act: Act) -> Body:
        row = scope.register()
        held = ref.held(row)
        some = ops.Binary("more", held, ops.Const(0))
        each = (ops.When(some, act(row, held)),)
        return (ops.CountLoop(row.index, ops.Const(0), ops.Const(ref.place.capacity), each),)

    return Domain(loop, ref)


def _in_group(scope: Scope, domain: typed.InGroup) -> Domain:
    """A group is unfolded where it is used: its own binder with the arguments put in."""
    group = scope.builder.rules.groups[domain.group]
    inner = scope.inner()
    inner.chooser = None
    inner.testing = testing_inside(scope, domain.mark)
    before: Body = ()
    for param, argument in zip(group.params, domain.arguments, strict=True):
        op = scope.value(argument)
        if op == scope.chooser:
            inner.bind(param, op)  # nothing changes who chooses, so this needs no register
            continue
        kept = scope.register()
        before += (ops.SetLocal(kept.index, op),)
        inner.bind(param, kept)
    found = inner.domain(group.binder.domain)

    def loop(act: Act) -> Body:
        return (*before, *filtered(inner, group.binder, found, act))

    return Domain(loop, found.place)


def _seats(scope: Scope, domain: typed.Seats) -> Domain:
    players = scope.builder.ruleset.players
    start = scope.register()
    first = ops.SetLocal(start.index, scope.value(domain.start))
    shift = 0 if domain.word == "playersFrom" else 1

    def element(index: ops.Expr) -> ops.Expr:
        seat = ops.Binary("add", ops.Binary("add", start, index), ops.Const(shift))
        return ops.Binary("modulo", seat, ops.Const(players))

    return Domain(counted(scope, ops.Const(players - shift), element, (first,)))
