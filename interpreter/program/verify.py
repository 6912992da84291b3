"""Looks over a program after it is lowered: what is wrong here is our bug, not the author's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from interpreter.program import ops
from interpreter.program.program import Program


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


def operations(item: Any) -> Iterator[Any]:
    """Every operation inside an operation, itself included."""
    if isinstance(item, tuple):
        for part in item:
            yield from operations(part)
    elif is_dataclass(item) and not isinstance(item, (type, ops.Label)):
        yield item
        for field in fields(item):
            yield from operations(getattr(item, field.name))


def _check(program: Program, code: Any, locals_: int, where: str) -> Iterator[str]:
    size = program.layout.size
    for op in operations(code):
        match op:
            case ops.Local(index) | ops.SetLocal(index) if not 0 <= index < locals_:
                yield f"{where}: local {index} of {locals_}"
            case ops.LocalAt(base) | ops.SetLocalAt(base) if not 0 <= base < locals_:
                yield f"{where}: locals at {base} of {locals_}"
            case ops.Memory(address) | ops.SetMemory(address) if not 0 <= address < size:
                yield f"{where}: cell {address} of {size}"
            case ops.MemoryAt(base) | ops.SetMemoryAt(base) if not 0 <= base <= size:
                yield f"{where}: cells at {base} of {size}"
            case ops.Lookup(table) if not 0 <= table < len(program.tables):
                yield f"{where}: table {table}"
            case ops.Call(function, arguments):
                if len(arguments) != program.functions[function].params:
                    yield f"{where}: {program.functions[function].name} takes other arguments"
            case ops.Invoke(routine, arguments):
                if len(arguments) != program.routines[routine].params:
                    yield f"{where}: {program.routines[routine].name} takes other arguments"
            case ops.Goto(target) | ops.Unless(_, target) if target.position < 0:
                yield f"{where}: leads nowhere"
            case _:
                pass
