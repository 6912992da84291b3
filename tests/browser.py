"""A Chromium for tests, wherever one can be had, and a server to point it at.

It is an installed one, else the package manager's (as root), else playwright's own download: tests
in a browser are never left out for want of one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TOO_MANY = 429
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def chromium() -> str | None:
    """Where Chromium is; None for the one that playwright has downloaded."""
    found = installed()
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
        for command in (["apt-get", "update"], install):
            subprocess.run(command, check=False, capture_output=True, timeout=600)
        found = installed()
    if found is None:
        download = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(download, check=True, timeout=600)
    return found


class House:
    """A server that runs for a test."""

    def __init__(self, address: str) -> None:
        self.address = address

    def table(self, game: str, players: int, **more: Any) -> dict[str, Any]:
        body = json.dumps({"game": game, "players": players, "seed": 7, **more}).encode()
        kind = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.address}api/tables", body, kind)
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    found: dict[str, Any] = json.load(answer)
                return found
            except urllib.error.HTTPError as error:
                if error.code != TOO_MANY:
                    raise
                time.sleep(1)  # one address may make so many tables a minute, tests too

    def link(self, link: str) -> str:
        return self.address.rstrip("/") + link


@contextmanager
def served(files: list[Path], store: Path, port: int = 0, *more: str) -> Iterator[House]:
    command = [sys.executable, "-m", "interpreter", "serve", *map(str, files)]
    command += ["--no-open", "--port", str(port), "--store", str(store), *more]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        yield House(process.stdout.readline().strip())
    finally:
        process.kill()
        process.wait()
