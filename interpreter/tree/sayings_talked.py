"""Lines as one would say them at the table, and how they are written here."""

from __future__ import annotations

from interpreter.tree.sayings_values import Saying

_ASKED = r"^(?:if|else if|when|repeat while|repeat until|always|require)\b.*?"
_VALUE = r"[\w.]+(?:\[[^\]]*\])?"
_MEMBER = r"^(?P<name>[\w\[\], .]+): "
_TYPED = "the|each|kind|table|board"

TALKED = (
    Saying(
        r"^repeat (?P<mark>forever|for ever|always|endlessly)$",
        "write `repeat`: alone, it goes on until a `stop`",
    ),
    Saying(
        rf"{_ASKED}(?P<mark>(?P<left>{_VALUE}) (?:is |are )?at least (?P<than>{_VALUE}))",
        "write `{left} >= {than}`",
    ),
    Saying(
        rf"{_ASKED}(?P<mark>(?P<left>{_VALUE}) (?:is |are )?at most (?P<than>{_VALUE}))",
        "write `{left} <= {than}`",
    ),
    Saying(
        rf"{_MEMBER}(?P<mark>none or (?P<type>\w+))(?P<rest>.*)$",
        "`or none` comes after the type: `{name}: {type} or none{rest}`",
        _TYPED,
    ),
    Saying(
        rf"{_MEMBER}(?P<mark>(?:optional|maybe|nullable) (?P<type>\w+))(?P<rest>.*)$",
        "what may be absent ends in `or none`: `{name}: {type} or none{rest}`",
        _TYPED,
    ),
    Saying(
        rf"{_MEMBER}(?P<mark>(?P<a>[a-z]\w*) or (?P<b>(?!none\b)[a-z]\w*))$",
        "names to choose from are an enum: `enum Sort: {a}, {b}`\n"
        "on a line at the left margin, and here `{name}: Sort`",
        _TYPED,
    ),
    Saying(
        r"^(?P<mark>(?:the )?other player)\b.*$",
        "with two players, `next(me)` is the other one",
    ),
    Saying(
        r"^(?P<mark>give) (?P<what>[a-z]\w*) to (?P<to>(?:next|previous)\(\w+\)|me|[a-z])$",
        "a piece goes to a place: `move {what} to {to}.hand`",
    ),
    Saying(
        r"^(?P<mark>my (?P<what>[a-z]\w*))\b(?P<rest>.*)$",
        "what belongs to whoever has the turn comes after `me.`: `me.{what}{rest}`",
    ),
    Saying(
        rf"^(?P<mark>(?:reset|zero)) (?P<what>{_VALUE})(?: to (?:0|zero))?$",
        "write `{what} := 0`",
    ),
    Saying(
        r"^(?P<who>\w[\w.()]*) (?P<mark>picks|selects|decides) (?P<rest>\w+ or \w.*)$",
        "write `{who} chooses {rest}`",
    ),
    Saying(
        rf"^(?P<what>{_VALUE}) :?= (?P<mark>random (?P<low>\w+) ?\.\. ?(?P<high>\w+))$",
        "give each of the numbers a name: `{what} := random k in {low}..{high}`",
    ),
    Saying(
        rf"^(?P<what>{_VALUE}) :?= (?P<mark>roll [^(].*)$",
        "what is rolled gets its value by that: `roll {what}`",
    ),
)
