"""`--watch`: do it again whenever a file has changed, until somebody presses Ctrl-C."""

from __future__ import annotations

import glob
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import click

from interpreter.cli.common import OK, Refused, note, out, settings, warn
from interpreter.cli.paths import SKIPPED

_PAUSE = 0.3  # seconds between two looks at the files
_ENDINGS = (".rules", ".scenarios", ".yaml", ".yml", ".json")  # of what rules are read from
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"

watch_option = click.option("--watch", is_flag=True, help="Do it again whenever a file changes.")


def keep_watching(paths: Sequence[str], do: Callable[[], object]) -> int:
    """Do it now and after every change. Rules read files beside and below them, so all files
    there are watched. What is wrong is told, and does not end this."""
    if "-" in paths:
        raise click.UsageError("--watch needs files, and standard input is none")
    folders = sorted({_folder(each) for each in paths})
    try:
        while True:
            before = _snapshot(folders)
            if sys.stdout.isatty():
                out(_CLEAR, end="", drawn=True)
            try:
                do()
            except Refused as refused:
                refused.tell(settings())
            except click.UsageError as error:  # a file may be gone for a moment while it is saved
                warn(f"Error: {error.format_message()}")
            note(f"Watching {', '.join(folders)}; Ctrl-C ends it.")
            while _snapshot(folders) == before:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        return OK


def _folder(path: str) -> str:
    """Where the files lie that are meant by a file, a folder or a pattern."""
    while glob.has_magic(path) or (path and not os.path.isdir(path)):
        path = os.path.dirname(path)
    return path or "."


def _snapshot(folders: Sequence[str]) -> dict[str, tuple[int, int]]:
    """When each file was changed, and how long it is."""
    found: dict[str, tuple[int, int]] = {}
    for folder in folders:
        for where, inner, names in os.walk(folder):
            inner[:] = [n for n in inner if not n.startswith(".") and n not in SKIPPED]
            for name in names:
                if name.endswith(_ENDINGS):
                    path = os.path.join(where, name)
                    with suppress(OSError):
                        status = os.stat(path)
                        found[path] = status.st_mtime_ns, status.st_size
    return found
