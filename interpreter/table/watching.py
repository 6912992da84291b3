"""Looks whether files have changed."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_PAUSE = 0.3  # seconds between two looks
_ENDINGS = (".rules", ".scenarios", ".yaml", ".yml", ".json")
_SKIPPED = ("node_modules", "__pycache__")


class Watching:
    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = sorted(set(folders))
        self._before = self._snapshot()

    def wait(self) -> None:
        """Until something has changed."""
        while not self.changed():
            time.sleep(_PAUSE)

    def changed(self) -> bool:
        """Whether something has changed since the last look."""
        before, self._before = self._before, self._snapshot()
        return before != self._before

    def _snapshot(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for folder in self.folders:
            for where, inner, names in os.walk(folder):
                inner[:] = [each for each in inner if each[0] != "." and each not in _SKIPPED]
                for name in names:
                    if name.endswith(_ENDINGS):
                        path = os.path.join(where, name)
                        with suppress(OSError):
                            status = os.stat(path)
                            found[path] = status.st_mtime_ns, status.st_size
        return found
