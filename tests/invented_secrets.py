"""Makes up rulesets with hidden information, and proves of those the check accepts that none leaks.

    python tests/invented_secrets.py [--rulesets 500] [--first 0] [--games 3] [--planted NAME]

Each number is a ruleset (`secretive.py`). Much of what they say would tell secrets, so the check
refuses many of them or warns. No leak may be found in any other; one that is found ends it with
exit code 1, told with the ruleset's number and two scenarios.

With `--planted` the check is made blind in one way, which then must be found: `--planted all` tries
every one, and fails if one of them is not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from secretive import ruleset  # noqa: E402

from interpreter.embedding import Game  # noqa: E402
from interpreter.pipeline import build, check_rules  # noqa: E402
from interpreter.prove.leaks import hunt, sort_of  # noqa: E402
from interpreter.prove.shrink import shrink, size  # noqa: E402
from interpreter.prove.tell import find_mark, leak_problem  # noqa: E402
from interpreter.prove.twins import Leak  # noqa: E402
from interpreter.reading import read_text  # noqa: E402
from interpreter.report.render import render  # noqa: E402
from interpreter.typed import statements as s  # noqa: E402
from interpreter.typed import values as v  # noqa: E402
from interpreter.typed.knowledge.labels import KNOWN, OPEN  # noqa: E402
from interpreter.typed.knowledge.reading import Through  # noqa: E402
from interpreter.variants import Variant  # noqa: E402

# ---- the campaign

Blindness = Callable[[Any], Callable[..., object]]  # what takes the place of a function


def always(answer: object) -> Blindness:
    return lambda seeing: lambda *given, **named: answer


def overlooking(**parts: object) -> Blindness:
    """It looks at a statement as if these parts of it were not there."""
    return lambda seeing: lambda self, each, *rest: seeing(self, replace(each, **parts), *rest)


def without_conditions(seeing: Any) -> Callable[..., object]:
    def look(self: object, each: s.If, *rest: object) -> object:
        arms = [replace(arm, condition=v.Nothing(type=arm.condition.type, mark=arm.condition.mark))
                for arm in each.arms]  # fmt: skip
        return seeing(self, replace(each, arms=tuple(arms)), *rest)

    return look


# Ways to make the check blind, in one place each. Every one must be found.
PLANTED: dict[str, tuple[str, Blindness]] = {
    # What is told to nobody
    "offers": ("telling.Teller.offer", always(None)),
    "saying": ("telling.Teller.said", always(None)),
    "asking": ("telling.Teller.asked", always(None)),
    "trusting": ("following.Following.tests", always(True)),
    "trustingOne": ("following.Following.tests_own", always(True)),
    # Values
    "variables": ("reading.Reader._read", always(KNOWN)),
    "fields": ("reading.Reader._field", always(OPEN)),
    "comparing": ("reading.Reader._compare", always(OPEN)),
    "membership": ("reading.Reader._member", always(OPEN)),
    "calls": ("reading.Reader._call", always(KNOWN)),
    "modifiers": ("reading.Reader._modifier", always(OPEN)),
    "groups": ("reading.Reader._group", always(Through(OPEN, KNOWN))),
    "whereabouts": ("reading.Reader._named", always(KNOWN)),
    "passing": (
        "reading.Reader.passing",
        lambda seeing: lambda *given: (OPEN, seeing(*given)[1]),
    ),
    "can": ("trying.Trying.can", always(OPEN)),
    "tried": ("following.Following.decides", always(None)),
    "ahead": ("trying.Trying.block", always(OPEN)),
    # Names, and the way the rules go
    "names": (
        "flow.Flow._bind",
        lambda seeing: lambda self, local, known, *rest: seeing(self, local, KNOWN, *rest),
    ),
    "held": ("flow.Flow._keep_piece", always(None)),
    "deciding": ("labels.Known.under", lambda seeing: lambda known, label: known),
    "parameters": ("flow.renamed", always(OPEN)),
    "conditions": ("flow.Flow._if", without_conditions),
    "order": ("flow.Flow._for_each", overlooking(keys=None)),
    "times": ("flow.Flow._repeat", overlooking(value=None)),
    "seats": ("naming.Naming.stable", lambda seeing: lambda self, seat: seat),
    # What becomes of pieces
    "shuffling": ("following.Following.lose", always(None)),
    "parting": ("showing.Showing._part", always(None)),
    "adding": ("environment.Environment.added_to", always(None)),
    # (That a place was hidden again is tested while playing, so to overlook it tells nothing; what
    # is hidden under a name is tried in leaks/hidden-named.rules.)
}


@contextmanager
def blind(names: list[str]) -> Iterator[None]:
    """Let the check overlook something."""
    with ExitStack() as stack:
        for name in names:
            target, blindness = PLANTED[name]
            module, _, path = target.partition(".")
            whole = import_module(f"interpreter.typed.knowledge.{module}")
            *owners, last = path.split(".")
            owner = getattr(whole, owners[0]) if owners else whole
            stack.enter_context(patch.object(owner, last, blindness(getattr(owner, last))))
        yield


def is_accepted(text: str) -> bool:
    """Whether the check has nothing to say: a warning that somebody may learn something counts."""
    return not refused_lines(text)


def refused_lines(text: str) -> set[int]:
    told = check_rules(read_text(text))
    return {
        each.mark.line
        for each in told
        if each.severity == "error" or each.code in ("RR405", "RR406")
    }


@cache
def _refused_by_sight(number: int) -> set[int]:
    return refused_lines(ruleset(number))


def find_leaks(text: str, games: int) -> dict[str, tuple[Game, Leak]]:
    """Of each sort of leak that random games show the smallest."""
    rules = read_text(text)
    program, _ = build(rules, rules.players[0])
    assert program is not None
    game = Game(program, rules, "reference")
    found: dict[str, tuple[Game, Leak]] = {}
    for seed in range(games):
        for viewer in (*range(game.players), None):
            for leak in hunt(game, viewer, seed, 40):
                sort = sort_of(leak)
                if sort not in found or size(leak) < size(found[sort][1]):
                    found[sort] = game, leak
    return found


def told(game: Game, leak: Leak, number: int) -> str:
    assert game.rules is not None
    again = f"python tests/invented_secrets.py --first {number} --rulesets 1 --show"
    problem = leak_problem(game.rules, Variant(game.players), shrink(game, leak, 0), again)
    return render([problem], game.rules.sources)


def campaign(first: int, count: int, games: int, *, show: bool = False) -> Counter[str]:
    """How many rulesets were refused and accepted, and how many showed leaks, by their sort."""
    counted: Counter[str] = Counter()
    for number in range(first, first + count):
        text = ruleset(number)
        if show:
            print(text)
        if not is_accepted(text):
            counted["refused"] += 1
            continue
        counted["accepted"] += 1
        leaks = find_leaks(text, games)
        counted["leaking"] += bool(leaks)
        counted.update(leaks.keys())
        for sort, (game, leak) in leaks.items():
            if counted[sort] == 1 or show:
                print(f"ruleset {number}:\n{told(game, leak, number)}", flush=True)
    return counted


def finds_planted(name: str, first: int, count: int, games: int) -> int | None:
    """The number of a ruleset that leaks because the check overlooks something. What is offered has
    a line: it must be one that would have been refused, or beside it, since a menu has several."""
    for number in range(first, first + count):
        refused = _refused_by_sight(number)
        if not refused:
            continue
        text = ruleset(number)
        with blind([name]):
            if not is_accepted(text):
                continue
            for sort, (game, leak) in find_leaks(text, games).items():
                assert game.rules is not None
                line = find_mark(game.rules, leak).line
                if sort != "RR801" or refused & {line - 1, line, line + 1}:
                    return number
    return None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first ruleset")
    parser.add_argument("--rulesets", type=int, default=500)
    parser.add_argument("--games", type=int, default=3, help="of each ruleset and viewer")
    parser.add_argument("--planted", choices=[*PLANTED, "all"], help="make the check blind")
    parser.add_argument("--show", action="store_true", help="print the rulesets")
    given = parser.parse_args()
    if given.planted is None:
        counted = campaign(given.first, given.rulesets, given.games, show=given.show)
        print(", ".join(f"{word} {number}" for word, number in sorted(counted.items())))
        return 1 if counted["leaking"] else 0
    missed = 0
    for name in PLANTED if given.planted == "all" else [given.planted]:
        number = finds_planted(name, given.first, given.rulesets, given.games)
        found = "NOT FOUND"
        if number is not None:
            found = f"found in ruleset {number}, the {number - given.first + 1}. that was tried"
        print(f"{name}: {found}", flush=True)
        missed += number is None
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
