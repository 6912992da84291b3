"""Pieces that everybody should know by the time they are read: that is tested.

Where an option or a `say` depends on pieces in a place that the rules reveal at some time, the
typed tree cannot tell whether that has happened (`Rules.tested`). So the piece is looked at when it
is read, and a game that would tell it too soon stops.
"""

from __future__ import annotations

from interpreter.model.ruleset import Place
from interpreter.program import ops
from interpreter.program.lower.scope import Scope
from interpreter.report.source import Mark


def is_tested(scope: Scope, place: Place, mark: Mark) -> bool:
    """Whether pieces that are read at this mark must be known to all."""
    rules = scope.builder.rules
    if rules.scenarios:
        return False  # a position that somebody made up has revealed nothing
    return place.name in rules.revealed and (scope.testing or mark in rules.tested)


def tested(scope: Scope, place: Place, piece: ops.Expr, mark: Mark) -> ops.Expr:
    """The piece, or none, after the test."""
    held = scope.register()
    told = ops.Fail("RR616", scope.builder.spot(mark))
    nothing = ops.Binary("less", held, ops.Const(0))
    known = ops.Binary("or", nothing, _known_to_all(scope, place, held))
    return ops.Sequence((ops.SetLocal(held.index, piece), ops.When(known, (), (told,))), held)


def _known_to_all(scope: Scope, place: Place, piece: ops.Expr) -> ops.Expr:
    """As `pieces.who_knows` says it, of all seats and of who looks on."""
    builder = scope.builder
    kind = builder.program.layout.kinds[builder.kind_numbers[place.kind]]
    pieces = len(kind.row_of)
    everyone = ops.Const(kind.everyone)
    # Above those who know a piece, the same cell has others; they are left out.
    knowing = ops.Binary("bitAnd", ops.MemoryAt(kind.known, piece, pieces), everyone)
    known = ops.Binary("equal", knowing, everyone)
    if kind.hidden_fields:
        return known
    viewers = builder.table(kind.instance_viewers)
    where = ops.MemoryAt(kind.where, piece, pieces)
    return ops.Binary("or", known, ops.Binary("equal", ops.Lookup(viewers, where), everyone))
