"""What is written down of a game while it is played, for statistics: whole numbers only, which can
be added up in any order. `native/emit/gathering.py` writes down the same while native code plays.

A *thing* is whatever a choice can be about and its chooser can name: an action, a row of a kind, a
word, a row of a table, a cell of a board. A piece that is chosen face down is none.

A *round* is a pass of the outermost loop of the rules in which somebody chooses (`circling.py`).
The lead is looked at where such a loop has come to another place, since asking for scores takes
long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter.play import words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.circling import Circling, circling_of
from interpreter.play.guided import is_shared, shares, standing
from interpreter.play.machine import Machine
from interpreter.program.layout import (
    DECIDED,
    HEADER,
    MENU,
    MOVES,
    PC,
    SEALED,
    SEALED_DONE,
    SEAT,
    WINNERS,
)  # fmt: skip
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Param, Program
from interpreter.report.visible import spaced

# A row of a game; after it comes one for each seat.
(
    G_ERROR, G_WINNERS, G_MOVES, G_SEALED, G_FORCED, G_ROUNDS, G_OFFERED, G_WIDEST, G_START,
    G_LEADS, G_LEAD_SINCE, G_LEAD_1, G_LEAD_2, G_LEAD_3, G_REPEATED, G_FAVOURITES,
    G_FAVOURITE_SINCE, G_OPENING,
) = range(18)  # fmt: skip
OPENING, OPENING_WIDTH = 3, 5  # choices a game begins with: an action and values of each
GAME_WIDTH = G_OPENING + OPENING * OPENING_WIDTH
S_SCORE, S_MOVES, S_OFFERED, S_JUDGED, S_ALIKE, SEAT_WIDTH = range(6)
# Sums of a thing. T are the players who took it in a game, N those who could and did not, WT and WN
# what they have won of it. Squares and products tell how sure a difference between them is.
(
    U_OFFERED, U_TAKEN, U_GAMES, U_T, U_N, U_WT, U_WN, U_TT, U_NN, U_TN, U_WTWT, U_WNWN, U_WTWN,
    U_TWT, U_TWN, U_NWT, U_NWN, USE_WIDTH,
) = range(18)  # fmt: skip
R_WINNERS, R_WINNERS_SCORE, R_OTHERS, R_OTHERS_SCORE, RACE_WIDTH = range(5)
ROUNDS_KEPT = 100  # of the race
LEADS_KEPT = 1000  # changes of who leads in a game; what comes after is not known any more
UNKNOWN = -1
AHEAD = 0.1  # of the share won: by so much somebody must be expected to win rather than another
NOTHING, HIDDEN, NUMBERS = -1, -2, 1 << 40  # in an opening, for what is no thing
FREE, NEVER, ALWAYS = range(3)  # how a player is held back
SKIPPED, AS_IT_IS, BY_ROW = range(3)  # how a value of an option names a thing
# Which random games are looked at for positions that come again: the first, then one in so many.
WATCHED_FIRST, WATCHED = 16, 1024


@dataclass(frozen=True, slots=True)
class Thing:
    sort: str
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Form:
    """How a value of an option names a thing: `first` and the value, or the row of the piece."""

    form: int
    first: int = 0
    size: int = 0
    rows: tuple[int, ...] = ()
    hidden: bool = False

    def thing(self, value: int) -> int:
        if self.form == SKIPPED or not 0 <= value < self.size:
            return NOTHING
        return self.first + (self.rows[value] if self.form == BY_ROW else value)


@dataclass(frozen=True, slots=True)
class Things:
    """All things of a program, by number, and for each entry of each menu its action and how its
    values name things."""

    things: tuple[Thing, ...]
    entries: tuple[tuple[tuple[int, tuple[Form, ...]], ...], ...]


@once_for_each_program
def things_of(program: Program) -> Things:
    found: list[Thing] = []
    firsts: dict[tuple[str, str], int] = {}

    def first_of(sort: str, name: str, things: Sequence[Thing]) -> int:
        if (sort, name) not in firsts:
            firsts[sort, name] = len(found)
            found.extend(things)
        return firsts[sort, name]

    def action(number: int) -> int:
        name = program.actions[number].name
        return first_of("action", name, [Thing("action", name, spaced(name))])

    def form(param: Param) -> Form:
        type_ = param.type
        match type_.sort:
            case "kind" | "row":
                if type_.sort == "kind" and param.form == "place":
                    return Form(SKIPPED, hidden=True)
                kind = words.kind_of(program, type_.name)
                rows = _rows(type_.name, kind.rows, kind.labels)
                first = first_of("kind", type_.name, rows)
                if kind.fungible or type_.sort == "row":
                    return Form(AS_IT_IS, first, len(rows))
                return Form(BY_ROW, first, len(kind.row_of), kind.row_of)
            case "enum" | "table":
                names, labels = program.enums[type_.name], program.labels[type_.name]
                rows = _rows(type_.name, names, labels)
            case "board":
                board = program.boards[type_.name]
                labels = board.labels or tuple(map(spaced, board.cells))
                rows = _rows(type_.name, board.cells, labels)
            case _:
                return Form(SKIPPED)
        return Form(AS_IT_IS, first_of(type_.sort, type_.name, rows), len(rows))

    entries = tuple(
        tuple(
            (action(entry.action), tuple(map(form, program.actions[entry.action].params)))
            for entry in menu.entries
        )
        for menu in program.menus
    )
    return Things(tuple(found), entries)


def _rows(sort: str, names: Sequence[str], labels: Sequence[str]) -> list[Thing]:
    """What is called the same is told apart by its name."""
    pairs = zip(names, labels, strict=True)
    return [
        Thing(sort, name, label if labels.count(label) == 1 else f"{label} ({name})")
        for name, label in pairs
    ]


@once_for_each_program
def weights_of(program: Program) -> tuple[bool, ...]:
    """Which cells make a position: not those that only count or remember what has been."""
    found = [False] * HEADER + [True] * (program.layout.size - HEADER)
    for cell in (PC, SEAT, MENU, SEALED, SEALED_DONE):
        found[cell] = True
    for variable in program.layout.variables:
        if variable.remembers:
            for cell in range(variable.address, variable.address + variable.size):
                found[cell] = False
    return tuple(found)


def is_watched(number: int) -> bool:
    """Whether the random game of this number is looked at for positions that come again."""
    return number < WATCHED_FIRST or number % WATCHED == 0


def allowed(
    program: Program, menu: int, choices: Sequence[Choice], manner: int, thing: int
) -> list[int]:
    """The numbers of the choices that are left to a player who never chooses a thing, or always,
    wherever there is a choice between options about it and others."""
    forms = things_of(program).entries[menu]
    about = [
        number
        for number, (entry, *values) in enumerate(choices)
        if thing == forms[entry][0]
        or any(form.thing(value) == thing for form, value in zip(forms[entry][1], values))  # noqa: B905
    ]
    if manner == FREE or not about or len(about) == len(choices):
        return list(range(len(choices)))
    return about if manner == ALWAYS else [n for n in range(len(choices)) if n not in set(about)]


def has_leads(program: Program) -> bool:
    """Whether somebody can be ahead during a game."""
    return program.score >= 0 and not is_shared(program)


@dataclass(slots=True)
class Gathered:
    """What a number of games has come to: rows of games and seats, and sums."""

    program: Program
    games: list[int] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    race: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.uses = [0] * (USE_WIDTH * len(things_of(self.program).things))
        self.race = [0] * (RACE_WIDTH * ROUNDS_KEPT)


class Gatherer:
    """One game. `pick` is called before every choice is made, `end` when it is over. `into` takes
    the sums of things by seat, so that those of different bots can be kept apart."""

    def __init__(self, machine: Machine, *, watched: bool) -> None:
        self.machine, self.program = machine, machine.program
        self.things = things_of(self.program)
        self.circling = Circling(circling_of(self.program))
        players = self.program.players
        self.game = [0] * GAME_WIDTH
        self.game[G_OPENING:] = [NOTHING] * (OPENING * OPENING_WIDTH)
        self.seats = [[0] * SEAT_WIDTH for _ in range(players)]
        self.offered: dict[int, int] = {}  # things, with the seats as bits
        self.taken: dict[int, int] = {}
        self.times: dict[tuple[int, int], list[int]] = {}  # by thing and seat: offered and taken
        self.decided = 0  # what the counter should say, unless somebody was forced
        self.was_sealed = False
        self.leaders: list[tuple[int, int]] = []  # from which move on, and who, as bits
        self.alone = 0  # who led alone last
        self.scores: list[tuple[int, list[int]]] = []  # the loop, and what was where it went round
        self.positions: set[tuple[int, ...]] | None = set() if watched else None
        self.game[G_REPEATED] = 0 if watched else UNKNOWN
        self.chances: dict[int, float] = {}  # of the seats, by the last estimates of their bots
        self.favourite = UNKNOWN
        self.game[G_FAVOURITES] = self.game[G_FAVOURITE_SINCE] = UNKNOWN
        self.opened = 0
        if not has_leads(self.program):
            self.game[G_LEADS : G_LEAD_3 + 1] = [UNKNOWN] * 5

    def pick(
        self, m: Buffer, seat: int, choices: Sequence[Choice], index: int, *, sealed: bool
    ) -> None:
        """`m` is the state as its chooser sees it."""
        count = len(choices)
        self.game[G_OFFERED] += count
        self.game[G_WIDEST] = max(self.game[G_WIDEST], count)
        self.seats[seat][S_MOVES] += 1
        self.seats[seat][S_OFFERED] += count
        self._note_things(m, seat, choices, index)
        again = sealed and self.was_sealed and m[DECIDED] == self.decided
        if not again:
            self._look_round(m)
        if sealed:
            self.game[G_SEALED] += 1
            self.decided, self.was_sealed = m[DECIDED], True
            return
        if not self.was_sealed:
            self.game[G_FORCED] += m[DECIDED] - self.decided
        self.decided, self.was_sealed = m[DECIDED] + 1, False
        self._note_opening(m, seat, choices[index])
        if self.positions is not None:
            kept = weights_of(self.program)
            position = tuple(cell for cell, is_kept in zip(m, kept, strict=True) if is_kept)
            self.game[G_REPEATED] += position in self.positions
            self.positions.add(position)

    def expect(self, seat: int, chance: float, moves: int) -> None:
        """What a bot thinks of its chance to win, before it chooses. Once all have told, somebody
        is the favourite, until another one is clearly ahead: estimates vary by chance."""
        self.chances[seat] = chance
        if len(self.chances) < self.program.players:
            return
        best = max(self.chances, key=lambda each: (self.chances[each], -each))
        if self.favourite == UNKNOWN:
            self.favourite = best
            self.game[G_FAVOURITES] = self.game[G_FAVOURITE_SINCE] = 0
        elif self.chances[best] >= self.chances[self.favourite] + AHEAD:
            self.favourite = best
            self.game[G_FAVOURITES] += 1
            self.game[G_FAVOURITE_SINCE] = moves

    def _note_things(self, m: Buffer, seat: int, choices: Sequence[Choice], index: int) -> None:
        forms = self.things.entries[m[MENU]]
        offered: set[int] = set()
        for number, (entry, *values) in enumerate(choices):
            action, params = forms[entry]
            named = {action, *(form.thing(value) for form, value in zip(params, values))}  # noqa: B905
            named.discard(NOTHING)
            offered |= named
            if number == index:
                for thing in named:
                    self.taken[thing] = self.taken.get(thing, 0) | 1 << seat
                    self.times.setdefault((thing, seat), [0, 0])[1] += 1
        for thing in offered:
            self.offered[thing] = self.offered.get(thing, 0) | 1 << seat
            self.times.setdefault((thing, seat), [0, 0])[0] += 1

    def _note_opening(self, m: Buffer, seat: int, choice: Choice) -> None:
        if self.opened == 0:
            self.game[G_START] = seat + 1
        if self.opened < OPENING:
            action, params = self.things.entries[m[MENU]][choice[0]]
            told = [action]
            for form, value in zip(params, choice[1:]):  # noqa: B905
                thing = form.thing(value)
                told.append(thing if thing >= 0 else HIDDEN if form.hidden else NUMBERS + value)
            start = G_OPENING + self.opened * OPENING_WIDTH
            self.game[start : start + len(told[:OPENING_WIDTH])] = told[:OPENING_WIDTH]
        self.opened += 1

    def _look_round(self, m: Buffer) -> None:
        moved, passed = self.circling.look(m)
        if not moved or not has_leads(self.program):
            return
        scores = standing(self.machine, m)
        if passed and len(self.scores) < ROUNDS_KEPT:
            self.scores.append((self.circling.loop, scores))
        best = max(scores)
        mask = sum(1 << seat for seat, score in enumerate(scores) if score == best)
        if len(self.leaders) < LEADS_KEPT and (not self.leaders or self.leaders[-1][1] != mask):
            self.leaders.append((m[MOVES], mask))
        if mask.bit_count() == 1 and mask != self.alone:
            if self.alone:
                self.game[G_LEADS] += 1
                self.game[G_LEAD_SINCE] = m[MOVES]
            self.alone = mask

    # ---- the end

    def end(self, m: Buffer, error: int, race: list[int], uses: Sequence[list[int]]) -> list[int]:
        """The rows of the game and its seats. Sums go to `race`, and for each seat to `uses`."""
        program, game = self.program, self.game
        game[G_ERROR], game[G_MOVES], game[G_ROUNDS] = error, m[MOVES], self.circling.rounds
        game[G_WINNERS] = 0 if error else m[WINNERS]
        if not self.was_sealed and not error:
            game[G_FORCED] += m[DECIDED] - self.decided
        for quarter in (1, 2, 3) if has_leads(program) else ():
            led = [mask for since, mask in self.leaders if 4 * since <= quarter * m[MOVES]]
            game[G_LEAD_1 + quarter - 1] = led[-1] if led else 0
        first = program.layout.scores
        for seat, row in enumerate(self.seats):
            row[S_SCORE] = 0 if error else m[first + seat]
        for (thing, seat), (offered, taken) in self.times.items():
            uses[seat][thing * USE_WIDTH + U_OFFERED] += offered
            uses[seat][thing * USE_WIDTH + U_TAKEN] += taken
        if not error:
            self._add_race(race)
            self._add_uses(uses)
        return game + [cell for row in self.seats for cell in row]

    def _add_race(self, race: list[int]) -> None:
        winners = self.game[G_WINNERS]
        if not winners:
            return
        passes = self.circling.passes
        longest = passes.index(max(passes)) if passes else -1
        rounds = [scores for loop, scores in self.scores if loop == longest]
        for number, scores in enumerate(rounds):
            for seat, score in enumerate(scores):
                column = R_WINNERS if winners >> seat & 1 else R_OTHERS
                race[number * RACE_WIDTH + column] += 1
                race[number * RACE_WIDTH + column + 1] += score

    def _add_uses(self, uses: Sequence[list[int]]) -> None:
        won = shares(self.program, self.game[G_WINNERS])
        groups: dict[int, list[int]] = {}  # seats whose sums go to the same list
        for seat, each in enumerate(uses):
            groups.setdefault(id(each), []).append(seat)
        for seats in groups.values():
            target = uses[seats[0]]
            for thing, mask in self.offered.items():
                takers = [s for s in seats if self.taken.get(thing, 0) >> s & 1]
                leavers = [s for s in seats if mask >> s & 1 and s not in takers]
                if takers or leavers:
                    t, n = len(takers), len(leavers)
                    wt, wn = sum(won[s] for s in takers), sum(won[s] for s in leavers)
                    _add(target, thing * USE_WIDTH, t, n, wt, wn)


def _add(sums: list[int], start: int, t: int, n: int, wt: int, wn: int) -> None:
    added = (
        1, t, n, wt, wn, t * t, n * n, t * n, wt * wt, wn * wn, wt * wn, t * wt, t * wn, n * wt,
        n * wn,
    )  # fmt: skip
    for offset, each in enumerate(added, start + U_GAMES):
        sums[offset] += each
