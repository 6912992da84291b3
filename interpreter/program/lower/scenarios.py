"""Scenarios: their positions and runs become routines, their questions functions.

All scenarios with the same players and options share one program. In it `play` has no setup of
its own: every scenario has a routine that makes its position, and then one that is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from interpreter.model.types import INT
from interpreter.program import ops
from interpreter.program.lower import expressions, fitting, routines
from interpreter.program.lower.builder import Builder, Locals, Scope, Value
from interpreter.program.lower.routines import RoutineCode
from interpreter.program.program import Part, Probe, Trial
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

PLAY = 0  # the routine of the rules' own `play`


class Start(Protocol):
    def __call__(self, code: RoutineCode, *, setup: bool) -> None: ...


def lower_scenarios(
    builder: Builder, scenarios: Sequence[nodes.Scenario], start: Start
) -> list[Trial]:
    setup = _setup(builder, start)
    return [
        _Scenario(builder, each, number, start, setup).trial()
        for number, each in enumerate(scenarios)
    ]


def _setup(builder: Builder, start: Start) -> int:
    number = routines.new_routine(builder, "setup", 0)
    code = RoutineCode(Scope(builder, Locals(), routine=number), builder.stopping)
    start(code, setup=True)
    routines.finish(builder, code, number)
    return number


class _Scenario:
    def __init__(
        self,
        builder: Builder,
        scenario: nodes.Scenario,
        number: int,
        start: Start,
        setup: int,
    ) -> None:
        self.builder = builder
        self.scenario = scenario
        self.number = number
        self.start = start
        self.setup = setup
        words = {head.word for head in scenario.heads}
        self.scripted = "scripted setup" in words
        self.without = "without setup" in words

    def trial(self) -> Trial:
        probes = tuple(self._probe(part) for part in self.scenario.parts)
        return Trial(self._given(), self._run(), probes)

    # ---- routines

    def _code(self, word: str) -> tuple[int, RoutineCode]:
        number = routines.new_routine(self.builder, f"{word} of scenario {self.number + 1}", 0)
        self.builder.program.routines[number].root = True
        scope = Scope(self.builder, Locals(), routine=number)
        self.builder.phase = self.scenario.title
        return number, RoutineCode(scope, self.builder.stopping)

    def _given(self) -> int:
        number, code = self._code("given")
        if self.scripted or self.without:
            self.start(code, setup=False)
        else:
            spot = self.builder.spot(self.scenario.mark)
            code.add(ops.Invoke(self.setup, (), code.scope.locals.count, spot))
            self.builder.program.routines[number].calls.add(self.setup)
        for part in self.scenario.parts:
            if isinstance(part, nodes.Given):
                code.block(code.scope, part.body)
        routines.finish(self.builder, code, number)
        return number

    def _run(self) -> int:
        written = [part for part in self.scenario.parts if isinstance(part, nodes.Run)]
        if not written and not self.scripted:
            return PLAY
        number, code = self._code("run")
        if self.scripted:
            for setup in self.builder.ruleset.setup:
                code.block(code.scope, setup.body)
        for part in written:
            code.block(code.scope, part.body)
        routines.finish(self.builder, code, number)
        return number

    # ---- questions

    def _probe(self, part: nodes.Line) -> Probe | None:
        match part:
            case nodes.Holds():
                scope = self._question()
                test = self._complete(scope, expressions.condition(scope, part.condition))
                return Probe(test, tuple(self._parts(part.condition)))
            case nodes.Scores():
                scope = self._question()
                number = expressions.lower_as(scope, part.value, INT, "a score")
                return Probe(self._complete(scope, number))
            case nodes.Sees():
                return self._sight(part)
            case _:
                return None

    def _question(self) -> Scope:
        self.builder.phase = self.scenario.title
        return Scope(self.builder, Locals(), straight=True)

    def _complete(self, scope: Scope, answer: ops.Expr) -> int:
        number = self.builder.function("question", 0)
        function = self.builder.program.functions[number]
        function.body = (ops.Return(answer),)
        function.locals = scope.locals.count
        return number

    def _parts(self, expr: nodes.Expr) -> Iterator[Part]:
        """What is compared, to be shown when a comparison fails."""
        match expr:
            case nodes.Binary(operator="and" | "or"):
                yield from self._parts(expr.left)
                yield from self._parts(expr.right)
            case nodes.Unary(operator="not"):
                yield from self._parts(expr.operand)
            case nodes.Binary():
                for side in (expr.left, expr.right):
                    yield from self._part(side)
            case nodes.MemberOf():
                yield from self._part(expr.element)

    def _part(self, expr: nodes.Expr) -> Iterator[Part]:
        if isinstance(expr, nodes.Number | nodes.Truth | nodes.NoneValue | nodes.Quoted):
            return
        # By itself an operand may not be understood; then it is simply not shown.
        problems, self.builder.problems = self.builder.problems, Problems()
        scope = self._question()
        value = _plain(scope, expressions.lower(scope, expr), expr.mark)
        understood = not self.builder.problems.has_errors
        self.builder.problems = problems
        if understood and isinstance(value.op, ops.Expr):
            yield Part(flat(say_value(expr)), self._complete(scope, value.op), value.type)

    def _sight(self, part: nodes.Sees) -> Probe | None:
        scope = self._question()
        value = _plain(scope, expressions.lower(scope, part.what), part.what.mark)
        if value.type.sort == "row":
            value = fitting.only_piece(scope, value)
        kind = self.builder.ruleset.kinds.get(value.type.name)
        if value.type.sort == "kind" and kind is not None and kind.tracked:
            return Probe(self._complete(scope, value.op), kind=kind.name)
        match value.op:
            case ops.Memory(address):
                return Probe(self._complete(scope, ops.Const(address)), cell=True)
            case ops.MemoryAt(base, index):
                here = ops.Binary("add", ops.Const(base), index)
                return Probe(self._complete(scope, here), cell=True)
            case _:  # any other value lies in no cell
                pass
        if value.type.sort == "unknown":
            return None
        message = "what is seen is a variable or a piece"
        help_ = self._one_of_many(value) or "write `P2 sees P1.bid`, or name a piece"
        self.builder.error("RR271", message, part.what.mark, help_)
        return None

    def _one_of_many(self, value: Value) -> str | None:
        """How to name one copy, if this is a row that has several."""
        if value.type.sort != "row" or not isinstance(value.op, ops.Const):
            return None
        row = self.builder.ruleset.kinds[value.type.name].rows[value.op.value]
        if row.copies < 2:
            return None
        return f'there are {row.copies} of {row.name}: name one, as `"{row.name}#1"`'


def _plain(scope: Scope, value: Value, mark: Mark) -> Value:
    """One value: the piece in a slot."""
    return fitting.content(scope, value, mark) if value.type.sort == "place" else value
