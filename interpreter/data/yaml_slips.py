"""What somebody most likely meant to type where YAML cannot be read.

The parser complains where it noticed, often a line or two late. Here the lines around that place
are looked at for what is typed wrong most often; each finder tells it, or passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source

_KEY = r"[A-Za-z_][\w-]*"
_LONGEST = 500  # characters of a line that somebody typed
_Where = tuple[Source, int, int, int]  # the text, and by line: the place, its column, the beginning


def find_slip(source: Source, line: int, column: int, begun: int) -> Problem | None:
    """`begun` is the line on which what cannot be read begins, as far as that is known."""
    if any(len(source.line(number)) > _LONGEST for number in (begun, line - 1, line)):
        return None
    for finder in _FINDERS:
        for found in finder((source, line, column, begun)):
            return found
    return None


def glued_below(source: Source, first: int, last: int) -> Problem | None:
    """A text over several lines of which one was meant to be `name: value`."""
    for number in range(first + 1, min(last, first + 50) + 1):
        for problem in _glued_value((source, number + 1, 1, number)):
            return problem
    return None


def _near(where: _Where) -> list[int]:
    _, line, _, begun = where
    return list(dict.fromkeys(number for number in (begun, line - 1, line) if number > 0))


def _problem(where: _Where, line: int, start: int, end: int, message: str, help_: str) -> Problem:
    mark = Mark(where[0].name, line, start + 1, line, end + 1)
    return Problem("RR020", message, mark, help=help_)


def _glued_value(where: _Where) -> Iterator[Problem]:
    """`cost:2` for `cost: 2`."""
    for number in _near(where):
        found = re.match(
            rf"\s*(?:- +)?({_KEY}):([^\s:/][^#]*?)\s*(?:\s#.*)?$", where[0].line(number)
        )
        if found is not None and ": " not in found[2]:
            message = "A space is missing after this `:`."
            help_ = f"Write `{found[1]}: {found[2]}`."
            yield _problem(where, number, found.start(1), found.end(2), message, help_)


def _colon_in_text(where: _Where) -> Iterator[Problem]:
    """`name: Lamp: old`: a text that looks like a table."""
    source, number, column, _ = where
    line = source.line(number)
    if line[column - 1 : column] != ":":
        return
    for found in re.finditer(rf"({_KEY}): +([^\s\"'\[{{,][^\"\[\]{{}},]*: [^\"\[\]{{}},]*)", line):
        text = found[2].rstrip()
        if found.start(2) < column <= found.end():
            message = "This text has a `: ` in it, which begins a value."
            help_ = f'Put quotes around it: `{found[1]}: "{text}"`.'
            end = found.start(2) + len(text)
            yield _problem(where, number, found.start(2), end, message, help_)


def _glued_dash(where: _Where) -> Iterator[Problem]:
    for number in _near(where):
        found = re.match(r"\s*(-)([\w{\[\"'].*)$", where[0].line(number))
        if found is not None and not found[2][:1].isdigit():
            message = "A space is missing after this `-`."
            help_ = "Write `- ` before every item of a list."
            yield _problem(where, number, found.start(1), found.end(1), message, help_)


def _lost_colon(where: _Where) -> Iterator[Problem]:
    """A bare word, with something indented under it or among lines of `name: value`."""
    source = where[0]
    for number in _near(where):
        opened = re.match(rf" *({_KEY}) ([{{\[].*)$", source.line(number))
        if opened is not None:
            message = f"A `:` is missing after `{opened[1]}`."
            help_ = f"Write `{opened[1]}: {opened[2][0]}...`, with a space after the `:`."
            yield _problem(where, number, opened.start(1), opened.end(1), message, help_)
        found = re.match(rf"( *)({_KEY})\s*(?:#.*)?$", source.line(number))
        if found is None:
            continue
        below = source.line(number + 1)
        beside = [re.match(rf"( *){_KEY}:", source.line(each)) for each in (number - 1, number + 1)]
        help_ = f"Write `{found[2]}: ` and a value."
        if len(below) - len(below.lstrip()) > len(found[1]):
            help_ = f"Write `{found[2]}:`, with what belongs to it indented under it."
        elif not any(one and one[1] == found[1] for one in beside):
            continue
        message = f"A `:` is missing after `{found[2]}`."
        yield _problem(where, number, found.start(2), found.end(2), message, help_)


def _lost_dash(where: _Where) -> Iterator[Problem]:
    """An item among others that have dashes."""
    source = where[0]
    for number in _near(where):
        here = re.match(r"( *)(?=[^\s-])", source.line(number))
        beside = [re.match(r"( *)- ", source.line(each)) for each in (number - 1, number + 1)]
        if here is not None and any(one and one[1] == here[1] for one in beside):
            start = len(here[1])
            message = "The items around this one begin with `- `."
            help_ = "Write `- ` before it too, or indent it if it belongs to the item above."
            yield _problem(where, number, start, len(source.line(number)), message, help_)


def _uneven(where: _Where) -> Iterator[Problem]:
    """A name of a table that is not indented like the one above it."""
    source, number, _, _ = where
    here = re.match(rf"( *){_KEY}: ?", source.line(number))
    above = re.match(rf"( *)(- +)?{_KEY}: +\S", source.line(number - 1))
    if here is None or above is None:
        here = re.match(r"( *)- ", source.line(number))
        above = re.match(r"( *)()- ", source.line(number - 1))
    if here is None or above is None:
        return
    wanted, width = len(above[1]) + len(above[2] or ""), len(here[1])
    if width != wanted:
        by = f"{width} space" if width == 1 else f"{width} spaces"
        message = f"This line is indented by {by}, and the one above it by {wanted}."
        help_ = f"Indent it by {wanted} if both belong together."
        if above[2]:
            message = f"This line is indented by {by}, and its item begins at {wanted}."
        yield _problem(where, number, 0, max(width, 1), message, help_)


def _never_closed(where: _Where) -> Iterator[Problem]:
    """A bracket that is still open on a later line."""
    source, number, _, begun = where
    line = source.line(begun)
    for opening, closing in ("{}", "[]"):
        if begun < number and line.count(opening) > line.count(closing):
            start = line.rindex(opening)
            message = f"This `{opening}` is never closed."
            help_ = f"Write `{closing}` where it ends, probably at the end of this line."
            yield _problem(where, begun, start, start + 1, message, help_)


def _open_quote(where: _Where) -> Iterator[Problem]:
    source, number, _, begun = where
    line = source.line(begun)
    for quote in ("'", '"'):
        if begun < number and line.count(quote) == 1:
            start = line.index(quote)
            message = f"The text that begins with this `{quote}` has no end."
            help_ = f"Write the closing `{quote}`, or `''` for an apostrophe inside such quotes."
            yield _problem(where, begun, start, start + 1, message, help_)


def _comment_in_brackets(where: _Where) -> Iterator[Problem]:
    for number in _near(where):
        found = re.search(r"[{\[][^}\]]*\s(#[^}\]]*[}\]])", where[0].line(number))
        if found is not None:
            message = "Behind ` #` stands a comment, and the bracket is not closed before it."
            help_ = "Put quotes around a text that has a `#` in it."
            yield _problem(where, number, found.start(1), found.end(1), message, help_)


_FINDERS: tuple[Callable[[_Where], Iterator[Problem]], ...] = (
    _colon_in_text,
    _glued_value,
    _glued_dash,
    _comment_in_brackets,
    _open_quote,
    _never_closed,
    _uneven,
    _lost_dash,
    _lost_colon,
)
