"""Failures while playing as text files: tiny rulesets that are played until they break.

The line that breaks ends in `#! RR604`; the whole message is in the file beside it, written by
`python -m pytest tests/test_failures.py --update`. Moves are chosen at random from a fixed seed.
"""

import random
import re
import shlex
from pathlib import Path

import pytest
from conftest import Golden

from interpreter.embedding import Game, PlayError
from interpreter.pipeline import build
from interpreter.play.failure import CODES
from interpreter.reading import Rules, read_text
from interpreter.report.hints import hint
from interpreter.report.render import render

FOLDER = Path(__file__).parent / "cases" / "failures"
CASES = sorted(FOLDER.glob("*.rules"))
EXPECTED = re.compile(r"#! (RR6\d\d)$", re.MULTILINE)
EXAMPLE = re.compile(r"^```rules (wrong|right)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEED = 7
MOVES = 11_000  # more than a game may have


def play(rules: Rules) -> PlayError | None:
    """Play to the end; what stopped the game before, if anything did."""
    program, problems = build(rules)
    assert program is not None, problems
    choose = random.Random(SEED)
    try:
        state = Game(program, rules).start(seed=SEED)
        for _ in range(MOVES):
            if state.is_over:
                return None
            seat = choose.choice(state.seats_to_act)
            state = state.apply(choose.choice(state.options(seat)), seat)
            state.previous = None  # ten thousand states would be kept alive
    except PlayError as error:
        return error
    raise AssertionError("the game goes on and on")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_failure(path: Path, golden: Golden) -> None:
    rules = read_text(path.read_text(encoding="utf-8"), path.name)
    source = rules.sources[path.name]
    error = play(rules)
    assert error is not None, "this game comes to its end"
    problem = error.problem
    expected = [
        (number, match[1])
        for number, line in enumerate(source.lines, 1)
        if (match := EXPECTED.search(line))
    ]
    assert [(problem.mark.line, problem.code)] == expected
    assert problem.help is not None
    command = shlex.split(problem.help.partition("rulerun ")[2])
    assert command[0] == path.name
    assert command[command.index("--seed") + 1] == str(SEED)
    assert command[command.index("--players") + 1] == str(rules.players[1])
    golden(path.with_suffix(".txt"), render([problem], rules.sources))


def test_every_failure_has_a_case() -> None:
    told = {code for path in CASES for code in EXPECTED.findall(path.read_text(encoding="utf-8"))}
    assert told == set(CODES), "write a ruleset for each under tests/cases/failures"


@pytest.mark.parametrize("code", CODES)
def test_hint_examples(code: str) -> None:
    examples = EXAMPLE.findall(hint(code) or "")
    assert {kind for kind, _ in examples} == {"wrong", "right"}
    for kind, text in examples:
        error = play(read_text(text, "t.rules"))
        found = None if error is None else error.problem.code
        assert found == (code if kind == "wrong" else None)
