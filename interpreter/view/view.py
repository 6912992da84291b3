"""A view: the table as one seat sees it, as plain data. Bots, pages and logs get nothing else.

A view also carries the state with everything hidden put into a standard order (`masked`), so
that a state can be imagined from it, and where the seat must suppose what it cannot name
(`supposed`), or if that does not suffice, all that it has seen (`story`). Two states a seat cannot
tell apart have equal views, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.play import knowledge, masking, words
from interpreter.play.borne import Renumbered
from interpreter.play.buffer import Buffer
from interpreter.play.machine import Machine
from interpreter.play.memory import ANYWHERE, Memory, Names
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
from interpreter.program.program import Program
from interpreter.view import worked_out
from interpreter.view.places import PlaceView, owner_of, places

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
    seat: int | None  # None: a spectator
    title: str
    players: int
    moves: int
    to_act: tuple[int, ...]
    is_over: bool
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    variables: tuple[VariableView, ...]
    places: tuple[PlaceView, ...]
    masked: tuple[int, ...] = field(repr=False, default=())
    supposed: tuple[list[int], ...] = field(repr=False, default=())  # by kind, as `Memory` has it
    story: tuple[str, ...] | None = field(repr=False, default=None)  # all that was to be seen
    losers: tuple[int, ...] = ()  # whoever has not won; nobody after a draw
    named: Names = field(repr=False, default=frozenset())  # as `Memory` has them

    def as_data(self) -> dict[str, Any]:
        """JSON-ready, as described by schemas/view.schema.json."""
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
    *,
    to_imagine: bool = True,
) -> View:
    """The view of a seat. While sealed choices are open, a seat sees its own as made. What is only
    there to imagine states by it can be left out, for those who show it to somebody."""
    program = machine.program
    viewer = SPECTATOR if seat is None else seat
    seen = m
    if m[STATUS] == SEALING and seat is not None:
        seen = machine.sealed_view(m, seat)
    over = m[STATUS] == OVER
    layout = program.layout
    scores = tuple(m[layout.scores : layout.scores + program.players]) if over else ()
    winners = tuple(s for s in range(program.players) if over and m[WINNERS] >> s & 1)
    losers = tuple(s for s in range(program.players) if over and m[WINNERS] and s not in winners)
    shown = View(
        seat,
        program.title,
        program.players,
        m[DECIDED],
        _to_act(program, m, seat),
        over,
        winners,
        scores,
        tuple(_variables(program, seen, viewer)),
        tuple(places(program, seen, viewer)),
        losers=losers,
    )
    if not to_imagine:
        return shown
    worked = worked_out.for_viewer(program, m, viewer)
    named: Names = frozenset()
    if memory is not None:  # whoever knows a piece need not know that it is meant
        meant = frozenset(each for each in memory.names[viewer] if each[0] not in worked)
        named = masking.by_name_only(program, m, viewer, meant)
    masked, renumbered = masking.masked(program, m, viewer, named)
    named = frozenset((cell, masked[cell]) for cell, _ in named)
    for cell, known in worked.items():
        masked[cell] = 0 if known is None else known
    return replace(
        shown,
        masked=tuple(masked),
        supposed=(
            tuple(_supposed(program, m, viewer, memory, renumbered)) if memory is not None else ()
        ),
        story=story,
        named=named,
    )


def _supposed(
    program: Program, m: Buffer, viewer: int, memory: Memory, renumbered: Renumbered
) -> list[list[int]]:
    """Copies of a row cannot be told apart, so which of them may lie where is put in order; those
    the viewer can name come first, as in `masked`, and places on pieces have the numbers they
    have there."""
    found: list[list[int]] = []
    for kind, remembered in zip(program.layout.kinds, memory.of(viewer), strict=True):
        told = [0] * len(remembered)
        numbers: dict[int, list[int]] = {}
        supposed: dict[int, list[int]] = {}
        moved = {old: new for (name, old), new in renumbered.items() if name == kind.name}
        for piece, where in enumerate(_moved(each, moved) for each in remembered):
            numbers.setdefault(kind.row_of[piece], []).append(piece)
            if not knowledge.knows(m, kind, piece, viewer):
                supposed.setdefault(kind.row_of[piece], []).append(where)
        for row, unknown in supposed.items():
            for piece, where in zip(numbers[row][-len(unknown) :], sorted(unknown), strict=True):
                told[piece] = where
        found.append(told)
    return found


def _moved(places: int, moved: dict[int, int]) -> int:
    """A set of places, some of which have other numbers now."""
    if places == ANYWHERE:
        return places
    stay = places & ~sum(1 << old for old in moved)
    return stay | sum(1 << new for old, new in moved.items() if places >> old & 1)


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
    for variable in program.layout.variables:
        if variable.name.startswith("used_") or _of_hidden_pieces(program, variable):
            continue
        if variable.remembers:
            continue
        for number in range(variable.size):
            at = indexes_of(number, variable.indexes)
            owner = owner_of(variable.indexes, at)
            value: str | None = None
            if variable.is_open_to(number, viewer):
                value = _value(program, m, variable, number, viewer)
            named = tuple(
                words.value_text(program, index.type, part)
                for index, part in zip(variable.indexes, at, strict=True)
            )
            found.append(VariableView(variable.name, at, named, value, owner))
    return found


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
