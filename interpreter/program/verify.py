"""Looks over a program after it is lowered: what is wrong here is our bug, not the author's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import inner_fields, operations

__all__ = ["inner_fields", "operations", "verify"]


def verify(program: Program) -> list[str]:
    """What breaks the rules every program keeps; empty for a good one."""
    found: list[str] = []
    for number, function in enumerate(program.functions):
        where = f"function {number} ({function.name})"
        found += _check(program, function.body, function.locals, where)
        if function.params > function.locals:
            found.append(f"{where}: fewer locals than parameters")
    for pc, instruction in enumerate(program.code):
        where = f"instruction {pc} ({type(instruction).__name__})"
        found += _check(program, instruction, getattr(instruction, "locals", 0), where)
    for number, routine in enumerate(program.routines):
        if routine.entry.position < 0 or routine.address + routine.size > program.layout.size:
            found.append(f"routine {number} ({routine.name}) is not placed")
    for menu in program.menus:
        for entry in menu.entries:
            if not 0 <= entry.target.position < len(program.code):
                found.append(f"an entry of a menu in {menu.name} leads nowhere")
            if any(not 0 <= cell < program.layout.size for cell in entry.cells):
                found.append(f"an entry of a menu in {menu.name} writes outside the buffer")
    return found


def _check(program: Program, code: Any, locals_: int, where: str) -> Iterator[str]:
    for op in operations(code):
        check = _CHECKS.get(type(op))
        found = check and check(op, program, locals_)
        if found:
            yield f"{where}: {found}"


def _local(op: ops.Local | ops.SetLocal, program: Program, locals_: int) -> str | None:
    return None if 0 <= op.index < locals_ else f"local {op.index} of {locals_}"


def _locals(op: ops.LocalAt | ops.SetLocalAt, program: Program, locals_: int) -> str | None:
    last = op.base + op.size
    return None if 0 <= op.base < last <= locals_ else f"locals {op.base} to {last} of {locals_}"


def _reach(op: ops.Reach, program: Program, locals_: int) -> str | None:
    if max(op.local, op.target, op.origin, op.prices + op.cells - 1) >= locals_:
        return f"locals of a search, of {locals_}"
    fits = len(program.tables[op.ways]) == op.cells * op.directions
    return None if fits else f"table {op.ways} is not of {op.cells} cells"


def _cell(op: ops.Memory | ops.SetMemory, program: Program, locals_: int) -> str | None:
    size = program.layout.size
    return None if 0 <= op.address < size else f"cell {op.address} of {size}"


def _cells(op: ops.MemoryAt | ops.SetMemoryAt, program: Program, locals_: int) -> str | None:
    size = program.layout.size
    return None if 0 <= op.base <= size else f"cells at {op.base} of {size}"


def _table(op: ops.Lookup, program: Program, locals_: int) -> str | None:
    return None if 0 <= op.table < len(program.tables) else f"table {op.table}"


def _call(op: ops.Call, program: Program, locals_: int) -> str | None:
    called = program.functions[op.function]
    return None if len(op.arguments) == called.params else f"{called.name} takes other arguments"


def _invoke(op: ops.Invoke, program: Program, locals_: int) -> str | None:
    called = program.routines[op.routine]
    return None if len(op.arguments) == called.params else f"{called.name} takes other arguments"


def _target(op: ops.Goto | ops.Unless, program: Program, locals_: int) -> str | None:
    return None if op.target.position >= 0 else "leads nowhere"


_CHECKS: dict[type, Callable[[Any, Program, int], str | None]] = {
    ops.Local: _local,
    ops.SetLocal: _local,
    ops.LocalAt: _locals,
    ops.SetLocalAt: _locals,
    ops.Reach: _reach,
    ops.Memory: _cell,
    ops.SetMemory: _cell,
    ops.MemoryAt: _cells,
    ops.SetMemoryAt: _cells,
    ops.Lookup: _table,
    ops.Call: _call,
    ops.Invoke: _invoke,
    ops.Goto: _target,
    ops.Unless: _target,
}
