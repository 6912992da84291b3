"""Every way a ruleset can be set up, and random games of each: what campaigns go through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from interpreter.model.declare import declare
from interpreter.reading import Rules
from interpreter.report.problem import Problems
from interpreter.tree import nodes

_MOST = 64  # settings that are tried, beside all numbers of players


@dataclass(frozen=True, slots=True)
class Variant:
    """A number of players and a choice of the options that are lists of words."""

    players: int
    options: dict[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        chosen = "".join(f", {name} {value}" for name, value in self.options.items())
        return f"{self.players} player{'s' if self.players != 1 else ''}{chosen}"


def variants(rules: Rules) -> list[Variant]:
    """All that the rules accept. Options with a range of numbers stay at their default."""
    least, most = rules.players
    lists = [
        [(setting.name, value) for value in setting.values]
        for setting in rules.settings
        if not isinstance(setting.values, nodes.Range)
    ]
    found: list[Variant] = []
    for number, chosen in enumerate(product(*lists)):
        if number >= _MOST:
            break
        for players in range(least, most + 1):
            variant = Variant(players, dict(chosen))
            if _accepted(rules, variant):
                found.append(variant)
    return found


def _accepted(rules: Rules, variant: Variant) -> bool:
    """Whether no `require` of the rules speaks against it."""
    if not any(isinstance(each, nodes.Require) for each in rules.declarations):
        return True
    problems = Problems()
    declare(rules.declarations, rules.data, variant.players, variant.options, problems)
    return not any(problem.code == "RR236" for problem in problems.items())


def spread(games: int, rules: Rules) -> Iterator[tuple[Variant, int]]:
    """So many games, spread evenly over all variants."""
    found = variants(rules)
    for number, variant in enumerate(found):
        share = (games + len(found) - 1 - number) // len(found)
        if share:
            yield variant, share
