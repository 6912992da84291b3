"""What each option is about: the cells, pieces, players and numbers somebody would point at."""

from __future__ import annotations

from functools import cached_property

from interpreter.embedding import State
from interpreter.play import words
from interpreter.play.buffer import Buffer, Choice
from interpreter.program.layout import MENU
from interpreter.program.program import Param, Program
from interpreter.report.visible import visible
from interpreter.scene.values import Data
from interpreter.view.places import where_pieces_lie


def about(state: State, seat: int) -> list[Data]:
    """The options of a seat that is to choose, in canonical order."""
    program = state.game.program
    m = state.seen_by_chooser(seat)
    pointing = _Pointing(program, m, seat)
    found: list[Data] = []
    for option, choice in state.choices(seat).items():
        action = words.entry_action(program, m[MENU], choice)
        found.append(
            {
                "text": option.text,
                "words": visible(option.words or option.text),
                "action": action.name,
                "about": pointing.at(action.params, choice[1:]),
            }
        )
    return found


class _Pointing:
    def __init__(self, program: Program, m: Buffer, seat: int) -> None:
        self.program, self.m, self.seat = program, m, seat

    @cached_property
    def lies(self) -> dict[tuple[str, int], str]:
        """Where pieces lie: looked up only if an option is about one."""
        return where_pieces_lie(self.program, self.m, self.seat)

    def at(self, params: tuple[Param, ...], values: Choice) -> list[Data]:
        return [
            {"name": param.name, **self._one(param, value)}
            for param, value in zip(params, values, strict=False)
        ]

    def _one(self, param: Param, value: int) -> Data:
        type_ = param.type
        if value == type_.none and (type_.optional or value < 0):
            return {"sort": "nothing"}
        match type_.sort:
            case "int":
                return {"sort": "number", "value": value}
            case "bool":
                return {"sort": "flag", "value": bool(value)}
            case "player":
                return {"sort": "player", "seat": value}
            case "board":
                return {"sort": "cell", "board": type_.name, "cell": value}
            case "direction":
                name = self.program.boards[type_.name].directions[value]
                return {"sort": "direction", "board": type_.name, "value": name}
            case "kind":
                return self._piece(type_.name, value)
            case "row":
                kind = words.kind_of(self.program, type_.name)
                return {"sort": "row", "kind": type_.name, "row": kind.rows[value]}
            case _:
                text = words.value_text(self.program, type_, value)
                return {"sort": "name", "of": type_.name, "value": text}

    def _piece(self, name: str, value: int) -> Data:
        kind = words.kind_of(self.program, name)
        if kind.fungible:
            return {"sort": "row", "kind": name, "row": kind.rows[value]}
        lies = self.lies.get((name, value))
        row = kind.rows[kind.row_of[value]]
        if lies is None:  # in the box, or on a piece nobody sees: named, but not on the table
            return {"sort": "row", "kind": name, "row": row}
        return {"sort": "piece", "id": lies}
