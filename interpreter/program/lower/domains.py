"""What stands after `in`: everything that can be gone through, lowered to one loop each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter import limits
from interpreter.model.names import named_type
from interpreter.model.types import INT, PLAYER, UNKNOWN, Type, named, whole
from interpreter.program import ops
from interpreter.program.lower import (
    access,
    board_domains,
    builtins,
    expressions,
    fitting,
    references,
    sight,
)
from interpreter.program.lower.builder import Body, Scope, Value
from interpreter.program.lower.loops import POSITION, Act, Domain, counted
from interpreter.tree import nodes
from interpreter.tree.marks import part
from interpreter.tree.parse import RESERVED


def lower_domain(scope: Scope, domain: nodes.Domain) -> Domain:
    """Hidden places may be counted and gone through; sight.py guards what their pieces are."""
    if isinstance(domain, nodes.Range):
        return _range(scope, domain)
    if isinstance(domain, nodes.Players):
        return counted(scope, PLAYER, ops.Const(scope.builder.ruleset.players), _same)
    if isinstance(domain, nodes.Name) and domain.name not in scope.names:
        found = _type_domain(scope, domain.name)
        if found is not None:
            return found
    if isinstance(domain, nodes.Through) and domain.word == "region":
        return board_domains.region(scope, domain)
    if isinstance(domain, nodes.Reach):
        return board_domains.reach(scope, domain)
    if isinstance(domain, (nodes.Call, nodes.Name)):
        found = _group(scope, domain)
        if found is not None:
            return found
    if (
        isinstance(domain, nodes.Call)
        and isinstance(domain.target, nodes.Name)
        and domain.target.name in builtins.DOMAINS
    ):
        return board_domains.builtin(scope, domain.target.name, domain)
    value = expressions.lower(scope, domain)
    if isinstance(value.op, references.PlaceRef):
        ref = value.op
        sight.check_sealed_read(scope, ref.place.name, ref.place.dimensions, ref.index, domain.mark)
        return place_domain(scope, value.op)
    if isinstance(value.op, references.ListRef):
        return _list(scope, value.op, value.type)
    if value.type != UNKNOWN:
        help_ = "go through players, a type, a board, a place, a list or a range such as 1..5"
        message = f"{fitting.spoken(value.type)} is one thing and cannot be gone through"
        scope.builder.error("RR320", message, domain.mark, help_)
    return Domain(UNKNOWN, 1, lambda act: ())


def _same(index: ops.Expr) -> ops.Expr:
    return index


def _type_domain(scope: Scope, name: str) -> Domain | None:
    ruleset = scope.builder.ruleset
    if name in ("int", "bool", "player") or name in ruleset.options:
        return None
    type_ = named_type(name, ruleset)
    if type_ is None:
        return None
    scope.builder.used_names.add(name)
    size = ruleset.type_size(type_)
    assert size is not None
    return counted(scope, type_, ops.Const(size), _same)


@dataclass(frozen=True, slots=True)
class Bounds:
    """A range: the type of its elements, its ends and its step."""

    type: Type
    low: ops.Expr
    high: ops.Expr
    step: ops.Expr


def lower_bounds(scope: Scope, domain: nodes.Range) -> Bounds:
    low = expressions.lower(scope, domain.low)
    high = expressions.lower(scope, domain.high)
    if low.type.sort in ("enum",) and low.type == high.type:
        type_, low_op, high_op = low.type, low.op, high.op
    else:
        low_op = fitting.fit(scope, low, INT, domain.low.mark, "the start of a range")
        high_op = fitting.fit(scope, high, INT, domain.high.mark, "the end of a range")
        type_ = whole(low.type.low, max(high.type.high, low.type.low))
        if low.type.optional or high.type.optional or low.type.sort != "int":
            type_ = INT
    step: ops.Expr = ops.Const(1)
    if domain.step is not None:
        step = expressions.lower_as(
            scope, domain.step, whole(1, limits.INT_MAX), "the step of a range"
        )
    return Bounds(type_, low_op, high_op, step)


def _range(scope: Scope, domain: nodes.Range) -> Domain:
    bounds = lower_bounds(scope, domain)
    type_, low_op, high_op, step = bounds.type, bounds.low, bounds.high, bounds.step
    if isinstance(low_op, ops.Const) and isinstance(high_op, ops.Const) and step == ops.Const(1):
        return _known_range(scope, type_, low_op.value, high_op.value)
    # The bounds are looked at once, before the first time round.
    first, size = scope.locals.new(), scope.locals.new()
    width = ops.Local(scope.locals.new())
    before: Body = (ops.SetLocal(first, low_op), ops.SetLocal(width.index, step))
    spot = scope.builder.spot(domain.mark)
    span = ops.Binary("subtract", high_op, ops.Local(first), spot)
    count = ops.Binary("add", ops.Binary("divide", span, width, spot), ops.Const(1), spot)
    before += (ops.SetLocal(size, ops.Binary("max", count, ops.Const(0))),)

    def element(index: ops.Expr) -> ops.Expr:
        moved = index if step == ops.Const(1) else ops.Binary("multiply", index, width)
        return ops.Binary("add", ops.Local(first), moved)

    bound = limits.COLLECTION_ITEMS
    if type_.sort == "int" and type_.high - type_.low < bound:
        bound = type_.high - type_.low + 1
    found = counted(scope, type_, ops.Local(size), element, bound, before)
    found.count = None  # the bounds live in locals, so a routine must copy the elements
    return found


def _known_range(scope: Scope, type_: Type, low: int, high: int) -> Domain:
    """A range that is known before the game begins."""
    size = max(0, high - low + 1)

    def element(index: ops.Expr) -> ops.Expr:
        return ops.Binary("add", ops.Const(low), index) if low else index

    found = counted(scope, type_, ops.Const(size), element)
    found.count = None
    return found


def _list(scope: Scope, ref: references.ListRef, type_: Type) -> Domain:
    assert type_.of is not None

    def element(index: ops.Expr) -> ops.Expr:
        return ops.Lookup(ref.pool, ops.Binary("add", ref.start, index))

    found = counted(scope, type_.of, ref.length, element, ref.longest)
    found.count = None
    return found


def place_domain(scope: Scope, ref: references.PlaceRef) -> Domain:
    type_ = named("kind", ref.place.kind)
    if ref.place.word == "pool":
        base, index = ref.address()
        size = ref.place.stride * ref.place.size

        def loop(act: Act) -> Body:
            row = scope.locals.new()
            at = ops.Binary("add", index, ops.Local(row))
            held = ops.MemoryAt(base, at, size)
            body = act(Value(ops.Local(row), type_), Value(held, POSITION))
            some = ops.Binary("more", held, ops.Const(0))
            count = ops.Const(ref.place.capacity)
            return (ops.CountLoop(row, ops.Const(0), count, (ops.When(some, body),)),)

        return Domain(type_, ref.place.capacity, loop, place=ref)
    if ref.place.word == "slot":
        content = ref.content(ops.Const(0))
        found = counted(scope, type_, ref.cell(0), lambda index: content, 1)
    else:
        found = counted(scope, type_, ref.cell(0), ref.content, ref.place.capacity)
    found.place = ref
    found.count = None
    plain = found.loop
    found.loop = lambda act: plain(lambda e, at: act(Value(e.op, e.type, ref), at))
    return found


def _group(scope: Scope, domain: nodes.Call | nodes.Name) -> Domain | None:
    """A group is unfolded where it is used: its own binder with the arguments put in."""
    target = domain.target if isinstance(domain, nodes.Call) else domain
    arguments = domain.arguments if isinstance(domain, nodes.Call) else ()
    if isinstance(target, nodes.Dot):
        arguments = (target.target, *arguments)
    if not isinstance(target, (nodes.Name, nodes.Dot)):
        return None
    group = scope.builder.ruleset.groups.get(target.name)
    if group is None:
        return None
    scope.builder.used_names.add(group.name)
    if group.name in scope.lowering:
        help_ = "say where its members come from: players, a board, a place or a range"
        scope.builder.error("RR321", f"`{group.name}` is defined by itself", domain.mark, help_)
        return Domain(UNKNOWN, 1, lambda act: ())
    if len(arguments) != len(group.params):
        wanted = fitting.counted(len(group.params), "value")
        message = f"`{group.name}` takes {wanted}, not {len(arguments)}"
        scope.builder.error("RR311", message, domain.mark)
        return Domain(UNKNOWN, 1, lambda act: ())
    inner = scope.inner()
    inner.lowering = (*scope.lowering, group.name)
    before: Body = ()
    values: list[Value] = []
    types = builtins.param_types(scope, group.params)
    for param, type_, argument in zip(group.params, types, arguments, strict=True):
        given = expressions.lower(scope, argument, type_)
        op = fitting.fit(scope, given, type_, argument.mark, f"`{param.name}`")
        values.append(given)
        if scope.reads_for is not None and given.op == scope.reads_for.op:
            inner.bind(param.name, given)  # still the chooser, who may see what is theirs
            continue
        local, value = scope.fresh(type_)
        before += (ops.SetLocal(local, op),)
        inner.bind(param.name, Value(value.op, value.type, given.origin))
    sight.check_group(scope, group, values, domain.mark)
    inner.reads_for = None  # that was the look at what its own conditions read
    found = lower_domain(inner, group.binder.domain)

    def loop(act: Act) -> Body:
        return (*before, *found.loop(lambda e, at: filtered(inner, group.binder, e, at, act)))

    return Domain(found.type, found.bound, loop, place=found.place)


def filtered(scope: Scope, binder: nodes.Binder, element: Value, at: Value, act: Act) -> Body:
    """Bind an element, stop where `while` ends, pass over what `where` leaves out."""
    local, held = scope.fresh(element.type)
    value = Value(held.op, held.type, element.origin)
    body: Body = (ops.SetLocal(local, element.op),)
    inner = scope.inner()
    inner.bind(binder.name, value)
    position = at
    if binder.position is not None:
        spot, position = scope.fresh(at.type)
        body += (ops.SetLocal(spot, at.op),)
        inner.bind(binder.position, position)
    if binder.stays is not None:
        test = expressions.condition(inner, binder.stays)
        body += (ops.When(test, (), (ops.Break(),)),)
    rest = act(value, position)
    if binder.where is not None:
        return (*body, ops.When(expressions.condition(inner, binder.where), rest))
    return (*body, *rest)


def iterate(scope: Scope, binder: nodes.Binder, act: Callable[[Scope, Value, Value], Body]) -> Body:
    """The whole loop of a binder; `act` gets a scope in which its names are bound."""
    domain = lower_domain(scope, binder.domain)
    return iterate_domain(scope, binder, domain, act)


def iterate_domain(
    scope: Scope,
    binder: nodes.Binder,
    domain: Domain,
    act: Callable[[Scope, Value, Value], Body],
) -> Body:
    check_shadow(scope, binder)

    def bound_act(value: Value, at: Value) -> Body:
        inner = scope.inner()
        inner.bind(binder.name, value)
        if binder.position is not None:
            inner.bind(binder.position, at)
        return act(inner, value, at)

    return domain.loop(lambda element, at: filtered(scope, binder, element, at, bound_act))


def check_shadow(scope: Scope, binder: nodes.Binder) -> None:
    mark = part(binder.mark, 0, len(binder.name))
    for name in (binder.name, binder.position):
        if name in RESERVED:
            message = f"`{name}` is a word of the language"
            scope.builder.error("RR201", message, binder.mark, "choose another name")
            continue
        if name is not None and name in scope.names:
            message = f"`{name}` is already in use here"
            scope.builder.error("RR203", message, mark, "choose another name")
        elif name is not None and access.find_name(scope, name) is not None:
            message = f"`{name}` is already the name of something else"
            scope.builder.error("RR203", message, mark, "choose another name")
