"""What every operation touches: one row for each, so that nobody else has to go through them all.

Whoever asks what code reads or writes, or which locals it uses, asks here: liveness, the origins of
cells, views, and the facts that native code is made from. A new operation needs one row; a test
says that none is missing, and that a row names every field that holds operations.

A row is about the operation itself. What lies inside it has rows of its own: `operations` goes
through code and comes to each in turn. What a decision asks, and what chance or the end of a game
calls, stands elsewhere in the program, so these columns are asked with the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from interpreter.program import ops
from interpreter.program.layout import CONTENTS
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

Cells = frozenset[int]
_NOTHING = range(0)


def _none(op: Any) -> range:
    return _NOTHING


def _none_of(op: Any, program: Program) -> Iterable[Any]:
    return ()


@dataclass(frozen=True, slots=True)
class Touches:
    """One operation. Locals are those of the code it is in, all else are cells of the buffer."""

    inner: tuple[str, ...] = ()  # the fields that hold operations, in the order they are written
    reads: Callable[[Any], range] = _none
    locals_read: Callable[[Any], Iterable[int]] = _none
    locals_set: Callable[[Any], Iterable[int]] = _none
    writes: Callable[[Any, Program], Iterable[range]] = _none_of
    calls: Callable[[Any, Program], Iterable[int]] = _none_of  # functions
    tries: bool = False  # it carries a routine through on a copy, which may look at anything
    tells: bool = False  # whoever runs the code hears of it: an option, a line of the log


# ---- the columns


def _local(op: ops.Local | ops.SetLocal) -> range:
    return range(op.index, op.index + 1)


def _locals(op: ops.LocalAt | ops.SetLocalAt) -> range:
    return range(op.base, op.base + op.size)


def _counted(op: ops.CountLoop) -> range:
    return range(op.local, op.local + 1)


def _reached(op: ops.Reach) -> Iterable[int]:
    origin = () if op.origin < 0 else (op.origin,)
    return (op.local, op.target, *origin, *range(op.prices, op.prices + op.cells))


def _cell(op: ops.Memory) -> range:
    return range(op.address, op.address + 1)


def _cells(op: ops.MemoryAt) -> range:
    return range(op.base, op.base + op.size)


def _set_cell(op: ops.SetMemory | ops.Chance, program: Program) -> Iterable[range]:
    yield range(op.address, op.address + 1)


def _set_cells(op: ops.SetMemoryAt, program: Program) -> Iterable[range]:
    yield range(op.base, min(op.base + op.size, program.layout.size))


def _pieces(op: ops.MovePiece | ops.ShufflePlace | ops.Know, program: Program) -> Iterable[range]:
    kind = program.layout.kinds[op.kind]
    for start in (kind.where, kind.position, kind.known):
        if start >= 0:
            yield range(start, start + len(kind.row_of))
    for _, readers, size in kind.notes:
        yield range(readers, readers + size)
    for address, room in zip(kind.instance_address[1:], kind.instance_capacity[1:], strict=True):
        yield range(address, address + CONTENTS + room)


def _given(op: ops.Invoke, program: Program) -> Iterable[range]:
    """Where to go back to, and the parameters."""
    first = program.routines[op.routine].address
    yield range(first, first + 1 + len(op.arguments))


def _frame(op: ops.Finish, program: Program) -> Iterable[range]:
    routine = program.routines[op.routine]
    yield range(routine.address, routine.address + routine.size)


def _frames(op: ops.Unwind | ops.Over, program: Program) -> Iterable[range]:
    yield range(program.layout.frames, program.layout.frames + program.layout.frames_size)


def _result(op: ops.Over, program: Program) -> Iterable[range]:
    yield range(program.layout.scores, program.layout.scores + program.layout.players)
    yield from _frames(op, program)


def _chosen(op: ops.Decide, program: Program) -> Iterable[range]:
    for entry in program.menus[op.menu].entries:
        yield from (range(cell, cell + 1) for cell in entry.cells)


def _sealed(op: ops.Sealed | ops.SealedEnd, program: Program) -> Iterable[range]:
    """The choices that are written down, and for whom the body is run."""
    layout = program.layout
    wide = layout.players * layout.sealed_capacity * layout.sealed_width
    yield range(layout.sealed_length, layout.sealed_length + layout.players)
    yield range(layout.sealed_choices, layout.sealed_choices + wide)
    if isinstance(op, ops.Sealed):
        yield range(op.seat, op.seat + 1)


def _called(op: ops.Call, program: Program) -> Iterable[int]:
    yield op.function


def _asked(op: ops.Decide, program: Program) -> Iterable[int]:
    """What makes the options, the conditions that explain a refusal, and the words."""
    for entry in program.menus[op.menu].entries:
        yield entry.generator
        for guard in entry.guards:
            yield guard.function
            yield from (function for function, _ in guard.parts)
        text = program.actions[entry.action].text
        yield from () if text is None else text.functions


def _weighed(op: ops.Chance, program: Program) -> Iterable[int]:
    yield op.generator


def _judged(op: ops.Over, program: Program) -> Iterable[int]:
    yield from (number for number in (program.score, program.winners) if number >= 0)


TOUCHES: dict[type, Touches] = {
    ops.Const: Touches(),
    ops.Local: Touches(locals_read=_local),
    ops.LocalAt: Touches(("index",), locals_read=_locals),
    ops.Memory: Touches(reads=_cell),
    ops.MemoryAt: Touches(("index",), reads=_cells),
    ops.Lookup: Touches(("index",)),
    ops.Unary: Touches(("operand",)),
    ops.Binary: Touches(("left", "right")),
    ops.Choice: Touches(("condition", "then", "otherwise")),
    ops.Call: Touches(("arguments",), calls=_called),
    ops.Sequence: Touches(("statements", "result")),
    ops.Within: Touches(("value",)),
    ops.Can: Touches(("arguments",), tries=True),
    ops.WhatIf: Touches(("steps", "value")),
    ops.SetLocal: Touches(("value",), locals_set=_local),
    ops.SetLocalAt: Touches(("index", "value"), locals_set=_locals),
    ops.SetMemory: Touches(("value",), writes=_set_cell),
    ops.SetMemoryAt: Touches(("index", "value"), writes=_set_cells),
    ops.When: Touches(("condition", "then", "otherwise")),
    ops.CountLoop: Touches(("low", "high", "body"), locals_set=_counted),
    ops.While: Touches(("condition", "body")),
    ops.Reach: Touches(("budget", "start", "cost", "body"), locals_set=_reached),
    ops.Break: Touches(),
    ops.Continue: Touches(),
    ops.Return: Touches(("value",)),
    ops.Emit: Touches(("values",), tells=True),
    ops.Fail: Touches(),
    ops.Evaluate: Touches(("value",)),
    ops.MovePiece: Touches(("piece", "place"), writes=_pieces),
    ops.ShufflePlace: Touches(("place",), writes=_pieces),
    ops.Know: Touches(("piece", "seats"), writes=_pieces),
    ops.Tell: Touches(("values",), tells=True),
    ops.Cite: Touches(tells=True),
    ops.Do: Touches(("statements",)),
    ops.Goto: Touches(),
    ops.Unless: Touches(("condition",)),
    ops.Invoke: Touches(("arguments",), writes=_given),
    ops.Finish: Touches(writes=_frame),
    ops.Decide: Touches(("seat",), writes=_chosen, calls=_asked),
    ops.Chance: Touches(("index",), writes=_set_cell, calls=_weighed),
    ops.Sealed: Touches(("asked",), writes=_sealed),
    ops.SealedEnd: Touches(writes=_sealed),
    ops.LookAhead: Touches(),
    ops.LookEnd: Touches(),
    ops.Unwind: Touches(writes=_frames),
    ops.Over: Touches(writes=_result, calls=_judged),
}


def inner_fields(kind: type) -> tuple[str, ...] | None:
    """The fields of a sort of operation that may hold operations; None if it is not one."""
    found = TOUCHES.get(kind)
    return None if found is None else found.inner


def parts(item: Any) -> tuple[Any, ...]:
    """What may hold operations in an operation, or in operations that stand together."""
    if type(item) is tuple:
        return item
    getter = _PARTS.get(type(item))
    return () if getter is None else getter(item)


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) == 1:
        (name,) = names
        return lambda op: (getattr(op, name),)
    return attrgetter(*names)


# One call for all fields of an operation, because all code is gone through several times.
_PARTS = {kind: _getter(row.inner) for kind, row in TOUCHES.items() if row.inner}


# ---- what is asked of whole code: an operation, or operations that stand together


def operations(code: Any) -> Iterator[Any]:
    """Every operation inside an operation, itself included, in the order they are written."""
    waiting = [code]
    while waiting:
        found = waiting.pop()
        if found is not None:
            if type(found) is not tuple:
                yield found
            waiting += parts(found)[::-1]


def locals_set(code: Any) -> set[int]:
    return {local for op in operations(code) for local in TOUCHES[type(op)].locals_set(op)}


def locals_read(code: Any) -> set[int]:
    return {local for op in operations(code) for local in TOUCHES[type(op)].locals_read(op)}


def uses(code: Any, locals_: set[int]) -> Counter[int]:
    """How often code reads or sets some locals."""
    found: Counter[int] = Counter()
    for op in operations(code):
        row = TOUCHES[type(op)]
        found.update(index for index in row.locals_read(op) if index in locals_)
        found.update(index for index in row.locals_set(op) if index in locals_)
    return found


def cells_written(program: Program, code: Any) -> Iterator[range]:
    """By code itself, not by the functions it calls."""
    for op in operations(code):
        yield from TOUCHES[type(op)].writes(op, program)


def with_called(program: Program, code: Any) -> Iterator[Any]:
    """Every operation of code, and of the functions that it calls or has called, each once."""
    waiting, called = [code], set[int]()
    while waiting:
        for op in operations(waiting.pop()):
            yield op
            for number in TOUCHES[type(op)].calls(op, program):
                if number not in called:
                    called.add(number)
                    waiting.append(program.functions[number].body)


def frame_cells_read(program: Program, code: Any) -> Cells:
    """The cells of frames that code can read, in functions it calls too."""
    found = _frame_cells(program, operations(code))
    called = {n for op in operations(code) for n in TOUCHES[type(op)].calls(op, program)}
    return found.union(*(_frame_cells_of(program, number) for number in called))


@once_for_each_program
def _frame_cells_of(program: Program, number: int) -> Cells:
    return _frame_cells(program, with_called(program, program.functions[number].body))


def _frame_cells(program: Program, found: Iterable[Any]) -> Cells:
    spans = (TOUCHES[type(op)].reads(op) for op in found)
    return frozenset(c for span in spans if span.start >= program.layout.frames for c in span)
