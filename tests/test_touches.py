"""The table of what every operation touches, and what is worked out once for a program."""

import gc
import weakref
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from interpreter.embedding import load
from interpreter.program import ops
from interpreter.program.layout import Layout
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program
from interpreter.program.touches import (
    TOUCHES,
    cells_written,
    frame_cells_read,
    locals_read,
    locals_set,
    operations,
)

EVERY = [each for part in (ops.Expr, ops.Statement, ops.Instruction) for each in get_args(part)]
RULESETS = sorted((Path(__file__).resolve().parent.parent / "rulesets").glob("*.rules"))
# Fields of these types hold no operation, as the types are written.
PLAIN = {"bool", "int", "str", "Label", "Label | None", "UnaryWord", "BinaryWord"}
NUMBER = ops.Const(1)


def test_every_operation_has_a_row() -> None:
    assert set(TOUCHES) == set(EVERY)


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_a_row_names_every_field_that_holds_operations(kind: type) -> None:
    assert TOUCHES[kind].inner == tuple(f.name for f in fields(kind) if f.type not in PLAIN)


@pytest.mark.parametrize(
    ("word", "columns"),
    [
        ("local", {"locals_read", "locals_set"}),
        ("base", {"reads", "locals_read", "locals_set", "writes"}),
        ("address", {"reads", "writes"}),
        ("function", {"calls"}),
        ("generator", {"calls"}),
        ("kind", {"writes"}),
        ("saying", {"tells"}),
    ],
)
def test_a_field_that_names_something_has_a_column(word: str, columns: set[str]) -> None:
    """Whoever names a local, a cell, a function or a kind of pieces does something with it."""
    nothing = TOUCHES[ops.Const]
    for kind in EVERY:
        if word in {field.name for field in fields(kind)}:
            row = TOUCHES[kind]
            assert any(getattr(row, each) != getattr(nothing, each) for each in columns), kind


def test_a_row_is_about_the_operation_itself() -> None:
    inside = ops.SetLocal(3, ops.LocalAt(5, ops.Local(1), 4))
    code = (ops.CountLoop(2, NUMBER, NUMBER, (ops.When(ops.Memory(90), (inside,)),)),)
    assert [type(op).__name__ for op in operations(code)] == [
        "CountLoop", "Const", "Const", "When", "Memory", "SetLocal", "LocalAt", "Local",
    ]  # fmt: skip
    assert locals_set(code) == {2, 3}
    assert locals_read(code) == {1, 5, 6, 7, 8}


def program_of(*functions: ops.Function) -> Program:
    program = Program("t", 2, {}, Layout(players=2), functions=list(functions))
    program.layout.frames, program.layout.frames_size, program.layout.size = 100, 20, 120
    return program


def test_reading_follows_calls_also_in_a_circle() -> None:
    """Two functions that call each other read the same, whichever is asked first."""
    one = ops.Function("one", 0, 0, (ops.Return(ops.Call(1, ())), ops.Return(ops.Memory(101))))
    two = ops.Function("two", 0, 0, (ops.Return(ops.Call(0, ())), ops.Return(ops.Memory(102))))
    for first, second in ((0, 1), (1, 0)):
        program = program_of(one, two)
        for number in (first, second):
            assert frame_cells_read(program, ops.Call(number, ())) == {101, 102}
    outside = ops.MemoryAt(20, ops.MemoryAt(110, NUMBER, 3), 80)
    assert frame_cells_read(program_of(), outside) == {110, 111, 112}


def test_writing_is_told_by_ranges() -> None:
    program = program_of()
    code = (ops.SetMemory(7, NUMBER), ops.Evaluate(ops.Memory(8)))
    assert list(cells_written(program, code)) == [range(7, 8)]
    assert list(cells_written(program, ops.SetMemoryAt(115, NUMBER, 50, NUMBER))) == [
        range(115, 120)
    ]


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_moving_a_piece_writes_what_the_machine_writes(path: Path) -> None:
    """Every cell that a decision changes is one that some operation of the program writes."""
    game = load(path)
    program = game.program
    bodies = (*program.code, *(function.body for function in program.functions))
    told = {cell for span in cells_written(program, tuple(bodies)) for cell in span}
    told |= set(range(program.layout.scores))  # the header is the machine's own
    state = game.start(seed=3)
    for _ in range(60):
        before = list(state.buffer)
        if state.is_over:
            break
        state = state.apply(state.options()[-1])
        changed = {n for n, (a, b) in enumerate(zip(before, state.buffer, strict=True)) if a != b}
        assert changed <= told


def test_what_is_worked_out_goes_with_its_program() -> None:
    asked: list[int] = []

    @once_for_each_program
    def twice(program: Program, number: int) -> list[int]:
        asked.append(number)
        return [number, program.players]

    one, other = program_of(), program_of()
    assert twice(one, 3) is twice(one, 3)
    assert twice(other, 3) == twice(one, 3) and twice(one, 4) == [4, 2]
    assert asked == [3, 3, 4]
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None
