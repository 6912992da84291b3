"""What can be chosen: options, their generators, their conditions and their words.

In comes an `Offer` of the typed tree, out comes an entry of a menu: a function that emits the
arguments of every option, cells for the arguments of the one that is chosen, each condition once
more as a function of the arguments, and the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from interpreter.model.types import BOOL
from interpreter.program import ops
from interpreter.program.lower.alike import first_only
from interpreter.program.lower.builder import Body
from interpreter.program.lower.loops import iterate_domain
from interpreter.program.lower.scope import Scope
from interpreter.program.program import Action, Param, Saying
from interpreter.report.source import Mark
from interpreter.typed import values as typed
from interpreter.typed.statements import Let, Offer, Text, When
from interpreter.typed.walk import walk

# Puts a body under conditions that let only the first of pieces through that look alike.
Once = Callable[[list[ops.Expr], Body], Body]
# The arguments that are settled so far.
Given = tuple[ops.Expr, ...]


def entry(around: Scope, offer: Offer, me: ops.Expr) -> tuple[ops.Entry, Scope]:
    """The entry of a menu, and the scope in which its body is to be lowered."""
    builder = around.builder
    scope = around.inner()
    scope.bind(offer.me, me)
    generator = _generator(scope, offer, me)
    chosen = scope.inner()
    cells: list[int] = []
    for binder in offer.binders:
        cell = scope.cell(binder.domain.type)
        cells.append(cell.address)
        chosen.bind(binder.element, cell)
    for position in _positions(offer):
        cell = scope.cell(position.type)
        cells.append(cell.address)
        chosen.bind(position, cell)
    guards = tuple(_guards(scope, offer, me))
    text = None if offer.text is None else _words(scope, offer, offer.text, me)
    params = tuple(
        Param(binder.element.name, binder.domain.type, form)
        for binder, form in zip(offer.binders, offer.forms, strict=True)
    )
    action = _action(builder.program.actions, Action(offer.name, params, text))
    spot = builder.spot(offer.mark, offer.cites)
    found = ops.Entry(action, generator, tuple(cells), ops.Label(), guards, spot)
    return found, chosen


def _positions(offer: Offer) -> list[typed.Local]:
    """`x at n in ...`: n is kept too, though it is no part of the option's name."""
    return [binder.position for binder in offer.binders if binder.position is not None]


def _action(actions: list[Action], wanted: Action) -> int:
    """The number of an action; those that are the same in everything are one."""
    if wanted not in actions:
        actions.append(wanted)
    return actions.index(wanted)


# ---- generators


def _generator(around: Scope, offer: Offer, me: ops.Expr) -> int:
    """A function that emits the arguments of every option, in the order of the domains."""
    builder = around.builder
    number = builder.new_function(f"options of {offer.name}", 0)
    scope = around.beside()
    scope.chooser = scope.hearer = me
    for let in _lets(offer):
        scope.bind(let.local, scope.register())
    waiting = _tests(offer)

    def level(depth: int, here: Scope, given: Given, once: Once | None = None) -> Body:
        if depth == len(offer.binders):
            positions = tuple(here.bound[position] for position in _positions(offer))
            rest: Body = (ops.Emit((*given, *positions)),)
        else:
            rest = loop(depth, here, given)
        tests = [(line, part) for line, part, needed in reversed(waiting) if needed == depth - 1]
        conditions = [here.value(part) for _, part in tests]
        # Most conditions take less time than to see whether such a piece was there before.
        if once is not None:
            rest = once(conditions, rest)
        for (line, _), condition in zip(tests, conditions, strict=True):
            if isinstance(line, Let):
                rest = (_kept(here, line, condition), *rest)
            else:
                rest = (ops.When(condition, rest),)
            if line is not None:
                rest = (*builder.took_part(line), *rest)
        return rest

    def loop(depth: int, here: Scope, given: Given) -> Body:
        binder = offer.binders[depth]
        domain = here.domain(binder.domain)
        first = first_only(here, binder, domain) if offer.forms[depth] == "row" else None

        def visit(deeper: Scope, element: ops.Expr, at: ops.Expr) -> Body:
            once = None if first is None else partial(first.guard, element, at)
            return level(depth + 1, deeper, (*given, element), once)

        if first is None:
            return iterate_domain(here, binder, domain, visit)
        body = iterate_domain(here, binder, domain, visit, placed=True)
        return (*first.before, *body)

    body = (*level(0, scope, ()), ops.Return(ops.Const(0)))
    builder.complete(number, body, scope.registers.count)
    return number


def _lets(offer: Offer) -> list[Let]:
    """The names that stand among the conditions."""
    return [each for each in offer.whens if isinstance(each, Let)]


def _kept(scope: Scope, let: Let, value: ops.Expr) -> ops.Statement:
    register = scope.bound[let.local]
    assert isinstance(register, ops.Local)
    return ops.SetLocal(register.index, value)


def _with_lets(scope: Scope, offer: Offer, value: typed.Value) -> ops.Expr:
    """A value that may use names from among the conditions, by itself: those are worked out first,
    as far as it needs them."""
    before: list[ops.Statement] = []
    needed = _mentioned_in(offer, value)
    for let in _lets(offer):
        if let.local in needed:
            op = scope.value(let.value)
            scope.bind(let.local, scope.register())
            before.append(_kept(scope, let, op))
    op = scope.value(value)
    return ops.Sequence(tuple(before), op) if before else op


def _tests(offer: Offer) -> list[tuple[When | Let | None, typed.Value, int]]:
    """The conditions, part by part (the first with its line), and the last parameter that each
    needs. What stands after `and` relies on what stands before it, so it never comes first; nor
    does a name come before the conditions above it, or what uses it before the name."""
    found: list[tuple[When | Let | None, typed.Value, int]] = []
    levels: dict[typed.Local, int] = {}
    for each in offer.whens:
        if isinstance(each, Let):
            above = [needed for _, _, needed in found]
            needed = max(_last_needed(each.value, offer, levels), *above, -1)
            levels[each.local] = needed
            found.append((each, each.value, needed))
            continue
        line: When | None = each
        needed = -1
        for part in _conjuncts(each.condition):
            needed = max(needed, _last_needed(part, offer, levels))
            found.append((line, part, needed))
            line = None
    return found


def _conjuncts(condition: typed.Value) -> tuple[typed.Value, ...]:
    if isinstance(condition, typed.Logic) and condition.word == "and":
        return (*_conjuncts(condition.left), *_conjuncts(condition.right))
    return (condition,)


def _last_needed(condition: typed.Value, offer: Offer, levels: dict[typed.Local, int]) -> int:
    """The last parameter a condition mentions, so that it is tested as early as possible. Names
    that it mentions are there from their levels on."""
    used = _mentioned(condition)
    found = [n for n, b in enumerate(offer.binders) if b.element in used or b.position in used]
    return max((*found, *(levels[each] for each in used if each in levels)), default=-1)


def _mentioned(value: typed.Value) -> set[typed.Local]:
    return {each.local for each in walk(value) if isinstance(each, typed.LocalValue)}


def _mentioned_in(offer: Offer, value: typed.Value) -> set[typed.Local]:
    """What a value mentions, and what the names it mentions stand for."""
    found = _mentioned(value)
    for let in reversed(_lets(offer)):
        if let.local in found:
            found |= _mentioned(let.value)
    return found


# ---- why something cannot be chosen


def _guards(scope: Scope, offer: Offer, me: ops.Expr) -> Iterator[ops.Guard]:
    """Each condition once more as a function of the arguments, to explain a refusal."""
    builder = scope.builder
    positions = _positions(offer)
    for condition, mark, cites, domain in _conditions(offer):
        if not _mentioned_in(offer, condition).isdisjoint(positions):
            continue  # where it stood cannot be told from the arguments
        number = _as_function(scope, offer, me, condition)
        parts = [
            (_as_function(scope, offer, me, holds), builder.spot(part.mark, cites))
            for part, holds in _joined_by_and(condition)
        ]
        yield ops.Guard(number, builder.spot(mark, cites), cites, domain, tuple(parts))


def _as_function(scope: Scope, offer: Offer, me: ops.Expr, condition: typed.Value) -> int:
    builder = scope.builder
    number = builder.new_function(f"condition of {offer.name}", len(offer.binders))
    inner = scope.beside()
    inner.hearer = me
    for binder in offer.binders:
        inner.bind(binder.element, inner.register())
    value = _with_lets(inner, offer, condition)
    builder.complete(number, (ops.Return(value),), inner.registers.count)
    return number


def _joined_by_and(value: typed.Value) -> list[tuple[typed.Value, typed.Value]]:
    """What `and` joins: each part, and that it does not fail. It relies on the parts before it, so
    it cannot fail where one of these does not hold."""
    if not isinstance(value, typed.Logic) or value.word != "and":
        return []
    left = _joined_by_and(value.left) or [(value.left, value.left)]
    right = _joined_by_and(value.right) or [(value.right, value.right)]
    broken = typed.Not(value.left, type=BOOL, mark=value.left.mark)
    after = [
        (part, typed.Logic("or", broken, holds, type=BOOL, mark=part.mark)) for part, holds in right
    ]
    return left + after


def _conditions(offer: Offer) -> Iterator[tuple[typed.Value, Mark, tuple[str, ...], bool]]:
    """Conditions with their line and clauses, and whether they say what can be an argument."""
    for when in offer.whens:
        if isinstance(when, Let):
            continue
        yield when.condition, when.mark, when.cites, False
    for binder in offer.binders:
        if binder.where is not None:
            yield binder.where, binder.where.mark, offer.cites, False
        # What is all of a type leaves nothing out.
        if not isinstance(binder.domain, typed.AllPlayers | typed.AllOf):
            element = typed.LocalValue(binder.element, type=binder.element.type, mark=binder.mark)
            inside = typed.MemberOf(element, binder.domain, False, type=BOOL, mark=binder.mark)
            yield inside, binder.mark, offer.cites, True


# ---- words


def _words(scope: Scope, offer: Offer, text: Text, me: ops.Expr) -> Saying:
    """The text of an option: what goes into its gaps are functions of the arguments."""
    builder = scope.builder
    arguments = [*(binder.element for binder in offer.binders), *_positions(offer)]
    functions: list[int] = []
    for gap in text.gaps:
        number = builder.new_function(f"words of {offer.name}", len(arguments))
        inner = scope.beside()
        inner.chooser = inner.hearer = me
        for local in arguments:
            inner.bind(local, inner.register())
        value = _with_lets(inner, offer, gap)
        builder.complete(number, (ops.Return(value),), inner.registers.count)
        functions.append(number)
    return Saying(text.parts, tuple(gap.type for gap in text.gaps), tuple(functions))
