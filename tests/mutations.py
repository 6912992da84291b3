"""The mutation campaign: does a scenario notice when a rule of the five games is slightly wrong?

    python tests/mutations.py [--mutants 300] [--seed 1] [--only payDirt] [--number 17] [--jobs 2]

Each mutant (mutants.py) is one slip in the rules of one game; the scenarios that ship are run
against it until one fails. Slips that cannot change play, and those that are known to be seen by
nobody, stand in cases/mutations/GAME.yaml with their reason. Listed at the end are the survivors,
and entries of these files that are stale: no such slip any more, or it is noticed.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import Pool
from pathlib import Path

import yaml
from mutants import Mutant, mutants

from interpreter.pipeline import build, scenario_tables
from interpreter.reading import Rules, read_rules
from interpreter.report.problem import Problems, RulesError
from interpreter.scenario import run_scenarios, scenario_cites
from interpreter.tree import nodes

ROOT = Path(__file__).resolve().parent.parent
KNOWN = Path(__file__).parent / "cases" / "mutations"
GAMES = sorted(path.stem for path in (ROOT / "rulesets" / "clauses").glob("*.yaml"))
LIVELY = ("equivalent", "unnoticed")  # why a survivor may survive
_BATCHES = (6, 12, 24)  # scenarios that are tried before all others, the nearest first
_HANG = 120  # seconds after which a mutant is said to hang, which nobody fails to notice

Name = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mutant: `stillborn`, `noticed`, `survived`, `equivalent`, `unnoticed`."""

    game: str
    number: int
    word: str
    told: str  # the slip
    why: str  # the scenario that noticed it, or the reason why none does

    def __str__(self) -> str:
        return f"{self.game} {self.number}  {self.word}  {self.told}{self.why and ' -- '}{self.why}"


@cache
def game(name: str) -> tuple[Rules, list[Mutant]]:
    rules = read_rules(ROOT / "rulesets" / f"{name}.scenarios")
    assert not rules.problems.has_errors
    return rules, mutants(rules)


@cache
def known(name: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Slips by their words, each with `equivalent` or `unnoticed` and the reason."""
    path = KNOWN / f"{name}.yaml"
    entries = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else None
    return {
        (entry["in"], entry["line"], change): (word, entry["why"])
        for word in LIVELY
        for entry in (entries or {}).get(word, [])
        for change in entry["changes"]
    }


def judge(name: Name) -> Verdict:
    honest, all_mutants = game(name[0])
    mutant = all_mutants[name[1] - 1]
    word, why = _fate(honest, mutant)
    if word == "survived":
        word, why = known(name[0]).get(mutant.slip.key, (word, ""))
    return Verdict(*name, word, str(mutant.slip), why)


def _fate(honest: Rules, mutant: Mutant) -> tuple[str, str]:
    rules = replace(mutant.rules(honest), problems=Problems())
    noticing = _noticing.setdefault(id(honest), Counter())
    with _no_longer_than(_HANG) as seconds:
        try:
            for batch in _batches(rules, _nearest_first(rules, mutant, noticing)):
                for result in run_scenarios(rules, batch):
                    if result.passed or not _passes_as_it_is(honest, result.scenario):
                        continue
                    played = any(problem.code in _PLAYED for problem in result.problems)
                    if not played and not _builds(rules):
                        return "stillborn", ""
                    noticing[mutant.slip.inside, result.scenario.title] += 1
                    return "noticed", result.scenario.title
            return ("survived" if _builds(rules) else "stillborn"), ""
        except RulesError:  # no table can be played with these rules
            return "stillborn", ""
        except TimeoutError:
            return "noticed", f"it takes longer than {seconds} s"


def _passes_as_it_is(honest: Rules, scenario: nodes.Scenario) -> bool:
    """A scenario that fails anyway notices nothing."""
    key = id(honest), scenario.title
    if key not in _passing:
        _passing[key] = run_scenarios(honest, [scenario])[0].passed
    return _passing[key]


def _builds(rules: Rules) -> bool:
    return all(build(rules, number)[0] is not None for number in rules.players)


_passing: dict[tuple[int, str], bool] = {}
# Which scenarios have noticed slips in a declaration: they may well notice the next one.
_noticing: dict[int, Counter[tuple[str, str]]] = {}
# What comes up while playing: a broken promise, or a scenario that goes another way.
_PLAYED = {f"RR{number}" for number in (*range(270, 280), *range(600, 630))}


def _nearest_first(
    rules: Rules, mutant: Mutant, noticing: Counter[tuple[str, str]]
) -> list[nodes.Scenario]:
    """By what they cite, what they noticed before, and rare words they share with the slip."""
    slip = mutant.slip
    told = _words_of_scenarios(rules.scenarios[0].mark.file)
    spread = Counter(word for words in told.values() for word in words)
    sought = _words(f"{slip.inside} {slip.line}")

    def nearness(scenario: nodes.Scenario) -> float:
        common = len(set(scenario_cites(scenario)) & set(slip.cites))
        alike = sum(1 / spread[word] for word in sought & told[scenario.title])
        return common + alike + noticing[slip.inside, scenario.title]

    return sorted(rules.scenarios, key=nearness, reverse=True)


@cache
def _words_of_scenarios(file: str) -> dict[str, set[str]]:
    rules = next(rules for rules, _ in map(game, GAMES) if file in rules.sources)
    lines = rules.sources[file].lines
    starts = [scenario.mark.line for scenario in rules.scenarios]
    ends = [*starts[1:], len(lines) + 1]
    return {
        scenario.title: _words(" ".join(lines[start - 1 : end - 1]))
        for scenario, start, end in zip(rules.scenarios, starts, ends, strict=True)
    }


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+", text)}


def _batches(rules: Rules, scenarios: list[nodes.Scenario]) -> Iterator[list[nodes.Scenario]]:
    """Growing ones, each of scenarios at one table, since these share a program."""
    left = scenarios
    for size in itertools.chain(_BATCHES, itertools.repeat(len(scenarios))):
        if not left:
            return
        _, alike = scenario_tables(rules, left)[0]  # that of the nearest
        batch = alike[:size]
        yield batch
        taken = {id(each) for each in batch}
        left = [each for each in left if id(each) not in taken]


@contextmanager
def _no_longer_than(seconds: int) -> Iterator[int]:
    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield seconds
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def shuffled(games: Iterable[str], seed: int) -> list[Name]:
    """All mutants of these games in an order that the seed gives. It goes by their words, not by
    their numbers, so a rule that is changed does not bring others into its place."""
    found = [(name, mutant) for name in games for mutant in game(name)[1]]
    found.sort(key=lambda each: random.Random(f"{seed} {each[0]} {each[1].slip.key}").random())
    return [(name, mutant.number) for name, mutant in found]


def campaign(names: list[Name], living: int, jobs: int = 1) -> Iterator[Verdict]:
    """Verdicts of so many mutants that can be played at all, or of all there are."""
    with Pool(jobs) as pool:
        for verdict in pool.imap(judge, names):
            if verdict.word != "stillborn":
                living -= 1
            yield verdict
            if not living:
                break


def stale(games: Iterable[str], verdicts: Iterable[Verdict]) -> list[str]:
    """Entries of the files of known slips that say what is not so."""
    noticed = {(v.game, v.told) for v in verdicts if v.word in ("noticed", "stillborn")}
    found = []
    for name in games:
        slips = {mutant.slip.key: str(mutant.slip) for mutant in game(name)[1]}
        for key, (word, _) in known(name).items():
            if key not in slips:
                found.append(f"{name}: no slip is called {key}")
            elif (name, slips[key]) in noticed:
                found.append(f"{name}: said to be {word}, but is noticed: {slips[key]}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=300, help="how many that can be played")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=GAMES, action="append", help="this game")
    parser.add_argument("--number", type=int, action="append", help="of the mutant, with --only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="also tell what is noticed")
    given = parser.parse_args()
    games = given.only or GAMES
    names = shuffled(games, given.seed)
    if given.number:
        names = [(games[0], number) for number in given.number]
    counts: Counter[str] = Counter()
    verdicts = []
    for verdict in campaign(names, given.mutants, given.jobs):
        counts[verdict.word] += 1
        verdicts.append(verdict)
        if given.verbose or verdict.word == "survived":
            print(verdict, flush=True)
    for line in stale(games, verdicts):
        print("stale:", line)
    living = len(verdicts) - counts["stillborn"]
    fair = living - counts["equivalent"]
    share = 100 * counts["noticed"] / fair if fair else 100
    print(
        f"{living} mutants (seed {given.seed}; {counts['stillborn']} more are no rules), "
        f"{counts['equivalent']} of them equivalent; noticed {counts['noticed']} of {fair}: "
        f"{share:.1f} %, known to go unnoticed {counts['unnoticed']}, "
        f"survived {counts['survived']}"
    )
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
