"""What all values of the typed tree have in common, and the names that stand for them in a body."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.model.types import Type
from interpreter.report.source import Mark

LocalSort = Literal[
    "let",  # may be given another value
    "parameter",  # of a function, group, procedure, action or ability
    "element",  # what a binder goes through
    "position",  # `x at n in ...`
    "seat",  # whose turn it is, or who seals
    "chooser",  # who is asked
    "chosen",  # what was chosen, for the lines below
    "it",  # what an ability changes, or a place holds
]


@dataclass(eq=False, frozen=True, slots=True)
class Local:
    """Two locals are the same only if they are one: several may have the same name."""

    name: str
    type: Type
    sort: LocalSort
    mark: Mark = field(repr=False)
    settable: bool = False


@frozen(kw_only=True)
class Typed:
    type: Type
    mark: Mark = field(compare=False, repr=False)


@frozen
class Named:
    """What a constant was called by, for whoever asks what a word means."""

    word: Literal["member", "row", "cell", "direction", "seat", "option", "constant", "players"]
    name: str
    of: str  # the enum, kind or board it belongs to
    mark: Mark | None = field(default=None, compare=False)  # where that is declared
