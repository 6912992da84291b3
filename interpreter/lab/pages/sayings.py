"""What a study has found, in plain words: the lines at the top of a page, and the tiles below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.lab.findings import ArmFindings, Figure
from interpreter.lab.pages import words
from interpreter.lab.pages.using import FEW

_SURE = 0.01  # half of an interval that is narrow enough for most


@dataclass(frozen=True, slots=True)
class Tile:
    """One number that designers ask for first."""

    name: str
    value: str
    more: str


def sayings(arm: ArmFindings, seconds: float) -> list[str]:
    return [*_seats(arm), *_length(arm, seconds), *_leader(arm), *_sample(arm)]


def _seats(arm: ArmFindings) -> Iterator[str]:
    """The seats that win clearly more or less than is fair, or that none does."""
    seats = [each for each in arm.figures if each.name == "wins"]
    if len(seats) < 2:
        return
    fair = 1 / arm.players
    off = sorted(
        (each for each in seats if not each.low <= fair <= each.high),
        key=lambda each: -abs(each.value - fair),
    )
    if off:
        told = [f"seat {each.of} wins {words.told(each)}" for each in off[:3]]
        said = words.listed(told)
        yield f"{said[:1].upper()}{said[1:]}; fair is {words.percent(fair)}."
    else:
        widest = max(seats, key=lambda each: each.half)
        yield (
            f"No seat wins clearly more or less than its fair {words.percent(fair)} "
            f"({words.points(widest.half)})."
        )


def _length(arm: ArmFindings, seconds: float) -> Iterator[str]:
    minutes = arm.figure("minutes")
    if minutes is None or len(minutes.quantiles) != 5:
        return
    low, median, high = (
        words.trimmed(each, 0 if each >= 10 else 1) for each in minutes.quantiles[1:4]
    )
    rounds = arm.figure("rounds")
    told = f", {words.trimmed(rounds.value)} rounds" if rounds is not None else ""
    yield (
        f"A game takes about {median} minutes{told}: half of the games take {low} to {high}, if "
        f"people need {words.trimmed(seconds)} seconds for a choice."
    )


def _leader(arm: ArmFindings) -> Iterator[str]:
    half = arm.figure("leader at 1/2 wins")
    changes = arm.figure("lead changes")
    if half is not None and half.games >= FEW:
        said = f"Whoever leads at half-time wins {words.told(half)}"
        if changes is not None:
            said += f"; the lead changes {words.trimmed(changes.value)} times a game"
        yield f"{said}."


def _sample(arm: ArmFindings) -> Iterator[str]:
    """How far the figures can be trusted, and what it would take to know more."""
    seats = [each for each in arm.figures if each.name == "wins"]
    if not seats:
        return
    widest = max(seats, key=lambda each: each.half)
    known = words.points(widest.half)
    said = f"{words.plural(arm.games, 'game')}: shares of wins are known to {known} points"
    if widest.half > _SURE:
        said += f"; about {words.count(words.needed(widest, _SURE))} games are needed for ±1"
    yield f"{said}."


_TILES = (
    ("minutes", "minutes"),
    ("rounds", "rounds"),
    ("moves", "decisions"),
    ("branching", "options a decision"),
    ("forced", "forced decisions"),
    ("alike", "choices all alike"),
    ("margin", "margin of the winner"),
    ("lead changes", "lead changes"),
    ("ties", "shared wins"),
    ("nobody", "nobody wins"),
    ("endless", "cut off"),
    ("repeats", "positions again"),
)


def tiles(arm: ArmFindings) -> list[Tile]:
    found = []
    for name, label in _TILES:
        figure = arm.figure(name)
        if figure is None or (
            figure.value == 0 and name in ("ties", "nobody", "endless", "repeats")
        ):
            continue
        value = (
            words.trimmed(figure.value)
            if figure.unit == "minutes"
            else words.amount(figure.value, figure.unit)
        )
        found.append(Tile(label, value, _more(figure)))
    return found


def _more(figure: Figure) -> str:
    if len(figure.quantiles) == 5:
        low, high = (words.trimmed(figure.quantiles[number]) for number in (0, 4))
        if low == high:
            return f"{words.half(figure)}, mostly{words.SPACE}{low}"
        return f"{words.half(figure)}, most {low}{words.SPACE}to{words.SPACE}{high}"
    return f"{words.half(figure)} points" if figure.unit == "share" else words.half(figure)
