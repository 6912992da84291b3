"""The label of a value: who can know it, at one point of a body.

What goes in is a typed value and what is known of the names in it; what comes out is `Known`.
Functions, quantities and groups are looked into with what is known of their arguments, so that
`worth(me)` may be known to `me` where `worth(next(me))` is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from interpreter.frozen import frozen
from interpreter.model.ruleset import Place
from interpreter.model.types import Type
from interpreter.report.source import Mark
from interpreter.typed import rules as r
from interpreter.typed import values as v
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.labels import (
    KNOWN,
    OPEN,
    Hearer,
    Known,
    Label,
    Seat,
    SeatOf,
    Source,
    both,
    gained,
    join,
    lower,
    plain,
    read_through,
    renamed,
    same_piece,
    sources_of,
    within,
)  # fmt: skip
from interpreter.typed.knowledge.naming import Facts, Naming

# Whoever an entry of a variable belongs to, in what is known of all its entries.
OWNER = v.Local("owner", Type("player", "Player"), "seat", Mark("", 1, 1, 1, 1))


@frozen
class Through:
    """What is known of a domain: how many there are, and of each element."""

    count: Label
    element: Known


_READ_OF_WORK = 4  # values that take as long to look at as one expression to lower


class Reader(Naming):
    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.read = 0  # values so far
        self.revealed: frozenset[str] = frozenset()  # as in `Environment`, at this statement
        self.hearer: Hearer | None = None  # for whom values are read
        self.testing = False  # inside what is called where it is tested
        self.testing_own = False  # the same, of the one for whom it is read
        # Set by trying.py, which reads values itself.
        self.trial: Callable[[v.Can, Environment], Label] = lambda can, env: OPEN
        self.afterwards: Callable[[v.WhatIf, Environment], Known] = lambda value, env: KNOWN

    # ---- values

    def label(self, value: v.Value, env: Environment) -> Label:
        """Who can know a value that is no piece, or which piece is meant."""
        return self.known(value, env).value

    def labels(self, values: Iterable[v.Value], env: Environment) -> Label:
        return join(*(self.label(each, env) for each in values))

    def known(self, value: v.Value, env: Environment) -> Known:
        self.read += 1
        if self.read % _READ_OF_WORK == 0:
            self.facts.work.spend(1)
        match value:
            case v.Constant():
                return self._named(value.type, value.mark)
            case v.Nothing() | v.Broken():
                return KNOWN
            case v.LocalValue():
                return env.names.get(value.local, KNOWN)
            case v.Read():
                return self._read(value, env)
            case v.ConstantAt():
                return plain(self.labels(value.indexes, env))
            case v.FieldOf() | v.ListOf():
                return plain(self._field(value, env))
            case v.ListItem():
                return plain(join(self._field(value.list, env), self.label(value.position, env)))
            case v.PlaceAt():
                return plain(self.labels(value.indexes, env))
            case v.Content():
                return self.element(value.place, env, value.mark)
            case v.PoolCount():
                return plain(
                    join(self.labels(value.place.indexes, env), self.label(value.row, env))
                )
            case v.RowOf():
                return plain(self.known(value.piece, env).face)
            case v.Call():
                return self._call(value, env)
            case v.Builtin():
                return self._builtin(value, env)
            case v.Property():
                return plain(self.label(value.cell, env))
            case v.Fit():
                return self.known(value.value, env)
            case v.Not() | v.Negate():
                return plain(self.label(value.operand, env))
            case v.Logic() | v.Arithmetic():
                return plain(join(self.label(value.left, env), self.label(value.right, env)))
            case v.Compare():
                return plain(self._compare(value, env))
            case v.IfElse():
                found = both(self.known(value.then, env), self.known(value.otherwise, env))
                return found.under(self.label(value.condition, env))
            case v.Extreme():
                return plain(self.labels(value.values, env))
            case v.MemberOf():
                return plain(self._member(value, env))
            case v.NumberOf():
                return plain(self.through(value.domain, env).count)
            case v.Quantified():
                return plain(self.passing(value.binder, env)[0])
            case v.Every():
                passing, inner = self.passing(value.binder, env)
                return plain(join(passing, self.label(value.condition, inner)))
            case v.Aggregate():
                found_label, inner = OPEN, env
                for binder in (value.binder, *value.more):
                    passing, inner = self.passing(binder, inner)
                    found_label = join(found_label, passing)
                found_label = join(found_label, self.label(value.value, inner))
                if value.otherwise is not None:
                    found_label = join(found_label, self.label(value.otherwise, env))
                return plain(within(found_label, self._outer(env)))
            case v.Pick():
                passing, inner = self.passing(value.binder, env)
                keys = self.labels((key.value for key in value.keys.keys), inner)
                element = inner.names[value.binder.element]
                return self._ended(element.under(join(passing, keys)), env)
            case v.Rank():
                passing, inner = self.passing(value.binder, env)
                key = self.label(value.key.value, inner)
                own = env.copy()
                own.bind(value.binder.element, self.known(value.subject, env))
                mine = self.label(value.key.value, own)
                label = join(passing, key, mine, self.label(value.subject, env))
                return plain(within(label, self._outer(env)))
            case v.Line():
                start = self.label(value.start, env)
                inner = env.copy()
                inner.bind(value.local, plain(start))
                return plain(join(start, self.label(value.where, inner)))
            case v.Way():
                ends, names = (value.start, value.end), (value.local, value.origin)
                return plain(self._searched(ends, names, value.where, env).count)
            case v.Can():
                return plain(self.trial(value, env))
            case v.WhatIf():
                return self.afterwards(value, env)
            case v.TimesSeen():
                return plain(join(self._read(value.history, env).value, self.seen(value.kept, env)))
            case _:
                assert_never(value)

    def seen(self, kept: tuple[v.Kept, ...], env: Environment) -> Label:
        """Who can know a position: also which pieces they are."""
        label = OPEN
        for each in kept:
            inner = env
            for binder in each.binders:
                _, inner = self.passing(binder, inner)
            known = self.known(each.value, inner)
            label = join(label, known.value, known.face)
        return within(label, self._outer(env))

    def _named(self, type_: Type, mark: Mark) -> Known:
        """A piece that is called by its name: everybody knows what it is, but not where."""
        if type_.sort != "kind" or type_.name not in self.facts.hideable:
            return KNOWN
        lost = Label(frozenset(), (Source("whereabouts", type_.name, mark),))
        return Known(OPEN, lost, lost, OPEN, OPEN)

    def _read(self, value: v.Read, env: Environment) -> Known:
        variable = value.variable
        label = OPEN
        for index in value.indexes:
            known = self.known(index, env)
            is_piece = index.type.sort == "kind" and index.type.name in self.facts.hideable
            label = join(label, known.marks if is_piece else known.value)
        seat: Seat | None = None
        if value.indexes and value.indexes[0].type.sort == "player":
            seat = self.seat(value.indexes[0], env)
        if variable.secret:
            who = frozenset() if seat is None or variable.unseen else frozenset((seat,))
            label = join(label, Label(who, (Source("secret", variable.name, value.mark),)))
        label = join(label, self.facts.tried.get(variable.name, OPEN))
        if value.type.sort != "kind" or value.type.name not in self.facts.hideable:
            return plain(label)
        # Where a piece has gone since it was put into a variable is not followed.
        lost = self._named(value.type, value.mark)
        held = self.facts.pieces.get(variable.name, KNOWN)
        names: dict[Seat, Seat] = {} if seat is None else {SeatOf(OWNER): seat}
        found = both(lost, held.each(lambda each: renamed(each, names)))
        return found.under(label)

    def _field(self, value: v.FieldOf | v.ListOf, env: Environment) -> Label:
        label = self.labels(value.indexes, env)
        of = self.known(value.of, env)
        if value.of.type.sort != "kind" or value.of.type.name not in self.facts.hideable:
            return join(label, of.value)
        if value.info.hidden:
            found = of.inner
            if found.who is not None:
                source = Source("field", value.info.name, value.mark)
                found = Label(found.who, (source, *found.sources))
            return join(label, found)
        return join(label, of.value if value.info.on_back else of.face)

    def _builtin(self, value: v.Builtin, env: Environment) -> Known:
        if value.name in ("top", "bottom"):
            place = value.arguments[0]
            assert isinstance(place, v.PlaceAt)
            return self.element(place, env, value.mark)
        if value.name == "holder":
            at = self.known(value.arguments[0], env).at
            return plain(Label(at.who, tuple(_asked_at(each, value.mark) for each in at.sources)))
        return plain(self.labels(value.arguments, env))

    def _compare(self, value: v.Compare, env: Environment) -> Label:
        left, right = self.known(value.left, env), self.known(value.right, env)
        hidden = [
            each
            for each in (value.left, value.right)
            if each.type.sort == "kind" and each.type.name in self.facts.hideable
        ]
        if len(hidden) < 2:
            return join(left.value, right.value)
        return same_piece(left, right)

    def _member(self, value: v.MemberOf, env: Environment) -> Label:
        domain = self.through(value.domain, env)
        element = self.known(value.element, env)
        if not isinstance(value.domain, v.InPlace | v.InGroup) or (
            value.domain.type.name not in self.facts.hideable
        ):
            return join(domain.count, domain.element.value, element.value)
        known = join(domain.count, domain.element.face, element.face)
        return known if value.rows else lower(join(domain.count, element.at), known)

    # ---- places and what is gone through

    def element(self, at: v.PlaceAt, env: Environment, mark: Mark) -> Known:
        """What is known of a piece that lies in a place, for being there."""
        place = at.place
        base = self.labels(at.indexes, env)
        if place.kind not in self.facts.hideable:
            return plain(base)
        base = join(base, self.facts.tried.get(place.name, OPEN))
        can_test = place.name in self.revealed
        if can_test and (self.testing or at.mark in self.facts.tested):
            return plain(base)
        hearer = self.hearer if place.name in self.rules.told else None
        tells = self.testing_own or at.mark in self.facts.tested_own
        own = None if hearer is None or tells else (hearer.number, at.mark)
        source = Source("pieces", place.name, mark, at.mark if can_test else None, own)
        shown = self._shown(place, self._owner(place, at, env), env)
        if shown is not None:
            inner = face = shown if own is None else Label(shown.who, (source,))
        else:
            inner = face = self._sight(place, at, env, source)
            if self.ruleset.kinds[place.kind].hidden:
                inner = Label(frozenset(), (source,))
        if hearer is not None and tells:
            inner, face = gained(inner, hearer.seat), gained(face, hearer.seat)
        inner, face = join(base, inner), join(base, face)
        lies = base if place.ordered and shown is None else face
        return Known(base, base, lies, face, inner)

    def _shown(self, place: Place, owner: Seat | None, env: Environment) -> Label | None:
        every = None if owner is None else env.shown.get((place.name, "every"))
        return env.shown.get((place.name, owner), every)

    def _owner(self, place: Place, at: v.PlaceAt, env: Environment) -> Seat | None:
        owned = bool(place.dimensions) and place.dimensions[0].type.sort == "player"
        return self.seat(at.indexes[0], env) if owned else None

    def _sight(self, place: Place, at: v.PlaceAt, env: Environment, source: Source) -> Label:
        """Who sees into a place."""
        if place.seen == "all":
            return OPEN
        owner = self._owner(place, at, env) if place.seen == "owner" else None
        return Label(frozenset() if owner is None else frozenset((owner,)), (source,))

    def through(self, domain: v.Domain, env: Environment) -> Through:
        match domain:
            case v.Nowhere() | v.AllPlayers():
                return Through(OPEN, KNOWN)
            case v.AllOf():
                return Through(OPEN, self._named(domain.type, domain.mark))
            case v.Range():
                ends = [domain.low, domain.high, *([domain.step] if domain.step else [])]
                label = self.labels(ends, env)
                return Through(label, plain(label))
            case v.Listed():
                element = KNOWN
                for each in domain.values:
                    element = both(element, self.known(each, env))
                return Through(OPEN, element)
            case v.InPlace():
                place = domain.place
                if place.place.word == "pool":
                    label = self.labels(place.indexes, env)
                    return Through(label, plain(label))
                # How many pieces lie in a place is known to all.
                element = self.element(place, env, domain.mark)
                return Through(self.labels(place.indexes, env), element)
            case v.InList():
                label = self._field(domain.list, env)
                return Through(label, plain(label))
            case v.InGroup():
                return self._group(domain, env)
            case v.Seats():
                label = self.label(domain.start, env)
                return Through(label, plain(label))
            case v.Around():
                label = self.label(domain.cell, env)
                return Through(label, plain(label))
            case v.Ray():
                label = join(self.label(domain.cell, env), self.label(domain.direction, env))
                return Through(label, plain(label))
            case v.Region():
                names = (domain.local, domain.origin)
                return self._searched((domain.start,), names, domain.where, env)
            case v.Reach():
                names = (domain.local, domain.origin)
                return self._searched((domain.start, domain.within), names, domain.costs, env)
            case _:
                assert_never(domain)

    def _searched(
        self,
        given: tuple[v.Value, ...],
        names: tuple[v.Local | None, ...],
        asked: v.Value,
        env: Environment,
    ) -> Through:
        """`given`: from where and how far; `asked`: what is asked of each step."""
        label = self.labels(given, env)
        inner = env.copy()
        for local in names:
            if local is not None:
                inner.bind(local, plain(label))
        label = join(label, self.label(asked, inner))
        return Through(label, plain(label))

    def _group(self, domain: v.InGroup, env: Environment) -> Through:
        group = self.rules.groups[domain.group]
        inner = env.copy()
        given = [self.known(argument, env) for argument in domain.arguments]
        for param, known, argument in zip(group.params, given, domain.arguments, strict=True):
            inner.bind(param, known, self.seat(argument, env))
        testing = self._test_inside(domain.mark)
        label, inside = self.passing(group.binder, inner)
        self.testing, self.testing_own = testing
        element = inside.names[group.binder.element].under(label)
        outer = self._outer(env)

        def ended(each: Label) -> Label:
            return read_through(within(each, outer), domain.mark, sources_of(given))

        return Through(ended(label), element.each(ended))

    def passing(self, binder: v.Binder, env: Environment) -> tuple[Label, Environment]:
        """Who knows which elements pass the conditions of a binder, and what is known of the names
        inside it."""
        found = self.through(binder.domain, env)
        inner = env.copy()
        inner.bind(binder.element, found.element)
        if binder.position is not None:
            inner.bind(binder.position, plain(found.count))
        label = found.count
        for test in binder.tests:
            label = join(label, self.label(test, inner))
        return within(label, self._outer(env)), inner

    def _outer(self, env: Environment) -> set[v.Local]:
        """Names that still mean something outside, and those that seats go by."""
        seats = [*env.seats.values(), *([self.hearer.seat] if self.hearer is not None else [])]
        return {OWNER, *env.names, *(each.local for each in seats if isinstance(each, SeatOf))}

    def _ended(self, known: Known, env: Environment) -> Known:
        outer = self._outer(env)
        return known.each(lambda label: within(label, outer))

    # ---- functions

    def _call(self, call: v.Call, env: Environment) -> Known:
        function = self.rules.functions.get(call.function)
        if function is None:
            return KNOWN  # it could not be understood, and that is told
        given = tuple(self.known(each, env) for each in call.arguments)
        seats = tuple(
            self.seat(each, env) if each.type.sort == "player" else None for each in call.arguments
        )
        testing = self._test_inside(call.mark)
        tried = tuple(self.facts.tried.items())
        tests = (self.testing, self.testing_own, self.hearer, self.revealed)
        key = (call.function, given, seats, tried, tests)
        if key not in self.facts.calls:
            self.facts.calls[key] = KNOWN  # of what calls itself, until more is known
            while True:
                found = self._body(function, given, seats)
                if found == self.facts.calls[key]:
                    self.facts.calls[key] = found
                    break
                self.facts.calls[key] = both(found, self.facts.calls[key])
        self.testing, self.testing_own = testing
        own = sources_of(given)
        return self.facts.calls[key].each(lambda label: read_through(label, call.mark, own))

    def _test_inside(self, mark: Mark) -> tuple[bool, bool]:
        """What is called here is tested where that was asked for; what was so outside."""
        outside = self.testing, self.testing_own
        self.testing |= mark in self.facts.tested
        self.testing_own |= mark in self.facts.tested_own
        return outside

    def _body(
        self,
        function: r.Function | r.Quantity,
        given: tuple[Known, ...],
        seats: tuple[Seat | None, ...],
    ) -> Known:
        env = Environment()
        for param, known, seat in zip(function.params, given, seats, strict=True):
            env.bind(param, known, seat)
        if isinstance(function, r.Quantity):
            label = self.label(function.value, env)
            return plain(
                join(label, *(self._modifier(each, function, env) for each in function.modifiers))
            )
        if function.value is not None:
            return self.known(function.value, env)
        for let in function.lets:
            seat = self.seat(let.value, env) if let.local.type.sort == "player" else None
            env.bind(let.local, self.known(let.value, env), seat)
        found = KNOWN
        asked = OPEN
        for case in function.cases:
            if case.condition is not None:
                asked = join(asked, self.label(case.condition, env))
            found = both(found, self.known(case.value, env).under(asked))
        return found

    def _modifier(self, modifier: r.Modifier, of: r.Quantity, env: Environment) -> Label:
        """A card changes a quantity wherever it lies active: who cannot see it cannot know."""
        inner = env.copy()
        for param, stands_for in zip(modifier.params, of.params, strict=False):
            known = env.names[stands_for]
            inner.bind(param, known, env.seats.get(stands_for) or SeatOf(stands_for))
        inner.bind(modifier.owner, KNOWN, self.only_owner(modifier, inner))
        owner = v.LocalValue(modifier.owner, type=modifier.owner.type, mark=modifier.mark)
        rest = tuple(
            v.Constant(0, type=each.type, mark=modifier.mark)
            for each in modifier.place.dimensions[1:]
        )
        type_ = Type("place", modifier.place.name)
        place = v.PlaceAt(modifier.place, (owner, *rest), type=type_, mark=modifier.mark)
        card = self.element(place, inner, modifier.mark)
        inner.bind(modifier.card, card)
        inner.bind(modifier.it, KNOWN)
        kind = self.ruleset.kinds[modifier.place.kind]
        assert kind.ability_field is not None
        has = card.inner if kind.fields[kind.ability_field].hidden else card.face
        label = join(has, self.label(modifier.value, inner))
        if modifier.when is not None:
            label = join(label, self.label(modifier.when, inner))
        return within(label, self._outer(env))


def _asked_at(source: Source, mark: Mark) -> Source:
    """Where a piece lies is no secret of its name, but of whoever asks for it."""
    return Source(source.word, source.name, mark) if source.word == "whereabouts" else source
