"""Tree search for a seat that is to choose: how good each of its options is.

    import interpreter

    game = interpreter.load("rulesets/classics/connectFour.rules")
    state = game.start(seed=1)
    best = interpreter.search(game, state.view(0), games=10_000)[0]
    print(best.option, best.visits, best.value)

It knows what the view tells, and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter

from interpreter.bots.rounds import within
from interpreter.embedding import Game, PlayError, State
from interpreter.frozen import frozen
from interpreter.imagination import STEPS, Imaginer, imagine
from interpreter.offering import offers_of
from interpreter.option import Option
from interpreter.play import uct
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.guided import PLAIN, WHOLE, Judge, Policy, Settings
from interpreter.view.imagining import STRIDE
from interpreter.view.view import View

USUAL_GAMES = 1000
MOST_GAMES = 10_000_000  # each takes up to 64 bytes
_IMAGINED = 64  # states, where they cannot be dealt in native code
_STEPS = 2000  # to tell games again in order to imagine them


@frozen
class Estimate:
    """What games after an option came to: how often it was tried, and the share won, 0 to 1.
    Those who are equal by `score` or `winner`, or draw, share a win."""

    option: Option
    visits: int
    value: float


def search(
    game: Game,
    view: View,
    games: int | None = None,
    *,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    clock: Callable[[], float] = time.monotonic,
    seed: int = 0,
    trees: int = 1,
    threads: int = 1,
    settings: Settings = PLAIN,
    policy: Policy | None = None,
    judge: Judge | None = None,
    states: Sequence[Buffer] = (),
    least: int = 0,
    careless: Sequence[int] = (),
) -> list[Estimate]:
    """The options of the seat whose view it is, the one tried most often first. The games are
    played in `trees` that know nothing of each other, which can grow on several threads: the
    result depends on the number of trees, but not on that of threads.

    With `seconds` it plays as many games as it can in this time, by this clock. It is over sooner
    if `stop` says so, which is asked several times a second; then it goes by what it has found.
    With `states` it goes by these, which must look like the view, and imagines none itself. With
    `least` it soon gives up if there is no time for nearly so many games. `careless` says of each
    seat in how many percent of the games it chooses anything.

    >>> best = search(game, state.view(0), games=20)[0]
    >>> best.option.text, best.visits
    ('buy(price: 1)', 10)
    """
    begun = clock()
    if games is None:
        games = USUAL_GAMES if seconds is None else MOST_GAMES
    if min(games, trees, threads) < 1 or games > MOST_GAMES:
        raise ValueError(f"games are 1 to {MOST_GAMES:,}, trees and threads 1 and more")
    if not isinstance(view, View):
        raise TypeError("a search knows what a seat sees: give it a view, state.view(seat)")
    if view.seat is None or view.seat not in view.to_act:
        raise ValueError("only a seat that is to choose can search")
    if careless and (len(careless) != game.players or not all(0 <= n <= 100 for n in careless)):
        raise ValueError("careless has 0 to 100 for each seat")
    imaginer = Imaginer(game, view) if uct.observers(game.program) > 1 else None
    seen, offers = _root(game, view, view.seat, seed, imaginer)
    history = uct.beginning(view.seat % uct.observers(game.program))
    root = uct.Root(seen, [choice for _, choice in offers], history)
    looked = clock() - begun  # to see what was found takes about as long
    late = begun + (float("inf") if seconds is None else seconds / 2)
    most = -(-games // trees)
    task = uct.Task(
        view.seat, tuple(states), None, most, seed, settings, policy, judge, tuple(careless)
    )
    if not states:
        task = _with_states(
            view, task, imaginer, lambda: clock() > late or (stop is not None and stop())
        )
    left = None if seconds is None else seconds - looked - (clock() - begun)
    counts = _grow(game, task, root, trees, threads, within(left, stop, clock, -(-least // trees)))
    found = [
        Estimate(option, visits, total / ((visits or 1) * WHOLE))
        for (option, _), (visits, total) in zip(offers, _in_all(counts), strict=True)
    ]
    found.sort(key=attrgetter("visits"), reverse=True)
    return found


def _in_all(counts: list[uct.Counts]) -> uct.Counts:
    """Of all trees together."""
    if len(counts) == 1:
        return counts[0]
    return [
        (sum(visits for visits, _ in each), sum(total for _, total in each))
        for each in zip(*counts, strict=True)
    ]


def ranked(found: list[Estimate]) -> list[Estimate]:
    """Of those tried as often as the first, the one with the best value goes first: where there
    are more options than games, most are tied."""
    if not found:
        return found
    best = max(
        (each for each in found if each.visits == found[0].visits), key=lambda each: each.value
    )
    return [best, *(each for each in found if each is not best)]


def _root(
    game: Game, view: View, seat: int, seed: int, imaginer: Imaginer | None
) -> tuple[Buffer, list[tuple[Option, Choice]]]:
    """The options of the seat, and the state they refer to, by whoever finds them sooner. They are
    the same in all states that it cannot tell apart, so mostly the view itself has them."""
    found = _offers(game, list(view.masked), seat)
    if not found[1] and imaginer is not None:
        found = _offers(game, imaginer.within(seed).state.buffer, seat)
    if found[1]:
        return found
    root = root_state(game, view, seat, seed)
    return root.seen_by_chooser(seat), list(root.choices(seat).items())


def _offers(game: Game, m: Buffer, seat: int) -> tuple[Buffer, list[tuple[Option, Choice]]]:
    asked = game.native or game.machine
    if seat in asked.seats_to_act(m):
        with suppress(Failure):
            return offers_of(game, m, seat, asked)
    return m, []


def root_state(game: Game, view: View, seat: int, seed: int) -> State:
    """A state with the options of the seat, which are the same in all it cannot tell apart: if
    none can be imagined in which it is to choose, the view has them too."""
    found = imagine(game, view, seed)
    return found if _chooses(found, seat) else State(game, list(view.masked), seed, None, None, ())


def looked_at(game: Game, view: View, seat: int) -> State:
    """For those who look at options and imagine nothing: the view itself where it has them, which
    takes a fraction of the time."""
    found = State(game, list(view.masked), 0, None, None, ())
    return found if _chooses(found, seat) else root_state(game, view, seat, 0)


def _chooses(state: State, seat: int) -> bool:
    try:
        return bool(state.options(seat))
    except PlayError:
        return False


def _can_choose(game: Game, m: Buffer, seat: int) -> bool:
    """The same without the words of options."""
    asked = game.native or game.machine
    with suppress(Failure):
        return seat in asked.seats_to_act(m) and bool(asked.options(m, seat))
    return False


def _with_states(
    view: View, task: uct.Task, imaginer: Imaginer | None, enough: Callable[[], bool]
) -> uct.Task:
    """The task with the states it begins from."""
    state = list(view.masked)
    if imaginer is None:
        return replace(task, states=(state,))
    if view.story is None and imaginer.dealt.is_dealing:
        plan = imaginer.dealt.plan
        return replace(task, states=(plan.view,), plan=plan)
    states = tuple(_imagined(task, imaginer, enough))
    return replace(task, states=states or (state,))


def _imagined(task: uct.Task, imaginer: Imaginer, enough: Callable[[], bool]) -> list[Buffer]:
    """Some states in which the seat is to choose, as many as can be had in so many steps, or until
    there is enough: half the time is for the games. Doubtful ones do if there are no others."""
    left, found, doubtful = _STEPS, list[Buffer](), list[Buffer]()
    for each in range(min(_IMAGINED, task.games)):
        seed = task.seed + each * STRIDE
        one = imaginer.within(seed, min(left, STEPS), enough)
        if _can_choose(imaginer.game, one.state.buffer, task.seat):
            (doubtful if one.doubtful else found).append(one.state.buffer)
        left -= one.steps
        if left <= 0 or one.certain or enough():
            break
    return found or doubtful


def _grow(
    game: Game,
    task: uct.Task,
    root: uct.Root,
    trees: int,
    threads: int,
    until: uct.Budget,
) -> list[uct.Counts]:
    """What each tree says of the choices."""
    engine = game.native
    if engine is None:
        grown = (uct.grow(game.machine, task, number, until) for number in range(trees))
        return [tree.counts(game.program, root) for tree in grown]
    from interpreter.play.native.grow import grow

    return grow(engine, task, root, trees, threads, until)
