"""Matches between bots: every deal is played from every seat, and the time each one takes is
measured.

    python -m interpreter.bots.match FILE.rules "search:500,plain:500,plain:500" \\
        --games 60 --seed 1 --processes 2

The games of a match have seeds that follow each other, so a match can be gone on with, divided
among processes, and any game of it looked at alone.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.bots.bot import Stream, decide, make_bot, split_bots
from interpreter.embedding import Game, PlayError, load
from interpreter.play.guided import WHOLE, shares

_Z = 1.959963984540054  # 95 % of the normal distribution lie within so many deviations


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: enough to load it in another process."""

    path: str
    players: int
    options: tuple[tuple[str, str | int], ...] = ()

    @classmethod
    def of(cls, game: Game) -> Table:
        name = game.rules.name if game.rules else ""
        return cls(name, game.players, tuple(game.options.items()))

    def load(self) -> Game:
        return load(self.path, self.players, dict(self.options))


@dataclass(frozen=True, slots=True)
class Played:
    """One game: what became of every seat."""

    seed: int
    names: tuple[str, ...]  # of the bots, by seat
    won: tuple[float, ...]  # the share of the game, 0 to 1
    scores: tuple[int, ...]
    seconds: tuple[float, ...]  # of CPU time
    choices: tuple[int, ...]
    failures: tuple[tuple[str, ...], ...]
    moves: int
    broken: str = ""  # why the rules broke down, if they did


@dataclass(slots=True)
class Standing:
    """What a bot has come to in a match, in all its seats."""

    name: str
    games: int = 0  # seats, where it had several in a game
    won: float = 0.0
    score: int = 0
    seconds: float = 0.0
    choices: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, game: Played, seat: int) -> None:
        self.games += 1
        self.won += game.won[seat]
        self.score += game.scores[seat]
        self.seconds += game.seconds[seat]
        self.choices += game.choices[seat]
        self.failures += game.failures[seat]

    @property
    def share(self) -> float:
        return self.won / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.games)

    @property
    def seconds_a_choice(self) -> float:
        return self.seconds / max(1, self.choices)


def wilson(won: float, games: int, deviations: float = _Z) -> tuple[float, float]:
    """Between which shares the true one lies, 95 % of the time (Wilson's score interval). Wins
    that are shared count as parts; the interval is then rather too wide than too narrow."""
    if not games:
        return 0.0, 1.0
    share, spread = won / games, deviations * deviations / games
    middle = (share + spread / 2) / (1 + spread)
    doubt = math.sqrt(share * (1 - share) / games + spread / (4 * games))
    half = deviations / (1 + spread) * doubt
    return max(0.0, middle - half), min(1.0, middle + half)


def seating(names: Sequence[str], number: int) -> tuple[str, ...]:
    """Who sits where in a game of a match: each time everybody moves on by a seat."""
    turn = number % len(names)
    return tuple(names[(seat - turn) % len(names)] for seat in range(len(names)))


def play(game: Game, names: Sequence[str], seed: int) -> Played:
    """One game between bots, each made anew. Rules that break down end it: then nobody wins."""
    bots = [make_bot(name, game) for name in names]
    streams = [Stream(seed, seat) for seat in range(game.players)]
    seconds, choices = [0.0] * game.players, [0] * game.players
    state = game.start(seed)
    broken = ""
    try:
        while not state.is_over:
            seat = state.seats_to_act[0]
            begin = time.process_time()
            option = decide(bots[seat], state, seat, streams[seat])
            seconds[seat] += time.process_time() - begin
            choices[seat] += 1
            state = state.apply(option, seat)
    except PlayError as error:
        broken = str(error)
    mask = sum(1 << seat for seat in state.winners)
    won = [each / WHOLE for each in shares(game.program, mask)] if state.is_over else ()
    return Played(
        seed,
        tuple(names),
        tuple(won) or (0.0,) * game.players,
        state.scores or (0,) * game.players,
        tuple(seconds),
        tuple(choices),
        tuple(tuple(bot.failures) for bot in bots),
        state.moves,
        broken,
    )


_games: dict[Table, Game] = {}  # that this process has loaded


def _played(task: tuple[Table, tuple[str, ...], int]) -> Played:
    table, names, seed = task
    if table not in _games:
        _games[table] = table.load()
    return play(_games[table], names, seed)


@contextmanager
def workers(processes: int) -> Iterator[Executor | None]:
    """Processes that play games; None for one, which is this process."""
    if processes <= 1:
        yield None
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        yield pool


def play_all(
    game: Game, tasks: Sequence[tuple[tuple[str, ...], int]], pool: Executor | None = None
) -> Iterator[Played]:
    """Games between these bots, from these seeds, in order."""
    if pool is None:
        return (play(game, *task) for task in tasks)
    _ = game.native  # compiled once, before all others load it
    table = Table.of(game)
    return pool.map(_played, [(table, *task) for task in tasks])


def games_of(
    names: Sequence[str], numbers: Iterable[int], seed: int
) -> list[tuple[tuple[str, ...], int]]:
    """The games of a match with these numbers: who sits where, and the seed. A deal is played once
    from each seat, so games 0 to players - 1 have the same seed."""
    return [(seating(names, each), seed + each // len(names)) for each in numbers]


def match(
    game: Game, names: Sequence[str], numbers: Iterable[int], seed: int = 1, processes: int = 1
) -> Iterator[Played]:
    """The games of a match with these numbers, in order. Raises ValueError for what cannot be a
    match."""
    if len(names) != game.players:
        raise ValueError(f"{game.players} play, and {len(names)} bots are named")
    for name in names:
        make_bot(name, game)
    with workers(processes) as pool:
        yield from play_all(game, games_of(names, numbers, seed), pool)


def standings(games: Iterable[Played]) -> list[Standing]:
    """What every bot has come to, the best first."""
    found: dict[str, Standing] = {}
    for game in games:
        for seat, name in enumerate(game.names):
            found.setdefault(name, Standing(name)).add(game, seat)
    return sorted(found.values(), key=lambda each: (-each.share, each.name))


def told(found: Sequence[Standing]) -> Iterator[str]:
    """A table for people."""
    wide = max(12, *(len(each.name) for each in found)) + 2
    yield f"{'':{wide}}{'seats':>6}{'won':>8}{'95 %':>14}{'score':>9}{'CPU a choice':>15}"
    for each in found:
        low, high = each.interval
        interval = f"{100 * low:.1f}-{100 * high:.1f}"
        score = each.score / max(1, each.games)
        yield (
            f"{each.name:{wide}}{each.games:6}{100 * each.share:7.1f}%{interval:>14}{score:9.2f}"
            f"{1000 * each.seconds_a_choice:12.1f} ms"
        )
    for each in found:
        for reason, times in {why: each.failures.count(why) for why in each.failures}.items():
            yield f"{each.name} failed {times} times and took any option: {reason}"


def main(arguments: Sequence[str] | None = None, out: Callable[[str], None] = print) -> int:
    parser = argparse.ArgumentParser(description="A match between bots.")
    parser.add_argument("file")
    parser.add_argument("bots", help='one for each seat, such as "search:500,plain:500"')
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(arguments)
    names = split_bots(given.bots)
    game = load(given.file, len(names))
    games = list(match(game, names, range(given.games), given.seed, given.processes))
    out(
        f"{game.title}, {game.players} players: {len(games)} games, seeds {games[0].seed} to "
        f"{games[-1].seed}, seats rotated"
    )
    for line in told(standings(games)):
        out(line)
    broken = sum(bool(each.broken) for each in games)
    if broken:
        out(f"the rules broke down in {broken} games")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
