"""Many games a step at a time, for learning: actions in, rows and masks and rewards out.

This code is the same for every game. It is given the functions of a game's own code and tables of
numbers (`native/steps.py` writes them), and finds what `spaces/` finds in Python.
"""

from __future__ import annotations

from interpreter.play.native.emit import context, seeing
from interpreter.play.native.emit.runtime import (
    DECLARATIONS,
    random_at,
    random_below,
    random_number,
)
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.emit.told import emit_who
from interpreter.play.pieces import CONTENTS
from interpreter.play.spaces import columns
from interpreter.play.spaces.actions import COPY, NO_ACTION, PLACE, VALUE
from interpreter.program.layout import (
    DECISION,
    MENU,
    OVER,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    WINNERS,
)  # fmt: skip

# A job: where everything lies. What a game has is one after the other for all of them.
(
    OPTIONS, TAKE, START, CONTEXT, SIZE, PLAYERS, COUNT, STATES, CHOSEN, SEEDS, SEED_STEP,
    ROWS, ROW_WIDTH, BLANK, MASKS, MASK_WIDTH, REWARDS, DONE, SEATS, ERRORS, MENUS, VERBS, PARTS,
    PART_COUNT, KINDS, BY_SCORE, SCORES, JUDGED, ROW, CHOICE_WIDTH, NUMBERS, RESTS, REST_WIDTH,
    STREAM, KEPT, KEPT_WIDTH, MANY, JOB_SIZE,
) = range(38)  # fmt: skip
# A verb: its first number, how many places it has, how many arguments, and where they begin.
FIRST, PLACES, ARGUMENTS, DIGITS, VERB_SIZE = range(5)
# An argument, as `actions.Digit` has it.
(
    FORM, KIND, LOW, HIGH, BOUNDED, OPTIONAL, STRIDE, MARKS, MARK_COUNT, DIGIT_SIZE,
) = range(10)  # fmt: skip
# A menu: how many entries it has, and where it says which verbs they are and how wide.
ENTRIES, ENTRY_TABLE, MENU_SIZE = range(3)
# The options of a game are kept until it is stepped: how many, or -1 if there was no room for them;
# then for each its number, its entry and its values.
KEPT_NUMBER, KEPT_ENTRY, KEPT_VALUES = range(3)
NOT_OFFERED = context.INVALID + 1  # what was chosen is no option here
NO_GAME = context.INVALID + 2  # nobody has anything to decide in a new game


def emit_steps() -> str:
    parts = [
        random_number(), random_below(), emit_who(), *seeing.emit_seeing(), _told(), _scan(),
        _keep(), _find(), _clear(), _show(), _begin(), _pay(), _one(), _step(), _reset(), _sample(),
    ]  # fmt: skip
    return "\n".join([*parts, DECLARATIONS])


def _field(fn: Fn, name: int, type_: str = I64) -> str:
    return fn.load("%job", name, type_)


def _byte(fn: Fn, base: str, index: str, value: int) -> None:
    place = fn.op(f"getelementptr inbounds i8, ptr {base}, i64 {index}")
    fn.line(f"store i8 {value}, ptr {place}, align 1")


# ---- options as numbers


def _told() -> str:
    """`i64 told(kinds, m, digit, value)`."""
    fn = Fn("told", I64, [(PTR, "kinds"), (PTR, "m"), (PTR, "digit"), (I64, "value")])
    form, bounded = fn.load("%digit", FORM), fn.load("%digit", BOUNDED)
    with fn.when(fn.compare("eq", form, VALUE)):
        low, high = fn.load("%digit", LOW), fn.load("%digit", HIGH)
        counted = fn.sub(seeing.clamped(fn, "%value", low, high), low)
        fn.ret(fn.select(fn.compare("ne", bounded, 0), counted, "%value"))
    with fn.when(fn.compare("slt", "%value", 0)):
        fn.ret("0")
    kind = fn.at("%kinds", fn.mul(fn.load("%digit", KIND), seeing.KIND_SIZE))
    rows, more = fn.load(kind, seeing.KIND_ROWS, PTR), fn.load("%digit", OPTIONAL)
    row = fn.load(rows, "%value")
    where = fn.load("%m", fn.add(fn.load(kind, seeing.KIND_WHERE), "%value"))
    position = fn.load("%m", fn.add(fn.load(kind, seeing.KIND_POSITION), "%value"))
    with fn.when(fn.compare("eq", form, PLACE)):
        before = fn.load(fn.load(kind, seeing.KIND_BEFORE, PTR), where)
        fn.ret(fn.add(fn.add(before, position), more))
    with fn.when(fn.compare("eq", form, COPY)):
        first = fn.load(fn.load(kind, seeing.KIND_INSTANCES, PTR), where)
        cells = fn.at("%m", fn.add(first, CONTENTS))
        found = fn.variable(fn.mul(row, fn.load(kind, seeing.KIND_COPIES)))
        with fn.count(0, position) as index:
            other = fn.load(rows, fn.load(cells, index))
            same = fn.widen(fn.compare("eq", other, row))
            fn.set(found, fn.add(fn.get(found), same))
        fn.ret(fn.add(fn.get(found), more))
    copied = fn.load(fn.load(kind, seeing.KIND_COPIED, PTR), row)
    marks, found = fn.load("%digit", MARKS, PTR), fn.variable(row)
    with fn.count(0, fn.load("%digit", MARK_COUNT)) as index:
        mark = fn.at(marks, fn.mul(index, seeing.MARK_WIDTH))

        def as_digit(mark: str = mark) -> None:
            here = fn.mul(seeing.marked(fn, "%m", mark, "%value"), copied)
            size = fn.load(mark, seeing.MARK_SIZE)
            fn.set(found, fn.add(fn.mul(fn.get(found), size), here))

        def mixed(mark: str = mark) -> None:
            here = random_at(fn, fn.get(found), seeing.kept_for(fn, "%m", mark, "%value"))
            fn.set(found, fn.select(fn.compare("ne", copied, 0), here, fn.get(found)))

        fn.choose(fn.compare("ne", bounded, 0), as_digit, mixed)
    fn.ret(fn.add(fn.get(found), more))
    return fn.text()


def _scan() -> str:
    """`scan(job, m, n, kept)`: give each of the options on the arena its number, and keep them."""
    fn = Fn("scan", VOID, [(PTR, "job"), (PTR, "m"), (I64, "n"), (PTR, "kept")])
    menu = fn.at(_field(fn, MENUS, PTR), fn.mul(fn.load("%m", MENU), MENU_SIZE))
    ends = fn.load(_field(fn, CONTEXT, PTR), context.TOP, PTR)
    row = fn.variable(fn.at(ends, fn.load(menu, ENTRIES)), PTR)
    table = fn.load(menu, ENTRY_TABLE, PTR)
    index = fn.variable("0")
    fn.store("%kept", 0, "%n")
    with fn.count(0, fn.load(menu, ENTRIES)) as entry:
        end, first = fn.load(ends, entry), fn.get(index)
        pair = fn.at(table, fn.mul(entry, 2))
        verb = fn.at(_field(fn, VERBS, PTR), fn.mul(fn.load(pair), VERB_SIZE))
        width = fn.load(pair, 1)
        with fn.loop(lambda end=end: fn.compare("slt", fn.get(index), end)):  # type: ignore[misc]
            now, here = fn.get(index), fn.get(row, PTR)
            option = _option(fn, "%kept", now)
            fn.store(option, KEPT_NUMBER, _number(fn, verb, here, now, first))
            fn.store(option, KEPT_ENTRY, entry)
            with fn.count(0, width) as part:
                fn.store(option, fn.add(part, KEPT_VALUES), fn.load(here, part))
            fn.set(index, fn.add(now, 1))
            fn.set(row, fn.at(here, width), PTR)
    fn.ret()
    return fn.text()


def _option(fn: Fn, kept: str, index: str) -> str:
    width = fn.add(_field(fn, CHOICE_WIDTH), KEPT_VALUES)
    return fn.at(kept, fn.add(fn.mul(index, width), 1))


def _keep() -> str:
    """`ptr keep(job, index, m, n)`: the options on the arena, where they are kept for a game; if
    they are too many for that, where all games can keep some, until the next does."""
    fn = Fn("keep", PTR, [(PTR, "job"), (I64, "index"), (PTR, "m"), (I64, "n")])
    room, mine = _field(fn, KEPT_WIDTH), _of(fn, KEPT, "%index", _field(fn, KEPT_WIDTH), I64)
    kept = fn.variable(mine, PTR)
    width = fn.add(_field(fn, CHOICE_WIDTH), KEPT_VALUES)
    with fn.when(fn.compare("sge", fn.mul("%n", width), room), rare=True):
        fn.store(mine, 0, -1)
        fn.set(kept, _field(fn, MANY, PTR), PTR)
    found = fn.get(kept, PTR)
    fn.call("scan", VOID, f"{PTR} %job", f"{PTR} %m", "i64 %n", f"{PTR} {found}")
    fn.ret(found)
    return fn.text()


def _number(fn: Fn, verb: str, row: str, index: str, first: str) -> str:
    """The number of the option at a row: its digits, and where it has no digits for everything
    its place among the options of its entry, which begin with the first, that agree in them."""
    found, rest = fn.variable("0"), fn.variable("0")
    places, digits = fn.load(verb, PLACES), fn.load(verb, DIGITS, PTR)
    rests = fn.at(_field(fn, RESTS, PTR), fn.mul(index, _field(fn, REST_WIDTH)))
    with fn.count(0, fn.load(verb, ARGUMENTS)) as argument:
        digit = fn.at(digits, fn.mul(argument, DIGIT_SIZE))
        given = (f"{PTR} {_field(fn, KINDS, PTR)}", f"{PTR} %m", f"{PTR} {digit}")
        told = fn.call("told", I64, *given, f"i64 {fn.load(row, argument)}")
        stride = fn.load(digit, STRIDE)
        fn.set(found, fn.add(fn.get(found), fn.mul(told, stride)))
        with fn.when(fn.compare("eq", stride, 0)):
            fn.store(rests, fn.get(rest), told)
            fn.set(rest, fn.add(fn.get(rest), 1))
    start, number = fn.load(verb, FIRST), fn.get(found)
    result = fn.variable(fn.add(start, number))
    with fn.when(fn.compare("sgt", places, 1)):
        fn.set(result, _placed(fn, number, index, first, rests, fn.get(rest)))
        place = fn.get(result)
        whole = fn.add(fn.add(start, fn.mul(number, places)), place)
        offered = fn.compare("slt", place, places)
        fn.set(result, fn.select(offered, whole, NO_ACTION))
    return fn.get(result)


def _placed(fn: Fn, number: str, index: str, first: str, rests: str, width: str) -> str:
    """Which one it is of the options that agree in all digits: equal ones have the same place."""
    numbers, place = _field(fn, NUMBERS, PTR), fn.variable("0")
    fixed = fn.variable("-1")
    with fn.count(first, index) as other:
        pair = fn.at(numbers, fn.mul(other, 2))
        with fn.when(fn.compare("eq", fn.load(pair), number)):
            theirs = fn.at(_field(fn, RESTS, PTR), fn.mul(other, _field(fn, REST_WIDTH)))
            differ = fn.variable("0")
            with fn.count(0, width) as part:
                one = fn.compare("ne", fn.load(theirs, part), fn.load(rests, part))
                fn.set(differ, fn.either(fn.get(differ), fn.widen(one)))
            there = fn.load(pair, 1)
            after = fn.compare("sge", there, fn.get(place))
            fn.set(place, fn.select(after, fn.add(there, 1), fn.get(place)))
            same = fn.compare("eq", fn.get(differ), 0)
            fn.set(fixed, fn.select(same, there, fn.get(fixed)))
    known = fn.compare("sge", fn.get(fixed), 0)
    found = fn.select(known, fn.get(fixed), fn.get(place))
    mine = fn.at(numbers, fn.mul(index, 2))
    fn.store(mine, 0, number)
    fn.store(mine, 1, found)
    return found


def _mark(fn: Fn, kept: str, mask: str, value: int) -> None:
    """Set the mask of all options that are kept, or clear it."""
    with fn.count(0, fn.load(kept)) as index:
        number = fn.load(_option(fn, kept, index), KEPT_NUMBER)
        with fn.when(fn.compare("sge", number, 0)):
            _byte(fn, mask, number, value)


def _find() -> str:
    """`i64 find(job, kept, wanted)`: 1 if an action is offered; the first option that it means is
    in `ROW` then. Else 0."""
    fn = Fn("find", I64, [(PTR, "job"), (PTR, "kept"), (I64, "wanted")])
    with fn.when(fn.compare("slt", "%wanted", 0), rare=True):
        fn.ret("0")
    width = _field(fn, CHOICE_WIDTH)
    with fn.count(0, fn.load("%kept")) as index:
        option = _option(fn, "%kept", index)
        with fn.when(fn.compare("eq", fn.load(option, KEPT_NUMBER), "%wanted"), rare=True):
            fn.copy(_field(fn, ROW, PTR), fn.at(option, KEPT_ENTRY), fn.add(width, 1))
            fn.ret("1")
    fn.ret("0")
    return fn.text()


# ---- one game


def _of(fn: Fn, field: int, index: str, width: str, type_: str) -> str:
    """What an array has for a game."""
    number = fn.mul(index, width)
    return fn.op(f"getelementptr inbounds {type_}, ptr {_field(fn, field, PTR)}, i64 {number}")


def _clear() -> str:
    """`ptr clear(job, index)`: the mask of a game, with nothing marked. Masks can be long, so where
    the options are kept only those are cleared."""
    fn = Fn("clear", PTR, [(PTR, "job"), (I64, "index")])
    width = _field(fn, MASK_WIDTH)
    mask = _of(fn, MASKS, "%index", width, "i8")
    kept = _of(fn, KEPT, "%index", _field(fn, KEPT_WIDTH), I64)
    fn.choose(
        fn.compare("sge", fn.load(kept), 0),
        lambda: _mark(fn, kept, mask, 0),
        lambda: fn.line(f"call void @llvm.memset.p0.i64(ptr {mask}, i8 0, i64 {width}, i1 false)"),
    )
    fn.store(kept, 0, 0)
    fn.ret(mask)
    return fn.text()


def _show() -> str:
    """`i64 show(job, index, m)`: whoever decides, what it sees and what it can do. -1 after a
    failure. The game has just come to a stop, so that the options lie there already."""
    fn = Fn("show", I64, [(PTR, "job"), (I64, "index"), (PTR, "m")])
    c, status = _field(fn, CONTEXT, PTR), fn.load("%m", STATUS)
    sealed = fn.compare("eq", status, SEALING)
    seat, found = fn.variable(fn.load("%m", SEAT)), fn.variable(fn.load(c, context.COUNT))
    seen, turn = fn.variable("%m", PTR), fn.variable(fn.add(fn.load("%m", SEAT), 1))
    with fn.when(sealed):
        free = fn.op(f"xor i64 {fn.load('%m', SEALED_DONE)}, -1")
        first = fn.op(f"call i64 @llvm.cttz.i64(i64 {free}, i1 false)")
        fn.set(seat, first)
        fn.set(found, _options(fn, "%m", first))
        fn.set(seen, fn.load(c, context.BASE, PTR), PTR)
        fn.set(turn, fn.add(_field(fn, PLAYERS), 1))
    with fn.when(fn.compare("sle", fn.get(found), 0), rare=True):
        fn.ret("-1")
    who, m = fn.get(seat), fn.get(seen, PTR)
    fn.store(_of(fn, SEATS, "%index", "1", I64), 0, who)
    mask = fn.call("clear", PTR, f"{PTR} %job", "i64 %index")
    given = (f"{PTR} %job", "i64 %index", f"{PTR} {m}", f"i64 {fn.get(found)}")
    _mark(fn, fn.call("keep", PTR, *given), mask, 1)
    width = _field(fn, ROW_WIDTH)
    row = _of(fn, ROWS, "%index", width, "i32")
    size = fn.op(f"shl i64 {width}, 2")
    fn.line(
        f"call void @llvm.memcpy.p0.p0.i64(ptr align 4 {row}, ptr align 4 "
        f"{_field(fn, BLANK, PTR)}, i64 {size}, i1 false)"
    )
    for column, value in (
        (columns.SEAT, who),
        (columns.TURN, fn.get(turn)),
        (columns.ACTING, "1"),
        (columns.DECISION, fn.add(fn.load(m, MENU), 1)),
    ):
        seeing.put(fn, row, column, value)
    parts = (f"{PTR} {_field(fn, PARTS, PTR)}", f"i64 {_field(fn, PART_COUNT)}")
    eyes = (f"{PTR} {_field(fn, KINDS, PTR)}", f"{PTR} {m}", f"i64 {who}", f"{PTR} {row}")
    fn.call("see", VOID, *parts, *eyes, "i64 0")
    fn.ret("0")
    return fn.text()


def _options(fn: Fn, m: str, seat: str) -> str:
    c = _field(fn, CONTEXT, PTR)
    return fn.op(f"call i64 {_field(fn, OPTIONS, PTR)}({PTR} {m}, {PTR} {c}, i64 {seat})")


def _begin() -> str:
    """`begin(job, index, m)`: a new game with its next seed. If it has none, nobody decides."""
    fn = Fn("begin", VOID, [(PTR, "job"), (I64, "index"), (PTR, "m")])
    c, place = _field(fn, CONTEXT, PTR), _of(fn, SEEDS, "%index", "1", I64)
    seed = fn.load(place)
    fn.store(place, 0, fn.add(seed, _field(fn, SEED_STEP)))
    bad = fn.op(f"call i64 {_field(fn, START, PTR)}({PTR} %m, {PTR} {c}, i64 {seed}, i64 0)")
    error = fn.variable(str(NO_GAME))
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.set(error, fn.load(c, context.ERROR))
    status = fn.load("%m", STATUS)
    asks = [fn.compare("eq", status, each) for each in (DECISION, SEALING)]
    well = fn.compare("sge", bad, 0)
    with fn.when(fn.op(f"and i1 {well}, {fn.op(f'or i1 {asks[0]}, {asks[1]}')}")):
        shown = fn.call("show", I64, f"{PTR} %job", "i64 %index", f"{PTR} %m")
        with fn.when(fn.compare("sge", shown, 0)):
            fn.ret()
        fn.set(error, fn.load(c, context.ERROR))
    fn.store(_of(fn, ERRORS, "%index", "1", I64), 0, fn.get(error))
    fn.store(_of(fn, SEATS, "%index", "1", I64), 0, -1)
    fn.call("clear", PTR, f"{PTR} %job", "i64 %index")
    fn.ret()
    return fn.text()


def _pay() -> str:
    """`pay(job, m, rewards)`: what a game that is over was worth (`spaces/rewards.py`)."""
    fn = Fn("pay", VOID, [(PTR, "job"), (PTR, "m"), (PTR, "rewards")])
    players, won = _field(fn, PLAYERS), fn.load("%m", WINNERS)
    scored = fn.compare("ne", _field(fn, BY_SCORE), 0)
    all_ = fn.sub(fn.op(f"shl i64 1, {players}"), 1)
    judged = fn.compare("ne", _field(fn, JUDGED), 0)
    drawn = fn.op(f"and i1 {judged}, {fn.compare('eq', won, all_)}")
    drawn = fn.op(f"or i1 {drawn}, {fn.compare('eq', won, 0)}")
    with fn.count(0, players) as seat:
        bit = fn.both(fn.op(f"lshr i64 {won}, {seat}"), 1)
        outcome = fn.select(drawn, 0, fn.sub(fn.mul(bit, 2), 1))
        score = fn.load("%m", fn.add(_field(fn, SCORES), seat))
        value = fn.op(f"sitofp i64 {fn.select(scored, score, outcome)} to float")
        place = fn.op(f"getelementptr inbounds float, ptr %rewards, i64 {seat}")
        fn.line(f"store float {value}, ptr {place}, align 4")
    fn.ret()
    return fn.text()


def _one() -> str:
    """`one(job, index)`: take the chosen action in one game, and go on to the next decision."""
    fn = Fn("one", VOID, [(PTR, "job"), (I64, "index")])
    m = fn.at(_field(fn, STATES, PTR), fn.mul("%index", _field(fn, SIZE)))
    c, players = _field(fn, CONTEXT, PTR), _field(fn, PLAYERS)
    error = _of(fn, ERRORS, "%index", "1", I64)
    rewards = _of(fn, REWARDS, "%index", players, "float")
    size = fn.op(f"shl i64 {players}, 2")
    fn.line(f"call void @llvm.memset.p0.i64(ptr {rewards}, i8 0, i64 {size}, i1 false)")
    _byte(fn, _field(fn, DONE, PTR), "%index", 0)
    fn.store(error, 0, 0)
    seat = fn.load(_of(fn, SEATS, "%index", "1", I64))
    chosen = fn.load(_of(fn, CHOSEN, "%index", "1", I64))
    with fn.when(fn.compare("slt", seat, 0), rare=True):
        fn.store(error, 0, NO_GAME)
        fn.ret()
    refused, failed, ended = fn.label(), fn.label(), fn.label()
    kept = fn.variable(_of(fn, KEPT, "%index", _field(fn, KEPT_WIDTH), I64), PTR)
    with fn.when(fn.compare("slt", fn.load(fn.get(kept, PTR)), 0), rare=True):
        found = _options(fn, m, seat)
        with fn.when(fn.compare("sle", found, 0), rare=True):
            fn.goto(failed)
        sealed = fn.compare("eq", fn.load(m, STATUS), SEALING)
        base = fn.load(c, context.BASE, PTR)
        seen = fn.op(f"select i1 {sealed}, {PTR} {base}, {PTR} {m}")
        fn.set(kept, _field(fn, MANY, PTR), PTR)
        given = (f"{PTR} {seen}", f"i64 {found}", f"{PTR} {fn.get(kept, PTR)}")
        fn.call("scan", VOID, f"{PTR} %job", *given)
    known = fn.call("find", I64, f"{PTR} %job", f"{PTR} {fn.get(kept, PTR)}", f"i64 {chosen}")
    with fn.when(fn.compare("eq", known, 0), rare=True):
        fn.goto(refused)
    row = [f"{PTR} {m}", f"{PTR} {c}", f"{PTR} {_field(fn, ROW, PTR)}", f"i64 {seat}"]
    row.append(f"i64 {context.UNKNOWN_MENU}")
    bad = fn.op(f"call i64 {_field(fn, TAKE, PTR)}({', '.join(row)})")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.goto(failed)
    with fn.when(fn.compare("eq", fn.load(m, STATUS), OVER)):
        fn.call("pay", VOID, f"{PTR} %job", f"{PTR} {m}", f"{PTR} {rewards}")
        fn.goto(ended)
    shown = fn.call("show", I64, f"{PTR} %job", "i64 %index", f"{PTR} {m}")
    with fn.when(fn.compare("slt", shown, 0), rare=True):
        fn.goto(failed)
    fn.ret()
    fn.place(refused)
    fn.store(error, 0, NOT_OFFERED)
    fn.ret()
    fn.place(failed)
    fn.store(error, 0, fn.load(c, context.ERROR))
    fn.place(ended)
    _byte(fn, _field(fn, DONE, PTR), "%index", 1)
    fn.call("begin", VOID, f"{PTR} %job", "i64 %index", f"{PTR} {m}")
    fn.ret()
    return fn.text()


# ---- all of them


def _step() -> str:
    """`step(job, first, n)`."""
    fn = Fn("step", I64, [(PTR, "job"), (I64, "first"), (I64, "n")], exported=True)
    with fn.count(0, "%n") as number:
        fn.call("one", VOID, f"{PTR} %job", f"i64 {fn.add('%first', number)}")
    fn.ret("0")
    return fn.text()


def _reset() -> str:
    """`reset(job, first, n)`: begin all games anew."""
    fn = Fn("reset", I64, [(PTR, "job"), (I64, "first"), (I64, "n")], exported=True)
    with fn.count(0, "%n") as number:
        index = fn.add("%first", number)
        m = fn.at(_field(fn, STATES, PTR), fn.mul(index, _field(fn, SIZE)))
        fn.store(_of(fn, ERRORS, index, "1", I64), 0, 0)
        fn.call("begin", VOID, f"{PTR} %job", f"i64 {index}", f"{PTR} {m}")
    fn.ret("0")
    return fn.text()


def _sample() -> str:
    """`sample(job, first, n, key)`: choose one of the actions that are offered, at random; -1 where
    there is none. Each game has a stream of its own."""
    head = [(PTR, "job"), (I64, "first"), (I64, "n"), (I64, "key")]
    fn = Fn("sample", I64, head, exported=True)
    width, stream = _field(fn, MASK_WIDTH), _field(fn, STREAM, PTR)
    with fn.count(0, "%n") as number:
        index = fn.add("%first", number)
        mask = _of(fn, MASKS, index, width, "i8")

        def offered(action: str, mask: str = mask) -> str:
            place = fn.op(f"getelementptr inbounds i8, ptr {mask}, i64 {action}")
            return fn.op(f"zext i8 {fn.op(f'load i8, ptr {place}, align 1')} to i64")

        total, found = fn.variable("0"), fn.variable("-1")
        with fn.count(0, width) as action:
            fn.set(total, fn.add(fn.get(total), offered(action)))
        with fn.when(fn.compare("sgt", fn.get(total), 0)):
            fn.store(stream, 0, random_at(fn, "%key", index))
            fn.store(stream, 1, 0)
            left = fn.call("draw", I64, f"{PTR} {stream}", f"i64 {fn.get(total)}")
            rest = fn.variable(fn.add(left, 1))
            with fn.loop(lambda rest=rest: fn.compare("sgt", fn.get(rest), 0)):  # type: ignore[misc]
                fn.set(found, fn.add(fn.get(found), 1))
                fn.set(rest, fn.sub(fn.get(rest), offered(fn.get(found))))
        fn.store(_of(fn, CHOSEN, index, "1", I64), 0, fn.get(found))
    fn.ret("0")
    return fn.text()
