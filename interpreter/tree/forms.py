"""How each construct of the language is written, for somebody who got stuck inside it.

Which construct is being read follows from the innermost bracket that is open, or else from the
words that the line begins with and from what it is indented under. Names are those of the author's
file as far as its lines tell them, so that a form can be copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.tree.lines import DECLARATIONS
from interpreter.tree.stuck import Place, Stuck

# What has brackets of its own; in braces are names of the author's file.
CALLED = {
    "count": "count(x in {many} where ...)",
    "any": "any(x in {many} where ...)",
    "every": "every(x in {many} has ...)",
    "sum": "sum(p.{number} for p in players)",
    "min": "min(a, b)` or `min(p.{number} for p in players)",
    "max": "max(a, b)` or `max(p.{number} for p in players)",
    "pick": "pick(p in players by most p.{number} ties none)",
    "rank": "rank(me, most p.{number} for p in players)",
    "denseRank": "denseRank(me, most p.{number} for p in players)",
    "region": "region(c through x where x.{mark} is me)",
    "line": "line(c through x where x.{mark} is me)",
    "reach": "reach(c within 3 through x costs 1)",
    "can": "can (f(x) then g(y))",
    "neighbours": "neighbours(c)",
    "adjacent": "adjacent(c)",
    "diagonals": "diagonals(c)",
    "ray": "ray(c, d)",
    "step": "step(c, d)` or `step(c, d, 2)",
    "opposite": "opposite(d)",
    "turn": "turn(d, 1)",
    "distance": "distance(a, b)",
    "direction": "direction(a, b)",
    "playersFrom": "playersFrom(p)",
    "playersAfter": "playersAfter(p)",
    "next": "next(p)",
    "previous": "previous(p)",
    "clockwise": "clockwise(p, q)",
    "abs": "abs(a - b)",
    "position": "position(x)",
    "top": "top(deck)",
    "bottom": "bottom(deck)",
    "holder": "holder(card)",
}
# What the letters in them stand for.
LETTERS = {
    "ray": "the cells from `c` on in the direction `d`",
    "step": "the cell beside `c` in the direction `d`, or so many steps on",
    "opposite": "the direction opposite to `d`",
    "turn": "`d`, turned clockwise by one direction of the board",
    "distance": "the steps from the cell `a` to the cell `b`",
    "direction": "the direction in which `b` lies straight from `a`",
    "neighbours": "the cells beside the cell `c`",
    "adjacent": "the cells around the cell `c`, also the diagonal ones",
    "diagonals": "the cells that touch the cell `c` at a corner",
    "playersFrom": "all players in order, `p` first",
    "playersAfter": "all others in order, the one after `p` first",
    "next": "the player after `p`",
    "previous": "the player before `p`",
    "clockwise": "the steps round the table from `p` to `q`",
    "abs": "how far two numbers are apart",
    "position": "the number of `x` among those of its kind",
    "top": "the piece that was put there last",
    "bottom": "the piece that was put there first",
    "holder": "the player who has the piece, or none",
}

# Declarations, by their first word. `{name}` is the name that the line gives, if it gives one.
_DECLARED = {
    "game": 'the title is written `game "Market"`',
    "players": "how many can play is written `players 2..4`",
    "data": 'a file of data is named with `data "market.yaml"`',
    "clauses": 'the rulebook is named with `clauses "clauses.yaml"`',
    "include": 'another file of rules is named with `include "market.rules"`',
    "option": "an option is written `option {name|size}: 3..9 = 5`, or with words\n"
    "`option {name|size}: small, large = small`",
    "require": 'it is written `require {name|size} > 3 "text that says why"`',
    "enum": "an enum is written `enum {name|Suit}: red, green, blue`",
    "kind": "a kind is written `kind {name|Card}: red, blue`, or every combination\n"
    "`kind {name|Card}: suit in Suit by value in 1..6`, or `kind {name|Card} from cards`",
    "table": "a table is written `table {name|Ware}: lamp, rope` or `table {name|Ware} from wares`",
    "board": "a board is written `board {name|Grid}: square 5 by 5`, `hex radius 3`, `line 9`,\n"
    "`ring 12` or `graph from spaces`",
    "constant": "a constant is written `constant {name|most} = 5`, or a list of them\n"
    "`constant {name|prize}[1..3] = 2, 3, 5`",
    "the": "what is on the table once is declared under `the game has`",
    "each": "what every player has is declared under `each player has`",
    "group": "a group is written `group {name|rich} = p in players where p.{number} > 3`",
    "function": "a function is written `function {name|worth}(p: Player): int = p.{number} + 1`",
    "quantity": "a quantity is written `quantity {name|price}(p: Player) = 3`",
    "history": "a history is written `history {name|boards} of the last 200`,\n"
    "with what is kept indented under it",
    "event": "an event is written `event {name|bought}(p: Player)`",
    "procedure": "a procedure is written `procedure {name|pay}(p: Player, n: int)`",
    "action": 'an action is written `action {name|play}(card in me.{place}) "text {{card}}"`,\n'
    'or `action {name|play} "text"` if nothing else is chosen',
    "phase": "a phase is written `phase {name|market}`, with its steps indented under it",
    "ability": "an ability is written `ability {name|thrifty}`, or `ability {name|thrifty} once "
    "per turn`",
    "setup": "`setup` stands alone on its line, with its steps indented under it",
    "play": "`play` stands alone on its line, with its steps indented under it",
    "score": "a score is written `score p: p.{number}`",
    "winner": "who wins is written `winner p by most p.{number} ties share`",
    "always": 'what is always true is written `always {variable} >= 0 "text"`',
    "ends": "it is written `ends within 200 moves`",
    "scenario": 'a scenario is written `scenario "what is shown"`, with its lines indented',
    "steps": "steps with a name are written `steps {name|opening}(p)`",
}

# Steps, by their first word.
_STEPS = {
    "let": "a name for a value is made with `let {name|n} = ...`",
    "leave": "a loop, phase or procedure is left with `leave {phase}`",
    "remember": "a history is kept with `remember {history}`",
    "shuffle": "it is written `shuffle {stack}`",
    "draw": "it is written `draw 2 from {stack} to me.{place}`",
    "move": "it is written `move card to me.{place}`, `move all from a to b`\n"
    "or `move 2 of red from a to b`",
    "roll": "it is written `roll {die}`, with a variable that has a range",
    "reveal": "it is written `reveal me.{place}` or `reveal me.{place} to p`",
    "hide": "it is written `hide me.{place}`",
    "say": 'it is written `say "text {{value}}"` or `say "text" to p`',
    "if": "it is written `if p.{number} > 3`, with steps indented under it",
    "else": "it is written `else`, or `else if p.{number} > 3`",
    "for": "it is written `for each p in players`, `for each x in {many} where ...`\n"
    "or `for each p in players by most p.{number} ties in order`",
    "repeat": "it is written `repeat 3 times`, `repeat while ...` or `repeat until ...`",
    "turns": "it is written `turns`, or with all its parts `turns for p from {first} where ...`",
    "sealed": "it is written `sealed for p`, or `sealed for p where ...`",
    "looking": "it is written `looking ahead`",
    "nobody": "it is written `nobody wins`",
    "everybody": "it is written `everybody wins` or `everybody loses`",
    "end": "it is written `end game`",
    "when": "a condition is written `when me.{number} > 3`",
}
_CHOICE = (
    "a choice is written `{who} chooses {actions}`, or of a value\n"
    '`{who} chooses n in 0..3 "text {{n}}"`; with `may choose` they may pass'
)
_OPTION = (
    'an option of a choice is written `{name|rest} "text"` or `{name|play}(card in me.{place}) '
    '"text"`'
)
_GIVE = "a value is given with `{given} := ...`, `{given} += 1` or `{given} -= 1`"

# Lines that are indented under a declaration, by its first word.
_INDENTED = {
    "the": "it is written `{name|pot}: 0..20 = 5`, or for a place `{name|deck}: stack of {kind}`;\n"
    "further words come after commas: `{name|pot}: 0..20 = 5, clamped`",
    "each": "it is written `{name|coins}: 0..20 = 5`, or for a place `{name|hand}: hand of {kind}`;"
    "\nfurther words come after commas: `{name|coins}: 0..20 = 5, clamped`",
    "kind": "a field is written `{name|cost}: int`, or `{name|cost}: 0..9 = 1`",
    "table": "a field is written `{name|cost}: int`, or `{name|cost}: 0..9 = 1`",
    "board": "a field is written `{name|water}: bool = no`",
    "function": "a case is written `2 if p.{number} > 3`, and the last one `0 otherwise`",
    "history": "what is kept is written `{variable}`, or for many `x.{mark} for x in {many}`",
    "ability": "it is written `modify price(p) to it - 1`, `after bought(p)`, `before bought(p)`\n"
    "or `instead of bought(p)`, with names of quantities and events",
}
_PLACED = "a place is written `{name|hand}: {word} of {kind}`"

_SCENARIO = {
    "players": "how many play is written `players 2`",
    "option": "an option is set with `option {name|size} = 5`",
    "seed": "it is written `seed 1`",
    "without": "it is written `without setup`",
    "scripted": "it is written `scripted setup`",
    "with": "it is written `with forced choices`",
    "given": "a position is made with steps: `given P1.{number} := 3`,\n"
    "or several lines of them indented under `given`",
    "run": "it is written `run setup`, `run play` or `run {phase}`",
    "when": "what somebody does is written `when P1 {action}`, with what is chosen in brackets;\n"
    "a value is answered with `when P1 chooses 3`",
    "then": "what must hold is written `then P1.{number} = 3`, `then P1 may {action}`,\n"
    "`then P1 chooses`, `then P1 wins` or `then the game is over`",
}
_HEADS = ("players", "option", "seed", "without", "scripted", "with")
_PLACE_WORD = re.compile(r":\s*(stack|row|set|hand|slot|bag|pool)\b")


def form_of(stuck: Stuck) -> str | None:
    """How the construct is written in which reading stopped, as a sentence."""
    left = stuck.line[: stuck.column - 1]
    opened = open_bracket(left)
    if opened is not None:
        called = form_of_call(opened[1], stuck.place)
        if called is not None:
            return called
    head = _first(stuck.place.line(1))
    first = _first(stuck.place.head(stuck.number))
    if stuck.number == 1 or first_line(stuck) == 1:
        form = _DECLARED.get(head)
    elif head in ("scenario", "steps"):
        form = _of_scenario(stuck, first)
    elif head in _INDENTED and not (head == "ability" and _depth(stuck.line) > 4):
        form = _PLACED if _PLACE_WORD.search(left) else _INDENTED[head]
    else:
        form = _of_step(stuck, first)
    return None if form is None else fill(form, stuck.place, stuck)


def form_of_call(word: str, place: Place) -> str | None:
    """How something with brackets is written, of the language or of the author's file."""
    form = CALLED.get(word)
    if form is not None:
        return fill(f"`{word}` is written `{form}`", place)
    declared = re.compile(
        rf"(?:function|quantity|procedure|event|group) {re.escape(word)}(\(.*?\))"
    )
    for line in place.layout.lines:
        found = declared.match(line)
        if found is not None:
            return f"it is declared as `{word}{found[1]}`"
    return None


def builtin_help(word: str) -> str:
    """How a function of the language is written, and what it gives."""
    return f"it is written `{CALLED[word]}`: {LETTERS[word]}"


def first_line(stuck: Stuck) -> int:
    """The line on which the logical line begins."""
    place = stuck.place
    return place.layout.first_line_of(stuck.number + place.offset) - place.offset


def out_of_order(stuck: Stuck) -> str | None:
    """What to do with a line about the table that stands below a part of its scenario."""
    if stuck.word not in _HEADS or stuck.words_before or "THEN" not in stuck.accepted:
        return None
    form = fill(_SCENARIO[stuck.word], stuck.place, stuck)
    return f"move it up, right under the line `scenario`; {form}"


def open_bracket(left: str) -> tuple[int, str, str] | None:
    """The word before the innermost bracket that is open, its column, and what follows it."""
    depth = 0
    for at in range(len(left) - 1, -1, -1):
        if left[at] in ")]":
            depth += 1
        elif left[at] in "([":
            if depth == 0:
                word = re.search(r"[A-Za-z_]\w*$", left[:at])
                return None if word is None else (word.start() + 1, word[0], left[at + 1 :])
            depth -= 1
    return None


def _of_scenario(stuck: Stuck, first: str) -> str | None:
    if first in _SCENARIO and (_depth(stuck.line) <= 4 or first not in _STEPS):
        return _SCENARIO[first]
    around = next((line for line in lines_around(stuck) if _first(line) in _SCENARIO), "")
    if _first(around) == "when" or stuck.place.line(1).startswith("steps"):
        return _SCENARIO["when"].replace("when ", "")
    if around:
        return _of_step(stuck, first)
    return f"{_SCENARIO['given']};\n{_SCENARIO['when']};\n{_SCENARIO['then']}"


def _of_step(stuck: Stuck, first: str) -> str | None:
    left = stuck.line[: stuck.column - 1]
    if re.search(r"\b(?:chooses?|may)\b", left):
        return _CHOICE
    above = next(iter(lines_around(stuck)), "")
    if re.search(r"\bchooses?$", above):
        return _OPTION
    if first in _STEPS:
        return _STEPS[first]
    return _GIVE if re.match(r"\s*[\w.]+(?:\[[^\]]*\])?\s*[-+:]=", left) else None


def lines_around(stuck: Stuck) -> list[str]:
    """The lines under which this one is indented, the nearest first."""
    found: list[str] = []
    depth = _depth(stuck.line)
    for number in range(stuck.number - 1, 0, -1):
        line = stuck.place.line(number)
        if line.strip() and _depth(line) < depth:
            found.append(line.strip())
            depth = _depth(line)
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _first(line: str) -> str:
    found = re.search(r"\w+", line)
    return found[0] if found else ""


# ---- names of the author's file


# What a form may name, where the file declares it, and what it is called if the file does not.
_NAMES = {
    "kind": (r"kind (\w+)", "Card"),
    "many": (r"board (\w+)", "players"),
    "number": (r"\s+(\w+): (?:int|\d+ ?\.\.)", "points"),
    "variable": (r"\s+(\w+): (?:int|\d+ ?\.\.)", "points"),
    "mark": (r"\s+(\w+): Player or none", "owner"),
    "stack": (r"\s+(\w+): (?:stack|bag) of", "deck"),
    "place": (r"\s+(\w+): (?:hand|row|set) of", "hand"),
    "die": (r"\s+(\w+): 1 ?\.\. ?6\b", "die"),
    "phase": (r"phase (\w+)", "market"),
    "history": (r"history (\w+)", "boards"),
    "action": (r"action (\w+)", "pass"),
    "first": (r"\s+(\w+): Player\b(?! or)", "P1"),
}
_OF_PLAYERS = ("number", "place")
_OF_GAME = ("variable", "stack", "die", "first")
_SLOT = re.compile(r"\{\{|\}\}|\{(\w+)(?:\|(\w+))?\}")
_LONGEST = 200


def fill(form: str, place: Place, stuck: Stuck | None = None) -> str:
    """The form with names of the author's file in its braces."""

    def named(slot: re.Match[str]) -> str:
        if slot[1] is None:
            return slot[0][0]
        return _given_name(stuck, slot[2]) if slot[1] == "name" else _named(slot[1], place, stuck)

    return _SLOT.sub(named, form)


def _given_name(stuck: Stuck | None, default: str) -> str:
    """What the line calls the thing that it declares."""
    if stuck is None:
        return default
    line = stuck.place.head(stuck.number)
    word = _first(line)
    leads = word in DECLARATIONS or word in _STEPS
    found = re.match(rf"\s*{word} (\w+)" if leads else r"\s*([A-Za-z_]\w*)", line)
    return found[1] if found and found[1].isidentifier() else default


def _named(slot: str, place: Place, stuck: Stuck | None) -> str:
    if slot == "word":
        found = _PLACE_WORD.search(stuck.line) if stuck is not None else None
        return found[1] if found else "hand"
    if slot == "who":
        found = re.match(r"\s*([\w.()]+) (?:chooses|may)\b", stuck.line) if stuck else None
        return found[1] if found else "me"
    if slot == "given":
        found = re.match(r"\s*([\w.]+)", stuck.line) if stuck else None
        return found[1] if found else "me.points"
    if slot == "actions":
        declared = list(_all_named(r"action (\w+)", place.layout.lines))[:2]
        return " or ".join(declared) or "buy or sell"
    pattern, default = _NAMES[slot]
    lines: Iterable[str] = place.layout.lines
    if slot in _OF_PLAYERS:
        lines = _under("each player", place.layout.lines)
    elif slot in _OF_GAME:
        lines = _under("the game", place.layout.lines)
    return next(iter(_all_named(pattern, lines)), default)


def _all_named(pattern: str, lines: Iterable[str]) -> Iterable[str]:
    begins = re.compile(pattern)
    return (found[1] for line in lines if (found := begins.match(line[:_LONGEST])))


def _under(head: str, lines: Iterable[str]) -> Iterable[str]:
    """The lines that are indented under a declaration that begins so."""
    inside = False
    for line in lines:
        if line[:1].isalpha():
            inside = line.startswith(head)
        elif inside:
            yield line
