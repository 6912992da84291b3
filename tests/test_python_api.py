"""The door for other programs: what PYTHON.md says is run, and views are the same as before."""

import doctest
import inspect
import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Rulerun

import interpreter
from interpreter import embedding
from interpreter import state as moment
from interpreter.bots.bot import Stream, Thinker, random_bot
from interpreter.cli.jsonl import MOST_BYTES, Table
from interpreter.embedding import Game, State
from interpreter.play import knowledge
from interpreter.program.layout import SEALING, STATUS
from interpreter.reading import read_rules
from interpreter.view import typed
from interpreter.view.places import places
from interpreter.view.view import _variables

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "interpreter" / "PYTHON.md").read_text(encoding="utf-8")
RULESETS = sorted((ROOT / "rulesets").rglob("*.rules"))
SCHEMAS = {
    name: json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    for name in ("jsonl", "view")
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_example_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    assert len(blocks("python")) > 5
    for block in blocks("python"):
        exec(compile(block, "PYTHON.md", "exec"), names)


def test_all_names_of_the_door_are_on_the_page() -> None:
    assert [name for name in interpreter.__all__ if not re.search(rf"\b{name}\b", PAGE)] == []


# ---- texts and types for editors

DOOR = [(name, getattr(interpreter, name)) for name in interpreter.__all__ if name != "HIDDEN"]


def test_every_example_in_a_text_of_the_door_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """All go on from the game in the text of `embedding.py`."""
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=flags)
    told = doctest.DocTestParser().get_doctest(embedding.__doc__ or "", names, "start", None, 0)
    assert runner.run(told, clear_globs=False).attempted > 4
    tried: dict[str, int] = {}
    modules = {sys.modules[thing.__module__] for _, thing in DOOR} | {moment, typed}
    for module in sorted(modules, key=lambda each: each.__name__):
        for test in doctest.DocTestFinder(exclude_empty=True).find(module, globs={}):
            if test.name != embedding.__name__:
                test.globs.update({**told.globs, **vars(module), **told.globs})
                tried[test.name] = runner.run(test).attempted
    assert runner.summarize(verbose=False).failed == 0
    assert sum(count > 0 for count in tried.values()) > 30


@pytest.mark.parametrize("name, thing", DOOR, ids=[name for name, _ in DOOR])
def test_everything_of_the_door_has_a_text(name: str, thing: Any) -> None:
    assert inspect.getdoc(thing), name
    for member, value in vars(thing).items() if isinstance(thing, type) else ():
        if not member.startswith("_") and (callable(value) or isinstance(value, property)):
            assert (value.__doc__ or "").strip(), f"{name}.{member} has no text"


USER = """
import interpreter
from interpreter import Estimate, Game, Option, Piece, Place, State, View

game: Game = interpreter.load("rulesets/classics/goofspiel.rules", players=3, options={"cards": 5})
state: State = game.start(seed=1, explicit_chance=False)
while not state.is_over:
    seat: int = state.seats_to_act[0]
    options: list[Option] = state.options(seat)
    state = state.apply(options[0], seat)
scores: tuple[int, ...] = state.scores
winners: tuple[int, ...] = state.winners
view: View = game.start(seed=1).view(0)
prize: Place = view["prize"]
piece: Piece = prize[0]
names: tuple[str | None, ...] = prize.names
hidden: bool = view["winner"] is interpreter.HIDDEN
phase: str = view.phase
turn: int | None = view.turn
best: Estimate = interpreter.search(game, view, games=10)[0]
value: float = best.value
imagined: State = interpreter.imagine(game, view, seed=1)
log: list[str] = imagined.log(0)
data: bytes = imagined.save()
same: bool = game.restore(data) == imagined
arguments: dict[str, int | str] = best.option.arguments
outcomes: list[tuple[int, int]] = [(o.weight, o.total) for o in state.chance_outcomes()]
text: int = state.view(0).phase  # this one is wrong, and the only one
"""


def test_a_program_that_uses_the_door_is_typed(tmp_path: Path) -> None:
    """Strictly, by what is told to editors; a wrong type is noticed, so it is no `Any`."""
    assert (ROOT / "interpreter" / "py.typed").is_file()
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--follow-imports"]
    cache = [
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
        "--config-file",
        str(ROOT / "pyproject.toml"),
    ]
    done = subprocess.run(
        [*command, "silent", *cache, str(tmp_path / "user.py")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    wrong = USER.count("\n", 0, USER.index("text: int")) + 1
    (told,) = done.stdout.splitlines()
    assert f"user.py:{wrong}: error: Incompatible types in assignment" in told


# ---- views


def some_states(game: Game, seed: int, most: int, every: int) -> list[State]:
    rnd, state, found = random.Random(seed), game.start(seed), []
    for number in range(most):
        if number % every == 0 or state.is_over:
            found.append(state)
        if state.is_over:
            break
        seat = rnd.choice(state.seats_to_act)
        state = state.apply(rnd.choice(state.options(seat)), seat)
    return found


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_a_view_read_from_what_is_masked_tells_what_the_state_tells(path: Path) -> None:
    """What a seat sees is not changed by taking away what it does not see."""
    game = interpreter.load(path, read_rules(path).players[0])
    for state in some_states(game, 1, 120, 30):
        for seat in (*range(game.players), None):
            view, m = state.view(seat), state.buffer
            if m[STATUS] == SEALING and seat is not None:
                m = game.machine.sealed_view(m, seat)
            viewer = knowledge.SPECTATOR if seat is None else seat
            assert list(view.places) == places(game.program, m, viewer)
            assert list(view.variables) == _variables(game.program, m, viewer)
            for name in view.names:
                assert view[name] is not NotImplemented


def test_a_view_does_not_hold_the_state() -> None:
    game = interpreter.load(ROOT / "rulesets" / "payDirt.rules", 3)
    state = some_states(game, 1, 60, 59)[-1]
    view = state.view(0)
    seen = [getattr(view, name) for name in view.__slots__]
    assert not any(each is state or each is state.buffer for each in seen)
    assert view.masked != tuple(state.buffer)


def test_hidden_values_are_no_conditions() -> None:
    text = "\n".join(
        [
            'game "Thoughts"',
            "players 2",
            "each player has",
            "    thought: 0..9, secret",
            "play",
            "    for each p in players",
            "        p chooses n in 0..9",
            "        p.thought := n",
        ]
    )
    state = interpreter.load_text(text).start().apply("choose(n: 4)")
    assert state.view(0)["thought"] == {0: 4, 1: interpreter.HIDDEN}
    with pytest.raises(ValueError, match="hidden from the seat"):
        assert state.view(1)["thought"][0]


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"mony": 1}, "there is no variable `mony`: Did you mean `money`"),
        ({"money": {9: 1}}, "has no entry 9"),
        ({"headMiner": "P1"}, "cannot be 'P1': it is Player"),
        ({"lastRound": 1}, "cannot be 1: it is yes or no"),
        ({"driving": [0, 0, 0]}, "cannot be 0"),
    ],
)
def test_values_that_cannot_be(values: dict[str, Any], error: str) -> None:
    state = interpreter.load(ROOT / "rulesets" / "payDirt.rules", 3).start()
    with pytest.raises((KeyError, ValueError), match=re.escape(error)):
        state.with_values(values)


def test_lines_that_cannot_be() -> None:
    game = interpreter.load(ROOT / "rulesets" / "payDirt.rules", 3)
    with pytest.raises(interpreter.RulesError, match="moni"):
        game.position("P1.moni := 3")
    with pytest.raises(KeyError, match="no scenario"):
        game.scenario("nothing like it")


# ---- JSON lines


def spoken(game: Game, requests: list[Any], seats: frozenset[int], seed: int = 1) -> list[Any]:
    """The answers to some requests; all must be as the schemas say."""
    bots = {s: (random_bot, Stream(seed, s)) for s in range(game.players) if s not in seats}
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in requests]
    sent: list[str] = []
    Table(game.start(seed), seats, bots).serve(io.BytesIO(b"\n".join(lines) + b"\n"), sent.append)
    answers = [json.loads(line) for line in sent]
    for answer in answers:
        jsonschema.validate(answer, SCHEMAS["jsonl"])
        if answer["type"] == "view":
            plain = {name: answer[name] for name in answer if name not in ("type", "id")}
            jsonschema.validate(plain, SCHEMAS["view"])
    return answers


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_games_are_played_in_json_lines(path: Path) -> None:
    game = interpreter.load(path, read_rules(path).players[0])
    moves = [{"do": "wait", "id": 7}, *[{"do": "choose", "option": 0}] * 5, {"do": "view"}]
    answers = spoken(game, [*moves, {"do": "log"}, {"do": "quit"}], frozenset({0}))
    assert answers[0]["type"] == "hello" and answers[-1]["type"] == "bye"
    assert answers[1]["id"] == 7
    assert len(answers) == 10


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (b"nonsense", "notJson"),
        (b"\xff", "notJson"),
        (b"[]", "notJson"),
        (b"[" * 60_000, "notJson"),
        ({"do": "dance"}, "unknownRequest"),
        ({"do": ["wait"]}, "unknownRequest"),
        ({"do": "choose"}, "badRequest"),
        ({"do": "choose", "option": 99}, "notOffered"),
        ({"do": "choose", "option": "fly"}, "notOffered"),
        ({"do": "view", "seat": 1}, "notYourSeat"),
        ({"do": "choose", "option": 0, "seat": True}, "notYourSeat"),
        (b" " * (MOST_BYTES + 1), "tooLong"),
    ],
)
def test_what_is_wrong_is_answered(request_: Any, code: str) -> None:
    game = interpreter.load(ROOT / "rulesets" / "classics" / "kuhnPoker.rules")
    assert spoken(game, [{"do": "wait"}, request_], frozenset({0}))[-1]["code"] == code


def test_a_bot_goes_first() -> None:
    game = interpreter.load(ROOT / "rulesets" / "classics" / "ticTacToe.rules")
    answers = spoken(game, [{"do": "options"}, {"do": "wait"}], frozenset({1}))
    assert answers[1]["code"] == "notAsked" and answers[2]["type"] == "turn"


def test_lines_tell_nothing_hidden() -> None:
    """Two deals that look the same to a seat are the same lines to it."""
    game = interpreter.load(ROOT / "rulesets" / "classics" / "kuhnPoker.rules")
    asked = [{"do": "wait"}, {"do": "view"}, {"do": "log"}, {"do": "view", "seat": None}]
    by_view: dict[str, set[str]] = {}
    held: set[tuple[int, ...]] = set()
    for seed in range(24):
        state = game.start(seed)
        told = json.dumps(spoken(game, asked, frozenset({0}), seed))
        by_view.setdefault(json.dumps(state.view(0).as_data()), set()).add(told)
        held.add(tuple(state.buffer))
    assert len(held) > len(by_view) == 3
    assert all(len(each) == 1 for each in by_view.values())


def test_programs_can_have_the_same_game_again(
    rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots count games, also if somebody looks on at a terminal."""
    lines = '{"do":"wait"}\n' + '{"do":"choose","option":0}\n' * 30
    given = ("play", "pig", "--jsonl", "--seed", "7", "--option", "goal=20")
    first = rulerun(*given, stdin=lines)
    assert first.code == 0 and '"type":"over"' in first.out
    monkeypatch.setattr("interpreter.cli.play.is_terminal", lambda: True)
    monkeypatch.setattr("interpreter.cli.seated.is_terminal", lambda: True)
    assert rulerun(*given, stdin=lines).out == first.out
    seated: list[Any] = []
    monkeypatch.setattr("interpreter.cli.play._serve", lambda *table: seated.append(table[3]) or 0)
    assert rulerun(*given).code == 0
    (bot,) = seated[0].values()
    assert isinstance(bot.bot, Thinker) and bot.bot.budget.games > 0


def test_the_bot_on_the_page(tmp_path: Path) -> None:
    command = tmp_path / "rulerun"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m interpreter "$@"\n')
    command.chmod(0o755)
    (tmp_path / "bot.sh").write_text(blocks("sh")[0])
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", tmp_path / "bot.sh", "hearts"],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["type"] == "over", done.stderr
