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

from dataclasses import dataclass, field
from math import sqrt

from interpreter.play import chance, dealing, pieces
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.random_play import random_game
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    KEY,
    MENU,
    MODE,
    OVER,
    SEALING,
    STATUS,
    STOP_AT_CHANCE,
    WINNERS,
)  # fmt: skip
from interpreter.program.program import Program

WHOLE = 27_720  # a game won; those who win together share it, exactly, up to twelve
DEEPEST = 256  # decisions of one game that are counted
LOG_2 = 0.6931471805599453
_MASK = (1 << 64) - 1
_UNSEEN = -1  # stands for a value that an observer cannot tell
AS_IT_IS, BY_ROW, BY_PLACE = range(3)  # how a value of a choice is told apart from others


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
    exploration: float


@dataclass(slots=True)
class Tally:
    """Of one choice after one history."""

    visits: int = 0
    available: int = 1  # how often it could have been chosen since it first was
    total: int = 0  # what it brought its chooser


@dataclass(slots=True)
class Grown:
    """What one tree has come to."""

    tallies: dict[int, Tally] = field(default_factory=dict)
    failed: int = 0  # games in which the rules broke down; they count as lost


def observers(program: Program) -> int:
    """How many histories there are: one, if all see everything."""
    layout = program.layout
    hidden = any(kind.known >= 0 for kind in layout.kinds)
    secret = any(variable.secret for variable in layout.variables)
    return program.players if hidden or secret or layout.sealed_width else 1


def shares(program: Program, winners: int) -> list[int]:
    """What a game brought each seat. If nobody wins, all share, and so do those who are equal by
    the rules' judgement; those who are told to win together win the whole game each."""
    share = WHOLE
    if not winners or program.winners >= 0:
        winners = winners or (1 << program.players) - 1
        share = WHOLE // winners.bit_count()
    return [share * (winners >> seat & 1) for seat in range(program.players)]


# ---- choices as numbers


def how_told(program: Program, menu: int, entry: int) -> list[tuple[int, int]]:
    """For each value of an option: how it is told apart, and the kind of a piece."""
    found: list[tuple[int, int]] = []
    chosen = program.menus[menu].entries[entry]
    params = program.actions[chosen.action].params
    for number in range(len(chosen.cells)):
        type_ = params[number].type if number < len(params) else None
        if type_ is None or type_.sort != "kind":
            found.append((AS_IT_IS, 0))
            continue
        kinds = program.layout.kinds
        kind = next(number for number, each in enumerate(kinds) if each.name == type_.name)
        form = BY_PLACE if params[number].form == "place" else BY_ROW
        found.append((AS_IT_IS if kinds[kind].fungible else form, kind))
    return found


def mark_addresses(program: Program, kind: int) -> list[int]:
    """Where the variables begin by which equal pieces of a kind can be told apart."""
    name = program.layout.kinds[kind].name
    return [
        variable.address
        for variable in program.layout.variables
        if len(variable.indexes) == 1
        and variable.indexes[0].type.sort == "kind"
        and variable.indexes[0].type.name == name
        and not variable.secret
    ]


def _told(program: Program, m: Buffer, form: int, kind: int, value: int) -> int:
    """A value of a choice as it is told apart: the same in all states that look the same."""
    if form == AS_IT_IS or value < 0:
        return value
    layout = program.layout.kinds[kind]
    if form == BY_PLACE:
        return chance.number(m[layout.where + value] & _MASK, m[layout.position + value])
    found = chance.number(layout.row_of[value], 0)
    for address in mark_addresses(program, kind):
        found = chance.number(found, m[address + value])
    return found


def _chosen(history: int, menu: int, entry: int, told: list[int]) -> int:
    found = chance.number(history, menu << 16 | entry)
    for value in told:
        found = chance.number(found, value)
    return found or 1


def beginning(seat: int) -> int:
    """The history of a seat when the search begins."""
    return seat + 1


def choice_keys(program: Program, m: Buffer, choices: list[Choice], history: int) -> list[int]:
    """What tallies of these choices go by. `m` is the state as its chooser sees it."""
    menu = m[MENU]
    forms = {entry: how_told(program, menu, entry) for entry in {choice[0] for choice in choices}}
    found: list[int] = []
    for choice in choices:
        told = [
            _told(program, m, form, kind, value)
            for (form, kind), value in zip(forms[choice[0]], choice[1:], strict=False)
        ]
        found.append(_chosen(history, menu, choice[0], told))
    return found


# ---- growing a tree


def tree_key(task: Task, number: int) -> int:
    """What all chance in a tree comes from."""
    return chance.number(chance.seed_key(task.seed) & _MASK, number)


def grow(machine: Machine, task: Task, number: int) -> Grown:
    """Play the games of one tree. Trees with other numbers play other games."""
    tree = Grown()
    start = tree_key(task, number)
    for game in range(task.games):
        keys = [chance.number(start, 3 * game + part) for part in range(3)]
        path: list[tuple[Tally, int]] = []
        try:
            m = _imagined(machine, task, game, keys[0])
            _descend(machine, task, m, tree, path, keys[1])
            random_game(machine, m, keys[2])
            gained = shares(machine.program, m[WINNERS])
        except Failure:
            tree.failed += 1
            gained = [0] * machine.program.players
        for tally, seat in path:
            tally.visits += 1
            tally.total += gained[seat]
    return tree


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


def _descend(
    machine: Machine,
    task: Task,
    m: Buffer,
    tree: Grown,
    path: list[tuple[Tally, int]],
    key: int,
) -> None:
    """Choose what promises most, up to the first choice that has never been made. Of several who
    are to choose, the seat that searches does so first."""
    program = machine.program
    histories = [beginning(seat) for seat in range(observers(program))]
    counter = 0
    while m[STATUS] != OVER and len(path) < DEEPEST:
        seats = machine.seats_to_act(m)
        seat = task.seat if task.seat in seats else seats[0]
        choices = machine.options(m, seat)
        sealed = m[STATUS] == SEALING
        seen = machine.sealed_view(m, seat) if sealed else m
        history = histories[seat % len(histories)]
        keys = choice_keys(program, seen, choices, history)
        fresh = [index for index, each in enumerate(keys) if each not in tree.tallies]
        for each in keys:
            if each in tree.tallies:
                tree.tallies[each].available += 1
        if fresh:
            chosen, counter = chance.below(key, counter, len(fresh))
            index = fresh[chosen]
            tally = tree.tallies[keys[index]] = Tally()
        else:
            hopes = [_promise(tree.tallies[each], task.exploration) for each in keys]
            index = hopes.index(max(hopes))
            tally = tree.tallies[keys[index]]
        path.append((tally, seat))
        menu, before = seen[MENU], seen.copy()
        machine.take(m, choices[index], seat)
        if fresh:
            return
        _tell(program, histories, seat, sealed, menu, choices[index], before, m)


def _promise(tally: Tally, exploration: float) -> float:
    """The mean, and more for what has seldom been chosen when it could have been."""
    doubled = tally.available.bit_length() - 1
    log = LOG_2 * (doubled + (tally.available / (1 << doubled) - 1.0))
    return tally.total / (tally.visits * WHOLE) + exploration * sqrt(log / tally.visits)


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
        told.append(_told(program, before, form, kind, value))
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
        histories[observer] = _chosen(start, menu, choice[0], seen)
