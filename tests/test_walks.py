"""What walks, trials and histories do, on rulesets small enough to check by hand.

Each is played on both machines, which must agree on every cell.
"""

from __future__ import annotations

import textwrap
from array import array

import pytest
from differential import compare

import interpreter
from interpreter.embedding import Game, State
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
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


def test_few_cells_of_many_are_put_back_in_the_right_order() -> None:
    """A cell that is written twice holds again what it held first, whatever was tried within."""
    text = """
        board Grid: square 6 by 6
        each Grid has
            n: int
        the game has
            a, b, c, d: int
        procedure twice(x: Grid, y: Grid)
            x.n += 1
            for each k in 1..2
                y.n := y.n * 10 + k
            if y.n > 100
                x.n := 7
        function total() = sum(x.n for x in Grid)
        function more(x: Grid): int = (total() after twice(x, x))
        play
            a1.n := 3
            f6.n := 1
            a := (total() after twice(a1, f6) then twice(a1, a1))
            b := (more(a1) * 1000 + more(f6) after twice(b1, f6))
            c := total()
            d := a1.n * 10 + f6.n
    """
    # a: a1 4, f6 112, a1 7; then a1 8, 81, 812, 7. Together 119.
    # b: b1 1, f6 112, b1 7; then either a1 4, 41, 412, 7, together 126; or f6 7, together 17.
    assert values(text, "a b c d") == ["119", "126017", "4", "31"]


def test_a_failure_half_way_puts_back_what_was_written() -> None:
    text = """
        board Grid: square 6 by 6
        each Grid has
            n: 0..3
        procedure raise(x: Grid, y: Grid)
            x.n := 3
            y.n += 2
        action go(c in Grid where c is not b2) "{c}"
            when (a1.n < 3 after raise(c, b2))
            raise(c, b2)
        play
            turns
                choose go
    """
    program = interpreter.load_text(HEAD + textwrap.dedent(text), players=2).program
    (cells,) = (each for each in program.layout.variables if each.name == "n")
    for machine in (Machine(program), Engine(program, cached=False, level=1)):
        state = array("q", machine.start(1, 0))
        with pytest.raises(Failure, match="RR604"):
            machine.take(state, machine.options(state, 0)[-1], 0)
            machine.options(state, 1)
        held = state[cells.address : cells.address + cells.size]
        assert {at: n for at, n in enumerate(held) if n} == {25: 2, 35: 3}  # b2, f1


# ---- steps between cells


def test_steps_are_tested_and_not_only_cells() -> None:
    """A wall between the rows but at one place, and one-way streets."""
    text = """
        board Grid: square 3 by 3
        each Grid has
            wall[GridDirection]: bool
        the game has
            a, b, c, d, e, f, g: int
        function isOpen(w: Grid, x: Grid) = not w.wall[direction(w, x)]
        procedure close(w: Grid, d: GridDirection)
            w.wall[d] := yes
            step(w, d).wall[opposite(d)] := yes
        play
            close(a1, north)
            close(b1, north)
            a := distance(a1, a2)
            b := distance(a1, a2 through x from w where isOpen(w, x))
            c := count(x in region(a1 through y from w where isOpen(w, y) and y.row >= w.row))
            d := count(x in reach(a1 within 4 through y from w costs (1 if isOpen(w, y) else none)))
            close(c1, north)
            e := distance(a1, a2 through x from w where isOpen(w, x))
            f := count(x in region(a1 through y from w where isOpen(w, y)))
            g := distance(a1, a1 through x where no) + distance(a1, c3 through x where x.row > 1)
    """
    # c: the row a1 b1 c1, then c2, from there b2 and a2, and the row above them.
    # d: b1 1, c1 2, c2 3, b2 and c3 4.
    assert values(text, "a b c d e f g") == ["1", "5", "9", "5", "-1", "3", "4"]


def test_directions_of_cells_in_a_straight_line() -> None:
    text = """
        board Grid: square 4 by 4
        board Round: ring 5
        the game has
            a, b, c, d: int
        play
            a := count(x in Grid where direction(a1, x) is not none)
            b := count(x in Grid where direction(a1, x) is northeast)
            let first = pick(x in Round by least x.column ties in order)
            c := count(x in Round where direction(first, x) is clockwise)
            let direction = direction(b2, d2)
            if direction is east and direction(b2, b2) is none
                d := 1
    """
    assert values(text, "a b c d") == ["9", "3", "4", "1"]


# ---- histories


def test_positions_are_the_same_if_all_their_parts_are() -> None:
    text = """
        board Grid: square 2 by 2
        each Grid has
            stone: Player or none
        the game has
            mover: Player
            other: 0..9
            a, b, c, d, e, f: int
        history boards of the last 5
            x.stone for x in Grid
            mover
        play
            a := timesSeen(boards)
            remember boards
            b := timesSeen(boards)
            remember boards
            other := 3
            c := timesSeen(boards)
            mover := P2
            d := timesSeen(boards)
            b2.stone := P1
            mover := P1
            e := timesSeen(boards)
            b2.stone := none
            f := timesSeen(boards)
    """
    assert values(text, "a b c d e f") == ["0", "1", "2", "0", "0", "2"]


def test_every_sort_of_value_is_told_apart() -> None:
    """Each value of a position is changed once, to every other that it can have."""
    text = """
        enum Suit: sun, moon, star
        kind Card: jack 2, queen
        board Grid: square 3 by 3
        the game has
            wide: int
            near: -2 .. 5
            maybe: 3..4 or none
            any_: int or none
            suit: Suit or none
            flag: bool
            who: Player
            way: GridDirection or none
            cell: Grid
            slot_: slot of Card
            deck: set of Card, holds all
            many[1..3, Suit]: 0..700000
            changes, seen, missed: int
        history all_ of the last 2
            wide
            near
            maybe
            any_
            suit
            flag
            who
            way
            cell
            slot_
            many[n, s] for n in 1..3, s in Suit
            wide * k for k in (2, 5)
        procedure look()
            changes += 1
            seen += timesSeen(all_)
        play
            remember all_
            for each n in (1, -1, 9223372036854775)
                wide := n
                look()
            wide := 0
            for each n in (-2, -1, 1, 5)
                near := n
                look()
            near := 0
            for each n in 3..4
                maybe := n
                look()
            maybe := none
            any_ := 0
            look()
            any_ := none
            for each s in Suit
                suit := s
                look()
                suit := none
            flag := yes
            look()
            flag := no
            who := P2
            look()
            who := P1
            for each d in GridDirection
                way := d
                look()
            way := none
            for each c in Grid where c is not a3
                cell := c
                look()
            cell := a3
            for each c in Card
                move c to slot_
                look()
                move c to deck
            for each s in Suit
                for each n in 1..3
                    many[n, s] := 700000
                    look()
                    many[n, s] := 0
            missed := 1 - timesSeen(all_)
    """
    assert values(text, "changes seen missed") == ["43", "0", "0"]


def test_the_oldest_position_is_forgotten() -> None:
    text = """
        the game has
            n: 0..9
            a, b, c: int
        history numbers of the last 3
            n
        play
            for each k in 1..4
                n := k
                remember numbers
            n := 1
            a := timesSeen(numbers)
            n := 2
            b := timesSeen(numbers)
            for each k in 1..4
                remember numbers
            c := timesSeen(numbers)
    """
    assert values(text, "a b c") == ["0", "1", "3"]


def test_a_position_can_be_asked_for_before_it_is_there() -> None:
    """What is remembered while something is tried out is forgotten again."""
    text = """
        the game has
            n: 0..9
            a, b, c: int
        history numbers of the last 3
            n
        procedure count_(k: int)
            n := k
        procedure keep(k: int)
            n := k
            remember numbers
        play
            remember numbers
            n := 5
            a := (timesSeen(numbers) after count_(0))
            b := (timesSeen(numbers) after keep(0) then keep(0))
            c := (timesSeen(numbers) after count_(0)) * 10 + timesSeen(numbers)
    """
    assert values(text, "a b c") == ["1", "3", "10"]


def test_histories_are_in_no_view() -> None:
    text = """
        the game has
            n: 0..9
        each player has
            bid: 0..3, secret
        history numbers of the last 3
            n
        history bids of the last 3, seen by nobody
            p.bid for p in players
        play
            repeat 2 times
                sealed for p
                    p chooses k in 0..3 "{k}"
                    p.bid := k
                remember numbers
                remember bids
                if timesSeen(bids) > 1
                    n += 1
    """
    state = game(text).start(seed=1)
    for seat in (0, 1, 0):
        state = state.apply("choose(k: 2)", seat)
    assert {each.member for each in state.view(0).variables} == {"n", "bid"}
    assert state.apply("choose(k: 2)", 1).view(0).variables[0].value == "1"
