"""What a study is about: which games are to be played. From it follow the arms, and the games of
each.

The hardest uses it was made for: a sweep over two constants by three numbers of players with mixed
bots is twelve arms or more, each with its own program; a study that goes on tomorrow with other
workers has the same arms and seeds; two versions of the rules are compared game by game; a test
that is clear after 200 games ends there, on any machine at the same game.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, Literal

Settings = tuple[str, ...]  # each as after `--set`: startMoney=8000
Manner = Literal["never", "always"]
SCHEMA = "rulerun/study@1"
_PARTS = 2  # what is written down of a game: parts of other numbers are of no use


@dataclass(frozen=True, slots=True)
class Restraint:
    """What one player never chooses, or always chooses where it is offered: an action by its name,
    or a piece, word, row or cell by its sort and name."""

    manner: Manner
    sort: str  # "action", or the name of a kind, a list of words, a table or a board
    name: str

    def __str__(self) -> str:
        return f"{self.manner} {self.sort}={self.name}"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to play. `bots` go by player and not by seat: in every game each moves on by a seat.
    A restraint is put on the first player alone, who then differs from the others in nothing
    else."""

    number: int
    players: int
    options: tuple[tuple[str, str | int], ...] = ()
    settings: Settings = ()
    bots: tuple[str, ...] = ()
    restraint: Restraint | None = None
    repeats: int = 1  # games of the same deal, in which those who choose draw other numbers

    @property
    def is_random(self) -> bool:
        """Whether all choose at random, so that whole games can be played in native code."""
        return set(self.bots) == {"random"}

    @property
    def title(self) -> str:
        """In words: `3 players, startMoney=8000, best against random`."""
        found = [f"{self.players} player{'s' if self.players != 1 else ''}"]
        found += [f"{name} {value}" for name, value in self.options]
        found += [*self.settings, told_bots(self.bots)]
        if self.restraint is not None:
            found.append(f"one player {self.restraint}")
        if self.repeats > 1:
            found.append(f"every deal {self.repeats} times")
        return ", ".join(found)


_USUAL_GAMES = 1000
MOST_GAMES = 100_000_000
_OF_A_HALF = 0.97  # half of 1.96 deviations, squared, and a little more


def usual_games(until: float) -> int:
    """How many games are played of each arm if nobody says it: as many as may be needed until a
    share is known so well, which is most where it is a half."""
    return min(MOST_GAMES, math.ceil(_OF_A_HALF / until**2)) if until else _USUAL_GAMES


@dataclass(frozen=True, slots=True)
class Study:
    """All that decides which games are played and what is written down of them. How many workers
    play them, and in what chunks, is no part of it."""

    rules: str  # the rule file
    players: tuple[int, ...]
    games: int  # of each arm
    seed: int = 1
    bots: tuple[str, ...] = ("random",)  # one for all, or one a player; several sets: see `tables`
    tables: tuple[tuple[str, ...], ...] = ()  # other sets of bots, an arm each
    options: tuple[tuple[str, str | int], ...] = ()
    settings: Settings = ()
    vary: tuple[tuple[str, tuple[str, ...]], ...] = ()  # a name and its values, in turn
    restraints: tuple[Restraint, ...] = ()  # each is an arm more, beside the one without
    luck: int = 0  # of each deal so many games more, to tell the deal's part
    decisions: bool = False  # a row for every decision
    until: float = 0.0  # half of the widest interval of a share won; 0: play all games
    seconds: float = 12.0  # that people take for a choice

    def arms(self) -> tuple[Arm, ...]:
        """In their order: numbers of players, then settings, then bots, then restraints."""
        found: list[Arm] = []
        for players in self.players:
            for settings in self._settings():
                for bots in (self.bots, *self.tables):
                    arm = Arm(0, players, self.options, settings, seated(bots, players))
                    found.append(arm)
                    found += [replace(arm, restraint=each) for each in self.restraints]
                    if self.luck > 1:
                        found.append(replace(arm, repeats=self.luck))
        return tuple(replace(arm, number=number) for number, arm in enumerate(found))

    def _settings(self) -> list[Settings]:
        varied = [[f"{name}={value}" for value in values] for name, values in self.vary]
        return [(*self.settings, *each) for each in product(*varied)]

    def identity(self, rules_hash: str) -> str:
        """A hash of all that decides the games, but for their number and when to stop: a study with
        the same goes on with what is there. The rules count by what they say, not by where they
        lie."""
        told = asdict(replace(self, rules=rules_hash, games=0, until=0.0, seconds=0.0))
        told["parts"] = _PARTS
        text = json.dumps(told, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def seated(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """A bot for each player: one for all, or else the last sits in all seats that are left."""
    if not bots:
        raise ValueError("a study needs a bot")
    if len(bots) > players:
        raise ValueError(f"{len(bots)} bots are named, but {players} play")
    return (*bots, *[bots[-1]] * (players - len(bots)))


def told_bots(bots: Sequence[str]) -> str:
    """`best against 2 random`."""
    counts = {name: list(bots).count(name) for name in bots}
    if len(counts) == 1:
        return f"all {bots[0]}"
    parts = [name if number == 1 else f"{number} {name}" for name, number in counts.items()]
    return " against ".join([parts[0], " and ".join(parts[1:])])


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of an arm that are played together: numbers `first` to `first + count - 1`."""

    arm: int
    first: int
    count: int

    @property
    def end(self) -> int:
        return self.first + self.count


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands in `study.json` beside the tables: the study, and what its arms were."""

    study: Study
    title: str  # of the game
    rules_hash: str  # of the files, with nothing set otherwise
    arms: tuple[Arm, ...]
    hashes: tuple[str, ...]  # of the rules of each arm, settings included
    played: tuple[int, ...]  # games of each arm
    version: str  # of rulerun
    complete: bool  # or else it was interrupted, and can be gone on with

    def as_data(self) -> dict[str, Any]:
        """JSON-ready, as described by schemas/study.schema.json."""
        found = {"schema": SCHEMA, "identity": self.study.identity(self.rules_hash), **asdict(self)}
        ready: dict[str, Any] = json.loads(json.dumps(found))
        return ready
