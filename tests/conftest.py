"""What all tests share: golden files, the option that renews them, running a command line, and a
browser."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Small products on many threads wait for each other; this is read when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

Golden = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write golden files instead of reading")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file that holds what it should be."""
    update = bool(request.config.getoption("--update"))

    def check(path: Path, text: str) -> None:
        if update:
            path.write_text(text, encoding="utf-8")
            return
        renew = f"python -m pytest {request.node.nodeid.partition('::')[0]} --update"
        assert path.is_file(), f"{path.name} is missing; write it with: {renew}"
        assert text == path.read_text(encoding="utf-8"), f"if this is right, renew with: {renew}"

    return check


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Rulerun = Callable[..., Done]


@pytest.fixture
def rulerun(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Rulerun:
    """Runs a command line in a folder of its own; what it prints comes back."""
    from interpreter.cli import main as cli

    for name in ("NO_COLOR", "FORCE_COLOR", "RULERUN_COLOR", "RULERUN_OUTPUT_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*args: str, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = cli.run(list(args))
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err + printed.out
        return Done(code, printed.out, printed.err)

    return run


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A real one, for tests of pages."""
    from playwright.sync_api import sync_playwright

    from tests.browser import FLAGS, chromium

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()
