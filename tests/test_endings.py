"""Who wins and who loses: alone, together, in teams, against the game itself."""

from __future__ import annotations

import textwrap

import pytest
from differential import compare

import interpreter
from interpreter.cli.play import result_text
from interpreter.embedding import Game, State
from interpreter.play import guided
from interpreter.play.native.engine import Engine

GAME = """
game "Test"
players 1..4
each player has
    team: 0..1
setup
    for each p at seat in players
        p.team := seat mod 2
play
    P1 chooses
        go "go on"
            {ending}
        other "do something else"
            nobody wins
"""


def game(ending: str, players: int, more: str = "") -> Game:
    text = textwrap.dedent(GAME).format(ending=ending) + more
    return interpreter.load_text(text, players=players)


def end(ending: str, players: int, more: str = "") -> State:
    state = game(ending, players, more).start(seed=1)
    return state.apply(state.options()[0])


ENDINGS = [
    # ending, players, winners, losers, scores
    ("me wins", 3, (0,), (1, 2), (1, -1, -1)),
    ("me loses", 3, (1, 2), (0,), (-1, 1, 1)),
    ("me loses", 1, (), (0,), (-1,)),
    ("me wins", 1, (0,), (), (1,)),
    ("nobody wins", 3, (), (), (0, 0, 0)),
    ("everybody wins", 3, (0, 1, 2), (), (1, 1, 1)),
    ("everybody loses", 3, (), (0, 1, 2), (-1, -1, -1)),
    ("p in players where p.team is me.team win", 4, (0, 2), (1, 3), (1, -1, 1, -1)),
    ("p in players where p.team is me.team lose", 4, (1, 3), (0, 2), (-1, 1, -1, 1)),
    ("p in players where p.team > 3 win", 2, (), (0, 1), (-1, -1)),
    ("p in players where p.team > 3 lose", 2, (0, 1), (), (1, 1)),
    ("p in playersAfter(me) lose", 1, (0,), (), (1,)),
]


@pytest.mark.parametrize(("ending", "players", "winners", "losers", "scores"), ENDINGS)
def test_who_wins_and_who_loses(
    ending: str,
    players: int,
    winners: tuple[int, ...],
    losers: tuple[int, ...],
    scores: tuple[int, ...],
) -> None:
    state = end(ending, players)
    assert (state.winners, state.losers, state.scores) == (winners, losers, scores)
    view = state.view(0)
    assert (view.winners, view.losers) == (winners, losers)
    assert state.game.restore(state.save()).losers == losers


@pytest.mark.parametrize(("ending", "players"), [each[:2] for each in ENDINGS])
def test_both_machines_end_alike(ending: str, players: int) -> None:
    program = game(ending, players).program
    compare(program, Engine(program, cached=False, level=1), 2)


def test_points_are_told_however_the_game_ended() -> None:
    more = "score p: 5 * p.team"
    assert end("nobody wins", 3, more).scores == (5, 0, 5)
    assert end("nobody wins", 3, more).winners == ()
    assert end("everybody loses", 2, more).scores == (5, 0)
    assert end("everybody loses", 2, more).losers == (0, 1)
    assert end("end game", 3, more).winners == (0, 2)


@pytest.mark.parametrize(
    ("ending", "players", "more", "told"),
    [
        ("me wins", 2, "", "P1 wins"),
        ("me loses", 3, "", "P2 and P3 win"),
        ("nobody wins", 2, "", "nobody wins"),
        ("everybody loses", 2, "", "everybody loses"),
        ("me loses", 1, "", "P1 loses"),
        ("me loses", 1, "score p: 7", "P1 loses"),
        ("end game", 1, "score p: -1", "P1 scores -1"),
        ("me wins", 1, "", "P1 wins"),
    ],
)
def test_how_the_end_is_told(ending: str, players: int, more: str, told: str) -> None:
    assert result_text(end(ending, players, more)).splitlines()[0] == f"Test: {told}"


def test_a_search_counts_what_each_seat_gets() -> None:
    """Winning together is a whole win for each, but those who are equal by points share it."""
    told, judged = game("me wins", 4).program, game("me wins", 4, "score p: 1").program
    half, whole = guided.WHOLE // 2, guided.WHOLE
    assert guided.shares(told, 0b0101) == [whole, 0, whole, 0]
    assert guided.shares(judged, 0b0101) == [half, 0, half, 0]
    assert guided.shares(told, 0b1111) == [whole] * 4
    assert guided.shares(told, 0) == [whole // 4] * 4
    assert guided.shares(told, 0b10000) == guided.shares(judged, 0b10000) == [0] * 4


@pytest.mark.parametrize("backend", ["reference", "native"])
@pytest.mark.parametrize("ending", ["everybody wins", "everybody loses", "me loses"])
def test_a_search_finds_the_better_end(
    ending: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Winning together is better than a draw, and a draw better than losing together."""
    found = game(ending, 3)
    monkeypatch.setattr(found, "backend", backend)
    estimates = interpreter.search(found, found.start(seed=1).view(0), games=60)
    values = {str(each.option): each.value for each in estimates}
    wanted = 1.0 if ending == "everybody wins" else 0.0
    assert values["go"] == wanted
    assert values["other"] == pytest.approx(1 / 3, abs=0.01)
