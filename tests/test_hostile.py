"""Nothing a user can write crashes, hangs or eats the machine: it ends with a told exit code."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hostile.corpus import CASES, Case
from hostile.slowness import ALLOWANCE

import interpreter
from interpreter import limits

ROOT = Path(__file__).resolve().parent.parent
MEBIBYTES = 256
SLOWER = 8  # how much longer than promised a child is let run before it is killed
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Result:
    signal: int
    exit: int
    cpu: float
    clock: float
    mebibytes: float
    slowness: float
    stdout: str
    stderr: str


class Nursery:
    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "hostile" / "nursery.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        )

    def run(self, folder: Path, args: list[str], stdin: str, seconds: int) -> Result:
        assert self.process.stdin is not None and self.process.stdout is not None
        order = {"args": args, "stdin": stdin, "seconds": seconds}
        names = {"stdout": f"{folder}/stdout", "stderr": f"{folder}/stderr"}
        self.process.stdin.write(json.dumps(order | names) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        texts = {key: Path(name).read_text(encoding="utf-8") for key, name in names.items()}
        return Result(**found, **texts)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    found = Nursery()
    yield found
    found.process.communicate()


@pytest.mark.parametrize("case", CASES, ids=[case.name.replace(" ", "-")[:50] for case in CASES])
def test_hostile(case: Case, nursery: Nursery, tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    path = case.build(tmp_path / "rules")
    args = (
        ["play", "--seed", "1", "--seat", "0", "--bot", "random", path]
        if case.verb == "play"
        else ["check", path]
    )
    result = nursery.run(tmp_path, args, case.stdin, int(case.seconds * SLOWER) + 2)
    told = f"{result.stdout[-3000:]}\n{result.stderr[-3000:]}"
    assert not result.signal, f"killed by signal {result.signal} after {result.cpu:.1f} s"
    assert "Traceback" not in result.stderr, told
    assert result.exit in case.exits, told
    if result.exit:
        assert told.strip(), "it failed without a word"
    if result.exit in (1, 3):
        assert re.search(r"\bRR\d\d\d\b", told), told
    assert case.code in told
    assert not CONTROL.search(result.stdout + result.stderr)
    assert len(result.stdout) + len(result.stderr) < 2_000_000
    # A busy machine makes computing slower as well, so the promise is measured against that.
    assert result.cpu <= case.seconds * result.slowness * ALLOWANCE, f"took {result.cpu:.1f} s"
    assert result.mebibytes <= MEBIBYTES, f"took {result.mebibytes:.0f} MiB"


def test_there_are_many() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


def test_the_command_itself(tmp_path: Path) -> None:
    """Once without the nursery, as a user would."""
    path = tmp_path / "t.rules"
    head = 'game "T"\nplayers 2\nthe game has\n    n: int\n'
    path.write_text(f"{head}play\n    repeat while n >= 0\n        n := (n + 1) mod 7\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "interpreter.cli.main",
            "play",
            "--seat",
            "0",
            "--bot",
            "random",
            str(path),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 3
    assert "RR608" in done.stderr and "Traceback" not in done.stderr


def test_states_long_gone_are_let_go() -> None:
    """A long game with a big state keeps all its decisions, but not all its states."""
    game = interpreter.load_text(
        'game "T"\nplayers 2\nthe game has\n    a[1..300, 1..400]: int\n'
        "play\n    turns\n        me chooses x in 1..2\n        a[1, x] := x\n"
    )
    state = game.start(1)
    for _ in range(150):
        state = state.apply(state.options()[0])
    assert len(state.history()) == 150
    kept, here = 0, state
    while here.previous is not None:
        kept, here = kept + len(here.buffer), here.previous
    assert 2 * len(state.buffer) <= kept <= limits.HISTORY_NUMBERS
    assert state.undo().history() == state.history()[:-1]
