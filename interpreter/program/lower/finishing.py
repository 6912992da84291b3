"""The last step of lowering: the code is made flat and every cell gets its address."""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Any, TypeVar

from interpreter import limits
from interpreter.model.types import NONE_NAMED
from interpreter.program import notes, ops, trials
from interpreter.program.lower.builder import Builder, resolve_cell
from interpreter.program.lower.laying_out import state_too_big
from interpreter.program.measure import Measure, first_spot
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, inner_fields, parts
from interpreter.report.problem import Enough
from interpreter.report.source import Mark

SEALED_CAPACITY = 64

Item = TypeVar("Item")


def finish(builder: Builder) -> Program:
    program = builder.program
    _keep_order(builder)
    flat = _flatten(builder)
    _check_size(builder, flat)
    _lay_out_sealed(builder)
    notes.lay_out(program.layout)
    frames = _place_frames(program)
    program.code = [_relocate(item, frames) for item in flat]
    for function in program.functions:
        function.body = _relocate(function.body, frames)
    for menu in program.menus:
        for entry in menu.entries:
            entry.cells = tuple(resolve_cell(cell, frames) for cell in entry.cells)
    notes.renew(program)
    program.start = program.routines[0].entry
    _initial_cells(program)
    if program.layout.size * 8 > limits.STATE_BYTES:
        mark = program.spots[0].mark if program.spots else Mark.top(builder.ruleset.file)
        raise Enough(state_too_big(program.layout.size, mark))
    if builder.tries and trials.room(program) > limits.TRIAL_CELLS:
        raise Enough(builder.work.exhausted())
    return program


def _flatten(builder: Builder) -> list[ops.Instruction]:
    """The code of all routines, one after the other; labels learn where they stand."""
    flat: list[ops.Instruction] = []
    for number, routine in enumerate(builder.program.routines):
        routine.entry.position = len(flat)
        for item in builder.codes[number]:
            if isinstance(item, ops.Label):
                item.position = len(flat)
            else:
                flat.append(item)
    return flat


def _check_size(builder: Builder, flat: list[ops.Instruction]) -> None:
    """Before anything goes through the code: an operation that is used twice is one object, so
    written out it can be longer than anybody could wait for."""
    program, measure = builder.program, Measure(limits.OPERATIONS)
    bodies: list[tuple[object, int]] = [(item, getattr(item, "locals", 0)) for item in flat]
    bodies += [(function.body, function.locals) for function in program.functions]
    total = 0
    for body, locals_ in bodies:
        size, depth = measure.of(body)
        total += size
        if total > limits.OPERATIONS or depth > limits.OPERATION_DEPTH or locals_ > limits.LOCALS:
            at = first_spot(body)
            if at >= 0:
                builder.work.mark = program.spots[at].mark
            raise Enough(builder.work.exhausted())


def _lay_out_sealed(builder: Builder) -> None:
    program = builder.program
    if not builder.sealed:
        return
    found = program.layout
    found.sealed_width = 1 + max((len(action.params) for action in program.actions), default=0)
    positions = max((len(e.cells) for m in program.menus for e in m.entries), default=0)
    found.sealed_width = max(found.sealed_width, 1 + positions) + 1  # the last is the menu
    found.sealed_capacity = SEALED_CAPACITY
    found.sealed_choices = found.size
    found.size += found.players * found.sealed_capacity * found.sealed_width


def _keep_order(builder: Builder) -> None:
    """Where pieces are chosen unseen, by position, they lie in the order they came: pieces kept
    by number would tell by their position what they are."""
    layout = builder.program.layout
    for place in builder.ruleset.places.values():
        if place.name not in builder.rules.by_position or place.word not in ("set", "hand"):
            continue
        number = builder.kind_numbers[place.kind]
        kind = layout.kinds[number]
        ordered = list(kind.instance_sorted)
        ordered[place.first : place.first + place.size] = [False] * place.size
        layout.kinds[number] = replace(kind, instance_sorted=tuple(ordered))


def _place_frames(program: Program) -> list[int]:
    """A routine's frame begins after those of all its callers; so two routines that can be
    active at the same time never share a cell, and others may."""
    base = program.layout.size
    frames = [base] * len(program.routines)
    changed = True
    while changed:
        changed = False
        for number, routine in enumerate(program.routines):
            for inner in routine.calls:
                wanted = frames[number] + routine.size
                if frames[inner] < wanted:
                    frames[inner] = wanted
                    changed = True
    end = base
    for routine, address in zip(program.routines, frames, strict=True):
        routine.address = address
        end = max(end, address + routine.size)
    program.layout.frames = base
    program.layout.frames_size = end - base
    program.layout.size = end
    return frames


def _relocate(item: Item, frames: list[int]) -> Item:
    """The same operation, with addresses everywhere in it instead of cells of frames."""
    found = _relocated(item, frames)
    assert isinstance(found, type(item))
    return found


def _relocated(item: object, frames: list[int]) -> object:
    old = parts(item)
    new = tuple([part if type(part) in _FIXED else _relocated(part, frames) for part in old])
    same = all(map(is_, old, new))
    kind: Any = type(item)
    if kind is tuple:
        return item if same else new
    cell = _CELLS.get(kind)
    moved = cell is not None and getattr(item, cell) < 0
    if same and not moved:
        return item
    values = {name: getattr(item, name) for name in kind.__match_args__}
    values.update(zip(inner_fields(kind) or (), new, strict=True))
    if moved:
        values[cell] = resolve_cell(values[cell], frames)
    return kind(**values)


# Operations with a cell of the buffer, and the field that has it.
_CELLS: dict[type, str] = {
    ops.Memory: "address",
    ops.SetMemory: "address",
    ops.Chance: "address",
    ops.MemoryAt: "base",
    ops.SetMemoryAt: "base",
    ops.Sealed: "seat",
}
# What holds neither operations nor such a cell, which is a good half of all there is.
_FIXED = frozenset(
    kind for kind, touched in TOUCHES.items() if not touched.inner and kind not in _CELLS
) | {type(None)}


def _initial_cells(program: Program) -> None:
    """Empty cells of places hold -1, so that a piece numbered 0 is not everywhere."""
    for place in program.layout.places:
        if place.word == "pool":
            continue
        for number in range(place.size):
            start = place.address + number * place.stride + 3
            program.initial.extend((start + i, NONE_NAMED) for i in range(place.capacity))
