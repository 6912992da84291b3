"""How fast are games and searches, beside an earlier build of this project?

    python tests/benchmarks/beside.py REV [--secs 0.5] [--runs 7] [--number 1000] [name ...]

REV is anything git knows, or a folder with another tree. What git knows is laid out in a folder of
its own, and both builds play in turn, each in a process of its own that stays: random games, and
games tried by a search from the first decision with several options. Told are decisions and tries
in a second of CPU time here, and how many times as many that is as there, by the medians. Names are
rulesets of the shipped games or classics; without any, the shipped games, with four players where
so many can play.

A ruleset that one of the builds cannot read is left out, and that is told.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOST = 4  # players

# Runs in either build, so it uses what both have.
PLAYER = """
import json, sys, time
from interpreter.bots.search import search
from interpreter.cli.bench import native_decisions, rate
from interpreter.embedding import load

def first_choice(game):
    state = game.start(1)
    while len(state.options()) == 1:
        state = state.apply(state.options()[0])
    return state.view(state.seats_to_act[0])

def tried(game, view, number, run):
    begin = time.process_time()
    search(game, view, number, seed=run)
    return number / (time.process_time() - begin)

games = {}
for line in sys.stdin:
    asked = json.loads(line)
    try:
        key = asked["file"]
        if key not in games:
            least, most = load(key).rules.players
            game = load(key, max(least, min(most, asked["most"])))
            view = first_choice(game)
            tried(game, view, 10, 0)
            games[key] = game, view
        game, view = games[key]
        first = asked["run"] * 1_000_000_000
        played = rate(lambda seeds: native_decisions(game, seeds, 1), first, asked["secs"])
        answer = [played.decisions, tried(game, view, asked["number"], asked["run"])]
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
    print(json.dumps(answer), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Build:
    """One tree of this project, and a process that plays with it."""

    folder: Path
    process: subprocess.Popen[str]

    @classmethod
    def of(cls, folder: Path) -> Build:
        process = subprocess.Popen(
            [sys.executable, "-c", PLAYER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
        )
        return cls(folder, process)

    def ask(self, question: dict[str, Any]) -> list[float] | str:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        path = self.folder / "rulesets" / question["file"]
        print(json.dumps({**question, "file": str(path)}), file=stdin, flush=True)
        answer: list[float] | str = json.loads(stdout.readline())
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def lay_out(revision: str, folder: Path) -> None:
    """The files of a revision, as git has them."""
    folder.mkdir()
    packed = subprocess.run(
        ["git", "-C", str(ROOT), "archive", revision], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")


def measure(name: str, now: Build, then: Build, given: argparse.Namespace) -> None:
    found: list[tuple[list[float], list[float]]] = []
    for run in range(1, given.runs + 1):
        asked = {
            "file": name, "most": MOST, "secs": given.secs, "number": given.number, "run": run,
        }  # fmt: skip
        answers = [build.ask(asked) for build in ((now, then) if run % 2 else (then, now))]
        here, there = answers if run % 2 else answers[::-1]
        for answer in (here, there):
            if isinstance(answer, str):
                print(f"{Path(name).stem:20} is left out: {answer}", flush=True)
                return
        assert isinstance(here, list) and isinstance(there, list)
        found.append((here, there))
    columns = []
    for part in range(2):
        mine = statistics.median(here[part] for here, _ in found)
        theirs = statistics.median(there[part] for _, there in found)
        columns.append(f"{mine:14,.0f}{mine / theirs:7.2f}")
    print(f"{Path(name).stem:20}{''.join(columns)}", flush=True)


def files(names: list[str]) -> list[str]:
    shipped = sorted((ROOT / "rulesets").glob("*.rules"))
    classics = sorted((ROOT / "rulesets" / "classics").glob("*.rules"))
    chosen = [each for each in [*shipped, *classics] if each.stem in names] if names else shipped
    return [str(each.relative_to(ROOT / "rulesets")) for each in chosen]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision")
    parser.add_argument("--secs", type=float, default=0.5, help="CPU time of a run of games")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--number", type=int, default=1000, help="games tried for one choice")
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as scratch:
        other = Path(given.revision)
        if not other.is_dir():
            other = Path(scratch) / "tree"
            lay_out(given.revision, other)
        builds = [Build.of(ROOT), Build.of(other)]
        try:
            print(f"{'':20}{'decisions/s':>14}{'times':>7}{'tries/s':>14}{'times':>7}")
            for name in files(given.names):
                measure(name, builds[0], builds[1], given)
        finally:
            for build in builds:
                build.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
