"""Which statements may stop a game, and which procedures contain such statements.

What never stops is lowered to straight code with locals; what may stop, or jumps out of
itself, needs a place in the buffer to be resumed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.model.ruleset import Ruleset
from interpreter.tree import nodes

_STOPS = (
    nodes.ChooseActions, nodes.ChooseValue, nodes.ChooseBlock, nodes.Sealed, nodes.LookingAhead,
    nodes.Draw, nodes.Roll, nodes.AssignRandom, nodes.Wins, nodes.EndGame, nodes.Leave,
    nodes.Turns,
)  # fmt: skip


def stopping_procedures(ruleset: Ruleset) -> set[str]:
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for name, procedure in ruleset.procedures.items():
            if name not in found and any(stops(each, found) for each in procedure.body):
                found.add(name)
                changed = True
    return found


def stops(statement: nodes.Statement, stopping: set[str], in_loop: bool = False) -> bool:
    """`in_loop`: jumps stay inside the statement we ask about."""
    if isinstance(statement, _STOPS):
        return True
    match statement:
        case nodes.Jump():
            return not in_loop or statement.word == "again"
        case nodes.Do():
            return called_name(statement.call) in stopping
        case nodes.If():
            bodies = [each.body for each in statement.arms]
            if statement.otherwise is not None:
                bodies.append(statement.otherwise.body)
            return any(stops(each, stopping, in_loop) for body in bodies for each in body)
        case nodes.ForEach() | nodes.Repeat():
            return any(stops(each, stopping, True) for each in statement.body)
        case _:
            return False


def called_name(call: nodes.Expr) -> str | None:
    match call:
        case nodes.Name(name=name):
            return name
        case nodes.Call(target=nodes.Name(name=name)) | nodes.Dot(name=name):
            return name
        case nodes.Call(target=nodes.Dot(name=name)):
            return name
        case _:
            return None


def bodies_of(statement: nodes.Statement) -> Iterator[tuple[nodes.Statement, ...]]:
    """The blocks directly inside a statement."""
    match statement:
        case nodes.If():
            for arm in statement.arms:
                yield arm.body
            if statement.otherwise is not None:
                yield statement.otherwise.body
        case (
            nodes.ForEach() | nodes.Repeat() | nodes.Turns() | nodes.Sealed() | nodes.LookingAhead()
        ):
            yield statement.body
        case nodes.ChooseBlock():
            for option in statement.options:
                yield option.body
            if statement.otherwise is not None:
                yield statement.otherwise.body
        case _:
            return


def statements_in(body: Iterable[nodes.Statement]) -> Iterator[nodes.Statement]:
    for statement in body:
        yield statement
        for inner in bodies_of(statement):
            yield from statements_in(inner)
