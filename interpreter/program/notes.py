"""Notes: variables that name a piece of a kind that can be hidden.

Who knows the piece can read the note, as long as nobody has lost track of the piece: else a note
would tell where it has gone. When somebody does, those who know the piece then are written down,
in a cell beside the variable; they remember what it says, and nobody else ever learns it from the
note. It begins anew when the variable is given a value, or the rules move the piece by this name,
for then all see which piece is meant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.program import ops
from interpreter.program.layout import Layout, VariableLayout
from interpreter.program.program import Program
from interpreter.program.verify import inner_fields


def lay_out(layout: Layout) -> None:
    """A cell for each note, and for each kind which notes there are."""
    for number, kind in enumerate(layout.kinds):
        found: list[tuple[int, int, int]] = []
        for at, variable in enumerate(layout.variables):
            if kind.known >= 0 and (variable.type.sort, variable.type.name) == ("kind", kind.name):
                layout.variables[at] = replace(variable, readers=layout.size)
                found.append((variable.address, layout.size, variable.size))
                layout.size += variable.size
        layout.kinds[number] = replace(kind, notes=tuple(found))


def renew(program: Program) -> None:
    """Let every note begin anew where it is written."""
    notes = [variable for variable in program.layout.variables if variable.readers >= 0]
    if notes:
        program.code = [_renewed(item, notes) for item in program.code]
        for function in program.functions:
            function.body = _renewed(function.body, notes)


def _renewed(item: Any, notes: list[VariableLayout]) -> Any:
    if isinstance(item, tuple):
        return tuple(part for each in item for part in _with_renewal(each, notes))
    kind: Any = type(item)
    names = inner_fields(kind)
    if not names:
        return item
    changes = {name: _renewed(getattr(item, name), notes) for name in names}
    if all(changes[name] is getattr(item, name) for name in names):
        return item
    return kind(*(changes.get(n, getattr(item, n)) for n in kind.__match_args__))


def _with_renewal(item: Any, notes: list[VariableLayout]) -> tuple[Any, ...]:
    same = _renewed(item, notes)
    match item:
        case ops.SetMemory(address):
            return (*_renewal(ops.Memory(address), notes), same)
        case ops.SetMemoryAt(base, index, size):
            return (*_renewal(ops.MemoryAt(base, index, size), notes), same)
        case ops.MovePiece(_, piece):
            while isinstance(piece, ops.Within):
                piece = piece.value
            return (same, *_renewal(piece, notes))
        case _:  # nothing else gives a variable a value, or moves what it names
            return (same,)


def _renewal(read: ops.Expr, notes: list[VariableLayout]) -> tuple[ops.Statement, ...]:
    for note in notes:
        cells = range(note.address, note.address + note.size)
        match read:
            case ops.Memory(address) if address in cells:
                return (ops.SetMemory(note.readers + address - note.address, ops.Const(0)),)
            case ops.MemoryAt(base, index, size) if base in cells:
                start = note.readers + base - note.address
                return (ops.SetMemoryAt(start, index, size, ops.Const(0)),)
            case _:  # it is no variable that is read
                pass
    return ()
