"""What is declared and never used: usually a name that was meant elsewhere."""

from __future__ import annotations

from interpreter.model.ruleset import BoardInfo, FieldInfo, KindInfo, Ruleset
from interpreter.program.lower.builder import Builder
from interpreter.program.lower.effects import name_of, wholes
from interpreter.report.problem import Problems
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark
from interpreter.tree.walk import walk


def report(builder: Builder) -> None:
    ruleset, problems = builder.ruleset, builder.problems
    for name, procedure in ruleset.procedures.items():
        if name not in builder.used_names and _is_ours(ruleset, procedure):
            word = "phase" if isinstance(procedure, nodes.Phase) else procedure.word
            message = f"nothing ever leads to the {word} `{name}`"
            help_ = f"write `{name}` where it belongs in `play`, or take it away"
            if isinstance(procedure, nodes.Procedure):
                help_ = f"write `{name}(...)` where it belongs, or take it away"
            problems.error("RR416", message, declared_mark(procedure), help=help_)
    for name, action in ruleset.actions.items():
        if name not in builder.used_names and _is_ours(ruleset, action):
            message = f"nobody can ever choose the action `{name}`"
            help_ = f"offer it: `choose {name}`"
            problems.error("RR417", message, declared_mark(action), help=help_)
    for kind in ruleset.kinds.values():
        for info in kind.fields.values():
            _check_field(builder, kind, info)
    _check_variables(ruleset, problems)


def _is_ours(ruleset: Ruleset, declared: nodes.Action | nodes.Procedure | nodes.Phase) -> bool:
    """Procedures and actions of an included file are a library: nobody need use all of it."""
    assert ruleset.play is not None
    return isinstance(declared, nodes.Phase) or declared.mark.file == ruleset.play.mark.file


def _check_field(builder: Builder, of: KindInfo | BoardInfo, info: FieldInfo) -> None:
    is_read = (of.name, info.name) in builder.read_fields
    ability = of.ability_field if isinstance(of, KindInfo) else None
    if not is_read and info.name not in (ability, "value"):
        message = f"no rule reads the field `{info.name}` of {of.name}"
        help_ = "read it in a rule, or take it away here and in the data"
        builder.problems.warning("RR418", message, info.mark, help=help_)
    if is_read and _is_empty(info):
        message = f"rules read the field `{info.name}`, but no row of {of.name} has one"
        help_ = "write it in the data, at least in one row"
        builder.problems.warning("RR440", message, info.mark, help=help_)


def _is_empty(info: FieldInfo) -> bool:
    if info.type.sort == "list":
        return bool(info.lengths) and not any(info.lengths)
    if not info.type.optional or info.default is not None:
        return False
    return bool(info.values) and all(value == info.type.none for value in info.values)


# ---- variables


def _check_variables(ruleset: Ruleset, problems: Problems) -> None:
    read, changed = _uses(ruleset)
    for name, variable in ruleset.variables.items():
        if name.startswith("used_"):
            continue  # the language's own, for `once per`
        if name not in read and name not in changed:
            message = f"`{name}` is never used"
            help_ = "use it in a rule, or take it away"
            problems.warning("RR419", message, variable.mark, help=help_)
        elif name not in changed:  # the other way round it may be there for people to see
            message = f"`{name}` never changes: no rule gives it a value"
            help_ = f"give it one with `{name} := ...`, or make it a `constant`"
            problems.warning("RR443", message, variable.mark, help=help_)


def _uses(ruleset: Ruleset) -> tuple[set[str], set[str]]:
    """The names that are read somewhere, and those that are given a value somewhere."""
    read: set[str] = set()
    changed: set[str] = set()
    for whole in wholes(ruleset):
        targets: set[int] = set()
        for node in walk(whole):
            match node:
                case nodes.Assign() | nodes.AssignRandom() | nodes.Roll():
                    changed.add(name_of(node.target) or "")
                    targets.add(id(_named(node.target)))
                case nodes.Name() | nodes.Dot() if id(node) not in targets:
                    read.add(node.name)
                case _:
                    pass
    return read, changed


def _named(target: nodes.Expr) -> nodes.Expr:
    return _named(target.target) if isinstance(target, nodes.Index) else target
