"""Whether one of few is there, asked of all of them at once.

`any(x in neighbours(c) where x.mark is none)` goes through four cells until one is found, and no
processor can guess which it will be. It is quicker to ask all of them and to jump once. That is
done where nothing in the loop can go wrong, all of it is plain (facts/shape.py), and it only notes
that one was found: then it makes no difference that the rules would not have looked any further.

What must not be assumed: that nobody else asks which one it was. The locals of the loop are its
own.
"""

from __future__ import annotations

from interpreter.play.native.emit.code import Code
from interpreter.play.native.emit.expressions import local, masked, negated, test, value
from interpreter.play.native.facts.shape import body_can_fail, is_plain
from interpreter.program import ops
from interpreter.program.touches import locals_read, locals_set, operations, uses

_MOST_ROUNDS, _MOST_OPERATIONS = 8, 200


def is_asked_at_once(code: Code, loop: ops.CountLoop, rounds: int) -> bool:
    if code.counter is None or code.mask is not None or not 1 < rounds <= _MOST_ROUNDS:
        return False
    if rounds * sum(1 for _ in operations(loop.body)) > _MOST_OPERATIONS:
        return False
    noted = _noted(loop.body)
    if noted is None or not any(noted) or len(noted) != 1:
        return False
    (result,) = {each.index for each in noted}
    own = locals_set(loop) - {result}
    around, ranges = code.counter.around, code.counter.ranges
    if result in locals_read(loop) or uses(around, own) != uses(loop, own):
        return False
    return not body_can_fail(code.unit.program, code.unit.steps.cells, (loop,), ranges=ranges)


def _noted(body: tuple[ops.Statement, ...]) -> set[ops.SetLocal] | None:
    """What is noted when one is found; None if anything else is done."""
    match body:
        case (*before, ops.SetLocal(_, ops.Const()) as noting, ops.Break()):
            found = {noting}
        case _:  # it goes on
            before, found = list(body), set()
    for each in before:
        match each:
            case ops.SetLocal(_, new) if is_plain(new):
                pass
            case ops.When(condition, then, otherwise) if is_plain(condition):
                for way in (then, otherwise):
                    inside = _noted(way)
                    if inside is None:
                        return None
                    found |= inside
            case _:  # it does something else
                return None
    return found


def ask_at_once(code: Code, loop: ops.CountLoop, low: int, high: int) -> None:
    fn = code.fn
    noted = _noted(loop.body)
    assert noted is not None
    (noting,) = noted
    asking = _Asking(code)
    for now in range(low, high):
        fn.set(local(code, loop.local), str(now))
        code.known[loop.local] = str(now)
        asking.run(loop.body)
    code.forget(loop)
    slot = local(code, noting.index)
    fn.set(slot, fn.select(asking.hit, value(code, noting.value), fn.get(slot)))


class _Asking:
    def __init__(self, code: Code) -> None:
        self.code, self.hit = code, "false"

    def run(self, body: tuple[ops.Statement, ...]) -> None:
        code, fn = self.code, self.code.fn
        for each in body:
            match each:
                case ops.SetLocal(_, ops.Const()) if body[-1] == ops.Break() and each is body[-2]:
                    mask = "true" if code.mask is None else code.mask
                    self.hit = fn.op(f"or i1 {self.hit}, {mask}")
                case ops.SetLocal(index, new):
                    fn.set(local(code, index), value(code, new))
                    code.forget(ops.SetLocal(index, new))
                case ops.When(condition, then, otherwise):
                    self._both(test(code, condition), then, otherwise)
                case _:  # the end of it
                    pass

    def _both(
        self, bit: str, then: tuple[ops.Statement, ...], otherwise: tuple[ops.Statement, ...]
    ) -> None:
        code, around = self.code, self.code.mask
        for way, part in ((bit, then), (negated(code, bit), otherwise)):
            if part and way != "false":
                code.mask = around if way == "true" else masked(code, way)
                self.run(part)
                code.mask = around
