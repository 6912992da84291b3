"""What turning Lark's tree into our nodes rests on: the way through it, and marks."""

from __future__ import annotations

import re
from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from interpreter.report.source import Mark
from interpreter.tree.lines import Lines

Children = list[Any]
_CITES = re.compile(r"(\s*\[[A-Z][A-Z0-9]*-[^\]]*\])+\s*$")


class NodeBuilder:
    """Built for one declaration that starts `offset` lines into its file.

    A subclass has a method for each alternative of rules.lark, called like it.
    """

    def __init__(self, layout: Lines, offset: int) -> None:
        self.layout = layout
        self.offset = offset

    def build(self, tree: Tree[Token]) -> Any:
        """Not recursive, because a long sum is a deep tree: how deep is too deep is for
        parse.py."""
        found = [tree]  # each tree before what is inside it
        for each in found:
            found += [child for child in each.children if isinstance(child, Tree)]
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
            meta.column,
            meta.end_line + self.offset,
            meta.end_column,
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
