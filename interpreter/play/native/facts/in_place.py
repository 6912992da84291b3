"""Code in which short functions stand in the place where they are called.

Who writes rules gives names to things: `any(x in chain(c) where hasRoom(x))`. Patterns are looked
for in code from which such names are taken out, where nobody counts steps: a call takes one.

A call is replaced if the function does nothing but give a value, and its arguments are locals or
constants: then it makes no difference when, or how often, they are looked at. Other locals of the
function get numbers that nobody else uses. No function is put into itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import inner_fields, locals_read, locals_set, operations

_LONGEST = 400  # operations of all code, with what is put into it


def with_calls_in_place(
    program: Program, body: tuple[ops.Statement, ...]
) -> tuple[ops.Statement, ...]:
    placing = _Placing(program, body)
    found: tuple[ops.Statement, ...] = placing.of(body, {}, frozenset())
    return found


def renamed(
    code: Any,
    names: Mapping[int, ops.Expr],
    placed: Callable[[ops.Call], ops.Expr] = lambda call: call,
) -> Any:
    """The same with other names for locals, and with something else in place of calls."""
    if type(code) is tuple:
        return tuple(renamed(each, names, placed) for each in code)
    if isinstance(code, ops.Local):
        return names.get(code.index, code)
    new = {
        name: renamed(getattr(code, name), names, placed) for name in inner_fields(type(code)) or ()
    }
    for name in ("index", "local"):  # of what sets a local
        held = getattr(code, name, None)
        if isinstance(held, int) and isinstance(named := names.get(held), ops.Local):
            new[name] = named.index
    code = replace(code, **new)
    return placed(code) if isinstance(code, ops.Call) else code


class _Placing:
    def __init__(self, program: Program, body: Any) -> None:
        self.program = program
        self.next = 1 + max(locals_read(body) | locals_set(body), default=-1)
        self.left = _LONGEST - sum(1 for _ in operations(body))

    def of(self, code: Any, names: dict[int, ops.Expr], above: frozenset[int]) -> Any:
        """The same with other names for locals, and with calls in place."""
        return renamed(code, names, lambda call: self._placed(call, above))

    def _placed(self, call: ops.Call, above: frozenset[int]) -> ops.Expr:
        function = self.program.functions[call.function]
        match function.body:
            case (ops.Return(result),):
                inside = list(operations(result))
            case _:  # it does more
                return call
        arrays = (ops.LocalAt, ops.SetLocalAt, ops.Reach)
        if (
            call.function in above
            or len(inside) > self.left
            or any(isinstance(op, arrays) for op in inside)
            or not all(isinstance(each, (ops.Local, ops.Const)) for each in call.arguments)
            or locals_set(result) & set(range(function.params))
        ):
            return call
        self.left -= len(inside)
        names: dict[int, ops.Expr] = dict(enumerate(call.arguments))
        for index in sorted(locals_set(result)):
            names[index] = ops.Local(self.next)
            self.next += 1
        found: ops.Expr = self.of(result, names, above | {call.function})
        return found


def called(program: Program, call: ops.Call, first: int) -> ops.Expr | None:
    """What a function gives that does nothing else, with what it is given in the place of its
    parameters; None if it does more. Its other locals are counted from `first` on, those that stand
    together, too: so it can be told what it does, but it cannot be run. Calls in it stay, and it is
    for who asks to see that it makes no difference when, or how often, arguments are looked at."""
    function = program.functions[call.function]
    match function.body:
        case (ops.Return(result), *_):
            pass
        case _:  # it does more
            return None
    if locals_set(result) & set(range(function.params)):
        return None
    if any(isinstance(op, (ops.Reach, ops.WhatIf)) for op in operations(result)):
        return None
    found: ops.Expr = _moved(result, call.arguments, first)
    return found


def _moved(code: Any, given: tuple[ops.Expr, ...], first: int) -> Any:
    if type(code) is tuple:
        return tuple(_moved(each, given, first) for each in code)
    if isinstance(code, ops.Local):
        index = code.index
        return given[index] if index < len(given) else ops.Local(first + index)
    names = inner_fields(type(code)) or ()
    new = {name: _moved(getattr(code, name), given, first) for name in names}
    for name in ("index", "local"):  # of what sets a local
        if isinstance(held := getattr(code, name, None), int):
            new[name] = first + held
    if isinstance(code, (ops.LocalAt, ops.SetLocalAt)):
        new["base"] = first + code.base
    return replace(code, **new)
