"""What the words of an option may tell everybody who reads them in a log.

The words of a decision are worked out once more for each viewer, by a reader that looks at
every cell it needs: what the viewer cannot know ends the reading, and the log then says less.
Whether that happens depends on cells the viewer knows only, so it tells nothing by itself.

What a routine has worked out on the way (the cells of its frame) is open if nothing hidden went
into it; `open_frames` settles that beforehand. Of a piece whose open side can be seen, that may
be told which all pieces with this side have in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from interpreter.play import knowledge
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.pieces import CONTENTS
from interpreter.play.words import Knows, kind_of
from interpreter.program import liveness, ops
from interpreter.program.layout import DECISION, PC, SEAT, STATUS, KindLayout
from interpreter.program.program import Action, Param, Program
from interpreter.program.touches import locals_read
from interpreter.view.open_frames import closed_cells

_STEPS = 20_000  # what reading one text may cost


class Closed(Exception):
    """Something the viewer cannot know would be told."""


def open_gaps(
    program: Program,
    m: Buffer,
    action: Action,
    values: tuple[int, ...],
    viewer: int,
    knows: Knows,
    menu: int | None,
) -> tuple[int | None, ...]:
    """What stands in the gaps of an option's words; None where a viewer may not know it.
    Pieces are given all the same: whoever fills the gaps asks whether they can be named.
    `menu`: what is chosen from; without it nothing is read that routines have worked out."""
    if action.text is None:
        return ()
    reader = Reader(program, m, action.params, values, viewer, knows, menu)
    found: list[int | None] = []
    for number in action.text.functions:
        try:
            found.append(reader.gap(number))
        except (Closed, Failure, IndexError, ZeroDivisionError):
            found.append(None)
    return tuple(found)


class Alike(int):
    """What stands for a piece of which the viewer sees only one side, or for something looked
    up for it: with what it would be for every piece that looks the same."""

    others: tuple[int, ...]

    @staticmethod
    def of(value: int, others: tuple[int, ...]) -> int:
        """If it is the same for all, it tells nothing."""
        if all(other == value for other in others):
            return int(value)
        found = Alike(value)
        found.others = others
        return found


class Left(Exception):
    """A loop or a function is left."""

    def __init__(self, how: str, value: int = 0) -> None:
        self.how, self.value = how, value


class Reader:
    def __init__(
        self,
        program: Program,
        m: Buffer,
        params: tuple[Param, ...],
        values: tuple[int, ...],
        viewer: int,
        knows: Knows,
        menu: int | None,
    ) -> None:
        self.program = program
        self.m = m
        self.values = list(values)
        self.viewer = viewer
        self.steps = 0
        self.hidden = frozenset(knowledge.hidden_cells(program, m, viewer))
        self.unknown: set[int] = set()  # arguments of which the viewer sees nothing
        for number, (param, value) in enumerate(zip(params, values, strict=False)):
            if param.type.sort != "kind" or value < 0:
                continue
            kind = kind_of(program, param.type.name)
            if kind.fungible or knows(m, kind, value):
                continue
            if self._shows_side(kind, value):
                self.values[number] = Alike.of(value, _lookalikes(kind, value))
            else:
                self.unknown.add(number)
        self.pieces: dict[int, KindLayout] = {}  # cells that name a piece
        for variable in program.layout.variables:
            if variable.type.sort == "kind":
                kind = kind_of(program, variable.type.name)
                for cell in range(variable.address, variable.address + variable.size):
                    self.pieces[cell] = kind
        self.frames: set[int] = set()  # cells of routines under way that are open
        for each in _under_way(program, m, menu) if menu is not None else ():
            routine = each.routine
            cells = range(routine.address + 1, routine.address + routine.size)
            self.frames.update(set(cells) - closed_cells(program)[each.number])
            for offset, name in routine.pieces:
                self.pieces[routine.address + offset] = kind_of(program, name)

    def gap(self, number: int) -> int:
        """The value of one gap. A piece that stands there by itself need not be known."""
        function = self.program.functions[number]
        locals_ = self.values + [0] * (function.locals - len(self.values))
        match function.body:
            case (ops.Return(ops.Local(index)),) if index < len(self.values):
                return int(self.values[index])
            case (ops.Return(ops.Memory(address)),) if address in self.pieces:
                if address >= self.program.layout.frames and address not in self.frames:
                    raise Closed
                self._check_note(address)
                return self.m[address]
            case _:  # any other words are worked out
                pass
        if self.unknown & locals_read(function.body):
            raise Closed
        found = self._run(function, locals_)
        if isinstance(found, Alike):
            raise Closed
        return found

    def _run(self, function: ops.Function, locals_: list[int]) -> int:
        try:
            self._block(function.body, locals_)
        except Left as left:
            if left.how == "return":
                return left.value
            raise Closed from None
        return 0

    # ---- statements

    def _block(self, statements: Iterable[ops.Statement], r: list[int]) -> None:
        for each in statements:
            self._step()
            match each:
                case ops.SetLocal(index, value):
                    r[index] = self._value(value, r)
                case ops.SetLocalAt(base, index, _, value):
                    r[base + self._plain(index, r)] = self._value(value, r)
                case ops.When(condition, then, otherwise):
                    self._block(then if self._plain(condition, r) else otherwise, r)
                case ops.CountLoop(local, low, high, body):
                    for number in range(self._plain(low, r), self._plain(high, r)):
                        r[local] = number
                        if self._leaves(body, r):
                            break
                case ops.While(condition, body):
                    while self._plain(condition, r):
                        if self._leaves(body, r):
                            break
                case ops.Reach():
                    self._reach(each, r)
                case ops.Break():
                    raise Left("break")
                case ops.Continue():
                    raise Left("continue")
                case ops.Return(value):
                    raise Left("return", self._value(value, r))
                case ops.Evaluate(value):
                    self._value(value, r)
                case ops.Cite():
                    pass
                case ops.SetMemory() | ops.SetMemoryAt() | ops.Emit() | ops.Fail() | ops.Tell():
                    raise Closed
                case ops.MovePiece() | ops.ShufflePlace() | ops.Know():
                    raise Closed
                case _:
                    assert_never(each)

    def _reach(self, op: ops.Reach, r: list[int]) -> None:
        limit, start = self._plain(op.budget, r), self._plain(op.start, r)
        r[op.prices : op.prices + op.cells] = [-1] * op.cells
        r[op.prices + start] = 0
        ways, news = self.program.tables[op.ways], True
        while news:
            news = False
            for here in range(op.cells):
                for target in ways[here :: op.cells] if r[op.prices + here] >= 0 else ():
                    self._step()
                    r[op.target] = target
                    if op.origin >= 0:
                        r[op.origin] = here
                    cost = self._plain(op.cost, r) if target >= 0 else -1
                    paid, old = r[op.prices + here] + cost, r[op.prices + target]
                    if cost >= 0 and paid <= limit and (old < 0 or paid < old):
                        r[op.prices + target], news = paid, True
        for cell in range(op.cells):
            if r[op.prices + cell] >= 0 and cell != start:
                r[op.local] = cell
                if self._leaves(op.body, r):
                    break

    def _leaves(self, body: tuple[ops.Statement, ...], r: list[int]) -> bool:
        """Once round a loop; whether it ends there."""
        self._step()
        try:
            self._block(body, r)
        except Left as left:
            if left.how == "return":
                raise
            return left.how == "break"
        return False

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise Closed

    # ---- values

    def _value(self, op: ops.Expr, r: list[int]) -> int:
        self._step()
        match op:
            case ops.Const(value):
                return value
            case ops.Local(index):
                return r[index]
            case ops.LocalAt(base, index, _):
                return r[base + self._plain(index, r)]
            case ops.Memory(address):
                return self._read(address)
            case ops.MemoryAt(base, index, _, _):
                return self._read(base + self._plain(index, r))
            case ops.Lookup(table, index):
                rows = self.program.tables[table]
                at = self._value(index, r)
                if isinstance(at, Alike):
                    return Alike.of(rows[at], tuple(rows[each] for each in at.others))
                return rows[at]
            case ops.Unary(word, operand):
                inner = self._plain(operand, r)
                return -inner if word == "negate" else int(not inner)
            case ops.Binary(word, left, right):
                return self._binary(word, left, right, r)
            case ops.Choice(condition, then, otherwise):
                return self._value(then if self._plain(condition, r) else otherwise, r)
            case ops.Call(number, arguments):
                function = self.program.functions[number]
                given = [self._value(each, r) for each in arguments]
                return self._run(function, given + [0] * (function.locals - len(given)))
            case ops.Sequence(statements, result):
                self._block(statements, r)
                return self._value(result, r)
            case ops.Within(value, low, high, _, _):
                inner = self._value(value, r)
                if not low <= inner <= high:
                    raise Closed
                return inner
            case ops.Can() | ops.WhatIf():
                raise Closed
            case _:
                assert_never(op)

    def _plain(self, op: ops.Expr, r: list[int]) -> int:
        """A value that something is done with: it must be known."""
        found = self._value(op, r)
        if isinstance(found, Alike):
            raise Closed
        return found

    def _binary(self, word: ops.BinaryWord, left: ops.Expr, right: ops.Expr, r: list[int]) -> int:
        if word in ("equal", "unequal") and isinstance(right, ops.Const) and right.value < 0:
            return int((self._value(left, r) == right.value) == (word == "equal"))  # or none
        a = self._plain(left, r)
        if word == "and":
            return int(bool(a and self._plain(right, r)))
        if word == "or":
            return int(bool(a or self._plain(right, r)))
        b = self._plain(right, r)
        match word:
            case "add":
                return a + b
            case "subtract":
                return a - b
            case "multiply":
                return a * b
            case "divide":
                return a // b
            case "divideUp":
                return -(-a // b)
            case "modulo":
                return a % b
            case "min":
                return min(a, b)
            case "max":
                return max(a, b)
            case "bitAnd":
                return a & b
            case "bitOr":
                return a | b
            case "shift":
                return a << b
            case _:
                return int(_COMPARED[word](a, b))

    # ---- cells

    def _read(self, address: int) -> int:
        layout, m = self.program.layout, self.m
        value = m[address]
        if address in self.hidden:
            raise Closed
        if address in self.pieces:
            self._check_note(address)
            if value >= 0:
                value = self._piece(self.pieces[address], value)
            if address < layout.frames:
                return value
        if address >= layout.frames:
            if address not in self.frames:
                raise Closed
            return value
        if address == SEAT or any(
            each.address <= address < each.address + each.size for each in layout.variables
        ):
            return value
        for place in layout.places:
            if place.address <= address < place.address + place.stride * place.size:
                if place.word != "pool":
                    number, offset = divmod(address - place.address, place.stride)
                    if offset >= CONTENTS:
                        kind = layout.kinds[place.kind]
                        self._look_into(kind, place.first + number)
                        return self._piece(kind, value) if value >= 0 else value
                return value
        for kind in layout.kinds:
            for start in (kind.where, kind.position):
                piece = address - start
                if 0 <= piece < len(kind.row_of):
                    if not self._is_known(kind, piece):
                        raise Closed
                    return value
        raise Closed

    def _check_note(self, address: int) -> None:
        """What somebody has lost track of may be known again, but not as what was noted."""
        kind = self.pieces[address]
        settled = knowledge.readers_of(self.m, kind, address) is not None
        if settled and not knowledge.reads(self.m, kind, address, self.viewer):
            raise Closed

    def _is_known(self, kind: KindLayout, piece: int) -> bool:
        return kind.fungible or knowledge.knows(self.m, kind, piece, self.viewer)

    def _look_into(self, kind: KindLayout, instance: int) -> None:
        """All of a place or nothing: which of its pieces come first may be hidden, too."""
        start = kind.instance_address[instance]
        inside = self.m[start + CONTENTS : start + CONTENTS + self.m[start]]
        ordered = not kind.instance_sorted[instance]
        for piece in inside:
            if not self._is_known(kind, piece) and not (ordered and self._shows_side(kind, piece)):
                raise Closed

    def _piece(self, kind: KindLayout, piece: int) -> int:
        if self._is_known(kind, piece):
            return piece
        if self._shows_side(kind, piece):
            return Alike.of(piece, _lookalikes(kind, piece))
        raise Closed

    def _shows_side(self, kind: KindLayout, piece: int) -> bool:
        """Whether the viewer sees the open side of a piece that hides something."""
        if not kind.hidden_fields:
            return False
        return knowledge.sees_place(kind, self.m[kind.where + piece], self.viewer)


_COMPARED: dict[str, Any] = {
    "equal": lambda a, b: a == b,
    "unequal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "atMost": lambda a, b: a <= b,
    "more": lambda a, b: a > b,
    "atLeast": lambda a, b: a >= b,
}


def _lookalikes(kind: KindLayout, piece: int) -> tuple[int, ...]:
    side = kind.public_label[kind.row_of[piece]]
    return tuple(other for other, row in enumerate(kind.row_of) if kind.public_label[row] == side)


def _under_way(program: Program, m: Buffer, menu: int) -> list[liveness.Active]:
    """The routines under way where a menu is chosen from, also if nobody had to be asked."""
    asked = m.copy()
    asked[STATUS] = DECISION
    for pc, op in enumerate(program.code):
        if isinstance(op, ops.Decide) and op.menu == menu:
            asked[PC] = pc
            return liveness.active_routines(program, asked)
    return []
