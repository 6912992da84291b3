"""Loops that need room for all their elements: have they a small upper bound?

What is put in order, or gone through while somebody chooses, is copied before the first time round.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.rules import Rules
from interpreter.typed.stopping import stops
from interpreter.typed.walk import Parts

_MOST = limits.COLLECTION_ITEMS // 10


def check_bounds(rules: Rules, parts: Parts, problems: Problems) -> None:
    for loop in parts.of(s.ForEach):
        domain = loop.binder.domain
        if domain.bound <= _MOST or isinstance(domain, v.AllPlayers | v.AllOf | v.Nowhere):
            continue
        if loop.keys is not None or stops(loop, rules.stopping):
            message = "this has no small upper bound, so it cannot be put in order"
            help_ = "give the range constant ends"
            problems.error("RR329", message, loop.mark, help=help_)
