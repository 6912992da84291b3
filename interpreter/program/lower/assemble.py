"""The whole lowering: lay out the state, lower every body, finish the code."""

from __future__ import annotations

from interpreter.program import ops
from interpreter.program.lower import domains, functions, routines, starting, straight, values
from interpreter.program.lower.builder import Builder
from interpreter.program.lower.endings import lower_endings
from interpreter.program.lower.finishing import finish
from interpreter.program.lower.laying_out import lay_out
from interpreter.program.lower.scenarios import lower_scenarios
from interpreter.program.lower.scope import Recursion, Scope
from interpreter.program.program import Program
from interpreter.report.work import Work
from interpreter.typed.rules import Rules

_RECURSION = Recursion(
    value=values.lower,
    domain=domains.lower,
    function=functions.function_number,
    can=routines.can,
    what_if=straight.what_if,
)


def assemble(rules: Rules, work: Work, *, watched: bool = False) -> Program:
    """The program of rules without mistakes. With scenarios it starts where they say, and has
    their questions as functions. Raises `Enough` if that becomes too big or too much `work`."""
    builder = Builder(rules, work, watched=watched)
    lay_out(builder)
    scope = Scope(builder, _RECURSION)
    _play(scope)
    if rules.scenarios:
        lower_scenarios(scope)
    lower_endings(scope)
    return finish(builder)


def _play(scope: Scope) -> None:
    builder, rules = scope.builder, scope.builder.rules
    assert rules.play is not None
    starting.initial_values(builder)
    code = routines.new_code(scope, "play", root=True)
    if not rules.scenarios:
        starting.put_pieces(code)
        builder.phase = "setup"
        starting.set_up(code)
    builder.phase = "play"
    code.block(code.scope, rules.play.body)
    code.add(ops.Over(False))
    routines.finish(code)
