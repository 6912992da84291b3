"""Games that begin elsewhere than at their start: from a scenario, from lines of the rule language,
or from other values of variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from textwrap import indent
from typing import Any

from interpreter.embedding import Game, State
from interpreter.model.types import Type
from interpreter.pipeline import build, scenario_tables
from interpreter.program.layout import MODE, STOP_AT_CHANCE, VariableLayout
from interpreter.program.program import Program
from interpreter.reading import Rules
from interpreter.report.problem import Problem, RulesError
from interpreter.report.source import Source
from interpreter.report.suggest import did_you_mean
from interpreter.scenario import Standing
from interpreter.scenario_unfold import unfold
from interpreter.tree import nodes
from interpreter.tree.parse import parse
from interpreter.view.typed import Key, index_keys, python_value

_NAME = "position"


def from_scenario(rules: Rules, title: str, explicit_chance: bool, played: bool) -> State:
    """Where a scenario begins, or with `played` where its steps lead, at its own table."""
    titles = {each.title: each for each in rules.scenarios}
    if title not in titles:
        hint = did_you_mean(title, titles) or f"there are {len(titles)}: see `game.scenarios`"
        raise KeyError(f"there is no scenario `{title}`: {hint}")
    plain = _plain(rules, titles[title])
    table = scenario_tables(rules, [plain])[0][0]
    return _stand(rules, plain, table.players, dict(table.options), explicit_chance, played)


def from_lines(game: Game, given: str, run: str, seed: int, explicit_chance: bool) -> State:
    """A position that is made by lines as they stand in a scenario after `given`."""
    assert game.rules is not None
    text = f'scenario "{_NAME}"\n    players {game.players}\n    seed {seed}\n'
    text += f"    given\n{indent(given.strip(chr(10)), ' ' * 8)}\n" if given.strip() else ""
    source = Source(_NAME, f"{text}    run {run}\n")
    tree, problems = parse(source)
    if errors := [each for each in problems if each.severity == "error"]:
        raise RulesError(errors)
    written = [each for each in tree.declarations if isinstance(each, nodes.Scenario)]
    if len(tree.declarations) != 1 or len(written) != 1:
        raise ValueError("a position is made of steps only: nothing can be declared in it")
    rules = replace(game.rules, sources={**game.rules.sources, _NAME: source})
    return _stand(
        rules, _plain(rules, written[0]), game.players, game.options, explicit_chance, False
    )


def _plain(rules: Rules, written: nodes.Scenario) -> nodes.Scenario:
    unfolded = unfold(rules, written)
    if isinstance(unfolded, Problem):
        raise RulesError([unfolded])
    return unfolded[0].plain


def _stand(
    rules: Rules,
    plain: nodes.Scenario,
    players: int,
    options: dict[str, str | int],
    explicit_chance: bool,
    played: bool,
) -> State:
    program, problems = build(rules, players, options, [plain])
    if program is None:
        raise RulesError([each for each in problems if each.severity == "error"])
    standing = Standing(Game(program, rules), plain, program.trials[0])
    state = standing.reached(explicit_chance=explicit_chance, played=played)
    buffer = state.buffer.copy()
    if not explicit_chance:
        buffer[MODE] &= ~STOP_AT_CHANCE
    return State(state.game, buffer, state.seed, None, None, ())


def with_values(state: State, values: Mapping[str, Any]) -> State:
    """The same moment with other values of variables. Its past is not part of it."""
    program, buffer = state.game.program, state.buffer.copy()
    known = {each.name: each for each in program.layout.variables if not each.remembers}
    for name, value in values.items():
        if name not in known:
            hint = did_you_mean(name, known) or f"there is {', '.join(sorted(known))}"
            raise KeyError(f"there is no variable `{name}`: {hint}")
        _set(program, buffer, known[name], value)
    return State(state.game, buffer, state.seed, None, None, ())


def _set(program: Program, m: list[int], variable: VariableLayout, value: Any) -> None:
    """A value, or by their keys the values of entries."""
    if variable.type.sort == "kind" or any(i.type.sort == "kind" for i in variable.indexes):
        raise ValueError(f"`{variable.name}` has to do with pieces: use `game.position` for it")
    entries: list[tuple[int, Any]] = [(0, value)]
    span = variable.size
    for index in variable.indexes:
        keys: list[Key] = index_keys(program, index)
        span //= index.size
        inner: list[tuple[int, Any]] = []
        for start, each in entries:
            if not isinstance(each, Mapping):
                each = dict(zip(keys, each, strict=True))  # in order, as a list
            for key, entry in each.items():
                if key not in keys:
                    raise KeyError(f"`{variable.name}` has no entry {key!r}; there is {keys}")
                inner.append((start + keys.index(key) * span, entry))
        entries = inner
    for number, each in entries:
        m[variable.address + number] = _number(program, variable, each)


def _number(program: Program, variable: VariableLayout, value: Any) -> int:
    type_ = variable.type
    for number in _numbers(program, type_, value):
        meaning = python_value(program, type_, number)
        if meaning == value and isinstance(meaning, bool) == isinstance(value, bool):
            return number
    raise ValueError(f"`{variable.name}` cannot be {value!r}: it is {type_}")


def _numbers(program: Program, type_: Type, value: Any) -> range | list[int]:
    """The numbers that may mean a value of some type."""
    if value is None:
        return [type_.none] if type_.optional else []
    match type_.sort:
        case "int":
            inside = isinstance(value, int) and type_.low <= value <= type_.high
            return [value] if inside else []
        case "bool":
            return range(2)
        case "player":
            return range(program.players)
        case "board":
            return range(len(program.boards[type_.name].cells))
        case "direction":
            return range(len(program.boards[type_.name].directions))
        case "enum" | "table":
            return range(len(program.enums[type_.name]))
        case _:
            return []
