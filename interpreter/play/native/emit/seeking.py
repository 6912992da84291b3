"""Whether something lies anywhere, asked of all cells at once.

`every(x in Grid has x.mark is not none)` goes through a board until an empty cell is found, and no
processor can guess where that is. It is quicker to compare many cells and to jump once. It is right
because a loop costs all of its rounds, however soon it breaks off, and nobody asks at which it did
(facts/compared.py).
"""

from __future__ import annotations

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.compared import is_among
from interpreter.play.native.emit.expressions import local, value
from interpreter.play.native.emit.kept import joined
from interpreter.play.native.facts.compared import find_sought
from interpreter.program import ops

_LEAST = 4  # rounds


def seek_at_once(code: Code, loop: ops.CountLoop, low: int, high: int) -> bool:
    """Not where the cells that are read must be known."""
    fn = code.fn
    if code.mask is not None or fn.marking is not None or high - low < _LEAST:
        return False
    if code.free and (code.counter is None or code.counter.pays(loop)):
        return False
    sought = find_sought(code.unit.program, loop)
    if sought is None:
        return False
    noting = sought.noting
    content = value(code, sought.compared.content)
    words = None if code.kept is None else code.kept.cells_with(sought.compared, content)
    if words is None:
        found = is_among(fn, sought.compared, low, high, content)
    else:
        found = fn.compare("ne", joined(fn, words, low, high), 0)
    code.forget(loop)
    slot = local(code, noting.index)
    fn.set(slot, fn.select(found, value(code, noting.value), fn.get(slot)))
    return True
