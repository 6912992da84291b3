"""A game record: the journal of a game, written decision by decision, readable by people.

    {"format": "rulerun/record@1", "rules": "ticTacToe.rules", ..., "check": "5d2f80c1"}
    1 P1 place(c: b2) #0c6b1f9a
    2 P2 place(c: a1) #77a1d0e4
    over scores 1 -1 winners P1 #1f00c2ab

Each checksum is over its line and all lines before, so a changed byte shows at its line. A
line counts only with its line end, and a decision is acknowledged only when the disk has its
line: after a crash at any moment the record opens with every acknowledged decision.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import TracebackType
from typing import Any, NoReturn

from interpreter import limits
from interpreter.embedding import Game, Option, PlayError, State, load
from interpreter.play import chance
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, read_bytes

try:
    import fcntl
except ImportError:  # a system without such locks
    fcntl = None  # type: ignore[assignment]

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
_OFFERED = 6  # options named when a decision does not fit


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
    decisions: list[tuple[int, str]] = field(default_factory=list)  # seat from 0, option
    finished: bool = False
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    good_bytes: int = 0  # up to the end of the last good line
    checksum: int = 0  # after that line

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
        return Mark(self.name, line, 1, line, len(_body(decision + 1, seat, text)) + 1)


# ---- the disk


class File:
    """An open record; the only way to the disk, so that tests can let it fail."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def write(self, data: bytes) -> int:
        return os.write(self.handle, data)

    def sync(self) -> None:
        os.fsync(self.handle)

    def truncate(self, size: int) -> None:
        os.ftruncate(self.handle, size)

    def close(self) -> None:
        os.close(self.handle)


class Disk:
    """Opens records."""

    def create(self, path: Path) -> File:
        return File(os.open(path, _flags() | os.O_CREAT | os.O_EXCL, 0o666))

    def open(self, path: Path) -> File:
        return File(os.open(path, _flags()))

    def sync_folder(self, folder: Path) -> None:
        """A new file is safe only when its folder knows its name."""
        if not hasattr(os, "O_DIRECTORY"):
            return
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _flags() -> int:
    return os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


# ---- writing


class Recorder:
    """Appends to a record. What `append` has returned from survives a crash.

    After a failed write nothing more is accepted: the state of the disk is not known. The
    record is good up to the last decision that was acknowledged; `resume` goes on from there.
    """

    def __init__(self, path: Path, file: File, size: int, checksum: int, decisions: int) -> None:
        self.path = path
        self.decisions = decisions
        self.finished = False
        self._file: File | None = file
        self._size = size
        self._checksum = checksum
        self._failure: Problem | None = None

    @classmethod
    def create(
        cls,
        path: str | Path,
        game: Game,
        seed: int,
        *,
        ask_when_forced: bool = False,
        disk: Disk | None = None,
    ) -> Recorder:
        """A new record of a game started with this seed. An existing file is left alone."""
        path, disk = Path(path), disk or Disk()
        try:
            file = disk.create(path)
        except FileExistsError:
            message = "there is a file of this name already, and it is left as it is"
            help_ = "choose another name, or go on with the game recorded there"
            raise RecordError(Problem("RR703", message, _top(path), help=help_)) from None
        except (OSError, ValueError) as error:
            raise RecordError(_cannot_write(path, error)) from None
        recorder = cls(path, file, 0, 0, 0)
        try:
            _lock(file, path)
            recorder._write(*_header(game, seed, ask_when_forced))
            disk.sync_folder(path.parent)
        except (RecordError, OSError) as error:
            recorder.close()
            _remove(path)  # ours, and nothing was recorded in it
            if isinstance(error, OSError):
                raise RecordError(_cannot_write(path, error)) from None
            raise
        return recorder

    def append(self, seat: int, option_text: str) -> None:
        """Record a decision; returns when it is safe on the disk."""
        self._refuse_finished()
        if len(option_text) > limits.TEXT_BYTES:
            message = f"this option's text is longer than {limits.TEXT_BYTES} characters"
            raise RecordError(Problem("RR709", message, _top(self.path), limit=True))
        self._line(_body(self.decisions + 1, seat, option_text))
        self.decisions += 1

    def finish(self, state: State) -> None:
        """Write how the game ended."""
        self._refuse_finished()
        if not state.is_over:
            raise ValueError("the game is not over")
        scores = "".join(f" {score}" for score in state.scores)
        winners = " ".join(f"P{seat + 1}" for seat in state.winners) or "none"
        self._line(f"over scores{scores} winners {winners}")
        self.finished = True

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            _close(file)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- one line

    def _refuse_finished(self) -> None:
        if self.finished:
            raise RecordError(_finished(self.path))

    def _line(self, body: str) -> None:
        data = body.encode()
        checksum = zlib.crc32(data, self._checksum)
        self._write(data + f" #{checksum:08x}\n".encode(), checksum)

    def _write(self, line: bytes, checksum: int) -> None:
        if self._failure is not None:
            raise RecordError(self._failure)
        if self._file is None:
            raise ValueError("this record is closed")
        if self._size + len(line) > limits.RECORD_BYTES:
            raise RecordError(_too_long(str(self.path)))
        rest = memoryview(line)
        try:
            while rest:
                written = self._file.write(rest.tobytes())
                if written <= 0:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                rest = rest[written:]
            self._file.sync()
        except OSError as error:
            self._fail(error)
        self._size += len(line)
        self._checksum = checksum

    def _fail(self, error: OSError) -> NoReturn:
        """Take back what may have been written of a line that was not acknowledged."""
        self._failure = _cannot_write(self.path, error)
        file = self._file
        if file is not None and self._size:
            # If this fails too, a torn line or one decision too many is left at the end.
            with contextlib.suppress(OSError):
                file.truncate(self._size)
                file.sync()
        self.close()
        raise RecordError(self._failure) from None


def _header(game: Game, seed: int, ask_when_forced: bool) -> tuple[bytes, int]:
    """The first line and its checksum."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "rules": PurePath(game.rules.name).name if game.rules else game.title,
        "title": game.title,
        "hash": game.rules_hash,
        "players": game.players,
        "options": game.options,
        "seed": seed,
        "stream": chance.NAME,
    }
    if ask_when_forced:
        fields["askWhenForced"] = True
    body = json.dumps(fields)[:-1].encode()
    checksum = zlib.crc32(body)
    return body + f', "check": "{checksum:08x}"}}\n'.encode(), checksum


def _body(number: int, seat: int, text: str) -> str:
    return f"{number} P{seat + 1} {_UNSAFE.sub(lambda found: _escape(found[0]), text)}"


def _escape(sign: str) -> str:
    return "\\\\" if sign == "\\" else f"\\u{{{ord(sign):x}}}"


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", text)


def _lock(file: File, path: Path) -> None:
    """Two writers would spoil the record. The lock ends with the process, however it ends."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        message = "somebody else is writing this record"
        help_ = "end the other game, or record this one under another name"
        raise RecordError(Problem("RR708", message, _top(path), help=help_)) from None
    except OSError:
        pass  # a file system without locks


def _close(file: File) -> None:
    # Everything acknowledged was synced before, so a failure here loses nothing.
    with contextlib.suppress(OSError):
        file.close()


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


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
        return Record(name, problems=[_too_long(name)])
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
    )
    if not sound:
        return None
    kept = {key: fields[key] for key in ("rules", "title", "players", "options", "seed", "stream")}
    kept["rules_hash"] = fields["hash"]
    kept["ask_when_forced"] = fields.get("askWhenForced", False)
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

    def read(self, data: bytes) -> None:
        number = 1
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
        if _body(number, seat, text) != body:
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
        if _LINE.match(line[:-1]) is not None:
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


# ---- playing it again


def load_game_for(record: Record, rules_path: str | Path) -> Game:
    """The game a record is of. Raises RulesError, or RecordError if the rules are others."""
    if not record.has_header:
        raise RecordError(record.problems[0])
    game = load(rules_path, record.players, dict(record.options))
    refused = check_same_rules(game, record)
    if refused is not None:
        raise RecordError(refused)
    return game


def check_same_rules(game: Game, record: Record) -> Problem | None:
    """None if the record was made with these very rules, else what became of it with them."""
    top = Mark(record.name, 1, 1, 1, 2)
    if not record.has_header:
        return record.problems[0]
    if (game.players, game.options) != (record.players, record.options):
        theirs = _setting(record.players, record.options)
        message = f"this was played with {theirs}, not {_setting(game.players, game.options)}"
        return Problem("RR707", message, top)
    if game.rules_hash == record.rules_hash:
        return None
    said = f"this was played with other rules than `{_name_of(game)}` holds now"
    try:
        _replay(game, record, len(record.decisions))
    except RecordError as error:
        found = error.problem
        message = f"{said}: {found.message}"
        return Problem("RR705", message, found.mark, notes=found.notes, help=found.help)
    help_ = "all its decisions still fit: replay it with the rules as they are, if that will do"
    return Problem("RR705", said, top, help=help_)


def replay(
    game: Game, record: Record, until: int | None = None, *, other_rules: bool = False
) -> State:
    """The state after the first `until` decisions, or all. With `other_rules` the record may
    have been made with a different version of the rules, as long as its decisions fit."""
    refused = None if other_rules else check_same_rules(game, record)
    if refused is not None:
        raise RecordError(refused)
    wanted = len(record.decisions) if until is None else until
    return _replay(game, record, max(0, min(wanted, len(record.decisions))))


def _replay(game: Game, record: Record, until: int) -> State:
    number = -1
    try:
        state = game.start(record.seed, ask_when_forced=record.ask_when_forced)
        for number, (seat, text) in enumerate(record.decisions[:until]):
            offered = state.options(seat)
            option = next((each for each in offered if each.text == text), None)
            if option is None:
                raise RecordError(_not_offered(record, number, state, offered))
            state = state.apply(option, seat)
    except PlayError as error:
        broken = error.problem
        message = "the rules break down here while the record is replayed"
        notes = ((broken.mark, broken.message),)
        raise RecordError(
            Problem("RR706", message, record.mark(number), notes=notes, limit=broken.limit)
        ) from None
    if until == len(record.decisions) and record.finished:
        _compare_end(record, state)
    return state


def _not_offered(record: Record, number: int, state: State, offered: list[Option]) -> Problem:
    seat, text = record.decisions[number]
    if state.is_over:
        help_ = "the game is over before this decision"
    elif seat not in state.seats_to_act:
        help_ = "it is for " + " or ".join(f"P{s + 1}" for s in state.seats_to_act) + " to decide"
    else:
        shown = ", ".join(f"`{option}`" for option in offered[:_OFFERED])
        more = f" and {len(offered) - _OFFERED} more" if len(offered) > _OFFERED else ""
        help_ = f"offered are {shown}{more}"
    message = f"decision {number + 1}, `{text}` by P{seat + 1}, is not offered here"
    return Problem("RR706", message, record.mark(number), help=help_)


def _compare_end(record: Record, state: State) -> None:
    if state.is_over and (state.scores, state.winners) == (record.scores, record.winners):
        return
    mark = record.mark(len(record.decisions))
    if not state.is_over:
        message = "the record says the game is over, and it is not"
        raise RecordError(Problem("RR706", message, mark))
    message = "the game ends otherwise than the record says"
    help_ = f"scores now: {' '.join(str(score) for score in state.scores)}"
    raise RecordError(Problem("RR706", message, mark, help=help_))


def resume(path: str | Path, game: Game, *, disk: Disk | None = None) -> tuple[Recorder, State]:
    """Go on with a recorded game: a torn last line is cut off, then appended to."""
    path, disk = Path(path), disk or Disk()
    first = read_record(path)  # tells a missing or foreign file better than opening to write
    if first.error is not None:
        raise RecordError(first.error)
    try:
        file = disk.open(path)
    except (OSError, ValueError) as error:
        raise RecordError(_cannot_write(path, error)) from None
    try:
        _lock(file, path)
        record = read_record(path)  # again: nobody else can write now
        if record.error is not None:
            raise RecordError(record.error)
        if record.finished:
            raise RecordError(_finished(path))
        state = replay(game, record)
        if record.problems:
            file.truncate(record.good_bytes)
            file.sync()
    except BaseException as error:
        _close(file)
        if isinstance(error, OSError):
            raise RecordError(_cannot_write(path, error)) from None
        raise
    return Recorder(path, file, record.good_bytes, record.checksum, len(record.decisions)), state


# ---- what can be wrong


def _top(path: str | Path) -> Mark:
    return Mark.top(str(path))


def _name_of(game: Game) -> str:
    return game.rules.name if game.rules else game.title


def _setting(players: int, options: dict[str, str | int]) -> str:
    chosen = "".join(f", {name} {value}" for name, value in sorted(options.items()))
    return f"{players} players{chosen}"


def _cannot_write(path: Path, error: OSError | ValueError) -> Problem:
    number = getattr(error, "errno", None)
    reason = getattr(error, "strerror", None) or str(error)
    message = f"the record cannot be written: {reason}"
    help_ = "all decisions acknowledged before are safe"
    if number in (errno.ENOSPC, errno.EDQUOT):
        help_ = f"make room on the disk, then go on with the game: {help_}"
    elif number in (errno.EROFS, errno.EACCES, errno.EPERM):
        help_ = "choose a folder you may write to"
    return Problem("RR704", message, _top(path), help=help_)


def _finished(path: Path) -> Problem:
    message = "this game is over, so nothing can be added to its record"
    return Problem("RR708", message, _top(path), help="replay it, or start a new game")


def _too_long(name: str) -> Problem:
    message = f"a record holds at most {limits.RECORD_BYTES // limits.MIB} MiB"
    return Problem("RR709", message, Mark.top(name), limit=True)


__all__ = [
    "Disk",
    "File",
    "Record",
    "RecordError",
    "Recorder",
    "check_same_rules",
    "load_game_for",
    "read_record",
    "read_record_bytes",
    "replay",
    "resume",
]
