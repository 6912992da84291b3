"""Floods that are begun again while nothing has changed that they go by.

`any(x in region(c through y where y.stone is me) where x.row = 1)` and the same with `x.row = 9`
find the same cells, and in a loop so does every round. Found are the floods of a piece of code (a
function, or what is run from one stop to the next) that spread alike and may find what was found
before: several of them, or one in a loop that does not move its start. What they found is kept with
where they started and the locals that the condition reads (emit/again.py).

It is right because a condition that only looks at the state lets in the same cells as long as these
locals and the cells it can read are the same. So whoever writes such a cell takes back what is kept
(`Again.reads`).

What must not be assumed: that a trial has no part in it. Code that tries something out keeps
nothing, because what is asked in a trial is asked of another state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.play.native.facts.copies import renamed
from interpreter.play.native.facts.floods import Flood, find_flood
from interpreter.play.native.facts.shape import is_still
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import (
    TOUCHES,
    inner_fields,
    locals_read,
    locals_set,
    operations,
    parts,
    with_called,
)

_LOOPS = (ops.CountLoop, ops.While, ops.Reach)
_TARGET, _HERE = -1, -2  # stand for the locals with the cells of a step


@dataclass(frozen=True, slots=True)
class Again:
    """Floods that spread alike."""

    floods: tuple[Flood, ...]
    keys: tuple[int, ...]  # locals that the condition reads
    reads: frozenset[int]  # cells


def find_again(program: Program, code: Any, *, free: bool) -> list[Again]:
    """`free`: nobody counts steps. There a flood ends early, which is better than to keep the whole
    of it for another, but not for every round of a loop."""
    found: dict[Any, list[tuple[Flood, bool]]] = {}
    for flood, moved in _floods(code, None):
        if _is_kept(program, flood):
            stays = moved is not None and not moved & (locals_read(flood.start) | _keys(flood))
            found.setdefault(_spreading(flood), []).append((flood, stays))
    several = []
    for each in found.values():
        floods, stay = zip(*each, strict=True)
        if any(stay) or (len(floods) > 1 and not free):
            several.append(floods)
    if not several or any(isinstance(op, (ops.Can, ops.WhatIf)) for op in operations(code)):
        return []
    return [
        Again(floods, tuple(sorted(_keys(floods[0]))), _reads(program, floods[0]))
        for floods in several
    ]


def _floods(
    code: Any, moved: frozenset[int] | None
) -> Iterator[tuple[Flood, frozenset[int] | None]]:
    """Every flood, and the locals that the innermost loop around it sets."""
    if isinstance(code, _LOOPS):
        moved = frozenset(locals_set(code))
    if type(code) is tuple:
        for first, each in enumerate(code):
            flood = find_flood(code, first) if isinstance(each, ops.CountLoop) else None
            if flood is not None:
                yield flood, moved
    for part in parts(code):
        if part is not None:
            yield from _floods(part, moved)


def _is_kept(program: Program, flood: Flood) -> bool:
    """Whether the cells that are found depend on the start, some locals and the state only."""
    asked = ops.Evaluate(flood.test)
    return (
        is_still(program, (asked,))
        and not locals_set(asked)
        and not any(isinstance(op, ops.LocalAt) for op in operations(asked))
    )


def _keys(flood: Flood) -> set[int]:
    return locals_read(flood.test) - {flood.target, flood.here}


def _spreading(flood: Flood) -> Any:
    """What is the same in floods that spread alike."""
    test = renamed(renamed(flood.test, flood.target, _TARGET), flood.here, _HERE)
    return flood.cells, flood.ways, flood.table, flood.starts_anyway, _unmarked(test)


def _unmarked(code: Any) -> Any:
    """The same without the spots at which it would fail: what was found has not failed."""
    if type(code) is tuple:
        return tuple(map(_unmarked, code))
    new = {name: _unmarked(getattr(code, name)) for name in inner_fields(type(code)) or ()}
    return replace(code, **new, **({"at": -1} if hasattr(code, "at") else {}))


def _reads(program: Program, flood: Flood) -> frozenset[int]:
    found = with_called(program, flood.test)
    return frozenset(cell for op in found for cell in TOUCHES[type(op)].reads(op))
