"""What a game that is over was worth to each seat."""

from __future__ import annotations

from typing import Literal

from interpreter.play.buffer import Buffer
from interpreter.program.layout import OVER, STATUS, WINNERS
from interpreter.program.program import Program

Reward = Literal["outcome", "score"]


def usual_reward(program: Program) -> Reward:
    """Points, where the rules count them."""
    return "score" if program.score >= 0 else "outcome"


def rewards(program: Program, m: Buffer, reward: Reward) -> list[int]:
    """For each seat 1 if it has won, -1 if others have or the game has, 0 for a draw; or else its
    score. Nothing before the end."""
    seats = range(program.players)
    if m[STATUS] != OVER:
        return [0 for _ in seats]
    if reward == "score":
        return [m[program.layout.scores + seat] for seat in seats]
    winners = m[WINNERS]
    if not winners or is_draw(program, winners):
        return [0 for _ in seats]
    return [2 * (winners >> seat & 1) - 1 for seat in seats]


def is_draw(program: Program, winners: int) -> bool:
    """Whether all of several are equal by the rules' judgement."""
    return program.winners >= 0 and program.players > 1 and winners == (1 << program.players) - 1
