"""One table, without input, output or a clock: messages come in, things to do come out.

    receive   a message of a connection
    answered  what the rules have said to the last question
    leave     a connection is gone

What is to be done is done in its order, and an `Keep` is done before what comes after it: so
nobody is told of a decision that could be forgotten. Questions to the rules are asked one by one;
what comes meanwhile waits. All that counts can be made again from the sheet and the entries.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.model.seats import seat_name
from interpreter.table.effects import Again, Ask, Effect, Keep, Send, Shut, Write
from interpreter.table.gathering import Gathering, Guest
from interpreter.table.sheet import NOBODY, PERSON, Entry, Sheet
from interpreter.table.tokens import role_of
from interpreter.table.wire import ALL, SPECTATOR, Raw, Refused, chained

Data = dict[str, Any]
FORGOTTEN = 600.0  # seconds after which nothing is kept ready for a viewer who is gone
_TEXT = 4096  # characters of an option, or of a question
_ID = re.compile(r"[!-~]{1,64}")
_CHAT = 500
_NAME = 40
_TITLE = 100
_NOT_IN_TITLES = re.compile(r"[^\w ,.;:!?()\'-]")
_WAITING = 64  # questions that may wait; then a table says that it is busy

WRONG_KEY = {"type": "problem", "text": "This link opens no table.", "closed": True}


@dataclass(frozen=True, slots=True)
class _Job:
    """A question that waits for its turn: who asks, and what becomes of the answer."""

    do: str
    conn: int
    role: int
    client: str | None
    more: Data


class Table(Gathering):
    def __init__(
        self,
        sheet: Sheet,
        entries: Iterable[Entry] = (),
        *,
        era: int = 1,
        version: int = 0,
        designing: bool = False,
    ) -> None:
        super().__init__(sheet, entries, era)
        self.version, self.designing = version, designing
        self.trouble: Data | None = None
        self._jobs: deque[_Job] = deque()
        self._asked: _Job | None = None

    # ---- inputs

    def receive(self, conn: int, message: Data, now: float) -> list[Effect]:
        """A message of a connection. The first must say hello with a key."""
        kind = message.get("type")
        if conn not in self.guests or kind == "hello":
            try:
                return self._hello(conn, message, now)
            except Refused as refused:
                return [
                    Send((conn,), {"type": "problem", "text": str(refused), "closed": True}),
                    Shut((conn,)),
                ]
        if kind == "ping":
            return [Send((conn,), {"type": "pong"})]
        handler = _HANDLERS.get(kind) if isinstance(kind, str) else None
        client = message.get("id")
        if handler is None or not isinstance(client, str) or not _ID.fullmatch(client):
            return [Send((conn,), {"type": "refused", "id": None, "lines": [_STRANGE]})]
        guest = self.guests[conn]
        if (guest.role, client) in self.story.answered:
            return [Send((conn,), self._done(client))]  # it has come before, and was done
        if (guest.role, client) in self._refusals:
            return [Send((conn,), self._refusals[guest.role, client])]
        waiting = (job for job in (self._asked, *self._jobs) if job is not None)
        if any((job.role, job.client) == (guest.role, client) for job in waiting):
            return []  # it has come before, and is under way
        try:
            return [*handler(self, conn, client, message, now), *self._pump(now)]
        except Refused as refused:
            return [Send((conn,), self._refusal(guest.role, client, refused.lines))]

    def leave(self, conn: int, now: float) -> list[Effect]:
        guest = self.guests.pop(conn, None)
        if guest is None:
            return []
        if guest.viewer in self.seen and not self._here(guest.viewer):
            self.seen[guest.viewer].gone_since = now
        return self._people()

    def tick(self, now: float) -> list[Effect]:
        """Time goes by: what is kept ready for those who are long gone is let go."""
        for viewer, seen in list(self.seen.items()):
            gone = seen.gone_since
            if gone is not None and not self._here(viewer) and now - gone > FORGOTTEN:
                self._forget(viewer)
        return []

    @property
    def is_idle(self) -> bool:
        """Whether it can be put away: it comes back as it was from what is kept."""
        return not (self.guests or self.seen or self._jobs or self._asked)

    def renew(self, version: int, now: float) -> list[Effect]:
        """The rules have been written anew: all decisions are made again under them."""
        self.version = version
        viewers = {guest.viewer for guest in self.guests.values()}
        for viewer in list(self.seen):
            self._forget(viewer)
        for viewer in sorted(viewers):
            self._wait("open", 0, NOBODY, None, viewer=viewer, since=None)
        return self._pump(now)

    # ---- hello

    def _hello(self, conn: int, message: Data, now: float) -> list[Effect]:
        token, since = message.get("token"), message.get("since")
        role = role_of(token, self.sheet.keys) if isinstance(token, str) else None
        if role is None:
            return [Send((conn,), WRONG_KEY), Shut((conn,))]
        viewer = role
        if role == ALL:
            viewer = next(iter(self.acting), 0)
            if message.get("seat") in range(self.sheet.players):
                viewer = int(message["seat"])
        self.guests[conn] = Guest(role, viewer)
        if viewer in self.seen:
            self.trouble = None  # a bot that could not decide may try again
        known = since if isinstance(since, int) else None
        return [*self._welcome(conn, viewer, known, now), *self._people(), *self._pump(now)]

    def _welcome(self, conn: int, viewer: int, since: int | None, now: float) -> list[Effect]:
        seen = self.seen.get(viewer)
        if seen is None:
            self._wait("open", conn, NOBODY, None, viewer=viewer, since=since)
            return []
        seen.gone_since = None
        kept = None if since is None else seen.missed(since)
        if kept is None:
            return [Send((conn,), self._whole(conn, viewer, seen, now))]
        resumed = {"type": "resumed", "seq": seen.seq, "table": self._about(conn, viewer, now)}
        return [
            Send((conn,), resumed),
            Send((conn,), self._event(seen, since or 0, kept, now)),
        ]

    # ---- messages

    def _move(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        seat, seen = self._seat_of(conn), self.seen.get(self.guests[conn].viewer)
        option = _text(message, "option", _TEXT)
        stale = seen is not None and (
            message.get("at") not in (None, seen.moves)
            or message.get("seq") not in (None, seen.seq)
        )
        if stale:
            raise Refused("The table has moved on since; look again.")
        self._wait("move", conn, self.guests[conn].role, client, seat=seat, option=option)
        return []

    def _undo(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        self._wait("undo", conn, self.guests[conn].role, client, seat=self._seat_of(conn))
        return []

    def _why(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        asked, about = message.get("option") is not None, message.get("about")
        option = _text(message, "option", _TEXT) if asked else None
        more = {"option": option, "about": about if isinstance(about, dict) else None}
        self._wait("why", conn, self.guests[conn].role, client, seat=self._seat_of(conn), **more)
        return []

    def _preview(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        seat, option = self._seat_of(conn), _text(message, "option", _TEXT)
        self._wait("preview", conn, self.guests[conn].role, client, seat=seat, option=option)
        return []

    def _hint(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        self._wait("hint", conn, self.guests[conn].role, client, seat=self._seat_of(conn))
        return []

    def _review(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        seat = self._seat_of(conn)
        if not self.over:
            raise Refused("A game is looked over when it is over.")
        self._wait("review", conn, self.guests[conn].role, client, seat=seat)
        return []

    def _look(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        at = message.get("at")
        if not isinstance(at, int) or at < 0:
            raise Refused(_STRANGE)
        self._wait(
            "look", conn, self.guests[conn].role, client, viewer=self.guests[conn].viewer, at=at
        )
        return []

    def _scenario(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        """The game so far, for the scenario file. It tells everything, so it needs all seats."""
        if self.guests[conn].role != ALL:
            raise Refused("Only who plays all seats from one page can keep the game as a scenario.")
        title = _text(message, "title", _TITLE)
        if _NOT_IN_TITLES.search(title):
            raise Refused("A title is plain words.")
        self._wait("scenario", conn, self.guests[conn].role, client, title=title)
        return []

    def _as(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        """Who plays all seats from one page looks with the eyes of another."""
        guest, seat = self.guests[conn], message.get("seat")
        if guest.role != ALL or seat not in (None, *range(self.sheet.players)):
            raise Refused("This link is for one seat.")
        guest.viewer = SPECTATOR if seat is None else seat
        return self._welcome(conn, guest.viewer, None, now)

    def _sit(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        """A bot takes a seat, or hands it back; somebody gives a name."""
        guest, seat = self.guests[conn], message.get("seat")
        if not isinstance(seat, int) or seat not in range(self.sheet.players):
            raise Refused(_STRANGE)
        own = guest.role in (ALL, seat)
        body: Data = {"seat": seat}
        if message.get("name") is not None:
            if not own:
                raise Refused("You can name yourself only.")
            body["name"] = _text(message, "name", _NAME).strip() or seat_name(seat)
        if message.get("who") is not None:
            who = _text(message, "who", _NAME)
            if guest.role == SPECTATOR or not (own or self._may_replace(seat, who, now)):
                raise Refused(
                    "A bot may take the seat of somebody who has been away for a minute or is out "
                    "of time, and only they can take it back."
                )
            if who != PERSON and not who.startswith("bot "):
                raise Refused("A seat is taken by a person or by a bot.")
            body["who"] = who
        entry = Entry("seat", guest.role, client, body, now)
        return [*self._kept(entry), Send((conn,), self._done(client)), *self._people()]

    def _chat(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        if not self.sheet.chat:
            raise Refused("This table has no chat.")
        viewer, text = self.guests[conn].viewer, _text(message, "text", _CHAT)
        said = {"type": "chat", "seat": None if viewer == SPECTATOR else viewer, "text": text}
        return [Send(tuple(self.guests), said), Send((conn,), self._done(client))]

    def _rematch(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        role = self.guests[conn].role
        if role == SPECTATOR or not self.over:
            raise Refused("Those who played can have a rematch when the game is over.")
        if self.story.following is not None:
            return [Send((conn,), {**self._done(client), "table": self.story.following})]
        return [Again(self.sheet.id, client, role, conn)]

    def followed(self, table: str, again: Again, now: float) -> list[Effect]:
        """The table of the rematch is there. Keys open it too, each at its new seat."""
        entry = Entry("next", again.role, again.client, {"table": table}, now)
        told = {"type": "rematch", "table": table}
        done = {**self._done(again.client), "table": table}
        return [*self._kept(entry), Send(tuple(self.guests), told), Send((again.conn,), done)]

    def _cut(self, conn: int, client: str, message: Data, now: float) -> list[Effect]:
        """Go on from where decisions and new rules part."""
        at = self.trouble.get("at") if self.trouble is not None else None
        if self.guests[conn].role != ALL or at is None:
            raise Refused("There is nothing to leave out here.")
        entry = Entry("cut", ALL, client, {"at": at - 1}, now)
        effects = [*self._kept(entry), Send((conn,), self._done(client))]
        return [*effects, *self.renew(self.version, now)]

    def _seat_of(self, conn: int) -> int:
        viewer = self.guests[conn].viewer
        if viewer == SPECTATOR:
            raise Refused("Spectators watch.")
        return viewer

    # ---- questions to the rules, one after another

    def _wait(self, do: str, conn: int, role: int, client: str | None, **more: Any) -> None:
        if len(self._jobs) >= _WAITING:
            raise Refused("This table has too much to do; try again in a moment.")
        self._jobs.append(_Job(do, conn, role, client, more))

    def _pump(self, now: float) -> list[Effect]:
        if self._asked is not None:
            return []
        if not self._jobs and not self._bot_decides():
            return []
        self._asked = job = self._jobs.popleft()
        viewers = [job.more["viewer"]] if job.do == "open" else sorted(self.seen)
        request = {
            "do": job.do,
            "position": self.position(),
            "viewers": viewers,
            "persons": self._persons(),
            **job.more,
        }
        return [Ask(request)]

    def _bot_decides(self) -> bool:
        """If a bot is to choose, and nothing is in its way."""
        if not self.seen or self.trouble is not None:
            return False
        for seat in self.acting:
            who = self.story.seats[seat]
            if who != PERSON:
                bot = who.removeprefix("bot ")
                self._jobs.append(_Job("bot", 0, NOBODY, None, {"seat": seat, "bot": bot}))
                return True
        return False

    def position(self) -> Data:
        """Where the table stands, with all that is needed to come there."""
        sheet = self.sheet
        return {
            "table": sheet.id,
            "file": sheet.file,
            "players": sheet.players,
            "options": sheet.options,
            "scenario": sheet.scenario,
            "seed": sheet.seed,
            "version": self.version,
            "count": len(self.story.decisions),
            "digest": self.digest,
            "moves": self.story.decisions,
        }

    def answered(self, reply: Data, now: float) -> list[Effect]:
        job = self._asked
        assert job is not None, "nothing was asked"
        self._asked = None
        if "problem" in reply or "parted" in reply:
            return [*self._troubled(job, reply, now), *self._pump(now)]
        if "refused" in reply:
            if job.do == "bot":  # it cannot play; a person must
                entry = Entry("seat", NOBODY, None, {"seat": job.more["seat"], "who": PERSON}, now)
                return [*self._kept(entry), *self._people(), *self._pump(now)]
            refusal = self._refusal(job.role, job.client, reply["refused"])
            return [*self._tell(job, refusal), *self._pump(now)]
        return [*_TAKEN.get(job.do, Table._told)(self, job, reply, now), *self._pump(now)]

    def _troubled(self, job: _Job, reply: Data, now: float) -> list[Effect]:
        """The rules have failed. What exactly went wrong may hold what not everybody may know, so
        only who plays all seats is told, unless it is open."""
        text = "The rules broke down here, so this cannot be done."
        problem, parted = reply.get("problem"), reply.get("parted")
        mild: Data = {"type": "problem", "text": text}
        if problem is not None:
            mild |= {part: problem.get(part) for part in ("code", "file", "line")}
            full = {**mild, **problem}
            mild = full if problem.get("open") else mild
        else:
            assert parted is not None
            mild["text"] = "The rules have changed, and this game cannot go on under them."
            full = {**mild, "text": parted["lines"][0], **parted}
        if job.do == "open":  # the others would be told the same
            self._jobs = deque(each for each in self._jobs if each.do != "open")
        if parted or job.do in ("open", "bot"):
            self.trouble = {**full, "at": parted["at"] if parted else None}
        effects: list[Effect] = []
        whole = tuple(conn for conn, guest in self.guests.items() if guest.role == ALL)
        others = tuple(conn for conn in self.guests if conn not in whole)
        if parted or job.do in ("open", "bot", "move"):
            effects += [Send(others, mild)] if others else []
            effects += [Send(whole, full)] if whole else []
        if job.client is not None:
            effects += self._tell(job, self._refusal(job.role, job.client, [text]))
        return effects

    def _opened(self, job: _Job, reply: Data, now: float) -> list[Effect]:
        self.title, self.plan = reply["title"], reply["plan"]
        self.look = reply.get("look") or "null"
        self.trouble = None
        viewer = job.more["viewer"]
        if job.conn == 0 and viewer in self.seen:
            self._forget(viewer)  # as it was under the rules before
        if viewer not in self.seen:
            self._look_anew(viewer, reply["views"][str(viewer)])
        self._settle(reply, now)
        conns = [conn for conn, guest in self.guests.items() if guest.viewer == viewer]
        if job.conn:
            conns = [conn for conn in conns if conn == job.conn]
        if not self._here(viewer):
            self.seen[viewer].gone_since = now
        return [
            effect
            for conn in conns
            for effect in self._welcome(conn, viewer, job.more["since"], now)
        ]

    def _settle(self, reply: Data, now: float) -> None:
        self.acting, self.over, self.sealed = reply["acting"], reply["over"], reply["sealed"]
        if self.clock is not None:
            alone = len(self.acting) == 1 and not self.sealed
            person = alone and self.story.seats[self.acting[0]] == PERSON
            self.clock.turn(self.acting[0] if person else None, now)

    def _taken(self, job: _Job, reply: Data, now: float) -> list[Effect]:
        seat = job.more["seat"]
        body: Data = {"seat": seat, "option": reply["taken"]}
        if self.clock is not None:
            body["left"] = self.clock.decided(seat, now)
        return self._news(job, Entry("move", job.role, job.client, body, now), reply, now)

    def _undone(self, job: _Job, reply: Data, now: float) -> list[Effect]:
        entry = Entry("undo", job.role, job.client, {"removed": reply["removed"]}, now)
        return self._news(job, entry, reply, now)

    def _news(self, job: _Job, entry: Entry, reply: Data, now: float) -> list[Effect]:
        gone = [len(self.story.decisions) - each for each in reply.get("removed", [])]
        effects = self._kept(entry)
        self._settle(reply, now)
        if job.client is not None:
            effects += self._tell(job, self._done(job.client))
        for viewer, seen in self.seen.items():
            view = reply["views"][str(viewer)]
            if seen.changed(view, gone):
                conns = tuple(c for c, guest in self.guests.items() if guest.viewer == viewer)
                if conns:
                    effects.append(
                        Send(conns, self._event(seen, seen.seq - 1, seen.marks[-1][1], now))
                    )
        return effects

    def _written(self, job: _Job, reply: Data, now: float) -> list[Effect]:
        assert job.client is not None
        answer = {**self._done(job.client), "text": reply["text"], "written": self.designing}
        if not self.designing:
            return self._tell(job, answer)
        return [Write(self.sheet.file, reply["text"], job.conn, answer)]

    def _told(self, job: _Job, reply: Data, now: float) -> list[Effect]:
        assert job.client is not None
        answer = dict(reply)
        if answer.get("scene") is not None:
            answer["scene"] = Raw(answer["scene"])
        return self._tell(job, {**self._done(job.client), **answer})

    def _tell(self, job: _Job, message: Data) -> list[Effect]:
        return [Send((job.conn,), message)] if job.conn in self.guests else []

    def _kept(self, entry: Entry) -> list[Effect]:
        self.story.add(entry)
        if entry.kind == "move":
            self.digest = chained(self.story.decisions[-1:], self.digest)
        elif entry.kind in ("undo", "cut"):
            self.digest = chained(self.story.decisions)
        self.entries += 1
        return [Keep(self.entries, entry)]


_STRANGE = "This message is not understood."
_Handler = Callable[[Table, int, str, Data, float], list[Effect]]
_HANDLERS: dict[str, _Handler] = {
    "move": Table._move,
    "undo": Table._undo,
    "why": Table._why,
    "preview": Table._preview,
    "hint": Table._hint,
    "look": Table._look,
    "review": Table._review,
    "as": Table._as,
    "seat": Table._sit,
    "chat": Table._chat,
    "rematch": Table._rematch,
    "scenario": Table._scenario,
    "cut": Table._cut,
}
_TAKEN: dict[str, Callable[[Table, _Job, Data, float], list[Effect]]] = {
    "open": Table._opened,
    "move": Table._taken,
    "bot": Table._taken,
    "undo": Table._undone,
    "scenario": Table._written,
}


def _text(message: Data, part: str, most: int) -> str:
    found = message.get(part)
    if not isinstance(found, str) or not found or len(found) > most:
        raise Refused(_STRANGE)
    return found
