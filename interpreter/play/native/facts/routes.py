"""Cheapest ways: which searches of a program ask for the same prices.

Two searches (`ops.Reach`) with the same key differ only in where they start, in their budget and in
what is done with the cells they find, whatever their locals are called and wherever their inputs
come from. So they can share one function, which remembers its last answer: see emit/reaching.py.

A key is the search itself with its locals numbered anew: the start, the budget, the inputs, then
its own. Inputs are what the cost is worked out from that the search does not set: locals of the
code around it, and single cells of the state. What it reads of the state by an index it computes
is no input, so a shared answer holds only as long as the state stands still.

It must not be assumed that a search is alone. Its cost may ask for another search, or by way of
functions for the same one, whose answer would take the place of its own: `asks` tells. A cost that
uses arrays of locals has no key: they would have to be numbered anew, too, and nobody writes it.
Nor has a search whose prices are read for other cells than the one that is gone through: no price
is written down for cells that are not reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, locals_set, operations, with_called

VALID, COST, START, LIMIT, INPUTS = range(5)  # cells that are kept for a search, before its prices
WORD = 64  # cells of a board in one word of a set
_WIDEST = 256  # bits of a set that still fits into registers
_WITHOUT_KEY = (ops.LocalAt, ops.SetLocalAt, ops.Reach, ops.While)
_FIRST = 2  # locals of a key before its inputs: the start and the budget


@dataclass(frozen=True, slots=True)
class Key:
    """A search as a function, without what is done with the cells it finds."""

    search: ops.Reach
    inputs: int


class Routes:
    """All searches of a program, and where what is kept for each of them begins."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.starts: dict[Key, int] = {}
        self.size = 0
        self.shared = not _searching_trials(program)  # whether answers are remembered
        for function in program.functions:
            for key in _keys(operations(function.body)):
                if key not in self.starts:
                    self.starts[key] = self.size
                    self.size += prices_at(key) + key.search.cells + words(key)

    def asks(self, code: Any, key: Key) -> bool:
        """Whether code, or a function that it calls, may make such a search itself."""
        return key in _keys(with_called(self.program, code))


def _searching_trials(program: Program) -> bool:
    """Whether steps that are tried out search for ways between two changes of the state."""
    bodies = (*program.code, *(function.body for function in program.functions))
    tried = [op.steps for body in bodies for op in operations(body) if isinstance(op, ops.WhatIf)]
    return any(isinstance(op, ops.Reach) for op in with_called(program, tuple(tried)))


def prices_at(key: Key) -> int:
    return INPUTS + key.inputs


def words(key: Key) -> int:
    """Of a set of cells."""
    return (key.search.cells + WORD - 1) // WORD


def width(key: Key) -> int:
    """Bits of a set in registers, which are powers of two."""
    return WORD << (words(key) - 1).bit_length()


def beside(program: Program, key: Key) -> tuple[int, ...] | None:
    """For each cell, those beside it as a set. None if such sets are too wide."""
    search = key.search
    if width(key) > _WIDEST:
        return None
    ways = program.tables[search.ways]
    rows = (ways[cell :: search.cells][: search.directions] for cell in range(search.cells))
    return tuple(sum({1 << each for each in row if each >= 0}) for row in rows)


def _keys(found: Iterator[Any]) -> Iterator[Key]:
    for op in found:
        if isinstance(op, ops.Reach):
            route = find_route(op)
            if route is not None:
                yield route[0]


def find_route(op: ops.Reach) -> tuple[Key, tuple[ops.Expr, ...]] | None:
    """The key of a search, and its inputs where it stands."""
    inside = list(operations(op.cost))
    if any(isinstance(each, _WITHOUT_KEY) for each in inside) or _reads_other_prices(op):
        return None
    step = [op.target, *([op.origin] if op.origin >= 0 else [])]
    own = locals_set(op.cost) | set(step)
    inputs: list[ops.Expr] = []
    for each in inside:
        outer = isinstance(each, ops.Local) and each.index not in own
        if (outer or isinstance(each, ops.Memory)) and each not in inputs:
            inputs.append(each)
    first = _FIRST + len(inputs)
    order = dict.fromkeys([*step, *(n for each in inside for n in _own(each) if n in own)])
    locals_ = {index: first + number for number, index in enumerate(order)}
    leaves = {leaf: ops.Local(_FIRST + number) for number, leaf in enumerate(inputs)}
    last = first + len(locals_)
    search = ops.Reach(
        local=last,
        budget=ops.Local(1),
        start=ops.Local(0),
        cells=op.cells,
        ways=op.ways,
        directions=op.directions,
        target=locals_[op.target],
        cost=_renamed(op.cost, locals_, leaves),
        prices=last + 1,
        body=(),
        at=0,
        origin=locals_.get(op.origin, -1),
    )
    return Key(search, len(inputs)), tuple(inputs)


def _reads_other_prices(op: ops.Reach) -> bool:
    own = ops.LocalAt(op.prices, ops.Local(op.local), op.cells)
    prices = range(op.prices, op.prices + op.cells)
    return any(
        each != own and any(index in prices for index in TOUCHES[type(each)].locals_read(each))
        for each in operations(op.body)
    )


def _own(op: Any) -> Iterator[int]:
    yield from TOUCHES[type(op)].locals_read(op)
    yield from TOUCHES[type(op)].locals_set(op)


def _renamed(op: Any, locals_: dict[int, int], leaves: dict[ops.Expr, ops.Local]) -> Any:
    """The same with other locals. Where it can fail does not matter: who fails is asked again in
    the form that counts exactly."""
    if isinstance(op, tuple):
        return tuple(_renamed(part, locals_, leaves) for part in op)
    if op in leaves:
        return leaves[op]
    parts = {n: _renamed(getattr(op, n), locals_, leaves) for n in TOUCHES[type(op)].inner}
    for name in ("index", "local"):
        if isinstance(getattr(op, name, None), int):
            parts[name] = locals_[getattr(op, name)]
    if hasattr(op, "at"):
        parts["at"] = min(op.at, 0)
    return replace(op, **parts)
