"""The classics are the games everybody knows: OpenSpiel plays them the same way."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspiel")

from oracles.hidden import by_winners as shared_wins
from oracles.opponents import CLASSICS, Opponent, by_winners, close

import interpreter
from interpreter.embedding import State
from interpreter.perft import perft

# ---- how OpenSpiel calls our options


def cell(text: str) -> str:
    """`place(cell: b3)` -> `b3`; also used where OpenSpiel knows only one verb."""
    match = re.search(r"cell: (\w+)", text)
    return match.group(1) if match else text


def tic_tac_toe(text: str) -> str:
    """OpenSpiel writes (row, column) from the top left and from 0; our row 1 is at the bottom."""
    name = cell(text)
    return f"({3 - int(name[1])},{ord(name[0]) - ord('a')})"


def connect_four(text: str) -> str:
    """OpenSpiel names the column, we the cell the disc falls onto."""
    return str(ord(cell(text)[0]) - ord("a"))


def without_mark(text: str) -> str:
    """`x(0,1)` -> `(0,1)`: whose mark it is shows from whose turn it is."""
    return text[1:]


def breakthrough(size: int):
    """OpenSpiel lets black, at the top, begin. With us the first player sits at the bottom, so
    the board is the other way up."""

    def name(text: str) -> str:
        start, target = re.findall(r"[a-z]\d+", text.split("(")[1])
        return "".join(f"{each[0]}{size + 1 - int(each[1:])}" for each in (start, target))

    return name


def without_star(text: str) -> str:
    return text.rstrip("*")


def gomoku(size: int):
    """OpenSpiel writes row and column from the top left and from 0."""

    def name(text: str) -> str:
        found = cell(text)
        return f"{size - int(found[1:])},{ord(found[0]) - ord('a')}"

    return name


def amazons(text: str) -> str:
    """OpenSpiel writes (row, column) from the top left and from 1, after the step of the move."""
    step, column, row = re.findall(r"(\w+)\(.*?([a-j])(\d+)\)$", text)[0]
    called = {"take": "From", "go": "To", "shoot": "Shoot:"}[step]
    return f"{called} ({11 - int(row)}, {ord(column) - ord('a') + 1})"


def amazons_there(text: str) -> str:
    """`X From (7, 1)` -> `From (7, 1)`."""
    return text[2:]


def start_and_target(text: str) -> str:
    """`jump(from: a3, over: b4, to: c5)` -> `a3c5`."""
    cells = re.findall(r": ([a-z]\d+)", text)
    return cells[0] + cells[-1]


def go(text: str) -> str:
    """`place(c: i9)` -> `j9`: OpenSpiel leaves out the letter i, as go players do."""
    if text == "pass":
        return "PASS"
    column, row = re.findall(r"([a-s])(\d+)", text.split(": ")[1])[0]
    return f"{'abcdefghjklmnopqrst'[ord(column) - ord('a')]}{row}"


def go_there(text: str) -> str:
    """`B a1` -> `a1`: whose stone it is shows from whose turn it is."""
    return text.split()[1]


class Go(Opponent):
    """OpenSpiel lets a player bring back an old board, and the game is a draw then. With us nobody
    may. Since half a point decides, nothing else is a draw: so it tells which moves these are."""

    def _step(self, state: State, other: Any, choice: random.Random) -> tuple[State, Any]:
        bringing_back = {
            self._called(other, action)
            for action in other.legal_actions()
            if (child := other.child(action)).is_terminal() and child.returns() == [0.0, 0.0]
        }
        there = {self._called(other, action): action for action in other.legal_actions()}
        mine = {self.name(each.text): each for each in state.options()}
        assert sorted(mine) == sorted(there.keys() - bringing_back), self._told(
            state, other, "options differ"
        )
        self.refused += len(bringing_back)
        stones = sorted(mine.keys() - {"PASS"})  # who passes rarely comes to old boards
        taken = choice.choice(stones if stones and choice.randrange(10) else sorted(mine))
        other.apply_action(there[taken])
        return state.apply(mine[taken]), other

    refused = 0  # old boards that nobody could bring back, in all games


def quoridor(text: str) -> str:
    """OpenSpiel counts rows from the top, and calls a wall after the cell left of it or above it:
    `a1v`, `a1h`."""
    column, row = re.findall(r"([a-i])(\d)", text)[0 if text.startswith("build") else -1]
    wall = {"east": "v", "south": "h"}.get(text.rstrip(")").split(": ")[-1], "")
    return f"{column}{10 - int(row)}{wall}"


def quoridor_too_long(state: State) -> list[float] | None:
    """OpenSpiel ends a game of Quoridor after some moves; ours goes on."""
    return [0.0, 0.0] if len(state.history()) == 4 * 9 * 9 else None


def oware(pits: int):
    """OpenSpiel calls the first player's pits A, B, ... and the second player's a, b, ..."""

    def name(text: str) -> str:
        number = int(re.findall(r"\d+", text)[0]) - 1
        return chr(ord("A" if number < pits else "a") + number % pits)

    return name


def nim(text: str) -> str:
    heap, amount = re.findall(r"\d+", text)
    return f"pile:{heap}, take:{amount};"


def pig(text: str) -> str:
    names = {"rollDie": "roll", "hold": "stop"}
    return names.get(text) or f"Roll {re.findall(r'[0-9]+', text)[0]}"


def oware_repeated(state: State) -> list[float] | None:
    """OpenSpiel ends a game of oware when a position comes up again, both players keeping the
    seeds of their own rows. Our rules remember no positions: they do the same after a number
    of moves without a capture. So here the position must be an old one."""
    here = seeds(state)
    earlier = state.previous
    while earlier is not None and seeds(earlier) != here:
        earlier = earlier.previous
    if earlier is None:
        return None
    totals = [0, 0]
    for (member, index), value in here[1].items():
        if member == "store":
            totals[0 if index == "P1" else 1] += value
        else:
            totals[0 if int(index) <= len(here[1]) // 2 - 1 else 1] += value
    if totals[0] == totals[1]:
        return [0.0, 0.0]
    return [1.0, -1.0] if totals[0] > totals[1] else [-1.0, 1.0]


def seeds(state: State) -> tuple[tuple[int, ...], dict[tuple[str, str], int]]:
    shown = {
        (each.member, each.index_words[0]): int(each.value)
        for each in state.view().variables
        if each.member in ("store", "seeds") and each.value is not None
    }
    return state.seats_to_act, shown


CATEGORIES = {
    "ones": "Ones", "twos": "Twos", "threes": "Threes", "fours": "Fours", "fives": "Fives",
    "sixes": "Sixes", "chance": "Chance", "fourAlike": "Four of a Kind", "fullHouse": "Full House",
    "low": "Small Straight", "high": "Large Straight", "yacht": "Yacht",
}  # fmt: skip


def yacht(text: str) -> str:
    """`fill(category: ones)` -> `Score in Ones`."""
    return f"Score in {CATEGORIES[text.removeprefix('fill(category: ').rstrip(')')]}"


class Yacht(Opponent):
    """OpenSpiel rolls all dice at once, and has one action for every set of dice to roll again:
    the n-th die is the n-th bit. With us dice are taken up and rolled one by one."""

    def _step(self, state: State, other: Any, choice: random.Random) -> tuple[State, Any]:
        if other.is_chance_node():
            return self._roll(state, other, choice)
        if 0 not in other.legal_actions():
            return super()._step(state, other, choice)
        assert other.legal_actions() == list(range(32))
        assert state.seats_to_act == (other.current_player(),)
        taken = choice.sample(range(1, 6), choice.randrange(6))
        for already, die in enumerate(taken):
            left = [n for n in range(1, 6) if n not in taken[:already]]
            offered = [*(f"take(n: {n})" for n in left), "ready"]
            assert [each.text for each in state.options()] == offered
            state = state.apply(f"take(n: {die})")
        other.apply_action(sum(1 << die - 1 for die in taken))
        return state.apply("ready"), other

    def _roll(self, state: State, other: Any, choice: random.Random) -> tuple[State, Any]:
        action, ways = 0, 1
        while state.is_chance:
            outcomes = state.chance_outcomes()
            assert [each.text for each in outcomes] == [f"roll(dice: {n})" for n in range(1, 7)]
            assert len({each.weight for each in outcomes}) == 1
            face = choice.randrange(6)
            action += ways * face
            ways *= 6
            state = state.apply(outcomes[face])
        chances = [chance for _, chance in other.chance_outcomes()]
        assert close(chances, [1 / ways] * ways)
        other.apply_action(action)
        return state, other


# ---- the opponents: game, perft depth, lockstep games

# Pig: in the usual game a turn begins with a roll. OpenSpiel lets a player hold at once, which
# we have as an option. In both, somebody who has enough to win must hold. Nim: OpenSpiel
# plays misère unless told otherwise, and so do we. Othello: passing is an option of its own in
# both, and the game ends as soon as neither can move; the discs decide, by winners here.
FREE_PIG: dict[str, str | int] = {"mayHoldAtOnce": "yes"}

OPPONENTS = [
    (Opponent("ticTacToe", "tic_tac_toe", tic_tac_toe, without_mark), 6, 200),
    (Opponent("connectFour", "connect_four", connect_four, without_mark), 5, 200),
    (
        Opponent(
            "connectFour", "connect_four(rows=4,columns=5,x_in_row=3)", connect_four, without_mark,
            {"rows": 4, "columns": 5, "inRow": 3},
        ),
        6, 200,
    ),
    (Opponent("breakthrough", "breakthrough", breakthrough(8), without_star), 3, 200),
    (
        Opponent(
            "breakthrough", "breakthrough(rows=5,columns=5)", breakthrough(5), without_star,
            {"size": 5},
        ),
        4, 200,
    ),
    (Opponent("hex", "hex(board_size=5)", cell, options={"size": 5}), 3, 200),
    (Opponent("hex", "hex(board_size=3)", cell, options={"size": 3}), 5, 200),
    (Opponent("hex", "hex(board_size=11)", cell), 2, 5),
    (Opponent("reversi", "othello", cell), 4, 200),
    (Opponent("gomoku", "gomoku(size=15)", gomoku(15)), 2, 4),
    (
        Opponent(
            "gomoku", "gomoku(size=6,connect=4)", gomoku(6), options={"size": 6, "inRow": 4}
        ),
        3, 100,
    ),
    (Opponent("amazons", "amazons", amazons, amazons_there), 3, 5),
    (Opponent("checkers", "checkers", start_and_target), 5, 50),
    (Opponent("quoridor", "quoridor", quoridor, ends_early=quoridor_too_long), 2, 5),
    (
        Opponent(
            "oware", "oware", oware(6), options={"patience": 1000}, ends_early=oware_repeated
        ),
        5, 200,
    ),
    (
        Opponent(
            "oware", "oware(num_houses_per_player=4,num_seeds_per_house=3)", oware(4),
            options={"pits": 4, "seedsInPit": 3, "patience": 1000}, ends_early=oware_repeated,
        ),
        7, 200,
    ),
    (Opponent("nim", "nim", nim), 4, 200),
    (Opponent("nim", "nim(pile_sizes=1;3;5,is_misere=false)", nim,
              options={"heaps": 3, "misere": "no"}), 6, 200),
    (Opponent("pig", "pig(horizon=100000)", pig, options=FREE_PIG), 7, 200),
    (
        Opponent(
            "pig", "pig(players=3,winscore=10,horizon=100000)", pig,
            options={**FREE_PIG, "goal": 10}, players=3,
        ),
        7, 200,
    ),
]  # fmt: skip
IDS = [str(opponent) for opponent, _, _ in OPPONENTS]

GO = Go("go", "go(board_size=9,komi=7.5)", go, go_there)
SMALL_GO = Go(
    "go", "go(board_size=5,komi=0.5,max_game_length=1000)", go, go_there,
    {"size": 5, "komi": 1, "longest": 1000},
)  # fmt: skip

# The same games, but their trees are cut into other steps.
CUT_OTHERWISE = [
    (Yacht("yacht", "yacht", yacht), 5),
    (Yacht("yacht", "yacht(players=3)", yacht, players=3, returns=shared_wins), 5),
]


@pytest.mark.parametrize(("opponent", "depth", "games"), OPPONENTS, ids=IDS)
def test_the_trees_are_equal(opponent: Opponent, depth: int, games: int) -> None:
    assert perft(opponent.ours, depth) == opponent.perft(depth)


@pytest.mark.parametrize(
    ("opponent", "games"),
    [(opponent, games) for opponent, _, games in OPPONENTS] + CUT_OTHERWISE,
    ids=IDS + [f"{opponent}-{opponent.players}" for opponent, _ in CUT_OTHERWISE],
)
def test_random_games_are_equal(opponent: Opponent, games: int) -> None:
    assert sum(opponent.play(seed) for seed in range(games)) > games


def test_games_of_go_are_equal() -> None:
    for opponent, games in ((GO, 5), (SMALL_GO, 10)):
        assert perft(opponent.ours, 2) == opponent.perft(2)
        for seed in range(games):
            opponent.play(seed)
    assert SMALL_GO.refused > 0  # on a big board this is rare


class Chess(Opponent):
    """OpenSpiel writes moves as people do, `Nf3`; it reads squares too, `g1f3` and `e7e8q`."""

    def _step(self, state: State, other: Any, choice: random.Random) -> tuple[State, Any]:
        mine = {other.parse_move_to_action(chess(each.text)): each for each in state.options()}
        assert sorted(mine) == other.legal_actions(), self._told(state, other, "options differ")
        action = choice.choice(sorted(mine))
        other.apply_action(action)
        return state.apply(mine[action]), other


def chess(text: str) -> str:
    """`go(from: g1, to: f3)` -> `g1f3`, `castle(rook: h1)` -> `e1g1`."""
    cells = re.findall(r": ([a-h]\d)", text)
    if text.startswith("castle"):
        return f"e{cells[0][1]}{'c' if cells[0][0] == 'a' else 'g'}{cells[0][1]}"
    new = re.findall(r"new: (\w+)", text)
    return "".join(cells) + ({"knight": "n"}.get(new[0], new[0][0]) if new else "")


def black_first(state: State) -> list[float]:
    """OpenSpiel gives the first seat to black, though white begins."""
    return by_winners(state)[::-1]


CHESS = Chess("chess", "chess", chess, returns=black_first)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MEN = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def starting_from(diagram: str) -> str:
    """The rules of chess with another position to begin with, written as chess players do."""
    text = (CLASSICS / "chess.rules").read_text(encoding="utf-8")
    lines = ["setup"]
    for row, men in zip(range(8, 0, -1), diagram.split()[0].split("/"), strict=True):
        column = 0
        for sign in men:
            if sign.isdigit():
                column += int(sign)
                continue
            cell = f"{'abcdefgh'[column]}{row}"
            owner = "P1" if sign.isupper() else "P2"
            lines.append(f"    {cell}.man := {MEN[sign.lower()]}\n    {cell}.owner := {owner}")
            lines += [f"    {owner}.throne := {cell}"] if sign in "kK" else []
            column += 1
    corners = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}
    lines += [f"    {corners[each]}.fresh := yes" for each in diagram.split()[2] if each != "-"]
    before, rest = text.split("setup\n", 1)
    return before + "\n".join(lines) + "\n\ngroup" + rest.split("\ngroup", 1)[1]


def test_games_of_chess_are_equal() -> None:
    assert perft(CHESS.ours, 3) == [1, 20, 400, 8902]
    assert sum(CHESS.play(seed) for seed in range(6)) > 500


@pytest.mark.parametrize(
    ("diagram", "counts"),
    [
        (KIWIPETE, [1, 48, 2039]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [1, 14, 191, 2812]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [1, 6, 264]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [1, 44, 1486]),
    ],
    ids=["kiwipete", "passing", "promotions", "castling"],
)
def test_positions_of_chess_have_as_many_moves_as_everybody_counts(
    tmp_path: Path, diagram: str, counts: list[int]
) -> None:
    path = tmp_path / "chess.rules"
    path.write_text(starting_from(diagram), encoding="utf-8")
    assert perft(interpreter.load(path, 2), len(counts) - 1) == counts
