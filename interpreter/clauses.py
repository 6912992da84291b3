"""The rulebook beside the rules: which lines state a clause, which scenarios test it, and how often
it took part in random games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.data import yaml_tree
from interpreter.embedding import Game
from interpreter.pipeline import build
from interpreter.play.random_play import random_game
from interpreter.reading import Rules
from interpreter.report.problem import Problem, RulesError
from interpreter.report.source import Mark
from interpreter.scenario import scenario_cites
from interpreter.tree import nodes
from interpreter.tree.walk import walk
from interpreter.variants import spread

# Lines that are carried out, and so can be seen to take part. All others are always in force.
_CARRIED_OUT = (
    nodes.Procedure, nodes.Phase, nodes.Action, nodes.Option, nodes.When, nodes.Case,
    nodes.Function, nodes.Quantity, nodes.Modify, nodes.React, nodes.Arm, *nodes.Statement.__args__,
)  # fmt: skip

Cited = tuple[Mark, tuple[str, ...]]  # a line, and the clauses it cites
_UNTOLD = (
    "if no rules can,\nwrite `{text: ..., notModelled: the reason}` after the name of the clause"
)


@dataclass(slots=True)
class Clause:
    name: str
    text: str
    mark: Mark  # in the file of clauses
    not_modelled: str | None = None
    lines: list[Mark] = field(default_factory=list)
    scenarios: list[nodes.Scenario] = field(default_factory=list)
    games: int = 0  # it took part in

    @property
    def is_ruling(self) -> bool:
        return self.name.partition("-")[2].startswith("R")

    @property
    def is_missing(self) -> bool:
        """Neither marked nor both cited and tested."""
        return self.not_modelled is None and not (self.lines and self.scenarios)


def read_clauses(rules: Rules) -> dict[str, Clause]:
    found: dict[str, Clause] = {}
    if isinstance(rules.clauses, yaml_tree.Mapping):
        for key, node in rules.clauses.entries:
            clause = Clause(key.text, "", key.mark)
            if isinstance(node, yaml_tree.Scalar):
                clause.text = node.text
            elif isinstance(node, yaml_tree.Mapping):
                clause.text = _said(node, "text") or ""
                clause.not_modelled = _said(node, "notModelled")
            found[clause.name] = clause
    for mark, cites in _citations(rules.declarations):
        for cite in cites:
            if cite in found and mark not in found[cite].lines:
                found[cite].lines.append(mark)
    for scenario in rules.scenarios:
        for cite in dict.fromkeys(scenario_cites(scenario)):
            if cite in found:
                found[cite].scenarios.append(scenario)
    return found


def clause_problems(clause: Clause) -> Iterator[Problem]:
    """What is missing of it, at its line in the file of clauses."""
    if clause.not_modelled is not None:
        return
    cite = f"write `[{clause.name}]`"
    if not clause.lines:
        message = f"no line of the rules cites `{clause.name}`"
        help_ = f"{cite} at the end of the line that states it; {_UNTOLD}"
        yield Problem("RR834", message, clause.mark, "warning", help=help_)
    if not clause.scenarios:
        message = f"no scenario tests `{clause.name}`"
        help_ = f"{cite} after the title of the scenario that tests it; {_UNTOLD}"
        yield Problem("RR835", message, clause.mark, "warning", help=help_)


def _said(node: yaml_tree.Mapping, key: str) -> str | None:
    value = node.get(key)
    return value.text if isinstance(value, yaml_tree.Scalar) else None


def _citations(
    declarations: Iterable[nodes.Declaration], *, in_force: bool = False
) -> Iterator[tuple[Mark, tuple[str, ...]]]:
    for declaration in declarations:
        for node in walk(declaration):
            if not isinstance(node, nodes.Line) or not node.cites:
                continue
            if not in_force or not isinstance(node, _CARRIED_OUT):
                yield node.mark, node.cites


def count_games(rules: Rules, clauses: dict[str, Clause], games: int, seed: int) -> int:
    """Play random games of every sort and count in how many each clause took part. Gives the
    number of games played."""
    played = 0
    for lines in lines_of_games(rules, games, seed):
        took_part(rules, clauses, lines)
        played += 1
    return played


def took_part(rules: Rules, clauses: dict[str, Clause], lines: Iterable[Cited]) -> None:
    """A game more for the clauses of these lines, and for those that are always in force."""
    cited = {cite for _, cites in _citations(rules.declarations, in_force=True) for cite in cites}
    for cite in cited.union(*(cites for _, cites in lines)):
        if cite in clauses:
            clauses[cite].games += 1


def lines_of_games(rules: Rules, games: int, seed: int) -> Iterator[list[Cited]]:
    """Random games of every sort, and the lines of the rules that were carried out in each."""
    played = 0
    for variant, share in spread(games, rules):
        program, problems = build(rules, variant.players, variant.options, watched=True)
        if program is None:
            raise RulesError([p for p in problems if p.severity == "error"])
        machine = Game(program, rules).machine
        for _ in range(share):
            machine.cited = set()
            random_game(machine, machine.start(seed + played), seed + played)
            yield [program.cited[number] for number in machine.cited]
            played += 1
