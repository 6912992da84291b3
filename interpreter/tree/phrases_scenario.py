"""The lines of a scenario as pieces."""

from __future__ import annotations

from typing import assert_never

from interpreter.tree import nodes
from interpreter.tree.phrases import SUM, say_domain, say_names, say_value
from interpreter.tree.pieces import Bracket, Pieces, listed


def say_scenario(node: nodes.Scenario) -> Pieces:
    after = "" if node.beginning is None else f' after "{node.beginning}"'
    return (f'scenario "{node.title}"{after}',)


def say_head(node: nodes.Head) -> Pieces:
    name = "" if node.name is None else f" {node.name} ="
    values = (" ", *listed(_say_one(each) for each in node.values)) if node.values else ()
    return (f"{node.word}{name}", *values)


def _say_one(value: nodes.Expr | nodes.Range) -> Pieces:
    return say_domain(value) if isinstance(value, nodes.Range) else say_value(value)


def say_steps(node: nodes.NamedSteps) -> Pieces:
    return (f"steps {node.name}", *(say_names(node.params) if node.params else ()))


def say_step(node: nodes.Step) -> Pieces:
    match node:
        case nodes.Outcome():
            return (f"{node.word} ", *listed(say_value(value, SUM) for value in node.values))
        case nodes.StepCall():
            return _say_call(node.name, node.arguments)
        case nodes.Decision():
            seats, offer = ", ".join(node.seats), node.offer
            times = () if node.times == 1 else (f" {node.times} times",)
            if offer.verb == "choose":
                word = "choose" if len(node.seats) > 1 else "chooses"
                return (f"{seats} {word} ", *say_domain(offer.arguments[0].value), *times)
            return (f"{seats} ", *say_offer(offer), *times)
        case _:
            assert_never(node)


def say_offer(node: nodes.Offer) -> Pieces:
    if node.verb == "choose":
        return ("choose ", *say_domain(node.arguments[0].value))
    return _say_call(node.verb, node.arguments)


def _say_call(name: str, arguments: tuple[nodes.Argument, ...]) -> Pieces:
    if not arguments:
        return (name,)
    return (name, Bracket("(", listed(_say_argument(each) for each in arguments), ")"))


def _say_argument(node: nodes.Argument) -> Pieces:
    name = () if node.name is None else (f"{node.name}: ",)
    return (*name, *_say_one(node.value))


def say_expectation(node: nodes.Expectation) -> Pieces:
    match node:
        case nodes.Holds():
            return say_value(node.condition)
        case nodes.Offers():
            pieces: list[str | Bracket] = [f"{node.seat} {node.word} "]
            for number, offer in enumerate(node.offers):
                pieces += [*(() if number == 0 else (" or ",)), *say_offer(offer)]
            return tuple(pieces)
        case nodes.Seats():
            word = node.word if len(node.seats) > 1 else f"{node.word}s"
            return (f"{', '.join(node.seats) or 'nobody'} {word}",)
        case nodes.Sees():
            word = "sees" if node.sees else "does not see"
            return (f"{node.seat} {word} ", *say_value(node.what))
        case nodes.Reads(seat=None):
            return (f'{"" if node.reads else "not "}said "{node.text}"',)
        case nodes.Reads():
            word = "reads" if node.reads else "does not read"
            return (f'{node.seat} {word} "{node.text}"',)
        case nodes.Scores():
            return (f"{node.seat} scores ", *say_value(node.value))
        case nodes.Ends():
            return ("the game is over" if node.over else "the game goes on",)
        case _:
            assert_never(node)
