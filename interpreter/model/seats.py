"""What the players are called before anybody knows their names: P1, P2 and so on."""

from __future__ import annotations


def seat_name(seat: int) -> str:
    return f"P{seat + 1}"
