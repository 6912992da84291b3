"""What of the rules never takes part: clauses of the rulebook, and abilities of pieces. Random
games of every sort are watched for that, line by line. A bot that plays well may come to what
chance does not, so these are places to look at and no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.clauses import lines_of_games, read_clauses, took_part
from interpreter.lab.findings import Clause
from interpreter.reading import Rules
from interpreter.report.source import Mark
from interpreter.report.visible import spaced
from interpreter.tree import nodes
from interpreter.tree.walk import walk


@dataclass(frozen=True, slots=True)
class Idle:
    """`games` were watched; in none of them these took part."""

    games: int = 0
    clauses: tuple[Clause, ...] = ()
    abilities: tuple[Clause, ...] = ()


def find_idle(rules: Rules, games: int, seed: int) -> Idle:
    if not games:
        return Idle()
    known, carried_out = read_clauses(rules), set[Mark]()
    for lines in lines_of_games(rules, games, seed):
        took_part(rules, known, lines)
        carried_out.update(mark for mark, _ in lines)
    silent = [
        Clause(each.name, each.text)
        for each in known.values()
        if each.lines and not each.games and each.not_modelled is None
    ]
    return Idle(games, tuple(silent), tuple(_unfired(rules, carried_out)))


def _unfired(rules: Rules, carried_out: set[Mark]) -> Iterator[Clause]:
    """Abilities, part by part, of which nothing was ever carried out."""
    for ability in rules.declarations:
        if not isinstance(ability, nodes.Ability):
            continue
        for part in ability.clauses:
            if not carried_out & _inside(part):
                told = f"{_told(part)} (line {part.mark.line})"
                yield Clause(spaced(ability.name), told)


def _inside(part: nodes.Modify | nodes.React) -> set[Mark]:
    """The lines that are carried out if this takes effect. That of a reaction itself is gone
    through whenever its event happens, so it tells nothing."""
    if isinstance(part, nodes.Modify):
        return {part.mark}
    return {node.mark for step in part.body for node in walk(step) if isinstance(node, nodes.Line)}


def _told(part: nodes.Modify | nodes.React) -> str:
    if isinstance(part, nodes.Modify):
        return f"modify {spaced(part.quantity)}"
    return f"{'may ' if part.may else ''}{part.word} {spaced(part.event)}"
