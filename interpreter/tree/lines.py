"""Reads a file as lines before any grammar: comments, indentation, brackets, declarations.

The grammar sees one declaration at a time with comments taken out; what was taken out is
kept here by line, for the tree to pick up again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter import limits
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source

# The first words of declarations.
_FIRST_WORDS = (
    "game players data clauses include option require enum kind table board constant the each "
    "history group function quantity event procedure action phase ability setup play score winner "
    "always ends scenario steps"
)
DECLARATIONS = _FIRST_WORDS.split()


@dataclass(slots=True)
class Chunk:
    """One declaration: `text` starts at line `offset + 1` of the file.

    A broken one has a problem that was already told and that leaves nothing sure to read.
    """

    offset: int
    text: str
    broken: bool = False


@dataclass(slots=True)
class Lines:
    name: str
    lines: list[str]
    chunks: list[Chunk] = field(default_factory=list)
    before: dict[int, tuple[str, ...]] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)
    last_line: dict[int, int] = field(default_factory=dict)
    widths: dict[int, int] = field(default_factory=dict)  # of lines without their comments
    closing: tuple[str, ...] = ()
    # Comments with an empty line below, and how many declarations begin above them.
    remarks: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    tabbed: set[int] = field(default_factory=set)  # lines on which columns cannot be trusted
    problems: list[Problem] = field(default_factory=list)

    def comments_of(self, line: int) -> tuple[tuple[str, ...], str | None]:
        return self.before.get(line, ()), self.after.get(line)

    def last_line_of(self, line: int) -> int:
        """Where the logical line that begins here ends; brackets carry it over."""
        return self.last_line.get(line, line)

    def first_line_of(self, line: int) -> int:
        """Where the logical line that this line belongs to begins."""
        first = line
        while first > 1 and first not in self.last_line:
            first -= 1
        return first if self.last_line_of(first) >= line else line


def read_lines(source: Source) -> Lines:
    lines = source.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    reader = _Reader(Lines(source.name, lines))
    for number, raw in enumerate(lines, 1):
        if not reader.read(number, raw):
            break
    reader.finish()
    return reader.layout


@dataclass(slots=True)
class _Reader:
    """Walks down a file; `start` is the line on which the current logical line began."""

    layout: Lines
    code: list[str] = field(default_factory=list)
    pending: list[str | None] = field(default_factory=list)  # comments, None for an empty line
    start: int = 0
    opened: list[Mark] = field(default_factory=list)
    indents: list[int] = field(default_factory=lambda: [0])
    chunk_starts: list[int] = field(default_factory=list)
    broken: set[int] = field(default_factory=set)
    tabs: list[Mark] = field(default_factory=list)
    deepest: Mark | None = None  # the first bracket inside too many others
    too_deep: bool = False

    def read(self, number: int, raw: str) -> bool:
        """Take in one line; False when the rest of the file cannot be read."""
        if self.opened and _begins_declaration(raw):
            self._never_closed()
        open_before = bool(self.opened)
        text, comment = self._split_comment(number, raw)
        if "\t" in text:
            text = self._without_tabs(number, text)
        if not text.strip() and not open_before:
            if comment is not None:
                self.pending.append(comment)
            elif self.pending:
                self.pending.append(None)
            self.code.append("")
            return True
        if not open_before:
            text = self._begin_line(number, text)
        if comment is not None:
            self._keep_comment(comment)
        self.layout.last_line[self.start] = number
        self.layout.widths[number] = len(text.rstrip())
        self.code.append(text.rstrip())
        if self.deepest is not None:
            self._too_deep(self.deepest)
        return not self.too_deep

    def finish(self) -> None:
        if self.opened and not self.too_deep:
            self._never_closed()
        if self.tabs:
            self.layout.problems.append(_tab_problem(self.tabs))
        while self.pending and self.pending[-1] is None:
            self.pending.pop()
        self.layout.closing = self._below_remarks()
        ends = [*(first - 1 for first in self.chunk_starts[1:]), len(self.code)]
        for first, end in zip(self.chunk_starts, ends, strict=False):
            text = "\n".join(self.code[first - 1 : end]).rstrip() + "\n"
            self.layout.chunks.append(Chunk(first - 1, text, first in self.broken))

    # ---- one line

    def _begin_line(self, number: int, text: str) -> str:
        self.start = number
        indent = len(text) - len(text.lstrip(" "))
        if indent and not self.chunk_starts:
            # Nothing above could own this line. Read on as if it were not indented.
            self.layout.problems.append(_indented_first(self._mark(number, 1, indent)))
            text, indent = text.lstrip(" "), 0
        all_above = tuple(each for each in self.pending if each is not None)
        self.layout.before[number] = all_above if indent else self._below_remarks()
        self.pending = []
        while self.indents[-1] > indent:
            self.indents.pop()
        if indent > self.indents[-1]:
            self.indents.append(indent)
        if indent == 0:
            self.chunk_starts.append(number)
        if len(self.indents) > limits.NESTING:
            self._too_deep(self._mark(number, indent + 1))
        return text

    def _below_remarks(self) -> tuple[str, ...]:
        """The comments right above what follows; those with an empty line below are remarks."""
        paragraphs: list[list[str]] = [[]]
        for comment in self.pending:
            if comment is not None:
                paragraphs[-1].append(comment)
            elif paragraphs[-1]:
                paragraphs.append([])
        above = len(self.chunk_starts)
        self.layout.remarks += [(above, tuple(comments)) for comments in paragraphs[:-1]]
        return tuple(paragraphs[-1])

    def _keep_comment(self, comment: str) -> None:
        # Only the last line of a logical line has an end that the formatter keeps.
        if self.start in self.layout.after or self.opened:
            self.layout.before[self.start] = (*self.layout.before[self.start], comment)
        else:
            self.layout.after[self.start] = comment

    def _split_comment(self, number: int, raw: str) -> tuple[str, str | None]:
        """The code of a line and its comment; the brackets of the code are counted."""
        inside = False
        text = raw
        for position, sign in enumerate(raw):
            if sign == '"':
                inside = not inside
            elif inside:
                continue
            elif sign == "#":
                return text[:position], raw[position + 1 :].strip()
            elif sign in "([":
                self.opened.append(self._mark(number, position + 1))
                if len(self.opened) > limits.NESTING:
                    self.deepest = self.deepest or self.opened[-1]
            elif sign in ")]":
                if self.opened:
                    self.opened.pop()
                    continue
                mark = self._mark(number, position + 1)
                message = f"this `{sign}` closes nothing"
                help_ = "take it away, or open the bracket it should close"
                self.layout.problems.append(Problem("RR108", message, mark, help=help_))
                text = text[:position] + " " + text[position + 1 :]
        return text, None

    def _without_tabs(self, number: int, text: str) -> str:
        column = text.index("\t") + 1
        self.tabs.append(self._mark(number, column))
        self.layout.tabbed.add(number)
        lead = text[: len(text) - len(text.lstrip(" \t"))]
        return lead.expandtabs(4) + text[len(lead) :].replace("\t", " ")

    # ---- problems

    def _never_closed(self) -> None:
        mark = self.opened[-1]
        sign = self.layout.lines[mark.line - 1][mark.column - 1]
        closing = ")" if sign == "(" else "]"
        message = f"this `{sign}` is never closed"
        help_ = f"type `{closing}` where what belongs inside it ends"
        self.layout.problems.append(Problem("RR108", message, mark, help=help_))
        self.opened.clear()
        self.broken.add(self.chunk_starts[-1] if self.chunk_starts else 1)

    def _too_deep(self, mark: Mark) -> None:
        if not self.too_deep:
            self.layout.problems.append(too_deep(mark))
            self.broken.add(self.chunk_starts[-1] if self.chunk_starts else 1)
        self.too_deep = True

    def _mark(self, line: int, column: int, width: int = 1) -> Mark:
        return Mark(self.layout.name, line, column, line, column + width)


def _begins_declaration(raw: str) -> bool:
    return raw[:1].isalpha() and raw.split(maxsplit=1)[0] in DECLARATIONS


def _indented_first(mark: Mark) -> Problem:
    message = "this line is indented, but nothing above it opens a block"
    help_ = "a declaration begins at the left margin: take the spaces away"
    return Problem("RR104", message, mark, help=help_)


def _tab_problem(tabs: list[Mark]) -> Problem:
    message = "a tab stands here, and nobody can see how wide it is meant to be"
    if len(tabs) > 1:
        more = len(tabs) - 1
        message += f" (as on {more} more line{'s' if more > 1 else ''})"
    help_ = "indent with spaces, four for each level"
    return Problem("RR109", message, tabs[0], help=help_)


def too_deep(mark: Mark, *, branch: bool = False) -> Problem:
    message = f"this is nested more than {limits.NESTING} levels deep"
    help_ = "give the inner part a name of its own, as a procedure or a function"
    if branch:
        message = "this is one branch too many for one `if`"
        help_ = "go through some of them in a procedure of its own, or put them into a table"
    return Problem("RR112", message, mark, help=help_, limit=True)
