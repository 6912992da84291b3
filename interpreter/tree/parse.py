"""Text in, tree and problems out. Never raises on a bad file.

A file is cut into declarations at its unindented lines and each is parsed by itself. When a
line cannot be read, it is reported and taken out, and the declaration is tried again: so
several mistakes in one file are told at once, and none is told twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, UnexpectedInput
from lark.indenter import DedentError, Indenter

from interpreter import limits
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source
from interpreter.tree import nodes
from interpreter.tree.build import Builder
from interpreter.tree.lines import Chunk, Layout, read_lines
from interpreter.tree.mistakes import explain_mistake

GRAMMAR = Path(__file__).with_name("rules.lark")


class _Indentation(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def __init__(self) -> None:
        super().__init__()
        self.tokens = 0

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.paren_level = 0
        self.indent_level = [0]
        for token in self._process(stream):
            self.tokens += 1
            yield token


class _Parser:
    def __init__(self) -> None:
        self.indentation = _Indentation()
        self.lark = Lark(
            GRAMMAR.read_text("utf-8"),
            parser="lalr",
            lexer="contextual",
            postlex=self.indentation,
            propagate_positions=True,
            maybe_placeholders=True,
            start=["declaration", "expr"],
        )


@cache
def _parser() -> _Parser:
    return _Parser()


def keywords() -> frozenset[str]:
    """Every word the grammar reserves; no declared thing may be called so."""
    words = {terminal.pattern.value for terminal in _parser().lark.terminals}
    places = {"stack", "row", "set", "hand", "slot", "bag", "pool"}
    return frozenset(word for word in words if word.isalpha()) - {"hex", "line"} | places


def parse(source: Source) -> tuple[nodes.Tree, list[Problem]]:
    layout = read_lines(source)
    problems = layout.problems
    declarations: list[nodes.Declaration] = []
    parser = _parser()
    parser.indentation.tokens = 0
    for chunk in layout.chunks:
        declaration = _parse_chunk(parser, layout, chunk, problems)
        if declaration is not None:
            declarations.append(declaration)
        if len(problems) >= limits.SYNTAX_PROBLEMS:
            break
        if parser.indentation.tokens > limits.TOKENS:
            mark = Mark(layout.name, chunk.offset + 1, 1, chunk.offset + 1, 2)
            message = f"the file has more than {limits.TOKENS} words and signs"
            help_ = "move a part of it to a file of its own and `include` that"
            problems.append(Problem("RR113", message, mark, help=help_, limit=True))
            break
    return nodes.Tree(tuple(declarations), layout.closing), problems[: limits.SYNTAX_PROBLEMS]


def parse_expression(text: str, at: Mark) -> nodes.Expr | Problem:
    """An expression standing alone, as in the braces of a text or at a prompt."""
    layout = Layout(at.file, [text])
    try:
        tree = _parser().lark.parse(text, start="expr")
    except (UnexpectedInput, DedentError):
        return Problem("RR115", f"`{text}` is not an expression", at)
    found: nodes.Expr = Builder(layout, at.line - 1).transform(tree)
    return found


def _parse_chunk(
    parser: _Parser, layout: Layout, chunk: Chunk, problems: list[Problem]
) -> nodes.Declaration | None:
    text = chunk.text
    last_line = 0
    for _ in range(5):
        try:
            tree: Any = parser.lark.parse(text, start="declaration")
        except DedentError:
            problems.append(_uneven_indent(layout, chunk, text))
            return None
        except UnexpectedInput as error:
            line = _line_of(error, text)
            if last_line and (line <= last_line or _is_echo(error)):
                return None  # an echo of the line already taken out
            problems.append(explain_mistake(error, text, line, layout.name, chunk.offset))
            text = _without_line(text, line)
            last_line = line
            if not text.strip() or line == 1:
                return None
            continue
        declaration: nodes.Declaration = Builder(layout, chunk.offset).transform(tree)
        return declaration
    return None


def _line_of(error: UnexpectedInput, text: str) -> int:
    line = getattr(error, "line", None)
    token = getattr(error, "token", None)
    if isinstance(token, Token) and token.type in ("_NL", "_DEDENT", "_INDENT", "$END"):
        line = token.line
    if not isinstance(line, int) or line < 1:
        return text.count("\n")
    return line


def _is_echo(error: UnexpectedInput) -> bool:
    token = getattr(error, "token", None)
    return isinstance(token, Token) and token.type in ("_DEDENT", "_INDENT", "$END")


def _without_line(text: str, number: int) -> str:
    """Blank a line and whatever is indented under it."""
    lines = text.split("\n")
    head = lines[number - 1]
    indent = len(head) - len(head.lstrip(" "))
    lines[number - 1] = ""
    for position in range(number, len(lines)):
        line = lines[position]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            break
        lines[position] = ""
    return "\n".join(lines)


def _uneven_indent(layout: Layout, chunk: Chunk, text: str) -> Problem:
    """Find the line whose indentation returns to a depth that no line above it has."""
    depths = [0]
    for number, line in enumerate(text.split("\n"), chunk.offset + 1):
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip(" "))
        if depth > depths[-1]:
            depths.append(depth)
            continue
        while depths[-1] > depth:
            depths.pop()
        if depths[-1] != depth:
            mark = Mark(layout.name, number, depth + 1, number, depth + 2)
            message = "this line is indented to a depth that no line above it has"
            help_ = f"indent it by {depths[-1]} spaces like the lines it belongs with"
            return Problem("RR104", message, mark, help=help_)
    mark = Mark(layout.name, chunk.offset + 1, 1, chunk.offset + 1, 2)
    return Problem("RR104", "the indentation of this declaration is uneven", mark)
