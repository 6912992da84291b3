"""Lines that people write in rulebooks and other languages, and how they are said here.

The first row that fits at the place where reading stopped tells its help.
"""

from __future__ import annotations

import re

from interpreter.report.problem import Problem
from interpreter.tree.beside import is_owned, of_each, values_of_event, who_chooses
from interpreter.tree.foreign import DRAWN, LOST, NO_RETURN, TURN_ENDS
from interpreter.tree.forms import fill
from interpreter.tree.sayings_declared import DECLARED
from interpreter.tree.sayings_newcomers import NEWCOMERS
from interpreter.tree.sayings_order import ORDER
from interpreter.tree.sayings_talked import TALKED
from interpreter.tree.sayings_values import ASKED, VALUES, Saying
from interpreter.tree.sayings_words import completed
from interpreter.tree.stuck import Stuck

_MOVED = "discard|trash|burn|place|put|take|remove|give"
_COUNTED = "add|gain|get|lose|pay|spend|receive|subtract|increase|decrease|increment|decrement"
_END = "write `end game`; `score` and `winner` decide who has won"
_STEP = (
    r"(?:[\w.]+(?:\[[^\]]*\])? (?:[-+:]=) .*?|(?:move|draw|roll|say|leave|shuffle|reveal|hide) .*?"
    r"|stop|skip|again|end game|\w[\w.()]* wins|\w+\([^()]*\))"
)

_STEPPED = "play|phase|procedure|action|event|setup|ability"

_STEPS = (
    Saying(
        r"^(?P<mark>(?P<n>\w+) (?P<at>times))$",
        "write `repeat {n} times`",
        _STEPPED,
    ),
    Saying(
        r"^(?P<mark>(?:or|and|-|\*) ?(?P<at>(?P<name>[a-z]\w*)))$",
        "each option stands on a line of its own, by its name alone: `{name}`",
        _STEPPED,
    ),
    Saying(
        r"^(?P<mark>(?P<at>[-*]) ?(?P<name>[a-z]\w*))\b.*$",
        "each option stands on a line of its own, by its name alone: `{name}`",
        _STEPPED,
    ),
    Saying(
        r"^turns (?P<mark>for (?P<at>(?P<n>\d+)|\w+)(?: (?:rounds?|times|turns))?)$",
        "`turns` goes on until something stops it; for {n} rounds, write `repeat {n} times`,\n"
        "`for each p in players` indented under it, and `p chooses ...` under that",
    ),
    Saying(
        r"^turns (?P<mark>(?P<at>until|while) (?P<test>\S.*))$",
        "end the loop inside it: `if {test}`, and `stop` indented under that",
    ),
    Saying(
        r"^(?P<mark>(?P<step>[a-z]\w*(?:\([^()]*\))?) ?(?P<at>then|and|,|;|&) ?"
        r"(?P<more>[a-z]\w*.*))$",
        "one step on a line: `{step}`, and on the next line `{more}`",
        _STEPPED,
    ),
    Saying(
        r"^(?P<head>sealed for \w+) (?P<mark>(?P<at>in) players)$",
        "all players go through the block: `{head}`",
    ),
    Saying(
        r"^(?P<mark>(?:simultaneously|secretly|simultaneous|together|hidden) "
        r"(?P<at>for)) (?P<who>\w+)$",
        "write `sealed for {who}`",
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<mark>(?P<at>\d+)(?: (?P<what>\w+?)s?)?) "
        r"(?:in|from|of) (?P<many>[\w.]+)\b.*$",
        "one is chosen at a time, and gets a name: `{who} c in {many}`;\n"
        "for several, put that under `repeat {at} times`",
    ),
    Saying(
        r"^(?P<who>[\w.()]+) (?P<mark>(?P<at>picks?|selects?|decides?|plays?|takes?)) "
        r"(?P<rest>\w+ in .*)$",
        "write `{who} chooses {rest}`",
    ),
    Saying(
        r"^move (?P<what>[\w.]+) to (?P<to>[\w.]+) (?P<mark>(?P<at>face) (?:up|down))$",
        "who sees it is said of the place: declare it `face down` or `seen by owner`;\n"
        "here, write `move {what} to {to}`",
    ),
    Saying(
        r"^move (?P<what>[\w.]+) to (?P<mark>(?:the )?(?P<end>top|bottom) (?P<at>of)(?: the)?) "
        r"(?P<to>[\w.]+)$",
        "write `move {what} to {to} at {end}`",
    ),
    Saying(
        r"^move (?P<what>[\w.]+) to (?P<to>[\w.]+) (?P<mark>(?P<at>on|to)(?: the)? "
        r"(?P<end>top|bottom))$",
        "write `move {what} to {to} at {end}`",
    ),
    Saying(
        r"^(?P<mark>(?P<what>[a-z]\w*) (?P<at>to|into|onto|->) (?P<to>[\w.]+))$",
        "write `move {what} to {to}`",
        _STEPPED,
    ),
    Saying(
        r"^(?P<mark>put|place|play|lay|give|add|send|return|take) (?P<at>(?P<what>[a-z]\w*)) "
        r"(?:in|into|on|onto|to) (?P<to>[\w.]+)$",
        "write `move {what} to {to}`",
        _STEPPED,
    ),
    Saying(
        r"^(?P<mark>discard|trash|remove|burn|delete|destroy) (?P<at>(?P<what>[a-z][\w.]*))$",
        "what leaves the game goes to `box`: `move {what} to box`; otherwise name its place",
        _STEPPED,
    ),
    Saying(
        r"^(?P<mark>play|lay) (?P<at>(?P<what>[a-z]\w*))$",
        "a phase is carried out by its name alone, `{what}`; a piece is moved: `move "
        "{what} to ...`",
        _STEPPED,
    ),
    Saying(
        r"^(?:[\w.]+ )?(?P<mark>(?:show|flip|reveals?|turn over|turn up|expose|unhide)) "
        r"(?P<what>[\w.]+)$",
        "write `reveal {what}`",
        _STEPPED,
    ),
    Saying(
        r"^(?P<what>[\w.]+) (?P<mark>(?P<at>face) up|(?P<at2>is) revealed)$",
        "write `reveal {what}`",
        _STEPPED,
    ),
    Saying(
        r"^repeat (?P<mark>(?P<word>for)) (?P<at>[\w.]+)(?: times)?$",
        "write `repeat {at} times`",
    ),
    Saying(
        r"^(?P<verb>shuffle|reveal|hide|roll) (?P<mark>(?:the|a|an|all|my)) (?P<at>"
        r"(?P<what>[\w.]+))$",
        "leave the article out: `{verb} {what}`",
    ),
    Saying(
        r"^(?P<mark>(?:mix|randomi[sz]e|reshuffle)) (?P<at>(?P<what>[\w.]+))$",
        "write `shuffle {what}`",
    ),
    Saying(
        r"^(?:(?P<who>[\w.]+) )?(?P<mark>(?:deal|draw|take)s?|pick up) (?P<at>"
        r"(?P<many>\w+))(?: \w+)? "
        r"from (?P<stack>[\w.]+)(?: (?:to|into) (?P<to>[\w.]+))?$",
        "write `draw {many} from {stack} to {taken}`",
    ),
    Saying(
        r"^(?P<who>[\w.]+) (?P<mark>(?P<at>draws|takes|picks)) (?P<many>\w+)(?: \w+)? "
        r"from (?P<stack>[\w.]+)$",
        "write `draw {many} from {stack} to {who}.hand`",
    ),
    Saying(
        r"^(?P<what>[\w.]+) ?(?:[-+:]?=) ?(?P<mark>(?:draw|deal) (?P<at>(?P<many>\w+))(?: \w+)? "
        r"from (?P<stack>[\w.]+))$",
        "write `draw {many} from {stack} to {what}`",
    ),
    Saying(
        r"^for each (?P<mark>(?P<at>\d+) ?\.\. ?(?P<high>\w+))$",
        "give the number a name: `for each n in {mark}`; or `repeat {high} times`",
    ),
    Saying(
        r"^(?P<head>for each) (?P<a>\w+)(?P<mark>(?P<at>,) ?(?P<b>\w+)) in (?P<many>.+)$",
        "the counter comes after `at`: `for each {counted} in {many}`",
    ),
    Saying(
        r"^for each (?P<a>\w+) in (?P<many>[\w.()]+) (?P<mark>(?P<at>at) (?P<b>\w+))$",
        "the counter stands before `in`: `for each {a} at {b} in {many}`",
    ),
    Saying(
        r"^(?P<mark>(?P<at0>where|require|requires|only if|only when|must|needs|provided|condition|"
        r"legal if|allowed if|precondition|assert|unless)):? (?P<test>\S.*)$",
        "a condition of an action begins with `when`: `when {tested}`",
        "action",
    ),
    Saying(
        r"^(?P<what>[\w.]+(?:\[[^\]]*\])?) ?(?P<mark>(?P<at>[-+])(?P=at)) ?(?P<by>[\w.(\[].*)$",
        "to change it, write `{what} {at}= {by}`",
    ),
    Saying(
        r"^(?P<mark>(?:add|put)) (?P<by>\d+|[a-z]) (?:\w+ )?(?:to|into|onto) (?P<what>[\w.\[\]]+)$",
        "write `{what} += {by}`",
    ),
    Saying(
        r"^(?P<mark>(?:subtract|remove|take|deduct)) (?P<by>\d+|[a-z]) (?:\w+ )?from "
        r"(?P<what>[\w.\[\]]+)$",
        "write `{what} -= {by}`",
    ),
    Saying(
        r"^(?P<mark>(?:increase|increment|raise)) (?P<what>[\w.\[\]]+)(?: by (?P<by>\S.*))?$",
        "write `{what} += {amount}`",
    ),
    Saying(
        r"^(?P<mark>(?:decrease|decrement|reduce|lower)) (?P<what>[\w.\[\]]+)"
        r"(?: by (?P<by>\S.*))?$",
        "write `{what} -= {amount}`",
    ),
    Saying(
        r"^(?:(?P<who>[\w.]+) )?(?P<mark>(?:gain|get|receive|earn|score|take|add|win)s? "
        r"(?P<by>\d+|[a-z]) (?P<name>[a-z]\w*))$",
        "write `{owned} += {by}`",
    ),
    Saying(
        r"^(?:(?P<who>[\w.]+) )?(?P<mark>(?:lose|pay|spend|remove|give|discard)s? "
        r"(?P<by>\d+|[a-z]) (?P<name>[a-z]\w*))$",
        "write `{owned} -= {by}`",
    ),
    Saying(
        r"^(?P<mark>I (?P<at>(?P<verb>wins?|loses?|chooses?|may)))\b(?P<rest>.*)$",
        "write `me` for the player whose turn it is: `me {verbs}{rest}`",
    ),
    Saying(
        r"^(?P<mark>(?:each|every|on each|on) (?:turn|player)s?)$",
        "players take turns under `turns`; `for each p in players` goes round once",
    ),
    Saying(
        r"^(?P<who>choose|[\w.()]+ (?:may )?chooses?) (?P<mark>(?P<at>\")(?P<name>\w+)\")$",
        "an action is named without quotes: `{who} {name}`",
    ),
    Saying(r"^winner (?P<who>[\w.]+)$", "write `{who} wins`", _STEPPED),
    Saying(r"^wins? (?P<who>[\w.()]+)$", "write `{who} wins`", _STEPPED),
    Saying(
        r"^(?P<mark>(?:call|do|run|execute|phase|procedure|start|begin|goto|enter|trigger|fire|"
        r"event|emit|perform)) (?P<name>\w+(?:\(.*\))?)$",
        "write it by its name alone: `{name}`",
        _STEPPED,
    ),
    Saying(
        r"^for each (?:turn|round|player turn)(?P<at>)$",
        "players take turns with `turns`; `for each p in players` goes round once",
    ),
    Saying(
        r"^(?P<who>[\w.()]+) (?P<mark>(?P<at>can|must|could|should|has to) choose) (?P<rest>.+)$",
        "write `{who} may choose {rest}`, or `{who} chooses {rest}` if they must",
        _STEPPED,
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?(?:always )?chooses?) (?P<mark>\w+(?P<at>\()\).*)$",
        "without brackets: `{who} {unbracketed}`",
    ),
    Saying(
        r"^draw (?P<rest>.+ from [\w.]+)(?P<at>)$",
        "say where they go: `draw {rest} to p.hand`",
        message="it is not said where they are drawn to",
    ),
    Saying(
        r"^(?P<mark>move) (?P<many>(?:up to )?\d+) (?:\w+ )?(?P<at>from) (?P<rest>.+ to .+)$",
        "some of a stack are drawn: `draw {many} from {rest}`",
    ),
    Saying(
        r"^(?P<what>[\w.]+(?:\[[^\]]*\])?) ?(?P<mark>(?P<at>[-+])) ?(?P<by>[\w.(\[].*)$",
        "to change it, write `{what} {at}= {by}`",
        _STEPPED,
        "this is worked out, and nothing is done with it",
    ),
    Saying(
        r"^(?P<line>(?:for each|repeat|turns|if|else if|sealed for) .*?) ?"
        r"(?P<mark>(?P<at>do|begin|loop|then))$",
        "the indentation of the next line is enough: `{line}`",
    ),
    Saying(r"^(?P<mark>end (?:the|this) game|finish(?: the)? game|stop (?:the )?game)$", _END),
    Saying(
        r"^(?P<mark>(?:may (?:always )?|always )chooses?)\b(?P<rest>.*)$",
        "say who: `{asked} {mark}{rest}`{above}",
        "play|phase|procedure|action|event|setup|ability",
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<mark>an?|the) (?P<at>\w+)(?P<rest>.*)$",
        "leave the article out: `{who} {at}{rest}`",
    ),
    Saying(r"^(?P<mark>\w+(?: (?P<at>or) \w+)+)$", "let somebody choose: `choose {mark}`"),
    Saying(
        r"^move (?P<what>[\w.]+(?:\([^()]*\))?) "
        r"(?P<mark>(?P<at>(?!to\b|of\b|from\b|all\b)[\w.]+))$",
        "say where it goes: `move {what} to {mark}`",
    ),
    Saying(
        r"^draw (?P<many>\w+) (?P<mark>(?P<at>(?!from\b)[\w.]+)) to (?P<to>[\w.]+)$",
        "say from where: `draw {many} from {mark} to {to}`",
    ),
    Saying(
        r"^draw (?P<many>(?:up to )?(?!an? |the |one )\w+) (?P<mark>(?:card|piece|tile|token)s?) "
        r"from (?P<rest>\S+ to .*)$",
        "what is drawn follows from the place: `draw {many} from {rest}`",
    ),
    Saying(
        r"\b(?:end|finish|pass|stop|skip|next) (?:the |my |this )?(?:turns?|player)$", TURN_ENDS
    ),
    Saying(
        r"\bend (?:the )?(?:round|phase|loop)\b",
        "`stop` ends the innermost loop, `leave name` a loop, phase or procedure by its name",
    ),
    Saying(r"^return\b.*", NO_RETURN),
    Saying(r"^(?:draw|tie|(?:it is |it's )?a (?:draw|tie)|draw (?:the )?game)$", DRAWN),
    Saying(r"^(?:the )?game (?:is |ends )?(?:over|end|a draw|in a draw|draw|drawn|ends)$", DRAWN),
    Saying(r"^\w[\w.()]* (?P<mark>(?P<at>lost|is out|is eliminated|dies|has lost))\b.*", LOST),
    Saying(
        r"^(?P<who>\w[\w.()]*) (?P<mark>(?P<at>is the winner|has won|won|wins the game))\b.*",
        "write `{who} wins`",
    ),
    Saying(r"^winner (?:is|=|:=) (?P<who>\w+)$", "write `{who} wins`"),
    Saying(
        r"^draw (?:from|an?|one|the|(?:up to )?(?:\w+ )?cards?)\b.*",
        "say how many, from where and to where: `draw 1 from deck to me.hand`",
    ),
    Saying(
        r"^deal (?:out )?(?P<many>\w+)(?: \w+)? (?:to )?(?:each|every\w*|all|players)\b.*",
        "cards are drawn for one player after the other:\n"
        "`for each p in players`, and indented under it `draw {many} from deck to p.hand`",
    ),
    Saying(r"^deal (?P<many>\w+)\b.*", "cards are drawn: `draw {many} from deck to p.hand`"),
    Saying(
        rf"^(?:(?:{_COUNTED}) \w|(?:take|give) \d).*",
        "numbers change with `+=` and `-=`: `me.gold += 2`",
    ),
    Saying(
        rf"^(?P<verb>{_MOVED}) (?P<what>\w+)\b.*",
        "a piece goes somewhere with `move {what} to ...`; a procedure of this name\n"
        "is called with brackets: `{verb}({what})`",
    ),
    Saying(
        r"^move (?P<what>[\w.]+) (?P<mark>from) (?P<where>[\w.()]+) to (?P<to>[\w.]+)$",
        "a piece knows where it lies: `move {what} to {to}`; counted pieces have `of`,\n"
        "as in `move 2 of red from {where} to {to}`",
    ),
    Saying(
        r"^move (?P<many>all|everything|every card) (?P<mark>(?P<at>(?!from\b)\w+)).*",
        "every piece of a place goes with `move all from a to b`",
    ),
    Saying(
        r"^(?:roll|throw) (?P<mark>(?P<many>\d+|an?|the) ?(?:dice|die|d\d+)).*",
        "dice are variables with a range, and each is rolled: `roll die`",
    ),
    Saying(r"^set (?P<what>[\w.\[\]]+) (?:to|=|:=) ?(?P<value>.+)", "write `{what} := {value}`"),
    Saying(
        r"^for (?:each|every|all) players?(?: (?P<name>\w+))?$",
        "write `for each {name} in players`",
    ),
    Saying(
        r"^for each \w+ (?P<at>\w+)(?: in (?P<many>\S.*))?$",
        "first comes a name, then what it goes through: `for each {at} in {many}`",
    ),
    Saying(r"^for (?!each\b)(?P<name>\w+) in (?P<many>\S.*)$", "write `for each {name} in {many}`"),
    Saying(
        r"^for (?!each\b)(?P<name>\w+) ?(?:from|=|:=) ?(?P<low>\w+) (?:to|\.\.|until) ?"
        r"(?P<high>\w+)$",
        "write `for each {name} in {low}..{high}`",
    ),
    Saying(
        r"^for each (?P<name>\w+) (?P<mark>(?P<at>from|of|=)) (?P<many>\S.*)$",
        "what it goes through comes after `in`: `for each {name} in {many}`;\nnumbers go `1..6`",
    ),
    Saying(
        r"^repeat (?P<many>[\w.]+)$",
        "write `repeat {many} times`; with a condition, `repeat while` or `repeat until`",
    ),
    Saying(
        r"^repeat (?P<mark>(?P<at>for|if|when)) (?P<test>.+)$",
        "write `repeat while {test}`, `repeat until {test}` or `repeat 3 times`",
    ),
    Saying(
        r"^(?P<mark>(?:sealed|secretly|simultaneously)(?: for)?)(?P<at>)$",
        "say what each player is called inside: `sealed for p`, and then `p chooses ...`",
        message="`{mark}` does not say what each player is called in this block",
    ),
    Saying(
        r"^sealed for (?P<who>\w+) (?P<mark>(?P<at>if|when)) (?P<test>\S.*)",
        "who goes through the block is said with `where`: `sealed for {who} where {test}`",
    ),
    Saying(
        r"^sealed for (?P<mark>each|every|all)\b.*",
        "all players go through the block; give each a name: `sealed for p`",
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<first>\w+) ?(?P<mark>(?P<at>,|and\b)) ?"
        r"(?P<others>\w.*)$",
        "what can be chosen is joined with `or`: `{who} {first} or {joined}`",
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?:one|1|any|either|between)\b.*",
        "name the actions, joined with `or`: `{who} buy or sell`",
    ),
    Saying(
        r"^(?P<who>(?:[\w.()]+ )?(?:may )?chooses?) (?P<what>\w+) (?P<mark>(?P<at>from)) "
        r"(?P<many>\S.*)$",
        "what is chosen from comes after `in`: `{who} {what} in {many}`",
    ),
    Saying(
        r"\bchooses? (?P<which>\w+)(?P<at>\().*",
        "whoever chooses settles what stands in brackets: write `choose {which}`;\n"
        "what is settled already is no choice but a `procedure`",
    ),
    Saying(
        r"^(?P<step>" + _STEP + r") ?(?P<mark>(?P<at>if|when) (?P<test>(?:(?! else ).)+))$",
        "a step has its condition on a line of its own above it: `if {test}`,\n"
        "and indented under that, `{step}`",
    ),
    Saying(
        r"^(?P<step>" + _STEP + r") ?(?P<mark>(?P<at>unless) (?P<test>.+))$",
        "a step has its condition on a line of its own above it: `if not ({test})`,\n"
        "and indented under that, `{step}`",
    ),
    Saying(
        r"^(?P<step>" + _STEP + r")(?P<mark>(?P<at>,| and\b|and\b|then\b)) ?(?P<more>\S.*)$",
        "one step on a line: `{step}`, and on the next line `{more}`",
    ),
    Saying(
        r"^(?P<word>if|else if) (?P<test>.+?) (?P<mark>(?P<at>then)\b) ?(?P<step>.*)$",
        "`{word} {test}` is the whole line; what happens is indented under it",
    ),
    Saying(
        r"^(?P<word>if|else if) (?P<test>[^:]+)(?P<mark>(?P<at>:)(?!=) ?(?P<step>\S.*))$",
        "`{word} {test}` is the whole line; indented under it stands `{step}`",
    ),
    Saying(
        r"^else(?P<mark>(?P<at>:)? ?(?!if\b)(?P<step>\S.*))$",
        "`else` stands alone on its line; indented under it stands `{step}`",
    ),
    Saying(
        r"^(?:say|print) (?P<mark>(?P<at>(?!\")[\w.]+).*)$",
        'what is said stands in quotes, and values in braces: `say "it is {{{at}}}"`',
    ),
    Saying(
        r"^say (?P<text>\"[^\"]*\") ?(?P<mark>(?P<at>[+,]) ?(?P<value>[\w.]+)).*$",
        'values stand in braces inside the text: `say "it is {{{value}}}"`',
    ),
)

SAYINGS = (*TALKED, *ORDER, *ASKED, *NEWCOMERS, *DECLARED, *VALUES, *_STEPS)

# A help that asks for something does not say what is wrong unless that is named.
_ASKS_FOR = re.compile(
    r"(?:say|write|give|name|put|leave|ask|let|end|make|without|take|join|first|to)\b"
)
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
        words = completed({**words, "mark": text})
        words["asked"], words["above"] = who_chooses(stuck)
        words["held"] = fill("{place}", stuck.place)
        owner = words.get("who", "...")
        owner = words["asked"] if owner == "..." else owner
        name = words.get("name", "")
        words["owned"] = next(
            (f"{owner}.{each}" for each in (name, f"{name}s") if is_owned(stuck.place, each)), name
        )
        words["values"] = ", ".join([owner, *values_of_event(stuck.place, name)[1:]])
        words["of_each"] = of_each(stuck.place, words.get("test", ""))
        told = saying.help.format(**words)
        message, help_ = saying.message.format(**words), told
        if not message:
            message, help_ = _headline(told, text)
        return Problem("RR122", message, mark, help=help_)
    return None


def _headline(told: str, written: str) -> tuple[str, str]:
    """A help as its point, which is what it says before it shows how, and what it shows."""
    said = re.match(r"((?:[^`:;]|`[^`]*`)+?): ?\n?(?=`)", told)
    if said is not None:
        point = said[1].replace("\n", " ")
        point = f"`{written}`: {point}" if _ASKS_FOR.match(point) else point
        return point, f"write {told[said.end() :]}"
    if re.match(r"write `", told):
        return f"`{written}` is not how this is written", told
    return f"`{written}` cannot be written like this", told
