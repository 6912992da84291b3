"""What is called from outside: one step of a game, and whole games, many at a time.

These functions have the plain C calling convention. They give 0, a number, or -1 after a
failure, which stands in the context then.
"""

from __future__ import annotations

from interpreter.play.chance import BOT_SEEDS
from interpreter.play.native.emit import context
from interpreter.play.native.emit.blind import is_played_blindly
from interpreter.play.native.emit.code import PASSED, Unit
from interpreter.play.native.emit.menus import ALL, call_generator
from interpreter.play.native.emit.runtime import pick_option
from interpreter.play.native.emit.sealed import book, broken, by_menu, room_for_copy, row_of
from interpreter.play.native.emit.text import AS_IT_IS, I64, PTR, SHORTLY, VOID, Fn
from interpreter.play.native.emit.valid import check_state
from interpreter.program import ops
from interpreter.program.layout import (
    CHANCE,
    DECIDED,
    DECISION,
    KEY,
    LOOK,
    MENU,
    MODE,
    MOVES,
    OVER,
    PC,
    SEALED_DONE,
    SEALING,
    SEAT,
    STATUS,
    STEPS,
    STOP_AT_CHANCE,
    TOTAL_STEPS,
    WINNERS,
)  # fmt: skip

_STATE = [(f"{PTR} noalias", "m"), (f"{PTR} noalias", "c")]
_TAKE = [*_STATE, (PTR, "row"), (I64, "seat")]
_OPTIONS = [*_STATE, (I64, "seat")]
_PLAYOUT = [*_STATE, (I64, "seed")]
# A row of results: the failure and its spot, winners, moves, steps, then the scores.
RESULT_ERROR, RESULT_AT, RESULT_WINNERS, RESULT_MOVES, RESULT_STEPS, RESULT_SCORES = range(6)


def emit_loops(unit: Unit) -> None:
    emitters = (
        _start, _take, _options, _take_outcome, _outcomes, _go_on, _game, _playout, _playouts,
        _count, _pick, _starts, _take_option, _copy, _total,
    )  # fmt: skip
    for emit in emitters:
        unit.texts.append(emit(unit))
    unit.texts += [_playing_on("playout_here"), _playing_on("playout_on")]
    unit.texts.append(_checked("take", _TAKE, f"i64 {context.UNKNOWN_MENU}"))
    for name, head in (("options", _OPTIONS), ("playout", _PLAYOUT)):
        unit.texts.append(_checked(name, head))


def _checked(name: str, head: list[tuple[str, str]], *more: str) -> str:
    """The same for a state from outside, which is looked over first."""
    fn = Fn(name, I64, head, exported=True, attributes=AS_IT_IS)
    _open(fn)
    check_state(fn)
    given = (f"{type_.split()[0]} %{param}" for type_, param in head)
    fn.ret(_c_call(fn, f"{name}_here", *given, *more))
    return fn.text()


def _open(fn: Fn) -> None:
    """Every call from outside starts with no failure and an empty arena."""
    fn.store("%c", context.ERROR, 0)
    fn.store("%c", context.AT, -1)
    fn.store("%c", context.SEARCHING, 0)
    fn.store("%c", context.LOG, 0)
    fn.store("%c", context.CALLS, fn.add(fn.load("%c", context.CALLS), 1))
    fn.store("%c", context.TOP, fn.load("%c", context.BASE, PTR), PTR)


def _run(fn: Fn, pc: str | int, sim: str = "false") -> str:
    return fn.call("run", I64, PASSED, f"i64 {pc}", "i64 0", f"i1 {sim}")


def _begin(unit: Unit, fn: Fn, seed: str, mode: str) -> None:
    image = [0] * unit.program.layout.size
    for address, content in unit.program.initial:
        image[address] = content
    rows = ", ".join(f"i64 {content}" for content in image)
    if not any(text.startswith("@image ") for text in unit.texts):
        unit.texts.append(f"@image = internal constant [{len(image)} x i64] [{rows}]")
    fn.copy("%m", "@image", len(image))
    fn.store("%m", KEY, fn.call("number", I64, f"i64 {seed}", "i64 0"))
    fn.store("%m", MODE, mode)


def _start(unit: Unit) -> str:
    fn = Fn("start", I64, [*_STATE, (I64, "seed"), (I64, "mode")], exported=True)
    _open(fn)
    _begin(unit, fn, "%seed", "%mode")
    fn.ret(_run(fn, unit.program.start.position))
    return fn.text()


def _take(unit: Unit) -> str:
    """`take_here(m, c, row, seat, menu)`: answer a decision; `row` is an entry and its values. The
    state is one that this code has made. Who knows the menu of a sealed choice says it."""
    fn = Fn("take_here", I64, [*_TAKE, (I64, "menu")], exported=True)
    _open(fn)
    book(unit, fn)
    if unit.sealed:
        with fn.when(fn.compare("eq", fn.load("%m", STATUS), SEALING)):
            given = (f"{PTR} %row", "i64 %seat", "i64 %menu", "i1 false")
            fn.ret(fn.call("record", I64, PASSED, *given))
    fn.store("%m", DECIDED, fn.add(fn.load("%m", DECIDED), 1))
    menu = fn.load("%m", MENU)
    fn.store("%m", SEAT, 0)
    fn.store("%m", MENU, 0)
    for number, label in by_menu(unit, fn, menu).items():
        fn.place(label)
        pc = fn.call(f"take{number}", I64, PASSED, f"{PTR} %row")
        fn.ret(_run(fn, pc))
    return fn.text()


def _options(unit: Unit) -> str:
    """`options_here(m, c, seat)`: how many options there are; they lie at the top of the arena.
    For a sealed choice the state they refer to lies at its base."""
    fn = Fn("options_here", I64, _OPTIONS, exported=True)
    _open(fn)
    status = fn.load("%m", STATUS)
    if unit.sealed:
        with fn.when(fn.compare("eq", status, SEALING)):
            copy = room_for_copy(unit, fn)
            given = (PASSED, f"{PTR} {copy}", "i64 %seat", "i64 0")
            bad = fn.call("scratch", I64, *given)
            with fn.when(fn.compare("slt", bad, 0), rare=True):
                fn.ret("-1")
            with fn.when(fn.compare("ne", fn.load(copy, STATUS), DECISION)):
                fn.ret("0")
            fn.ret(fn.load("%c", context.COUNT))
    with fn.when(fn.compare("ne", status, DECISION)):
        fn.ret("0")
    stops = {pc: op for pc, op in enumerate(unit.program.code) if isinstance(op, ops.Decide)}
    labels = {pc: fn.label() for pc in stops}
    lost = fn.label()
    fn.switch(fn.load("%m", PC), lost, labels)
    fn.place(lost)
    broken(fn)
    area = "%area"
    for pc, op in stops.items():
        fn.place(labels[pc])
        area = fn.load("%c", context.TOP, PTR)
        found = fn.call(
            f"find{op.menu}", I64, PASSED, f"{PTR} {area}", "i64 0", f"i64 {op.at}", ALL
        )
        if any(isinstance(each, ops.LookAhead) for each in unit.program.code):
            with fn.when(fn.compare("ne", fn.load("%m", LOOK), 0)):
                with fn.when(fn.compare("slt", found, 0), rare=True):
                    fn.ret("-1")
                options = (f"{PTR} {area}", f"i64 {found}", "i64 0")
                fn.ret(fn.call(f"filter{op.menu}", I64, PASSED, *options))
        fn.ret(found)
    return fn.text()


def _outcomes(unit: Unit) -> str:
    """`outcomes(m, c)`: how many outcomes chance has; pairs of weight and value."""
    fn = Fn("outcomes", I64, _STATE, exported=True, attributes=AS_IT_IS)
    _open(fn)
    check_state(fn)
    stops = {pc: op for pc, op in enumerate(unit.program.code) if isinstance(op, ops.Chance)}
    labels = {pc: fn.label() for pc in stops}
    lost = fn.label()
    fn.switch(fn.load("%m", PC), lost, labels)
    for pc, op in stops.items():
        fn.place(labels[pc])
        area = fn.load("%c", context.TOP, PTR)
        found = call_generator(unit, fn, op.generator, f"{PTR} {area}", "i64 0", ALL)
        with fn.when(fn.compare("slt", found, 0), rare=True):
            fn.call("locate", VOID, f"{PTR} %c", f"i64 {op.at}")
        fn.ret(found)
    fn.place(lost)
    broken(fn)
    return fn.text()


def _take_outcome(unit: Unit) -> str:
    fn = Fn("take_outcome", I64, [*_STATE, (I64, "outcome")], exported=True, attributes=AS_IT_IS)
    _open(fn)
    check_state(fn)
    stops = {pc: op for pc, op in enumerate(unit.program.code) if isinstance(op, ops.Chance)}
    labels = {pc: fn.label() for pc in stops}
    lost = fn.label()
    fn.switch(fn.load("%m", PC), lost, labels)
    for pc, op in stops.items():
        fn.place(labels[pc])
        fn.store("%m", op.address, "%outcome")
        fn.store("%m", MENU, 0)
        fn.ret(_run(fn, pc + 1))
    fn.place(lost)
    broken(fn)
    return fn.text()


def _go_on(unit: Unit) -> str:
    fn = Fn("go_on", I64, _STATE, exported=True, attributes=AS_IT_IS)
    _open(fn)
    check_state(fn)
    fn.ret(_run(fn, fn.load("%m", PC)))
    return fn.text()


# ---- whole games


def _game(unit: Unit) -> str:
    """Random choices from here to the end of the game; the streams are in the context."""
    fn = Fn("game", I64, [*_STATE, (I64, "pc")])
    if is_played_blindly(unit):
        chance = fn.op(f"icmp eq {PTR} {fn.load('%c', context.PICK, PTR)}, null")
        with fn.when(chance):
            fn.ret(fn.call("blind", I64, PASSED, "i64 %pc", "i64 0"))
    bad = fn.variable(_run(fn, "%pc", "true"))
    if unit.sealed:
        with fn.loop(lambda: _still_sealed(fn, bad)):
            fn.set(bad, fn.call("sealed_random", I64, PASSED))
    fn.ret(fn.get(bad))
    return fn.text()


def _still_sealed(fn: Fn, bad: str) -> str:
    sealing = fn.compare("eq", fn.load("%m", STATUS), SEALING)
    well = fn.compare("sge", fn.get(bad), 0)
    return fn.op(f"and i1 {sealing}, {well}")


def _streams(unit: Unit, fn: Fn, seed: str) -> None:
    """The streams of random bots: they depend on the seed and the seat only."""
    mixed = fn.op(f"xor i64 {seed}, {BOT_SEEDS}")
    start = fn.call("number", I64, f"i64 {mixed}", "i64 0")
    for seat in range(unit.program.players):
        key = fn.call("number", I64, f"i64 {start}", f"i64 {seat}")
        fn.store("%c", context.KEYS + 2 * seat, key)
        fn.store("%c", context.KEYS + 2 * seat + 1, 0)


def _playout(unit: Unit) -> str:
    """`playout_from(m, c, seed, known)`: go on from a stop with random choices to the end of the
    game. `known`: how many options lie on the arena already; -1 if that is not known."""
    fn = Fn("playout_from", I64, [*_PLAYOUT, (I64, "known")], attributes="noinline")
    _open(fn)
    _streams(unit, fn, "%seed")
    fn.store("%m", MODE, fn.both(fn.load("%m", MODE), ~STOP_AT_CHANCE))
    status = fn.load("%m", STATUS)
    with fn.when(fn.compare("eq", status, OVER)):
        fn.ret("0")
    with fn.when(fn.compare("eq", status, CHANCE)):  # it is asked for again, but not paid twice
        fn.store("%m", STEPS, fn.sub(fn.load("%m", STEPS), 1))
        fn.store("%m", MENU, 0)
        fn.ret(fn.call("game", I64, PASSED, f"i64 {fn.load('%m', PC)}"))
    if unit.sealed:
        with fn.when(fn.compare("eq", status, SEALING)):
            blind = fn.op(f"icmp eq ptr {fn.load('%c', context.PICK, PTR)}, null")
            quick = fn.compare("eq", fn.load("%c", context.PLAIN), 0)
            with fn.when(fn.op(f"and i1 {blind}, {quick}")):  # all choices at once: see sealed.py
                chosen = fn.call("all_seats", I64, PASSED, "i64 0")
                with fn.when(fn.compare("slt", chosen, 0), rare=True):
                    fn.ret("-1")
                fn.store("%m", STEPS, 0)
                fn.ret(fn.call("game", I64, PASSED, f"i64 {fn.load('%m', PC)}"))
            bad = fn.variable("0")
            with fn.loop(lambda: _still_sealed(fn, bad)):
                fn.set(bad, fn.call("sealed_random", I64, PASSED))
            fn.ret(fn.get(bad))
    seat, menu = fn.load("%m", SEAT), fn.load("%m", MENU)
    with fn.when(fn.compare("uge", seat, unit.program.players), rare=True):
        broken(fn)
    options = fn.variable("%known")
    with fn.when(fn.compare("slt", "%known", 0)):
        fn.set(options, _c_call(fn, "options_here", PASSED, "i64 0"))
    found = fn.get(options)
    with fn.when(fn.compare("slt", found, 0), rare=True):
        fn.ret("-1")
    with fn.when(fn.compare("eq", found, 0), rare=True):
        broken(fn)
    area = fn.load("%c", context.TOP, PTR)
    picked = pick_option(fn, "%m", seat, found, sealed=False)
    with fn.when(fn.compare("slt", picked, 0), rare=True):
        fn.ret("0")
    book(unit, fn)
    fn.store("%m", DECIDED, fn.add(fn.load("%m", DECIDED), 1))
    fn.store("%m", SEAT, 0)
    fn.store("%m", MENU, 0)
    for number, label in by_menu(unit, fn, menu).items():
        fn.place(label)
        given = (PASSED, f"{PTR} {area}", f"i64 {picked}")
        pc = fn.call(f"enter{number}", I64, *given)
        fn.ret(fn.call("game", I64, PASSED, f"i64 {pc}"))
    return fn.text()


def _playing_on(name: str) -> str:
    """`playout_here(m, c, seed)`: of a state that this code has made. `playout_on(m, c, seed)`: of
    one that has just come to a stop, so that its options lie on the arena."""
    fn = Fn(name, I64, _PLAYOUT, exported=True)
    known = fn.load("%c", context.COUNT) if name == "playout_on" else "-1"
    fn.ret(fn.call("playout_from", I64, PASSED, "i64 %seed", f"i64 {known}"))
    return fn.text()


def _playouts(unit: Unit) -> str:
    """`playouts(c, m, seeds, first, n, results, states)`: whole games from their start. Without
    `seeds` they count on from `first`. `states` is null, or takes the last states."""
    program = unit.program
    width = RESULT_SCORES + program.players
    head = [(f"{PTR} noalias", "c"), (f"{PTR} noalias", "m"), (f"{PTR} noalias", "seeds")]
    head += [(I64, "first"), (I64, "n"), (f"{PTR} noalias", "results"), (PTR, "states")]
    fn = Fn("playouts", I64, head, exported=True)
    keep = fn.op("icmp ne ptr %states, null")
    listed = fn.op("icmp ne ptr %seeds, null")
    bad = fn.slot()
    with fn.count(0, "%n") as index:
        slot = fn.variable(fn.add("%first", index))
        with fn.when(listed):
            fn.set(slot, fn.load("%seeds", index))
        seed = fn.get(slot)
        fn.set(bad, _whole_game(unit, fn, seed))
        if unit.sealed:  # see sealed.py
            with fn.when(fn.compare("slt", fn.get(bad), 0), rare=True):
                fn.store("%c", context.PLAIN, 1)
                fn.set(bad, _whole_game(unit, fn, seed))
                fn.store("%c", context.PLAIN, 0)
        row = fn.at("%results", fn.mul(index, width))
        failed = fn.compare("slt", fn.get(bad), 0)
        fn.store(row, RESULT_ERROR, fn.select(failed, fn.load("%c", context.ERROR), 0))
        fn.store(row, RESULT_AT, fn.load("%c", context.AT))
        fn.store(row, RESULT_WINNERS, fn.load("%m", WINNERS))
        fn.store(row, RESULT_MOVES, fn.load("%m", MOVES))
        # How far a move had come that broke down is nobody's business.
        last = fn.select(failed, 0, fn.load("%m", STEPS))
        fn.store(row, RESULT_STEPS, fn.add(fn.load("%m", TOTAL_STEPS), last))
        for seat in range(program.players):
            score = fn.load("%m", program.layout.scores + seat)
            fn.store(row, RESULT_SCORES + seat, score)
        with fn.when(keep):
            place = fn.at("%states", fn.mul(index, program.layout.size))
            fn.copy(place, "%m", program.layout.size)
    fn.ret("0")
    return fn.text()


def _whole_game(unit: Unit, fn: Fn, seed: str) -> str:
    _open(fn)
    _streams(unit, fn, seed)
    _begin(unit, fn, seed, "0")
    return fn.call("game", I64, PASSED, f"i64 {unit.program.start.position}")


# ---- many states at once, for learning


def _count(unit: Unit) -> str:
    """`count(c, states, n, counts)`: how many options each state has for who decides first;
    at a stop for chance, how many outcomes; 0 when a game is over, -1 when it has failed."""
    head = [(f"{PTR} noalias", "c"), (PTR, "states"), (I64, "n"), (PTR, "counts")]
    fn = Fn("count", I64, head, exported=True, attributes=AS_IT_IS)
    with fn.count(0, "%n") as index:
        state = fn.at("%states", fn.mul(index, unit.program.layout.size))
        seat = _first_seat(unit, fn, state)
        given = (f"{PTR} {state}", f"{PTR} %c")
        number = fn.variable("0")
        chance = fn.compare("eq", fn.load(state, STATUS), CHANCE)
        fn.choose(
            chance,
            lambda given=given: fn.set(number, _c_call(fn, "outcomes", *given)),  # type: ignore[misc]
            lambda given=given, seat=seat: fn.set(  # type: ignore[misc]
                number, _c_call(fn, "options", *given, f"i64 {seat}")
            ),
        )
        fn.store("%counts", index, fn.get(number))
    fn.ret("0")
    return fn.text()


def _c_call(fn: Fn, name: str, *given: str) -> str:
    return fn.op(f"call i64 @{name}({', '.join(given)})")


def _first_seat(unit: Unit, fn: Fn, state: str) -> str:
    """Who decides, or while choices are sealed the first who is not done."""
    free = fn.op(f"xor i64 {fn.load(state, SEALED_DONE)}, -1")
    first = fn.op(f"call i64 @llvm.cttz.i64(i64 {free}, i1 false)")
    sealing = fn.compare("eq", fn.load(state, STATUS), SEALING)
    return fn.select(sealing, first, fn.load(state, SEAT))


def _take_option(unit: Unit) -> str:
    """`take_option(m, c, option, seat)`: take the option of this number."""
    fn = Fn(
        "take_option",
        I64,
        [*_STATE, (I64, "option"), (I64, "seat")],
        exported=True,
        attributes=AS_IT_IS,
    )
    width = 1 + max((context.menu_width(menu) for menu in unit.program.menus), default=0)
    row = fn.slot(f"[{max(width, unit.program.layout.sealed_width)} x i64]")
    fn.clear(row, 0, max(width, unit.program.layout.sealed_width))
    with fn.when(fn.compare("eq", fn.load("%m", STATUS), CHANCE)):
        found = _c_call(fn, "outcomes", PASSED)
        with fn.when(fn.compare("slt", found, 0), rare=True):
            fn.ret("-1")
        with fn.when(fn.compare("uge", "%option", found), rare=True):
            broken(fn)
        area = fn.load("%c", context.TOP, PTR)
        value = fn.load(area, fn.add(fn.mul("%option", 2), 1))
        fn.ret(_c_call(fn, "take_outcome", PASSED, f"i64 {value}"))
    found = _c_call(fn, "options", PASSED, "i64 %seat")
    with fn.when(fn.compare("slt", found, 0), rare=True):
        fn.ret("-1")
    with fn.when(fn.compare("uge", "%option", found), rare=True):
        broken(fn)
    area = fn.load("%c", context.TOP, PTR)
    menu = fn.variable(fn.load("%m", MENU))
    if unit.sealed:
        with fn.when(fn.compare("eq", fn.load("%m", STATUS), SEALING)):
            fn.set(menu, fn.load(fn.load("%c", context.BASE, PTR), MENU))
    row_of(unit, fn, fn.get(menu), area, "%option", row)
    fn.ret(_c_call(fn, "take", PASSED, f"{PTR} {row}", "i64 %seat"))
    return fn.text()


def _pick(unit: Unit) -> str:
    """`pick(c, states, n, picks, errors)`: take an option, by its number, in each state; a
    negative number leaves a state as it is."""
    head = [(f"{PTR} noalias", "c"), (PTR, "states"), (I64, "n"), (PTR, "picks"), (PTR, "errors")]
    fn = Fn("pick", I64, head, exported=True, attributes=AS_IT_IS)
    with fn.count(0, "%n") as index:
        picked = fn.load("%picks", index)
        fn.store("%errors", index, 0)
        with fn.when(fn.compare("sge", picked, 0)):
            state = fn.at("%states", fn.mul(index, unit.program.layout.size))
            seat = _first_seat(unit, fn, state)
            given = (f"{PTR} {state}", f"{PTR} %c", f"i64 {picked}", f"i64 {seat}")
            bad = _c_call(fn, "take_option", *given)
            with fn.when(fn.compare("slt", bad, 0), rare=True):
                fn.store("%errors", index, fn.load("%c", context.ERROR))
    fn.ret("0")
    return fn.text()


def _starts(unit: Unit) -> str:
    """`starts(c, states, n, seeds, errors)`: a new game in each state."""
    head = [(f"{PTR} noalias", "c"), (PTR, "states"), (I64, "n"), (PTR, "seeds"), (PTR, "errors")]
    fn = Fn("starts", I64, head, exported=True, attributes=AS_IT_IS)
    with fn.count(0, "%n") as index:
        state = fn.at("%states", fn.mul(index, unit.program.layout.size))
        given = (f"{PTR} {state}", f"{PTR} %c", f"i64 {fn.load('%seeds', index)}", "i64 0")
        bad = _c_call(fn, "start", *given)
        failed = fn.compare("slt", bad, 0)
        fn.store("%errors", index, fn.select(failed, fn.load("%c", context.ERROR), 0))
    fn.ret("0")
    return fn.text()


def _copy(unit: Unit) -> str:
    """`copy(from, to, n, room)`: n copies of a state, one after the other, into room for some."""
    fn = Fn(
        "copy",
        I64,
        [(PTR, "from"), (PTR, "to"), (I64, "n"), (I64, "room")],
        exported=True,
        attributes=AS_IT_IS,
    )
    with fn.count(0, "%n") as index:
        place = fn.op(f"urem i64 {index}, %room")
        fn.copy(
            fn.at("%to", fn.mul(place, unit.program.layout.size)), "%from", unit.program.layout.size
        )
    fn.ret("0")
    return fn.text()


def _total(unit: Unit) -> str:
    """`total(numbers, n, stride)`: the sum of every so many-th number."""
    head = [(PTR, "numbers"), (I64, "n"), (I64, "stride")]
    fn = Fn("total", I64, head, exported=True, attributes=SHORTLY)
    found = fn.variable("0")
    with fn.count(0, "%n") as index:
        fn.set(found, fn.add(fn.get(found), fn.load("%numbers", fn.mul(index, "%stride"))))
    fn.ret(fn.get(found))
    return fn.text()
