"""Learning a policy in native code: whole games by the policy itself, and its weights after them.

A table of weights has two numbers for each place: the weight, and the sum of the squares of all
that has pulled at it, which makes later steps smaller (Adagrad). Each game is written down: for
every decision its contexts, keys and chances. When the game is over, what was chosen becomes
likelier as far as the game went better than expected, and what was expected is set right.

All is done in one order, with operations that IEEE 754 defines, so the same job gives the same
weights everywhere. The code is the same for every game.
"""

from __future__ import annotations

from interpreter.play import policy
from interpreter.play.native.emit import context
from interpreter.play.native.emit.policy import MOST_CROSSED, emit_policy
from interpreter.play.native.emit.reals import DOUBLE, calculate, emit_exp, real, to_real
from interpreter.play.native.emit.runtime import DECLARATIONS, random_at, random_number
from interpreter.play.native.emit.text import I64, PTR, VOID, Fn
from interpreter.play.native.emit.weights import VALUE_KEY, learn_value, pull, sum_real
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

# A job: what is to be done and where everything lies, then numbers with a fraction, then results.
(
    OPTIONS, TAKE, BEGIN, CONTEXT, PLAYERS, WORDS, SCORES, JUDGED, WEIGHTS, RIVALS, LEARNING, START,
    FIRST, GAMES, MOST_DECISIONS, STATE, ROWS, ROW_ENTRIES, ROW, ROW_WIDTH, LOG, LOG_ROOM, REWARDS,
    SUMS, LAST, TARGETS, LESSONS, NOTED, NOTED_ROOM, EVERY, SIZE,
    STEP, STEP_OF_VALUE, ENTROPY, SHARE_OF_SCORE, SHARPNESS, MARGIN, SPREAD,
    PLAYED, FAILED, DECIDED, OWN_SCORE, OWN_SHARE, OTHERS_SCORE, NOTED_COUNT, JOB_SIZE,
) = range(46)  # fmt: skip
# A decision in the log; then come its contexts, and for each option its chance, logit and keys.
BEFORE, WHO, COUNT, CHOSEN, EXPECTED, HEAD = range(6)
VALUE_BITS_LESS = 4
_CLIP = 3.0
_SLOWLY = 0.999  # how much of what was known of margins and errors is kept after one more
_EXTRA = """
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.fabs.f64(double)
"""


def emit_learning() -> str:
    parts = [
        random_number(), *emit_policy(), emit_exp(), sum_real(), _gather(), _look(), _weigh_real(),
        _sample(), pull(), learn_value(), _learn(), _rewards(), _after(), _game(), _play(),
    ]  # fmt: skip
    return "\n".join([*parts, DECLARATIONS, _EXTRA])


def job_field(fn: Fn, name: int, type_: str = I64) -> str:
    return fn.load("%job", name, type_)


def _values(fn: Fn, weights: str, shift: str) -> tuple[str, str]:
    """What positions are worth has a smaller table of its own, behind the other."""
    size = fn.op(f"shl i64 1, {fn.sub(64, shift)}")
    return fn.at(weights, size), fn.add(shift, VALUE_BITS_LESS)  # a place takes one number's room


def _worth(fn: Fn, contexts: str, many: str, weights: str, shift: str) -> str:
    values, less = _values(fn, weights, shift)
    table = (f"{PTR} {values}", f"i64 {less}", f"{PTR} {contexts}")
    return fn.call("sum_real", DOUBLE, *table, f"i64 {many}", f"i64 {VALUE_KEY}")


def _gather() -> str:
    """`gather(job, m, n)`: the rows and entries of the n options that lie on the arena."""
    fn = Fn("gather", VOID, [(PTR, "job"), (PTR, "m"), (I64, "n")])
    words = job_field(fn, WORDS, PTR)
    menu = fn.add(fn.load(words, policy.MENUS), fn.mul(fn.load("%m", MENU), 3))
    many = fn.load(words, fn.add(menu, 2))
    ends = fn.load(job_field(fn, CONTEXT, PTR), context.TOP, PTR)
    row, entry = fn.variable(fn.at(ends, many), PTR), fn.variable("0")
    rows, entries = job_field(fn, ROWS, PTR), job_field(fn, ROW_ENTRIES, PTR)
    with fn.count(0, "%n") as index:
        with fn.loop(lambda: fn.compare("sle", fn.load(ends, fn.get(entry)), index)):
            fn.set(entry, fn.add(fn.get(entry), 1))
        now, here = fn.get(entry), fn.get(row, PTR)
        fn.store(rows, index, here, PTR)
        fn.store(entries, index, now)
        fn.set(row, fn.at(here, _width(fn, "%m", now)), PTR)
    fn.ret()
    return fn.text()


def _width(fn: Fn, m: str, entry: str) -> str:
    """How many values an option of an entry has."""
    words = job_field(fn, WORDS, PTR)
    menu = fn.add(fn.load(words, policy.MENUS), fn.mul(fn.load(m, MENU), 3))
    number = fn.add(fn.load(words, fn.add(menu, 1)), entry)
    table = fn.load(words, fn.add(fn.load(words, policy.BLOCKS), policy.ENTRIES))
    record = fn.load(words, fn.add(table, number))
    return fn.load(words, fn.add(record, policy.ENTRY_WIDTH))


def _look() -> str:
    """`ptr look(job, m, seat, n, log)`: write a decision down; where the next one goes."""
    head = [(PTR, "job"), (PTR, "m"), (I64, "seat"), (I64, "n"), (PTR, "log")]
    fn = Fn("look", PTR, head)
    words = job_field(fn, WORDS, PTR)
    rows, entries = job_field(fn, ROWS, PTR), job_field(fn, ROW_ENTRIES, PTR)
    passed = (f"{PTR} {words}", f"{PTR} %m", "i64 %seat")
    fn.store("%log", WHO, "%seat")
    fn.store("%log", COUNT, "%n")
    found = fn.at("%log", HEAD)
    fn.call("contexts", VOID, *passed, f"{PTR} {found}")
    place = fn.variable(fn.at(found, fn.add(fn.load(found), 1)), PTR)
    with fn.count(0, "%n") as option:
        crossed = fn.at(fn.get(place, PTR), 2)
        # Those that stand alone are written where they cannot be in the way, and moved up.
        apart = fn.at(crossed, MOST_CROSSED + 1)
        entry, row = fn.load(entries, option), fn.load(rows, option, PTR)
        given = (f"i64 {entry}", f"{PTR} {row}", f"{PTR} {crossed}", f"{PTR} {apart}")
        fn.call("keys", VOID, *passed, *given)
        single = fn.at(crossed, fn.add(fn.load(crossed), 1))
        many = fn.add(fn.load(apart), 1)
        with fn.count(0, many) as number:
            fn.store(single, number, fn.load(apart, number))
        fn.set(place, fn.at(single, many), PTR)
    fn.ret(fn.get(place, PTR))
    return fn.text()


def _weigh_real() -> str:
    """`weigh_real(job, weights, log)`: the chances of the options of a decision, and the worth of
    the position."""
    fn = Fn("weigh_real", VOID, [(PTR, "job"), (PTR, "weights"), (PTR, "log")])
    shift = fn.load(job_field(fn, WORDS, PTR), policy.SHIFT)
    found = fn.at("%log", HEAD)
    contexts, many = fn.at(found, 1), fn.load(found)
    table = (f"{PTR} %weights", f"i64 {shift}", f"{PTR} {contexts}")
    value = _worth(fn, contexts, many, "%weights", shift)
    fn.store("%log", EXPECTED, value, DOUBLE)
    sums, last = job_field(fn, SUMS, PTR), job_field(fn, LAST, PTR)
    fn.clear(last, 0, MOST_CROSSED + 1)
    fn.clear(sums, 0, MOST_CROSSED + 1)
    first = fn.at(contexts, many)
    place = fn.variable(first, PTR)
    best = fn.variable(real(float("-inf")), DOUBLE)
    sharp = job_field(fn, SHARPNESS, DOUBLE)
    n = fn.load("%log", COUNT)
    with fn.count(0, n):
        here = fn.get(place, PTR)
        crossed = fn.at(here, 2)
        total = fn.variable(real(0.0), DOUBLE)
        with fn.count(1, fn.add(fn.load(crossed), 1)) as number:
            key = fn.load(crossed, number)
            with fn.when(fn.compare("ne", key, fn.load(last, number))):
                fn.store(last, number, key)
                given = (*table, f"i64 {many}", f"i64 {key}")
                fn.store(sums, number, fn.call("sum_real", DOUBLE, *given), DOUBLE)
            one = fn.load(sums, number, DOUBLE)
            fn.set(total, calculate(fn, "fadd", fn.get(total, DOUBLE), one), DOUBLE)
        single = fn.at(crossed, fn.add(fn.load(crossed), 1))
        with fn.count(1, fn.add(fn.load(single), 1)) as number:
            key = fn.load(single, number)
            one = fn.call("sum_real", DOUBLE, *table, "i64 1", f"i64 {key}")
            fn.set(total, calculate(fn, "fadd", fn.get(total, DOUBLE), one), DOUBLE)
        logit = calculate(fn, "fmul", fn.get(total, DOUBLE), sharp)
        fn.store(here, 1, logit, DOUBLE)
        with fn.when(fn.op(f"fcmp ogt double {logit}, {fn.get(best, DOUBLE)}")):
            fn.set(best, logit, DOUBLE)
        fn.set(place, fn.at(single, fn.add(fn.load(single), 1)), PTR)
    whole = fn.variable(real(0.0), DOUBLE)
    fn.set(place, first, PTR)
    with fn.count(0, n):
        here = fn.get(place, PTR)
        less = calculate(fn, "fsub", fn.load(here, 1, DOUBLE), fn.get(best, DOUBLE))
        chance = fn.call("exp", DOUBLE, f"double {less}")
        fn.store(here, 0, chance, DOUBLE)
        fn.set(whole, calculate(fn, "fadd", fn.get(whole, DOUBLE), chance), DOUBLE)
        next_option(fn, place, here)
    fn.set(place, first, PTR)
    with fn.count(0, n):
        here = fn.get(place, PTR)
        share = calculate(fn, "fdiv", fn.load(here, 0, DOUBLE), fn.get(whole, DOUBLE))
        fn.store(here, 0, share, DOUBLE)
        next_option(fn, place, here)
    fn.ret()
    return fn.text()


def next_option(fn: Fn, place: str, here: str) -> None:
    """To the next option of a decision."""
    crossed = fn.at(here, 2)
    single = fn.at(crossed, fn.add(fn.load(crossed), 1))
    fn.set(place, fn.at(single, fn.add(fn.load(single), 1)), PTR)


def first_option(fn: Fn) -> str:
    found = fn.at("%log", HEAD)
    return fn.at(found, fn.add(fn.load(found), 1))


def _sample() -> str:
    """`i64 sample(log, number)`: an option by its chance, with a random number."""
    fn = Fn("sample", I64, [(PTR, "log"), (I64, "number")])
    part = fn.op(f"uitofp i64 {fn.op('lshr i64 %number, 11')} to double")
    left = fn.variable(calculate(fn, "fmul", part, real(2.0**-53)), DOUBLE)
    place = fn.variable(first_option(fn), PTR)
    n = fn.load("%log", COUNT)
    with fn.count(0, n) as option:
        here = fn.get(place, PTR)
        fn.set(left, calculate(fn, "fsub", fn.get(left, DOUBLE), fn.load(here, 0, DOUBLE)), DOUBLE)
        with fn.when(fn.op(f"fcmp olt double {fn.get(left, DOUBLE)}, {real(0.0)}")):
            fn.ret(option)
        next_option(fn, place, here)
    fn.ret(fn.sub(n, 1))
    return fn.text()


def _learn() -> str:
    """`learn(job, log, gain, reward)`: set the weights right after a decision. `gain` is how much
    better the game went than expected."""
    head = [(PTR, "job"), (PTR, "log"), (DOUBLE, "gain"), (DOUBLE, "reward")]
    fn = Fn("learn", VOID, head)
    weights = job_field(fn, WEIGHTS, PTR)
    shift = fn.load(job_field(fn, WORDS, PTR), policy.SHIFT)
    found = fn.at("%log", HEAD)
    contexts, many = fn.at(found, 1), fn.load(found)
    table = (f"{PTR} {weights}", f"i64 {shift}", f"{PTR} {contexts}")
    size = to_real(fn, many)
    # What is expected now: other decisions of the same game may have set it right already.
    value = _worth(fn, contexts, many, weights, shift)
    error = calculate(fn, "fsub", "%reward", value)
    by = calculate(
        fn, "fdiv", calculate(fn, "fmul", error, job_field(fn, STEP_OF_VALUE, DOUBLE)), size
    )
    values, less = _values(fn, weights, shift)
    given = (f"{PTR} {values}", f"i64 {less}", f"{PTR} {contexts}", f"i64 {many}")
    fn.call("learn_value", VOID, *given, f"double {by}")
    root = fn.op(f"call double @llvm.sqrt.f64(double {size})")
    step = calculate(fn, "fdiv", job_field(fn, STEP, DOUBLE), root)
    n, chosen = fn.load("%log", COUNT), fn.load("%log", CHOSEN)
    first = first_option(fn)
    place = fn.variable(first, PTR)
    mean = fn.variable(real(0.0), DOUBLE)
    with fn.count(0, n):
        here = fn.get(place, PTR)
        part = calculate(fn, "fmul", fn.load(here, 0, DOUBLE), fn.load(here, 1, DOUBLE))
        fn.set(mean, calculate(fn, "fadd", fn.get(mean, DOUBLE), part), DOUBLE)
        next_option(fn, place, here)
    sums, last = job_field(fn, SUMS, PTR), job_field(fn, LAST, PTR)
    fn.clear(last, 0, MOST_CROSSED + 1)
    fn.clear(sums, 0, MOST_CROSSED + 1)
    fn.set(place, first, PTR)
    entropy, targets = job_field(fn, ENTROPY, DOUBLE), job_field(fn, TARGETS, PTR)

    def draw_on(key: str, coefficient: str, count: str) -> None:
        given = (f"i64 {count}", f"i64 {key}", f"double {coefficient}", f"double {step}")
        fn.call("pull", VOID, *table, *given)

    with fn.count(0, n) as option:
        here = fn.get(place, PTR)
        chance, logit = fn.load(here, 0, DOUBLE), fn.load(here, 1, DOUBLE)
        was = fn.compare("eq", option, chosen)
        target = _target(fn, targets, option, was)
        away = calculate(fn, "fsub", target, chance)
        spread = calculate(fn, "fmul", chance, calculate(fn, "fsub", logit, fn.get(mean, DOUBLE)))
        less = calculate(fn, "fmul", entropy, spread)
        by = calculate(fn, "fsub", calculate(fn, "fmul", away, "%gain"), less)
        crossed = fn.at(here, 2)
        with fn.count(1, fn.add(fn.load(crossed), 1)) as number:
            key, before = fn.load(crossed, number), fn.load(last, number)
            with fn.when(fn.compare("ne", key, before)):
                with fn.when(fn.compare("ne", before, 0)):
                    draw_on(before, fn.load(sums, number, DOUBLE), many)
                fn.store(last, number, key)
                fn.store(sums, number, real(0.0), DOUBLE)
            fn.store(sums, number, calculate(fn, "fadd", fn.load(sums, number, DOUBLE), by), DOUBLE)
        single = fn.at(crossed, fn.add(fn.load(crossed), 1))
        with fn.count(1, fn.add(fn.load(single), 1)) as number:
            draw_on(fn.load(single, number), by, "1")
        fn.set(place, fn.at(single, fn.add(fn.load(single), 1)), PTR)
    with fn.count(1, MOST_CROSSED + 1) as number:
        key = fn.load(last, number)
        with fn.when(fn.compare("ne", key, 0)):
            draw_on(key, fn.load(sums, number, DOUBLE), many)
    fn.ret()
    return fn.text()


def _target(fn: Fn, targets: str, option: str, was: str) -> str:
    """How likely an option should have been: as a lesson says, or else what was chosen is all."""
    found = fn.variable(fn.op(f"select i1 {was}, double {real(1.0)}, double {real(0.0)}"), DOUBLE)
    with fn.when(fn.op(f"icmp ne {PTR} {targets}, null")):
        fn.set(found, fn.load(targets, option, DOUBLE), DOUBLE)
    return fn.get(found, DOUBLE)


def _rewards() -> str:
    """`rewards(job, m, own)`: what a game brought each seat, and for the record what it brought
    the seat `own` and the others."""
    fn = Fn("rewards", VOID, [(PTR, "job"), (PTR, "m"), (I64, "own")])
    players, rewards = job_field(fn, PLAYERS), job_field(fn, REWARDS, PTR)
    many = to_real(fn, players)
    one = real(1.0)
    everyone = fn.sub(fn.op(f"shl i64 1, {players}"), 1)
    won = fn.load("%m", WINNERS)
    bits = fn.both(won, everyone)
    nobody = fn.compare("eq", won, 0)
    winners = fn.select(nobody, everyone, bits)
    count = to_real(fn, fn.op(f"call i64 @llvm.ctpop.i64(i64 {winners})"))
    judged = fn.compare("ne", job_field(fn, JUDGED), 0)
    shared = fn.op(f"or i1 {judged}, {nobody}")
    share = fn.op(f"select i1 {shared}, double {calculate(fn, 'fdiv', one, count)}, double {one}")
    total = fn.variable(real(0.0), DOUBLE)
    scores = fn.at("%m", job_field(fn, SCORES))
    with fn.count(0, players) as seat:
        more = to_real(fn, fn.load(scores, seat))
        fn.set(total, calculate(fn, "fadd", fn.get(total, DOUBLE), more), DOUBLE)
    fair = calculate(fn, "fdiv", one, many)
    part = job_field(fn, SHARE_OF_SCORE, DOUBLE)
    rest = calculate(fn, "fsub", one, part)
    others = calculate(fn, "fsub", many, one)
    with fn.count(0, players) as seat:
        score = to_real(fn, fn.load(scores, seat))
        left = calculate(fn, "fsub", fn.get(total, DOUBLE), score)
        alone = fn.op(f"fcmp ole double {others}, {real(0.0)}")
        mean = fn.op(
            f"select i1 {alone}, double {real(0.0)}, double {calculate(fn, 'fdiv', left, others)}"
        )
        margin = calculate(fn, "fsub", score, mean)
        known = job_field(fn, MARGIN, DOUBLE)
        kept = calculate(fn, "fmul", known, real(_SLOWLY))
        new = calculate(fn, "fmul", calculate(fn, "fmul", margin, margin), real(1.0 - _SLOWLY))
        spread = calculate(fn, "fadd", kept, new)
        fn.store("%job", MARGIN, spread, DOUBLE)
        root = fn.op(f"call double @llvm.sqrt.f64(double {spread})")
        ahead = calculate(fn, "fdiv", margin, calculate(fn, "fadd", root, real(1e-3)))
        has = fn.compare("ne", fn.both(fn.op(f"lshr i64 {winners}, {seat}"), 1), 0)
        won_ = fn.op(f"select i1 {has}, double {share}, double {real(0.0)}")
        better = calculate(fn, "fmul", calculate(fn, "fsub", won_, fair), real(2.0))
        reward = calculate(
            fn, "fadd", calculate(fn, "fmul", part, ahead), calculate(fn, "fmul", rest, better)
        )
        fn.store(rewards, seat, reward, DOUBLE)
        with fn.when(fn.compare("eq", seat, "%own")):
            for place, value in ((OWN_SCORE, score), (OWN_SHARE, won_), (OTHERS_SCORE, mean)):
                before = job_field(fn, place, DOUBLE)
                fn.store("%job", place, calculate(fn, "fadd", before, value), DOUBLE)
    fn.ret()
    return fn.text()


def _after() -> str:
    """`after(job, log)`: learn from one decision of a game that is over."""
    fn = Fn("after", VOID, [(PTR, "job"), (PTR, "log")])
    reward = fn.load(job_field(fn, REWARDS, PTR), fn.load("%log", WHO), DOUBLE)
    error = calculate(fn, "fsub", reward, fn.load("%log", EXPECTED, DOUBLE))
    known = calculate(fn, "fmul", job_field(fn, SPREAD, DOUBLE), real(_SLOWLY))
    new = calculate(fn, "fmul", calculate(fn, "fmul", error, error), real(1.0 - _SLOWLY))
    spread = calculate(fn, "fadd", known, new)
    fn.store("%job", SPREAD, spread, DOUBLE)
    root = fn.op(f"call double @llvm.sqrt.f64(double {spread})")
    gain = calculate(fn, "fdiv", error, calculate(fn, "fadd", root, real(1e-3)))
    low = fn.op(f"fcmp olt double {gain}, {real(-_CLIP)}")
    raised = fn.op(f"select i1 {low}, double {real(-_CLIP)}, double {gain}")
    high = fn.op(f"fcmp ogt double {raised}, {real(_CLIP)}")
    clipped = fn.op(f"select i1 {high}, double {real(_CLIP)}, double {raised}")
    given = (f"double {clipped}", f"double {reward}")
    fn.call("learn", VOID, f"{PTR} %job", f"{PTR} %log", *given)
    fn.ret()
    return fn.text()


def _game() -> str:
    """`i64 game(job, number)`: play a game and learn from it; -1 if it could not be played out."""
    fn = Fn("game", I64, [(PTR, "job"), (I64, "number")])
    m, c = job_field(fn, STATE, PTR), job_field(fn, CONTEXT, PTR)
    key = random_at(fn, job_field(fn, START), "%number")
    seed = fn.op(f"lshr i64 {random_at(fn, key, 0)}, 1")
    stream = random_at(fn, key, 1)
    players = job_field(fn, PLAYERS)
    own = fn.op(f"urem i64 %number, {players}")
    rivals = job_field(fn, RIVALS, PTR)
    rivalled = fn.op(f"icmp ne {PTR} {rivals}, null")
    start = job_field(fn, LOG, PTR)
    log, room = fn.variable(start, PTR), job_field(fn, LOG_ROOM, PTR)
    last, decisions = fn.variable("null", PTR), fn.variable("0")
    again, more, failed, over = (fn.label() for _ in range(4))
    begun = fn.op(f"call i64 {job_field(fn, BEGIN, PTR)}({PTR} {m}, {PTR} {c}, i64 {seed}, i64 0)")
    with fn.when(fn.compare("slt", begun, 0), rare=True):
        fn.ret("-1")
    fn.place(again)
    status = fn.load(m, STATUS)
    fn.branch(fn.compare("eq", status, OVER), over, more)
    fn.place(more)
    sealed = fn.compare("eq", status, SEALING)
    well = fn.op(f"or i1 {sealed}, {fn.compare('eq', status, DECISION)}")
    long = fn.compare("slt", fn.get(decisions), job_field(fn, MOST_DECISIONS))
    go = fn.label()
    fn.branch(fn.op(f"and i1 {well}, {long}"), go, failed)
    fn.place(go)
    _note(fn, m, fn.get(decisions), random_at(fn, key, 2), sealed)
    free = fn.op(f"xor i64 {fn.load(m, SEALED_DONE)}, -1")
    undone = fn.op(f"call i64 @llvm.cttz.i64(i64 {free}, i1 false)")
    seat = fn.select(sealed, undone, fn.load(m, SEAT))
    n = fn.op(f"call i64 {job_field(fn, OPTIONS, PTR)}({PTR} {m}, {PTR} {c}, i64 {seat})")
    with fn.when(fn.compare("sle", n, 0), rare=True):
        fn.goto(failed)
    scratch = fn.load(c, context.BASE, PTR)
    seen = fn.op(f"select i1 {sealed}, {PTR} {scratch}, {PTR} {m}")
    fn.call("gather", VOID, f"{PTR} %job", f"{PTR} {seen}", f"i64 {n}")
    chosen = fn.variable("0")
    with fn.when(fn.compare("sgt", n, 1)):
        here = fn.get(log, PTR)
        given = (f"{PTR} {seen}", f"i64 {seat}", f"i64 {n}", f"{PTR} {here}")
        end = fn.call("look", PTR, f"{PTR} %job", *given)
        is_own = fn.compare("eq", seat, own)
        learns = fn.op(f"or i1 {is_own}, {fn.op(f'xor i1 {rivalled}, true')}")
        weights = fn.op(f"select i1 {learns}, {PTR} {job_field(fn, WEIGHTS, PTR)}, {PTR} {rivals}")
        fn.call("weigh_real", VOID, f"{PTR} %job", f"{PTR} {weights}", f"{PTR} {here}")
        draw = random_at(fn, stream, fn.get(decisions))
        fn.set(chosen, fn.call("sample", I64, f"{PTR} {here}", f"i64 {draw}"))
        fn.store(here, CHOSEN, fn.get(chosen))
        fn.store(here, BEFORE, fn.get(last, PTR), PTR)
        fits = fn.op(f"icmp ult {PTR} {end}, {room}")
        with fn.when(fn.op(f"and i1 {learns}, {fits}")):
            fn.set(last, here, PTR)
            fn.set(log, end, PTR)
    fn.set(decisions, fn.add(fn.get(decisions), 1))
    row = job_field(fn, ROW, PTR)
    entry = fn.load(job_field(fn, ROW_ENTRIES, PTR), fn.get(chosen))
    values = fn.load(job_field(fn, ROWS, PTR), fn.get(chosen), PTR)
    fn.store(row, 0, entry)
    width = _width(fn, seen, entry)
    with fn.count(0, job_field(fn, ROW_WIDTH)) as number:
        inside = fn.compare("slt", number, width)
        value = fn.variable("0")
        with fn.when(inside):
            fn.set(value, fn.load(values, number))
        fn.store(row, fn.add(number, 1), fn.get(value))
    given = (f"{PTR} {m}", f"{PTR} {c}", f"{PTR} {row}", f"i64 {seat}")
    bad = fn.op(f"call i64 {job_field(fn, TAKE, PTR)}({', '.join(given)})")
    with fn.when(fn.compare("slt", bad, 0), rare=True):
        fn.goto(failed)
    fn.goto(again)
    fn.place(failed)
    fn.ret("-1")
    fn.place(over)
    fn.store("%job", DECIDED, fn.add(job_field(fn, DECIDED), fn.get(decisions)))
    fn.call("rewards", VOID, f"{PTR} %job", f"{PTR} {m}", f"i64 {own}")
    with (
        fn.when(fn.compare("ne", job_field(fn, LEARNING), 0)),
        fn.loop(lambda: fn.op(f"icmp ne {PTR} {fn.get(last, PTR)}, null")),
    ):
        here = fn.get(last, PTR)
        fn.call("after", VOID, f"{PTR} %job", f"{PTR} {here}")
        fn.set(last, fn.load(here, BEFORE, PTR), PTR)
    fn.ret("0")
    return fn.text()


def _note(fn: Fn, m: str, decisions: str, chance: str, sealed: str) -> None:
    """Keep every so many positions of a game, where that is asked for; while choices are sealed
    there is none that all could see."""
    count, every = job_field(fn, NOTED_COUNT), job_field(fn, EVERY)
    with fn.when(fn.op(f"icmp slt i64 {count}, {job_field(fn, NOTED_ROOM)}")):
        turn = fn.op(f"urem i64 {fn.add(decisions, fn.op(f'lshr i64 {chance}, 1'))}, {every}")
        due = fn.op(f"and i1 {fn.compare('eq', turn, 0)}, {fn.op(f'xor i1 {sealed}, true')}")
        with fn.when(due):
            size = job_field(fn, SIZE)
            fn.copy(fn.at(job_field(fn, NOTED, PTR), fn.mul(count, size)), m, size)
            fn.store("%job", NOTED_COUNT, fn.add(count, 1))


def _play() -> str:
    """`play(job)`: the games of a job."""
    fn = Fn("play", I64, [(PTR, "job")], exported=True)
    first = job_field(fn, FIRST)
    with fn.count(0, job_field(fn, GAMES)) as number:
        bad = fn.call("game", I64, f"{PTR} %job", f"i64 {fn.add(first, number)}")
        place = fn.select(fn.compare("slt", bad, 0), FAILED, PLAYED)
        fn.store("%job", place, fn.add(fn.load("%job", place), 1))
    fn.ret("0")
    return fn.text()
