"""What people type, as parts of a study: numbers of players, values to vary, what a player is kept
from.

Every function raises ValueError with words for whoever typed it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.bots.bot import LEVELS, MINDS
from interpreter.bots.budget import FORMS, read_budget
from interpreter.lab.ready import Ready
from interpreter.lab.spec import Manner, Restraint
from interpreter.report.whole import read_count

# A ladder of strength: each bot among those before it.
LADDER = (
    ("search:16", "random"),
    ("search:64", "search:16"),
    ("search:256", "search:64"),
)


def players(text: str, least: int, most: int) -> tuple[int, ...]:
    """`3`, `2..5`, `2,4` or `all`."""
    found: list[int] = []
    for part in text.replace(" ", "").split(","):
        if part == "all":
            found += range(least, most + 1)
            continue
        first, _, last = part.partition("..")
        low, high = read_count(first), read_count(last or first)
        if low is None or high is None or low > high:
            raise ValueError(f"`{text}` should say how many play: 3, 2..5 or 2,4")
        found += range(low, high + 1)
    return tuple(dict.fromkeys(found))


def bots(text: str, think: str | None) -> tuple[str, ...]:
    """`best,random`; what thinks and is not told how long thinks as long as `think` says."""
    if think is not None and read_budget(think) is None:
        raise ValueError(f"`{think}`: a bot thinks {FORMS}")
    names = [part.strip() for part in text.split(",")]
    open_names = {*MINDS, "best"} - set(LEVELS)
    return tuple(f"{name}:{think}" if think and name in open_names else name for name in names)


def varied(text: str) -> tuple[str, tuple[str, ...]]:
    """`startMoney=8000,9000,10000`."""
    name, equals, values = text.partition("=")
    several = tuple(part.strip() for part in values.split(","))
    if not equals or not name.strip() or not all(several):
        raise ValueError(f"`{text}` should name a constant and its values: startMoney=8000,9000")
    return name.strip(), several


def restraint(manner: Manner, text: str) -> Restraint:
    """`action=research`, `card="Claims Lawyer"`."""
    sort, equals, name = text.partition("=")
    if not equals or not sort.strip() or not name.strip().strip('"'):
        raise ValueError(f'`{text}` should say what is meant: action=research or card="Lamp"')
    return Restraint(manner, sort.strip(), name.strip().strip('"'))


def share(text: str) -> float:
    """`±2%`, `2 %` or `0.02`."""
    found = re.fullmatch(r"±?\s*([0-9]{1,3}(?:\.[0-9]{1,4})?)\s*(%?)", text.strip(), re.ASCII)
    value = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < value < 0.5:
        raise ValueError(f"`{text}` should be a share such as ±2%")
    return value


def all_restraints(ready: Sequence[Ready]) -> tuple[Restraint, ...]:
    """Never to choose something, for every thing but cells of boards: what each is worth."""
    boards = set(ready[0].game.program.boards)
    return tuple(
        Restraint("never", each.sort, each.name)
        for each in ready[0].things
        if each.sort not in boards
    )
