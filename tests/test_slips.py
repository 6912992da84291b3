"""Slips that newcomers make, each in one line of a ruleset that is right otherwise.

Each must be told once, with the guilty words underlined. Where the help says what to write, that is
written in place of the slip, and must be right. All messages are in `messages.txt`, to be read.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Golden

from interpreter.pipeline import check_rules
from interpreter.reading import read_text
from interpreter.report.problem import Problem
from interpreter.report.render import render

FOLDER = Path(__file__).parent / "cases" / "slips"
MARKET = (FOLDER / "market.rules").read_text(encoding="utf-8")

STEP = "    p.gold += 1"
TURN = "        choose place or buy"
GOLD = "    gold: 0..20 = 5"
HAND = "    hand: hand of Card"
GRID = "board Grid: square 4 by 4"
# A line of the market, the slip in its place, the code, what is underlined, and the lines that come
# out if one does what the help says; nothing where it leaves the author to say what is meant.
SLIPS: list[tuple[str, str, str, str, str]] = [
    (STEP, "    p.gold =+ 1", "RR106", "=+", STEP),
    (STEP, "    repeat forever\n        stop", "RR122", "forever", "    repeat\n        stop"),
    (STEP, "    add round to p.gold", "RR122", "add", "    p.gold += round"),
    (STEP, "    my gold += 1", "RR122", "my gold", ""),
    (STEP, "    reset p.gold", "RR122", "reset", "    p.gold := 0"),
    (STEP, "    round := roll 1..6", "RR122", "roll 1..6", "    roll round"),
    (STEP, "    round := random 1..5", "RR122", "random 1..5", "    round := random k in 1..5"),
    (GOLD, "    gold: none or Suit", "RR122", "none or Suit", ""),
    (STEP, "    other player wins", "RR122", "other player", ""),
    (
        STEP,
        "    if p.gold is at least 3\n        p.gold += 1",
        "RR122",
        "p.gold is at least 3",
        "    if p.gold >= 3\n        p.gold += 1",
    ),
    (STEP, "    for each d in dice\n        p.gold += d", "RR311", "dice", ""),
    (STEP, "    if every(g in gold has g > 3)\n        p.gold += 1", "RR311", "gold", ""),
    (STEP, "    leave haggling\n", "RR413", "haggling", ""),
    (STEP, "    next player", "RR122", "next player", ""),
    (STEP, "    deal 2 cards to each player", "RR122", "deal 2 cards to each player", ""),
    (HAND, "    hand: tableau of Card", "RR122", "tableau of Card", "    hand: row of Card"),
    (
        TURN,
        "        choose place\n            otherwise\n                stop",
        "RR104",
        "            ",
        "",
    ),
    (STEP, "    p.gold := p.gold +1 -", "RR100", "", ""),
    (
        STEP,
        "    if p.gold > 3 and < 6\n        stop",
        "RR122",
        "and <",
        "    if p.gold > 3 and p.gold < 6\n        p.gold -= 1",
    ),
    (
        STEP,
        "    if p.gold = 3 or 4\n        p.gold += 1",
        "RR302",
        "4",
        "    if p.gold = 3 or p.gold = 4\n        p.gold += 1",
    ),
    (
        STEP,
        "    if not p.gold\n        p.gold += 1",
        "RR302",
        "p.gold",
        "    if p.gold = 0\n        p.gold += 1",
    ),
    (STEP, "    p.Gold += 1", "RR300", "Gold", STEP),
    (STEP, "    p.golds += 1", "RR300", "golds", STEP),
    (STEP, "    gold += 1", "RR311", "gold", STEP),
    (STEP, "    p.hand += 1", "RR316", "p.hand", ""),
    (STEP, '    p.gold := "three"', "RR300", '"three"', ""),
    (
        STEP,
        "    if p.gold is 3 then\n        p.gold += 1",
        "RR122",
        "then",
        "    if p.gold is 3\n        p.gold += 1",
    ),
    (
        STEP,
        "    while p.gold > 3\n        p.gold -= 1",
        "RR116",
        "while",
        "    repeat while p.gold > 3\n        p.gold -= 1",
    ),
    (
        STEP,
        "    for each c in p.hand do\n        p.gold += 1",
        "RR122",
        "do",
        "    for each c in p.hand\n        p.gold += 1",
    ),
    (
        STEP,
        "    for i in 1..3\n        p.gold += i",
        "RR122",
        "for i in 1..3",
        "    for each i in 1..3\n        p.gold += i",
    ),
    (
        STEP,
        "    repeat 3\n        p.gold += 1",
        "RR122",
        "repeat 3",
        "    repeat 3 times\n        p.gold += 1",
    ),
    (
        STEP,
        "    loop 3 times\n        p.gold += 1",
        "RR116",
        "loop",
        "    repeat 3 times\n        p.gold += 1",
    ),
    (STEP, "    say p.gold", "RR122", "p.gold", '    say "it is {p.gold}"'),
    (STEP, '    say "gold: " + p.gold', "RR122", "+ p.gold", '    say "it is {p.gold}"'),
    (STEP, "    say 'hello'", "RR106", "'", ""),
    (STEP, '    say "you have {gold} gold"', "RR311", "gold", '    say "you have {p.gold} gold"'),
    (STEP, "    move card to discards", "RR300", "card", ""),
    (STEP, "    move top(deck) p.hand", "RR122", "p.hand", ""),
    (
        STEP,
        "    move p.hand to discards",
        "RR312",
        "p.hand",
        "    move all from p.hand to discards",
    ),
    (STEP, "    draw 2 from p.hand to discards", "RR331", "p.hand", ""),
    (
        STEP,
        "    draw 2 cards from deck to p.hand",
        "RR122",
        "cards",
        "    draw 2 from deck to p.hand",
    ),
    (STEP, "    draw 2 deck to p.hand", "RR122", "deck", "    draw 2 from deck to p.hand"),
    (STEP, "    shuffle p.hand", "RR313", "p.hand", ""),
    (STEP, "    reveal p.gold", "RR318", "p.gold", ""),
    (STEP, "    roll 2 dice", "RR122", "2 dice", ""),
    (STEP, "    roll die", "RR300", "die", ""),
    (STEP, "    p win", "RR116", "win", "    p wins"),
    (STEP, "    p wins!", "RR106", "!", "    p wins"),
    (STEP, "    end the game", "RR122", "end the game", "    end game"),
    (STEP, "    game over", "RR122", "game over", "    end game"),
    (STEP, "    me.gold += 1", "RR300", "me", ""),
    (TURN, "        choose a place", "RR122", "a", "        choose place"),
    (TURN, "        may choose place", "RR122", "may choose", "        me may choose place"),
    (TURN, "        player chooses place", "RR300", "player", "        me chooses place"),
    (TURN, "        choose plcae or buy", "RR330", "plcae", TURN),
    (TURN, "        place or buy", "RR122", "place or buy", TURN),
    (TURN, "        place", "RR317", "place", "        choose place"),
    (
        TURN,
        '        choose c in me.hand "play {c}"\n        move card to discards',
        "RR300",
        "card",
        '        choose c in me.hand "play {c}"\n        move c to discards',
    ),
    (
        TURN,
        "        choose x from me.hand",
        "RR122",
        "from",
        "        choose x in me.hand\n        move x to discards",
    ),
    ("each player has", "players have", "RR122", "players have", "each player has"),
    ("the game has", "game has", "RR122", "game has", "the game has"),
    (HAND, "    hand: Hand of Card", "RR122", "Hand of Card", HAND),
    (HAND, "    hand: list of Card", "RR212", "hand: list of Card", HAND),
    (HAND, "    hand: hand of Cards", "RR213", "Cards", HAND),
    (GOLD, "    gold: 0-20 = 5", "RR122", "gold: 0-20", GOLD),
    (GOLD, "    gold: number = 5", "RR122", "number", "    gold: int = 5"),
    (GOLD, "    gold = 5", "RR122", "= 5", "    gold: int = 5"),
    (GOLD, "    gold: 0..20 := 5", "RR102", ":=", GOLD),
    (GOLD, "    gold: 0..20, 5", "RR122", ", 5", GOLD),
    (GOLD, "    int gold = 5", "RR122", "int gold", "    gold: int = 5"),
    ("players 2..4", "players 2-4", "RR122", "players 2-4", "players 2..4"),
    ("players 2..4", "players: 2..4", "RR122", ":", "players 2..4"),
    ('game "Market"', "game Market", "RR122", "Market", 'game "Market"'),
    (GRID, "board Grid: square 4x4", "RR122", "square 4x4", GRID),
    (GRID, "board Grid 4 by 4", "RR122", "4 by 4", GRID),
    (
        "enum Suit: red, green, blue",
        "enum Suit: red green blue",
        "RR122",
        "red green blue",
        "enum Suit: red, green, blue",
    ),
    ("    move c to discards", "    discard c", "RR122", "discard", "    move c to discards"),
    ("        p may choose buy", "        buy(p)", "RR317", "buy(p)", "        p chooses buy"),
]


def errors(text: str) -> list[Problem]:
    problems = check_rules(read_text(text, "market.rules", FOLDER))
    return [problem for problem in problems if problem.severity == "error"]


def slipped(line: str, slip: str) -> str:
    assert line in MARKET
    return MARKET.replace(line, slip, 1)


def test_the_market_itself_is_right() -> None:
    assert errors(MARKET) == []


@pytest.mark.parametrize(("line", "slip", "code", "word", "mended"), SLIPS)
def test_slip(line: str, slip: str, code: str, word: str, mended: str) -> None:
    text = slipped(line, slip)
    (problem,) = errors(text)
    mark = problem.mark
    assert (
        problem.code,
        text.split("\n")[mark.line - 1][mark.column - 1 : mark.end_column - 1],
    ) == (
        code,
        word,
    )
    assert problem.help
    if mended:
        assert errors(slipped(line, mended)) == []


def test_what_is_said(golden: Golden) -> None:
    told = []
    for line, slip, *_ in SLIPS:
        rules = read_text(slipped(line, slip), "market.rules", FOLDER)
        (problem,) = [each for each in check_rules(rules) if each.severity == "error"]
        told.append(render([problem], rules.sources))
    golden(FOLDER / "messages.txt", "\n".join(told))


# --- Slips in other rulesets: `<ruleset>.slips` -----------------------------------------------

# A block of such a file has the lines of the ruleset with `-` and the slip in their place with
# `+`, or with `~` where the help describes what to write and does not write it out.
BLOCK = re.compile(r"((?:^- .*\n)+)((?:^[+~] .*\n)+)", re.M)


def blocks() -> Iterator[tuple[str, str, str, bool]]:
    for path in sorted(FOLDER.glob("*.slips")):
        for was, slip in BLOCK.findall(path.read_text(encoding="utf-8")):
            line, written = (
                "\n".join(each[2:] for each in part.rstrip("\n").split("\n"))
                for part in (was, slip)
            )
            yield path.stem, line, written, slip.startswith("+")


FURTHER = list(blocks())


@functools.cache
def written(ruleset: str) -> str:
    return (FOLDER / f"{ruleset}.rules").read_text(encoding="utf-8")


@functools.cache
def told(ruleset: str, line: str, slip: str) -> tuple[Problem, str]:
    """The one problem that a slip is, and how it is shown."""
    assert line in written(ruleset)
    text = written(ruleset).replace(line, slip, 1)
    rules = read_text(text, f"{ruleset}.rules", FOLDER)
    (problem,) = [each for each in check_rules(rules) if each.severity == "error"]
    return problem, render([problem], rules.sources)


@pytest.mark.parametrize("ruleset", sorted({ruleset for ruleset, *_ in FURTHER}))
def test_the_other_rulesets_are_right(ruleset: str) -> None:
    assert errors(written(ruleset)) == []


@pytest.mark.parametrize(("ruleset", "line", "slip", "pasted"), FURTHER)
def test_further_slip(ruleset: str, line: str, slip: str, pasted: bool) -> None:
    problem, _ = told(ruleset, line, slip)
    assert problem.help
    if pasted:
        assert any(not errors(text) for text in mended(ruleset, line, slip, problem))


def mended(ruleset: str, line: str, slip: str, problem: Problem) -> Iterator[str]:
    """The ruleset with each text that is quoted, in place of what is underlined or of the whole
    line."""
    lines = written(ruleset).replace(line, slip, 1).split("\n")
    mark, wrong = problem.mark, lines[problem.mark.line - 1]
    indent = wrong[: len(wrong) - len(wrong.lstrip())]
    for quoted in re.findall(r"`([^`\n]+)`", f"{problem.message} {problem.help}"):
        for instead in (
            wrong[: mark.column - 1] + quoted + wrong[mark.end_column - 1 :],
            indent + quoted,
        ):
            yield "\n".join([*lines[: mark.line - 1], instead, *lines[mark.line :]])


def test_what_is_said_of_further_slips(golden: Golden) -> None:
    shown = [told(ruleset, line, slip)[1] for ruleset, line, slip, _ in FURTHER]
    golden(FOLDER / "further.txt", "\n".join(shown))
