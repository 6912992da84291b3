"""The log: what has happened, as one seat (or a spectator) has seen it.

Every state knows the decision and the events that led to it. Here they become lines for one
viewer: its own decisions in full, other decisions with what it cannot name left out, sealed
decisions of others together once the block is over, outcomes of chance if it may see them.
The log only ever grows at its end. Two histories a viewer cannot tell apart have equal logs.

An entry has its words for people and its canonical text; entries without words only count for
`information_state`, the text of everything a player can tell apart.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from interpreter.model.seats import seat_name
from interpreter.play import knowledge, words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.witness import Event
from interpreter.program import ops
from interpreter.program.layout import (
    MENU,
    SEALED,
    SEALED_READ,
    SEALED_SEAT,
    SEALING,
    STATUS,
)  # fmt: skip
from interpreter.program.program import Action, Param, Program
from interpreter.program.touches import cells_written
from interpreter.report.visible import spaced
from interpreter.view.happenings import Entry, Happenings, Sight, told
from interpreter.view.openness import open_values
from interpreter.view.view import View


class Moment(Protocol):
    """What the log needs of a state: the last decision, what it led to, and the moment
    before it. States are made a floor above and have logs, so they are described here."""

    @property
    def game(self) -> Any: ...
    @property
    def buffer(self) -> Buffer: ...
    @property
    def decision(self) -> Any: ...
    @property
    def choice(self) -> Choice: ...
    @property
    def events(self) -> tuple[Event, ...]: ...
    @property
    def previous(self) -> Any: ...
    @property
    def told(self) -> Any: ...  # by viewer: what was said of this moment already
    @property
    def is_chance(self) -> bool: ...
    def view(self, seat: int | None = None) -> View: ...
    def seen_by_chooser(self, seat: int) -> Buffer: ...


SPECTATOR = knowledge.SPECTATOR


def log_lines(state: Moment, seat: int | None = None) -> list[str]:
    """The log for a seat, or for a spectator, first to last."""
    return [entry.words for entry in entries(state, seat) if entry.words is not None]


def read_lines(state: Moment, seat: int | None = None, after: int = 0) -> tuple[list[str], int]:
    """The same for a reader, from some entry on: draws and rolls that belong together share a
    line. Also how many entries there are now."""
    found = entries(state, seat)
    return told(found[after:]), len(found)


def information_state(state: Moment, seat: int) -> str:
    """Everything a player can tell apart, with perfect recall, as one canonical text."""
    told = [entry.text for entry in entries(state, seat)]
    seen = json.dumps(state.view(seat).as_data(), sort_keys=True, ensure_ascii=False)
    return "\n".join([*told, seen])


def entries(state: Moment, seat: int | None) -> list[Entry]:
    viewer = SPECTATOR if seat is None else seat
    steps: list[Moment] = []
    here: Moment | None = state
    while here is not None:
        steps.append(here)
        here = here.previous
    found: list[Entry] = []
    for step in reversed(steps):
        if viewer not in step.told:
            step.told[viewer] = _Step(step, viewer).entries()
        found.extend(step.told[viewer])
    return found


class _Step:
    """From one stop to the next, as one viewer sees it."""

    def __init__(self, state: Moment, viewer: int) -> None:
        self.state = state
        self.program: Program = state.game.program
        self.viewer = viewer
        self.sight = Sight(state, viewer)
        self.happenings = Happenings(self.sight, self._forced, self._sealed)
        self.sealed: list[Event] = []  # forced decisions that are told with a sealed block

    def entries(self) -> list[Entry]:
        decided = self._decisions()
        return [*decided, *self.happenings.entries()]

    # ---- decisions

    def _decisions(self) -> list[Entry]:
        state = self.state
        if state.decision is None or state.previous is None or state.previous.is_chance:
            return []
        seat = state.decision[0]
        if state.previous.buffer[STATUS] != SEALING:
            return [self._decided(state)]
        if _is_open(state):
            return [self._decided(state)] if seat == self.viewer else []
        block = _sealed_block(state)
        self.sealed = _forced_in_block(state)
        secret = _keeps_secrets(self.program, state.previous.buffer[SEALED] - 1)
        found: list[Entry] = []
        if self.viewer >= 0:
            found += [self._decided(state)] if seat == self.viewer else []
            found += [self._sealed_entry(e) for e in self.sealed if e.seat == self.viewer]
        for other in range(self.program.players):
            if other == self.viewer:
                self._note_named([each for each in block if _seat(each) == other])
                continue
            if secret:
                continue
            forced = [event for event in self.sealed if event.seat == other]
            for number, each in enumerate(each for each in block if _seat(each) == other):
                while forced and forced[0].before[SEALED_READ] <= number:
                    found.append(self._sealed_entry(forced.pop(0)))
                found.append(self._decided(each))
            found += [self._sealed_entry(event) for event in forced]
        return found

    def _note_named(self, states: list[Moment]) -> None:
        """The viewer's own sealed decisions were told when they were made."""
        for state in states:
            before = state.previous.seen_by_chooser(_seat(state))
            action = words.entry_action(self.program, before[MENU], state.choice)
            self._name_pieces(action, state.choice, state.decision[1].words)

    def _name_pieces(self, action: Action, choice: Choice, spoken: str) -> None:
        """The pieces these words have named need not be named again."""
        for param, value in zip(action.params, choice[1:], strict=False):
            if param.type.sort == "kind" and param.form != "value" and value >= 0:
                kind = words.kind_of(self.program, param.type.name)
                if kind.labels[kind.row_of[value]] in spoken:
                    self.happenings.named.add((self.program.layout.kinds.index(kind), value))

    def _decided(self, state: Moment) -> Entry:
        """The decision that led to a state: this one, or one before in the same block."""
        assert state.decision is not None and state.previous is not None
        seat, option = state.decision
        before = state.previous.seen_by_chooser(seat)
        if seat == self.viewer:
            action = words.entry_action(self.program, before[MENU], state.choice)
            self._name_pieces(action, state.choice, option.words)
            return Entry(f"{seat_name(seat)}: {option.text}", f"{seat_name(seat)}: {option.words}")
        return self._choice(seat, before[MENU], state.choice, before, -1)

    def _choice(
        self,
        seat: int,
        menu: int,
        choice: Choice,
        before: Buffer,
        position: int,
    ) -> Entry:
        """A decision with what this viewer cannot name left out. What it led to are the events
        after `position`."""
        knows = self.sight.from_then_on(position)
        action = words.entry_action(self.program, menu, choice)
        arguments = list(zip(action.params, choice[1:], strict=False))
        hidden = False
        texts: list[str] = []
        labels: list[str] = []
        for param, value in arguments:
            text, label, shown = self._argument(param, value, before, knows)
            hidden = hidden or not shown
            texts.append(f"{param.name}: {text}")
            labels.append(label)
        canonical = f"{action.name}({', '.join(texts)})" if texts else action.name
        spoken = f"{spaced(action.name)} {', '.join(labels)}".strip()
        if not hidden:
            spoken = self._own_words(action, choice, before, menu, knows) or spoken
            self._name_pieces(action, choice, spoken)
        return Entry(f"{seat_name(seat)}: {canonical}", f"{seat_name(seat)}: {spoken}")

    def _own_words(
        self, action: Action, choice: Choice, before: Buffer, menu: int, knows: words.Knows
    ) -> str | None:
        """The rules' own words for an option, if they tell this viewer nothing hidden."""
        if action.text is None:
            machine = self.state.game.machine
            return words.option_words(machine, before, action, choice[1:], knows)
        gaps = open_values(self.program, before, action, choice[1:], self.viewer, knows, menu)
        if gaps is None:
            return None
        return words.fill(self.program, before, action.text, gaps, knows)

    def _argument(
        self, param: Param, value: int, before: Buffer, knows: words.Knows
    ) -> tuple[str, str, bool]:
        """An argument's canonical text, its words, and whether the viewer sees it all."""
        if param.type.sort == "kind" and param.form != "value" and value >= 0:
            kind = words.kind_of(self.program, param.type.name)
            if param.form == "place":
                text = words.hidden_text(before, kind, value)
                return text, text, True
            if not knows(before, kind, value):
                text = words.hidden_text(before, kind, value)
                return text, text, False
            text = words.argument_text(self.program, before, param, value)
            return text, words.label_text(self.program, param.type, value), True
        text = words.value_text(self.program, param.type, value)
        return text, words.label_text(self.program, param.type, value), True

    def _forced(self, event: Event, position: int) -> Entry | None:
        """One that was told with a sealed block is not told again."""
        if any(event is each for each in self.sealed):
            return None
        sealed = event.before[SEALED]
        if sealed and event.seat != self.viewer and _keeps_secrets(self.program, sealed - 1):
            return None
        return self._forced_entry(event, position)

    def _sealed(self, event: Event) -> list[Entry]:
        """Of a block that keeps secrets the others see that each seat has been through it; not
        even how many choices that took, or whether there were any."""
        if not _keeps_secrets(self.program, event.number):
            return []
        return [
            Entry(f"{seat_name(seat)}: choose(?)", f"{seat_name(seat)}: choose ?")
            for seat in range(self.program.players)
            if seat != self.viewer and event.values[0] >> seat & 1
        ]

    def _sealed_entry(self, event: Event) -> Entry:
        events = self.state.events
        return self._forced_entry(event, next(n for n, e in enumerate(events) if e is event))

    def _forced_entry(self, event: Event, position: int) -> Entry:
        """As if it had been chosen: that it had to be is not for the others to know."""
        choice = (event.number, *event.values)
        if event.seat == self.viewer:
            action = words.entry_action(self.program, event.menu, choice)
            text = words.option_text(self.program, event.before, action, event.values)
            knows = words.known_to(self.viewer)
            machine = self.state.game.machine
            spoken = words.option_words(machine, event.before, action, event.values, knows)
            return Entry(f"{seat_name(event.seat)}: {text}", f"{seat_name(event.seat)}: {spoken}")
        return self._choice(event.seat, event.menu, choice, event.before, position)


def _seat(state: Moment) -> int:
    assert state.decision is not None
    return int(state.decision[0])


def _is_open(state: Moment) -> bool:
    """Whether the sealed block a decision was made in still goes on after it."""
    assert state.previous is not None
    program = state.game.program
    return knowledge.sealed_is_open(program, state.previous.buffer, state.buffer, _seat(state))


def _sealed_block(last: Moment) -> list[Moment]:
    """The states that the decisions of a sealed block led to, `last` having ended it."""
    found = [last]
    here = last.previous
    while (
        here is not None
        and here.decision is not None
        and here.previous is not None
        and here.previous.buffer[STATUS] == SEALING
        and _is_open(here)
    ):
        found.append(here)
        here = here.previous
    found.reverse()
    return found


def _forced_in_block(last: Moment) -> list[Event]:
    """What had to be chosen in the sealed block that a decision has ended. The seats go
    through the block one after the other; when it begins anew, that is another block."""
    assert last.previous is not None
    found: list[Event] = []
    for event in last.events:
        if event.word != "forced" or event.before[SEALED] != last.previous.buffer[SEALED]:
            continue
        if found and event.before[SEALED_SEAT] < found[-1].before[SEALED_SEAT]:
            break
        found.append(event)
    return found


def _keeps_secrets(program: Program, block: int) -> bool:
    """Whether a sealed block writes down secrets: then what was chosen in it does not become
    public when it ends."""
    op = program.code[block]
    assert isinstance(op, ops.Sealed)
    secret = [
        range(variable.address, variable.address + variable.size)
        for variable in program.layout.variables
        if variable.secret
    ]
    return any(
        written.start in cells
        for inner in program.code[op.body.position : op.end.position]
        for written in cells_written(program, inner)
        for cells in secret
    )
