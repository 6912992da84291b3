"""Pieces that should be known by the time they are read: that is tested.

Where an option or a `say` depends on pieces in a place that the rules reveal at some time, the
typed tree cannot tell whether that has happened (`Rules.tested`, `Rules.tested_own`). So the piece
is looked at when it is read, and a game that would tell it too soon stops. Everybody must know it,
or the one for whom it is read: who may choose, who hears it, or whose sealed block it is.
"""

from __future__ import annotations

from interpreter.model.ruleset import Place
from interpreter.program import ops
from interpreter.program.layout import KindLayout
from interpreter.program.lower.scope import Scope, Testing
from interpreter.report.source import Mark


def after_test(scope: Scope, at: Place, mark: Mark, piece: ops.Expr, told: Mark) -> ops.Expr:
    """A piece, or none, that is read at a mark: after it was tested, if it is."""
    rules = scope.builder.rules
    if rules.scenarios:
        return piece  # a position that somebody made up has revealed nothing
    if at.name in rules.revealed and (scope.testing.all or mark in rules.tested):
        kind = _kind(scope, at)
        return _tested(scope, at, piece, told, ops.Const(kind.everyone))
    own = scope.testing.own or mark in rules.tested_own
    # A name from among the conditions is read again when the option is carried out, for nobody.
    if own and at.name in rules.told and scope.hearer is not None:
        seat = ops.Binary("shift", ops.Const(1), scope.hearer)
        return _tested(scope, at, piece, told, seat)
    return piece


def testing_inside(scope: Scope, mark: Mark) -> Testing:
    """What is tested inside something that is called at a mark."""
    rules = scope.builder.rules
    everybody = scope.testing.all or mark in rules.tested
    own = scope.testing.own or mark in rules.tested_own
    return Testing(everybody, own and scope.hearer is not None)


def _tested(scope: Scope, place: Place, piece: ops.Expr, mark: Mark, seats: ops.Expr) -> ops.Expr:
    """`seats`: those who must know the piece, as a bit mask."""
    held = scope.register()
    told = ops.Fail("RR616", scope.builder.spot(mark))
    nothing = ops.Binary("less", held, ops.Const(0))
    known = ops.Binary("or", nothing, _known_to(scope, place, held, seats))
    return ops.Sequence((ops.SetLocal(held.index, piece), ops.When(known, (), (told,))), held)


def _known_to(scope: Scope, place: Place, piece: ops.Expr, seats: ops.Expr) -> ops.Expr:
    """As `pieces.who_knows` says it."""
    kind = _kind(scope, place)
    pieces = len(kind.row_of)
    # Above those who know a piece, the same cell has others; they are left out.
    knowing = ops.Binary("bitAnd", ops.MemoryAt(kind.known, piece, pieces), seats)
    known = ops.Binary("equal", knowing, seats)
    if kind.hidden_fields:
        return known
    viewers = scope.builder.table(kind.instance_viewers)
    where = ops.MemoryAt(kind.where, piece, pieces)
    seen = ops.Binary("bitAnd", ops.Lookup(viewers, where), seats)
    return ops.Binary("or", known, ops.Binary("equal", seen, seats))


def _kind(scope: Scope, place: Place) -> KindLayout:
    builder = scope.builder
    return builder.program.layout.kinds[builder.kind_numbers[place.kind]]
