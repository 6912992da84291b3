"""Games told again without words: what comes of it looks like the present, and is not trusted where
words have told more than there is to see."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.drafts import Drafts, looks_alike
from interpreter.embedding import Game, State, load
from interpreter.imagination import Imaginer, goes_by_drafts
from interpreter.play.chance import Draws, Stream

ROOT = Path(__file__).resolve().parent.parent
HIDING = ROOT / "rulesets" / "classics" / "battleship.rules"

# Where somebody stands in secret is only told in words, and soon seen nowhere.
TOLD = """game "Told"
players 2
enum Answer: more, less
the game has
    answer: Answer or none
each player has
    place: 0..9, secret
    guesses: 0..9
play
    sealed for p
        p chooses
            settle(n in 1..9)
                p.place := n
    turns
        me chooses
            guess(n in 1..9)
                me.guesses += 1
                if next(me).place = n
                    me wins
                answer := less
                if next(me).place > n
                    answer := more
                say "{answer}"
                answer := none
        if me.guesses >= 4
            nobody wins
"""


def played(game: Game, decisions: int, seed: int = 3) -> State:
    state, stream = game.start(seed), Stream(seed, 0)
    for _ in range(decisions):
        seat = state.seats_to_act[0]
        state = state.apply(stream.choose(state.options(seat)), seat)
    return state


@pytest.mark.parametrize("decisions", [9, 16, 25])
def test_what_was_put_down_in_secret_agrees_with_what_came_to_light(decisions: int) -> None:
    game = load(HIDING, 2)
    state = played(game, decisions)
    seat = state.seats_to_act[0]
    view = state.view(seat)
    imaginer = Imaginer(game, view)
    found = [imaginer.within(seed).state for seed in range(12)]
    assert all(looks_alike(each.view(seat), view) for each in found)
    assert len({tuple(each.view(1 - seat).masked) for each in found}) > 3  # and they differ


def test_drafts_are_made_where_words_do_not_lead_there() -> None:
    assert goes_by_drafts(load(HIDING, 2))
    assert not goes_by_drafts(load(HIDING.with_name("darkHex.rules"), 2))
    assert not goes_by_drafts(load(HIDING.with_name("connectFour.rules"), 2))
    assert not goes_by_drafts(interpreter.load_text(TOLD))


def test_both_machines_find_the_same_drafts() -> None:
    ends = []
    for backend in ("native", "reference"):
        game = load(HIDING, 2, backend=backend)
        state = played(game, 12)
        drafts = Drafts(game, state.view(state.seats_to_act[0]))
        draft = drafts.another(Draws(5), 4000, lambda: False)
        assert draft is not None and not draft.off
        ends.append((draft.steps, drafts.taken))
    assert ends[0] == ends[1]


def test_whoever_has_enough_waits_for_nothing() -> None:
    game = load(HIDING, 2)
    view = played(game, 25).view(1)
    imaginer = Imaginer(game, view)
    found = imaginer.within(1, enough=lambda: True)
    assert found.steps == 0 and found.state.seats_to_act == view.to_act


def test_what_was_only_said_counts_as_well() -> None:
    """All drafts look like the present; those in which other words had been said are none."""
    game = interpreter.load_text(TOLD)
    state = game.start(1).apply("settle(n: 4)", 0).apply("settle(n: 7)", 1)
    for guess in ("guess(n: 5)", "guess(n: 1)", "guess(n: 8)", "guess(n: 2)"):
        state = state.apply(guess)
    view = state.view(0)
    assert [line for line in view.story or () if line in ("more", "less")] == [
        "more", "more", "less", "more",
    ]  # fmt: skip
    drafts = Drafts(game, view)
    places = set()
    for seed in range(40):
        draft = drafts.another(Draws(seed), 400, lambda: False)
        assert draft is not None and not draft.off
        places.add(State(game, list(draft.end), 0, None, None, ()).view(1)["place"][1])
    assert places - {6, 7}
    imaginer = Imaginer(game, view)
    found = {imaginer.within(seed).state.view(1)["place"][1] for seed in range(20)}
    assert found <= {6, 7}
