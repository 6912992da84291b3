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


# ---- several binders, the only one, values that are listed


def test_several_binders_are_one_inside_the_other() -> None:
    state = finish("""
        board Grid: square 3 by 3
        the game has
            pairs, beside, far, least, most, none1: int
            some, all, few: bool
        function area(c: Grid): int = c.row * c.column
        play
            pairs := count(x in Grid where x.row = 1, y in Grid where y.row > x.column)
            beside := sum(area(x) * 100 + area(y) for x in Grid where x.onEdge, y in neighbours(x)
                where not y.onEdge)
            far := count(x in 1..4, y in x..4, z in y..4)
            least := min(x * 10 - y for x in 2..5, y in x + 1..4 else -7)
            most := max(x * 10 - y for x in 2..5, y in x + 1..4)
            none1 := max(x * y for x in 1..3, y in 4..x else -7)
            some := any(x in 1..4, y in 1..4 while y < 3 where x * y = 8)
            all := every(x in 1..4, y in 1..4 where y < x has y - x <= -1)
            few := every(x in 1..4, y in 1..4 has x * y < 16)
    """)
    # Columns 1, 2, 3 of row 1 have 6, 3 and 0 cells in higher rows.
    assert values(state, "pairs") == ["9"]
    # b1, a2, c2 and b3 lie beside b2, whose area is 4: 2 + 2 + 6 + 6 of their own.
    assert values(state, "beside") == [str(16 * 100 + 4 * 4)]
    assert values(state, "far") == ["20"]  # three of four with repetition
    assert values(state, "least", "most", "none1") == ["16", "26", "-7"]
    assert values(state, "some", "all", "few") == ["yes", "yes", "no"]


def test_the_only_one() -> None:
    state = finish(
        """
        kind Card: 1..5
        the game has
            pile: set of Card, holds all
            one: Card or none
            two, three: Player or none
        each player has
            gold: int
        play
            P2.gold := 4
            one := pick(c in pile where c.value mod 5 = 3)
            two := pick(p in players where p.gold = 0)
            three := pick(p in players where p.gold > 9)
            if pick(p in players where p.gold > 0) is P2
                P2 wins
    """,
        3,
    )
    assert values(state, "one", "two", "three") == ["3", "none", "none"]
    assert state.winners == (1,)


def test_a_domain_may_list_its_values() -> None:
    found = game("""
        board Grid: square 3 by 3
        enum Suit: leaves, acorns, bells
        the game has
            spot: Grid = b2
            trail, sums: int
            in1, in2, in3: bool
        play
            for each d in (north, west)
                spot := step(spot, d)
            for each n at k in (7, 1 + spot.row, 5) where n > 4
                spot := a1
                trail += n * k
            in1 := a1 in (b1, spot)
            in2 := leaves in (bells, acorns)
            in3 := trail in (3, 22)
            sums := sum(n * m for n in (1, 5), m in (10, 100))
            P1 chooses n in (1, 5, 10) "take {n}"
            sums += n
    """)
    state = found.start(seed=1)
    assert [option.words for option in state.options()] == ["take 1", "take 5", "take 10"]
    state = state.apply("choose(n: 5)")
    # The values are looked at before the loop: 7, 4, 5, of which 4 is left out.
    assert values(state, "trail", "sums") == [str(7 + 15), str(660 + 5)]
    assert values(state, "in1", "in2", "in3") == ["yes", "no", "yes"]


# ---- numbers of values


def test_values_have_numbers() -> None:
    state = finish(
        """
        board Grid: square 3 by 2
        enum Suit: leaves, acorns, bells
        kind Card: fox 2, hen, owl
        table Race: elf, orc
        the game has
            pile: row of Card, holds all
            a, b, c, d, e, f, g: int
            suit: Suit
            cell: Grid
            way: GridDirection
            race: Race
            who: Player
            same, other: bool
        play
            a := position(bells)
            b := position(P3)
            c := position(c1)
            d := position(southwest)
            e := position(orc)
            f := position(owl)
            g := position(top(pile)) * 10 + position(bottom(pile))
            suit := Suit[a - 1]
            cell := Grid[position(c2) - 1]
            way := GridDirection[d + 1]
            race := Race[e]
            who := players[b]
            same := top(pile) is Card[3]
            other := every(x in Grid has Grid[position(x)] is x)
            players[position(who) - 1] wins
    """,
        3,
    )
    # The first cell is a2, at the top left; directions begin with north.
    assert values(state, "a", "b", "c", "d", "e", "f", "g") == ["3", "3", "6", "6", "2", "3", "31"]
    shown = values(state, "suit", "cell", "way", "race", "who")
    assert shown == ["acorns", "b2", "west", "orc", "P3"]
    assert values(state, "same", "other") == ["yes", "yes"]
    assert state.winners == (1,)


def test_the_position_of_a_hidden_card_is_as_secret_as_the_card() -> None:
    found = problems("""
        kind Card: fox, hen, owl
        the game has
            deck: stack of Card, holds all
        each player has
            hand: hand of Card
        setup
            shuffle deck
            for each p in players
                draw 1 from deck to p.hand
        play
            say "{sum(position(c) for c in P1.hand)}"
    """)
    assert any("RR404" in line for line in found)
