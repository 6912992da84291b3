"""What the lab costs.

    python tests/benchmarks/lab.py [--games 10000] [--runs 3] [gather] [workers] [million]

`gather`: random games of Pay Dirt for four with all statistics, tables and figures, beside the bare
native games, in CPU time, interleaved; at most 1.3 times. `workers`: the same study with one worker
and with two, by what is spent in each process, since the clock tells on idle cores only; at least
1.8 times.
`million`: a million rows from Parquet into figures and a report; under 10 seconds of CPU time, and
1 GiB of memory.

Exit 1 if something does not hold.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.embedding import load  # noqa: E402
from interpreter.lab import study as lab  # noqa: E402
from interpreter.lab.rows import open_tables  # noqa: E402
from interpreter.lab.run import play_study  # noqa: E402
from interpreter.lab.spec import Study  # noqa: E402

RULES = str(ROOT / "rulesets" / "payDirt.rules")
MOST_TIMES, LEAST_FASTER, MOST_SECONDS, MOST_BYTES = 1.3, 1.8, 10.0, 1 << 30
ROWS = 1_000_000


def gather(games: int, runs: int) -> bool:
    """Bare games and games with statistics in turn; the median of how much more the latter took."""
    study = Study(RULES, (4,), games)
    ready = lab.check_study(study)
    engine = load(RULES, 4).native
    assert engine is not None, "this needs llvmlite"
    few = Study(RULES, (4,), 50)
    lab.tables_and_findings(few, ready, "", play_study(few, few.arms()))  # all is compiled now
    bare, told = [], []
    for run in range(runs):
        begin = time.process_time()
        engine.playouts(range(run * games, (run + 1) * games))
        middle = time.process_time()
        lab.tables_and_findings(study, ready, "", play_study(study, study.arms()))
        bare.append(middle - begin)
        told.append(time.process_time() - middle)
    times = median(more / less for more, less in zip(told, bare, strict=True))
    least = f"bare {median(bare):.2f} s"
    print(f"gather   {games:,} games: {least}, with all statistics {times:.2f} times")
    return times <= MOST_TIMES


def workers(games: int, runs: int) -> bool:
    """Two are as much faster as one is busy with what both could do: all that is not done by
    workers (starting them, sending, taking together) is done while they wait, in the worst case. On
    idle cores the clock says the same; on busy ones it says who else is at work."""
    study = Study(RULES, (4,), 10 * games)
    _ = lab.check_study(study)[0].game.native  # compiled now
    costs, clock = [], []
    for hands in (1, 2):
        before, begin = _spent(), time.perf_counter()
        play_study(study, study.arms(), workers=hands)
        clock.append(time.perf_counter() - begin)
        costs.append([after - was for after, was in zip(_spent(), before, strict=True)])
    alone = sum(costs[0])
    here, there = costs[1]
    faster = alone / (here + there / 2)
    shared = f"with two {here:.1f} s here and {there / 2:.1f} s each"
    print(f"workers  {10 * games:,} games: {alone:.1f} s of CPU alone; {shared}: ", end="")
    print(f"{faster:.2f} times as fast ({clock[0] / clock[1]:.2f} by the clock)")
    return faster >= LEAST_FASTER


def _spent() -> tuple[float, float]:
    """CPU time of this process, and of children that have ended."""
    found = []
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        found.append(used.ru_utime + used.ru_stime)
    return found[0], found[1]


def million(games: int, runs: int) -> bool:
    """Made of fewer games, copied: what is read is as long, and no row is missing."""
    study = Study(RULES, (4,), games)
    with tempfile.TemporaryDirectory() as folder:
        lab.run_study(study, folder=Path(folder))
        copies = -(-ROWS // games)
        db = open_tables(Path(folder))
        for table in ("games", "seats"):
            new = Path(folder) / f"{table}.new"
            limit = ROWS if table == "games" else 4 * ROWS
            db.execute(
                f"COPY (SELECT {table}.* REPLACE (CAST(game + n * {games} AS INTEGER) AS game) "
                f"FROM {table}, range({copies}) AS copies(n) LIMIT {limit}) "
                f"TO '{new}' (FORMAT parquet)"
            )
        for table in ("games", "seats"):
            (Path(folder) / f"{table}.new").replace(Path(folder) / f"{table}.parquet")
        db.close()
        return _read(Path(folder))


def _read(folder: Path) -> bool:
    """In a process of its own, whose memory is measured."""
    import subprocess

    code = f"import sys; sys.path.insert(0, {str(ROOT / 'tests' / 'benchmarks')!r}); import lab; "
    done = subprocess.run(
        [sys.executable, "-c", f"{code}lab.read_million({str(folder)!r})"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    seconds, most, rows = done.stdout.split()
    cost = f"{float(seconds):.1f} s, {int(most) >> 20} MiB"
    print(f"million  {int(rows):,} games with 4 seats each: {cost}")
    return float(seconds) < MOST_SECONDS and int(most) < MOST_BYTES


def read_million(folder: str) -> None:
    from interpreter.lab.pages.writing import write_report
    from interpreter.lab.store import read_manifest

    begin = time.process_time()
    db = open_tables(Path(folder))
    manifest = read_manifest(Path(folder))
    found = lab.find(db, manifest)
    write_report(lab.Results(manifest, found, db), Path(folder))
    seconds = time.process_time() - begin
    figure = found.arms[0].figure("moves")
    assert figure is not None
    most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{seconds:.2f} {most} {figure.games}")


PARTS = {"gather": gather, "workers": workers, "million": million}


def main() -> int:
    parser = argparse.ArgumentParser(description="What the lab costs.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    held = [PARTS[name](given.games, given.runs) for name in given.parts or PARTS]
    return 0 if all(held) else 1


if __name__ == "__main__":
    raise SystemExit(main())
