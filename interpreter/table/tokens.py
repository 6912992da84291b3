"""Secrets of a table: the keys in its links, and a seed that is shown to be what it was."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

_BITS = 128


def new_token() -> str:
    """What stands in a link: 128 random bits."""
    return secrets.token_urlsafe(_BITS // 8)


def new_table_id() -> str:
    return secrets.token_urlsafe(_BITS // 8)


def hashed(token: str) -> bytes:
    """What is kept of a token. It is random throughout, so nothing slower is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def role_of(token: str, keys: Mapping[int, bytes]) -> int | None:
    """Whose token it is. Every key is compared, and each in constant time."""
    found, wanted = None, hashed(token)
    for role, key in keys.items():
        if hmac.compare_digest(key, wanted):
            found = role
    return found


def new_seed() -> int:
    return secrets.randbits(62)


def commitment(seed: int, salt: str) -> str:
    """Shown at the start; seed and salt are shown at the end, so that anybody can hash them."""
    return hashlib.sha256(f"{seed} {salt}".encode()).hexdigest()
