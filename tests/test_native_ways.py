"""Shortcuts for cheapest ways: cells as sets of bits, on boards of every width.

As in test_native_shortcuts.py: each is taken on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines find the same ways.
"""

from __future__ import annotations

import dataclasses

import pytest
from test_native_shortcuts import code_of
from test_native_trials import go_through

import interpreter
from interpreter.embedding import Game
from interpreter.play.native.facts import routes
from interpreter.program import ops
from interpreter.program.touches import operations

RULES = """
game "T"
players 2

board Grid: square {columns} by {rows}

each Grid has
    toll: 0..2
    wall: bool

each player has
    spot: Grid = b2
    other: Grid = a1

function price(p: Player, c: Grid): int or none
    none if c.wall
    0 if next(p).spot is c
    c.toll otherwise

play
    for each c in Grid
        c.toll := (7 * c.row + 5 * c.column + c.row * c.column) mod 3
        c.wall := (5 * c.row + 3 * c.column) mod 7 = 0 and c is not b2
    turns
        choose go or turn
"""
GO = """
action go(to at paid in reach(me.spot within 4 through c {costs}))
    when paid != 2
    me.spot := to
    to.toll := (to.toll + paid) mod 3

action turn
    me.other := me.spot
"""
PLAIN = "costs price(me, c)"
FROM = "from w costs ((price(me, c) + w.toll) if not c.wall else none)"


def game(columns: int, rows: int, costs: str = PLAIN) -> Game:
    text = RULES.format(columns=columns, rows=rows) + GO.format(costs=costs)
    return interpreter.load_text(text, backend="native")


@pytest.mark.parametrize(
    ("columns", "rows", "bits"), [(8, 8, 64), (5, 25, 128), (12, 12, 256), (17, 16, None)]
)
def test_cells_that_were_not_asked_are_a_set_if_it_fits_into_registers(
    columns: int, rows: int, bits: int | None
) -> None:
    code = code_of("reach0", game(columns, rows).program)
    assert ("@near" in code) == (bits is not None)
    assert bits is None or f"@llvm.cttz.i{bits}(" in code


def test_not_where_it_matters_whence_one_comes() -> None:
    assert "@near" not in code_of("reach0", game(8, 8, FROM).program)


def test_cells_beside_a_cell_as_sets() -> None:
    found = game(3, 3).program
    (key,) = routes.Routes(found).starts
    near = routes.beside(found, key)
    assert near is not None
    assert near[0] == 0b1010
    assert near[4] == 0b10101010


def test_who_asks_for_prices_of_other_cells_finds_all_of_them() -> None:
    """Of cells that were not reached, no price is kept, since rules cannot ask for it."""
    found = game(3, 3).program
    body = found.functions[found.menus[0].entries[0].generator].body
    (search,) = (op for op in operations(body) if isinstance(op, ops.Reach))
    assert routes.find_route(search) is not None
    other = ops.Emit((ops.LocalAt(search.prices, ops.Const(0), search.cells),))
    assert routes.find_route(dataclasses.replace(search, body=(other,))) is None


@pytest.mark.parametrize("costs", [PLAIN, FROM, "costs 0", "costs (none if c.wall else 2)"])
@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (8, 8), (5, 25), (12, 12), (17, 16)])
def test_both_machines_find_the_same_ways(columns: int, rows: int, costs: str) -> None:
    go_through(game(columns, rows, costs))
