"""Statements that never stop, lowered to straight code."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import limits
from interpreter.model.ruleset import Variable
from interpreter.model.types import INT, Type, named
from interpreter.program import ops
from interpreter.program.lower import (
    access,
    aggregates,
    analysis,
    builtins,
    domains,
    expressions,
    fitting,
    reading,
    sight,
)
from interpreter.program.lower.builder import Body, Locals, Loop, Scope, Value
from interpreter.program.lower.references import ListRef, PlaceRef
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, name_mark
from interpreter.tree.parse import RESERVED


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
            return assign(scope, statement)
        case nodes.Let():
            return let(scope, statement)
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
            return shuffle(scope, statement)
        case nodes.Move():
            return move(scope, statement)
        case nodes.MoveAll():
            return move_all(scope, statement)
        case nodes.MoveSome():
            return move_some(scope, statement)
        case nodes.Reveal() | nodes.Hide():
            return reveal(scope, statement)
        case nodes.Say():
            return say(scope, statement)
        case _:
            raise AssertionError(f"{type(statement).__name__} can stop")


# ---- values


def let(scope: Scope, statement: nodes.Let) -> Body:
    value = single(scope, expressions.lower(scope, statement.value), statement.value.mark)
    check_new(scope, statement.name, declared_mark(statement))
    type_ = widened(value.type)
    if scope.routine is not None and not scope.straight:
        address, bound = scope.cell(type_)
        scope.bind(statement.name, bound, settable=True)
        return (ops.SetMemory(address, value.op),)
    local, bound = scope.fresh(type_)
    scope.bind(statement.name, bound, settable=True)
    return (ops.SetLocal(local, value.op),)


def widened(type_: Type) -> Type:
    """A local may be given other values later, so a literal's narrow range is not its type."""
    if type_.sort == "int":
        return INT.or_none() if type_.optional else INT
    return type_


def check_new(scope: Scope, name: str, mark: Mark) -> None:
    if name in RESERVED:
        message = f"`{name}` is a word of the language"
        scope.builder.error("RR201", message, mark, "choose another name")
        return
    if name in scope.names or access.find_name(scope, name) is not None:
        message = f"`{name}` is already the name of something else"
        help_ = "choose another name"
        if name in scope.names and scope.names[name].settable:
            help_ = f"to give it a new value write `{name} := ...`"
        scope.builder.error("RR203", message, mark, help_)


def single(scope: Scope, value: Value, mark: Mark) -> Value:
    """One integer, not a place or a list."""
    if isinstance(value.op, PlaceRef):
        return fitting.content(scope, value, mark)
    if isinstance(value.op, ListRef):
        message = "a list cannot be kept; go through it where it is needed"
        scope.builder.error("RR212", message, mark)
        return Value(ops.Const(0), Type("unknown"))
    if value.type.sort == "row":
        value = fitting.only_piece(scope, value)
    if value.type.sort == "row":
        message = "there are several pieces of this name"
        name = scope.builder.ruleset.kinds[value.type.name].rows[value.op.value].name
        help_ = f'say which copy: "{name}#1"; or choose a piece in a place with `in`'
        scope.builder.error("RR314", message, mark, help_)
        return Value(ops.Const(0), Type("unknown"))
    return value


def assign(scope: Scope, statement: nodes.Assign) -> Body:
    target = statement.target
    if isinstance(target, nodes.Name) and target.name in scope.names:
        return _assign_local(scope, statement, target)
    found = variable_access(scope, target)
    if found is None:
        return ()
    variable, index = found
    mark = statement.target.mark
    if not sight.check_sealed_write(scope, variable.name, variable.dimensions, index, mark):
        return ()
    value = _new_value(scope, statement, reading.load(scope, variable, index, target.mark))
    at = statement.value.mark if statement.operator == ":=" else statement.mark
    return (store(scope, variable, index, value, at),)


def _assign_local(scope: Scope, statement: nodes.Assign, target: nodes.Name) -> Body:
    binding = scope.names[target.name]
    if not binding.settable:
        message = f"`{target.name}` cannot be given another value"
        help_ = "introduce a name of your own with `let`"
        scope.builder.error("RR315", message, target.mark, help_)
        return ()
    value = _new_value(scope, statement, binding.value)
    op = fitting.fit(scope, value, binding.value.type, statement.value.mark, "the value")
    where = binding.value.op
    if isinstance(where, ops.Memory):
        return (ops.SetMemory(where.address, op),)
    assert isinstance(where, ops.Local)
    return (ops.SetLocal(where.index, op),)


def _new_value(scope: Scope, statement: nodes.Assign, old: Value) -> Value:
    if statement.operator == ":=":
        value = expressions.lower(scope, statement.value, old.type)
        return single(scope, value, statement.value.mark)
    before = fitting.fit(scope, old, INT, statement.target.mark, "what is changed")
    by = expressions.lower_as(scope, statement.value, INT, "the change")
    word: ops.BinaryWord = "add" if statement.operator == "+=" else "subtract"
    return Value(ops.Binary(word, before, by, scope.builder.spot(statement.mark)), INT)


def variable_access(scope: Scope, target: nodes.Expr) -> tuple[Variable, ops.Expr] | None:
    """The variable a statement changes, and which entry of it."""
    name: str | None = None
    written: list[nodes.Expr] = []
    match target:
        case nodes.Name():
            name = target.name
        case nodes.Dot():
            name, written = target.name, [target.target]
        case nodes.Index(target=nodes.Name(name=inner)):
            name, written = inner, list(target.arguments)
        case nodes.Index(target=nodes.Dot() as dot):
            name, written = dot.name, [dot.target, *target.arguments]
        case _:
            pass
    builder = scope.builder
    variable = builder.ruleset.variables.get(name or "")
    if variable is None:
        if name in builder.ruleset.broken:
            return None
        if name in builder.ruleset.places:
            help_ = "pieces are moved: `move ... to ...`"
            builder.error("RR316", f"`{name}` is a place, not a value", target.mark, help_)
        elif name is not None and access.find_name(scope, name) is not None:
            help_ = "values are given to what is declared with `has`, and to names made by `let`"
            builder.error("RR316", f"`{name}` cannot be given a value", target.mark, help_)
        else:
            near = did_you_mean(name or "", [*builder.ruleset.variables, *scope.names])
            near = near or "declare it under `the game has` or `each ... has`, or use `let`"
            message = f"nothing here is called `{name}`"
            builder.error("RR300", message, name_mark(target), near)
        return None
    given = [
        expressions.lower(scope, part, dimension.type)
        for part, dimension in zip(written, variable.dimensions, strict=False)
    ]
    given += [expressions.lower(scope, part) for part in written[len(given) :]]
    if given and given[0].type.sort == "place":
        given[0] = fitting.content(scope, given[0], written[0].mark)
    index = reading.index_of(scope, variable.dimensions, given, written, variable.name, target)
    return None if index is None else (variable, index)


def store(
    scope: Scope, variable: Variable, index: ops.Expr, value: Value, mark: Mark
) -> ops.Statement:
    if variable.clamped and value.type.sort == "int":
        op = fitting.fit(scope, value, INT, mark)
        op = ops.Binary("max", op, ops.Const(variable.type.low))
        op = ops.Binary("min", op, ops.Const(variable.type.high))
    else:
        what = f"the value of `{variable.name}`"
        op = fitting.fit(scope, value, variable.type, mark, what)
    scope.builder.used_names.add(variable.name + ":=")
    if isinstance(index, ops.Const):
        return ops.SetMemory(variable.address + index.value, op)
    return ops.SetMemoryAt(variable.address, index, variable.size, op)


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
        help_ = "it gives another turn to the same player, inside `turns`"
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


def checked_bound(scope: Scope, domain: domains.Domain, mark: Mark) -> int:
    if domain.bound > limits.COLLECTION_ITEMS // 10:
        message = "this has no small upper bound, so it cannot be put in order"
        help_ = "give the range constant ends"
        scope.builder.error("RR329", message, mark, help_)
        return 1
    return max(1, domain.bound)


def collected(
    scope: Scope, statement: nodes.ForEach, domain: domains.Domain, base: int, count: int
) -> tuple[Body, Callable[[ops.Expr], ops.Expr]]:
    """Copy the elements into locals, sorted if keys are given. Filters of a sorted loop are
    looked at here, those of an unsorted one when each element's turn comes."""
    keys = statement.keys
    start: Body = (ops.SetLocal(count, ops.Const(0)),)
    one_more = ops.SetLocal(count, ops.Binary("add", ops.Local(count), ops.Const(1)))
    if keys is None:
        add = domain.loop(lambda e, at: (ops.SetLocalAt(base, ops.Local(count), e.op), one_more))
        return (*start, *add), lambda index: ops.LocalAt(base, index)
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
            old = ops.LocalAt(column, before)
            equal = ops.Binary("and", ops.Binary("equal", old, new), later)
            later = ops.Binary("or", ops.Binary("more", old, new), equal)
        shift: Body = tuple(
            ops.SetLocalAt(column, ops.Local(hole), ops.LocalAt(column, before))
            for column in (base, *columns)
        )
        shift += (ops.SetLocal(hole, before),)
        test = ops.Binary("and", ops.Binary("more", ops.Local(hole), ops.Const(0)), later)
        body += (ops.SetLocal(hole, ops.Local(count)), ops.While(test, shift))
        body += (ops.SetLocalAt(base, ops.Local(hole), saved.op),)
        body += tuple(
            ops.SetLocalAt(column, ops.Local(hole), new)
            for column, new in zip(columns, news, strict=True)
        )
        return (*body, one_more)

    fresh = scope.inner()
    fresh.names.pop(statement.binder.name, None)
    add = domains.iterate_domain(fresh, statement.binder, domain, insert)
    return (*start, *add), lambda index: ops.LocalAt(base, index)


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
        help_ = did_you_mean(name or "", known)
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
    resets = (*builder.took_part(procedure), *reset_scope(inner, name))
    function = builder.program.functions[number]
    function.body = (*resets, *block(inner, procedure.body), ops.Return(ops.Const(0)))
    function.locals = inner.locals.count
    builder.phase = phase
    return number


def reset_scope(scope: Scope, name: str | None) -> Body:
    """Variables declared `per name` start again."""
    body: Body = ()
    for variable in scope.builder.ruleset.variables.values():
        if name is None or variable.scope != name:
            continue
        value = start_value(scope, variable)
        if variable.size == 1:
            body += (ops.SetMemory(variable.address, ops.Const(value)),)
        else:
            index = scope.locals.new()
            one = ops.SetMemoryAt(
                variable.address, ops.Local(index), variable.size, ops.Const(value)
            )
            body += (ops.CountLoop(index, ops.Const(0), ops.Const(variable.size), (one,)),)
    return body


def start_value(scope: Scope, variable: Variable) -> int:
    """What a variable holds before anybody has set it."""
    if variable.start is None:
        if variable.type.optional:
            return variable.type.none
        if variable.type.sort == "int" and not variable.type.low <= 0 <= variable.type.high:
            return variable.type.low
        return 0
    value = expressions.lower(scope, variable.start, variable.type)
    op = fitting.fit(scope, value, variable.type, variable.start.mark, "the starting value")
    if isinstance(op, ops.Within) and isinstance(op.value, ops.Const):
        if op.low <= op.value.value <= op.high:
            return op.value.value
        message = f"`{variable.name}` goes from {op.low} to {op.high}, so it cannot begin at "
        message += str(op.value.value)
        scope.builder.error("RR302", message, variable.start.mark)
        return variable.type.low
    if isinstance(op, ops.Const):
        return op.value
    if isinstance(op, ops.Unary) and isinstance(op.operand, ops.Const):
        return -op.operand.value
    if value.type.sort != "unknown":
        message = "a starting value must be known before the game starts"
        help_ = "set it in `setup`"
        scope.builder.error("RR230", message, variable.start.mark, help_)
    return 0


# ---- pieces


def piece(scope: Scope, expr: nodes.Expr, *, moving: bool = False) -> tuple[str, ops.Expr] | None:
    value = single(scope, expressions.lower(scope, expr), expr.mark)
    if moving:
        sight.check_sealed_piece(scope, value, expr.mark)
    kind = scope.builder.ruleset.kinds.get(value.type.name)
    if value.type.sort != "kind" or kind is None or not kind.tracked:
        if value.type.sort != "unknown":
            message = f"a piece is needed here, not {fitting.spoken(value.type)}"
            if kind is not None and kind.fungible:
                message = f"{kind.name} are counted, so there is no single piece to move"
            help_ = None
            if kind is not None and kind.fungible:
                help_ = "pieces in a pool are counted: `move 2 of red from ... to ...`"
            scope.builder.error("RR318", message, expr.mark, help_)
        return None
    return value.type.name, fitting.fit(scope, value, value.type.certain(), expr.mark)


def target_place(scope: Scope, expr: nodes.Expr, kind: str | None, mark: Mark) -> ops.Expr | None:
    """The instance number of the place pieces go to; 0 is the box."""
    if expressions.is_box(scope, expr):
        return ops.Const(0)
    ref = expressions.lower_place(scope, expr, "the target")
    if ref is None:
        return None
    scope.builder.used_names.add(ref.place.name + ":=")
    sight.check_sealed_write(scope, ref.place.name, ref.place.dimensions, ref.index, mark)
    if kind is not None and ref.place.kind != kind:
        message = f"`{ref.place.name}` holds {ref.place.kind}, not {kind}"
        others = [p.name for p in scope.builder.ruleset.places.values() if p.kind == kind]
        help_ = f"{kind} goes to {', '.join(others)}" if others else None
        scope.builder.error("RR319", message, expr.mark, help_)
        return None
    if ref.place.word == "pool":
        message = f"`{ref.place.name}` is a pool, which counts pieces by row"
        help_ = "write `move 1 of ... from ... to ...`"
        scope.builder.error("RR318", message, expr.mark, help_)
        return None
    return ref.number


def move(scope: Scope, statement: nodes.Move) -> Body:
    found = piece(scope, statement.what, moving=True)
    if found is None:
        return ()
    target = target_place(scope, statement.target, found[0], statement.mark)
    if target is None:
        return ()
    bottom = statement.end == "bottom"
    return (move_piece(scope, found[0], found[1], target, bottom, statement.mark),)


def move_piece(
    scope: Scope, kind: str, what: ops.Expr, target: ops.Expr, bottom: bool, mark: Mark
) -> ops.Statement:
    number = scope.builder.kind_numbers[kind]
    return ops.MovePiece(number, what, target, bottom, scope.builder.spot(mark))


def move_all(scope: Scope, statement: nodes.MoveAll) -> Body:
    source = expressions.lower_place(scope, statement.source, "the source")
    if source is None:
        return ()
    kind = source.place.kind
    sight.check_sealed_write(
        scope, source.place.name, source.place.dimensions, source.index, statement.mark
    )
    if source.place.word == "pool":
        return _move_all_pool(scope, statement, source)
    target = target_place(scope, statement.target, kind, statement.mark)
    if target is None:
        return ()
    return empty_place(scope, source, target, statement.mark)


def empty_place(scope: Scope, source: PlaceRef, target: ops.Expr, mark: Mark) -> Body:
    """Move every piece on, the lowest first, so that order is kept."""
    to = scope.locals.new()
    place = source.place
    from_start = move_piece(
        scope, place.kind, source.content(ops.Const(0)), ops.Local(to), False, mark
    )
    some = ops.Binary("more", source.cell(0), ops.Const(0))
    elsewhere = ops.Binary("unequal", ops.Local(to), source.number)
    loop = ops.While(some, (from_start,))
    return (ops.SetLocal(to, target), ops.When(elsewhere, (loop,)))


def _move_all_pool(scope: Scope, statement: nodes.MoveAll, source: PlaceRef) -> Body:
    target = expressions.lower_place(scope, statement.target, "the target")
    if target is None and not _is_box(statement.target):
        return ()
    if target is not None and not _is_pool_of(target, source.place.kind):
        message = f"`{target.place.name}` is no pool of {source.place.kind}"
        scope.builder.error("RR319", message, statement.target.mark)
        return ()
    row = scope.locals.new()
    move_row = pool_transfer(
        scope, source, target, ops.Local(row), pool_cell(source, ops.Local(row)), statement.mark
    )
    rows = ops.Const(source.place.capacity)
    return (ops.CountLoop(row, ops.Const(0), rows, move_row),)


def _is_box(expr: nodes.Expr) -> bool:
    return isinstance(expr, nodes.Name) and expr.name == "box"


def _is_pool_of(ref: PlaceRef, kind: str) -> bool:
    return ref.place.word == "pool" and ref.place.kind == kind


def pool_cell(ref: PlaceRef, row: ops.Expr) -> ops.MemoryAt:
    base, index = ref.address()
    position = ops.Binary("add", index, row)
    return ops.MemoryAt(base, position, ref.place.stride * ref.place.size)


def pool_transfer(
    scope: Scope,
    source: PlaceRef,
    target: PlaceRef | None,
    row: ops.Expr,
    amount: ops.Expr,
    mark: Mark,
) -> Body:
    """From one pool to another, or out of the game."""
    held = scope.locals.new()
    out = pool_cell(source, row)
    less = ops.Binary("subtract", out, ops.Local(held))
    body: Body = (
        ops.SetLocal(held, amount),
        ops.SetMemoryAt(out.base, out.index, out.size, less),
    )
    if target is None:
        return body
    into = pool_cell(target, row)
    more = ops.Binary("add", into, ops.Local(held), scope.builder.spot(mark))
    return (*body, ops.SetMemoryAt(into.base, into.index, into.size, more))


def move_some(scope: Scope, statement: nodes.MoveSome) -> Body:
    source = expressions.lower_place(scope, statement.source, "the source")
    target = expressions.lower_place(scope, statement.target, "the target")
    if source is None or (target is None and not _is_box(statement.target)):
        return ()
    for ref, expr in ((source, statement.source), (target, statement.target)):
        if ref is None:
            continue
        sight.check_sealed_write(
            scope, ref.place.name, ref.place.dimensions, ref.index, statement.mark
        )
        scope.builder.used_names.add(ref.place.name + ":=")
        if not _is_pool_of(ref, source.place.kind):
            message = f"`{ref.place.name}` is no pool of {source.place.kind}"
            help_ = "`move ... of ...` counts pieces between two pools of one kind"
            scope.builder.error("RR319", message, expr.mark, help_)
            return ()
    row_type = named("kind", source.place.kind)
    row_value = expressions.lower(scope, statement.row, row_type)
    row_op = fitting.fit(scope, row_value, row_type, statement.row.mark)
    amount_op = expressions.lower_as(scope, statement.amount, INT, "the amount")
    row, amount = scope.locals.new(), scope.locals.new()
    held = pool_cell(source, ops.Local(row))
    body: Body = (ops.SetLocal(row, row_op), ops.SetLocal(amount, amount_op))
    spot = scope.builder.spot(statement.mark)
    if statement.up_to:
        body += (ops.SetLocal(amount, ops.Binary("min", ops.Local(amount), held)),)
    else:
        enough = ops.Binary("atMost", ops.Local(amount), held)
        body += (ops.When(enough, (), (ops.Fail("RR606", spot),)),)
    negative = ops.Binary("less", ops.Local(amount), ops.Const(0))
    body += (ops.When(negative, (ops.Fail("RR604", spot),)),)
    return body + pool_transfer(
        scope, source, target, ops.Local(row), ops.Local(amount), statement.mark
    )


def shuffle(scope: Scope, statement: nodes.Shuffle) -> Body:
    ref = expressions.lower_place(scope, statement.place, "what is shuffled")
    if ref is None:
        return ()
    if ref.place.word not in ("stack", "bag"):
        message = f"`{ref.place.name}` is no stack: it has no order to lose"
        help_ = "stacks and bags are shuffled"
        scope.builder.error("RR313", message, statement.place.mark, help_)
        return ()
    number = scope.builder.kind_numbers[ref.place.kind]
    return (ops.ShufflePlace(number, ref.number),)


def reveal(scope: Scope, statement: nodes.Reveal | nodes.Hide) -> Body:
    seats: ops.Expr = ops.Const((1 << scope.builder.ruleset.players) - 1)
    forget = isinstance(statement, nodes.Hide)
    if isinstance(statement, nodes.Reveal) and statement.to is not None:
        seat = expressions.player(scope, statement.to, "whom it is shown to")
        seats = ops.Binary("shift", ops.Const(1), seat)
    value = expressions.lower(scope, statement.what)
    if isinstance(value.op, PlaceRef) and value.op.place.word != "slot":
        ref = value.op
        if ref.place.word == "pool":
            scope.builder.error("RR318", "a pool is counted, not seen", statement.mark)
            return ()
        number = scope.builder.kind_numbers[ref.place.kind]
        index = scope.locals.new()
        one = ops.Know(number, ref.content(ops.Local(index)), seats, forget)
        return (ops.CountLoop(index, ops.Const(0), ref.cell(0), (one,)),)
    found = piece(scope, statement.what)
    if found is None:
        return ()
    return (ops.Know(scope.builder.kind_numbers[found[0]], found[1], seats, forget),)


def say(scope: Scope, statement: nodes.Say) -> Body:
    from interpreter.program.lower import menus

    saying, values = menus.saying(scope, statement.text, statement.mark)
    scope.builder.program.sayings.append(saying)
    number = len(scope.builder.program.sayings) - 1
    return (ops.Tell(number, values),)
