"""Where a table may begin, and what is kept of it: positions of scenarios, scenarios, records."""

from __future__ import annotations

import tempfile
from pathlib import Path

from interpreter.embedding import State
from interpreter.reading import Rules, read_rules
from interpreter.record import Recorder
from interpreter.report.problem import RulesError
from interpreter.scenario import position_of
from interpreter.scenario_text import all_taken, scenario_lines, whole_expectations
from interpreter.variants import Variant


def scenario_names(rules: Rules) -> list[str]:
    return [each.title for each in rules.scenarios]


def scenario_start(file: str, title: str, seed: int) -> State:
    """The position a scenario comes to. Raises RulesError."""
    rules = read_rules(file)
    for each in rules.scenarios:
        if each.title == title:
            return position_of(rules, each, seed)
    raise RulesError(rules.problems.items())


def scenario_text(state: State, title: str) -> str:
    """All that was decided, and what chance brought, as a scenario that passes."""
    game = state.game
    assert game.rules is not None
    path: list[State] = []
    here: State | None = state
    while here is not None:
        path.append(here)
        here = here.previous
    taken = list(all_taken(reversed(path)))
    variant = Variant(game.players, game.options)
    then = whole_expectations(state)
    lines = scenario_lines(game.rules, title, variant, taken, then, forced=False)
    return "\n".join(lines) + "\n"


def record_text(state: State) -> str:
    """The record of a game that `rulerun replay` takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record"
        with Recorder.create(path, state.game, state.seed) as recorder:
            for seat, option in state.history():
                recorder.append(seat, option.text)
            if state.is_over:
                recorder.finish(state)
        return path.read_text(encoding="utf-8")
