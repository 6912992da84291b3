"""Functions that are asked of a state: scores, who wins, and what must always hold."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.keys import sort_keys
from interpreter.program.lower.scope import Scope
from interpreter.typed.rules import Always, Score
from interpreter.typed.values import Key, Keys, Local


def lower_endings(around: Scope) -> None:
    rules, program = around.builder.rules, around.builder.program
    if rules.score is not None:
        program.score = _score(around, rules.score)
    if rules.winner is not None:
        program.winners = _winners(around, rules.winner.seat, rules.winner.keys)
    elif rules.score is not None:
        score = rules.score
        keys = Keys((Key("most", score.value, score.mark),), "share", score.mark)
        program.winners = _winners(around, score.seat, keys)
    for always in rules.always:
        program.always.append(_always(around, always))


def _score(around: Scope, score: Score) -> int:
    builder = around.builder
    number = builder.new_function("score", 1)
    scope = around.elsewhere()
    scope.bind(score.seat, scope.register())
    builder.phase = "score"
    body = (ops.Return(scope.value(score.value)),)
    builder.complete(number, body, scope.registers.count)
    return number


def _always(around: Scope, always: Always) -> tuple[int, str, int]:
    builder = around.builder
    number = builder.new_function("always", 0)
    scope = around.elsewhere()
    builder.phase = "always"
    body = (ops.Return(scope.value(always.condition)),)
    builder.complete(number, body, scope.registers.count)
    text = always.text or "an `always` of the rules does not hold"
    return number, text, builder.spot(always.mark, always.cites)


def _winners(around: Scope, local: Local, keys: Keys) -> int:
    """A function giving the bit mask of those whose keys nobody beats."""
    builder = around.builder
    number = builder.new_function("winners", 0)
    scope = around.elsewhere()
    builder.phase = "winner"
    players = builder.ruleset.players
    columns = [scope.array(players) for _ in keys.keys]
    seat, other, mask, beaten = (scope.register() for _ in range(4))
    scope.bind(local, seat)
    measure: Body = tuple(
        column.put(seat, op) for column, op in zip(columns, sort_keys(scope, keys), strict=True)
    )
    worse: ops.Expr = ops.Const(0)
    if keys.ties == "in order":
        worse = ops.Binary("less", other, seat)
    for column in reversed(columns):
        mine, theirs = column.at(seat), column.at(other)
        equal = ops.Binary("and", ops.Binary("equal", theirs, mine), worse)
        worse = ops.Binary("or", ops.Binary("less", theirs, mine), equal)
    everyone = (ops.Const(0), ops.Const(players))
    bit = ops.Binary("shift", ops.Const(1), seat)
    add = ops.SetLocal(mask.index, ops.Binary("bitOr", mask, bit))
    is_beaten = ops.When(worse, (ops.SetLocal(beaten.index, ops.Const(1)),))
    judge: Body = (
        ops.SetLocal(beaten.index, ops.Const(0)),
        ops.CountLoop(other.index, *everyone, (is_beaten,)),
        ops.When(beaten, (), (add,)),
    )
    body: Body = (
        ops.CountLoop(seat.index, *everyone, measure),
        ops.SetLocal(mask.index, ops.Const(0)),
        ops.CountLoop(seat.index, *everyone, judge),
    )
    if keys.ties == "none":
        several = ops.Binary("bitAnd", mask, ops.Binary("subtract", mask, ops.Const(1)))
        body += (ops.When(several, (ops.SetLocal(mask.index, ops.Const(0)),)),)
    builder.complete(number, (*body, ops.Return(mask)), scope.registers.count)
    return number
