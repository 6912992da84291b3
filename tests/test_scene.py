"""The description of a table that every face draws from: it fits its schema, and what options are
about can be found in it."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import interpreter
from interpreter.embedding import Game
from interpreter.scene import plan_of, scene_of

ROOT = Path(__file__).resolve().parent.parent
RULESETS = sorted((ROOT / "rulesets").rglob("*.rules"))
_MOVES = 40
_EVERY = 8


@cache
def _schema() -> Any:
    schema = json.loads((ROOT / "schemas" / "scene.schema.json").read_text())
    return jsonschema.Draft202012Validator(schema)


def _fits(data: dict[str, Any]) -> None:
    again = json.loads(json.dumps(data))
    part = "plan" if data["schema"] == "rulerun/plan@1" else "scene"
    _schema().evolve(schema={**_schema().schema, "oneOf": [{"$ref": f"#/$defs/{part}"}]}).validate(
        again
    )


def _ids(scene: dict[str, Any]) -> set[str]:
    things = [t for board in scene["boards"] for cell in board["cells"] for t in cell["things"]]
    things += [t for area in scene["areas"] for place in area["places"] for t in place["things"]]
    return {thing["id"] for thing in things}


def _look(game: Game, state: interpreter.State) -> None:
    plan = plan_of(game)
    for seat in (None, *range(game.players)):
        scene = scene_of(state, seat)
        _fits(scene)
        ids = _ids(scene)
        for option in (scene["decision"] or {"options": []})["options"]:
            for each in option["about"]:
                if each["sort"] == "piece":
                    assert each["id"] in ids, f"{option['text']}: nobody sees {each['id']}"
                if each["sort"] == "cell":
                    assert each["cell"] < len(plan["boards"][each["board"]]["cells"])


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_plans_and_scenes_fit_the_schema(path: Path) -> None:
    game = interpreter.load(path)
    _fits(plan_of(game))
    choose = random.Random(1)
    state = game.start(seed=1)
    for move in range(_MOVES):
        if state.is_over:
            break
        if move % _EVERY == 0:
            _look(game, state)
        seat = state.seats_to_act[0]
        state = state.apply(choose.choice(state.options(seat)), seat)
    _look(game, state)


_HIDING = """\
game "Peep"
players 2

kind Card: rank in 1..4

the game has
    deck: stack of Card, holds all

each player has
    hand: hand of Card
    shown: slot of Card
    coins: 0..9
    best: int or none

setup
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand

play
    for each p in players
        p chooses card in p.hand "show {card}"
        move card to p.shown
    end game

score p: p.coins
"""


def test_numbers_are_numbers_and_what_is_hidden_says_nothing() -> None:
    game = interpreter.load_text(_HIDING)
    state = game.start(seed=1)
    own, other = scene_of(state, 0), scene_of(state, 1)
    hands = {place["id"]: place for area in own["areas"] for place in area["places"]}
    assert [thing["row"] for thing in hands["P2.hand"]["things"]] == [None, None]
    assert all(thing["row"] for thing in hands["P1.hand"]["things"])
    values = {value["id"]: value["value"] for area in own["areas"] for value in area["values"]}
    assert values["coins[P1]"] == 0 and values["best[P2]"] is None
    assert other["decision"] is None and len(own["decision"]["options"]) == 2
    assert plan_of(game)["members"]["coins"]["show"] == "track"


def test_the_first_seat_is_seen_on_a_board() -> None:
    """Its number is 0, which is not nothing."""
    state = interpreter.load(ROOT / "rulesets/classics/ticTacToe.rules").start(seed=1)
    state = state.apply(state.options(0)[0], 0)
    (board,) = scene_of(state, None)["boards"]
    things = [thing for cell in board["cells"] for thing in cell["things"]]
    assert [thing["value"] for thing in things] == [0]
