"""The whole of a ruleset: every body is followed until nothing more is found, then it is told."""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.flow import Flow
from interpreter.typed.knowledge.following import Found, State
from interpreter.typed.knowledge.labels import KNOWN, OPEN, SeatOf
from interpreter.typed.knowledge.reading import Facts, Reader, hideable_kinds
from interpreter.typed.knowledge.telling import Teller
from interpreter.typed.knowledge.trying import Trying
from interpreter.typed.stopping import statements_in


def check_knowledge(rules: r.Rules, problems: Problems) -> None:
    """Tell where an option, its words, a `say` or a sealed block would tell a secret."""
    facts = Facts(rules, hideable_kinds(rules), assigned=_assigned(rules))
    if not facts.hideable and not any(each.secret for each in rules.ruleset.variables.values()):
        return
    found = Found()
    while True:
        found.grown = False
        _follow(facts, found, Teller(None))
        if not found.grown:
            break
    _follow(facts, found, Teller(problems))


def _follow(facts: Facts, found: Found, teller: Teller) -> None:
    """Once through all bodies, with what has been found so far."""
    rules = facts.rules
    reader = Reader(facts)
    tries = Trying(facts, reader)

    def new_flow() -> Flow:
        flow = Flow(facts, reader, found, teller)
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
        env = Environment()
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
    env = Environment()
    env.bind(action.me, KNOWN)
    inner = flow.offer(action, action.me, SeatOf(action.me), env)
    flow.chosen_body(action, inner, OPEN if entry is None else entry.why)
    _leave(found, f"action {name}", flow)


def _leave(found: Found, name: str, flow: Flow) -> None:
    left = {each: label for each, label in flow.leaving.items() if not label.is_open}
    if left != found.leaving.get(name, {}):
        found.leaving[name] = left
        found.grown = True


def _assigned(rules: r.Rules) -> frozenset[v.Local]:
    """Names that are given another value somewhere."""
    bodies = [each.body for each in rules.setup]
    bodies += [each.body for each in rules.procedures.values()]
    bodies += [each.body for each in rules.actions.values()]
    bodies += [] if rules.play is None else [rules.play.body]
    return frozenset(
        each.target
        for body in bodies
        for each in statements_in(body)
        if isinstance(each, s.Assign | s.AssignRandom) and isinstance(each.target, v.Local)
    )
