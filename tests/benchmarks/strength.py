"""How strong are the bots? States what must hold of them, plays the matches and checks it.

    python tests/benchmarks/strength.py [--games 200] [--only payDirt] [--claim random ...]
        [--bot best] [--think 50ms] [--seed 1] [--processes 2] [--keep FOLDER]

    random   against random seats the bot wins 90 % with two players, 85 % with three, 80 % with
             four. It thinks for `--think`, far less than the second it has against people. Where
             nobody can win much more than that (`ceilings.py`), it is within five points of the
             best answer to random players, and that is said.
    equal    at equal time it is not worse than `plain:500`: its fair share less five points
    half     at equal time it wins one and a half times its fair share against seats of
             `plain:500`, with three or four players, in four of the five games
    fifth    at a fifth of the time it wins 85 % of Nozoku, 90 % of Pay Dirt, with three players
    points   Pay Dirt among themselves: a mean of 8 at least
    levels   each level wins more than its share against the one before it

Where nothing was learned the bot may be plain search itself: then `equal` holds without a match,
and that is said. For `equal` three times as many games are played, since of bots that are equally
strong few games cannot show that neither is five points behind.

With `--keep` every game is written down as it ends, and the same command later goes on from there.
In the five games `equal` and `half` are judged by the same match, and where `fifth` is claimed, by
its match: there the bot has less time, and is asked for more.

Every deal is played from every seat. It is the lower end of the 95 % interval that counts, so with
few games little holds. Equal time is CPU time a choice, and is measured again in the match itself.
Exit 1 if something does not hold.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from interpreter.bots.bot import LEVELS, best_name
from interpreter.bots.budget import Budget
from interpreter.bots.match import Played, games_of, match, play, play_all, standings, told
from interpreter.bots.tuning import usual
from interpreter.embedding import Game, load
from interpreter.play.guided import PLAIN

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets"
MEASURE = "plain:500"
BIG = ["payDirt", "dinosaurRush", "queenRun", "gaagaaGo", "nozoku"]
# Where the deal or the dice decide most games, or all win and lose together.
LUCK = {
    "crazyEights", "cribbage", "euchre", "hearts", "kuhnPoker", "leducPoker", "liarsDice",
    "ohHell", "trickTaking", "upAndDown",
}  # fmt: skip
CLASSICS = sorted(path.stem for path in (ROOT / "classics").glob("*.rules"))
AGAINST_RANDOM = {2: 0.90, 3: 0.85, 4: 0.80}
# What the best answer to random players wins, exactly (`ceilings.py`).
CEILINGS = {
    ("darkHex", 2): 0.958, ("phantomTicTacToe", 2): 0.894,
    ("pig", 2): 0.925, ("pig", 3): 0.877, ("pig", 4): 0.842,
}  # fmt: skip
BELOW_CEILING = 0.05
_FITTINGS = 2  # times that its thinking time is fitted to what the others take
_LEAST_SECONDS = 0.0005
FIFTH = {"nozoku": 0.85, "payDirt": 0.90}
CLAIMS = ("random", "equal", "half", "fifth", "points", "levels")


@dataclass(frozen=True, slots=True)
class Claim:
    """Of one match: the first bot wins at least a share, or so many times its fair share and
    some points, or has a mean score."""

    kind: str
    game: str
    players: int
    share: float = 0.0
    fair: float = 0.0
    plus: float = 0.0
    points: float = 0.0
    time: float = 0.0  # of what the others take; 0: as it likes
    ceiling: float = 0.0  # what anybody can win, if the share goes by that
    bots: tuple[str, ...] = ()  # if not the bot against random seats or the measure


def claims(kinds: Sequence[str], games: Sequence[str]) -> Iterator[Claim]:
    for name in games:
        least, most = seats(name)
        time = 0.2 if name in FIFTH else 1
        skill = name in BIG or name not in LUCK
        if "random" in kinds and skill:
            for players, share in AGAINST_RANDOM.items():
                if least <= players <= most:
                    ceiling = CEILINGS.get((name, players), 1.0)
                    wanted = min(share, round(ceiling - BELOW_CEILING, 3))
                    capped = ceiling if wanted < share else 0.0
                    yield Claim("random", name, players, share=wanted, ceiling=capped)
        if "equal" in kinds and most > 1:
            players = min(most, 3) if name in BIG else max(2, least)
            yield Claim("equal", name, players, fair=1, plus=-0.05, time=time)
        if "half" in kinds and name in BIG:
            yield Claim("half", name, min(most, 3), fair=1.5, time=time)
        if "fifth" in kinds and name in FIFTH:
            yield Claim("fifth", name, 3, share=FIFTH[name], time=time)
        if "points" in kinds and name == "payDirt":
            yield Claim("points", name, 3, points=8)
        if "levels" in kinds and name in BIG:
            for weak, strong in zip(list(LEVELS), list(LEVELS)[1:], strict=False):
                yield Claim("levels", name, 2, fair=1, bots=(strong, weak))


def path_of(name: str) -> Path:
    return ROOT / f"{name}.rules" if name in BIG else ROOT / "classics" / f"{name}.rules"


def seats(name: str) -> tuple[int, int]:
    rules = load(path_of(name)).rules
    assert rules is not None
    return rules.players


def bots_of(claim: Claim, game: Game, bot: str, think: str, seed: int) -> list[str]:
    """Who sits at the table, the one it is about first."""
    others = claim.players - 1
    if claim.bots:
        return [claim.bots[0], *(claim.bots[1:] * others)]
    if claim.kind == "points":
        return [f"{bot}:{think}"] * claim.players
    if not claim.time:
        return [f"{bot}:{think}", *(["random"] * others)]
    for _ in range(2):  # the first game pays for what is made once
        tried = standings([play(game, [MEASURE] * claim.players, seed - 1)])[0]
    seconds = claim.time * tried.seconds_a_choice
    # Who plays against somebody else has other choices than among their like, and a bot does more
    # than think: what it takes in some games of the match decides what it is given.
    for _ in range(_FITTINGS):
        names = [_timed(bot, seconds), *([MEASURE] * others)]
        fitting = games_of(names, range(claim.players), seed - 1)
        seconds *= claim.time / ratio(list(play_all(game, fitting)), names[0])
    return [_timed(bot, seconds), *([MEASURE] * others)]


def _timed(bot: str, seconds: float) -> str:
    return f"{bot}:{Budget(0, max(_LEAST_SECONDS, round(seconds, 5)))}"


def ratio(games: Sequence[Played], bot: str) -> float:
    """How long a bot takes for a choice, as a part of what the others take."""
    found = {each.name: each.seconds_a_choice for each in standings(games)}
    other = next(seconds for name, seconds in found.items() if name != bot)
    return found[bot] / max(1e-9, other)


def judged(claim: Claim, games: Sequence[Played], bot: str) -> tuple[bool, str]:
    """Whether it holds, and what was found and wanted."""
    found = next(each for each in standings(games) if each.name == bot)
    if claim.points:
        mean = found.score / found.games
        return mean >= claim.points, f"a mean of {mean:.2f}, wanted {claim.points:g}"
    fair = sum(sum(game.won) for game in games) / sum(len(game.won) for game in games)
    wanted = claim.share or claim.fair * fair + claim.plus
    low = found.interval[0]
    said = f"{100 * found.share:.1f} % won, at least {100 * low:.1f} %, wanted {100 * wanted:.1f} %"
    if claim.ceiling:
        said += f" since the best answer to random players wins {100 * claim.ceiling:.1f} %"
    if claim.time:
        said += f", {ratio(games, bot):.2f} times their time"
    return low >= wanted, said


def is_measure(game: Game) -> bool:
    """Whether the best bot is the one that others are measured by."""
    return best_name(game) == "search" and usual(game) == PLAIN


def played(claim: Claim, game: Game, number: int, given: argparse.Namespace) -> Iterator[Played]:
    """The games of a claim: those kept from before, and the rest, kept as they end. They go on with
    the thinking time that was measured for the first ones."""
    if not given.keep:
        names = bots_of(claim, game, given.bot, given.think, given.seed)
        yield from match(game, names, range(number), given.seed, given.processes)
        return
    kind = f"time{claim.time:g}" if claim.time else "-".join((claim.kind, *claim.bots))
    path = given.keep / f"{claim.game}-{claim.players}-{kind}.jsonl"
    given.keep.mkdir(parents=True, exist_ok=True)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    before = [Played(**json.loads(line)) for line in lines[:number]]
    yield from before
    # The first game has the one it is about in the first seat.
    names = before[0].names if before else bots_of(claim, game, given.bot, given.think, given.seed)
    with path.open("a", encoding="utf-8") as file:
        rest = range(len(before), number)
        for each in match(game, names, rest, given.seed, given.processes):
            print(json.dumps(asdict(each)), file=file, flush=True)
            yield each


def check(claim: Claim, given: argparse.Namespace) -> bool:
    game = load(path_of(claim.game), claim.players)
    if claim.kind == "equal" and given.bot == "best" and is_measure(game):
        print(f"equal, {claim.game}: holds: the best bot is plain search itself", flush=True)
        return True
    number = given.games * (3 if claim.kind == "equal" and claim.game not in BIG else 1)
    games = list(played(claim, game, number, given))
    holds, said = judged(claim, games, games[0].names[0])
    word = "holds" if holds else "DOES NOT HOLD"
    print(f"{claim.kind}, {claim.game}, {claim.players} players: {word}: {said}", flush=True)
    print(f"    {len(games)} games, seeds {games[0].seed} to {games[-1].seed}, seats rotated")
    for line in told(standings(games)):
        print(f"    {line}", flush=True)
    return holds


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--only", action="append", choices=[*BIG, *CLASSICS], metavar="GAME")
    parser.add_argument("--claim", action="append", choices=CLAIMS)
    parser.add_argument("--players", type=int, help="only claims for so many players")
    parser.add_argument("--bot", default="best")
    parser.add_argument("--think", default="50ms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write down and go on")
    given = parser.parse_args(arguments)
    failed = 0
    missed: set[str] = set()
    for claim in claims(given.claim or CLAIMS, given.only or [*BIG, *CLASSICS]):
        if given.players in (None, claim.players) and not check(claim, given):
            if claim.kind == "half":
                missed.add(claim.game)
            else:
                failed += 1
    failed += len(missed) > len(BIG) - 4
    print(f"{failed} claims do not hold" if failed else "all claims hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
