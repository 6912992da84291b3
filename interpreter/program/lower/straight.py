"""Statements that never stop, lowered to straight code."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.model.types import INT
from interpreter.program import ops
from interpreter.program.lower import (
    aggregates,
    analysis,
    assigning,
    builtins,
    domains,
    expressions,
    fitting,
    loops,
    moves,
    sight,
)
from interpreter.program.lower.builder import Body, Locals, Loop, Scope, Value
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.foreign import NAMES


def block(scope: Scope, statements: tuple[nodes.Statement, ...]) -> Body:
    inner = scope.inner()
    body: Body = ()
    for position, statement in enumerate(statements):
        body += lower(inner, statement)
        if isinstance(statement, nodes.Jump) and position + 1 < len(statements):
            unreachable(scope, statements[position + 1])
    return body


def unreachable(scope: Scope, statement: nodes.Statement) -> None:
    message = "nothing after this point is ever carried out"
    scope.builder.error("RR410", message, statement.mark, "take it away, or move it up")


def lower(scope: Scope, statement: nodes.Statement) -> Body:
    body = _lower(scope, statement)
    if isinstance(statement, nodes.If):
        return body
    return (*scope.builder.took_part(statement), *body)


def _lower(scope: Scope, statement: nodes.Statement) -> Body:
    match statement:
        case nodes.Assign():
            return assigning.assign(scope, statement)
        case nodes.Let():
            return assigning.let(scope, statement)
        case nodes.Do():
            return call(scope, statement)
        case nodes.Jump():
            return (_jump(scope, statement),)
        case nodes.If():
            return _if(scope, statement)
        case nodes.ForEach():
            return for_each(scope, statement)
        case nodes.Repeat():
            return _repeat(scope, statement)
        case nodes.Shuffle():
            return moves.shuffle(scope, statement)
        case nodes.Move():
            return moves.move(scope, statement)
        case nodes.MoveAll():
            return moves.move_all(scope, statement)
        case nodes.MoveSome():
            return moves.move_some(scope, statement)
        case nodes.Reveal() | nodes.Hide():
            return moves.reveal(scope, statement)
        case nodes.Say():
            return say(scope, statement)
        case _:
            raise AssertionError(f"{type(statement).__name__} can stop")


# ---- flow


def _jump(scope: Scope, statement: nodes.Jump) -> ops.Statement:
    if not scope.loops:
        no_loop(scope, statement)
    return ops.Break() if statement.word == "stop" else ops.Continue()


def no_loop(scope: Scope, statement: nodes.Jump) -> None:
    message = f"`{statement.word}` stands in no loop"
    help_ = "it belongs in `repeat`, `for each` or `turns`; an action can `leave` a loop by name"
    if statement.word == "again":
        message = "`again` stands in no turns"
        help_ = (
            "it gives another turn to the same player, inside `turns`;\n"
            "after an action, indent it under the name of the action in the menu"
        )
    scope.builder.error("RR411", message, statement.mark, help_)


def _if(scope: Scope, statement: nodes.If) -> Body:
    otherwise: Body = ()
    if statement.otherwise is not None:
        otherwise = block(scope, statement.otherwise.body)
    for arm in reversed(statement.arms):
        test = expressions.condition(scope, arm.condition)
        then = (*scope.builder.took_part(arm), *block(scope, arm.body))
        otherwise = (ops.When(test, then, otherwise),)
    return otherwise


def for_each(scope: Scope, statement: nodes.ForEach) -> Body:
    domain = domains.lower_domain(scope, statement.binder.domain)
    inner = scope.inner()
    inner.loops.append(Loop(statement.label))
    moving = domain.place is not None and domain.place.place.word not in ("pool",)
    if statement.keys is None and not moving:
        return domains.iterate_domain(
            inner, statement.binder, domain, lambda each, e, at: block(each, statement.body)
        )
    domains.check_shadow(scope, statement.binder)
    base = scope.locals.new(checked_bound(scope, domain, statement.mark))
    count = scope.locals.new()
    collect, element_of = collected(inner, statement, domain, base, count)
    local, value = scope.fresh(domain.type)
    index = scope.locals.new()
    inner.bind(statement.binder.name, Value(value.op, value.type, domain.place))
    body: Body = (ops.SetLocal(local, element_of(ops.Local(index))),)
    if statement.binder.position is not None:
        number, at = scope.fresh(INT)
        body += (ops.SetLocal(number, ops.Binary("add", ops.Local(index), ops.Const(1))),)
        inner.bind(statement.binder.position, at)
    if statement.keys is None:
        body += _live_filters(inner, statement.binder, statement.body)
    else:
        body += block(inner, statement.body)
    loop = ops.CountLoop(index, ops.Const(0), ops.Local(count), body)
    return (*collect, loop)


def _live_filters(
    scope: Scope, binder: nodes.Binder, statements: tuple[nodes.Statement, ...]
) -> Body:
    """Filters are looked at when an element's turn comes, because the body changes things."""
    rest = block(scope, statements)
    if binder.where is not None:
        rest = (ops.When(expressions.condition(scope, binder.where), rest),)
    if binder.stays is not None:
        test = expressions.condition(scope, binder.stays)
        rest = (ops.When(test, (), (ops.Break(),)), *rest)
    return rest


def checked_bound(scope: Scope, domain: loops.Domain, mark: Mark) -> int:
    if domain.bound > limits.COLLECTION_ITEMS // 10:
        message = "this has no small upper bound, so it cannot be put in order"
        help_ = "give the range constant ends"
        scope.builder.error("RR329", message, mark, help_)
        return 1
    return max(1, domain.bound)


def collected(
    scope: Scope, statement: nodes.ForEach, domain: loops.Domain, base: int, count: int
) -> tuple[Body, Callable[[ops.Expr], ops.Expr]]:
    """Copy the elements into locals, sorted if keys are given. Filters of a sorted loop are
    looked at here, those of an unsorted one when each element's turn comes."""
    keys = statement.keys
    start: Body = (ops.SetLocal(count, ops.Const(0)),)
    one_more = ops.SetLocal(count, ops.Binary("add", ops.Local(count), ops.Const(1)))
    room = max(1, domain.bound)
    if keys is None:
        add = domain.loop(
            lambda e, at: (ops.SetLocalAt(base, ops.Local(count), room, e.op), one_more)
        )
        return (*start, *add), lambda index: ops.LocalAt(base, index, room)
    if keys.ties != "in order":
        help_ = "say `ties in order`: equal ones come in the order they are gone through"
        scope.builder.error("RR322", "in a loop, ties need an order", keys.mark, help_)
    bound = checked_bound(scope, domain, statement.mark)
    columns = [scope.locals.new(bound) for _ in keys.keys]
    hole = scope.locals.new()

    def insert(inner: Scope, element: Value, at: Value) -> Body:
        """Insertion sort: find the hole for the new element from the back."""
        held, saved = inner.fresh(element.type)
        body: Body = (ops.SetLocal(held, element.op),)
        news: list[ops.Expr] = []
        for op in aggregates.sort_keys(inner, keys):
            local, value = inner.fresh(INT)
            body += (ops.SetLocal(local, op),)
            news.append(value.op)
        before = ops.Binary("subtract", ops.Local(hole), ops.Const(1))
        later: ops.Expr = ops.Const(0)
        for column, new in zip(reversed(columns), reversed(news), strict=True):
            old = ops.LocalAt(column, before, room)
            equal = ops.Binary("and", ops.Binary("equal", old, new), later)
            later = ops.Binary("or", ops.Binary("more", old, new), equal)
        shift: Body = tuple(
            ops.SetLocalAt(column, ops.Local(hole), room, ops.LocalAt(column, before, room))
            for column in (base, *columns)
        )
        shift += (ops.SetLocal(hole, before),)
        test = ops.Binary("and", ops.Binary("more", ops.Local(hole), ops.Const(0)), later)
        body += (ops.SetLocal(hole, ops.Local(count)), ops.While(test, shift))
        body += (ops.SetLocalAt(base, ops.Local(hole), room, saved.op),)
        body += tuple(
            ops.SetLocalAt(column, ops.Local(hole), room, new)
            for column, new in zip(columns, news, strict=True)
        )
        return (*body, one_more)

    fresh = scope.inner()
    fresh.names.pop(statement.binder.name, None)
    add = domains.iterate_domain(fresh, statement.binder, domain, insert)
    return (*start, *add), lambda index: ops.LocalAt(base, index, room)


def _repeat(scope: Scope, statement: nodes.Repeat) -> Body:
    inner = scope.inner()
    inner.loops.append(Loop(statement.label))
    match statement.how:
        case "times":
            assert statement.value is not None
            count = expressions.lower_as(scope, statement.value, INT, "the number of times")
            index = scope.locals.new()
            body = block(inner, statement.body)
            return (
                ops.CountLoop(index, ops.Const(0), count, body, scope.builder.spot(statement.mark)),
            )
        case "while" | "until":
            assert statement.value is not None
            test = expressions.condition(scope, statement.value)
            if statement.how == "until":
                test = ops.Unary("not", test)
            return (
                ops.While(test, block(inner, statement.body), scope.builder.spot(statement.mark)),
            )
        case "forever":
            return (
                ops.While(
                    ops.Const(1), block(inner, statement.body), scope.builder.spot(statement.mark)
                ),
            )


def call(scope: Scope, statement: nodes.Do) -> Body:
    """A procedure that never stops is a function called for what it does."""
    found = called(scope, statement)
    if found is None:
        return ()
    name, arguments = found
    number = procedure_function(scope, name)
    sight.check_sealed_call(scope, name, arguments, statement.call.mark)
    return (ops.Evaluate(ops.Call(number, arguments, scope.builder.spot(statement.mark))),)


def called(scope: Scope, statement: nodes.Do) -> tuple[str, tuple[ops.Expr, ...]] | None:
    name = analysis.called_name(statement.call)
    builder = scope.builder
    procedure = builder.ruleset.procedures.get(name or "")
    if procedure is None or name is None:
        known = list(builder.ruleset.procedures)
        message = f"`{name}` is not a procedure or a phase"
        help_ = NAMES.get(name or "") or did_you_mean(name or "", known)
        if name in builder.ruleset.actions:
            message, help_ = f"`{name}` is an action", f"let somebody choose it: `choose {name}`"
        elif name in builder.ruleset.functions or name in builtins.FUNCTIONS:
            message = f"`{name}` gives a value, and nothing is done with it"
            help_ = f"keep it or ask it: `let x = {name}(...)`, `if {name}(...) > 0`"
        elif name is None:
            message = "this does nothing"
        builder.error("RR317", message, statement.mark, help_)
        return None
    builder.used_names.add(name)
    written: list[nodes.Expr] = []
    match statement.call:
        case nodes.Call(target=nodes.Dot() as dot):
            written = [dot.target, *statement.call.arguments]
        case nodes.Call():
            written = list(statement.call.arguments)
        case nodes.Dot():
            written = [statement.call.target]
        case _:
            pass
    params = procedure.params if isinstance(procedure, nodes.Procedure) else ()
    if len(written) != len(params):
        message = f"`{name}` takes {fitting.counted(len(params), 'value')}, not {len(written)}"
        builder.error("RR311", message, statement.call.mark)
        return None
    types = builtins.param_types(scope, params)
    arguments = tuple(
        expressions.lower_as(scope, part, type_, f"`{param.name}` of `{name}`")
        for part, type_, param in zip(written, types, params, strict=True)
    )
    return name, arguments


def procedure_function(scope: Scope, name: str) -> int:
    builder = scope.builder
    key = f"procedure {name}"
    if key in builder.functions:
        return builder.functions[key]
    procedure = builder.ruleset.procedures[name]
    params = procedure.params if isinstance(procedure, nodes.Procedure) else ()
    number = builder.function(name, len(params))
    builder.functions[key] = number
    inner = Scope(builder, Locals(), straight=True)
    inner.sealed_for = None
    for param, type_ in zip(params, builtins.param_types(inner, params), strict=True):
        inner.bind(param.name, inner.fresh(type_)[1], settable=True)
    phase, builder.phase = builder.phase, name
    resets = (*builder.took_part(procedure), *assigning.reset_scope(inner, name))
    function = builder.program.functions[number]
    function.body = (*resets, *block(inner, procedure.body), ops.Return(ops.Const(0)))
    function.locals = inner.locals.count
    builder.phase = phase
    return number


def say(scope: Scope, statement: nodes.Say) -> Body:
    from interpreter.program.lower import menus

    saying, values = menus.saying(scope, statement.text)
    scope.builder.program.sayings.append(saying)
    number = len(scope.builder.program.sayings) - 1
    return (ops.Tell(number, values),)
