"""What nobody says must not be told by the way either: counts of moves, forced choices, sealed
choices, undo; and what is imagined holds together, also where secrets were chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.bots.bot import Stream, decide, make_bot
from interpreter.bots.search import search
from interpreter.embedding import Game, State, load_text
from interpreter.view.log import information_state

# ---- who was asked, and who had no choice

FORCED = """game "Forced"
players 2
kind Card: 1..6
the game has
    deck: stack of Card, holds all
    laid: row of Card, face down
each player has
    hand: hand of Card
play
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand
    repeat 2 times
        P1 chooses n in 1..3 "say {n}"
        P2 chooses
            lay(c in me.hand) "lay {c} down"
                when c.value > 3
                move c to laid
            otherwise
                say "P2 has nothing to lay"
"""


def dealt(game: Game, *cards: int | str) -> State:
    state = game.start(explicit_chance=True)
    for card in cards:
        state = state.apply(f"draw(deck: {card})")
    return state


def everything(state: State, seat: int) -> tuple[object, ...]:
    view = state.view(seat)
    return (
        view,
        view.as_data(),
        state.log(seat),
        information_state(state.entries(seat), state.view(seat)),
        state.can_undo,
    )


def test_a_forced_choice_looks_like_any_other() -> None:
    """Whether P2 holds one big card or two, P1 is given the same."""
    game = load_text(FORCED)
    asked = dealt(game, 1, 2, 5, 6).apply("choose(n: 1)")
    assert asked.seats_to_act == (1,)
    asked = asked.apply("lay(c: 5)")
    forced = dealt(game, 1, 2, 3, 5).apply("choose(n: 1)")
    assert forced.seats_to_act == asked.seats_to_act == (0,)
    assert everything(forced, 0) == everything(asked, 0)
    assert forced.view(0).moves == 2 and asked.moves != forced.moves


def test_what_led_to_a_question_for_some_hands_is_not_taken_back() -> None:
    """P1 has learnt that P2 has two big cards."""
    game = load_text(FORCED)
    state = dealt(game, 1, 2, 5, 6).apply("choose(n: 1)")
    assert not state.can_undo
    open_to_all = load_text(FORCED.replace("                when c.value > 3\n", ""))
    state = dealt(open_to_all, 1, 2, 5, 6).apply("choose(n: 1)")
    assert state.can_undo  # everybody sees two cards in that hand
    assert state.apply("lay(c: 5)").can_undo


PASSED_OVER = """game "Passed over"
players 3
kind Card: 1..6
the game has
    deck: stack of Card, holds all
each player has
    hand: hand of Card
    big: int
play
    shuffle deck
    for each p in players
        draw 1 from deck to p.hand
    repeat
        P1 chooses n in 1..3 "say {n}"
        P2 may choose
            boast(c in me.hand) "boast"
                when c.value > 3
                me.big += 1
        P3 chooses m in 1..3 "say {m}"
"""


@pytest.mark.parametrize("card", [2, 5])
def test_to_be_passed_over_in_silence_is_not_taken_back(card: int) -> None:
    state = dealt(load_text(PASSED_OVER), 1, card, 3).apply("choose(n: 1)")
    assert state.seats_to_act == ((2,) if card == 2 else (1,))
    assert not state.can_undo
    always = PASSED_OVER.replace("P2 may choose", "P2 may always choose")
    assert dealt(load_text(always), 1, card, 3).apply("choose(n: 1)").can_undo


SEALED = """game "Sealed"
players 2
each player has
    plan: 0..3, secret
    hold: bool, secret
play
    repeat
        sealed for p
            p chooses
                attack "attack"
                    p chooses n in 1..3 "with {n}"
                    p.plan := n
                wait "wait"
                    p.hold := yes
        P1 chooses go in 1..2
"""


def test_how_many_sealed_choices_were_made_is_not_told() -> None:
    game = load_text(SEALED)
    one = game.start(1).apply("attack", 1).apply("choose(n: 2)", 1).apply("wait", 0)
    two = game.start(1).apply("wait", 1).apply("wait", 0)
    assert everything(one, 0)[:-1] == everything(two, 0)[:-1]
    assert one.can_undo == two.can_undo
    assert one.log(0) == ["P1: wait", "P2 chooses in secret"] and one.view(0).moves == 2
    assert one.log(None) == ["P1 chooses in secret", "P2 chooses in secret"]
    assert one.log(1)[:2] == ["P2: attack", "P2: with 2"]


SEALED_CARDS = """game "Sealed cards"
players 2
kind Card: ace, king 4, queen 2
the game has
    deck: stack of Card, holds all
each player has
    hand: hand of Card
    also: 0..3, secret
play
    shuffle deck
    draw 2 from deck to P2.hand
    draw 2 from deck to P1.hand
    P1 chooses n in 1..2
    sealed for p
        p chooses c in p.hand where c is not ace "lay {c}"
        p chooses more in 1..3 "and {more}"
        p.also := more
"""
ONE_CARD = SEALED_CARDS[: SEALED_CARDS.index("        p chooses more")]


def test_that_others_still_seal_is_not_taken_advantage_of() -> None:
    """P1 has chosen, and the block goes on: so P2 has something to choose between."""
    state = dealt(load_text(ONE_CARD), "king", "queen", "king", "queen").apply("choose(n: 1)")
    assert state.can_undo  # P1 is asked, whatever P2 holds
    state = state.apply(state.options(0)[0], 0)
    assert state.seats_to_act == (1,) and not state.can_undo
    state = dealt(load_text(ONE_CARD), "king", "queen", "ace", "queen").apply("choose(n: 1)")
    assert state.seats_to_act == (1,) and not state.can_undo
    state = dealt(load_text(SEALED_CARDS), "king", "queen", "king", "queen").apply("choose(n: 1)")
    state = state.apply(state.options(0)[0], 0)
    assert state.can_undo and not state.apply("choose(more: 2)", 0).can_undo


def test_a_sealed_card_does_not_say_which_copy_it_is() -> None:
    """What P1 is sent hangs on the cards that P1 holds and has sealed, not on which of their
    copies these are; and what P1 supposes holds together."""
    game = load_text(SEALED_CARDS)
    sent: dict[tuple[str, ...], set[object]] = {}
    for seed in range(60):
        state = game.start(seed).apply("choose(n: 1)")
        while 0 in state.seats_to_act:
            state = state.apply(state.options(0)[0], 0)
            view, told = state.view(0), tuple(state.log(0)[-2:])
            found = sent.setdefault((str(view.as_data()["places"]), *told), set())
            found.add((view.masked, str(view.supposed)))
            imagined = interpreter.imagine(game, view, seed)
            assert imagined.view(0).masked == view.masked
            if 0 in state.seats_to_act:
                assert imagined.options(0) == state.options(0)
    assert len(sent) < 30 and all(len(each) == 1 for each in sent.values())


NOBODY_ASKED = """game "Nobody asked"
players 2
kind Card: 1..4
the game has
    deck: stack of Card, holds all
each player has
    hand: hand of Card
    chosen: 0..4, secret
play
    shuffle deck
    for each p in players
        draw 1 from deck to p.hand
    sealed for p
        if count(c in p.hand where c.value > 1) > 0
            p chooses c in p.hand
            p.chosen := c.value
    P1 chooses go in 1..2
"""


def test_a_sealed_block_without_a_choice_looks_the_same() -> None:
    """All is forced, and P2 has nothing to do at all with a 1."""
    game = load_text(NOBODY_ASKED)
    some, none = dealt(game, 3, 2), dealt(game, 3, 1)
    assert everything(some, 0) == everything(none, 0)
    assert some.log(0)[-2:] == ["P1: choose 3", "P2 chooses in secret"]


# ---- secrets that were chosen

PHANTOM = """game "Phantom tic-tac-toe"
players 2
board Grid: square 3 by 3
the game has
    current: Player
    taken: bool
each player has
    spot: Grid, secret
    marked[Grid]: bool, secret
    tried[Grid]: bool, secret

function won(p: Player): bool = any(c in Grid where line(c through x where marked[p, x]) = 3)

play
    repeat
        sealed for p
            if p is current
                p chooses c in Grid where not p.tried[c] "mark {c}"
                p.spot := c
                p.tried[c] := yes
        taken := next(current).marked[current.spot]
        if taken
            say "{current} picked a taken cell"
        else
            marked[current, current.spot] := yes
            if won(current)
                current wins
            if every(x in Grid has P1.marked[x] or P2.marked[x])
                nobody wins
            current := next(current)
"""


def marks(state: State, seat: int) -> list[int]:
    found = next(v for v in state.game.program.layout.variables if v.name == "marked")
    return state.buffer[found.address + 9 * seat : found.address + 9 * seat + 9]


def test_chosen_secrets_hold_together() -> None:
    """In every imagined state there are as many marks as there were moves, no two in one cell, and
    where somebody met a mark there is one."""
    game = load_text(PHANTOM)
    looked_at = different = 0
    for seed in range(3):
        state, streams = game.start(seed), [Stream(seed, seat) for seat in range(2)]
        while not state.is_over:
            for seat in range(2):
                view = state.view(seat)
                for number in range(3):
                    imagined = interpreter.imagine(game, view, number)
                    assert marks(imagined, seat) == marks(state, seat)
                    assert sum(marks(imagined, 1 - seat)) == sum(marks(state, 1 - seat))
                    assert not any(map(min, marks(imagined, 0), marks(imagined, 1)))
                    assert imagined.view(seat) == view or imagined.view(seat).story is None
                    assert imagined.view(seat).masked == view.masked
                    looked_at += 1
                    different += marks(imagined, 1 - seat) != marks(state, 1 - seat)
            seat = state.seats_to_act[0]
            state = state.apply(streams[seat].choose(state.options(seat)), seat)
    assert looked_at > 100 and different > 40


def test_it_is_played_by_search() -> None:
    """The same on both machines, to the end."""
    native, reference = (load_text(PHANTOM, backend=b) for b in ("auto", "reference"))
    bot, state = make_bot("search:60", native), native.start(1)
    streams = [Stream(1, seat) for seat in range(2)]
    while not state.is_over:
        seat = state.seats_to_act[0]
        found, wanted = (search(each, state.view(seat), 40) for each in (native, reference))
        assert found == wanted
        state = state.apply(decide(bot, state, seat, streams[seat]), seat)


CANNOT_BE = """game "Cannot be"
players 2
the game has
    heap: 0..9 = 9
each player has
    share: 0..9, secret
always P1.share + P2.share + heap = 9 "nothing is lost"
play
    repeat 3 times
        sealed for p
            p chooses n in 0..1
            p.share += n
        heap := 9 - P1.share - P2.share
        P1 chooses m in 1..2
        P2 chooses k in 1..2
"""


def test_what_is_always_so_is_so_in_imagined_states() -> None:
    """Also where nothing of what was seen is left: then it is drawn until it fits."""
    game = load_text(CANNOT_BE)
    state = game.start(1).apply("choose(n: 1)", 0).apply("choose(n: 1)", 1)
    restored = game.restore(state.save())
    assert state.view(0).story is not None and restored.view(0).story is None
    for seed in range(20):
        for each in (state, restored):
            assert interpreter.imagine(game, each.view(0), seed).broken_invariants() == []


HOPELESS = """game "Hopeless"
players 2
each player has
    a, b, c: 0..1000, secret
play
    roll P2.a
    P2.b := 1000 - P2.a
    P2.c := 7 * P2.a mod 1001
    repeat
        P1 chooses n in 1..2
        if P2.a + P2.b != 1000 or P2.c != 7 * P2.a mod 1001
            P2 chooses m in 1..0
        P2 chooses k in 1..2
"""


def test_where_nothing_can_be_imagined_a_bot_still_plays(tmp_path: Path) -> None:
    """Every state drawn breaks down; that is no reason for a bot to."""
    game = load_text(HOPELESS)
    restored = game.restore(game.start(1).save())
    assert decide(make_bot("search:20", game), restored, 0, Stream(1, 0)) in restored.options(0)
    after = game.restore(restored.apply("choose(n: 1)").save())
    assert decide(make_bot("search:20", game), after, 1, Stream(1, 1)) in after.options(1)


# ---- variables that name a piece

NOTED = """game "Noted"
players 3
kind Card: ace 2, king, queen, jack, ten
the game has
    deck: stack of Card, holds all
    open: row of Card
    mark: Card or none
    unseen: Card or none
each player has
    hand: hand of Card
    own: Card or none
play
    shuffle deck
    draw 1 from deck to open
    mark := top(open)
    draw 2 from deck to P1.hand
    P1 chooses c in P1.hand
    unseen := c
    move c to deck
    move top(open) to deck
    shuffle deck
    for each p in players
        draw 1 from deck to p.hand
    say "{mark} and {unseen}"
    P2 chooses n in 1..2
    P2.own := top(open)
    move mark to open
    P3 chooses k in 1..2
"""


def noted(state: State, seat: int | None, name: str) -> str | None:
    return next(v.value for v in state.view(seat).variables if v.member == name)


def test_a_variable_does_not_tell_where_a_piece_has_gone() -> None:
    """All have seen the marked card, and P1 the other one. Whoever gets them from the shuffled deck
    can read no more than that, and nobody learns who did."""
    game = load_text(NOTED)
    views: dict[int, set[object]] = {seat: set() for seat in range(3)}
    for cards in (("king", "queen", "jack"), ("jack", "king", "queen"), ("queen", "jack", "king")):
        state = dealt(game, "king", "ten", "queen").apply("choose(c: queen)")
        for card in cards:
            state = state.apply(f"draw(deck: {card})")
        assert state.seats_to_act == (1,)
        for seat in (0, 1, 2, None):
            assert noted(state, seat, "mark") == "king"
            assert noted(state, seat, "unseen") == ("queen" if seat == 0 else "?")
        for seat in range(3):
            if cards[seat] == "king":
                assert "king and" in state.log(seat)[-1]
            assert ".hand" not in state.log(seat)[-1]
            masked = state.view(seat).masked
            kind = game.program.layout.kinds[0]
            cells = [masked[first + n] for first, _, size in kind.notes for n in range(size)]
            views[seat].add(tuple(cells))
            places = set()
            for number in range(60):
                imagined = interpreter.imagine(game, state.view(seat), number)
                assert imagined.view(seat).masked == masked
                named = imagined.buffer[kind.notes[0][0]]
                assert kind.rows[kind.row_of[named]] == "king"
                places.add(imagined.buffer[kind.where + named])
            assert len(places) == (1 if cards[seat] == "king" else 3)
    assert all(len(each) == 1 for each in views.values())


def test_what_is_moved_by_its_name_is_seen_again() -> None:
    state = dealt(load_text(NOTED), "king", "ten", "queen").apply("choose(c: queen)")
    for card in ("jack", "king", "queen"):
        state = state.apply(f"draw(deck: {card})")
    state = state.apply("choose(n: 1)")
    assert [noted(state, seat, "mark") for seat in (0, 1, 2, None)] == ["king"] * 4
    kind = state.game.program.layout.kinds[0]
    found = interpreter.imagine(state.game, state.view(2), 3)
    assert kind.instance_names[found.buffer[kind.where + found.buffer[kind.notes[0][0]]]] == "open"


STEALING = """game "Stealing"
players 3
kind Card: ant, bee, cat, dog, eel, fly, gnu, hen, ibis
the game has
    deck: stack of Card, holds all
    stolen: Card or none
    last: Card or none
each player has
    hand: hand of Card
    passed: Card or none

action steal "steal a card"
    when number of next(me).hand > 0
    stolen := random c in next(me).hand
    move stolen to me.hand

action give(card in me.hand) "give {card}"
    me.passed := card
    move card to next(me).hand

action mix(card in me.hand) "mix"
    last := card
    move card to deck
    shuffle deck
    draw 1 from deck to me.hand

play
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand
    repeat 4 times
        for each p in players
            p chooses steal or give or mix
"""


def test_both_machines_imagine_the_same_notes() -> None:
    native, reference = (load_text(STEALING, backend=b) for b in ("native", "reference"))
    kind = native.program.layout.kinds[0]
    compared = 0
    for seed in range(2):
        state, stream = native.start(seed), Stream(seed, 0)
        while not state.is_over:
            seat = state.seats_to_act[0]
            compared += any(state.buffer[r + n] for _, r, size in kind.notes for n in range(size))
            found, wanted = (search(each, state.view(seat), 20) for each in (native, reference))
            assert found == wanted
            for viewer in range(3):
                view = state.view(viewer)
                imagined = interpreter.imagine(native, view, compared)
                assert imagined.view(viewer) == view
            state = state.apply(stream.choose(state.options(seat)), seat)
    assert compared > 5


def test_who_steals_can_read_what_was_stolen() -> None:
    """The rules move it by this name: who sees it come knows that it is the one."""
    state = load_text(STEALING).start(3).apply("steal")
    names = state.game.program.layout.kinds[0].rows
    assert [noted(state, seat, "stolen") in names for seat in (0, 1, 2, None)] == [
        True,
        True,
        False,
        False,
    ]
