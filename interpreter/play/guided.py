"""Games that are played to find something out, and not blindly: what was chosen is drawn by what it
has brought before or by a policy, and what a game was worth goes by the score as well.

Everything is exact, so that native code (`native/emit/guided.py`) plays the same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from interpreter.play import chance
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.play.told import choice_keys
from interpreter.program.layout import COUNTER, MOVES, OVER, SEALING, STATUS, WINNERS
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import locals_read

WHOLE = 27_720  # a game won; those who win together share it, exactly, up to twelve
HUNDRED = 100  # shares of a reward are told in percent
SLOTS = 1 << 14  # of what is learned; choices whose keys fall together are one
NOTED = 4096  # choices of one game that are learned from
RUN = 32  # choices in a row that are remembered
FARTHEST_LEAD = 1 << 32  # a lead beyond that counts as no more
WEIGHT_STEP = 32  # of the 1024 parts of an e-fold in which a policy tells how good options look
_FINE = 1 << 40
_DOWN = 1_065_683_211_333  # 2**40 * exp(-1/32)
FARTHEST_WEIGHT = 400  # steps: there is nothing left of a weight


def _weights() -> tuple[int, ...]:
    found, now = [], _FINE
    for _ in range(FARTHEST_WEIGHT):
        found.append(now >> 20)
        now = now * _DOWN >> 40
    return (*found, 0)


WEIGHTS = _weights()  # of options, by how far they are behind the best


class Policy(Protocol):
    """Who says how good options look, and what that goes by."""

    def weigh(self, m: Buffer, seat: int, choices: Sequence[Choice]) -> list[int]:
        """For each choice how good it looks to a seat, in 1/1024 of an e-fold. `m` is the state
        as its chooser sees it."""

    def native(self) -> tuple[int, int]:
        """The address of a native function that says the same, and of its tables."""


class Judge(Protocol):
    """Who says what positions are worth."""

    def worth(self, m: Buffer, leads: Sequence[int]) -> list[int]:
        """What each seat is to expect of the game, in parts of `WHOLE`. `leads` are how far they
        are ahead."""

    def native(self) -> tuple[int, int]:
        """The address of a native function that says the same, and of its tables."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a search plays its games. As they are by default, it plays blindly and goes by wins
    alone, which is the measure of all others."""

    exploration: float = 0.7
    learned: int = 0  # of so many options drawn at random, the one that has done best is played
    sharp: int = 0  # games are played by the policy: percent of how sharply it chooses
    score: int = 0  # percent of the reward that go by the score
    cut: int = 0  # after so many decisions the score of the moment decides; 0: never
    haste: int = 0  # what comes so many decisions later counts half; 0: time is no matter
    anew: int = 0  # so often another option is drawn in place of one that goes to and fro
    trust: int = 0  # what is learned counts like so many games after an option in the tree
    prior: float = 0.0  # how much the policy says where to look first
    doubt: int = 0  # percent of its word that go to all options alike, so that each is tried
    evenly: int = 0  # in so many percent of the games a tree ends where others choose in secret

    @property
    def learns(self) -> bool:
        return self.learned > 1 or self.trust > 0

    @property
    def wide(self) -> bool:
        """Whether an option may wait although it has never been tried."""
        return self.trust > 0 or self.prior > 0

    @property
    def blind(self) -> bool:
        """Whether games are played at random up to their end."""
        return not (self.learns or self.sharp or self.cut or self.anew)


PLAIN = Settings()


def shares(program: Program, winners: int) -> list[int]:
    """What a game brought each seat. If nobody wins, all share, and so do those who are equal by
    the rules' judgement; those who are told to win together win the whole game each."""
    share = WHOLE
    if not winners or program.winners >= 0:
        winners = winners or (1 << program.players) - 1
        share = WHOLE // winners.bit_count()
    return [share * (winners >> seat & 1) for seat in range(program.players)]


# ---- what a game was worth


@once_for_each_program
def is_shared(program: Program) -> bool:
    """Whether all have the same score, so that nobody can be ahead."""
    return program.players == 1 or (
        program.score >= 0 and 0 not in locals_read(program.functions[program.score].body)
    )


def standing(machine: Machine, m: Buffer) -> list[int]:
    """The scores of the moment; none are ahead where the rules have none, or break down."""
    program = machine.program
    if m[STATUS] == OVER:
        return m[program.layout.scores : program.layout.scores + program.players]
    if program.score < 0:
        return [0] * program.players
    try:
        return [machine.evaluate(m, program.score, [seat]) for seat in range(program.players)]
    except Failure:
        return [0] * program.players


def leads(program: Program, scores: list[int]) -> list[int]:
    """How far each seat is ahead of all together, or what all have, if nobody can be ahead."""
    bound = [max(-FARTHEST_LEAD, min(FARTHEST_LEAD, score)) for score in scores]
    if is_shared(program):
        return bound
    total = sum(bound)
    return [program.players * score - total for score in bound]


@dataclass(slots=True)
class Spread:
    """What a seat's leads have been in the games so far, so that a lead can be called great."""

    games: int = 0
    total: int = 0
    apart: int = 0

    def worth(self, lead: int) -> int:
        """A lead as a part of a game won: half for the usual one."""
        self.games += 1
        self.total += lead
        off = lead - quotient(self.total, self.games)
        self.apart += abs(off)
        return WHOLE // 2 + quotient(
            WHOLE // 2 * off, abs(off) + 1 + quotient(self.apart, self.games)
        )


def quotient(dividend: int, divisor: int) -> int:
    """Rounded towards 0, as processors do."""
    found = abs(dividend) // abs(divisor)
    return found if (dividend < 0) == (divisor < 0) else -found


# ---- what has been learned


@dataclass(slots=True)
class Run:
    """What a seat has chosen in a row, while nobody else chose and nothing was drawn. To choose
    again what was chosen before something else is to go to and fro. To choose the same several
    times on end is not: that may be more of it. Choices are known by where it is kept what they
    have brought (`slot_of`); of a long run the latest ones are."""

    seat: int = -1
    drawn: int = 0
    made: list[int] = field(default_factory=list)

    def clear(self) -> None:
        self.seat = -1

    def come_to(self, seat: int, drawn: int) -> None:
        """Somebody is to choose, after so many draws of chance."""
        if (seat, drawn) != (self.seat, self.drawn):
            self.seat, self.drawn = seat, drawn
            self.made.clear()

    def is_to_and_fro(self, slot: int) -> bool:
        return slot in self.made and slot != self.made[-1]

    def add(self, slot: int) -> None:
        if len(self.made) == RUN:
            del self.made[0]
        self.made.append(slot)


@dataclass(slots=True)
class Learned:
    """What games have brought after choices of a kind, by whoever made them."""

    visits: dict[int, int] = field(default_factory=dict)  # by slot
    totals: dict[int, int] = field(default_factory=dict)
    noted: list[tuple[int, int]] = field(default_factory=list)  # of this game: slot and seat
    spreads: list[Spread] = field(default_factory=list)  # of each seat
    run: Run = field(default_factory=Run)  # of this game
    careless: int = 0  # a set of seats that choose anything in this game

    def note(self, slot: int, seat: int) -> None:
        if len(self.noted) < NOTED:
            self.noted.append((slot, seat))

    def keep(
        self,
        program: Program,
        settings: Settings,
        seen: Buffer,
        choice: Choice,
        seat: int,
        *,
        last: bool = True,
    ) -> bool:
        """Note a choice, unless it goes to and fro and another may be drawn."""
        if not (settings.learns or settings.anew):
            return True
        slot = slot_of(program, seen, choice, seat)
        if not last and self.run.is_to_and_fro(slot):
            return False
        if settings.learns:
            self.note(slot, seat)
        if settings.anew:
            self.run.add(slot)
        return True

    def learn(self, gained: list[int]) -> None:
        for slot, seat in self.noted:
            self.visits[slot] = self.visits.get(slot, 0) + 1
            self.totals[slot] = self.totals.get(slot, 0) + gained[seat]

    def mean(self, slot: int) -> int:
        """What has not been tried yet may be the best."""
        return (self.totals.get(slot, 0) + WHOLE) // (self.visits.get(slot, 0) + 1)


def slot_of(program: Program, seen: Buffer, choice: Choice, seat: int) -> int:
    """Where it is kept what choices of this kind have brought a seat."""
    (key,) = choice_keys(program, seen, [choice], ~seat)
    return key % SLOTS


# ---- playing


def play(
    machine: Machine,
    m: Buffer,
    settings: Settings,
    policy: Policy | None,
    learned: Learned,
    key: int,
) -> None:
    """Go on to the end of the game, or to where it is cut off."""
    stream, taken = chance.Draws(key), 0
    while m[STATUS] != OVER:
        if 0 < settings.cut <= taken and m[STATUS] != SEALING:
            return
        seat = machine.seats_to_act(m)[0]
        choices = machine.options(m, seat)
        seen = machine.sealed_view(m, seat) if m[STATUS] == SEALING else m
        learned.run.come_to(seat, m[COUNTER])
        for left in range(settings.anew, -1, -1):
            index = _drawn(machine.program, seen, seat, choices, settings, policy, learned, stream)
            if learned.keep(machine.program, settings, seen, choices[index], seat, last=not left):
                break
        machine.take(m, choices[index], seat)
        taken += 1


def _drawn(
    program: Program,
    seen: Buffer,
    seat: int,
    choices: list[Choice],
    settings: Settings,
    policy: Policy | None,
    learned: Learned,
    stream: chance.Draws,
) -> int:
    if learned.careless >> seat & 1:
        return stream.below(len(choices))
    if settings.sharp and policy is not None:
        return by_weight(weighed(policy.weigh(seen, seat, choices), settings.sharp), stream)
    return _best_of_some(program, seen, seat, choices, settings, learned, stream)


def by_weight(weights: list[int], stream: chance.Draws) -> int:
    """The place of one that is drawn, each as likely as its weight says."""
    point = stream.below(sum(weights))
    index = 0
    while point >= weights[index]:
        point -= weights[index]
        index += 1
    return index


def _best_of_some(
    program: Program,
    seen: Buffer,
    seat: int,
    choices: list[Choice],
    settings: Settings,
    learned: Learned,
    stream: chance.Draws,
) -> int:
    """Of some options drawn at random the one that has done best; of equals the first."""
    found = stream.below(len(choices))
    if settings.learned < 2:
        return found
    best = learned.mean(slot_of(program, seen, choices[found], seat))
    for _ in range(settings.learned - 1):
        other = stream.below(len(choices))
        mean = learned.mean(slot_of(program, seen, choices[other], seat))
        if mean > best:
            best, found = mean, other
    return found


def weighed(said: list[int], sharp: int) -> list[int]:
    """How likely options are to be chosen, by what a policy says of them."""
    best = max(said)
    behind = [(best - each) * sharp // (WEIGHT_STEP * HUNDRED) for each in said]
    return [WEIGHTS[min(each, FARTHEST_WEIGHT)] for each in behind]


def doubted(weights: list[int], doubt: int) -> list[int]:
    """The same with a part for all alike: what a policy never chooses may be good for once."""
    more = sum(weights) * doubt // (HUNDRED * len(weights))
    return [weight + more for weight in weights]


def gained(
    machine: Machine, m: Buffer, settings: Settings, learned: Learned, begun: int,
    judge: Judge | None = None,
) -> list[int]:  # fmt: skip
    """What a game has brought each seat: it may have been cut off. To go to and fro is no progress:
    with haste, the more decisions have been taken since the search began, the less is won or lost
    by them."""
    found = _brought(machine, m, settings, learned, judge)
    if not settings.haste:
        return found
    even = WHOLE // len(found)
    later = settings.haste + m[MOVES] - begun
    return [even + quotient((each - even) * settings.haste, later) for each in found]


def _brought(
    machine: Machine, m: Buffer, settings: Settings, learned: Learned, judge: Judge | None
) -> list[int]:
    program, over = machine.program, m[STATUS] == OVER
    found = shares(program, m[WINNERS]) if over else []
    if over and not settings.score:
        return found
    if not learned.spreads:
        learned.spreads = [Spread() for _ in range(program.players)]
    ahead = leads(program, standing(machine, m))
    if judge is not None and not over:
        found = judge.worth(m, ahead)
        if not settings.score:
            return found
    worth = [spread.worth(lead) for spread, lead in zip(learned.spreads, ahead, strict=True)]
    if not found:
        return worth
    return [
        (share * (HUNDRED - settings.score) + value * settings.score) // HUNDRED
        for share, value in zip(found, worth, strict=True)
    ]
