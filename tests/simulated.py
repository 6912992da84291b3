"""Tables, people and the network between them in simulated time, all of it drawn from one seed.

The hall and its tables are the real ones. The network drops messages, sends them twice, late and
in another order; the server is ended at any moment it waits at, and begun again from what it has
kept. A seed that fails can be looked at with `python tests/simulated.py SEED`.
"""

from __future__ import annotations

import asyncio
import json
import random
import selectors
import sys
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.table.desk import Desk
from interpreter.table.hall import Hall, Line, NoTable, new_sheet
from interpreter.table.sheet import Entry, Sheet, story_of
from interpreter.table.store import StoreError
from interpreter.table.wire import chained

Data = dict[str, Any]
RULES = Path(__file__).resolve().parent / "cases" / "tables" / "sealed.rules"
PLAYERS = 2
VIEWERS = [*range(PLAYERS), -1]
_STORM = 40.0  # seconds of bad weather
_CALM = 400.0  # seconds in which everybody must come to the end after that
_HEARD = ("welcome", "event", "done", "refused")
_DROPPED, _TWICE, _DISK_FAILS = 0.1, 0.1, 0.02


class _Jump(selectors.SelectSelector):
    """Nobody waits: time is when the next thing happens."""

    loop: SimulatedLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits for somebody"
        self.loop.now += max(0.0, timeout)
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.now = 0.0
        selector = _Jump()
        super().__init__(selector)
        selector.loop = self

    def time(self) -> float:
        return self.now


DESK = Desk()


@cache
def _answer(request: str) -> str:
    return json.dumps(DESK.answer(json.loads(request)))


def rules_say(request: Data) -> Data:
    """What the rules say depends on the question alone, so it is asked once for all seeds, and for
    all viewers at once."""
    position = {**request["position"], "table": "any"}
    asked = {**request, "position": position, "viewers": VIEWERS}
    for part in ("since", "viewer"):
        asked.pop(part, None)
    found: Data = json.loads(_answer(json.dumps(asked)))
    if "views" in found:
        found["views"] = {str(each): found["views"][str(each)] for each in request["viewers"]}
    return found


@dataclass
class Disk:
    """What outlives the server."""

    rnd: random.Random
    sheets: dict[str, Sheet] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    fails: bool = True

    def add_table(self, sheet: Sheet, now: float) -> None:
        self.sheets[sheet.id], self.entries[sheet.id] = sheet, []

    def find(self, table: str) -> tuple[Sheet, list[Entry]] | None:
        return (self.sheets[table], self.entries[table]) if table in self.sheets else None

    async def keep(self, table: str, number: int, entry: Entry) -> None:
        await asyncio.sleep(self.rnd.random() * 0.1)
        if self.fails and self.rnd.random() < _DISK_FAILS:
            raise StoreError("no room")
        kept = self.entries[table]
        assert number == len(kept) + 1, "an entry at a place that is taken"
        kept.append(entry)
        await asyncio.sleep(self.rnd.random() * 0.1)  # safe, but nobody knows yet

    def count(self) -> int:
        return len(self.sheets)


class World:
    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(seed)
        self.disk = Disk(self.rnd)
        self.stormy = True
        self.hall: Hall | None = None
        self.tasks: set[asyncio.Task[None]] = set()  # of the server, which end with it

    # ---- the server

    def begin(self) -> None:
        loop = asyncio.get_running_loop()
        self.hall = Hall(self.disk, self._ask, loop.time)

    async def _ask(self, request: Data) -> Data:
        await asyncio.sleep(self.rnd.random() * 0.2)
        if self.stormy and self.rnd.random() < 0.02:
            return {"problem": {"text": "too long"}}
        return rules_say(request)

    async def end(self) -> None:
        """At whatever it waits at, whoever it is that waits."""
        hall, self.hall = self.hall, None
        tasks, self.tasks = self.tasks, set()
        for task in tasks:
            task.cancel()
        if hall is not None:
            await hall.close()
            for room in hall.rooms.values():
                for line in room.lines.values():
                    line.close()

    async def trouble(self) -> None:
        while self.stormy:
            await asyncio.sleep(self.rnd.expovariate(0.15))
            await self.end()
            await asyncio.sleep(self.rnd.random() * 2)
            self.begin()

    # ---- the network

    def delays(self) -> list[float]:
        """When a message arrives: once, twice or never."""
        times = 1
        if self.stormy:
            draw = self.rnd.random()
            times = 0 if draw < _DROPPED else 2 if draw < _DROPPED + _TWICE else 1
        return [self.rnd.random() * (1.0 if self.stormy else 0.01) for _ in range(times)]

    def serve(self, work: Coroutine[Any, Any, None]) -> None:
        """Something the server does, as long as it lives."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


@dataclass
class Client:
    """Somebody at a table, as the page behaves: what has a number is shown once and in order, and
    a move is sent again under the same id until it is answered."""

    world: World
    table: str
    name: str
    token: str
    plays: bool = True
    seq: int | None = None
    scene: Data = field(default_factory=dict)
    log: list[Data] = field(default_factory=list)
    over: bool = False
    pending: Data | None = None
    done: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    sent: int = 0
    asked_at: float = -9.0
    undo: bool = False
    clock: Data | None = None
    _hall: Hall | None = None
    _line: Line | None = None
    _conn: int = 0

    async def live(self) -> None:
        while not self.over or self.pending is not None:
            hall = self.world.hall
            if hall is None:
                await asyncio.sleep(0.2)
                continue
            line = Line()
            self._hall, self._line, self._conn = hall, line, hall.join(self.table, line)
            self._send({"type": "hello", "token": self.token, "since": self.seq})
            reading = asyncio.create_task(self._read(line))
            await self._sit(hall, line)
            reading.cancel()
            line.close()
            with suppress(asyncio.CancelledError):
                await reading
            if self.world.hall is hall:
                await hall.leave(self.table, self._conn)
            self._line = None

    async def _sit(self, hall: Hall, line: Line) -> None:
        """One connection, until it breaks."""
        rnd = self.world.rnd
        until = asyncio.get_running_loop().time() + rnd.expovariate(0.1)
        while self.world.hall is hall and not line.shut:
            await asyncio.sleep(0.5 + rnd.random() * 0.5)
            now = asyncio.get_running_loop().time()
            if self.world.stormy and now > until:
                return
            if self.over and self.pending is None:
                return
            self._act(now)

    def _act(self, now: float) -> None:
        rnd = self.world.rnd
        if self.pending is not None or now - self.asked_at > 3:
            # No answer, or nothing heard for long: say hello again, and what was not answered.
            self.asked_at = now
            self._send({"type": "hello", "token": self.token, "since": self.seq})
            if self.pending is not None:
                self._send(self.pending)
            return
        if not self.plays or self.seq is None:
            return
        if self.undo and rnd.random() < 0.1:
            self._new({"type": "undo"})
        elif self.scene.get("decision"):
            options = self.scene["decision"]["options"]
            option = options[min(int(rnd.expovariate(1.0)), len(options) - 1)]
            at = {"at": self.scene["moves"], "seq": self.seq, "option": option["text"]}
            self._new({"type": "move", **at})

    def _new(self, message: Data) -> None:
        self.sent += 1
        self.pending = {**message, "id": f"{self.name}-{self.sent}"}
        self._send(self.pending)

    def _send(self, message: Data) -> None:
        hall, conn = self._hall, self._conn
        assert hall is not None

        async def arrive(delay: float) -> None:
            await asyncio.sleep(delay)
            with suppress(NoTable):
                await hall.receive(self.table, conn, message.copy())

        if self.world.hall is hall:
            for delay in self.world.delays():
                self.world.serve(arrive(delay))

    async def _read(self, line: Line) -> None:
        loop = asyncio.get_running_loop()
        while (text := await line.out.get()) is not None:
            message = json.loads(text)
            if message["type"] in _HEARD:
                for delay in self.world.delays():
                    loop.call_later(delay, self._arrived, line, message)

    def _arrived(self, line: Line, message: Data) -> None:
        if self._line is line:
            self._take(message)

    def _take(self, message: Data) -> None:
        match message["type"]:
            case "welcome":
                if self.seq is None or message["seq"] > self.seq:
                    self.log = message["log"]
                    self._look(message)
            case "event":
                if self.seq is None or message["seq"] <= self.seq:
                    return
                if message["since"] <= self.seq:
                    self.log = self.log[: message["logFrom"]] + message["log"]
                    self._look(message)
                else:
                    self._send({"type": "hello", "token": self.token, "since": self.seq})
            case "done" | "refused" if self.pending and message["id"] == self.pending["id"]:
                told = self.done if message["type"] == "done" else self.refused
                told.append(message["id"])
                self.pending = None

    def _look(self, message: Data) -> None:
        self.seq, self.scene, self.undo = message["seq"], message["scene"], message["undo"]
        self.over = message["over"] is not None
        self.clock = message["clock"] if "clock" in message else message["table"]["clock"]


async def _game(seed: int) -> World:
    world = World(seed)
    bot = world.rnd.random() < 0.2
    seats = ("person", "bot random" if bot else "person")
    sheet, tokens = new_sheet(
        str(RULES), PLAYERS, {}, seats, seed=1, clock={"seconds": 300, "more": 5}
    )
    world.disk.add_table(sheet, 0)
    world.begin()
    clients = [
        Client(world, sheet.id, f"{role}.{tab}", tokens[role], plays=role >= 0 and tab == 0)
        for role in VIEWERS
        for tab in range(1 + (role == 0))
    ]
    living = [asyncio.create_task(client.live()) for client in clients]
    trouble = asyncio.create_task(world.trouble())
    await asyncio.wait(living, timeout=_STORM)
    world.stormy = world.disk.fails = False
    await trouble
    done, waiting = await asyncio.wait(living, timeout=_CALM)
    for task in done:
        task.result()
    assert not waiting, "somebody never comes to the end"
    await world.end()
    _judge(world, sheet, clients)
    return world


def _judge(world: World, sheet: Sheet, clients: list[Client]) -> None:
    entries = world.disk.entries[sheet.id]
    ids = [entry.client for entry in entries if entry.client is not None]
    assert len(ids) == len(set(ids)), "something was done twice"
    for client in clients:
        assert set(client.done) <= set(ids), "something acknowledged is lost"
        assert not set(client.refused) & set(ids), "something refused was done"
    story = story_of(sheet, entries)
    position = {
        "table": sheet.id,
        "file": sheet.file,
        "players": sheet.players,
        "options": sheet.options,
        "scenario": None,
        "seed": sheet.seed,
        "version": 0,
        "count": len(story.decisions),
        "digest": chained(story.decisions),
        "moves": story.decisions,
    }
    for client in clients:
        viewer = int(client.name.partition(".")[0])
        persons = [seat for seat, who in enumerate(story.seats) if who == "person"]
        asked = {
            "do": "open",
            "position": position,
            "viewers": [viewer],
            "persons": persons,
        }
        told = rules_say(asked)
        assert "views" in told, f"decisions cannot be made again: {told}"
        assert told["over"], "somebody has seen an end that was none"
        view = told["views"][str(viewer)]
        assert client.scene == json.loads(view["scene"]), "somebody sees another table"
        lines = [line for chunk in view["chunks"] for line in chunk]
        assert client.log == lines, f"{client.name} reads {client.log}, and not {lines}"
        assert client.clock is not None
        assert all(0 <= left <= 300 for left in client.clock["left"]), "a clock gives time away"


def simulate(seed: int) -> World:
    """Raises AssertionError if this seed shows a mistake."""
    loop = SimulatedLoop()
    try:
        return loop.run_until_complete(_game(seed))
    except AssertionError as error:
        again = f"python tests/simulated.py {seed}"
        raise AssertionError(f"seed {seed}: {error}\nsee it again with: {again}") from error
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


if __name__ == "__main__":
    for text in sys.argv[1:]:
        first, _, last = text.partition("-")
        for number in range(int(first), int(last or first) + 1):
            found = simulate(number)
            kept = [entry.kind for entries in found.disk.entries.values() for entry in entries]
            print(f"seed {number}: {len(kept)} entries, {kept.count('undo')} taken back")
