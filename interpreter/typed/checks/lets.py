"""Is every name that is introduced with `let` looked at?"""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.tree.marks import first_words
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.rules import Rules
from interpreter.typed.walk import Parts, read_to_change


def check_lets(rules: Rules, parts: Parts, problems: Problems) -> None:
    """To change it is not to look at it."""
    to_change = {id(read_to_change(each)) for each in parts.of(s.Assign)}
    looked_at = {each.local for each in parts.of(v.LocalValue) if id(each) not in to_change}
    # What an event is told has other names in a reaction; nobody wrote a `let` for them.
    unwritten = {
        clause.mark for ability in rules.ruleset.abilities.values() for clause in ability.clauses
    }
    for let in parts.of(s.Let):
        if let.local not in looked_at and let.mark not in unwritten:
            message = f"`{let.local.name}` is never looked at"
            help_ = "use it below, or take it away"
            mark = first_words(let.mark, f"let {let.local.name}")
            problems.warning("RR441", message, mark, help=help_)
