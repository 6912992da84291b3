"""Near names: what somebody probably meant to type."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from heapq import nlargest

# Comparing is quadratic in the length, and nobody mistypes a word longer than this.
_LONGEST = 64
_CUTOFF = 0.7
_CANDIDATES = 200  # compared in earnest
_CLEARLY = 0.05  # how much more alike the best must be than the next, to be the only one named
_SENTENCE = re.compile(r"Did you mean `([^`]+)`\?")


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word, whatever the case, or None when none is like it."""
    near = near_names(word, candidates)
    return near[0] if near else None


def near_names(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidate most like the word, whatever the case, and one that is about as much like it,
    if there is such a one."""
    if not 0 < len(word) <= _LONGEST:
        return []
    spelled: dict[str, str] = {}
    for candidate in sorted(candidates):  # sorted, so that a set gives the same answer each run
        if len(candidate) <= _LONGEST:
            spelled.setdefault(candidate.casefold(), candidate)
    folded = word.casefold()
    likely: Iterable[str] = spelled
    if len(spelled) > _CANDIDATES:
        likely = nlargest(_CANDIDATES, spelled, key=lambda other: _beginning(folded, other))
    matches = get_close_matches(folded, likely, n=2, cutoff=_CUTOFF)
    if len(matches) == 2:
        first, second = (SequenceMatcher(None, each, folded).ratio() for each in matches)
        matches = matches if first - second < _CLEARLY else matches[:1]
    return [spelled[each] for each in matches]


def _beginning(word: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), len(word))


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The help sentence for a word that is not known, or None when nothing is like it."""
    near = " or ".join(f"`{name}`" for name in near_names(word, candidates))
    return f"Did you mean {near}?" if near else None


def clearly_meant(help: str | None) -> str | None:
    """The name that such a sentence proposes, if it is the only one."""
    found = _SENTENCE.fullmatch(help or "")
    return found[1] if found else None
