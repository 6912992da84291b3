"""The short version of the mutation campaign: some slips in the rules, each noticed by a scenario.

The whole campaign is a command: `python tests/mutations.py`.
"""

import pytest
from mutants import mutants
from mutations import GAMES, LIVELY, Verdict, game, judge, known, shuffled, stale

SEED, LIVING = 9, 3


@pytest.mark.parametrize("name", GAMES)
def test_slips_are_noticed(name: str) -> None:
    """The first few of an order that stays when other rules change; stillborn ones do not count."""
    living: list[Verdict] = []
    for slip in shuffled([name], SEED):
        verdict = judge(slip)
        assert verdict.word in ("noticed", "stillborn", *LIVELY), verdict
        living += [verdict] if verdict.word != "stillborn" else []
        if len(living) == LIVING:
            break
    assert any(verdict.word == "noticed" for verdict in living), living


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("gaagaaGo", "ties in order become ties share"),
        ("queenRun", "`bases(n, x)` becomes `bases(x, n)`"),
    ],
)
def test_what_does_not_pass_the_check_is_stillborn(name: str, change: str) -> None:
    slip = next(mutant for mutant in game(name)[1] if mutant.slip.change == change)
    assert judge((name, slip.number)).word == "stillborn"


def test_there_are_slips_of_every_sort() -> None:
    found = {name: len(game(name)[1]) for name in GAMES}
    assert len(found) == 5 and min(found.values()) > 100, found


def test_slips_have_names_of_their_own_and_numbers_that_stay() -> None:
    for name in GAMES:
        rules, found = game(name)
        assert len({mutant.slip.key for mutant in found}) == len(found)
        assert [mutant.slip for mutant in mutants(rules)] == [mutant.slip for mutant in found]


def test_what_is_known_to_survive_is_a_slip_with_a_reason() -> None:
    assert not stale(GAMES, [])
    assert all(why for name in GAMES for _, why in known(name).values())


def test_a_rule_that_is_broken_is_noticed() -> None:
    """Everybody is paid: who would not notice?"""
    slips = [m for m in game("payDirt")[1] if m.slip.line == "p.money += wages(p)"]
    told = {m.slip.change: judge(("payDirt", m.number)).word for m in slips}
    assert told == {"`+=` becomes `-=`": "noticed", "without it": "noticed"}
