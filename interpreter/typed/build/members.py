"""Everything that is called by its bare name without being declared on its own: members of enums,
rows, directions and cells; by name, so that a name is looked up and not searched for."""

from __future__ import annotations

from interpreter.frozen import frozen
from interpreter.model.ruleset import Ruleset
from interpreter.model.types import Sort, Type, named
from interpreter.report.source import Mark
from interpreter.typed import values as v


@frozen
class Member:
    value: int
    type: Type
    named: v.Named

    def constant(self, mark: Mark) -> v.Constant:
        return v.Constant(self.value, self.named, type=self.type, mark=mark)


class Members:
    def __init__(self, ruleset: Ruleset) -> None:
        self.by_name: dict[str, list[Member]] = {}
        for enum, members in ruleset.enums.items():
            type_, mark = named("enum", enum), ruleset.declared.get(enum)
            for number, name in enumerate(members):
                self._add(name, number, type_, v.Named("member", name, enum, mark))
        for kind in ruleset.kinds.values():
            sort: Sort = "table" if not kind.physical else "row" if kind.tracked else "kind"
            type_ = Type(sort, kind.name)
            for number, row in enumerate(kind.rows):
                self._add(row.name, number, type_, v.Named("row", row.name, kind.name, kind.mark))
        for board in ruleset.boards.values():
            way, cell = named("direction", board.name), named("board", board.name)
            for number, name in enumerate(board.directions):
                self._add(name, number, way, v.Named("direction", name, board.name, board.mark))
            for number, name in enumerate(board.cells):
                self._add(name, number, cell, v.Named("cell", name, board.name, board.mark))

    def _add(self, name: str, value: int, type_: Type, named_: v.Named) -> None:
        found = self.by_name.setdefault(name, [])
        # Of several with one name and type, the first is meant.
        if all(each.type != type_ for each in found):
            found.append(Member(value, type_, named_))

    def called(self, name: str) -> list[Member]:
        return self.by_name.get(name, [])
