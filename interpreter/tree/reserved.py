"""Words that begin a value or a statement, so that nothing can be called like them.

Other words of the language (`face`, `step`, `row`) stand only where no name can, so things may be
called like them.
"""

from __future__ import annotations

import re

from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.tree.stuck import Stuck

_RESERVED = """
    yes no none players count any every sum min max pick rank denseRank region line reach can
    number not if else for repeat turns stop skip again leave choose shuffle draw move roll
    reveal hide remember nobody everybody end say let sealed looking otherwise when and or is in
    random
"""
RESERVED = frozenset(_RESERVED.split())

# How those that begin a value go on.
_VALUES = {
    "number": "number of deck",
    "count": "count(x in players where x.gold > 3)",
    "any": "any(x in players where x.gold > 3)",
    "every": "every(x in players has x.gold > 3)",
    "sum": "sum(x.gold for x in players)",
    "min": "min(a, b)",
    "max": "max(a, b)",
    "pick": "pick(x in players by most x.gold ties in order)",
    "rank": "rank(p, most x.gold for x in players)",
    "denseRank": "denseRank(p, most x.gold for x in players)",
    "line": "line(c through x where x.mark is me)",
    "region": "region(c through x where x.mark is me)",
    "reach": "reach(c within 3 through x costs 1)",
    "can": "can (f(x) then g(y))",
}
_VERBS = {
    "end": "end game",
    "draw": "draw 1 from deck to me.hand",
    "move": "move card to me.hand",
    "roll": "roll die",
    "hide": "hide me.hand",
    "reveal": "reveal me.hand",
    "remember": "remember boards",
    "shuffle": "shuffle deck",
    "choose": "choose buy or sell",
    "leave": "leave market",
    "say": 'say "text"',
    "nobody": "nobody wins",
    "random": "x := random n in 1..6",
}
# Names that are often wanted where the obvious one is taken.
_INSTEAD = {
    "number": "position",
    "count": "counted",
    "sum": "total",
    "min": "least",
    "max": "most",
    "rank": "grade",
    "line": "track",
    "end": "finish",
    "draw": "drawn",
    "move": "motion",
    "roll": "rolled",
    "pick": "picked",
    "region": "area",
    "turns": "turnCount",
    "reach": "range",
    "random": "luck",
    "players": "everybody",
}


def reserved_help(word: str) -> str:
    """How the word is used, and what to do when it was meant as a name."""
    shown = _VALUES.get(word) or _VERBS.get(word)
    used = f"it is used as in `{shown}`; " if shown else ""
    such = f", such as `{_INSTEAD[word]}`" if word in _INSTEAD else ""
    return f"{used}choose another name{such}"


def explain_reserved(stuck: Stuck) -> Problem | None:
    """A word that goes on in its own way stands where a name was meant: `if number > 2`."""
    before = stuck.words_before
    word = before[-1] if before else ""
    if word not in RESERVED or before[-2:-1] in (["."], [":"]):
        return None  # a member of something may be called so, and a type is told elsewhere
    start = stuck.line.rfind(word, 0, stuck.column - 1)
    mark = stuck.place.mark(stuck.number, start + 1, len(word))
    named = _where_named(stuck, word)
    as_name = stuck.at_end or not re.match(r'[\w"(]', stuck.word)
    as_name |= stuck.word in ("and", "or", "is", "in", "div", "divUp", "mod", "else", "if", "may")
    if word in _VALUES and stuck.accepted <= {"LPAR", "OF"}:
        if not (as_name or named):
            message = f"`{word}` does not go on like this"
            said = re.match(r"\(?([\w.]+)\)?", stuck.line[stuck.column - 1 :])
            such = f"number of {said[1]}" if word == "number" and said else _VALUES[word]
            return Problem("RR117", message, mark, help=f"write it as in `{such}`")
    elif not (len(before) == 1 and not stuck.at_end and as_name and word in _VERBS):
        return None
    message = f"`{word}` is a word of the language and cannot be a name"
    notes = ((named, "it is made a name here"),) if named and named.line != mark.line else ()
    return Problem("RR201", message, mark, notes=notes, help=reserved_help(word))


def _where_named(stuck: Stuck, word: str) -> Mark | None:
    """Where the file tries to call something so."""
    layout = stuck.place.layout
    naming = re.compile(
        rf"(?:\b(?:let|at|each|choose|chooses|as|through)\s+|^\s*(?:\w+,\s*)*|[(,]\s*)"
        rf"(?P<name>{word})(?=\s+in\s|\s*=|\s*(?:\[[^\]]*\])?\s*:|\s+where\b|\s+at\s)"
    )
    for number, line in enumerate(layout.lines, 1):
        found = naming.search(line[:200])
        if found is not None:
            start = found.start("name") + 1
            return Mark(layout.name, number, start, number, start + len(word))
    return None
