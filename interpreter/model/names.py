"""Names of types, for everybody who reads one."""

from __future__ import annotations

import re

from interpreter.model.ruleset import Ruleset
from interpreter.model.types import BOOL, INT, PLAYER, Type, named
from interpreter.report.suggest import did_you_mean

_DIRECTION = "Direction"
_SIMPLE = {"int": INT, "bool": BOOL, "Player": PLAYER, "player": PLAYER}


def named_type(name: str, ruleset: Ruleset) -> Type | None:
    """The type of this name, if there is one."""
    if name in _SIMPLE:
        return _SIMPLE[name]
    if name in ruleset.enums:
        return named("enum", name)
    if name in ruleset.kinds:
        return named("kind" if ruleset.kinds[name].physical else "table", name)
    if name in ruleset.boards:
        return named("board", name)
    board = name.removesuffix(_DIRECTION)
    if board != name and board in ruleset.boards:
        return named("direction", board)
    return None


_WHOLE = "whole numbers are of the type `int`, or of a range such as `0..20`"
_TEXT = "there are no texts as values; make an `enum` of the words: `enum Colour: red, blue`"
# What types are called in other languages.
_ELSEWHERE = {
    **dict.fromkeys(("integer", "number", "Int", "Integer", "Number", "num"), _WHOLE),
    **dict.fromkeys(("float", "double", "real", "decimal"), f"there are no fractions; {_WHOLE}"),
    **dict.fromkeys(("string", "String", "str", "text", "Text"), _TEXT),
    **dict.fromkeys(("boolean", "Boolean", "Bool", "flag"), "what is yes or no is of type `bool`"),
    **dict.fromkeys(("player", "players", "Players"), "a player is of the type `Player`"),
}


def type_help(name: str, ruleset: Ruleset) -> str:
    """What somebody may have meant by a type that does not exist."""
    declared = [*ruleset.enums, *ruleset.kinds, *ruleset.boards]
    if not ruleset.abilities:
        declared.remove("ability")
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    die = re.fullmatch(r"[dD]([1-9][0-9]*)", name)
    if die is not None:
        return f"a die shows numbers from a range: write `1..{die[1]}`, and throw it with `roll`"
    known = ["int", "bool", "Player", *declared]
    known += [f"{board}Direction" for board in ruleset.boards]
    return did_you_mean(name, known) or f"types here: {', '.join(known)}"
