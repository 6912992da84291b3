"""Random games in native code of which statistics are gathered: the same numbers as
`play/gathering.py` finds. The code is the same for all games; it is handed a job, words that say
where a game's functions and tables lie (`native/gather.py`).

It hooks into games where somebody chooses (`context.PICK`): `pick` draws an option just as blind
games do, and writes down what was offered and taken on the way.
"""

from __future__ import annotations

from interpreter.play.chance import BOT_SEEDS
from interpreter.play.circling import (
    NOWHERE,
)
from interpreter.play.gathering import (
    FREE,
    G_ERROR,
    G_FAVOURITE_SINCE,
    G_FAVOURITES,
    G_FORCED,
    G_LEAD_1,
    G_LEAD_SINCE,
    G_LEADS,
    G_MOVES,
    G_OFFERED,
    G_OPENING,
    G_REPEATED,
    G_ROUNDS,
    G_SEALED,
    G_WIDEST,
    G_WINNERS,
    GAME_WIDTH,
    NOTHING,
    OPENING,
    R_OTHERS,
    R_WINNERS,
    RACE_WIDTH,
    S_MOVES,
    S_OFFERED,
    S_SCORE,
    SEAT_WIDTH,
    U_GAMES,
    U_OFFERED,
    U_TAKEN,
    UNKNOWN,
    USE_WIDTH,
    WATCHED,
    WATCHED_FIRST,
)
from interpreter.play.guided import (
    WHOLE,
)
from interpreter.play.native.emit import context
from interpreter.play.native.emit.circling import emit_circling
from interpreter.play.native.emit.gather_job import (
    ALONE,
    CHOICE,
    CONTEXT,
    FIRST,
    GAME,
    GAMES,
    GROUP,
    HAS_LEADS,
    HAS_SEALED,
    JUDGED,
    LEADER_COUNT,
    LEADERS,
    LOOP,
    LOOP_COUNT,
    MANNER,
    NOTE_WIDTH,
    NOTES,
    OPENED,
    PASSES,
    PLACE,
    PLAIN,
    PLAYERS,
    PLAYOUTS,
    POSITION_MASK,
    POSITIONS,
    RACE,
    RESTRAINED,
    RESULT,
    SCORE_COUNT,
    SCORES,
    SEEDS,
    STATE,
    STREAMS,
    TAKEN_NOW,
    TAKEN_ONCE,
    TIMES,
    TIMES_BITS,
    TOGETHER,
    TURNS_HAD,
    USES,
    VALUE,
    WAS_DECIDED,
    WAS_SEALED,
    WATCHING,
    WIDTH,
    field,
    increase,
    put,
)
from interpreter.play.native.emit.loops import (
    RESULT_ERROR,
    RESULT_MOVES,
    RESULT_SCORES,
    RESULT_WINNERS,
)
from interpreter.play.native.emit.noting import emit_noting
from interpreter.play.native.emit.runtime import (
    DECLARATIONS,
    random_below,
    random_number,
)
from interpreter.play.native.emit.text import (
    I64,
    PTR,
    VOID,
    Fn,
)
from interpreter.program.layout import (
    DECIDED,
)


def emit_gathering() -> str:
    texts = [
        random_number(), random_below(), *emit_noting(), *emit_circling(), _begin(), _pick(),
        _finish(), _finish_things(), _finish_race(), _gather(),
    ]  # fmt: skip
    return "\n".join([*texts, DECLARATIONS, ""])


# ---- one game


def _begin() -> str:
    """`begin(job)`: nothing has been written down of this game yet."""
    fn = Fn("begin", VOID, [(PTR, "job")])
    game, players = field(fn, GAME, PTR), field(fn, PLAYERS)
    fn.clear(game, 0, G_OPENING)
    with fn.count(G_OPENING, GAME_WIDTH) as index:
        fn.store(game, index, NOTHING)
    with fn.count(0, fn.mul(players, SEAT_WIDTH)) as index:
        fn.store(fn.at(game, GAME_WIDTH), index, 0)
    with fn.when(fn.compare("eq", field(fn, HAS_LEADS), 0)):
        for column in (G_LEADS, G_LEAD_SINCE, G_LEAD_1, G_LEAD_1 + 1, G_LEAD_1 + 2):
            fn.store(game, column, UNKNOWN)
    watching = fn.compare("ne", field(fn, WATCHING), 0)
    fn.store(game, G_REPEATED, fn.select(watching, 0, UNKNOWN))
    for column in (G_FAVOURITES, G_FAVOURITE_SINCE):  # who draws has no estimates
        fn.store(game, column, UNKNOWN)
    with fn.when(watching), fn.count(0, fn.add(field(fn, POSITION_MASK), 1)) as index:
        fn.store(field(fn, POSITIONS, PTR), index, 0)
    fn.clear_bytes(field(fn, NOTES, PTR), fn.mul(fn.mul(players, field(fn, NOTE_WIDTH)), 8))
    with fn.count(0, field(fn, LOOP_COUNT)) as index:
        fn.store(field(fn, PASSES, PTR), index, 0)
    for cell in (VALUE, TURNS_HAD, WAS_DECIDED, WAS_SEALED, OPENED, ALONE, LEADER_COUNT):
        put(fn, cell, 0)
    for cell in (SCORE_COUNT, CHOICE):
        put(fn, cell, 0)
    for cell in (LOOP, PLACE):
        put(fn, cell, NOWHERE)
    fn.ret()
    return fn.text()


def _pick() -> str:
    """`i64 pick(job, m, seat, n, sealed)`: draw one of n options, and write down what there was."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n"), (I64, "sealed")]
    fn = Fn("pick", I64, head, exported=True)
    plain = fn.load(field(fn, CONTEXT, PTR), context.PLAIN)
    with fn.when(fn.compare("ne", plain, field(fn, PLAIN)), rare=True):
        # Something failed in a sealed block, and the game is played once more from its start.
        put(fn, PLAIN, plain)
        fn.call("begin", VOID, f"{PTR} %job")
        _reset_streams(fn)
    stream = fn.at(field(fn, STREAMS, PTR), fn.mul("%seat", 4))
    slot, held_back = fn.slot(), fn.compare("eq", "%seat", field(fn, RESTRAINED))
    given = (f"{PTR} %job", f"{PTR} %m", "i64 %n", f"{PTR} {stream}")
    fn.choose(
        held_back,
        lambda: fn.set(slot, fn.call("held_back", I64, *given)),
        lambda: fn.set(slot, fn.call("draw", I64, f"{PTR} {stream}", "i64 %n")),
    )
    picked = fn.get(slot)
    game = field(fn, GAME, PTR)
    increase(fn, game, G_OFFERED, "%n")
    pair = f"i64 {fn.load(game, G_WIDEST)}, i64 %n"
    fn.store(game, G_WIDEST, fn.op(f"call i64 @llvm.smax.i64({pair})"))
    mine = fn.at(fn.at(game, GAME_WIDTH), fn.mul("%seat", SEAT_WIDTH))
    increase(fn, mine, S_MOVES, 1)
    increase(fn, mine, S_OFFERED, "%n")
    sealed, before = fn.compare("ne", "%sealed", 0), field(fn, OPENED)
    with fn.when(sealed):  # what is chosen first is told of choices in the open only
        put(fn, OPENED, OPENING)
    both = (f"{PTR} %job", f"{PTR} %m")
    fn.call("note_things", VOID, *both, "i64 %seat", f"i64 {picked}")
    with fn.when(sealed):
        put(fn, OPENED, before)
    decided, expected = fn.load("%m", DECIDED), field(fn, WAS_DECIDED)
    was_sealed = fn.compare("ne", field(fn, WAS_SEALED), 0)
    same = fn.compare("eq", decided, expected)
    again = fn.op(f"and i1 {fn.op(f'and i1 {sealed}, {was_sealed}')}, {same}")
    with fn.when(fn.op(f"xor i1 {again}, true")):
        fn.call("circle", VOID, *both)
    put(fn, WAS_SEALED, "%sealed")
    with fn.when(sealed):
        increase(fn, game, G_SEALED, 1)
        put(fn, WAS_DECIDED, decided)
        fn.ret(picked)
    with fn.when(fn.op(f"xor i1 {was_sealed}, true")):
        increase(fn, game, G_FORCED, fn.sub(decided, expected))
    put(fn, WAS_DECIDED, fn.add(decided, 1))
    with fn.when(fn.compare("ne", field(fn, WATCHING), 0)):
        fn.call("position", VOID, *both)
    fn.ret(picked)
    return fn.text()


def _reset_streams(fn: Fn) -> None:
    """A stream has two words for now, and two for how it began."""
    streams = field(fn, STREAMS, PTR)
    with fn.count(0, field(fn, PLAYERS)) as seat:
        stream = fn.at(streams, fn.mul(seat, 4))
        fn.copy(stream, fn.at(stream, 2), 2)


# ---- the end of a game


def _finish() -> str:
    """`finish(job)`: what is known when a game is over; sums are added up."""
    fn = Fn("finish", VOID, [(PTR, "job")])
    game, result, m = (field(fn, each, PTR) for each in (GAME, RESULT, STATE))
    error, moves = fn.load(result, RESULT_ERROR), fn.load(result, RESULT_MOVES)
    well = fn.compare("eq", error, 0)
    # What fails where choices can be sealed was played twice, the second time in the plain way. If
    # nobody was asked then, what was written down is of the first time.
    unseen = fn.compare("ne", field(fn, HAS_SEALED), field(fn, PLAIN))
    with fn.when(fn.op(f"and i1 {fn.compare('ne', error, 0)}, {unseen}"), rare=True):
        fn.call("begin", VOID, f"{PTR} %job")
    fn.store(game, G_ERROR, error)
    fn.store(game, G_MOVES, moves)
    fn.store(game, G_WINNERS, fn.select(well, fn.load(result, RESULT_WINNERS), 0))
    with fn.count(0, field(fn, PLAYERS)) as seat:
        score = fn.load(fn.at(result, RESULT_SCORES), seat)
        place = fn.at(fn.at(game, GAME_WIDTH), fn.mul(seat, SEAT_WIDTH))
        fn.store(place, S_SCORE, fn.select(well, score, 0))
    most = fn.variable("0")
    with fn.count(0, field(fn, LOOP_COUNT)) as index:
        pair = f"i64 {fn.get(most)}, i64 {fn.load(field(fn, PASSES, PTR), index)}"
        fn.set(most, fn.op(f"call i64 @llvm.smax.i64({pair})"))
    fn.store(game, G_ROUNDS, fn.get(most))
    was_open = fn.compare("eq", field(fn, WAS_SEALED), 0)
    with fn.when(fn.op(f"and i1 {well}, {was_open}")):
        forced = fn.sub(fn.load(m, DECIDED), field(fn, WAS_DECIDED))
        increase(fn, game, G_FORCED, forced)
    with fn.when(fn.compare("ne", field(fn, HAS_LEADS), 0)):
        leaders = field(fn, LEADERS, PTR)
        with fn.count(0, field(fn, LEADER_COUNT)) as index:
            place = fn.at(leaders, fn.mul(index, 2))
            since, mask = fn.op(f"shl i64 {fn.load(place)}, 2"), fn.load(place, 1)
            for quarter in (1, 2, 3):
                with fn.when(fn.compare("sle", since, fn.mul(moves, quarter))):
                    fn.store(game, G_LEAD_1 + quarter - 1, mask)
    fn.call("finish_things", VOID, f"{PTR} %job", f"i64 {fn.widen(well)}")
    winners = fn.compare("ne", fn.load(game, G_WINNERS), 0)
    with fn.when(fn.op(f"and i1 {well}, {winners}")):
        fn.call("finish_race", VOID, f"{PTR} %job", f"i64 {fn.get(most)}")
    fn.ret()
    return fn.text()


def _finish_things() -> str:
    """`finish_things(job, well)`: what was offered and taken, and what that has brought."""
    fn = Fn("finish_things", VOID, [(PTR, "job"), (I64, "well")])
    told = fn.load(field(fn, GAME, PTR), G_WINNERS)
    all_ = fn.sub(fn.op(f"shl i64 1, {field(fn, PLAYERS)}"), 1)
    nobody = fn.compare("eq", told, 0)
    winners = fn.select(nobody, all_, told)
    judged = fn.compare("ne", field(fn, JUDGED), 0)
    shared = fn.op(f"udiv i64 {WHOLE}, {_bits(fn, winners)}")
    share = fn.select(fn.op(f"or i1 {nobody}, {judged}"), shared, WHOLE)
    uses, width = field(fn, USES, PTR), field(fn, NOTE_WIDTH)
    with fn.count(0, fn.op(f"udiv i64 {width}, {GROUP}")) as group:
        first = fn.mul(group, GROUP)
        _add_seats(fn, first)
        with fn.count(0, GROUP) as lane:
            together = fn.at(field(fn, TOGETHER, PTR), lane)
            times, who, takers = (fn.load(together, part * GROUP) for part in range(3))
            thing = fn.sub(fn.add(first, lane), 1)
            use = fn.at(uses, fn.mul(thing, USE_WIDTH))
            is_thing = fn.compare("sge", thing, 0)
            with fn.when(fn.op(f"and i1 {is_thing}, {fn.compare('ne', times, 0)}")):
                increase(fn, use, U_OFFERED, fn.both(times, TIMES))
                increase(fn, use, U_TAKEN, fn.op(f"lshr i64 {times}, {TIMES_BITS}"))
                with fn.when(fn.compare("ne", "%well", 0)):
                    _add_won(fn, use, who, takers, winners, share)
    fn.ret()
    return fn.text()


def _bits(fn: Fn, value: str) -> str:
    return fn.op(f"call i64 @llvm.ctpop.i64(i64 {value})")


def _add_won(fn: Fn, use: str, who: str, takers: str, winners: str, share: str) -> None:
    """What those have won who took a thing, and those who could and did not."""
    leavers = fn.both(who, fn.op(f"xor i64 {takers}, -1"))
    t, n = _bits(fn, takers), _bits(fn, leavers)
    wt = fn.mul(_bits(fn, fn.both(takers, winners)), share)
    wn = fn.mul(_bits(fn, fn.both(leavers, winners)), share)
    added = [
        "1", t, n, wt, wn, *(
            fn.mul(*pair)
            for pair in (
                (t, t), (n, n), (t, n), (wt, wt), (wn, wn), (wt, wn), (t, wt), (t, wn),
                (n, wt), (n, wn),
            )
        ),
    ]  # fmt: skip
    for offset, each in enumerate(added, U_GAMES):
        increase(fn, use, offset, each)


def _add_seats(fn: Fn, first: str) -> None:
    """What is noted of the cells of a group by all seats, into TOGETHER: the choices, added up, the
    seats that could take a thing and those that did, as bits."""
    wide = f"<{GROUP} x i64>"
    slots = [fn.slot(wide) for _ in range(3)]
    for slot in slots:
        fn.line(f"store {wide} zeroinitializer, {PTR} {slot}, align 8")
    with fn.count(0, field(fn, PLAYERS), short=True) as seat:
        place = fn.at(field(fn, NOTES, PTR), fn.add(fn.mul(seat, field(fn, NOTE_WIDTH)), first))
        cells = fn.op(f"load {wide}, {PTR} {place}, align 8")
        times = fn.op(f"and {wide} {cells}, {_splat(TAKEN_NOW - 1)}")
        one = fn.op(f"insertelement {wide} poison, i64 {fn.op(f'shl i64 1, {seat}')}, i64 0")
        same = f"<{GROUP} x i32> zeroinitializer"
        bit = fn.op(f"shufflevector {wide} {one}, {wide} poison, {same}")
        there = fn.op(f"icmp ne {wide} {times}, zeroinitializer")
        taken = fn.op(f"icmp uge {wide} {times}, {_splat(TAKEN_ONCE)}")
        pick = f"select <{GROUP} x i1> {{}}, {wide} {bit}, {wide} zeroinitializer"
        parts = [("add", times), *(("or", fn.op(pick.format(each))) for each in (there, taken))]
        for slot, (word, part) in zip(slots, parts, strict=True):
            so_far = fn.op(f"load {wide}, {PTR} {slot}, align 8")
            found = fn.op(f"{word} {wide} {so_far}, {part}")
            fn.line(f"store {wide} {found}, {PTR} {slot}, align 8")
    for number, slot in enumerate(slots):
        found = fn.op(f"load {wide}, {PTR} {slot}, align 8")
        target = fn.at(field(fn, TOGETHER, PTR), number * GROUP)
        fn.line(f"store {wide} {found}, {PTR} {target}, align 8")


def _splat(number: int) -> str:
    return f"<{', '.join([f'i64 {number}'] * GROUP)}>"


def _finish_race() -> str:
    """`finish_race(job, most)`: the scores where the loop that went round most often did so."""
    fn = Fn("finish_race", VOID, [(PTR, "job"), (I64, "most")])
    players, passes = field(fn, PLAYERS), field(fn, PASSES, PTR)
    longest = fn.variable("0")
    with fn.loop(
        lambda: fn.op(
            f"and i1 {fn.compare('slt', fn.get(longest), field(fn, LOOP_COUNT))}, "
            f"{fn.compare('ne', fn.load(passes, fn.get(longest)), '%most')}"
        )
    ):
        fn.set(longest, fn.add(fn.get(longest), 1))
    winners = fn.load(field(fn, GAME, PTR), G_WINNERS)
    line = fn.variable(field(fn, RACE, PTR), PTR)
    with fn.count(0, field(fn, SCORE_COUNT)) as index:
        row = fn.at(field(fn, SCORES, PTR), fn.mul(index, fn.add(players, 1)))
        with fn.when(fn.compare("eq", fn.load(row), fn.get(longest))):
            now = fn.get(line, PTR)
            with fn.count(0, players) as seat:
                won = fn.both(fn.op(f"lshr i64 {winners}, {seat}"), 1)
                column = fn.select(fn.compare("ne", won, 0), R_WINNERS, R_OTHERS)
                increase(fn, now, column, 1)
                increase(fn, now, fn.add(column, 1), fn.load(row, fn.add(seat, 1)))
            fn.set(line, fn.at(now, RACE_WIDTH), PTR)
    fn.ret()
    return fn.text()


def _gather() -> str:
    """`gather(job, n)`: n games, one after the other."""
    fn = Fn("gather", I64, [(PTR, "job"), (I64, "n")], exported=True)
    c, m, result = (field(fn, each, PTR) for each in (CONTEXT, STATE, RESULT))
    width = field(fn, WIDTH)
    streams, players = field(fn, STREAMS, PTR), field(fn, PLAYERS)
    with fn.count(0, "%n") as index:
        game = fn.at(field(fn, GAMES, PTR), fn.mul(index, width))
        fn.store("%job", GAME, game, PTR)
        number = fn.add(field(fn, FIRST), index)
        regular = fn.compare("eq", fn.op(f"urem i64 {number}, {WATCHED}"), 0)
        early = fn.compare("slt", number, WATCHED_FIRST)
        put(fn, WATCHING, fn.widen(fn.op(f"or i1 {regular}, {early}")))
        put(fn, PLAIN, 0)
        free = fn.compare("eq", field(fn, MANNER), FREE)
        first = fn.op(f"urem i64 {number}, {players}")  # where the first player sits
        put(fn, RESTRAINED, fn.select(free, -1, first))
        seeds = fn.at(field(fn, SEEDS, PTR), fn.mul(index, 2))
        drawn = fn.op(f"xor i64 {fn.load(seeds, 1)}, {BOT_SEEDS}")
        start = fn.call("number", I64, f"i64 {drawn}", "i64 0")
        with fn.count(0, players) as seat:
            stream = fn.at(streams, fn.mul(seat, 4))
            fn.store(stream, 2, fn.call("number", I64, f"i64 {start}", f"i64 {seat}"))
            fn.store(stream, 3, 0)
        _reset_streams(fn)
        fn.call("begin", VOID, f"{PTR} %job")
        given = f"{PTR} {c}, {PTR} {m}, {PTR} {seeds}, i64 0, i64 1, {PTR} {result}, {PTR} null"
        fn.line(f"call i64 {field(fn, PLAYOUTS, PTR)}({given})")
        fn.call("finish", VOID, f"{PTR} %job")
    fn.ret("0")
    return fn.text()
