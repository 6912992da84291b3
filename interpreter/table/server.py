"""The server: pages, the lobby's questions, and the socket of a table."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from interpreter.table.bounds import Buckets
from interpreter.table.doors import Doors, Headers
from interpreter.table.hall import Hall, Line, NoTable
from interpreter.table.lobby import Lobby, Unfit
from interpreter.table.pool import Pool
from interpreter.table.store import Store, StoreError
from interpreter.table.wire import MOST_BYTES, encoded
from interpreter.watching import Watching

PAGE = Path(__file__).resolve().parent / "page"
_TICK = 15.0  # seconds between looks at tables nobody sits at
_HELLO = 10.0  # seconds to say hello
_MESSAGES = 20.0  # a second, from one connection
_NEW_TABLES = 10.0 / 60  # a second, from one address
_MOST_LINES = 4_000  # connections at once
_GONE, _TOO_MUCH = 4404, 4429


class Server:
    """What the routes share."""

    def __init__(
        self, files: Sequence[Path], store: Store, pool: Pool, doors: Doors, *, watch: bool = False
    ) -> None:
        self.pool = pool
        self.hall = Hall(store, pool.ask, designing=watch)
        self.lobby = Lobby(files, pool.ask)
        self.doors = doors
        self.watching = Watching([file.parent for file in files]) if watch else None
        self.lines = 0
        self._making = Buckets(_NEW_TABLES, 10)

    def app(self) -> Starlette:
        routes = [
            Route("/", self.page),
            Route("/t/{table}", self.page),
            Route("/api/games", self.games),
            Route("/api/tables", self.new_table, methods=["POST"]),
            Route("/api/tables/{table}/record", self.record),
            WebSocketRoute("/ws/{table}", self.socket),
            Mount("/static", StaticFiles(directory=PAGE)),
        ]
        guards = [Middleware(Headers, doors=self.doors)]
        return Starlette(routes=routes, middleware=guards, lifespan=self._life)

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._look_after())]
        if self.watching is not None:
            tasks.append(asyncio.create_task(self._watch()))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await self.hall.close()
            await self.pool.close()

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(_TICK)
            await self.hall.tick()

    async def _watch(self) -> None:
        assert self.watching is not None
        while True:
            await asyncio.to_thread(self.watching.wait)
            await self.hall.renew()
            self.lobby.renew(self.hall.version)

    # ---- pages and questions

    async def page(self, request: Request) -> Response:
        return FileResponse(PAGE / "index.html", media_type="text/html")

    async def games(self, request: Request) -> Response:
        return JSONResponse({"games": await self.lobby.games()})

    async def new_table(self, request: Request) -> Response:
        address = request.client.host if request.client else ""
        if not self._making.take(address, time.monotonic()):
            return _refusal(429, "Too many new tables; wait a minute.")
        try:
            wanted = json.loads(await _body(request))
            sheet, tokens = await self.lobby.sheet(wanted)
            self.hall.make(sheet)
        except (ValueError, RecursionError):
            return _refusal(400, "This is no JSON.")
        except Unfit as unfit:
            return _refusal(400, str(unfit))
        except StoreError as error:
            return _refusal(503, str(error))
        return JSONResponse(self.lobby.links(sheet, tokens), 201)

    async def record(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        table = request.path_params["table"]
        if self.hall.role(table, token) is None or scheme.casefold() != "bearer":
            return _refusal(404, "This link opens no table.")
        answer = await self.hall.question(table, "record")
        if "record" not in answer:
            return _refusal(409, (answer.get("refused") or ["There is no record."])[0])
        return PlainTextResponse(answer["record"])

    # ---- the socket

    async def socket(self, socket: WebSocket) -> None:
        if not self.doors.lets_in(socket.headers) or self.lines >= _MOST_LINES:
            await socket.close(1008)
            return
        await socket.accept()
        self.lines += 1
        line, table = Line(), socket.path_params["table"]
        conn = self.hall.join(table, line)
        sender = asyncio.create_task(_send_all(socket, line))
        try:
            await self._listen(socket, table, conn)
        except NoTable as wrong:
            line.put(encoded(wrong.message))
            line.close()
        except (WebSocketDisconnect, RuntimeError, ValueError, KeyError, TimeoutError):
            line.close()  # gone, silent, or sending what is no message
        finally:
            self.lines -= 1
            await self.hall.leave(table, conn)
            line.close()
            await sender

    async def _listen(self, socket: WebSocket, table: str, conn: int) -> None:
        bucket, first = Buckets(_MESSAGES, 2 * _MESSAGES), True
        while True:
            text = await asyncio.wait_for(socket.receive_text(), _HELLO if first else None)
            first = False
            if len(text) > MOST_BYTES or not bucket.take("", time.monotonic()):
                await socket.close(_TOO_MUCH)
                return
            message = json.loads(text)
            if not isinstance(message, dict):
                raise ValueError("a message is an object")
            await self.hall.receive(table, conn, message)


async def _send_all(socket: WebSocket, line: Line) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (text := await line.out.get()) is not None:
            await socket.send_text(text)
        await socket.close(_GONE)


async def _body(request: Request) -> bytes:
    found = b""
    async for part in request.stream():
        found += part
        if len(found) > MOST_BYTES:
            raise HTTPException(413)
    return found


def _refusal(status: int, text: str) -> Response:
    body: dict[str, Any] = {"problem": text}
    return JSONResponse(body, status)
