"""Where a table may begin, and what is kept of it: positions of scenarios, scenarios, records."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from interpreter import limits
from interpreter.embedding import State
from interpreter.play.chance import seed_key
from interpreter.position import from_scenario
from interpreter.program.layout import KEY
from interpreter.reading import read_rules
from interpreter.record import Recorder
from interpreter.scenario_text import all_taken, scenario_lines, whole_expectations
from interpreter.table.wire import Refused
from interpreter.variants import Variant

_ENDING = ".scenarios"
_INCLUDE = re.compile(r'^include "([^"\n]+)"', re.MULTILINE)


def scenario_files(file: str) -> list[Path]:
    """Where scenarios of a game stand: in its rules, and in files beside them that include it."""
    rules = Path(file).resolve()
    found = [rules]
    for each in sorted(rules.parent.glob(f"*{_ENDING}")):
        if each.is_file():
            with open(each, encoding="utf-8", errors="replace") as opened:
                names = _INCLUDE.findall(opened.read(limits.SOURCE_BYTES))
            if any((each.parent / name).resolve() == rules for name in names):
                found.append(each)
    return found


def scenario_names(file: str) -> list[str]:
    """Titles of all scenarios, each once, in their order."""
    titles = (each.title for path in scenario_files(file) for each in read_rules(path).scenarios)
    return list(dict.fromkeys(titles))


def scenario_start(file: str, title: str, seed: int) -> State:
    """The position a scenario comes to. Raises RulesError, or Refused if there is none."""
    for path in scenario_files(file):
        rules = read_rules(path)
        if any(each.title == title for each in rules.scenarios):
            state = from_scenario(rules, title, explicit_chance=False, played=True)
            m = state.buffer.copy()
            m[KEY] = seed_key(seed)  # from now on, chance comes by the seed of the table
            return State(state.game, m, seed, None, None, ())
    raise Refused(f"There is no scenario `{title}` any more.")


def scenario_addition(file: str, text: str) -> tuple[Path, str]:
    """The file a new scenario goes to, and what is to be added there."""
    rules = Path(file)
    path = rules.with_suffix(_ENDING)
    head = "" if path.exists() else f'include "{rules.name}"\n'
    return path, f"{head}\n{text}"


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
