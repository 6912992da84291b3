"""The table of one moment as one seat sees it: made from a view and options, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.embedding import State
from interpreter.model.seats import seat_name
from interpreter.play.words import member_words
from interpreter.program.layout import Index, VariableLayout
from interpreter.program.program import Program
from interpreter.report.visible import spaced, visible
from interpreter.scene.about import about
from interpreter.scene.values import Data, typed
from interpreter.view.ending import how_it_ended
from interpreter.view.places import PieceView, PlaceView
from interpreter.view.view import VariableView, View


def scene_of(state: State, seat: int | None) -> Data:
    """JSON-ready, as described by schemas/scene.schema.json."""
    view = state.view(seat)
    scene = _Scene(view, state.game.program).describe()
    if seat is not None and seat in view.to_act and not view.is_over:
        scene["decision"] = {"options": about(state, seat)}
    return scene


class _Scene:
    def __init__(self, view: View, program: Program) -> None:
        self.view, self.program = view, program
        self.variables = {each.name: each for each in program.layout.variables}
        self.indexes = {each.name: each.indexes for each in program.layout.places}
        self.kinds = {
            each.name: program.layout.kinds[each.kind].name for each in program.layout.places
        }
        self.boards: dict[tuple[str, int | None], dict[int, list[Data]]] = {}
        self.areas: dict[int | None, Data] = {
            owner: {"owner": owner, "places": [], "values": []}
            for owner in (None, *range(view.players))
        }
        left_out = {each.name for each in program.layout.variables if each.unseen}
        self.left_out = program.not_shown | left_out

    def describe(self) -> Data:
        view = self.view
        for variable in view.variables:
            if variable.member not in self.left_out:
                self._variable(variable)
        for place in view.places:
            if place.member not in self.left_out:
                self._place(place)
        order = list(self.program.boards)
        names = [seat_name(each) for each in range(view.players)]
        return {
            "schema": "rulerun/scene@1",
            "seat": view.seat,
            "moves": view.moves,
            "toAct": list(view.to_act),
            "over": view.is_over,
            "ending": how_it_ended(view, self.program, names) if view.is_over else None,
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
        layout = self.variables[variable.member]
        value = typed(self.program, layout.type, variable.value)
        told: Data = {
            "id": _id(variable.member, variable.index_words),
            "member": variable.member,
            "index": self._index(layout.indexes, variable.index),
            "value": value,
        }
        if isinstance(value, str):
            told["label"] = self._label(layout, value)
        on = board_at(layout.indexes)
        if on is not None:
            if value is not None and value is not False:
                thing = {"sort": "value", **told}
                self._put(
                    on, _owner(layout.indexes, variable.index), _cell(on, layout, variable), thing
                )
            else:
                self.boards.setdefault((on, _owner(layout.indexes, variable.index)), {})
            return
        self.areas[variable.owner]["values"].append(told)
        if layout.type.sort == "board" and isinstance(value, int):
            pawn = {"sort": "pawn", **told, "owner": variable.owner}
            facing = self._facing(layout, variable.owner)
            if facing is not None:
                pawn["facing"] = facing
            self._put(layout.type.name, None, value, pawn)

    def _facing(self, layout: VariableLayout, owner: int | None) -> str | None:
        """Which way somebody looks who stands on a board, if the rules keep that too."""
        for each in self.view.variables:
            other = self.variables[each.member]
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
            kind = next(k for k in self.program.layout.kinds if k.name == type_.name)
            if value in kind.rows:
                return visible(kind.labels[kind.rows.index(value)])
        return visible(spaced(value))

    # ---- what lies about

    def _place(self, place: PlaceView) -> None:
        indexes = self.indexes[place.member]
        things = [self._thing(place, number, piece) for number, piece in enumerate(place.pieces, 1)]
        on = board_at(indexes)
        if on is not None:
            cell = next(
                part
                for index, part in zip(indexes, place.index, strict=True)
                if index.type.name == on
            )
            owner = _owner(indexes, place.index)
            self.boards.setdefault((on, owner), {})
            unseen = place.count - (len(things) if place.word != "pool" else place.count)
            for thing in things:
                self._put(on, owner, cell, thing)
            if unseen > 0:
                stack = {"sort": "count", "id": place.name, "member": place.member, "count": unseen}
                self._put(on, owner, cell, stack)
            return
        self.areas[place.owner]["places"].append(
            {
                "id": place.name,
                "member": place.member,
                "index": self._index(indexes, place.index, place.index_words),
                "count": place.count,
                "things": things,
            }
        )

    def _thing(self, place: PlaceView, number: int, piece: PieceView) -> Data:
        kind = self.kinds[place.member]
        marks = dict(piece.marks)
        if place.word == "pool":
            return {
                "sort": "count",
                "id": f"{place.name}.{piece.name}",
                "member": place.member,
                "kind": kind,
                "row": piece.name,
                "count": int(marks["count"]),
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
        told: Data = {}
        stands: list[tuple[str, int]] = []
        for mark, text in piece.marks:
            layout = self.variables[mark]
            if mark in self.left_out:
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
            self._put(board, None, cell, found)
        return found

    # ---- boards

    def _put(self, board: str, owner: int | None, cell: int, thing: Data) -> None:
        self.boards.setdefault((board, owner), {}).setdefault(cell, []).append(thing)

    def _index(
        self, indexes: Sequence[Index], at: Sequence[int], words: Sequence[str] = ()
    ) -> list[Any]:
        found: list[Any] = []
        for number, (index, part) in enumerate(zip(indexes, at, strict=True)):
            match index.type.sort:
                case "player" | "board" | "int":
                    found.append(part)
                case "enum" | "table":
                    found.append(self.program.enums[index.type.name][part])
                case "direction":
                    found.append(self.program.boards[index.type.name].directions[part])
                case "kind" if words:
                    found.append(words[number])
                case "kind" | "row":
                    kind = next(k for k in self.program.layout.kinds if k.name == index.type.name)
                    by_row = kind.fungible or index.type.sort == "row"
                    found.append(kind.rows[part if by_row else kind.row_of[part]])
                case _:
                    found.append(part)
        return found


def board_at(indexes: tuple[Index, ...]) -> str | None:
    """The board a member lies on: indexed by its cells, or by a player and its cells."""
    sorts = [index.type.sort for index in indexes]
    if sorts in (["board"], ["player", "board"], ["board", "player"]):
        return indexes[sorts.index("board")].type.name
    return None


def _owner(indexes: tuple[Index, ...], at: tuple[int, ...]) -> int | None:
    return next((p for i, p in zip(indexes, at, strict=True) if i.type.sort == "player"), None)


def _cell(board: str, layout: VariableLayout, variable: VariableView) -> int:
    pairs = zip(layout.indexes, variable.index, strict=True)
    return next(part for index, part in pairs if index.type.name == board)


def _id(member: str, index: Sequence[str]) -> str:
    return f"{member}[{','.join(index)}]" if index else member
