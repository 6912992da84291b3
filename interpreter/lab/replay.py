"""A game of a study once more, from its row: the same decisions, as a state with its whole past."""

from __future__ import annotations

from dataclasses import replace

from interpreter.embedding import Game, State
from interpreter.lab.play import play_chunk
from interpreter.lab.ready import read
from interpreter.lab.seeds import seeds_of
from interpreter.lab.spec import Arm, Chunk, Study
from interpreter.pipeline import build
from interpreter.report.problem import RulesError


def play_back(study: Study, arm: Arm, number: int) -> State:
    """The end of a game by its number. Bots that think by the clock need not think the same
    again."""
    told = replace(study, decisions=True)
    part = play_chunk(told, arm, Chunk(arm.number, number, 1))
    seed, _ = seeds_of(study.seed, range(number, number + 1), arm.repeats)[0]
    rules = read(study.rules, arm.settings)
    program, problems = build(rules, arm.players, dict(arm.options))
    if program is None:
        raise RulesError([each for each in problems if each.severity == "error"])
    state = Game(program, rules).start(seed)
    for _, _, seat, _, _, _, _, option, _, _ in part.decisions:
        state = state.apply(option, seat - 1)
    return state
