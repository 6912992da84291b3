"""How a game begins: what variables hold, where the pieces lie, and the setup."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.lower.builder import Body, Builder
from interpreter.program.lower.moves import move_piece
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.routines import RoutineCode
from interpreter.program.lower.scope import Scope
from interpreter.typed.rules import Holding


def initial_values(builder: Builder) -> None:
    for variable in builder.ruleset.variables.values():
        value = builder.rules.starts[variable.name]
        if value:
            cells = range(variable.address, variable.address + variable.size)
            builder.program.initial.extend((cell, value) for cell in cells)


def put_pieces(code: RoutineCode) -> None:
    """Put the pieces where they are at first."""
    for holding in code.scope.builder.rules.holdings:
        code.do(*_holds_all(code.scope, holding))


def set_up(code: RoutineCode) -> None:
    for setup in code.scope.builder.rules.setup:
        code.block(code.scope, setup.body)


def play_on(code: RoutineCode) -> None:
    """`play`, to its end and that of the game."""
    rules = code.scope.builder.rules
    assert rules.play is not None
    code.scope.builder.phase = "play"
    code.block(code.scope, rules.play.body)
    code.add(ops.Over(False))


def _holds_all(scope: Scope, holding: Holding) -> Body:
    """Put every piece that satisfies the condition into the place."""
    place = holding.place
    kind = scope.builder.ruleset.kinds[place.kind]
    if place.word == "pool":
        return tuple(
            ops.SetMemory(place.address + row, ops.Const(info.copies))
            for row, info in enumerate(kind.rows)
        )
    piece = scope.register()
    target = PlaceRef(place, ops.Const(0)).number
    fill: Body = (move_piece(scope, place.kind, piece, target, place.mark),)
    if holding.where is not None:
        inner = scope.inner()
        inner.bind(holding.it, piece)
        fill = (ops.When(inner.value(holding.where), fill),)
    return (ops.CountLoop(piece.index, ops.Const(0), ops.Const(len(kind.components)), fill),)
