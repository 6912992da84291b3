"""Signs that other languages have: what was meant by them, and what to type here.

`_SLIPS` are signs that read differently here or not at all, with what stands around them: the
first row that fits at the place where reading stopped tells its help. `_SIGNS` are those that no
rule knows wherever they stand.
"""

from __future__ import annotations

import re

from lark import UnexpectedCharacters

from interpreter.frozen import frozen
from interpreter.report.problem import Problem
from interpreter.tree.stuck import Place, Stuck

_QUOTES = 'texts stand in straight "double quotes"'
_BLOCKS = "blocks are made by indentation, without braces"
_ROUNDS = "say how it rounds: `a div b` rounds down, `a divUp b` rounds up"

_SIGNS = {
    "%": "the remainder is written `a mod b`",
    "&": "write `and`",
    "|": "write `or`",
    "!": 'write `not`, or `!=` for "differs from"',
    "'": 'texts stand in "double quotes"',
    "“": _QUOTES,
    "”": _QUOTES,
    "„": _QUOTES,
    "‘": _QUOTES,
    "’": _QUOTES,
    "`": _QUOTES,
    "{": _BLOCKS,
    "}": _BLOCKS,
    ";": "write each step on a line of its own, without `;`",
    "^": "there is no power; multiply with `*`",
    "–": 'write `-` for minus and `..` for "from … to"',
    "−": "write `-` for minus",
    "…": 'write `..` for "from … to", as in `1..6`',
    "×": "multiply with `*`",
    "·": "multiply with `*`",
    "÷": _ROUNDS,
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "→": "say it in words: `move x to y`, or `y := x`",
    "?": "a value that depends on a condition is written `(a if condition else b)`",
    "\\": "a line goes on by itself as long as a bracket is open; take the `\\` away",
    "$": "take it away; a number has no sign for money, and a name stands by itself",
    "€": "take it away; a number has no sign for money",
    "@": "take it away; names stand by themselves",
    "~": 'write `not` for "not", and `abs(a - b) <= 1` for "about"',
    "\xa0": "this is a space of another kind, perhaps from a web page: type it again",
}


@frozen
class _Slip:
    """A sign with what stands around it; the group `mark` is underlined, else all of it. Reading
    must have stopped somewhere in it."""

    code: str
    pattern: str
    message: str
    help: str


_TARGET = r"(?P<target>[A-Za-z_][\w.]*(?:\[[^\]]*\])?)"
_OPERAND = r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?"
_WHOLE = "there are only whole numbers here"

_SLIPS = (
    _Slip(
        "RR106",
        r"^\s*\w+: (?P<mark>(?P<type>[A-Z]\w*) ?[/|] ?(?:none|null|nobody|nothing))\s*$",
        "what may be absent is declared with `or none`",
        "write `{type} or none`",
    ),
    _Slip(
        "RR106",
        r"(?<![\w|])(?P<mark>\|(?=[^\s|])(?P<value>[^|]+)(?<=\S)\|)(?!\|)",
        "the distance between two numbers is `abs`",
        "write `abs({value})`",
    ),
    _Slip(
        "RR106",
        r"^(?P<head>enum \w+)\s*:?\s*(?P<mark>\{)\s*(?P<names>[\w, ]+?)\s*\}",
        "the sign `{mark}` has no meaning here",
        "write `{head}: {names}`",
    ),
    _Slip(
        "RR106",
        r"^\s*(?P<mark>//|/\*|\*/|<!--|--)(?:\s.*|$|(?<=//)\w.*)",
        "`{mark}` does not begin a comment",
        "a comment begins with `#`",
    ),
    _Slip(
        "RR106",
        r"\s(?P<mark>//|--|/\*)\s*[A-Za-z]\w*\s+[A-Za-z].*$",
        "`{mark}` does not begin a comment",
        "a comment begins with `#`",
    ),
    _Slip(
        "RR106",
        _TARGET + r"\s*(?P<mark>\+\+|--)\s*$",
        "a number changes with `+=` or `-=`, not with `{mark}`",
        "write `{target} {first}= 1`",
    ),
    _Slip(
        "RR106",
        r"^\s*(?P<mark>\+\+|--)\s*" + _TARGET + r"\s*$",
        "a number changes with `+=` or `-=`, not with `{mark}`",
        "write `{target} {first}= 1`",
    ),
    _Slip(
        "RR106",
        r"^\s*" + _TARGET + r"\s*(?P<mark>=(?P<sign>[-+]))\s*(?P<value>\S.*)$",
        "a number changes with `+=` or `-=`, not with `{mark}`",
        "the sign comes first: `{target} {sign}= {value}`",
    ),
    _Slip(
        "RR106",
        r"^\s*(?P<name>\w+): (?P<type>[\w.]+) ?(?P<mark>\?)",
        "the sign `?` has no meaning here",
        "what may be absent is `or none`: `{name}: {type} or none`",
    ),
    _Slip(
        "RR106",
        r"(?<=[\w)\"])\s*(?P<mark>[!.?])\s*$",
        "a line does not end with `{mark}`",
        "take it away",
    ),
    _Slip(
        "RR106",
        r"^\s*" + _TARGET + r"\s*(?P<mark>(?P<sign>[*^&|]|\*\*|&&|\|\|)=)\s*(?P<value>\S.*)$",
        "a number changes with `+=` or `-=`, not with `{mark}`",
        "write `{target} := {target} {said} {operand}`",
    ),
    _Slip(
        "RR106",
        r"^\s*" + _TARGET + r"\s*(?P<mark>(?P<sign>%)=)\s*(?P<value>\S.*)$",
        "a number changes with `+=` or `-=`, not with `{mark}`",
        "write `{target} := {target} {said} {operand}`",
    ),
    _Slip(
        "RR106",
        r"^\s*" + _TARGET + r"\s*(?P<mark>(?P<sign>//|/)=)\s*(?P<value>\S.*)$",
        "a number changes with `+=` or `-=`, not with `{mark}`",
        "write `{target} := {target} {said} {operand}`; `div` rounds down, `divUp` up",
    ),
    _Slip(
        "RR106",
        rf"(?P<base>{_OPERAND})\s*(?P<mark>\*\*|\^)\s*2(?!\w)",
        "`{mark}` is not an operator: there is no power",
        "multiply: `{base} * {base}`",
    ),
    _Slip(
        "RR106",
        rf"(?P<base>{_OPERAND})\s*(?P<mark>\*\*|\^)",
        "`{mark}` is not an operator: there is no power",
        "multiply: `{base} * {base} * {base}`; a constant with an index can keep the powers",
    ),
    _Slip(
        "RR105",
        rf"(?P<mark>(?P<a>{_OPERAND})\s*//\s*(?P<b>{_OPERAND}))",
        "`//` is not an operator",
        "division that rounds down is written `{a} div {b}`; a comment begins with `#`",
    ),
    _Slip(
        "RR105",
        rf"(?P<a>{_OPERAND})\s*(?P<mark>/)\s*(?P<b>{_OPERAND})",
        "`/` does not say how it rounds",
        "write `{a} div {b}`, which rounds down, or `{a} divUp {b}`, which rounds up",
    ),
    _Slip(
        "RR106",
        r"(?P<test>(?<=:= )[^(,?][^?(,]*?|(?<=[(])[^(,?]*?|(?<=[(,] )[^(,?][^?(,]*?|[^\s?]+)\s*"
        r"(?P<mark>\?)"
        r"\s*(?P<a>[^:?]+?)\s*:\s*(?P<b>[^,)?:]+)",
        "the sign `?` has no meaning here",
        "write `({a} if {test} else {b})`, with the condition in the middle",
    ),
    _Slip(
        "RR106",
        r"(?P<mark>\?\?|\?\.|\?:)",
        "`{mark}` is not an operator",
        "ask for it: `(b if a is none else a)`",
    ),
    _Slip(
        "RR106",
        r"(?P<number>\d+)(?P<mark>%)(?!\s*[\w(])",
        "there are no percents",
        "multiply and divide: `x * {number} div 100`",
    ),
    _Slip(
        "RR106",
        rf"(?P<a>{_OPERAND})\s*(?P<mark>%)\s*(?P<b>{_OPERAND})",
        "the sign `%` has no meaning here",
        "the remainder is written `{a} mod {b}`",
    ),
    _Slip(
        "RR106",
        r"(?P<mark>!)(?P<b>[A-Za-z_(][\w.]*)",
        "the sign `!` has no meaning here",
        "write `not`, as in `not {b}`; if it may be none, ask `{b} is none`",
    ),
    _Slip(
        "RR123",
        r"(?<![\w.])(?P<mark>\d+(?:[_'’]\d\d\d)+)(?!\w)",
        "`{mark}` is not a number as it is written here",
        "write the digits without anything between them: `{digits}`",
    ),
    _Slip(
        "RR123",
        r"(?P<step>[-+:]?= ?)(?P<mark>\d{1,3}(?:,\d\d\d)+)$",
        "`{mark}` is not a number as it is written here",
        "write the digits without anything between them: `{digits}`",
    ),
    _Slip(
        "RR123",
        r"(?P<what>[\w.]+)\s*\*\s*(?P<mark>\d*\.5)(?!\w|\.)",
        "`{mark}` is not a whole number",
        f"{_WHOLE}: for so many halves, write `{{what}} * {{halves}} div 2`; `divUp` rounds up",
    ),
    _Slip(
        "RR123",
        r"(?<![\w.])(?P<mark>\d*\.\d+)(?!\w|\.)",
        "`{mark}` is not a whole number",
        f"{_WHOLE}: count in a smaller unit, or multiply and divide, as in `x * 3 div 2`",
    ),
    _Slip(
        "RR123",
        r"(?P<mark>(?P<low>\w+) ?(?:\.\.\.|\.\.=|…) ?(?P<high>\w+))",
        "`{mark}` is not a range as it is written here",
        "both ends count: `{low}..{high}`",
    ),
    _Slip(
        "RR123",
        r"(?P<mark>(?P<low>\w+) ?\.\.< ?(?P<high>\w+))",
        "`{mark}` is not a range as it is written here",
        "both ends count: `{low} .. {high} - 1`",
    ),
)

_SAID = {"*": "*", "**": "*", "^": "*", "/": "div", "//": "div", "%": "mod"}
_SAID |= {"&": "and", "&&": "and", "|": "or", "||": "or"}
_LONGEST = 200  # characters of a line that somebody wrote; patterns are slow on endless ones


def explain_characters(error: UnexpectedCharacters, place: Place) -> Problem:
    """A character that begins no word of the grammar."""
    number, column = error.line, error.column
    line = place.line(number)
    sign = line[column - 1 : column]
    mark = place.mark(number, column)
    if sign == '"':
        mark = place.mark(number, column, len(line) - column + 1)
        help_ = 'close it with `"` on the same line'
        return Problem("RR107", "this text has no end", mark, help=help_)
    known = _find_slip(place, number, column)
    if known is not None:
        return known
    if sign == "/":
        return Problem("RR105", "`/` does not say how it rounds", mark, help=_ROUNDS)
    doubled = line[column - 1 : column + 1]
    if doubled in ("&&", "||"):
        mark, sign = place.mark(number, column, 2), doubled
    help_ = _SIGNS.get(sign[:1], "names are made of the letters a to z, digits and `_`")
    return Problem("RR106", f"the sign `{sign}` has no meaning here", mark, help=help_)


def explain_signs(stuck: Stuck) -> Problem | None:
    """Signs that the grammar has, but not in this order."""
    if stuck.at_end:
        # `x ++` stops where the line is over; the sign stands before.
        return _find_slip(stuck.place, stuck.number, len(stuck.line.rstrip()))
    return _find_slip(stuck.place, stuck.number, stuck.column)


def _find_slip(place: Place, number: int, column: int) -> Problem | None:
    line = place.line(number)
    if len(line) > _LONGEST:
        return None
    for slip in _SLIPS:
        for found in re.finditer(slip.pattern, line):
            if not found.start() < column <= found.end():
                continue
            words = found.groupdict("")
            sign = words["mark"]
            words |= {
                "first": sign[:1],
                "digits": re.sub(r"\D", "", sign),
                "said": _SAID.get(words.get("sign", ""), ""),
                "operand": _bracketed(words.get("value", "")),
            }
            if "." in sign and sign.replace(".", "").isdigit():
                ones = sign.partition(".")[0] or "0"
                words["halves"] = str(2 * int(ones[-9:]) + 1)
            mark = place.mark(number, found.start("mark") + 1, len(sign))
            message, help_ = slip.message.format(**words), slip.help.format(**words)
            return Problem(slip.code, message, mark, help=help_)
    return None


def _bracketed(value: str) -> str:
    return value if re.fullmatch(_OPERAND, value) else f"({value})"


# ---- comparisons

# Comparisons as they are typed in other languages, and here.
_COMPARISONS = {
    "==": "=",
    "===": "=",
    "=<": "<=",
    "=>": ">=",
    "<>": "!=",
    "!==": "!=",
    "=!": "!=",
    "<==": "<=",
    ">==": ">=",
}
_CHAINED = re.compile(
    r"(?P<left>[\w.\[\]()]+(?: [-+*] [\w.\[\]()]+)*) ?(?P<first><=|>=|!=|<|>|=|is not|is) ?"
    r"(?P<middle>[\w.\[\]()]+(?: [-+*] [\w.\[\]()]+)*) ?$"
)


def explain_comparison(stuck: Stuck) -> Problem | None:
    left = re.search(r"[=<>!]*$", stuck.line[: stuck.column - 1])
    signs = (left[0] if left else "") + stuck.word
    after = re.match(r"[=<>!]+", stuck.line[stuck.column - 1 + len(stuck.word) :])
    if signs not in _COMPARISONS and after is not None:
        signs += after[0]
    instead = _COMPARISONS.get(signs)
    if instead is None:
        return None
    column = stuck.column - len(left[0] if left else "")
    mark = stuck.place.mark(stuck.number, column, len(signs))
    help_ = f"type `{instead}`"
    if instead == "=":
        help_ += " to ask whether two things are equal; `:=` gives a value"
    return Problem("RR110", f"`{signs}` is not a comparison", mark, help=help_)


def explain_chain(stuck: Stuck) -> Problem | None:
    """`0 < n < 3`: a comparison of a comparison."""
    if stuck.sort not in ("COMPARE", "EQUAL", "IS") or stuck.sort in stuck.accepted:
        return None
    before = _CHAINED.search(stuck.line[: stuck.column - 1][-_LONGEST:])
    if before is None:
        return None
    rest = stuck.line[stuck.column - 1 + len(stuck.word) :].strip()
    right = re.match(r"(?:not )?[\w.\[\]()]+", rest)
    left, first, middle = before["left"], before["first"], before["middle"].strip()
    left = left.lstrip("(") if left.count("(") > left.count(")") else left
    last = right[0] if right else "..."
    last = last.rstrip(")") if last.count(")") > last.count("(") else last
    help_ = f"ask twice: `{left} {first} {middle} and {middle} {stuck.word} {last}`"
    if first == stuck.word == "=" and middle.isdigit():
        help_ = f"ask twice: `{left} = {middle} or {left} = {last}`"
    if first == "<=" == stuck.word:
        help_ += f", or `{middle} in {left}..{last}`"
    return stuck.problem("RR110", f"`{stuck.word}` cannot follow another comparison", help_)
