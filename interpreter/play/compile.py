"""Operations to Python closures: what the reference machine executes.

Every expression becomes a function of the buffer `m` and the locals `r`; every statement
likewise, answering how it ended. A plain translation, one case for each operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, assert_never

from interpreter import limits
from interpreter.play import pieces
from interpreter.play.failure import Failure
from interpreter.program import layout, ops
from interpreter.program.program import Program

Expression = Callable[[list[int], list[int]], int]
Statement = Callable[[list[int], list[int]], int]

NEXT, BREAK, CONTINUE, RETURN = range(4)
_LOW, _HIGH = -limits.INT_MAX, limits.INT_MAX
STEPS = layout.STEPS
LIMIT = limits.STEPS_PER_MOVE


class Host(Protocol):
    """What closures need of the machine they run in."""

    out: list[tuple[int, ...]]
    depth: int

    def can(self, m: list[int], routine: int, arguments: list[int], at: int) -> int: ...
    def tell(self, saying: int, values: tuple[int, ...], m: list[int]) -> None: ...
    def note_piece(
        self,
        word: Literal["moved", "shown"],
        m: list[int],
        number: int,
        piece: int,
        act: Callable[[list[int]], None],
    ) -> None: ...


class Compiler:
    def __init__(self, program: Program, host: Host) -> None:
        self.program = program
        self.host = host
        self.functions: list[Callable[..., int] | None] = [None] * len(program.functions)

    # ---- functions

    def function(self, number: int) -> Callable[[list[int], list[int]], int]:
        """A function takes the buffer and its arguments as a list that becomes its locals."""
        found = self.functions[number]
        if found is not None:
            return found
        declared = self.program.functions[number]
        cell: list[Callable[[list[int], list[int]], int]] = []
        self.functions[number] = lambda m, r: cell[0](m, r)  # for functions that recur
        size = declared.locals - declared.params + 1
        if len(declared.body) == 1 and isinstance(declared.body[0], ops.Return):
            value = self.expression(declared.body[0].value)
            extra = [0] * size

            def short(m: list[int], r: list[int]) -> int:
                return value(m, r + extra)

            cell.append(short)
        else:
            body = self.block(declared.body)
            extra = [0] * size

            def long(m: list[int], r: list[int]) -> int:
                r = r + extra
                body(m, r)
                return r[-1]

            cell.append(long)
        self.functions[number] = cell[0]
        return cell[0]

    # ---- expressions

    def expression(self, op: ops.Expr) -> Expression:
        match op:
            case ops.Const(number):
                return lambda m, r: number
            case ops.Local(local):
                return lambda m, r: r[local]
            case ops.Memory(address):
                return lambda m, r: m[address]
            case ops.LocalAt(base, index):
                at = self.expression(index)
                return lambda m, r: r[base + at(m, r)]
            case ops.MemoryAt(base, index, _, _):
                at = self.expression(index)
                return lambda m, r: m[base + at(m, r)]
            case ops.Lookup(table, index, _):
                return self._lookup(self.program.tables[table], index)
            case ops.Unary():
                return self._unary(op)
            case ops.Binary():
                return self._binary(op)
            case ops.Choice():
                condition = self.expression(op.condition)
                then, otherwise = self.expression(op.then), self.expression(op.otherwise)
                return lambda m, r: then(m, r) if condition(m, r) else otherwise(m, r)
            case ops.Call():
                return self._call(op)
            case ops.Sequence(statements, result):
                body, last = self.block(statements), self.expression(result)

                def sequence(m: list[int], r: list[int]) -> int:
                    body(m, r)
                    return last(m, r)

                return sequence
            case ops.Within(value, low, high, code, spot):
                inner = self.expression(value)

                def within(m: list[int], r: list[int]) -> int:
                    found = inner(m, r)
                    if low <= found <= high:
                        return found
                    raise Failure(code, spot)

                return within
            case ops.Can(routine, arguments, spot):
                host = self.host
                parts = [self.expression(part) for part in arguments]
                return lambda m, r: host.can(m, routine, [part(m, r) for part in parts], spot)
            case _:
                assert_never(op)

    def _lookup(self, table: tuple[int, ...], index: ops.Expr) -> Expression:
        if isinstance(index, ops.Local):
            local = index.index
            return lambda m, r: table[r[local]]
        at = self.expression(index)
        return lambda m, r: table[at(m, r)]

    def _unary(self, op: ops.Unary) -> Expression:
        inner = self.expression(op.operand)
        if op.word == "not":
            return lambda m, r: 0 if inner(m, r) else 1
        return lambda m, r: -inner(m, r)

    def _binary(self, op: ops.Binary) -> Expression:
        a, b = self.expression(op.left), self.expression(op.right)
        match op.word:
            case "and":
                return lambda m, r: 1 if a(m, r) and b(m, r) else 0
            case "or":
                return lambda m, r: 1 if a(m, r) or b(m, r) else 0
            case "equal":
                if isinstance(op.right, ops.Const):
                    k = op.right.value
                    return lambda m, r: 1 if a(m, r) == k else 0
                return lambda m, r: 1 if a(m, r) == b(m, r) else 0
            case "unequal":
                if isinstance(op.right, ops.Const):
                    k = op.right.value
                    return lambda m, r: 1 if a(m, r) != k else 0
                return lambda m, r: 1 if a(m, r) != b(m, r) else 0
            case "less":
                return lambda m, r: 1 if a(m, r) < b(m, r) else 0
            case "atMost":
                return lambda m, r: 1 if a(m, r) <= b(m, r) else 0
            case "more":
                return lambda m, r: 1 if a(m, r) > b(m, r) else 0
            case "atLeast":
                if isinstance(op.right, ops.Const):
                    k = op.right.value
                    return lambda m, r: 1 if a(m, r) >= k else 0
                return lambda m, r: 1 if a(m, r) >= b(m, r) else 0
            case "min":
                return lambda m, r: min(a(m, r), b(m, r))
            case "max":
                return lambda m, r: max(a(m, r), b(m, r))
            case "bitAnd":
                return lambda m, r: a(m, r) & b(m, r)
            case "bitOr":
                return lambda m, r: a(m, r) | b(m, r)
            case "shift":
                return lambda m, r: a(m, r) << b(m, r)
            case "add" | "subtract" | "multiply":
                return self._arithmetic(op, a, b)
            case "divide" | "divideUp" | "modulo":
                return self._division(op, a, b)
            case _:
                assert_never(op.word)

    def _arithmetic(self, op: ops.Binary, a: Expression, b: Expression) -> Expression:
        at = op.at
        if at < 0:
            match op.word:
                case "add":
                    if isinstance(op.right, ops.Const):
                        k = op.right.value
                        return lambda m, r: a(m, r) + k
                    return lambda m, r: a(m, r) + b(m, r)
                case "subtract":
                    return lambda m, r: a(m, r) - b(m, r)
                case _:
                    return lambda m, r: a(m, r) * b(m, r)
        compute: Expression
        match op.word:
            case "add":
                compute = lambda m, r: a(m, r) + b(m, r)  # noqa: E731
            case "subtract":
                compute = lambda m, r: a(m, r) - b(m, r)  # noqa: E731
            case _:
                compute = lambda m, r: a(m, r) * b(m, r)  # noqa: E731

        def checked(m: list[int], r: list[int]) -> int:
            found = compute(m, r)
            if _LOW <= found <= _HIGH:
                return found
            raise Failure("RR601", at)

        return checked

    def _division(self, op: ops.Binary, a: Expression, b: Expression) -> Expression:
        at, word = op.at, op.word

        def divide(m: list[int], r: list[int]) -> int:
            left, right = a(m, r), b(m, r)
            if right == 0:
                raise Failure("RR602", at)
            if word == "divide":
                return left // right
            if word == "modulo":
                return left % right
            return -(-left // right)

        return divide

    def _call(self, op: ops.Call) -> Expression:
        number, at, host = op.function, op.at, self.host
        parts = [self.expression(part) for part in op.arguments]
        functions = self.functions
        self.function(number)

        def call(m: list[int], r: list[int]) -> int:
            host.depth += 1
            m[STEPS] += 1
            if host.depth > limits.CALL_DEPTH:
                raise Failure("RR611", at)
            if m[STEPS] > LIMIT:
                raise Failure("RR608", at)
            found = functions[number](m, [part(m, r) for part in parts])  # type: ignore[misc]
            host.depth -= 1
            return found

        return call

    # ---- statements

    def block(self, statements: tuple[ops.Statement, ...]) -> Statement:
        parts = [self.statement(each) for each in statements]
        if not parts:
            return lambda m, r: NEXT
        if len(parts) == 1:
            return parts[0]
        if len(parts) == 2:
            first, second = parts
            return lambda m, r: first(m, r) or second(m, r)

        def run(m: list[int], r: list[int]) -> int:
            for part in parts:
                end = part(m, r)
                if end:
                    return end
            return NEXT

        return run

    def statement(self, op: ops.Statement) -> Statement:
        match op:
            case ops.SetLocal(index, value):
                return self._set_local(index, value)
            case ops.SetLocalAt(base, where, value):
                at, new = self.expression(where), self.expression(value)

                def set_local_at(m: list[int], r: list[int]) -> int:
                    r[base + at(m, r)] = new(m, r)
                    return NEXT

                return set_local_at
            case ops.SetMemory(address, value):
                new = self.expression(value)

                def set_memory(m: list[int], r: list[int]) -> int:
                    m[address] = new(m, r)
                    return NEXT

                return set_memory
            case ops.SetMemoryAt(base, where, _, value, _):
                at, new = self.expression(where), self.expression(value)

                def set_memory_at(m: list[int], r: list[int]) -> int:
                    found = new(m, r)
                    m[base + at(m, r)] = found
                    return NEXT

                return set_memory_at
            case ops.When():
                return self._when(op)
            case ops.CountLoop():
                return self._count_loop(op)
            case ops.While():
                return self._while(op)
            case ops.Break():
                return lambda m, r: BREAK
            case ops.Continue():
                return lambda m, r: CONTINUE
            case ops.Return(value):
                result = self.expression(value)

                def give(m: list[int], r: list[int]) -> int:
                    r[-1] = result(m, r)
                    return RETURN

                return give
            case ops.Emit(values):
                parts = [self.expression(part) for part in values]
                host = self.host

                def emit(m: list[int], r: list[int]) -> int:
                    out = host.out
                    if len(out) >= limits.OPTIONS:
                        raise Failure("RR609", -1)
                    out.append(tuple([part(m, r) for part in parts]))
                    return NEXT

                return emit
            case ops.Fail(code, spot):

                def fail(m: list[int], r: list[int]) -> int:
                    raise Failure(code, spot)

                return fail
            case ops.Evaluate(value):
                act = self.expression(value)

                def evaluate(m: list[int], r: list[int]) -> int:
                    act(m, r)
                    return NEXT

                return evaluate
            case ops.MovePiece():
                return self._move(op)
            case ops.ShufflePlace(kind, place):
                where_ = self.expression(place)
                described = self.program.layout.kinds[kind]

                def shuffle(m: list[int], r: list[int]) -> int:
                    pieces.shuffle(m, described, where_(m, r))
                    return NEXT

                return shuffle
            case ops.Know(kind, piece, seats, forget):
                described = self.program.layout.kinds[kind]
                what, mask = self.expression(piece), self.expression(seats)

                knowing = self.host

                def know(m: list[int], r: list[int]) -> int:
                    piece, seats = what(m, r), mask(m, r)
                    act = lambda b: pieces.know(b, described, piece, seats, forget)  # noqa: E731
                    knowing.note_piece("shown", m, kind, piece, act)
                    return NEXT

                return know
            case ops.Tell(saying, values):
                parts = [self.expression(part) for part in values]
                host = self.host

                def tell(m: list[int], r: list[int]) -> int:
                    host.tell(saying, tuple(part(m, r) for part in parts), m)
                    return NEXT

                return tell
            case _:
                assert_never(op)

    def _set_local(self, index: int, value: ops.Expr) -> Statement:
        new = self.expression(value)

        def set_local(m: list[int], r: list[int]) -> int:
            r[index] = new(m, r)
            return NEXT

        return set_local

    def _when(self, op: ops.When) -> Statement:
        test, then = self.expression(op.condition), self.block(op.then)
        if not op.otherwise:
            return lambda m, r: then(m, r) if test(m, r) else NEXT
        otherwise = self.block(op.otherwise)
        return lambda m, r: then(m, r) if test(m, r) else otherwise(m, r)

    def _count_loop(self, op: ops.CountLoop) -> Statement:
        low, high, body = self.expression(op.low), self.expression(op.high), self.block(op.body)
        local, at = op.local, op.at

        def count_loop(m: list[int], r: list[int]) -> int:
            first, last = low(m, r), high(m, r)
            if last <= first:
                return NEXT
            m[STEPS] += last - first
            if m[STEPS] > LIMIT:
                raise Failure("RR608", at)
            for number in range(first, last):
                r[local] = number
                end = body(m, r)
                if end:
                    if end == BREAK:
                        break
                    if end == RETURN:
                        return RETURN
            return NEXT

        return count_loop

    def _while(self, op: ops.While) -> Statement:
        test, body, at = self.expression(op.condition), self.block(op.body), op.at

        def loop(m: list[int], r: list[int]) -> int:
            while test(m, r):
                m[STEPS] += 1
                if m[STEPS] > LIMIT:
                    raise Failure("RR608", at)
                end = body(m, r)
                if end:
                    if end == BREAK:
                        break
                    if end == RETURN:
                        return RETURN
            return NEXT

        return loop

    def _move(self, op: ops.MovePiece) -> Statement:
        described: Any = self.program.layout.kinds[op.kind]
        what, where = self.expression(op.piece), self.expression(op.place)
        bottom, at, host, kind = op.bottom, op.at, self.host, op.kind

        def move(m: list[int], r: list[int]) -> int:
            piece, place = what(m, r), where(m, r)
            act = lambda b: pieces.move(b, described, piece, place, bottom, at)  # noqa: E731
            host.note_piece("moved", m, kind, piece, act)
            return NEXT

        return move
