"""Histories: positions are written down as words (model/packing.py) and compared word by word.

The first cell of a history counts what was ever remembered. Then come all first words, all second
words and so on; the newest position takes the place of the oldest when there is no room left. Both
what is remembered and what is asked are functions, because many options may ask.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.model.packing import Digits, Run, runs, word_count
from interpreter.model.ruleset import Variable
from interpreter.program import ops
from interpreter.program.lower.builder import Body
from interpreter.program.lower.scope import Scope
from interpreter.report.source import Mark
from interpreter.typed import statements, values
from interpreter.typed.positions import digits

_ZERO, _ONE = ops.Const(0), ops.Const(1)


def times_seen(scope: Scope, value: values.TimesSeen) -> ops.Expr:
    return _call(scope, "timesSeen", value.history.variable, value.kept, value.mark, _ask)


def remember(scope: Scope, statement: statements.Remember) -> Body:
    variable = statement.target.variable
    call = _call(scope, "remember", variable, statement.kept, statement.mark, _add)
    return (ops.Evaluate(call),)


def _call(
    scope: Scope,
    word: str,
    variable: Variable,
    kept: tuple[values.Kept, ...],
    mark: Mark,
    body: Callable[[_Table, list[ops.Local]], Body],
) -> ops.Expr:
    """Of the function that does this with the history, made the first time it is met."""
    builder = scope.builder

    def make() -> int:
        number = builder.new_function(f"{word} {variable.name}", 0)
        inner = scope.elsewhere()
        table = _Table(inner, variable, builder.spot(mark))
        before, words = _position(inner, kept)
        builder.complete(number, (*before, *body(table, words)), inner.registers.count)
        return number

    number = builder.once((word, variable.name), make)
    return ops.Call(number, (), builder.spot(mark))


class _Table:
    """Where the words of a history are."""

    def __init__(self, scope: Scope, variable: Variable, at: int) -> None:
        self.scope = scope
        self.size = scope.builder.ruleset.histories[variable.name].size
        self.counter = ops.Memory(variable.address)
        self.words = variable.address + 1
        self.at = at

    def base(self, word: int) -> int:
        return self.words + word * self.size


def _ask(table: _Table, words: list[ops.Local]) -> Body:
    found, row = table.scope.register(), table.scope.register()
    same: ops.Expr = _ONE
    for number, word in reversed(list(enumerate(words))):
        there = ops.MemoryAt(table.base(number), row, table.size)
        equal = ops.Binary("equal", there, word)
        same = equal if same == _ONE else ops.Binary("and", equal, same)
    more = ops.SetLocal(found.index, ops.Binary("add", found, _ONE))
    kept = ops.Binary("min", table.counter, ops.Const(table.size))
    return (
        ops.SetLocal(found.index, _ZERO),
        ops.CountLoop(row.index, _ZERO, kept, (ops.When(same, (more,)),), table.at),
        ops.Return(found),
    )


def _add(table: _Table, words: list[ops.Local]) -> Body:
    row = table.scope.register()
    put = tuple(
        ops.SetMemoryAt(table.base(number), row, table.size, word)
        for number, word in enumerate(words)
    )
    return (
        ops.SetLocal(row.index, ops.Binary("modulo", table.counter, ops.Const(table.size))),
        *put,
        ops.SetMemory(table.counter.address, ops.Binary("add", table.counter, _ONE, table.at)),
        ops.Return(_ZERO),
    )


# ---- the words of the position as it is


def _position(scope: Scope, kept: tuple[values.Kept, ...]) -> tuple[Body, list[ops.Local]]:
    parts = digits(scope.builder.ruleset, kept)
    words = [scope.register() for _ in range(word_count(parts))]
    body: Body = tuple(ops.SetLocal(word.index, _ZERO) for word in words)
    for run in runs(parts):
        body += _run(scope, kept[run.part], parts[run.part], run, words[run.word])
    return body, words


def _run(scope: Scope, kept: values.Kept, digit: Digits, run: Run, word: ops.Local) -> Body:
    inner = scope.inner()
    index = inner.register()
    before = _elements(inner, kept, index)
    value = _digit(inner, kept.value, digit)
    if not digit.fills_words:
        value = ops.Binary("add", ops.Binary("multiply", word, ops.Const(digit.size)), value)
    body = (*before, ops.SetLocal(word.index, value))
    if not kept.binders:
        return body
    at = scope.builder.spot(kept.mark)
    return (ops.CountLoop(index.index, ops.Const(run.first), ops.Const(run.end), body, at),)


def _elements(scope: Scope, kept: values.Kept, index: ops.Local) -> Body:
    """What the binders stand at, for the number of a value among all of the part: the last changes
    first."""
    body: Body = ()
    span = 1
    for binder in reversed(kept.binders):
        bound = binder.domain.bound
        number: ops.Expr = index
        if span > 1:
            number = ops.Binary("divide", number, ops.Const(span))
        if binder is not kept.binders[0]:
            number = ops.Binary("modulo", number, ops.Const(bound))
        match binder.domain:
            case values.Range():
                number = ops.Binary("add", scope.value(binder.domain.low), number)
            case values.Listed():
                number = ops.Lookup(_table_of(scope, binder.domain), number)
            case _:  # all of a type are numbered from 0
                pass
        if number == index:
            scope.bind(binder.element, index)
        else:
            held = scope.register()
            scope.bind(binder.element, held)
            body += (ops.SetLocal(held.index, number),)
        span *= bound
    return body


def _table_of(scope: Scope, domain: values.Listed) -> int:
    listed = [scope.value(each) for each in domain.values]
    return scope.builder.table([each.value for each in listed if isinstance(each, ops.Const)])


def _digit(scope: Scope, value: values.Value, digit: Digits) -> ops.Expr:
    """A value as a number from 0 on; a number that may be any is taken as it is."""
    type_, op = value.type, scope.value(value)
    if type_.sort != "int":
        return ops.Binary("add", op, _ONE) if type_.optional else op
    if digit.fills_words:
        return op
    if not type_.optional:
        return ops.Binary("subtract", op, ops.Const(type_.low)) if type_.low else op
    held = scope.register()
    some = ops.Binary("subtract", held, ops.Const(type_.low - 1))
    none = ops.Binary("equal", held, ops.Const(type_.none))
    return ops.Sequence((ops.SetLocal(held.index, op),), ops.Choice(none, _ZERO, some))
