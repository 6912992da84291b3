"""Games for gates: played when they are asked for, in chunks that end where somebody looks, and
counted as studies count them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from interpreter.bots.match import workers
from interpreter.lab.gates import Item, Question, Tally
from interpreter.lab.play import Part, play_chunk
from interpreter.lab.ready import make_ready
from interpreter.lab.rows import add_arm, database, make_tables
from interpreter.lab.sequential import Sums
from interpreter.lab.spec import Arm, Chunk, Study
from interpreter.play import gathering as g

# Plays chunks of an arm, in their order, here or elsewhere.
Player = Callable[[Study, Arm, Sequence[Chunk]], Iterable[Part]]
_CHUNKS = 8  # that the games up to a look are divided into, so that several can play them


def play_here(study: Study, arm: Arm, chunks: Sequence[Chunk]) -> Iterator[Part]:
    return (play_chunk(study, arm, chunk) for chunk in chunks)


@contextmanager
def players(number: int, far: Executor | None = None) -> Iterator[Player]:
    """So many processes; one is this process. Or others, who are far away."""
    with workers(number) if far is None else nullcontext(far) as pool:
        if pool is None:
            yield play_here
            return

        def play_there(study: Study, arm: Arm, chunks: Sequence[Chunk]) -> Iterable[Part]:
            if far is None:
                _ = make_ready(study, arm).game.native  # compiled once, before all others load it
            number = len(chunks)
            return list(pool.map(play_chunk, [study] * number, [arm] * number, chunks))

        yield play_there


@dataclass(slots=True)
class Sampled:
    """The games of one study, arm by arm."""

    study: Study
    player: Player = play_here
    parts: dict[Arm, list[Part]] = field(default_factory=dict)
    _loaded: tuple[Arm, int] | None = None  # what the database has: games of one arm
    _db: Any = None

    def play(self, arm: Arm, games: int) -> None:
        played = self._played(arm)
        if games > played:
            chunks = divided(arm.number, played, games, _CHUNKS)
            self.parts.setdefault(arm, []).extend(self.player(self.study, arm, chunks))

    def _played(self, arm: Arm) -> int:
        return sum(each.chunk.count for each in self.parts.get(arm, ()))

    def _until(self, arm: Arm, games: int) -> list[Part]:
        return [each for each in self.parts[arm] if each.chunk.end <= games]

    def sums(self, question: Question, games: int, step: int) -> Sums:
        measure, bound = question.claim.measure, question.claim.bound
        assert measure is not None
        self._load(question.arm, games)
        answer = f"({measure.answer.format(seconds=self.study.seconds)})"
        if bound.of_games is not None:
            least, most = bound.inside(question.arm.players)
            inside = f"{answer} BETWEEN '{least}'::DOUBLE AND '{most}'::DOUBLE"
            answer = f"CASE WHEN {answer} IS NOT NULL THEN ({inside})::INT END"
        asked = ["TRUE"]
        if not measure.failed:
            asked.append("game NOT IN (SELECT game FROM games WHERE outcome = 'failed')")
        if measure.group:
            asked.append(f"CAST({measure.group} AS VARCHAR) = ?")
        # A game counts once, however many of its rows there are.
        found = self._db.execute(
            f"SELECT count(x), coalesce(sum(x), 0), coalesce(sum(x * x), 0) FROM ("
            f"SELECT avg({answer}) AS x FROM {measure.table} "
            f"WHERE {' AND '.join(asked)} GROUP BY game // {step} ORDER BY game // {step})",
            [question.of] if measure.group else [],
        ).fetchone()
        return Sums(int(found[0]), float(found[1]), float(found[2]))

    def _load(self, arm: Arm, games: int) -> None:
        if self._loaded == (arm, games):
            return
        self._db = database()
        make_tables(self._db)
        ready = make_ready(self.study, arm)
        add_arm(self._db, self.study, ready, ready.game.rules_hash, self._until(arm, games))
        self._loaded = arm, games

    def items(self, arm: Arm) -> Sequence[Item]:
        things = make_ready(self.study, arm).things
        return [Item(each.sort, each.name, each.words) for each in things]

    def tally(self, arm: Arm, games: int, item: Item) -> Tally:
        """Where bots differ, what each sort of them did in a game counts as a game."""
        start = g.USE_WIDTH * self.items(arm).index(item)
        columns = (
            g.U_OFFERED, g.U_TAKEN, g.U_GAMES, g.U_T, g.U_N, g.U_TT, g.U_NN, g.U_TN
        )  # fmt: skip
        rows = [uses for part in self._until(arm, games) for uses in part.uses.values()]
        return Tally(*(sum(uses[start + column] for uses in rows) for column in columns))


def divided(arm: int, first: int, end: int, number: int) -> list[Chunk]:
    """The games from `first` to before `end`, in at most so many chunks of nearly the same size."""
    edges = [first + (end - first) * each // number for each in range(number + 1)]
    return [Chunk(arm, low, high - low) for low, high in pairwise(edges) if high > low]
