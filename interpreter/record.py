"""Game records: written decision by decision, replayed, resumed after a crash.

A decision is acknowledged only when the disk has its line, so after a crash at any moment
the record (see journal.py) opens with every acknowledged decision.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from types import TracebackType
from typing import Any, NoReturn

from interpreter import limits
from interpreter.embedding import Game, Option, PlayError, State, load
from interpreter.journal import (
    Record,
    RecordError,
    decision_body,
    header_line,
    is_torn_header,
    read_record,
    read_record_bytes,
    signed_line,
    too_long,
)
from interpreter.model.seats import seat_name
from interpreter.play import chance
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, read_bytes

try:
    import fcntl
except ImportError:  # a system without such locks
    fcntl = None  # type: ignore[assignment]

_OFFERED = 6  # options named when a decision does not fit


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

    def __init__(self, path: Path, file: File, ends: Sequence[tuple[int, int]] = ()) -> None:
        self.path = path
        self.finished = False
        self._file: File | None = file
        self._ends = list(ends)  # how long it is after each line, and the checksum there
        self._failure: Problem | None = None

    @property
    def decisions(self) -> int:
        return len(self._ends) - 1 - self.finished

    @property
    def _size(self) -> int:
        return self._ends[-1][0] if self._ends else 0

    @property
    def _checksum(self) -> int:
        return self._ends[-1][1] if self._ends else 0

    @classmethod
    def create(
        cls,
        path: str | Path,
        game: Game,
        seed: int,
        *,
        ask_when_forced: bool = False,
        seats: Sequence[str] = (),
        source: str = "",
        disk: Disk | None = None,
    ) -> Recorder:
        """A new record of a game started with this seed, with who sits where, if that is told. An
        existing file is left alone, unless a crash has left it before there was anything in it."""
        path, disk = Path(path), disk or Disk()
        torn = _is_torn(path)
        try:
            file = disk.open(path) if torn else disk.create(path)
        except FileExistsError:
            raise RecordError(_exists(path)) from None
        except (OSError, ValueError) as error:
            raise RecordError(_cannot_write(path, error)) from None
        recorder = cls(path, file)
        try:
            _lock(file, path)
            if torn and not _is_torn(path):  # another game may have begun in between
                raise RecordError(_exists(path))
        except RecordError:
            recorder.close()
            raise
        try:
            if torn:
                file.truncate(0)
            recorder._write(*_header(game, seed, ask_when_forced, seats, source))
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
        self._line(decision_body(self.decisions + 1, seat, option_text))

    def take_back(self, decisions: int) -> None:
        """Forget all decisions after the first so many."""
        self._refuse_finished()
        self._refuse_closed()
        if decisions >= self.decisions:
            return
        assert self._file is not None
        try:
            self._file.truncate(self._ends[decisions][0])
            self._file.sync()
        except OSError as error:
            self._fail(error)
        del self._ends[decisions + 1 :]

    def finish(self, state: State) -> None:
        """Write how the game ended."""
        self._refuse_finished()
        if not state.is_over:
            raise ValueError("the game is not over")
        scores = "".join(f" {score}" for score in state.scores)
        winners = " ".join(seat_name(seat) for seat in state.winners) or "none"
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
        self._write(*signed_line(body, self._checksum))

    def _refuse_closed(self) -> None:
        if self._failure is not None:
            raise RecordError(self._failure)
        if self._file is None:
            raise ValueError("this record is closed")

    def _write(self, line: bytes, checksum: int) -> None:
        self._refuse_closed()
        assert self._file is not None
        if self._size + len(line) > limits.RECORD_BYTES:
            raise RecordError(too_long(str(self.path)))
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
        self._ends.append((self._size + len(line), checksum))

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


def _header(
    game: Game, seed: int, ask_when_forced: bool, seats: Sequence[str], source: str
) -> tuple[bytes, int]:
    fields: dict[str, Any] = {
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
    if seats:
        fields["seats"] = list(seats)
    if game.rules is not None and game.rules.set_otherwise:
        fields["set"] = list(game.rules.set_otherwise)
    if source:
        fields["source"] = source
    return header_line(fields)


def _is_torn(path: Path) -> bool:
    """Whether a file holds nothing but what was never acknowledged."""
    with contextlib.suppress(OSError, ValueError):
        return path.is_file() and is_torn_header(read_bytes(path, limits.TEXT_BYTES))
    return False


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


# ---- playing it again


def load_game_for(record: Record, rules_path: str | Path) -> Game:
    """The game a record is of. Raises RulesError, or RecordError if the rules are others."""
    if not record.has_header:
        raise RecordError(record.problems[0])
    game = load(rules_path, record.players, dict(record.options), settings=record.set_otherwise)
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
        for _ in _replay(game, record, len(record.decisions)):
            pass
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
    *_, state = replay_states(game, record, until, other_rules=other_rules)
    return state


def replay_states(
    game: Game, record: Record, until: int | None = None, *, other_rules: bool = False
) -> Iterator[State]:
    """All states on the way there, from the first one on."""
    refused = None if other_rules else check_same_rules(game, record)
    if refused is not None:
        raise RecordError(refused)
    wanted = len(record.decisions) if until is None else until
    yield from _replay(game, record, max(0, min(wanted, len(record.decisions))))


def _replay(game: Game, record: Record, until: int) -> Iterator[State]:
    number = -1
    try:
        state = game.start(record.seed, ask_when_forced=record.ask_when_forced)
        yield state
        for number, (seat, text) in enumerate(record.decisions[:until]):
            offered = state.options(seat)
            option = next((each for each in offered if each.text == text), None)
            if option is None:
                raise RecordError(_not_offered(record, number, state, offered))
            state = state.apply(option, seat)
            yield state
    except PlayError as error:
        broken = error.problem
        message = "the rules break down here while the record is replayed"
        notes = ((broken.mark, broken.message),)
        raise RecordError(
            Problem("RR706", message, record.mark(number), notes=notes, limit=broken.limit)
        ) from None
    if until == len(record.decisions) and record.finished:
        _compare_end(record, state)


def _not_offered(record: Record, number: int, state: State, offered: list[Option]) -> Problem:
    seat, text = record.decisions[number]
    if state.is_over:
        help_ = "the game is over before this decision"
    elif seat not in state.seats_to_act:
        help_ = "it is for " + " or ".join(seat_name(s) for s in state.seats_to_act) + " to decide"
    else:
        shown = ", ".join(f"`{option}`" for option in offered[:_OFFERED])
        more = f" and {len(offered) - _OFFERED} more" if len(offered) > _OFFERED else ""
        help_ = f"what can be chosen: {shown}{more}"
    message = f"decision {number + 1}, `{text}` by {seat_name(seat)}, is not offered here"
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
    return Recorder(path, file, record.ends), state


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


def _exists(path: Path) -> Problem:
    message = "there is a file of this name already, and it is left as it is"
    help_ = "choose another name, or go on with the game recorded there"
    return Problem("RR703", message, _top(path), help=help_)


def _finished(path: Path) -> Problem:
    message = "this game is over, so nothing can be added to its record"
    return Problem("RR708", message, _top(path), help="replay it, or start a new game")


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
