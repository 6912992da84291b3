"""What a player sees: boards, tables, the options, and a whole game through a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from io import StringIO
from pathlib import Path

import pytest
from conftest import Golden
from rich.console import Console
from rich.text import Text

import interpreter
from interpreter.cli.session import Session
from interpreter.embedding import State
from interpreter.play.words import some
from interpreter.program.program import BoardWords
from interpreter.resources import rulesets_folder
from interpreter.terminal.boards import Sign, draw_board, mark_offered
from interpreter.terminal.choices import (
    Choice,
    asked_about,
    find_choices,
    listed_choices,
    told_apart,
)
from interpreter.terminal.history import taken_back
from interpreter.terminal.laid_out import cells_offered, option_pages
from interpreter.terminal.screen import Section, fitted, sections_of
from interpreter.terminal.sitting import Sitting
from interpreter.terminal.symbols import short_signs
from interpreter.terminal.table import show_parts, show_table
from interpreter.view.ending import why_they_won
from interpreter.view.happenings import told

ROOT = Path(__file__).resolve().parent.parent
CASES = Path(__file__).parent / "cases" / "terminal"
CLASSICS = rulesets_folder() / "classics"

BOARDS = """\
game "All boards"
players 2

board Square: square 4 by 3
board Rhombus: hex 3 by 3
board Disc: hex radius 2
board Track: line 30
board Wheel: ring 8

kind Man: pawn 2, queen

enum Ground: forest, field, swamp

each Square has
    ground: Ground
    height: int
each Rhombus has
    stone: Player or none
each Disc has
    lit: bool
    lamp: slot of Man
each Track has
    heap: stack of Man
each player has
    spot: Wheel or none
    gold: int = 7
    dice[1..3]: 1..6
    plan: 0..9, secret
    hand: hand of Man
the game has
    box1: set of Man, holds all
    round: int = 3
    robber: Wheel or none

setup
    for each c at n in Square
        c.height := n mod 3
        if n = 5
            c.ground := swamp
    for each p at seat in players
        p.plan := 4
        for each c at n in Rhombus where n mod 4 = seat
            c.stone := p
        for each c at n in Wheel where n = seat + 2
            p.spot := c
    for each c at n in Wheel where n = 8
        robber := c
    for each c at n in Disc where n mod 5 = 0
        c.lit := yes
    for each m at n in Man
        if n = 1
            for each c at k in Disc where k = 3
                move m to c.lamp
        else if n = 2
            for each c at k in Track where k = 25
                move m to c.heap
        else
            for each p at seat in players where seat = 1
                move m to p.hand

action go "go"
action stay "stay"
    when round > 5

play
    turns
        choose go or stay
        stop
    nobody wins
"""


def text_of(view: object, columns: int = 80) -> str:
    out = StringIO()
    console = Console(file=out, width=columns, color_system=None, highlight=False, markup=False)
    console.print(view)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def test_boards(golden: Golden) -> None:
    game = interpreter.load_text(BOARDS)
    state = game.start(1, ask_when_forced=True)
    golden(CASES / "boards.txt", text_of(show_table(state.view(0), game.program, 80)))
    seen = text_of(show_table(state.view(1), game.program, 80))
    assert re.search(r"P1 .* \? *$", seen, re.MULTILINE), "the plan of P1 is secret"


@pytest.mark.parametrize("name", ["ticTacToe", "hex", "oware", "goofspiel", "trickTaking"])
def test_classics(golden: Golden, name: str) -> None:
    game = interpreter.load(CLASSICS / f"{name}.rules")
    state = game.start(1)
    for number in range(7):
        seat = state.seats_to_act[0]
        options = state.options(seat)
        state = state.apply(options[number * 5 % len(options)], seat)
    golden(CASES / f"{name}.txt", text_of(show_table(state.view(0), game.program, 80)))


def test_hidden_pieces_are_counted() -> None:
    game = interpreter.load(CLASSICS / "kuhnPoker.rules")
    for viewer in (0, 1, None):
        shown = text_of(show_table(game.start(3).view(viewer), game.program, 80))
        assert len(re.findall("card +1 hidden", shown)) == (2 if viewer is None else 1)


WALLED = """game "Maze"
players 2
board Grid: square 4 by 3
each Grid has
    wall[GridDirection]: bool
play
    a1.wall[east] := yes
    a2.wall[east] := yes
    a2.wall[south] := yes
    b1.wall[north] := yes
    d3.wall[east] := yes
    P1 chooses n in 0..1
    b2.wall[northeast] := yes
    P1 chooses m in 0..1
"""


def test_walls_are_drawn_between_cells() -> None:
    """A yes or no that is kept for a cell and a direction lies on that side of the cell."""
    state = interpreter.load_text(WALLED).start(seed=1)
    shown = text_of(show_table(state.view(0), state.game.program, 80))
    assert shown.splitlines()[:6] == [
        "  3  · · · ·│",
        "  2  ·│· · ·",
        "     ─┼─",
        "  1  ·│· · ·",
        "     a b c d",
        "  │ wall",
    ]
    assert "wall  " not in shown
    state = state.apply("choose(n: 1)")
    told = text_of(show_table(state.view(0), state.game.program, 80))  # a corner has no side
    assert "│" not in told and "northeast" in told, told


def _begun(rules: str) -> str:
    state = interpreter.load_text(rules).start(seed=1)
    return text_of(show_table(state.view(0), state.game.program, 80))


STANDING = """\
game "Standing"
players 2

board Path: line 4

the game has
    ferry: Path

each Path has
    lord: Player or none

each player has
    home: Path or none

setup
    ferry := Path[4]
    for each p at seat in players
        lord[Path[seat]] := p
        p.home := Path[seat + 1]

play
    P1 chooses n in 1..2 "wait {n}"
    P1.home := Path[n]
"""


def test_the_legend_says_what_follows_a_slash() -> None:
    shown = _begun(STANDING)
    assert "X  O/X" in shown
    assert "each cell: lord / ferry, home" in shown
    shown = _begun(STANDING.replace("Path[seat + 1]", "Path[3]"))
    assert "each cell" not in shown  # nobody stands where somebody is lord


NUMBERED = """\
game "Numbered"
players 2

the game has
    bell[2..12]: Player or none
    heap[1..3]: int
    tally[0..2]: int
    slope[-1..1]: int

each player has
    track[2..4]: int

setup
    bell[3] := P2
    bell[12] := P1
    tally[2] := 4
    heap[2] := 5
    slope[-1] := 6
    P2.track[4] := 1

play
    P1 chooses n in 1..2 "ring {n}"
    bell[n + 1] := P1
"""


def test_numbers_that_do_not_count_from_one_are_told() -> None:
    lines = [" ".join(line.split()) for line in _begun(NUMBERED).splitlines()]
    assert "bell 3: P2, 12: P1" in lines
    assert "heap 0 5 0" in lines
    assert "tally 0: 0, 1: 0, 2: 4" in lines
    assert "slope -1: 6, 0: 0, 1: 0" in lines
    assert "P2 4: 1" in lines


def test_a_board_that_is_too_wide_is_listed() -> None:
    names = tuple(f"c{number}" for number in range(60))
    board = BoardWords("Wide", "square", names, tuple((n, 0) for n in range(60)), ())
    lines = [line.plain for line in draw_board(board, {7: [Sign("X")]}, 40)]
    assert lines[0] == "c7 X"
    assert lines[1].startswith("empty: c0, c1")
    assert all(len(line) <= 40 for line in lines)


def test_signs_are_different() -> None:
    assert short_signs(["forest", "field", "swamp"]) == {
        "forest": "Fo",
        "field": "Fi",
        "swamp": "S",
    }
    assert short_signs(["winded a", "winded b"]) == {"winded a": "winded a", "winded b": "winded b"}


def test_nothing_invisible_is_printed() -> None:
    text = 'game "A\x9b31mB"\nplayers 2\n\naction go "x\u202ey"\naction rest "z"\n\nplay\n'
    game = interpreter.load_text(f"{text}    turns\n        choose go or rest\n")
    shown = text_of(show_table(game.start(1).view(0), game.program, 60))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)


ON_PIECES = """\
game "Boxes"
players 2

board Grid: square 2 by 2

kind Box: red 2, blue
kind Coin: coin 2

the game has
    bank: stack of Coin, holds all
    shelf: row of Box, holds all

each Box has
    slots[1..2]: slot of Coin

each player has
    own[Grid]: bool, secret

setup
    for each b in shelf
        if b is blue
            draw up to 1 from bank to b.slots[1]

action rest "rest"
action wait "wait"

play
    turns
        choose rest or wait
"""


def test_what_lies_on_a_piece_is_told_under_its_name() -> None:
    """The third piece is of the second row, because the first row has copies."""
    game = interpreter.load_text(ON_PIECES)
    shown = text_of(show_table(game.start(1).view(0), game.program, 80))
    assert re.search(r"slots blue\s+1 coin", shown), shown


def test_a_board_of_which_all_is_hidden_is_drawn_empty() -> None:
    game = interpreter.load_text(ON_PIECES)
    shown = text_of(show_table(game.start(1).view(None), game.program, 80))
    assert "?" not in shown and shown.count("· ·") == 4, shown


# --- pieces that stand on a board, signs, the log -----------------------------------------------


def _pond(*wanted: str) -> State:
    """Some decisions in the game of pond.rules; for each the first option with these words."""
    state = interpreter.load(CASES / "pond.rules").start(1)
    for words in wanted:
        seat = state.seats_to_act[0]
        options = state.options(seat)
        state = state.apply(next(o for o in options if words in o.words), seat)
    return state


POND = ("hop with Ann to the red hut", "keep 2", "whisper 1", "keep 1")


def test_pond(golden: Golden) -> None:
    state = _pond(*POND, "show", "end with 2", "show", "end with 1", "pass", "pass")
    shown = text_of(show_table(state.view(0), state.game.program, 80))
    for viewer in (0, 1, None):
        lines = "\n".join(told(state.entries(viewer)))
        who = "a spectator" if viewer is None else f"P{viewer + 1}"
        shown += f"\n--- the log of {who}\n{lines}\n"
    golden(CASES / "pond.txt", shown)


SOWN = """game "Sown"
players 2
enum Soil: dry, wet
kind Sand: a, b, c, d
the game has
    heap[Soil]: stack of Sand
    store: stack of Sand, holds all
    bed[1..3]: slot of Sand, seen by nobody
setup
    draw 2 from store to heap[dry]
    draw 2 from store to heap[wet]
    shuffle heap[dry]
    shuffle heap[wet]
action dig(n in 1..2) "dig with your spade {n} deep"
    draw 1 from heap[dry] to bed[1]
    reveal bed[1] to me
    draw 1 from heap[wet] to bed[2]
    reveal bed[2] to me
play
    turns
        choose dig
"""


def test_the_log_reads_well() -> None:
    """What belongs to others is theirs, sorts stand before what they sort, and what is shown is
    told after all of it was drawn."""
    state = interpreter.load_text(SOWN).start(1)
    before = len(told(state.entries(1)))
    state = state.apply("dig(n: 2)")
    assert told(state.entries(1))[before:] == [
        "P1: dig with their spade 2 deep",
        "a sand drawn from the dry heap to bed: 1",
        "a sand drawn from the wet heap to bed: 2",
        "shown to P1, bed: 1, 2",
    ]
    assert told(state.entries(0))[before] == "P1: dig with your spade 2 deep"


def test_who_has_decided_nothing_is_told_so() -> None:
    """And not why the decision of somebody else cannot be taken back."""
    state = interpreter.load_text(SOWN).start(1).apply("dig(n: 2)")
    assert (
        taken_back(state, 1, frozenset({1})) == "You have decided nothing that could be taken back."
    )
    assert "taken back: something" in str(taken_back(state, 0, frozenset({0, 1})))


FORCED = """\
game "Forced"
players 2

the game has
    walked: int

each player has
    tired: bool

action walk(n in 1..2) "walk {n}"
    when n = 1 or not me.tired
    walked += 1
    me.tired := me is P1
    if walked = 4
        P1.tired := no
    if walked = 8
        nobody wins

play
    turns
        choose walk
"""


def test_nobody_is_told_of_their_own_seat_as_of_another() -> None:
    """What the first player had to do went by without a question, after the last of the second."""
    state = interpreter.load_text(FORCED).start(1)
    state = state.apply("walk(n: 2)", 0).apply("walk(n: 1)", 1)
    assert state.seats_to_act == (1,) and state.log(0)[-1] == "P1: walk 1"
    state = state.apply("walk(n: 1)", 1)
    assert state.seats_to_act == (0,)
    told_to_first = "It cannot be taken back: the game has gone on since."
    assert taken_back(state, 0, frozenset({0})) == told_to_first


@pytest.mark.parametrize(
    ("typed", "about"),
    [
        ("?", ""),
        ("?sell", "sell"),
        ("? elf in red", "elf in red"),
        ("why not", ""),
        ("why can't I sell the horse?", "sell the horse"),
        ("? Why can I not sell", "sell"),
        ("why not sell?", "sell"),
        ("whyever", None),
        ("sell", None),
    ],
)
def test_questions(typed: str, about: str | None) -> None:
    assert asked_about(typed) == about


def test_what_has_no_plural_is_counted() -> None:
    assert (some("Sand", 1, "sand"), some("Card", 1, "cards")) == ("1 sand", "a card")
    assert (some("Egg", 1), some("Sand", 3, "sand"), some("Fly", 2)) == (
        "an egg",
        "3 sand",
        "2 flies",
    )


def test_words_of_others() -> None:
    """The rules' own words, unless they tell a secret."""
    state = _pond(*POND)
    assert "P1: hop with Ann to the red hut a2 for 6, 2 left, flies: 1" in state.log(1)
    assert "P2: whisper 1 of ?" in state.log(0)  # its words name the plan of P2
    assert "P2: whisper 1 of 7" in state.log(1)
    assert "P1: keep 2, worth 5" in state.log(1)


def test_every_draw_has_a_line_of_its_own_in_the_plain_log() -> None:
    state = _pond()
    assert state.log(0).count("P2 draws a card from the deck") == 2
    assert told(state.entries(0)).count("P2 draws 2 cards from the deck") == 1


def test_signs_are_no_part_of_the_state(tmp_path: Path) -> None:
    with_signs = interpreter.load(CASES / "pond.rules").start(1)
    (tmp_path / "pond.rules").write_text((CASES / "pond.rules").read_text())
    plain = re.sub(r', sign: "[^"]*"', "", (CASES / "pond.yaml").read_text())
    (tmp_path / "pond.yaml").write_text(plain)
    assert "sign" not in plain
    without = interpreter.load(tmp_path / "pond.rules").start(1)
    assert without.buffer == with_signs.buffer


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_tables_fit(columns: int) -> None:
    for path in sorted(CLASSICS.glob("*.rules")):
        state = interpreter.load(path).start(1)
        shown = text_of(show_table(state.view(0), state.game.program, columns), columns)
        assert all(len(line) <= columns for line in shown.splitlines()), path.name


# --- why not ----------------------------------------------------------------------------------


def test_why_not() -> None:
    state = interpreter.load_text(BOARDS).start(1, ask_when_forced=True)
    (line,) = state.why_not(0)
    assert "`when round > 5` does not hold" in line and "stay" in line
    assert state.why_not(0, "go") == ["go: this is offered."]
    assert state.why_not(0, "fly") == [
        "`fly` is nothing that can be chosen here. What can: go, stay."
    ]


def test_why_not_this_cell() -> None:
    state = interpreter.load(CLASSICS / "ticTacToe.rules").start(1)
    state = state.apply("place(cell: b2)")
    for asked in ("place(cell: b2)", "place(b2)", "b2", "B2"):
        (line,) = state.why_not(1, asked)
        assert "`when cell.mark is none`" in line and "ticTacToe.rules:" in line, asked
    assert "offered" in state.why_not(1, "a1")[0]
    assert "nothing that cell can be" in state.why_not(1, "place(z9)")[0]


def test_why_not_this_card() -> None:
    state = interpreter.load(CLASSICS / "trickTaking.rules", players=3).start(1)
    while len(state.options()) > 2:
        state = state.apply(state.options()[0])
    seat = state.seats_to_act[0]
    hand = next(p for p in state.view(seat).places if p.member == "hand" and p.owner == seat)
    offered = {option.text for option in state.options(seat)}
    missing = [p for p in hand.pieces if f"play(card: {p.name})" not in offered]
    (line,) = state.why_not(seat, missing[0].label)
    assert "card.suit is led" in line


# --- a whole game -----------------------------------------------------------------------------


class Terminal:
    """A program running at a terminal of its own, line by line. Games are kept in a new folder."""

    def __init__(self, *args: str, lines: int = 50, games: str | None = None) -> None:
        self.leader, follower = pty.openpty()
        self.games = games or tempfile.mkdtemp()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80", "LINES": str(lines),
            "RULERUN_GAMES": self.games,
        }  # fmt: skip
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter", *args, "--plain"],
            env=environment,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            start_new_session=True,
            # Whoever runs the tests in the background hands on an ignored interrupt.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(follower)
        self.seen = ""

    def wait_for(self, text: str, seconds: float = 120) -> str:
        """Read until the text appears; what was read comes back."""
        end = time.monotonic() + seconds
        fresh = ""
        while text not in _plain(fresh):
            left = end - time.monotonic()
            assert left > 0, f"{text!r} did not come; this did:\n{_plain(fresh)}"
            if select.select([self.leader], [], [], left)[0]:
                try:
                    fresh += os.read(self.leader, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    assert text in _plain(fresh), _plain(fresh)
        self.seen += fresh
        return _plain(fresh)

    def type(self, text: str) -> None:
        os.write(self.leader, f"{text}\n".encode())

    def end(self) -> int:
        code = self.process.wait(timeout=120)
        os.close(self.leader)
        return code


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r", "")


def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    saved = tmp_path / "saved.record"
    terminal = Terminal("ticTacToe", "--seed", "1", "--seat", "1,2")
    shown = terminal.wait_for("P1> ")
    assert "3  · · ·" in shown and "5  mark b2" in shown
    terminal.type("5")
    shown = terminal.wait_for("P2> ")
    assert "2  · X ·" in shown and "P1: mark b2" in shown
    terminal.type("? b2")
    assert "when cell.mark is none" in terminal.wait_for("P2> ")
    terminal.type("why can't I mark b2?")
    assert "when cell.mark is none" in terminal.wait_for("P2> ")
    terminal.type("undo")
    assert "decided nothing" in terminal.wait_for("P2> ")
    terminal.type("b2")
    assert "is not offered" in terminal.wait_for("P2> ")
    terminal.type("99")
    assert "no option 99" in terminal.wait_for("P2> ")
    terminal.type("v")
    assert "place(cell: a1)" in terminal.wait_for("P2> ")
    terminal.type("look nothing")
    assert "Nothing is called that" in terminal.wait_for("P2> ")
    terminal.type("help")
    assert "take back" in terminal.wait_for("P2> ")
    terminal.type("a1")
    terminal.wait_for("P1> ")
    terminal.type("log")
    assert "P2: mark a1" in terminal.wait_for("P1> ")
    terminal.type(f"save {saved}")
    assert "--resume" in terminal.wait_for("P1> ")
    terminal.type("b1")
    terminal.wait_for("P2> ")
    terminal.type("c1")
    terminal.wait_for("P1> ")
    terminal.type("b3")
    shown = terminal.wait_for("seed    1")
    assert "P1 wins." in shown and "Tic-tac-toe: P1 wins" in shown
    assert terminal.end() == 0
    assert "\x1b[" in terminal.seen  # colours
    assert saved.read_text().count("\n") == 3


def test_undo_against_a_bot() -> None:
    terminal = Terminal("ticTacToe", "--seed", "1")
    terminal.wait_for("(you)> ")
    terminal.type("undo")
    assert "decided nothing" in terminal.wait_for("(you)> ")
    terminal.type("b2")
    terminal.wait_for("(you)> ")
    terminal.type("undo")
    assert "2  · · ·" in terminal.wait_for("(you)> ")
    terminal.type("quit")
    terminal.wait_for("left")
    assert terminal.end() == 0


def test_what_was_drawn_is_not_taken_back() -> None:
    terminal = Terminal("pig", "--seed", "1")
    terminal.wait_for("(you)> ")
    terminal.type("roll")
    terminal.wait_for("(you)> ")
    terminal.type("undo")
    assert "cannot be taken back" in terminal.wait_for("(you)> ")
    os.write(terminal.leader, b"\x04")  # the end of the input
    terminal.wait_for("left")
    assert terminal.end() == 0


@pytest.mark.slow  # needs a shell in the foreground: some runners hand on a blocked interrupt
def test_interrupt_at_a_terminal() -> None:
    terminal = Terminal("ticTacToe", "--seed", "1")
    terminal.wait_for("(you)> ")
    terminal.process.send_signal(2)
    assert terminal.process.wait(timeout=120) == 130
    assert "Traceback" not in terminal.seen


def test_skipping() -> None:
    terminal = Terminal(str(CASES / "pond.rules"), "--seed", "1", "--seat", "1")
    terminal.wait_for("(you)> ")
    terminal.type("skip")
    assert "you have to choose" in terminal.wait_for("(you)> ")
    for answer in ("hop a2", "keep 1", "show 3", "end 1"):
        terminal.type(answer)
        terminal.wait_for("(you)> ")
    terminal.type("look ann")
    shown = terminal.wait_for("(you)> ")
    assert "Ann (frog): She leaps over one frog. | jump 2; ability leaps" in shown
    terminal.type("look reeds")
    assert "reeds (pond): look mud" in terminal.wait_for("(you)> ")
    terminal.type("log 1")
    assert "P2 leaps" in terminal.wait_for("(you)> ")
    terminal.type("skip all")
    shown = terminal.wait_for("seed    1")
    assert shown.count("P1: pass") == 3 and "(you)> " not in shown
    assert terminal.end() == 0


def test_look_at_a_card() -> None:
    terminal = Terminal("trickTaking", "--seed", "1")
    terminal.wait_for("(you)> ")
    terminal.type("look ace bells")
    assert "suit bells; rank ace" in terminal.wait_for("(you)> ")
    terminal.type("quit")
    terminal.wait_for("left")
    assert terminal.end() == 0


def test_cells_to_choose_from_are_marked() -> None:
    state = interpreter.load(CLASSICS / "reversi.rules").start(1)
    offered = cells_offered(listed_choices(state, 0))
    assert len(offered) == 4
    boards, _ = show_parts(state.view(0), state.game.program, 80, offered)
    shown = text_of(boards)
    assert shown.count("+") == 5 and "+ to choose" in shown


def test_names_are_shown_of_cells_to_choose_from() -> None:
    board = BoardWords("Lake", "hex", ("a1", "b1"), ((0, 0), (1, 0)), ())
    cells = {0: [Sign("S", "red", ground=True)], 1: [Sign("S", ground=True)]}
    mark_offered(board, cells, [0])
    assert [line.plain for line in draw_board(board, cells, 40)] == ["a1  S"]
    assert "red" in cells[0][0].style


def test_colours_end_where_they_should() -> None:
    state = interpreter.load(CLASSICS / "ticTacToe.rules").start(1).apply("place(cell: b2)")
    out = StringIO()
    console = Console(file=out, width=80, color_system="standard", force_terminal=True)
    console.print(show_table(state.view(0), state.game.program, 80))
    assert "\x1b[2m2 \x1b[0m" in out.getvalue(), "only the edge of the board is dim"


SECRETS = """\
game "Secrets"
players 2

kind Tile: 1..4

each player has
    plan: 0..9, secret
    gold: int = 5
    hand: hand of Tile

the game has
    deck: stack of Tile, holds all

play
    for each p in players
        draw 1 from deck to p.hand
        p.plan := 7
        let told = 0
        if p.plan > 3
            told := 1
        let open = p.gold + 1
        p chooses n in 1..2 "give {n}, {told} of {open}"
        p chooses m in 1..2 "take {m} of {open}"
        p chooses k in 1..2 "count {k} of {min(9, number of p.hand + open)}"
"""


def test_what_a_secret_has_decided_is_not_told() -> None:
    state = interpreter.load_text(SECRETS).start(1)
    for _ in range(3):
        state = state.apply(state.options()[0])
    assert state.log(0)[-3:] == ["P1: give 1, 1 of 6", "P1: take 1 of 6", "P1: count 1 of 7"]
    assert state.log(1)[-3:] == ["P1: give 1, ? of 6", "P1: take 1 of 6", "P1: count 1 of 7"]
    assert state.log(None)[-3:] == state.log(1)[-3:]


# --- windows ----------------------------------------------------------------------------------

FIVE = ["dinosaurRush", "gaagaaGo", "nozoku", "payDirt", "queenRun"]
SIZES = [(80, 24), (100, 40)]


def window(state: State, columns: int, lines: int) -> str:
    """What a person sees who has to choose now, as it is written to a window of this size."""
    written: list[str] = []

    def write(text: str, end: str = "\n", *, drawn: bool = False) -> None:
        written.append(text + end)

    session = Session(Sitting(state, frozenset(state.seats_to_act), {}), write=write, window=True)
    seat = state.seats_to_act[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("LINES", str(lines))
        session._show_all(seat, listed_choices(state, seat))
    return "".join(written)


@pytest.mark.parametrize("name", FIVE)
def test_five_games_fit(golden: Golden, name: str) -> None:
    """All that is needed to choose is in the window, at every decision of a game; some of them are
    kept to be looked at."""
    state = interpreter.load(rulesets_folder() / f"{name}.rules").start(1)
    shown = ""
    for number in range(48):
        seat = state.seats_to_act[0]
        for columns, lines in SIZES if number % 6 == 0 else SIZES[:1]:
            text = window(state, columns, lines)
            rows = text.splitlines()
            assert len(rows) < lines and all(len(row) <= columns for row in rows), text
            if number in (0, 18):
                shown += f"--- decision {number}, {columns}x{lines}\n{text}\n"
        options = state.options(seat)
        state = state.apply(options[number * 7 % len(options)], seat)
    golden(CASES / f"window-{name}.txt", shown)


def test_a_tall_board_is_folded_and_a_wide_one_is_cut() -> None:
    state = interpreter.load(rulesets_folder() / "queenRun.rules").start(1)
    board, *_ = sections_of(state.view(0), state.game.program, 80)
    assert len(board.whole) == 26
    folded = [line.plain for line in board.draw(15)]
    assert len(folded) <= 15 and sum(line.count("a  b  c  d  e") for line in folded) > 1
    assert all(re.search(rf"\b{rank}  ", "\n".join(folded)) for rank in range(1, 26))
    cut = "\n".join(line.plain for line in board.draw(8))
    assert "(more lines: " in cut and cut.count("\n") < 8


def test_room_that_a_board_leaves_goes_to_others() -> None:
    """A board that is folded may take fewer lines than it could have."""

    def lines(name: str, number: int) -> list[Text]:
        return [Text(f"{name} {each}") for each in range(number)]

    board = Section("board", 0, 7, lines("board", 30), lambda rows: lines("board", 10))
    numbers = lines("numbers", 6)
    other = Section("numbers", 2, 3, numbers, lambda rows: numbers[:rows])
    shown = [line.plain for line in fitted([board, other], 20)]
    assert shown[-1] == "numbers 5" and shown[9] == "board 9"


def test_numbers_of_all_players_are_shown() -> None:
    for name in FIVE:
        game = interpreter.load(rulesets_folder() / f"{name}.rules", players=4)
        state = game.start(1)
        sections = sections_of(state.view(0), state.game.program, 80)
        for section in sections:
            if section.name == "players" and section.whole[0].plain.split()[0] != ">":
                shown = "\n".join(line.plain for line in section.draw(section.least))
                assert "more: table" not in shown and "  P4 " in shown, name


def test_sections_keep_their_order() -> None:
    state = interpreter.load(rulesets_folder() / "payDirt.rules").start(1)
    sections = sections_of(state.view(0), state.game.program, 80)
    places = [
        [line.plain[:9] for line in fitted(sections, rows)].index("> P1 (you") / rows
        for rows in (12, 20)
    ]
    assert places[0] > 0 and places[1] > 0
    assert "table common" in "\n".join(line.plain for line in fitted(sections, 12))


def _choice(typed: str, words: str) -> Choice:
    return Choice(interpreter.Option(f"go(n: {typed})", words), typed, words, "go")


def test_options_that_differ_in_a_word_share_a_line() -> None:
    colours = ("red", "blue", "green", "black")
    kinds = ("cat", "dog", "owl", "fox")
    words = [f"lead the {kind} in {colour} now" for kind in kinds for colour in colours]
    choices = [_choice(str(number), said) for number, said in enumerate(words, 1)]
    (page,) = option_pages(choices, 80, 6)
    assert [line.plain for line in page[:2]] == [
        "lead the ...",
        "cat in ... now:  1 red  2 blue  3 green  4 black",
    ]
    pages = option_pages(choices, 80, 4)
    assert len(pages) == 2 and all(len(page) <= 3 for page in pages)


NUMBERS = """\
game "Numbers"
players 2

each player has
    gold: int

play
    P1 chooses n in 0..5 "pay {n}"
    P1.gold := n
    P2 chooses m in 1..3 "take it"
    P2.gold := m
"""


def test_where_a_number_is_chosen_it_is_typed() -> None:
    state = interpreter.load_text(NUMBERS).start(1)
    choices = listed_choices(state, 0)
    assert [each.typed for each in choices] == list("012345")
    (found,) = find_choices(choices, "3")
    assert found.words == "pay 3"
    assert find_choices(choices, "6") == []
    state = state.apply(found.option, 0)
    choices = listed_choices(state, 1)  # the words do not say which number it is
    assert [each.typed for each in choices] == list("123")
    assert [each.words for each in choices] == [f"take it (m {m})" for m in (1, 2, 3)]


def test_options_that_read_the_same_are_told_apart() -> None:
    options = [
        interpreter.Option("buy(lot: claim)", "buy the claim"),
        interpreter.Option("buy(lot: claim#2)", "buy the claim"),
        interpreter.Option("sell(lot: hut, toWhom: P1)", "sell"),
        interpreter.Option("sell(lot: hut, toWhom: P2)", "sell"),
        interpreter.Option("rest", "rest"),
    ]
    assert told_apart(options) == [
        "buy the claim (the first)",
        "buy the claim (the second)",
        "sell (to whom P1)",
        "sell (to whom P2)",
        "rest",
    ]


# --- why, and why they won --------------------------------------------------------------------

REFUSED = """\
game "Refused"
players 2

enum Beast: fox "red fox", owl
enum Hue: red, blue

each player has
    gold: int = 1
    tired: bool
    debt: int

the game has
    night: bool

function mayLead(p: Player, b: Beast): bool
    no if p.tired
    night if b is owl
    yes otherwise

action lead(beast in Beast, hue in Hue) "lead the {beast} in {hue}"
    when me.mayLead(beast)
    when hue is blue and me.gold > 0
action sellGold "sell your gold"
    when me.gold > 3 and me.debt = 0

play
    turns
        choose lead or sellGold
        me.gold += 3
        me.debt += 1

score p: p.gold
winner p by most p.gold, least p.debt, most clockwise(P1, p) ties in order
"""


def test_what_really_fails_is_told_and_found_by_its_words() -> None:
    state = interpreter.load_text(REFUSED).start(1, ask_when_forced=True)
    assert state.why_not(0, "lead the red fox in blue") == ["lead the ... in ...: this is offered."]
    (line,) = state.why_not(0, "red fox in red")
    assert "`hue is blue` does not hold" in line
    (line,) = state.why_not(0, "owl in blue")
    assert "`night if b is owl`" in line
    (line,) = state.why_not(0, "sell")
    assert line.startswith("sell your gold: `me.gold > 3` does not hold")


def test_a_condition_on_several_lines_is_not_cut_off() -> None:
    text = REFUSED.replace("    when me.mayLead(beast)\n", "").replace(
        "hue is blue and me.gold > 0", "(\n        hue is blue or\n        me.gold > 5\n    )"
    )
    state = interpreter.load_text(text).start(1, ask_when_forced=True)
    (line,) = state.why_not(0, "owl in red")
    assert "`when ( hue is blue or me.gold > 5 )` does not hold" in line


@pytest.mark.parametrize(
    "golds, debts, told",
    [
        ((2, 1), (0, 0), "P1 has the most gold"),
        ((2, 2), (1, 0), "tied at 2; P2 has the least debt"),
        ((0, 0), (0, 0), "tied at 0; P2 sits farthest clockwise from the start"),
    ],
)
def test_what_has_decided_is_said(
    golds: tuple[int, int], debts: tuple[int, int], told: str
) -> None:
    text = REFUSED.replace("the game has\n", "the game has\n    start: Player\n").replace(
        "clockwise(P1, p)", "clockwise(start, p)"
    )
    play = "".join(
        f"    P{n + 1}.gold := {golds[n]}\n    P{n + 1}.debt := {debts[n]}\n" for n in (0, 1)
    )
    body = text.index("play\n")
    text = f"{text[:body]}play\n{play}    start := P1\n{text[text.index('score p') - 1 :]}"
    state = interpreter.load_text(text).start(1)
    names = ["P1", "P2"]
    found = why_they_won(state.game.program, state.buffer, state.view(None), names)
    assert found == told


# --- taking back, and going on ----------------------------------------------------------------


def test_moving_a_piece_that_hides_something_can_be_taken_back() -> None:
    """Which tile is dug all see; what is in it nobody has looked at."""
    state = interpreter.load(rulesets_folder() / "payDirt.rules").start(3)
    dug = 0
    for number in range(120):
        seat = state.seats_to_act[0]
        options = state.options(seat)
        digging = [option for option in options if option.text.startswith(("dig(", "slide("))]
        for option in digging[:1]:
            after = state.apply(option, seat)
            if seat in after.seats_to_act and not any(e.word == "chance" for e in after.events):
                dug += 1
                assert after.can_undo
        state = state.apply((digging or options)[number % len(digging or options)], seat)
    assert dug


def test_a_game_is_kept_and_goes_on(tmp_path: Path) -> None:
    terminal = Terminal("ticTacToe", "--seed", "1", "--bot", "random", games=str(tmp_path))
    terminal.wait_for("(you)> ")
    terminal.type("b2")
    terminal.wait_for("(you)> ")
    terminal.type("undo")
    terminal.wait_for("(you)> ")
    terminal.type("a1")
    shown = terminal.wait_for("(you)> ")
    terminal.type("quit")
    assert "rulerun resume" in terminal.wait_for("resume")
    assert terminal.end() == 0
    (record,) = tmp_path.glob("*.record")
    assert "place(cell: b2)" not in record.read_text() and "place(cell: a1)" in record.read_text()
    terminal = Terminal("resume", games=str(tmp_path))
    listed = terminal.wait_for("Which one?")
    assert "Tic-tac-toe  (P1 you, P2 random)  2 decisions" in listed
    terminal.type("1")
    again = terminal.wait_for("(you)> ")
    board = r"3  . . .\n.*2  . . .\n.*1  . . .\n"
    assert re.search(board, again)[0] == re.search(board, shown)[0]  # type: ignore[index]
    terminal.type("quit")
    terminal.wait_for("resume")
    assert terminal.end() == 0


def test_a_game_in_which_nothing_was_decided_is_not_kept(tmp_path: Path) -> None:
    terminal = Terminal("ticTacToe", "--seed", "1", games=str(tmp_path))
    terminal.wait_for("(you)> ")
    assert list(tmp_path.glob("*.record"))
    terminal.type("quit")
    terminal.wait_for("before anything was decided")
    assert terminal.end() == 0 and not list(tmp_path.glob("*.record"))
