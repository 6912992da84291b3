"""All tables of a server: loads them, does what they ask for, makes new ones."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, assert_never

from interpreter.table.effects import Again, Ask, Effect, Keep, Send, Shut, Write
from interpreter.table.positions import scenario_addition
from interpreter.table.sheet import Entry, Sheet
from interpreter.table.store import StoreError
from interpreter.table.table import WRONG_KEY, Table
from interpreter.table.tokens import hashed, new_seed, new_table_id, new_token, role_of
from interpreter.table.wire import ALL, SPECTATOR, encoded

Data = dict[str, Any]
MOST_TABLES = 20_000  # kept by one server
MOST_GUESTS = 64  # connections to one table
_NO_KEYS = {SPECTATOR: hashed("")}  # compared with where there is no table, to take as long


class Shelf(Protocol):
    """Where tables are kept."""

    def add_table(self, sheet: Sheet, now: float) -> None: ...

    def find(self, table: str) -> tuple[Sheet, list[Entry]] | None: ...

    async def keep(self, table: str, number: int, entry: Entry) -> None: ...

    def count(self) -> int: ...


class Line:
    """A connection as the hall sees it: messages are put into it, and whoever is too slow to take
    them is let go."""

    MOST = 64

    def __init__(self) -> None:
        self.out: asyncio.Queue[str | None] = asyncio.Queue()
        self.shut = False

    def put(self, text: str) -> None:
        if not self.shut:
            self.out.put_nowait(text)
            if self.out.qsize() > self.MOST:
                self.close()

    def close(self) -> None:
        """What was put before is still sent."""
        self.shut = True
        self.out.put_nowait(None)


@dataclass(slots=True)
class _Room:
    """A table in use. What comes in is dealt with in turn, to the last thing to do."""

    table: Table
    lines: dict[int, Line] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    closed: bool = False


class Hall:
    def __init__(
        self,
        store: Shelf,
        ask: Callable[[Data], Awaitable[Data]],
        clock: Callable[[], float] = time.time,
        *,
        designing: bool = False,
    ) -> None:
        self.store, self.ask, self.clock, self.designing = store, ask, clock, designing
        self.version = 0
        self.rooms: dict[str, _Room] = {}
        self._numbers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- tables

    def make(self, sheet: Sheet) -> None:
        """A new table. Raises StoreError."""
        if self.store.count() >= MOST_TABLES:
            raise StoreError("this server has as many tables as it may have")
        self.store.add_table(sheet, self.clock())

    def _room(self, table: str) -> _Room | None:
        room = self.rooms.get(table)
        if room is None:
            found = self.store.find(table)
            if found is None:
                return None
            sheet, entries = found
            era = int(self.clock() * 1000)  # later than that of any life before
            table_ = Table(sheet, entries, era=era, version=self.version, designing=self.designing)
            room = _Room(table_)
            self.rooms[table] = room
        return room

    def role(self, table: str, token: str) -> int | None:
        """Whose key a token is. That there is no such table takes as long to find out."""
        room = self._room(table)
        return role_of(token, room.table.sheet.keys if room is not None else _NO_KEYS)

    async def question(self, table: str, do: str, **more: Any) -> Data:
        """Asked beside the table's own questions."""
        room = self._room(table)
        assert room is not None
        position = room.table.position()
        return await self.ask({"do": do, "position": position, "viewers": [], **more})

    # ---- what comes in

    def join(self, table: str, line: Line) -> int:
        """A number for a connection; of a table that is not there as well."""
        self._numbers += 1
        room = self._room(table)
        if room is not None and len(room.lines) < MOST_GUESTS:
            room.lines[self._numbers] = line
        return self._numbers

    async def receive(self, table: str, conn: int, message: Data) -> None:
        room = self.rooms.get(table)
        if room is None or conn not in room.lines:
            role_of(str(message.get("token")), _NO_KEYS)
            raise NoTable
        async with room.turn:
            await self._do(room, room.table.receive(conn, message, self.clock()))

    async def leave(self, table: str, conn: int) -> None:
        room = self.rooms.get(table)
        if room is None or conn not in room.lines:
            return
        async with room.turn:
            room.lines.pop(conn, None)
            await self._do(room, room.table.leave(conn, self.clock()))

    async def tick(self) -> None:
        for name, room in list(self.rooms.items()):
            async with room.turn:
                await self._do(room, room.table.tick(self.clock()))
                if room.table.is_idle and not room.lines:
                    self.rooms.pop(name, None)

    async def renew(self) -> None:
        """Rules have been written anew."""
        self.version += 1
        for room in list(self.rooms.values()):
            async with room.turn:
                await self._do(room, room.table.renew(self.version, self.clock()))

    # ---- what is to be done

    async def _do(self, room: _Room, effects: list[Effect]) -> None:
        for effect in effects:
            if room.closed:
                return
            match effect:
                case Send(to, message):
                    text = encoded(message)
                    for conn in to:
                        if conn in room.lines:
                            room.lines[conn].put(text)
                case Shut(to):
                    for conn in to:
                        if conn in room.lines:
                            room.lines[conn].close()
                case Ask(request):
                    self._later(self._asked(room, request))
                case Keep(number, entry):
                    await self._keep(room, Keep(number, entry))
                case Again():
                    await self._again(room, effect)
                case Write():
                    await self._do(room, [_written(effect)])
                case _:
                    assert_never(effect)

    async def _keep(self, room: _Room, keep: Keep) -> None:
        try:
            table = room.table.sheet.id
            await self.store.keep(table, keep.number, keep.entry)
        except StoreError:
            self._close(room)  # nobody is told what is not safe; what is safe is loaded again

    def _close(self, room: _Room) -> None:
        room.closed = True
        self.rooms.pop(room.table.sheet.id, None)
        for line in room.lines.values():
            line.close()

    async def _asked(self, room: _Room, request: Data) -> None:
        try:
            reply = await self.ask(request)
            async with room.turn:
                if not room.closed:
                    await self._do(room, room.table.answered(reply, self.clock()))
        except Exception:
            self._close(room)  # a table that waits for ever would be worse than one loaded again
            raise

    async def _again(self, room: _Room, again: Again) -> None:
        """The same game with everybody one seat further; the keys they have open it."""
        table = room.table
        sheet = rotated(table.sheet, table.story.seats)
        try:
            self.make(sheet)
        except StoreError:
            return
        await self._do(room, table.followed(sheet.id, again, self.clock()))

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _written(write: Write) -> Send:
    path, text = scenario_addition(write.file, write.text)
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        lines = [f"{path.name} cannot be written: {error.strerror}."]
        return Send((write.to,), {"type": "refused", "id": write.message["id"], "lines": lines})
    return Send((write.to,), {**write.message, "file": path.name})


class NoTable(Exception):
    """There is no such table, or no room at it."""

    message = WRONG_KEY


def new_sheet(
    file: str, players: int, options: dict[str, str | int], seats: tuple[str, ...], **more: Any
) -> tuple[Sheet, dict[int, str]]:
    """A sheet, and the tokens of its links, which nobody knows after this."""
    tokens = {role: new_token() for role in (*range(players), SPECTATOR, ALL)}
    keys = {role: hashed(token) for role, token in tokens.items()}
    seed = more.pop("seed", None)
    sheet = Sheet(
        new_table_id(),
        file,
        players,
        options,
        seats,
        new_seed() if seed is None else seed,
        secrets.token_hex(16),
        keys,
        **more,
    )
    return sheet, tokens


def rotated(sheet: Sheet, seats: list[str]) -> Sheet:
    """Everybody one seat further, with another seed."""
    players = sheet.players
    keys = {role: key for role, key in sheet.keys.items() if role < 0}
    keys |= {(seat + 1) % players: sheet.keys[seat] for seat in range(players)}
    return replace(
        sheet,
        id=new_table_id(),
        seats=tuple(seats[(seat - 1) % players] for seat in range(players)),
        seed=new_seed(),
        salt=secrets.token_hex(16),
        keys=keys,
    )
