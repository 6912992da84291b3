"""What does a cluster cost beside playing, and what would a million games cost?

    python tests/benchmarks/cluster.py [FILE] [--chunks 6] [--secs 1] [--players 4]
    python tests/benchmarks/cluster.py [FILE] --plan search:200 --games 4

The first plays chunks of random games that take about so many seconds, in turns here and on a
cluster of one worker on this machine. What counts is CPU time: of the worker, the scheduler and
the one who asks, beside that of playing alone. Exit 1 if the overhead is above MOST.

The second measures what one game between such bots takes, and how many bytes it is as a row.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from distributed import LocalCluster  # noqa: E402

from interpreter.lab.cluster import cluster, pack  # noqa: E402
from interpreter.lab.play import play_chunk  # noqa: E402
from interpreter.lab.spec import Chunk, Study  # noqa: E402
from interpreter.lab.study import run_study  # noqa: E402

MOST = 0.10
_TRIED = 50  # games, to find out how long one takes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default=str(ROOT / "rulesets" / "payDirt.rules"))
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--chunks", type=int, default=6)
    parser.add_argument("--secs", type=float, default=1.0)
    parser.add_argument("--plan", metavar="BOT")
    parser.add_argument("--games", type=int, default=4)
    given = parser.parse_args()
    if given.plan:
        plan(given.file, given.players, given.plan, given.games)
        return 0
    return overhead(given.file, given.players, given.chunks, given.secs)


def overhead(file: str, players: int, number: int, seconds: float) -> int:
    study = Study(file, (players,), 10_000_000)
    [arm] = study.arms()
    play_chunk(study, arm, Chunk(0, 0, _TRIED))  # compiled
    begin = time.process_time()
    play_chunk(study, arm, Chunk(0, 0, _TRIED))
    size = max(1, round(_TRIED * seconds / (time.process_time() - begin)))
    chunks = [Chunk(0, size * each, size) for each in range(number)]
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None,
        silence_logs=logging.ERROR,
    ) as local, cluster(local.scheduler_address) as far:  # fmt: skip
        far.submit(play_chunk, study, arm, Chunk(0, 0, _TRIED)).result()
        alone = there = 0.0
        for chunk in chunks:
            begin = time.process_time()
            here = play_chunk(study, arm, chunk)
            alone += time.process_time() - begin
            [worker] = far.client.run(time.process_time).values()
            begin = time.process_time()
            part = far.submit(play_chunk, study, arm, chunk).result()
            there += time.process_time() - begin
            [after] = far.client.run(time.process_time).values()
            there += after - worker
            assert part == here, "the same games are not the same there"
    parcel = len(pickle.dumps(pack(study)))
    print(f"{number} chunks of {size:,} games, {alone / number:.2f} s of CPU each")
    print(f"overhead {100 * (there / alone - 1):.1f} % (at most {100 * MOST:.0f} %)")
    print(f"{parcel:,} bytes go along with a chunk, {len(pickle.dumps(here)):,} come back")
    return int(there / alone - 1 > MOST)


def plan(file: str, players: int, bot: str, games: int) -> None:
    study = Study(file, (players,), games, bots=(bot,))
    [arm] = study.arms()
    play_chunk(study, arm, Chunk(0, 0, 1))  # compiled
    begin = time.process_time()
    play_chunk(study, arm, Chunk(0, 0, games))
    each = (time.process_time() - begin) / games
    with tempfile.TemporaryDirectory() as folder:
        run_study(study, folder=Path(folder))
        tables = [*Path(folder).glob("games.parquet"), *Path(folder).glob("seats.parquet")]
        rows = sum(path.stat().st_size for path in tables) / games
        parts = sum(path.stat().st_size for path in (Path(folder) / "parts").iterdir()) / games
    print(f"{bot}, {players} players: {1000 * each:.2f} ms of CPU a game ({games} games)")
    print(f"a million games: {each * 1e6 / 3600:,.1f} hours of one core")
    print(f"{rows:,.0f} bytes a game as rows (Parquet), {parts:,.0f} as parts")


if __name__ == "__main__":
    sys.exit(main())
