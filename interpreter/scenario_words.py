"""Whether a text could stand in the words of a game at all.

That something is not said proves nothing if no line of the rules can say it: a word may be
misspelt, or another by now. So the texts of the rules are gone through with everything that their
gaps can hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from interpreter.model.types import Type
from interpreter.play import words
from interpreter.program.layout import VariableLayout
from interpreter.program.program import Action, Program, Saying
from interpreter.report.visible import spaced

_WHOLE = re.compile(r"-?[0-9]*")
_Part = str | tuple[str, ...] | None  # what is written, all that a gap can hold; None: a number


def could_be_read(program: Program, text: str) -> bool:
    """Whether some option can have these words."""
    return any(_holds(list(_action_parts(program, each)), text) for each in program.actions)


def could_be_said(program: Program, text: str) -> bool:
    """Whether a line of the log can have them: what rules say, what a die or a lot brings, or that
    an option is chosen."""
    lines = [_saying_parts(program, each) for each in program.sayings]
    for what, type_ in zip(program.events, program.event_types, strict=True):
        variables = [each for each in program.layout.variables if each.type.sort == type_.sort]
        lines += [_chance_parts(program, what.split()[0], type_, each) for each in variables]
    return any(_holds(list(parts), text) for parts in lines) or could_be_read(program, text)


def _action_parts(program: Program, action: Action) -> Iterator[_Part]:
    if action.text is not None:
        yield from _saying_parts(program, action.text)
        return
    yield spaced(action.name)
    for number, param in enumerate(action.params):
        yield ", " if number else " "
        yield _filling(program, param.type)


def _saying_parts(program: Program, saying: Saying) -> Iterator[_Part]:
    yield saying.parts[0]
    for type_, part in zip(saying.types, saying.parts[1:], strict=True):
        yield _filling(program, type_)
        yield part


def _chance_parts(
    program: Program, verb: str, type_: Type, variable: VariableLayout
) -> Iterator[_Part]:
    """The line that `view/happenings.py` has for what comes to a variable."""
    owners = [_filling(program, each.type) for each in variable.indexes]
    if verb == "roll" and variable.indexes and variable.indexes[0].type.sort in ("player", "kind"):
        yield from (owners[0], " rolls ")
    else:
        for each in owners if verb == "random" else []:
            yield from (each, " ")
        yield spaced(variable.name) + (" at random: " if verb == "random" else ": ")
    yield _filling(program, type_)


def _filling(program: Program, type_: Type) -> tuple[str, ...] | None:
    count = 0
    match type_.sort:
        case "int":
            return None
        case "bool":
            count = 2
        case "player":
            count = program.players
        case "enum" | "table":
            count = len(program.enums[type_.name])
        case "board":
            count = len(program.boards[type_.name].cells)
        case "direction":
            count = len(program.boards[type_.name].directions)
        case "kind" | "row":
            kind = words.kind_of(program, type_.name)
            hidden = (f"{name}#" for name in kind.instance_names)
            return (*kind.labels, *kind.public_label, *hidden)
        case _:  # nothing else stands in a text
            pass
    return tuple(words.label_text(program, type_, value) for value in range(count))


def _holds(parts: Sequence[_Part], text: str) -> bool:
    """Whether a text is a stretch of what these parts can become."""
    for number, part in enumerate(parts):
        rest = parts[number + 1 :]
        if any(_goes_on([begun, *rest], text) for begun in _endings(part)):
            return True
    return False


def _endings(part: _Part) -> Iterator[_Part]:
    if part is None:
        yield None
        return
    for each in (part,) if isinstance(part, str) else part:
        yield from (each[start:] for start in range(len(each)))


def _goes_on(parts: Sequence[_Part], text: str) -> bool:
    """Whether a text is what these parts begin with."""
    if not text:
        return True
    if not parts:
        return False
    first, rest = parts[0], parts[1:]
    if first is None:
        found = _WHOLE.match(text)
        return found is not None and bool(found[0]) and _goes_on(rest, text[found.end() :])
    return any(
        each.startswith(text) or (text.startswith(each) and _goes_on(rest, text[len(each) :]))
        for each in _written(first)
    )


def _written(part: str | tuple[str, ...]) -> Iterable[str]:
    return (part,) if isinstance(part, str) else part
