"""What walks, trials and histories do, on rulesets small enough to check by hand.

Each is played on both machines, which must agree on every cell.
"""

from __future__ import annotations

import textwrap

import pytest
from differential import compare

import interpreter
from interpreter.embedding import Game, State
from interpreter.play.native.engine import Engine

pytest.importorskip("llvmlite")

HEAD = 'game "Test"\nplayers 2\n'


def game(text: str) -> Game:
    """The same on both machines."""
    found = interpreter.load_text(HEAD + textwrap.dedent(text), players=2)
    compare(found.program, Engine(found.program, cached=False, level=1), 2)
    return found


def values(text: str, names: str) -> list[str]:
    """What the variables hold at the end of a game that asks nobody."""
    state = game(text).start(seed=1)
    assert state.is_over, state.options()
    return held(state, names)


def held(state: State, names: str) -> list[str]:
    found = {v.member: v.value for v in state.view(None).variables if not v.index_words}
    return [str(found[name]) for name in names.split()]


# ---- until


def test_until_includes_the_first_that_satisfies_it() -> None:
    text = """
        board Grid: square 5 by 1
        each Grid has
            piece: Player or none
        the game has
            a, b, c, d, e, f: int
        group seen(from: Grid) = x in ray(from, east) until x.piece is not none
        play
            c1.piece := P1
            d1.piece := P2
            a := count(x in ray(a1, east) until x.piece is not none)
            b := count(x in ray(a1, east) until x.piece is not none where x.piece is P1)
            c := count(x in ray(d1, east) until x.piece is not none)
            d := count(x in seen(a1) where x.piece is none)
            e := sum(x * x for x in 1..9 until x = 3)
            f := max(x.column for x in seen(c1))
    """
    assert values(text, "a b c d e f") == ["2", "1", "1", "1", "14", "4"]


def test_until_is_looked_at_when_its_turn_comes() -> None:
    """Before the pass it is the last of, whatever happens in that pass: `skip` leaves it early."""
    text = """
        kind Card: 1..5
        the game has
            row1: row of Card, holds all
            away: row of Card
            passes, late, left: int
            stop1: int = 3
        play
            for each n in 1..9 until n >= stop1
                passes += 1
                if n = 3
                    skip
                stop1 := 3
            for each n in 1..9 until late > 0
                late += n
                stop1 := 0
            for each c in row1 until c.value = 3
                if c.value = 3
                    skip
                move c to away
            left := number of row1
    """
    assert values(text, "passes late left") == ["3", "3", "3"]


def test_until_ends_loops_in_which_somebody_is_asked() -> None:
    text = """
        the game has
            asked: int
        play
            for each n in 1..9 until n = 2
                for each p in players
                    p chooses m in n .. n + 1 "{m}"
                    asked += 1
                if n = 2
                    skip
                asked += 10
    """
    state = game(text).start(seed=1)
    decisions = 0
    while not state.is_over:
        state = state.apply(state.options()[0])
        decisions += 1
    assert decisions == 4
    assert held(state, "asked") == ["14"]


def test_until_offers_the_first_blocker_and_nothing_behind_it() -> None:
    text = """
        board Grid: square 5 by 1
        each Grid has
            piece: Player or none
        action slide(to in ray(a1, east) until to.piece is not none) "to {to}"
            end game
        setup
            c1.piece := P1
        play
            turns
                choose slide
    """
    state = game(text).start(seed=1)
    assert [str(option) for option in state.options()] == ["slide(to: b1)", "slide(to: c1)"]


# ---- what if


def test_a_trial_changes_nothing_but_what_is_asked_about() -> None:
    text = """
        kind Card: 1..5
        the game has
            pile: row of Card, holds all
            away: row of Card
            tokens: int = 3
            a, b, c, d, e, f: int
        procedure spend(n: int)
            tokens -= n
            say "spent {n}"
        procedure take(n: int)
            repeat n times
                move top(pile) to away
        function left(n: int): int = (tokens after spend(n))
        play
            a := (tokens * 10 after spend(1) then spend(1))
            b := tokens
            c := (number of away * 10 + top(away).value after take(2))
            d := number of pile * 10 + top(pile).value
            e := left(2) + (left(1) after spend(1))
            f := count(n in 1..5 where (tokens >= 0 after spend(n)))
    """
    found = game(text)
    state = found.start(seed=1)
    assert held(state, "a b c d e f") == ["10", "3", "24", "55", "2", "3"]
    assert not [event for event in state.events if event.word == "say"]


def test_what_the_steps_are_given_is_worked_out_before_them() -> None:
    text = """
        the game has
            n: int = 1
            a: int
        procedure add(k: int)
            n += k
        play
            a := (n after add(n) then add(n))
    """
    assert values(text, "a") == ["3"]


def test_options_ask_what_would_be() -> None:
    """A cell may be taken only if its row does not become full; nothing is left of the asking."""
    text = """
        board Grid: square 3 by 2
        each Grid has
            mark: Player or none
        procedure place(p: Player, c: Grid)
            c.mark := p
        function full(row: int) = every(c in Grid where c.row = row has c.mark is not none)
        action take(c in Grid where c.mark is none) "{c}"
            when not (full(c.row) after place(me, c))
            place(me, c)
        play
            turns
                choose
                    take
                    otherwise
                        stop
            end game
        score p: count(c in Grid where c.mark is p)
    """
    state = game(text).start(seed=1)
    while not state.is_over:
        before = list(state.buffer)
        options = state.options()
        assert list(state.buffer) == before
        state = state.apply(options[0])
    assert sum(state.scores) == 4


def test_pieces_are_put_back_with_all_that_is_known_of_them() -> None:
    text = """
        kind Card: coin 4, lamp, rope, ring
        the game has
            deck: stack of Card, holds all
            shown: row of Card
            total: int
        each player has
            hand: hand of Card
        setup
            shuffle deck
            for each p in players
                draw 2 from deck to p.hand
        procedure discard(p: Player)
            move all from p.hand to shown
        action drop(c in me.hand)
            move c to shown
        play
            turns
                total += (number of shown after discard(P1) then discard(P2))
                choose
                    drop
                    otherwise
                        stop
            end game
        score p: number of shown
    """
    state = game(text).start(seed=3)
    assert held(state, "total") == ["4"]


def test_a_search_in_a_trial_sees_the_trial() -> None:
    """Ways are remembered while options are looked for; what is tried out makes other ways."""
    text = """
        board Grid: square 4 by 4
        each Grid has
            wall: bool
        procedure build(c: Grid)
            c.wall := yes
        function open(): int
            count(
                x in reach(a1 within 20 through y costs (none if y.wall else 1))
            ) otherwise
        action put(c in Grid where not c.wall and c is not a1) "{c}"
            when open() - (open() after build(c)) = 1
            build(c)
        play
            turns
                choose
                    put
                    otherwise
                        end game
        score p: open()
    """
    state = game(text).start(seed=1)
    for _ in range(40):
        if state.is_over:
            break
        state = state.apply(state.options()[0])
    assert state.is_over
    assert state.scores[0] == 0


def test_a_failure_in_a_trial_is_told_as_one() -> None:
    text = """
        the game has
            low: 0..3 = 3
            a: int
        procedure lower(n: int)
            low -= n
        play
            a := (low after lower(4))
    """
    found = interpreter.load_text(HEAD + textwrap.dedent(text), players=2)
    with pytest.raises(interpreter.PlayError) as caught:
        found.start(seed=1)
    assert caught.value.problem.code == "RR604"
    assert [note for _, note in caught.value.problem.notes] == [
        "it happened while this was tried out"
    ]
