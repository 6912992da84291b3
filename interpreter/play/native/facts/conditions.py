"""What the conditions of an option tell about the state when it is taken.

Found are bounds of cells. An option `spend(p)` that is offered only `when p.gold >= 3` leads to
code in which `gold[p]` is at least 3, and `p.gold -= 3` cannot leave its range. So looking ahead
need not try it out: see emit/sure.py.

It is right because nothing happens between the offer and the first statement of what is chosen: the
arguments lie in the cells of the entry, the state is the one that was looked at. Known are only
comparisons with constants of cells whose index is an argument, and only of a generator that makes
its offers at one place: there all conditions around that place hold.

What must not be assumed: that it still holds after the first write. Whoever asks (`Ways.of_target`)
asks for the first statement only, and only if that writes nothing before its last act. Nor that a
local of the generator is the argument, unless it is set at one place.
"""

from __future__ import annotations

from typing import Any

from interpreter import limits
from interpreter.play.native.facts.ranges import Cells, Range, Ranges
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import TOUCHES, operations

# The bounds of a cell of the state: its base, and the cell that holds its index.
Known = dict[tuple[int, int], Range]
_TURNED = {
    "less": "more", "more": "less", "atMost": "atLeast", "atLeast": "atMost", "equal": "equal",
}  # fmt: skip


class KnownRanges(Ranges):
    """Bounds of expressions right after an option is taken."""

    def __init__(self, cells: Cells, body: Any, known: Known) -> None:
        self.known = known
        super().__init__(cells, body, 0)

    def of(self, op: ops.Expr) -> Range:
        low, high = super().of(op)
        match op:
            case ops.MemoryAt(base, ops.Memory(cell)) if (base, cell) in self.known:
                least, most = self.known[base, cell]
                return max(low, least), min(high, most)
            case _:  # of all others the conditions tell nothing
                return low, high


def known(program: Program, entry: ops.Entry) -> Known:
    """Of cells whose index is an argument of the option, by comparisons with constants."""
    body = program.functions[entry.generator].body
    offers = [op for op in operations(body) if isinstance(op, ops.Emit)]
    found: Known = {}
    if len(offers) != 1:
        return found
    cells = {
        part.index: cell
        for part, cell in zip(offers[0].values, entry.cells, strict=True)
        if isinstance(part, ops.Local) and _is_set_once(body, part.index)
    }
    for condition in _around(body, offers[0]) or ():
        for part in _conjuncts(condition):
            match _turned(part):
                case ops.Binary(word, ops.MemoryAt(base, ops.Local(index)), ops.Const(bound)):
                    if index in cells:
                        place = base, cells[index]
                        before = found.get(place, (limits.INT_MIN, limits.INT_MAX))
                        found[place] = _narrowed(before, word, bound)
                case _:  # any other condition tells nothing that is used
                    pass
    return found


def _is_set_once(body: Any, index: int) -> bool:
    sets = [op for op in operations(body) if index in TOUCHES[type(op)].locals_set(op)]
    return len(sets) == 1


def _around(statements: tuple[ops.Statement, ...], offer: ops.Emit) -> list[ops.Expr] | None:
    """The conditions under which an offer is made; None if it is not among the statements."""
    for each in statements:
        if each is offer:
            return []
        if isinstance(each, ops.When):
            found = _around(each.then, offer)
            if found is not None:
                return [each.condition, *found]
        for name in TOUCHES[type(each)].inner:
            inside = getattr(each, name)
            found = _around(inside, offer) if isinstance(inside, tuple) else None
            if found is not None:
                return found
    return None


def _conjuncts(op: ops.Expr) -> list[ops.Expr]:
    if isinstance(op, ops.Binary) and op.word == "and":
        return [*_conjuncts(op.left), *_conjuncts(op.right)]
    return [op]


def _turned(op: ops.Expr) -> ops.Expr:
    """A comparison with its constant on the right."""
    match op:
        case ops.Binary(word, ops.Const() as left, right) if word in _TURNED:
            return ops.Binary(_TURNED[word], right, left)  # type: ignore[arg-type]
        case _:  # any other stays as it is
            return op


def _narrowed(before: Range, word: str, bound: int) -> Range:
    low, high = before
    match word:
        case "less":
            return low, min(high, bound - 1)
        case "atMost":
            return low, min(high, bound)
        case "more":
            return max(low, bound + 1), high
        case "atLeast":
            return max(low, bound), high
        case "equal":
            return max(low, bound), min(high, bound)
        case _:
            return before
