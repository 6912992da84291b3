"""What turning Lark's tree into our nodes rests on: the way through it, and marks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.lines import Lines

Children = list[Any]
# Reads what stands in the braces of a text, which have this mark, or a brace without its other
# half; gives None for what cannot be read, after telling why.
ReadGap = Callable[[str, Mark], nodes.Expr | None]
_BRACES = re.compile(r"\{[^{}]*\}|[{}]")
_CITES = re.compile(r"(\s*\[[A-Z][A-Z0-9]*-[^\]]*\])+\s*$")


class NodeBuilder:
    """Built for one declaration that starts `offset` lines into its file, or for one value that
    also starts `shift` columns into its line.

    A subclass has a method for each alternative of rules.lark, called like it.
    """

    def __init__(self, layout: Lines, offset: int, read_gap: ReadGap, shift: int = 0) -> None:
        self.layout = layout
        self.offset = offset
        self.read_gap = read_gap
        self.shift = shift

    def build(self, tree: Tree[Token]) -> Any:
        """In the order of the text. Not recursive, because a long sum is a deep tree: how deep is
        too deep is for parse.py."""
        found: list[Tree[Token]] = []  # each tree before what is inside it, the last part first
        waiting = [tree]
        while waiting:
            found.append(waiting.pop())
            waiting += [child for child in found[-1].children if isinstance(child, Tree)]
        built: dict[int, Any] = {}
        for each in reversed(found):
            items = [built[id(c)] if isinstance(c, Tree) else c for c in each.children]
            built[id(each)] = getattr(self, each.data)(each.meta, items)
        return built[id(tree)]

    def _mark(self, meta: Meta) -> Mark:
        if meta.empty:
            return Mark(self.layout.name, self.offset + 1, 1, self.offset + 1, 1)
        return Mark(
            self.layout.name,
            meta.line + self.offset,
            meta.column + self.shift,
            meta.end_line + self.offset,
            meta.end_column + self.shift,
        )

    def _line(self, meta: Meta, cites: tuple[str, ...], end: int | None = None) -> dict[str, Any]:
        """The keyword arguments every `Line` node takes.

        The mark covers the head of a block, not the whole block, because a problem with a
        block is a problem with the line that opens it.
        """
        mark = self._mark(meta)
        first = mark.line
        last = self.layout.last_line_of(first)
        if mark.end_line > last:
            mark = Mark(mark.file, first, mark.column, last, self._end_of(last, bool(cites)))
        elif mark.end_column == 1 and mark.end_line > first:
            mark = Mark(mark.file, first, mark.column, first, mark.column + 1)
        before, after = self.layout.comments_of(first)
        return {"mark": mark, "cites": cites, "before": before, "after": after}

    def _end_of(self, line: int, has_cites: bool) -> int:
        """The column where a line's own words end, before citations and comments."""
        text = self.layout.lines[line - 1]
        text = text[: self.layout.widths.get(line, len(text))]
        return len(_CITES.sub("", text) if has_cites else text.rstrip()) + 1

    def _text(self, token: Token) -> nodes.Text:
        """A text with its gaps; what cannot be read of them stays as it was typed."""
        line, column = (token.line or 1) + self.offset, token.column or 1
        mark = Mark(self.layout.name, line, column, line, column + len(token))
        parts: list[str] = []
        gaps: list[nodes.Expr] = []
        last = 1
        for found in _BRACES.finditer(token):
            start, end = column + found.start(), column + found.end()
            gap = self.read_gap(found[0], Mark(mark.file, line, start, line, end))
            if gap is not None:
                parts.append(token[last : found.start()])
                gaps.append(gap)
                last = found.end()
        parts.append(token[last:-1])
        return nodes.Text(tuple(parts), tuple(gaps), mark=mark)

    def _text_if_any(self, token: Token | None) -> nodes.Text | None:
        return None if token is None else self._text(token)

    def cites(self, meta: Meta, items: Children) -> tuple[str, ...]:
        found: list[str] = []
        for token in items:
            found.extend(part.strip() for part in token[1:-1].split(","))
        return tuple(found)


def text_of(token: Token | None) -> str | None:
    return None if token is None else token[1:-1]


def integer_of(digits: str) -> int:
    # Cut to a value that is still out of range, because turning very many digits into an exact
    # integer takes quadratic time. parse.py reports such a number.
    return int(digits.lstrip("0")[:20] or "0")
