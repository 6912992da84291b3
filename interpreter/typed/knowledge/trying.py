"""What `can`, `looking ahead` and `(... after ...)` depend on.

They try something out on a copy of the game. Nobody sees what happens there: what is revealed on
the copy is not revealed, and a secret that is given to an open variable there is still a secret.
So the bodies are followed once more, in the words of whoever tries, and everything counts that
decides whether they can be carried through: conditions, what is gone through, and whether there is
something to choose.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.effects import Summaries
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.flow import Flow
from interpreter.typed.knowledge.following import Following, Found, State
from interpreter.typed.knowledge.labels import OPEN, Known, Label, read_through
from interpreter.typed.knowledge.naming import Facts
from interpreter.typed.knowledge.reading import Reader
from interpreter.typed.knowledge.telling import Teller


class Trying:
    def __init__(self, facts: Facts, reader: Reader, summaries: Summaries) -> None:
        self.facts = facts
        self.summaries = summaries
        self.reader = reader
        self.gone: set[object] = set()  # procedures that have been followed, with what they get
        reader.trial = self.can
        reader.afterwards = self.what_if

    def can(self, can: v.Can, env: Environment) -> Label:
        return self._outcome(lambda flow: self._steps(can.steps, env, flow))

    def what_if(self, value: v.WhatIf, env: Environment) -> Known:
        """What is known of a value after some steps: it depends on what these have changed, and on
        all that decided what they do. Nothing in it is tested while playing whether it was
        revealed, for what the steps put in the open is not there."""

        def run(flow: Flow) -> None:
            self._steps(value.steps, env, flow)
            inner = env.copy()
            for step in value.steps:
                inner.added_to(self.summaries.procedure(step.procedure).writes)
            reader = self.reader
            revealed, reader.revealed = reader.revealed, frozenset()
            testing, reader.testing = reader.testing, False
            found.append(reader.known(value.value, inner))
            reader.revealed, reader.testing = revealed, testing

        found: list[Known] = []
        outcome = self._outcome(run)
        return found[-1].each(lambda label: read_through(label, None)).under(outcome)

    def _steps(self, steps: tuple[v.Step, ...], env: Environment, flow: Flow) -> None:
        state = State(env.copy(), OPEN)
        for step in steps:
            procedure = self.facts.rules.procedures.get(step.procedure)
            if procedure is not None:
                known = tuple(self.reader.known(each, state.env) for each in step.arguments)
                self.call(procedure, step.arguments, known, state, flow)

    def block(self, body: s.Body, env: Environment) -> Label:
        def run(flow: Flow) -> None:
            flow.body(body, State(env.copy(), OPEN))

        return self._outcome(run)

    def _outcome(self, run: Callable[[Flow], None]) -> Label:
        """Try until no more is found that could have been changed on the copy."""
        outer, gone, hearer = self.facts.tried, self.gone, self.reader.hearer
        self.facts.tried = dict(outer)
        while True:
            before = dict(self.facts.tried)
            self.gone = set()
            flow = Flow(
                self.facts,
                self.reader,
                Found(),
                Teller(self.facts.rules.ruleset, None),
                self.summaries,
                trying=True,
            )
            flow.tries = self
            self.reader.hearer = None  # nobody knows a piece for what is shown on a copy
            run(flow)
            if self.facts.tried == before:
                break
        self.facts.tried, self.gone, self.reader.hearer = outer, gone, hearer
        return read_through(flow.outcome, None)  # what is revealed on a copy is not revealed

    def call(
        self,
        procedure: r.Procedure,
        arguments: tuple[v.Value, ...],
        known: tuple[Known, ...],
        state: State,
        flow: Following,
    ) -> None:
        seats = tuple(
            self.reader.seat(each, state.env) if each.type.sort == "player" else None
            for each in arguments
        )
        key = (procedure.name, known, seats, state.why)
        if key in self.gone:
            return
        self.gone.add(key)
        inner = Environment()
        for param, each, seat in zip(procedure.params, known, seats, strict=True):
            inner.bind(param, each, seat)
        flow.body(procedure.body, State(inner, state.why))
