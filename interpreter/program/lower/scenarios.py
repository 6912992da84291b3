"""Scenarios: their positions and runs become routines, their questions functions.

All scenarios with the same players and options share one program. In it `play` has no setup of
its own: every scenario has a routine that makes its position, and then one that is played.
"""

from __future__ import annotations

from typing import Literal, assert_never

from interpreter.program import ops
from interpreter.program.lower import reading, routines, starting
from interpreter.program.lower.builder import Body
from interpreter.program.lower.loops import iterate
from interpreter.program.lower.scope import Scope
from interpreter.program.program import Part, Probe, Trial
from interpreter.typed.rules import (
    Holds,
    Operand,
    Question,
    Run,
    Scenario,
    Scores,
    SeesEntry,
    SeesPiece,
    SeesPlace,
    Witnesses,
)
from interpreter.typed.values import Value

PLAY = 0  # the routine of the rules' own `play`


def lower_scenarios(around: Scope) -> None:
    builder = around.builder
    code = routines.new_code(around, "setup")
    builder.phase = "setup"
    starting.set_up(code)
    setup = routines.finish(code)
    builder.program.trials = [
        _trial(around, scenario, number, setup)
        for number, scenario in enumerate(builder.rules.scenarios, 1)
    ]


def _trial(around: Scope, scenario: Scenario, number: int, setup: int) -> Trial:
    around.builder.phase = scenario.title
    probes = tuple(None if each is None else _probe(around, each) for each in scenario.questions)
    given = _given(around, scenario, number, setup)
    runs = tuple(_run(around, each, number, setup) for each in scenario.runs)
    return Trial(given, runs, probes)


# ---- routines


def _given(around: Scope, scenario: Scenario, number: int, setup: int) -> int:
    code = routines.new_code(around, f"given of scenario {number}", root=True)
    starting.put_pieces(code)
    if scenario.set_up:
        code.invoke(setup, (), around.builder.spot(scenario.mark))
    for body in scenario.given:
        code.block(code.scope, body)
    return routines.finish(code)


def _run(around: Scope, run: Run, number: int, setup: int) -> int:
    """What is run. Setup and play are invoked, not lowered once more in here: what leaves one of
    their loops knows only one of them."""
    if run.plays and not run.sets_up and not run.body:
        return PLAY
    code = routines.new_code(around, f"run of scenario {number}", root=True)
    at = around.builder.spot(run.mark)
    if run.sets_up:
        code.invoke(setup, (), at)
    code.block(code.scope, run.body)
    if run.plays:
        code.invoke(PLAY, (), at)
    return routines.finish(code)


# ---- questions


def _probe(around: Scope, question: Question) -> Probe:
    match question:
        case Holds():
            test = _answer(around, question.condition)
            return Probe(test, tuple(_part(around, each) for each in question.operands))
        case Scores():
            return Probe(_answer(around, question.value))
        case SeesPiece():
            return Probe(_answer(around, question.piece), kind=question.kind)
        case SeesPlace():
            scope = around.elsewhere()
            number = reading.place_ref(scope, question.place).number
            return Probe(_question(scope, number), kind=question.place.place.kind, place=True)
        case SeesEntry():
            return Probe(_address(around, question.entry), cell=True)
        case _:
            assert_never(question)


def _part(around: Scope, shown: Operand | Witnesses) -> Part:
    if isinstance(shown, Operand):
        return Part(shown.text, _answer(around, shown.value), shown.value.type)
    binder, test = shown.binder, shown.test
    scope = around.elsewhere()

    def visit(inner: Scope, element: ops.Expr, at: ops.Expr) -> Body:
        emit: Body = (ops.Emit((element,)),)
        return emit if test is None else (ops.When(inner.value(test), (), emit),)

    body = iterate(scope, binder, visit)
    number = scope.builder.new_function("witnesses", 0)
    scope.builder.complete(number, (*body, ops.Return(ops.Const(0))), scope.registers.count)
    word: Literal["found", "broken"] = "found" if test is None else "broken"
    return Part(binder.element.name, number, binder.domain.type, word)


def _answer(around: Scope, value: Value) -> int:
    scope = around.elsewhere()
    return _question(scope, scope.value(value))


def _address(around: Scope, entry: Value) -> int:
    """Where an entry of a variable is kept."""
    scope = around.elsewhere()
    match scope.value(entry):
        case ops.Memory(address):
            return _question(scope, ops.Const(address))
        case ops.MemoryAt(base, index):
            return _question(scope, ops.Binary("add", ops.Const(base), index))
        case _:  # any other value lies in no cell
            raise AssertionError("only what is kept in a cell can be looked for there")


def _question(scope: Scope, answer: ops.Expr) -> int:
    number = scope.builder.new_function("question", 0)
    scope.builder.complete(number, (ops.Return(answer),), scope.registers.count)
    return number
