"""The seed of each game of a study: a hash of the study's seed and the game's number.

It does not hang on the rules, the arm, the chunk or the worker. So a game can be played alone, and
the games of two arms, or of two versions of the rules, go in pairs.
"""

from __future__ import annotations

from typing import Any

import numpy

from interpreter.play import chance

GAME, CHOICES = 0x5707, 0xC401  # keep apart numbers that are needed beside each other
_SPARE = 2  # bits: seeds are positive, and fit everywhere
Numbers = Any  # arrays of numpy, which have no types that are worth telling


def key_of(study: int, of: int = GAME) -> int:
    return chance.number(chance.seed_key(study) & (1 << 64) - 1, of)


def seeds_of(study: int, numbers: range, repeats: int = 1) -> list[tuple[int, int]]:
    """For each game the seed of what chance brings, and of what those who choose draw. Usually they
    are one; of a deal that is played several times only the first is the same."""
    found = many_seeds(study, numpy.arange(numbers.start, numbers.stop), repeats)
    return list(zip(*(each.tolist() for each in found), strict=True))


def many_seeds(study: int, numbers: Numbers, repeats: int = 1) -> tuple[Numbers, Numbers]:
    """The same, as two arrays."""
    wide, spare = numbers.astype(numpy.uint64), numpy.uint64(_SPARE)
    seeds = mixed(key_of(study), wide // numpy.uint64(repeats)) >> spare
    return seeds, seeds if repeats <= 1 else mixed(key_of(study, CHOICES), wide) >> spare


def mixed(key: int | Numbers, counters: Numbers) -> Numbers:
    """`chance.number`, for many at once."""
    one = numpy.uint64
    z = one(key) if isinstance(key, int) else key
    z = z + (counters + one(1)) * one(0x9E3779B97F4A7C15)
    z = (z ^ (z >> one(30))) * one(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> one(27))) * one(0x94D049BB133111EB)
    return z ^ (z >> one(31))
