"""The contents of many cells that stand together, compared at once."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.play.native.emit.text import I1, PTR, Fn
from interpreter.play.native.facts.compared import Compared

_LANES = 8
_ROWS = 8  # that are compared before it is asked whether it was among them


def compare_cells(fn: Fn, compared: Compared, low: int, high: int, content: str) -> list[str]:
    """Words with a bit for each of the cells from `low` to below `high`."""
    words = ["0"] * ((high - low + 63) // 64)
    for begin, lanes, same in _rows(fn, compared, low, high, content):
        bits = fn.op(f"bitcast <{lanes} x i1> {same} to i{lanes}")
        part = fn.op(f"zext i{lanes} {bits} to i64")
        word, offset = divmod(begin - low, 64)
        if offset:
            part = fn.op(f"shl i64 {part}, {offset}")
        words[word] = part if words[word] == "0" else fn.either(words[word], part)
    return words


def _rows(
    fn: Fn, compared: Compared, low: int, high: int, content: str
) -> Iterator[tuple[int, int, str]]:
    """Some cells after the other: the first, how many, and the comparison."""
    first, word = fn.at("%m", compared.base), "eq" if compared.equal else "ne"
    for begin in range(low, high, _LANES):
        lanes = min(_LANES, high - begin)
        row = f"<{lanes} x i64>"
        here = fn.op(f"load {row}, {PTR} {fn.at(first, begin)}, align 8")
        yield begin, lanes, fn.op(f"icmp {word} {row} {here}, {spread(fn, content, lanes)}")


def spread(fn: Fn, number: str, lanes: int) -> str:
    """A row with the same number in each lane."""
    row = f"<{lanes} x i64>"
    one = fn.op(f"insertelement {row} poison, i64 {number}, i64 0")
    return fn.op(f"shufflevector {row} {one}, {row} poison, <{lanes} x i32> zeroinitializer")


def is_among(fn: Fn, compared: Compared, low: int, high: int, content: str) -> str:
    """Whether one of the cells does. What was found among the first need not be looked for among
    the others."""
    found, end = fn.variable("false", I1), fn.label()
    for begin in range(low, high, _ROWS * _LANES):
        last = min(high, begin + _ROWS * _LANES)
        fn.set(found, _is_in_rows(fn, compared, begin, last, content), I1)
        if last < high:
            onward = fn.label()
            fn.branch(fn.get(found, I1), end, onward)
            fn.place(onward)
    fn.place(end)
    return fn.get(found, I1)


def _is_in_rows(fn: Fn, compared: Compared, low: int, high: int, content: str) -> str:
    together: dict[int, str] = {}  # by how many lanes a row has
    for _, lanes, same in _rows(fn, compared, low, high, content):
        before = together.get(lanes)
        together[lanes] = same if before is None else fn.op(f"or <{lanes} x i1> {before}, {same}")
    found = "false"
    for lanes, same in together.items():
        bits = fn.op(f"bitcast <{lanes} x i1> {same} to i{lanes}")
        found = fn.op(f"or i1 {found}, {fn.op(f'icmp ne i{lanes} {bits}, 0')}")
    return found
