"""Words that begin a value or a statement, so that nothing can be called like them.

Other words of the language (`face`, `step`, `row`) stand only where no name can, so things may be
called like them.
"""

from __future__ import annotations

import re
from dataclasses import replace

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

# Names that mean something in every game.
_MEANT = {
    "me": "the player who is choosing",
    "box": "the place for all that is out of the game",
    "playerCount": "the number of players",
    "int": "the type of whole numbers",
    "bool": "the type of what is yes or no",
    "Player": "the type of players",
}

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
# Names that are often wanted where the obvious one is taken; of verbs, for a thing and an action.
_INSTEAD = {
    "number": ("position", "amount"),
    "count": ("counted",),
    "sum": ("total",),
    "min": ("least",),
    "max": ("most",),
    "rank": ("grade",),
    "line": ("track",),
    "end": ("finish",),
    "draw": ("drawn", "drawCard"),
    "move": ("motion", "go"),
    "roll": ("rolled", "rollDice"),
    "pick": ("picked", "pickOne"),
    "reveal": ("shown", "show"),
    "hide": ("hidden", "cover"),
    "choose": ("chosen", "decide"),
    "stop": ("stopped", "quit"),
    "skip": ("skipped", "sitOut"),
    "leave": ("left", "depart"),
    "say": ("said", "tell"),
    "region": ("area",),
    "turns": ("turnCount",),
    "reach": ("range",),
    "random": ("luck",),
    "players": ("seated",),
}


def reserved_help(word: str) -> str:
    """How the word is used, and what to do when it was meant as a name."""
    shown = _VALUES.get(word) or _VERBS.get(word)
    used = f"it is used as in `{shown}`; " if shown else ""
    instead = " or ".join(f"`{name}`" for name in _INSTEAD.get(word, ()))
    such = f", such as {instead}" if instead else ""
    return f"{used}choose another name{such}"


def is_taken(word: str) -> bool:
    """Whether nothing that is declared can be called so."""
    return word in RESERVED or word in _MEANT or re.fullmatch(r"P[1-9][0-9]?", word) is not None


def reserved_problem(word: str, mark: Mark) -> Problem:
    if word not in RESERVED:
        meant = _MEANT.get(word, f"the player at seat {word[1:]}")
        message = f"`{word}` is {meant} and cannot be another name"
        return Problem("RR201", message, mark, help="choose another name")
    message = f"`{word}` is a word of the language and cannot be a name"
    return Problem("RR201", message, mark, help=reserved_help(word))


def explain_reserved(stuck: Stuck) -> Problem | None:
    """A word that goes on in its own way stands where a name was meant: `if number > 2`."""
    before = stuck.words_before
    word = before[-1] if before else ""
    for each in (stuck.word, "" if before[-2:-1] == ["."] else word, _called(before)):
        if each in RESERVED and (named := _find_in_file(stuck, _DECLARING, each)):
            return _of_name(each, stuck.mark, named)
    if word not in RESERVED or before[-2:-1] in (["."], [":"]):
        return None  # a member of something may be called so, and a type is told elsewhere
    start = stuck.line.rfind(word, 0, stuck.column - 1)
    mark = stuck.place.mark(stuck.number, start + 1, len(word))
    named = _find_in_file(stuck, _NAMING, word)
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
    return _of_name(word, mark, named)


def _of_name(word: str, mark: Mark, named: Mark | None) -> Problem:
    problem = reserved_problem(word, mark)
    return replace(problem, notes=((named, _NAMED_HERE),)) if named else problem


_NAMED_HERE = "it is made a name here"


def where_named(problem: Problem) -> Problem:
    """A name that is taken is told where it is given, for all its uses together."""
    here = [mark for mark, text in problem.notes if text == _NAMED_HERE]
    return replace(problem, mark=here[0], notes=()) if here else problem


def _called(words: list[str]) -> str:
    """The word before the bracket that is still open: `rank` in `n += rank(me`."""
    depth = 0
    for number in range(len(words) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(words[number], 0)
        if depth < 0:
            return words[number - 1]
    return ""


# Lines that give something a name for the whole game: declarations, members of enums, rows,
# variables and fields. WORD stands for the name.
_DECLARING = (
    r"^(?:option|constant|enum|kind|table|board|group|function|quantity|action|procedure|phase|event"
    r"|ability|history|steps)\s+(?P<name>WORD)\b",
    r"^(?:enum|kind)\s+\w+:(?:.*,)?\s*(?P<name>WORD)(?=\s*(?:[,\"#\d]|$))",
    r"^\s+(?:\w+,\s*)*(?P<name>WORD)(?:\[[^\]]*\])?(?:,\s*\w+)*\s*:(?!=)",
)
# Names for a part of the rules.
_NAMING = (
    r"\b(?:let|at|each|choose|chooses|as|through)\s+(?P<name>WORD)(?=\s+in\s|\s*=|\s+where\b|\s+at\s)",
    r"[(,]\s*(?P<name>WORD)(?=\s+in\s|\s*:)",
)


def _find_in_file(stuck: Stuck, patterns: tuple[str, ...], word: str) -> Mark | None:
    """Where the file tries to call something so."""
    layout = stuck.place.layout
    naming = [re.compile(pattern.replace("WORD", word)) for pattern in patterns]
    for number, line in enumerate(layout.lines, 1):
        for each in naming:
            found = each.search(line[:200])
            if found is not None:
                start = found.start("name") + 1
                return Mark(layout.name, number, start, number, start + len(word))
    return None
