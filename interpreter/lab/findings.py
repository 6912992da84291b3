"""What a study has found, as data: figures with intervals, what could be chosen and what it
changed, and remarks in words. One JSON document for reports, comparisons, gates and notebooks
(schemas/findings.schema.json).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

SCHEMA = "rulerun/findings@1"
# What a remark is about. Tests plant each defect in a small ruleset and look for its remark.
Kind = Literal[
    "seat advantage", "start advantage", "too strong", "too weak", "never offered", "never taken",
    "endless games", "positions again", "broken rules", "runaway leader",
    "few decisions", "small sample", "bot failures",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figure:
    """The answer of all rows to a measure, with the interval in which the true one lies 95 % of the
    time. `of` is the group it is about: a seat, a place from the start, a bot."""

    name: str  # of the measure
    of: str  # "" for all
    value: float
    low: float
    high: float
    games: int  # that have answered
    unit: str  # share, score, number, minutes
    deviation: float = 0.0  # from row to row
    quantiles: tuple[float, ...] = ()  # 5, 25, 50, 75 and 95 %; nothing for shares

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Use:
    """Something that could be chosen, by one sort of bot: how often it was offered and taken, and
    how much more often those have won who took it than those who could have. `change` is what goes
    together, not what is caused: a restraint tells that."""

    bot: str
    sort: str
    name: str
    words: str
    offered: int
    taken: int
    takers: int
    leavers: int
    takers_won: float | None  # shares
    leavers_won: float | None
    change: float | None
    low: float | None
    high: float | None
    chance: float | None  # that there is so much change, or more, by accident
    corrected: float | None  # the same for one of so many comparisons (Benjamini and Hochberg)


@dataclass(frozen=True, slots=True)
class Race:
    """Mean scores where a round began."""

    round: int
    games: int
    winners: float
    others: float | None


@dataclass(frozen=True, slots=True)
class Opening:
    """Choices a game began with, and what has become of whoever made the first of them."""

    path: tuple[str, ...]
    games: int
    won: float  # share, of whoever chose first


@dataclass(frozen=True, slots=True)
class Worth:
    """What it costs a player never to choose something, or always to, in games won."""

    arm: int  # in which somebody was held back
    restraint: str
    sort: str
    name: str
    games: int
    cost: float  # share of wins lost by it, in the same games
    low: float
    high: float
    chance: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a designer should look at."""

    kind: Kind
    about: str  # `seat 1`, `card lamp`
    words: str


@dataclass(frozen=True, slots=True)
class ArmFindings:
    arm: int
    title: str
    players: int
    bots: tuple[str, ...]
    games: int
    rules: str  # hash
    figures: tuple[Figure, ...]
    uses: tuple[Use, ...]
    race: tuple[Race, ...]
    openings: tuple[Opening, ...]
    remarks: tuple[Remark, ...]

    def figure(self, name: str, of: str = "") -> Figure | None:
        return next((each for each in self.figures if (each.name, each.of) == (name, of)), None)


@dataclass(frozen=True, slots=True)
class Luck:
    """Which part of the differences between games, in what a player wins and scores, the deal
    makes: the same deals were played several times, with other choices."""

    arm: int
    of: str  # wins or scores
    deals: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rulebook, or a part of an ability, that took part in none of the watched
    games."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a cell of a board lies, in widths of a cell."""

    name: str
    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Board:
    """A board to draw how often its cells are used."""

    name: str
    shape: str  # of its cells: square, hex or round
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    title: str  # of the game
    rules: str  # the file
    seed: int
    seconds: float  # that people are supposed to take for a choice
    complete: bool
    arms: tuple[ArmFindings, ...]
    worth: tuple[Worth, ...] = ()
    luck: tuple[Luck, ...] = ()
    silent: tuple[Clause, ...] = ()
    watched: int = 0  # games that were watched for clauses and abilities
    unfired: tuple[Clause, ...] = ()  # abilities
    boards: tuple[Board, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """JSON-ready, as described by schemas/findings.schema.json."""
        ready: dict[str, Any] = json.loads(json.dumps({"schema": SCHEMA, **asdict(self)}))
        return ready


def read_findings(data: dict[str, Any]) -> Findings:
    """From what `as_data` has given."""
    arms = tuple(_arm(each) for each in data["arms"])
    return Findings(
        data["title"], data["rules"], data["seed"], data["seconds"], data["complete"], arms,
        tuple(Worth(**each) for each in data["worth"]),
        tuple(Luck(**each) for each in data["luck"]),
        tuple(Clause(**each) for each in data["silent"]),
        data["watched"],
        tuple(Clause(**each) for each in data.get("unfired", ())),
        tuple(_board(each) for each in data["boards"]),
    )  # fmt: skip


def _board(data: dict[str, Any]) -> Board:
    return Board(data["name"], data["shape"], tuple(Cell(**each) for each in data["cells"]))


def _arm(data: dict[str, Any]) -> ArmFindings:
    figures = (
        Figure(**{**each, "quantiles": tuple(each["quantiles"])}) for each in data["figures"]
    )
    openings = (Opening(**{**each, "path": tuple(each["path"])}) for each in data["openings"])
    return ArmFindings(
        data["arm"], data["title"], data["players"], tuple(data["bots"]), data["games"],
        data["rules"], tuple(figures), tuple(Use(**each) for each in data["uses"]),
        tuple(Race(**each) for each in data["race"]), tuple(openings),
        tuple(Remark(**each) for each in data["remarks"]),
    )  # fmt: skip
