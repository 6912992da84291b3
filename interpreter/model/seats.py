"""What the players are called before anybody knows their names: P1, P2 and so on."""

from __future__ import annotations


def seat_name(seat: int) -> str:
    return f"P{seat + 1}"


def number_of_players(players: int) -> str:
    return "1 player" if players == 1 else f"{players} players"
