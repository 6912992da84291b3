"""A real server in a process of its own, and browsers that talk to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parent.parent
Data = dict[str, Any]
_WAIT = 120.0  # seconds after which nothing comes any more


class Served:
    def __init__(self, names: Sequence[str | Path], store: Path, *more: str, port: int = 0) -> None:
        self._begin("serve", *map(str, names), "--port", str(port), "--store", str(store), *more)

    @classmethod
    def table(cls, *asked: str, games: Path) -> Served:
        """`rulerun FILE --browser`."""
        made = cls.__new__(cls)
        made._begin(*asked, RULERUN_GAMES=str(games))
        return made

    def _begin(self, *asked: str, **more: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter", *asked],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **more},
        )
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        self.address = "/".join(self.link.split("/")[:3])

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def get(self, path: str, **headers: str) -> tuple[int, Data, dict[str, str]]:
        return self._ask(urllib.request.Request(self.address + path, headers=headers))

    def post(self, path: str, data: Any, **headers: str) -> tuple[int, Data, dict[str, str]]:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return self._ask(urllib.request.Request(self.address + path, body, headers))

    def _ask(self, request: urllib.request.Request) -> tuple[int, Data, dict[str, str]]:
        try:
            with urllib.request.urlopen(request, timeout=_WAIT) as answer:
                text, status, headers = answer.read(), answer.status, dict(answer.headers)
        except urllib.error.HTTPError as error:
            text, status, headers = error.read(), error.code, dict(error.headers)
        try:
            found = json.loads(text)
        except ValueError:
            found = {"text": text.decode()}
        return status, found, {name.casefold(): value for name, value in headers.items()}

    def sit(self, link: str, since: int | None = None, **more: Any) -> Browser:
        return Browser(self.address, link, since, **more)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(_WAIT)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Browser:
    """One tab."""

    def __init__(self, address: str, link: str, since: int | None = None, **more: Any) -> None:
        path, _, token = link.partition("#")
        where = address.replace("http", "ws", 1) + path.replace("/t/", "/ws/", 1)
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(where, max_size=None, compression=None, **more)
        )
        self.heard: list[str] = []
        self.send(type="hello", token=token, since=since)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, *kinds: str) -> Data:
        """The next message of one of these kinds."""
        while True:
            text = self.socket.recv(_WAIT)
            assert isinstance(text, str)
            self.heard.append(text)
            found: Data = json.loads(text)
            if found["type"] in kinds:
                return found

    def close(self) -> None:
        self._open.close()
