"""What does a cluster cost beside playing, and what would a million games cost?

    python tests/benchmarks/cluster.py [FILE] [--chunks 20] [--secs 1] [--players 4]
    python tests/benchmarks/cluster.py [FILE] --plan search:200 --games 4

The first measures what a chunk of random games that takes about so many seconds costs to play, and
what it costs to send it to a worker and its part back: the same bytes go both ways, but nothing is
played. What counts is CPU time, of the worker, the scheduler and the one who asks, so that it does
not matter what else goes on here. Exit 1 if sending costs more than MOST of playing.

The second measures what one game between such bots takes, and how many bytes it is as a row.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import sys
import tempfile
import time
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from distributed import LocalCluster  # noqa: E402

from interpreter.lab.cluster import Parcel, cluster, pack  # noqa: E402
from interpreter.lab.play import Part, play_chunk  # noqa: E402
from interpreter.lab.spec import Arm, Chunk, Study  # noqa: E402
from interpreter.lab.study import run_study  # noqa: E402

MOST = 0.10
_TRIED = 500  # games, to find out how long one takes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default=str(ROOT / "rulesets" / "payDirt.rules"))
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--chunks", type=int, default=20)
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
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0",
        silence_logs=logging.ERROR,
    ) as local, cluster(local.scheduler_address) as far:  # fmt: skip
        far.submit(play_chunk, study, arm, Chunk(0, 0, _TRIED)).result()

        def spent() -> float:
            [worker] = far.client.run(time.process_time).values()
            return time.process_time() + float(worker)

        chunk = Chunk(0, _TRIED, size)
        begin = time.process_time()
        here = play_chunk(study, arm, chunk)
        alone = time.process_time() - begin
        there = far.submit(play_chunk, study, arm, chunk).result()
        assert there == here, "the same games are not the same there"
        parcel = pack(study)
        far.hands.submit(shaped, parcel, study, arm, chunk, len(here.games)).result()
        before = spent()
        for _ in range(number):
            far.hands.submit(shaped, parcel, study, arm, chunk, len(here.games)).result()
        sent = (spent() - before) / number
    print(
        f"a chunk of {size:,} games: {alone:.2f} s of CPU to play, {sent:.4f} s to send ({number})"
    )
    print(f"overhead {100 * sent / alone:.1f} % (at most {100 * MOST:.0f} %)")
    print(f"{len(pickle.dumps(parcel)):,} bytes go there, {len(pickle.dumps(here)):,} come back")
    return int(sent / alone > MOST)


def shaped(parcel: Parcel, study: Study, arm: Arm, chunk: Chunk, cells: int) -> Part:
    """A part of that size, of no games."""
    return Part(chunk, array("q", bytes(8 * cells)), {}, array("q"))


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
