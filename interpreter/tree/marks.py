"""Smaller marks: the guilty word of a line, where a node knows only the whole of it.

Words are found by counting from the start of the node, as the formatter spaces them. On a line
with other spaces the mark may be a little off, and it never leaves its line.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.phrases import say_printed


def name_mark(expr: nodes.Node) -> Mark:
    """The name in an access: `gold` in `p.gold`, `worth` in `worth(c)`."""
    match expr:
        case nodes.Call() | nodes.Index():
            return name_mark(expr.target)
        case nodes.Dot():
            start = expr.mark.end_column - len(expr.name)
            return replace(expr.mark, line=expr.mark.end_line, column=start)
        case _:
            return expr.mark


def first_words(mark: Mark, words: str) -> Mark:
    """The beginning of a line, such as `phase market`."""
    return part(mark, 0, len(words))


def last_word(mark: Mark, word: str) -> Mark:
    """The end of a line that ends in this word."""
    width = mark.end_column - mark.column
    return part(mark, width - len(word), len(word))


def part(mark: Mark, offset: int, length: int) -> Mark:
    """A stretch of a mark, if it has so many columns; else the whole mark."""
    start = mark.column + offset
    if mark.line != mark.end_line or offset < 0 or start + length > mark.end_column:
        return mark
    return Mark(mark.file, mark.line, start, mark.line, start + length)


def declared_mark(declaration: nodes.Node) -> Mark:
    """A declaration's first word and its name."""
    word = _WORDS.get(type(declaration)) or getattr(declaration, "word", "")
    name = getattr(declaration, "name", "")
    return first_words(declaration.mark, f"{word} {name}" if word else str(name))


def member_mark(enum: nodes.Enum, number: int) -> Mark:
    """The n-th member in `enum Suit: hearts, spades`."""
    before = say_printed(enum.members[:number], enum.printed[:number])
    offset = len(f"enum {enum.name}: {before}") + (2 if number else 0)
    return part(enum.mark, offset, len(enum.members[number]))


def listed_mark(member: nodes.Member, number: int) -> Mark:
    """The n-th name in `wins, losses: int`."""
    before = say_printed(member.names[:number], member.printed[:number])
    return part(member.mark, len(before) + (2 if number else 0), len(member.names[number]))


def action_mark(choose: nodes.ChooseActions, number: int) -> Mark:
    """The n-th action in `choose buy or sell`."""
    if number > _COUNTED:
        return choose.mark
    offset = choose.chooser.mark.end_column - choose.mark.column + 1
    offset += sum(len(each) + len(" or ") for each in choose.actions[:number])
    return part(choose.mark, offset, len(choose.actions[number]))


_COUNTED = 100  # beyond that, finding every place would take longer than anybody looks
_WORDS: dict[type, str] = {
    nodes.Enum: "enum", nodes.Board: "board", nodes.Constant: "constant", nodes.Setting: "option",
    nodes.Function: "function", nodes.Quantity: "quantity", nodes.Group: "group",
    nodes.Phase: "phase", nodes.Action: "action", nodes.Ability: "ability", nodes.Let: "let",
    nodes.LetRandom: "let", nodes.History: "history",
}  # fmt: skip
