"""What a person most likely meant when the grammar could not read a line.

The grammar says where it got stuck and which words it would have taken there. The explainers
at the end of this file look at that one after the other, the most particular first; the first
that knows the mistake tells it. The last one can always say something.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from interpreter.report.problem import Problem
from interpreter.report.suggest import nearest
from interpreter.tree.accepted import explain_rest
from interpreter.tree.beside import (
    explain_added,
    explain_call_words,
    explain_cleared,
    explain_discarded,
    explain_draw,
    explain_end_of_turn,
    explain_function_lines,
    explain_line,
    explain_not,
    explain_step_words,
    explain_ties,
    holding,
    is_declared,
    is_place,
    through_help,
)
from interpreter.tree.called import explain_called
from interpreter.tree.foreign import WORDS
from interpreter.tree.forms import form_of_call
from interpreter.tree.lines import DECLARATIONS
from interpreter.tree.reserved import explain_reserved
from interpreter.tree.sayings import explain_saying
from interpreter.tree.signs import (
    explain_chain,
    explain_characters,
    explain_comparison,
    explain_signs,
)
from interpreter.tree.stuck import GluedWords, Place, Stuck, find_stuck


def explain_mistake(error: UnexpectedInput, place: Place) -> Problem:
    return _explain(error, place, _EXPLAINERS)


def explain_gap(error: UnexpectedInput, place: Place) -> Problem:
    """What is wrong in the braces of a text, where only a value can stand."""
    return _explain(error, place, _GAP_EXPLAINERS)


def _explain(error: UnexpectedInput, place: Place, explainers: _Explainers) -> Problem:
    if isinstance(error, GluedWords):
        return _explain_glued(error, place)
    if isinstance(error, UnexpectedCharacters):
        return explain_characters(error, place)
    if not isinstance(error, UnexpectedToken):
        mark = place.mark(place.line_above(place.text.count("\n") + 2), 1)
        return Problem("RR100", "this declaration breaks off before it is complete", mark)
    stuck = find_stuck(error, place)
    for explain in explainers:
        problem = explain(stuck)
        if problem is not None:
            return problem
    return explain_rest(stuck)


# ---- words that no rule knows


def _explain_glued(error: GluedWords, place: Place) -> Problem:
    number, column = error.left.line or 1, error.left.column or 1
    found = re.match(r"\w+", place.line(number)[column - 1 :])
    word = found[0] if found else f"{error.left}{error.right}"
    known = [one for one in place.spelling.values() if one.isalpha()]
    near = WORDS.get(word) or (error.left if word in known else nearest(word, known))
    help_ = f"Did you mean `{near}`?" if near else f"put a space after `{error.left}`"
    mark = place.mark(number, column, len(word))
    return Problem("RR116", f"`{word}` is not a word that can stand here", mark, help=help_)


# ---- the shape of lines

# Words that begin a step.
_STEP_WORDS = (
    "let stop skip again leave choose shuffle draw move roll reveal hide remember nobody "
    "everybody end say if else for repeat turns sealed looking"
)


_STATEMENTS = _STEP_WORDS.split()


_BLOCKS = ["if", "else", "for", "repeat", "turns", "sealed", "looking", "choose", "otherwise"]


_CLAUSES = ["modify", "may", "instead", "before", "after"]


# What other languages begin a declaration with.
_DECLARED_AS = {
    **dict.fromkeys(("on", "trigger", "signal"), "event"),
    **dict.fromkeys(("def", "func", "fn", "fun", "calc"), "function"),
    **dict.fromkeys(("proc", "sub", "routine", "method"), "procedure"),
    **dict.fromkeys(("const", "define"), "constant"),
    **dict.fromkeys(("class", "type", "struct", "card", "cards", "piece", "component"), "kind"),
    **dict.fromkeys(("main", "game_loop", "turn", "gameplay", "begin", "rules"), "play"),
    **dict.fromkeys(("round", "stage", "step"), "phase"),
    **dict.fromkeys(("init", "prepare", "preparation", "start"), "setup"),
    **dict.fromkeys(("test", "example", "case"), "scenario"),
    **dict.fromkeys(("win", "victory", "wins"), "winner"),
    **dict.fromkeys(("scoring", "points", "scores"), "score"),
    **dict.fromkeys(("import", "use", "using", "require", "load"), "include"),
    **dict.fromkeys(("title", "name"), "game"),
    **dict.fromkeys(("power", "skill", "effect"), "ability"),
    **dict.fromkeys(("assert", "invariant", "ensure"), "always"),
}


_GAME_HAS = ("globals", "global", "state", "variables", "vars", "var", "equipment", "components")
STEP_AT_MARGIN = "this is a step: indent it by four spaces under the line it belongs to"
_GIVES = re.compile(r"[\w.]+(?:\[[^\]]*\])? ?(?:[-+:]=|=) ?\S")


def _explain_declaration(stuck: Stuck) -> Problem | None:
    if stuck.number != 1 or stuck.words_before or stuck.at_end or stuck.word in DECLARATIONS:
        return None
    word = stuck.word
    near = _find_near(word, DECLARATIONS)
    help_ = None if near is None else f"Did you mean `{near}`?"
    owner = re.fullmatch(r"(?:every |all )?(\w+) has?v?e?", stuck.line.strip())
    offered = re.match(r"(?:move|option|choice|choose|turn) (\w+)(\(\w+ in .*|$)", stuck.line)
    if owner is not None:
        help_ = f"write `each {owner[1]} has`, or `the game has` for what is there once"
    elif offered is not None and (offered[2] or word in ("move", "choice")):
        help_ = f"what a player can choose is an action: `action {offered[1]}{offered[2].rstrip()}`"
    elif word in _GAME_HAS:
        help_ = "what is on the table once stands under `the game has`, indented"
    elif word in ("turns", "repeat") and stuck.line.strip().startswith(word):
        help_ = f"write `play`, and `{word}` indented by four spaces under it"
    elif _GIVES.match(stuck.line):
        help_ = STEP_AT_MARGIN
    elif re.match(r"\w+ \"[^\"]*\\.ya?ml\"", stuck.line):
        help_ = "a file of data is named with `data`: `data " + stuck.line.split(" ", 1)[1] + "`"
    elif re.match(r"[A-Z]\w*: ?\w+(?:, ?\w+)+$", stuck.line):
        help_ = f"a list of names is an enum: `enum {stuck.line.strip()}`"
    elif word in _DECLARED_AS:
        help_ = f"it is called `{_DECLARED_AS[word]}` here"
    if help_ is None and (word in _STATEMENTS or word in _CLAUSES or word in ("when", "otherwise")):
        help_ = STEP_AT_MARGIN
    if help_ is None:
        help_ = "a declaration begins with one of: " + ", ".join(DECLARATIONS)
    return stuck.problem("RR111", f"`{word}` does not begin a declaration", help_)


def _explain_missing_block(stuck: Stuck) -> Problem | None:
    if stuck.accepted != {"_INDENT"}:
        return None
    place = stuck.place
    number = stuck.number if stuck.at_end else place.line_above(stuck.number)
    line = place.line(number).rstrip()
    mark = place.mark(number, len(line) - len(line.lstrip()) + 1, len(line.strip()))
    message = "this line needs something indented under it"
    help_ = "write what belongs to it on the lines below, indented by four spaces more"
    if _only_comments(stuck, number):
        help_ = "a comment is not enough: write a step, or turn the condition round"
    test = re.fullmatch(r"if (.+)", line.strip())
    chooses = re.fullmatch(r"(?:[\w.()]+ (?:may )?)?chooses?", line.strip())
    above = [place.line(each).split()[:1] for each in range(1, number) if place.line(each).strip()]
    if test is not None and above[0] == ["action"] and above[1:] == [["when"]] * (len(above) - 1):
        help_ += f";\nif the action is allowed only then, write `when {test[1]}`"
    if chooses is not None:
        help_ = f"say what can be chosen: `{line.strip()} buy or sell`, with names of actions,\n"
        help_ += "or list the options on the lines below, indented by four spaces more"
    return Problem("RR103", message, mark, help=help_)


def _only_comments(stuck: Stuck, number: int) -> bool:
    """Whether what is indented under this line is all behind a `#`."""
    lines = stuck.place.layout.lines[number + stuck.place.offset :]
    below = next((line for line in lines if line.strip()), "")
    depth = len(below) - len(below.lstrip())
    above = stuck.place.line(number)
    return below.lstrip().startswith("#") and depth > len(above) - len(above.lstrip())


def _explain_indentation(stuck: Stuck) -> Problem | None:
    if stuck.sort != "_INDENT":
        return None
    place = stuck.place
    word = stuck.first_word
    if word not in _BLOCKS and stuck.line.strip() == word:
        instead = _find_near(word, _BLOCKS)
        if instead is not None:
            return _misspelt(place, stuck.number, word, instead)
    if word in ("else", "otherwise"):
        return None
    number = place.line_below(stuck.number)
    width = len(place.line(number)) - len(place.line(number).lstrip())
    depth = len(stuck.line) - len(stuck.line.lstrip())
    message = "this line is indented, but the line above it opens no block"
    help_ = f"indent it by {depth} spaces, like the line above" if depth else None
    help_ = help_ or "a line that belongs to nothing begins at the left margin"
    chosen = re.fullmatch(
        r"\s*((?:\S+ (?:may )?(?:always )?)?chooses?) ([a-z]\w*)( or .*)?", stuck.line
    )
    if chosen is not None:
        help_ = f"list what can be chosen: write `{chosen[1]}` alone, and indented under it\n"
        help_ += (
            f"`{chosen[2]}` and all other options, each on its own line, with its steps under it"
        )
    return Problem("RR104", message, place.mark(number, 1, width), help=help_)


def _explain_colon(stuck: Stuck) -> Problem | None:
    ends_in_colon = stuck.place.line(stuck.number).rstrip().endswith(":")
    if stuck.word == ":" and ends_in_colon and stuck.column == len(stuck.line.rstrip()):
        help_ = "take the `:` away: the indentation of the next line is enough"
        return stuck.problem("RR118", "a line that opens a block ends without `:`", help_)
    if stuck.sort == "_NL" and ends_in_colon:
        mark = stuck.place.mark(stuck.number, stuck.column - 1)
        help_ = "say it after the `:`, or take the `:` away if a block follows"
        return Problem("RR118", "nothing is said after this `:`", mark, help=help_)
    return None


# ---- giving and comparing values

_ASKS = ("if", "else", "when", "repeat", "for", "turns", "always", "require")


def _explain_giving(stuck: Stuck) -> Problem | None:
    first = stuck.first_word
    split = stuck.word == "=" and stuck.line[: stuck.column - 1].endswith(":")
    if split or stuck.word == ":=":
        column, width = (stuck.column - 1, 2) if split else (stuck.column, 2)
        mark = stuck.place.mark(stuck.number, column, width)
        if first in _ASKS or not (split or "EQUAL" in stuck.accepted):
            help_ = "`:=` stands in a step of its own, `gold := 3`; to ask, type `=`"
            return Problem("RR102", "a value cannot be given here", mark, help=help_)
        message = f"`{first}` gets its value with `=`, not with `:=`"
        help_ = "type `=` here; `:=` changes a value while the game is played"
        return Problem("RR102", message, mark, help=help_)
    if stuck.word == "=" and "EQUAL" not in stuck.accepted and first not in _ASKS:
        target = stuck.line[: stuck.column - 1].strip()
        value = stuck.line[stuck.column :].strip() or "..."
        message = "`=` compares two things; it does not give a value"
        if target.isidentifier() and not is_declared(stuck.place, target):
            help_ = f"to give a value a name, type `let {target} = {value}`"
            return stuck.problem("RR101", message, help_)
        return stuck.problem("RR101", message, f"to give a value, type `{target} := {value}`")
    return None


# ---- what stands in brackets


def _explain_aggregate(stuck: Stuck) -> Problem | None:
    """`max(x in D)` for `max(E for x in D)`, and `count(E for x in D)` for `count(x in D)`."""
    left = stuck.line[: stuck.column - 1]
    if stuck.word == ")" and "FOR" in stuck.accepted:
        listed = re.search(r"\b(sum|min|max)\(\s*(\w+) in ([^()]*(?:\([^()]*\)[^()]*)*)$", left)
        if listed is not None:
            word, name, domain = listed[1], listed[2], listed[3].strip()
            message = f"`{word}` is not told which value of each `{name}` it looks at"
            help_ = f"say the value first: `{word}({name}.value for {name} in {domain})`"
            return stuck.problem("RR117", message, help_)
        dotted = re.search(r"\b(sum|min|max)\(\s*((?:([\w.]+)\.)?(\w+))\s*$", left)
        if dotted is not None:
            word, many, field = dotted[1], dotted[3] or "", dotted[4]
            through = through_help(stuck.place, word, many, field)
            if through is not None:
                message = f"`{word}` is not told what it goes through"
                mark = stuck.place.mark(stuck.number, dotted.start(2) + 1, len(dotted[2]))
                return Problem("RR117", message, mark, help=through)
        help_ = "say of what: `sum(value for x in many)`"
        if "COMMA" in stuck.accepted:
            help_ = "name several, `max(a, b)`, or go through many, `max(value for x in many)`"
        return stuck.problem(
            "RR117", "there is only one value here, and nothing to go through", help_
        )
    counted = re.search(r"\b(count|any|every|pick)\(\s*\w+\s*$", left)
    if counted is not None and stuck.accepted <= {"IN", "AT"} and stuck.word != ":":
        word = counted[1]
        message = f"`{word}` begins with a name for each thing it goes through"
        help_ = form_of_call(word, stuck.place) or ""
        inside = stuck.line[counted.end(1) + 1 :]
        some = re.match(r"([\w.]+) where (\w[^()]*(?:\([^()]*\)[^()]*)*)\)", inside)
        named = re.match(r"(\w+)\.\w+", some[2]) if some is not None else None
        if some is not None and named is not None:
            help_ = f"write `{word}({named[1]} in {some[1]} where {some[2]})`"
        elif some is not None:
            help_ = f"write `{word}(x in {some[1]} where x.{some[2]})`"
        place = re.match(r"[\w.]+(?=\))", inside)
        if word == "count" and place is not None and is_place(stuck.place, place[0]):
            some_of = f"count(x in {place[0]} where ...)"
            help_ = f"how many lie there is `number of {place[0]}`; of some, write `{some_of}`"
        return stuck.problem("RR117", message, help_)
    return None


# What a type is chosen from, where it is no domain.
_DOMAIN_OF = {"int": "1..10", "number": "1..10", "Player": "players", "player": "players"}


def _explain_parameter(stuck: Stuck) -> Problem | None:
    name = (stuck.words_before or [""])[-1]
    if stuck.word == ":" and "IN" in stuck.accepted and name.isidentifier():
        message = "what is chosen from comes after `in`, not after `:`"
        rest = stuck.line[stuck.column :].strip().split(" ")[0].rstrip(",)") or "..."
        rest = _DOMAIN_OF.get(rest) or holding(stuck.place, rest) or rest
        return stuck.problem("RR120", message, f"type `{name} in {rest}`")
    return None


def _explain_chosen(stuck: Stuck) -> Problem | None:
    """`procedure pay(p in players)`, where nothing is chosen."""
    opened = re.match(r"(\w+ \w+\()(.*)\)", stuck.line)
    if stuck.word != "in" or "COLON" not in stuck.accepted or opened is None:
        return None
    message = "nothing is chosen here: a parameter has a type, after `:`"
    params = re.sub(r"\b(\w+) in ([^,()]+)", _typed, opened[2])
    return stuck.problem("RR120", message, f"write `{opened[1]}{params})`")


def _typed(param: re.Match[str]) -> str:
    domain = param[2].strip()
    type_ = "int" if ".." in domain else {"players": "Player"}.get(domain, domain)
    return f"{param[1]}: {type_}"


# ---- words


def _explain_else(stuck: Stuck) -> Problem | None:
    """Where no `else` can stand the word was read as a name, and reading stopped after it."""
    before = stuck.words_before
    first = before[0] if before else stuck.word
    if first not in ("else", "otherwise") or len(before) > 1:
        return None
    if first == "else":
        message = "there is no `if` above this `else` at the same depth"
        help_ = "indent it like its `if`; in a choice, the last branch is called `otherwise`"
    else:
        message = "there is no choice above this `otherwise`"
        help_ = "after an `if`, type `else`; `otherwise` ends a choice or a list of cases"
    mark = stuck.place.mark(stuck.number, stuck.line.index(first) + 1, len(first))
    return Problem("RR119", message, mark, help=help_)


def _explain_first_word(stuck: Stuck) -> Problem | None:
    """The first word of a line was taken for a name."""
    before = stuck.words_before
    first = before[0] if before else stuck.word
    if stuck.number == 1 or len(before) > 1 or not first.isidentifier() or stuck.at_end:
        return None
    if first == "when":
        message = "a condition cannot stand here"
        help_ = "`when` stands at the top of an action or an option; among the steps, type `if`"
        if stuck.place.line(1).startswith("action"):
            message = "`when` stands above the steps of an action, not below one"
            help_ = (
                "move this line up, right under the line `action`: it is asked before the steps;\n"
                "among the steps, type `if`"
            )
        mark = stuck.place.mark(stuck.number, stuck.line.index(first) + 1, len(first))
        return Problem("RR100", message, mark, help=help_)
    # A name followed by a sign is a name; followed by a word it was meant to be a verb.
    if first in _STATEMENTS or not re.match(r'[\w"]', stuck.word):
        return None
    instead = _find_near(first, [*_STATEMENTS, "when", *_CLAUSES])
    if instead is None or instead == first:
        return None
    return _misspelt(stuck.place, stuck.number, first, instead)


def _explain_word(stuck: Stuck) -> Problem | None:
    """A word in the middle of a line is almost one of those accepted there."""
    words = [stuck.place.spelling.get(sort, "") for sort in stuck.accepted]
    near = _find_near(stuck.word, [word for word in words if word.isalpha()])
    if len(stuck.word) < 3 and near not in (None, stuck.word[::-1]):
        return None  # two letters are like too much
    if near not in words or near == stuck.word or not stuck.word.isidentifier():
        return None
    message = f"`{stuck.word}` is not a word that can stand here"
    return stuck.problem("RR116", message, f"Did you mean `{near}`?")


def _find_near(word: str, words: list[str]) -> str | None:
    """Like `nearest`, also for two letters that changed places, which short words suffer from."""
    if word in WORDS:
        return WORDS[word]
    swapped = [
        word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(min(len(word), 20) - 1)
    ]
    found = (nearest(candidate, words) for candidate in [word, *swapped])
    return next((near for near in found if near is not None), None)


def _misspelt(place: Place, number: int, word: str, instead: str) -> Problem:
    column = place.line(number).index(word) + 1
    mark = place.mark(number, column, len(word))
    help_ = f"Did you mean `{instead}`?"
    return Problem("RR116", f"`{word}` is not a word that begins a step", mark, help=help_)


def _explain_gap(stuck: Stuck) -> Problem | None:
    """The braces of a text hold less than a value, or more than one."""
    if stuck.at_end:
        help_ = "write what is missing before the `}`, such as a name or a number"
        return stuck.problem("RR115", "the value breaks off here", help_)
    if stuck.accepted and "$END" not in stuck.accepted:
        return None  # something else could go on here
    message = f"the value in these braces is complete before `{stuck.word}`"
    help_ = "join the two with an operator such as `+`, or give each its own braces"
    return stuck.problem("RR115", message, help_)


def _explain_torn(stuck: Stuck) -> Problem | None:
    """A word that begins like one of the language, `player`, was read as that and a rest."""
    left = re.search(r"\w+$", stuck.line[: stuck.column - 1])
    if left is None or not re.match(r"\w", stuck.word):
        return None
    rest = re.match(r"\w+", stuck.line[stuck.column - 1 :])
    word = left[0] + (rest[0] if rest else "")
    if left.start() == 0 and stuck.line.strip() == f"{word} has":
        return None  # `player has`, for `each player has`
    known = DECLARATIONS if stuck.number == 1 and left.start() == 0 else list(_STATEMENTS)
    near = _find_near(word, known)
    if near is None:
        return None
    mark = stuck.place.mark(stuck.number, left.start() + 1, len(word))
    message = f"`{word}` is not a word that can stand here"
    return Problem("RR116", message, mark, help=f"Did you mean `{near}`?")


_Explainers = tuple[Callable[[Stuck], Problem | None], ...]

_EXPLAINERS: _Explainers = (
    _explain_torn,
    _explain_declaration,
    _explain_missing_block,
    _explain_indentation,
    _explain_colon,
    explain_comparison,
    explain_chain,
    explain_reserved,
    explain_signs,
    explain_called,
    explain_step_words,
    explain_call_words,
    explain_draw,
    explain_end_of_turn,
    explain_line,
    explain_not,
    explain_cleared,
    explain_added,
    explain_discarded,
    explain_function_lines,
    _explain_chosen,
    explain_saying,
    _explain_giving,
    _explain_else,
    _explain_aggregate,
    _explain_parameter,
    explain_ties,
    _explain_first_word,
    _explain_word,
)

_GAP_EXPLAINERS: _Explainers = (
    explain_comparison,
    explain_chain,
    explain_reserved,
    explain_signs,
    explain_called,
    explain_line,
    explain_saying,
    _explain_aggregate,
    explain_ties,
    _explain_word,
    _explain_gap,
)
