"""What can be chosen: options, their generators, their conditions and their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from interpreter.model.ruleset import Place, Variable
from interpreter.model.types import UNKNOWN, Type
from interpreter.program import ops
from interpreter.program.lower import (
    alike,
    domains,
    expressions,
    fitting,
    loops,
    references,
    sight,
)
from interpreter.program.lower.builder import BROKEN, Body, Locals, Scope, Value
from interpreter.program.program import Action, Param, Saying
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.walk import walk

Once = Callable[[list[ops.Expr], Body], Body]


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to choose, whatever form it was written in."""

    name: str
    binders: tuple[nodes.Binder, ...]
    text: nodes.Text | None
    whens: tuple[nodes.When, ...]
    line: nodes.Line  # where it was written

    @property
    def mark(self) -> Mark:
        return self.line.mark

    @property
    def cites(self) -> tuple[str, ...]:
        return self.line.cites


def entry(scope: Scope, offer: Offer, me: Value) -> tuple[ops.Entry, Scope]:
    """The entry of a menu, and the scope in which its body is to be lowered."""
    builder = scope.builder
    inner = scope.inner()
    inner.bind("me", me)
    types: list[Type] = []
    params: list[Param] = []
    origins: list[references.PlaceRef | None] = []
    generator = _generator(inner, offer, me, types, params, origins)
    cells: list[int] = []
    body_scope = scope.inner()
    body_scope.bind("me", me)
    for binder, type_, origin in zip(offer.binders, types, origins, strict=True):
        address, value = scope.cell(type_)
        cells.append(address)
        body_scope.bind(binder.name, Value(value.op, value.type, origin))
    positions = _positions(scope, offer)
    for name, (address, value) in positions.items():
        cells.append(address)
        body_scope.bind(name, value)
    guards = _guards(inner, offer, me, types)
    text = _action_text(inner, offer, me, params, origins)
    action = _action(builder.program.actions, Action(offer.name, tuple(params), text))
    found = ops.Entry(
        action, generator, tuple(cells), ops.Label(), guards, builder.spot(offer.mark, offer.cites)
    )
    return found, body_scope


def _positions(scope: Scope, offer: Offer) -> dict[str, tuple[int, Value]]:
    """`x at n in ...`: n is kept too, though it is no part of the option's name."""
    return {
        binder.position: scope.cell(loops.POSITION)
        for binder in offer.binders
        if binder.position is not None
    }


def _action(actions: list[Action], wanted: Action) -> int:
    for number, action in enumerate(actions):
        if (action.name, action.params) == (wanted.name, wanted.params) and (
            action.text == wanted.text
        ):
            return number
    actions.append(wanted)
    return len(actions) - 1


def _generator(
    scope: Scope,
    offer: Offer,
    me: Value,
    types: list[Type],
    params: list[Param],
    origins: list[references.PlaceRef | None],
) -> int:
    """A function that emits the arguments of every option, in the order of the domains."""
    builder = scope.builder
    number = builder.function(f"options of {offer.name}", 0)
    inner = scope.inner()
    inner.locals = Locals()
    inner.straight = True
    inner.reads_for = me
    names = [(binder.name, binder.position) for binder in offer.binders]
    positions = [binder.position for binder in offer.binders if binder.position is not None]
    waiting = _tests(offer, names)

    def level(depth: int, here: Scope, values: tuple[Value, ...], once: Once | None = None) -> Body:
        tests = [(when, part) for when, part, needed in waiting if needed == depth - 1]
        if depth == len(offer.binders):
            extra = tuple(here.names[name].value.op for name in positions)
            rest: Body = (ops.Emit((*(value.op for value in values), *extra)),)
        else:
            binder = offer.binders[depth]
            domain = domains.lower_domain(here, binder.domain)
            types.append(domain.type)
            origins.append(domain.place)
            params.append(_param(here, binder, domain, me))
            first = None
            if params[depth].form == "row":
                first = alike.first_only(here, domain, binder)

            def act(deeper: Scope, value: Value, at: Value) -> Body:
                given = (*values, value)
                if first is None:
                    return level(depth + 1, deeper, given)
                return level(depth + 1, deeper, given, partial(first.guard, value, at))

            if first is not None and binder.position is None:
                binder = nodes.Binder(
                    binder.name, "option_position", binder.domain, binder.stays, binder.where,
                    mark=binder.mark,
                )  # fmt: skip
                here = here.inner()
                here.names.pop("option_position", None)
            rest = domains.iterate_domain(here, binder, domain, act)
            if first is not None:
                rest = (*first.before, *rest)
        conditions = [expressions.condition(here, part) for _, part in reversed(tests)]
        # Most conditions take less time than to see whether such a piece was there before.
        if once is not None:
            rest = once(conditions, rest)
        for (when, _), condition in zip(reversed(tests), conditions, strict=True):
            rest = (ops.When(condition, rest),)
            if when is not None:
                rest = (*builder.took_part(when), *rest)
        return rest

    function = builder.program.functions[number]
    function.body = (*level(0, inner, ()), ops.Return(ops.Const(0)))
    function.locals = inner.locals.count
    for binder in offer.binders[len(types) :]:  # behind a domain that was already reported
        types.append(UNKNOWN)
        params.append(Param(binder.name, UNKNOWN))
        origins.append(None)
    return number


def _tests(
    offer: Offer, names: list[tuple[str, str | None]]
) -> list[tuple[nodes.When | None, nodes.Expr, int]]:
    """The conditions, part by part (the first with its line), and the last parameter that each
    needs. What stands after `and` relies on what stands before it, so it never comes first."""
    found: list[tuple[nodes.When | None, nodes.Expr, int]] = []
    for when in offer.whens:
        line: nodes.When | None = when
        needed = -1
        for part in _conjuncts(when.condition):
            needed = max(needed, _last_needed(part, names))
            found.append((line, part, needed))
            line = None
    return found


def _conjuncts(condition: nodes.Expr) -> tuple[nodes.Expr, ...]:
    if isinstance(condition, nodes.Binary) and condition.operator == "and":
        return (*_conjuncts(condition.left), *_conjuncts(condition.right))
    return (condition,)


def _last_needed(condition: nodes.Expr, names: list[tuple[str, str | None]]) -> int:
    """The last parameter a condition mentions, so that it is tested as early as possible."""
    used = {node.name for node in walk(condition) if isinstance(node, nodes.Name)}
    return max((n for n, both in enumerate(names) if used.intersection(both)), default=-1)


def _param(scope: Scope, binder: nodes.Binder, domain: loops.Domain, me: Value) -> Param:
    kind = scope.builder.ruleset.kinds.get(domain.type.name)
    if domain.type.sort != "kind" or kind is None or not kind.tracked:
        return Param(binder.name, domain.type)
    ref = domain.place
    places = scope.builder.ruleset.places.values()
    if ref is None and (
        kind.hidden or any(p.kind == kind.name and p.seen != "all" for p in places)
    ):
        message = f"some {kind.name} lie hidden, and choosing among all of them would show where"
        help_ = "choose in a place: `c in me.hand`; to name a card, choose a member of an enum"
        scope.builder.error("RR403", message, binder.mark, help_)
    if ref is None or kind.hidden or not _sees(ref, me):
        if ref is not None:
            ref.place.by_position = True
        return Param(binder.name, domain.type, "place")
    return Param(binder.name, domain.type, "copy" if _carries(scope, domain.type) else "row")


def _carries(scope: Scope, kind: Type) -> bool:
    """Whether a piece has places or tables of its own, so that two copies are not alike."""
    ruleset = scope.builder.ruleset
    things: list[Place | Variable] = [*ruleset.places.values(), *ruleset.variables.values()]
    return any(
        kind in (dimension.type for dimension in thing.dimensions)
        and (len(thing.dimensions) > 1 or isinstance(thing, Place))
        for thing in things
    )


def _sees(ref: references.PlaceRef, me: Value) -> bool:
    if ref.place.seen == "all":
        return True
    own = sight.belongs_to(ref.place.dimensions, ref.index, me.op)
    return ref.place.seen == "owner" and own


def _guards(scope: Scope, offer: Offer, me: Value, types: list[Type]) -> tuple[ops.Guard, ...]:
    """Each condition once more as a function of the arguments, to explain a refusal."""
    builder = scope.builder
    found: list[ops.Guard] = []
    conditions = [(when.condition, when.mark, when.cites) for when in offer.whens]
    for binder in offer.binders:
        if binder.where is not None:
            conditions.append((binder.where, binder.where.mark, offer.cites))
        if _limits(binder.domain, scope):
            name = nodes.Name(binder.name, mark=binder.mark)
            inside = nodes.MemberOf(name, binder.domain, mark=binder.mark)
            conditions.append((inside, binder.mark, offer.cites))
    for condition, mark, cites in conditions:
        number = builder.function(f"condition of {offer.name}", len(offer.binders))
        inner = scope.inner()
        inner.locals = Locals()
        inner.straight = True
        for binder, type_ in zip(offer.binders, types, strict=True):
            inner.bind(binder.name, inner.fresh(type_)[1])
            if binder.position is not None:
                inner.bind(binder.position, Value(ops.Const(0), loops.POSITION))
        function = builder.program.functions[number]
        function.body = (ops.Return(expressions.condition(inner, condition)),)
        function.locals = inner.locals.count
        used = {node.name for node in walk(condition) if isinstance(node, nodes.Name)}
        if not any(binder.position in used for binder in offer.binders):
            found.append(ops.Guard(number, "", builder.spot(mark, cites), cites))
    return tuple(found)


def _limits(domain: nodes.Domain, scope: Scope) -> bool:
    """Whether a domain offers less than everything of its type."""
    if isinstance(domain, nodes.Players):
        return False
    ruleset = scope.builder.ruleset
    types = (ruleset.enums, ruleset.kinds, ruleset.boards)
    return not (isinstance(domain, nodes.Name) and any(domain.name in each for each in types))


# ---- words


def _action_text(
    scope: Scope,
    offer: Offer,
    me: Value,
    params: list[Param],
    origins: list[references.PlaceRef | None],
) -> Saying | None:
    if offer.text is None:
        return None
    builder = scope.builder
    functions: list[int] = []
    found: list[Type] = []
    positions = [binder.position for binder in offer.binders if binder.position is not None]
    for gap in offer.text.gaps:
        number = builder.function(f"words of {offer.name}", len(params) + len(positions))
        inner = scope.inner()
        inner.locals = Locals()
        inner.straight = True
        inner.reads_for = me  # the words of an option are read by its chooser
        for param, origin in zip(params, origins, strict=True):
            held = inner.fresh(param.type)[1]
            inner.bind(param.name, Value(held.op, held.type, origin))
        for position in positions:
            inner.bind(position, inner.fresh(loops.POSITION)[1])
        value = _said(inner, gap)
        sight.check_told(inner, value, gap.mark)
        function = builder.program.functions[number]
        function.body = (ops.Return(value.op),)
        function.locals = inner.locals.count
        functions.append(number)
        found.append(value.type)
    return Saying(offer.text.parts, tuple(found), tuple(functions))


def saying(scope: Scope, text: nodes.Text) -> tuple[Saying, tuple[ops.Expr, ...]]:
    values = [_said(scope, gap, sight.EVERYBODY) for gap in text.gaps]
    types = tuple(value.type for value in values)
    return Saying(text.parts, types), tuple(value.op for value in values)


def _said(scope: Scope, gap: nodes.Expr, hearer: Value | None = None) -> Value:
    """One thing that can be put into words. What a hearer may not know must not go into it; but
    a piece by itself may stand there: only those who know it are told its name."""
    inner = scope
    if hearer is not None:
        inner = scope.inner()
        inner.reads_for, inner.found = hearer, frozenset(scope.names)
    value = expressions.lower(inner, gap)
    if isinstance(value.op, references.PlaceRef):
        return fitting.content(scope, value, gap.mark)
    if isinstance(value.op, references.ListRef):
        message = "a list cannot be put into a text"
        scope.builder.error("RR212", message, gap.mark, "say one thing of it, or its `number of`")
        return BROKEN
    return value
