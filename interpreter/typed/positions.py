"""How the parts of a position are written down: how many values there are, and of how many each."""

from __future__ import annotations

from math import prod

from interpreter.model.packing import Digits
from interpreter.model.ruleset import Ruleset
from interpreter.typed.values import Kept


def digits(ruleset: Ruleset, kept: tuple[Kept, ...]) -> list[Digits]:
    return [Digits(_many(each), _size(ruleset, each)) for each in kept]


def _many(kept: Kept) -> int:
    return prod(each.domain.bound for each in kept.binders)


def _size(ruleset: Ruleset, kept: Kept) -> int:
    """With `none` as one of them; what was not understood is always the same."""
    type_ = kept.value.type
    return (ruleset.type_size(type_) or 1) + type_.optional
