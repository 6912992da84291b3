"""What others must hold for what they chose to make sense.

Where something is hidden, a search deals it anew for every game, each way as likely as another. But
whoever bids high will hold something high. A mind with beliefs watches the game, as people at a
table do: it keeps some states that it cannot tell from the real one, goes along in each with what
everybody does, and asks of every choice of somebody else how likely it was there. That is judged by
a short search, which knows what the chooser would see in that state, and no more. States in which
others would hardly have done what they did come to count for little, and the search begins from
states drawn by that.

Everything comes from views of the seat, so two games that look alike to it give the same beliefs.
Believing costs time: whether it pays for itself in a game is for matches to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.bots.glimpses import Glimpse
from interpreter.bots.search import Estimate, search
from interpreter.bots.tuning import usual
from interpreter.embedding import Game, PlayError, State
from interpreter.imagination import imagine
from interpreter.play import uct
from interpreter.play.buffer import Buffer
from interpreter.play.chance import Draws, seed_key
from interpreter.view.imagining import STRIDE
from interpreter.view.view import View

_STATES = 48  # that are kept
_LEAST = 24  # if fewer go along, others are imagined
_GAMES = 80  # of a search that judges a choice
_EXPLORATION = 0.3  # of that search, so that its visits tell good choices from bad ones
_JUDGED = 16  # searches of one choice; the rest of the states count as these do on average
_OPTIONS = 24  # that are tried out in a state to see which of them was chosen
_FINE = 1 << 30


@dataclass(slots=True)
class _Held:
    """A state that looks like the real one, and how well it explains what was seen."""

    state: State
    weight: float


@dataclass(slots=True)
class Believer:
    """A search that begins from what it believes; made for one seat of one game."""

    game: Game
    seen: View | None = None
    held: list[_Held] = field(default_factory=list)
    heard: int = 0  # choices of others that were understood

    def __call__(self, view: View, games: int, *, seed: int, **given: Any) -> list[Estimate]:
        self._see(view)
        states = self.states(seed) if self.heard else ()
        settings = usual(self.game)
        return search(self.game, view, games, seed=seed, states=states, settings=settings, **given)

    def forget(self) -> None:
        """What comes next does not go on from what was seen."""
        self.seen, self.held, self.heard = None, [], 0

    def watch(self, glimpse: Glimpse) -> None:
        """A moment of the game as the seat sees it; best of every one."""
        self._see(glimpse.view)

    def _see(self, view: View) -> None:
        before, self.seen = self.seen, view
        if uct.observers(self.game.program) == 1 or view.is_over:
            return
        if before is not None and before.masked == view.masked:
            return
        if before is None or view.moves <= before.moves or len(before.to_act) != 1:
            self.held, self.heard = [], 0
        else:
            self.held = _Step(self.game, before, view).taken(self.held)
            self.heard += bool(self.held) and before.to_act != (view.seat,)
        self._fill(view)

    def _fill(self, view: View) -> None:
        """Where too few states are left, others are imagined that count like those."""
        if len(self.held) >= _LEAST:
            return
        if not self.held:
            self.heard = 0
        usual_weight = sum(each.weight for each in self.held) / max(1, len(self.held)) or 1.0
        for number in range(_STATES - len(self.held)):
            state = imagine(self.game, view, view.moves + number * STRIDE)
            self.held.append(_Held(state, usual_weight))

    def states(self, seed: int) -> tuple[Buffer, ...]:
        """As many states as are kept, each the oftener the likelier it is."""
        total = sum(each.weight for each in self.held)
        draws = Draws(seed_key(seed) & (1 << 64) - 1)
        step = total / len(self.held)
        point = step * draws.below(_FINE) / _FINE
        found: list[Buffer] = []
        reached = 0.0
        for each in self.held:
            reached += each.weight
            while point < reached and len(found) < len(self.held):
                found.append(each.state.buffer)
                point += step
        return tuple(found)


class _Step:
    """One choice that a seat has seen somebody make: from one view to the next."""

    def __init__(self, game: Game, before: View, after: View) -> None:
        self.game, self.after = game, after
        (self.chooser,) = before.to_act
        self.own = self.chooser == after.seat
        self.judged: dict[tuple[int, ...], dict[str, float]] = {}
        self.known = ""  # what was chosen in the states so far

    def taken(self, held: Sequence[_Held]) -> list[_Held]:
        """The states in which this could have happened, after it."""
        found: list[_Held] = []
        unjudged: list[_Held] = []
        for each in held:
            step = self._one(each)
            if step is not None:
                (found if step[1] else unjudged).append(step[0])
        shares = [each.weight for each in found]
        for each in unjudged:
            each.weight *= sum(shares) / len(shares) if shares else 1.0
        found += unjudged
        most = max((each.weight for each in found), default=1.0)
        for each in found:
            each.weight /= most
        return found

    def _one(self, held: _Held) -> tuple[_Held, bool] | None:
        """A state after the choice, and whether it was judged how likely that was."""
        try:
            options = held.state.options(self.chooser)
        except PlayError:
            return None
        options.sort(key=lambda option: option.text != self.known)
        for option in options[:_OPTIONS]:
            try:
                state = held.state.apply(option, self.chooser)
                if state.view(self.after.seat).masked != self.after.masked:
                    continue
            except (PlayError, ValueError):
                continue
            self.known = option.text
            likely = 1.0 if self.own else self._likely(held.state, option.text)
            bare = State(self.game, state.buffer, 0, None, None, (), memory=state.memory)
            return _Held(bare, held.weight * (likely or 1.0)), likely > 0
        return None

    def _likely(self, state: State, text: str) -> float:
        """How likely an option was for whoever chose it, 0 if that is not judged any more."""
        view = state.view(self.chooser)
        if view.masked not in self.judged:
            if len(self.judged) >= _JUDGED:
                return 0.0
            settings = replace(usual(self.game), exploration=_EXPLORATION)
            found = search(self.game, view, _GAMES, seed=view.moves, settings=settings)
            tried = sum(each.visits + 1 for each in found)
            self.judged[view.masked] = {
                each.option.text: (each.visits + 1) / tried for each in found
            }
        return self.judged[view.masked].get(text, 0.0)
