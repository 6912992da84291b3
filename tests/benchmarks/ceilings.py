"""How well can anybody do against random players? Best answers, worked out.

    python tests/benchmarks/ceilings.py [darkHex phantomTicTacToe pig goofspiel] [--games 200]
        [--cards 5] [--tries 60] [--seed 1]

A bot that wins less than was claimed may be weak, or the claim may be more than anybody can reach.

darkHex, phantomTicTacToe   exact. Whoever meets a taken cell tries again until one is free, so the
                            stones of a random player fall evenly on the free cells, and what its
                            opponent has learned is a distribution over them. The best answer
                            maximises over all that may be tried next. Draws are half a win.
pig                         exact: the best choice for all totals, whatever points the others have.
                            With four players that takes five minutes and 4 GB.
goofspiel                   exact with few cards (`--cards`). With all thirteen, estimates with
                            their 95 % intervals: to bid the card of the prize's value, and the bid
                            that does best in games in which one goes on like that. They are what
                            can be reached, and no bounds of what cannot.

All seats are played equally often. What is exact and what is an estimate is said in each line.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from interpreter.bots.match import wilson

GOAL = 100
CARDS = 13
SIDE = 3
_CELLS = SIDE * SIDE
_FULL = (1 << _CELLS) - 1
_LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_ENOUGH = 1e-9

Numbers = npt.NDArray[np.float64]


# ---- boards that nobody sees

Belief = dict[int, float]  # how likely the other's stones lie on these cells, as a set of bits
Wins = Callable[[int, bool], bool]  # whether these stones win, for the first player or the second


def lines_of_three(stones: int, first: bool) -> bool:
    return any(stones & line == line for line in _LINES)


@cache
def joined_edges(stones: int, first: bool) -> bool:
    """Whether hex is won on a board of three by three: the first joins rows, the second columns."""

    def depth(cell: int) -> int:
        return cell // SIDE if first else cell % SIDE

    reached = [cell for cell in _cells(stones) if depth(cell) == 0]
    for cell in reached:  # it grows meanwhile
        row, column = divmod(cell, SIDE)
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)):
            if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
                near = (row + down) * SIDE + column + right
                if stones >> near & 1 and near not in reached:
                    reached.append(near)
    return any(depth(cell) == SIDE - 1 for cell in reached)


def _cells(some: int) -> Iterator[int]:
    return (cell for cell in range(_CELLS) if some >> cell & 1)


@dataclass(slots=True)
class HiddenBoard:
    """The best answer to a random player, for whoever has the first turn or the second."""

    wins: Wins
    first: bool
    known: dict[tuple[object, ...], float] = field(default_factory=dict)

    def share(self) -> float:
        start = {0: 1.0}
        return self._choosing(0, 0, start) if self.first else self._answered(0, 0, start)

    def _choosing(self, own: int, taken: int, belief: Belief) -> float:
        """What is won in all, by so likely positions. `taken` are cells met with stones on."""
        likely = sum(belief.values())
        likeliest = tuple((other, round(belief[other] / likely, 9)) for other in sorted(belief))
        key = (own, taken, likeliest)
        if key not in self.known:
            tried = _cells(_FULL & ~(own | taken))
            self.known[key] = max(self._tried(own, taken, belief, cell) for cell in tried) / likely
        return self.known[key] * likely

    def _tried(self, own: int, taken: int, belief: Belief, cell: int) -> float:
        bit = 1 << cell
        met = {other: part for other, part in belief.items() if other & bit}
        free = {other: part for other, part in belief.items() if not other & bit}
        won = self._choosing(own, taken | bit, met) if met else 0.0
        if free and self.wins(own | bit, self.first):
            return won + sum(free.values())
        return won + self._answered(own | bit, taken, free)

    def _answered(self, own: int, taken: int, belief: Belief) -> float:
        """After a random stone of the other."""
        after: Belief = {}
        won = 0.0
        for other, part in belief.items():
            free = list(_cells(_FULL & ~(own | other)))
            if not free:
                won += part / 2
            for cell in free:
                stones = other | 1 << cell
                if self.wins(stones, not self.first):
                    continue
                if len(free) == 1:
                    won += part / 2
                else:
                    after[stones] = after.get(stones, 0.0) + part / len(free)
        return won + (self._choosing(own, taken, after) if after else 0.0)


def hidden_boards(name: str, wins: Wins) -> Iterator[str]:
    first, second = (HiddenBoard(wins, each).share() for each in (True, False))
    mean = (first + second) / 2
    yield f"{name}, 2 players: {_percent(mean)}, exact"
    yield f"    {_percent(first)} with the first turn, {_percent(second)} with the second"


# ---- pig


@cache
def random_turn(points: int, goal: int) -> list[float]:
    """How likely a random player's turn brings so many points; the last: enough to win."""
    brings = [0.0] * (goal - points + 1)
    holding = [0.0] * (goal - points + 6)  # how likely the sum is reached
    holding[0] = 1.0
    for total in range(goal - points):
        rolls = holding[total] * (0.5 if total else 1.0)
        brings[total] += holding[total] - rolls
        brings[0] += rolls / 6
        for die in range(2, 7):
            holding[total + die] += rolls / 6
    brings[-1] = sum(holding[goal - points :])
    return brings


def best_turn(goal: int, points: int, lost: float, held: Sequence[float]) -> float:
    """What a turn is worth: `lost` if it brings nothing, `held[n]` with n points after it."""
    worth = [1.0] * 6  # of the sums from the present one on: those that are enough are held
    for total in range(goal - points - 1, -1, -1):
        rolled = (lost + sum(worth[1:6])) / 6
        worth = [max(rolled, held[points + total]) if total else rolled, *worth[:5]]
    return worth[0]


def exact_pig(goal: int, players: int) -> float:
    """The share that the best answer to random players wins.

    What a game is worth goes by the points of all others and one's own. Points never get fewer, so
    it is worked out from the most points of the others together down to none, at once for all ways
    to have so many. When nobody gets anything, it is the same position again: that is repeated
    until it does not change any more."""
    others = players - 1
    brings = np.array([[*random_turn(now, goal)[:-1], *[0.0] * now] for now in range(goal)])
    ways = np.indices((goal,) * others).reshape(others, -1)  # the others' points, those next first
    # What it is worth when one's own turn begins, and when the last one, two ... of the others have
    # their turns before that; in each row by one's own points.
    worth = [np.zeros((goal**others, goal)) for _ in range(players)]
    together = ways.sum(axis=0)
    order = np.argsort(together, kind="stable")
    ends = np.searchsorted(together[order], np.arange(others * (goal - 1) + 2))
    for total in reversed(range(others * (goal - 1) + 1)):
        here = order[ends[total] : ends[total + 1]]
        gained, same = np.zeros((len(here), goal)), np.ones(len(here))
        parts = []  # what it is worth if anybody gets something, and how likely nobody does
        for turns in range(1, players):
            points, stride = ways[others - turns, here], goal ** (turns - 1)
            gained = brings[points, 0][:, None] * gained
            for more in range(1, goal - points.min()):
                left = np.flatnonzero(points + more < goal)
                chances = brings[points[left], more][:, None]
                gained[left] += chances * worth[turns - 1][here[left] + more * stride]
            same = same * brings[points, 0]
            parts.append((gained, same))
        moving = _own_turns(goal, gained.T, same).T
        worth[0][here] = moving
        for turns, (gained, same) in enumerate(parts, 1):
            worth[turns][here] = gained + same[:, None] * moving
    return float(sum(each[0, 0] for each in worth)) / players


def _own_turns(goal: int, gained: Numbers, same: Numbers) -> Numbers:
    """What one's own turn is worth at its best, by one's own points."""
    moving, waiting = np.zeros_like(gained), np.zeros_like(gained)
    now = np.full_like(same, 0.5)
    for own in reversed(range(goal)):
        before = now + 1
        while np.abs(now - before).max() > _ENOUGH:
            before, lost = now, gained[own] + same * now
            sums = [np.ones_like(same)] * 6  # worth of the sums from the next one on
            for points in range(goal - 1, own, -1):
                rolled = (lost + sum(sums[1:])) / 6
                sums = [np.maximum(rolled, waiting[points]), *sums[:5]]
            now = (lost + sum(sums[1:])) / 6
        moving[own], waiting[own] = now, gained[own] + same * now
    return moving


def bounds_of_pig(goal: int, players: int, turns: int = 150) -> tuple[float, float]:
    """Bounds of the same, which need less: without a look at the others' points, and with the turn
    known in which the first of them will be done."""
    points, left = [1.0] + [0.0] * (goal - 1), [1.0]
    for _ in range(turns):  # after so many turns one of them is not done yet
        after = [0.0] * goal
        for now, part in enumerate(points):
            if part:
                for more, brought in enumerate(random_turn(now, goal)[:-1]):
                    after[now + more] += part * brought
        points = after
        left.append(sum(points))
    within = [[0.0] * goal]  # how likely one is done in so many turns, from so many points
    for _ in range(turns - 1):
        last = within[-1]
        within.append([best_turn(goal, own, last[own], last) for own in range(goal)])
    lower = upper = 0.0
    for seat in range(players):
        # How likely nobody else is done when the turn of this number begins.
        still = [
            left[turn + 1] ** seat * left[turn] ** (players - 1 - seat) for turn in range(turns)
        ]
        worth = [0.0] * goal
        for turn in range(turns - 1, -1, -1):
            goes_on = still[turn + 1] / still[turn] if turn + 1 < turns and still[turn] else 0.0
            later = [goes_on * each for each in worth]
            worth = [best_turn(goal, own, later[own], later) for own in range(goal)]
        lower += worth[0] * still[0] / players
        for turn in range(turns - 1):
            upper += within[turn + 1][0] * (still[turn] - still[turn + 1]) / players
    return lower, upper


def pig() -> Iterator[str]:
    for players in (2, 3, 4):
        low, high = bounds_of_pig(GOAL, players)
        found = exact_pig(GOAL, players)
        assert low <= found <= high, "worked out in two ways, and one is wrong"
        yield f"pig, {players} players: {_percent(found)}, exact"


# ---- goofspiel


@dataclass(frozen=True, slots=True)
class Table:
    """Before a bid. Hands and prizes are sets of bits; the first seat is the one that answers."""

    hands: tuple[int, ...]
    left: int
    prize: int
    won: tuple[int, ...]

    def after(self, bids: Sequence[int]) -> Table:
        best = max(bids)
        won = self.won
        if bids.count(best) == 1:
            seat = bids.index(best)
            won = (*won[:seat], won[seat] + self.prize + 1, *won[seat + 1 :])
        hands = tuple(hand & ~(1 << bid) for hand, bid in zip(self.hands, bids, strict=True))
        return Table(hands, self.left, -1, won)

    def turned(self, prize: int) -> Table:
        return Table(self.hands, self.left & ~(1 << prize), prize, self.won)

    def share(self) -> float:
        best = max(self.won)
        return 1 / self.won.count(best) if self.won[0] == best else 0.0


def _begun(players: int, cards: int) -> Table:
    full = (1 << cards) - 1
    return Table((full,) * players, full, -1, (0,) * players)


@cache
def _bits(some: int) -> tuple[int, ...]:
    return tuple(each for each in range(some.bit_length()) if some >> each & 1)


def exact_goofspiel(players: int, cards: int) -> float:
    """The share that the best answer to random bidders wins."""

    @cache
    def turning(table: Table) -> float:
        prizes = _bits(table.left)
        if not prizes:
            return table.share()
        return sum(bidding(table.turned(prize)) for prize in prizes) / len(prizes)

    def bidding(table: Table) -> float:
        answers = [()] if players == 1 else [(bid,) for bid in _bits(table.hands[1])]
        for hand in table.hands[2:]:
            answers = [(*some, bid) for some in answers for bid in _bits(hand)]
        return max(
            sum(turning(_sorted(table.after((own, *some)))) for some in answers)
            for own in _bits(table.hands[0])
        ) / len(answers)

    return turning(_begun(players, cards))


def _sorted(table: Table) -> Table:
    """The random seats in one order: they are alike."""
    others = sorted(zip(table.hands[1:], table.won[1:], strict=True))
    hands = (table.hands[0], *(hand for hand, _ in others))
    return Table(hands, table.left, table.prize, (table.won[0], *(won for _, won in others)))


Bidder = Callable[[Table, random.Random], int]


def matching(table: Table, stream: random.Random) -> int:
    """The card of the prize's value, which is always there if it is always bid; else any."""
    hand = table.hands[0]
    return table.prize if hand >> table.prize & 1 else stream.choice(_bits(hand))


def improved(tries: int) -> Bidder:
    """The bid after which one who goes on by matching wins most of so many games each."""

    def bid(table: Table, stream: random.Random) -> int:
        best, found = -1.0, 0
        seeds = [stream.getrandbits(64) for _ in range(tries)]
        for own in _bits(table.hands[0]):
            won = 0.0
            for seed in seeds:  # the same chance for every bid
                chance = random.Random(seed)
                others = [chance.choice(_bits(hand)) for hand in table.hands[1:]]
                won += _played(table.after((own, *others)), _nearest, chance)
            if won > best:
                best, found = won, own
        return found

    return bid


def _nearest(table: Table, stream: random.Random) -> int:
    """By rank: of the hand the card that is as high as the prize is among those left."""
    higher = (table.left >> table.prize).bit_count()
    return _bits(table.hands[0])[-1 - higher]


def _played(table: Table, bidder: Bidder, stream: random.Random) -> float:
    while table.left:
        table = table.turned(stream.choice(_bits(table.left)))
        others = [stream.choice(_bits(hand)) for hand in table.hands[1:]]
        table = table.after((bidder(table, stream), *others))
    return table.share()


def goofspiel(cards: int, games: int, tries: int, seed: int) -> Iterator[str]:
    for players, few in ((2, cards), (3, min(cards, 4)), (4, min(cards, 3))):
        exact = exact_goofspiel(players, few)
        yield f"goofspiel, {players} players, {few} cards: {_percent(exact)}, exact"
    for players in (2, 3, 4):
        for word, bidder, number in (
            ("by matching", matching, 20 * games), ("by trying bids", improved(tries), games)
        ):  # fmt: skip
            stream = random.Random(seed)
            won = sum(_played(_begun(players, CARDS), bidder, stream) for _ in range(number))
            low, high = wilson(won, number)
            yield (
                f"goofspiel, {players} players, {CARDS} cards: {_percent(won / number)} {word}, "
                f"an estimate: {_percent(low)} to {_percent(high)} of {number} games"
            )


# ---- telling


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=200, help="of an estimate")
    parser.add_argument("--cards", type=int, default=5, help="of exact goofspiel")
    parser.add_argument("--tries", type=int, default=60, help="games for each bid that is tried")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    tables: dict[str, Callable[[], Iterator[str]]] = {
        "darkHex": lambda: hidden_boards("darkHex", joined_edges),
        "phantomTicTacToe": lambda: hidden_boards("phantomTicTacToe", lines_of_three),
        "pig": pig,
        "goofspiel": lambda: goofspiel(given.cards, given.games, given.tries, given.seed),
    }
    if unknown := set(given.names) - set(tables):
        parser.error(f"there is no ceiling of {', '.join(sorted(unknown))}")
    for name in given.names or tables:
        for line in tables[name]():
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
