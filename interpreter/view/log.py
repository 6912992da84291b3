"""The log: what has happened, as one seat (or a spectator) has seen it.

A step has the decision and the events that led from one stop to the next. Here they become lines
for one viewer: its own decisions in full, other decisions with what it cannot name left out, sealed
decisions of others together once the block is over, outcomes of chance if it may see them.
The log only ever grows at its end. Two histories a viewer cannot tell apart have equal logs.

An entry has its words for people and its canonical text; entries without words only count for
`information_state`, the text of everything a player can tell apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from interpreter.model.seats import seat_name
from interpreter.play import knowledge, words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.machine import Machine
from interpreter.play.step import Step
from interpreter.play.witness import Event
from interpreter.play.words import some
from interpreter.program import ops
from interpreter.program.layout import (
    MENU,
    SEALED,
    SEALED_SEAT,
    SEALING,
    STATUS,
    KindLayout,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Action, Param, Program
from interpreter.program.touches import cells_written
from interpreter.report.visible import spaced
from interpreter.view.happenings import Entry, Happenings, Sight
from interpreter.view.openness import open_gaps
from interpreter.view.view import View

_YOUR = re.compile(r"\byour\b")
_CHOICE = re.compile(r"P([0-9]{1,3}): (.*)", re.DOTALL)  # an entry that tells a choice


def log_lines(entries: Iterable[Entry]) -> list[str]:
    """The words of a log, first to last."""
    return [entry.words for entry in entries if entry.words is not None]


def told_choice(text: str) -> tuple[int, str] | None:
    """Who has chosen, and what, if an entry with this text tells a choice."""
    found = _CHOICE.fullmatch(text)
    return None if found is None else (int(found[1]) - 1, found[2])


def information_state(entries: Iterable[Entry], view: View) -> str:
    """Everything a player can tell apart, with perfect recall, as one canonical text."""
    told = [entry.text for entry in entries]
    seen = json.dumps(view.as_data(), sort_keys=True, ensure_ascii=False)
    return "\n".join([*told, seen])


def step_entries(machine: Machine, story: Iterable[Step], viewer: int) -> list[Entry]:
    """What the last step of a story adds to the log of a viewer. A story is told from its end, and
    it is followed back only where that step ends a sealed block."""
    steps = iter(story)
    return _Telling(machine, next(steps), steps, viewer).entries()


class _Telling:
    """From one stop to the next, as one viewer sees it."""

    def __init__(self, machine: Machine, step: Step, earlier: Iterator[Step], viewer: int) -> None:
        self.machine = machine
        self.program = machine.program
        self.step = step
        self.earlier = earlier  # last to first
        self.viewer = viewer
        self.sight = Sight(self.program, step, viewer)
        self.happenings = Happenings(self.sight, self._forced, self._sealed)
        self.sealed: list[Event] = []  # forced decisions that are told with a sealed block

    def entries(self) -> list[Entry]:
        decided = self._decisions()
        return [*decided, *self.happenings.entries()]

    # ---- decisions

    def _decisions(self) -> list[Entry]:
        step, before = self.step, self.step.chosen_in
        if before is None:
            return []
        if before[STATUS] != SEALING:
            return [self._decided(step)]
        if _is_open(self.program, step):
            return [self._decided(step)] if step.seat == self.viewer else []
        block = self._sealed_block()
        self.sealed = _forced_in_block(step.events, before[SEALED])
        secret = _keeps_secrets(self.program, before[SEALED] - 1)
        found: list[Entry] = []
        if self.viewer >= 0:
            found += [self._decided(step)] if step.seat == self.viewer else []
            found += [self._sealed_entry(e) for e in self.sealed if e.seat == self.viewer]
        for other in range(self.program.players):
            if other == self.viewer:
                for each in block:
                    if each.seat == other:
                        self._decided(each)  # told when it was made, but it has named pieces
                continue
            if secret:
                continue
            # In which order somebody chose is nobody else's business: only what came of it is seen.
            theirs = [self._decided(each) for each in block if each.seat == other]
            theirs += [self._sealed_entry(each) for each in self.sealed if each.seat == other]
            found += sorted(theirs, key=lambda entry: entry.text)
        return found

    def _sealed_block(self) -> list[Step]:
        """The decisions of the sealed block that this step has ended."""
        found = [self.step]
        for step in self.earlier:
            if not _is_open(self.program, step):
                break
            found.append(step)
        found.reverse()
        return found

    def _name_pieces(self, action: Action, choice: Choice, spoken: str) -> None:
        """The pieces these words have named need not be named again."""
        for param, value in zip(action.params, choice[1:], strict=False):
            if param.type.sort == "kind" and param.form != "value" and value >= 0:
                kind = words.kind_of(self.program, param.type.name)
                if kind.labels[kind.row_of[value]] in spoken:
                    self.happenings.named.add((self.program.layout.kinds.index(kind), value))

    def _decided(self, step: Step) -> Entry:
        """The decision of a step: this one, or one before in the same block."""
        assert step.before is not None
        before = self.machine.seen_by_chooser(step.before, step.seat)
        if step.seat == self.viewer:
            text, spoken = self._own(before[MENU], step.choice, before)
            action = words.entry_action(self.program, before[MENU], step.choice)
            self._name_pieces(action, step.choice, spoken)
            return Entry(f"{seat_name(step.seat)}: {text}", f"{seat_name(step.seat)}: {spoken}")
        return self._choice(step.seat, before[MENU], step.choice, before, -1)

    def _own(self, menu: int, choice: Choice, before: Buffer) -> tuple[str, str]:
        """The canonical text and the words by which the viewer was offered what it decided."""
        action, knows = words.entry_action(self.program, menu, choice), words.known_to(self.viewer)
        text = words.option_text(self.program, before, action, choice[1:])
        return text, words.option_words(self.machine, before, action, choice[1:], knows)

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
        if action.text is not None:
            spoken = self._own_words(action, choice, before, menu, knows)
        if not hidden:
            self._name_pieces(action, choice, spoken)
        theirs = _YOUR.sub("their", spoken)  # the words were written for whoever chooses
        return Entry(f"{seat_name(seat)}: {canonical}", f"{seat_name(seat)}: {theirs}")

    def _own_words(
        self, action: Action, choice: Choice, before: Buffer, menu: int, knows: words.Knows
    ) -> str:
        """The rules' own words for an option, without what this viewer may not know."""
        assert action.text is not None
        gaps = open_gaps(self.program, before, action, choice[1:], self.viewer, knows, menu)
        return words.fill(self.program, before, action.text, gaps, knows, self._unnamed)

    def _unnamed(self, before: Buffer, kind: KindLayout, piece: int) -> str:
        """Not even its back, where nobody need see which one is meant."""
        if words.hidden_text(before, kind, piece).endswith(words.HIDDEN):
            return some(kind.name, 1, kind.plural)
        return words.hidden_words(self.program, before, kind, piece)

    def _argument(
        self, param: Param, value: int, before: Buffer, knows: words.Knows
    ) -> tuple[str, str, bool]:
        """An argument's canonical text, its words, and whether the viewer sees it all."""
        if param.type.sort == "kind" and param.form != "value" and value >= 0:
            kind = words.kind_of(self.program, param.type.name)
            if param.form == "place" or not knows(before, kind, value):
                text = words.hidden_text(before, kind, value)
                return text, self._unnamed(before, kind, value), param.form == "place"
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
            Entry(f"{seat_name(seat)}: choose(?)", f"{seat_name(seat)} chooses in secret")
            for seat in range(self.program.players)
            if seat != self.viewer and event.values[0] >> seat & 1
        ]

    def _sealed_entry(self, event: Event) -> Entry:
        events = self.step.events
        return self._forced_entry(event, next(n for n, e in enumerate(events) if e is event))

    def _forced_entry(self, event: Event, position: int) -> Entry:
        """As if it had been chosen: that it had to be is not for the others to know."""
        choice = (event.number, *event.values)
        if event.seat == self.viewer:
            text, spoken = self._own(event.menu, choice, event.before)
            return Entry(f"{seat_name(event.seat)}: {text}", f"{seat_name(event.seat)}: {spoken}")
        return self._choice(event.seat, event.menu, choice, event.before, position)


def _is_open(program: Program, step: Step) -> bool:
    """Whether a step is a decision in a sealed block that still goes on after it."""
    before = step.chosen_in
    return before is not None and knowledge.sealed_is_open(program, before, step.after, step.seat)


def _forced_in_block(events: Sequence[Event], block: int) -> list[Event]:
    """What had to be chosen in the sealed block that a decision has ended. The seats go
    through the block one after the other; when it begins anew, that is another block."""
    found: list[Event] = []
    for event in events:
        if event.word != "forced" or event.before[SEALED] != block:
            continue
        if found and event.before[SEALED_SEAT] < found[-1].before[SEALED_SEAT]:
            break
        found.append(event)
    return found


@once_for_each_program
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
