"""What is worked out about a program when it is first asked for, and kept as long as it is there.

A program is data, made once and changed no more. What later stages find out about it is theirs, not
the program's: each says `@once_for_each_program` over the function that works it out, and needs no
field to keep it in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import finalize

from interpreter.program.program import Program

P = ParamSpec("P")
T = TypeVar("T")


def once_for_each_program(
    work: Callable[Concatenate[Program, P], T],
) -> Callable[Concatenate[Program, P], T]:
    """The same function, which works each answer out once. What else it is asked with must tell
    questions apart, as the keys of a dictionary do, and nobody may change an answer."""
    # By the identity of the program, for as long as it is there: nothing is quicker to look up.
    answers: dict[int, dict[tuple[Any, ...], T]] = {}

    @wraps(work)
    def answer(program: Program, /, *question: P.args, **named: P.kwargs) -> T:
        assert not named, "a question is asked by position"
        try:
            return answers[id(program)][question]
        except KeyError:
            pass
        if id(program) not in answers:
            answers[id(program)] = {}
            finalize(program, answers.pop, id(program), None).atexit = False
        found = answers[id(program)][question] = work(program, *question, **named)
        return found

    return answer
