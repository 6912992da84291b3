"""The whole of a ruleset, typed: every declaration with a body, whether anything uses it or not."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.model.ruleset import Place, Ruleset, Variable
from interpreter.model.types import INT, PLAYER, named
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.bodies import body
from interpreter.typed.build.choosing import type_action
from interpreter.typed.build.copies import (
    bind_params,
    copy_name,
    first_places,
    given_places,
    takes_place,
)
from interpreter.typed.build.domains import domain, type_group
from interpreter.typed.build.functions import type_function
from interpreter.typed.build.histories import type_history
from interpreter.typed.build.known import constant_of
from interpreter.typed.build.reactions import unfold_reactions
from interpreter.typed.build.scenarios import type_scenario
from interpreter.typed.build.scope import Builder, Copied, Left, Scope
from interpreter.typed.build.values import value
from interpreter.typed.stopping import statements_in, stopping_procedures


def type_rules(
    ruleset: Ruleset, problems: Problems, scenarios: Sequence[nodes.Scenario] = ()
) -> r.Rules:
    """The typed tree of a ruleset, also of one with mistakes in it: they are told, and what could
    not be understood is left out or stands there as broken."""
    unfold_reactions(ruleset)
    builder = Builder(ruleset, problems, value, domain, body)
    rules = builder.rules
    for history in ruleset.histories.values():
        type_history(Scope(builder), history)
    for variable in ruleset.variables.values():
        rules.starts[variable.name] = _start(builder, variable)
    for place in ruleset.places.values():
        if place.holds_all:
            rules.holdings.append(_holding(builder, place))
    for setup in ruleset.setup:
        rules.setup.append(
            r.Setup(Scope(builder).body(setup.body), mark=setup.mark, cites=setup.cites)
        )
    if ruleset.play is None:
        help_ = "add a `play` block: it says what happens in which order"
        message = "nothing says how the game is played"
        problems.error("RR204", message, Mark.top(ruleset.file), help=help_)
    else:
        play = ruleset.play
        rules.play = r.Play(Scope(builder).body(play.body), mark=play.mark, cites=play.cites)
    _type_declarations(builder)
    _type_ends(builder)
    rules.scenarios.extend(type_scenario(builder, each) for each in scenarios)
    _type_copies(builder)
    rules.stopping = frozenset(stopping_procedures(rules))
    _check_left(builder)
    return rules


def _type_declarations(builder: Builder) -> None:
    """All of them. What is given places is typed for those it is called with."""
    ruleset, rules = builder.ruleset, builder.rules
    for name, function in ruleset.functions.items():
        if not takes_place(function.params):
            type_function(Scope(builder), name)
        elif isinstance(function, nodes.Quantity):
            _no_places(builder, "quantity", function.params)
    for group in ruleset.groups.values():
        if not takes_place(group.params):
            type_group(Scope(builder), group)
    for name, procedure in ruleset.procedures.items():
        if isinstance(procedure, nodes.Phase) or not takes_place(procedure.params):
            rules.procedures[name] = _procedure(builder, procedure)
        elif procedure.word == "event":
            _no_places(builder, "event", procedure.params)
    for name, action in ruleset.actions.items():
        rules.actions[name] = type_action(Scope(builder), action)


def _no_places(builder: Builder, word: str, params: Sequence[nodes.Param]) -> None:
    """Abilities are asked wherever their pieces lie, so they could not follow a place."""
    for param in params:
        if isinstance(param.type, nodes.GivenPlace):
            article = "an" if word == "event" else "a"
            message = f"{article} {word} cannot be given a place"
            help_ = "give it the player whose place it is, or the piece that matters"
            builder.error("RR348", message, param.mark, help_)


def _type_copies(builder: Builder) -> None:
    """Procedures for the places they are given, and what these call in turn; then what nobody
    calls, for the first places that fit, because its mistakes should be told too."""
    ruleset = builder.ruleset
    _type_called(builder)
    scope = Scope(builder)
    for each in (*ruleset.functions.values(), *ruleset.groups.values()):
        if takes_place(each.params) and each.name not in builder.begun:
            places = first_places(scope, each.params)
            if places is not None and isinstance(each, nodes.Group):
                type_group(scope, each, places)
            elif places is not None:
                type_function(scope, each.name, places)
    for procedure in ruleset.procedures.values():
        if isinstance(procedure, nodes.Phase) or procedure.name in builder.begun:
            continue
        places = first_places(scope, procedure.params)
        if places and procedure.word == "procedure":
            builder.copied[copy_name(procedure.name, places)] = Copied(procedure, places)
    _type_called(builder)


def _type_called(builder: Builder) -> None:
    procedures = builder.rules.procedures
    while builder.copied:
        name, copied = builder.copied.popitem()
        if isinstance(copied.written, nodes.Function):
            type_function(Scope(builder), copied.written.name, copied.places)
        elif name not in procedures:
            procedures[name] = _procedure(builder, copied.written, copied.places)


def _procedure(
    builder: Builder, written: nodes.Procedure | nodes.Phase, places: tuple[Place, ...] = ()
) -> r.Procedure:
    name = copy_name(written.name, places)
    builder.begun.add(written.name)
    scope = Scope(builder, procedure=name)
    params: tuple[v.Local, ...] = ()
    given: tuple[v.Local, ...] = ()
    if isinstance(written, nodes.Procedure):
        params = bind_params(scope, written, places, settable=True)
        given = given_places(scope, written.params)
    word = written.word if isinstance(written, nodes.Procedure) else "phase"
    return r.Procedure(
        word, name, params, scope.body(written.body), given,
        mark=written.mark, cites=written.cites,
    )  # fmt: skip


def _type_ends(builder: Builder) -> None:
    ruleset, rules = builder.ruleset, builder.rules
    if ruleset.score is not None:
        scope = Scope(builder)
        score = ruleset.score
        seat = scope.bind(score.name, PLAYER, "seat", score.mark)
        total = fitting.value_as(scope, score.value, INT, "a score")
        rules.score = r.Score(seat, total, mark=score.mark, cites=score.cites)
    if ruleset.winner is not None:
        scope = Scope(builder)
        winner = ruleset.winner
        seat = scope.bind(winner.name, PLAYER, "seat", winner.mark)
        keys = fitting.keys(scope, winner.keys)
        rules.winner = r.Winner(seat, keys, mark=winner.mark, cites=winner.cites)
    for always in ruleset.always:
        test = fitting.condition(Scope(builder), always.condition)
        rules.always.append(r.Always(test, always.text, mark=always.mark, cites=always.cites))


def _holding(builder: Builder, place: Place) -> r.Holding:
    scope = Scope(builder)
    type_ = named("kind", place.kind)
    it = scope.bind("it", type_, "it", place.mark)
    scope.names[place.kind[:1].lower() + place.kind[1:]] = it
    where: v.Value | None = None
    if place.word != "pool":
        if place.holds_where is not None:
            where = fitting.condition(scope, place.holds_where)
        if place.size > 1:
            message = "`holds all` needs one place, and this is one for each of several"
            builder.error("RR249", message, place.mark, "move the pieces in `setup`")
    return r.Holding(place, it, where, mark=place.mark)


def _start(builder: Builder, variable: Variable) -> int:
    """What a variable holds before anybody has set it."""
    type_ = variable.type
    if variable.remembers:
        return 0
    if variable.start is None:
        if type_.optional:
            return type_.none
        if type_.sort == "int" and not type_.low <= 0 <= type_.high:
            return type_.low
        return 0
    scope, mark = Scope(builder), variable.start.mark
    written = scope.value(variable.start, type_)
    found = fitting.fit(scope, written, type_, mark, "the starting value")
    if isinstance(written, v.Nothing) or isinstance(found, v.Broken):
        return type_.none
    known = constant_of(found)
    if known is None:
        message = "a starting value must be known before the game starts"
        builder.error("RR230", message, mark, "set it in `setup`")
        return 0
    if type_.sort == "int" and not type_.low <= known <= type_.high:
        message = f"`{variable.name}` goes from {type_.low} to {type_.high}, "
        wider = f"{min(type_.low, known)}..{max(type_.high, known)}"
        help_ = f"write a start in its range, or a wider range: `{variable.name}: {wider}`"
        builder.error("RR302", message + f"so it cannot begin at {known}", mark, help_)
        return type_.low
    return known


def _check_left(builder: Builder) -> None:
    """What is left must be a loop, a phase or a procedure that may be under way."""
    rules = builder.rules
    labels, unnamed = _labels(rules)
    for each in builder.left:
        if each.name == unnamed and each.name not in (each.procedure, *rules.procedures):
            message = "this ends all turns, not only this one"
            help_ = _one_turn(each)
            builder.problems.warning("RR463", message, each.mark, help=help_)
            continue
        if each.name in (*each.loops, each.procedure) or each.name in rules.stopping:
            continue
        if each.name in labels or (each.name in rules.procedures and builder.problems.has_errors):
            continue  # what could not be understood may be what stops there
        known = [*each.loops, *([each.procedure] if each.procedure else []), *rules.procedures]
        near = did_you_mean(each.name, known)
        help_ = near or (
            "declare a phase or a procedure of this name, or give it to a loop:\n"
            f"`repeat as {each.name}`"
        )
        help_ = _one_turn(each) if each.name in ("turns", "turn") else help_
        message = f"there is nothing called `{each.name}` to leave"
        builder.error("RR413", message, each.mark, help_)


def _one_turn(each: Left) -> str:
    """How to end this turn, or all of them."""
    one = (
        "to end this turn, make it a procedure: write `takeTurn(me)` under `turns`, its steps\n"
        "under `procedure takeTurn(p: Player)`, and here `leave takeTurn`"
    )
    all_ = "if no turn is to follow, name the turns: `turns as rounds` and `leave rounds`"
    return f"{'to end this turn, write `skip`' if each.in_turns else one};\n{all_}"


def _labels(rules: r.Rules) -> tuple[set[str], str | None]:
    """What all loops are called, and what turns are that nobody has named, if there are any."""
    bodies = [each.body for each in rules.setup]
    bodies += [each.body for each in rules.procedures.values()]
    bodies += [each.body for each in rules.actions.values()]
    for scenario in rules.scenarios:
        bodies += [*scenario.given, *(run.body for run in scenario.runs)]
    bodies += [] if rules.play is None else [rules.play.body]
    loops = [
        each
        for statements in bodies
        for each in statements_in(statements)
        if isinstance(each, s.Turns | s.ForEach | s.Repeat)
    ]
    named = {each.label for each in loops if each.label is not None}
    unnamed = any(isinstance(each, s.Turns) and each.label is None for each in loops)
    return named, "turn" if unnamed and "turn" not in named else None
