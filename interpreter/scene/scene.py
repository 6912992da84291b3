"""The table of one moment as one seat sees it: made from a view and options, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.embedding import State
from interpreter.model.seats import seat_name
from interpreter.play.words import kind_of, member_words
from interpreter.program.layout import Index, VariableLayout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.report.visible import spaced, visible
from interpreter.scene.about import about
from interpreter.scene.values import Data, typed
from interpreter.view.ending import how_it_ended, why_they_won
from interpreter.view.places import PieceView, PlaceView
from interpreter.view.view import VariableView, View

Cell = tuple[str, int | None, int]  # of a board, and of a player if everybody has one


def scene_of(state: State, seat: int | None) -> Data:
    """JSON-ready, as described by schemas/scene.schema.json."""
    view = state.view(seat)
    scene = described(view, state.game.program)
    if view.is_over:
        names = [seat_name(each) for each in range(view.players)]
        scene["ending"] = how_it_ended(view, state.game.program, names)
        scene["because"] = why_they_won(state.game.program, state.buffer, view, names)
    elif seat is not None and seat in view.to_act:
        scene["decision"] = {"options": about(state, seat)}
    return scene


def described(view: View, program: Program) -> Data:
    """The same without what only a state can tell: the options, and how the game ended."""
    return _Scene(view, program).describe()


class _Scene:
    def __init__(self, view: View, program: Program) -> None:
        self.view, self.program, self.members = view, program, _members(program)
        self.boards: dict[tuple[str, int | None], dict[int, list[Data]]] = {}
        self.areas: dict[int | None, Data] = {
            owner: {"owner": owner, "places": [], "values": []}
            for owner in (None, *range(view.players))
        }

    def describe(self) -> Data:
        view = self.view
        for variable in view.variables:
            if variable.member not in self.members.left_out:
                self._variable(variable)
        for place in view.places:
            if place.member not in self.members.left_out:
                self._place(place)
        order = list(self.program.boards)
        return {
            "schema": "rulerun/scene@1",
            "seat": view.seat,
            "moves": view.moves,
            "toAct": list(view.to_act),
            "over": view.is_over,
            "ending": None,
            "because": None,
            "winners": list(view.winners),
            "losers": list(view.losers),
            "scores": list(view.scores),
            "boards": [
                {
                    "board": board,
                    "owner": owner,
                    "cells": [{"cell": cell, "things": cells[cell]} for cell in sorted(cells)],
                }
                for (board, owner), cells in sorted(
                    self.boards.items(),
                    key=lambda item: (
                        order.index(item[0][0]),
                        -1 if item[0][1] is None else item[0][1],
                    ),
                )
            ],
            "areas": list(self.areas.values()),
            "decision": None,
        }

    # ---- what is kept

    def _variable(self, variable: VariableView) -> None:
        layout = self.members.variables[variable.member]
        value = typed(self.program, layout.type, variable.value)
        index, cell = _entry(self.program, variable.member, variable.index, ())
        told: Data = {
            "id": _id(variable.member, variable.index_words),
            "member": variable.member,
            "index": index,
            "value": value,
        }
        if isinstance(value, str):
            told["label"] = self._label(layout, value)
        if cell is not None:
            if value is not None and value is not False:
                self._put(cell, {"sort": "value", **told})
            else:
                self.boards.setdefault(cell[:2], {})
            return
        self.areas[variable.owner]["values"].append(told)
        if layout.type.sort == "board" and isinstance(value, int):
            pawn = {"sort": "pawn", **told, "owner": variable.owner}
            facing = self._facing(layout, variable.owner)
            if facing is not None:
                pawn["facing"] = facing
            self._put((layout.type.name, None, value), pawn)

    def _facing(self, layout: VariableLayout, owner: int | None) -> str | None:
        """Which way somebody looks who stands on a board, if the rules keep that too."""
        for each in self.view.variables:
            other = self.members.variables[each.member]
            same = other.type.sort == "direction" and other.type.name == layout.type.name
            if same and each.owner == owner and len(other.indexes) == len(layout.indexes):
                return each.value
        return None

    def _label(self, layout: VariableLayout, value: str) -> str:
        type_ = layout.type
        if type_.sort in ("enum", "table") and value in self.program.enums[type_.name]:
            return visible(
                self.program.labels[type_.name][self.program.enums[type_.name].index(value)]
            )
        if type_.sort in ("kind", "row"):
            kind = kind_of(self.program, type_.name)
            if value in kind.rows:
                return visible(kind.labels[kind.rows.index(value)])
        return visible(spaced(value))

    # ---- what lies about

    def _place(self, place: PlaceView) -> None:
        kind = self.members.kinds[place.member]
        things = [
            self._thing(place, kind, number, piece) for number, piece in enumerate(place.pieces, 1)
        ]
        index, cell = _entry(self.program, place.member, place.index, place.index_words)
        if cell is not None:
            self.boards.setdefault(cell[:2], {})
            unseen = place.count - (len(things) if place.word != "pool" else place.count)
            for thing in things:
                self._put(cell, thing)
            if unseen > 0:
                stack = {"sort": "count", "id": place.name, "member": place.member, "count": unseen}
                self._put(cell, stack)
            return
        self.areas[place.owner]["places"].append(
            {
                "id": place.name,
                "member": place.member,
                "index": index,
                "count": place.count,
                "things": things,
            }
        )

    def _thing(self, place: PlaceView, kind: str, number: int, piece: PieceView) -> Data:
        if place.word == "pool":
            return {
                "sort": "count",
                "id": f"{place.name}.{piece.name}",
                "member": place.member,
                "kind": kind,
                "row": piece.name,
                "count": int(dict(piece.marks)["count"]),
            }
        found: Data = {
            "sort": "piece",
            "id": f"{place.name}#{number}",
            "member": place.member,
            "kind": kind,
            "row": piece.name,
            "label": visible(piece.label),
            "owner": place.owner,
        }
        if not piece.marks:
            return found
        told: Data = {}
        stands: list[tuple[str, int]] = []
        for mark, text in piece.marks:
            layout = self.members.variables[mark]
            if mark in self.members.left_out:
                continue
            value = typed(self.program, layout.type, text)
            told[mark] = {"value": value, "words": visible(member_words(self.program, mark))}
            if isinstance(value, str):
                told[mark]["label"] = self._label(layout, value)
            if layout.type.sort == "board" and isinstance(value, int):
                stands.append((layout.type.name, value))
            if layout.type.sort == "direction" and isinstance(value, str):
                found["facing"] = value
            if layout.type.sort == "player" and isinstance(value, int):
                found["owner"] = value
        if told:
            found["marks"] = told
        for board, cell in stands:  # pieces that name the cell they stand on
            self._put((board, None, cell), found)
        return found

    # ---- boards

    def _put(self, at: Cell, thing: Data) -> None:
        self.boards.setdefault(at[:2], {}).setdefault(at[2], []).append(thing)


@dataclass(frozen=True, slots=True)
class _Members:
    """What is declared, by its names."""

    variables: dict[str, VariableLayout]
    kinds: dict[str, str]  # what lies in a place
    indexes: dict[str, tuple[Index, ...]]
    left_out: frozenset[str]


@once_for_each_program
def _members(program: Program) -> _Members:
    layout = program.layout
    unseen = {each.name for each in layout.variables if each.unseen}
    return _Members(
        {each.name: each for each in layout.variables},
        {each.name: layout.kinds[each.kind].name for each in layout.places},
        {each.name: each.indexes for each in layout.variables}
        | {each.name: each.indexes for each in layout.places},
        program.not_shown | unseen,
    )


@once_for_each_program
def _entry(
    program: Program, member: str, at: tuple[int, ...], words: tuple[str, ...]
) -> tuple[list[Any], Cell | None]:
    """What something is kept for, as data, and the cell of a board it lies on. Where there are
    words, a piece is called by them, since they tell where it lies."""
    indexes = _members(program).indexes[member]
    index = [
        words[n] if words and each.type.sort == "kind" else _part(program, each, part)
        for n, (each, part) in enumerate(zip(indexes, at, strict=True))
    ]
    board = board_at(indexes)
    if board is None:
        return index, None
    by_sort = {each.type.sort: part for each, part in zip(indexes, at, strict=True)}
    return index, (board, by_sort.get("player"), by_sort["board"])


def _part(program: Program, index: Index, part: int) -> Any:
    match index.type.sort:
        case "enum" | "table":
            return program.enums[index.type.name][part]
        case "direction":
            return program.boards[index.type.name].directions[part]
        case "kind" | "row":
            kind = kind_of(program, index.type.name)
            by_row = kind.fungible or index.type.sort == "row"
            return kind.rows[part if by_row else kind.row_of[part]]
        case _:
            return part


def board_at(indexes: tuple[Index, ...]) -> str | None:
    """The board a member lies on: indexed by its cells, or by a player and its cells."""
    sorts = [index.type.sort for index in indexes]
    if sorts in (["board"], ["player", "board"], ["board", "player"]):
        return indexes[sorts.index("board")].type.name
    return None


def _id(member: str, index: Sequence[str]) -> str:
    return f"{member}[{','.join(index)}]" if index else member
