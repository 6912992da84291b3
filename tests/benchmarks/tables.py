"""Tables under load, on loopback: moves of many tables at once, a storm of those who come back,
and those who only listen.

    python tests/benchmarks/tables.py                 200 tables, 400 sockets, 60 s
    python tests/benchmarks/tables.py --tables 4 --seconds 2 --idle 8

Prints one line of JSON: how long a move takes until all at the table have the new one, in
milliseconds, how much of the processor it takes, whether anything was lost, and how much memory the
server takes, in MB. The times of a busy machine say little: its load stands beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from served import Served  # noqa: E402
from websockets.asyncio.client import ClientConnection, connect  # noqa: E402

from interpreter.table.hall import new_sheet  # noqa: E402
from interpreter.table.store import Store  # noqa: E402

GAME = ROOT / "rulesets" / "classics" / "breakthrough.rules"
PLAYERS = 2
_WAIT = 60.0
Data = dict[str, Any]


@dataclass
class Seat:
    """One socket: hears everything, and plays when it is told to."""

    address: str
    table: str
    token: str
    seq: int | None = None
    scene: Data = field(default_factory=dict)
    over: bool = False
    done: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    gaps: int = 0
    refused: int = 0
    socket: ClientConnection | None = None
    reader: asyncio.Task[None] | None = None

    async def come(self) -> None:
        self.ready.clear()
        where = f"{self.address.replace('http', 'ws', 1)}/ws/{self.table}"
        self.socket = await connect(
            where, max_size=None, compression=None, open_timeout=_WAIT, ping_interval=None
        )
        hello = {"type": "hello", "token": self.token, "since": self.seq}
        await self.socket.send(json.dumps(hello))
        self.reader = asyncio.create_task(self._read(self.socket))
        await asyncio.wait_for(self.ready.wait(), _WAIT)

    async def _read(self, socket: ClientConnection) -> None:
        async for text in socket:
            message = json.loads(text)
            kind = message["type"]
            if kind == "welcome":
                self._look(message)
                self.ready.set()
            elif kind == "event":
                if self.seq is not None and message["since"] > self.seq:
                    self.gaps += 1
                self._look(message)
                self.ready.set()
                self.news.set()
            elif kind in ("done", "refused"):
                self.refused += kind == "refused"
                self.done.set()

    def _look(self, message: Data) -> None:
        self.seq, self.scene = message["seq"], message["scene"]
        self.over = message["over"] is not None

    async def go(self) -> None:
        assert self.socket is not None and self.reader is not None
        self.reader.cancel()
        self.socket.transport.abort()  # as a laptop that is closed

    async def leave(self) -> None:
        assert self.socket is not None and self.reader is not None
        self.reader.cancel()
        await self.socket.close()


async def play(seats: list[Seat], until: float, times: list[float], number: int) -> int:
    """One move a second at one table, from its first to its last; how many there were."""
    moves = 0
    loop = asyncio.get_running_loop()
    due = loop.time() + number % 100 / 100
    while due < until:
        await asyncio.sleep(max(0.0, due - loop.time()))
        due = max(due + 1, loop.time())
        acting = [each for each in seats if each.scene["decision"]]
        if not acting or acting[0].over or acting[0].socket is None:
            break
        options = acting[0].scene["decision"]["options"]
        option = options[(number + moves) % len(options)]["text"]
        move = {"type": "move", "id": f"{number}-{moves}", "option": option}
        for each in seats:
            each.news.clear()
        acting[0].done.clear()
        begun = time.perf_counter()
        await acting[0].socket.send(json.dumps({**move, "at": acting[0].scene["moves"]}))
        heard = [each.news.wait() for each in seats]
        await asyncio.wait_for(asyncio.gather(acting[0].done.wait(), *heard), _WAIT)
        times.append(time.perf_counter() - begun)
        moves += 1
    return moves


def memory(pid: int) -> int:
    """Bytes of a process that are in memory, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(fields[1]) * 4096


def spent(pid: int) -> float:
    """Seconds of CPU a process has taken, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    found = tasks.glob("*/children") if tasks.exists() else ()
    return [int(child) for each in found for child in each.read_text(encoding="ascii").split()]


async def measure(served: Served, made: list[Data], seconds: float, idle: int) -> Data:
    tables = [
        [Seat(served.address, each["table"], each["tokens"][seat]) for seat in range(PLAYERS)]
        for each in made
    ]
    everybody = [seat for seats in tables for seat in seats]
    for begin in range(0, len(everybody), 50):
        await asyncio.gather(*(seat.come() for seat in everybody[begin : begin + 50]))
    times: list[float] = []
    until = asyncio.get_running_loop().time() + seconds
    pid = served.process.pid
    server, rules = spent(pid), sum(map(spent, children(pid)))
    playing = [play(seats, until, times, number) for number, seats in enumerate(tables)]
    moves = sum(await asyncio.gather(*playing))
    server, rules = spent(pid) - server, sum(map(spent, children(pid))) - rules
    loaded = memory(pid) + sum(map(memory, children(pid)))
    stands = [seats[0].scene["moves"] for seats in tables]

    await asyncio.gather(*(seat.go() for seat in everybody))
    begun = time.perf_counter()
    await asyncio.gather(*(seat.come() for seat in everybody))
    storm = time.perf_counter() - begun
    lost = moves - sum(stands)
    lost += sum(seat.scene["moves"] != at for seats, at in zip(tables, stands, strict=True)
                for seat in seats)  # fmt: skip

    listening = [
        Seat(served.address, each["table"], each["tokens"][-1])
        for number in range(idle)
        for each in (made[number % len(made)],)
    ]
    before = memory(served.process.pid)
    for begin in range(0, idle, 100):
        await asyncio.gather(*(seat.come() for seat in listening[begin : begin + 100]))
    idled = memory(served.process.pid)
    for begin in range(0, idle + len(everybody), 100):
        leaving = [*everybody, *listening][begin : begin + 100]
        await asyncio.gather(*(seat.leave() for seat in leaving))
    times.sort()
    return {
        "tables": len(tables),
        "sockets": len(everybody),
        "moves": moves,
        "p50 ms": round(1000 * times[len(times) // 2], 1),
        "p99 ms": round(1000 * times[min(len(times) - 1, len(times) * 99 // 100)], 1),
        "CPU ms a move, server": round(1000 * server / moves, 2),
        "CPU ms a move, rules": round(1000 * rules / moves, 2),
        "load": round(os.getloadavg()[0], 1),
        "lost": lost,
        "refused": sum(seat.refused for seat in everybody),
        "gaps": sum(seat.gaps for seat in everybody),
        "storm s": round(storm, 2),
        "idle": idle,
        "idle MB": round(idled / 1e6, 1),
        "MB before idle": round(before / 1e6, 1),
        "MB with children": round(loaded / 1e6, 1),
    }


def run(game: Path, tables: int, seconds: float, idle: int) -> Data:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        store = Store(path)  # directly, because one address may not make so many tables
        made = []
        for number in range(tables):
            seats = ("person",) * PLAYERS
            sheet, tokens = new_sheet(str(game.resolve()), PLAYERS, {}, seats, seed=number)
            store.add_table(sheet, time.time())
            made.append({"table": sheet.id, "tokens": tokens})
        store.close()
        served = Served([game], path)
        try:
            return asyncio.run(measure(served, made, seconds, idle))
        finally:
            served.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--game", type=Path, default=GAME)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--idle", type=int, default=1000)
    asked = parser.parse_args()
    print(json.dumps(run(asked.game, asked.tables, asked.seconds, asked.idle)))


if __name__ == "__main__":
    main()
