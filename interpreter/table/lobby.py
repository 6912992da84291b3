"""The lobby: the games there are, and tables as they are wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from interpreter import limits
from interpreter.bots.bot import NAMES
from interpreter.table.hall import new_sheet
from interpreter.table.sheet import PERSON, Sheet
from interpreter.table.wire import ALL, SPECTATOR

Data = dict[str, Any]
_MOST_SECONDS = 30 * 24 * 3600


class Unfit(Exception):
    """Such a table cannot be made, in words for whoever wants it."""


class Lobby:
    def __init__(self, files: Sequence[Path], ask: Callable[[Data], Awaitable[Data]]) -> None:
        self.files = {_key(file, files): file.resolve() for file in files}
        self._ask = ask
        self._known: dict[str, Data] = {}
        self._version = 0

    def renew(self, version: int) -> None:
        """Rules have been written anew."""
        self._version = version
        self._known.clear()

    async def games(self) -> list[Data]:
        return list(await asyncio.gather(*(self.about(key) for key in self.files)))

    async def about(self, key: str) -> Data:
        if key not in self._known:
            answer = await self._ask({"do": "about", "file": str(self.files[key])})
            self._known[key] = {"game": key, "file": self.files[key].name, **answer}
        return self._known[key]

    async def sheet(self, wanted: Any) -> tuple[Sheet, dict[int, str]]:
        """What is wanted, looked over. Raises Unfit."""
        if not isinstance(wanted, dict) or wanted.get("game") not in self.files:
            raise Unfit("There is no such game here.")
        about = await self.about(wanted["game"])
        if "problem" in about:
            raise Unfit(f"These rules have a problem: {about['problem']['text']}")
        least, most = about["players"]
        seats = wanted.get("seats", [])
        named = len(seats) if isinstance(seats, list) else 0
        players = wanted.get("players", max(least, named))
        if not isinstance(players, int) or not least <= players <= most:
            told = f"{least} to {most}" if least < most else str(least)
            raise Unfit(f"This game is for {told} players.")
        scenario = _optional(wanted, "scenario", str)
        if scenario is not None and scenario not in about["scenarios"]:
            raise Unfit("There is no such scenario.")
        file = str(self.files[wanted["game"]])
        options = _options(wanted.get("options", {}))
        sheet, tokens = new_sheet(
            file,
            players,
            options,
            _seats(seats, players),
            seed=_seed(wanted.get("seed")),
            scenario=scenario,
            chat=wanted.get("chat") is True,
            clock=_clock(wanted.get("clock")),
        )
        return await self._tried(sheet), tokens

    async def _tried(self, sheet: Sheet) -> Sheet:
        """Whether a game can be begun so is found out by beginning it."""
        position = {
            "table": sheet.id,
            "file": sheet.file,
            "players": sheet.players,
            "options": sheet.options,
            "scenario": sheet.scenario,
            "seed": sheet.seed,
            "version": self._version,
            "count": 0,
            "digest": "",
            "moves": [],
        }
        bots = [who.removeprefix("bot ") for who in sheet.seats if who != PERSON]
        asked = {"do": "open", "position": position, "viewers": [], "persons": [], "bots": bots}
        answer = await self._ask(asked)
        if "refused" in answer:
            raise Unfit(answer["refused"][0])
        if "problem" in answer:
            raise Unfit(answer["problem"]["text"])
        return sheet

    def links(self, sheet: Sheet, tokens: dict[int, str]) -> Data:
        def link(role: int) -> str:
            return f"/t/{sheet.id}#{tokens[role]}"

        return {
            "table": sheet.id,
            "links": [{"seat": seat, "link": link(seat)} for seat in range(sheet.players)],
            "spectators": link(SPECTATOR),
            "all": link(ALL),
        }


def _key(file: Path, files: Sequence[Path]) -> str:
    """A short name for a file: its own, or with its folder where two are called the same."""
    same = [each for each in files if each.stem == file.stem]
    return file.stem if len(same) == 1 else f"{file.parent.name}/{file.stem}"


def _optional(wanted: Data, part: str, kind: type) -> Any:
    value = wanted.get(part)
    if value is not None and not isinstance(value, kind):
        raise Unfit(f"`{part}` is not as it should be.")
    return value


def _options(wanted: Any) -> dict[str, str | int]:
    if not isinstance(wanted, dict):
        raise Unfit("`options` are names with values.")
    for value in wanted.values():
        if not isinstance(value, str | int):
            raise Unfit("The value of an option is a word or a number.")
    return dict(wanted)


def _seats(wanted: Any, players: int) -> tuple[str, ...]:
    if not isinstance(wanted, list) or len(wanted) > players:
        raise Unfit("`seats` say for each seat who takes it.")
    seats = [*wanted, *[PERSON] * (players - len(wanted))]
    for who in seats:
        bot = isinstance(who, str) and who.startswith("bot ") and who[4:].partition(":")[0] in NAMES
        if who != PERSON and not bot:
            names = ", ".join(f"`bot {name}`" for name in NAMES)
            raise Unfit(f"A seat is taken by a `person` or by one of {names}.")
    return tuple(seats)


def _seed(wanted: Any) -> int | None:
    if wanted is None:
        return None
    if not isinstance(wanted, int) or not limits.INT_MIN <= wanted <= limits.INT_MAX:
        raise Unfit("A seed is a whole number of 64 bits.")
    return wanted


def _clock(wanted: Any) -> dict[str, int] | None:
    if wanted is None:
        return None
    parts = [wanted.get(part) for part in ("seconds", "more")] if isinstance(wanted, dict) else []
    good = [each for each in parts if isinstance(each, int) and 0 <= each <= _MOST_SECONDS]
    if len(good) != 2 or good[0] == 0:
        raise Unfit("A clock has `seconds` for each player and some `more` for each decision.")
    return {"seconds": good[0], "more": good[1]}
