"""The lines of a scenario as pieces."""

from __future__ import annotations

from typing import assert_never

from interpreter.tree import nodes
from interpreter.tree.phrases import SUM, say_value
from interpreter.tree.pieces import Bracket, Pieces, listed


def say_head(node: nodes.Head) -> Pieces:
    name = "" if node.name is None else f" {node.name} ="
    value = () if node.value is None else (" ", *say_value(node.value))
    return (f"{node.word}{name}", *value)


def say_step(node: nodes.Decision | nodes.Outcome) -> Pieces:
    if isinstance(node, nodes.Outcome):
        return (f"{node.word} ", *listed(say_value(value, SUM) for value in node.values))
    if node.offer.verb == "choose":
        return (f"{node.seat} chooses ", *say_value(node.offer.arguments[0].value, SUM))
    return (f"{node.seat} ", *say_offer(node.offer))


def say_offer(node: nodes.Offer) -> Pieces:
    if node.verb == "choose":
        return ("choose ", *say_value(node.arguments[0].value, SUM))
    if not node.arguments:
        return (node.verb,)
    return (node.verb, Bracket("(", listed(_say_argument(each) for each in node.arguments), ")"))


def _say_argument(node: nodes.Argument) -> Pieces:
    name = () if node.name is None else (f"{node.name}: ",)
    return (*name, *say_value(node.value))


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
