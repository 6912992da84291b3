"""The linter, the formatter and the type checker have nothing to say."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

COMMANDS = [
    ["ruff", "check", "interpreter", "tests"],
    ["ruff", "format", "--check", "--line-length", "100", "interpreter", "tests"],
    ["mypy"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_style(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}{done.stderr}", pytrace=False)
