"""Rulesets that leak, small and one idea each, in every combination of what is hidden and where it
comes out; and some that look as if they did.

Beside each `name.rules` in `leaks/` stands `name.expected`. Its first line says what should be:

    refused RR403 at line 20   `rulerun check` has this error on that line, and none of other sorts
    warned RR405 at line 20    it has this warning there, no error, and `rulerun prove` finds a leak
    stopped RR616 at line 20   it has nothing to say, but every game stops on that line before
                               anything is told, and `rulerun prove` finds no leak
    tight                      it has nothing to say, games go on to their end, and `rulerun prove`
                               finds no leak

A second line tells what is not so yet, and how one can see it: `not yet: prove finds RR801`. When
that has changed, the test fails until the line is taken out.
"""

import random
import re
from pathlib import Path

import pytest

from interpreter.breakdown import PlayError
from interpreter.embedding import Backend, Game
from interpreter.pipeline import build, check_rules
from interpreter.prove.leaks import hunt, sort_of
from interpreter.reading import Rules, read_rules
from interpreter.report.problem import Problem

FOLDER = Path(__file__).parent / "leaks"
CASES = sorted(FOLDER.glob("*.rules"))
EXPECTED = re.compile(r"(refused|warned|stopped) (RR\d{3}) at line (\d+)|tight")
NOT_YET = re.compile(r"not yet: prove finds ((?:RR\d{3} ?)+)")
GAMES = 12  # in which a leak that is there must be found
FEW = 3  # of rules in which there is none; many more take long
MANY = 300  # moves, after which a game need not be played to its end


def expected_of(path: Path) -> tuple[re.Match[str], set[str]]:
    first, *rest = path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
    expected, missing = EXPECTED.fullmatch(first), set()
    assert expected is not None and len(rest) <= 1, "see the top of this test"
    if rest:
        not_yet = NOT_YET.fullmatch(rest[0])
        assert not_yet is not None, "see the top of this test"
        missing = set(not_yet[1].split())
    return expected, missing


def is_met(expected: re.Match[str], problems: list[Problem]) -> bool:
    """Whether the check says what it should."""
    errors = {(each.code, each.mark.line) for each in problems if each.severity == "error"}
    warnings = {(each.code, each.mark.line) for each in problems if each.severity == "warning"}
    word, code, line = expected.groups()
    if word in (None, "stopped"):
        return not problems
    if word == "refused":
        return (code, int(line)) in errors and {each for each, _ in errors} == {code}
    return (code, int(line)) in warnings and not errors


def leaks_of(rules: Rules, games: int, wanted: set[str]) -> set[str]:
    """The sorts of leaks that random games show, until one is found and all that are wanted."""
    program, _ = build(rules, rules.players[0])
    assert program is not None
    game = Game(program, rules, "reference")
    found: set[str] = set()
    for seed in range(games):
        for viewer in (*range(game.players), None):
            found |= {sort_of(leak) for leak in hunt(game, viewer, seed)}
        if found and wanted <= found:
            break
    return found


def stops_of(rules: Rules, backend: Backend) -> set[tuple[str, int]]:
    """Where games come to that are played at random: what stops each of them, if anything does."""
    program, _ = build(rules, rules.players[0])
    assert program is not None
    game, found = Game(program, rules, backend), set()
    for seed in range(FEW):
        rnd = random.Random(seed)
        try:
            state = game.start(seed)
            while not state.is_over and state.moves < MANY:
                seat = rnd.choice(state.seats_to_act)
                state = state.apply(rnd.choice(state.options(seat)), seat)
            found.add(("", 0))
        except PlayError as failed:
            found.add((failed.problem.code, failed.problem.mark.line))
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_leak(path: Path) -> None:
    expected, missing = expected_of(path)
    rules = read_rules(path)
    problems = check_rules(rules)
    met, word = is_met(expected, problems), expected[0].split()[0]
    if word == "tight" or not missing:
        assert met, [str(problem) for problem in problems]
    else:
        assert not met, f"this is so now: take the second line out of {path.stem}.expected"
        assert not any(problem.severity == "error" for problem in problems), "wrongly refused"
    if word == "refused" and met:
        return
    if word != "warned":
        stop = (expected[2], int(expected[3])) if word == "stopped" else ("", 0)
        assert stops_of(rules, "reference") == stops_of(rules, "native") == {stop}
    found = leaks_of(rules, FEW if word in ("tight", "stopped") and not missing else GAMES, missing)
    if word == "tight" and missing:
        now = f"this is so now: take the second line out of {path.stem}.expected"
        assert found & missing, now
    assert missing <= found and bool(found) == (word == "warned" or bool(missing)), found


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [each for each in CASES if expected_of(each)[0][0] == "tight"],
    ids=lambda path: path.stem,
)
def test_tight_in_many_games(path: Path) -> None:
    _, missing = expected_of(path)
    assert leaks_of(read_rules(path), 60, missing) == missing


def test_there_are_all_sorts() -> None:
    manifests = {path.stem for path in FOLDER.glob("*.expected")}
    assert manifests == {path.stem for path in CASES}
    words = [expected_of(path)[0][0].split()[0] for path in CASES]
    assert words.count("refused") >= 60 and words.count("tight") >= 10
