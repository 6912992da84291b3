"""The children in which rules run. One that takes too long is ended, and another goes on."""

from __future__ import annotations

import asyncio
import json
import sys
import zlib
from contextlib import suppress
from typing import Any

Data = dict[str, Any]
MOVE_SECONDS = 20.0  # a move takes two on an idle machine, at most; a new game must be compiled
THINK_SECONDS = 120.0  # for a bot that plays games in its head
_START_SECONDS = 60.0
_THINKING = ("hint", "bot", "review")
_AT_ONCE = ("random", "first")  # bots that do not think
_HEAD = 4
_MOST = 64 * 1024 * 1024  # bytes of one answer
TOO_LONG = {"problem": {"text": "The rules took too long, so they were stopped.", "open": True}}
_ENDED = {"problem": {"text": "The rules ended in the middle of an answer.", "open": True}}


class Pool:
    """Tables keep to their child, which has them ready. Bots that think have children of their
    own, so that nobody else waits for them; there are as many as may think at once."""

    def __init__(
        self,
        players: int = 2,
        thinkers: int = 1,
        seconds: float = MOVE_SECONDS,
        think_seconds: float = THINK_SECONDS,
    ) -> None:
        self._players = [_Child(seconds) for _ in range(players)]
        self._thinkers = [_Child(think_seconds) for _ in range(thinkers)]

    async def ask(self, request: Data) -> Data:
        child = self._child(request)
        position = request.get("position")
        if position is None:
            return await child.ask(request)
        brief = {**request, "position": {k: v for k, v in position.items() if k != "moves"}}
        async with child.turn:
            answer = await child.ask_now(brief)
            if answer.get("need") == "moves":
                answer = await child.ask_now(request)
        return answer

    def _child(self, request: Data) -> _Child:
        thinks = request["do"] in _THINKING and request.get("bot") not in _AT_ONCE
        children = self._thinkers if thinks else self._players
        name = request.get("position", {}).get("table") or request.get("file", "")
        return children[zlib.crc32(name.encode()) % len(children)]

    def limit(self, seconds: float) -> None:
        """From now on an answer may take so long."""
        for child in (*self._players, *self._thinkers):
            child.seconds = seconds

    async def close(self) -> None:
        for child in (*self._players, *self._thinkers):
            await child.end()

    @property
    def pids(self) -> list[int]:
        """Of the children that live."""
        children = (*self._players, *self._thinkers)
        return [each.process.pid for each in children if each.process is not None]


class _Child:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.turn = asyncio.Lock()
        self.process: asyncio.subprocess.Process | None = None

    async def ask(self, request: Data) -> Data:
        async with self.turn:
            return await self.ask_now(request)

    async def ask_now(self, request: Data) -> Data:
        """An answer in any case: if rules take too long, that they did. A child that was found
        dead may have been so before; a second one that dies has died of this question."""
        for _ in range(2):
            try:
                await asyncio.wait_for(self._begin(), _START_SECONDS)
                return await asyncio.wait_for(self._exchange(request), self.seconds)
            except TimeoutError:
                await self.end()
                return TOO_LONG
            except (OSError, EOFError, ValueError):
                await self.end()
            except asyncio.CancelledError:
                await self.end()  # its answer would be taken for that to the next question
                raise
        return _ENDED

    async def _begin(self) -> None:
        """A child that is ready, begun if there is none."""
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "interpreter.table.child",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which ends its children
            )
            await self._answer(self.process)

    async def _exchange(self, request: Data) -> Data:
        process = self.process
        assert process is not None and process.stdin is not None
        data = json.dumps(request, separators=(",", ":")).encode()
        process.stdin.write(len(data).to_bytes(_HEAD, "big") + data)
        await process.stdin.drain()
        return await self._answer(process)

    async def _answer(self, process: asyncio.subprocess.Process) -> Data:
        assert process.stdout is not None
        length = int.from_bytes(await process.stdout.readexactly(_HEAD), "big")
        if length > _MOST:
            raise ValueError("too long an answer")
        found: Data = json.loads(await process.stdout.readexactly(length))
        return found

    async def end(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
