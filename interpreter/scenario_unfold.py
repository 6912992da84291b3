"""Scenarios as they are written, and as they are run.

One that goes on from another begins with all that the other does; one for several tables is run at
each of them; and steps that have a name are put where they are called. What comes out has one
table and nothing but plain steps. What cannot be unfolded is told, as any mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from interpreter.reading import Rules
from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_MOST_TABLES = 60  # that one scenario is run at
_MOST_STEPS = 20_000  # of one scenario, with all that its named steps become
_MOST_SEATS = 16
_MOST_TIMES = 200
_DEEPEST = 20  # scenarios after one another, and named steps in named steps


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A scenario at one table; `table` says which, if there are several."""

    written: nodes.Scenario
    plain: nodes.Scenario
    table: str = ""


class _Wrong(Exception):
    def __init__(self, code: str, message: str, mark: Mark, help_: str | None = None) -> None:
        self.problem = Problem(code, message, mark, help=help_)


def unfold(rules: Rules, written: nodes.Scenario) -> list[Unfolded] | Problem:
    try:
        parts = tuple(_plain_parts(rules, _all_parts(rules, written)))
        heads = _line_of(rules, written)[0].heads
        return list(_at_tables(written, heads, parts))
    except _Wrong as wrong:
        return wrong.problem


# ---- going on from another one


def _line_of(rules: Rules, written: nodes.Scenario) -> list[nodes.Scenario]:
    """The scenarios that one goes on from, the first of them first, and itself."""
    line = [written]
    while (title := line[0].beginning) is not None:
        named = [each for each in rules.scenarios if each.title == title]
        if not named:
            message = f"no scenario is called `{title}`"
            near = did_you_mean(title, {each.title for each in rules.scenarios})
            raise _Wrong("RR280", message, line[0].mark, near)
        if len(named) > 1:
            message = f"{len(named)} scenarios are called `{title}`"
            raise _Wrong("RR280", message, line[0].mark, "give each a title of its own")
        if any(named[0] is each for each in line):
            message = f"`{title}` would go on from itself"
            raise _Wrong("RR280", message, line[0].mark, "let one of them begin by itself")
        if line[0].heads:
            message = "a scenario that goes on from another one has the same table"
            help_ = f"say it in `{title}`"
            raise _Wrong("RR281", message, line[0].heads[0].mark, help_)
        line.insert(0, named[0])
        if len(line) > _DEEPEST:
            message = f"this goes on from more than {_DEEPEST} scenarios, one after the other"
            raise _Wrong("RR280", message, written.mark, "let one of them begin by itself")
    return line


def _all_parts(rules: Rules, written: nodes.Scenario) -> Iterator[nodes.Part]:
    """What those before have done, but not what they expect: that is tested there."""
    *before, last = _line_of(rules, written)
    doing = nodes.Given | nodes.Run | nodes.RunWhole | nodes.Steps
    for each in before:
        yield from (part for part in each.parts if isinstance(part, doing))
    yield from last.parts


# ---- several tables


def _at_tables(
    written: nodes.Scenario, heads: tuple[nodes.Head, ...], parts: tuple[nodes.Part, ...]
) -> Iterator[Unfolded]:
    choices = [list(_single(head)) for head in heads]
    several = [number for number, each in enumerate(choices) if len(each) > 1]
    for number, table in enumerate(product(*choices)):
        if number == _MOST_TABLES:
            message = f"this would be run at more than {_MOST_TABLES} tables"
            raise _Wrong("RR282", message, written.mark, "test fewer of them together")
        told = ", ".join(_told(table[place]) for place in several)
        plain = replace(written, heads=table, parts=parts)
        yield Unfolded(written, plain, told)


def _single(head: nodes.Head) -> Iterator[nodes.Head]:
    if not head.values:
        yield head
    for value in head.values:
        if isinstance(value, nodes.Range):
            low, high = value.low, value.high
            assert isinstance(low, nodes.Number) and isinstance(high, nodes.Number)
            if low.value >= high.value:
                message = f"from {low.value} to {high.value} there are not several"
                raise _Wrong("RR282", message, head.mark, "write the smaller number first")
            for number in range(low.value, min(high.value, low.value + _MOST_TABLES) + 1):
                one = nodes.Number(number, mark=value.mark)
                yield replace(head, values=(one,))
        else:
            yield replace(head, values=(value,))


def _told(head: nodes.Head) -> str:
    value = head.values[0]
    assert not isinstance(value, nodes.Range)
    text = flat(say_value(value))
    return f"{text} players" if head.word == "players" else f"{head.name} = {text}"


# ---- steps


def _plain_parts(rules: Rules, parts: Iterator[nodes.Part]) -> Iterator[nodes.Part]:
    """With every step a part of its own, which has the mark of the line that takes it."""
    count = 0
    for part in parts:
        if not isinstance(part, nodes.Steps):
            yield part
            continue
        for written in part.steps:
            for step in _plain_steps(rules, written, ()):
                count += _often(step)
                if count > _MOST_STEPS:
                    message = f"with all that is taken here there are more than {_MOST_STEPS} steps"
                    raise _Wrong("RR284", message, written.mark)
                yield replace(part, steps=(step,), mark=written.mark)


def _often(step: nodes.Decision | nodes.Outcome) -> int:
    if isinstance(step, nodes.Outcome):
        return len(step.values)
    return step.times * (_MOST_SEATS if step.seats == ("everybody",) else len(step.seats))


def _plain_steps(
    rules: Rules, step: nodes.Step, entered: tuple[str, ...]
) -> Iterator[nodes.Decision | nodes.Outcome]:
    match step:
        case nodes.StepCall():
            course = _called(rules, step)
            if course.name in entered:
                message = f"`{course.name}` would take itself as a step"
                raise _Wrong("RR283", message, step.mark)
            if len(entered) == _DEEPEST:
                message = f"these steps stand more than {_DEEPEST} deep in one another"
                raise _Wrong("RR283", message, step.mark)
            given = dict(zip(course.params, _given(course, step), strict=True))
            for each in course.steps:
                yield from _plain_steps(rules, _put_in(each, given), (*entered, course.name))
        case nodes.Decision() if not 1 <= step.times <= _MOST_TIMES:
            message = f"a step is taken 1 to {_MOST_TIMES} times, not {step.times}"
            raise _Wrong("RR284", message, step.mark)
        case _:
            yield step


def _called(rules: Rules, step: nodes.StepCall) -> nodes.NamedSteps:
    found = [each for each in rules.courses if each.name == step.name]
    if not found:
        message = f"no steps are called `{step.name}`"
        near = did_you_mean(step.name, {each.name for each in rules.courses})
        help_ = (
            f"who does it? `P1 {step.name}`; or declare `steps {step.name}` beside the scenarios"
        )
        raise _Wrong("RR283", message, step.mark, near or help_)
    if len(found) > 1:
        raise _Wrong("RR283", f"`steps {step.name}` is declared twice", found[1].mark)
    return found[0]


def _given(course: nodes.NamedSteps, step: nodes.StepCall) -> Sequence[nodes.Expr]:
    values = [each.value for each in step.arguments if each.name is None]
    plain = [value for value in values if not isinstance(value, nodes.Range)]
    if len(plain) != len(step.arguments) or len(plain) != len(course.params):
        takes = ", ".join(course.params) or "nothing"
        message = f"`{course.name}` takes {takes}"
        help_ = "give one value for each, in this order"
        raise _Wrong("RR283", message, step.mark, help_)
    return plain


def _put_in(step: nodes.Step, given: Mapping[str, nodes.Expr]) -> nodes.Step:
    """A step with values in the place of parameters. It keeps its own marks."""

    def value(written: nodes.Expr) -> nodes.Expr:
        return given.get(written.name, written) if isinstance(written, nodes.Name) else written

    def argument(each: nodes.Argument) -> nodes.Argument:
        if isinstance(each.value, nodes.Range):
            return each
        return replace(each, value=value(each.value))

    def seat(name: str) -> str:
        return flat(say_value(given[name])) if name in given else name

    match step:
        case nodes.Outcome():
            return replace(step, values=tuple(map(value, step.values)))
        case nodes.StepCall():
            return replace(step, arguments=tuple(map(argument, step.arguments)))
        case nodes.Decision():
            inside = tuple(map(argument, step.offer.arguments))
            offer = replace(step.offer, arguments=inside)
            return replace(step, seats=tuple(map(seat, step.seats)), offer=offer)
