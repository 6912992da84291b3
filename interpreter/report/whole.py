"""Whole numbers that somebody typed, read without trusting them."""

from __future__ import annotations

import re

from interpreter import limits

# Not `str.isdigit`, which is true of `²`, and not `int` alone, which also takes `1_0` and `٣` and
# gives up at thousands of digits.
_WHOLE = re.compile(r"(-?)0*([0-9]{1,19})")


def read_whole(text: str) -> int | None:
    """The number a text is, or None: it is another text, or needs more than 64 bits."""
    found = _WHOLE.fullmatch(text)
    if found is None:
        return None
    value = int(found[1] + found[2])
    return value if limits.INT_MIN <= value <= limits.INT_MAX else None


def read_count(text: str) -> int | None:
    """The same for what has no sign."""
    return None if text.startswith("-") else read_whole(text)
