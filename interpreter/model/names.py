"""Help with names of types, for everybody who reads one."""

from __future__ import annotations

from interpreter.model.ruleset import Ruleset
from interpreter.report.suggest import did_you_mean


def type_help(name: str, ruleset: Ruleset) -> str:
    """What somebody may have meant by a type that does not exist."""
    declared = [*ruleset.enums, *ruleset.kinds, *ruleset.boards]
    if not ruleset.abilities:
        declared.remove("ability")
    known = ["int", "bool", "Player", *declared]
    known += [f"{board}Direction" for board in ruleset.boards]
    return did_you_mean(name, known) or f"types here: {', '.join(known)}"
