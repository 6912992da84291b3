"""Scenarios: their positions and runs are bodies, what they expect are questions."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.model.types import INT
from interpreter.report.problem import Problems
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import rules as r
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.scope import Builder, Scope


def type_scenario(builder: Builder, written: nodes.Scenario) -> r.Scenario:
    builder.testing = True  # rules cannot look into the box, scenarios can
    words = {head.word for head in written.heads}
    scope = Scope(builder)
    _check_order(scope, written.parts)
    scripted = "scripted setup" in words or any(
        isinstance(part, nodes.RunWhole) and part.what == "setup" for part in written.parts
    )
    return r.Scenario(
        written.title,
        not scripted and "without setup" not in words,
        tuple(scope.body(part.body) for part in written.parts if isinstance(part, nodes.Given)),
        tuple(_runs(scope, written, "scripted setup" in words)),
        tuple(_question(scope, part) for part in written.parts),
        mark=written.mark,
        cites=written.cites,
    )


def _runs(scope: Scope, written: nodes.Scenario, scripted: bool) -> Iterator[r.Run]:
    """What is run, one after the other; where nothing is said, `play`."""
    runs = [part for part in written.parts if isinstance(part, nodes.Run | nodes.RunWhole)]
    if not runs:
        yield r.Run(scripted, (), True, mark=written.mark)
    for number, part in enumerate(runs):
        first = scripted and number == 0
        if isinstance(part, nodes.Run):
            yield r.Run(first, scope.body(part.body), False, mark=part.mark, cites=part.cites)
        else:
            sets_up, plays = first or part.what == "setup", part.what == "play"
            yield r.Run(sets_up, (), plays, mark=part.mark, cites=part.cites)


def _check_order(scope: Scope, parts: tuple[nodes.Part, ...]) -> None:
    """The position is made before all else, so that is where it has to stand."""
    begun: str | None = None
    for part in parts:
        match part:
            case nodes.Given() if begun is not None:
                message = f"`given` makes the position, so it cannot come after `{begun}`"
                help_ = "put it first; what happens later is a `run`"
                scope.error("RR277", message, part.mark, help_)
            case nodes.Given():
                pass
            case nodes.Run() | nodes.RunWhole():
                begun = begun or "run"
            case nodes.Steps():
                begun = begun or "when"
            case _:
                begun = begun or "then"


def _question(scope: Scope, part: nodes.Line) -> r.Question | None:
    match part:
        case nodes.Holds():
            condition = fitting.condition(scope, part.condition)
            return r.Holds(condition, tuple(_operands(scope, part.condition)))
        case nodes.Scores():
            return r.Scores(fitting.value_as(scope, part.value, INT, "a score"))
        case nodes.Sees():
            return _sight(scope, part)
        case _:
            return None


def _operands(scope: Scope, expr: nodes.Expr) -> Iterator[r.Operand | r.Witnesses]:
    """What is compared, to be shown when a comparison fails."""
    match expr:
        case nodes.Every() | nodes.Quantified():
            yield from _witnesses(scope, expr)
        case nodes.Binary(operator="and" | "or"):
            yield from _operands(scope, expr.left)
            yield from _operands(scope, expr.right)
        case nodes.Unary(operator="not"):
            yield from _operands(scope, expr.operand)
        case nodes.Binary():
            for side in (expr.left, expr.right):
                yield from _operand(scope, side)
                if isinstance(side, nodes.Quantified):
                    yield from _witnesses(scope, side)
        case nodes.MemberOf():
            yield from _operand(scope, expr.element)
        case _:
            pass


def _operand(scope: Scope, expr: nodes.Expr) -> Iterator[r.Operand]:
    if isinstance(expr, nodes.Number | nodes.Truth | nodes.NoneValue | nodes.Quoted):
        return
    value = _understood(scope, expr)
    if value is not None and not isinstance(value, v.ListOf | v.Broken):
        yield r.Operand(flat(say_value(expr)), value)


def _witnesses(scope: Scope, expr: nodes.Every | nodes.Quantified) -> Iterator[r.Witnesses]:
    match _understood(scope, expr):
        case v.Every(binder, test):
            yield r.Witnesses(binder, test)
        case v.Quantified(binder=binder):
            yield r.Witnesses(binder, None)
        case _:  # not understood
            pass


def _understood(scope: Scope, expr: nodes.Expr) -> v.Value | None:
    """By itself a part may not be understood; then it is simply not shown."""
    builder = scope.builder
    problems, builder.problems = builder.problems, Problems()
    value = _plain(scope, scope.value(expr), expr)
    understood = not builder.problems.has_errors
    builder.problems = problems
    return value if understood else None


def _plain(scope: Scope, value: v.Value, expr: nodes.Expr) -> v.Value:
    """One value: the piece in a slot."""
    return fitting.content(scope, value, expr.mark) if isinstance(value, v.PlaceAt) else value


def _sight(scope: Scope, part: nodes.Sees) -> r.Question | None:
    value = scope.value(part.what)
    if isinstance(value, v.PlaceAt) and value.place.word not in ("slot", "pool"):
        return r.SeesPlace(value)
    value = _plain(scope, value, part.what)
    if value.type.sort == "row":
        value = fitting.only_piece(scope, value)
    kind = scope.ruleset.kinds.get(value.type.name)
    if value.type.sort == "kind" and kind is not None and kind.tracked:
        return r.SeesPiece(kind.name, value)
    if isinstance(value, v.Read | v.PoolCount):
        return r.SeesEntry(value)
    if value.type.sort != "unknown":
        help_ = _one_of_many(scope, value) or (
            "a number that is worked out lies nowhere: name the variables that it is made of"
            if value.type.sort == "int"
            else "write `P2 sees P1.bid`, or name a piece or a place"
        )
        message = "what is seen is a variable, a piece or a place"
        scope.error("RR271", message, part.what.mark, help_)
    return None


def _one_of_many(scope: Scope, value: v.Value) -> str | None:
    """How to name one copy, if this is a row that has several."""
    if value.type.sort != "row" or not isinstance(value, v.Constant):
        return None
    row = scope.ruleset.kinds[value.type.name].rows[value.value]
    if row.copies < 2:
        return None
    return f'there are {row.copies} of {row.name}: name one, as `"{row.name}#1"`'
