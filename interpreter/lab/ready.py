"""An arm made ready to play in one process: its rules with what is set otherwise, as a game."""

from __future__ import annotations

from functools import lru_cache

from interpreter.amending import amend
from interpreter.embedding import Game
from interpreter.lab.spec import Arm, Restraint, Study
from interpreter.pipeline import build
from interpreter.play.circling import counted
from interpreter.play.gathering import ALWAYS, FREE, NEVER, NOTHING, Thing, things_of
from interpreter.reading import Rules, read_rules
from interpreter.report.problem import RulesError
from interpreter.report.suggest import did_you_mean

KEPT = 32  # arms that a process keeps ready


class Ready:
    """A game whose loops are counted, and what its first player is kept from."""

    def __init__(self, game: Game, arm: Arm) -> None:
        self.arm, self.game = arm, game
        self.things = things_of(game.program).things
        self.held = FREE, NOTHING
        if arm.restraint is not None:
            manner = NEVER if arm.restraint.manner == "never" else ALWAYS
            self.held = manner, find_thing(self.things, arm.restraint)


@lru_cache(maxsize=KEPT)
def read(path: str, settings: tuple[str, ...] = ()) -> Rules:
    """Rules with what is set otherwise. A study is of the rules as they were when it began."""
    rules = read_rules(path)
    amend(rules, settings)
    return rules


def forget() -> None:
    """Read rules anew from now on."""
    read.cache_clear()
    make_ready.cache_clear()


@lru_cache(maxsize=KEPT)
def make_ready(study: Study, arm: Arm) -> Ready:
    """Raises RulesError if the rules have errors, and ValueError for a restraint that means
    nothing."""
    rules = read(study.rules, arm.settings)
    program, problems = build(rules, arm.players, dict(arm.options))
    if program is None:
        raise RulesError([each for each in problems if each.severity == "error"])
    return Ready(Game(counted(program), rules), arm)


def find_thing(things: tuple[Thing, ...], wanted: Restraint) -> int:
    """The number of what a restraint is about. `card` stands for anything but an action."""
    sorts = {thing.sort.casefold() for thing in things}
    sort = wanted.sort.casefold()
    for number, thing in enumerate(things):
        fits = thing.sort.casefold() == sort or (sort not in sorts and thing.sort != "action")
        if fits and wanted.name.casefold() in (thing.name.casefold(), thing.words.casefold()):
            return number
    known = [thing.name for thing in things if thing.sort.casefold() == sort]
    known = known or [name for thing in things for name in (thing.name, thing.words)]
    hint = did_you_mean(wanted.name, known) or f"There is {', '.join(known[:8])}."
    raise ValueError(f"nothing of the sort `{wanted.sort}` is called `{wanted.name}`. {hint}")
