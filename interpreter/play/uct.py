"""Tree search: which option leads to the most wins, found out by playing many games from here.

UCT (Kocsis and Szepesvári), and for hidden information its many-observer form (Cowling, Powley and
Whitehouse): before every game, what the seat that searches cannot know is dealt anew. Nobody's
choice may hang on what only others have seen, so what is counted for a choice goes by the history
of its chooser: a number mixed from all the choices that seat has seen since the search began. Of
choices made in secret, or of pieces it cannot name, a seat sees nothing. Chance is drawn anew in
every game and is no part of a history.

Games go by rounds in which all is exact: integers, and roots and quotients as IEEE 754 rounds
them. So native code (`native/emit/uct.py`) finds the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import sqrt

from interpreter.play import chance, dealing, pieces
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.guided import (
    HUNDRED,
    PLAIN,
    WHOLE,
    Judge,
    Learned,
    Policy,
    Settings,
    doubted,
    gained,
    play,
    slot_of,
    weighed,
)  # fmt: skip
from interpreter.play.machine import Machine
from interpreter.play.random_play import random_game
from interpreter.play.told import BY_ROW, choice_keys, how_told, mixed, told_value
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    COUNTER,
    KEY,
    MENU,
    MODE,
    MOVES,
    OVER,
    SEALING,
    STATUS,
    STOP_AT_CHANCE,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

DEEPEST = 256  # decisions of one game that are counted
LOG_2 = 0.6931471805599453
_MASK = (1 << 64) - 1
_UNSEEN = -1  # stands for a value that an observer cannot tell


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be found out: for a seat that is to choose, in states it cannot tell apart. Each
    game begins from one of them in turn; with a plan, from the only one, with what is hidden in it
    dealt anew."""

    seat: int
    states: tuple[Buffer, ...]
    plan: dealing.Plan | None
    games: int
    seed: int
    settings: Settings = PLAIN
    policy: Policy | None = None
    judge: Judge | None = None  # of games that are cut off
    careless: tuple[int, ...] = ()  # by seat: in how many percent of the games it chooses anything

    def __post_init__(self) -> None:
        if self.policy is None and (self.settings.sharp or self.settings.prior):
            without = replace(self.settings, sharp=0, prior=0.0)
            object.__setattr__(self, "settings", without)


@dataclass(slots=True)
class Tally:
    """Of one choice after one history."""

    visits: int = 0
    available: int = 1  # how often it could have been chosen since it first was
    total: int = 0  # what it brought its chooser


_UNTRIED = Tally(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Root:
    """The choices of which it is asked what came of them, and the state that they refer to as their
    chooser sees it."""

    seen: Buffer
    choices: list[Choice]
    history: int


Counts = list[tuple[int, int]]  # of each choice: how often it was made, what it brought in all


@dataclass(slots=True)
class Grown:
    """What one tree has come to."""

    tallies: dict[int, Tally] = field(default_factory=dict)
    failed: int = 0  # games in which the rules broke down; they count as lost
    learned: Learned = field(default_factory=Learned)

    def counts(self, program: Program, root: Root) -> Counts:
        keys = choice_keys(program, root.seen, root.choices, root.history)
        found = (self.tallies.get(key, _UNTRIED) for key in keys)
        return [(tally.visits, tally.total) for tally in found]


@once_for_each_program
def observers(program: Program) -> int:
    """How many histories there are: one, if all see everything."""
    layout = program.layout
    hidden = any(kind.known >= 0 for kind in layout.kinds)
    secret = any(variable.secret for variable in layout.variables)
    return program.players if hidden or secret or layout.sealed_width else 1


# ---- growing a tree


def beginning(seat: int) -> int:
    """The history of a seat when the search begins."""
    return seat + 1


def tree_key(task: Task, number: int) -> int:
    """What all chance in a tree comes from."""
    return chance.number(chance.seed_key(task.seed) & _MASK, number)


# How long a tree grows: from the most games it may play, how many must have been played after each
# round, after which it may be over.
Budget = Callable[[int], Iterable[int]]


def counted(games: int) -> Iterable[int]:
    """As many as there may be."""
    return (games,)


def grow(machine: Machine, task: Task, number: int, budget: Budget = counted) -> Grown:
    """Play the games of one tree. Trees with other numbers play other games."""
    tree, begun = Grown(), 0
    for games in budget(task.games):
        _play_on(machine, task, number, tree, range(begun, games))
        begun = games
    return tree


def _play_on(machine: Machine, task: Task, number: int, tree: Grown, games: range) -> None:
    start = tree_key(task, number)
    settings, learned = task.settings, tree.learned
    for game in games:
        keys = [chance.number(start, 3 * game + part) for part in range(3)]
        path: list[tuple[Tally, int]] = []
        learned.noted.clear()
        learned.run.clear()
        try:
            m = _imagined(machine, task, game, keys[0])
            begun = m[MOVES]
            evenly = game * settings.evenly % HUNDRED < settings.evenly
            draws = chance.Draws(keys[1])
            learned.careless = _careless(task, draws)
            _descend(machine, task, m, tree, path, draws, evenly=evenly)
            if settings.blind:
                random_game(machine, m, keys[2])
            else:
                play(machine, m, settings, task.policy, learned, keys[2])
            brought = gained(machine, m, settings, learned, begun, task.judge)
        except Failure:
            tree.failed += 1
            brought = [0] * machine.program.players
        for tally, seat in path:
            tally.visits += 1
            tally.total += brought[seat]
        learned.learn(brought)


def _imagined(machine: Machine, task: Task, game: int, key: int) -> Buffer:
    state = task.states[game % len(task.states)]
    if task.plan is not None:
        m = dealing.imagine(task.plan, key)
    else:
        m = state.copy()
        m[KEY] = chance.signed(key)
    m[MODE] &= ~(STOP_AT_CHANCE | ASK_WHEN_FORCED)
    if m[STATUS] == SEALING:
        machine.stands(m, task.seat)
    return m


def _careless(task: Task, draws: chance.Draws) -> int:
    """The seats that choose anything in this game, as a set of bits."""
    found = 0
    if not any(task.careless):
        return found
    for seat, percent in enumerate(task.careless):
        found |= (draws.below(HUNDRED) < percent) << seat
    return found & ~(1 << task.seat)


def _descend(
    machine: Machine,
    task: Task,
    m: Buffer,
    tree: Grown,
    path: list[tuple[Tally, int]],
    draws: chance.Draws,
    *,
    evenly: bool = False,
) -> None:
    """Choose what promises most, up to the first choice that has never been made. Of several who
    are to choose, the seat that searches does so first. `evenly` it ends where another chooses in
    secret: tallies of theirs come to answer one's own usual choice, and one's own those, until all
    options look alike; what is good against anybody shows where others choose anything. Who does so
    in some of the games looks for what is good against both. Whoever is careless in this game
    chooses anything, of which nothing is counted."""
    program = machine.program
    histories = [beginning(seat) for seat in range(observers(program))]
    while m[STATUS] != OVER and len(path) < DEEPEST:
        seats = machine.seats_to_act(m)
        seat = task.seat if task.seat in seats else seats[0]
        sealed = m[STATUS] == SEALING
        if evenly and sealed and seat != task.seat:
            return
        choices = machine.options(m, seat)
        seen = machine.sealed_view(m, seat) if sealed else m
        history = histories[seat % len(histories)]
        if tree.learned.careless >> seat & 1:
            index, new, tally = draws.below(len(choices)), False, Tally()
        else:
            keys = choice_keys(program, seen, choices, history)
            index = _most_promising(program, task, seen, seat, choices, keys, tree, draws)
            new = keys[index] not in tree.tallies
            tally = tree.tallies.setdefault(keys[index], Tally())
        tree.learned.run.come_to(seat, m[COUNTER])
        tree.learned.keep(program, task.settings, seen, choices[index], seat)
        path.append((tally, seat))
        menu, before = seen[MENU], seen.copy()
        machine.take(m, choices[index], seat)
        if new:
            return
        _tell(program, histories, seat, sealed, menu, choices[index], before, m)


def _most_promising(
    program: Program,
    task: Task,
    seen: Buffer,
    seat: int,
    choices: list[Choice],
    keys: list[int],
    tree: Grown,
    draws: chance.Draws,
) -> int:
    fresh = [index for index, each in enumerate(keys) if each not in tree.tallies]
    for each in keys:
        if each in tree.tallies:
            tree.tallies[each].available += 1
    if task.settings.wide:
        return _widely(program, task, seen, seat, choices, keys, tree)
    if fresh:
        return fresh[draws.below(len(fresh))]
    hopes = [_promise(tree.tallies[each], task.settings.exploration) for each in keys]
    return hopes.index(max(hopes))


def _promise(tally: Tally, exploration: float) -> float:
    """The mean, and more for what has seldom been chosen when it could have been."""
    log = _log(tally.available)
    return tally.total / (tally.visits * WHOLE) + exploration * sqrt(log / tally.visits)


def _log(number: int) -> float:
    """Near the logarithm: straight between the powers of 2."""
    doubled = number.bit_length() - 1
    return LOG_2 * (doubled + (number / (1 << doubled) - 1.0))


def _widely(
    program: Program,
    task: Task,
    seen: Buffer,
    seat: int,
    choices: list[Choice],
    keys: list[int],
    tree: Grown,
) -> int:
    """The option that promises most, with what is known of those that have never been tried: what
    has been learned counts like some games, or a policy says where to look."""
    settings, learned = task.settings, tree.learned
    tallies = [tree.tallies.get(key, _UNTRIED) for key in keys]
    visits = sum(tally.visits for tally in tallies)
    if settings.prior > 0 and task.policy is not None:
        likely = weighed(task.policy.weigh(seen, seat, choices), HUNDRED)
        weights = doubted(likely, settings.doubt)
        usual = sum(tally.total for tally in tallies) / (max(1, visits) * WHOLE)
        wide = settings.prior * sqrt(visits + 1.0) / sum(weights)
        hopes = [
            (tally.total / (tally.visits * WHOLE) if tally.visits else usual)
            + wide * weight / (1 + tally.visits)
            for tally, weight in zip(tallies, weights, strict=True)
        ]
    else:
        log = _log(visits + 1)
        slots = [slot_of(program, seen, choice, seat) for choice in choices]
        hopes = []
        for tally, slot in zip(tallies, slots, strict=True):
            number = tally.visits + settings.trust
            total = tally.total + settings.trust * learned.mean(slot)
            hopes.append(total / (number * WHOLE) + settings.exploration * sqrt(log / number))
    return hopes.index(max(hopes))


def _tell(
    program: Program,
    histories: list[int],
    seat: int,
    sealed: bool,
    menu: int,
    choice: Choice,
    before: Buffer,
    after: Buffer,
) -> None:
    """Let the seats see a choice."""
    forms = how_told(program, menu, choice[0])
    told: list[int] = []
    known: list[int] = []  # masks of the seats that see a value
    for (form, kind), value in zip(forms, choice[1:], strict=False):
        told.append(told_value(program, before, form, kind, value))
        knowing = -1
        if form == BY_ROW and value >= 0:
            layout = program.layout.kinds[kind]
            knowing = pieces.who_knows(before, layout, value)
            knowing |= pieces.who_knows(after, layout, value)
        known.append(knowing)
    for observer in range(len(histories)):
        if len(histories) == 1 or observer == seat:
            seen = told
        elif sealed:
            continue
        else:
            seen = [
                value if mask >> observer & 1 else _UNSEEN
                for value, mask in zip(told, known, strict=True)
            ]
        start = chance.number(histories[observer], seat)
        histories[observer] = mixed(start, menu, choice[0], seen)
