"""Tables on the disk: an SQLite database in the user's folder.

An entry is acknowledged only when the disk has it, so whatever ends the server, every table is
there again with all that was acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

from interpreter.shelf import games_folder
from interpreter.table.sheet import Entry, Sheet

_VERSION = 1
_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    players INTEGER NOT NULL,
    options TEXT NOT NULL,
    seats TEXT NOT NULL,
    seed INTEGER NOT NULL,
    salt TEXT NOT NULL,
    scenario TEXT,
    chat INTEGER NOT NULL,
    clock TEXT,
    made REAL NOT NULL
) STRICT;
CREATE TABLE keys (
    table_id TEXT NOT NULL REFERENCES tables (id),
    role INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (table_id, role)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    role INTEGER NOT NULL,
    client TEXT,
    body TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX once ON entries (table_id, role, client) WHERE client IS NOT NULL;
"""


class StoreError(Exception):
    """The disk cannot be used, in words for the user."""


def usual_path() -> Path:
    """With the games that this user has begun."""
    return games_folder() / "tables.db"


class Store:
    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path.touch(mode=0o600)  # tokens are hashed, but seeds are not
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._db.executescript(
                    f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version = {_VERSION};COMMIT;"
                )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"tables cannot be kept in {path}: {error}") from None
        if version not in (0, _VERSION):
            raise StoreError(f"{path} was written by another version of rulerun")

    def close(self) -> None:
        self._db.close()

    def add_table(self, sheet: Sheet, now: float) -> None:
        row = (
            sheet.id,
            sheet.file,
            sheet.players,
            json.dumps(sheet.options),
            json.dumps(sheet.seats),
            sheet.seed,
            sheet.salt,
            sheet.scenario,
            int(sheet.chat),
            json.dumps(sheet.clock) if sheet.clock else None,
            now,
        )
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(f"INSERT INTO tables VALUES ({','.join('?' * len(row))})", row)
            keys = [(sheet.id, role, key) for role, key in sheet.keys.items()]
            self._db.executemany("INSERT INTO keys VALUES (?, ?, ?)", keys)

    def find(self, table: str) -> tuple[Sheet, list[Entry]] | None:
        columns = "file, players, options, seats, seed, salt, scenario, chat, clock"
        row = self._db.execute(f"SELECT {columns} FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        keys = self._db.execute("SELECT role, hash FROM keys WHERE table_id = ?", (table,))
        sheet = Sheet(
            table,
            row[0],
            row[1],
            json.loads(row[2]),
            tuple(json.loads(row[3])),
            row[4],
            row[5],
            dict(keys.fetchall()),
            row[6],
            bool(row[7]),
            json.loads(row[8]) if row[8] else None,
        )
        found = self._db.execute(
            "SELECT kind, role, client, body, at FROM entries WHERE table_id = ? ORDER BY number",
            (table,),
        )
        entries = [
            Entry(kind, role, client, json.loads(body), at)
            for kind, role, client, body, at in found
        ]
        return sheet, entries

    def add_entry(self, table: str, number: int, entry: Entry) -> None:
        """Raises StoreError unless it is safe on the disk."""
        row = (table, number, entry.kind, entry.role, entry.client)
        try:
            self._db.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, json.dumps(entry.body), entry.at),
            )
        except (sqlite3.Error, ValueError) as error:
            raise StoreError(str(error)) from None

    async def keep(self, table: str, number: int, entry: Entry) -> None:
        """The same, while others go on."""
        await asyncio.to_thread(self.add_entry, table, number, entry)

    def count(self) -> int:
        (number,) = self._db.execute("SELECT count(*) FROM tables").fetchone()
        return int(number)
