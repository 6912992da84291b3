"""Who may come in from where, and what every answer says about itself."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers as HeaderView
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_SAID = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Doors:
    """Pages of other sites have no business here: the host must be one of ours, so that nobody's
    name can be made to point at this machine, and what has an origin must come from that host."""

    def __init__(self, hosts: tuple[str, ...] = ()) -> None:
        self.hosts = {"localhost", socket.gethostname().casefold(), *map(str.casefold, hosts)}

    def lets_in(self, headers: Mapping[str, str]) -> bool:
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not self._is_ours(host):
            return False
        return origin is None or urlsplit(origin).netloc.casefold() == host.casefold()

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class Headers:
    """Every request comes through the doors, and every answer has its headers."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self.app, self.doors = app, doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SAID.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    static = scope["path"].startswith("/static/")
                    headers["cache-control"] = "no-cache" if static else "no-store"
            await send(message)

        if not self.doors.lets_in(HeaderView(scope=scope)):
            refusal = JSONResponse({"problem": "Not from here."}, 403)
            await refusal(scope, receive, with_headers)
            return
        await self.app(scope, receive, with_headers)
