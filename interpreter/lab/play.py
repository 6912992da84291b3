"""Games of an arm: some of them are played, and out come whole numbers.

Where all choose at random whole games run in native code, if there is any. Bots that think play on
the reference machine, one game after the other; what is written down is the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy

from interpreter.bots.bot import Stream, Unfailing, make_bot
from interpreter.bots.match import seating
from interpreter.embedding import Game, Option, PlayError, State
from interpreter.lab.ready import Ready, make_ready
from interpreter.lab.seeds import many_seeds, seeds_of
from interpreter.lab.spec import Arm, Chunk, Study
from interpreter.play import words
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.failure import CODES, Failure
from interpreter.play.gathering import (
    FREE,
    GAME_WIDTH,
    RACE_WIDTH,
    ROUNDS_KEPT,
    S_ALIKE,
    S_JUDGED,
    SEAT_WIDTH,
    USE_WIDTH,
    Gatherer,
    allowed,
    is_watched,
)  # fmt: skip
from interpreter.program.layout import MENU, MOVES, SEALING, STATUS
from interpreter.view.standing import names_under_way, phase_of

ALIKE = 0.02  # chances to win that are no further apart are the same to a player
# The game, the decision, the seat, whether it was sealed, the phase, options, action, option,
# values.
Decision = tuple[int, int, int, bool, str, int, str, str, float | None, float | None]


@dataclass(slots=True)
class Part:
    """What came of a chunk of games."""

    chunk: Chunk
    games: array[int]  # a row a game, with those of its seats
    uses: dict[str, array[int]]  # sums of things, by bot
    race: array[int]
    decisions: list[Decision] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)  # of bots: the reason, and how often


def row_width(players: int) -> int:
    return GAME_WIDTH + SEAT_WIDTH * players


def play_chunk(study: Study, arm: Arm, chunk: Chunk) -> Part:
    ready = make_ready(study, arm)
    numbers = range(chunk.first, chunk.end)
    engine = ready.game.native if arm.is_random and not study.decisions else None
    if engine is not None:
        from interpreter.play.native.gather import gather

        pairs = numpy.stack(many_seeds(study.seed, numpy.asarray(numbers), arm.repeats), axis=1)
        seeds = array("Q", pairs.tobytes())
        games, uses, race = gather(engine, seeds, chunk.first, ready.held)
        return Part(chunk, games, {"random": uses}, race)
    things = len(ready.things)
    sums = {name: [0] * (USE_WIDTH * things) for name in dict.fromkeys(arm.bots)}
    found = Part(chunk, array("q"), {}, array("q"))
    race_sums = [0] * (RACE_WIDTH * ROUNDS_KEPT)
    seeds_of_games = seeds_of(study.seed, numbers, arm.repeats)
    for number, pair in zip(numbers, seeds_of_games, strict=True):
        names = seating(arm.bots, number)
        one = _Random if arm.is_random else _Game
        found.games.extend(one(ready, number, pair, names, study, found).play(race_sums, sums))
    found.uses = {name: array("q", each) for name, each in sums.items()}
    found.race = array("q", race_sums)
    return found


class _Random:
    """A random game on the reference machine, where there is no native code."""

    def __init__(
        self,
        ready: Ready,
        number: int,
        seeds: tuple[int, int],
        names: Sequence[str],
        study: Study,
        part: Part,
    ) -> None:
        self.ready, self.number, self.names = ready, number, names
        self.seed, self.study, self.part = seeds[0], study, part
        players = ready.game.players
        self.streams = [Stream(seeds[1], seat) for seat in range(players)]
        self.restrained = number % players
        watched = is_watched(number) or not ready.arm.is_random
        self.told = Gatherer(ready.game.machine, watched=watched)

    def play(self, race: list[int], sums: dict[str, list[int]]) -> list[int]:
        machine, error = self.ready.game.machine, 0
        m = [0] * self.ready.game.program.layout.size
        try:
            m = machine.start(self.seed)
            while seats := machine.seats_to_act(m):
                seat = seats[0]
                choices = machine.options(m, seat)
                seen = machine.seen_by_chooser(m, seat)
                left = self.left(seen[MENU], seat, choices)
                index = left[self.streams[seat].below(len(left))]
                sealed = m[STATUS] == SEALING
                self.told.pick(seen, seat, choices, index, sealed=sealed)
                if self.study.decisions:
                    phase = phase_of(names_under_way(machine.program, m))
                    text = text_of(self.ready.game, seen, choices[index])
                    self.note(m[MOVES], seat, sealed, phase, len(choices), text)
                machine.take(m, choices[index], seat)
        except Failure as failure:
            error = 1 + CODES.index(failure.code)
        return self.told.end(m, error, race, [sums[name] for name in self.names])

    def left(self, menu: int, seat: int, choices: Sequence[tuple[int, ...]]) -> list[int]:
        """What this player may choose of all that is offered."""
        manner, thing = self.ready.held
        held = manner if seat == self.restrained else FREE
        return allowed(self.ready.game.program, menu, choices, held, thing)

    def note(
        self,
        moves: int,
        seat: int,
        sealed: bool,
        phase: str,
        options: int,
        text: str,
        value: float | None = None,
        least: float | None = None,
    ) -> None:
        """A row of the decisions."""
        action = text.partition("(")[0]
        row = (moves + 1, seat + 1, sealed, phase, options, action, text, value, least)
        self.part.decisions.append((self.number, *row))


def text_of(game: Game, seen: Buffer, choice: Choice) -> str:
    """An option's text, from the state as its chooser sees it."""
    action = words.entry_action(game.program, seen[MENU], choice)
    return words.option_text(game.program, seen, action, choice[1:])


class _Game(_Random):
    """A game between bots that think, or one whose decisions are written down."""

    def play(self, race: list[int], sums: dict[str, list[int]]) -> list[int]:
        game, error = self.ready.game, 0
        bots = [make_bot(name, game) for name in self.names]
        buffer = [0] * game.program.layout.size
        try:
            state = game.start(self.seed)
            while not state.is_over:
                buffer = state.buffer
                state = self._step(state, bots)
            buffer = state.buffer
        except PlayError as failure:
            error = 1 + CODES.index(failure.problem.code)
        for bot in bots:
            for reason in bot.failures:
                told = f"{bot.name}: {reason}"
                self.part.failures[told] = self.part.failures.get(told, 0) + 1
        return self.told.end(buffer, error, race, [sums[name] for name in self.names])

    def _step(self, state: State, bots: Sequence[Unfailing]) -> State:
        seat = state.seats_to_act[0]
        offered = state.choices(seat)
        options, choices = list(offered), list(offered.values())
        seen = state.seen_by_chooser(seat)
        left = self.left(seen[MENU], seat, choices)
        bot, stream = bots[seat], self.streams[seat]
        if bot.name == "random":  # what it sees does not matter, and need not be worked out
            index = left[stream.below(len(left))]
        else:
            few = [options[each] for each in left]
            bot.follow(state, seat)
            index = options.index(bot(state.view(seat), few, stream))
        sealed = state.buffer[STATUS] == SEALING
        self.told.pick(seen, seat, choices, index, sealed=sealed)
        value, least = self._judged(bot, seat, options[index], state.moves)
        if self.study.decisions:
            text, number = options[index].text, len(options)
            self.note(state.moves, seat, sealed, state.phase, number, text, value, least)
        return state.apply(options[index], seat)

    def _judged(
        self, bot: Unfailing, seat: int, option: Option, moves: int
    ) -> tuple[float | None, float | None]:
        """What a bot thought its choice was worth, and the worst one."""
        if not bot.tells_chances:
            return None, None
        found = {each.option: each.value for each in bot.so_far if each.visits}
        if len(found) < 2:
            return None, None
        least = min(found.values())
        self.told.expect(seat, max(found.values()), moves)
        self.told.seats[seat][S_JUDGED] += 1
        self.told.seats[seat][S_ALIKE] += max(found.values()) - least <= ALIKE
        return found.get(option), least
