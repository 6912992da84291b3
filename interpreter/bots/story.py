"""A game between bots, told in a dozen lines: what mattered in every part of it.

What matters is found without knowing the game: a choice that bots judged to make a difference, and
what happens seldom. The words are those of the log, as a spectator has read it. Chances are what
the seats themselves expected when they chose.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.bots.bot import Stream, Unfailing, decide
from interpreter.embedding import State
from interpreter.model.seats import seat_name
from interpreter.program.liveness import active_routines
from interpreter.report.visible import visible

CHAPTERS = 10  # parts of a game that are told apart
_FEWEST = 3  # rounds by the parts of the rules; if there are fewer, it goes by turns
_STAKES = 12.0  # what a whole game at stake counts, in halvings of how often something happens
_BARE = 4.0  # less for a choice that names nothing, as passing does
_SAID, _ASIDE = 1.0, -3.0  # for what the rules say themselves, of a seat or of nobody
_TURN = 0.15  # of a game: less is no turning point


@dataclass(frozen=True, slots=True)
class Moment:
    """One choice of a bot: what it expected, and how much it made of it what was chosen."""

    state: State  # after the choice
    seat: int
    phase: str
    value: float | None  # the chance its chooser saw, 0 to 1; None if it looked at no games
    stakes: float


@dataclass(slots=True)
class Chapter:
    moments: list[Moment]


Players = Mapping[int, tuple[Unfailing, Stream]]


def play_through(
    state: State, players: Players, after: Callable[[State], None] = lambda state: None
) -> tuple[State, list[Moment]]:
    """Let bots play to the end; `after` hears of every choice."""
    moments: list[Moment] = []
    while not state.is_over:
        seat = state.seats_to_act[0]
        bot, stream = players[seat]
        phase = _phase(state)
        option = decide(bot, state, seat, stream)
        judged = {each.option: each.value for each in bot.so_far if each.visits}
        state = state.apply(option, seat)
        mean = sum(judged.values()) / len(judged) if judged else 0.0
        stakes = max(judged.values()) - mean if judged else 0.0
        value = judged.get(option) if bot.tells_chances else None
        moments.append(Moment(state, seat, phase, value, stakes))
        after(state)
    return state, moments


def _phase(state: State) -> str:
    """The part of the rules we are in: what `play` has called."""
    under_way = active_routines(state.game.program, state.buffer)
    return under_way[-2].routine.name if len(under_way) > 1 else ""


# ---- rounds


def chapters(moments: Sequence[Moment], most: int = CHAPTERS) -> list[Chapter]:
    """The game in at most so many parts, each of one or several rounds."""
    rounds = _rounds(moments, _by_phases(moments))
    if len(rounds) < _FEWEST:
        rounds = _rounds(moments, _by_turns(moments))
    size = -(-len(rounds) // most) if rounds else 1
    found: list[Chapter] = []
    for start in range(0, len(rounds), size):
        several = rounds[start : start + size]
        found.append(Chapter([each for part in several for each in part]))
    return found


def _by_phases(moments: Sequence[Moment]) -> list[int]:
    """The parts of the rules, numbered as they first come. When the numbers go down, they begin
    again, and that is a round."""
    order: dict[str, int] = {}
    return [order.setdefault(each.phase, len(order)) for each in moments]


def _by_turns(moments: Sequence[Moment]) -> list[int]:
    return [each.seat for each in moments]


def _rounds(moments: Sequence[Moment], numbers: Sequence[int]) -> list[list[Moment]]:
    found: list[list[Moment]] = []
    before = math.inf
    for moment, number in zip(moments, numbers, strict=True):
        if number < before:
            found.append([])
        found[-1].append(moment)
        before = number
    return found


# ---- what mattered


def happenings(moments: Sequence[Moment]) -> list[list[tuple[str, float]]]:
    """For each choice the lines of the log it led to, with what they are worth telling."""
    lines: list[list[tuple[str, bool]]] = []
    before = moments[0].state.previous if moments else None
    known = len(before.entries(None)) if before is not None else 0
    for moment in moments:
        entries = moment.state.entries(None)
        fresh = [each for each in entries[known:] if each.words and each.part is None]
        known = len(entries)
        own = f"{seat_name(moment.seat)}: "
        lines.append([(str(each.words), str(each.words).startswith(own)) for each in fresh])
    often = Counter(_verb(line) for group in lines for line, _ in group)
    total = max(1, often.total())
    said_of: dict[str, set[str]] = {}  # in which words each option was told
    for moment, group in zip(moments, lines, strict=True):
        said_of.setdefault(_text(moment), set()).update(
            line.partition(": ")[2] for line, chosen in group if chosen
        )
    seats = tuple(f"{seat_name(seat)} " for seat in range(_players(moments)))
    found: list[list[tuple[str, float]]] = []
    for moment, group in zip(moments, lines, strict=True):
        found.append([])
        for line, chosen in group:
            rare = math.log2(total / often[_verb(line)])
            said = _SAID if line.startswith(seats) else _ASIDE
            found[-1].append((line, rare + (_worth(moment, said_of) if chosen else said)))
    return found


def _players(moments: Sequence[Moment]) -> int:
    return moments[0].state.game.players if moments else 0


def _worth(moment: Moment, said_of: Mapping[str, set[str]]) -> float:
    """Of a choice. One that names nothing says the same each time."""
    text = _text(moment)
    names = "(" in text or len(said_of[text]) > 1
    return _STAKES * moment.stakes - (0 if names else _BARE)


def _text(moment: Moment) -> str:
    decision = moment.state.decision
    return "" if decision is None else decision[1].text


def _verb(line: str) -> str:
    """What sort of thing a line tells: its first word that is no seat."""
    words = [word for word in line.split() if not word[1:].rstrip(":'s,").isdigit()]
    return words[0].rstrip(":,") if words else ""


def chapter_lines(parts: Sequence[Chapter], width: int) -> list[list[str]]:
    """For each part what mattered most, in the order in which it happened, as much as fits."""
    worth = happenings([each for part in parts for each in part.moments])
    start = 0
    told: list[list[str]] = []
    for part in parts:
        lines = [
            (value, number, visible(line))
            for number, (line, value) in enumerate(
                each for group in worth[start : start + len(part.moments)] for each in group
            )
        ]
        start += len(part.moments)
        chosen: list[tuple[int, str]] = []
        room = width
        least = max((value for value, _, _ in lines), default=0.0) / 2  # rather blank than idle
        for value, number, line in sorted(lines, key=lambda each: (-each[0], each[1])):
            if value >= least and len(line) <= room and line not in (old for _, old in chosen):
                chosen.append((number, line))
                room -= len(line) + 2
        told.append([line for _, line in sorted(chosen)])
    return told


# ---- chances


def chances(parts: Sequence[Chapter], players: int) -> list[list[float] | None]:
    """After each part, how the seats saw their chances when they last chose, brought to one."""
    last: list[float | None] = [None] * players
    found: list[list[float] | None] = []
    for part in parts:
        for moment in part.moments:
            if moment.value is not None:
                last[moment.seat] = moment.value
        known = [each for each in last if each is not None]
        total = sum(known)
        whole = len(known) == players and total > 0
        found.append([each / total for each in known] if whole else None)
    return found


def turning_point(
    parts: Sequence[Chapter], seen: Sequence[list[float] | None], winner: int
) -> tuple[int, float, float] | None:
    """The part in which the winner's chances rose most: its number, before and after."""
    best: tuple[int, float, float] | None = None
    before: float | None = None
    for number, each in enumerate(seen):
        if each is None:
            continue
        now = each[winner]
        before = 1 / len(each) if before is None else before  # before anybody has chosen
        if best is None or now - before > best[2] - best[1]:
            best = number, before, now
        before = now
    return best if best is not None and best[2] - best[1] >= _TURN else None
