"""A scene as Python values: what a terminal draws its tables from.

It reads the plan and the scene that the page in the browser is drawn from, too, and nothing else,
so both show the same. What lies on a board is found in the cells of the scene, and is put in
the order of the declarations again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.model.seats import seat_name
from interpreter.play.words import HIDDEN
from interpreter.program.program import BoardWords, Program
from interpreter.report.visible import spaced, visible
from interpreter.scene.plan import plain_plan
from interpreter.scene.scene import described
from interpreter.scene.values import HIDDEN as UNKNOWN
from interpreter.scene.values import Data
from interpreter.view.view import View


@dataclass(frozen=True, slots=True)
class Member:
    """A variable or a place that is declared."""

    name: str
    words: str
    indexes: tuple[Data, ...]  # types, as the plan has them
    type: Data  # of a variable
    kind: str = ""  # of pieces, and how they lie
    word: str = ""

    @property
    def is_place(self) -> bool:
        return bool(self.word)

    @property
    def sorts(self) -> list[str]:
        return [each["sort"] for each in self.indexes]

    @property
    def board(self) -> str | None:
        """The board it lies on: indexed by its cells, or by a player and its cells."""
        if self.sorts in (["board"], ["player", "board"], ["board", "player"]):
            return str(self.indexes[self.sorts.index("board")]["name"])
        return None

    @property
    def is_of_players(self) -> bool:
        return self.sorts[:1] == ["player"]


@dataclass(frozen=True, slots=True)
class Told:
    """A value. Of a player it is a seat, of a board the number of a cell."""

    member: Member
    owner: int | None
    index: tuple[Any, ...]
    value: Any
    label: str | None

    @property
    def is_hidden(self) -> bool:
        return bool(self.value == UNKNOWN)

    @property
    def says_something(self) -> bool:
        return self.value is not None and self.value is not False

    @property
    def is_nothing(self) -> bool:
        return not self.says_something or (self.member.type["sort"] == "int" and self.value == 0)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, by its row if that is known; or how many of a row there are."""

    row: str | None
    label: str
    marks: tuple[Told, ...] = ()
    count: int = 1

    @property
    def is_hidden(self) -> bool:
        return self.row is None and self.label == HIDDEN


@dataclass(frozen=True, slots=True)
class Lying:
    """A place and what lies there."""

    member: Member
    owner: int | None
    index: tuple[Any, ...]
    count: int
    pieces: tuple[Piece, ...]
    cell: int | None = None  # of a board


class Seen:
    """All that one seat sees."""

    def __init__(self, view: View, program: Program) -> None:
        self.plan, scene = plain_plan(program), described(view, program)
        self.scene = scene
        self.seat: int | None = scene["seat"]
        self.players = len(self.plan["players"])
        self.to_act: list[int] = scene["toAct"]
        self.is_over: bool = scene["over"]
        self.scores: list[int] = scene["scores"]
        self.members = {name: _member(name, said) for name, said in self.plan["members"].items()}
        self.boards = {name: _board(name, said) for name, said in self.plan["boards"].items()}
        rank = {name: number for number, name in enumerate(self.members)}
        self.values = sorted(self._values(), key=lambda each: rank[each.member.name])
        self.on_cells = sorted(self._on_cells(), key=lambda each: rank[each[0].member.name])
        self.places = sorted(self._places(), key=lambda each: rank[each.member.name])
        self.labels = {
            piece["id"]: piece["label"]
            for area in scene["areas"]
            for place in area["places"]
            for piece in place["things"]
            if piece["sort"] == "piece" and piece["row"] is not None
        }

    def _values(self) -> Iterator[Told]:
        """All that is told off the boards."""
        for area in self.scene["areas"]:
            for said in area["values"]:
                yield self._told(said, area["owner"])

    def _on_cells(self) -> Iterator[tuple[Told, int | None, int]]:
        """What is kept for cells and says something, with the owner of the board and the cell."""
        for board in self.scene["boards"]:
            for cell in board["cells"]:
                for said in cell["things"]:
                    if said["sort"] == "value":
                        yield self._told(said, board["owner"]), board["owner"], cell["cell"]

    def _told(self, said: Data, owner: int | None) -> Told:
        member = self.members[said["member"]]
        return Told(member, owner, tuple(said["index"]), said["value"], said.get("label"))

    def _places(self) -> Iterator[Lying]:
        for area in self.scene["areas"]:
            for said in area["places"]:
                pieces = tuple(self._piece(each) for each in said["things"])
                member = self.members[said["member"]]
                index = tuple(said["index"])
                yield Lying(member, area["owner"], index, said["count"], pieces)
        for board in self.scene["boards"]:
            for cell in board["cells"]:
                yield from self._in_cell(board, cell)

    def _in_cell(self, board: Data, cell: Data) -> Iterator[Lying]:
        """The places of a cell; what stands there by a variable of its own lies elsewhere."""
        found: dict[str, list[Data]] = {}
        for said in cell["things"]:
            if said["sort"] in ("piece", "count"):
                found.setdefault(said["member"], []).append(said)
        for name, things in found.items():
            member = self.members[name]
            if member.board != board["board"]:
                continue
            pieces = tuple(self._piece(each) for each in things if "kind" in each)
            count = sum(each.get("count", 1) for each in things)
            yield Lying(member, board["owner"], (cell["cell"],), count, pieces, cell["cell"])

    def _piece(self, said: Data) -> Piece:
        if said["sort"] == "count":
            label = self.row_label(said["kind"], said["row"])
            return Piece(said["row"], label, count=said["count"])
        marks = tuple(
            Told(self.members[name], None, (), mark["value"], mark.get("label"))
            for name, mark in said.get("marks", {}).items()
        )
        return Piece(said["row"], said["label"], marks)

    # ---- in words

    def row_label(self, kind: str, row: str) -> str:
        rows = self.plan["kinds"][kind]["rows"]
        return str(next((each["label"] for each in rows if each["name"] == row), row))

    def words(self, told: Told) -> str:
        """A value in words for people."""
        return self._words(told.member.type, told.value, told.label)

    def _words(self, type_: Data, value: Any, label: str | None = None) -> str:
        if value == UNKNOWN:
            return HIDDEN
        if value is None:
            return "none"
        match type_["sort"]:
            case "bool":
                return "yes" if value else "no"
            case "player":
                return seat_name(value)
            case "board":
                return self.cell_label(type_["name"], value)
            case _:
                return str(value) if label is None else label

    def raw(self, told: Told) -> str:
        """A value as the rules have it."""
        if told.member.type["sort"] == "board" and isinstance(told.value, int):
            return self.boards[told.member.type["name"]].cells[told.value]
        return self._words(told.member.type, told.value)

    def cell_label(self, board: str, cell: int) -> str:
        words = self.boards[board]
        return words.labels[cell] if words.labels else visible(spaced(words.cells[cell]))

    def index_names(self, what: Lying | Told) -> list[str]:
        """What a place or a variable is that of. A piece is called by where it lies, if it cannot
        be named."""
        return [
            self._index_name(type_, part)
            for type_, part in zip(what.member.indexes, what.index, strict=True)
        ]

    def _index_name(self, type_: Data, part: Any) -> str:
        match type_["sort"]:
            case "enum" | "table":
                rows = self.plan["names"][type_["name"]]
                return str(next(each["label"] for each in rows if each["name"] == part))
            case "direction":
                return visible(spaced(part))
            case "kind" | "row":
                return str(self.labels.get(part) or self.row_label(type_["name"], part))
            case _:
                return self._words(type_, part)


def _member(name: str, said: Data) -> Member:
    indexes = tuple(said["indexes"])
    kind, word = said.get("kind", ""), said.get("word", "")
    return Member(name, said["words"], indexes, said.get("type", {"sort": "kind"}), kind, word)


def _board(name: str, said: Data) -> BoardWords:
    names = tuple(each["name"] for each in said["cells"])
    labels = tuple(each["label"] for each in said["cells"])
    return BoardWords(
        name,
        said["shape"],
        names,
        tuple((each["x"], each["y"]) for each in said["cells"]),
        tuple(said["directions"]),
        () if labels == names else labels,
    )
