"""Lines that people write in rulebooks and other languages, and how they are said here.

The first row that fits at the place where reading stopped tells its help.
"""

from __future__ import annotations

import re

from interpreter.frozen import frozen
from interpreter.report.problem import Problem
from interpreter.tree.foreign import DRAWN, LOST, NO_RETURN, ROLL, TURN_ENDS
from interpreter.tree.stuck import Stuck


@frozen
class _Saying:
    """A line as a pattern, and the help, which may use its groups. The group `at`, if there is
    one, is where reading must have stopped; otherwise it may have stopped anywhere in it. The
    group `mark`, if there is one, is underlined instead of the whole. With `under`, the
    declaration must begin with one of these words."""

    pattern: str
    help: str
    under: str = ""
    message: str = "`{mark}` is said in another way here"


_MOVED = "discard|trash|burn|place|put|take|remove|give"
_COUNTED = "add|gain|get|lose|pay|spend|receive|subtract|increase|decrease|increment|decrement"
_END = "write `end game`; `score` and `winner` decide who has won"
_CALLED = r"\w+ ?\([^()]*\)"
_CASES = (
    "a function has cases, each a value and its condition: `2 if p.gold > 3`;\n"
    "the last one is `0 otherwise`"
)
_STEP = (
    r"(?:[\w.]+(?:\[[^\]]*\])? (?:[-+:]=) .*?|(?:move|draw|roll|say|leave|shuffle|reveal|hide) .*?"
    r"|stop|skip|again|end game|\w[\w.()]* wins|\w+\([^()]*\))"
)

_DECLARED = (
    _Saying(
        r"^(?P<word>game|data|include|clauses)(?P<mark>(?P<at>:)) ?(?P<rest>\".*)$",
        "it has no `:`: write `{word} {rest}`",
    ),
    _Saying(
        r"^(?P<word>game|data|include|clauses|scenario):? (?P<mark>(?P<at>(?!has\b)[^\"\s].*))$",
        'put it in quotes: `{word} "{mark}"`',
        "game|data|include|clauses|scenario",
    ),
    _Saying(
        r"^players ?(?P<mark>(?P<at>:|=)) ?(?P<rest>\S.*)$", "write `players {rest}` without a sign"
    ),
    _Saying(
        r"^board (?P<name>\w+)(?::? ?)(?P<mark>(?:square |hex )?(?P<a>\w+?) ?(?:x|X|\*|by|×) ?"
        r"(?P<b>\d\w*))$",
        "say the shape and both sizes: `board {name}: square {a} by {b}`",
    ),
    _Saying(
        r"^(?P<enum>enum \w+:? ?)(?P<mark>\w+(?: \w+)+)$",
        "commas stand between the names: `{enum}{listed}`",
    ),
    _Saying(
        r"^(?P<enum>enum \w+) ?(?P<mark>(?P<at>=|\{|\(|\[)) ?(?P<rest>[\w, ]+).*$",
        "write `{enum}: {rest}`",
    ),
    _Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>number)\b(?! of)(?P<rest>.*)$",
        "whole numbers are of the type `int`, or of a range such as `0..20`: `{name}: int{rest}`",
    ),
    _Saying(
        r"^(?P<name>[\w\[\], .]+: [\w. ]+)(?P<mark>, ?(?P<at>\d+))(?P<rest>.*)$",
        "where it starts stands behind `=`: `{name} = {at}{rest}`",
        "the|each",
    ),
    _Saying(
        r"^modify (?P<what>" + _CALLED + r") ?(?P<mark>(?P<at>by|[-+]=|\+|-) ?(?P<minus>-?) ?"
        r"(?P<by>[^-+ ].*?))(?: when .*)?$",
        "`it` is the value so far: `modify {what} to it {change} {by}`",
    ),
    _Saying(
        r"^modify (?P<what>" + _CALLED + r") ?(?P<mark>(?P<at>:=|=|as|is)) ?"
        r"(?P<value>\S.*?)(?: when .*)?$",
        "the new value stands behind `to`: `modify {what} to {value}`",
    ),
    _Saying(
        r"^modify (?P<what>\w+) (?P<mark>(?P<at>to|by|when))\b.*",
        "name in brackets what the quantity is about, as its declaration does:\n"
        "`modify {what}(p) to it - 1`",
    ),
    _Saying(
        r"^(?P<mark>when|whenever|on|if|upon) (?P<what>" + _CALLED + r").*",
        "say at which moment: `after {what}`, `before {what}` or `instead of {what}`",
        "ability",
    ),
    _Saying(
        r"^(?P<word>after|before|instead of|may instead of) (?P<what>" + _CALLED + r") "
        r"(?P<mark>(?P<at>if)) (?P<test>.+)",
        "the condition stands behind `when`: `{word} {what} when {test}`",
    ),
    _Saying(
        r"^(?P<word>action|ability) (?P<name>\w+)(?P<mark>\((?P<at>\))).*",
        "nothing is settled in these brackets; leave them out: `{word} {name}`",
    ),
    _Saying(
        r"^(?P<word>phase \w+|setup|play|ability \w+)(?P<mark>(?P<at>\()\)).*",
        "it is given no values, so it has no brackets: `{word}`",
    ),
    _Saying(
        r"^phase (?P<name>\w+)(?P<mark>(?P<at>\()[^)]+\)).*",
        "a phase is given no values, but a procedure is: `procedure {name}{mark}`",
    ),
    _Saying(
        r"^(?P<option>\w+)(?P<mark>\((?P<at>\))).*",
        "nothing is settled in these brackets; leave them out: `{option}`",
    ),
    _Saying(
        r"^action (?P<name>\w+) (?P<mark>(?P<at>\w+) in [^\" ]+(?: where [^\"]*[^\" ])?).*",
        "what is settled stands in brackets: `action {name}({mark})`",
    ),
    _Saying(
        r"^(?P<word>event|procedure) (?P<mark>\w+)$",
        "what it is given stands in brackets, even if it is nothing: `{word} {mark}()`",
        message="`{mark}` does not say what it is given",
    ),
    _Saying(
        r"^(?:function|procedure|event|quantity) \w+\((?:.*, ?)?(?P<mark>\w+)(?P<at>[,)]).*",
        "say what it is: `{mark}: Player`, `{mark}: int`, or another type",
        message="`{mark}` has no type",
    ),
    _Saying(
        r"^(?:function|procedure|event|quantity) \w+\((?:.*, ?)?"
        r"(?P<mark>(?P<type>\w+) (?P<at>(?!in\b)\w+))\b.*",
        "the name comes first, then its type: `{at}: {type}`",
    ),
    _Saying(
        r"^(?P<mark>(?P<what>players|[\w\[\], .]+:) ?(?P<low>\d+) ?(?:-|–|to) ?(?P<high>\d+))\b.*",
        "a range has two points between its ends: `{what} {low}..{high}`",
    ),
    _Saying(
        r"^(?P<mark>(?P<words>\w+ has|players? have|(?:the )?players? has|every \w+ has))$",
        "write `each player has` or `the game has`",
    ),
    _Saying(
        r"^(?P<name>[\w\[\], .]+): (?P<mark>(?P<word>[A-Za-z]\w*) (?P<at>of) (?P<kind>\w+)).*",
        "a place is a `stack`, `row`, `set`, `hand`, `slot`, `bag` or `pool`, written small:\n"
        "`hand of {kind}`",
        "the|each",
    ),
    _Saying(
        r"^(?P<mark>(?P<type>int|bool|Player|\d+\.\.\d+) (?P<at>(?P<name>\w+)))\b.*",
        "the name comes first, then its type: `{name}: {type}`",
        "the|each|kind|table",
    ),
    _Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?) (?P<mark>(?P<at>[\w\"-]+).*)$",
        "a `:` stands behind the name: `{name}: {mark}`",
        "the|each|kind|table",
    ),
    _Saying(
        r"^(?P<name>\w+(?:\[[^\]]*\])?) (?P<mark>(?P<at>=) ?(?P<value>\d+))$",
        "say the type first, then where it starts: `{name}: int = {value}`",
        "the|each",
    ),
    _Saying(
        r"^(?P<mark>return) (?P<value>\S.*)$",
        "write the value as the last case: `{value} otherwise`",
        "function",
    ),
    _Saying(r"^(?P<mark>if|else|return)\b.*", _CASES, "function"),
    _Saying(
        r"^(?P<value>(?!let\b)[^\s].*?) ?(?P<mark>(?P<at>else|$))$",
        "every case but the last has a condition, `{value} if ...`; the last one is\n"
        "`{value} otherwise`",
        "function",
        "this case does not say when it holds",
    ),
)

_VALUES = (
    _Saying(
        r"(?P<x>[\w.]+) (?:<=|>=|!=|<|>|=) \w+ (?P<mark>(?P<join>and|or) (?P<at><=|>=|!=|<|>|=)) ?"
        r"(?P<y>[\w.]+)",
        "say again what is compared: `{join} {x} {at} {y}`",
    ),
    _Saying(
        r"^let (?P<name>\w+)(?P<mark>(?P<at>:) ?[\w. ]+?) ?=(?P<value>.*)",
        "the type follows from the value: `let {name} ={value}`",
    ),
    _Saying(
        r"^(?P<mark>int|bool|var|const|string|number|float|def|set|my|local) "
        r"(?P<name>[A-Za-z_]\w*) ?(?::=|=)(?P<value>.*)",
        "a name for a value is made with `let {name} ={value}`",
    ),
    _Saying(
        r"\bevery\((?P<x>\w+) in (?P<many>.+?) (?P<mark>where) (?P<test>.+?)(?P<at>\))(?!.*\))",
        "behind `has` stands what all of them must satisfy:\n`every({x} in {many} has {test})`",
    ),
    _Saying(
        r"\bevery\((?P<x>\w+) in (?P<many>.+?) (?P<mark>(?P<at>is|satisfies|with|if))\b.*",
        "behind `has` stands what all of them must satisfy:\n`every({x} in {many} has ...)`",
    ),
    _Saying(
        r"\b(?P<word>any|count)\((?P<x>\w+) in (?P<many>[^()]+?(?:\([^()]*\))?) "
        r"(?P<mark>(?P<at>has|if|with|when|for)) (?P<test>.+?)\)(?!.*\))",
        "behind `where` stands what is looked for:\n`{word}({x} in {many} where {test})`",
    ),
    _Saying(
        r"\b(?:any|every|count|sum|max|min|pick)\((?P<x>\w+) (?P<mark>(?P<at>of|from)) "
        r"(?P<many>[\w.]+).*",
        "behind `in` stands what it goes through: `{x} in {many}`",
    ),
    _Saying(
        r"(?<=[=(, ])(?P<value>[^=:(, ][^=:(,]*) (?P<at>if) (?P<test>\S.*) else (?P<other>[^,)]+)",
        "a value with a condition stands in brackets: `({value} if {test} else {other})`",
    ),
    _Saying(
        r"\bif (?P<test>.+) then (?P<value>.+) else (?P<other>.+)",
        "a value that depends on a condition: `({value} if {test} else {other})`",
    ),
    _Saying(r"\brandom ?\(.*", ROLL),
    _Saying(
        r"\brandom (?P<at>\w+) in \S.*",
        "`random` stands only behind the sign that gives something its value:\n"
        "`x := random n in 1..6`, `let x = random n in 1..6`",
    ),
    _Saying(
        r"(?P<x>[\w.]+) (?P<mark>(?P<at>is|are|isn't|isnt) (?:empty|not empty))\b",
        "ask how many there are: `number of {x} = 0`; of a slot, `{x} is none`",
    ),
    _Saying(r"(?P<x>[\w.]+) (?P<mark>is (?P<at>in)) (?P<y>[\w.]+)", "write `{x} in {y}`"),
    _Saying(r"(?P<x>[\w.]+) (?P<mark>(?P<at>not) in) (?P<y>[\w.]+)", "write `not {x} in {y}`"),
    _Saying(
        r"(?P<x>[\w.]+) (?P<mark>is (?:(?P<at>greater|more|bigger|higher) than)) (?P<y>[\w.]+)",
        "write `{x} > {y}`",
    ),
    _Saying(
        r"(?P<x>[\w.]+) (?P<mark>is (?:(?P<at>less|fewer|smaller|lower) than)) (?P<y>[\w.]+)",
        "write `{x} < {y}`",
    ),
    _Saying(r"(?P<x>[\w.]+) (?P<mark>(?P<at>equals|equal to)) (?P<y>[\w.]+)", "write `{x} = {y}`"),
    _Saying(
        r"(?P<x>[\w.]+) (?P<mark>is (?P<at>at) (?P<how>least|most)) (?P<y>[\w.]+)",
        "write `{x} >= {y}` for «at least» and `{x} <= {y}` for «at most»",
    ),
    _Saying(
        r"\bin (?P<low>\w+) (?P<mark>(?P<at>to|until|through)) (?P<high>\w+)\b",
        "a range has two points between its ends: `{low}..{high}`",
    ),
)

_STEPS = (
    _Saying(
        r"^(?P<line>(?:for each|repeat|turns|if|else if|sealed for) .*?) ?"
        r"(?P<mark>(?P<at>do|begin|loop|then))$",
        "the indentation of the next line is enough: `{line}`",
    ),
    _Saying(r"^(?P<mark>end (?:the|this) game|finish(?: the)? game|stop (?:the )?game)$", _END),
    _Saying(
        r"^(?P<mark>may (?:always )?choose)\b(?P<rest>.*)$",
        "say who: `me {mark}{rest}`",
        "play|phase|procedure|action|event|setup",
    ),
    _Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<mark>an?|the) (?P<at>\w+)(?P<rest>.*)$",
        "leave the article out: `{who} {at}{rest}`",
    ),
    _Saying(r"^(?P<mark>\w+(?: (?P<at>or) \w+)+)$", "let somebody choose: `choose {mark}`"),
    _Saying(
        r"^move (?P<what>[\w.]+(?:\([^()]*\))?) "
        r"(?P<mark>(?P<at>(?!to\b|of\b|from\b|all\b)[\w.]+))$",
        "say where it goes: `move {what} to {mark}`",
    ),
    _Saying(
        r"^draw (?P<many>\w+) (?P<mark>(?P<at>(?!from\b)[\w.]+)) to (?P<to>[\w.]+)$",
        "say from where: `draw {many} from {mark} to {to}`",
    ),
    _Saying(
        r"^draw (?P<many>(?:up to )?(?!an? |the |one )\w+) (?P<mark>(?:card|piece|tile|token)s?) "
        r"from (?P<rest>\S+ to .*)$",
        "what is drawn follows from the place: `draw {many} from {rest}`",
    ),
    _Saying(r"\b(?:end|finish|pass) (?:the |my )?turn\b", TURN_ENDS),
    _Saying(
        r"\bend (?:the )?(?:round|phase|loop)\b",
        "`stop` ends the innermost loop, `leave name` a loop, phase or procedure by its name",
    ),
    _Saying(r"^return\b.*", NO_RETURN),
    _Saying(r"^(?:draw|tie|(?:it is |it's )?a (?:draw|tie)|draw (?:the )?game)$", DRAWN),
    _Saying(r"^(?:the )?game (?:is |ends )?(?:over|end|a draw|in a draw|draw|drawn|ends)$", DRAWN),
    _Saying(r"^\w[\w.()]* (?P<mark>(?P<at>lost|is out|is eliminated|dies|has lost))\b.*", LOST),
    _Saying(
        r"^(?P<who>\w[\w.()]*) (?P<mark>(?P<at>is the winner|has won|won|wins the game))\b.*",
        "write `{who} wins`",
    ),
    _Saying(r"^winner (?:is|=|:=) (?P<who>\w+)$", "write `{who} wins`"),
    _Saying(
        r"^draw (?:from|an?|one|the|(?:up to )?(?:\w+ )?cards?)\b.*",
        "say how many, from where and to where: `draw 1 from deck to me.hand`",
    ),
    _Saying(r"^deal (?P<many>\w+)\b.*", "cards are drawn: `draw {many} from deck to p.hand`"),
    _Saying(
        rf"^(?:(?:{_COUNTED}) \w|(?:take|give) \d).*",
        "numbers change with `+=` and `-=`: `me.gold += 2`",
    ),
    _Saying(
        rf"^(?P<verb>{_MOVED}) (?P<what>\w+)\b.*",
        "a piece goes somewhere with `move {what} to ...`; a procedure of this name\n"
        "is called with brackets: `{verb}({what})`",
    ),
    _Saying(
        r"^move (?P<what>[\w.]+) (?P<mark>from) (?P<where>[\w.]+) to (?P<to>[\w.]+)$",
        "a piece knows where it lies: `move {what} to {to}`; counted pieces have `of`,\n"
        "as in `move 2 of red from {where} to {to}`",
    ),
    _Saying(
        r"^move (?P<many>all|everything|every card) (?P<mark>(?P<at>(?!from\b)\w+)).*",
        "every piece of a place goes with `move all from a to b`",
    ),
    _Saying(
        r"^(?:roll|throw) (?P<mark>(?P<many>\d+|an?|the) ?(?:dice|die|d\d+)).*",
        "dice are variables with a range, and each is rolled: `roll die`",
    ),
    _Saying(r"^set (?P<what>[\w.]+) to (?P<value>.+)", "write `{what} := {value}`"),
    _Saying(
        r"^for (?:each|every|all) players?(?: (?P<name>\w+))?$",
        "write `for each {name} in players`",
    ),
    _Saying(
        r"^for each \w+ (?P<at>\w+)(?: in (?P<many>\S.*))?$",
        "first comes a name, then what it goes through: `for each {at} in {many}`",
    ),
    _Saying(
        r"^for (?!each\b)(?P<name>\w+) in (?P<many>\S.*)$", "write `for each {name} in {many}`"
    ),
    _Saying(
        r"^for (?!each\b)(?P<name>\w+) ?(?:from|=|:=) ?(?P<low>\w+) (?:to|\.\.|until) ?"
        r"(?P<high>\w+)$",
        "write `for each {name} in {low}..{high}`",
    ),
    _Saying(
        r"^for each (?P<name>\w+) (?P<mark>(?P<at>from|of|=)) (?P<many>\S.*)$",
        "what it goes through stands behind `in`: `for each {name} in {many}`;\nnumbers go `1..6`",
    ),
    _Saying(
        r"^repeat (?P<many>[\w.]+)$",
        "write `repeat {many} times`; with a condition, `repeat while` or `repeat until`",
    ),
    _Saying(
        r"^repeat (?P<mark>(?P<at>for|if|when)) (?P<test>.+)$",
        "write `repeat while {test}`, `repeat until {test}` or `repeat 3 times`",
    ),
    _Saying(
        r"^sealed for (?P<who>\w+) (?P<mark>(?P<at>if|when)) (?P<test>\S.*)",
        "who goes through the block is said with `where`: `sealed for {who} where {test}`",
    ),
    _Saying(
        r"^sealed for (?P<mark>each|every|all)\b.*",
        "all players go through the block; give each a name: `sealed for p`",
    ),
    _Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<first>\w+) ?(?P<mark>(?P<at>,|and\b)) ?"
        r"(?P<others>\w.*)$",
        "what can be chosen is joined with `or`: `{who} {first} or {joined}`",
    ),
    _Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?:one|1|any|either|between)\b.*",
        "name the actions, joined with `or`: `{who} buy or sell`",
    ),
    _Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<what>\w+) (?P<mark>(?P<at>from)) "
        r"(?P<many>\S.*)$",
        "what is chosen from stands behind `in`: `{who} {what} in {many}`",
    ),
    _Saying(
        r"\bchooses? (?P<which>\w+)(?P<at>\().*",
        "whoever chooses settles what stands in brackets: write `choose {which}`;\n"
        "what is settled already is no choice but a `procedure`",
    ),
    _Saying(
        r"^(?P<step>" + _STEP + r") ?(?P<mark>(?P<at>if|when) (?P<test>(?:(?! else ).)+))$",
        "a step has its condition on a line of its own above it: `if {test}`,\n"
        "and indented under that, `{step}`",
    ),
    _Saying(
        r"^(?P<step>" + _STEP + r") ?(?P<mark>(?P<at>unless) (?P<test>.+))$",
        "a step has its condition on a line of its own above it: `if not ({test})`,\n"
        "and indented under that, `{step}`",
    ),
    _Saying(
        r"^(?P<step>" + _STEP + r")(?P<mark>(?P<at>,| and\b|and\b|then\b)) ?(?P<more>\S.*)$",
        "one step on a line: `{step}`, and on the next line `{more}`",
    ),
    _Saying(
        r"^(?P<word>if|else if) (?P<test>.+?) (?P<mark>(?P<at>then)\b) ?(?P<step>.*)$",
        "`{word} {test}` is the whole line; what happens is indented under it",
    ),
    _Saying(
        r"^(?P<word>if|else if) (?P<test>[^:]+)(?P<mark>(?P<at>:)(?!=) ?(?P<step>\S.*))$",
        "`{word} {test}` is the whole line; indented under it stands `{step}`",
    ),
    _Saying(
        r"^else(?P<mark>(?P<at>:)? ?(?!if\b)(?P<step>\S.*))$",
        "`else` stands alone on its line; indented under it stands `{step}`",
    ),
    _Saying(
        r"^(?:say|print) (?P<mark>(?P<at>(?!\")[\w.]+).*)$",
        'what is said stands in quotes, and values in braces: `say "it is {{{at}}}"`',
    ),
    _Saying(
        r"^say (?P<text>\"[^\"]*\") ?(?P<mark>(?P<at>[+,]) ?(?P<value>[\w.]+)).*$",
        'values stand in braces inside the text: `say "it is {{{value}}}"`',
    ),
)

_SCENARIOS = (
    _Saying(
        r"^then (?P<who>\w+) (?P<at>can ?not|(?:could|must|should) not) (?P<what>\w.*)",
        "write `then {who} may not {what}`",
    ),
    _Saying(
        r"^then (?P<who>\w+) (?P<at>can|could|must|should|has to) (?P<what>\w.*)",
        "write `then {who} may {what}`, or `may only` if there is no other option",
    ),
    _Saying(
        r"^then (?P<who>\w+) (?P<at>(?P<what>pass\b|\w+\(.*))",
        "what is offered: `then {who} may {what}`; what is done: `when {who} {what}`",
    ),
)

SAYINGS = (*_SCENARIOS, *_DECLARED, *_VALUES, *_STEPS)

_LONGEST = 200  # characters of a line that somebody wrote; patterns are slow on endless ones
_CITES = re.compile(r"\s*\[[A-Z][A-Z0-9]*-[^\]]*\]$")


def explain_saying(stuck: Stuck) -> Problem | None:
    indent = len(stuck.line) - len(stuck.line.lstrip())
    line = _CITES.sub("", stuck.line.strip())
    here = stuck.column - 1 - indent
    if len(line) > _LONGEST:
        return None
    head = re.match(r"\w*", stuck.place.line(1))
    for saying in SAYINGS:
        if saying.under and (head is None or head[0] not in saying.under.split("|")):
            continue
        found = re.search(saying.pattern, line)
        if found is None or not found.start() <= here <= found.end():
            continue
        words = found.groupdict("...")
        if "at" in words and found.start("at") != here:
            continue
        marked = "mark" if words.get("mark") else 0
        start, text = found.start(marked), found[marked]
        mark = stuck.place.mark(stuck.number, indent + start + 1, len(text))
        words = _completed({**words, "mark": text})
        message = saying.message.format(**words)
        return Problem("RR122", message, mark, help=saying.help.format(**words))
    return None


def _completed(words: dict[str, str]) -> dict[str, str]:
    """What the helps need beyond what was written."""
    if words.get("name") == "...":
        words["name"] = "p"
    minus = (words.get("at") in ("-", "-=")) != (words.get("minus") == "-")
    words["change"] = "-" if minus else "+"
    others = re.split(r", ?(?:or |and )?| and | or ", words.get("others", ""))
    words["joined"] = " or ".join(others)
    words["listed"] = ", ".join(words["mark"].split())
    return words
