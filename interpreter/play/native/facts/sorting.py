"""Loops that go through the pieces of a place again and again, each time for those of one sort.

"Play a card and take a die" goes through all dice for each card, and passes over those that do not
show what the card says. Found are loops inside another one that go through the pieces of a place
and ask first whether a field of the piece is something that is the same in all rounds. Then the
place is gone through once, which gives for each content of the field the rounds whose piece has it,
as bits of a word; and the loop goes through the rounds it is about, without asking
(emit/sorting.py). If all it does there is to count, or to find out whether there is any, it need
not go round. And where options are offered in a short loop if there is any, it is a bit that they
are asked for, so that they are written down without a jump.

It is right because a round whose piece is of another sort does nothing, costs no steps and cannot
fail, and because it is asked for only where the state stands still (`shape.is_pure`).

What must not be assumed: that the place is the same one all the time. Where its pieces are may
depend on nothing that the outer loop sets. Nor that a field holds what its declaration says; what
lies outside is of no sort.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.native.facts.shape import Counter, body_can_fail, is_plain
from interpreter.program import ops
from interpreter.program.touches import locals_read, locals_set, operations, uses

_MOST_PIECES = 64  # in a place: bits of a word
_MOST_SORTS = 32

Field = ops.MemoryAt | ops.Lookup


@dataclass(frozen=True, slots=True)
class Sorting:
    """What a loop goes through, and for which pieces."""

    piece: ops.SetLocal  # the first that is done in a round
    field: Field  # of that piece
    wanted: ops.Expr
    low: int  # the lowest content of the field
    sorts: int
    body: tuple[ops.Statement, ...]  # of a round with such a piece


def find_sorting(counter: Counter, loop: ops.CountLoop) -> Sorting | None:
    match loop:
        case ops.CountLoop(
            _,
            ops.Const(0),
            _,
            (ops.SetLocal(_, ops.MemoryAt()) as piece, *sets, ops.When() as last),
        ) if not last.otherwise:
            pass
        case _:  # it goes through something else
            return None
    asked = _first_of(last.condition, piece.index)
    begin = (piece, *(each for each in sets if isinstance(each, ops.SetLocal)))
    if asked is None or len(begin) <= len(sets) or not _has_few_rounds(counter, loop):
        return None
    field, wanted, rest = asked
    low, high = counter.ranges.of(field)
    if high - low >= _MOST_SORTS or locals_read(wanted) & locals_set(loop):
        return None
    if not all(map(is_plain, (wanted, *(each.value for each in begin)))):
        return None
    surely = (*begin, ops.Evaluate(field), ops.Evaluate(wanted))
    steps = counter.steps
    if body_can_fail(steps.program, steps.cells, surely, ranges=counter.ranges):
        return None
    own = {loop.local, *locals_set(begin)}
    if uses(counter.around, own) != uses(loop, own):  # somebody asks for the last of all
        return None
    inside = last.then if rest is None else (ops.When(rest, last.then, ()),)
    return Sorting(piece, field, wanted, low, high - low + 1, (*begin, *inside))


def sorted_inside(counter: Counter, outer: ops.CountLoop) -> dict[int, Sorting]:
    """Of the loops in a loop, by their `id`, those that may look for another sort in each round."""
    changed, found = locals_set(outer), {}
    for op in operations(outer.body):
        if isinstance(op, ops.CountLoop):
            sorting = find_sorting(counter, op)
            if sorting is None or not locals_read(sorting.wanted) & changed:
                continue
            where = (locals_read(op.high) | locals_read(sorting.piece)) - {op.local}
            if not where & changed:
                found[id(op)] = sorting
    return found


def _first_of(condition: ops.Expr, piece: int) -> tuple[Field, ops.Expr, ops.Expr | None] | None:
    """A condition as what is asked of the piece first: a field, what it must be, and the rest."""
    match condition:
        case ops.Binary("and", left, right):
            first = _first_of(left, piece)
            if first is None:
                return None
            field, wanted, rest = first
            return field, wanted, right if rest is None else ops.Binary("and", rest, right)
        case ops.Binary("equal", left, right):
            for one, other in ((left, right), (right, left)):
                match one:
                    case ops.MemoryAt(_, ops.Local(index)) | ops.Lookup(_, ops.Local(index)):
                        if index == piece:
                            return one, other, None
                    case _:  # it is no field
                        pass
            return None
        case _:  # it asks for something else
            return None


def _has_few_rounds(counter: Counter, loop: ops.CountLoop) -> bool:
    return counter.ranges.of(loop.high)[1] <= _MOST_PIECES


def counts(sorting: Sorting) -> int | None:
    """The local that is one more after each round, if that is all that is done."""
    match sorting.body[-1]:
        case ops.SetLocal(index, ops.Binary("add", ops.Local(same), ops.Const(1))) if (
            same == index and _is_all(sorting, index, 1)
        ):
            return index
        case _:  # something else is done
            return None


def notes(sorting: Sorting) -> ops.SetLocal | None:
    """What is noted if there is any, if that is all that is done."""
    match sorting.body[-2:]:
        case (ops.SetLocal(index, ops.Const()) as noting, ops.Break()) if _is_all(
            sorting, index, 2
        ):
            return noting
        case _:  # something else is done
            return None


def asks_whether(counter: Counter, sequence: ops.Sequence, sorting: Sorting) -> bool:
    """Whether all that code finds out is if pieces of a sort are there, and it may find that out
    earlier than it is asked to."""
    match sequence, notes(sorting):
        case (
            ops.Sequence(
                (ops.SetLocal(first, ops.Const(0)), ops.CountLoop() as loop), ops.Local(result)
            ),
            ops.SetLocal(noted, ops.Const(1)),
        ) if first == noted == result:
            pass
        case _:  # it finds out something else
            return False
    low, high = counter.ranges.of(sorting.wanted)
    if low < sorting.low or high >= sorting.low + sorting.sorts or counter.pays(loop):
        return False
    own, steps = locals_set(sequence), counter.steps
    if uses(counter.around, own) != uses(sequence, own):
        return False
    end = (ops.Evaluate(loop.high),)
    return not body_can_fail(steps.program, steps.cells, end, ranges=counter.ranges)


def is_at_once(sorting: Sorting) -> bool:
    """Whether a loop need not go round at all."""
    return counts(sorting) is not None or notes(sorting) is not None


def _is_all(sorting: Sorting, index: int, last: int) -> bool:
    """Whether nothing but the last statements is done, to a local that nothing else is about."""
    before = sorting.body[:-last]
    about = locals_read(sorting.wanted) | locals_read(before) | locals_set(before)
    return all(isinstance(each, ops.SetLocal) for each in before) and index not in about
