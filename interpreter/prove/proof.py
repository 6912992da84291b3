"""One ruleset, set up one way, put to the proof: its laws, its leaks, both machines."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from interpreter.embedding import Game, PlayError
from interpreter.pipeline import build
from interpreter.play.native.build import NativeError
from interpreter.play.native.engine import Engine
from interpreter.prove.laws import broken_laws
from interpreter.prove.leaks import hunt, sort_of
from interpreter.prove.machines import compare_machines
from interpreter.prove.shrink import shrink, size
from interpreter.prove.tell import leak_problem
from interpreter.prove.twins import Leak
from interpreter.reading import Rules
from interpreter.report.problem import Problem, RulesError
from interpreter.report.source import Mark
from interpreter.variants import Variant

_LAWFUL = 30  # decisions of a game at which all laws are tried
ROUNDS = 60  # of a game that is hunted through
_BROKEN = {"RR810": "a law does not hold", "RR811": "the two machines differ"}


@dataclass(frozen=True, slots=True)
class Proof:
    """What came out: how many games were looked at, and what is wrong."""

    games: int
    problems: tuple[Problem, ...]
    broke: int = 0  # games in which the rules broke down, so that little was looked at


def prove(
    rules: Rules,
    variant: Variant,
    games: int,
    seed: int,
    *,
    native: bool = True,
    rounds: int = ROUNDS,
    begins: Callable[[int], None] = lambda number: None,
) -> Proof:
    """So many games, each with the eyes of every seat and of a spectator, as far as so many rounds
    of choices go. `begins` is told the number of each game."""
    program, problems = build(rules, variant.players, variant.options)
    if program is None:
        raise RulesError([problem for problem in problems if problem.severity == "error"])
    game = Game(program, rules, "reference")
    engine = _engine(game) if native else None
    broken: dict[tuple[str, str], int] = {}  # laws, with the first game in which they did not hold
    leaks: dict[str, tuple[Leak, int]] = {}  # of each sort the smallest, and its game
    failures: list[Problem] = []
    for each in range(seed, seed + games):
        begins(each - seed + 1)
        failures += [
            replace(problem, help=f"see it again with: {_again(rules, variant, each)}")
            for problem in _breakdown(game, each, rounds)
        ]
        for fault in broken_laws(game, each, min(_LAWFUL, rounds)):
            broken.setdefault(fault, each)
        if engine is not None and (told := compare_machines(game, engine, each)):
            broken.setdefault(("RR811", told), each)
        for viewer in (*range(game.players), None):
            for leak in hunt(game, viewer, each, rounds):
                sort = sort_of(leak)
                if sort not in leaks or size(leak) < size(leaks[sort][0]):
                    leaks[sort] = leak, each
    found = failures[:1]
    found += [
        leak_problem(rules, variant, shrink(game, leak, each), _again(rules, variant, each))
        for leak, each in leaks.values()
    ]
    for (code, law), each in broken.items():
        if code == "RR806" and leaks:
            continue  # of rules that leak, no state can be imagined that agrees with all they tell
        help_ = f"see it again with: {_again(rules, variant, each)}"
        message = law if code == "RR806" else f"{_BROKEN[code]}: {law}"
        found.append(Problem(code, message, Mark.top(rules.name), help=help_))
    return Proof(games, tuple(found), len(failures))


def _breakdown(game: Game, seed: int, rounds: int) -> list[Problem]:
    """What stops a random game before its end. Nothing can be compared from there on, and a proof
    that has seen only the beginnings of games must not say that all is well."""
    rnd = random.Random(seed)
    try:
        state = game.start(seed)
        for _ in range(rounds):
            if state.is_over:
                break
            seat = rnd.choice(state.seats_to_act)
            state = state.apply(rnd.choice(state.options(seat)), seat)
    except PlayError as error:
        return [error.problem]
    return []


def _again(rules: Rules, variant: Variant, seed: int) -> str:
    options = "".join(f" --option {name}={value}" for name, value in variant.options.items())
    number = f"--players {variant.players}"
    return f"rulerun prove {rules.name} {number}{options} --seed {seed} --games 1"


def _engine(game: Game) -> Engine | None:
    """Native code, where it can be had; without it there is nothing to compare."""
    try:
        return Engine(game.program)
    except NativeError:
        return None
