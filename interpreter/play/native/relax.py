"""Cheapest ways: a loop that settles prices in rounds looks only where something has changed.

`reach` is lowered to rounds over all cells until no price falls any more. In free code, a cell is
gone through again only if its own price has fallen since: otherwise nothing new can come of it.
So the prices fall in the same order, in as many rounds. Eight cells without news are passed at
once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.play.native.code import Code
from interpreter.play.native.text import PTR
from interpreter.program import ops
from interpreter.program.verify import operations


@dataclass(frozen=True, slots=True)
class Settling:
    """The parts of such a loop: its flag, the cells it goes through and their prices."""

    changed: int
    here: int
    cells: int
    price: int
    look: tuple[ops.Statement, ...]


def find_settling(loop: ops.While) -> Settling | None:
    """The loop's parts, if it has exactly the form that `reach` is lowered to."""
    match loop:
        case ops.While(
            ops.Local(changed),
            (
                ops.SetLocal(flag, ops.Const(0)),
                ops.CountLoop(
                    here,
                    ops.Const(0),
                    ops.Const(cells),
                    (
                        ops.When(
                            ops.Binary("atLeast", ops.LocalAt(price, ops.Local(at)), ops.Const(0)),
                            look,
                            (),
                        ),
                    ),
                ),
            ),
        ) if flag == changed and at == here and _only_lowers(look, changed, here, price):
            return Settling(changed, here, cells, price, look)
        case _:
            return None


def _only_lowers(look: tuple[ops.Statement, ...], changed: int, here: int, price: int) -> bool:
    """One place sets a price, to the sum of the price here and a cost, if that is less."""
    found = list(operations(look))
    if any(isinstance(op, (ops.Break, ops.Continue, ops.Return, ops.While)) for op in found):
        return False
    sets = [op for op in found if isinstance(op, ops.SetLocalAt)]
    flags = [op for op in found if isinstance(op, ops.SetLocal) and op.index == changed]
    if len(sets) != 1 or flags != [ops.SetLocal(changed, ops.Const(1))] or sets[0].base != price:
        return False
    target, new = sets[0].index, sets[0].value
    match new:
        case ops.Binary("add", ops.LocalAt(base, ops.Local(index)), ops.Local()):
            less = ops.Binary("less", new, ops.LocalAt(price, target))
            return base == price and index == here and less in found
        case _:
            return False


def emit_settling(
    code: Code, loop: Settling, pay: Callable[[], None], look: Callable[[], None]
) -> None:
    """`look` writes what is done in one cell whose price is known, `pay` what a round costs."""
    fn = code.fn
    blocks = (loop.cells + 7) // 8
    news = fn.slot(f"[{blocks} x i64]")
    fn.clear(news, 0, blocks)
    changed, here = code.scalars[loop.changed], code.scalars[loop.here]
    prices = code.arrays[loop.price][0]

    def flag(cell: str) -> str:
        return fn.op(f"getelementptr inbounds i8, {PTR} {news}, i64 {cell}")

    with fn.count(0, loop.cells) as cell:
        known = fn.compare("sge", fn.load(prices, cell), 0)
        fn.line(f"store i8 {fn.op(f'zext i1 {known} to i8')}, {PTR} {flag(cell)}")
    code.news[loop.price] = news
    with fn.loop(lambda: fn.compare("ne", fn.get(changed), 0)):
        pay()
        fn.set(changed, "0")
        with fn.count(0, blocks) as eight:
            first = fn.op(f"shl i64 {eight}, 3")
            rest = fn.variable(fn.load(news, eight))
            with fn.loop(lambda: fn.compare("ne", fn.get(rest), 0)):
                bit = fn.op(f"call i64 @llvm.cttz.i64(i64 {fn.get(rest)}, i1 true)")
                cell = fn.add(first, fn.op(f"lshr i64 {bit}, 3"))
                fn.line(f"call void @llvm.assume(i1 {fn.compare('ult', cell, loop.cells)})")
                fn.line(f"store i8 0, {PTR} {flag(cell)}")
                fn.set(here, cell)
                with fn.when(fn.compare("sge", fn.load(prices, cell), 0)):
                    look()
                # Of what is new among these eight, the cells after this one are for this round.
                later = fn.op(f"shl i64 -256, {fn.both(bit, 56)}")
                fn.set(rest, fn.both(fn.load(news, eight), later))
    fn.set(here, str(loop.cells - 1))
    del code.news[loop.price]
