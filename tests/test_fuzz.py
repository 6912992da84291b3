"""Whatever a text says, checking it ends in order: clean, or with a problem that has a place."""

import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hostile.slowness import allowed
from mutations import broken_text

from interpreter.embedding import Game, PlayError
from interpreter.pipeline import build, check_rules
from interpreter.reading import Rules, read_text
from interpreter.report.problem import Problem
from interpreter.report.render import FORMATS, render

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
