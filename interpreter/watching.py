"""Notices when files that rules are read from have changed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

SKIPPED = {"node_modules", "__pycache__", "site-packages", "build", "dist"}  # nobody's rules
_PAUSE = 0.3  # seconds between two looks
_ENDINGS = (".rules", ".scenarios", ".yaml", ".yml", ".json")


class Watching:
    """Rules read files beside and below them, so all files there are watched."""

    def __init__(self, folders: Iterable[str | Path]) -> None:
        self.folders = sorted({str(each) for each in folders})
        self._before = self._snapshot()

    def wait(self) -> None:
        """Until something has changed and stays as it is: whoever saves a file may empty it first
        and fill it a moment later, and that is one change."""
        while not self.changed():
            time.sleep(_PAUSE)
        time.sleep(_PAUSE)
        while self.changed():
            time.sleep(_PAUSE)

    def changed(self) -> bool:
        """Whether something has changed since the last look."""
        before, self._before = self._before, self._snapshot()
        return before != self._before

    def _snapshot(self) -> dict[str, tuple[int, int]]:
        """When each file was changed, and how long it is."""
        found: dict[str, tuple[int, int]] = {}
        for folder in self.folders:
            for where, inner, names in os.walk(folder):
                inner[:] = [each for each in inner if each[0] != "." and each not in SKIPPED]
                for name in names:
                    if name.endswith(_ENDINGS):
                        path = os.path.join(where, name)
                        with suppress(OSError):
                            status = os.stat(path)
                            found[path] = status.st_mtime_ns, status.st_size
        return found
