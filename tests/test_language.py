"""The language manual tells the truth: its games are played, its fragments and data are read, and
it mentions every word of the language."""

import random
import re
from pathlib import Path

import pytest

from interpreter import limits
from interpreter.cli.main import VERBS
from interpreter.data.yaml_reader import compose
from interpreter.embedding import load
from interpreter.model.boards import hex_radius, hex_rhombus
from interpreter.pipeline import check_rules
from interpreter.program.lower.finishing import SEALED_CAPACITY
from interpreter.reading import read_rules
from interpreter.report.source import Mark, Source
from interpreter.scenario import run_scenarios
from interpreter.tree.parse import keywords, parse
from interpreter.tree.reserved import RESERVED
from interpreter.typed.build import builtins

MANUAL = Path(__file__).resolve().parent.parent / "rulesets" / "LANGUAGE.md"
TEXT = MANUAL.read_text(encoding="utf-8")
_FENCE = re.compile(r"^```([a-z ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [
    (language, body, TEXT.count("\n", 0, match.start()) + 2)
    for match in _FENCE.finditer(TEXT)
    for language, body in [match.groups()]
]
# Names that are simply there, besides functions and domains.
GIVEN = {"me", "it", "owner", "card", "box", "playerCount", "int", "bool", "Player"}


def blocks(language: str) -> list[object]:
    return [
        pytest.param(body, id=f"line {line}") for word, body, line in BLOCKS if word == language
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds the data files of the manual; their first line names them."""
    for language, body, _ in BLOCKS:
        name = re.match(r"# (\w+\.yaml)\n", body)
        if language == "yaml" and name is not None:
            (tmp_path / name[1]).write_text(body, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("text", blocks("rules"))
def test_games_check_clean_and_play(text: str, folder: Path) -> None:
    path = folder / "game.rules"
    path.write_text(text, encoding="utf-8")
    rules = read_rules(path)
    problems = check_rules(rules)
    assert not problems, "\n".join(str(problem) for problem in problems)
    assert all(result.passed for result in run_scenarios(rules))
    for players in range(rules.players[0], rules.players[1] + 1):
        game = load(path, players)
        for seed in range(5):
            choice, state = random.Random(seed), game.start(seed=seed)
            while not state.is_over:
                seat = choice.choice(state.seats_to_act)
                state = state.apply(choice.choice(state.options(seat)), seat)


@pytest.mark.parametrize("text", blocks("rules fragment"))
def test_fragments_are_read(text: str) -> None:
    _, problems = parse(Source("fragment", text))
    assert not problems, "\n".join(str(problem) for problem in problems)


@pytest.mark.parametrize("text", blocks("yaml"))
def test_data_is_read(text: str) -> None:
    _, problems = compose(Source("data", text))
    assert not problems


def test_every_fence_is_known() -> None:
    assert {language for language, _, _ in BLOCKS} <= {
        "rules", "rules fragment", "yaml", "text", "python", "js",
    }  # fmt: skip


def test_every_word_is_in_the_reference() -> None:
    start = TEXT.index("# Part 2: reference")
    end = TEXT.index("# Part 4: data")
    code = " ".join(re.findall(r"`([^`]*)`", TEXT[start:end].replace("```", "`")))
    mentioned = set(re.findall(r"\w+", code))
    words = keywords() | RESERVED | set(builtins.FUNCTIONS) | set(builtins.DOMAINS)
    words |= set(builtins.PROPERTIES) | GIVEN
    assert not words - mentioned


def test_hex_boards_are_as_they_are_drawn() -> None:
    [drawn] = [body for _, body, _ in BLOCKS if "a5  b5  c5" in body]
    halves = [(line[:23].split(), line[23:].split()) for line in drawn.splitlines()]
    mark = Mark.top("manual")
    radius, rhombus = hex_radius("B", 2, mark), hex_rhombus("B", 4, 3, mark)
    assert [cell for left, _ in halves for cell in left] == list(radius.cells)
    assert [cell for _, right in halves for cell in right] == list(rhombus.cells)
    middle = radius.cells.index("c3")
    directions = [radius.directions.index(each) for each in ("southeast", "southwest")]
    assert [radius.cells[radius.steps[each][middle]] for each in directions] == ["c4", "b4"]


def test_every_command_is_in_the_manual() -> None:
    part = TEXT.partition("# Part 5: the tool")[2].partition("# Part 6")[0]
    assert not [verb for verb in VERBS if not re.search(rf"`rulerun {verb}\b", part)]


def test_limits_are_those_that_hold() -> None:
    section = " ".join(TEXT.partition("## 3.12 Limits")[2].partition("# Part 4")[0].split())
    for told in (
        f"{limits.SOURCE_BYTES // limits.KIB} KiB for a file",
        f"{limits.TOKENS} words",
        f"{limits.NESTING} levels of nesting",
        f"{limits.CELLS} cells",
        f"{limits.OPTIONS} options",
        f"{limits.STEPS_PER_MOVE} steps",
        f"{limits.MOVES_PER_GAME} moves in a game",
        f"{SEALED_CAPACITY} choices in a sealed block",
        f"{limits.CALL_DEPTH} levels of functions",
    ):
        assert told in section
