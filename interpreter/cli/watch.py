"""`--watch`: do it again whenever a file has changed, until somebody presses Ctrl-C."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Sequence

import click

from interpreter.cli.common import OK, Refused, note, out, settings, warn
from interpreter.watching import Watching

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"

watch_option = click.option("--watch", is_flag=True, help="Do it again whenever a file changes.")


def keep_watching(paths: Sequence[str], do: Callable[[], object]) -> int:
    """Do it now and after every change. What is wrong is told, and does not end this."""
    if "-" in paths:
        raise click.UsageError("--watch needs files, and standard input is none")
    watching = Watching(_folder(each) for each in paths)
    try:
        while True:
            if sys.stdout.isatty():
                out(_CLEAR, end="", drawn=True)
            try:
                do()
            except Refused as refused:
                refused.tell(settings())
            except click.UsageError as error:  # a file may be gone for a moment while it is saved
                warn(f"Error: {error.format_message()}")
            note(f"Watching {', '.join(watching.folders)}; Ctrl-C ends it.")
            watching.wait()
    except KeyboardInterrupt:
        return OK


def _folder(path: str) -> str:
    """Where the files lie that are meant by a file, a folder or a pattern."""
    while glob.has_magic(path) or (path and not os.path.isdir(path)):
        path = os.path.dirname(path)
    return path or "."
