"""Whatever a text says, checking it ends in order: clean, or with a problem that has a place."""

import random
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from broken_texts import broken_text
from hostile.slowness import allowed

from interpreter import limits
from interpreter.embedding import Game, PlayError, load
from interpreter.pipeline import build, check_rules
from interpreter.program.layout import HEADER
from interpreter.reading import Rules, read_text
from interpreter.report.problem import Problem
from interpreter.report.render import FORMATS, render
from interpreter.resources import rulesets_folder

SHORT, LONG = 1500, 10_000
PARTS = 10
SECONDS = 2  # of computing for one text
HANG = 60  # seconds by the clock after which a text is said to hang, on however busy a machine


@contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError(f"still busy after {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def check_text(number: int) -> None:
    seed, text = broken_text(number)
    start = time.process_time()
    with no_longer_than(HANG):
        rules = read_text(text, seed.name, seed.folder)
        problems = check_rules(rules)
        spent = time.process_time() - start
        for problem in problems:
            assert_placed(rules, problem)
        render(problems, rules.sources, random.Random(number).choice(FORMATS))
        if not any(problem.severity == "error" for problem in problems):
            play_a_little(rules, number)
    assert spent <= allowed(SECONDS), f"took {spent:.1f} s"


def assert_placed(rules: Rules, problem: Problem) -> None:
    for mark in (problem.mark, *(mark for mark, _ in problem.notes)):
        source = rules.sources.get(mark.file)
        if source is None and problem.code == "RR004" and mark is not problem.mark:
            continue  # a place in a file that is no text, and so cannot be shown
        assert source is not None, f"{problem} names no file of the rules"
        assert 1 <= mark.line <= mark.end_line <= len(source.lines), f"{problem} is nowhere"
        assert 1 <= mark.column <= len(source.line(mark.line)) + 1, f"{problem} is nowhere"


def play_a_little(rules: Rules, number: int) -> None:
    chance = random.Random(number)
    program, _ = build(rules, rules.players[0])
    assert program is not None
    game = Game(program, rules)
    try:
        state = game.start(number)
        for _ in range(8):
            if state.is_over:
                break
            seat = chance.choice(state.seats_to_act)
            state = state.apply(chance.choice(state.options(seat)), seat)
            state.view(chance.randrange(game.players)).as_data()
            assert game.restore(state.save()) == state
    except PlayError as error:
        assert_placed(rules, error.problem)


def check_texts(numbers: range) -> None:
    for number in numbers:
        try:
            check_text(number)
        except Exception as error:  # told with what is needed to see it again
            seed, text = broken_text(number)
            error.add_note(f"text {number}, from {seed.name}:\n{text}")
            raise


@pytest.mark.parametrize("part", range(PARTS))
def test_broken_texts(part: int) -> None:
    share = SHORT // PARTS
    check_texts(range(part * share, (part + 1) * share))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_broken_texts(part: int) -> None:
    share = LONG // PARTS
    check_texts(range(part * share, (part + 1) * share))


FORGED = ["ticTacToe", "goofspiel", "liarsDice", "trickTaking", "oware", "leducPoker"]
VALUES = (-1, 0, 1, 2, 5, 100, 10**6, limits.INT_MIN, limits.INT_MAX)


@pytest.mark.parametrize("name", FORGED)
def test_forged_states_are_refused_at_once(name: str) -> None:
    """Bytes that a game cannot have saved are one clear error; what is accepted can be played."""
    game = load(rulesets_folder() / "classics" / f"{name}.rules")
    chance, refused = random.Random(name), 0
    first, size = game.program.layout.frames, game.program.layout.frames_size
    for number in range(80):
        state = game.start(number)
        for _ in range(chance.randrange(12)):
            if not state.is_over:
                seat = chance.choice(state.seats_to_act)
                state = state.apply(chance.choice(state.options(seat)), seat)
        data = state.save()
        assert game.restore(data) == state
        head = data.index(b"\n") + 1
        cells = list(struct.unpack(f"<{len(state.buffer)}q", data[head:]))
        for _ in range(chance.randint(1, 3)):
            where = (range(len(cells)), range(HEADER), range(first, first + size))
            cells[chance.choice(chance.choice(where))] = chance.choice(VALUES)
        try:
            forged = game.restore(data[:head] + struct.pack(f"<{len(cells)}q", *cells))
        except ValueError as error:
            assert "saved" in str(error)
            refused += 1
            continue
        try:
            for _ in range(20):
                if forged.is_over or not forged.seats_to_act:
                    break
                forged.view(chance.randrange(game.players)).as_data()
                seat = chance.choice(forged.seats_to_act)
                forged = forged.apply(chance.choice(forged.options(seat)), seat)
        except PlayError:
            pass
    assert refused > 20


@pytest.mark.parametrize("seed", [b"", b"x", "²".encode(), b"9" * 5_000, b"1_0", b"\xff"])
def test_a_forged_seed_is_refused(seed: bytes) -> None:
    game = load(rulesets_folder() / "classics" / "nim.rules")
    head, _, body = game.start(1).save().partition(b"\n")
    for forged in (b"", b"\n", head, head.rpartition(b" ")[0] + b" " + seed + b"\n" + body):
        with pytest.raises(ValueError, match="saved"):
            game.restore(forged)
