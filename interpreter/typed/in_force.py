"""Which locals are in force at a place of a text, also on a line that is still empty.

Every line of the rules that has names around it is a stop: it knows the names in force on it, in
the block below it, and on the lines that follow at its depth. Where a place belongs is told by its
column, as for whoever types there: a line further to the right belongs to the block of the last
line that stands to the left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.frozen import frozen
from interpreter.report.source import Mark
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.walk import Declaration, wholes

Names = dict[str, v.Local]


@frozen
class _Stop:
    mark: Mark
    on: Names
    below: Names
    after: Names


def names_in_force(rules: r.Rules, file: str, line: int, column: int) -> Names:
    last: _Stop | None = None
    for stop in _stops(rules):
        mark = stop.mark
        if mark.file != file or mark.line > line:
            continue
        is_there = mark.line <= line <= mark.end_line
        if not is_there and mark.column > column:
            continue  # in a block that is over where the place stands
        if last is None or last.mark.line <= mark.line:
            last = stop
    if last is None:
        return {}
    if line <= last.mark.end_line:
        return dict(last.on)
    return dict(last.below if last.mark.column < column else last.after)


def bound(binder: v.Binder) -> Names:
    found = {binder.element.name: binder.element}
    if binder.position is not None:
        found[binder.position.name] = binder.position
    return found


def _called(locals_: Iterable[v.Local]) -> Names:
    """By name, without what a place that is passed is indexed by: that has none."""
    return {local.name: local for local in locals_ if "#" not in local.name}


def _stops(rules: r.Rules) -> Iterator[_Stop]:
    for mark in rules.ruleset.declared.values():
        yield _Stop(mark, {}, {}, {})  # what is declared has no locals unless it is found below
    for whole in wholes(rules):
        yield from _declared(whole)
    for scenario in rules.scenarios:
        for body in (*scenario.given, *(run.body for run in scenario.runs)):
            yield from _body(body, {})


def _declared(whole: Declaration | s.Offer) -> Iterator[_Stop]:
    """The stops of a declaration, itself first."""
    match whole:
        case r.Procedure():
            names = _called((*whole.params, *whole.given))
            yield _Stop(whole.mark, names, names, {})
            yield from _body(whole.body, names)
        case r.Function():
            names = _called((*whole.params, *whole.given))
            yield _Stop(whole.mark, names, names | _called(let.local for let in whole.lets), {})
            for let in whole.lets:
                after = names | {let.local.name: let.local}
                yield _Stop(let.mark, names, names, after)
                names = after
            for case in whole.cases:
                yield _Stop(case.mark, names, names, names)
        case r.Quantity():
            names = _called(whole.params)
            yield _Stop(whole.mark, names, names, {})
            for each in whole.modifiers:
                names = _called((*each.params, each.owner, each.card, each.it))
                yield _Stop(each.mark, names, names, {})
        case r.Group():
            names = _called((*whole.params, *whole.given))
            yield _Stop(whole.mark, names, names, {})
        case s.Offer():
            yield from _offer(whole, {})
        case r.Setup() | r.Play():
            yield _Stop(whole.mark, {}, {}, {})
            yield from _body(whole.body, {})
        case r.Score() | r.Winner():
            names = {whole.seat.name: whole.seat}
            yield _Stop(whole.mark, names, names, {})
        case r.Holding():
            yield _Stop(whole.mark, {"it": whole.it}, {}, {})
        case _:  # declares no names of its own
            yield _Stop(whole.mark, {}, {}, {})


def _body(body: s.Body, names: Names) -> Iterator[_Stop]:
    for statement in body:
        after = names | _kept_by(statement)
        below = names | _bound_by(statement)
        yield _Stop(statement.mark, below, below, after)
        yield from _inside(statement, below)
        names = after


def _kept_by(statement: s.Statement) -> Names:
    """Names for the lines below a statement."""
    match statement:
        case s.Let():
            return {statement.local.name: statement.local}
        case s.Choose(kept=v.Local() as kept, offers=(s.Offer(binders=(binder, *_)), *_)):
            return bound(binder) | {kept.name: kept}
        case _:  # what it names is known inside it only
            return {}


def _bound_by(statement: s.Statement) -> Names:
    """Names for the block of a statement; whoever has the turn, or seals, is `me` as well."""
    match statement:
        case s.ForEach():
            return bound(statement.binder)
        case s.Turns() | s.Sealed():
            return {statement.seat.name: statement.seat, "me": statement.seat}
        case _:  # names nothing for its block, or each of its parts does so
            return {}


def _inside(statement: s.Statement, names: Names) -> Iterator[_Stop]:
    match statement:
        case s.If():
            for arm in statement.arms:
                yield _Stop(arm.mark, names, names, names)
                yield from _body(arm.body, names)
            yield from _body(statement.otherwise or (), names)
        case s.ForEach() | s.Repeat() | s.Turns() | s.Sealed() | s.LookingAhead():
            yield from _body(statement.body, names)
        case s.Choose() if statement.form != "value":  # else the offer is the line itself
            for offer in statement.offers:
                if isinstance(offer, s.Offer):
                    yield from _offer(offer, names)
                else:
                    then = names | {"me": statement.me}
                    yield _Stop(offer.mark, names, then, names)
                    yield from _body(offer.then, then)
            yield from _body(statement.otherwise or (), names)
        case _:  # holds no lines
            return


def _offer(offer: s.Offer, names: Names) -> Iterator[_Stop]:
    inner = names | {"me": offer.me}
    for binder in offer.binders:
        inner |= bound(binder)
    yield _Stop(offer.mark, inner, inner, names)
    for each in offer.whens:
        yield _Stop(each.mark, inner, inner, inner)
        if isinstance(each, s.Let):
            inner = inner | {each.local.name: each.local}
    yield from _body(offer.body, inner)
