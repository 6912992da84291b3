"""What a choice leads to, shown before it is made.

It is worked out from what the seat sees and nothing else: states are imagined that look the same to
it, and only what comes out the same in all of them is shown. So neither the picture nor its absence
can tell anything that is hidden.
"""

from __future__ import annotations

import json
from typing import Any

from interpreter.breakdown import PlayError
from interpreter.embedding import State
from interpreter.imagination import Imaginer
from interpreter.option import IllegalOption
from interpreter.scene import scene_of
from interpreter.view.taking_back import hides_anything

_IMAGINED = 3  # states
_STEPS = (
    40  # decisions tried out to tell a game again; if that is too few, nothing is shown wrongly
)
_UNKNOWN: dict[str, Any] = {"final": False, "scene": None}


def foreseen(state: State, seat: int, text: str) -> dict[str, Any]:
    """The scene after a choice, if it is certain; and whether the choice would be final, because
    something is drawn or shown by it."""
    view = state.view(seat)
    scenes: set[str] = set()
    imaginer = Imaginer(state.game, view)
    for seed in range(_IMAGINED if hides_anything(state.game.program) else 1):
        here = imaginer.within(seed, _STEPS).state
        if seat not in here.seats_to_act:
            return _UNKNOWN
        try:
            after = here.apply(text, seat)
        except (IllegalOption, PlayError):
            return _UNKNOWN
        if not after.can_undo:
            return {"final": True, "scene": None}
        scene = scene_of(after, seat)
        scene["decision"] = None
        scenes.add(json.dumps(scene, separators=(",", ":")))
    return {"final": False, "scene": scenes.pop() if len(scenes) == 1 else None}
