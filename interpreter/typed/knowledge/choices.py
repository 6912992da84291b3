"""Choices: what is offered must be known to whoever chooses, and what is chosen is seen by all."""

from __future__ import annotations

from interpreter.report.source import Mark
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.knowledge.environment import Environment, joined
from interpreter.typed.knowledge.following import Following, State
from interpreter.typed.knowledge.labels import (
    KNOWN,
    OPEN,
    Known,
    Label,
    Seat,
    SeatOf,
    Source,
    either,
    join,
    plain,
    renamed,
)  # fmt: skip
from interpreter.typed.seats import bare, owner_of


class Choices(Following):
    def choose(self, each: s.Choose, state: State) -> State | None:
        env = state.env
        seat = self.reader.seat(each.seat, env)
        asked = join(state.why, self.reader.label(each.seat, env))
        self.decides(asked, each)
        self.seen(each.seat, env)  # all see who is asked
        me = self.reader.stable(seat)
        ways: list[Environment] = []
        for offered in each.offers:
            if isinstance(offered, s.Declared):
                after = self._offer_action(offered, each, seat, state)
            else:
                inner = self.offer(offered, each.me, seat, env)
                inner.bind(each.me, KNOWN, me)
                after = self._chosen(offered.body, inner, offered.binders, state)
                if each.kept is not None and after is not None:
                    kept = offered.binders[0].element
                    state.env.names[each.kept] = after.names[kept]
                    self._note_chosen(each.kept, each)
                    after = state.env
            ways += [] if after is None else [after]
        if each.may and not each.always:
            whether = self._whether(each, seat, env)
            if whether.known_to(seat or SeatOf(each.me)):  # else it is told already
                asked = join(asked, whether)
        # How often a seat is asked in a sealed block the others do not see, but whether the block
        # asks anybody at all.
        own = self.sealed is not None and asked.known_to(self.sealed) and self.surely_asked
        if not self.trying and not asked.is_open and not own and not self.tests(asked):
            self.teller.asked(asked, each.mark)
        if each.otherwise is not None:
            other = self.body(each.otherwise, State(env.copy(), state.why))
            ways += [] if other is None else [other.env]
        if each.may or each.kept is not None:
            ways.append(env)
        inner_names = [way.limited_to(env) if way is not env else env for way in ways]
        found = joined(inner_names)
        return None if found is None else State(found, state.why)

    def _whether(self, each: s.Choose, seat: Seat | None, env: Environment) -> Label:
        """What it depends on whether there is anything to choose but to pass: without it, nobody is
        asked."""
        found = OPEN
        self.reader.hearer = self.hears(seat or SeatOf(each.me))
        for offered in each.offers:
            if isinstance(offered, s.Declared):
                offer, inner = self.rules.actions.get(offered.action), Environment()
            else:
                offer, inner = offered, env.copy()
            asks = offer is not None and any(isinstance(when, s.When) for when in offer.whens)
            if offer is None or not (offer.binders or asks):
                found = OPEN
                break
            inner.bind(offer.me, KNOWN, seat)
            for binder in offer.binders:
                label, inner = self.reader.passing(binder, inner)
                found = join(found, label)
            for when in offer.whens:
                if isinstance(when, s.Let):
                    self._let(when, inner)
                else:
                    found = join(found, self.reader.label(when.condition, inner))
        self.reader.hearer = self.hearer
        return found

    def _let(self, each: s.Let, env: Environment) -> None:
        """A name among the conditions of an offer."""
        seat = self.reader.seat(each.value, env) if each.local.type.sort == "player" else None
        env.bind(each.local, self.reader.known(each.value, env), seat)

    def offer(
        self, offer: s.Offer, me: v.Local, seat: Seat | None, env: Environment
    ) -> Environment:
        """Look at one offer: all that it depends on must be known to whoever chooses."""
        inner = env.copy()
        inner.bind(me, KNOWN, seat)
        chooser = seat or SeatOf(me)
        self.reader.hearer = self.hears(chooser)
        for binder in offer.binders:
            label, inside = self.reader.passing(binder, inner)
            for part in (binder.domain, *binder.tests):
                self._check_part(part, inner, inside, chooser)
            element = inside.names[binder.element]
            self._offered(join(label, element.value), chooser, binder.mark)
            inner = inside
        for when in offer.whens:
            if isinstance(when, s.Let):
                self._let(when, inner)
                continue
            label = self.reader.label(when.condition, inner)
            self._offered(label, chooser, when.condition.mark)
        self._offered(self.ahead, chooser, offer.mark)
        if offer.text is not None and not self.trying:
            for gap in offer.text.gaps:
                self._check_words(gap, inner, chooser, offer)
        self.reader.hearer = self.hearer
        return inner

    def _check_part(
        self,
        part: v.Domain | v.Value,
        env: Environment,
        inside: Environment,
        chooser: Seat,
    ) -> None:
        """Tell of a part by itself, where its own mark says more."""
        if self.trying:
            return
        if isinstance(part, v.Domain):
            found = self.reader.through(part, env)
            self._offered(join(found.count, found.element.value), chooser, part.mark)
        else:
            self._offered(self.reader.label(part, inside), chooser, part.mark)

    def _offered(self, label: Label, chooser: Seat, mark: Mark, *, in_text: bool = False) -> None:
        if self.trying:
            self.outcome = join(self.outcome, label)
        elif not label.known_to(chooser) and not self._tests(label):
            self.teller.offer(label, mark, in_text=in_text)

    def _tests(self, label: Label) -> bool:
        """Rather of the chooser than of everybody, if it can be tested."""
        return self.tests_own(label, self.reader.hearer) or self.tests(label)

    def _check_words(self, gap: v.Value, env: Environment, chooser: Seat, offer: s.Offer) -> None:
        known = self.reader.known(gap, env)
        if not self.is_piece(gap.type):
            self._offered(known.value, chooser, gap.mark, in_text=True)
            return
        hidden = self.rules.ruleset.kinds[gap.type.name].hidden
        # That players know all of their own that they cannot see is hardly meant.
        tests = self.tests if self._is_own(gap, env, chooser, offer) else self._tests
        if not hidden and not known.face.known_to(chooser) and not tests(known.face):
            self.teller.words(known.face, gap.mark)

    def _is_own(self, gap: v.Value, env: Environment, chooser: Seat, offer: s.Offer) -> bool:
        """Whether words name a piece out of a place of whoever chooses."""
        named = bare(gap)
        for binder in offer.binders:
            if isinstance(named, v.LocalValue) and named.local is binder.element:
                found = owner_of(self.rules, binder.domain)
                owner = None if found is None else found[1]
                return owner is not None and self.reader.seat(owner, env) == chooser
        return False

    def chosen_body(self, action: s.Offer, env: Environment, why: Label) -> None:
        """What follows when a declared action is chosen."""
        self._chosen(action.body, env, action.binders, State(env, why))

    def _chosen(
        self, body: s.Body, inner: Environment, binders: tuple[v.Binder, ...], state: State
    ) -> Environment | None:
        """What follows a choice. What was chosen has been seen by all, unless it was sealed; of a
        piece that was chosen unseen they know where it lay."""
        for binder in binders:
            seen = self._seen_choice(binder.element.name, binder.mark)
            known = inner.names[binder.element]
            if self.is_piece(binder.element.type):
                known = Known(seen, seen, known.marks, known.face, known.inner)
            else:
                known = plain(seen)
            inner.names[binder.element] = self.reader.lasting(known)
            if binder.position is not None:
                inner.names[binder.position] = plain(seen)
            self._note_chosen(binder.element, binder)
        again = self._read_again(body, inner, state.why)
        after = self.body(body[again:], State(inner, state.why))
        return None if after is None else after.env

    def _read_again(self, body: s.Body, env: Environment, why: Label) -> int:
        """A body begins with names from among the conditions, as many as it uses. They mean what
        they meant to whoever chose, so all know them who did then or do now."""
        for number, each in enumerate(body):
            if not isinstance(each, s.Let) or each.local not in env.names:
                return number
            then = self.reader.lasting(env.names[each.local].under(why))
            self.body((each,), State(env, why))
            env.names[each.local] = either(env.names[each.local], then)
        return len(body)

    def _seen_choice(self, name: str, mark: Mark) -> Label:
        if self.trying or self.sealed is None:
            return OPEN
        return Label(frozenset((self.sealed,)), (Source("chosen", name, mark),))

    def _note_chosen(self, local: v.Local, line: s.Line | v.Binder) -> None:
        if self.sealed is None and not self.is_piece(local.type):
            self.chosen[local] = line

    def _offer_action(
        self, offered: s.Declared, each: s.Choose, seat: Seat | None, state: State
    ) -> Environment | None:
        action = self.rules.actions.get(offered.action)
        if action is None:
            return state.env
        names = {} if seat is None else {seat: SeatOf(action.me)}
        if self.trying:
            inner = self.offer(action, action.me, seat, Environment())
            self._chosen(action.body, inner, action.binders, State(inner, state.why))
        else:
            self._offered(self.ahead, seat or SeatOf(each.me), offered.mark)
            why = self.lasting(renamed(state.why, names))
            self.found.enter(f"action {offered.action}", (), why, state.env.revealed)
            if self.sealed is not None:
                self.found.sealed.add(offered.action)
        env = state.env.copy()
        env.bind(each.me, KNOWN, self.reader.stable(seat))
        env.added_to(self.summaries.action(offered.action).writes)
        for kind in self.found.stirs.get(f"action {offered.action}", ()):
            self.lose(kind, env, offered)
        env.revealed |= self.found.reveals.get(f"action {offered.action}", frozenset())
        for name, label in self.found.leaving.get(f"action {offered.action}", {}).items():
            self.leaving[name] = join(self.leaving.get(name, OPEN), label)
        after = self.body(offered.then, State(env, state.why))
        return None if after is None else after.env
