"""What can be said of the words of scenarios before they are played: which options and seats there
are. What an option means in a position is found out when it is asked there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.program.program import Program
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_count
from interpreter.tree import nodes
from interpreter.tree.walk import walk


def check_offers(program: Program, scenarios: Iterable[nodes.Scenario], problems: Problems) -> None:
    """Options that no choice has, and numbers that an argument can never be. Where a clause is
    cited for it, a number may be named just because it is never offered."""
    known = {action.name for action in program.actions}
    for node in (node for scenario in scenarios for node in walk(scenario)):
        match node:
            case nodes.Decision():
                _check_offer(program, known, node.offer, node.seats[0], problems)
            case nodes.Offers() if not (node.word == "may not" and node.cites):
                for offer in node.offers:
                    _check_offer(program, known, offer, node.seat, problems)
            case _:
                pass


def _check_offer(
    program: Program, known: set[str], offer: nodes.Offer, seat: str, problems: Problems
) -> None:
    verb = offer.verb
    if verb not in (*known, "choose"):
        near = did_you_mean(verb, known)
        if near is None:
            listed = ", ".join(f"`{name}`" for name in sorted(known - {"choose"})[:12])
            near = f"a value is answered with `{seat} chooses 2`"
            near = f"there is {listed}; {near}" if listed else near
        message = f"nothing that can be chosen is called `{verb}`"
        problems.error("RR273", message, offer.mark, help=near)
        return
    actions = [action for action in program.actions if action.name == verb]
    if verb == "choose" or len(actions) != 1:
        return
    params = actions[0].params
    for place, argument in enumerate(offer.arguments):
        called = argument.name or (params[place].name if place < len(params) else None)
        param = next((each for each in params if each.name == called), None)
        value = argument.value
        if param is None or param.type.sort != "int" or not isinstance(value, nodes.Number):
            continue
        if not param.type.low <= value.value <= param.type.high:
            message = f"`{value.value}` is nothing that `{param.name}` can be"
            problems.error("RR273", message, value.mark, help=f"`{param.name}` is {param.type}")


def check_seats(scenarios: Iterable[nodes.Scenario], most: int, problems: Problems) -> None:
    """Seats that the game never has."""
    for scenario in scenarios:
        for name, mark in _seats(scenario):
            if name[:1] == "P" and (read_count(name[1:]) or 0) > most:
                seats = f"P1 to P{most}" if most > 1 else "P1"
                message = f"there is no seat `{name}`"
                help_ = f"this game has at most {most} seats: {seats}"
                problems.error("RR272", message, mark, help=help_)


def _seats(scenario: nodes.Scenario) -> Iterator[tuple[str, Mark]]:
    for node in walk(scenario):
        match node:
            case nodes.Decision() | nodes.Seats():
                yield from ((name, node.mark) for name in node.seats)
            case nodes.Offers() | nodes.Sees() | nodes.Scores():
                yield node.seat, node.mark
            case nodes.Reads(seat=str(name)):
                yield name, node.mark
            case _:
                pass
