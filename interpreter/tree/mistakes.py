"""What a person most likely meant when the grammar could not read a line."""

from __future__ import annotations

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean

DECLARATIONS = (
    "game players data clauses include option require enum kind table board constant the each "
    "group function quantity event procedure action phase ability setup play score winner always"
).split()

# What a kind of token is called at the table.
_SPOKEN = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'a text in "quotes"',
    "COMPARE": "a comparison",
    "CITE": "a clause",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "__ANON_0": "`..`",
    "$END": "the end of the file",
}
_STARTS_EXPRESSION = {"NAME", "INT", "LPAR", "MINUS", "NONE", "YES"}
_SIGNS = {
    "/": "say how it rounds: `a div b` rounds down, `a divUp b` rounds up",
    "%": "the remainder is written `a mod b`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` for «is not equal to»",
    "'": 'texts stand in "double quotes"',
    "{": "blocks are made by indentation, without braces",
    "}": "blocks are made by indentation, without braces",
    ";": "one statement a line, without `;`",
    "^": "there is no power; multiply with `*`",
}


def explain_mistake(
    error: UnexpectedInput, text: str, line: int, name: str, offset: int
) -> Problem:
    source_line = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    if isinstance(error, UnexpectedCharacters):
        return _bad_sign(error, source_line, name, offset)
    if isinstance(error, UnexpectedToken):
        return _bad_token(error, source_line, line, name, offset)
    mark = Mark(name, offset + line, 1, offset + line, 2)
    return Problem("RR100", "this declaration breaks off before it is complete", mark)


def _bad_sign(error: UnexpectedCharacters, line: str, name: str, offset: int) -> Problem:
    mark = Mark(name, error.line + offset, error.column, error.line + offset, error.column + 1)
    sign = line[error.column - 1 : error.column]
    if sign == '"':
        help_ = 'close it with `"` on the same line'
        return Problem("RR107", "this text has no end", mark, help=help_)
    code = "RR105" if sign == "/" else "RR106"
    message = f"the sign `{sign}` has no meaning here"
    return Problem(code, message, mark, help=_SIGNS.get(sign))


def _bad_token(
    error: UnexpectedToken, line: str, number: int, name: str, offset: int
) -> Problem:
    token: Token = error.token
    column = token.column or 1
    expected = error.expected or error.accepts or set()
    if token.type in ("_NL", "$END", "_DEDENT", "_INDENT"):
        column = len(line.rstrip()) + 1
        width = 1
    else:
        width = max(len(str(token)), 1)
    mark = Mark(name, number + offset, column, number + offset, column + width)
    word = str(token)
    if column == 1 and number == 1 and word not in DECLARATIONS:
        help_ = did_you_mean(word, DECLARATIONS)
        help_ = help_ or "a declaration begins with one of: " + ", ".join(DECLARATIONS)
        return Problem("RR111", f"`{word}` does not begin a declaration", mark, help=help_)
    if token.type == "_INDENT" or (token.type == "_NL" and "_INDENT" in expected):
        return Problem("RR104", "the line below is indented, but nothing opens a block here", mark)
    if "_INDENT" in expected and len(expected) == 1:
        help_ = "indent what belongs to it by four spaces on the lines below"
        return Problem("RR103", "a block must follow this line", mark, help=help_)
    if word == "=" and "__ANON_2" not in expected and _looks_like_statement(line):
        help_ = "give a value with `:=`; `=` asks whether two things are equal"
        return Problem("RR101", "`=` compares, it does not give a value", mark, help=help_)
    if word == ":=":
        help_ = "`:=` stands in a statement of its own: `target := value`"
        return Problem("RR102", "a value cannot be given here", mark, help=help_)
    if word == "=" and line[column - 2 : column - 1] in "=<>!":
        return Problem("RR110", "this comparison is written in another way here", mark)
    if "TIES" in expected:
        help_ = (
            "end the list with `ties in order` (the first counts), `ties none` or `ties share`"
        )
        return Problem("RR114", "what happens on a tie is not said", mark, help=help_)
    return Problem("RR100", f"{_spoken(token)} cannot stand here", mark, help=_accepted(expected))


def _looks_like_statement(line: str) -> bool:
    first = line.strip().split(" ")[0]
    return first not in ("if", "when", "else", "repeat", "for", "turns", "always", "require")


def _spoken(token: Token) -> str:
    if token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        return _SPOKEN[token.type]
    return f"`{token}`"


def _accepted(expected: set[str]) -> str | None:
    if _STARTS_EXPRESSION <= expected:
        others = expected & {"_NL", "RPAR", "RSQB"}
        return "accepted here: a value" + "".join(f", {_SPOKEN[one]}" for one in sorted(others))
    words = sorted({_SPOKEN.get(one, f"`{one.lower()}`") for one in expected if one != "CITE"})
    if not words or len(words) > 14:
        return None
    return "accepted here: " + ", ".join(words)
