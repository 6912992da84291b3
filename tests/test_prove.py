"""Proving: what it finds, how small and how readable that is, and that it finds nothing in vain."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import invented_secrets
import pytest
from secretive import ruleset

from interpreter import state as states
from interpreter.cli.main import run
from interpreter.embedding import Game, State
from interpreter.pipeline import build, check_rules
from interpreter.play import knowledge, ordering, sealed, uct
from interpreter.play.machine import Machine
from interpreter.play.step import Step
from interpreter.program.layout import DECIDED, TOTAL_STEPS
from interpreter.prove import laws
from interpreter.prove.leaks import SORTS, hunt, sort_of
from interpreter.prove.machines import compare_machines
from interpreter.prove.proof import prove
from interpreter.prove.shrink import shrink, size
from interpreter.prove.sight import seen_now
from interpreter.prove.tell import scenarios
from interpreter.prove.vary import varied
from interpreter.reading import read_rules, read_text
from interpreter.report.hints import hint
from interpreter.scenario import run_scenarios
from interpreter.variants import Variant

LEAKS = Path(__file__).parent / "leaks"
CLASSICS = Path(__file__).resolve().parents[1] / "rulesets" / "classics"


def game_of(text: str, players: int | None = None) -> Game:
    rules = read_text(text)
    program, problems = build(rules, rules.players[0] if players is None else players)
    assert program is not None, problems
    return Game(program, rules, "reference")


def leaking(name: str) -> Game:
    return game_of((LEAKS / f"{name}.rules").read_text(encoding="utf-8"))


@pytest.fixture
def blind() -> Iterator[None]:
    """The check refuses most rules that leak; then there would be nothing to prove."""
    with invented_secrets.blind(["offers", "saying"]):
        yield


# ---- the examples of the hint pages

EXAMPLES = [
    pytest.param(code, kind, example, id=f"{code}-{kind}")
    for code in SORTS
    for kind, example in re.findall(
        r"^```rules (wrong|right)\n(.*?)^```$", hint(code) or "", re.M | re.S
    )
]


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize(("code", "kind", "example"), EXAMPLES)
def test_hint_example(code: str, kind: str, example: str) -> None:
    found = prove(read_text(example), Variant(2), 8, 0, native=False).problems
    assert (code in {each.code for each in found}) == (kind == "wrong")


@pytest.mark.parametrize("code", [*SORTS, "RR810", "RR811"])
def test_every_code_has_a_page(code: str) -> None:
    assert hint(code)


# ---- small and readable


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize(
    ("name", "decisions"),
    [("parameter-domain", 4), ("pieceVariable-domain", 4), ("can-when", 4), ("secret-asked", 6)],
)
def test_a_leak_is_told_as_two_scenarios_that_pass(name: str, decisions: int) -> None:
    """And in the smallest way: one hidden thing differs, in as few decisions as there can be."""
    text = (LEAKS / f"{name}.rules").read_text(encoding="utf-8")
    game = game_of(text)
    leaks = [leak for seed in range(4) for leak in hunt(game, 0, seed) if leak.made_up is None]
    leak = shrink(game, min(leaks, key=size), 0)
    _, length, unlike = size(leak)
    assert length <= decisions and unlike <= 2
    told = scenarios(read_text(text), leak, Variant(2))
    rules = read_text("\n".join([text, *told, ""]))
    assert not rules.problems.items()
    results = run_scenarios(rules)
    assert len(results) == 2 and all(each.passed for each in results), [r.problems for r in results]


def test_shrinking_keeps_the_sort_and_the_viewer() -> None:
    game = leaking("copies-passed")
    for leak in [each for seed in range(3) for each in hunt(game, 0, seed)]:
        smaller = shrink(game, leak, 0)
        assert sort_of(smaller) == sort_of(leak) and smaller.pair.viewer == 0
        assert size(smaller) <= size(leak)


def test_a_proof_can_be_repeated() -> None:
    rules = read_rules(LEAKS / "secret-asked.rules")
    first, second = (prove(rules, Variant(2), 2, 5, native=False) for _ in range(2))
    assert first.problems and first == second


# ---- nothing is found in vain


@pytest.mark.parametrize(
    ("name", "players", "games"),
    [
        ("kuhnPoker", 3, 6),
        ("leducPoker", 2, 6),
        ("liarsDice", 3, 6),
        # Longer: a board that nobody sees, a game that is played together, and one with partners.
        ("darkHex", 2, 1),
        ("upAndDown", 2, 1),
        ("euchre", 4, 1),
    ],
)
def test_tight_rules(name: str, players: int, games: int) -> None:
    rules = read_rules(CLASSICS / f"{name}.rules")
    assert prove(rules, Variant(players), games, 0, native=False).problems == ()


def test_games_that_break_off_are_not_all_well() -> None:
    text = """game "T"
players 2
the game has
    n: 0..3
play
    turns
        choose
            two "two"
                n += 2
            three "three"
                n += 3
"""
    proof = prove(read_text(text, "t.rules"), Variant(2, {}), 2, 0, native=False)
    assert proof.broke == 2
    assert [(each.code, each.mark.line in (9, 11)) for each in proof.problems] == [("RR604", True)]
    assert "rulerun prove t.rules --players 2 --seed 0 --games 1" in (proof.problems[0].help or "")


def test_made_up_states_look_alike() -> None:
    """By all that is declared; and they are not always the truth."""
    rnd = random.Random(1)
    for name in ("let-view", "stolen-buried", "secret-owner", "open-disclosed"):
        game = leaking(name)
        others = 0
        for seed in range(8):
            state = game.start(seed)
            for seat in (*range(game.players), knowledge.SPECTATOR):
                made = varied(game.machine, state.buffer, seat, rnd)
                assert made is not None
                expected = seen_now(game.program, state.buffer, seat)
                assert seen_now(game.program, made, seat) == expected
                layout = game.program.layout
                start = layout.variables[0].address
                others += made[start : layout.frames] != state.buffer[start : layout.frames]
        assert others > 8


# ---- planted defects are found


def test_a_view_that_shows_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would if nothing were masked: what a view tells is read from what is left after that."""
    game = leaking("open-disclosed")
    monkeypatch.setattr(knowledge, "knows", lambda m, kind, piece, seat: True)
    monkeypatch.setattr(ordering, "_mask_knowledge", lambda m, part: [0] * len(part.every))
    assert "RR805" in {sort_of(leak) for leak in hunt(game, 0, 0)}


def test_an_undo_that_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be allowed if the next player has a good card."""
    game = leaking("open-disclosed")
    where = game.program.layout.kinds[0].where

    def told(program: object, step: Step) -> bool:
        return step.before is not None and step.before[where] == step.before[where + 5]

    monkeypatch.setattr(states, "told_nothing", told)
    assert any("undo" in leak.parts for seed in range(12) for leak in hunt(game, 0, seed))


def test_a_search_that_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games would be counted by what the others really hold."""
    game = leaking("open-disclosed")
    seen: list[int] = []
    true_look = State.view

    def view(state: State, seat: int | None = None) -> object:
        seen[:] = [sum(state.buffer)]
        return true_look(state, seat)

    grow = uct.grow

    def peeking(machine: Machine, task: uct.Task, number: int, budget: uct.Budget) -> uct.Grown:
        grown = grow(machine, task, number, budget)
        for tally in grown.tallies.values():
            tally.total += seen[0] % 1000
        return grown

    monkeypatch.setattr(State, "view", view)
    monkeypatch.setattr(uct, "grow", peeking)
    assert any("search" in leak.parts for seed in range(12) for leak in hunt(game, 0, seed))


def test_sealed_choices_that_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = leaking("sealed-bids")
    assert not [leak for seed in range(3) for leak in hunt(game, 0, seed)]
    record = sealed.record

    def counted(machine: Machine, m: list[int], seat: int, choice: tuple[int, ...]) -> None:
        m[DECIDED] += choice[1] % 2  # whoever bids an odd number has moved twice
        record(machine, m, seat, choice)

    monkeypatch.setattr(sealed, "record", counted)
    assert "RR804" in {sort_of(leak) for seed in range(6) for leak in hunt(game, 0, seed)}


def laws_broken(game: Game) -> str:
    return "; ".join(law for seed in range(6) for _, law in laws.broken_laws(game, seed, 20))


def test_laws_hold() -> None:
    for name in ("own-hand", "sealed-bids", "stolen-buried"):
        assert laws_broken(leaking(name)) == ""


@pytest.mark.parametrize(
    ("expected", "name", "change"),
    [
        ("restored is another one", "save", None),
        ("copy of the state elsewhere", "apply", None),
        ("comes twice", "options", None),
        ("order of their menu", "options", "reversed"),
    ],
)
def test_broken_laws(
    expected: str, name: str, change: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(
        'game "T"\nplayers 2\nthe game has\n    n: int\nplay\n    repeat 3 times\n'
        "        for each p in players\n            p chooses\n                a\n"
        "                    n += 1\n                b\n                    n += 2\n"
    )
    assert laws_broken(game) == ""
    if name == "save":
        save = State.save
        calls: list[int] = []

        def other(state: State) -> bytes:
            calls.append(0)
            return save(replace(state, seed=len(calls)))

        monkeypatch.setattr(State, "save", other)
    elif name == "apply":
        take = Machine.take
        count: list[int] = []

        def twice(machine: Machine, m: list[int], choice: tuple[int, ...], seat: int) -> None:
            take(machine, m, choice, seat)
            count.append(0)
            m[TOTAL_STEPS] += len(count)

        monkeypatch.setattr(Machine, "take", twice)
    else:
        options = Machine.options

        def other_options(machine: Machine, m: list[int], seat: int) -> list[tuple[int, ...]]:
            found = options(machine, m, seat)
            return found[::-1] if change == "reversed" else [*found, *found[-1:]]

        monkeypatch.setattr(Machine, "options", other_options)
    assert expected in laws_broken(game)


class _Slower:
    """A machine that counts a step too many."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def start(self, seed: int, mode: int) -> list[int]:
        return self.machine.start(seed, mode)

    def options(self, m: list[int], seat: int) -> list[tuple[int, ...]]:
        return self.machine.options(m, seat)

    def take(self, m: list[int], choice: tuple[int, ...], seat: int) -> None:
        self.machine.take(m, choice, seat)
        m[6] += 1


def test_machines_that_differ() -> None:
    game = leaking("own-hand")
    told = compare_machines(game, _Slower(Machine(game.program)), 0)  # type: ignore[arg-type]
    assert told == "after 1 moves 1 cells differ, the first is 6"


def test_machines_agree() -> None:
    rules = read_rules(CLASSICS / "kuhnPoker.rules")
    assert prove(rules, Variant(2), 3, 0).problems == ()


# ---- the command


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leak = str(LEAKS / "secret-asked.rules")
    tight = str(LEAKS / "open-disclosed.rules")
    given = ["--games", "1", "--no-native"]
    assert run(["prove", tight, *given]) == 0
    told = capsys.readouterr()
    assert told.out == "" and "all well" in told.err
    assert run(["prove", leak, *given]) == 1
    told = capsys.readouterr()
    assert "RR803" in told.out and 'scenario "' in told.out
    assert re.search("--players 2 --seed 0 --games 1", told.out) and "1 PROBLEM\n" in told.err
    for form, start in [("concise", "tests"), ("json", "{"), ("github", "::error"), ("sarif", "{"),
                        ("junit", "<?xml"), ("gitlab", "[")]:  # fmt: skip
        assert run(["prove", leak, *given, "--output-format", form]) == 1
        out = capsys.readouterr().out
        assert "RR803" in out and out.startswith(start), form
        if form in ("json", "sarif", "gitlab"):
            json.loads(out)
    assert run(["prove", leak, *given, "-k", "2 players"]) == 1
    assert run(["prove", leak, *given, "-k", "9 players"]) == 2
    assert run(["prove", leak, *given, "--players", "3"]) == 1
    assert "RR207" in capsys.readouterr().err
    assert run(["prove", "nowhere.rules"]) == 2
    broken = tmp_path / "broken.rules"
    broken.write_text("game")
    assert run(["prove", str(broken)]) == 1


# ---- invented rulesets

WHO_KNOWS = {"RR401", "RR402", "RR403", "RR404", "RR425", "RR426", "RR427"}


def test_invented_rulesets_are_well_typed() -> None:
    """They are refused for telling secrets, and for nothing else; many are not refused."""
    accepted = 0
    for number in range(60):
        problems = check_rules(read_text(ruleset(number)))
        errors = {each.code for each in problems if each.severity == "error"}
        assert errors <= WHO_KNOWS, (number, errors)
        accepted += not errors
    assert 20 <= accepted <= 55


def test_no_invented_ruleset_leaks() -> None:
    """What the check accepts is tight. `invented_secrets.py` tries many more."""
    counted = invented_secrets.campaign(0, 16, 1)
    assert counted["accepted"] >= 3 and counted["leaking"] == 0


@pytest.mark.slow
def test_no_invented_ruleset_leaks_in_many_games() -> None:
    assert invented_secrets.campaign(0, 200, 3)["leaking"] == 0


@pytest.mark.parametrize(("name", "first"), [("membership", 4), ("modifiers", 26), ("parting", 36)])
def test_a_blind_check_is_found_out(name: str, first: int) -> None:
    """In the first rulesets that can show it. `--planted all` tries every blindness."""
    assert invented_secrets.finds_planted(name, first, 4, 3) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", invented_secrets.PLANTED)
def test_every_blind_check_is_found_out(name: str) -> None:
    assert invented_secrets.finds_planted(name, 0, 120, 2) is not None
