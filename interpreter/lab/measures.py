"""What is asked of games: each measure is a question to one row, in SQL, with how its answers are
taken together. Figures, comparisons and gates all go by this table, so a new question is one row
more.

A measure may have no answer for a row (NULL): then the row does not count. `{seconds}` stands for
the seconds that people take for a choice. Rows are those of `columns.py`; games in which the rules
broke down are asked only what is about that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["share", "score", "number", "minutes"]
# How answers become a figure. "share": each is 0 to 1, Wilson's interval where all are 0 or 1, else
# that of their mean; "mean": the mean, with quantiles beside it.
Method = Literal["share", "mean"]


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    words: str
    unit: Unit
    table: Literal["games", "seats"]
    answer: str  # in SQL, for one row
    group: str = ""  # by which column figures are told apart; "": one for all
    failed: bool = False  # whether games that broke down are asked too

    @property
    def method(self) -> Method:
        return "share" if self.unit == "share" else "mean"


_ONE_LEADS = "bit_count({lead}) = 1 AND winners <> 0 AND outcome <> 'nobody'"


def _leader_wins(column: str) -> str:
    """Whether whoever led alone has won."""
    return f"CASE WHEN {_ONE_LEADS.format(lead=column)} THEN ({column} & winners <> 0)::INT END"


MEASURES = (
    Measure("wins", "games won, by seat", "share", "seats", "won", "seat"),
    Measure("wins by start", "games won, by who chose first", "share", "seats",
            "CASE WHEN place > 0 THEN won END", "place"),
    Measure("wins by bot", "games won, by bot", "share", "seats", "won", "bot"),
    Measure("wins restrained", "games won by the player who was held back", "share", "seats",
            "CASE WHEN restrained THEN won END"),
    Measure("score", "score, by seat", "score", "seats", "score", "seat"),
    Measure("score by bot", "score, by bot", "score", "seats", "score", "bot"),
    Measure("score of winners", "the winner's score", "score", "seats",
            "CASE WHEN won = 1 THEN score END"),
    Measure("rounds", "rounds", "number", "games", "NULLIF(rounds, 0)"),
    Measure("moves", "decisions", "number", "games", "moves"),
    Measure("minutes", "minutes, as people would play", "minutes", "games",
            "{seconds} * (moves - sealed + sealed / players::DOUBLE) / 60"),
    Measure("margin", "margin of the winner", "score", "games", "margin"),
    Measure("ties", "games that several won", "share", "games", "(outcome = 'shared')::INT"),
    Measure("nobody", "games that nobody won", "share", "games", "(outcome = 'nobody')::INT"),
    Measure("lead changes", "changes of the lead", "number", "games", "leads"),
    Measure("no return", "after which part of the game the lead changed no more", "share", "games",
            "CASE WHEN moves > 0 THEN lead_since / moves::DOUBLE END"),
    Measure("favourites", "changes of who is expected to win, by bots' estimates", "number",
            "games", "favourites"),
    Measure("no return expected", "after which part of it the favourite stayed the same", "share",
            "games", "CASE WHEN moves > 0 THEN favourite_since / moves::DOUBLE END"),
    Measure("leader at 1/4 wins", "whoever leads after a quarter wins", "share", "games",
            _leader_wins("lead_1")),
    Measure("leader at 1/2 wins", "whoever leads at half-time wins", "share", "games",
            _leader_wins("lead_2")),
    Measure("leader at 3/4 wins", "whoever leads after three quarters wins", "share", "games",
            _leader_wins("lead_3")),
    Measure("branching", "options of a decision", "number", "games",
            "CASE WHEN moves > 0 THEN offered / moves::DOUBLE END"),
    Measure("widest", "options of the widest decision", "number", "games", "widest"),
    Measure("forced", "decisions with one option, of all", "share", "games",
            "CASE WHEN moves + forced > 0 THEN forced / (moves + forced)::DOUBLE END"),
    Measure("alike", "decisions whose options are worth the same", "share", "seats",
            "CASE WHEN judged > 0 THEN alike / judged::DOUBLE END"),
    Measure("repeats", "games in which a position came again", "share", "games",
            "(repeated > 0)::INT", failed=True),
    Measure("endless", "games that were cut off", "share", "games",
            "(COALESCE(failure, '') = 'RR615')::INT", failed=True),
    Measure("failed", "games in which the rules broke down otherwise", "share", "games",
            "(outcome = 'failed' AND failure <> 'RR615')::INT", failed=True),
)  # fmt: skip
BY_NAME = {each.name: each for each in MEASURES}
