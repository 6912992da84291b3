"""The file a game record is kept in: its lines, its checksums, and reading it without trust.

    {"format": "rulerun/record@1", "rules": "ticTacToe.rules", ..., "check": "5d2f80c1"}
    1 P1 place(c: b2) #0c6b1f9a
    2 P2 place(c: a1) #77a1d0e4
    over scores 1 -1 winners P1 #1f00c2ab

Each checksum is over its line and all lines before, so a changed byte shows at its line. A
line counts only with its line end, and a decision is acknowledged only when the disk has its
line: after a crash at any moment the record opens with every acknowledged decision.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter import limits
from interpreter.model.seats import seat_name
from interpreter.play import chance
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, read_bytes

FORMAT = "rulerun/record@1"
_CHECK = re.compile(rb'^(\{.*), "check": "([0-9a-f]{8})"\}$', re.DOTALL)
_LINE = re.compile(rb"^(.*) #([0-9a-f]{8})$", re.DOTALL)
_DECISION = re.compile(r"^([1-9][0-9]{0,5}) P([1-9][0-9]?) (.+)$", re.DOTALL)
_OVER = re.compile(r"^over scores( -?[0-9]{1,19})* winners (none|P[0-9]{1,2}(?: P[0-9]{1,2})*)$")
# What would break the line, move the cursor or reorder what a reader sees; a fixed list, so
# that every version of Python writes the same bytes.
_UNSAFE = re.compile(
    "[\\\\\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_ESCAPE = re.compile(r"\\(?:\\|u\{([0-9a-f]{1,4})\})")


class RecordError(Exception):
    """A record that cannot be written, read on or replayed; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Record:
    """A record as far as it can be trusted, and what is wrong with the rest."""

    name: str  # of the file
    rules: str = ""
    title: str = ""
    rules_hash: str = ""
    players: int = 0
    options: dict[str, str | int] = field(default_factory=dict)
    seed: int = 0
    stream: str = ""
    ask_when_forced: bool = False
    seats: tuple[str, ...] = ()  # who sits where: `you`, or the name of a bot; () if not told
    set_otherwise: tuple[str, ...] = ()  # `startMoney=8000`: see amending.py
    source: str = ""  # where the rules were, in a record that is not handed on
    decisions: list[tuple[int, str]] = field(default_factory=list)  # seat from 0, option
    finished: bool = False
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    good_bytes: int = 0  # up to the end of the last good line
    checksum: int = 0  # after that line
    ends: tuple[tuple[int, int], ...] = ()  # the same for every good line, the first one too

    @property
    def has_header(self) -> bool:
        return bool(self.stream)

    @property
    def error(self) -> Problem | None:
        """The first problem that is more than a torn last line."""
        return next((each for each in self.problems if each.severity == "error"), None)

    def mark(self, decision: int) -> Mark:
        """Where a decision, counted from 0, stands in the file."""
        line = decision + 2
        if decision >= len(self.decisions):
            return Mark(self.name, line, 1, line, 2)
        seat, text = self.decisions[decision]
        return Mark(self.name, line, 1, line, len(decision_body(decision + 1, seat, text)) + 1)


# ---- lines


def header_line(fields: dict[str, Any]) -> tuple[bytes, int]:
    """The first line of a record, and its checksum."""
    body = json.dumps({"format": FORMAT, **fields})[:-1].encode()
    checksum = zlib.crc32(body)
    return body + f', "check": "{checksum:08x}"}}\n'.encode(), checksum


def signed_line(body: str, before: int) -> tuple[bytes, int]:
    """A line with its checksum, which is over all lines before it as well."""
    data = body.encode()
    checksum = zlib.crc32(data, before)
    return data + f" #{checksum:08x}\n".encode(), checksum


def decision_body(number: int, seat: int, text: str) -> str:
    return f"{number} {seat_name(seat)} {_UNSAFE.sub(lambda found: _escape(found[0]), text)}"


def _escape(sign: str) -> str:
    return "\\\\" if sign == "\\" else f"\\u{{{ord(sign):x}}}"


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", text)


def is_torn_header(data: bytes) -> bool:
    """Whether this is what a crash leaves of a record before its first line is whole: nothing, or
    the beginning of that line. Nothing was acknowledged then."""
    head = f'{{"format": "{FORMAT}"'.encode()
    return b"\n" not in data and data[: len(head)] == head[: len(data)]


# ---- reading


def read_record(path: str | Path) -> Record:
    """A record up to its last good line. Never raises; `problems` tells what is wrong."""
    name = str(path)
    top = Mark.top(name)
    try:
        data = read_bytes(path, limits.RECORD_BYTES + 1)
    except FileNotFoundError:
        problem = Problem("RR001", "There is no such file.", top, help="Look at the spelling.")
        return Record(name, problems=[problem])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problem = Problem("RR002", f"This cannot be read as a file: {reason}.", top)
        return Record(name, problems=[problem])
    if len(data) > limits.RECORD_BYTES:
        return Record(name, problems=[too_long(name)])
    return read_record_bytes(data, name)


def read_record_bytes(data: bytes, name: str = "record") -> Record:
    head, newline, _ = data.partition(b"\n")
    header = _read_header(head) if newline else None
    if header is None:
        message = "this is not a record of a game: its first line is missing, torn or changed"
        help_ = "records are written by `rulerun play --record`"
        mark = Mark(name, 1, 1, 1, 2)
        return Record(name, problems=[Problem("RR700", message, mark, help=help_)])
    fields, checksum = header
    reader = _Reader(name, fields["players"], len(head) + 1, checksum)
    reader.read(data)
    return Record(
        name,
        decisions=reader.decisions,
        finished=reader.finished,
        scores=reader.scores,
        winners=reader.winners,
        problems=reader.problems,
        good_bytes=reader.good,
        checksum=reader.checksum,
        ends=tuple(reader.ends),
        **fields,
    )


def _read_header(line: bytes) -> tuple[dict[str, Any], int] | None:
    """The fields of a header that is as it was written, and its checksum."""
    found = _CHECK.match(line)
    if found is None or len(line) > limits.TEXT_BYTES:
        return None
    checksum = int(found[2], 16)
    if zlib.crc32(found[1]) != checksum:
        return None
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    options = fields.get("options")
    texts = [fields.get(key) for key in ("rules", "title", "hash", "stream")]
    sound = (
        fields.get("format") == FORMAT
        and all(isinstance(text, str) for text in texts)
        and fields.get("stream") == chance.NAME
        and _is_int(fields.get("players"))
        and 1 <= fields["players"] <= 16
        and _is_int(fields.get("seed"))
        and isinstance(options, dict)
        and all(isinstance(value, str) or _is_int(value) for value in options.values())
        and isinstance(fields.get("askWhenForced", False), bool)
        and isinstance(fields.get("seats", []), list)
        and all(isinstance(name, str) for name in fields.get("seats", []))
        and len(fields.get("seats", [])) in (0, fields["players"])
        and isinstance(fields.get("set", []), list)
        and all(isinstance(setting, str) for setting in fields.get("set", []))
        and isinstance(fields.get("source", ""), str)
    )
    if not sound:
        return None
    kept = {key: fields[key] for key in ("rules", "title", "players", "options", "seed", "stream")}
    kept["rules_hash"] = fields["hash"]
    kept["ask_when_forced"] = fields.get("askWhenForced", False)
    kept["seats"] = tuple(fields.get("seats", ()))
    kept["set_otherwise"] = tuple(fields.get("set", ()))
    kept["source"] = fields.get("source", "")
    return kept, checksum


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(slots=True)
class _Reader:
    """Goes down the lines after the header until one is not good."""

    name: str
    players: int
    good: int
    checksum: int
    decisions: list[tuple[int, str]] = field(default_factory=list)
    finished: bool = False
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    ends: list[tuple[int, int]] = field(default_factory=list)

    def read(self, data: bytes) -> None:
        number = 1
        self.ends.append((self.good, self.checksum))
        while self.good < len(data):
            number += 1
            end = data.find(b"\n", self.good)
            if end < 0:
                self._torn(number, data[self.good :])
                return
            if not self._take(data[self.good : end]):
                self._damaged(number, end - self.good)
                return
            self.good = end + 1
            self.ends.append((self.good, self.checksum))

    def _take(self, line: bytes) -> bool:
        """Read one line; False if it is not as it was written, or out of place."""
        found = _LINE.match(line)
        if found is None or self.finished:
            return False
        checksum = zlib.crc32(found[1], self.checksum)
        if checksum != int(found[2], 16):
            return False
        try:
            body = found[1].decode()
        except UnicodeDecodeError:
            return False
        good = self._decision(body) if body[:1].isdigit() else self._over(body)
        if good:
            self.checksum = checksum
        return good

    def _decision(self, body: str) -> bool:
        found = _DECISION.match(body)
        if found is None:
            return False
        number, seat = int(found[1]), int(found[2]) - 1
        text = _unescape(found[3])
        if number != len(self.decisions) + 1 or seat >= self.players:
            return False
        if decision_body(number, seat, text) != body:
            return False
        self.decisions.append((seat, text))
        return True

    def _over(self, body: str) -> bool:
        if _OVER.match(body) is None:
            return False
        scores, _, winners = body.removeprefix("over scores").partition(" winners ")
        self.scores = tuple(int(score) for score in scores.split())
        names = () if winners == "none" else winners.split(" ")
        self.winners = tuple(int(name[1:]) - 1 for name in names)
        self.finished = True
        return True

    def _torn(self, number: int, line: bytes) -> None:
        found = _LINE.match(line[:-1])
        if found is not None and zlib.crc32(found[1], self.checksum) == int(found[2], 16):
            # A whole line and then something else than its end: no crash leaves that.
            self._damaged(number, len(line))
            return
        mark = Mark(self.name, number, 1, number, len(line) + 1)
        message = "the last line is torn: the game stopped while it was being written"
        help_ = "it was never acknowledged; going on with the game replaces it"
        self.problems.append(Problem("RR701", message, mark, "warning", help=help_))

    def _damaged(self, number: int, length: int) -> None:
        mark = Mark(self.name, number, 1, number, length + 1)
        message = "this line is not as it was written, so nothing from here on can be trusted"
        help_ = "take the record from a copy; the decisions before this line are good"
        self.problems.append(Problem("RR702", message, mark, help=help_))


def too_long(name: str) -> Problem:
    message = f"a record holds at most {limits.RECORD_BYTES // limits.MIB} MiB"
    return Problem("RR709", message, Mark.top(name), limit=True)
