"""Every shortcut of native code is taken where it should be, and only there.

That shortcuts change nothing is tested elsewhere, byte for byte; but a shortcut that is never taken
changes nothing either. So each has a tiny ruleset on which the text of the code shows it, and
another, as like it as can be, on which it would be wrong.
"""

from __future__ import annotations

import re

import pytest

import interpreter
from interpreter import limits
from interpreter.play.failure import Failure
from interpreter.play.native.emit.code import Unit
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.emit.sealing import DIRECT
from interpreter.play.native.emit.sure import Ways
from interpreter.play.native.facts import writes
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

HEAD = """
game "T"
players 2

board Grid: square 3 by 3
kind Card: 1..6

the game has
    a, b, total: int
    small: 0..9 = 3
    deck: row of Card, holds all
    pile: row of Card

each Grid has
    mark: Player or none
    toll: 0..2

each player has
    gold: 0..9 = 5
    spot: Grid

function slow(n: int): int
    0 if n <= 0
    1 + slow(n - 1) otherwise

function price(c: Grid): int or none
    none if c.mark is not none
    c.toll otherwise

function both(c: Grid, n: int): int = c.toll + n

procedure change()
    a += 1
    b += 1
    total -= 1
    small := 4
    P1.spot := a1
    P2.gold := 3
    a1.mark := P1
    a1.toll := 1
    move top(deck) to pile
    if slow(a) + both(b2, 1) > 3 and price(a1) is not none
        a += 1
"""


def program(*lines: str) -> Program:
    return interpreter.load_text(HEAD + "\n" + "\n".join(lines) + "\n").program


def offering(action: str, *conditions: str) -> str:
    """The code that makes the options of an action."""
    lines = [f"action try1({action})", *(f"    when {each}" for each in conditions), "    a += 1"]
    found = program(*lines, "play", "    change()", "    turns", "        choose try1")
    return code_of(generator(found), found)


def generator(found: Program, entry: int = 0, form: str = "g") -> str:
    """What makes the options of an entry of the only menu."""
    return f"{form}{found.menus[0].entries[entry].generator}"


def code_of(name: str, found: Program) -> str:
    """One function of the module."""
    text = emit_module(found)
    match = re.search(rf"^define [^\n]*@{name}\(.*?^}}", text, re.M | re.S)
    assert match is not None, f"there is no @{name}"
    return match[0]


def has_function(name: str, found: Program) -> bool:
    return re.search(rf"^define [^\n]*@{name}\(", emit_module(found), re.M) is not None


STEPS_TEST = f", {limits.STEPS_PER_MOVE}\n"
OPTIONS_TEST = f", {limits.OPTIONS}\n"


# ---- facts/shape.py


def test_plain_code_does_not_jump() -> None:
    both = re.compile(r" = or i1 %\S+, %\S+")
    assert both.search(offering("c in Grid", "c.toll > 1 or c.toll < a"))
    assert not both.search(offering("c in Grid", "c.toll > 1 or slow(c.toll) < a"))


@pytest.mark.parametrize(("right", "plain"), [("6", True), ("n", False)])
def test_division_is_plain_by_a_known_number_only(right: str, plain: bool) -> None:
    """What is computed in any case must not be a division by zero."""
    code = offering("n in 0..3", f"n != 0 and a div {right} > 2")
    assert ("@divide(" in code) != plain


def test_steps_are_not_counted_where_they_are_few() -> None:
    assert STEPS_TEST not in offering("n in 1..3", "a > n")
    assert STEPS_TEST in offering("n in 1..3", "slow(n) > b")  # nobody knows how deep it goes


def test_what_may_take_long_has_a_form_that_counts() -> None:
    few = program("play", "    change()", "    P1 chooses n in 1..9 where n > a", "    a += n")
    many = program("play", "    change()", "    P1 chooses n in 1..a where n > b", "    a += n")
    assert not has_function(generator(few, form="exact"), few)
    assert STEPS_TEST in code_of(generator(many, form="exact"), many)
    assert STEPS_TEST not in code_of(generator(few), few)


def test_short_functions_have_a_form_that_does_not_count() -> None:
    lines = ["play", "    change()", "    turns", "        choose try1"]
    found = program("action try1(c in Grid)", "    when both(c, a) > 2", "    a += 1", *lines)
    number = next(n for n, each in enumerate(found.functions) if each.name == "both")
    assert has_function(f"free{number}", found)
    assert STEPS_TEST not in code_of(f"free{number}", found)
    deep = next(n for n, each in enumerate(found.functions) if each.name == "slow")
    assert not has_function(f"free{deep}", found)


@pytest.mark.parametrize(
    ("function", "ample"),
    [
        ("count(c in Grid where both(c, n) > 2)", True),
        ("count(c in Grid where c.toll > n)", False),  # it pays once for all rounds
        ("count(c in Grid where slow(c.toll) > n)", False),  # nobody knows how deep it goes
    ],
)
def test_steps_that_are_there_are_not_asked_for_one_by_one(function: str, ample: bool) -> None:
    lines = (f"function crowd(n: int): int = {function}", "play", "    a += crowd(b)")
    found = program(*lines)
    number = next(n for n, each in enumerate(found.functions) if each.name == "crowd")
    assert has_function(f"ample_f{number}", found) == ample
    assert has_function(f"exact_f{number}", found) == ample
    if ample:
        assert STEPS_TEST not in code_of(f"ample_f{number}", found)
        assert STEPS_TEST in code_of(f"exact_f{number}", found)


def test_where_steps_run_out_code_fails_at_the_same_spot() -> None:
    """Some hundred thousand rounds of some forty steps: in the last of them there are too few."""
    text = [
        "function crowd(n: int): int = count(c in Grid where both(c, n) > 2)",
        "play",
        "    P1 chooses n in 1..2",
        "    for each k in 1..400000",
        "        b := b + crowd(n) - crowd(n)",
    ]
    whole = interpreter.load_text(HEAD + "\n".join(["", *text, ""]), backend="native")
    engine, machine = whole.native, whole.machine
    assert engine is not None
    failures = []
    for backend in (engine, machine):
        m = machine.start(1)
        with pytest.raises(Failure) as failed:
            backend.take(m, (0, 1), None)
        failures.append((failed.value.code, failed.value.at))
    assert failures[0] == failures[1]


# ---- facts/ranges.py


def test_options_are_counted_only_where_there_can_be_too_many() -> None:
    assert OPTIONS_TEST not in offering("n in 1..small")
    assert OPTIONS_TEST in offering("n in 1..a")


# ---- facts/occupied.py

PIECE_LOAD = re.compile(r"load i64, ptr \S+, align 8, !range")


def test_cells_of_a_place_that_is_gone_through_hold_pieces() -> None:
    assert PIECE_LOAD.search(offering("c in deck", "c.value > a"))


def test_in_code_that_moves_pieces_they_may_be_gone() -> None:
    lines = ["    for each c in deck", "        total += c.value", "        move c to pile"]
    found = program("play", "    change()", *lines)
    own = [part for part in emit_module(found).split("\ndefine ") if "@do" in part[:40]]
    assert own and not any(PIECE_LOAD.search(part) for part in own)


# ---- emit/memory.py


def reaching(cost: str) -> str:
    """The function that settles prices, for such a cost."""
    lines = ["    a += 1", "play", "    change()", "    turns", "        choose try1"]
    action = f"action try1(c in reach(me.spot within 3 through x {cost}))"
    return code_of("reach0", program(action, *lines))


def test_the_cost_of_a_cell_is_asked_once() -> None:
    kept = re.compile(r"alloca \[9 x i8\]")
    assert kept.search(reaching("from w costs (price(x) if w.toll > 0 else 1)"))
    # What depends on two things that change is asked again.
    assert not kept.search(reaching("from w costs both(x, w.toll)"))


def test_cells_are_gone_on_from_by_their_price_if_it_does_not_matter_whence_one_comes() -> None:
    waiting = re.compile(r"alloca \[9 x i64\].*alloca \[9 x i64\]", re.S)
    assert waiting.search(reaching("costs price(x)"))
    assert not waiting.search(reaching("from w costs both(x, w.toll)"))


def test_what_is_counted_for_an_inner_loop_is_kept() -> None:
    same = "count(x in Grid where x.toll = n)"
    other = "count(x in Grid where x.toll = n + c.toll)"
    kept = re.compile(r"alloca \[\d+ x i8\]")
    assert kept.search(offering("c in Grid, n in 0..2", f"{same} > c.toll"))
    assert not kept.search(offering("c in Grid, n in 0..2", f"{other} > 1"))


# ---- facts/routes.py and emit/reaching.py


def test_searches_for_the_same_share_a_function() -> None:
    search = "reach(me.spot within {} through x costs price(x))"
    lines = [
        f"action try1(c in {search.format('2')})", "    a += 1",
        f"action try2(y in {search.format('small')})", "    a += 1",
        "action try3(y in reach(me.spot within 2 through x costs x.toll))", "    a += 1",
        "play", "    change()", "    turns", "        choose try1 or try2 or try3",
    ]  # fmt: skip
    found = program(*lines)
    names = re.findall(r"^define [^\n]*@(reach\d+)\(", emit_module(found), re.M)
    assert len(names) == 2
    for entry, name in enumerate([names[0], names[0], names[1]]):
        assert re.findall(r"@(reach\d+)\(", code_of(generator(found, entry), found)) == [name]


def test_where_steps_are_counted_a_search_is_made_in_place() -> None:
    line = "    total := count(c in reach(P1.spot within 3 through x costs price(x)))"
    assert "@reach" not in emit_module(program("play", "    change()", line))


def test_a_search_that_asks_for_itself_is_made_in_place() -> None:
    lines = [
        "function far(c: Grid, n: int): int = count(",
        "    y in reach(c within n through x costs far(x, n - 1)) where n > 0)",
        "action try1(c in reach(me.spot within 2 through x costs far(x, 1)))", "    a += 1",
        "play", "    change()", "    turns", "        choose try1",
    ]  # fmt: skip
    # It is recursive, so nobody knows how long it takes, and its steps are counted.
    assert "@reach" not in emit_module(program(*lines))


# ---- emit/offers.py


def test_four_options_are_written_at_once() -> None:
    assert "load <4 x i64>" in offering("c in Grid", "c.mark is none")


@pytest.mark.parametrize("action", ["c in Grid, n in 1..2", "c in deck", "n in small..8"])
def test_only_single_constants_wait_for_others(action: str) -> None:
    name = action[0]
    test = {"c": "b > 2", "n": "a < n"}[name]
    assert "load <4 x i64>" not in offering(action, test)


# ---- emit/sure.py and facts/conditions.py

LOOKING = [
    "action spend(p in players)", "    {}", "    p.gold -= {}", "play", "    change()",
    "    looking ahead", "        P1 chooses spend",
]  # fmt: skip


def sure_targets(when: str, amount: str) -> int:
    """How many options of the block lead to its end, whatever the state."""
    lines = [line.format(when) if "{}" in line and "gold" not in line else line for line in LOOKING]
    lines = [line.format(amount) if "{}" in line else line for line in lines if line.strip()]
    found = program(*lines)
    ways = Ways(Unit(found, looks=True))
    targets = {entry.target.position for menu in found.menus for entry in menu.entries}
    return sum(ways.of_target(target) is not None for target in targets)


def test_an_option_that_cannot_fail_is_not_tried_out() -> None:
    assert sure_targets("when p.gold >= 3", "3") == 1
    assert sure_targets("when 3 <= p.gold", "2") == 1


def test_an_option_that_may_fail_is_tried_out() -> None:
    assert sure_targets("", "1") == 0  # there may be none left
    assert sure_targets("when p.gold >= 2", "3") == 0  # the condition says too little
    assert sure_targets("when p.gold >= 3", "a") == 0


# ---- facts/writes.py


def test_only_what_a_sealed_block_can_write_is_saved() -> None:
    lines = ["    sealed for p", "        p chooses n in 0..3", "        p.gold := n"]
    found = program("play", "    change()", *lines)
    saved = {cell for first, size in writes.sealed(found) for cell in range(first, first + size)}
    cells = {each.name: each for each in found.layout.variables}
    gold, toll = cells["gold"], cells["toll"]
    assert set(range(gold.address, gold.address + gold.size)) <= saved
    assert not set(range(toll.address, toll.address + toll.size)) & saved


def test_of_sealed_choices_only_those_made_are_copied() -> None:
    sealed = ["    sealed for p", "        p chooses n in 0..3", "        p.gold := n"]
    opened = ["    P1 chooses n in 0..3", "    a := n"]
    with_room, without = (program("play", "    change()", *each) for each in (sealed, opened))
    for found, whole in ((with_room, False), (without, True)):
        copied = code_of("copy_state", found)
        assert (f"i64 {8 * found.layout.size}," in copied) == whole
        assert (f"i64 {found.layout.sealed_capacity})" in copied) != whole


def test_a_playout_finds_the_options_of_a_state_that_has_just_come_to_a_stop() -> None:
    found = program("play", "    change()", "    P1 chooses n in 0..3", "    a := n")
    assert "i64 -1)" in code_of("playout_here", found)  # any state: nobody knows them
    assert "i64 -1)" not in code_of("playout_on", found)


def test_sealed_bodies_are_carried_out_at_once_unless_something_is_tried_out() -> None:
    sealed = ["    sealed for p", "        p chooses n in 0..3", "        p.gold := n"]
    ahead = ["    looking ahead", "        P1 chooses n in 0..3", "        P1.gold := n"]
    direct = re.compile(rf" = or i64 %\S+, {DIRECT}\n")
    assert direct.search(code_of("run", program("play", "    change()", *sealed)))
    assert not direct.search(code_of("run", program("play", "    change()", *sealed, *ahead)))


def test_only_decisions_inside_sealed_blocks_look_for_sealed_choices() -> None:
    sealed = ["    sealed for p", "        p chooses n in 0..3", "        p.gold := n"]
    opened = ["    P1 chooses n in 0..3", "    P1.gold := n"]
    one = code_of("run", program("play", "    change()", *sealed, *opened))
    two = code_of("run", program("play", "    change()", *sealed, *sealed, *opened))
    assert (one.count("@draw_sealed("), two.count("@draw_sealed(")) == (1, 2)


@pytest.mark.parametrize(
    ("steps", "few"),
    [
        ("c.mark := P1\nc.toll := 2", True),
        ("for each n in 1..2\n    c.toll := n", True),
        ("for each n in 1..3\n    c.toll := n mod 3", False),
        ("for each n in 1..a\n    c.toll := 2", False),
        ("c.toll := slow(a) mod 3", False),  # what calls itself could write any number of times
        ("c.toll := (1 after change())", False),
        ("move top(deck) to pile", False),
        ("c.toll := 1\na := b", True),
        ('say "{c}"', False),
        ("a := b", False),  # one cell is all that it can write
    ],
)
def test_a_trial_keeps_what_is_written_if_that_is_little(steps: str, few: bool) -> None:
    lines = ["procedure mend(c: Grid)", *(f"    {line}" for line in steps.split("\n"))]
    tried = ["    P1 chooses c in Grid where (a1.toll > 0 after mend(c))", "    mend(c)"]
    text = emit_module(program(*lines, "play", "    change()", *tried))
    assert ("@keeping_" in text) == few
    assert ("@put_back(ptr %m" in text) == few


# ---- tables of rays, which the lowering makes


def loops_of(size: str) -> set[str]:
    text = f'game "T"\nplayers 2\nboard Wide: square {size}\nthe game has\n    n: int\nplay\n'
    text += "    for each d in WideDirection\n        n += count(x in ray(a1, d))\n"
    found = interpreter.load_text(text).program
    return {type(op).__name__ for op in operations(tuple(found.code))} & {"While", "Lookup"}


def test_rays_are_looked_up_unless_there_would_be_too_much_to_keep() -> None:
    assert loops_of("5 by 5") == {"Lookup"}
    assert "While" in loops_of("90 by 90")


def test_there_is_no_search_left_to_find() -> None:
    """A search is one operation; nobody has to know it by its parts."""
    lines = ["    for each c in reach(a1 within 2 through x costs 1)", "        a += 1"]
    found = program("play", "    change()", *lines)
    searches = [op for op in operations(tuple(found.code)) if isinstance(op, ops.Reach)]
    assert len(searches) == 1
    assert not any(isinstance(op, ops.While) for op in operations(tuple(found.code)))
