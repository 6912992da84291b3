"""A text somebody wrote and a place in it; reading one without trusting its size or content."""

import errno
import os
import stat
import sys
import time
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from interpreter.frozen import frozen
from interpreter.report.problem import Problem


@frozen
class Mark:
    """A stretch of a file: lines and columns count characters from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def top(cls, file: str) -> "Mark":
        """The very beginning, for what is wrong with a file as a whole."""
        return cls(file, 1, 1, 1, 1)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Source:
    """A text and the name it is known by. Lines end in `\\n` only."""

    name: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        # Not splitlines(), which also breaks at characters that no parser of ours counts.
        return self.text.split("\n")

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def line(self, number: int) -> str:
        """The text of a line, without its end; empty when there is no such line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def mark(self, start: int, end: int) -> Mark:
        """The mark of `text[start:end]`."""
        starts = self._line_starts
        line = end_line = bisect_right(starts, start, 0, len(starts) - 1)
        if end >= starts[line]:  # mostly not: a mark seldom leaves its line
            end_line = bisect_right(starts, end, 0, len(starts) - 1)
        column, end_column = start - starts[line - 1] + 1, end - starts[end_line - 1] + 1
        return Mark(self.name, line, column, end_line, end_column)


def read_source(path: str | Path, limit: int, *, name: str | None = None) -> Source | Problem:
    """Read a file, or standard input for `-`, of at most `limit` bytes.

    Reads no more than that, so a device or a pipe without end is refused like a long file. Every
    kind of line end becomes `\\n`, and a byte order mark is dropped. `name` is what the source is
    called in messages, if not by its path.
    """
    name = name or ("<stdin>" if str(path) == "-" else str(path))
    top = Mark.top(name)
    try:
        if str(path) == "-" and sys.stdin is None:
            raise OSError(errno.EBADF, "there is no standard input")
        if str(path) == "-":
            data = _read(sys.stdin.buffer, limit + 1)
        else:
            data = read_bytes(path, limit + 1)
    except FileNotFoundError:
        return Problem("RR001", "There is no such file.", top, help="Look at the spelling.")
    except (OSError, ValueError) as error:  # ValueError: a path no system accepts
        reason = getattr(error, "strerror", None) or str(error)
        return Problem("RR002", f"This cannot be read as a file: {reason}.", top)
    if len(data) > limit:
        return too_long(name, limit)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = Source(name, _newlines(data[: error.start].decode("utf-8-sig")))
        mark = before.mark(len(before.text), len(before.text))
        message = f"The byte {data[error.start]:#04x} found here is not UTF-8 text."
        return Problem("RR004", message, mark, help="Save the file with the encoding UTF-8.")
    source = Source(name, _newlines(text))
    if (nul := source.text.find("\0")) >= 0:
        message = "A zero byte was found here, and text has none."
        return Problem("RR005", message, source.mark(nul, nul + 1), help="Is this a text file?")
    return source


def read_bytes(path: str | Path, size: int) -> bytes:
    """At most `size` bytes of a file. A pipe that nobody opens for writing within a second
    is empty, not waited for."""
    with open(path, "rb", opener=_open_at_once) as file:
        data = _read(file, size)
        end = time.monotonic() + 1
        while not data and stat.S_ISFIFO(os.fstat(file.fileno()).st_mode):
            if time.monotonic() > end:
                break
            time.sleep(0.01)
            data = _read(file, size)
        return data


def _open_at_once(path: str, flags: int) -> int:
    # Opening a named pipe would wait until somebody writes to it.
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return handle


def too_long(name: str, limit: int) -> Problem:
    return Problem(
        "RR003",
        f"This file is too long: at most {limit // 1024} KiB are accepted.",
        Mark.top(name),
        help="Split the file, or look whether it is the right one.",
        limit=True,
    )


def _read(file: BinaryIO, size: int) -> bytes:
    # One call may return less than a pipe will still deliver.
    chunks: list[bytes] = []
    while size > 0 and (chunk := file.read(size)):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
