"""Text in, tree and problems out. Never raises on a bad file.

A file is cut into declarations at its unindented lines and each is parsed by itself. When a
line cannot be read, it is reported and taken out, and the declaration is tried again: so
several mistakes in one file are told at once, and none is told twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Token, Tree, UnexpectedInput
from lark.indenter import DedentError, Indenter

from interpreter import limits
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Mark, Source
from interpreter.tree import nodes
from interpreter.tree.build import Builder
from interpreter.tree.lines import DECLARATIONS, Chunk, Lines, read_lines, too_deep
from interpreter.tree.mistakes import STEP_AT_MARGIN, explain_gap, explain_mistake
from interpreter.tree.reserved import where_named
from interpreter.tree.stuck import GluedWords, Place
from interpreter.tree.tables import GRAMMAR as GRAMMAR
from interpreter.tree.tables import load_parser
from interpreter.tree.walk import find_deeper

_ATTEMPTS = 5  # mistakes told in one declaration
_DIGITS = 19  # of the biggest number; a longer one never reaches the checker
_ANY_WORD = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|[:+<>!-]=|\.\.|[^\w\s]')
_GAP = re.compile(r"\{[^{}]*\}")
_MANY_DIGITS = re.compile(rf"[0-9]{{{_DIGITS + 1}}}")


class _Indentation(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.paren_level = 0
        self.indent_level = [0]
        tokens: Iterator[Token] = self._process(_apart(stream))  # type: ignore[no-untyped-call]
        yield from tokens


def _apart(stream: Iterator[Token]) -> Iterator[Token]:
    """Where no name can stand the lexer would read `andy` as `and y`; nobody means that."""
    before: Token | None = None
    for token in stream:
        if before is not None and before.end_pos == token.start_pos and _join(before, token):
            raise GluedWords(before, token)
        yield token
        before = token


def _join(left: str, right: str) -> bool:
    edge = left[-1:] + right[:1]
    return len(edge) == 2 and edge.replace("_", "a").isalnum()


class _Parser:
    def __init__(self) -> None:
        self.indentation = _Indentation()
        self.lark = load_parser(self.indentation)
        # How the words and signs of the grammar are typed, by the name that the grammar gives them.
        self.spelling = {
            terminal.name: terminal.pattern.value
            for terminal in self.lark.terminals
            if terminal.pattern.type == "str"
        }

    def reads(self, text: str) -> int:
        """The line on which this declaration cannot be read, or one that it does not have."""
        try:
            self.lark.parse(text, start="declaration")
        except DedentError:
            return 0
        except GluedWords as error:
            return error.left.line or 0
        except UnexpectedInput as error:
            return error.line
        return text.count("\n") + 2


@cache
def _parser() -> _Parser:
    return _Parser()


def keywords() -> frozenset[str]:
    """Every word the grammar knows."""
    words = {terminal.pattern.value for terminal in _parser().lark.terminals}
    places = {"stack", "row", "set", "hand", "slot", "bag", "pool"}
    return frozenset(word for word in words if word.isalpha()) - {"hex", "line"} | places


def count_words(text: str) -> int:
    """About as many as the parser would find; it takes a hundred times as long."""
    words = [word for word in _ANY_WORD.findall(text) if not word.startswith("#")]
    gaps = (gap for word in words if "{" in word for gap in _GAP.findall(word))
    return len(words) + sum(len(_ANY_WORD.findall(gap)) for gap in gaps)


def too_many_words(mark: Mark) -> Problem:
    message = f"the rules have more than {limits.TOKENS} words and signs"
    help_ = "lists of cards and tables belong into a data file"
    return Problem("RR113", message, mark, help=help_, limit=True)


def parse(source: Source) -> tuple[nodes.Tree, list[Problem]]:
    if count_words(source.text) > limits.TOKENS:
        return nodes.Tree(()), [too_many_words(Mark.top(source.name))]
    layout = read_lines(source)
    problems = layout.problems
    declarations: list[nodes.Declaration] = []
    parser = _parser()
    for chunk in layout.chunks:
        if chunk.broken:
            continue
        declaration = _parse_chunk(parser, layout, chunk, problems)
        if declaration is not None:
            declarations.append(declaration)
        if len(problems) >= limits.SYNTAX_PROBLEMS:
            break
    remarks = tuple(nodes.Remark(above, comments) for above, comments in layout.remarks)
    tree = nodes.Tree(tuple(declarations), layout.closing, remarks)
    return tree, Problems(problems).items()[: limits.SYNTAX_PROBLEMS]


def _parse_chunk(
    parser: _Parser, layout: Lines, chunk: Chunk, problems: list[Problem]
) -> nodes.Declaration | None:
    text = chunk.text
    told = 0
    for _ in range(_ATTEMPTS):
        place = Place(layout, chunk.offset, text, parser.spelling, reads=parser.reads)
        try:
            tree: Any = parser.lark.parse(text, start="declaration")
        except DedentError:
            problem = _uneven_indent(layout, chunk, text)
            if not _is_of_tabs(problem, layout, chunk):
                problems.append(problem)
            return None
        except UnexpectedInput as error:
            problem = explain_mistake(error, place)
            line = layout.first_line_of(problem.mark.line) - chunk.offset
            if line == 1 and _is_further_step(problem, problems, layout):
                return None
            if told and (line <= told or _is_echo(problem, problems)):
                return None  # an echo of the line already taken out
            if not _is_of_tabs(problem, layout, chunk):
                problems.append(where_named(problem))
            if line == 1:
                return None
            text = _without_line(
                text, line, layout.last_line_of(line + chunk.offset) - chunk.offset
            )
            told = line
            continue
        return _build(parser, tree, layout, chunk, problems)
    return None


def _build(
    parser: _Parser, tree: Tree[Token], layout: Lines, chunk: Chunk, problems: list[Problem]
) -> nodes.Declaration | None:
    place = Place(layout, chunk.offset, chunk.text, parser.spelling)
    if _MANY_DIGITS.search(chunk.text):
        problems += _too_many_digits(tree, place)
    gaps = _Gaps(parser, layout, problems)
    declaration: nodes.Declaration = Builder(layout, chunk.offset, gaps.read).build(tree)
    deeper = find_deeper(declaration, limits.NESTING)
    if deeper is not None:
        problems.append(too_deep(deeper.mark, branch=isinstance(deeper, nodes.Arm)))
        return None
    return declaration


@dataclass(slots=True)
class _Gaps:
    """Reads the values in the braces of texts, which the grammar takes for one word."""

    parser: _Parser
    layout: Lines
    problems: list[Problem]

    def read(self, braces: str, at: Mark) -> nodes.Expr | None:
        """The value, or None. Nothing is told twice of a line with tabs; and after as many
        problems as anybody reads there is no need to look for more."""
        if at.line in self.layout.tabbed or len(self.problems) >= limits.SYNTAX_PROBLEMS:
            return None
        found = self._parse(braces, at)
        if isinstance(found, Problem):
            self.problems.append(where_named(found))
            return None
        return found

    def _parse(self, braces: str, at: Mark) -> nodes.Expr | Problem:
        if len(braces) == 1:
            return _lonely_brace(braces, at)
        text = braces[1:-1]
        if not text.strip():
            help_ = "write a value, such as a name, a number or a sum"
            return Problem("RR115", "no value stands in these braces", at, help=help_)
        place = Place(self.layout, at.line - 1, text, self.parser.spelling, at.column)
        try:
            tree: Any = self.parser.lark.parse(text, start="expr")
        except UnexpectedInput as error:
            return explain_gap(error, place)
        if _MANY_DIGITS.search(text):
            self.problems += _too_many_digits(tree, place)
        value: nodes.Expr = Builder(self.layout, place.offset, self.read, place.shift).build(tree)
        return value


def _lonely_brace(brace: str, at: Mark) -> Problem:
    message = "this `{` is never closed" if brace == "{" else "this `}` closes nothing"
    help_ = "a text has braces around each value that is to be filled in: `{me.gold}`"
    return Problem("RR108", message, at, help=help_)


def _too_many_digits(tree: Tree[Token], place: Place) -> Iterator[Problem]:
    children = (child for each in tree.iter_subtrees() for child in each.children)
    for token in children:
        if isinstance(token, Token) and token.type == "INT" and len(token.lstrip("0")) > _DIGITS:
            mark = place.mark(token.line or 1, token.column or 1, len(token))
            message = f"this number has more than {_DIGITS} digits"
            help_ = "count in a bigger unit: no number may need more than 64 bits"
            yield Problem("RR121", message, mark, help=help_, limit=True)


def _is_of_tabs(problem: Problem, layout: Lines, chunk: Chunk) -> bool:
    """How deep a line with tabs is meant to be nobody knows, so nothing is told of depths either
    in a declaration that has some."""
    if problem.code not in ("RR103", "RR104"):
        return problem.mark.line in layout.tabbed
    last = chunk.offset + chunk.text.count("\n")
    return any(chunk.offset < line <= last for line in layout.tabbed)


def _is_echo(problem: Problem, problems: list[Problem]) -> bool:
    """When a line that was indented too far is taken out, those beside it are left."""
    return bool(problems) and problem.code == problems[-1].code == "RR104"


def _is_further_step(problem: Problem, problems: list[Problem], layout: Lines) -> bool:
    """Steps at the margin come in runs, up to the next declaration; the first one is told."""
    if not problems or not problem.help == problems[-1].help == STEP_AT_MARGIN:
        return False
    between = layout.lines[problems[-1].mark.line : problem.mark.line]
    return not any(line.split(" ")[0] in DECLARATIONS for line in between)


def _without_line(text: str, first: int, last: int) -> str:
    """Blank a line with whatever is indented under it, and the `else` that would miss its `if`."""
    lines = text.split("\n")
    indent = _indent(lines[first - 1])
    for position in range(first - 1, len(lines)):
        line = lines[position]
        if position >= last and line.strip() and _indent(line) <= indent:
            belongs = _indent(line) == indent and re.match(r" *else\b", line)
            if not belongs:
                break
        lines[position] = ""
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _uneven_indent(layout: Lines, chunk: Chunk, text: str) -> Problem:
    """Find the line whose indentation returns to a depth that no line above it has."""
    depths = [0]
    above = 0
    for number, line in enumerate(text.split("\n"), chunk.offset + 1):
        if number not in layout.last_line or not line.strip():
            continue  # inside brackets any indentation is fine
        depth = _indent(line)
        if depth > depths[-1]:
            depths.append(depth)
            continue
        while depths[-1] > depth:
            above = depths.pop()
        if depths[-1] != depth:
            mark = Mark(layout.name, number, depth + 1, number, depth + 2)
            message = "this line is indented to a depth that no line above it has"
            help_ = f"indent it by {depths[-1]} or {above} spaces, like the lines it belongs with"
            return Problem("RR104", message, mark, help=help_)
    mark = Mark(layout.name, chunk.offset + 1, 1, chunk.offset + 1, 2)
    return Problem("RR104", "the indentation of this declaration is uneven", mark)
