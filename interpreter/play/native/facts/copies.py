"""Code without locals that only stand for another one.

What is written in another way often differs by such copies only: `chain(c)` for a region, a name
for a neighbour. So patterns are looked for in code from which they are taken out.

A copy is taken out where nobody sees the difference: all that read it stand after it in the same
block, and neither it nor what it is a copy of is set there. It costs no steps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.program import ops
from interpreter.program.touches import inner_fields, locals_set, uses


def without_copies(body: tuple[ops.Statement, ...]) -> tuple[ops.Statement, ...]:
    found = _without_one(body, body)
    while found is not None:
        body, found = found, _without_one(found, found)
    return body


def _without_one(code: Any, whole: Any) -> Any:
    """The same with one copy less; None if there is none."""
    if type(code) is tuple:
        for place, each in enumerate(code):
            rest = code[place + 1 :]
            match each:
                case ops.SetLocal(copy, ops.Local(of)) if _is_copy(copy, of, code[place:], whole):
                    return code[:place] + renamed(rest, copy, of)
                case _:  # there may be one in it
                    inside = _without_one(each, whole)
                    if inside is not None:
                        return (*code[:place], inside, *rest)
        return None
    for name in inner_fields(type(code)) or ():
        inside = _without_one(getattr(code, name), whole)
        if inside is not None:
            return replace(code, **{name: inside})
    return None


def _is_copy(copy: int, of: int, following: tuple[Any, ...], whole: Any) -> bool:
    if copy == of or {copy, of} & locals_set(following[1:]):
        return False
    return uses(whole, {copy}) == uses(following, {copy})


def renamed(code: Any, old: int, new: int) -> Any:
    if type(code) is tuple:
        return tuple(renamed(each, old, new) for each in code)
    if isinstance(code, ops.Local):
        return ops.Local(new) if code.index == old else code
    names = inner_fields(type(code)) or ()
    return replace(code, **{name: renamed(getattr(code, name), old, new) for name in names})
