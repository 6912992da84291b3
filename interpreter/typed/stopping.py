"""Which statements may stop a game, and which procedures contain such statements.

What never stops becomes straight code with locals; what may stop, or jumps out of itself, needs a
place in the buffer to be resumed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import assert_never

from interpreter.typed import statements as typed
from interpreter.typed.rules import Rules


def stopping_procedures(rules: Rules) -> frozenset[str]:
    """What a procedure calls makes it stop, so this goes on until nothing new is found."""
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for name, procedure in rules.procedures.items():
            if name not in found and any(stops(each, found) for each in procedure.body):
                found.add(name)
                changed = True
    return frozenset(found)


def stops(statement: typed.Statement, stopping: Set[str], in_loop: bool = False) -> bool:
    """`in_loop`: jumps stay inside the statement we ask about."""
    if isinstance(statement, typed.Straight):
        return False
    if isinstance(statement, typed.Stopping):
        return True
    match statement:
        case typed.Jump():
            return not in_loop or statement.word == "again"
        case typed.Do():
            return statement.procedure in stopping
        case typed.If():
            return any(
                stops(each, stopping, in_loop) for body in bodies_of(statement) for each in body
            )
        case typed.ForEach() | typed.Repeat():
            return any(stops(each, stopping, True) for each in statement.body)
        case _:
            assert_never(statement)


def asks_surely(body: typed.Body, rules: Rules, inside: frozenset[str] = frozenset()) -> bool:
    """Whether somebody is asked whenever these statements are carried out. `inside` are the
    procedures that led here: one that calls itself is told elsewhere."""
    for each in body:
        match each:
            case typed.Choose():
                if each.otherwise is None and (each.always or not each.may):
                    return True
            case typed.Do() if each.procedure not in inside:
                procedure = rules.procedures.get(each.procedure)
                if procedure and asks_surely(procedure.body, rules, inside | {each.procedure}):
                    return True
            case typed.Repeat(how="forever"):
                if asks_surely(each.body, rules, inside):
                    return True
            case typed.If() if each.otherwise is not None:
                if all(asks_surely(way, rules, inside) for way in bodies_of(each)):
                    return True
            case _:  # it asks nobody, or perhaps nobody
                pass
        if _jumps(each):
            return False
    return False


def _jumps(statement: typed.Statement, in_loop: bool = False) -> bool:
    """Whether a statement may leave out what comes after it."""
    match statement:
        case typed.Jump():
            return not in_loop
        case typed.Leave():
            return True
        case typed.ForEach() | typed.Repeat() | typed.Turns():
            in_loop = True
        case _:  # it goes on to its end, unless something inside it does not
            pass
    return any(_jumps(each, in_loop) for body in bodies_of(statement) for each in body)


def bodies_of(statement: typed.Statement) -> Iterator[typed.Body]:
    """The blocks directly inside a statement. What an action does stands elsewhere.

    Whoever asks something of all statements comes to those inside others through here, so what
    holds statements and is forgotten here would hide them."""
    if isinstance(statement, typed.Straight):
        return
    match statement:
        case typed.If():
            for arm in statement.arms:
                yield arm.body
            if statement.otherwise is not None:
                yield statement.otherwise
        case (
            typed.ForEach() | typed.Repeat() | typed.Turns() | typed.Sealed() | typed.LookingAhead()
        ):
            yield statement.body
        case typed.Choose():
            for offer in statement.offers:
                yield offer.then if isinstance(offer, typed.Declared) else offer.body
            if statement.otherwise is not None:
                yield statement.otherwise
        case (
            typed.Do()
            | typed.Jump()
            | typed.Leave()
            | typed.AssignRandom()
            | typed.Draw()
            | typed.Roll()
            | typed.Wins()
            | typed.EndGame()
        ):
            return
        case _:
            assert_never(statement)


def statements_in(body: Iterable[typed.Statement]) -> Iterator[typed.Statement]:
    """Every statement of a body, each before those inside it."""
    waiting = list(body)[::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        inside = [each for inner in bodies_of(statement) for each in inner]
        waiting += reversed(inside)
