"""Mistakes whose remedy depends on what else the file declares, as far as its lines tell that."""

from __future__ import annotations

import re

from interpreter.report.problem import Problem
from interpreter.tree.forms import lines_around
from interpreter.tree.stuck import Place, Stuck

_STEP_WORDS = re.compile(r"^(?:when )?(?P<seat>P\d+) (?P<verb>[A-Za-z]\w*) (?P<rest>[\w\"#., -]+)$")


def explain_step_words(stuck: Stuck) -> Problem | None:
    """`P1 sells lamp` in a scenario, where an option is written as the log writes it."""
    head = stuck.place.line(1)
    written = _STEP_WORDS.match(stuck.line.strip())
    if not head.startswith(("scenario", "steps")) or written is None:
        return None
    seat, verb, rest = written["seat"], written["verb"], written["rest"].strip()
    if verb in (
        "may",
        "chooses",
        "choose",
        "sees",
        "does",
        "wins",
        "loses",
        "has",
        "owns",
        "holds",
    ):
        return None
    mark = stuck.place.mark(
        stuck.number, stuck.line.index(f"{seat} {verb}") + len(seat) + 2, len(f"{verb} {rest}")
    )
    option = _option_called(stuck.place, verb)
    if option is not None:
        arguments = re.sub(r"\s*,?\s+(?:and\s+)?|,(?=\S)", ", ", rest)
        message = f"what `{option}` is given stands in brackets"
        help_ = f"write the option as the log does: `{seat} {option}({arguments})`"
    elif verb in ("rolls", "throws", "draws"):
        mark = stuck.place.mark(stuck.number, stuck.line.index(seat) + 1, len(written[0]))
        message = "chance is nobody's choice"
        help_ = f"write `when {'draw' if verb == 'draws' else 'roll'} {rest}`"
    else:
        message = f"no action is called `{verb}`"
        help_ = f"whoever chooses a value answers with it: `{seat} chooses {rest}`"
    return Problem("RR122", message, mark, help=help_)


def explain_call_words(stuck: Stuck) -> Problem | None:
    """`pay me, 3` for a procedure that the file declares."""
    written = re.match(r"(?P<name>[A-Za-z]\w*) (?P<rest>[\w\"].*)$", stuck.line.strip()[:200])
    if written is None or stuck.column <= stuck.line.index(written["name"]) + 1:
        return None
    name = written["name"]
    action = written["rest"]
    if name not in ("or", "and") and action.isidentifier() and _is_action(stuck.place, action):
        mark = stuck.place.mark(stuck.number, stuck.line.index(name) + len(name) + 2, len(action))
        message = f"`{action}` is an action, which somebody chooses"
        return Problem("RR122", message, mark, help=f"write `{name} chooses {action}`")
    declared = rf"(?:procedure|event) {name}\("
    if not any(re.match(declared, line) for line in stuck.place.layout.lines):
        return None
    mark = stuck.place.mark(stuck.number, stuck.line.index(name) + 1, len(name))
    message = f"what `{name}` is given stands in brackets"
    return Problem("RR122", message, mark, help=f"write `{name}({written['rest']})`")


def _is_action(place: Place, name: str) -> bool:
    return any(re.match(rf"action {name}\b", line) for line in place.layout.lines)


def explain_draw(stuck: Stuck) -> Problem | None:
    """`draw 3 to p.hand`, which leaves out from where."""
    written = re.match(r"\s*draw (?P<many>(?:up to )?[\w.]+) to (?P<to>[\w.]+)$", stuck.line)
    if written is None or stuck.word != "to":
        return None
    target = re.escape(written["to"].rpartition(".")[2])
    kind = _declared(stuck.place, rf"{target}(?:\[[^\]]*\])?\s*:\s*\w+ of (\w+)")
    of = re.escape(kind[1]) if kind is not None else r"\w+"
    stack = _declared(stuck.place, rf"(\w+)\s*:\s*(?:stack|bag) of {of}\b")
    source = stack[1] if stack is not None else "deck"
    help_ = f"say from where: `draw {written['many']} from {source} to {written['to']}`"
    return stuck.problem("RR122", "it is not said where they are drawn from", help_)


def explain_line(stuck: Stuck) -> Problem | None:
    """`line(c, me)`, for the cells in a line with one that have the mark of somebody."""
    written = re.search(r"\bline\((?P<cell>[\w.]+)$", stuck.line[: stuck.column - 1])
    whose = re.match(r", ?(?P<who>[\w.]+)\)", stuck.line[stuck.column - 1 :])
    if written is None or whose is None:
        return None
    field = _declared(stuck.place, r"(\w+)\s*:\s*Player or none\b")
    long = whose["who"].isdigit()
    who = who_chooses(stuck)[0] if long else whose["who"]
    asked = f"x.{field[1] if field is not None else 'mark'} is {who}"
    line = f"line({written['cell']} through x where {asked})"
    line += f" >= {whose['who']}" if long else ""
    help_ = f"say which cells the line goes through: `{line}`"
    width = len(written[0]) + len(whose[0])
    mark = stuck.place.mark(stuck.number, written.start() + 1, width)
    message = "it is not said which cells belong to the line"
    return Problem("RR122", message, mark, help=help_)


def explain_end_of_turn(stuck: Stuck) -> Problem | None:
    """`end turn` in a loop that is the turn."""
    written = re.match(r"\s*(?P<said>(?:end|finish|pass) (?:the |my )?turn)$", stuck.line)
    loops = [line for line in lines_around(stuck) if re.match(r"repeat\b|for each\b|turns\b", line)]
    if written is None or len(loops) < 2 or not loops[1].startswith("turns"):
        return None
    mark = stuck.place.mark(stuck.number, written.start("said") + 1, len(written["said"]))
    message = "a turn ends after its last step"
    loop = "repeat" if loops[0].startswith("repeat") else "for each"
    help_ = f"`stop` ends the `{loop}`, and with it the turn if nothing stands below it"
    return Problem("RR122", message, mark, help=help_)


def explain_ties(stuck: Stuck) -> Problem | None:
    ways = "`ties in order` (the first one counts), `ties none` (nobody) or `ties share` (all)"
    if re.search(r"\bpick\(", stuck.line[: stuck.column - 1]):
        ways = "`ties in order` (the first one counts) or `ties none` (none of them)"
    if {"NONE", "SHARE"} <= stuck.accepted and len(stuck.accepted) <= 4:
        return stuck.problem("RR114", "how ties are settled is not said", f"type {ways}")
    if not (stuck.at_end or stuck.word in (")", "as")):
        return None
    if "TIES" in stuck.accepted:
        message = "what happens on a tie is not said"
        if stuck.first_word == "winner" and stuck.at_end:
            whole = stuck.line.strip()
            help_ = f"write `{whole} ties share` (all of them win),\nor end it with "
            help_ += "`ties none` (nobody wins) or `ties in order` (the first by seat wins)"
            return stuck.problem("RR114", message, help_)
        return stuck.problem("RR114", message, f"end the list with {ways}")
    if "BY" in stuck.accepted and stuck.first_word == "winner":
        message = "what decides, and what happens on a tie, is not said"
        help_ = f"add `by most ...` or `by least ...`, and then {ways}"
        return stuck.problem("RR114", message, help_)
    return None


def explain_not(stuck: Stuck) -> Problem | None:
    """`me not passed`, of something that each player has."""
    written = re.search(r"\b(\w+) $", stuck.line[: stuck.column - 1])
    asked = re.match(r"not ([a-z]\w*)", stuck.line[stuck.column - 1 :])
    if written is None or asked is None or not is_owned(stuck.place, asked[1]):
        return None
    help_ = f"write `not {written[1]}.{asked[1]}`"
    mark = stuck.place.mark(stuck.number, written.start(1) + 1, len(written[1]) + 1 + len(asked[0]))
    return Problem("RR122", "what somebody has comes after a dot", mark, help=help_)


def explain_cleared(stuck: Stuck) -> Problem | None:
    """`remove c.mark`, of a variable that may be none."""
    written = re.match(r"\s*(remove|clear|delete|empty|unset|reset) ([\w.]+)$", stuck.line)
    if written is None or is_place(stuck.place, written[2]):
        return None
    name = re.escape(written[2].rpartition(".")[2])
    if _declared(stuck.place, rf"{name}\s*:.* or none\b") is None:
        return None
    mark = stuck.place.mark(stuck.number, written.start(1) + 1, len(written[1]))
    message = f"`{written[2]}` is cleared by making it none"
    return Problem("RR122", message, mark, help=f"write `{written[2]} := none`")


def explain_added(stuck: Stuck) -> Problem | None:
    """`add pot to me.points`, of a number."""
    written = re.match(r"\s*(add) ([\w.]+) to ([\w.]+)$", stuck.line)
    if written is None:
        return None
    name = re.escape(written[3].rpartition(".")[2])
    if _declared(stuck.place, rf"(?:\w+, )*{name}(?:, \w+)*\s*:\s*(?:int\b|-?\d)") is None:
        return None
    mark = stuck.place.mark(stuck.number, written.start(1) + 1, len(written[1]))
    message = "numbers change with `+=` and `-=`"
    return Problem("RR122", message, mark, help=f"write `{written[3]} += {written[2]}`")


def explain_discarded(stuck: Stuck) -> Problem | None:
    """`discard card`, where some place is for what is discarded."""
    written = re.match(r"\s*(discard|trash|burn) ([a-z][\w.]*)$", stuck.line)
    if written is None or stuck.column <= written.start(2):
        return None
    refilling = _declared(stuck.place, r"\w+\s*:.*, ?refilled from (\w+)")
    named = _declared(stuck.place, r"(discard\w*|graveyard|waste)\s*:\s*(?:stack|row|set|bag) of")
    pile = refilling or named
    if pile is None:
        return None
    mark = stuck.place.mark(stuck.number, written.start(1) + 1, len(written[1]))
    message = "a piece is discarded by moving it"
    help_ = f"write `move {written[2]} to {pile[1]}`; `move {written[2]} to box` takes it out of "
    return Problem("RR122", message, mark, help=f"{help_}the game")


_FUNCTION = re.compile(r"(?P<head>function \w+(?:\([^()]*\))?)$")


def explain_function_lines(stuck: Stuck) -> Problem | None:
    """A function whose head is a whole line, with its value or its cases under it."""
    written = _FUNCTION.match(stuck.line.rstrip())
    below = [line.strip() for line in stuck.place.text.split("\n")[stuck.number :] if line.strip()]
    if written is None or not stuck.at_end or not below:
        return None
    head = written["head"]
    mark = stuck.place.mark(stuck.number, 1, len(head))
    if len(below) == 1:
        value = below[0].removeprefix("return ").removesuffix(" otherwise")
        message = "a function has its value on its own line, after `=`"
        return Problem("RR122", message, mark, help=f"write `{head} = {value}`")
    message = "a function with several cases says what type they have"
    return Problem("RR122", message, mark, help=f"write `{head}: int`, or another type")


def holding(place: Place, kind: str) -> str | None:
    """A place of the player whose turn it is that holds pieces of a kind."""
    head, words = "", "stack|row|set|hand|slot|bag|pool"
    declared = re.compile(rf"\s+(\w+)\s*:\s*(?:{words}) of {re.escape(kind)}\b")
    found: list[str] = []
    for line in place.layout.lines:
        head = line if line[:1].isalpha() else head
        if named := declared.match(line):
            owned = head.startswith("each player")
            found.append(f"me.{named[1]}" if owned else named[1])
    return next((each for each in found if each.startswith("me.")), next(iter(found), None))


def who_chooses(stuck: Stuck) -> tuple[str, str]:
    """Who could be asked here, and what must be written above if nobody is named."""
    for line in [*lines_around(stuck), stuck.place.line(1)]:
        named = re.match(
            r"(?:for each|sealed for|turns for) (\w+)(?: (?:at \w+ )?in players|\b)", line
        )
        given = re.match(r"(?:procedure|event) \w+\((?:.*, ?)?(\w+): Player", line)
        if named is not None and ("players" in line or not line.startswith("for each")):
            return named[1], ""
        if given is not None:
            return given[1], ""
        if re.match(r"turns\b|action\b", line):
            return "me", ""
    return "p", "; `for each p in players` above it asks all of them"


def _option_called(place: Place, verb: str) -> str | None:
    """The action or the option of a choice that a verb such as `sells` means."""
    text = "\n".join(line[:200] for line in place.layout.lines)
    named = re.findall(r"^(?:action|\s+)\s*([A-Za-z]\w*)(?=\(\w+ in |\s*\"|$)", text, re.M)
    forms = {verb, verb.removesuffix("s"), verb.removesuffix("es")}
    forms |= {re.sub("ies$", "y", verb), re.sub("(?:ed|d|ing)$", "", verb)}
    return next((each for each in named if each in forms), None)


def through_help(place: Place, word: str, many: str, field: str) -> str | None:
    """What `sum(p.dice)` was to go through, by how it is declared."""
    whole = f"{many}.{field}" if many else field
    entries = _declared(place, rf"{re.escape(field)}\[([^\]\[,]+)\]\s*:")
    if entries is not None:
        through = entries[1].strip()
        name = "n" if re.match(r"\d", through) else "x"
        return f"go through its indexes: `{word}({whole}[{name}] for {name} in {through})`"
    if is_place(place, whole):
        otherwise = "" if word == "sum" else " else 0"
        such = f"{word}(c.value for c in {whole}{otherwise})"
        return f"go through its pieces: `{such}`, with a field of theirs"
    if re.fullmatch(r"p|player|each|me|x|q", many) and _declared(place, rf"{field}\s*:"):
        return f"go through the players: `{word}(p.{field} for p in players)`"
    otherwise = " else 0" if word in ("min", "max") and is_place(place, many) else ""
    return f"give each a name: `{word}(x.{field} for x in {many}{otherwise})`" if many else None


def is_place(place: Place, written: str) -> bool:
    name = re.escape(written.rpartition(".")[2])
    words = "stack|row|set|hand|slot|bag|pool"
    return _declared(place, rf"{name}(?:\[[^\]]*\])?\s*:\s*(?:{words}) of\b") is not None


def is_owned(place: Place, name: str) -> bool:
    """Whether each player has something of this name."""
    head, declared = "", re.compile(rf"\s+(?:\w+, ?)*{re.escape(name)}\b[^=]*:")
    for line in place.layout.lines:
        head = line if line[:1].isalpha() else head
        if declared.match(line) and head.startswith("each player"):
            return True
    return False


def values_of_event(place: Place, name: str) -> list[str]:
    """What an event that the file declares is given, by name."""
    declared = re.compile(rf"event {re.escape(name)}\(([^()]*)\)")
    found = next((at for line in place.layout.lines if (at := declared.match(line))), None)
    return re.findall(r"(\w+)\s*:", found[1]) if found is not None else []


def of_each(place: Place, test: str) -> str:
    """A condition in which what things have is asked of `x`."""

    def owned(word: re.Match[str]) -> str:
        has = _declared(place, rf"{word[0]}(?:\[[^\]]*\])?\s*:(?!=)") is not None
        return f"x.{word[0]}" if has else word[0]

    return re.sub(r"(?<![\w.])[a-z]\w*", owned, test)


def is_declared(place: Place, name: str) -> bool:
    """Whether some line declares this name or makes it with `let`, or another file may."""
    if any(line.startswith("include ") for line in place.layout.lines):
        return True
    name = re.escape(name)
    made = rf"(?:{name}(?:\[[^\]]*\])?\s*:(?!=)|let {name}\b)"
    return _declared(place, made) is not None


def _declared(place: Place, pattern: str) -> re.Match[str] | None:
    """A line under `has` or `kind` that begins so."""
    begins = re.compile(rf"^\s+{pattern}")
    return next((found for line in place.layout.lines if (found := begins.match(line))), None)
