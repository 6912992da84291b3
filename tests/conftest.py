"""What all tests share: golden files, and the option that renews them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

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
