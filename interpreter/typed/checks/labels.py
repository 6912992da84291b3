"""Do the names of loops lead anywhere: is everything that is `per` something told of a loop, and is
every loop with a name spoken of?"""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.report.suggest import did_you_mean
from interpreter.tree.marks import last_word
from interpreter.typed import statements as s
from interpreter.typed.effects import loop_name
from interpreter.typed.rules import Rules
from interpreter.typed.walk import Parts


def check_scopes(rules: Rules, parts: Parts, problems: Problems) -> None:
    """What starts again per round needs something called `round`."""
    ruleset = rules.ruleset
    known = {name for loop in _loops(parts) if (name := loop_name(loop))}
    known |= {*ruleset.procedures, "game"}
    for ability in ruleset.abilities.values():
        if ability.once_per is not None and ability.once_per not in known:
            message = f"this works once per `{ability.once_per}`, but nothing is called so"
            help_ = _scope_help(ability.once_per, known)
            problems.error("RR435", message, ability.mark, help=help_)
    # An ability that works once has a variable of its own with the same mark: told above.
    for variable in ruleset.variables.values():
        if variable.scope is not None and variable.scope not in known:
            message = (
                f"`{variable.name}` starts again per `{variable.scope}`, but nothing is called so"
            )
            help_ = _scope_help(variable.scope, known)
            problems.error("RR435", message, variable.mark, help=help_)


def _scope_help(scope: str, known: set[str]) -> str:
    if scope == "turn":
        return "turns that were given a name of their own are called by that name"
    return did_you_mean(scope, known) or (
        f"name the loop: `repeat ... as {scope}`, `turns as {scope}`, or `phase {scope}`"
    )


def check_labels(rules: Rules, parts: Parts, problems: Problems) -> None:
    """A loop needs a name only if something speaks of it."""
    used = {variable.scope for variable in rules.ruleset.variables.values()}
    used |= {ability.once_per for ability in rules.ruleset.abilities.values()}
    used |= {leave.name for leave in parts.of(s.Leave)}
    for loop in _loops(parts):
        if loop.label is not None and loop.label not in used:
            message = f"no rule speaks of `{loop.label}`"
            help_ = f"a name is needed for `leave {loop.label}` and `per {loop.label}` only"
            mark = last_word(loop.mark, f"as {loop.label}")
            problems.warning("RR436", message, mark, help=help_)


def _loops(parts: Parts) -> list[s.ForEach | s.Repeat | s.Turns]:
    return [*parts.of(s.ForEach), *parts.of(s.Repeat), *parts.of(s.Turns)]
