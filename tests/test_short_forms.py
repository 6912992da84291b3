"""What can be said shortly: each form against numbers worked out by hand, on both machines."""

from __future__ import annotations

import textwrap

import pytest
from differential import compare

import interpreter
from interpreter.embedding import Game, State
from interpreter.pipeline import check_rules
from interpreter.play.native.engine import Engine
from interpreter.reading import read_text

pytest.importorskip("llvmlite")

HEAD = 'game "Test"\nplayers 2..4\n'


def game(text: str, players: int = 2) -> Game:
    """A game that native code plays in the same way."""
    found = interpreter.load_text(HEAD + textwrap.dedent(text), players=players)
    compare(found.program, Engine(found.program, cached=False, level=1), 2)
    return found


def finish(text: str, players: int = 2, seed: int = 1) -> State:
    """Run a game that asks nobody anything."""
    state = game(text, players).start(seed=seed)
    assert state.is_over, state.options()
    return state


def values(state: State, *names: str) -> list[str | None]:
    """What the variables of these names hold, in the order of their indexes."""
    shown = state.view(None).variables
    return [each.value for name in names for each in shown if each.member == name]


def problems(text: str) -> list[str]:
    rules = read_text(HEAD + textwrap.dedent(text), "test.rules", None)
    return [str(problem) for problem in check_rules(rules)]


# ---- names before conditions


LETS = """
    board Grid: square 3 by 1
    the game has
        asked: int
    each Grid has
        mark: Player or none
    each player has
        points: int
    function worth(c: Grid): int = count(x in neighbours(c) where x.mark is not none)
    action place(c in Grid) "mark {c} for {gain}"
        when c.mark is none
        let near = worth(c)
        let gain = near * 10 + me.points
        when gain < 11
        near += 1
        c.mark := me
        me.points += gain + near
    play
        repeat 2 times
            for each p in players
                p may choose place
    score p: p.points
"""


def test_a_name_stands_before_the_conditions_that_use_it() -> None:
    state = game(LETS).start(seed=1)
    assert [str(option) for option in state.options()] == [
        "place(c: a1)", "place(c: b1)", "place(c: c1)", "pass",
    ]  # fmt: skip
    state = state.apply("place(c: b1)")
    assert values(state, "points") == ["1", "0"]  # it gains nothing, and `near` was made 1
    assert [option.words for option in state.options()] == [
        "mark a1 for 10", "mark c1 for 10", "pass",
    ]  # fmt: skip
    state = state.apply("place(c: a1)")
    assert values(state, "points") == ["1", "12"]  # 10, and `near`, which was 1 and made 2
    assert state.is_over  # c1 would be worth 11 to the first and 22 to the second


def test_a_name_is_not_worked_out_before_the_conditions_above_it() -> None:
    state = game("""
        board Grid: square 3 by 1
        each Grid has
            owner: Player or none
        each player has
            gold: int = 3
        setup
            owner[b1] := P2
        action rob(n in 1..2, c in Grid) "rob {c} of {n}"
            when n > 1
            when c.owner is not none
            let riches = c.owner.gold
            when riches >= n
            c.owner.gold -= riches - n
        play
            P1 chooses
                rob
                wait "wait"
    """).start(seed=1)
    assert [str(option) for option in state.options()] == ["rob(n: 2, c: b1)", "wait"]
    assert values(state.apply("rob(n: 2, c: b1)"), "gold") == ["3", "2"]


def test_a_name_that_the_chooser_cannot_know_is_refused_where_it_is_used() -> None:
    found = problems("""
        each player has
            bid: 0..9, secret
        play
            for each p in players
                p.bid := 3
                p chooses
                    raise
                        let other = next(p).bid
                        when other > 3
                        p.bid := 4
                    wait
    """)
    assert len(found) == 1
    assert "RR402" in found[0]


def test_chance_gives_a_name() -> None:
    found = game(
        """
        each player has
            hits: int
        the game has
            total: int
        play
            repeat 60 times
                let hit = random p in players where p is not P2
                hit.hits += 1
            let n = random k in 2..4
            total := n
            n := 1
            total += n
    """,
        3,
    )
    state = found.start(seed=1)
    hits = [int(each or 0) for each in values(state, "hits")]
    assert hits[1] == 0
    assert sum(hits) == 60
    assert min(hits[0], hits[2]) > 10
    totals = {values(found.start(seed=seed), "total")[0] for seed in range(12)}
    assert totals == {"3", "4", "5"}
