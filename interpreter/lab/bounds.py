"""What a figure should be, in the words of whoever expects it: `even ± 4%`, `at most 12`, `3..12`,
`below 90 in 95% of games`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from interpreter.lab.measures import Unit

FORMS = "`25% ± 4%`, `at most 12`, `at least 3`, `3..12`, or `at most 12 in 95% of games`"
_NUMBER = r"(-?[0-9]{1,12}(?:\.[0-9]{1,9})?) ?(%?)"
_OF_GAMES = re.compile(rf"(.*\S)\s+in (?:at least )?{_NUMBER} of (?:all )?games", re.ASCII)
_AROUND = re.compile(rf"(?:(even)|{_NUMBER}) ?(?:±|\+-|\+/-) ?{_NUMBER}", re.ASCII)
_BETWEEN = re.compile(rf"(?:from )?{_NUMBER} ?(?:\.\.| to ) ?{_NUMBER}", re.ASCII)
_MOST = re.compile(rf"(?:at most|below|under|<=?) ?{_NUMBER}", re.ASCII)
_LEAST = re.compile(rf"(?:at least|above|over|more than|>=?) ?{_NUMBER}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bound:
    """Between which numbers a figure should lie. With `of_games` it is not the mean that should,
    but the answers of at least so large a share of all games. `even`: around the share that each
    of all who play would have."""

    text: str
    least: float = -math.inf
    most: float = math.inf
    of_games: float | None = None
    even: bool = False

    def limits(self, players: int) -> tuple[float, float]:
        """Of a mean, or of the share of games."""
        if self.of_games is not None:
            return self.of_games, math.inf
        return self.inside(players)

    def inside(self, players: int) -> tuple[float, float]:
        """Of the answer of one game."""
        middle = 1 / players if self.even else 0.0
        return middle + self.least, middle + self.most


def read_bound(text: str, unit: Unit) -> Bound | str:
    """A bound, or what is wrong with the words."""
    words = " ".join(text.split())
    of_games = None
    if found := _OF_GAMES.fullmatch(words):
        words = found[1]
        of_games = float(found[2]) / 100
        if not found[3] or not 0 < of_games <= 1:
            return f"a share of games is written like `95%`, not `{found[2]}{found[3]}`"
    made = _between(words)
    if made is None:
        return f"`{text}` does not say what is expected"
    least, most, is_even, signs = made
    if least > most:
        return f"nothing lies between {words}"
    if is_even and unit != "share":
        return "only shares can be even"
    if (unit == "share") != (signs == {"%"}):
        return _wrong_sign(unit)
    scale = 100 if unit == "share" else 1
    return Bound(text, least / scale, most / scale, of_games, is_even)


def _wrong_sign(unit: Unit) -> str:
    if unit == "share":
        return "this is a share, which is written like `25%`"
    return f"this is a {unit if unit != 'minutes' else 'number of minutes'}, and no share"


def _between(words: str) -> tuple[float, float, bool, set[str]] | None:
    """The least and the most, whether they are around what is even, and the signs after them."""
    if found := _AROUND.fullmatch(words):
        middle, half = float(found[2] or 0), float(found[4])
        signs = {found[3] or found[5], found[5]}
        return middle - half, middle + half, bool(found[1]), signs
    if found := _BETWEEN.fullmatch(words):
        return float(found[1]), float(found[3]), False, {found[2] or found[4], found[4]}
    if found := _MOST.fullmatch(words):
        return -math.inf, float(found[1]), False, {found[2]}
    if found := _LEAST.fullmatch(words):
        return float(found[1]), math.inf, False, {found[2]}
    return None
