"""Native code does exactly what the reference machine does, whatever the number of threads."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from differential import RULESETS, Difference, compare, compare_variant, variants_of
from invented import ruleset

from interpreter.embedding import load, load_text
from interpreter.pipeline import build as build_program
from interpreter.play.machine import Machine
from interpreter.play.native import build
from interpreter.play.native.engine import Engine
from interpreter.program.layout import DECISION, MOVES, OVER, STATUS, STEPS
from interpreter.reading import read_text

pytest.importorskip("llvmlite")

CLASSICS = [path for path in RULESETS if path.parent.name == "classics"]
GAMES = [path for path in RULESETS if path.parent.name != "classics"]


def counts(path: Path) -> range:
    rules = load(path).rules
    assert rules is not None
    return range(rules.players[0], rules.players[1] + 1)


@pytest.mark.parametrize("path", CLASSICS, ids=lambda path: path.stem)
def test_classics_are_played_the_same(path: Path) -> None:
    players = counts(path)
    for number in {players[0], players[-1]}:
        program = load(path, number).program
        compare(program, Engine(program, cached=False, level=2 if number == players[0] else 0), 5)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_games_are_played_the_same(path: Path) -> None:
    """Unoptimised, because compiling takes longer than playing."""
    program = load(path, counts(path)[0]).program
    compare(program, Engine(program, cached=False, level=0), 2)


@pytest.mark.slow
@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_everything_is_played_the_same(path: Path) -> None:
    for variant in variants_of(path):
        compare_variant(path, variant, 200)


class _Wrong(Engine):
    """Does the seventh move of each game a little differently."""

    def take(self, m: Any, choice: tuple[int, ...], seat: int | None = None) -> None:
        super().take(m, choice, seat)
        m[STEPS] += m[MOVES] == 7


def test_a_difference_is_noticed() -> None:
    path = next(path for path in CLASSICS if path.stem == "connectFour")
    program = load(path).program
    with pytest.raises(Difference, match=rf"seed 5, decision 7: state: .*\[{STEPS}\] \d+ / \d+$"):
        compare(program, _Wrong(program, cached=False, level=0), 3, first=5)


# ---- the corpora of other tests: every construct of the language, every failure

CASES = Path(__file__).parent / "cases"
MANUAL = Path(__file__).parents[1] / "rulesets" / "LANGUAGE.md"
FENCE = re.compile(r"^```([a-z ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "path", sorted((CASES / "fragments").glob("*.rules")), ids=lambda path: path.stem
)
def test_fragments_are_played_the_same(path: Path) -> None:
    program = load(path).program
    compare(program, Engine(program, cached=False, level=0), 5)


@pytest.mark.parametrize(
    "path", sorted((CASES / "failures").glob("*.rules")), ids=lambda path: path.stem
)
def test_failures_are_the_same(path: Path) -> None:
    program = load(path).program
    tally = compare(program, Engine(program, cached=False, level=1), 2, first=7)
    assert tally.failures


def test_games_of_the_manual_are_played_the_same(tmp_path: Path) -> None:
    text = MANUAL.read_text(encoding="utf-8")
    games = []
    for number, (language, body) in enumerate(FENCE.findall(text)):
        name = re.match(r"# (\w+\.yaml)\n", body)
        if language == "yaml" and name is not None:
            (tmp_path / name[1]).write_text(body, encoding="utf-8")
        elif language == "rules":
            games.append(tmp_path / f"game{number}.rules")
            games[-1].write_text(body, encoding="utf-8")
    assert games
    for path in games:
        program = load(path).program
        compare(program, Engine(program, cached=False, level=0), 5)


# ---- what invented rulesets have found

TRIED_IN_ORDER = """game "Passing is tried last"
players 2
board Grid: square 2 by 2
kind Cube: red 2
the game has
    die: 1..6
    supply: pool of Cube, holds all
each player has
    gold: int
    cubes: pool of Cube
each Grid has
    mark: Player or none
action dice(n in 1..3)
    roll die
action take(n in 1..3)
    when every(x in Grid has x.mark is none)
    move 2 of red from supply to me.cubes
procedure act(p: Player)
    p may choose dice or take
play
    repeat 3 times
        for each p in players
            act(p)
            if can (act(p))
                p.gold += 1
    end game
"""
NEVER_REACHED = """game "Nothing is reached behind this"
players 2
board Grid: square 2 by 2
each Grid has
    mark: Player or none
    height: int
play
    for each p in players
        p chooses c in Grid where c.mark is none
        c.mark := p
        for each d at n in Grid while 0 = 1
            d.height := n
            if d.mark is none
                d.height += 1
    end game
"""


@pytest.mark.parametrize("text", [TRIED_IN_ORDER, NEVER_REACHED], ids=["order", "jump"])
def test_what_was_found_is_played_the_same(text: str) -> None:
    program = load_text(text).program
    compare(program, Engine(program, cached=False, level=0), 10)


# ---- loops


@pytest.fixture(scope="module")
def connect_four() -> Engine:
    path = next(path for path in CLASSICS if path.stem == "connectFour")
    return Engine(load(path).program, cached=False)


def test_threads_do_not_matter(connect_four: Engine) -> None:
    seeds = range(3000)
    alone = connect_four.playouts(seeds)
    assert alone == connect_four.playouts(seeds, threads=2)
    assert alone == connect_four.playouts(seeds, threads=7)


def test_many_states_step_like_one(connect_four: Engine) -> None:
    machine = Machine(connect_four.program)
    seeds = range(700)
    rnd = random.Random(1)
    states = connect_four.start_many(seeds, threads=2)
    single = [machine.start(seed) for seed in seeds]
    for _ in range(20):
        counts = connect_four.count_options(states, threads=2)
        options = [machine.options(m) for m in single]
        assert list(counts) == [len(each) for each in options]
        live = [n for n, m in enumerate(single) if m[STATUS] == DECISION]
        picks = [rnd.randrange(count) if count else -1 for count in counts]
        errors = connect_four.take_many(states, picks, threads=2)
        for number in live:
            machine.take(single[number], options[number][picks[number]])
        assert not any(errors)
        for number in live[::50]:
            row = states[number * connect_four.size : (number + 1) * connect_four.size]
            assert list(row) == single[number]


def test_a_playout_goes_on_from_any_state(connect_four: Engine) -> None:
    m = connect_four.start(3)
    connect_four.take(m, connect_four.options(m)[2])
    connect_four.playout(m, 5)
    assert m[STATUS] == OVER


# ---- the cache


def test_code_is_kept_and_damage_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULERUN_CACHE", str(tmp_path))
    program = load(next(path for path in CLASSICS if path.stem == "nim")).program
    expected = Engine(program, level=0).playouts(range(10))
    (kept,) = tmp_path.glob("*.o")

    def refuse(*_: Any) -> bytes:
        raise AssertionError("compiled again")

    with monkeypatch.context() as patch:
        patch.setattr(build, "compile_program", refuse)
        assert Engine(program, level=0).playouts(range(10)) == expected
    data = bytearray(kept.read_bytes())
    data[len(data) // 2] ^= 1
    kept.write_bytes(bytes(data))
    assert Engine(program, level=0).playouts(range(10)) == expected
    assert kept.read_bytes() != bytes(data)


@pytest.mark.parametrize("trap", ["folder", "file", "link", "another's"])
def test_code_that_others_can_change_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str
) -> None:
    monkeypatch.setenv("RULERUN_CACHE", str(tmp_path / "native"))
    nim, pig = (load(p).program for p in CLASSICS if p.stem in ("nim", "pig"))
    Engine(nim, level=0)
    (kept,) = (tmp_path / "native").glob("*.o")
    assert build.is_kept(nim, 0)
    if trap == "folder":
        kept.parent.chmod(0o777)
    elif trap == "file":
        kept.chmod(0o666)
    elif trap == "link":
        kept.rename(tmp_path / "elsewhere")
        kept.symlink_to(tmp_path / "elsewhere")
    else:  # whole code, but of another program
        code = kept.read_bytes()
        kept.unlink()
        Engine(pig, level=0)
        (other,) = (tmp_path / "native").glob("*.o")
        kept.write_bytes(other.read_bytes())
        assert kept.read_bytes() != code
    assert not build.is_kept(nim, 0)
    compiled: list[bool] = []
    make = build.compile_program
    monkeypatch.setattr(
        build,
        "compile_program",
        lambda *given, **named: (compiled.append(True), make(*given, **named))[1],
    )
    assert Engine(nim, level=0).playouts(range(5)) == Engine(nim, level=0, cached=False).playouts(
        range(5)
    )
    assert compiled[0], "code was taken that somebody else could have written"


def test_deep_loops_are_not_optimised_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM would take twice as long for each loop around another."""
    value = "1"
    for number in range(16):
        value = f"sum({value} for x{number} in B)"
    program = load_text(
        'game "T"\nplayers 2\nboard B: square 3 by 3\nthe game has\n    v: int\n'
        f"play\n    turns\n        me chooses x in 1..2\n        v := {value}\n"
    ).program
    levels: list[int] = []
    monkeypatch.setattr(build, "compile_text", lambda text, level=2: levels.append(level) or b"")
    build.compile_program(program)
    build.compile_program(load(next(p for p in CLASSICS if p.stem == "connectFour")).program)
    assert levels == [0, 2]


def test_without_llvmlite_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    build.binding.cache_clear()
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(build.NativeError) as caught:
        build.binding()
    assert "\n" not in str(caught.value)
    assert "llvmlite" in str(caught.value)


# ---- for other programs


def test_backends_tell_the_same_results() -> None:
    path = next(path for path in CLASSICS if path.stem == "goofspiel")
    native = load(path, 3, backend="native").playouts(range(6))
    assert native == load(path, 3, backend="reference").playouts(range(6))
    assert native == load(path, 3).playouts(range(6), threads=2)


def test_the_reference_machine_stands_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise build.NativeError(build.MISSING)

    monkeypatch.setattr(build, "binding", missing)
    path = next(path for path in CLASSICS if path.stem == "nim")
    game = load(path, backend="native")
    assert game.native is None
    assert len(game.playouts(range(3))) == 3
    assert capsys.readouterr().err == f"rulerun: {build.MISSING}\n"


# ---- rulesets nobody would play


def invented(numbers: range, level: int) -> int:
    """How many of these rulesets there are; on each both backends agree."""
    played = 0
    for number in numbers:
        rules = read_text(ruleset(number), f"invented{number}.rules")
        program, _ = build_program(rules, rules.players[-1])
        if program is not None:  # else the checker found it out
            compare(program, Engine(program, cached=False, level=level), 5)
            played += 1
    return played


def test_invented_rulesets_are_played_the_same() -> None:
    assert invented(range(12), 0) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_invented_rulesets_are_played_the_same(part: int) -> None:
    assert invented(range(1000 + part * 40, 1040 + part * 40), 2) >= 30


# ---- flat Monte Carlo


def test_tries_find_the_winning_drop(connect_four: Engine) -> None:
    """Three of the first player's discs stand on each other: the fourth wins at once."""
    m = connect_four.start(0)
    for column in (0, 6, 0, 6, 0, 6):
        options = connect_four.options(m)
        connect_four.take(m, min(options, key=lambda choice: abs(choice[1] % 7 - column)))
    tried = connect_four.try_options(m, 200, seed=1)
    assert tried == connect_four.try_options(m, 200, seed=1, threads=7)
    options = connect_four.options(m)
    best = max(range(len(tried)), key=lambda option: tried[option])
    assert options[best][1] % 7 == 0
    assert tried[best] == (1.0, 1.0)


# ---- the command


def test_bench_tells_both_backends() -> None:
    path = str(next(path for path in CLASSICS if path.stem == "nim"))
    told = subprocess.run(
        [sys.executable, "-m", "interpreter", "bench", path, "--secs", "0.05", "--runs", "1",
         "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    data = json.loads(told.stdout)
    assert data["schema"] == "rulerun/bench@1"
    (row,) = data["games"]
    assert row["native"]["playouts"] > row["reference"]["playouts"] > 0
    assert row["copies"] > 0
