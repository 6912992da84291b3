"""A whole program as the text of one LLVM module."""

from __future__ import annotations

from interpreter import limits
from interpreter.play.native.emit import context
from interpreter.play.native.emit.blind import emit_blind, nth_bit
from interpreter.play.native.emit.code import Unit
from interpreter.play.native.emit.control import emit_run
from interpreter.play.native.emit.copying import emit_copying
from interpreter.play.native.emit.lookahead import emit_search
from interpreter.play.native.emit.loops import emit_loops
from interpreter.play.native.emit.menus import emit_generator, emit_menu, emit_option_row
from interpreter.play.native.emit.offers import standing_table
from interpreter.play.native.emit.pieces import emit_pieces
from interpreter.play.native.emit.runtime import DECLARATIONS, emit_runtime
from interpreter.play.native.emit.sealed import emit_sealed
from interpreter.play.native.emit.shifting import shifting
from interpreter.play.native.emit.standing import emit_standing
from interpreter.play.native.emit.statements import emit_function
from interpreter.play.native.emit.trials import emit_trials
from interpreter.play.native.emit.tries import emit_tries
from interpreter.play.native.emit.valid import emit_valid
from interpreter.play.native.emit.watching import emit_watching
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations


def emit_module(program: Program, *, profiled: bool = False) -> str:
    unit = Unit(
        program,
        profiled=profiled,
        deep=_can_nest_deep(program),
        tries=context.tries_out(program),
        looks=context.looks_ahead(program),
        sealed=context.has_sealed(program),
    )
    emit_runtime(unit)
    unit.texts += [standing_table(), nth_bit(), shifting()]
    emit_pieces(unit)
    generators = {entry.generator for menu in program.menus for entry in menu.entries}
    generators |= {op.generator for op in program.code if isinstance(op, ops.Chance)}
    for number in sorted(generators):
        emit_generator(unit, number)
    for number in range(len(program.menus)):
        emit_menu(unit, number)
    emit_option_row(unit)
    emit_copying(unit)
    emit_run(unit)
    emit_blind(unit)
    emit_search(unit)
    emit_sealed(unit)
    emit_valid(unit)
    emit_loops(unit)
    emit_tries(unit)
    emit_standing(unit)
    emit_trials(unit)
    emit_watching(unit)
    while unit.wanted:
        emit_function(unit, unit.wanted.pop())
    ranges = [f"!{number} = {text}" for text, number in unit.ranges.items()]
    return "\n".join([*unit.texts, DECLARATIONS, *ranges, ""])


def _can_nest_deep(program: Program) -> bool:
    """Whether calls could reach the limit: then they are counted. Without recursion the
    longest chain of calls is known."""
    called: dict[int, set[int]] = {}
    for number, function in enumerate(program.functions):
        found = list(operations(function.body))
        if any(isinstance(op, ops.Can) for op in found):
            return True  # a trial may call anything again
        called[number] = {op.function for op in found if isinstance(op, ops.Call)}
    depths: dict[int, int] = {}

    def depth(number: int, above: frozenset[int]) -> int:
        if number in above:
            return limits.CALL_DEPTH + 1
        if number not in depths:
            inner = above | {number}
            depths[number] = 1 + max((depth(each, inner) for each in called[number]), default=0)
        return depths[number]

    return any(depth(number, frozenset()) > limits.CALL_DEPTH for number in called)
