"""A learned policy in native code: the same keys and sums as `play/policy.py`.

This code is the same for every game: what it looks at stands in the list it is given.
"""

from __future__ import annotations

from interpreter.play import policy
from interpreter.play.chance import signed
from interpreter.play.native.emit.contexts import (
    NOTHING,
    PASSED,
    SEAT,
    STATE,
    WORDS,
    block_of,
    can_name,
    emit_contexts,
    kind_of,
    push,
    records,
    relative,
    tell,
    word,
)
from interpreter.play.native.emit.runtime import random_at
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.program.layout import MENU

MOST_CROSSED = 64


def emit_policy() -> list[str]:
    return [
        *emit_contexts(), _argument(), _indexed(), _offset(), _run(), _around(), _keys(), _sum(),
        _weigh(),
    ]  # fmt: skip


def _argument() -> str:
    """`i64 argument(words, m, seat, argument, value, base, single, cell)`: how it is told; the
    cell of a board that it is or lies on is put where `cell` points."""
    head = [WORDS, STATE, SEAT, (I64, "argument"), (I64, "value"), (I64, "base")]
    fn = Fn("argument", I64, [*head, (PTR, "single"), (PTR, "cell")])
    fn.store("%cell", 0, -1)
    form = word(fn, "%argument", policy.ARG_FORM)
    with fn.when(fn.compare("eq", form, policy.NUMBER)):
        fn.ret(fn.call("rounded", I64, "i64 %value"))
    plain = fn.compare("eq", form, policy.NAMED)
    with fn.when(fn.op(f"or i1 {plain}, {fn.compare('slt', '%value', 0)}")):
        fn.ret("%value")
    with fn.when(fn.compare("eq", form, policy.PLAYER)):
        fn.ret(relative(fn, "%value"))
    with fn.when(fn.compare("eq", form, policy.ON_BOARD)):
        fn.store("%cell", 0, "%value")
        fn.ret("%value")
    number = word(fn, "%argument", policy.ARG_KIND)
    kind = kind_of(fn, number)
    where = fn.load("%m", fn.add(word(fn, kind, policy.KIND_WHERE), "%value"))
    homes = word(fn, fn.add(word(fn, block_of(fn), policy.HOMES), number))
    home = fn.add(homes, fn.mul(where, 2))
    with fn.when(fn.compare("eq", form, policy.BY_PLACE)):
        fn.store("%cell", 0, word(fn, home, 1))
        position = fn.load("%m", fn.add(word(fn, kind, policy.KIND_POSITION), "%value"))
        fn.ret(random_at(fn, word(fn, home), position))
    row = word(fn, fn.add(word(fn, kind, policy.KIND_ROWS), "%value"))
    unknown = fn.op(f"xor i1 {can_name(fn, kind, '%value')}, true")
    with fn.when(unknown):
        fn.ret(row)
    fn.store("%cell", 0, word(fn, home, 1))
    push(fn, "%single", random_at(fn, "%base", random_at(fn, row, -1)), policy.MOST_KEYS)
    found = fn.variable(random_at(fn, row, word(fn, home)))
    with fn.count(0, word(fn, kind, policy.MARK_COUNT)) as mark:
        given = (*PASSED, f"i64 {kind}", f"i64 {mark}", "i64 %value")
        told = fn.call("mark", I64, *given)
        with fn.when(fn.compare("ne", told, NOTHING)):
            fn.set(found, random_at(fn, fn.get(found), told))
            what = random_at(fn, "%base", fn.sub(-2, mark))
            push(fn, "%single", random_at(fn, what, told), policy.MOST_KEYS)
    fn.ret(fn.get(found))
    return fn.text()


def _indexed() -> str:
    """`indexed(words, m, seat, argument, value, base, single)`."""
    head = [WORDS, STATE, SEAT, (I64, "argument"), (I64, "value"), (I64, "base")]
    fn = Fn("indexed", VOID, [*head, (PTR, "single")])
    where = (policy.ARG_CELLS, policy.ARG_CELL_COUNT)
    with records(fn, "%argument", *where, policy.INDEXED) as cell:
        steps = fn.sub("%value", word(fn, cell, policy.INDEX_LOW))
        far = fn.mul(steps, word(fn, cell, policy.INDEX_STRIDE))
        at = fn.add(word(fn, cell, policy.INDEX_AT), far)
        with fn.when(fn.compare("ne", fn.load("%m", at), word(fn, cell, policy.INDEX_USUAL))):
            form, more = (word(fn, cell, each) for each in (policy.INDEX_FORM, policy.INDEX_MORE))
            told = tell(fn, form, more, at)
            with fn.when(fn.compare("ne", told, NOTHING)):
                name = fn.op(f"xor i64 %base, {word(fn, cell, policy.INDEX_NAME)}")
                push(fn, "%single", random_at(fn, name, told), policy.MOST_KEYS)
    fn.ret()
    return fn.text()


def _offset() -> str:
    """`i64 offset(words, board, start, end)`."""
    fn = Fn("offset", I64, [WORDS, (I64, "board"), (I64, "start"), (I64, "end")])
    spots = word(fn, "%board", policy.BOARD_SPOTS)
    first, last = (fn.add(spots, fn.mul(each, 2)) for each in ("%start", "%end"))
    parts: list[str] = []
    for way in range(2):
        far = fn.sub(word(fn, last, way), word(fn, first, way))
        low = fn.op(f"call i64 @llvm.smin.i64(i64 {far}, i64 {policy.FARTHEST})")
        near = fn.op(f"call i64 @llvm.smax.i64(i64 {low}, i64 {-policy.FARTHEST})")
        parts.append(fn.add(near, policy.FARTHEST))
    fn.ret(fn.add(fn.mul(parts[0], 64), parts[1]))
    return fn.text()


def _far(fn: Fn, start: str, end: str) -> str:
    given = (f"{PTR} %words", "i64 %board", f"i64 {start}", f"i64 {end}")
    return fn.call("offset", I64, *given)


def _run() -> str:
    """`i64 run(words, m, seat, board, layer, cell, way, long)`: what lies on the next cell; on
    how many from there on is put where `long` points."""
    head = [WORDS, STATE, SEAT, (I64, "board"), (I64, "layer"), (I64, "cell"), (I64, "way")]
    fn = Fn("run", I64, [*head, (PTR, "long")])
    steps, ways = (word(fn, "%board", each) for each in (policy.BOARD_STEPS, policy.BOARD_WAYS))
    base, stride, form, more, usual = (
        word(fn, "%layer", each)
        for each in (
            policy.INDEX_AT, policy.INDEX_STRIDE, policy.INDEX_FORM, policy.INDEX_MORE,
            policy.INDEX_USUAL,
        )
    )  # fmt: skip
    cell, first = fn.variable("%cell"), fn.variable("-3")
    fn.store("%long", 0, 0)
    with fn.count(0, policy.LONGEST_RUN) as number:
        fn.set(cell, word(fn, fn.add(fn.add(steps, fn.mul(fn.get(cell), ways)), "%way")))
        now = fn.get(cell)
        with fn.when(fn.compare("slt", now, 0)):
            fn.ret(fn.get(first))
        at = fn.add(base, fn.mul(now, stride))
        lies = fn.variable("-1")
        with fn.when(fn.compare("ne", fn.load("%m", at), usual)):
            told = tell(fn, form, more, at)
            fn.set(lies, fn.select(fn.compare("eq", told, NOTHING), -2, told))
        other = fn.compare("ne", fn.get(lies), fn.get(first))
        with fn.when(fn.op(f"and i1 {fn.compare('ne', number, 0)}, {other}")):
            fn.ret(fn.get(first))
        fn.set(first, fn.get(lies))
        fn.store("%long", 0, fn.add(number, 1))
    fn.ret(fn.get(first))
    return fn.text()


def _around() -> str:
    """`around(words, m, seat, board, cell, base, single)`."""
    head = [WORDS, STATE, SEAT, (I64, "board"), (I64, "cell"), (I64, "base")]
    fn = Fn("around", VOID, [*head, (PTR, "single")])
    spots = fn.add(word(fn, "%board", policy.BOARD_SPOTS), fn.mul("%cell", 2))
    for part in range(2):
        what = random_at(fn, "%base", -40 - part)
        push(fn, "%single", random_at(fn, what, word(fn, spots, part)), policy.MOST_KEYS)
    where = (policy.BOARD_ANCHORS, policy.BOARD_ANCHOR_COUNT)
    with records(fn, "%board", *where, 2) as anchor:
        stands = fn.load("%m", word(fn, anchor, 1))
        with fn.when(fn.compare("sge", stands, 0)):
            name = fn.op(f"xor i64 %base, {word(fn, anchor)}")
            far = _far(fn, stands, "%cell")
            push(fn, "%single", random_at(fn, name, far), policy.MOST_KEYS)
    long = fn.slot()
    layers = (policy.BOARD_LAYERS, policy.BOARD_LAYER_COUNT)
    with records(fn, "%board", *layers, policy.INDEXED) as layer:
        name = fn.op(f"xor i64 %base, {word(fn, layer, policy.INDEX_NAME)}")
        with fn.count(0, word(fn, "%board", policy.BOARD_WAYS)) as way:
            given = (*PASSED, "i64 %board", f"i64 {layer}", "i64 %cell", f"i64 {way}")
            first = fn.call("run", I64, *given, f"{PTR} {long}")
            seen = fn.add(fn.mul(first, 8), fn.get(long))
            push(fn, "%single", random_at(fn, random_at(fn, name, -2), seen), policy.MOST_KEYS)
            push(fn, "%single", random_at(fn, random_at(fn, name, way), first), policy.MOST_KEYS)
    fn.ret()
    return fn.text()


def _keys() -> str:
    """`keys(words, m, seat, entry, row, crossed, single)`: two lists that begin with their
    lengths."""
    head = [WORDS, STATE, SEAT, (I64, "entry"), (PTR, "row"), (PTR, "crossed"), (PTR, "single")]
    fn = Fn("keys", VOID, head)
    fn.store("%crossed", 0, 0)
    fn.store("%single", 0, 0)
    menu = fn.add(word(fn, policy.MENUS), fn.mul(fn.load("%m", MENU), 3))
    number = fn.add(word(fn, menu, 1), "%entry")
    entry = word(fn, fn.add(word(fn, block_of(fn), policy.ENTRIES), number))
    name, width = word(fn, entry, policy.ENTRY_NAME), word(fn, entry, policy.ENTRY_WIDTH)
    push(fn, "%crossed", name, MOST_CROSSED)
    whole, before, cell = fn.variable(name), fn.variable("-1"), fn.slot()
    with fn.count(0, width) as index:
        more = fn.add(fn.mul(index, policy.ARGUMENT), policy.ENTRY_ARGUMENTS)
        argument = fn.add(entry, more)
        value, base = fn.load("%row", index), random_at(fn, name, index)
        given = (*PASSED, f"i64 {argument}", f"i64 {value}", f"i64 {base}", f"{PTR} %single")
        told = fn.call("argument", I64, *given, f"{PTR} {cell}")
        push(fn, "%crossed", random_at(fn, base, told), MOST_CROSSED)
        fn.set(whole, random_at(fn, fn.get(whole), told))
        with fn.when(fn.compare("sge", value, 0)):
            fn.call("indexed", VOID, *given)
        board, here = word(fn, argument, policy.ARG_BOARD), fn.get(cell)
        there = fn.op(f"and i1 {fn.compare('ne', board, 0)}, {fn.compare('sge', here, 0)}")
        with fn.when(there):
            with fn.when(fn.compare("sge", fn.get(before), 0)):
                spots = (f"i64 {board}", f"i64 {fn.get(before)}", f"i64 {here}")
                far = fn.call("offset", I64, f"{PTR} %words", *spots)
                push(fn, "%single", random_at(fn, base, far), policy.MOST_KEYS)
            spot = (f"i64 {board}", f"i64 {here}", f"i64 {base}", f"{PTR} %single")
            fn.call("around", VOID, *PASSED, *spot)
            fn.set(before, here)
    with fn.when(fn.compare("sgt", width, 1)):
        push(fn, "%crossed", fn.get(whole), MOST_CROSSED)
    fn.ret()
    return fn.text()


def place_of(fn: Fn, context: str, key: str, shift: str) -> str:
    """Where the weight of a pair lies in the table."""
    mixed = fn.mul(fn.op(f"xor i64 {context}, {key}"), signed(policy.MIX))
    return fn.op(f"lshr i64 {mixed}, {shift}")


def _sum() -> str:
    """`i64 sum(weights, shift, contexts, count, key)`."""
    head = [(PTR, "weights"), (I64, "shift"), (PTR, "contexts"), (I64, "count"), (I64, "key")]
    fn = Fn("sum", I64, head)
    total = fn.variable("0")
    with fn.count(0, "%count") as number:
        place = place_of(fn, fn.load("%contexts", number), "%key", "%shift")
        at = fn.op(f"getelementptr inbounds i8, ptr %weights, i64 {place}")
        weight = fn.op(f"sext i8 {fn.op(f'load i8, ptr {at}, align 1')} to i64")
        fn.set(total, fn.add(fn.get(total), weight))
    fn.ret(fn.get(total))
    return fn.text()


def _weigh() -> str:
    """`weigh(words, m, seat, rows, entries, count, out)`: how much each option is to be preferred,
    in 1/1024 nats. Options that follow each other often share keys."""
    head = [WORDS, STATE, SEAT, (PTR, "rows"), (PTR, "entries"), (I64, "count"), (PTR, "out")]
    fn = Fn("weigh", VOID, head, exported=True)
    found = fn.slot(f"[{policy.MOST_CONTEXTS + 1} x i64]")
    crossed, last, sums = (fn.slot(f"[{MOST_CROSSED + 1} x i64]") for _ in range(3))
    single = fn.slot(f"[{policy.MOST_KEYS + 1} x i64]")
    fn.call("contexts", VOID, *PASSED, f"{PTR} {found}")
    fn.clear(last, 0, MOST_CROSSED + 1)
    fn.clear(sums, 0, MOST_CROSSED + 1)
    weights, shift = fn.load("%words", policy.WEIGHTS, PTR), word(fn, policy.SHIFT)
    contexts, many = fn.at(found, 1), fn.load(found)
    table = (f"{PTR} {weights}", f"i64 {shift}", f"{PTR} {contexts}")
    with fn.count(0, "%count") as option:
        entry, row = fn.load("%entries", option), fn.load("%rows", option, PTR)
        given = (f"i64 {entry}", f"{PTR} {row}", f"{PTR} {crossed}", f"{PTR} {single}")
        fn.call("keys", VOID, *PASSED, *given)
        total = fn.variable("0")
        with fn.count(0, fn.load(crossed)) as number:
            place = fn.add(number, 1)
            key = fn.load(crossed, place)
            with fn.when(fn.compare("ne", key, fn.load(last, place))):
                fn.store(last, place, key)
                fn.store(sums, place, fn.call("sum", I64, *table, f"i64 {many}", f"i64 {key}"))
            fn.set(total, fn.add(fn.get(total), fn.load(sums, place)))
        with fn.count(0, fn.load(single)) as number:
            key = fn.load(single, fn.add(number, 1))
            more = fn.call("sum", I64, *table, "i64 1", f"i64 {key}")
            fn.set(total, fn.add(fn.get(total), more))
        scaled = fn.mul(fn.get(total), word(fn, policy.SCALE))
        fn.store("%out", option, fn.op(f"ashr i64 {scaled}, {policy.FINER}"))
    fn.ret()
    return fn.text()
