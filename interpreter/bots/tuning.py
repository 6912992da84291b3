"""Which settings of the search suit a ruleset, found out by matches.

Nothing here is made for a game: a short list of settings plays against the plain search at equal
time, the worse half is dropped, and the rest plays on (successive halving). What wins is data.

In these matches the searches see the state itself: what is compared is how well their games tell
good choices from bad ones, and dozens of matches must fit into a minute. Whether a bot that sees
no more than its seat is the better for it, is for matches of bots to show.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from interpreter.bots.rounds import within
from interpreter.embedding import Game
from interpreter.play import chance
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import Failure
from interpreter.play.guided import PLAIN, WHOLE, Settings, shares
from interpreter.play.native.engine import Engine
from interpreter.play.told import choice_keys
from interpreter.play.uct import Task, beginning, observers
from interpreter.program.layout import OVER, STATUS, WINNERS

_ROUNDS = 3  # of halving
_CHOICE = 0.005  # seconds of a choice, where the time does not suffice for more
_GAMES = 100_000  # of one choice at most

LEARNING = (
    Settings(learned=4),
    Settings(learned=8, trust=3, exploration=0.5),
    Settings(anew=3),
)
SCORING = (
    Settings(score=60),
    Settings(score=90),
    Settings(score=60, cut=15),
    Settings(score=60, cut=40),
    Settings(score=60, cut=120),
    Settings(score=60, learned=2),
    Settings(score=30, learned=4),
    Settings(score=60, learned=4, cut=40),
)


def usual(game: Game) -> Settings:
    """For rules of which nothing has been found out yet: a part of the reward goes by the score,
    where there is one. It costs nothing and tells close games apart. For whoever plays alone it
    is nearly all there is: most such games cannot be lost."""
    if game.program.score < 0:
        return PLAIN
    return Settings(score=80 if game.players == 1 else 40)


def candidates(game: Game) -> tuple[Settings, ...]:
    """What could suit rules like these: without a score there is nothing to go by in the middle of
    a game."""
    return LEARNING + (SCORING if game.program.score >= 0 else ())


@dataclass(slots=True)
class Record:
    """How settings have done against the plain search: games, and the share of them won."""

    settings: Settings
    games: int = 0
    won: float = 0.0

    @property
    def share(self) -> float:
        return self.won / max(1, self.games)

    @property
    def surely(self) -> float:
        """The share less what may have been luck, as if two games more had been halved."""
        games, share = self.games + 2, (self.won + 1) / (self.games + 2)
        return share - sqrt(share * (1 - share) / games)


@dataclass(slots=True)
class Tuned:
    """The settings that proved best, and what they go by."""

    settings: Settings
    records: list[Record] = field(default_factory=list)


def tune(
    game: Game,
    seconds: float,
    seed: int = 0,
    *,
    among: Sequence[Settings] | None = None,
    tell: Callable[[Record], None] = lambda record: None,
) -> Tuned:
    """The settings that win most against the plain search in the time there is. They must win
    clearly more than their share, or it is the plain search that suits these rules."""
    engine = game.native
    if engine is None:
        return Tuned(PLAIN)
    left = [Record(each) for each in (candidates(game) if among is None else among)]
    tried = list(left)
    for number in range(_ROUNDS):
        end = time.monotonic() + seconds / _ROUNDS
        place = 0
        while place < game.players or time.monotonic() < end:
            for record in left:
                key = chance.number(seed, number << 32 | place)
                record.won += _match(engine, record.settings, place % game.players, key)
                record.games += 1
            place += 1
        for record in left:
            tell(record)
        left.sort(key=lambda record: -record.share)
        left = left[: max(1, len(left) // 2)]
    best = left[0]
    return Tuned(best.settings if best.surely > 1 / game.players else PLAIN, tried)


def _match(engine: Engine, settings: Settings, own: int, key: int) -> float:
    """One game of a seat with these settings, the others plain: what share it won. The rest of the
    match is drawn from the key. Rules that break down have no winner."""
    program = engine.program
    try:
        m = engine.start(key & (1 << 62) - 1)
        taken = 0
        while m[STATUS] != OVER:
            seat = engine.seats_to_act(m)[0]
            options = engine.options(m, seat)
            taken += 1
            chosen = options[0]
            if len(options) > 1:
                mine = settings if seat == own else PLAIN
                chosen = choose(engine, m, seat, options, mine, chance.number(key, taken))
            engine.take(m, chosen, seat)
    except Failure:
        return 1 / program.players
    return shares(program, m[WINNERS])[own] / WHOLE


def choose(
    engine: Engine, m: Buffer, seat: int, options: list[Choice], settings: Settings, seed: int
) -> Choice:
    """What a search takes that sees the state itself."""
    from interpreter.play.native.grow import grow

    program = engine.program
    seen = list(engine.seen_by_chooser(m, seat))
    keys = choice_keys(program, seen, options, beginning(seat % observers(program)))
    task = Task(seat, (m,), None, _GAMES, seed, settings)
    (tree,) = grow(engine, task, keys, 1, 1, within(_CHOICE, clock=time.thread_time))
    visits = [tree.tallies[key].visits if key in tree.tallies else 0 for key in keys]
    return options[visits.index(max(visits))]
