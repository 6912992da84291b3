"""The part of the typed tree that does something.

The type checker tells where a new statement is forgotten, but not everywhere: ARCHITECTURE.md says
who looks for some statements only.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.model.ruleset import Variable
from interpreter.report.source import Mark
from interpreter.typed.values import Binder, Kept, Keys, Local, PlaceAt, Value


@frozen(kw_only=True)
class Line:
    mark: Mark = field(compare=False, repr=False)
    cites: tuple[str, ...] = ()


@frozen
class Text:
    """Words with values between them: one part more than there are gaps. A gap that holds a place
    holds the piece in a slot (`Content`)."""

    parts: tuple[str, ...]
    gaps: tuple[Value, ...]
    mark: Mark = field(compare=False, repr=False)


# ------------------------------------------------------------------- values and their names


@frozen
class Entry:
    """The entry of a variable that is given a value."""

    variable: Variable
    indexes: tuple[Value, ...]
    mark: Mark = field(compare=False, repr=False)


@frozen
class Assign(Line):
    """`value` is the whole new value, of the type of the target, also for `+=` and `-=`. (Of a
    clamped variable it is any number; it is brought into its range when it is stored.)"""

    target: Entry | Local
    target_mark: Mark = field(compare=False, repr=False)
    operator: Literal[":=", "+=", "-="]
    value: Value


@frozen
class AssignRandom(Line):
    """One of the elements, each as likely as the others. `value` is the element that came up, as
    the target takes it."""

    target: Entry | Local
    target_mark: Mark = field(compare=False, repr=False)
    binder: Binder
    value: Value


@frozen
class Let(Line):
    local: Local
    value: Value


@frozen
class Remember(Line):
    """The position as it is now becomes the last of a history."""

    target: Entry
    kept: tuple[Kept, ...]


# ------------------------------------------------------------------------------------ flow


@frozen
class Do(Line):
    """A call of a procedure, an event or a phase: a name of `Rules.procedures`."""

    procedure: str
    arguments: tuple[Value, ...]
    call_mark: Mark = field(compare=False, repr=False)


@frozen
class Jump(Line):
    word: Literal["stop", "skip", "again"]


@frozen
class Leave(Line):
    name: str


@frozen
class Arm(Line):
    condition: Value
    body: Body


@frozen
class If(Line):
    arms: tuple[Arm, ...]
    otherwise: Body | None


@frozen
class ForEach(Line):
    binder: Binder
    keys: Keys | None
    label: str | None
    body: Body


@frozen
class Repeat(Line):
    how: Literal["forever", "times", "until", "while"]
    value: Value | None
    label: str | None
    body: Body


@frozen
class Turns(Line):
    """`me` inside is `seat`, whatever else it is called."""

    seat: Local
    start: Value | None
    where: Value | None
    label: str | None
    body: Body


@frozen
class Sealed(Line):
    """Those who satisfy `where` choose unseen; all of them, if there is no such condition."""

    seat: Local
    where: Value | None
    body: Body


@frozen
class LookingAhead(Line):
    body: Body


# --------------------------------------------------------------------------------- choices


@frozen
class When(Line):
    condition: Value


# How an option names an argument: by its value; a piece by its row, where its chooser sees it in
# one place (`copy`: copies differ by what lies on them, and are counted), or by place and position.
Form = Literal["value", "row", "copy", "place"]


@frozen
class Offer(Line):
    """One way to choose, whatever form it was written in: its arguments, conditions and words, and
    what it leads to. `me` is whoever chooses."""

    name: str
    me: Local
    binders: tuple[Binder, ...]
    forms: tuple[Form, ...]  # of each binder
    text: Text | None
    whens: tuple[When | Let, ...]  # the body begins with those names that it uses
    body: Body


@frozen
class Declared(Line):
    """An action of `Rules.actions`, offered in a menu, and what follows when it is chosen. The
    action knows nothing of where it is offered; in `then`, `Choose.me` has chosen it."""

    action: str
    then: Body


@frozen
class Choose(Line):
    """`seat` is asked, and is called `me` in the offers that are written here. With the form
    `value` there is one offer, and `kept` is the name of what was chosen in the lines below (its
    position keeps the name it has in the offer's binder)."""

    form: Literal["actions", "value", "block"]
    seat: Value
    me: Local
    may: bool
    always: bool
    offers: tuple[Offer | Declared, ...]
    otherwise: Body | None
    kept: Local | None = None


# ---------------------------------------------------------------------------------- pieces


@frozen
class Box:
    """Where pieces are that are out of the game."""

    mark: Mark = field(compare=False, repr=False)


@frozen
class Shuffle(Line):
    place: PlaceAt


@frozen
class Draw(Line):
    up_to: bool
    amount: Value
    source: PlaceAt
    target: PlaceAt | Box


@frozen
class Move(Line):
    """`what` is a certain piece."""

    what: Value
    target: PlaceAt | Box
    bottom: bool


@frozen
class MoveAll(Line):
    source: PlaceAt
    target: PlaceAt | Box


@frozen
class MoveSome(Line):
    """Of a pool."""

    up_to: bool
    amount: Value
    row: Value
    source: PlaceAt
    target: PlaceAt | Box


@frozen
class Roll(Line):
    target: Entry


@frozen
class Reveal(Line):
    """`what` is a certain piece, or a place. `to`: a seat, or None for everybody."""

    what: Value
    to: Value | None


@frozen
class Hide(Line):
    what: Value


# ------------------------------------------------------------------------------------- end


@frozen
class Wins(Line):
    """Who wins or loses: one player, some of them, or (if nobody is named) everybody."""

    word: Literal["win", "lose", "draw"]
    who: Value | Binder | None


@frozen
class EndGame(Line):
    pass


@frozen
class Say(Line):
    """To everybody, or to one player alone."""

    text: Text
    to: Value | None


# Statements by what becomes of them: straight code, or instructions a game can be resumed at. A new
# statement stands in one of these three.
Straight = (  # never stops
    Assign | Let | Remember | Shuffle | Move | MoveAll | MoveSome | Reveal | Hide | Say
)  # fmt: skip
Stopping = (  # may always stop the game, end it, or jump out of what it stands in
    AssignRandom | Leave | Turns | Sealed | LookingAhead | Choose | Draw | Roll | Wins | EndGame
)
Depending = Do | Jump | If | ForEach | Repeat  # on what it calls or holds, or on where it stands
Statement = Straight | Stopping | Depending
Body = tuple[Statement, ...]
