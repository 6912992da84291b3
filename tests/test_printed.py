"""What people read for names, and what is typed and recorded for them."""

from __future__ import annotations

from rich.console import Console
from test_short_forms import game, problems

from interpreter.play.words import setting_words
from interpreter.terminal.table import show_table

TABLE = """
    option start: asDealt, byLot "by lot" = byLot
    enum Site: washPlant, office "Head Office", iPhone "iPhone"
    kind Token: goldMine 2, bigForge "Big forge"
    kind Card: site in Site by value in 1..2 "{value} at {site}"
    the game has
        noBid "nobody bid for": Site or none
        wornOut: Site or none
        perSite[Site]: int
        drawPile "pile of cards": stack of Card, holds all
        openRow: row of Token, holds all
        cards: row of Card
    play
        for each s in Site
            noBid := s
            wornOut := s
            perSite[s] := 2
            P1 chooses x in openRow "take the {x} for {s}"
            say "{start} {noBid}"
        shuffle drawPile
        draw 1 from drawPile to cards
        for each c in Card where c.value = 1 and c.site is iPhone
            move c to cards
            say "{c}"
            P1 chooses n in 1..2
"""


def lines(text: str) -> str:
    state = game(text).start(seed=1)
    console = Console(width=100)
    with console.capture() as shown:
        console.print(show_table(state.view(0), state.game.program, 100))
    return shown.get()


def test_names_are_read_in_words_and_typed_as_they_are() -> None:
    state = game(TABLE).start(seed=1)
    assert [(str(option), option.words) for option in state.options()] == [
        ("choose(x: goldMine)", "take the gold mine for wash plant"),
        ("choose(x: bigForge)", "take the Big forge for wash plant"),
    ]
    state = state.apply("choose(x: goldMine)")
    assert state.options()[0].words == "take the gold mine for Head Office"
    state = state.apply("choose(x: bigForge)").apply("choose(x: goldMine)")
    told = state.log(0)
    assert "by lot wash plant" in told
    assert "by lot iPhone" in told  # it is not taken for a name in words
    assert "1 at iPhone" in told
    assert any(each.startswith("drawn from the pile of cards to the cards: ") for each in told)


def test_the_table_shows_what_is_printed() -> None:
    shown = lines(TABLE)
    assert "nobody bid for wash plant" in shown
    assert "worn out wash plant" in shown
    assert "wash plant 2, Head Office 0, iPhone 0" in shown
    assert "pile of cards 6" in shown
    assert "2 x gold mine, Big forge" in shown


def test_options_are_told_as_they_are_printed() -> None:
    found = game(TABLE)
    assert found.program.options == {"start": "byLot"}
    assert setting_words(found.program, "start") == "start by lot"


def test_a_row_may_be_called_by_what_is_printed_on_it() -> None:
    state = game("""
        kind Token: goldMine, bigForge "Big forge"
        the game has
            pile: row of Token, holds all
        play
            move "Big forge" to box
            move "gold mine" to box
            P1 chooses n in 1..2
    """).start(seed=1)
    assert [place.count for place in state.view(0).places] == [0]


def test_a_member_that_stands_twice_is_marked_behind_what_is_printed() -> None:
    found = problems("""
        enum Site: mine "Gold Mine", office, mine
        the game has
            at: Site
        play
            at := office
    """)
    assert [each for each in found if "RR202" in each] == [
        "test.rules:4:38: RR202 `mine` stands twice in this list"
    ]
