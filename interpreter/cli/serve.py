"""`rulerun serve`: tables in the browser, with a link for every friend."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    common_options,
    find_rules,
    header,
    note,
    out,
    shipped,
    warn,
)

if TYPE_CHECKING:
    from interpreter.embedding import Game
    from interpreter.table.server import Server

PORT = 8765
_WAITING = 2048
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command("serve")
@click.argument("names", nargs=-1, metavar="[FILE|FOLDER]...")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port to listen at; 0 takes a free one.",
)
@click.option(
    "--name",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="A name this server is reached by, if it is not this machine's; may be repeated.",
)
@click.option("--store", type=click.Path(), metavar="FILE", help="Where tables are kept.")
@click.option("--watch", is_flag=True, help="Go on under the new rules when a rule file is saved.")
@click.option("--open/--no-open", "opens", default=None, help="Whether to open the browser.")
@common_options
def command(
    names: tuple[str, ...],
    host: str,
    port: int,
    hosts: tuple[str, ...],
    store: str | None,
    watch: bool,
    opens: bool | None,
) -> int:
    """Play the games of rule files, or of all in a folder, in the browser.

    Without a name, the games that ship are served. Only this machine can reach the server unless
    --host says otherwise. Tables are kept: after a restart every one is there again.
    """
    files = _files(names)
    server = make_server(files, store, (host, *hosts), watch)
    return run(server, host, port, opens)


def own_table(
    file: str, game: Game, humans: frozenset[int], bots: dict[int, str], seed: int | None
) -> int:
    """A table of one's own, in the browser: with all links, so that friends can come too."""
    path = find_rules(file).resolve()
    server = make_server([path], None, ())
    from interpreter.table.hall import new_sheet
    from interpreter.table.sheet import PERSON
    from interpreter.table.wire import ALL

    seats = tuple(f"bot {bots[n]}" if n in bots else PERSON for n in range(game.players))
    sheet, tokens = new_sheet(str(path), game.players, game.options, seats, seed=seed)
    server.hall.make(sheet)
    own = next(iter(humans)) if len(humans) == 1 else ALL
    return run(server, _LOOPBACK[0], 0, None, f"t/{sheet.id}#{tokens[own]}")


def make_server(
    files: Sequence[Path], store: str | None, hosts: tuple[str, ...], watch: bool = False
) -> Server:
    try:
        import uvicorn  # noqa: F401  (each is said to be missing before anything is begun)
        import websockets  # noqa: F401

        from interpreter.table.doors import Doors
        from interpreter.table.pool import Pool
        from interpreter.table.server import Server
    except ImportError as error:
        raise click.UsageError(
            f"tables in the browser need more packages ({error.name} is missing). "
            "Install them with: pip install 'rulerun[web]'"
        ) from None
    from interpreter.table.store import Store, StoreError, usual_path

    try:
        kept = Store(store or usual_path())
    except StoreError as error:
        raise click.UsageError(str(error)) from None
    return Server(files, kept, Pool(), Doors(hosts), watch=watch)


def run(server: Server, host: str, port: int, opens: bool | None, page: str = "") -> int:
    """Serve until somebody presses Ctrl-C, and open a page of it."""
    import socket

    import uvicorn

    from interpreter.table.wire import MOST_BYTES

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_WAITING)  # whoever reads the address may connect at once
    except OSError as error:
        listening.close()
        raise click.UsageError(
            f"cannot listen at {host}:{port}: {error.strerror}. Choose another with --port."
        ) from None
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/{page}"
    out(address)
    if host not in _LOOPBACK:
        warn("Everybody who can reach this address can make tables here.")
    note("Ctrl-C ends the server; the tables are kept.")
    config = uvicorn.Config(
        server.app(),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    if opens or (opens is None and has_desktop()):
        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[listening])
    return OK


def has_desktop() -> bool:
    """Whether a browser opened here would be seen by anybody."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _files(names: tuple[str, ...]) -> list[Path]:
    found: list[Path] = []
    for name in names:
        if Path(name).is_dir():
            inside = sorted(each for each in Path(name).rglob("*.rules") if header(each))
            if not inside:
                raise click.UsageError(f"there is no rule file of a game in `{name}`")
            found += inside
        else:
            found.append(find_rules(name))
    found = found or list(shipped().values())
    return [Path(each) for each in dict.fromkeys(path.resolve() for path in found)]
