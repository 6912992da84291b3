"""What happens between two decisions, in lines for one viewer: draws, rolls, what is shown.

What goes on at once is told at once: draws from one place to another, dice rolled together and
pieces shown together share a line, as long as nobody speaks or decides in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.model.seats import seat_name
from interpreter.play import knowledge, words
from interpreter.play.buffer import Buffer
from interpreter.play.step import Step
from interpreter.play.witness import Event
from interpreter.play.words import some
from interpreter.program.layout import KindLayout, PlaceLayout, indexes_of
from interpreter.program.program import Program

SPECTATOR = knowledge.SPECTATOR


@dataclass(frozen=True, slots=True)
class Entry:
    text: str  # canonical
    words: str | None  # None: seen, but no news for a reader
    part: Part | None = None  # of a line that several entries may share


@dataclass(frozen=True, slots=True)
class Part:
    """What an entry adds to a line: entries with the same key share theirs."""

    key: tuple[object, ...]
    head: str
    name: str  # what the item belongs to: parts of one name stand together
    item: str
    tail: str = ""
    unnamed: str = ""  # what those are called that cannot be named; if nothing: all are listed
    several: str = ""  # and what several of them are called, if that is known
    times: str = " "
    last: bool = False  # the line stands where its last part does: what is shown was drawn before


def told(entries: list[Entry]) -> list[str]:
    """The lines for a reader. What goes on at once shares a line."""
    found: list[str | list[Part]] = []
    lines: dict[tuple[object, ...], list[Part]] = {}  # those that may still grow
    for entry in entries:
        if entry.words is None:
            continue
        if entry.part is None:
            lines.clear()
            found.append(entry.words)
        elif entry.part.key in lines:
            line = lines[entry.part.key]
            line.append(entry.part)
            if entry.part.last:
                found = [each for each in found if each is not line] + [line]
        else:
            lines[entry.part.key] = [entry.part]
            found.append(lines[entry.part.key])
    return [each if isinstance(each, str) else _line(each) for each in found]


def _line(parts: list[Part]) -> str:
    head, tail, unnamed = parts[0].head, parts[0].tail, parts[0].unnamed
    several = parts[0].several
    by_name: dict[str, list[str]] = {}
    for part in parts:
        by_name.setdefault(part.name, []).append(part.item)
    names = [name for name in by_name if name]
    if names and all(part.item == words.HIDDEN for part in parts):
        unseen = some(unnamed, len(parts), several) if unnamed else ""
        if tail:  # `P1 draws 2 cards: left, right from the deck`
            return f"{head}{unseen}: {_enumerated(names)}{tail}"
        return f"{unseen} {head}{_enumerated(names)}".lstrip()
    listed = [
        f"{name} {_listed(items, parts[0])}" if name else _listed(items, parts[0])
        for name, items in by_name.items()
    ]
    return f"{head}{'; '.join(listed)}{tail}"


def _listed(items: list[str], part: Part) -> str:
    if not part.unnamed:
        return _joined(items)
    found: list[str] = []
    for item in dict.fromkeys(items):
        count = items.count(item)
        if item == words.HIDDEN:
            found.append(some(part.unnamed, count, part.several))
        else:
            found.append(f"{count}{part.times}{item}" if count > 1 else item)
    return _joined(found)


def _part(text: str, part: Part) -> Entry:
    return Entry(text, _line([part]), part)


class Sight:
    """One viewer at the end of one step."""

    def __init__(self, program: Program, step: Step, viewer: int) -> None:
        self.program = program
        self.step = step
        self.viewer = viewer

    def from_then_on(self, position: int) -> words.Knows:
        """Who can be named in what is told at one moment of the step, after the event at this
        position (-1: at its beginning)."""

        def knows(_: Buffer, kind: KindLayout, piece: int) -> bool:
            return self._is_seen(position, kind, piece)

        return knows

    def _is_seen(self, position: int, kind: KindLayout, piece: int) -> bool:
        """Whether the viewer knows a piece from then on, or gets to know it before it can lose
        track of it. To have known it before is not enough: who knows all cards of a hand does
        not know which of them was put down in secret, and then knows them no longer."""
        if kind.fungible:
            return True
        touched = False
        for event in self.step.events[position + 1 :]:
            if (
                event.word not in ("moved", "shown")
                or self.program.layout.kinds[event.number] is not kind
                or event.values[0] != piece
            ):
                continue
            if touched and event.values[2] < 0:
                return False  # it lay among others, and could have been any of them
            if self.among(event.values[-1]):
                return True
            touched = True
        return not touched and knowledge.knows(self.step.after, kind, piece, self.viewer)

    def now(self, position: int) -> words.Knows:
        """The same for what is said of the table as it is at that moment."""

        def knows(now: Buffer, kind: KindLayout, piece: int) -> bool:
            seen = knowledge.knows(now, kind, piece, self.viewer)
            return seen or self._is_seen(position, kind, piece)

        return knows

    def among(self, seats: int) -> bool:
        """Whether the viewer is one of those in a bit mask."""
        return knowledge.among(seats, self.viewer, self.program.players)


class Happenings:
    def __init__(
        self,
        sight: Sight,
        forced: Callable[[Event, int], Entry | None],
        sealed: Callable[[Event], list[Entry]],
    ) -> None:
        self.sight = sight
        self.program = sight.program
        self.forced = forced
        self.sealed = sealed
        self.named: set[tuple[int, int]] = set()  # pieces that a decision has named
        self.told: set[tuple[int, int]] = set()  # pieces whose move some other line tells

    def entries(self) -> list[Entry]:
        found: list[Entry | None] = []
        events = self.sight.step.events
        for position, event in enumerate(events):
            match event.word:
                case "say":
                    found.append(self._said(event, position))
                case "forced":
                    found.append(self.forced(event, position))
                case "sealed":
                    found += self.sealed(event)
                case "chance":
                    found.append(self._chance(event, position))
                case "shown":
                    found.append(self._shown(event))
                case "moved":
                    found.append(self._moved(event))
                case "passed" | "secret":
                    pass
        return [entry for entry in found if entry is not None]

    def _said(self, event: Event, position: int) -> Entry | None:
        saying = self.program.sayings[event.number]
        values, knows = event.values, self.sight.now(position)
        if saying.private:
            *told, hearer = values
            if hearer != self.sight.viewer:
                return None
            values = tuple(told)
        text = words.fill(self.program, event.before, saying, values, knows, _unnamed)
        return Entry(text, text)

    # ---- chance

    def _chance(self, event: Event, position: int) -> Entry:
        program, step = self.program, self.sight.step
        type_ = program.event_types[event.number]
        piece = type_.sort == "kind" and not words.kind_of(program, type_.name).fungible
        if event.variable >= 0 and not piece:
            return self._rolled(event)
        if event.pool >= 0:
            return self._drawn_to_pool(event)
        what, value = program.events[event.number], event.values[0]
        if event.variable >= 0:
            what = f"{what.split()[0]} {self._variable(event)}"
        if not piece:
            text = f"{what}: {words.value_text(program, type_, value)}"
            return Entry(text, f"{what}: {words.label_text(program, type_, value)}")
        kind = words.kind_of(program, type_.name)
        known = self.sight.from_then_on(position)(step.after, kind, value)
        move = _move_of(program, kind, value, step.events[position + 1 :])
        # What is drawn is on its way. But if it was only given a name, who cannot name it cannot
        # tell that this is what moves.
        drawn = what.startswith("draw ")
        if move is not None and not drawn and not self.sight.among(move.values[-1]):
            move = None
        if move is not None:
            known = self.sight.among(move.values[-1])
            what = f"{what} to {kind.instance_names[move.values[3]]}"
            self.told.add((move.number, value))
        row = kind.row_of[value]
        text = f"{what}: {kind.rows[row] if known else words.HIDDEN}"
        if move is None or not drawn:
            back = knowledge.back_of(kind, value) or kind.name
            named = kind.labels[row] if known else some(back, 1)
            return Entry(text, f"{what}: {named}")
        source = self._place(kind, move.values[1])
        target = self._place(kind, move.values[3])
        return _drawn(text, kind, source, target, _label(kind, value, known))

    def _drawn_to_pool(self, event: Event) -> Entry:
        program = self.program
        place = program.layout.places[event.pool]
        kind = program.layout.kinds[place.kind]
        name = program.events[event.number].partition(" ")[2]
        source = _Named(None, words.member_words(program, name))
        target = self._named_place(place, event.values[1])
        canonical = _place_text(program, place, event.values[1])
        text = f"{program.events[event.number]} to {canonical}: {kind.rows[event.values[0]]}"
        return _drawn(text, kind, source, target, kind.labels[event.values[0]])

    def _rolled(self, event: Event) -> Entry:
        """`red rolls 3`, `P1 rolls 2, 5`, `die: 4`, and what else is left to chance."""
        program = self.program
        verb = program.events[event.number].split()[0]
        variable = program.layout.variables[event.variable]
        at = indexes_of(event.values[1], variable.indexes)
        indexed = [(each.type, part) for each, part in zip(variable.indexes, at, strict=True)]
        labels = [words.label_text(program, *each) for each in indexed]
        first = variable.indexes[0].type.sort if variable.indexes else ""
        value, label = self._outcome(event)
        text = f"{verb} {self._variable(event)}: {value}"
        if verb != "roll":
            named = " ".join([*labels, words.member_words(program, variable.name)])
            return Entry(text, f"{named} at random: {label}")
        if first in ("player", "kind"):
            key = (verb, event.variable, labels[0])
            name = " ".join(labels[1:]) if len(labels) > 2 else ""
            return _part(text, Part(key, f"{labels[0]} rolls ", name, label))
        head = f"{words.member_words(program, variable.name)}: "
        return _part(text, Part((verb, event.variable), head, " ".join(labels), label))

    def _variable(self, event: Event) -> str:
        variable = self.program.layout.variables[event.variable]
        return words.entry_text(self.program, variable, event.values[1])

    def _outcome(self, event: Event) -> tuple[str, str]:
        """What was rolled, in canonical text and in words, for this viewer."""
        type_, value = self.program.event_types[event.number], event.values[0]
        if event.seat >= 0 and event.seat != self.sight.viewer:
            return words.HIDDEN, words.HIDDEN
        text = words.value_text(self.program, type_, value)
        return text, words.label_text(self.program, type_, value)

    # ---- pieces

    def _shown(self, event: Event) -> Entry | None:
        piece, instance, position, _, before, after = event.values
        gained = after & ~before
        if not gained:
            return None
        kind = self.program.layout.kinds[event.number]
        seats = [seat_name(seat) for seat in range(self.program.players) if gained >> seat & 1]
        start = "revealed" if after == kind.everyone else f"shown to {', '.join(seats)}"
        known = self.sight.among(after)
        where = kind.instance_names[instance] + (f"#{position + 1}" if position >= 0 else "")
        row = kind.row_of[piece]
        text = f"{start}, {where}: {kind.rows[row] if known else words.HIDDEN}"
        if known and (event.number, piece) in self.named:
            return Entry(text, None)  # the decision has said it
        at = self._place(kind, instance)
        whose = f"{seat_name(at.owner)}'s {at.member}" if at.owner is not None else at.member
        label = _label(kind, piece, known)
        number = f"#{position + 1}" if position >= 0 and at.word != "slot" else ""
        if number and not at.index:
            return Entry(text, f"{start}, {whose}{number}: {label}")
        key = ("shown", start, event.number, whose)
        return _part(text, Part(key, f"{start}, {whose}: ", at.index, label, last=True))

    def _moved(self, event: Event) -> Entry | None:
        """A piece that comes into sight as it moves. Of one that lay where the viewer could not
        look nobody says whether it is the copy that was known there."""
        piece, source, _, target, before, after = event.values
        if (event.number, piece) in self.told:
            self.told.discard((event.number, piece))
            return None
        kind = self.program.layout.kinds[event.number]
        comes = kind.instance_viewers[target] & ~kind.instance_viewers[source]
        unclear = kind.has_copies and kind.instance_sorted[source] and self.sight.among(comes)
        if (self.sight.among(before) and not unclear) or not self.sight.among(after):
            return None
        names = kind.instance_names
        row = kind.rows[kind.row_of[piece]]
        return Entry(f"seen from {names[source]} to {names[target]}: {row}", None)

    # ---- places

    def _place(self, kind: KindLayout, instance: int) -> _Named:
        for place in self.program.layout.places:
            same = self.program.layout.kinds[place.kind] is kind and place.word != "pool"
            if same and place.first <= instance < place.first + place.size:
                return self._named_place(place, instance - place.first)
        return _Named(None, "box")

    def _named_place(self, place: PlaceLayout, number: int) -> _Named:
        owner: int | None = None
        names: list[str] = []
        sorts: list[str] = []
        at = indexes_of(number, place.indexes)
        for position, (each, part) in enumerate(zip(place.indexes, at, strict=True)):
            if each.type.sort == "player" and position == 0:
                owner = part
            else:
                names.append(words.label_text(self.program, each.type, part))
                sorts.append(each.type.sort)
        called = words.member_words(self.program, place.name)
        return _Named(owner, called, " ".join(names), place.word, sorts == ["enum"])


@dataclass(frozen=True, slots=True)
class _Named:
    """A place in words: whose it is, what it is called, which one of several it is."""

    owner: int | None
    member: str
    index: str = ""
    word: str = ""
    by_sort: bool = False  # `red bag`, where others are called `bag 3` or `bag c4`


def _drawn(text: str, kind: KindLayout, source: _Named, target: _Named, label: str) -> Entry:
    """`P1 draws 2 cards from the deck`, or `drawn from the deck to the row: queen, king`."""
    of = f"{source.member} {source.index}".rstrip()
    if source.by_sort:
        of = f"{source.index} {source.member}"
    if source.owner is not None and source.owner != target.owner:
        of = f"{of} of {seat_name(source.owner)}"
    key = ("draw", source, target.owner, target.member)
    times = " " if kind.fungible else " x "
    if target.owner is None:
        into = f"to {target.member}" if target.index else f"to the {target.member}"
        head = f"drawn from the {of} {into}: "
        return _part(text, Part(key, head, target.index, label, "", kind.name, kind.plural, times))
    into = "" if target.word == "hand" else f" to the {target.member}"
    head, tail = f"{seat_name(target.owner)} draws ", f" from the {of}{into}"
    return _part(text, Part(key, head, target.index, label, tail, kind.name, kind.plural, times))


def _label(kind: KindLayout, piece: int, known: bool) -> str:
    """What a piece is, or how its back looks, or nothing at all."""
    if known:
        return kind.labels[kind.row_of[piece]]
    return knowledge.back_of(kind, piece) or words.HIDDEN


def _unnamed(_: Buffer, kind: KindLayout, piece: int) -> str:
    """What is said of a piece must not tell where it has gone since it was last seen."""
    back = knowledge.back_of(kind, piece)
    return some(back, 1) if back else some(kind.name, 1, kind.plural)


def _place_text(program: Program, place: PlaceLayout, number: int) -> str:
    at = indexes_of(number, place.indexes)
    named = ",".join(
        words.value_text(program, each.type, part)
        for each, part in zip(place.indexes, at, strict=True)
    )
    return f"{place.name}[{named}]" if named else place.name


def _move_of(
    program: Program, kind: KindLayout, piece: int, following: tuple[Event, ...]
) -> Event | None:
    """The move of a piece that was just drawn, if it is moved before chance is asked again."""
    for event in following:
        if event.word == "chance":
            return None
        same = event.word == "moved" and program.layout.kinds[event.number] is kind
        if same and event.values[0] == piece:
            return event
    return None


def _enumerated(names: list[str]) -> str:
    """`north field 1, 2, 3`: what they have in common is said once."""
    told: list[str] = []
    last: list[str] = []
    for name in names:
        parts = name.split(" ")
        same = parts[:-1] == last[:-1] and len(parts) > 1
        told.append(parts[-1] if same else name)
        last = parts
    return ", ".join(told)


def _joined(items: list[str]) -> str:
    return ("; " if any("," in item for item in items) else ", ").join(items)
