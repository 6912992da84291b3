"""What a seat could choose, judged and explained: hints before a choice, costs after a game.

Both know what the seat's view tells and nothing else. What an option leads to is tried out in
states that are imagined from the view, and only what is the same in all of them is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import sqrt

from interpreter.bots.budget import Budget
from interpreter.bots.match import wilson
from interpreter.bots.search import Estimate, ranked, search
from interpreter.bots.thinking import Mind, think
from interpreter.embedding import Game, Option, PlayError, State
from interpreter.imagination import imagine
from interpreter.model.seats import seat_name
from interpreter.play.words import member_words
from interpreter.view.ending import how_it_ended
from interpreter.view.view import VariableView, View

HINTS = 3
_IMAGINED = 4  # states in which an option is tried out
_TOLD = 4  # things that an option leads to
_Z = 3.0  # deviations by which one option must be better than another to be told of


@dataclass(frozen=True, slots=True)
class Hint:
    option: Option
    value: float  # the share of games won after it by chance, 0 to 1
    leads_to: list[str]


def hints(game: Game, view: View, mind: Mind, budget: Budget, threads: int = 1) -> list[Hint]:
    """The best options of the seat whose view it is. A mind may judge by points, or by what it has
    learned, so half the time goes to plain search, which tells how many games are won."""
    half = Budget(-(-budget.games // 2), budget.seconds / 2)
    found = ranked(think(mind, view, half, view.moves, threads))
    won = think(partial(search, game), view, half, view.moves, threads)
    chances = {each.option: each.value for each in won}
    states = [imagine(game, view, seed) for seed in range(_IMAGINED)]
    return [
        Hint(each.option, chances[each.option], leads_to(states, view, each.option))
        for each in found[:HINTS]
        if each.visits and each.option in chances
    ]


def leads_to(states: Sequence[State], view: View, option: Option) -> list[str]:
    """What certainly comes of an option, in the words of the rules."""
    common: list[str] | None = None
    for state in states:
        told = _outcome(state, view, option)
        common = told if common is None else [each for each in common if each in told]
    return (common or [])[:_TOLD]


def _outcome(state: State, view: View, option: Option) -> list[str]:
    seat = view.seat
    assert seat is not None
    try:
        after = state.apply(option, seat)
        before, then = state.view(seat), after.view(seat)
        entries = after.entries(seat)[len(state.entries(seat)) :]
    except (PlayError, ValueError):
        return []  # in this state it cannot be chosen, or the rules break down
    program = state.game.program
    own = f"{seat_name(seat)}: "
    # What chance brings (it has parts) is not certain, even if it comes out the same a few times.
    fresh = [each.words for each in entries if each.words and each.part is None]
    told = [line for line in fresh if not line.startswith(own)]
    if then.is_over:
        names = [seat_name(each) for each in range(view.players)]
        told.append(f"the game is over: {how_it_ended(then, program, names)}")
    unseen = {each.name for each in program.layout.variables if each.unseen} | program.not_shown
    for old, new in zip(before.variables, then.variables, strict=True):
        if old.value != new.value and old.member not in unseen and not then.is_over:
            told.append(f"{_called(state, new)} {old.value} → {new.value}")
    return told


def _called(state: State, variable: VariableView) -> str:
    name = member_words(state.game.program, variable.member)
    rest = list(variable.index_words)
    if variable.owner is not None:
        rest.remove(seat_name(variable.owner))
        name = f"{seat_name(variable.owner)}'s {name}"
    return " ".join([name, *rest])


# ---- after a game


@dataclass(frozen=True, slots=True)
class Cost:
    """A decision, and how much better another would have been."""

    number: int  # of the decision, from 1
    seat: int
    chosen: Estimate
    best: Estimate

    @property
    def lost(self) -> float:
        return self.best.value - self.chosen.value

    @property
    def sure(self) -> float:
        """What was lost at least, as far as so few games can tell. A search soon leaves an option
        whose first games happen to be lost, and a game has a hundred decisions: by two or three
        lost games nobody is blamed."""
        below = self.best.value - _between(self.best)[0]
        above = _between(self.chosen)[1] - self.chosen.value
        return self.lost - sqrt(below * below + above * above)


def _between(each: Estimate) -> tuple[float, float]:
    """Where the true share lies all but once in some hundred times."""
    visits = max(1, each.visits)
    return wilson(each.value * visits, visits, _Z)


def review(
    states: Sequence[State],
    mind: Mind,
    budget: Budget,
    progress: Callable[[int], None] = lambda number: None,
) -> list[Cost]:
    """What every decision of a game has cost, judged by what its seat knew; the dearest first.
    `states` are all of the game, from its start."""
    found: list[Cost] = []
    for number, (before, after) in enumerate(pairwise(states), 1):
        assert after.decision is not None
        seat, option = after.decision
        progress(number)
        if seat < 0 or len(before.options(seat)) < 2:
            continue
        judged = think(mind, before.view(seat), budget, number)
        chosen = next((each for each in judged if each.option == option), None)
        if chosen is not None and judged[0].option != option:
            found.append(Cost(number, seat, chosen, judged[0]))
    return sorted(found, key=lambda each: -each.sure)
