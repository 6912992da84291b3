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
from dataclasses import dataclass
from typing import Any, Protocol

from interpreter.play import knowledge, words
from interpreter.play.machine import Buffer, Choice, Event
from interpreter.program import ops
from interpreter.program.layout import MENU, SEALED, SEALING, STATUS, KindLayout
from interpreter.program.program import Action, Param, Program
from interpreter.program.verify import operations
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


@dataclass(frozen=True, slots=True)
class Entry:
    text: str  # canonical
    words: str | None  # None: seen, but no news for a reader


def log_lines(state: Moment, seat: int | None = None) -> list[str]:
    """The log for a seat, or for a spectator, first to last."""
    return [entry.words for entry in entries(state, seat) if entry.words is not None]


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

    def entries(self) -> list[Entry]:
        return [*self._decisions(), *self._events()]

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
        own = [self._decided(state)] if seat == self.viewer else []
        others = sorted(
            (each for each in block if _seat(each) != self.viewer), key=_seat
        )  # in seat order, each seat's own decisions as they came
        return own + [self._decided(each) for each in others]

    def _decided(self, state: Moment) -> Entry:
        """The decision that led to a state: this one, or one before in the same block."""
        assert state.decision is not None and state.previous is not None
        seat, option = state.decision
        before = state.previous.seen_by_chooser(seat)
        if seat == self.viewer:
            return Entry(f"{_name(seat)}: {option.text}", f"{_name(seat)}: {option.words}")
        action = words.entry_action(self.program, before[MENU], state.choice)
        values = True
        if state.previous.buffer[STATUS] == SEALING:
            values = not _keeps_secrets(self.program, state.previous.buffer)
        return self._choice(seat, action, state.choice, before, values)

    def _choice(
        self, seat: int, action: Action, choice: Choice, before: Buffer, values_shown: bool
    ) -> Entry:
        """A decision with what this viewer cannot name left out."""
        arguments = list(zip(action.params, choice[1:], strict=False))
        hidden = False
        texts: list[str] = []
        labels: list[str] = []
        for param, value in arguments:
            text, label, shown = self._argument(param, value, before, values_shown)
            hidden = hidden or not shown
            texts.append(f"{param.name}: {text}")
            labels.append(label)
        canonical = f"{action.name}({', '.join(texts)})" if texts else action.name
        spoken = f"{words.spaced(action.name)} {', '.join(labels)}".strip()
        if not hidden and self._is_safe(action):
            spoken = words.option_words(
                self.state.game.machine, before, action, choice[1:], self._is_known
            )
        return Entry(f"{_name(seat)}: {canonical}", f"{_name(seat)}: {spoken}")

    def _argument(
        self, param: Param, value: int, before: Buffer, values_shown: bool
    ) -> tuple[str, str, bool]:
        """An argument's canonical text, its words, and whether the viewer sees it all."""
        if param.type.sort == "kind" and param.form != "value" and value >= 0:
            kind = words.kind_of(self.program, param.type.name)
            if param.form == "place":
                text = words.hidden_text(before, kind, value)
                return text, text, True
            if not self._is_known(before, kind, value):
                text = words.hidden_text(before, kind, value)
                return text, text, False
            text = words.argument_text(self.program, before, param, value)
            return text, words.label_text(self.program, param.type, value), True
        if not values_shown:
            return words.HIDDEN, words.HIDDEN, False
        text = words.value_text(self.program, param.type, value)
        return text, words.label_text(self.program, param.type, value), True

    def _is_known(self, _: Buffer, kind: KindLayout, piece: int) -> bool:
        """Whether the viewer knows a piece after this step, or at some time during it. To have
        known it before is not enough: who knows all cards of a hand does not know which of
        them was put down in secret, and then knows them no longer."""
        if kind.fungible or knowledge.knows(self.state.buffer, kind, piece, self.viewer):
            return True
        return any(
            event.word in ("moved", "shown")
            and self.program.layout.kinds[event.number] is kind
            and event.values[0] == piece
            and self._among(event.values[-1])
            for event in self.state.events
        )

    def _is_known_now(self, now: Buffer, kind: KindLayout, piece: int) -> bool:
        return knowledge.knows(now, kind, piece, self.viewer) or self._is_known(now, kind, piece)

    def _among(self, seats: int) -> bool:
        """Whether the viewer is one of the seats of a bit mask; a spectator, if all are."""
        if self.viewer == SPECTATOR:
            return seats == (1 << self.program.players) - 1
        return bool(seats >> self.viewer & 1)

    def _is_safe(self, action: Action) -> bool:
        """Whether the rules' own words for an option can be shown to everybody who sees its
        arguments: they name nothing else but open variables."""
        if action.text is None:
            return True
        return all(self._is_open_function(number) for number in action.text.functions)

    def _is_open_function(self, number: int) -> bool:
        body = self.program.functions[number].body
        if len(body) != 1 or not isinstance(body[0], ops.Return):
            return False
        return self._is_open_value(body[0].value)

    def _is_open_value(self, op: ops.Expr) -> bool:
        match op:
            case ops.Const() | ops.Local():
                return True
            case ops.Memory(address):
                return self._is_open_cell(address)
            case ops.MemoryAt(base, index):
                return self._is_open_cell(base) and self._is_open_value(index)
            case ops.Lookup(_, index):
                return self._is_open_value(index)
            case ops.Unary(_, operand):
                return self._is_open_value(operand)
            case ops.Binary(_, left, right):
                return self._is_open_value(left) and self._is_open_value(right)
            case ops.Choice(condition, then, otherwise):
                return all(map(self._is_open_value, (condition, then, otherwise)))
            case ops.Within(value):
                return self._is_open_value(value)
            case _:
                return False

    def _is_open_cell(self, address: int) -> bool:
        return any(
            variable.address <= address < variable.address + variable.size
            and not variable.secret
            and variable.type.sort != "kind"
            for variable in self.program.layout.variables
        )

    # ---- events

    def _events(self) -> list[Entry]:
        found: list[Entry] = []
        told: set[tuple[int, int]] = set()  # pieces whose move some other line tells
        events = self.state.events
        for position, event in enumerate(events):
            match event.word:
                case "say":
                    found.append(self._said(event))
                case "forced":
                    action = words.entry_action(self.program, event.menu, (event.number,))
                    choice = (event.number, *event.values)
                    found.append(self._forced(event, action, choice))
                case "chance":
                    found.append(self._chance(event, events[position + 1 :], told))
                case "shown":
                    found.extend(self._shown(event))
                case "moved":
                    found.extend(self._moved(event, told))
                case "secret":
                    pass
        return found

    def _said(self, event: Event) -> Entry:
        saying = self.program.sayings[event.number]
        text = words.fill(self.program, event.before, saying, event.values, self._is_known_now)
        return Entry(text, text)

    def _forced(self, event: Event, action: Action, choice: Choice) -> Entry:
        """As if it had been chosen: that it had to be is not for the others to know."""
        if event.seat == self.viewer:
            text = words.option_text(self.program, event.before, action, event.values)
            knows = words.known_to(self.viewer)
            machine = self.state.game.machine
            spoken = words.option_words(machine, event.before, action, event.values, knows)
            return Entry(f"{_name(event.seat)}: {text}", f"{_name(event.seat)}: {spoken}")
        values = not (event.before[SEALED] and _keeps_secrets(self.program, event.before))
        return self._choice(event.seat, action, choice, event.before, values)

    def _chance(
        self, event: Event, following: tuple[Event, ...], told: set[tuple[int, int]]
    ) -> Entry:
        program = self.program
        type_ = program.event_types[event.number]
        value = event.values[0]
        what = program.events[event.number]
        if event.variable >= 0:
            what = f"{what.split()[0]} {_variable_name(program, event.variable, event.values[1])}"
        if event.seat >= 0 and event.seat != self.viewer:
            return _both(f"{what}: {words.HIDDEN}")
        if type_.sort != "kind" or words.kind_of(program, type_.name).fungible:
            return Entry(
                f"{what}: {words.value_text(program, type_, value)}",
                f"{what}: {words.label_text(program, type_, value)}",
            )
        kind = words.kind_of(program, type_.name)
        known = self._is_known(self.state.buffer, kind, value)
        move = _move_of(program, kind, value, following)
        if move is not None:
            known = self._among(move.values[-1])
            what = f"{what} to {kind.instance_names[move.values[3]]}"
            told.add((move.number, value))
        if not known:
            article = "an" if kind.name[0] in "AEIOU" else "a"
            return Entry(f"{what}: {words.HIDDEN}", f"{what}: {article} {words.spaced(kind.name)}")
        row = kind.row_of[value]
        return Entry(f"{what}: {kind.rows[row]}", f"{what}: {kind.labels[row]}")

    def _shown(self, event: Event) -> list[Entry]:
        piece, place, position, _, before, after = event.values
        gained = after & ~before
        if not gained:
            return []
        everyone = (1 << self.program.players) - 1
        kind = self.program.layout.kinds[event.number]
        where = kind.instance_names[place] + (f"#{position + 1}" if position >= 0 else "")
        seats = [_name(seat) for seat in range(self.program.players) if gained >> seat & 1]
        start = "revealed" if after == everyone else f"shown to {', '.join(seats)}"
        if not self._among(after):
            return [_both(f"{start}, {where}: {words.HIDDEN}")]
        row = kind.row_of[piece]
        return [
            Entry(f"{start}, {where}: {kind.rows[row]}", f"{start}, {where}: {kind.labels[row]}")
        ]

    def _moved(self, event: Event, told: set[tuple[int, int]]) -> list[Entry]:
        """A piece that comes into sight as it moves."""
        piece, source, _, target, before, after = event.values
        if (event.number, piece) in told:
            told.discard((event.number, piece))
            return []
        if self._among(before) or not self._among(after):
            return []
        kind = self.program.layout.kinds[event.number]
        names = kind.instance_names
        row = kind.rows[kind.row_of[piece]]
        return [Entry(f"seen from {names[source]} to {names[target]}: {row}", None)]


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


def _name(seat: int) -> str:
    return f"P{seat + 1}"


def _both(text: str) -> Entry:
    return Entry(text, text)


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


def _keeps_secrets(program: Program, m: Buffer) -> bool:
    """Whether the sealed block a state is in writes down secrets: then what was chosen in it
    does not become public when it ends."""
    op = program.code[m[SEALED] - 1]
    assert isinstance(op, ops.Sealed)
    secret = [
        range(variable.address, variable.address + variable.size)
        for variable in program.layout.variables
        if variable.secret
    ]
    for inner in program.code[op.body.position : op.end.position]:
        for each in operations(inner):
            match each:
                case ops.SetMemory(address) | ops.SetMemoryAt(address):
                    if any(address in cells for cells in secret):
                        return True
                case _:
                    pass
    return False


def _variable_name(program: Program, number: int, index: int) -> str:
    """An entry of a variable as the rules write it: `P1.dice[2]`."""
    variable = program.layout.variables[number]
    parts: list[str] = []
    for each in reversed(variable.indexes):
        index, part = divmod(index, each.size)
        parts.append(words.value_text(program, each.type, part + each.offset))
    parts.reverse()
    owner = ""
    if variable.indexes and variable.indexes[0].type.sort == "player":
        owner = f"{parts.pop(0)}."
    rest = f"[{', '.join(parts)}]" if parts else ""
    return f"{owner}{variable.name}{rest}"
