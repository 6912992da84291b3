"""Writes LLVM IR as text, with the structure of the code kept: blocks inside `with`.

Operands are plain strings: a number or the name of a value. Variables are stack slots, which
LLVM turns into registers. What is written after a jump, before the next label, is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

I64, I1, PTR, VOID = "i64", "i1", "ptr", "void"
PAIR = "{ i64, i64 }"
# Failing is rare: LLVM keeps it out of the way of the rest.
RARELY = "!prof !0"
# Of what only calls other code, or is hardly ever run: to optimise it takes long and gains nothing.
AS_IT_IS = "optnone noinline"
SHORTLY = "noinline optsize"  # what is called from outside: loops are not written out there
SELDOM = "cold noinline optsize"  # what fills tables: once is enough, but it may be long
# A loop of few rounds: to go round several times at once would only cost jumps.
SHORT = "!llvm.loop !2"


class Fn:
    """One LLVM function while it is written."""

    def __init__(
        self,
        name: str,
        result: str,
        params: list[tuple[str, str]],
        *,
        exported: bool = False,
        attributes: str = "",
        noting: bool = False,
    ) -> None:
        self.name = name
        self.result = result
        given = ", ".join(f"{type_} %{param}" for type_, param in params)
        kind = "" if exported else "internal fastcc "
        self.head = f"define {kind}{result} @{name}({given}) nounwind {attributes}"
        self.slots: list[str] = []
        self.lines: list[str] = []
        self.tail: list[str] = []
        self.number = 0
        self.open = True
        self.noting = noting  # what is written to the state is noted, to be put back
        self.keeping = False  # the same for a trial, which needs no other note; see trials.py
        self.marking: tuple[str, str] | None = None  # what is read of the state: see watching.py

    def text(self) -> str:
        if self.open:
            self.lines.append("  unreachable")
        return "\n".join([f"{self.head} {{", *self.slots, *self.lines, *self.tail, "}", ""])

    # ---- lines

    def line(self, text: str) -> None:
        if self.open:
            self.lines.append(f"  {text}")

    def op(self, text: str) -> str:
        """An instruction with a result."""
        self.number += 1
        name = f"%t{self.number}"
        self.line(f"{name} = {text}")
        return name

    def slot(self, type_: str = I64) -> str:
        """A place on the stack, made once, on entry."""
        self.number += 1
        name = f"%v{self.number}"
        self.slots.append(f"  {name} = alloca {type_}, align 8")
        return name

    def variable(self, value: str, type_: str = I64) -> str:
        slot = self.slot(type_)
        self.set(slot, value, type_)
        return slot

    def get(self, slot: str, type_: str = I64) -> str:
        return self.op(f"load {type_}, ptr {slot}, align 8")

    def set(self, slot: str, value: str, type_: str = I64) -> None:
        self.line(f"store {type_} {value}, ptr {slot}, align 8")

    # ---- memory

    def at(self, base: str, index: str | int, type_: str = I64) -> str:
        if index in (0, "0"):
            return base
        return self.op(f"getelementptr inbounds {type_}, ptr {base}, i64 {index}")

    def load(self, base: str, index: str | int = 0, type_: str = I64) -> str:
        return self.op(f"load {type_}, ptr {self.at(base, index, type_)}, align 8")

    def store(self, base: str, index: str | int, value: str | int, type_: str = I64) -> None:
        self.line(f"store {type_} {value}, ptr {self.at(base, index, type_)}, align 8")

    def look(self, place: str, extra: str = "") -> str:
        """What a cell of the state holds."""
        if self.marking is not None:
            marks, bit = self.marking
            there, start = (self.op(f"ptrtoint ptr {each} to i64") for each in (place, "%m"))
            mark = self.at(marks, self.sub(there, start), "i8")
            self.store(mark, 0, self.either(self.load(mark), bit))
        return self.op(f"load i64, ptr {place}, align 8{extra}")

    def write(self, base: str, index: str | int, value: str | int) -> None:
        """Into the state, beyond its header."""
        place = self.at(base, index)
        if self.keeping:
            self.call("keep", VOID, f"{PTR} %m", f"{PTR} %c", f"{PTR} {place}")
        elif self.noting:
            self.call("note", VOID, f"{PTR} %m", f"{PTR} %c", f"{PTR} {place}")
        self.store(place, 0, value)

    def wipe(self, base: str, index: int, cells: int) -> None:
        """Clear cells of the state, beyond its header."""
        if self.noting:
            given = (f"{PTR} {self.at(base, index)}", f"i64 {cells}")
            self.call("note_range", VOID, f"{PTR} %m", f"{PTR} %c", *given)
        self.clear(base, index, cells)

    def copy(self, target: str, source: str, cells: int | str) -> None:
        size = cells * 8 if isinstance(cells, int) else self.op(f"shl i64 {cells}, 3")
        self.line(
            f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {target}, ptr align 8 {source}, "
            f"i64 {size}, i1 false)"
        )

    def clear(self, base: str, index: int, cells: int) -> None:
        target = self.at(base, index)
        self.line(
            f"call void @llvm.memset.p0.i64(ptr align 8 {target}, i8 0, i64 {cells * 8}, i1 false)"
        )

    def clear_bytes(self, base: str, number: int | str) -> None:
        self.line(f"call void @llvm.memset.p0.i64(ptr {base}, i8 0, i64 {number}, i1 false)")

    # ---- arithmetic

    def add(self, left: str | int, right: str | int) -> str:
        if right in (0, "0"):
            return str(left)
        if left in (0, "0"):
            return str(right)
        return self.op(f"add i64 {left}, {right}")

    def sub(self, left: str | int, right: str | int) -> str:
        return self.op(f"sub i64 {left}, {right}")

    def mul(self, left: str | int, right: str | int) -> str:
        if right in (1, "1"):
            return str(left)
        return self.op(f"mul i64 {left}, {right}")

    def both(self, left: str | int, right: str | int) -> str:
        return self.op(f"and i64 {left}, {right}")

    def either(self, left: str | int, right: str | int) -> str:
        return self.op(f"or i64 {left}, {right}")

    def compare(self, word: str, left: str | int, right: str | int) -> str:
        return self.op(f"icmp {word} i64 {left}, {right}")

    def select(self, test: str, then: str | int, otherwise: str | int) -> str:
        return self.op(f"select i1 {test}, i64 {then}, i64 {otherwise}")

    def widen(self, test: str) -> str:
        return self.op(f"zext i1 {test} to i64")

    def call(self, name: str, result: str, *given: str) -> str:
        """Arguments are written with their types."""
        text = f"call fastcc {result} @{name}({', '.join(given)})"
        if result == VOID:
            self.line(text)
            return ""
        return self.op(text)

    # ---- flow

    def label(self) -> str:
        self.number += 1
        return f"b{self.number}"

    def place(self, label: str) -> None:
        self.goto(label)
        self.lines.append(f"{label}:")
        self.open = True

    def goto(self, label: str) -> None:
        self.line(f"br label %{label}")
        self.open = False

    def branch(self, test: str, then: str, otherwise: str, *, rare: bool = False) -> None:
        """`rare`: the first way is hardly ever taken."""
        extra = f", {RARELY}" if rare else ""
        self.line(f"br i1 {test}, label %{then}, label %{otherwise}{extra}")
        self.open = False

    def go_unless(self, test: str, label: str) -> None:
        """Go on here if something holds, else there."""
        onward = self.label()
        self.branch(test, onward, label)
        self.place(onward)

    def switch(self, value: str, default: str, cases: dict[int, str]) -> None:
        rows = " ".join(f"i64 {number}, label %{label}" for number, label in cases.items())
        self.line(f"switch i64 {value}, label %{default} [{rows}]")
        self.open = False

    def ret(self, value: str | int = "") -> None:
        self.line(f"ret {self.result} {value}".rstrip())
        self.open = False

    @contextmanager
    def when(self, test: str, *, rare: bool = False) -> Iterator[None]:
        then, end = self.label(), self.label()
        self.branch(test, then, end, rare=rare)
        self.place(then)
        yield
        self.place(end)

    def choose(
        self, test: str, then: Callable[[], object], otherwise: Callable[[], object]
    ) -> None:
        one, two, end = self.label(), self.label(), self.label()
        self.branch(test, one, two)
        self.place(one)
        then()
        self.goto(end)
        self.place(two)
        otherwise()
        self.place(end)

    @contextmanager
    def loop(self, test: Callable[[], str], *, short: bool = False) -> Iterator[None]:
        """`short`: it mostly has few rounds."""
        again, body, end = self.label(), self.label(), self.label()
        self.place(again)
        self.branch(test(), body, end)
        self.place(body)
        yield
        self.line(f"br label %{again}{f', {SHORT}' * short}")
        self.open = False
        self.place(end)

    @contextmanager
    def count(self, low: str | int, high: str | int, *, short: bool = False) -> Iterator[str]:
        """For each number from low to below high."""
        slot = self.variable(str(low))
        with self.loop(lambda: self.compare("slt", self.get(slot), high), short=short):
            number = self.get(slot)
            yield number
            self.set(slot, self.add(number, 1))
