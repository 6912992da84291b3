"""kill -9 while a game is recorded: no acknowledged decision is lost, none is doubled."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import interpreter
from interpreter.record import Record, read_record, replay

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 100
DELAY = 0.08  # seconds at most from the first acknowledgement to the kill
RULES = """game "Race"
players 2
each player has
    steps: 0..60, clamped
    luck: 1..6
play
    turns
        roll me.luck
        me chooses
            run(by in 1..3) "run by {by}"
                me.steps += by
            rest "rest"
                me.steps += me.luck div 4
        if me.steps = 60
            me wins
"""

# Children are forked from one process that has everything loaded, because a kill takes only
# a moment and loading takes much longer. A child acknowledges its decisions in a second file.
NURSERY = """
import os, random, sys
import interpreter
from interpreter.record import Recorder, read_record, resume

game = interpreter.load(sys.argv[1])

def play(path, say):
    if os.path.exists(path) and read_record(path).has_header:
        recorder, state = resume(path, game)
    else:  # killed before the record was begun
        if os.path.exists(path):
            os.unlink(path)
        recorder, state = Recorder.create(path, game, 5), game.start(5)
    os.write(say, b"ready\\n")
    with recorder:
        while not state.is_over:
            seat = state.seats_to_act[0]
            option = random.Random(recorder.decisions).choice(state.options(seat))
            recorder.append(seat, option.text)
            os.write(say, f"{recorder.decisions} {seat} {option.text}\\n".encode())
            state = state.apply(option, seat)
        recorder.finish(state)
    os.write(say, b"over\\n")

while line := sys.stdin.readline():
    path, acknowledged = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        say = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        play(path, say)
        os._exit(0)
    print(child, flush=True)
    sys.stdin.readline()  # until it was killed: a process that is waited for loses its number
    print(os.waitpid(child, 0)[1], flush=True)
"""


class Nursery:
    def __init__(self, rules: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY, str(rules)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def start(self, record: Path, said: Path) -> int:
        """The number of a child that goes on with the recorded game."""
        return self.ask(f"{record}\t{said}")

    def end(self) -> int:
        """How the child ended."""
        return self.ask("end")

    def ask(self, line: str) -> int:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


def acknowledged(said: Path) -> dict[int, tuple[int, str]]:
    """What the child said is safe, by number."""
    found: dict[int, set[tuple[int, str]]] = defaultdict(set)
    for line in said.read_text(encoding="utf-8").splitlines() if said.exists() else ():
        if line[:1].isdigit():
            number, seat, text = line.split(" ", 2)
            found[int(number)].add((int(seat), text))
    assert all(len(told) == 1 for told in found.values()), "one number, two decisions"
    return {number: told.pop() for number, told in found.items()}


def check(record: Record, told: dict[int, tuple[int, str]]) -> None:
    assert record.error is None or not told
    for number, decision in told.items():
        assert number <= len(record.decisions), f"decision {number} is lost"
        assert record.decisions[number - 1] == decision


def test_a_hundred_kills(tmp_path: Path) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text(RULES, encoding="utf-8")
    game = interpreter.load(rules)
    nursery = Nursery(rules)
    chance = random.Random(2)
    kills = games = resumed = 0
    wanted: bytes | None = None
    while kills < ROUNDS:
        games += 1
        path, said = tmp_path / f"{games}.record", tmp_path / f"{games}.said"
        over = False
        while not over:
            before = len(read_record(path).decisions)
            child = nursery.start(path, said)
            deadline = time.monotonic() + 10
            start = said.stat().st_size if said.exists() else 0
            if chance.random() < 0.8:  # mostly once it plays, sometimes while it opens the record
                while time.monotonic() < deadline:
                    if said.exists() and said.stat().st_size > start:
                        break
            time.sleep(chance.random() * DELAY)
            os.kill(child, signal.SIGKILL)
            status = nursery.end()
            assert status in (0, signal.SIGKILL)
            kills += status == signal.SIGKILL
            record = read_record(path)
            over = record.finished
            assert len(record.decisions) >= before
            check(record, acknowledged(said))
            resumed += before > 0
        assert not record.problems
        assert replay(game, record).is_over
        wanted = wanted or path.read_bytes()
        assert path.read_bytes() == wanted  # however often it was killed
    nursery.close()
    assert resumed >= ROUNDS // 4
