"""Every byte a table sends to a seat is the same when what the seat cannot know is exchanged.

Twins (interpreter/prove) are two games that one viewer cannot tell apart. Both are played at a
table of the same name, and all that this viewer's connection is sent is compared, in its order.
"""

import random
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.embedding import Game, State
from interpreter.prove.twins import Leak, Pair, beginning, next_pair
from interpreter.table.desk import Desk
from interpreter.table.effects import Ask, Send
from interpreter.table.foresight import foreseen
from interpreter.table.sheet import Sheet
from interpreter.table.table import Table
from interpreter.table.tokens import hashed
from interpreter.table.wire import SPECTATOR, encoded

ROOT = Path(__file__).resolve().parent.parent
GAMES = [
    "rulesets/dinosaurRush.rules",
    "rulesets/gaagaaGo.rules",
    "rulesets/nozoku.rules",
    "rulesets/payDirt.rules",
    "rulesets/queenRun.rules",
    "tests/cases/tables/sealed.rules",
]
ROUNDS, SLOW_ROUNDS = 12, 120
_ASKED = 3  # choices that are looked at beforehand
Data = dict[str, Any]


class Captured:
    """A table at which one viewer sits, and the bytes that are sent there."""

    def __init__(self, game: Game, viewer: int | None) -> None:
        self.viewer = SPECTATOR if viewer is None else viewer
        seats = ("person",) * game.players
        keys = {role: hashed(str(role)) for role in (*range(game.players), SPECTATOR)}
        sheet = Sheet("table", "file", game.players, {}, seats, 7, "salt", keys)
        self.table, self.desk = Table(sheet), Desk()
        self.bytes: list[str] = []
        self.told: State | None = None

    def begin(self, state: State) -> None:
        hello = {"type": "hello", "token": str(self.viewer)}
        self._take(self.table.receive(1, hello, 0.0))
        asked = {"viewers": [self.viewer], "persons": list(range(len(self.table.sheet.seats)))}
        told = self.desk.told(state, asked, whole=True)
        self._take(self.table.answered({**told, "title": "", "plan": "{}"}, 0.0))
        self.told = state

    def go_on(self, state: State) -> None:
        """Each stop on the way is what a decision at the table leads to."""
        way: list[State] = []
        here: State | None = state
        while here is not None and here is not self.told:
            way.append(here)
            here = here.previous
        since = 0
        for each in reversed(way):
            since += 1
            if each.is_chance:
                continue
            self._decided(each, since)
            since = 0
        self.told = state

    def _decided(self, state: State, since: int) -> None:
        seat, option = state.decision or (0, "")
        asking = seat if seat >= 0 else 0
        self.table._wait("move", 0, -9, None, seat=asking, option=str(option))
        (effect,) = self.table._pump(0.0)
        assert isinstance(effect, Ask)
        told = self.desk.told(state, effect.request, fresh=since)
        for view in told["views"].values():
            view["chunks"] = [[line for chunk in view["chunks"] for line in chunk]]
        self._take(self.table.answered({**told, "taken": str(option)}, 0.0))

    def _take(self, effects: list[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Send) and 1 in effect.to:
                self.bytes.append(encoded(effect.message))


@pytest.mark.parametrize("name", GAMES)
def test_no_byte_tells_what_a_seat_cannot_know(name: str) -> None:
    assert _compared(name, ROUNDS, 1) > 3


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_byte_tells_in_longer_games_either(name: str) -> None:
    assert all(_compared(name, SLOW_ROUNDS, seed) for seed in range(2, 8))


def _compared(name: str, rounds: int, seed: int) -> int:
    """So many messages were compared."""
    game = interpreter.load(ROOT / name)
    rnd = random.Random(seed)
    viewer = None if seed % 4 == 3 else seed % game.players
    pair = _begun(game, viewer, rnd)
    one, two = Captured(game, viewer), Captured(game, viewer)
    one.begin(pair.first)
    two.begin(pair.second)
    for _ in range(rounds):
        if pair.first.is_over:
            break
        found = next_pair(pair, rnd)
        assert not isinstance(found, Leak), found
        if found is None:  # the rules have disclosed something: nothing more can be said of them
            break
        pair = found
        one.go_on(pair.first)
        two.go_on(pair.second)
        assert one.bytes == two.bytes
        _foreseen_alike(pair, viewer)
    return len(one.bytes)


def _foreseen_alike(pair: Pair, viewer: int | None) -> None:
    """What a choice would lead to, and whether it would be final, is asked before it is made."""
    if viewer is None or viewer not in pair.first.seats_to_act or pair.first.is_over:
        return
    for option in pair.first.options(viewer)[:_ASKED]:
        one, two = (foreseen(state, viewer, option.text) for state in (pair.first, pair.second))
        assert one == two, option.text


def _begun(game: Game, viewer: int | None, rnd: random.Random) -> Pair:
    for _ in range(20):
        pair = beginning(game, viewer, rnd)
        if pair is not None:
            return pair
    raise AssertionError("no twins")


def test_the_capture_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a table told everybody what one seat sees, the comparison would find out."""
    told = Desk.told

    def leaking(self: Desk, state: State, request: Data, **more: Any) -> Data:
        found = told(self, state, request, **more)
        everything = repr(state.buffer)
        for view in found["views"].values():
            view["scene"] = replace_end(view["scene"], everything)
        return found

    monkeypatch.setattr(Desk, "told", leaking)
    with pytest.raises(AssertionError):
        for seed in range(1, 20):
            _compared(GAMES[-1], ROUNDS, seed)


def replace_end(scene: str, told: str) -> str:
    return f'{scene[:-1]},"leak":"{told}"}}'
