"""Tree search for a seat that is to choose: how good each of its options is.

    import interpreter

    game = interpreter.load("rulesets/classics/connectFour.rules")
    state = game.start(seed=1)
    best = interpreter.search(game, state.view(0), games=10_000)[0]
    print(best.option, best.visits, best.value)

It knows what the view tells, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.embedding import Game, imagine
from interpreter.option import Option
from interpreter.play import uct
from interpreter.view.imagining import STRIDE, nothing_to_work_out, plan_of
from interpreter.view.view import View

EXPLORATION = 0.7
MOST_GAMES = 10_000_000  # each takes up to 64 bytes
_IMAGINED = 64  # states, where they cannot be dealt in native code


@dataclass(frozen=True, slots=True)
class Estimate:
    """What games after an option came to: how often it was tried, and the share won, 0 to 1.
    Those who win together, or draw, share a win."""

    option: Option
    visits: int
    value: float


def search(
    game: Game,
    view: View,
    games: int = 1000,
    *,
    seed: int = 0,
    trees: int = 1,
    threads: int = 1,
    exploration: float = EXPLORATION,
) -> list[Estimate]:
    """The options of the seat whose view it is, the one tried most often first. The games are
    played in `trees` that know nothing of each other, which can grow on several threads: the
    result depends on the number of trees, but not on that of threads."""
    if min(games, trees, threads) < 1 or games > MOST_GAMES:
        raise ValueError(f"games are 1 to {MOST_GAMES:,}, trees and threads 1 and more")
    if not isinstance(view, View):
        raise TypeError("a search knows what a seat sees: give it a view, state.view(seat)")
    if view.seat is None or view.seat not in view.to_act:
        raise ValueError("only a seat that is to choose can search")
    root = imagine(game, view, seed)
    choices = root.choices(view.seat)
    seen = root.seen_by_chooser(view.seat)
    history = uct.beginning(view.seat % uct.observers(game.program))
    keys = uct.choice_keys(game.program, seen, list(choices.values()), history)
    task = _task(game, view, view.seat, -(-games // trees), seed, exploration)
    grown = _grow(game, task, keys, trees, threads)
    found: list[Estimate] = []
    for option, key in zip(choices, keys, strict=True):
        tallies = [tree.tallies[key] for tree in grown if key in tree.tallies]
        visits = sum(tally.visits for tally in tallies)
        total = sum(tally.total for tally in tallies)
        found.append(Estimate(option, visits, total / (max(1, visits) * uct.WHOLE)))
    return sorted(found, key=lambda each: -each.visits)


def _task(game: Game, view: View, seat: int, games: int, seed: int, exploration: float) -> uct.Task:
    state = list(view.masked)
    hidden = uct.observers(game.program) > 1
    if not hidden:
        return uct.Task(seat, (state,), None, games, seed, exploration)
    if nothing_to_work_out(game.program, view):
        plan = plan_of(game.program, view)
        return uct.Task(seat, (state,), plan, games, seed, exploration)
    number = min(_IMAGINED, games)
    states = tuple(imagine(game, view, seed + n * STRIDE).buffer for n in range(number))
    return uct.Task(seat, states, None, games, seed, exploration)


def _grow(game: Game, task: uct.Task, keys: list[int], trees: int, threads: int) -> list[uct.Grown]:
    engine = game.native
    if engine is None:
        return [uct.grow(game.machine, task, number) for number in range(trees)]
    from interpreter.play.native.grow import grow

    return grow(engine, task, keys, trees, threads)
