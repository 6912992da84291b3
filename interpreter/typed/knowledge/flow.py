"""What is known of the names of a body, followed from statement to statement.

A body is gone through with what is known at its beginning (`Environment`) and the label of what
decided that it is carried out (`why`). Loops are gone through until nothing more is found. What is
shown in sight of others is known to them from then on: a piece that is revealed, or moved to an
open place. Names are followed exactly; procedures are followed by what is known of their
parameters in all calls together.
"""

from __future__ import annotations

from typing import assert_never

from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.knowledge.choices import Choices
from interpreter.typed.knowledge.environment import Environment, joined
from interpreter.typed.knowledge.following import State
from interpreter.typed.knowledge.labels import (
    KNOWN,
    OPEN,
    Known,
    Label,
    Seat,
    SeatOf,
    both,
    join,
    kept_long,
    renamed,
    within,
)  # fmt: skip
from interpreter.typed.knowledge.reading import OWNER
from interpreter.typed.knowledge.showing import Showing, is_drawn_blindly, surely_shows
from interpreter.typed.seats import bare
from interpreter.typed.stopping import asks_surely, statements_in
from interpreter.typed.walk import walk


class Flow(Choices, Showing):
    """Every statement; names, loops and calls are its own."""

    # ---- bodies

    def body(self, statements: s.Body, state: State) -> State | None:
        """What is known after some statements; None if nothing comes after them."""
        found: State | None = state
        for each in statements:
            if found is None:
                return None
            found = self.statement(each, found)
        return found

    def block(self, statements: s.Body, state: State) -> State | None:
        """The same for an inner block, whose names end with it."""
        after = self.body(statements, State(state.env.copy(), state.why))
        if after is None:
            return None
        return State(after.env.limited_to(state.env), after.why)

    def statement(self, each: s.Statement, state: State) -> State | None:
        env = state.env
        self.reader.revealed, self.reader.hearer = env.revealed, self.hearer
        match each:
            case s.Let():
                known = self.reader.known(each.value, env).under(state.why)
                self._bind(each.local, known, each.value, env)
            case s.Assign():
                self._assign(each.target, each.value, each, state)
            case s.Remember():
                self._remember(each, state)
            case s.AssignRandom():
                self._assign_random(each, state)
            case s.Do():
                return self._do(each, state)
            case s.Jump():
                if each.word != "skip":
                    self.ending = join(self.ending, state.why)
                return None
            case s.Leave():
                old = self.leaving.get(each.name, OPEN)
                self.leaving[each.name] = join(old, state.why)
                return None
            case s.If():
                return self._if(each, state)
            case s.ForEach():
                return self._for_each(each, state)
            case s.Repeat():
                return self._repeat(each, state)
            case s.Turns():
                return self._turns(each, state)
            case s.Sealed():
                return self._sealed(each, state)
            case s.LookingAhead():
                return self._looking_ahead(each, state)
            case s.Choose():
                return self.choose(each, state)
            case s.Shuffle():
                self.lose(each.place.place.kind, env, each)
            case s.Draw():
                self.decides(self.reader.label(each.amount, env), each)
                if is_drawn_blindly(each.source.place):
                    self.lose(each.source.place.kind, env, each)
                self.add_to(each.target, env)
            case s.Move():
                self.move(each, env)
            case s.MoveAll():
                self.move_all(each, env)
            case s.MoveSome():
                self.decides(self.reader.label(each.amount, env), each)
            case s.Roll():
                pass
            case s.Reveal():
                self.reveal(each, env)
            case s.Hide():
                self.hide(each, env)
            case s.Wins() | s.EndGame():
                return None
            case s.Say():
                self.say(each, env, state.why)
            case _:
                assert_never(each)
        return state

    # ---- names and variables

    def _bind(self, local: v.Local, known: Known, value: v.Value, env: Environment) -> None:
        seat: Seat | None = None
        if local.type.sort == "player" and local not in self.facts.assigned:
            seat = self.reader.stable(self.reader.seat(value, env))
        env.bind(local, self.reader.lasting(known), seat)

    def _assign(
        self, target: s.Entry | v.Local, value: v.Value, line: s.Line, state: State
    ) -> None:
        known = self.reader.known(value, state.env).under(state.why)
        if isinstance(target, v.Local):
            state.env.names[target] = self.reader.lasting(known)
            return
        variable = target.variable
        if self.trying:
            label = join(known.value, known.face)
            old = self.facts.tried.get(variable.name, OPEN)
            self.facts.tried[variable.name] = join(old, label)
        elif variable.secret and self.sealed is None and known.value.is_open:
            self._check_open_choice(variable.name, value, line)
            for index in target.indexes if variable.unseen else ():
                self._check_open_chance(variable.name, index, line)
        if variable.type.sort == "kind" and variable.type.name in self.facts.hideable:
            self._keep_piece(target, known, state.env)

    def _remember(self, each: s.Remember, state: State) -> None:
        variable = each.target.variable
        label = join(self.reader.seen(each.kept, state.env), state.why)
        if self.trying:
            old = self.facts.tried.get(variable.name, OPEN)
            self.facts.tried[variable.name] = join(old, label)
        elif not variable.secret and not label.is_open:
            self.teller.remembered(label, variable.name, each.mark)

    def _check_open_choice(self, name: str, value: v.Value, line: s.Line) -> None:
        for part in walk(value):
            if isinstance(part, v.LocalValue) and part.local in self.chosen:
                self.teller.open_choice(name, self.chosen[part.local].mark, line.mark)
        self._check_open_chance(name, value, line)

    def _check_open_chance(self, name: str, value: v.Value, line: s.Line) -> None:
        for part in walk(value):
            if isinstance(part, v.LocalValue) and part.local in self.drawn:
                self.teller.open_chance(name, self.drawn[part.local].mark, line.mark)

    def _keep_piece(self, target: s.Entry, known: Known, env: Environment) -> None:
        """What is known of a piece in a variable: of all pieces that are ever put there."""
        name = target.variable.name
        names: dict[Seat, Seat] = {}
        if target.indexes and target.indexes[0].type.sort == "player":
            seat = self.reader.seat(target.indexes[0], env)
            if seat is not None:
                names[seat] = SeatOf(OWNER)
        old = self.facts.pieces.get(name, KNOWN)
        new = both(old, known.each(lambda label: kept_long(renamed(label, names))))
        if new != old:
            self.facts.pieces[name] = new
            self.facts.calls.clear()
            self.found.all_again = True

    def _assign_random(self, each: s.AssignRandom, state: State) -> None:
        label, inner = self.reader.passing(each.binder, state.env)
        self.decides(label, each)
        is_seen = isinstance(each.target, v.Local) or not each.target.variable.secret
        if is_seen and not self.trying and not self.is_piece(each.binder.element.type):
            if not label.is_open and not self.tests(label):
                self.teller.drawn(label, each.mark)
            if isinstance(each.target, v.Local):
                self.drawn[each.target] = each
        value = inner.names[each.binder.element].under(join(label, state.why))
        if isinstance(each.target, v.Local):
            state.env.names[each.target] = self.reader.lasting(value)
        elif each.target.variable.type.name in self.facts.hideable:
            self._keep_piece(each.target, value, state.env)

    # ---- flow

    def _do(self, each: s.Do, state: State) -> State | None:
        procedure = self.rules.procedures.get(each.procedure)
        if procedure is None:
            return state  # it could not be understood, and that is told
        env = state.env
        known = tuple(self.reader.known(argument, env) for argument in each.arguments)
        if self.trying:
            assert self.tries is not None
            self.tries.call(procedure, each.arguments, known, state, self)
        else:
            names = self._names_inside(procedure.params, each.arguments, env)
            params = tuple(k.each(lambda label: renamed(label, names)) for k in known)
            why = renamed(state.why, names)
            self.found.enter(each.procedure, params, why, env.revealed)
            self._show_arguments(procedure, each.arguments, env)
        left = self.found.leaving.get(each.procedure, {})
        why = join(state.why, *left.values())
        for name, label in left.items():
            self.leaving[name] = join(self.leaving.get(name, OPEN), label)
        env.added_to(self.summaries.procedure(each.procedure).writes)
        for kind in self.found.stirs.get(each.procedure, ()):
            self.lose(kind, env, each)
        env.revealed |= self.found.reveals.get(each.procedure, frozenset())
        return State(env, why)

    def _names_inside(
        self, params: tuple[v.Local, ...], given: tuple[v.Value, ...], env: Environment
    ) -> dict[Seat, Seat]:
        """What seats of this body are called in a body that they are handed to."""
        found: dict[Seat, Seat] = {}
        for param, value in zip(params, given, strict=True):
            seat = self.reader.seat(value, env) if value.type.sort == "player" else None
            if seat is not None:
                found.setdefault(seat, SeatOf(param))
        return found

    def _show_arguments(
        self, procedure: r.Procedure, given: tuple[v.Value, ...], env: Environment
    ) -> None:
        """A procedure that surely moves a piece into the open, or reveals it, has shown it."""
        for param, value in zip(procedure.params, given, strict=True):
            local = bare(value)
            if isinstance(local, v.LocalValue) and surely_shows(self.rules, procedure, param):
                self.shown(local.local, None, env)

    def _if(self, each: s.If, state: State) -> State | None:
        asked = state.why
        ways: list[Environment] = []
        jumps = False
        env = state.env
        for arm in each.arms:
            test = self.reader.label(arm.condition, env)
            self.decides(test, arm)
            asked = join(asked, test)
            after = self.block(arm.body, State(env, asked))
            jumps |= after is None and not self._ends_game(arm.body)
            ways += [] if after is None else [after.env]
        after = self.block(each.otherwise or (), State(env, asked))
        jumps |= after is None and not self._ends_game(each.otherwise or ())
        ways += [] if after is None else [after.env]
        found = joined(ways)
        if found is None:
            return None
        # Who sees what is done here learns that no other way was taken.
        return State(found, asked if jumps else state.why)

    def _ends_game(self, body: s.Body) -> bool:
        """Whether a body can only end the game: all see that it has, or that it goes on, and
        learn no more from what comes after."""
        return (
            not self.trying
            and bool(body)
            and isinstance(body[-1], (s.Wins, s.EndGame))
            and not any(isinstance(part, (s.Jump, s.Leave, s.Do)) for part in statements_in(body))
        )

    def _loop(self, body: s.Body, state: State, env: Environment, label: str | None) -> State:
        """Go through the body of a loop until nothing more is found. `env` has its names."""
        outer, ending = self.leaving, self.ending
        self.leaving, self.ending = {}, OPEN
        before, why = state.env, state.why
        while True:
            after = self.body(body, State(env.copy(), why))
            again = before if after is None else before.joined(after.env.limited_to(before))
            # Who sees another pass begin learns that no earlier one has ended the loop.
            ended = within(join(self.ending, *self.leaving.values()), before.names)
            reached = self.lasting(join(state.why, ended))
            if again == before and reached == why:
                break
            before, why = again, reached
            env = _with_names(env, before)
        self.ending = ending
        if label is not None:
            self.leaving.pop(label, None)
        inside = self.leaving
        self.leaving = outer
        for name, left in inside.items():
            self.leaving[name] = join(self.leaving.get(name, OPEN), left)
        return State(before, join(state.why, *inside.values()))

    def _for_each(self, each: s.ForEach, state: State) -> State | None:
        label, inner = self.reader.passing(each.binder, state.env)
        known = inner.names[each.binder.element]
        if each.keys is not None:  # the order of the elements tells of their keys
            keys = self.reader.labels((key.value for key in each.keys.keys), inner)
            known = both(known, Known(keys, keys, OPEN, OPEN, OPEN))
            label = join(label, keys)
        self.decides(label, each)
        inner.bind(each.binder.element, self.reader.lasting(known))
        why = self.lasting(join(state.why, label))
        after = self._loop(each.body, State(state.env, why), inner, each.label)
        if isinstance(each.binder.domain, v.AllPlayers) and label.is_open:
            self._reveal_of_all(each, inner, after)
        return State(after.env, join(state.why, self._beyond(after.why, why)))

    def _reveal_of_all(self, each: s.ForEach, inner: Environment, after: State) -> None:
        """What each player in turn has revealed, all have revealed."""
        if each.binder.tests:
            return
        once = self.body(each.body, State(inner.copy(), after.why))
        own = SeatOf(each.binder.element)
        for (place, owner), label in () if once is None else once.env.shown.items():
            if owner == own and label.is_open:
                after.env.shown[place, "every"] = OPEN

    def _beyond(self, after: Label, why: Label) -> Label:
        """What leaving a loop adds to the reason why it is gone through."""
        return OPEN if after == why else after

    def _repeat(self, each: s.Repeat, state: State) -> State | None:
        why = state.why
        if each.value is not None:
            label = self.reader.label(each.value, state.env)
            self.decides(label, each)
            why = self.lasting(join(why, label))
        after = self._loop(each.body, State(state.env, why), state.env.copy(), each.label)
        return State(after.env, join(state.why, self._beyond(after.why, why)))

    def _turns(self, each: s.Turns, state: State) -> State | None:
        inner = state.env.copy()
        inner.bind(each.seat)
        why = state.why
        if each.where is not None:
            label = self.reader.label(each.where, inner)
            self.decides(label, each)
            why = self.lasting(join(why, label))
        after = self._loop(each.body, State(state.env, why), inner, each.label or "turn")
        return State(after.env, join(state.why, self._beyond(after.why, why)))

    def _sealed(self, each: s.Sealed, state: State) -> State | None:
        inner = state.env.copy()
        inner.bind(each.seat)
        if each.where is not None:
            label = self.reader.label(each.where, inner)
            if not label.is_open and not self.tests(label):
                self.teller.asked(label, each.where.mark)
        outer, self.sealed = self.sealed, SeatOf(each.seat)
        self.hearer = self.hears(self.sealed)
        self.surely_asked = asks_surely(each.body, self.rules)
        after = self.body(each.body, State(inner, state.why))
        self.sealed, self.hearer = outer, None
        return state if after is None else State(after.env.limited_to(state.env), state.why)

    def _looking_ahead(self, each: s.LookingAhead, state: State) -> State | None:
        if self.trying:
            return self.body(each.body, state)
        assert self.tries is not None
        outer = self.ahead
        self.ahead = join(outer, self.tries.block(each.body, state.env))
        after = self.body(each.body, state)
        self.ahead = outer
        return after


def _with_names(env: Environment, outer: Environment) -> Environment:
    """The environment of a loop's body, with what is known by now of the names around it."""
    found = env.copy()
    found.names.update(outer.names)
    found.shown = dict(outer.shown)
    return found
