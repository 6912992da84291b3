"""What playing should come to, as data beside the rules (`NAME.expect.yaml`).

    - players: 2..5
      bots: search:200
      games: 800
      expect:
        wins: even ± 4%
        rounds: at most 12 in 95% of games
        ties: below 5%
        taken: {Card: at least 5%}
        never offered: nothing

It is no part of the rules: it changes no hash, and no word of the language is taken by it. Figures
go by their names in `measures.py`, which `rulerun study` prints; so what somebody reads there can
be copied here. `rulerun check` reads it with the rules, and needs none of what studies need.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.data.validate import validate_node
from interpreter.lab.bounds import FORMS, Bound, read_bound
from interpreter.lab.measures import BY_NAME, Measure
from interpreter.lab.spec import Study
from interpreter.model.declare import declare
from interpreter.model.ruleset import Ruleset
from interpreter.reading import Rules
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Mark, Source, read_source
from interpreter.report.suggest import did_you_mean
from interpreter.resources import schemas_folder
from interpreter.tree import nodes
from interpreter.tree.walk import walk

TAKEN, NEVER = "taken", ("never offered", "never taken")
_SPECIAL = (TAKEN, *NEVER)
_SEATED = ("seat", "place")  # groups that go by numbers from 1


@dataclass(frozen=True, slots=True)
class Claim:
    """One line: a figure (`of`: of which seat, place or bot, else of each), or how many take
    something (`measure` is None), and what it should be."""

    name: str
    of: str
    bound: Bound
    mark: Mark
    measure: Measure | None


@dataclass(frozen=True, slots=True)
class Never:
    """Everything must be offered, or taken, in some game, but for what is named."""

    name: str  # never offered, never taken
    but: tuple[tuple[str, Mark], ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class Gate:
    """Games to be played, and what is expected of them."""

    title: str
    mark: Mark
    study: Study
    claims: tuple[Claim, ...] = ()
    nevers: tuple[Never, ...] = ()


@dataclass(slots=True)
class Expectations:
    gates: list[Gate] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: Source | None = None


def expectations_path(rules: str | Path) -> Path:
    """Where what is expected of a rule file stands, if anything is."""
    return Path(rules).with_suffix(".expect.yaml")


def check_expectations(rules: Rules, path: str | Path) -> list[Problem]:
    """What is wrong with the expectations of these rules. Their source is added to the rules'."""
    found = read_expectations(rules, path)
    if found.source is not None:
        rules.sources[found.source.name] = found.source
    return found.problems


def read_expectations(rules: Rules, path: str | Path) -> Expectations:
    """Those of a rule file, and what is wrong with them."""
    from interpreter.data.yaml_reader import compose

    file = expectations_path(path)
    if str(path) == "-" or not file.is_file():
        return Expectations()
    source = read_source(file, limits.YAML_BYTES)
    if isinstance(source, Problem):
        return Expectations(problems=[source])
    node, problems = compose(source)
    if node is not None and not problems:
        problems = validate_node(node, _schema())
    found = Expectations(problems=problems, source=source)
    if node is not None and not problems and not rules.problems.has_errors:
        ruleset = declare(rules.declarations, rules.data, rules.players[1], {}, Problems())
        for item in node.items if isinstance(node, yaml_tree.Sequence) else ():
            assert isinstance(item, yaml_tree.Mapping)
            _Reader(rules, ruleset, str(path), item, found).read()
    return found


@cache
def _schema() -> dict[str, Any]:
    text = (schemas_folder() / "expect.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(slots=True)
class _Reader:
    """One item of the list."""

    rules: Rules
    ruleset: Ruleset
    path: str
    item: yaml_tree.Mapping
    found: Expectations

    def read(self) -> None:
        data = yaml_tree.plain(self.item)
        bots = data.get("bots", "random")
        study = Study(
            self.path,
            self._players(),
            data["games"],
            data.get("seed", 1),
            tuple([bots] if isinstance(bots, str) else bots),
            options=tuple((name, _option(each)) for name, each in data.get("options", {}).items()),
            settings=tuple(f"{name}={_spelled(one)}" for name, one in data.get("set", {}).items()),
            seconds=float(data.get("seconds", 12)),
        )  # fmt: skip
        self._check_bots(study)
        self._check_options()
        expected = self.item.get("expect")
        assert isinstance(expected, yaml_tree.Mapping)
        claims: list[Claim] = []
        nevers: list[Never] = []
        for key, value in expected.entries:
            if key.text in NEVER:
                nevers.append(self._never(key, value))
            elif key.text == TAKEN or self._is_measure(key):
                claims += self._claims(key, value, study)
        title = data.get("name") or f"{self.rules.title}, {' and '.join(study.bots)}"
        mark = self.item.entries[0][0].mark
        self.found.gates.append(Gate(title, mark, study, tuple(claims), tuple(nevers)))

    def _tell(self, code: str, message: str, mark: Mark, help_: str | None = None) -> None:
        self.found.problems.append(Problem(code, message, mark, help=help_))

    # ---- what is played

    def _players(self) -> tuple[int, ...]:
        least, most = self.rules.players
        node = self.item.get("players")
        match yaml_tree.plain(node) if node is not None else None:
            case None:
                return tuple(range(least, most + 1))
            case int() as number:
                found = [number]
            case str() as text:
                first, _, last = text.partition("..")
                found = list(range(int(first), int(last) + 1))
            case numbers:
                found = list(numbers)
        if node is not None and (not found or not least <= min(found) <= max(found) <= most):
            told = f"{least} to {most}" if least < most else str(most)
            self._tell("RR912", f"this game is for {told} players", node.mark)
            return (most,)
        return tuple(found)

    def _check_bots(self, study: Study) -> None:
        from interpreter.bots.bot import NAMES
        from interpreter.bots.budget import read_budget

        node = self.item.get("bots")
        items = node.items if isinstance(node, yaml_tree.Sequence) else (node,)
        for each in items if node is not None else ():
            assert isinstance(each, yaml_tree.Scalar)
            name, colon, number = each.text.partition(":")
            budget = read_budget(number)
            if name not in NAMES:
                there = did_you_mean(name, NAMES) or f"There is {', '.join(NAMES)}."
                self._tell("RR912", f"there is no bot `{name}`", each.mark, there)
            elif colon and budget is None:
                self._tell("RR912", f"`{number}` is no number of games", each.mark)
            elif budget is not None and budget.seconds:
                message = "a bot that thinks for so long plays other games on another machine"
                help_ = f"say how many games it tries before a choice: `{name}:200`"
                self._tell("RR912", message, each.mark, help_)
        if node is not None and len(study.bots) > min(study.players):
            message = f"{len(study.bots)} bots are named, but {min(study.players)} play"
            self._tell("RR912", message, node.mark)

    def _check_options(self) -> None:
        node = self.item.get("options")
        known = [setting.name for setting in self.rules.settings]
        for key, _ in node.entries if isinstance(node, yaml_tree.Mapping) else ():
            if key.text not in known:
                help_ = did_you_mean(key.text, known)
                self._tell("RR912", f"the game has no option `{key.text}`", key.mark, help_)

    # ---- what is expected

    def _is_measure(self, key: yaml_tree.Scalar) -> bool:
        if key.text in BY_NAME:
            return True
        known = [*BY_NAME, *_SPECIAL]
        help_ = did_you_mean(key.text, known) or f"There is {', '.join(known)}."
        self._tell("RR910", f"no figure is called `{key.text}`", key.mark, help_)
        return False

    def _claims(
        self, key: yaml_tree.Scalar, value: yaml_tree.Node, study: Study
    ) -> Iterator[Claim]:
        measure = BY_NAME.get(key.text)
        entries: list[tuple[str, yaml_tree.Node]] = [("", value)]
        if isinstance(value, yaml_tree.Mapping):
            entries = []
            for group, inner in value.entries:
                if self._is_group(group, measure, study):
                    entries.append((group.text, inner))
        for of, node in entries:
            assert isinstance(node, yaml_tree.Scalar)
            bound = read_bound(node.text, measure.unit if measure is not None else "share")
            if isinstance(bound, str):
                self._tell("RR911", bound, node.mark, f"write it like {FORMS}")
            elif bound.even and (measure is None or measure.group not in _SEATED):
                message = "`even` is for what is won by seat or by place"
                self._tell("RR911", message, node.mark, f"write it like {FORMS}")
            else:
                yield Claim(key.text, of, bound, node.mark, measure)

    def _is_group(self, of: yaml_tree.Scalar, measure: Measure | None, study: Study) -> bool:
        if measure is None:
            return self._is_thing(of)
        if not measure.group:
            self._tell("RR912", f"`{measure.name}` is one figure for all", of.mark)
            return False
        if measure.group in _SEATED:
            known = [str(number) for number in range(1, max(study.players) + 1)]
        else:
            known = list(dict.fromkeys(study.bots))
        if of.text not in known:
            message = f"there is no {measure.group} `{of.text}`"
            self._tell("RR912", message, of.mark, f"there is {', '.join(known)}")
        return of.text in known

    def _never(self, key: yaml_tree.Scalar, value: yaml_tree.Node) -> Never:
        items = value.items if isinstance(value, yaml_tree.Sequence) else ()
        named = [each for each in items if isinstance(each, yaml_tree.Scalar)]
        but = [(each.text, each.mark) for each in named if self._is_thing(each)]
        return Never(key.text, tuple(but), key.mark)

    def _is_thing(self, named: yaml_tree.Scalar) -> bool:
        known = set(things_named(self.rules, self.ruleset))
        if named.text not in known:
            help_ = did_you_mean(named.text, known)
            message = f"nothing that can be chosen is called `{named.text}`"
            self._tell("RR912", message, named.mark, help_)
        return named.text in known


def things_named(rules: Rules, ruleset: Ruleset) -> Iterator[str]:
    """What anything that can be chosen may be called: by its sort, its name or for people."""
    yield from ("action", "choose", "pass")  # and what the language itself calls choices
    for each in rules.declarations:
        inside = (node for node in walk(each) if isinstance(node, (nodes.Action, nodes.Option)))
        yield from (node.name for node in inside)
    for name, kind in ruleset.kinds.items():
        yield name
        for row in kind.rows:
            yield row.name
            yield row.label
    for name, values in ruleset.enums.items():
        yield name
        yield from values
    for name, board in ruleset.boards.items():
        yield name
        yield from board.cells


def _option(value: str | int | bool) -> str | int:
    return _spelled(value) if isinstance(value, bool) else value


def _spelled(value: str | int | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
