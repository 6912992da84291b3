"""Shortcuts for options that are tried out, and for rounds that nothing can come of.

As in test_native_shortcuts.py: each is taken on a tiny ruleset, and not on another, as like it as
can be, on which it would be wrong. Then both machines offer the same, whatever was remembered.
"""

from __future__ import annotations

from typing import Any

import pytest
from test_native_floods import HEAD, game, offering
from test_native_shortcuts import code_of, generator

import interpreter
from interpreter.embedding import Game, load
from interpreter.play.native.emit import possible, statements
from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.module import emit_module
from interpreter.play.native.facts import sets
from interpreter.play.native.facts.copies import without_copies
from interpreter.play.native.facts.shape import Steps, steps_of
from interpreter.play.native.facts.told import Keys
from interpreter.play.native.facts.watched import Watch, Watched
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.resources import rulesets_folder

PLAY = "play\n    turns\n        choose try1"
SAFE = """
function isSafe(p: Player) = not any(x in Grid where x.stone is p and not hasRoom(x))
"""


def watched(found: Program) -> dict[str, Watch]:
    known = Watched(steps_of(found)).functions
    return {found.functions[number].name: watch for number, watch in known.items()}


def trying(*lines: str) -> Program:
    return game(*lines, PLAY).program


# ---- facts/watched.py


def test_what_a_trial_asks_is_known_from_before() -> None:
    found = offering("(hasRoom(c) and a < 9 after put(c, me))")
    assert "hasRoom" in watched(found)
    assert "@watched_" in emit_module(found)


def test_in_a_trial_of_a_trial_nothing_is_remembered() -> None:
    twice = "function fits(c: Grid) = (hasRoom(c) after put(c, P1))"
    action = "action try1(c in Grid)\n    when (fits(c) after put(a1, P2))\n    put(c, me)"
    assert watched(trying(twice, action)) == {}


def test_what_is_short_is_asked_at_once() -> None:
    short = "function isDear(c: Grid) = c.toll > 3"
    action = "action try1(c in Grid)\n    when (isDear(c) after put(c, me))\n    put(c, me)"
    assert "isDear" not in watched(trying(short, action))


@pytest.mark.parametrize(
    ("asked", "one_by_one"),
    [
        ("not any(x in Grid where x.stone is p and not hasRoom(x))", True),
        ("every(x in Grid has x.stone is not p or hasRoom(x))", True),
        ("count(x in Grid where x.stone is p and not hasRoom(x)) = 0", False),  # it goes on
        ("not any(x in Grid where hasRoom(x)) or a > 3", False),  # there is more to it
    ],
)
def test_elements_of_a_list_are_asked_one_by_one(asked: str, one_by_one: bool) -> None:
    function = f"function isSafe(p: Player): bool = {asked}"
    action = "action try1(c in Grid)\n    when (isSafe(P1) after put(c, me))\n    put(c, me)"
    watch = watched(trying(function, action))["isSafe"]
    assert (watch.elements is not None) == one_by_one


# ---- facts/positions.py


def test_a_position_is_looked_for_by_its_sum() -> None:
    found = offering("(timesSeen(boards) = 0 after put(c, me))")
    assert watched(found)["timesSeen boards"].positions is not None


def test_not_where_a_trial_remembers_positions_itself() -> None:
    keep = "procedure keep(c: Grid)\n    put(c, P1)\n    remember boards"
    action = (
        "action try1(c in Grid)\n    when (timesSeen(boards) = 1 after keep(c))\n    put(c, me)"
    )
    assert watched(trying(keep, action))["timesSeen boards"].positions is None


# ---- facts/sets.py


@pytest.mark.parametrize(
    ("through", "beside", "as_sets"),
    [
        ("z.stone is c.stone", "w.stone is none", True),
        ("z.stone is c.stone", "w.toll = 0", False),  # another variable
        ("z.stone is not c.stone", "w.stone is none", False),
        ("z.toll = c.toll", "w.toll = 0", False),  # there are many contents
    ],
)
def test_groups_are_sets_of_bits(through: str, beside: str, as_sets: bool) -> None:
    function = (
        f"function touches(c: Grid) = any(\n    y in region(c through z where {through}),\n"
        f"    w in neighbours(y) where {beside}\n)"
    )
    action = "action try1(c in Grid)\n    when (touches(c) after put(c, me))\n    put(c, me)"
    assert (watched(trying(function, action))["touches"].sets is not None) == as_sets


BESIDE = "z.stone is none and any(x in region(c through y where y.stone is c.stone) where {})"


@pytest.mark.parametrize(
    ("asked", "as_sets"),
    [
        ("any(z in Grid where " + BESIDE.format("x in neighbours(z)") + ")", True),
        ("count(z in Grid where " + BESIDE.format("x in neighbours(z)") + ") > 0", True),
        ("count(z in Grid where " + BESIDE.format("x in neighbours(c)") + ") > 0", False),
        ("count(z in Grid where " + BESIDE.format("x in neighbours(z) or a = 3") + ") > 0", False),
        ("any(z in Grid where z.toll = 0 and " + BESIDE.format("x in neighbours(z)") + ")", False),
    ],
)
def test_it_does_not_matter_from_which_side_a_group_is_asked(asked: str, as_sets: bool) -> None:
    value, _, more = asked.partition(" > ")
    function = f"function beside(c: Grid): {'int' if more else 'bool'} = {value}"
    condition = f"beside(c){' > 0' if more else ''}"
    action = f"action try1(c in Grid)\n    when ({condition} after put(c, me))\n    put(c, me)"
    assert (watched(trying(function, action))["beside"].sets is not None) == as_sets


@pytest.mark.parametrize(("size", "bits"), [(8, 64), (9, 128), (13, 256), (19, 512)])
def test_sets_are_as_wide_as_a_power_of_two(size: int, bits: int) -> None:
    found = load(rulesets_folder() / "classics" / "go.rules", 2, {"size": size}).program
    known = watched(found)["touches"].sets
    assert known is not None and sets.width(known) == bits


# ---- facts/shape.py: what pays as it goes


@pytest.mark.parametrize(("size", "fine"), [(9, False), (19, True)])
def test_where_trials_are_long_loops_pay_for_themselves(size: int, fine: bool) -> None:
    """On a big board all trials together would pay for more steps than there are, though they take
    few of them."""
    found = load(rulesets_folder() / "classics" / "go.rules", 2, {"size": size}).program
    steps = steps_of(found)
    number = next(n for n, each in enumerate(found.functions) if each.name == "touches")
    assert steps.is_fine == fine and steps.pays(number) == fine
    assert "touches" in watched(found)


# ---- facts/sets.py: loops that ask neighbours


ROOM = """
function hasMore(c: Grid, p: Player or none) = any(
    y in region(c through z where z.stone is c.stone),
    w in neighbours(y) where w.stone is p
)
"""


@pytest.mark.parametrize(
    ("asked", "passed_over"),
    [
        (
            "for each x in neighbours(c) where x.stone is next(p)\n        if not hasMore(x, none)",
            True,
        ),
        (
            "for each x in neighbours(c) where x.stone is next(p)\n        if hasMore(x, none)",
            False,
        ),
        (
            "for each x in neighbours(c) where x.stone is not p\n        if not hasMore(x, none)",
            True,
        ),
        # another neighbour decides what is looked for
        (
            "for each x in neighbours(c) where x.stone is next(p)\n"
            "        if not hasMore(x, (a1.stone if x is b1 else none))",
            False,
        ),
        (
            "for each x in neighbours(c)\n"
            "        if x.stone is not none and x.stone is not c.stone and not hasMore(x, none)",
            True,
        ),
        # what is asked first may be a failure
        (
            "for each x in neighbours(c)\n"
            "        if a * a > 3 and x.stone is next(p) and not hasMore(x, none)",
            False,
        ),
        # what is looked for lies beside others
        ("for each x in neighbours(c) where x.stone is p\n        if not hasMore(c, none)", False),
    ],
)
def test_neighbours_are_not_asked_if_all_have_two(asked: str, passed_over: bool) -> None:
    place = f"procedure place(c: Grid, p: Player)\n    c.stone := p\n    {asked}\n"
    place += "            x.stone := none"
    action = (
        "action try1(c in Grid)\n    when (hasMore(c, none) after place(c, me))\n    put(c, me)"
    )
    assert ("@near" in emit_module(trying(ROOM, place, action))) == passed_over


GROUPS = """
group chain(c: Grid) = y in region(c through z where z.stone is c.stone)

function liberties(c: Grid): int = count(y in chain(c), w in neighbours(y) where w.stone is none)
"""


@pytest.mark.parametrize(
    ("asked", "whether"),
    [
        ("liberties(c) > 0", True),
        ("not liberties(c) = 0", True),
        ("liberties(c) >= 1", True),
        ("liberties(c) > 1", False),  # how many there are matters
        ("liberties(c) + a > 0", False),
    ],
)
def test_a_count_is_a_question_where_only_none_matters(asked: str, whether: bool) -> None:
    action = f"action try1(c in Grid)\n    when ({asked} after put(c, me))\n    put(c, me)"
    found = trying(GROUPS, action)
    sets_of = watched(found)["liberties"].sets
    assert sets_of is not None and sets_of.counts
    assert ("@watched_whether_" in emit_module(found)) == whether


def test_copies_are_taken_out_where_nobody_sees_it() -> None:
    one, two, both = ops.Local(1), ops.Local(2), ops.Binary("add", ops.Local(1), ops.Local(2))
    copy = ops.SetLocal(2, one)
    assert without_copies((copy, ops.Return(both))) == (ops.Return(ops.Binary("add", one, one)),)
    for body in (
        (copy, ops.SetLocal(1, ops.Const(3)), ops.Return(both)),  # it is a copy of what was there
        (copy, ops.SetLocal(2, ops.Const(3)), ops.Return(both)),
        (ops.When(one, (copy,), ()), ops.Return(two)),  # somebody else reads it
    ):
        assert without_copies(body) == body


def test_two_steps_to_the_same_cell_are_one() -> None:
    steps = (sets.Step(1, 0b0111), sets.Step(-1, 0b1110), sets.Step(1, 0b1000))
    assert sets.apart(steps) == (sets.Step(1, 0b1111), sets.Step(-1, 0b1110))


@pytest.mark.parametrize(("looked", "counted"), [("w.stone is none", True), ("w.toll = 0", False)])
def test_steps_of_a_group_are_counted_from_its_cells(looked: str, counted: bool) -> None:
    """Where steps count, the answer comes with those that the rules would take."""
    function = (
        "function touches(c: Grid) = any(\n    y in region(c through z where z.stone is c.stone),\n"
        f"    w in neighbours(y) where {looked}\n)"
    )
    action = "action try1(c in Grid)\n    when c.stone is none\n    put(c, me)\n"
    action += "    if touches(c) and a < 9\n        a += 1"
    found = trying(function, action)
    number = next(n for n, each in enumerate(found.functions) if each.name == "touches")
    assert ("llvm.ctpop" in code_of(f"ample_f{number}", found)) == counted


# ---- facts/positions.py: rows that are noted from one enumeration to the next


def test_rows_are_noted_once() -> None:
    found = offering("(timesSeen(boards) = 0 after put(c, me))")
    positions = watched(found)["timesSeen boards"].positions
    assert positions is not None and positions.lasting


def test_rows_that_may_be_put_back_are_noted_each_time() -> None:
    action = "action try1(c in Grid)\n    when (timesSeen(boards) = 0 after put(c, me))\n"
    action += "    put(c, me)\n    remember boards"
    ahead = (
        "play\n    turns\n        looking ahead\n            choose try1\n            choose try1"
    )
    positions = watched(game(action, ahead).program)["timesSeen boards"].positions
    assert positions is not None and not positions.lasting


# ---- facts/told.py


@pytest.mark.parametrize(
    ("near", "told"),
    [
        ("abs(a.row - b.row) + abs(a.column - b.column) = 2 and b.stone is none", True),
        ("b.stone is none and b.toll < 3", False),  # all of it lies on the board
        ("b.toll - 1 = a.toll and a.row = b.row", True),
        ("b in neighbours(a) and b.stone is none", True),
        ("any(x in neighbours(a) where x is b and x.toll = 2)", False),  # it looks at the board
    ],
)
def test_rounds_that_tables_rule_out_are_passed_over(near: str, told: bool) -> None:
    function = f"function isNear(a: Grid, b: Grid): bool = {near}"
    action = "action try1(from in Grid, to in Grid)\n    when isNear(from, to)\n    put(to, me)"
    found = trying(function, action)
    assert ("@rows_" in code_of(generator(found), found)) == told


@pytest.mark.parametrize(
    ("otherwise", "told"),
    [
        ("best = 3", True),
        ("to.toll = 3", False),  # another answer in each round
        ("a * a = 3", False),  # it may fail
    ],
)
def test_what_is_the_same_in_all_rounds_is_asked_before(
    otherwise: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Keys | None] = []
    really = possible.find_keys

    def noting(steps: Steps, loop: ops.CountLoop, rounds: int, bounds: Any) -> Keys | None:
        found.append(really(steps, loop, rounds, bounds))
        return found[-1]

    monkeypatch.setattr(possible, "find_keys", noting)
    action = (
        "action try1(from in Grid, to in Grid)\n    when from.stone is me and to.stone is none\n"
    )
    action += f"    when to in neighbours(from) or {otherwise}\n    put(to, me)"
    emit_module(trying(action))
    assert any(keys is not None and keys.steady for keys in found) == told


def test_a_round_that_may_fail_is_not_passed_over() -> None:
    """The first part may be too big a number wherever the second does not hold."""
    near = "b1 in neighbours(a1)"
    function = f"function isNear(a1: Grid, b1: Grid): bool = a * a > 3 and {near}"
    action = "action try1(from in Grid, to in Grid)\n    when isNear(from, to)\n    put(to, me)"
    other = "action other\n    a += 1"
    whole = game(function, action, other, f"{PLAY} or other")
    assert "@rows_" in emit_module(whole.program)
    engine, machine = whole.native, whole.machine
    assert engine is not None
    m = machine.start(1)
    address = next(each.address for each in whole.program.layout.variables if each.name == "a")
    m[address] = 1 << 62
    for backend in (engine.options, lambda m: machine.options(m, None)):
        with pytest.raises(Exception, match="RR601"):
            backend(m)


# ---- emit/rounds.py


@pytest.mark.parametrize(
    ("condition", "at_once"),
    [
        ("c.stone is none", True),
        ("c.toll = c.column", False),  # another content for each cell
    ],
)
def test_contents_of_all_cells_are_compared_at_once(condition: str, at_once: bool) -> None:
    action = f"action try1(c in Grid)\n    when {condition}\n    when hasRoom(c)\n    put(c, me)"
    found = trying(action)
    assert ("<8 x i64>" in code_of(generator(found), found)) == at_once


# ---- emit/at_once.py


@pytest.mark.parametrize(
    ("condition", "at_once"),
    [
        ("any(x in neighbours(c) where x.stone is none)", True),
        ("any(x in neighbours(c) where x.toll + a > 3)", False),  # it may fail
        ("any(x in neighbours(c) where hasRoom(x))", False),  # it may take long
    ],
)
def test_few_are_asked_at_once(
    condition: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    really = statements.ask_at_once

    def noting(code: Code, loop: ops.CountLoop, low: int, high: int) -> None:
        if code.emitting is not None:
            asked.append(high - low)
        really(code, loop, low, high)

    monkeypatch.setattr(statements, "ask_at_once", noting)
    action = f"action try1(c in Grid)\n    when {condition}\n    put(c, me)"
    emit_module(trying(action))
    assert bool(asked) == at_once


# ---- and all of it changes nothing


def go_through(whole: Game) -> None:
    engine, machine = whole.native, whole.machine
    assert engine is not None
    for seed in range(6):
        m = machine.start(seed)
        for number in range(30):
            options = machine.options(m, None)
            assert engine.options(m) == options
            if not options:
                break
            choice, native = options[(seed * 7 + number * 5) % len(options)], m[:]
            machine.take(m, choice, None)
            engine.take(native, choice)
            assert native == m


def test_both_machines_offer_the_same() -> None:
    go_through(
        game(
            SAFE,
            "function far(x: Grid, y: Grid): bool = abs(x.row - y.row) = 2 and y.stone is none",
            "action try1(c in Grid)\n    when c.stone is none",
            "    when (hasRoom(c) and timesSeen(boards) = 0 after put(c, me))",
            "    put(c, me)\n    remember boards",
            "action leap(from in Grid where from.stone is me, to in Grid)",
            "    when far(from, to) and (isSafe(me) and isSafe(next(me)) after put(to, me))",
            "    from.stone := none\n    put(to, me)\n    remember boards",
            "action other\n    a += 1",
            "play\n    turns\n        choose try1 or leap or other",
        )
    )


def test_both_machines_offer_the_same_steps_and_leaps() -> None:
    go_through(
        game(
            "action try1(c in Grid)\n    when c.stone is none and a < 9",
            "    c.stone := me\n    a += 1",
            "action go(from in Grid, to in Grid)",
            "    when from.stone is me and to.stone is none",
            "    when to in neighbours(from) or best in 2..3 or a = 7",
            "    from.stone := none\n    to.stone := me\n    best := (best + 1) mod 5",
            "play\n    turns\n        choose try1 or go",
        )
    )


def test_both_machines_count_the_same() -> None:
    go_through(
        game(
            GROUPS,
            "action try1(c in Grid)\n    when c.stone is none",
            "    when (liberties(c) > 0 and liberties(c) != 3 after put(c, me))",
            "    put(c, me)\n    a += liberties(c)",
            "action other\n    a += 1",
            "play\n    turns\n        choose try1 or other",
        )
    )


def test_whole_games_come_out_the_same_where_rows_are_written_over() -> None:
    """The history has room for nine positions, so that after nine stones each is written over the
    oldest."""
    text = [
        "action try1(c in Grid)\n    when c.stone is none",
        "    when (hasRoom(c) and timesSeen(boards) = 0 after put(c, me))",
        "    put(c, me)\n    remember boards",
        "action other\n    a += 1",
        "play\n    turns\n        choose try1 or other\n        if a = 12\n            end game",
    ]
    whole = game(*text)
    assert whole.native is not None
    found = whole.native.results(whole.native.playouts(range(40)))
    plain = interpreter.load_text(HEAD + "\n" + "\n".join(text) + "\n", backend="reference")
    assert found == plain.playouts(range(40))
