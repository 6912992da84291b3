"""The whole of a ruleset: every body is followed until nothing more is found, then it is told."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.report.problem import Problems
from interpreter.report.work import Work
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.effects import Summaries
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.flow import Flow
from interpreter.typed.knowledge.following import Found, State
from interpreter.typed.knowledge.labels import KNOWN, OPEN, SeatOf
from interpreter.typed.knowledge.naming import Facts, hideable_kinds
from interpreter.typed.knowledge.reading import Reader
from interpreter.typed.knowledge.showing import places_of
from interpreter.typed.knowledge.telling import Teller
from interpreter.typed.knowledge.trying import Trying
from interpreter.typed.stopping import statements_in


def check_knowledge(rules: r.Rules, summaries: Summaries, problems: Problems, work: Work) -> None:
    """Tell where an option, its words, a `say` or a sealed block would tell a secret. What the
    rules reveal at some time is taken to be revealed where it is told; `Rules.tested` says where
    that has to be tested while playing."""
    hideable = hideable_kinds(rules)
    if not hideable and not any(each.secret for each in rules.ruleset.variables.values()):
        return
    assigned = _assigned(rules)
    rules.revealed = _revealed(rules)
    before: dict[str, frozenset[str]] = {}
    while True:
        # What is tested, and what may have been revealed, makes more known: begin again with it.
        tests = len(rules.tested)
        facts = Facts(rules, work, hideable, assigned=assigned, tested=rules.tested)
        found = Found(before=before, reveals=_reveals(rules, summaries), grown=True)
        while found.grown and len(rules.tested) == tests:
            found.grown = False
            _follow(facts, found, Teller(rules.ruleset, None), summaries)
        revealed = {name: entry.revealed for name, entry in found.entries.items()}
        if len(rules.tested) == tests and revealed == before:
            break
        before = before | revealed
    _follow(facts, found, Teller(rules.ruleset, problems), summaries)


def _follow(facts: Facts, found: Found, teller: Teller, summaries: Summaries) -> None:
    """Once through all bodies, with what has been found so far."""
    rules = facts.rules
    reader = Reader(facts)
    tries = Trying(facts, reader, summaries)

    def new_flow() -> Flow:
        flow = Flow(facts, reader, found, teller, summaries)
        flow.tries = tries
        return flow

    for each in rules.setup:
        new_flow().body(each.body, State(Environment(), OPEN))
    if rules.play is not None:
        new_flow().body(rules.play.body, State(Environment(), OPEN))
    for name, procedure in rules.procedures.items():
        entry = found.entries.get(name)
        if entry is None:
            continue  # nothing leads there
        env = Environment(revealed=entry.revealed)
        for param, known in zip(procedure.params, entry.params, strict=True):
            env.bind(param, known)
        flow = new_flow()
        flow.body(procedure.body, State(env, entry.why))
        flow.leaving.pop(name, None)
        _leave(found, name, flow)
    for name, action in rules.actions.items():
        flow = new_flow()
        if name in found.sealed:
            flow.sealed = SeatOf(action.me)
        _action(flow, found, name, action)


def _action(flow: Flow, found: Found, name: str, action: s.Offer) -> None:
    """A declared action: it is looked at once, wherever it is offered."""
    entry = found.entries.get(f"action {name}")
    env = Environment(revealed=frozenset() if entry is None else entry.revealed)
    env.bind(action.me, KNOWN)
    flow.reader.revealed = env.revealed
    inner = flow.offer(action, action.me, SeatOf(action.me), env)
    flow.chosen_body(action, inner, OPEN if entry is None else entry.why)
    _leave(found, f"action {name}", flow)


def _leave(found: Found, name: str, flow: Flow) -> None:
    left = {each: label for each, label in flow.leaving.items() if not label.is_open}
    if left != found.leaving.get(name, {}):
        found.leaving[name] = left
        found.grown = True


def _revealed(rules: r.Rules) -> frozenset[str]:
    """The places whose pieces the rules show to all at some time."""
    return frozenset(
        name
        for each in _statements(rules)
        if isinstance(each, s.Reveal) and each.to is None
        for name in places_of(rules, each)
    )


def _reveals(rules: r.Rules, summaries: Summaries) -> dict[str, frozenset[str]]:
    """What each procedure and action may reveal, also through what it calls."""
    bodies = {name: each.body for name, each in rules.procedures.items()}
    bodies |= {f"action {name}": each.body for name, each in rules.actions.items()}
    own = {
        name: frozenset(
            place
            for each in statements_in(body)
            if isinstance(each, s.Reveal) and each.to is None
            for place in places_of(rules, each)
        )
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


def _assigned(rules: r.Rules) -> frozenset[v.Local]:
    """Names that are given another value somewhere."""
    return frozenset(
        each.target
        for each in _statements(rules)
        if isinstance(each, s.Assign | s.AssignRandom) and isinstance(each.target, v.Local)
    )


def _statements(rules: r.Rules) -> Iterator[s.Statement]:
    for setup in rules.setup:
        yield from statements_in(setup.body)
    if rules.play is not None:
        yield from statements_in(rules.play.body)
    for procedure in rules.procedures.values():
        yield from statements_in(procedure.body)
    for action in rules.actions.values():
        yield from statements_in(action.body)
