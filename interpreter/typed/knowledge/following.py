"""What all parts of following a body share: a point of it, what was found, and who is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from interpreter.model.types import Type
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.effects import Summaries
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.labels import (
    KNOWN,
    OPEN,
    Hearer,
    Known,
    Label,
    Seat,
    Source,
    both,
    join,
    plain,
)  # fmt: skip
from interpreter.typed.knowledge.naming import Facts
from interpreter.typed.knowledge.reading import Reader
from interpreter.typed.knowledge.telling import Teller
from interpreter.typed.seats import bare


@dataclass(slots=True)
class Entry:
    """What is known when a procedure or action begins, in all calls together."""

    params: tuple[Known, ...]
    why: Label = OPEN
    revealed: frozenset[str] = frozenset()


@dataclass(slots=True)
class State:
    """One point of a body. `why`: the label of what decided that it is reached."""

    env: Environment
    why: Label


@dataclass(slots=True)
class Found:
    """What going through all bodies has found out so far; it only grows."""

    entries: dict[str, Entry] = field(default_factory=dict)
    leaving: dict[str, dict[str, Label]] = field(default_factory=dict)  # of procedures
    reveals: dict[str, frozenset[str]] = field(default_factory=dict)  # what bodies may reveal
    stirs: dict[str, frozenset[str]] = field(default_factory=dict)  # kinds they move out of sight
    sealed: set[str] = field(default_factory=set)  # actions that are offered in sealed blocks
    waiting: dict[str, None] = field(default_factory=dict)  # bodies that begin with more known
    hearers: int = 0  # for whom something was read, one after the other
    all_again: bool = False  # something was found that may matter to every body

    def enter(
        self, name: str, params: tuple[Known, ...], why: Label, revealed: frozenset[str]
    ) -> None:
        old = self.entries.get(name)
        known = params
        if old is not None:
            known = tuple(both(one, new) for one, new in zip(old.params, params, strict=True))
            why, revealed = join(old.why, why), old.revealed | revealed
        self.entries[name] = Entry(known, why, revealed)
        if old != self.entries[name]:
            self.waiting[name] = None


class Tries(Protocol):
    """Whoever finds out what decides whether something can be carried out (trying.py)."""

    def block(self, body: s.Body, env: Environment) -> Label: ...

    def call(
        self,
        procedure: r.Procedure,
        arguments: tuple[v.Value, ...],
        known: tuple[Known, ...],
        state: State,
        flow: Following,
    ) -> None: ...


class Following:
    """Goes through a body. `trying`: on a copy of the game, where nothing is shown to anybody, and
    where only it counts whether all of it can be carried out (`outcome`)."""

    def __init__(
        self,
        facts: Facts,
        reader: Reader,
        found: Found,
        teller: Teller,
        summaries: Summaries,
        *,
        trying: bool = False,
    ) -> None:
        self.facts = facts
        self.summaries = summaries
        self.reader = reader
        self.found = found
        self.teller = teller
        self.trying = trying
        self.outcome = OPEN
        self.rules = facts.rules
        self.sealed: Seat | None = None
        self.hearer: Hearer | None = None  # of a sealed block: for whom all in it is read
        self.surely_asked = False  # whether a sealed block asks every seat, whatever is secret
        self.ahead = OPEN  # what decides whether an option leads to the end of `looking ahead`
        self.leaving: dict[str, Label] = {}
        self.ending = OPEN  # what decides whether the innermost loop ends early
        # What everybody has seen somebody choose, and chance bring.
        self.chosen: dict[v.Local, s.Line | v.Binder] = {}
        self.drawn: dict[v.Local, s.Line] = {}
        self.tries: Tries | None = None

    def body(self, statements: s.Body, state: State) -> State | None:
        """What is known after some statements; None if nothing comes after them (flow.py)."""
        raise NotImplementedError

    def decides(self, label: Label, line: s.Line) -> None:
        """Something that decides what happens next."""
        if self.trying:
            self.outcome = join(self.outcome, label)
        elif self.sealed is None or label.known_to(self.sealed):
            return
        elif not self.tests_own(label, self.hearer) and not self.tests(label):
            self.teller.offer(label, line.mark, sealed=True)

    def tests(self, label: Label) -> bool:
        """Whether it can be tested while playing that everybody knows what a label speaks of; then
        it is."""
        marks = [each.test for each in label.sources if each.test is not None]
        if not marks or len(marks) < len(label.sources):
            return False
        self.facts.tested.update(marks)
        return True

    def tests_own(self, label: Label, hearer: Hearer | None) -> bool:
        """Whether it can be tested of some of what a label speaks of that the one knows it for whom
        it is read; then it is. All is followed again after that, and what is left is told then."""
        own = [each.own for each in label.sources if each.own is not None]
        marks = [mark for number, mark in own if hearer is not None and number == hearer.number]
        self.facts.tested_own.update(marks)
        return bool(marks)

    def hears(self, seat: Seat) -> Hearer | None:
        """What is read from now on is read for a seat. Nobody needs to know of whom, in rules that
        show nothing to a single player."""
        if self.trying or not self.rules.told:
            return None
        if self.hearer is not None and self.hearer.seat == seat:
            return self.hearer
        self.found.hearers += 1
        return Hearer(self.found.hearers, seat)

    def seen(self, value: v.Value, env: Environment) -> None:
        """Everybody has seen which one is meant by a name."""
        found = bare(value)
        if isinstance(found, v.LocalValue) and not self.trying and found.local in env.names:
            env.names[found.local] = KNOWN

    def lose(self, kind: str, env: Environment, line: s.Line) -> None:
        """Nobody can tell any more where a piece lies that may have been shuffled."""
        if kind not in self.facts.hideable:
            return
        lost = Label(frozenset(), (Source("whereabouts", kind, line.mark),))
        for local, known in env.names.items():
            if local.type.sort == "kind" and local.type.name == kind:
                env.names[local] = Known(known.value, lost, lost, known.face, known.inner)

    def is_piece(self, type_: Type) -> bool:
        """Whether there may be somebody who does not know a value of this type."""
        return type_.sort == "kind" and type_.name in self.facts.hideable

    def lasting(self, label: Label) -> Label:
        return self.reader.lasting(plain(label)).value
