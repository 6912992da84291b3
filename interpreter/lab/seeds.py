"""The seed of each game of a study: a hash of the study's seed and the game's number.

It does not hang on the rules, the arm, the chunk or the worker. So a game can be played alone, and
the games of two arms, or of two versions of the rules, go in pairs.
"""

from __future__ import annotations

from interpreter.play import chance

GAME, CHOICES = 0x5707, 0xC401  # keep apart numbers that are needed beside each other
_SPARE = 2  # bits: seeds are positive, and fit everywhere


def key_of(study: int, of: int = GAME) -> int:
    return chance.number(chance.seed_key(study) & (1 << 64) - 1, of)


def game_seed(study: int, number: int, of: int = GAME) -> int:
    return chance.number(key_of(study, of), number) >> _SPARE


def seeds_of(study: int, numbers: range, repeats: int = 1) -> list[tuple[int, int]]:
    """For each game the seed of what chance brings, and of what those who choose draw. Usually they
    are one; of a deal that is played several times only the first is the same."""
    key = key_of(study)
    if repeats <= 1:
        drawn = [chance.number(key, number) >> _SPARE for number in numbers]
        return list(zip(drawn, drawn, strict=True))
    other = key_of(study, CHOICES)
    return [
        (chance.number(key, each // repeats) >> _SPARE, chance.number(other, each) >> _SPARE)
        for each in numbers
    ]
