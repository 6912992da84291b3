"""Is what may be none looked at before it is used?

A true answer would need to know how the game goes: a variable is often none only before the first
round. So only that is told which nothing in the rules guards: a name that is none after a pass or a
tie, and a variable that no rule compares with anything and that gets its value only by what
somebody may leave unchosen.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.report.problem import Problems
from interpreter.tree.marks import part
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.rules import Rules
from interpreter.typed.seats import bare
from interpreter.typed.walk import Parts, alike, walk, walk_all


def check_absent(rules: Rules, parts: Parts, problems: Problems) -> None:
    guarded = _guarded(parts) | _given_first(rules, parts)
    passed = {each.kept for each in parts.of(s.Choose) if each.may and each.kept is not None}
    tied = {each.local: each.value for each in parts.of(s.Let) if _may_tie(each.value)}
    beside = _lead_off(rules, parts)
    told: set[object] = set()
    for fit in parts.of(v.Fit):
        value = fit.value
        if fit.type.optional or not value.type.optional:
            continue
        if isinstance(value, v.LocalValue) and value.local in passed:
            thing: v.Local | str = value.local
            name, why = value.local.name, "whoever was asked may have passed"
        elif isinstance(value, v.LocalValue) and value.local in tied:
            thing = value.local
            name, why = value.local.name, _why_none(tied[value.local])
        elif isinstance(value, v.LocalValue) and value.local in beside:
            thing = value.local
            name, why = value.local.name, "at the edge of the board, nothing is beside it"
        elif isinstance(value, v.Read) and value.variable.start is None:
            thing = name = value.variable.name
            why = "it begins as none, and no rule asks whether it is"
        else:
            continue
        if thing in guarded or thing in told:
            continue
        told.add(thing)
        _tell(name, why, value, problems)
    _check_steps(rules, parts, problems)
    for body in parts.bodies():
        _check_picked(body, told, problems)


def _check_steps(rules: Rules, parts: Parts, problems: Problems) -> None:
    """`step(c, north).mark` for every `c` of a board: one at the edge has nothing beside it. Any
    question about where `c` lies, or what it is, may be the one that keeps the edge out."""
    anywhere = {
        each.element
        for each in parts.of(v.Binder)
        if isinstance(each.domain, v.AllOf) and not each.tests
    }
    needed = [
        fit.value
        for fit in parts.of(v.Fit)
        if not fit.type.optional and fit.value.type.optional and _stepped(fit.value) in anywhere
    ]
    taken = {id(each) for each in needed}
    asked = {_stepped(each) for each in parts.of(v.Builtin) if id(each) not in taken}
    asked |= {_local(side) for each in parts.of(v.Compare) for side in (each.left, each.right)}
    asked |= {_local(each.cell) for each in parts.of(v.Property)}
    asked |= {_local(each.of) for each in parts.of(v.FieldOf)}
    asked |= {_local(each.element) for each in parts.of(v.MemberOf)}
    calls: list[v.Call | v.Builtin] = [*parts.of(v.Call), *parts.of(v.Builtin)]
    asked |= {_local(value) for each in calls if id(each) not in taken for value in each.arguments}
    reads = [each for each in parts.of(v.Read) if each.variable.type.sort != "player"]
    asked |= {_local(value) for each in reads for value in each.indexes}
    for value in needed:
        local = _stepped(value)
        if local is not None and local not in asked:
            asked.add(local)
            said = f"step({local.name}, {_way(rules, value)})"
            message = f"`{said}` may be none here: at the edge of the board, nothing is beside it"
            help_ = f"ask before: `{said} is not none and ...`"
            problems.warning("RR444", message, value.mark, help=help_)


def _lead_off(rules: Rules, parts: Parts) -> set[v.Local]:
    """Names of `let up = step(c, d)` that may be none: nothing asks about this step, nor about
    where on a board something lies, and no function is asked that takes what may be none."""
    if any(True for _ in parts.of(v.Property)):
        return set()
    asked = [
        bare(side)
        for each in parts.of(v.Compare)
        for side in (each.left, each.right)
        if isinstance(bare(side), v.Builtin)
    ]
    handed = {
        argument.local
        for call in parts.of(v.Call)
        for argument in call.arguments
        if isinstance(argument, v.LocalValue) and argument.type.optional
    }
    found: set[v.Local] = set()
    for each in parts.of(s.Let):
        step = bare(each.value)
        if not isinstance(step, v.Builtin) or step.name != "step":
            continue
        board = rules.ruleset.boards[step.type.name]
        has_edge = any(to < 0 for ways in board.steps for to in ways)
        if has_edge and not any(alike(step, other) for other in asked):
            found.add(each.local)
    return found - handed


def _stepped(value: v.Value) -> v.Local | None:
    """The name of the space from which a step in a certain direction is taken."""
    match value:
        case v.Builtin(name="step", arguments=(cell, v.Constant())):
            return _local(cell)
        case _:
            return None


def _way(rules: Rules, value: v.Value) -> str:
    assert isinstance(value, v.Builtin)
    way = value.arguments[1]
    assert isinstance(way, v.Constant)
    return rules.ruleset.boards[way.type.name].directions[way.value]


def _local(value: v.Value) -> v.Local | None:
    plain = bare(value)
    return plain.local if isinstance(plain, v.LocalValue) else None


def _tell(name: str, why: str, value: v.Value, problems: Problems) -> None:
    mark = value.mark
    asked = name
    if isinstance(value, v.Read) and value.variable.dimensions:
        asked = f"x.{name}"
        mark = part(mark, mark.end_column - mark.column - len(name), len(name))
    help_ = f"ask before: `if {asked} is not none`, with this step indented under it"
    problems.warning("RR444", f"`{name}` may be none here: {why}", mark, help=help_)


def _check_picked(body: s.Body, told: set[object], problems: Problems) -> None:
    """A variable that is given what several may tie for, and used below without a question."""
    for number, each in enumerate(body):
        if not isinstance(each, s.Assign) or not isinstance(each.target, s.Entry):
            continue
        picked, variable = bare(each.value), each.target.variable
        if not _may_tie(picked) or variable.dimensions or variable.name in told:
            continue
        used = _used_unasked(body[number + 1 :], variable.name)
        if used is not None:
            told.add(variable.name)
            _tell(variable.name, _why_none(picked), used, problems)


def _used_unasked(body: s.Body, name: str) -> v.Value | None:
    """Where a variable is needed, before it is asked about, given a value or somebody else may
    have given it one."""
    for statement in body:
        nodes = list(walk(statement))
        for node in nodes:
            match node:
                case v.Compare() if name in map(_read, (bare(node.left), bare(node.right))):
                    return None
                case s.Entry(variable=variable) if variable.name == name:
                    return None
                case v.Fit() if not node.type.optional and _read(node.value) == name:
                    return node.value
                case _:  # neither asks about it nor needs it
                    pass
        if any(isinstance(node, s.Do | s.Choose) for node in nodes):
            return None
    return None


def _read(value: v.Value) -> str | None:
    return value.variable.name if isinstance(value, v.Read) else None


def _may_tie(value: v.Value) -> bool:
    return isinstance(value, v.Pick) and value.keys.ties == "none"


def _why_none(value: v.Value) -> str:
    if isinstance(value, v.Pick) and value.keys.mark == value.mark:  # no keys are written
        return "it is none if nothing fits, or several do"
    return "`ties none` gives none if several are equal"


def _guarded(parts: Parts) -> set[object]:
    """What some condition asks about: names, and variables by their names."""
    sides = [bare(side) for each in parts.of(v.Compare) for side in (each.left, each.right)]
    sides += [bare(each.element) for each in parts.of(v.MemberOf)]
    found: set[object] = {side.local for side in sides if isinstance(side, v.LocalValue)}
    return found | {side.variable.name for side in sides if isinstance(side, v.Read)}


def _given_first(rules: Rules, parts: Parts) -> set[object]:
    """Variables that get a value elsewhere than in an action, which may never be chosen, or by a
    choice that leaves nothing else to choose: then that may well come first."""
    bodies = [each for setup in rules.setup for each in setup.body]
    bodies += rules.play.body if rules.play is not None else ()
    bodies += [each for procedure in rules.procedures.values() for each in procedure.body]
    found = _given(bodies)
    for choice in parts.of(s.Choose):
        if not choice.may and choice.otherwise is None and choice.offers:
            found |= set.intersection(*(_given_by(each, rules) for each in choice.offers))
    return found


def _given_by(offer: s.Offer | s.Declared, rules: Rules) -> set[object]:
    if isinstance(offer, s.Offer):
        return _given(offer.body)
    action = rules.actions.get(offer.action)
    return _given(offer.then) | (set() if action is None else _given(action.body))


def _given(body: Iterable[s.Statement]) -> set[object]:
    """The variables that these statements give a value to, by their names."""
    targets = [
        node.target for node in walk_all(body) if isinstance(node, (s.Assign, s.AssignRandom))
    ]
    return {target.variable.name for target in targets if isinstance(target, s.Entry)}
