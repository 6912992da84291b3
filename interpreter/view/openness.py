"""What the words of an option may tell everybody who reads them in a log.

The words of a decision are worked out once more for each viewer, by a reader that looks at
every cell it needs: what the viewer cannot know ends the reading, and the log then says less.
Whether that happens depends on cells the viewer knows only, so it tells nothing by itself.

What a routine has worked out on the way (the cells of its frame) is open if nothing hidden went
into it. That is settled for the whole program beforehand, by following all that is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.play import knowledge
from interpreter.play.compile import hidden_cells
from interpreter.play.failure import Failure
from interpreter.play.machine import Buffer
from interpreter.play.pieces import CONTENTS
from interpreter.play.words import Knows, kind_of
from interpreter.program import liveness, ops
from interpreter.program.layout import DECISION, PC, SEAT, STATUS, KindLayout
from interpreter.program.program import Action, Param, Program
from interpreter.program.verify import operations

_STEPS = 20_000  # what reading one text may cost


class Closed(Exception):
    """Something the viewer cannot know would be told."""


def open_values(
    program: Program,
    m: Buffer,
    action: Action,
    values: tuple[int, ...],
    viewer: int,
    knows: Knows,
    menu: int | None,
) -> tuple[int, ...] | None:
    """What stands in the gaps of an option's words, or None if a viewer may not know it.
    Pieces are given all the same: whoever fills the gaps asks whether they can be named.
    `menu`: what is chosen from; without it nothing is read that routines have worked out."""
    if action.text is None:
        return ()
    reader = _Reader(program, m, action.params, values, viewer, knows, menu)
    try:
        return tuple(reader.gap(number) for number in action.text.functions)
    except (Closed, Failure, IndexError, ZeroDivisionError):
        return None


class _Left(Exception):
    """A loop or a function is left."""

    def __init__(self, how: str, value: int = 0) -> None:
        self.how, self.value = how, value


class _Reader:
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
        self.unknown = {  # arguments the viewer cannot name
            number
            for number, (param, value) in enumerate(zip(params, values, strict=False))
            if param.type.sort == "kind"
            and value >= 0
            and not kind_of(program, param.type.name).fungible
            and not knows(m, kind_of(program, param.type.name), value)
        }
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
                return self.values[index]
            case (ops.Return(ops.Memory(address)),) if address in self.pieces:
                if address >= self.program.layout.frames and address not in self.frames:
                    raise Closed
                return self.m[address]
            case _:
                pass
        if self.unknown & set(_locals_read(function.body)):
            raise Closed
        return self._run(function, locals_)

    def _run(self, function: ops.Function, locals_: list[int]) -> int:
        try:
            self._block(function.body, locals_)
        except _Left as left:
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
                case ops.SetLocalAt(base, index, value):
                    r[base + self._value(index, r)] = self._value(value, r)
                case ops.When(condition, then, otherwise):
                    self._block(then if self._value(condition, r) else otherwise, r)
                case ops.CountLoop(local, low, high, body):
                    for number in range(self._value(low, r), self._value(high, r)):
                        r[local] = number
                        if self._leaves(body, r):
                            break
                case ops.While(condition, body):
                    while self._value(condition, r):
                        if self._leaves(body, r):
                            break
                case ops.Break():
                    raise _Left("break")
                case ops.Continue():
                    raise _Left("continue")
                case ops.Return(value):
                    raise _Left("return", self._value(value, r))
                case ops.Evaluate(value):
                    self._value(value, r)
                case ops.Cite():
                    pass
                case _:
                    raise Closed

    def _leaves(self, body: tuple[ops.Statement, ...], r: list[int]) -> bool:
        """Once round a loop; whether it ends there."""
        self._step()
        try:
            self._block(body, r)
        except _Left as left:
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
            case ops.LocalAt(base, index):
                return r[base + self._value(index, r)]
            case ops.Memory(address):
                return self._read(address)
            case ops.MemoryAt(base, index, _, _):
                return self._read(base + self._value(index, r))
            case ops.Lookup(table, index, _):
                return self.program.tables[table][self._value(index, r)]
            case ops.Unary(word, operand):
                inner = self._value(operand, r)
                return -inner if word == "negate" else int(not inner)
            case ops.Binary(word, left, right):
                return self._binary(word, left, right, r)
            case ops.Choice(condition, then, otherwise):
                return self._value(then if self._value(condition, r) else otherwise, r)
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
            case _:
                raise Closed

    def _binary(self, word: ops.BinaryWord, left: ops.Expr, right: ops.Expr, r: list[int]) -> int:
        a = self._value(left, r)
        if word == "and":
            return int(bool(a and self._value(right, r)))
        if word == "or":
            return int(bool(a or self._value(right, r)))
        b = self._value(right, r)
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
            if value >= 0 and not self._is_known(self.pieces[address], value):
                raise Closed
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
                        self._look_into(layout.kinds[place.kind], place.first + number)
                return value
        for kind in layout.kinds:
            for start in (kind.where, kind.position):
                piece = address - start
                if 0 <= piece < len(kind.row_of):
                    if not self._is_known(kind, piece):
                        raise Closed
                    return value
        raise Closed

    def _is_known(self, kind: KindLayout, piece: int) -> bool:
        return kind.fungible or knowledge.knows(self.m, kind, piece, self.viewer)

    def _look_into(self, kind: KindLayout, instance: int) -> None:
        """All of a place or nothing: which of its pieces come first may be hidden, too."""
        start = kind.instance_address[instance]
        inside = self.m[start + CONTENTS : start + CONTENTS + self.m[start]]
        if not all(self._is_known(kind, piece) for piece in inside):
            raise Closed


_COMPARED: dict[str, Any] = {
    "equal": lambda a, b: a == b,
    "unequal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "atMost": lambda a, b: a <= b,
    "more": lambda a, b: a > b,
    "atLeast": lambda a, b: a >= b,
}


def _locals_read(body: Any) -> Iterator[int]:
    for each in operations(body):
        match each:
            case ops.Local(index):
                yield index
            case ops.LocalAt():
                yield from range(64)
            case _:
                pass


def _under_way(program: Program, m: Buffer, menu: int) -> list[liveness.Active]:
    """The routines under way where a menu is chosen from, also if nobody had to be asked."""
    asked = m.copy()
    asked[STATUS] = DECISION
    for pc, op in enumerate(program.code):
        if isinstance(op, ops.Decide) and op.menu == menu:
            asked[PC] = pc
            return liveness.active_routines(program, asked)
    return []


# ---- frames


def closed_cells(program: Program) -> list[frozenset[int]]:
    """For each routine the cells of its frame that something hidden may have gone into."""
    if not program.closed:
        program.closed = _Frames(program).closed()
    return program.closed


class _Frames:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.first = program.layout.frames
        self.secret = hidden_cells(program) | self._of_hidden_kinds()
        self.by_function: dict[int, frozenset[int]] = {}
        self.found: list[set[int]] = [set() for _ in program.routines]
        self.named: list[set[int]] = []  # cells that name a piece that may be hidden
        for routine in program.routines:
            self.named.append(
                {
                    routine.address + offset
                    for offset, name in routine.pieces
                    if kind_of(program, name).known >= 0
                }
            )

    def _of_hidden_kinds(self) -> set[int]:
        """Where such pieces lie, who knows them, what lies on them, which one is meant."""
        found: set[int] = set()
        for kind in self.program.layout.kinds:
            if kind.known < 0:
                continue
            for start in (kind.where, kind.position, kind.known):
                found.update(range(start, start + len(kind.row_of)))
            for variable in self.program.layout.variables:
                types = [variable.type, *(index.type for index in variable.indexes)]
                if any(each.sort == "kind" and each.name == kind.name for each in types):
                    found.update(range(variable.address, variable.address + variable.size))
        return found

    def closed(self) -> list[frozenset[int]]:
        starts = [routine.entry.position for routine in self.program.routines]
        ends = [*starts[1:], len(self.program.code)]
        changed = True
        while changed:
            size = sum(map(len, self.found))
            for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
                self._routine(number, range(start, end))
            changed = sum(map(len, self.found)) != size
        # A cell that names a piece is not closed: whether the piece is known is asked later.
        return [
            frozenset(found - {routine.address + offset for offset, _ in routine.pieces})
            for found, routine in zip(self.found, self.program.routines, strict=True)
        ]

    def _routine(self, number: int, span: range) -> None:
        code = self.program.code
        guarded: set[int] = set()  # instructions that something hidden decides about
        for pc in span:
            match code[pc]:
                case ops.Unless(condition, target) if self._is_closed(number, condition):
                    guarded.update(_guarded(code, pc, target.position))
                case _:
                    pass
        for pc in span:
            self._instruction(number, code[pc], pc in guarded)

    def _instruction(self, number: int, op: ops.Instruction, guarded: bool) -> None:
        match op:
            case ops.Do(statements):
                self._statements(number, statements, guarded)
            case ops.Invoke(routine, arguments):
                base = self.program.routines[routine].address + 1
                for position, argument in enumerate(arguments):
                    if guarded or self._is_closed(number, argument):
                        self.found[routine].add(base + position)
            case ops.Decide(menu):
                if guarded:
                    for entry in self.program.menus[menu].entries:
                        self.found[number].update(entry.cells)
            case ops.Chance(_, address, _, _, variable, _):
                if guarded or (variable >= 0 and self.program.layout.variables[variable].secret):
                    self.found[number].add(address)
            case _:
                pass

    def _statements(
        self, number: int, statements: tuple[ops.Statement, ...], guarded: bool
    ) -> None:
        """What one block writes; a local that holds something hidden closes what it goes to."""
        locals_: set[int] = set()
        changed = True
        while changed:
            size = len(locals_)
            for statement in statements:
                closed = self._is_closed(number, statement) or bool(
                    locals_ & set(_locals_read(statement))
                )
                for each in operations(statement) if closed or guarded else ():
                    match each:
                        case ops.SetLocal(index) | ops.CountLoop(index):
                            locals_.add(index)
                        case ops.SetLocalAt(base):
                            locals_.update(range(base, base + 64))
                        case ops.SetMemory(address) if address >= self.first:
                            self.found[number].add(address)
                        case ops.SetMemoryAt(base, _, length) if base >= self.first:
                            self.found[number].update(range(base, base + length))
                        case _:
                            pass
            changed = len(locals_) != size

    def _is_closed(self, number: int, item: Any) -> bool:
        """Whether an operation of a routine reads anything hidden, in functions it calls too."""
        closed = self.secret | self.found[number] | self.named[number]
        return any(address in closed for address in self._reads(item))

    def _reads(self, item: Any) -> frozenset[int]:
        found: set[int] = set()
        for each in operations(item):
            match each:
                case ops.Memory(address):
                    found.add(address)
                case ops.MemoryAt(base, _, size):
                    found.update(range(base, base + size) if base >= self.first else (base,))
                case ops.Call(function):
                    found |= self._function(function)
                case ops.Can():
                    found |= self.secret
                case _:
                    pass
        return frozenset(found)

    def _function(self, number: int) -> frozenset[int]:
        if number not in self.by_function:
            self.by_function[number] = frozenset()
            self.by_function[number] = self._reads(self.program.functions[number].body)
        return self.by_function[number]


def _guarded(code: list[ops.Instruction], pc: int, target: int) -> range:
    """What a condition decides about: up to where it leads, and the other branch."""
    if target <= pc:
        return range(target, pc)
    last = code[target - 1]
    if isinstance(last, ops.Goto) and last.target.position > target:
        return range(pc + 1, last.target.position)
    return range(pc + 1, target)
