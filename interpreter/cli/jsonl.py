"""`rulerun play --jsonl`: a program takes seats. One request a line, one answer a line.

The protocol is described in interpreter/PYTHON.md and by schemas/jsonl.schema.json. Everything that
is sent is made from the views, options and logs of the seats taken, or of a spectator: neither the
seed nor anything that another seat knows is in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from interpreter import __version__
from interpreter.embedding import PlayError, State
from interpreter.option import IllegalOption, Option
from interpreter.report.suggest import did_you_mean

if TYPE_CHECKING:
    from interpreter.bots.bot import Bot, Stream

SCHEMA = "rulerun/jsonl@1"
MOST_BYTES = 1 << 16  # of a request
Answer = dict[str, Any]
Send = Callable[[str], None]


class _Refused(Exception):
    """A request that cannot be answered. The game stands where it stood."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Table:
    """A game at which some seats are taken by whoever sends requests, and the others by bots."""

    def __init__(
        self, state: State, seats: frozenset[int], bots: Mapping[int, tuple[Bot, Stream]]
    ) -> None:
        self.state = state
        self.seats = seats
        self.bots = bots
        self.left = False
        self._requests: dict[str, Callable[[Answer], Answer]] = {
            "wait": lambda request: self._standing(),
            "choose": self._choose,
            "options": lambda request: self._offers(self._asked(request)),
            "view": self._view,
            "log": self._log,
            "why": self._why,
            "quit": self._quit,
        }

    def serve(self, lines: BinaryIO, send: Send) -> bool:
        """Answers until there are no more requests; whether the rules held."""
        send(_line(self._hello()))
        while not self.left:
            line = lines.readline(MOST_BYTES + 1)
            if not line:
                break
            if len(line) > MOST_BYTES:
                send(_line(_error("tooLong", f"a request is at most {MOST_BYTES} bytes long")))
                return True  # where the next one begins cannot be told
            if not line.strip():
                continue
            try:
                answer = self._answer(line)
            except PlayError as error:
                send(_line(_error("rulesBroke", str(error))))
                return False
            send(_line(answer))
        return True

    def _answer(self, line: bytes) -> Answer:
        request: object = None
        try:
            request = _read(line)
            name = request.get("do")
            if not isinstance(name, str) or name not in self._requests:
                known = ", ".join(self._requests)
                hint = did_you_mean(str(name), self._requests) or f"There is {known}."
                raise _Refused("unknownRequest", f"`do` cannot be {name!r}. {hint}")
            answer = self._requests[name](request)
        except _Refused as refused:
            answer = _error(refused.code, str(refused))
        if isinstance(request, dict) and "id" in request:
            answer["id"] = request["id"]
        return answer

    def _hello(self) -> Answer:
        game = self.state.game
        return {
            "type": "hello",
            "schema": SCHEMA,
            "version": __version__,
            "title": game.title,
            "rules": game.rules_hash,
            "players": game.players,
            "options": game.options,
            "seats": sorted(self.seats),
        }

    # ---- requests

    def _standing(self) -> Answer:
        """The bots choose until a seat that is taken is asked."""
        while others := [seat for seat in self.state.seats_to_act if seat in self.bots]:
            bot, stream = self.bots[others[0]]
            view, options = self.state.view(others[0]), self.state.options(others[0])
            self.state = self.state.apply(bot(view, options, stream), others[0])
        if not self.state.is_over:
            return self._offers(self.state.seats_to_act[0])
        return {
            "type": "over",
            "winners": list(self.state.winners),
            "losers": list(self.state.losers),
            "scores": list(self.state.scores),
        }

    def _choose(self, request: Answer) -> Answer:
        seat, wanted = self._asked(request), request.get("option")
        options = self.state.options(seat)
        if isinstance(wanted, int) and not isinstance(wanted, bool):
            if not 0 <= wanted < len(options):
                message = f"there is no option {wanted}: they are 0 to {len(options) - 1}"
                raise _Refused("notOffered", message)
            chosen: Option | str = options[wanted]
        elif isinstance(wanted, str):
            chosen = wanted
        else:
            raise _Refused("badRequest", "`option` is the text of an option, or its number from 0")
        try:
            self.state = self.state.apply(chosen, seat)
        except IllegalOption as error:
            raise _Refused("notOffered", str(error)) from None
        return self._standing()

    def _offers(self, seat: int) -> Answer:
        view = self.state.view(seat)
        offered = [
            {
                "text": each.text,
                "words": each.words,
                "action": each.action,
                "arguments": each.arguments,
            }
            for each in self.state.options(seat)
        ]
        return {
            "type": "turn",
            "seat": seat,
            "phase": view.phase,
            "moves": view.moves,
            "options": offered,
        }

    def _view(self, request: Answer) -> Answer:
        return {"type": "view", **self.state.view(self._viewer(request)).as_data()}

    def _log(self, request: Answer) -> Answer:
        return {"type": "log", "lines": self.state.log(self._viewer(request))}

    def _why(self, request: Answer) -> Answer:
        text = request.get("option")
        if not isinstance(text, str | None):
            raise _Refused("badRequest", "`option` is what you would have liked to choose")
        return {"type": "why", "reasons": self.state.why_not(self._asked(request), text)}

    def _quit(self, request: Answer) -> Answer:
        self.left = True
        return {"type": "bye"}

    # ---- whose request it is

    def _own(self, seat: object) -> int:
        if isinstance(seat, bool) or not isinstance(seat, int) or seat not in self.seats:
            raise _Refused("notYourSeat", f"your seats are {sorted(self.seats)}, not {seat!r}")
        return seat

    def _viewer(self, request: Answer) -> int | None:
        """The seat named; null is a spectator; without one, a program's only seat."""
        if "seat" not in request:
            return self._only()
        return None if request["seat"] is None else self._own(request["seat"])

    def _only(self) -> int:
        if len(self.seats) != 1:
            raise _Refused("notYourSeat", f"say which `seat` of {sorted(self.seats)} is meant")
        return next(iter(self.seats))

    def _asked(self, request: Answer) -> int:
        if self.state.is_over:
            raise _Refused("over", "the game is over")
        if any(seat in self.bots for seat in self.state.seats_to_act):
            raise _Refused("notAsked", "say `wait` first: a bot is to choose")
        seat = self._own(request["seat"]) if "seat" in request else self.state.seats_to_act[0]
        if seat not in self.state.seats_to_act:
            raise _Refused("notAsked", f"seat {seat} has nothing to choose now")
        return seat


def _read(line: bytes) -> Answer:
    try:
        request = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _Refused("notJson", "a request is one line of JSON in UTF-8") from None
    if not isinstance(request, dict):
        raise _Refused("notJson", 'a request is an object such as {"do": "wait"}')
    return request


def _error(code: str, message: str) -> Answer:
    return {"type": "error", "code": code, "message": message}


def _line(answer: Answer) -> str:
    """On one line, in ASCII, so that whatever stands in the rules cannot break it."""
    return json.dumps(answer, separators=(",", ":")) + "\n"
