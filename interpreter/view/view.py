"""A view: the table as one seat sees it, as plain data. Bots, pages and logs get nothing else.

A view also carries the state with everything hidden put into a standard order (`masked`), so
that a state can be imagined from it, and where the seat must suppose what it cannot name
(`supposed`), or if that does not suffice, all that it has seen (`story`). Two states a seat cannot
tell apart have equal views, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.play import knowledge, masking, words
from interpreter.play.buffer import Buffer
from interpreter.play.machine import Machine
from interpreter.play.memory import ANYWHERE, Memory, Names, Places
from interpreter.play.ordering import copies_of
from interpreter.program.layout import (
    DECIDED,
    DECISION,
    OVER,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    WINNERS,
    VariableLayout,
    indexes_of,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.report.suggest import did_you_mean
from interpreter.view import typed, worked_out
from interpreter.view.places import PlaceView, owner_of, places
from interpreter.view.standing import names_under_way, phase_of, turn_of

SPECTATOR = knowledge.SPECTATOR


@dataclass(frozen=True, slots=True)
class VariableView:
    """One entry of a variable; `value` is None where it is secret."""

    member: str
    index: tuple[int, ...]
    index_words: tuple[str, ...]
    value: str | None
    owner: int | None


@dataclass(frozen=True, slots=True)
class View:
    """What a seat is told of a moment of a game. It keeps the masked state and nothing that the
    seat may not know; the table is read from that when it is asked for.

    >>> view = state.view(0)
    >>> view.seat, view.to_act, view.phase
    (0, (0,), 'play')
    >>> view["money"][0], view["hand"][1].names, view["pile"].count
    (5, (None,), 3)
    """

    program: Program = field(repr=False)
    seat: int | None  # None: a spectator
    moves: int  # with choices that left only one option, which nobody else may tell from others
    to_act: tuple[int, ...]
    is_over: bool
    winners: tuple[int, ...]
    losers: tuple[int, ...]  # whoever has not won; nobody after a draw
    scores: tuple[int, ...]
    masked: tuple[int, ...] = field(repr=False)
    # The same with the sealed choices of the seat as made: they may have told it something.
    table: tuple[int, ...] = field(repr=False)
    supposed: tuple[list[int], ...] = field(repr=False)  # by kind, as `Memory` has it
    named: Names = field(repr=False)  # as `Memory` has them
    story: tuple[str, ...] | None = field(repr=False)  # all that was to be seen
    # What has been worked out of it so far.
    _read: dict[str, Any] = field(
        repr=False, compare=False, default_factory=lambda: {"members": {}}
    )

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.program.title

    @property
    def players(self) -> int:
        """How many play."""
        return self.program.players

    @property
    def variables(self) -> tuple[VariableView, ...]:
        """Every entry of every variable that has something to tell."""
        if "variables" not in self._read:
            found = _variables(self.program, list(self.table), self._viewer)
            self._read["variables"] = tuple(found)
        shown: tuple[VariableView, ...] = self._read["variables"]
        return shown

    @property
    def places(self) -> tuple[PlaceView, ...]:
        """Every place that can be seen, with what the seat sees in it."""
        if "places" not in self._read:
            found = places(self.program, list(self.table), self._viewer)
            self._read["places"] = tuple(found)
        shown: tuple[PlaceView, ...] = self._read["places"]
        return shown

    def __getitem__(self, name: str) -> Any:
        """A variable or a place by its name in the rules, as Python values (`view/typed.py`):
        `view["money"][0]` is a number, `view["hand"][1]` a `Place`. Raises KeyError for a name
        that is not told of.

        >>> state.view(0)["mony"]
        Traceback (most recent call last):
        KeyError: 'there is no variable or place `mony`: Did you mean `money`?'
        """
        if name not in self._read["members"]:
            self._read["members"][name] = self._member(name)
        return self._read["members"][name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    @property
    def names(self) -> tuple[str, ...]:
        """The variables and places that can be asked for.

        >>> state.view(0).names
        ('money', 'pile', 'hand')
        """
        told = [each.name for each in _told_variables(self.program)]
        names = dict.fromkeys([*told, *(each.name for each in self.program.layout.places)])
        return tuple(names)

    def _member(self, name: str) -> Any:
        if name not in self.names:
            hint = did_you_mean(name, self.names) or f"there is {', '.join(self.names)}"
            raise KeyError(f"there is no variable or place `{name}`: {hint}")
        for variable in _told_variables(self.program):
            if variable.name == name:
                return typed.variable(self.program, list(self.table), variable, self._viewer)
        seen = [each for each in self.places if each.member == name]
        return typed.places(self.program, name, seen)

    @property
    def under_way(self) -> tuple[str, ...]:
        """What the rules are doing, by the names of procedures and phases, the outermost first."""
        return names_under_way(self.program, self.masked)

    @property
    def phase(self) -> str:
        """The phase the game is in: what `play` is doing. Empty when it is over."""
        return phase_of(self.under_way)

    @property
    def turn(self) -> int | None:
        """Whose turn it is, where the rules go on in `turns`; None elsewhere."""
        return turn_of(self.program, self.masked)

    @property
    def _viewer(self) -> int:
        return SPECTATOR if self.seat is None else self.seat

    def as_data(self) -> dict[str, Any]:
        """JSON-ready, as described by schemas/view.schema.json.

        >>> state.view(0).as_data()["variables"][0]
        {'name': 'money', 'index': ['P1'], 'value': '5'}
        """
        return {
            "schema": "rulerun/view@1",
            "seat": self.seat,
            "title": self.title,
            "players": self.players,
            "moves": self.moves,
            "toAct": list(self.to_act),
            "over": self.is_over,
            "winners": list(self.winners),
            "losers": list(self.losers),
            "scores": list(self.scores),
            "variables": [
                {"name": v.member, "index": list(v.index_words), "value": v.value}
                for v in self.variables
            ],
            "places": [
                {
                    "name": p.name,
                    "index": list(p.index_words),
                    "count": p.count,
                    "pieces": [
                        {"name": piece.name, "label": piece.label, "marks": dict(piece.marks)}
                        for piece in p.pieces
                    ],
                }
                for p in self.places
            ],
        }


def look(
    machine: Machine,
    m: Buffer,
    seat: int | None,
    memory: Memory | None = None,
    story: tuple[str, ...] | None = None,
) -> View:
    """The view of a seat. While sealed choices are open, a seat sees its own as made."""
    program = machine.program
    viewer = SPECTATOR if seat is None else seat
    over = m[STATUS] == OVER
    layout, seats = program.layout, range(program.players if over else 0)
    winners = tuple(s for s in seats if m[WINNERS] >> s & 1)
    worked = worked_out.for_viewer(program, m, viewer)
    named: Names = frozenset()
    if memory is not None:  # whoever knows a piece need not know that it is meant
        meant = frozenset(each for each in memory.names[viewer] if each[0] not in worked)
        named = masking.by_name_only(program, m, viewer, meant)
    masked = masking.masked(program, m, viewer, named)
    for cell, known in worked.items():
        masked.cells[cell] = 0 if known is None else known
    kept = table = tuple(masked.cells)
    if m[STATUS] == SEALING and seat is not None:
        chosen = machine.sealed_view(m, seat)
        table = masking.masked_after(program, m, kept, chosen, seat)
    return View(
        program,
        seat,
        m[DECIDED],
        _to_act(program, m, seat),
        over,
        winners,
        tuple(s for s in seats if m[WINNERS] and s not in winners),
        tuple(m[layout.scores : layout.scores + len(seats)]),
        kept,
        table,
        _supposed(program, memory.of(viewer), masked) if memory is not None else (),
        frozenset((cell, kept[cell]) for cell, _ in named),
        story,
    )


def _supposed(
    program: Program, remembered: Sequence[Places], masked: masking.Masked
) -> tuple[Places, ...]:
    """Copies of a row cannot be told apart, so which of them may lie where is put in order; those
    the viewer can name come first, as in `masked`, and places on pieces have the numbers they
    have there."""
    found: list[Places] = [[] for _ in remembered]
    for number, unnamed in masked.unnamed.items():
        kind, places = program.layout.kinds[number], remembered[number]
        if masked.renumbered and (moved := masked.renumbered_of(kind.name)):
            gone = sum(1 << old for old in moved)
            now = {each: _moved(each, moved, gone) for each in set(places)}
            places = [now[each] for each in places]
        told = [where if lost else 0 for lost, where in zip(unnamed, places, strict=True)]
        order = _nowhere_first if ANYWHERE in told else None  # which is less than nowhere
        for copies in copies_of(program, kind.name):
            told[copies.start : copies.stop] = sorted(told[copies.start : copies.stop], key=order)
        found[number] = told
    return tuple(found)


def _nowhere_first(places: int) -> tuple[bool, int]:
    return places != 0, places


def _moved(places: int, moved: dict[int, int], gone: int) -> int:
    """A set of places, some of which have other numbers now: `gone` is the set of these."""
    if places == ANYWHERE or not places & gone:
        return places
    return places & ~gone | sum(1 << new for old, new in moved.items() if places >> old & 1)


def _to_act(program: Program, m: Buffer, seat: int | None) -> tuple[int, ...]:
    if m[STATUS] == DECISION:
        return (m[SEAT],)
    if m[STATUS] != SEALING:
        return ()
    # Who has sealed already is nobody else's business: a seat sees only whether it has.
    if seat is None:
        return tuple(range(program.players))
    others = [s for s in range(program.players) if s != seat]
    own = [] if m[SEALED_DONE] >> seat & 1 else [seat]
    return tuple(sorted(own + others))


def _variables(program: Program, m: Buffer, viewer: int) -> list[VariableView]:
    found: list[VariableView] = []
    for variable, number, at, named, owner in _entries(program):
        value: str | None = None
        if variable.is_open_to(number, viewer):
            value = _value(program, m, variable, number, viewer)
        found.append(VariableView(variable.name, at, named, value, owner))
    return found


_Entry = tuple[VariableLayout, int, tuple[int, ...], tuple[str, ...], int | None]


@once_for_each_program
def _entries(program: Program) -> list[_Entry]:
    """Every entry of every variable that is told of: its number, indexes and owner."""
    found: list[_Entry] = []
    for variable in _told_variables(program):
        for number in range(variable.size):
            at = indexes_of(number, variable.indexes)
            named = tuple(
                words.value_text(program, index.type, part)
                for index, part in zip(variable.indexes, at, strict=True)
            )
            found.append((variable, number, at, named, owner_of(variable.indexes, at)))
    return found


@once_for_each_program
def _told_variables(program: Program) -> list[VariableLayout]:
    """The variables that stand for themselves in a view."""
    return [
        variable
        for variable in program.layout.variables
        if not variable.name.startswith("used_")
        and not variable.remembers
        and not _of_hidden_pieces(program, variable)
    ]


def _value(program: Program, m: Buffer, variable: VariableLayout, number: int, viewer: int) -> str:
    """A piece is named to those who can read it there; where it lies is told to nobody."""
    cell = variable.address + number
    if variable.readers >= 0 and m[cell] >= 0:
        kind = words.kind_of(program, variable.type.name)
        if not knowledge.reads(m, kind, cell, viewer):
            return knowledge.back_of(kind, m[cell]) or words.HIDDEN
    return words.value_text(program, variable.type, m[cell])


def _of_hidden_pieces(program: Program, variable: VariableLayout) -> bool:
    """Variables of pieces are shown with the piece, not by its number."""
    return any(
        index.type.sort == "kind" and not words.kind_of(program, index.type.name).fungible
        for index in variable.indexes
    )
