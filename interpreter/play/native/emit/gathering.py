"""Random games in native code of which statistics are gathered: the same numbers as
`play/gathering.py` finds. The code is the same for all games; it is handed a job, words that say
where a game's functions and tables lie (`native/gather.py`).

It hooks into games where somebody chooses (`context.PICK`): `pick` draws an option just as blind
games do, and writes down what was offered and taken on the way.
"""

from __future__ import annotations

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
    HAS_LEADS,
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
    TIMES_BITS,
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
    cells = fn.mul(fn.mul(players, 2), field(fn, NOTE_WIDTH))
    fn.clear_bytes(field(fn, NOTES, PTR), fn.mul(cells, 8))
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

    def bits(value: str) -> str:
        return fn.op(f"call i64 @llvm.ctpop.i64(i64 {value})")

    told = fn.load(field(fn, GAME, PTR), G_WINNERS)
    all_ = fn.sub(fn.op(f"shl i64 1, {field(fn, PLAYERS)}"), 1)
    nobody = fn.compare("eq", told, 0)
    winners = fn.select(nobody, all_, told)
    judged = fn.compare("ne", field(fn, JUDGED), 0)
    shared = fn.op(f"udiv i64 {WHOLE}, {bits(winners)}")
    share = fn.select(fn.op(f"or i1 {nobody}, {judged}"), shared, WHOLE)
    notes, uses, width = field(fn, NOTES, PTR), field(fn, USES, PTR), field(fn, NOTE_WIDTH)
    players = field(fn, PLAYERS)
    half = fn.mul(players, width)
    with fn.count(1, width) as index:
        who, times, takers, taken = (fn.variable("0") for _ in range(4))
        with fn.count(0, players) as seat:
            cell = fn.at(fn.at(notes, index), fn.mul(seat, width))
            for mask, sum_, place in ((who, times, cell), (takers, taken, fn.at(cell, half))):
                number = fn.both(fn.load(place), (1 << TIMES_BITS) - 1)
                bit = fn.op(f"shl i64 {fn.widen(fn.compare('ne', number, 0))}, {seat}")
                fn.set(mask, fn.either(fn.get(mask), bit))
                fn.set(sum_, fn.add(fn.get(sum_), number))
        use = fn.at(uses, fn.mul(fn.sub(index, 1), USE_WIDTH))
        increase(fn, use, U_OFFERED, fn.get(times))
        increase(fn, use, U_TAKEN, fn.get(taken))
        touched = fn.compare("ne", fn.get(who), 0)
        with fn.when(fn.op(f"and i1 {touched}, {fn.compare('ne', '%well', 0)}")):
            takers = fn.get(takers)
            leavers = fn.both(fn.get(who), fn.op(f"xor i64 {takers}, -1"))
            t, n = bits(takers), bits(leavers)
            wt = fn.mul(bits(fn.both(takers, winners)), share)
            wn = fn.mul(bits(fn.both(leavers, winners)), share)
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
    fn.ret()
    return fn.text()


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
        start = fn.call("number", I64, f"i64 {fn.load(seeds, 1)}", "i64 0")
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
