"""Cheapest ways: what `reach` is lowered to, found again in a program.

Two searches that ask for the same prices have the same key, whatever their locals are called and
wherever their inputs come from. They share one function, which remembers its last answer: see
reaching.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations

STATEMENTS = 7  # that make up a search
VALID, COST, START, LIMIT, INPUTS = range(5)  # cells that are kept for a search, before its prices
BLOCK = 8  # cells of a board that are passed at once


@dataclass(frozen=True, slots=True)
class Key:
    """A search as a function: its locals are the start, the limit, the inputs and then others. It
    goes through the cells until no price falls any more."""

    loop: ops.While
    cells: int
    changed: int
    here: int
    price: int
    look: tuple[ops.Statement, ...]
    inputs: int


@dataclass(frozen=True, slots=True)
class Route:
    """A search where it stands, and what is done with each cell that is reached."""

    key: Key
    start: int
    cell: ops.Expr
    limit: int
    budget: ops.Expr
    inputs: tuple[ops.Expr, ...]
    price: int
    index: int
    act: tuple[ops.Statement, ...]


class Routes:
    """All searches of a program, and where what is kept for each of them begins."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.starts: dict[Key, int] = {}
        self.size = 0
        for function in program.functions:
            for key in _keys(function.body):
                if key not in self.starts:
                    self.starts[key] = self.size
                    self.size += prices_at(key) + key.cells + blocks(key)

    def asks(self, body: tuple[ops.Statement, ...], key: Key) -> bool:
        """Whether code, or a function that it calls, may make such a search itself."""
        waiting, seen = [body], set[int]()
        while waiting:
            code = waiting.pop()
            if key in _keys(code):
                return True
            called = {op.function for op in operations(code) if isinstance(op, ops.Call)} - seen
            waiting += [self.program.functions[number].body for number in called]
            seen |= called
        return False


def prices_at(key: Key) -> int:
    return INPUTS + key.inputs


def blocks(key: Key) -> int:
    return (key.cells + BLOCK - 1) // BLOCK


def _keys(body: tuple[ops.Statement, ...]) -> Iterator[Key]:
    for statements in _blocks(body):
        for position in range(len(statements) - STATEMENTS + 1):
            found = find_route(statements[position : position + STATEMENTS])
            if found is not None:
                yield found.key


def _blocks(body: tuple[ops.Statement, ...]) -> Iterator[tuple[ops.Statement, ...]]:
    """Statements that stand together, with such a loop among them."""
    found = [body]
    for op in operations(body):
        match op:
            case ops.When(_, then, otherwise):
                found += [then, otherwise]
            case ops.CountLoop(body=inner) | ops.While(body=inner):
                found.append(inner)
            case ops.Sequence(statements):
                found.append(statements)
            case _:  # nothing else holds statements
                pass
    yield from (each for each in found if any(isinstance(part, ops.While) for part in each))


def find_route(statements: tuple[ops.Statement, ...]) -> Route | None:
    """A search, if these are exactly its statements."""
    match statements:
        case (
            ops.SetLocal(limit, budget),
            ops.SetLocal(start, cell),
            ops.CountLoop(
                _, ops.Const(0), ops.Const(cells), (ops.SetLocalAt(price, _, _, ops.Const(-1)),)
            ),
            ops.SetLocalAt(first, ops.Local(begins), _, ops.Const(0)),
            ops.SetLocal(flag, ops.Const(1)),
            ops.While() as loop,
            ops.CountLoop(index, ops.Const(0), ops.Const(size), (ops.When(reached, act, ()),)),
        ) if begins == start and first == price and size == cells:
            settling = _find_settling(loop, price, cells)
            wanted = ops.Binary(
                "and",
                ops.Binary("atLeast", ops.LocalAt(price, ops.Local(index), cells), ops.Const(0)),
                ops.Binary("unequal", ops.Local(index), ops.Local(start)),
            )
            if settling is None or settling.changed != flag or reached != wanted:
                return None
            key, inputs = _key(settling, loop, limit)
            return Route(key, start, cell, limit, budget, inputs, price, index, act)
        case _:  # any other is no search
            return None


@dataclass(frozen=True, slots=True)
class _Settling:
    changed: int
    here: int
    cells: int
    price: int
    look: tuple[ops.Statement, ...]


def _find_settling(loop: ops.While, price: int, cells: int) -> _Settling | None:
    match loop:
        case ops.While(
            ops.Local(changed),
            (
                ops.SetLocal(flag, ops.Const(0)),
                ops.CountLoop(
                    here,
                    ops.Const(0),
                    ops.Const(size),
                    (
                        ops.When(
                            ops.Binary("atLeast", ops.LocalAt(base, ops.Local(at)), ops.Const(0)),
                            look,
                            (),
                        ),
                    ),
                ),
            ),
        ) if flag == changed and at == here and base == price and size == cells:
            found = _Settling(changed, here, cells, price, look)
            return found if _only_lowers(found) else None
        case _:  # any other is no search
            return None


def _only_lowers(loop: _Settling) -> bool:
    """One place sets a price, to the sum of the price here and a cost, if that is less."""
    found = list(operations(loop.look))
    if any(isinstance(op, (ops.Break, ops.Continue, ops.Return, ops.While)) for op in found):
        return False
    if any(isinstance(op, ops.LocalAt) and op.base != loop.price for op in found):
        return False
    sets = [op for op in found if isinstance(op, ops.SetLocalAt)]
    flags = [op for op in found if isinstance(op, ops.SetLocal) and op.index == loop.changed]
    if len(sets) != 1 or sets[0].base != loop.price:
        return False
    if flags != [ops.SetLocal(loop.changed, ops.Const(1))]:
        return False
    target, new = sets[0].index, sets[0].value
    match new:
        case ops.Binary("add", ops.LocalAt(base, ops.Local(index)), ops.Local()):
            less = ops.Binary("less", new, ops.LocalAt(loop.price, target, loop.cells))
            return base == loop.price and index == loop.here and less in found
        case _:  # any other is no search
            return False


def _key(loop: _Settling, around: ops.While, limit: int) -> tuple[Key, tuple[ops.Expr, ...]]:
    inside = list(operations(around))
    own = {op.index for op in inside if isinstance(op, ops.SetLocal)}
    own |= {op.local for op in inside if isinstance(op, ops.CountLoop)}
    inputs: list[ops.Expr] = []
    for op in inside:
        outer = isinstance(op, ops.Memory) or (
            isinstance(op, ops.Local) and op.index not in own and op.index != limit
        )
        if outer and op not in inputs:
            inputs.append(op)
    locals_ = {limit: 1}
    for index in (op.index for op in inside if isinstance(op, (ops.SetLocal, ops.Local))):
        if index in own:
            locals_.setdefault(index, 1 + len(inputs) + len(locals_))
    for index in sorted(own):
        locals_.setdefault(index, 1 + len(inputs) + len(locals_))
    price = 2 + len(inputs) + len(locals_)
    leaves = {leaf: ops.Local(2 + number) for number, leaf in enumerate(inputs)}

    def rename(op: Any) -> Any:
        if op in leaves:
            return leaves[op]
        match op:
            case ops.Local(index) | ops.SetLocal(index):
                return replace(op, index=locals_[index])
            case ops.CountLoop(local):
                return replace(op, local=locals_[local])
            case ops.LocalAt() | ops.SetLocalAt():
                return replace(op, base=price)
            case _:  # any other names no local
                return op

    renamed: ops.While = _rewritten(around, rename)
    look: tuple[ops.Statement, ...] = _rewritten(loop.look, rename)
    changed, here = locals_[loop.changed], locals_[loop.here]
    return Key(renamed, loop.cells, changed, here, price, look, len(inputs)), tuple(inputs)


def _rewritten(op: Any, rename: Callable[[Any], Any]) -> Any:
    """The same with other locals. Where it can fail does not matter: who fails is asked again in
    the form that counts exactly."""
    if isinstance(op, tuple):
        return tuple(_rewritten(part, rename) for part in op)
    if type(op) not in TOUCHES:
        return op
    new = rename(op)
    if new is not op and not isinstance(new, type(op)):
        return new
    if isinstance(new, ops.Local):
        return new
    parts = {each.name: _rewritten(getattr(new, each.name), rename) for each in fields(new)}
    if "at" in parts:
        parts["at"] = min(parts["at"], 0)
    return replace(new, **parts)
