"""What was learned of a ruleset: the file it is kept in, and the mind that goes by it.

A file of this sort, `NAME.bot`, lies beside the rules or in the user's own folder. It begins
with a line that says what it is, then comes a line of JSON that says what for and how it was made,
and then the weights of a policy, packed. Nothing in it is trusted: everything has a limit and is
looked over before it is used, and what does not fit is no bot at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter.bots.features import features, sights
from interpreter.bots.packing import BadBot, packed, unpacked
from interpreter.bots.search import MOST_GAMES, Estimate, looked_at, search
from interpreter.embedding import Game
from interpreter.model.seats import number_of_players
from interpreter.play import policy
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.chance import Stream
from interpreter.play.guided import PLAIN, Settings, weighed
from interpreter.play.judging import LinearJudge
from interpreter.view.view import View

ENDING = ".bot"
MAGIC = b"rulerun bot 1\n"
MOST_BYTES = 4 << 20  # of a file
_HEAD_BYTES = 64 << 10
MOST_BITS = 22
LEAST_BITS = 8
_MOST_SCALE = 1 << 32
_MOST_PACE = 10_000
MOST_SHARPLY = 1000
_LEAST = 2  # games that are a search


@dataclass(frozen=True, slots=True)
class Plan:
    """How a choice is made with so many players: by a search with these settings, or at once by
    the policy. `guided`: the search is given the policy; `judged`: and the judge. `pace` is how
    many games of plain search take as long as one of this. With fewer games than `least` the search
    has not been seen to choose better than the policy does at once. Where there is time for more
    than `beyond` games of plain search, `then` is better."""

    settings: Settings = PLAIN
    searches: bool = True
    guided: bool = False
    judged: bool = False
    pace: float = 1.0
    least: int = _LEAST
    beyond: int = 0  # 0: never
    then: Plan | None = None

    @property
    def asks_policy(self) -> bool:
        own = self.guided or not self.searches or self.least > _LEAST
        return own or (self.then is not None and self.then.asks_policy)

    @property
    def asks_judge(self) -> bool:
        return self.judged or (self.then is not None and self.then.asks_judge)


@dataclass(slots=True)
class Table:
    """Weights that were learned: so many bits number them, and what a step of them is worth.
    `sharply` is, in percent of how it practised, how sharply a policy chooses that plays alone."""

    bits: int = LEAST_BITS
    scale: int = 0
    weights: bytes = b""  # signed numbers of one width; empty: there are none
    sharply: int = 200

    def words(self, looked_at: Sequence[int]) -> list[int]:
        """The list of what is looked at, which says how this table is read, too."""
        found = list(looked_at)
        found[policy.SHIFT], found[policy.SCALE] = 64 - self.bits, self.scale
        return found


@dataclass(slots=True)
class Trained:
    """All that a file holds."""

    title: str
    rules: str  # the hash of the rules' checked form
    plans: dict[int, Plan] = field(default_factory=dict)  # by the number of players
    made: dict[str, str | int] = field(default_factory=dict)  # by which command, from which seed
    proof: list[dict[str, Any]] = field(default_factory=list)  # the matches it has won
    policy: Table = field(default_factory=Table)
    judge: Table = field(default_factory=Table)


class LearnedPolicy:
    """The policy of a file, for one game. What both machines say is the same."""

    def __init__(self, game: Game, table: Table) -> None:
        self.sharply = table.sharply
        words = table.words(features(game.program))
        self._reference = policy.Policy(words, memoryview(table.weights).cast("b"))
        self._native: Any = None
        if game.native is not None:
            from interpreter.play.native.learn import NativePolicy

            self._native = NativePolicy(words, table.weights)

    def weigh(self, m: Buffer, seat: int, choices: Sequence[Choice]) -> list[int]:
        found: list[int] = (self._native or self._reference).weigh(m, seat, choices)
        return found

    def native(self) -> tuple[int, int]:
        return self._native.function, self._native.address


class LearnedJudge:
    """The judge of a file, for one game. What both machines say is the same."""

    def __init__(self, game: Game, table: Table) -> None:
        words = table.words(sights(game.program))
        self._reference = LinearJudge(words, memoryview(table.weights).cast("h"))
        self._native: Any = None
        if game.native is not None:
            from interpreter.play.native.judge import NativeJudge

            self._native = NativeJudge(words, table.weights)

    def worth(self, m: Buffer, leads: Sequence[int]) -> list[int]:
        found: list[int] = (self._native or self._reference).worth(m, leads)
        return found

    def native(self) -> tuple[int, int]:
        return self._native.function, self._native.address


class TrainedMind:
    """Judges options by what was learned; made for one game."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        learned: LearnedPolicy | None,
        judge: LearnedJudge | None = None,
    ) -> None:
        self.game, self.plan = game, plan
        self.policy, self.judge = learned, judge
        self.rate = 0.0  # games of plain search in a second, as far as that is known

    @property
    def searches(self) -> bool:
        """Whether it tries games, so that it gets better with time."""
        return self.plan.searches or not self.knows

    @property
    def knows(self) -> bool:
        """Whether there is a policy, which can be asked without a search."""
        return self.policy is not None

    @property
    def pace(self) -> float:
        return self.plan.pace

    @property
    def least(self) -> int:
        """Games that are worth trying: with fewer, the policy knows better."""
        return self.plan.least if self.plan.asks_policy and self.knows else 0

    def __call__(self, view: View, games: int, **given: Any) -> list[Estimate]:
        if not self.searches:
            return self.at_once(view, given.get("seed", 0))
        seconds = given.get("seconds")
        room = games * self.pace if seconds is None else self.rate * seconds
        plan = self.plan
        if plan.then is not None and room >= plan.beyond:
            plan = plan.then
            games = max(1, min(MOST_GAMES, int(games * self.pace / plan.pace)))
        found = search(
            self.game,
            view,
            games,
            settings=plan.settings,
            policy=self.policy if plan.guided else None,
            judge=self.judge if plan.judged else None,
            least=self.least,
            **given,
        )
        if seconds is not None:
            self.rate = sum(each.visits for each in found) * plan.pace / seconds
        return found

    def at_once(self, view: View, seed: int) -> list[Estimate]:
        """Without a search. First comes what is drawn by how much the policy likes it, as it has
        learned to play: who is never surprising can be read."""
        assert view.seat is not None and self.policy is not None
        state = looked_at(self.game, view, view.seat)
        choices = state.choices(view.seat)
        seen = state.seen_by_chooser(view.seat)
        said = self.policy.weigh(seen, view.seat, list(choices.values()))
        likely = weighed(said, self.policy.sharply)
        whole = sum(likely)
        found = [
            Estimate(option, weight * 1000 // whole, weight / whole)
            for option, weight in zip(choices, likely, strict=True)
        ]
        left = Stream(seed, view.seat).below(whole)
        drawn = 0
        while left >= likely[drawn]:
            left -= likely[drawn]
            drawn += 1
        first = found.pop(drawn)
        return [first, *sorted(found, key=lambda each: -each.value)]


# ---- where files lie


def user_folder() -> Path:
    chosen = os.environ.get("RULERUN_BOTS")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "rulerun" / "bots"


def places(rules: str) -> list[Path]:
    """Where the trained bot of a rule file may lie; the user's own goes first."""
    path = Path(rules)
    return [user_folder() / (path.stem + ENDING), path.with_suffix(ENDING)]


def load_trained(game: Game) -> Trained | None:
    """What was learned of this ruleset, if that is there and was made for these very rules."""
    name = game.rules.name if game.rules else ""
    for path in places(name) if name and name != "-" else []:
        try:
            found = read_trained(path.read_bytes() if _is_readable(path) else b"")
        except (OSError, BadBot):
            continue
        if found.rules == game.rules_hash:
            return found
    return None


def not_used(game: Game) -> tuple[Path, str] | None:
    """A file that lies where a trained bot is looked for and is none for this game, and why, for
    people; None if there is no such file, or a bot is found."""
    name = game.rules.name if game.rules else ""
    told: tuple[Path, str] | None = None
    for path in places(name) if name and name != "-" else []:
        if not path.is_file():
            continue
        try:
            found = read_trained(path.read_bytes() if _is_readable(path) else b"")
        except (OSError, BadBot):
            told = told or (path, "cannot be read as a trained bot")
            continue
        if found.rules == game.rules_hash:
            if game.players in found.plans:
                return None
            return path, f"was not trained with {number_of_players(game.players)}"
        told = told or (path, "was trained for other rules than these are now")
    return told


def _is_readable(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= MOST_BYTES


def trained_mind(game: Game) -> TrainedMind | None:
    """Who goes by what was learned of these rules with so many players; None if nothing was."""
    trained = load_trained(game)
    plan = trained.plans.get(game.players) if trained is not None else None
    if trained is None or plan is None:
        return None
    return TrainedMind(
        game,
        plan,
        LearnedPolicy(game, trained.policy) if trained.policy.weights else None,
        LearnedJudge(game, trained.judge) if trained.judge.weights else None,
    )


# ---- files


def write_trained(trained: Trained) -> bytes:
    """The bytes of a file. The same for the same contents."""
    policy_data = packed(trained.policy.weights, 1)
    judge_data = packed(trained.judge.weights, 2)
    head = {
        "title": trained.title,
        "rules": trained.rules,
        "made": trained.made,
        "plans": {str(players): _plan_words(plan) for players, plan in trained.plans.items()},
        "proof": trained.proof,
        **_table_words(trained.policy, policy_data),
    }
    if trained.judge.weights:
        head["judge"] = _table_words(trained.judge, judge_data)
        policy_data += judge_data
    text = json.dumps(head, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return MAGIC + text.encode() + b"\n" + policy_data


def _table_words(table: Table, data: bytes) -> dict[str, Any]:
    words = {
        "bits": table.bits,
        "scale": table.scale,
        "size": len(data),
        "hash": hashlib.sha256(data).hexdigest(),
    }
    return words | ({"sharply": table.sharply} if table.sharply != Table().sharply else {})


@lru_cache(maxsize=4)
def read_trained(data: bytes) -> Trained:
    """What a file holds. Raises BadBot."""
    if len(data) > MOST_BYTES or not data.startswith(MAGIC):
        raise BadBot("this is no file of a trained bot")
    end = data.find(b"\n", len(MAGIC), len(MAGIC) + _HEAD_BYTES)
    try:
        head = json.loads(data[len(MAGIC) : end]) if end >= 0 else None
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise BadBot("the second line of the file cannot be read")
    body = data[end + 1 :]
    size = _number(head, "size", MOST_BYTES)
    judge = Table()
    if isinstance(head.get("judge"), dict):
        judge = _table(head["judge"], body[size:], 2)
        body = body[:size]
    plans = head.get("plans")
    if not isinstance(plans, dict) or len(plans) > 16:
        raise BadBot("the file does not say what its bot does")
    return Trained(
        _text(head, "title"),
        _text(head, "rules"),
        {_players(number): _plan(words) for number, words in plans.items()},
        _made(head.get("made")),
        _proof(head.get("proof")),
        _table(head, body, 1),
        judge,
    )


def _table(head: dict[str, Any], data: bytes, width: int) -> Table:
    """One of the tables of a file."""
    bits, scale = _number(head, "bits", MOST_BITS), _number(head, "scale", _MOST_SCALE)
    if bits < LEAST_BITS:
        raise BadBot("the file has no sensible number of weights")
    if hashlib.sha256(data).hexdigest() != head.get("hash"):
        raise BadBot("the file is damaged")
    sharply = _number({"sharply": Table().sharply} | head, "sharply", MOST_SHARPLY)
    return Table(bits, scale, unpacked(data, bits, width), sharply)


def _number(head: dict[str, Any], name: str, most: int) -> int:
    found = head.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise BadBot(f"`{name}` is to be a number from 0 to {most:,}")
    return found


def _text(head: dict[str, Any], name: str) -> str:
    found = head.get(name)
    if not isinstance(found, str) or len(found) > 200:
        raise BadBot(f"`{name}` is to be a short text")
    return found


def _players(number: str) -> int:
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise BadBot("plans go by the number of players")
    return int(number)


def _made(found: Any) -> dict[str, str | int]:
    if not isinstance(found, dict):
        raise BadBot("the file does not say how it was made")
    return {
        str(name): value
        for name, value in found.items()
        if isinstance(value, int) or (isinstance(value, str) and len(value) <= 1000)
    }


def _proof(found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadBot("the matches of the file cannot be read")
    return found


def _plan_words(plan: Plan) -> dict[str, Any]:
    usual = asdict(PLAIN)
    changed = {name: each for name, each in asdict(plan.settings).items() if each != usual[name]}
    words = {"searches": plan.searches, "guided": plan.guided, "settings": changed}
    more: dict[str, Any] = {
        "judged": plan.judged, "pace": plan.pace, "least": plan.least, "beyond": plan.beyond,
    }  # fmt: skip
    words |= {name: each for name, each in more.items() if each != getattr(Plan(), name)}
    return words | ({"then": _plan_words(plan.then)} if plan.then is not None else {})


# What settings may be, beyond what any search would do with.
_MOST_OF_SETTING = {
    "exploration": 100.0, "learned": 64, "sharp": MOST_SHARPLY, "score": 100, "cut": 100_000,
    "haste": 100_000, "anew": 64, "trust": 1_000_000, "prior": 1000.0,
    "evenly": 100, "doubt": 100,
}  # fmt: skip


def _plan(words: Any, *, inner: bool = False) -> Plan:
    settings = words.get("settings") if isinstance(words, dict) else None
    if not isinstance(settings, dict):
        raise BadBot("the plans of the file cannot be read")
    known = {each.name: each for each in fields(Settings)}
    given: dict[str, Any] = {}
    for name, value in settings.items():
        most = _MOST_OF_SETTING.get(name)
        whole = isinstance(getattr(PLAIN, name, None), int)
        fits = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
        if name not in known or most is None or not fits or not 0 <= value <= most:
            raise BadBot(f"there is no such setting of a search: {str(name)[:40]}")
        given[name] = value
    said = [words.get("searches"), words.get("guided"), words.get("judged", False)]
    if not all(isinstance(each, bool) for each in said):
        raise BadBot("the plans of the file cannot be read")
    pace = words.get("pace", 1.0)
    if not isinstance(pace, (int, float)) or isinstance(pace, bool) or not 0 < pace <= _MOST_PACE:
        raise BadBot("the plans of the file cannot be read")
    searches, guided, judged = said
    least = _number({"least": Plan().least} | words, "least", MOST_GAMES)
    beyond = _number({"beyond": 0} | words, "beyond", MOST_GAMES)
    then = words.get("then")
    if (then is None) == (beyond > 0) or (inner and then is not None):
        raise BadBot("the plans of the file cannot be read")
    then = _plan(then, inner=True) if then is not None else None
    return Plan(Settings(**given), searches, guided, judged, pace, least, beyond, then)
