"""What people say in rulebooks and in other languages, and how it is said here.

Three tables. `PHRASES` are lines that cannot be read: the first row that fits at the place where
reading stopped tells its help. `WORDS` stand for one word of this language. `NAMES` are names that
nothing has, but that somebody who writes them surely means something by.
"""

from __future__ import annotations

import re

from interpreter.frozen import frozen
from interpreter.report.problem import Problem
from interpreter.tree.stuck import Stuck

WORDS = {
    "elif": "else if",
    "elseif": "else if",
    "elsif": "else if",
    "foreach": "for each",
    "while": "repeat while",
    "until": "repeat until",
    "loop": "repeat",
    "unless": "if not",
    "var": "let",
    "print": "say",
    "default": "otherwise",
    "case": "if",
}

_TURN_ENDS = "a turn ends by itself after its last step; `skip` goes on to the next one early"
_NO_RETURN = (
    "a function gives its value behind `=`, or by cases such as `2 if rich` and `0 otherwise`;\n"
    "steps end early with `stop` for a loop and `leave name` for a phase or procedure"
)
_ME = "`me` is the player whose turn or choice it is"
_NONE = "what is absent is called `none`: `if x is none`"
_ROLL = "`roll x` gives `x` a random value of its range, `x := random n in 1..6` one of some"

NAMES = {
    "true": "write `yes`, or just ask the condition itself: `if flag`",
    "false": "write `no`, or turn the condition round: `if not flag`",
    "null": _NONE,
    "nil": _NONE,
    "nothing": _NONE,
    "empty": "a slot without a piece `is none`; of other places ask `number of deck = 0`",
    "isEmpty": "a slot without a piece `is none`; of other places ask `number of deck = 0`",
    "self": _ME,
    "this": _ME,
    "player": _ME,
    "currentPlayer": _ME,
    "activePlayer": _ME,
    "opponent": "with two players, `next(me)` is the other one",
    "random": _ROLL,
    "break": "`stop` ends the innermost loop, `leave name` another one",
    "continue": "`skip` goes on to the next pass of the loop",
    "return": _NO_RETURN,
    "pass": "do nothing by writing nothing; `me may choose ...` lets somebody pass",
    "endTurn": _TURN_ENDS,
    "nextTurn": _TURN_ENDS,
    "endGame": "write `end game`",
    "gameOver": "write `end game`",
}

# What is asked of a place with a dot elsewhere; `{place}` is the place as it was written.
OF_PLACES = {
    **dict.fromkeys(("count", "size", "length", "number", "amount"), "`number of {place}`"),
    **dict.fromkeys(("empty", "isEmpty"), "`number of {place} = 0`"),
    **dict.fromkeys(("first", "last"), "`top({place})` or `bottom({place})`"),
}


@frozen
class _Phrase:
    """A line as a pattern, and the help, which may use its groups. The group `at`, if there is
    one, is where reading must have stopped; otherwise it may have stopped anywhere in it."""

    pattern: str
    help: str


_MOVED = "discard|trash|burn|place|put|take|remove|give"
_COUNTED = "add|gain|get|lose|pay|spend|receive|subtract|increase|decrease|increment|decrement"

PHRASES = (
    _Phrase(r"\b(?:end|finish|pass) (?:the |my )?turn\b", _TURN_ENDS),
    _Phrase(
        r"\bend (?:the )?(?:round|phase|loop)\b",
        "`stop` ends the innermost loop, `leave name` a loop, phase or procedure by its name",
    ),
    _Phrase(r"^return\b.*", _NO_RETURN),
    _Phrase(r"\brandom ?\(.*", _ROLL),
    _Phrase(
        r"\brandom (?P<at>\w+) in \S.*",
        "`random` stands only behind the sign that gives something its value:\n"
        "`x := random n in 1..6`, `let x = random n in 1..6`",
    ),
    _Phrase(
        r"^draw (?:from|an?|one|the|(?:up to )?(?:\w+ )?cards?)\b.*",
        "say how many, from where and to where: `draw 1 from deck to me.hand`",
    ),
    _Phrase(r"^deal (?P<many>\w+)\b.*", "cards are drawn: `draw {many} from deck to p.hand`"),
    _Phrase(
        rf"^(?:(?:{_COUNTED}) \w|(?:take|give) \d).*",
        "numbers change with `+=` and `-=`: `me.gold += 2`",
    ),
    _Phrase(
        rf"^(?P<verb>{_MOVED}) (?P<what>\w+)\b.*",
        "a piece goes somewhere with `move {what} to ...`; a procedure of this name\n"
        "is called with brackets: `{verb}({what})`",
    ),
    _Phrase(r"^set (?P<what>[\w.]+) to (?P<value>.+)", "write `{what} := {value}`"),
    _Phrase(
        r"^for (?:each|every|all) players?(?: (?P<name>\w+))?$",
        "write `for each {name} in players`",
    ),
    _Phrase(
        r"^for each \w+ (?P<at>\w+)(?: in (?P<many>\S.*))?$",
        "first comes a name, then what it goes through: `for each {at} in {many}`",
    ),
    _Phrase(
        r"^sealed for (?P<who>\w+) (?P<at>where) (?P<test>\S.*)",
        "everybody goes through the block; ask inside it: `if {test}`",
    ),
    _Phrase(
        r"\bchooses? (?P<which>\w+)(?P<at>\().*",
        "whoever chooses settles what stands in brackets: write `choose {which}`;\n"
        "what is settled already is no choice but a `procedure`",
    ),
    _Phrase(
        r"(?<=[=(, ])(?P<value>[^=:(, ][^=:(,]*) (?P<at>if) (?P<test>\S.*) else (?P<other>[^,)]+)",
        "a value with a condition stands in brackets: `({value} if {test} else {other})`",
    ),
    _Phrase(
        r"^then (?P<who>\w+) (?P<at>can ?not|(?:could|must|should) not) (?P<what>\w.*)",
        "write `then {who} may not {what}`",
    ),
    _Phrase(
        r"^then (?P<who>\w+) (?P<at>can|could|must|should|has to) (?P<what>\w.*)",
        "write `then {who} may {what}`, or `may only` if there is no other option",
    ),
    _Phrase(
        r"^then (?P<who>\w+) (?P<at>(?P<what>pass\b|\w+\(.*))",
        "what is offered: `then {who} may {what}`; what is done: `when {who} {what}`",
    ),
)

_LONGEST = 200  # characters of a line that somebody wrote; patterns are slow on endless ones
_CITES = re.compile(r"\s*\[[A-Z][A-Z0-9]*-[^\]]*\]$")


def explain_phrase(stuck: Stuck) -> Problem | None:
    indent = len(stuck.line) - len(stuck.line.lstrip())
    line = _CITES.sub("", stuck.line.strip())
    here = stuck.column - 1 - indent
    if len(line) > _LONGEST:
        return None
    for phrase in PHRASES:
        found = re.search(phrase.pattern, line)
        if found is None or not found.start() <= here <= found.end():
            continue
        words = found.groupdict("...")
        if "at" in words and found.start("at") != here:
            continue
        if words.get("name") == "...":
            words["name"] = "p"
        mark = stuck.place.mark(stuck.number, indent + found.start() + 1, len(found[0]))
        message = f"`{found[0]}` is said in another way here"
        return Problem("RR122", message, mark, help=phrase.help.format(**words))
    return None
