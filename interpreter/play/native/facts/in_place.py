"""Code in which short functions stand in the place where they are called.

Who writes rules gives names to things: `any(x in chain(c) where hasRoom(x))`. Patterns are looked
for in code from which such names are taken out, where nobody counts steps: a call takes one.

A call is replaced if the function does nothing but give a value, and its arguments are locals or
constants: then it makes no difference when, or how often, they are looked at. Other locals of the
function get numbers that nobody else uses. No function is put into itself.
"""

from __future__ import annotations

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


class _Placing:
    def __init__(self, program: Program, body: Any) -> None:
        self.program = program
        self.next = 1 + max(locals_read(body) | locals_set(body), default=-1)
        self.left = _LONGEST - sum(1 for _ in operations(body))

    def of(self, code: Any, names: dict[int, ops.Expr], above: frozenset[int]) -> Any:
        """The same with other names for locals, and with calls in place."""
        if type(code) is tuple:
            return tuple(self.of(each, names, above) for each in code)
        if isinstance(code, ops.Local):
            return names.get(code.index, code)
        new = {
            name: self.of(getattr(code, name), names, above)
            for name in inner_fields(type(code)) or ()
        }
        for name in ("index", "local"):  # of what sets a local
            held = getattr(code, name, None)
            if isinstance(held, int) and isinstance(named := names.get(held), ops.Local):
                new[name] = named.index
        code = replace(code, **new)
        return self._placed(code, above) if isinstance(code, ops.Call) else code

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
