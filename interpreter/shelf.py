"""The shelf: games that people have begun, in a folder of the user, so that they can go on.

A game on the shelf is an ordinary record (record.py) that also says who sits where and where its
rules were. Games that were left before anything was decided are taken off again.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.embedding import Game
from interpreter.journal import Record, RecordError, read_record
from interpreter.record import Recorder

ENDING = ".record"
_TRIES = 100  # games of one name that are begun in one second


@dataclass(frozen=True, slots=True)
class Shelved:
    """A game on the shelf, and when it was played last."""

    path: Path
    record: Record
    changed: float


def games_folder() -> Path:
    """Where games are kept: RULERUN_GAMES, or where this system has such things."""
    chosen = os.environ.get("RULERUN_GAMES")
    if chosen:
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state")
    return base / "rulerun" / "games"


def put_on_shelf(game: Game, seed: int, seats: Sequence[str]) -> Recorder:
    """A record of a new game. Raises RecordError if it cannot be written there."""
    folder = games_folder()
    with contextlib.suppress(OSError):  # then the record cannot be written, which is told
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    source = str(Path(game.rules.name).resolve()) if game.rules else ""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(source).stem or game.title).strip("-") or "game"
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    for number in range(1, _TRIES):
        path = folder / f"{name}{'' if number == 1 else f'-{number}'}{ENDING}"
        try:
            return Recorder.create(path, game, seed, seats=seats, source=source)
        except RecordError as error:
            if not path.exists() or number == _TRIES - 1:
                raise error from None
    raise AssertionError


def take_off_if_new(recorder: Recorder) -> bool:
    """A game in which nothing was decided is not kept. Whether it was such a game."""
    if recorder.decisions:
        return False
    with contextlib.suppress(OSError):
        recorder.path.unlink()
    return True


def shelved_games(finished: bool = False) -> list[Shelved]:
    """The games that can go on, or else those that are over; the last played first."""
    found: list[Shelved] = []
    with contextlib.suppress(OSError):
        for path in games_folder().glob(f"*{ENDING}"):
            record = read_record(path)
            if record.has_header and record.error is None and record.finished == finished:
                with contextlib.suppress(OSError):
                    found.append(Shelved(path, record, path.stat().st_mtime))
    return sorted(found, key=lambda each: (-each.changed, each.path.name))
