"""YAML in, a tree of marked values out, for files nobody vouches for.

Only the parser of PyYAML is used, one event at a time. Its loaders and composer must never see a
user's text: they crash on deep nesting, explode on nested aliases, let the last of two equal keys
win and read `no` as false. Here every bound is counted while reading, anchors, aliases, tags and
merge keys are refused, and plain words get their meaning from the core schema of YAML 1.2, with
two differences: a number that opens with a zero (`012`) is text, because it is somebody's label,
and a key is always text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from interpreter import limits
from interpreter.data.yaml_slips import find_slip, glued_below
from interpreter.data.yaml_tree import Mapping, Node, Plain, Scalar, Sequence
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source, too_long

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same events, twenty times faster


def compose(source: Source) -> tuple[Node | None, list[Problem]]:
    """The tree of a YAML text and what is wrong with it; no tree if reading had to stop."""
    if len(source.text.encode(errors="replace")) > limits.YAML_BYTES:
        return None, [too_long(source.name, limits.YAML_BYTES)]
    if unreadable := _UNREADABLE.search(source.text):
        mark = source.mark(unreadable.start(), unreadable.end())
        message = f"The character U+{ord(unreadable[0]):04X} found here cannot stand in a text."
        return None, [Problem("RR005", message, mark, help="Delete it; it shows as nothing.")]
    composer = _Composer(source)
    try:
        return composer.compose(), composer.problems
    except _Stop as stop:
        return None, [*composer.problems, stop.problem]


# --- From events to nodes -------------------------------------------------------------------


class _Stop(Exception):
    """Nothing after this point can be read."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@dataclass(slots=True)
class _Open:
    """A collection that has begun and not ended yet."""

    event: Any
    is_mapping: bool
    items: list[Node] = field(default_factory=list)
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)
    key: Scalar | None = None  # waiting for its value

    @property
    def wants_key(self) -> bool:
        return self.is_mapping and self.key is None


class _Composer:
    """Builds the tree with a stack of its own, so that depth is a number and not a crash."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.open: list[_Open] = []
        self.root: Node | None = None

    def compose(self) -> Node:
        for count, event in enumerate(self._events()):
            if count >= limits.YAML_EVENTS:
                message = f"There is too much here: at most {limits.YAML_EVENTS} values are read."
                raise self._stop("RR011", message, event, "Split the file.", limit=True)
            match event:
                case yaml.ScalarEvent():  # first, because most events are
                    self._refuse_properties(event)
                    self._put(self._scalar(event))
                case yaml.DocumentStartEvent() if self.root is not None:
                    message = "A second document begins here, and one file holds one."
                    raise self._stop("RR026", message, event, "Take out the line with `---`.")
                case yaml.AliasEvent():
                    self._refuse_alias(event)
                    self._put(Scalar(None, self._mark(event), ""))
                case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                    self._refuse_properties(event)
                    self._enter(event)
                case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                    self._leave(event)
        return self.root or Scalar(None, Mark.top(self.source.name), "")

    def _events(self) -> Iterator[Any]:
        try:
            yield from yaml.parse(self.source.text, _LOADER)
        except yaml.MarkedYAMLError as error:
            raise _Stop(_syntax_problem(self.source, error)) from None
        except yaml.YAMLError as error:
            top = Mark.top(self.source.name)
            raise _Stop(Problem("RR020", f"This is not YAML: {error}.", top)) from None

    def _enter(self, event: Any) -> None:
        if len(self.open) >= limits.YAML_DEPTH:
            message = f"This is nested too deep: at most {limits.YAML_DEPTH} levels are accepted."
            raise self._stop("RR010", message, event, "Flatten the table.", limit=True)
        if self.open and self.open[-1].wants_key:
            message = "A list or table is found where a name is accepted."
            raise self._stop("RR027", message, event, "Put quotes around it if it is text.")
        self.open.append(_Open(event, isinstance(event, yaml.MappingStartEvent)))

    def _leave(self, event: Any) -> None:
        done = self.open.pop()
        start, end = done.event.start_mark.index, event.end_mark.index
        if event.start_mark.index == event.end_mark.index:
            # Indentation ends a collection where the next thing begins. Its last value is the
            # better end to show.
            last = done.entries[-1][1] if done.entries else done.items[-1] if done.items else None
            mark = self.source.mark(start, start)
            if last is not None:
                mark = Mark(
                    mark.file, mark.line, mark.column, last.mark.end_line, last.mark.end_column
                )
        else:
            mark = self.source.mark(start, end)
        if done.is_mapping:
            self._put(Mapping(tuple(done.entries), mark))
        else:
            self._put(Sequence(tuple(done.items), mark))

    def _put(self, node: Node) -> None:
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        if parent.key is not None:
            parent.entries.append((parent.key, node))
            parent.key = None
        elif parent.is_mapping:
            assert isinstance(node, Scalar)  # _enter refuses the others
            self._refuse_duplicate(node, parent)
            parent.key = node
        else:
            parent.items.append(node)

    def _scalar(self, event: Any) -> Scalar:
        text: str = event.value
        mark = self._mark(event)
        if len(text.encode(errors="replace")) > limits.YAML_SCALAR_BYTES:
            size = limits.YAML_SCALAR_BYTES // 1024
            message = f"This text is too long: at most {size} KiB are accepted."
            raise self._stop("RR012", message, event, "Is a closing quote missing?", limit=True)
        is_plain = not event.style
        if is_plain and mark.end_line > mark.line:
            glued = glued_below(self.source, mark.line, mark.end_line)
            if glued is not None:
                raise _Stop(glued)
        if self.open and self.open[-1].wants_key:
            if is_plain and text == "<<":
                message = "The merge key `<<` is found, and it is not accepted."
                self._add("RR024", message, mark, "Write the shared values out.")
            return Scalar(text, mark, text)
        return Scalar(self._value(text, mark) if is_plain else text, mark, text)

    def _value(self, text: str, mark: Mark) -> Plain:
        if text in _WORDS:
            return _WORDS[text]
        if number := _INTEGER.fullmatch(text):
            value = _to_int(number)
            if value is not None:
                return value
            message = "This number is too big: whole numbers have at most 64 bits."
            self._add("RR029", message, mark, "Put quotes around it if it is a label.")
        elif _FLOAT.fullmatch(text):
            message = f"The number {text[:40]} is not whole, and only whole numbers are accepted."
            self._add("RR028", message, mark, _FLOAT_HELP)
        return text

    def _refuse_alias(self, event: Any) -> None:
        message = f"The alias `*{event.anchor}` is found, and every value is written out here."
        self._add("RR022", message, self._mark(event), "Write the value again in this place.")

    def _refuse_properties(self, event: Any) -> None:
        """Refuse an anchor or a tag before a value."""
        if event.anchor is None and event.tag is None:
            return
        # The parser begins the value's mark at its first property.
        start = event.start_mark.index
        mark = self.source.mark(start, start + 1)
        if event.anchor is not None:
            message = f"The anchor `&{event.anchor}` is found, and anchors are not accepted."
            self._add("RR022", message, mark, "Delete it, and write the value where it is used.")
        if event.tag is not None:
            message = f"The tag `{event.tag}` is found, and tags are not accepted."
            self._add("RR023", message, mark, "Delete it, or put quotes around the whole text.")

    def _refuse_duplicate(self, key: Scalar, parent: _Open) -> None:
        first = parent.keys.setdefault(key.text, key)
        if first is not key:
            message = f"The name `{key.text[:40]}` is given twice in this table."
            notes = ((first.mark, "It is given here first."),)
            self._add("RR025", message, key.mark, "Delete or rename one of the two.", notes)

    def _add(
        self,
        code: str,
        message: str,
        mark: Mark,
        help: str,
        notes: tuple[tuple[Mark, str], ...] = (),
    ) -> None:
        if len(self.problems) < limits.SYNTAX_PROBLEMS:
            self.problems.append(Problem(code, message, mark, "error", notes, help))

    def _stop(
        self, code: str, message: str, event: Any, help: str, *, limit: bool = False
    ) -> _Stop:
        start = event.start_mark.index
        end = max(start + 1, event.end_mark.index)
        return _Stop(Problem(code, message, self.source.mark(start, end), help=help, limit=limit))

    def _mark(self, event: Any) -> Mark:
        # By offset: the parser also counts lines at characters that no editor counts.
        return self.source.mark(event.start_mark.index, event.end_mark.index)


# --- What plain words mean ------------------------------------------------------------------

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0o(?P<octal>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_FLOAT_HELP = "Count in a smaller unit, or put quotes around it if it is text."
_UNREADABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # YAML's own set
)


def _to_int(number: re.Match[str]) -> int | None:
    """The number, or None if it needs more than 64 bits."""
    if number["octal"]:
        digits, base = number["octal"].lstrip("0") or "0", 8
    elif number["hex"]:
        digits, base = number["hex"].lstrip("0") or "0", 16
    else:
        digits, base = number[0], 10
    if len(digits) > 24:  # longer than any 64 bits, and converting would take quadratic time
        return None
    value = int(digits, base)
    return value if limits.INT_MIN <= value <= limits.INT_MAX else None


# --- What the parser's complaints mean ------------------------------------------------------

# The parser's words, ours, and what to type next.
_COMPLAINTS = (
    (
        "mapping values are not allowed",
        "A `:` is found where a value is already given.",
        "Put quotes around text that contains `: `, or look at the indentation of this line.",
    ),
    (
        "could not find expected ':'",
        "This line is no `name: value`, and the lines around it are.",
        "Add a `:` and a value, or indent the line if it continues a text.",
    ),
    (
        "did not find expected key",
        "This does not fit the table around it.",
        "Indent the names of one table alike, and put nothing after a closing quote.",
    ),
    (
        "did not find expected '-' indicator",
        "This does not fit the list around it.",
        "Begin every item of the list with `- `, all indented alike.",
    ),
    (
        "did not find expected ',' or ']'",
        "The list opened with `[` is not closed here.",
        "Add a `,` between two items or the closing `]`.",
    ),
    (
        "did not find expected ',' or '}'",
        "The table opened with `{` is not closed here.",
        "Add a `,` between two entries or the closing `}`.",
    ),
    (
        "found unexpected end of stream",
        "The file ends inside a text in quotes.",
        "Add the closing quote.",
    ),
    (
        "unknown escape character",
        "A `\\` followed by this letter means nothing in double quotes.",
        "Use single quotes, or write `\\\\`.",
    ),
    (
        "cannot start any token",
        "A text cannot begin with this character.",
        "Put quotes around the text.",
    ),
    (
        "did not find expected node content",
        "A value is missing before this.",
        "Write the value, or put quotes around the text.",
    ),
    (
        "did not find expected <document start>",
        "The data has already ended before this.",
        "Put everything into one list or one table.",
    ),
)


def _syntax_problem(source: Source, error: yaml.MarkedYAMLError) -> Problem:
    at = error.problem_mark or error.context_mark
    start = min(at.index, len(source.text)) if at else 0
    mark = source.mark(start, min(start + 1, len(source.text)))
    if mark.end_line != mark.line:
        mark = source.mark(start, start)
    if source.text[start : start + 1] == "\t":
        message = "A tab is found where spaces are accepted."
        return Problem("RR021", message, mark, help="Indent with spaces only.")
    if error.context in ("while scanning an alias", "while scanning an anchor"):
        message = "Text that begins with `*` or `&` would be an alias or an anchor."
        return Problem("RR022", message, mark, help="Put quotes around the text.")
    begun = error.context_mark.index if error.context_mark is not None else start
    slip = find_slip(source, mark.line, mark.column, source.mark(begun, begun).line)
    if slip is not None:
        return slip
    notes: tuple[tuple[Mark, str], ...] = ()
    if error.context_mark is not None and error.context_mark.index < start:
        begin = error.context_mark.index
        notes = ((source.mark(begin, begin + 1), "It begins here."),)
    said = error.problem or "it cannot be understood"
    for words, message, help in _COMPLAINTS:
        if words in said:
            return Problem("RR020", message, mark, notes=notes, help=help)
    return Problem("RR020", f"This is not YAML: {said}.", mark, notes=notes)
