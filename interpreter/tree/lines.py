"""Reads a file as lines before any grammar: comments, indentation, brackets, declarations.

The grammar sees one declaration at a time with comments taken out; what was taken out is
kept here by line, for the tree to pick up again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter import limits
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source


@dataclass(slots=True)
class Chunk:
    """One declaration: `text` starts at line `offset + 1` of the file."""

    offset: int
    text: str


@dataclass(slots=True)
class Layout:
    name: str
    lines: list[str]
    chunks: list[Chunk] = field(default_factory=list)
    before: dict[int, tuple[str, ...]] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)
    last_line: dict[int, int] = field(default_factory=dict)
    closing: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)

    def comments_of(self, line: int) -> tuple[tuple[str, ...], str | None]:
        return self.before.get(line, ()), self.after.get(line)

    def last_line_of(self, line: int) -> int:
        """Where the logical line that begins here ends; brackets carry it over."""
        return self.last_line.get(line, line)


def read_lines(source: Source) -> Layout:
    lines = source.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    layout = Layout(source.name, lines)
    pending: list[str] = []
    code: list[str] = []
    start = 0  # line on which the current logical line began; 0: none is open
    depth = 0
    opened: Mark | None = None
    indents = [0]
    chunk_starts: list[int] = []
    for number, raw in enumerate(lines, 1):
        text, comment, depth_after = _split_comment(raw, depth)
        if "\t" in text:
            column = text.index("\t") + 1
            mark = Mark(source.name, number, column, number, column + 1)
            message = "a tab stands here, and nobody can see how wide it is meant to be"
            help_ = "indent with spaces, four for each level"
            layout.problems.append(Problem("RR109", message, mark, help=help_))
            text = text.replace("\t", "    ")
        blank = not text.strip()
        if blank and depth == 0:
            if comment is not None:
                pending.append(comment)
            code.append("")
            continue
        if depth == 0:
            start = number
            layout.before[number] = tuple(pending)
            pending = []
            indent = len(text) - len(text.lstrip(" "))
            while indents[-1] > indent:
                indents.pop()
            if indent > indents[-1]:
                indents.append(indent)
            if len(indents) > limits.NESTING:
                layout.problems.append(_too_deep(source.name, number, indent + 1))
                return layout
            if indent == 0:
                chunk_starts.append(number)
        if comment is not None:
            if start in layout.after or depth_after > 0:
                layout.before[start] = (*layout.before[start], comment)
            else:
                layout.after[start] = comment
        if depth_after > limits.NESTING:
            layout.problems.append(_too_deep(source.name, number, 1))
            return layout
        if depth == 0 and depth_after > 0:
            column = len(text.rstrip())
            opened = Mark(source.name, number, column, number, column + 1)
        if depth_after < 0:
            column = max(text.rfind(")"), text.rfind("]")) + 1
            mark = Mark(source.name, number, column, number, column + 1)
            layout.problems.append(
                Problem("RR108", "this bracket closes nothing", mark, help="take it away")
            )
            depth_after = 0
        depth = depth_after
        layout.last_line[start] = number
        code.append(text.rstrip())
    if depth > 0 and opened is not None:
        help_ = "add the missing `)` or `]`"
        layout.problems.append(
            Problem("RR108", "a bracket that opens on this line is never closed", opened, help=help_)
        )
        return layout
    layout.closing = tuple(pending)
    for position, first in enumerate(chunk_starts):
        end = chunk_starts[position + 1] - 1 if position + 1 < len(chunk_starts) else len(code)
        layout.chunks.append(Chunk(first - 1, "\n".join(code[first - 1 : end]).rstrip() + "\n"))
    return layout


def _split_comment(raw: str, depth: int) -> tuple[str, str | None, int]:
    """The code of a line, its comment, and the bracket depth after it."""
    if '"' not in raw and "#" not in raw:
        return raw, None, depth + _brackets(raw)
    inside = False
    for position, sign in enumerate(raw):
        if sign == '"':
            inside = not inside
        elif inside:
            continue
        elif sign == "#":
            return raw[:position], raw[position + 1 :].strip(), depth
        elif sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
    return raw, None, depth


def _brackets(text: str) -> int:
    return text.count("(") + text.count("[") - text.count(")") - text.count("]")


def _too_deep(name: str, line: int, column: int) -> Problem:
    message = f"this is nested more than {limits.NESTING} levels deep"
    help_ = "give the inner part a name of its own, as a procedure or a function"
    mark = Mark(name, line, column, line, column + 1)
    return Problem("RR112", message, mark, help=help_, limit=True)
