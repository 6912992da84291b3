"""Functions that are asked of a state: scores, who wins, and what must always hold."""

from __future__ import annotations

from interpreter.model.ruleset import Ruleset
from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.keys import sort_keys
from interpreter.program.lower.loops import iterate
from interpreter.program.lower.scope import Scope
from interpreter.program.program import NAMELESS, Judged
from interpreter.report.visible import spaced
from interpreter.typed.rules import Always, Rules, Score
from interpreter.typed.statements import Wins
from interpreter.typed.values import Binder, Builtin, Call, Key, Keys, Local, Read


def lower_endings(around: Scope) -> None:
    rules, program = around.builder.rules, around.builder.program
    if rules.score is not None:
        program.score = _score(around, rules.score)
    if rules.winner is not None:
        _judge(around, rules.winner.seat, rules.winner.keys)
    elif rules.score is not None:
        score = rules.score
        keys = Keys((Key("most", score.value, score.mark),), "share", score.mark)
        _judge(around, score.seat, keys)
    for always in rules.always:
        program.always.append(_always(around, always))


def winners_of(scope: Scope, ending: Wins) -> ops.Expr:
    """The bit mask of those who win by a statement. Whoever does not win has lost, so where nobody
    is left to win, the game has: it has the bit after the last seat. A draw is no bit at all."""
    players = scope.builder.ruleset.players
    everyone, game = ops.Const((1 << players) - 1), ops.Const(1 << players)
    if ending.word == "draw":
        return ops.Const(0)
    if ending.who is None:
        return everyone if ending.word == "win" else game
    if isinstance(ending.who, Binder):
        named = mask_of(scope, ending.who)
    else:
        named = ops.Binary("shift", ops.Const(1), scope.value(ending.who))
        if ending.word == "win":
            return named
    winners = scope.register()
    if ending.word == "lose":
        named = ops.Binary("subtract", everyone, named)
    settle = ops.SetLocal(winners.index, named)
    return ops.Sequence((settle,), ops.Choice(winners, winners, game))


def mask_of(scope: Scope, binder: Binder) -> ops.Expr:
    """The bit mask of the players that a binder goes through."""
    found = scope.register()

    def add(inner: Scope, element: ops.Expr, at: ops.Expr) -> Body:
        bit = ops.Binary("shift", ops.Const(1), element)
        return (ops.SetLocal(found.index, ops.Binary("bitOr", found, bit)),)

    body = iterate(scope, binder, add)
    return ops.Sequence((ops.SetLocal(found.index, ops.Const(0)), *body), found)


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


def _judge(around: Scope, seat: Local, keys: Keys) -> None:
    program = around.builder.program
    program.winners = _winners(around, seat, keys)
    for key in keys.keys:
        scope = around.elsewhere()
        number = scope.builder.new_function("judged", 1)
        scope.bind(seat, scope.register())
        (value,) = sort_keys(scope, Keys((key,), keys.ties, keys.mark))
        scope.builder.complete(number, (ops.Return(value),), scope.registers.count)
        program.judged.append(
            Judged(number, _best(around.builder.rules, around.builder.ruleset, key))
        )


def _best(rules: Rules, ruleset: Ruleset, key: Key) -> str:
    """What somebody does whom nobody beats in this."""
    score = rules.score.value if rules.score is not None else None
    match key.value:
        case Builtin(name="clockwise", arguments=(Read() | Call() as start, _)):
            how = "farthest clockwise from" if key.word == "most" else "nearest clockwise to"
            return f"sits {how} the {_called(ruleset, start)}"
        case Read() as value:
            return f"has the {key.word} {_called(ruleset, value)}"
        case value if value is score or (
            isinstance(value, Call) and isinstance(score, Call) and value.function == score.function
        ):
            return f"has the {key.word} points"
        case Call() as value:
            return f"has the {key.word} {_called(ruleset, value)}"
        case _:  # any other has no name
            return NAMELESS


def _called(ruleset: Ruleset, value: Read | Call) -> str:
    name = value.variable.name if isinstance(value, Read) else value.function
    return ruleset.printed.get(name) or spaced(name)


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
