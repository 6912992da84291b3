"""What each construct of the language does, on rulesets small enough to check by hand."""

from __future__ import annotations

import random
import textwrap

import pytest

import interpreter
from interpreter.embedding import Game, State

HEAD = 'game "Test"\nplayers 2..4\n'


def game(text: str, players: int = 2) -> Game:
    return interpreter.load_text(HEAD + textwrap.dedent(text), players=players)


def value(state: State, name: str, *index: str) -> str:
    found = [
        v.value for v in state.view(None).variables if v.member == name and v.index_words == index
    ]
    assert len(found) == 1, f"{name}{index}"
    assert found[0] is not None
    return found[0]


def texts(state: State, seat: int | None = None) -> list[str]:
    return [str(option) for option in state.options(seat)]


def finish(text: str, players: int = 2, seed: int = 1) -> State:
    """Run a game that asks nobody anything."""
    state = game(text, players).start(seed=seed)
    assert state.is_over, state.options()
    return state


def test_arithmetic_rounds_as_it_says() -> None:
    state = finish("""
        the game has
            a, b, c, d: int
        play
            a := 7 div 2
            b := 7 divUp 2
            c := (0 - 7) div 2
            d := (0 - 7) mod 3
    """)
    assert [value(state, name) for name in "abcd"] == ["3", "4", "-4", "2"]


def test_the_number_of_a_group_leaves_out_what_the_group_leaves_out() -> None:
    state = finish("""
        kind Card: 1..5
        the game has
            pile: set of Card, holds all
            all, big: int
        group later = c at n in pile where n > 2
        play
            all := number of pile
            big := number of later
    """)
    assert [value(state, name) for name in ("all", "big")] == ["5", "3"]


def test_sorted_loops_follow_their_keys_and_keep_order_on_ties() -> None:
    state = finish(
        """
        each player has
            gold: int
            place: int
        the game has
            turn: int
        setup
            gold[pick(p in players by most clockwise(p, p) ties in order)] := 5
            for each p in players
                p.gold := (5 if clockwise(next(p), p) = playerCount - 1 and p.gold = 5 else 3)
        play
            for each p in players by most p.gold, most p.equals ties in order
                turn += 1
                p.place := turn
        function equals(p: Player): int = count(q in players where q.gold = 3)
    """,
        3,
    )
    assert [value(state, "place", f"P{n}") for n in (1, 2, 3)] == ["1", "2", "3"]


def test_repeat_until_is_tested_before_each_pass_and_stop_leaves_the_loop() -> None:
    state = finish("""
        the game has
            n, m: int
        play
            repeat until n = 3
                n += 1
            repeat
                m += 1
                if m = 5
                    stop
            repeat 4 times
                n += 10
                if n > 20
                    skip
                n += 1
    """)
    assert value(state, "m") == "5"
    assert value(state, "n") == "44"


def test_leave_unwinds_called_procedures() -> None:
    state = game("""
        the game has
            log: int
        procedure inner(p: Player)
            p chooses
                go
                    log += 1
                flee
                    leave round
            log += 10
        procedure outer(p: Player)
            inner(p)
            log += 100
        play
            repeat 2 times as round
                outer(pick(p in players by least 0 ties in order))
            log += 1000
    """).start()
    assert texts(state) == ["go", "flee"]
    again = state.apply("go")
    assert value(again, "log") == "111"
    assert value(again.apply("flee"), "log") == "1111"
    assert value(state.apply("flee"), "log") == "1000"


def test_turns_skip_players_and_end_when_nobody_is_left() -> None:
    state = game(
        """
        each player has
            lives: int = 1
        play
            turns where me.lives > 0
                me chooses
                    die
                        me.lives -= 1
                    wait
    """,
        3,
    ).start()
    assert state.seats_to_act == (0,)
    state = state.apply("die")
    assert state.seats_to_act == (1,)
    state = state.apply("wait")
    assert state.seats_to_act == (2,)
    state = state.apply("die")
    assert state.seats_to_act == (1,)
    assert state.apply("die").is_over


def test_again_gives_the_same_player_another_turn() -> None:
    state = game("""
        each player has
            n: int, per turn
            m: int
        play
            turns
                me chooses
                    more
                        me.n += 1
                        me.m += 1
                        again
                    end1
                        me.m += 1
    """).start()
    state = state.apply("more").apply("more")
    assert state.seats_to_act == (0,)
    assert value(state, "n", "P1") == "0"
    assert value(state, "m", "P1") == "2"
    assert state.apply("end1").seats_to_act == (1,)


def test_options_are_in_order_filtered_and_refused_otherwise() -> None:
    state = game("""
        the game has
            chosen: int
        play
            turns
                me chooses
                    take(a in 1..3, b in a..4 where b mod 2 = 0) "take {a} and {b}"
                        when a != 2
                        chosen := a * 10 + b
                    pass
    """).start()
    assert texts(state) == ["take(a: 1, b: 2)", "take(a: 1, b: 4)", "take(a: 3, b: 4)", "pass"]
    assert state.options()[1].words == "take 1 and 4"
    assert value(state.apply("take(a:3,b: 4)"), "chosen") == "34"
    with pytest.raises(interpreter.IllegalOption):
        state.apply("take(a: 2, b: 2)")


def test_names_right_below_the_head_of_an_option_are_in_its_text() -> None:
    """No condition has to follow them; and a step may give them another value."""
    state = game("""
        the game has
            stones: int = 9
        action take(n in 1..2) "take {n}, pay {price}"
            let more = 100
            let half = n + 1
            let price = half * 2
            stones -= price
            price += more
            stones -= price
        play
            turns
                me chooses
                    take
                    wait "wait, there are {now}"
                        when stones > 0
                        let now = stones
                        stones := now + 1
    """).start()
    words = [option.words for option in state.options()]
    assert words == ["take 1, pay 4", "take 2, pay 6", "wait, there are 9"]
    assert value(state.apply("take(n: 2)"), "stones") == str(9 - 6 - 106)
    assert value(state.apply("wait"), "stones") == "10"


def test_otherwise_is_done_when_nothing_can_be_chosen() -> None:
    state = finish("""
        the game has
            n: int
        play
            let p = pick(p in players by least 0 ties in order)
            p chooses
                never
                    when n > 0
                otherwise
                    n := 7
    """)
    assert value(state, "n") == "7"


def test_may_choose_adds_a_pass_and_asks_nobody_who_has_nothing() -> None:
    state = game("""
        the game has
            n: int
        play
            for each p in players
                p may choose x in 1..n + clockwise(next(p), p) "give {x}"
                if x is not none
                    n += x
            for each p in players
                p may choose y in 1..n
                n += (10 if y is none else 0)
    """).start()
    assert texts(state) == ["choose(x: 1)", "pass"]
    passed = state.apply("pass")
    assert passed.seats_to_act == (1,)
    asked = passed.apply("pass")
    assert value(asked, "n") == "10"  # the first player had nothing to choose from
    assert asked.seats_to_act == (1,)
    assert value(asked.apply("pass"), "n") == "20"
    assert value(state.apply("choose(x: 1)"), "n") == "1"


def test_a_declared_action_can_be_offered_sealed() -> None:
    """Its domain reads the game, and it knows nothing of the block around it."""
    state = game(
        """
        the game has
            most: int = 2
        each player has
            gold: int
        action take(n in 1..most)
            me.gold += n
        play
            sealed for p
                p chooses take
            most := 0
            end game
        """
    ).start(seed=1)
    assert texts(state, 1) == ["take(n: 1)", "take(n: 2)"]
    state = state.apply("take(n: 2)", 1).apply("take(n: 1)", 0)
    assert (value(state, "gold", "P1"), value(state, "gold", "P2")) == ("1", "2")


def test_sealed_choices_are_made_unseen_and_carried_out_together() -> None:
    rules = game(
        """
        each player has
            bid: 0..3
            spent: int
        play
            sealed for p
                p chooses x in 0..3
                p.bid := x
                if x > 1
                    p chooses y in 0..1
                    p.spent := y
            end game
        score p: p.bid + p.spent
    """,
        3,
    )
    state = rules.start()
    assert state.seats_to_act == (0, 1, 2)
    answers = {
        0: ["choose(x: 2)", "choose(y: 1)"],
        1: ["choose(x: 0)"],
        2: ["choose(x: 3)", "choose(y: 0)"],
    }
    ends = set()
    for order in range(12):
        mixed = random.Random(order)
        left = {seat: list(found) for seat, found in answers.items()}
        now = state
        while not now.is_over:
            seat = mixed.choice(now.seats_to_act)
            before = now.view((seat + 1) % 3)
            now = now.apply(left[seat].pop(0), seat)
            if not now.is_over:
                assert now.view((seat + 1) % 3) == before
        assert now.scores == (3, 0, 3)
        ends.add(tuple(now.buffer))
    assert len(ends) == 1


def test_looking_ahead_offers_only_what_can_be_carried_through() -> None:
    state = game("""
        the game has
            n: int = 1
        play
            turns
                looking ahead
                    me chooses x in 1..6
                    n += x
                    me chooses y in 1..6 where n + y = 9
                    n += y
                nobody wins
    """).start()
    assert texts(state) == [f"choose(x: {x})" for x in range(2, 7)]


def test_can_tries_a_procedure_without_doing_it() -> None:
    state = game("""
        the game has
            n: int
        procedure take(p: Player, k: int)
            p chooses x in k..3
            n += x
        play
            turns
                me chooses
                    go(k in 1..5)
                        when can (take(me, k) then take(me, k + 1))
                        take(me, k)
                    rest
    """).start()
    assert texts(state) == ["go(k: 1)", "go(k: 2)", "rest"]
    assert value(state, "n") == "0"


CARDS = """
    kind Card: ace, king 2, queen
    the game has
        deck: stack of Card, holds all
        used: row of Card
    each player has
        hand: hand of Card
"""


def test_draws_are_chance_with_exact_weights() -> None:
    text = (
        CARDS
        + """
    setup
        shuffle deck
        for each p in players
            draw 1 from deck to p.hand
    play
        turns
            choose c in me.hand
            move c to used
            if number of me.hand = 0
                nobody wins
    """
    )
    state = game(text).start(explicit_chance=True)
    assert state.is_chance
    weights = {str(o): o.weight for o in state.chance_outcomes()}
    assert weights == {
        "draw(deck: ace)": 1,
        "draw(deck: king)": 2,
        "draw(deck: queen)": 1,
    }
    state = state.apply("draw(deck: king)")
    weights = {str(o): o.weight for o in state.chance_outcomes()}
    assert weights == {
        "draw(deck: ace)": 1,
        "draw(deck: king)": 1,
        "draw(deck: queen)": 1,
    }


def test_a_refilled_stack_takes_back_the_used_pile() -> None:
    text = """
    kind Card: a, b, c
    the game has
        deck: stack of Card, holds all, refilled from used
        used: row of Card
        n: int
    each player has
        hand: hand of Card
    play
        shuffle deck
        for each p in players
            draw 2 from deck to p.hand
            move all from p.hand to used
        n := number of deck
    """
    state = finish(text)
    assert value(state, "n") == "1"


def test_pieces_go_on_top_and_at_the_bottom_of_a_shuffled_stack() -> None:
    text = """
    kind Card: 1..6
    the game has
        deck: stack of Card, holds all
        out: row of Card
        aside: row of Card
    play
        shuffle deck
        draw 2 from deck to aside
        for each c at n in aside
            if n = 1
                move c to deck at top
            else
                move c to deck at bottom
        draw 6 from deck to out
    """
    for seed in range(20):
        state = finish(text, seed=seed)
        events = [e.values[0] for e in state.events if e.word == "chance"]
        out = next(p for p in state.view(None).places if p.name == "out")
        order = [int(piece.name or 0) - 1 for piece in out.pieces]
        assert order[0] == events[0]
        assert order[-1] == events[1]


def test_pools_count_and_draw_by_weight() -> None:
    text = """
    kind Bone: red 3, blue 1
    the game has
        bag1: pool of Bone, holds all
        rest: int
    each player has
        bones: pool of Bone
    play
        let p = pick(p in players by least 0 ties in order)
        draw 2 from bag1 to p.bones
        move up to 9 of blue from bag1 to p.bones
        rest := bag1[red] + 10 * p.bones[blue] + 100 * number of p.bones
    """
    state = finish(text)
    assert value(state, "rest") in {"311", "212", "312", "213"}
    start = game(text).start(explicit_chance=True)
    assert [(str(o), o.weight) for o in start.chance_outcomes()] == [
        ("draw(bag1: red)", 3),
        ("draw(bag1: blue)", 1),
    ]


def test_abilities_modify_react_and_replace() -> None:
    text = """
    kind Card from cards
        ability: ability or none = none
    each player has
        staff: row of Card, active
        money: int = 10
        wear: int
    quantity price(p: Player) = 3
    event damage(p: Player, n: int)
        p.wear += n
    ability broker
        modify price(p) to it + 2 when p is owner
    ability welder once per round
        instead of damage(who, n) when who is owner
            owner.money -= 1
    ability medic
        after damage(who, n) when who is owner and n > 1
            owner.wear -= 1
    setup
        for each c in Card
            move c to (pick(p in players by least number of p.staff ties in order)).staff
    play
        repeat 2 times as round
            for each p in players
                damage(p, 2)
                damage(p, 3)
        for each p in players
            p.money += price(p)
    """
    data = (
        "cards:\n  a: {ability: broker}\n  b: {ability: medic}\n  c: {ability: welder}\n  d: {}\n"
    )
    state = with_data(text, data)
    assert state.is_over
    # P1 has broker and welder: each round the first damage is replaced.
    assert value(state, "wear", "P1") == "6"
    assert value(state, "money", "P1") == str(10 - 2 + 5)
    # P2 has the medic: each of the four damages is healed by 1.
    assert value(state, "wear", "P2") == str(10 - 4)
    assert value(state, "money", "P2") == "13"


def with_data(text: str, data: str, players: int = 2) -> State:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "x.yaml").write_text(data)
        rules = HEAD + 'data "x.yaml"\n' + textwrap.dedent(text)
        (Path(folder) / "x.rules").write_text(rules)
        return interpreter.load(Path(folder) / "x.rules", players=players).start(seed=1)


def test_cells_and_rows_name_rows_in_any_order() -> None:
    text = """
    board Map: square from map
        pool: Location
        prize: Card or none
    table Location from locations
        size: int
        beyond: Location or none
    kind Card from cards
        twin: Card or none
        found: Location
    the game has
        deck: stack of Card, holds all, face up
        a, b, c, d: int
    play
        a := sum(x.pool.size for x in Map)
        b := count(x in Map where x.prize is king)
        c := count(x in deck where x.twin is king)
        d := sum(y.beyond.size for y in Location where y.beyond is not none)
        for each x in Map where x.prize is not none
            move x.prize to box
        a := 10 * a + number of deck
    """
    data = (
        "map:\n  - {id: u, x: 1, y: 1, pool: sea, prize: king}\n"
        "  - {id: v, x: 2, y: 1, pool: lake}\n"
        "locations: {lake: {size: 1, beyond: sea}, sea: {size: 3}}\n"
        "cards: {ace: {copies: 2, found: sea, twin: king}, king: {found: lake}}\n"
    )
    state = with_data(text, data)
    assert [value(state, name) for name in "abcd"] == ["42", "1", "2", "3"]


def test_tables_with_defaults_lists_and_nested_rows() -> None:
    text = """
    enum Terrain: grass, wood
    table Route
        steps: list of int
        score: int = 1
    table Race from races defaults basics
        speed: int
        cost[Terrain]: int or none
        routes: list of Route
    the game has
        a, b, c, d, e: int
    play
        for each r in Race
            a += r.speed
            for each t in Terrain where r.cost[t] is not none
                b += r.cost[t]
            for each route at n in r.routes
                c += route.score * n
                d += sum(s for s in route.steps)
            e += number of r.routes
    """
    data = """
basics: {speed: 3, cost: {grass: 1}}
races:
  elf: {speed: 5, routes: [{steps: [1, 2]}, {steps: [], score: 4}]}
  orc: {cost: {grass: never, wood: 7}}
"""
    state = with_data(text, data)
    assert [value(state, name) for name in "abcde"] == ["8", "8", "9", "3", "2"]


def test_boards_rays_regions_and_reach() -> None:
    state = finish("""
        board Grid: square 4 by 4
        each Grid has
            wall: bool
        the game has
            a, b, c, d, e, f: int
        play
            wall[b2] := yes
            wall[b3] := yes
            a := count(x in ray(a1, east))
            b := count(x in ray(b4, south) while not x.wall)
            c := count(x in region(a4 through y where not y.wall))
            d := count(x in neighbours(b1))
            e := count(x in adjacent(b1))
            f := sum(k for x at k in reach(a1 within 2 through y costs (none if y.wall else 1)))
    """)
    assert [value(state, n) for n in "abcdef"] == ["3", "0", "14", "3", "5", str(1 + 1 + 2 + 2)]


def test_ranks_share_ties() -> None:
    state = finish(
        """
        each player has
            v, r, d: int
        setup
            for each p at n in players
                p.v := max(n, 2)
        play
            for each p in players
                p.r := rank(p, most q.v for q in players)
                p.d := denseRank(p, most q.v for q in players)
    """.replace("for q in players", "for p in players")
        .replace("q.v", "p.v")
        .replace(
            "for each p in players\n                p.r",
            "for each s in players\n                p.r",
        )
        .replace("p.r := rank(p,", "s.r := rank(s,")
        .replace("p.d := denseRank(p,", "s.d := denseRank(s,"),
        4,
    )
    assert [value(state, "v", f"P{n}") for n in range(1, 5)] == ["2", "2", "3", "4"]
    assert [value(state, "r", f"P{n}") for n in range(1, 5)] == ["3", "3", "2", "1"]
    assert [value(state, "d", f"P{n}") for n in range(1, 5)] == ["3", "3", "2", "1"]


def test_winner_by_several_keys_and_shared() -> None:
    text = """
        each player has
            a, b: int
        setup
            for each p at n in players
                p.a := min(n, 2)
                p.b := n mod 2
        play
            end game
        score p: p.a
        winner p by most p.a, {key} ties {ties}
    """
    assert finish(text.format(key="least p.b", ties="share"), 4).winners == (1, 3)
    assert finish(text.format(key="most p.b", ties="share"), 4).winners == (2,)
    assert finish(text.format(key="least p.b", ties="none"), 4).winners == ()
    assert finish(text.format(key="least p.b", ties="in order"), 4).winners == (1,)


def test_clamped_and_ranged_variables() -> None:
    state = finish("""
        the game has
            t: 0..5 = 3, clamped
            u: 0..5 = 3
        play
            t += 10
            u := u + 1
            t -= 2
    """)
    assert (value(state, "t"), value(state, "u")) == ("3", "4")
    with pytest.raises(interpreter.PlayError) as caught:
        game("""
        the game has
            u: 0..5 = 3
        play
            u += 10
        """).start()
    assert caught.value.problem.code == "RR604"
    assert caught.value.problem.mark.line == 7


def test_always_is_checked_on_request() -> None:
    state = game("""
        the game has
            n: int
        always n < 2 "n stays small"
        play
            turns
                me chooses
                    grow
                        n += 1
                    rest
    """).start()
    assert state.apply("grow").broken_invariants() == []
    assert state.apply("grow").apply("grow").broken_invariants() == ["n stays small"]


def test_who_may_always_choose_is_asked_even_with_nothing_to_play() -> None:
    text = """
        each player has
            tokens: int
        play
            for each p in players
                p may {word} x in 1..p.tokens
    """
    assert game(text.format(word="choose")).start().is_over
    asked = game(text.format(word="always choose")).start()
    assert texts(asked) == ["pass"]
    assert asked.apply("pass").seats_to_act == (1,)


def test_what_stands_under_an_action_in_a_menu_follows_it() -> None:
    state = game("""
        the game has
            n: int
        action add(k in 1..2)
            n += k
        play
            turns
                choose
                    add
                        n += 10
                        if n > 20
                            stop
                    rest
    """).start()
    assert texts(state) == ["add(k: 1)", "add(k: 2)", "rest"]
    once = state.apply("add(k: 2)")
    assert value(once, "n") == "12"
    assert once.apply("add(k: 1)").is_over


def test_a_function_may_do_without_brackets() -> None:
    state = finish("""
        the game has
            n: int = 4
            m: int
        function twice = n * 2
        play
            m := twice + twice()
    """)
    assert value(state, "m") == "16"


def test_no_piece_is_of_no_row() -> None:
    """`none is last` must not look at the end of a table."""
    game = interpreter.load_text(
        """
game "Rows"
players 2
kind Card: first, middle, last
the game has
    deck: stack of Card, holds all
    shown: slot of Card
    held: Card or none
    found: int
play
    if held is last
        found += 1
    if shown is last
        found += 1
    if held is not last
        found += 10
    held := last
    if held is last
        found += 100
    end game
score p: found
"""
    )
    assert game.start().scores == (110, 110)


def test_a_member_goes_by_its_name_or_with_its_type_before_it() -> None:
    state = finish("""
        enum Part: tail, head
        enum Coin: head, rim
        kind Card: bell, rim
        the game has
            deck: stack of Card, holds all
            part: Part
            coin: Coin
            before, after, last: int
        function worth(c: Coin): int = (5 if c is Coin.head else 3)
        play
            let side = Coin.rim
            coin := side
            part := Part.head
            before := worth(Coin.head)
            after := worth(coin)
            last := position(Part.head)
            move Card.rim to deck at top
            say "{Part.head}"
    """)
    assert value(state, "part") == "head" and value(state, "coin") == "rim"
    assert [value(state, name) for name in ("before", "after", "last")] == ["5", "3", "2"]


def test_many_steps_in_one_direction() -> None:
    state = finish("""
        board Grid: square 5 by 4
        board Ring: ring 6
        board Line: line 6
        the game has
            a, b, c, d: Grid or none
            e, f: Ring or none
            g, h: Line or none
            far: 0..9 = 3
        play
            a := step(a1, northeast, 2)
            b := step(a1, east, far)
            c := step(a1, north, far + 1)
            d := step(b2, west, 0)
            e := step(Ring[5], clockwise, 2)
            f := step(Ring[1], counterclockwise, far * 5)
            g := step(Line[2], forward, far)
            h := step(Line[2], backward, 2)
    """)
    found = [value(state, name) for name in "abcdefgh"]
    assert found == ["c3", "d1", "none", "b2", "1", "4", "5", "none"]


def test_a_cell_by_its_column_and_row() -> None:
    state = finish("""
        board Grid: square 5 by 4
        board Cells: hex 3 by 2
        the game has
            a, b, c, d, e: Grid or none
            f: Cells or none
            n: int = 2
        play
            a := Grid[2, 4]
            b := Grid[n + 1, n - 1]
            c := Grid[6, 1]
            d := Grid[1, n - 2]
            e := pick(x in Grid where x.row = n and c3.column = x.column)
            f := Cells[3, 2]
    """)
    found = [value(state, name) for name in "abcdef"]
    assert found == ["b4", "c1", "none", "none", "c2", "c2"]


@pytest.mark.parametrize(
    "asked, goes",
    [
        ("x.column = here.column + 1 and x.row = here.row", False),
        ("here.row = x.row and x.column = 2", False),
        ("x.column = n and x.row = n - 1", False),
        ("x.column = here.column and x.row != here.row", True),
        ("x.column = x.row and x.row = 2", True),
        ("x.column = here.column or x.row = 2", True),
        ("x.column = 6 div n and x.row = 2", True),  # what could fail is asked in its turn
    ],
)
def test_a_board_is_not_gone_through_for_a_column_and_a_row(asked: str, goes: bool) -> None:
    found = game(f"""
        board Grid: square 5 by 4
        the game has
            here: Grid
            there: Grid or none
            n: 0..5 = 2
        function beside(here: Grid) = pick(x in Grid where {asked})
        play
            there := beside(here)
    """)
    assert ("CountLoop" in repr(found.program.functions)) == goes


def test_steps_cannot_be_fewer_than_none() -> None:
    with pytest.raises(interpreter.PlayError, match="RR60"):
        finish("""
            board Grid: square 5 by 4
            the game has
                n: int = 2
                a: Grid or none
            play
                a := step(a1, north, n - 3)
        """)


def test_cells_can_be_left_out_of_a_board_of_a_size() -> None:
    state = finish("""
        option size: 3..9 = 4
        board Cell: hex size by size where row + column <= size + 1
        board Ring: square 3 by 3 where row != 2 or column != 2
        the game has
            cells, ring: int
            gap, there: Ring or none
        play
            cells := number of Cell
            ring := number of Ring
            gap := step(Ring.a2, east)
            there := step(Ring.a1, east, 2)
    """)
    assert [value(state, name) for name in ("cells", "ring", "gap", "there")] == [
        "10", "8", "none", "c1",
    ]  # fmt: skip


def test_the_number_of_pieces_is_the_same_before_the_game_and_in_it() -> None:
    state = finish("""
        enum Suit: sun, moon
        kind Card: suit in Suit by value in 1..3 copies (1 if value = 1 else 2)
        kind Coin: copper 3, gold 2
        constant cards = number of Card
        constant coins = number of Coin
        constant suits = number of Suit
        the game has
            deck: row of Card, holds all
            purse: pool of Coin, holds all
            before, later: int
        play
            before := 100 * cards + 10 * coins + suits
            later := 100 * count(c in Card) + 10 * number of Coin + number of Suit
    """)
    assert [value(state, name) for name in ("before", "later")] == ["1022", "1022"]


def test_what_is_declared_goes_before_a_function_that_is_built_in() -> None:
    state = finish("""
        enum Season: summer, winter
        constant top[2..4]: int = 3, 5, 7
        constant distance = 2
        kind Card: one, two
            position[Season]: int = 4
        the game has
            step[2..4]: int
            hut: slot of Card
        each player has
            turn[1..2]: int
        setup
            move one to hut
        play
            step[3] := top[3] * distance
            P1.turn[2] := step[3] + 1
            turn[P2, 1] := P1.turn[2] + hut.position[winter] + one.position[summer]
    """)
    assert value(state, "step", "3") == "10"
    assert value(state, "turn", "P1", "2") == "11"
    assert value(state, "turn", "P2", "1") == "19"


def test_a_move_is_a_choice_that_somebody_is_asked_to_make() -> None:
    state = game("""
        the game has
            total: int
        each player has
            bid: int
        play
            for each p in players
                p chooses n in 1..1 "take {n}"
                total += n
            P1 may choose more in 1..2 "take {more}"
            sealed for p
                p chooses n in 1..2 "bid {n}"
                p.bid := n
    """).start()
    assert (state.moves, state.view(None).moves) == (0, 2)
    state = state.apply("pass").apply("choose(n: 1)", seat=0).apply("choose(n: 2)", seat=1)
    assert state.is_over
    assert state.moves == 3
