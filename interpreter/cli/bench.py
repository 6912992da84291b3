"""`rulerun bench`: how fast random games run here, on the reference machine and natively.

Rates are per second of CPU time, the median of several runs. The backends take turns, so that a
busy machine slows down both. The yardsticks of other programs are in tests/benchmarks/.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    common_options,
    game_options,
    json_option,
    load,
    note,
    out,
    out_json,
    players_option,
    telling,
)  # fmt: skip

if TYPE_CHECKING:
    from interpreter.embedding import Game

_FIRST_BATCH = 8


@dataclass(frozen=True, slots=True)
class Rate:
    """Random games and decisions in a second."""

    playouts: float
    decisions: float


@dataclass(frozen=True, slots=True)
class Row:
    game: str
    players: int
    cells: int  # of a state
    reference: Rate
    native: Rate | None
    build: float  # seconds until native code was there
    copies: float  # of a state, natively, in a second

    @property
    def ratio(self) -> float | None:
        return self.native.playouts / self.reference.playouts if self.native else None


def as_number(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if value != value:  # what is no number at all lies in every range
        raise click.BadParameter("this is not a number", ctx, param)
    return value


@click.command("bench")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--secs", type=click.FloatRange(0.01, 60), default=0.5, callback=as_number,
    help="CPU time of a run.",
)  # fmt: skip
@click.option("--runs", type=click.IntRange(1, 50), default=3, help="Runs; the median is told.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, help="For native games.")
@players_option
@game_options
@json_option
@common_options
def command(
    files: tuple[str, ...],
    secs: float,
    runs: int,
    threads: int,
    players: int | None,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Measure how many random games and decisions run in a second of CPU time.

    Each game is played by as few as can play it, unless --players says how many.
    """
    games = [load(file, players, options) for file in files]
    machine = describe_machine()
    rows = []
    if not as_json:
        out(machine)
        if players is None:
            note("Each game with as few players as it takes; --players N for another number.")
        out(HEAD)
    for game in games:
        with telling(game):
            rows.append(measure(game, secs, runs, threads))
        if not as_json:
            out(tell(rows[-1]))
    if as_json:
        told = [{**asdict(row), "ratio": row.ratio} for row in rows]
        out_json({"schema": "rulerun/bench@1", "machine": machine, "games": told})
    return OK


def measure(game: Game, secs: float, runs: int, threads: int = 1) -> Row:
    begin = time.perf_counter()
    engine = game.native
    build = time.perf_counter() - begin
    reference: list[Rate] = []
    native: list[Rate] = []
    for run in range(runs):
        first = run * 1_000_000_000
        reference.append(rate(lambda seeds: reference_decisions(game, seeds), first, secs))
        if engine is not None:
            native.append(rate(lambda seeds: native_decisions(game, seeds, threads), first, secs))
    copies = _copies(game) if engine is not None else 0.0
    return Row(
        game.title, game.players, game.program.layout.size,
        median(reference), median(native) if native else None, build, copies,
    )  # fmt: skip


def rate(play: Callable[[range], int], first: int, secs: float) -> Rate:
    """Play ever bigger batches of games until the time is up. `play` tells the decisions."""
    games = decisions = 0
    batch = 1
    spent = 0.0
    start = time.process_time()
    while spent < secs:
        decisions += play(range(first + games, first + games + batch))
        games += batch
        spent = time.process_time() - start
        if spent < secs / 8:
            batch = min(1 << 14, max(_FIRST_BATCH, batch * 2))
    return Rate(games / spent, decisions / spent)


def median(rates: list[Rate]) -> Rate:
    return Rate(
        statistics.median(each.playouts for each in rates),
        statistics.median(each.decisions for each in rates),
    )


def reference_decisions(game: Game, seeds: range) -> int:
    from interpreter.play.native.simulate import playouts

    return sum(result.moves for result in playouts(game.machine, None, seeds))


def native_decisions(game: Game, seeds: range, threads: int) -> int:
    from interpreter.play.native.emit.loops import RESULT_MOVES

    engine = game.native
    assert engine is not None
    return engine.total(engine.playouts(seeds, threads), RESULT_MOVES)


def _copies(game: Game) -> float:
    """Copies of a state in a second, made natively."""
    engine = game.native
    assert engine is not None
    number, start = 20_000, time.process_time()
    engine.copy(engine.start(0), number)
    return number / max(1e-9, time.process_time() - start)


HEAD = (
    f"{'':24}{'state':>6}{'reference':>11}{'':13}{'native':>12}{'':13}"
    f"{'faster':>8}{'state':>12}{'build':>8}\n"
    f"{'game, players':24}{'cells':>6}{'games/s':>11}{'decisions/s':>13}{'games/s':>12}"
    f"{'decisions/s':>13}{'times':>8}{'copies/s':>12}{'seconds':>8}"
)


def tell(row: Row) -> str:
    name = f"{row.game[:20]}, {row.players}"
    line = f"{name:24}{row.cells:6}{row.reference.playouts:11,.1f}{row.reference.decisions:13,.0f}"
    if row.native is None or row.ratio is None:
        return f"{line}{'no native code here':>24}"
    return (
        f"{line}{row.native.playouts:12,.0f}{row.native.decisions:13,.0f}{row.ratio:8,.0f}"
        f"{row.copies:12,.0f}{row.build:8.1f}"
    )


def describe_machine() -> str:
    """Processor, cores and Python, in one line."""
    import os
    import platform
    from contextlib import suppress
    from pathlib import Path

    model = platform.processor() or platform.machine()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    python = f"Python {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, {python}"
