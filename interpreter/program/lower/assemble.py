"""The whole lowering: lay out the state, lower every body, finish the code."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.model.ruleset import Place, Ruleset
from interpreter.model.types import INT, PLAYER
from interpreter.program import ops
from interpreter.program.lower import (
    abilities,
    aggregates,
    analysis,
    assigning,
    builtins,
    domains,
    expressions,
    moves,
    routines,
    straight,
    unused,
)  # fmt: skip
from interpreter.program.lower.builder import Body, Builder, Locals, Scope, Value
from interpreter.program.lower.check_flow import check_flow
from interpreter.program.lower.check_places import check_places
from interpreter.program.lower.check_words import check_labels, check_words
from interpreter.program.lower.finishing import finish
from interpreter.program.lower.laying_out import lay_out
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.scenarios import lower_scenarios
from interpreter.program.program import Program
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.work import Work
from interpreter.tree import nodes


def assemble(
    ruleset: Ruleset,
    problems: Problems,
    work: Work,
    trials: Sequence[nodes.Scenario] = (),
    *,
    watched: bool = False,
) -> Program | None:
    """The program of a ruleset, or None if it has problems. With scenarios it starts where
    they say, and has their questions as functions."""
    abilities.check_abilities(ruleset, problems)
    check_words(ruleset, problems)
    abilities.unfold_reactions(ruleset, problems)
    builder = Builder(ruleset, problems, work, watched=watched)
    lay_out(builder)
    builder.stopping = analysis.stopping_procedures(ruleset)
    if ruleset.play is None:
        mark = Mark.top(ruleset.file)
        help_ = "add a `play` block: it says what happens in which order"
        problems.error("RR204", "nothing says how the game is played", mark, help=help_)
        return None
    _main(builder, ruleset.play, starts=not trials)
    if trials:
        builder.program.trials = lower_scenarios(builder, trials, _start)
    _ends(builder)
    _rest(builder)
    _check_recursion(builder)
    if problems.has_errors:
        return None
    return finish(builder)


# ---- code


def _main(builder: Builder, play: nodes.Play, *, starts: bool) -> None:
    ruleset, program = builder.ruleset, builder.program
    number = routines.new_routine(builder, "play", 0)
    scope = Scope(builder, Locals(), routine=number)
    code = routines.RoutineCode(scope, builder.stopping)
    for variable in ruleset.variables.values():
        value = assigning.start_value(scope, variable)
        if value:
            program.initial.extend((variable.address + i, value) for i in range(variable.size))
    if starts:
        _start(code, setup=True)
    builder.phase = "play"
    code.block(scope, play.body)
    code.add(ops.Over(False))
    routines.finish(builder, code, number)
    program.routines[number].root = True


def _start(code: routines.RoutineCode, *, setup: bool) -> None:
    """Put the pieces where they are at first; then set up."""
    scope = code.scope
    ruleset = scope.builder.ruleset
    for place in ruleset.places.values():
        if place.holds_all:
            code.do(*_holds_all(scope.builder, scope, place))
    for each in ruleset.setup if setup else ():
        scope.builder.phase = "setup"
        code.block(scope, each.body)


def _holds_all(builder: Builder, scope: Scope, place: Place) -> Body:
    """Put every piece that satisfies the condition into the place. Under `each`, a place is
    filled only with pieces that no earlier instance has taken."""
    kind = builder.ruleset.kinds[place.kind]
    if place.word == "pool":
        body: Body = ()
        for row, info in enumerate(kind.rows):
            body += (ops.SetMemory(place.address + row, ops.Const(info.copies)),)
        return body
    index = scope.locals.new()
    ref = PlaceRef(place, ops.Const(0))
    spot = moves.move_piece(scope, place.kind, ops.Local(index), ref.number, False, place.mark)
    fill: Body = (spot,)
    if place.holds_where is not None:
        inner = scope.inner()
        inner.straight = True
        name = place.kind[:1].lower() + place.kind[1:]
        type_ = domains.place_domain(inner, ref).type
        inner.bind(name, Value(ops.Local(index), type_))
        inner.bind("it", Value(ops.Local(index), type_))
        fill = (ops.When(expressions.condition(inner, place.holds_where), fill),)
    if place.size > 1:
        message = "`holds all` needs one place, and this is one for each of several"
        builder.error("RR249", message, place.mark, "move the pieces in `setup`")
    return (ops.CountLoop(index, ops.Const(0), ops.Const(len(kind.components)), fill),)


def _ends(builder: Builder) -> None:
    ruleset, program = builder.ruleset, builder.program
    if ruleset.score is not None:
        program.score = builder.function("score", 1)
        scope = Scope(builder, Locals(), straight=True)
        scope.bind(ruleset.score.name, scope.fresh(PLAYER)[1])
        builder.phase = "score"
        result = expressions.lower_as(scope, ruleset.score.value, INT, "a score")
        _complete(builder, program.score, (ops.Return(result),), scope)
    if ruleset.winner is not None:
        program.winners = _winners(builder, ruleset.winner.name, ruleset.winner.keys)
    elif ruleset.score is not None:
        key = nodes.Key("most", ruleset.score.value, mark=ruleset.score.mark)
        keys = nodes.Keys((key,), "share", mark=ruleset.score.mark)
        program.winners = _winners(builder, ruleset.score.name, keys)
    for always in ruleset.always:
        scope = Scope(builder, Locals(), straight=True)
        number = builder.function("always", 0)
        builder.phase = "always"
        test = expressions.condition(scope, always.condition)
        _complete(builder, number, (ops.Return(test),), scope)
        text = always.text or "an `always` of the rules does not hold"
        program.always.append((number, text, builder.spot(always.mark, always.cites)))


def _winners(builder: Builder, name: str, keys: nodes.Keys) -> int:
    """A function giving the bit mask of those whose keys nobody beats."""
    number = builder.function("winners", 0)
    scope = Scope(builder, Locals(), straight=True)
    builder.phase = "winner"
    players = builder.ruleset.players
    columns = [scope.locals.new(players) for _ in keys.keys]
    seat, other, mask, beaten = (scope.locals.new() for _ in range(4))
    inner = scope.inner()
    inner.bind(name, Value(ops.Local(seat), PLAYER))
    measure: Body = tuple(
        ops.SetLocalAt(column, ops.Local(seat), players, op)
        for column, op in zip(columns, aggregates.sort_keys(inner, keys), strict=True)
    )
    worse: ops.Expr = ops.Const(0)
    if keys.ties == "in order":
        worse = ops.Binary("less", ops.Local(other), ops.Local(seat))
    for column in reversed(columns):
        mine = ops.LocalAt(column, ops.Local(seat), players)
        theirs = ops.LocalAt(column, ops.Local(other), players)
        equal = ops.Binary("and", ops.Binary("equal", theirs, mine), worse)
        worse = ops.Binary("or", ops.Binary("less", theirs, mine), equal)
    everyone = (ops.Const(0), ops.Const(players))
    bit = ops.Binary("shift", ops.Const(1), ops.Local(seat))
    judge: Body = (
        ops.SetLocal(beaten, ops.Const(0)),
        ops.CountLoop(other, *everyone, (ops.When(worse, (ops.SetLocal(beaten, ops.Const(1)),)),)),
        ops.When(
            ops.Local(beaten), (),
            (ops.SetLocal(mask, ops.Binary("bitOr", ops.Local(mask), bit)),),
        ),
    )  # fmt: skip
    body: Body = (
        ops.CountLoop(seat, *everyone, measure),
        ops.SetLocal(mask, ops.Const(0)),
        ops.CountLoop(seat, *everyone, judge),
    )
    if keys.ties == "none":
        single = ops.Binary(
            "bitAnd", ops.Local(mask), ops.Binary("subtract", ops.Local(mask), ops.Const(1))
        )
        body += (ops.When(single, (ops.SetLocal(mask, ops.Const(0)),)),)
    _complete(builder, number, (*body, ops.Return(ops.Local(mask))), scope)
    return number


def _complete(builder: Builder, number: int, body: Body, scope: Scope) -> None:
    function = builder.program.functions[number]
    function.body = body
    function.locals = scope.locals.count


def _rest(builder: Builder) -> None:
    """Lower what nothing calls, so that its mistakes are told as well."""
    ruleset = builder.ruleset
    used = set(builder.used_names)
    for name in ruleset.functions:
        builtins.function_number(Scope(builder, Locals(), straight=True), name)
    for name in ruleset.procedures:
        if name in builder.stopping:
            routines.routine_number(builder, name, builder.stopping)
        else:
            straight.procedure_function(Scope(builder, Locals(), straight=True), name)
    for name, action in ruleset.actions.items():
        if name in used:
            continue
        number = routines.new_routine(builder, f"unused {name}", 0)
        scope = Scope(builder, Locals(), routine=number)
        scope.bind("me", scope.cell(PLAYER)[1])
        code = routines.RoutineCode(scope, builder.stopping)
        chooser = nodes.Chooser(None, False, mark=action.mark)
        code.statement(scope, nodes.ChooseActions(chooser, (name,), mark=action.mark))
        routines.finish(builder, code, number)
    for name, group in ruleset.groups.items():
        if name in used:
            continue
        scope = Scope(builder, Locals(), straight=True)
        for param, type_ in zip(
            group.params, builtins.param_types(scope, group.params), strict=True
        ):
            scope.bind(param.name, scope.fresh(type_)[1])
        domains.iterate(scope, group.binder, lambda inner, element, at: ())
    builder.used_names = used
    if not builder.problems.has_errors:  # else these would only repeat what is already told
        check_labels(ruleset, builder.problems)
        check_flow(ruleset, builder.summaries, builder.problems)
        check_places(ruleset, builder.problems)
        unused.report(builder)


def _check_recursion(builder: Builder) -> None:
    """Routines keep their frames in the buffer, once each, so they cannot call themselves."""
    program = builder.program
    state: dict[int, int] = {}

    def visit(number: int) -> bool:
        if state.get(number) == 1:
            return True
        if state.get(number) == 2:
            return False
        state[number] = 1
        for inner in program.routines[number].calls:
            if visit(inner):
                name = program.routines[inner].name
                procedure = builder.ruleset.procedures.get(name)
                if procedure is not None and state.get(inner) == 1:
                    message = f"`{name}` comes back to itself, and somebody chooses on the way"
                    help_ = "use `repeat` instead of calling it again"
                    builder.error("RR415", message, procedure.mark, help_)
                state[number] = 2
                return False
        state[number] = 2
        return False

    for number in range(len(program.routines)):
        visit(number)
