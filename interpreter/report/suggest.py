"""Near names: what somebody probably meant to type."""

from collections.abc import Iterable
from difflib import get_close_matches

# Comparing is quadratic in the length, and nobody mistypes a word longer than this.
_LONGEST = 64
_CUTOFF = 0.7


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word, whatever the case, or None when none is like it."""
    if not 0 < len(word) <= _LONGEST:
        return None
    spelled: dict[str, str] = {}
    for candidate in sorted(candidates):  # sorted, so that a set gives the same answer each run
        if len(candidate) <= _LONGEST:
            spelled.setdefault(candidate.casefold(), candidate)
    matches = get_close_matches(word.casefold(), spelled, n=1, cutoff=_CUTOFF)
    return spelled[matches[0]] if matches else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The help sentence for a word that is not known, or None when nothing is like it."""
    match = nearest(word, candidates)
    return None if match is None else f"Did you mean `{match}`?"
