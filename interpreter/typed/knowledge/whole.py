"""The whole of a ruleset: every body is followed until nothing more is found, then it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from interpreter.report.problem import Problem, Problems
from interpreter.report.work import Work
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.effects import Summaries
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.flow import Flow
from interpreter.typed.knowledge.following import Entry, Found, State
from interpreter.typed.knowledge.labels import KNOWN, OPEN, SeatOf
from interpreter.typed.knowledge.naming import Facts, hideable_kinds
from interpreter.typed.knowledge.reading import Reader
from interpreter.typed.knowledge.showing import places_of, stirred_by
from interpreter.typed.knowledge.telling import Teller
from interpreter.typed.knowledge.told import told_places
from interpreter.typed.knowledge.trying import Trying
from interpreter.typed.seats import bare
from interpreter.typed.stopping import statements_in
from interpreter.typed.walk import all_bodies


def check_knowledge(rules: r.Rules, summaries: Summaries, problems: Problems, work: Work) -> None:
    """Tell where an option, its words, a `say` or a sealed block would tell a secret. What the
    rules reveal at some time is taken to be revealed where it is told; `Rules.tested` says where
    that has to be tested while playing."""
    hideable = hideable_kinds(rules)
    if not hideable and not any(each.secret for each in rules.ruleset.variables.values()):
        return
    rules.revealed = frozenset(name for each in _statements(rules) for name in _shows(rules, each))
    rules.told = told_places(rules)
    assigned = _assigned(rules, summaries)
    reveals = _throughout(rules, summaries, lambda each: _shows(rules, each))
    stirs = _throughout(rules, summaries, stirred_by)
    while True:
        tests = len(rules.tested) + len(rules.tested_own)
        facts = Facts(
            rules,
            work,
            hideable,
            assigned=assigned,
            tested=rules.tested,
            tested_own=rules.tested_own,
        )
        bodies = _Bodies(facts, Found(reveals=reveals, stirs=stirs), summaries)
        bodies.follow_all()
        if len(rules.tested) + len(rules.tested_own) == tests:
            break  # else more is known, where that is tested: begin again with it
    problems.extend(bodies.told())


def _opened(rules: r.Rules) -> Iterator[tuple[str, str]]:
    """Secret variables that are given to open ones somewhere, with those."""
    for body in all_bodies(rules):
        for each in statements_in(body):
            if isinstance(each, s.Assign) and isinstance(each.target, s.Entry):
                value = bare(each.value)
                opened = each.target.variable
                if not isinstance(value, v.Read) or opened.secret:
                    continue
                if opened.dimensions == value.variable.dimensions:
                    yield value.variable.name, opened.name


class _Bodies:
    """All bodies: each is followed again when more is found out about how it begins."""

    def __init__(self, facts: Facts, found: Found, summaries: Summaries) -> None:
        self.facts = facts
        self.rules = facts.rules
        self.found = found
        self.summaries = summaries
        self.reader = Reader(facts)
        self.tries = Trying(facts, self.reader, summaries)
        self.problems: dict[str, Problems] = {}
        self.opened = dict(_opened(self.rules))

    def follow_all(self) -> None:
        found, first = self.found, True
        while first or found.all_again:
            first = found.all_again = False
            for number, setup in enumerate(self.rules.setup):
                self._flow(f"setup {number}").body(setup.body, State(Environment(), OPEN))
            if self.rules.play is not None:
                self._flow("play").body(self.rules.play.body, State(Environment(), OPEN))
            found.waiting |= dict.fromkeys(f"action {name}" for name in self.rules.actions)
            found.waiting |= dict.fromkeys(found.entries)
            while found.waiting:
                name = next(iter(found.waiting))
                del found.waiting[name]
                if name.startswith("action "):
                    self._action(name, self.rules.actions[name.removeprefix("action ")])
                else:
                    self._procedure(self.rules.procedures[name])

    def told(self) -> list[Problem]:
        return [problem for each in self.problems.values() for problem in each.items()]

    def _flow(self, name: str) -> Flow:
        """What was told of this body before was said with less in mind."""
        self.problems[name] = Problems()
        teller = Teller(self.rules.ruleset, self.problems[name], self.opened, self.rules.told)
        flow = Flow(self.facts, self.reader, self.found, teller, self.summaries)
        flow.tries = self.tries
        return flow

    def _procedure(self, procedure: r.Procedure) -> None:
        entry = self.found.entries[procedure.name]
        env = Environment(revealed=entry.revealed)
        for param, known in zip(procedure.params, entry.params, strict=True):
            env.bind(param, known)
        flow = self._flow(procedure.name)
        flow.body(procedure.body, State(env, entry.why))
        flow.leaving.pop(procedure.name, None)
        self._leave(procedure.name, flow)

    def _action(self, name: str, action: s.Offer) -> None:
        """A declared action: it is looked at once, wherever it is offered."""
        entry = self.found.entries.get(name) or Entry(())
        flow = self._flow(name)
        if action.name in self.found.sealed:
            flow.sealed = SeatOf(action.me)
        env = Environment(revealed=entry.revealed)
        env.bind(action.me, KNOWN)
        self.reader.revealed = env.revealed
        inner = flow.offer(action, action.me, SeatOf(action.me), env)
        flow.chosen_body(action, inner, entry.why)
        self._leave(name, flow)

    def _leave(self, name: str, flow: Flow) -> None:
        left = {each: label for each, label in flow.leaving.items() if not label.is_open}
        if left != self.found.leaving.get(name, {}):
            self.found.leaving[name] = left
            self.found.all_again = True


def _shows(rules: r.Rules, each: s.Statement) -> frozenset[str]:
    if isinstance(each, s.Reveal) and each.to is None:
        return places_of(rules, each)
    return frozenset()


def _throughout(
    rules: r.Rules, summaries: Summaries, does: Callable[[s.Statement], Iterable[str]]
) -> dict[str, frozenset[str]]:
    """What the statements of each procedure and action may do, also through what it calls."""
    bodies = {name: each.body for name, each in rules.procedures.items()}
    bodies |= {f"action {name}": each.body for name, each in rules.actions.items()}
    own = {
        name: frozenset(name for each in statements_in(body) for name in does(each))
        for name, body in bodies.items()
    }
    found: dict[str, frozenset[str]] = {}
    for name, body in bodies.items():
        called = {
            f"action {callee}" if word == "action" else callee
            for word, callee in summaries.reachable(body)
            if word in ("action", "procedure")
        }
        found[name] = own[name].union(*(own[each] for each in called))
    return found


def _assigned(rules: r.Rules, summaries: Summaries) -> frozenset[v.Local]:
    """Names that are given another value somewhere."""
    return frozenset(
        each
        for body in all_bodies(rules)
        for each in summaries.of(body).writes
        if isinstance(each, v.Local)
    )


def _statements(rules: r.Rules) -> Iterator[s.Statement]:
    for body in all_bodies(rules):
        yield from statements_in(body)
