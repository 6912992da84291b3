"""What a choice leads to is shown when it is certain, and never in a way that tells something."""

from __future__ import annotations

import json
from pathlib import Path

import interpreter
from interpreter.scene import scene_of
from interpreter.table.foresight import foreseen

ROOT = Path(__file__).resolve().parent.parent

# Two doors, and behind one of them, which nobody sees, a goat that gives itself away.
DOORS = """game "Doors"
players 2

kind Door: goat, car

the game has
    behind: stack of Door, holds all
    seen: row of Door
    knocks: int

setup
    shuffle behind

action knock "knock"
    knocks += 1

action open "open"
    draw 1 from behind to seen

play
    repeat 2 times
        for each p in players
            p chooses knock or open

score p: 0
"""


def test_an_open_choice_shows_the_table_after_it() -> None:
    state = interpreter.load(ROOT / "rulesets" / "classics" / "chess.rules").start(1)
    option = state.options(0)[0]
    found = foreseen(state, 0, option.text)
    after = scene_of(state.apply(option, 0), 0)
    assert found["final"] is False
    assert json.loads(found["scene"]) == json.loads(json.dumps(after)) | {"decision": None}


def test_what_draws_is_final_and_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "doors.rules"
    path.write_text(DOORS, encoding="utf-8")
    state = interpreter.load(path).start(1)
    assert foreseen(state, 0, "open") == {"final": True, "scene": None}
    knocked = foreseen(state, 0, "knock")
    assert not knocked["final"] and knocked["scene"] is not None


def test_what_is_not_offered_shows_nothing() -> None:
    state = interpreter.load(ROOT / "rulesets" / "classics" / "chess.rules").start(1)
    assert foreseen(state, 0, "nonsense") == {"final": False, "scene": None}
    assert foreseen(state, 1, state.options(0)[0].text) == {"final": False, "scene": None}
