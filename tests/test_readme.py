"""The README as people read it: the commands it names exist and take the options it gives them, and
those that are quick do what it says."""

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from interpreter.cli.main import VERBS, run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
_SPAN = re.compile(r"`(rulerun [^`\n]+)`")


def commands() -> Iterator[tuple[str, list[str]]]:
    """The verb and the options of every command, and those a row of the table goes on to name."""
    for line in README.splitlines():
        spans = _SPAN.findall(line)
        row = re.findall(r"`(--[^`]+)`", line) if line.startswith("| `rulerun") else []
        for span in spans:
            words = shlex.split(span.replace("\\|", "|"))[1:]
            verb = words[0] if words and words[0] in VERBS else "play"
            given = [word.split("=")[0] for word in words if word.startswith("--")]
            given += [each for text in row for each in text.split() if each.startswith("--")]
            yield verb, given


def test_there_are_commands() -> None:
    assert len({verb for verb, _ in commands()}) > 15


@pytest.mark.parametrize(("verb", "given"), [*commands()])
def test_commands_take_their_options(verb: str, given: list[str]) -> None:
    known = {
        name
        for param in import_module(VERBS[verb][0]).command.params
        if isinstance(param, click.Option)
        for name in (*param.opts, *param.secondary_opts)
    }
    assert set(given) <= known


@pytest.mark.parametrize(
    "line",
    [
        "rulerun list",
        "rulerun explain RR300",
        "rulerun check rulesets/classics/nim.rules",
        "rulerun fmt --check rulesets/classics",
        "rulerun schema rulesets/nozoku.rules",
        "rulerun inspect layout rulesets/classics/pig.rules",
        "rulerun perft rulesets/classics/ticTacToe.rules --depth 3",
        "rulerun rulesets/classics/nim.rules --seed 1 --bot random",
        "rulerun rulesets/classics/ticTacToe.rules --seed 1 --bots search:50,first",
        "rulerun soak rulesets/classics/pig.rules --games 3",
        "rulerun prove rulesets/classics/kuhnPoker.rules --games 1",
    ],
)
def test_quick_commands_work(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run(shlex.split(line)[1:]) == 0


def test_the_picture_is_what_the_terminal_shows() -> None:
    shown = (ROOT / "tests/cases/terminal/window-gaagaaGo.txt").read_text(encoding="utf-8")
    picture = README.split("```\n")[1]
    assert "\n".join(line.rstrip() for line in shown.splitlines()).count(picture.strip("\n")) == 1
