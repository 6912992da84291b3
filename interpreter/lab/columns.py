"""The tables of a study and their columns: what is written, and what its schema says.

`games` has a row a game, `seats` one a seat of a game, `uses` one for everything that could be
chosen in an arm, `race` one a round of an arm, and `decisions`, if it was asked for, one a
decision. Each is written as Parquet and as CSV. A game is named by its arm and its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Sort = Literal["BIGINT", "INTEGER", "DOUBLE", "VARCHAR", "BOOLEAN"]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    sort: Sort
    words: str
    may_lack: bool = False  # NULL in Parquet, nothing in CSV


def _whole(name: str, words: str, may_lack: bool = False) -> Column:
    return Column(name, "INTEGER", words, may_lack)


def _text(name: str, words: str, may_lack: bool = False) -> Column:
    return Column(name, "VARCHAR", words, may_lack)


def _share(name: str, words: str, may_lack: bool = False) -> Column:
    return Column(name, "DOUBLE", words, may_lack)


_GAME = (
    _whole("arm", "the number of the arm, as in study.json"),
    _whole("game", "the number of the game in its arm, from 0"),
)
_NO_SCORE = "nothing where the rules have no score that can be asked for during a game"
_NO_ESTIMATES = "nothing unless all players are bots that estimate their chances"

GAMES = (
    *_GAME,
    Column("seed", "BIGINT", "of the game: what chance brings follows from it"),
    Column("choice_seed", "BIGINT", "what bots draw follows from it; mostly the same"),
    _text("rules", "the hash of the rules with what was set otherwise"),
    _whole("players", "how many played"),
    _text("options", "of the game: `mode=basic size=9`"),
    _text("settings", "constants and rows that were set otherwise"),
    _text("bots", "by seat, with commas between"),
    _text("restraint", "what one player never chose, or always"),
    _whole("restrained", "that player's seat, from 1; 0: none"),
    _text("outcome", "won, shared (by several), nobody (has won) or failed (rules broke down)"),
    _whole("winners", "a bit for each seat that has won: 1 for the first, 2, 4 and so on"),
    _text("failure", "the code of why rules broke down, such as RR615: a game without end", True),
    _whole("start", "the seat, from 1, that chose first; 0 if the first choices were sealed"),
    _whole("moves", "decisions that somebody was asked for"),
    _whole("sealed", "those of them that were made at the same time as others'"),
    _whole("forced", "decisions in the open with one option, which nobody was asked for"),
    _whole("rounds", "passes of the outermost loop of `play` in which somebody chose"),
    Column("offered", "BIGINT", "options, of all decisions together"),
    _whole("widest", "options of the decision that had most"),
    _whole("leads", f"how often the lead changed hands; {_NO_SCORE}", True),
    _whole("lead_since", f"after how many moves it did so last; {_NO_SCORE}", True),
    _whole("lead_1", f"who led after a quarter of the moves, as bits; {_NO_SCORE}", True),
    _whole("lead_2", f"the same after half of them; {_NO_SCORE}", True),
    _whole("lead_3", f"the same after three quarters; {_NO_SCORE}", True),
    _whole("margin", "from the winner's score to the best other one; nothing unless one won", True),
    _whole("favourites", f"how often another player became the favourite; {_NO_ESTIMATES}", True),
    _whole("favourite_since", f"after how many moves that was so last; {_NO_ESTIMATES}", True),
    _whole("repeated", "moves at which a position came again; nothing if not watched", True),
    _text("first_1", "what was chosen first in the open", True),
    _text("first_2", "what was chosen second", True),
    _text("first_3", "what was chosen third", True),
)  # fmt: skip

SEATS = (
    *_GAME,
    _whole("seat", "from 1"),
    _whole("place", "from 1: who chose first, who sits next to them; 0 if nobody was first"),
    _text("bot", "who sat there"),
    Column(
        "restrained", "BOOLEAN", "whether there was something this player never or always chose"
    ),
    _share("won", "the share of the game: 1, 0, or a part if several won or nobody did"),
    Column("score", "BIGINT", "at the end"),
    _whole("moves", "decisions this seat was asked for"),
    Column("offered", "BIGINT", "options, of all of them together"),
    _whole("judged", "decisions whose options a searching bot has judged"),
    _whole("alike", "those of them in which all options were worth the same, or nearly so"),
)

_SUM = "a sum over games, of whole numbers, so that tables can be added up"
USES = (
    _whole("arm", "the number of the arm"),
    _text("bot", "who was asked"),
    _text("sort", "action, or the name of a kind, a list of words, a table or a board"),
    _text("name", "as in the rules"),
    _text("words", "for people"),
    Column("offered", "BIGINT", "decisions in which it could be chosen"),
    Column("taken", "BIGINT", "decisions in which it was"),
    Column("games", "BIGINT", "games in which it could be"),
    Column("takers", "BIGINT", "players who took it in a game, in all games together"),
    Column("leavers", "BIGINT", "players who could and did not"),
    _share("takers_won", "what the takers have won, in games"),
    _share("leavers_won", "what the leavers have won"),
    _share("change", "the takers' share of wins less the leavers'", True),
    _share("error", "the standard error of this, games being drawn and not players", True),
)

RACE = (
    _whole("arm", "the number of the arm"),
    _whole("round", "from 1: where it began"),
    Column("winners", "BIGINT", f"seats that won in the end; {_SUM}"),
    Column("winners_score", "BIGINT", "their scores then, added up"),
    Column("others", "BIGINT", "seats that did not"),
    Column("others_score", "BIGINT", "their scores then, added up"),
)

DECISIONS = (
    *_GAME,
    _whole("number", "of the decision, from 1"),
    _whole("seat", "who decided, from 1"),
    _text("bot", "who sat there"),
    Column("sealed", "BOOLEAN", "whether others chose at the same time"),
    _text("phase", "what the rules were doing"),
    _whole("options", "how many there were"),
    _text("action", "what was done, by its name in the rules"),
    _text("option", "all of it, as `rulerun play --jsonl` would take it"),
    _share("value", "the chance to win that a searching bot gave it", True),
    _share("least", "the chance it gave the worst of the options", True),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "games": GAMES, "seats": SEATS, "uses": USES, "race": RACE, "decisions": DECISIONS,
}  # fmt: skip
