"""Gates: whether playing comes to what is expected of it (`expectations.py`), with as few games as
can tell (`sequential.py`).

Every expectation of every seat, bot or thing, with every number of players, is a `Question`. All
questions of a file share one error, `ERROR`: that is how often anything is called broken in studies
of rules of which all is true that is expected. A question that is clear is not asked again; when
all of a way to play are, no more games of it are played. Looks come after the same games wherever
and by how many workers these are played, so the answer is the same everywhere.

Games are had from `Samples`, which play and count them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from interpreter.lab.expectations import Claim, Gate, Never
from interpreter.lab.measures import Unit
from interpreter.lab.sequential import (
    Sums,
    Verdict,
    games_needed,
    looks,
    mean_interval,
    share_interval,
    spending,
    verdict,
)  # fmt: skip
from interpreter.lab.spec import Arm
from interpreter.report.problem import Problem
from interpreter.report.source import Mark

ERROR = 0.05
_LISTED = 8  # things that a message names
_MOST_NEEDED = 10_000_000  # games; nobody plays more to find out


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be chosen."""

    sort: str
    name: str
    words: str

    def is_called(self, text: str) -> bool:
        return text in (self.sort, self.name, self.words)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something was offered and taken in the games of an arm. Of the players of a game
    `takers` took it and `leavers` could have; their squares and product are sums over games."""

    offered: int = 0
    taken: int = 0
    games: int = 0
    takers: int = 0
    leavers: int = 0
    takers_squared: int = 0
    leavers_squared: int = 0
    product: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """One expectation of one group, or of one thing, in one way to play."""

    claim: Claim
    arm: Arm
    of: str
    item: Item | None = None

    @property
    def limits(self) -> tuple[float, float]:
        return self.claim.bound.limits(self.arm.players)

    @property
    def unit(self) -> Unit:
        if self.claim.measure is None or self.claim.bound.of_games is not None:
            return "share"
        return self.claim.measure.unit

    @property
    def about(self) -> str:
        """`wins of seat 1`."""
        measure = self.claim.measure
        if self.item is not None:
            return f"{self.item.sort} {self.item.words} taken"
        if measure is not None and measure.group:
            sort = "" if measure.group == "bot" else f"{measure.group} "
            return f"{measure.name} of {sort}{self.of}"
        return self.claim.name

    @property
    def name(self) -> str:
        """`wins of seat 1, 4 players, all random`."""
        return f"{self.about}, {self.arm.title}"


class Samples(Protocol):
    """Games that are played, and what they have come to."""

    def play(self, arm: Arm, games: int) -> None:
        """See to it that so many games of an arm have been played."""

    def sums(self, question: Question, games: int, step: int) -> Sums:
        """The answers of the first so many games, `step` of them taken together at a time."""

    def items(self, arm: Arm) -> Sequence[Item]: ...

    def tally(self, arm: Arm, games: int, item: Item) -> Tally: ...


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a question, and after how many games."""

    question: Question
    verdict: Verdict
    value: float
    low: float
    high: float
    games: int
    answers: int  # games, or rounds of them, that have answered

    @property
    def name(self) -> str:
        return self.question.name

    @property
    def mark(self) -> Mark:
        return self.question.claim.mark

    @property
    def problem(self) -> Problem | None:
        question = self.question
        told = f"{question.name}: {self.told}; `{question.claim.bound.text}` is expected"
        if self.verdict == "broken":
            return Problem("RR920", told, self.mark, help=self._limits())
        if self.verdict == "open":
            message = f"{self.games} games do not tell: {told}"
            return Problem("RR921", message, self.mark, "warning", help=self._needed())
        return None

    @property
    def told(self) -> str:
        """`34.1 % (30.2 to 38.1 %, 800 games)`."""
        if not self.answers:
            return "no game has an answer"
        unit = self.question.unit
        value, low, high = (_number(each, unit) for each in (self.value, self.low, self.high))
        share = " %" if unit == "share" else ""
        return f"{value}{share} ({low} to {high}{share}, {self.games} games)"

    def _limits(self) -> str:
        unit = self.question.unit
        low, high = (_number(each, unit) for each in self.question.limits)
        share = " %" if unit == "share" else ""
        if not math.isfinite(self.question.limits[0]):
            return f"That is at most {high}{share}."
        if not math.isfinite(self.question.limits[1]):
            return f"That is at least {low}{share}."
        return f"That is {low} to {high}{share}."

    def _needed(self) -> str | None:
        interval = (self.low, self.high)
        if not self.answers or not all(map(math.isfinite, interval)):
            return None
        needed = games_needed(self.value, interval, self.question.limits, self.games)
        if needed is None or needed > _MOST_NEEDED:
            return "It lies so near to the limit that no number of games would tell."
        return f"About {_rounded(needed):,} games would tell, if it is what it seems to be."


@dataclass(frozen=True, slots=True)
class Missing:
    """What was never offered, or never taken, in any game of a gate."""

    gate: Gate
    never: Never
    items: tuple[Item, ...]
    games: int

    @property
    def name(self) -> str:
        return f"{self.never.name}, {self.gate.title}"

    @property
    def mark(self) -> Mark:
        return self.never.mark

    @property
    def problem(self) -> Problem | None:
        if not self.items:
            return None
        some = ", ".join(f"{each.sort} {each.words}" for each in self.items[:_LISTED])
        more = f" and {len(self.items) - _LISTED} more" if len(self.items) > _LISTED else ""
        # Whatever happens in a larger share of games would have happened, 95 % of the time.
        most = 100 * (1 - ERROR ** (1 / max(1, self.games)))
        told = f"{self.never.name} in {self.games} games: {some}{more}"
        message = f"{told}; so that is so in less than {most:.2g} % of all games"
        help_ = f"Name what may be so: `{self.never.name}: [{self.items[0].name}]`."
        return Problem("RR920", message, self.never.mark, help=help_)


@dataclass(slots=True)
class Held:
    """What a run of all gates of a file has found."""

    judged: list[Judged] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    games: int = 0

    @property
    def problems(self) -> list[Problem]:
        found = [each.problem for each in self.judged]
        found += [each.problem for each in self.missing]
        return [each for each in found if each is not None]


Told = Callable[[Arm, int, int], None]  # an arm, games that are played, and questions still open


def hold(
    gates: Sequence[Gate], samples_of: Callable[[Gate], Samples], told: Told | None = None
) -> Held:
    """Play until all that is expected is clear, or all games are played."""
    every = [(gate, samples_of(gate)) for gate in gates]
    number = sum(
        len(list(_questions(gate, arm, samples.items(arm))))
        for gate, samples in every
        for arm in gate.study.arms()
    )
    found = Held()
    for gate, samples in every:
        _Holding(gate, samples, ERROR / max(1, number), found, told).run()
    return found


def _questions(gate: Gate, arm: Arm, items: Sequence[Item]) -> Iterator[Question]:
    for claim in gate.claims:
        if claim.measure is None:
            named = (each for each in items if each.is_called(claim.of))
            yield from (Question(claim, arm, claim.of, each) for each in named)
        elif claim.of or not claim.measure.group:
            is_seat = claim.measure.group in ("seat", "place") and claim.of.isdigit()
            if not is_seat or int(claim.of) <= arm.players:
                yield Question(claim, arm, claim.of)
        else:
            groups = dict.fromkeys(arm.bots)
            if claim.measure.group in ("seat", "place"):
                groups = dict.fromkeys(str(number + 1) for number in range(arm.players))
            yield from (Question(claim, arm, of) for of in groups)


@dataclass(slots=True)
class _Holding:
    """One gate."""

    gate: Gate
    samples: Samples
    error: float  # for a question
    found: Held
    told: Told | None
    seen: dict[str, set[Item]] = field(default_factory=dict)
    played: int = 0

    def run(self) -> None:
        arms = self.gate.study.arms()
        for arm in arms:
            self._run_arm(arm)
        for never in self.gate.nevers:
            missing = tuple(dict.fromkeys(e for arm in arms for e in self._missing(arm, never)))
            self.found.missing.append(Missing(self.gate, never, missing, self.played))
        self.found.games += self.played

    def _run_arm(self, arm: Arm) -> None:
        # Where bots differ, only rounds in which each has sat everywhere are alike.
        step = arm.players if len(set(arm.bots)) > 1 else 1
        planned = looks(self.gate.study.games, step)
        open_ = list(_questions(self.gate, arm, self.samples.items(arm)))
        for number, (games, error) in enumerate(
            zip(planned, spending(self.error, len(planned)), strict=True), 1
        ):
            if self.told is not None:
                self.told(arm, games, len(open_))
            self.samples.play(arm, games)
            self._look_for_missing(arm, games)
            still: list[Question] = []
            for question in open_:
                judged = self._judge(question, games, step, error)
                if judged.verdict == "open" and number < len(planned):
                    still.append(question)
                else:
                    self.found.judged.append(judged)
            open_ = still
            waits = any(any(self._missing(arm, never)) for never in self.gate.nevers)
            if not open_ and not waits:
                break
        self.played += games

    def _judge(self, question: Question, games: int, step: int, error: float) -> Judged:
        if question.item is not None:
            tally = self.samples.tally(question.arm, games, question.item)
            value, interval = ratio(tally, error)
            answers = tally.games
        else:
            sums = self.samples.sums(question, games, step)
            value, answers = sums.mean, sums.number
            # What is taken together differs less than single games.
            exact = question.unit == "share" and step == 1 and _is_won_or_lost(question, sums)
            interval = (share_interval if exact else mean_interval)(sums, error)
            if question.unit == "share":
                interval = max(0.0, interval[0]), min(1.0, interval[1])
        found = verdict(interval, question.limits) if answers else "open"
        return Judged(question, found, value, *interval, games, answers)

    def _look_for_missing(self, arm: Arm, games: int) -> None:
        for never in self.gate.nevers:
            seen = self.seen.setdefault(never.name, set())
            for item in set(self.samples.items(arm)) - seen:
                tally = self.samples.tally(arm, games, item)
                if tally.taken if never.name == "never taken" else tally.offered:
                    seen.add(item)

    def _missing(self, arm: Arm, never: Never) -> Iterator[Item]:
        for item in self.samples.items(arm):
            allowed = any(item.is_called(text) for text, _ in never.but)
            if not allowed and item not in self.seen.get(never.name, ()):
                yield item


def _is_won_or_lost(question: Question, sums: Sums) -> bool:
    """Whether a game is won or lost, or shared now and then, and not measured in parts."""
    return question.claim.name.startswith("wins") or sums.squares == sums.total


def ratio(tally: Tally, error: float) -> tuple[float, tuple[float, float]]:
    """Which part of the players who could take something in a game did so, games being drawn and
    not players: with `c` for the part, what takers have too many, `T - c(T + N)`, is 0 on the mean;
    the interval has every `c` for which that may be so."""
    takers, leavers = tally.takers, tally.leavers
    if takers + leavers == 0 or tally.games < 2:
        return math.nan, (0.0, 1.0)

    def could_be(part: float) -> bool:
        mine, others = 1 - part, part
        total = mine * takers - others * leavers
        squares = mine * mine * tally.takers_squared + others * others * tally.leavers_squared
        squares -= 2 * mine * others * tally.product
        low, high = mean_interval(Sums(tally.games, total, squares), error)
        return low <= 0 <= high

    value = takers / (takers + leavers)
    if takers == 0 or leavers == 0:  # no game differs from another: go by games as wholes
        one = share_interval(Sums(tally.games, float(tally.games if takers else 0)), error)
        return value, one
    return value, (_edge(could_be, value, 0.0), _edge(could_be, value, 1.0))


def _edge(could_be: Callable[[float], bool], inside: float, outside: float) -> float:
    if could_be(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if could_be(middle):
            inside = middle
        else:
            outside = middle
    return inside


def _number(value: float, unit: Unit) -> str:
    if not math.isfinite(value):
        return "any number"
    return f"{100 * value:.1f}" if unit == "share" else f"{value:.4g}"


def _rounded(number: int) -> int:
    """To two digits: it is a guess."""
    scale = int(f"1{'0' * max(0, len(str(number)) - 2)}")
    return math.ceil(number / scale) * scale
