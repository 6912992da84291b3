"""Who only looks on knows what is in the open, and not what all players happen to know.

With two players something can be known to both and still be nobody else's business. No scenario can
speak of spectators, so the two cases of the shipped games are played here.
"""

import random
from collections.abc import Callable
from pathlib import Path

from interpreter.embedding import Option, State, load

RULESETS = Path(__file__).resolve().parent.parent / "rulesets"


def play_until(
    name: str, wanted: Callable[[State], bool], likes: str, *, forced: bool = False
) -> State:
    """A game of two, of choices at random but for those that somebody likes, up to a moment."""
    game = load(RULESETS / f"{name}.rules", players=2)
    for seed in range(200):
        chance = random.Random(seed)
        state = game.start(seed=seed, ask_when_forced=forced)
        while not state.is_over and state.moves < 400:
            state = state.apply(chosen(state, chance, likes))
            if wanted(state):
                return state
    raise AssertionError("it has not come to that")


def chosen(state: State, chance: random.Random, likes: str) -> Option:
    offered = state.options()
    liked = [option for option in offered if str(option).startswith(likes)]
    return chance.choice(liked or offered)


def names(state: State, viewer: int | None, member: str, owner: int) -> list[str | None]:
    view = state.view(viewer)
    place = next(p for p in view.places if p.member == member and p.owner == owner)
    return [piece.name for piece in place.pieces]


def caught(state: State) -> list[int]:
    """Seats with a token that the other player knows, before all are turned up at the end."""
    seats = () if state.is_over else (0, 1)
    return [seat for seat in seats if any(names(state, 1 - seat, "tokens", seat))]


def test_a_sprung_trap_is_known_to_both_players_and_to_nobody_else() -> None:
    """DR-R16: the saboteur knows the token he placed, and its holder knows it."""
    state = play_until("dinosaurRush", lambda state: bool(caught(state)), "sabotage")
    seat = caught(state)[0]
    assert all(names(state, seat, "tokens", seat))
    assert not any(names(state, None, "tokens", seat))


def passed_on(state: State) -> list[int]:
    """Seats that hold what the other one has kept a hardship of."""
    return [
        seat
        for seat in (0, 1)
        if names(state, 1 - seat, "kept", 1 - seat) and names(state, seat, "drafted", seat)
    ]


def test_a_passed_hardship_is_known_to_both_players_and_to_nobody_else() -> None:
    """PD-R42: whoever passes a card on has seen it, and so has whoever gets it. The last card is
    kept without a choice, so the game must ask for it."""
    state = play_until("payDirt", lambda state: bool(passed_on(state)), "finish", forced=True)
    seat = passed_on(state)[0]
    passed = names(state, seat, "drafted", seat)
    assert all(passed)
    assert names(state, 1 - seat, "drafted", seat) == passed
    assert not any(names(state, None, "drafted", seat))
