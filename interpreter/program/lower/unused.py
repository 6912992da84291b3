"""What is declared and never used: usually a name that was meant elsewhere."""

from __future__ import annotations

from interpreter.program.lower.builder import Builder


def report(builder: Builder) -> None:
    ruleset, problems = builder.ruleset, builder.problems
    if problems.has_errors:
        return  # what was not understood may be where the name is used
    for name, procedure in ruleset.procedures.items():
        if name not in builder.used_names:
            word = "phase" if not hasattr(procedure, "params") else "procedure"
            message = f"nothing ever leads to the {word} `{name}`"
            help_ = f"write `{name}` where it belongs in `play`, or take it away"
            problems.error("RR416", message, procedure.mark, help=help_)
    for name, action in ruleset.actions.items():
        if name not in builder.used_names:
            message = f"nobody can ever choose the action `{name}`"
            help_ = f"offer it: `choose {name}`"
            problems.error("RR417", message, action.mark, help=help_)
    for kind in ruleset.kinds.values():
        for info in kind.fields.values():
            if (kind.name, info.name) not in builder.read_fields and info.name not in (
                kind.ability_field, "value",
            ):  # fmt: skip
                message = f"no rule reads the field `{info.name}` of {kind.name}"
                problems.warning("RR418", message, info.mark)
    for name, variable in ruleset.variables.items():
        if name not in builder.used_names and name + ":=" not in builder.used_names:
            message = f"`{name}` is never used"
            problems.warning("RR419", message, variable.mark)
