"""The seed of each game of a study: a hash of the study's seed and the game's number.

It does not hang on the rules, the arm, the chunk or the worker. So a game can be played alone, and
the games of two arms, or of two versions of the rules, go in pairs.
"""

from __future__ import annotations

import hashlib

from interpreter.play import chance

_BITS = 62  # seeds are positive, and fit everywhere


def game_seed(study: int, number: int, of: str = "game") -> int:
    """`of` keeps apart numbers that are needed beside each other."""
    text = f"rulerun study {of} {chance.signed(study)} {number}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - _BITS)


def seeds_of(study: int, number: int, repeats: int) -> tuple[int, int]:
    """The seed of what chance brings in a game, and of what those who choose draw. Usually they are
    one; of a deal that is played several times only the first is the same."""
    if repeats <= 1:
        seed = game_seed(study, number)
        return seed, seed
    return game_seed(study, number // repeats), game_seed(study, number, "choices")
