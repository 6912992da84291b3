"""Near names: what somebody probably meant to type."""

from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nlargest

# Comparing is quadratic in the length, and nobody mistypes a word longer than this.
_LONGEST = 64
_CUTOFF = 0.7
_CANDIDATES = 200  # compared in earnest


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word, whatever the case, or None when none is like it."""
    if not 0 < len(word) <= _LONGEST:
        return None
    spelled: dict[str, str] = {}
    for candidate in sorted(candidates):  # sorted, so that a set gives the same answer each run
        if len(candidate) <= _LONGEST:
            spelled.setdefault(candidate.casefold(), candidate)
    folded = word.casefold()
    likely: Iterable[str] = spelled
    if len(spelled) > _CANDIDATES:
        likely = nlargest(_CANDIDATES, spelled, key=lambda other: _beginning(folded, other))
    matches = get_close_matches(folded, likely, n=1, cutoff=_CUTOFF)
    return spelled[matches[0]] if matches else None


def _beginning(word: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), len(word))


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The help sentence for a word that is not known, or None when nothing is like it."""
    match = nearest(word, candidates)
    return None if match is None else f"Did you mean `{match}`?"
