"""Operations to Python functions: what the reference machine executes.

A plain translation, one case for each operation: an expression becomes the text of a Python
expression, a statement becomes lines of text, and Python compiles the text. The buffer is `m`,
and `r` is the list of the locals. Nothing a ruleset's author wrote gets into the text, only
numbers. A function is translated when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal, Protocol, assert_never

from interpreter import limits
from interpreter.play import arithmetic, pieces
from interpreter.play.failure import Failure
from interpreter.play.looked_at import noted_cells, telling_tables
from interpreter.play.spending import HALF, Spending
from interpreter.program import layout, ops, trials
from interpreter.program.program import Program
from interpreter.program.trials import Spans

Run = Callable[[list[int], list[int]], int]

STEPS = layout.STEPS
LIMIT = limits.STEPS_PER_MOVE
_HIGH = limits.INT_MAX
# How a piece of code that was moved into a function of its own ended.
_BREAK, _CONTINUE, _RETURN = 1, 2, 3
# Python nests loops, lines and brackets only so deep.
_MOST_LOOPS, _MOST_INDENT, _MOST_BRACKETS = 12, 24, 40

_TESTS = {
    "equal": "==", "unequal": "!=", "less": "<", "atMost": "<=", "more": ">", "atLeast": ">=",
    "and": "and", "or": "or",
}  # fmt: skip
_VALUES = {
    "add": "+", "subtract": "-", "multiply": "*", "bitAnd": "&", "bitOr": "|", "shift": "<<",
}  # fmt: skip


class Host(Protocol):
    """What the code needs of the machine it runs in."""

    out: list[tuple[int, ...]]
    depth: int
    cited: set[int]
    spending: Spending

    def can(self, m: list[int], routine: int, arguments: list[int], at: int) -> int: ...
    def what_if(self, m: list[int], spans: Spans, run: Run, r: list[int], at: int) -> int: ...
    def tell(self, saying: int, values: tuple[int, ...], m: list[int]) -> None: ...
    def secret(self, value: int) -> int: ...
    def shuffle(self, m: list[int], number: int, place: int) -> None: ...
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
        self.functions: dict[int, Run] = {}
        self.callable: dict[int, Run] = {}
        self.names: dict[str, Any] = {
            "host": host, "fail": arithmetic.fail, "outside": arithmetic.outside,
            "divide": arithmetic.divide, "divide_up": arithmetic.divide_up,
            "modulo": arithmetic.modulo, "pieces": pieces, "kinds": program.layout.kinds,
        }  # fmt: skip
        self.parts = 0
        self.hidden = noted_cells(program)
        self.telling = telling_tables(program)

    def function(self, number: int) -> Run:
        """A function of the program: it takes the buffer and the list of its arguments."""
        found = self.callable.get(number)
        if found is None:
            more = [0] * _more_locals(self.program.functions[number])
            run = self._body(number)
            found = self.callable[number] = lambda m, r: run(m, r + more)
        return found

    def expression(self, op: ops.Expr) -> Run:
        """An expression; whoever needs it again keeps it."""
        code = Code(self)
        code.line(f"return {code.value(code.first(op))}")
        return self._compiled(code)

    def block(self, statements: tuple[ops.Statement, ...]) -> Run:
        code = Code(self)
        code.block(statements)
        return self._compiled(code)

    def part(self, code: Code) -> str:
        """A part of other code as a function of its own, and what that is called."""
        self.parts += 1
        name = f"part{self.parts}"
        self.names[name] = self._compiled(code)
        return name

    def _compiled(self, code: Code) -> Run:
        scope: dict[str, Any] = {}
        text = "\n".join(["def run(m, r):", *code.lines, " return 0"])
        exec(compile(text, "<rules>", "exec"), self.names, scope)
        found: Run = scope["run"]
        return found

    def table(self, number: int) -> str:
        self.names[f"table{number}"] = self.program.tables[number]
        return f"table{number}"

    def call(self, number: int) -> str:
        """A function as it is called by another: calls count as steps, and nest only so deep."""
        name = f"call{number}"
        if name in self.names:
            return name
        host, functions, body = self.host, self.functions, self._body

        def call(m: list[int], r: list[int], at: int) -> int:
            host.depth += 1
            m[STEPS] += 1
            if host.depth > limits.CALL_DEPTH:
                raise Failure("RR611", at)
            run = functions.get(number) or body(number)
            if m[STEPS] <= HALF:
                found = run(m, r)
            elif m[STEPS] <= LIMIT:
                found = host.spending.run(number, m, r, run)
            else:
                raise Failure("RR608", at)
            host.depth -= 1
            return found

        self.names[name] = call
        return name

    def _body(self, number: int) -> Run:
        """The body of a function: it takes the list of all its locals."""
        found = self.functions.get(number)
        if found is None:
            found = self.functions[number] = self.block(self.program.functions[number].body)
        return found


class Code:
    """The lines of one Python function while they are written."""

    def __init__(self, compiler: Compiler, *, part: bool = False) -> None:
        self.compiler = compiler
        self.lines: list[str] = []
        self.part = part  # of a function that got too deep: it answers how it ended
        self.indent = 1
        self.loops = 0
        self.brackets = 0
        self.temporaries = 0

    def line(self, text: str) -> None:
        self.lines.append(" " * self.indent + text)

    # ---- expressions

    def first(self, op: ops.Expr) -> ops.Expr:
        """Write out the statements of what is computed first, and leave the rest."""
        match op:
            case ops.Sequence(statements, result):
                self.block(statements)
                return self.first(result)
            case ops.Binary():
                return replace(op, left=self.first(op.left))
            case ops.Unary():
                return replace(op, operand=self.first(op.operand))
            case ops.Within():
                return replace(op, value=self.first(op.value))
            case _:  # of any other, several parts come first, or none
                return op

    def value(self, op: ops.Expr) -> str:
        if self.brackets >= _MOST_BRACKETS:
            return self._apart(op)
        self.brackets += 1
        found = self._value(op)
        self.brackets -= 1
        return found

    def _value(self, op: ops.Expr) -> str:
        match op:
            case ops.Const(number):
                return str(number) if number >= 0 else f"({number})"
            case ops.Local(local):
                return f"r[{local}]"
            case ops.Memory(address):
                return self._noted(address, f"m[{address}]")
            case ops.LocalAt(base, index, _):
                return f"r[{base} + {self.value(index)}]"
            case ops.MemoryAt(base, index, _, _):
                return self._noted(base, f"m[{base} + {self.value(index)}]")
            case ops.Lookup(table, index):
                found = f"{self.compiler.table(table)}[{self.value(index)}]"
                return f"host.secret({found})" if table in self.compiler.telling else found
            case ops.Unary(word="negate"):
                return f"(-{self.value(op.operand)})"
            case ops.Unary():
                return f"(0 if {self.test(op.operand)} else 1)"
            case ops.Binary():
                return self._binary(op)
            case ops.Choice():
                then, otherwise = self.value(op.then), self.value(op.otherwise)
                return f"({then} if {self.test(op.condition)} else {otherwise})"
            case ops.Call(function, arguments, at):
                more = _more_locals(self.compiler.program.functions[function])
                given = [self.value(part) for part in arguments]
                return f"{self.compiler.call(function)}(m, {_listed(given, more)}, {at})"
            case ops.Sequence():
                return self._apart(op)
            case ops.Within(value, low, high, code, at):
                inside = f"{low} <= (v := {self.value(value)}) <= {high}"
                return f"(v if {inside} else outside({code!r}, {at}, v, {low}, {high}))"
            case ops.Can(routine, arguments, at):
                given = [self.value(part) for part in arguments]
                return f"host.can(m, {routine}, {_listed(given)}, {at})"
            case ops.WhatIf(steps, value, at):
                spans = trials.kept(self.compiler.program, steps)
                part = self._apart(ops.Sequence(steps, value))
                return f"host.what_if(m, {spans}, {part.removesuffix('(m, r)')}, r, {at})"
            case _:
                assert_never(op)

    def test(self, op: ops.Expr) -> str:
        """The same where only yes or no matters."""
        if isinstance(op, ops.Unary) and op.word == "not":
            return f"(not {self.test(op.operand)})"
        if not isinstance(op, ops.Binary) or op.word not in _TESTS:
            return self.value(op)
        if self.brackets >= _MOST_BRACKETS:
            return self._apart(op)
        self.brackets += 1
        part = self.test if op.word in ("and", "or") else self.value
        found = f"({part(op.left)} {_TESTS[op.word]} {part(op.right)})"
        self.brackets -= 1
        return found

    def _binary(self, op: ops.Binary) -> str:
        if op.word in _TESTS:
            return f"(1 if {self.test(op)} else 0)"
        left, right = self.value(op.left), self.value(op.right)
        match op.word:
            case "min" | "max":
                return f"{op.word}({left}, {right})"
            case "divide" | "divideUp" | "modulo":
                if not isinstance(op.right, ops.Const) or op.right.value <= 0:
                    names = {"divide": "divide", "divideUp": "divide_up", "modulo": "modulo"}
                    return f"{names[op.word]}({left}, {right}, {op.at})"
                if op.word == "divideUp":
                    return f"(-(-{left} // {right}))"
                return f"({left} {'//' if op.word == 'divide' else '%'} {right})"
            case _:
                plain = f"{left} {_VALUES[op.word]} {right}"
        if op.at < 0:
            return f"({plain})"
        return f"(v if -{_HIGH} <= (v := {plain}) <= {_HIGH} else fail('RR601', {op.at}))"

    def _apart(self, op: ops.Expr) -> str:
        """An expression as a function of its own: it has statements, or is too deep."""
        code = Code(self.compiler)
        code.line(f"return {code.value(code.first(op))}")
        return f"{self.compiler.part(code)}(m, r)"

    # ---- statements

    def block(self, statements: tuple[ops.Statement, ...]) -> None:
        for each in statements:
            self.statement(each)

    def statement(self, op: ops.Statement) -> None:
        match op:
            case ops.SetLocal(index, value):
                self.line(f"r[{index}] = {self.value(self.first(value))}")
            case ops.SetLocalAt(base, index, _, value):
                new = self.value(self.first(value))
                self.line(f"r[{base} + {self.value(index)}] = {new}")
            case ops.SetMemory(address, value):
                self.line(f"m[{address}] = {self.value(self.first(value))}")
            case ops.SetMemoryAt(base, index, _, value, _):
                new = self.value(self.first(value))
                self.line(f"m[{base} + {self.value(index)}] = {new}")
            case ops.When() | ops.CountLoop() | ops.While() | ops.Reach():
                self._nested(op)
            case ops.Break():
                self._leave("break", _BREAK)
            case ops.Continue():
                self._leave("continue", _CONTINUE)
            case ops.Return(value):
                result = self.value(self.first(value))
                if self.part:
                    self.line(f"r[-1] = {result}")
                self.line(f"return {_RETURN if self.part else result}")
            case ops.Emit(values):
                self.line("out = host.out")
                self.line(f"if len(out) >= {limits.OPTIONS}: fail('RR609', -1)")
                self.line(f"out.append({self._tuple(values)})")
            case ops.Fail(code, at):
                self.line(f"fail({code!r}, {at})")
            case ops.Evaluate(value):
                self.line(self.value(self.first(value)))
            case ops.MovePiece(kind, piece, place, bottom, at, whole):
                self.line(f"w = {self._unnoted(piece)}; x = {self.value(place)}")
                act = f"pieces.move(b, kinds[{kind}], w, x, {bottom}, {at}, {whole})"
                self.line(f"host.note_piece('moved', m, {kind}, w, lambda b, w=w, x=x: {act})")
            case ops.ShufflePlace(kind, place):
                self.line(f"host.shuffle(m, {kind}, {self.value(place)})")
            case ops.Know(kind, piece, seats, forget):
                self.line(f"w = {self._unnoted(piece)}; x = {self.value(seats)}")
                act = f"pieces.know(b, kinds[{kind}], w, x, {forget})"
                self.line(f"host.note_piece('shown', m, {kind}, w, lambda b, w=w, x=x: {act})")
            case ops.Cite(line):
                self.line(f"host.cited.add({line})")
            case ops.Tell(saying, values):
                self.line(f"host.tell({saying}, {self._tuple(values)}, m)")
            case _:
                assert_never(op)

    def _noted(self, address: int, read: str) -> str:
        """Whether the rules look at something hidden is noted: it may show in what they do."""
        return f"host.secret({read})" if address in self.compiler.hidden else read

    def _unnoted(self, piece: ops.Expr) -> str:
        """Which piece is meant: to move one is not to look at it."""
        match piece:
            case ops.Memory(address):
                return f"m[{address}]"
            case ops.MemoryAt(base, index):
                return f"m[{base} + {self.value(index)}]"
            case _:  # any other does not read which piece it is
                return self.value(piece)

    def _tuple(self, values: tuple[ops.Expr, ...]) -> str:
        return "(" + "".join(f"{self.value(part)}, " for part in values) + ")"

    def _leave(self, word: str, how: int) -> None:
        self.line(word if self.loops else f"return {how}")

    def _nested(self, op: ops.When | ops.CountLoop | ops.While | ops.Reach) -> None:
        if self.loops >= _MOST_LOOPS or self.indent >= _MOST_INDENT:
            self._statement_apart(op)
            return
        match op:
            case ops.When():
                self._when(op)
            case ops.CountLoop():
                self._count_loop(op)
            case ops.While():
                self.line(f"while {self.test(op.condition)}:")
                self._loop_body(op.body, f"m[{STEPS}] += 1", _too_long(op.at))
            case ops.Reach():
                self._reach(op)
            case _:
                assert_never(op)

    def _when(self, op: ops.When) -> None:
        condition = op.condition
        if isinstance(condition, ops.Binary) and condition.word == "and" and not op.otherwise:
            inner = ops.When(condition.right, op.then)
            self._when(ops.When(condition.left, (inner,)))
            return
        self.line(f"if {self.test(self.first(condition))}:")
        self._indented(op.then)
        if op.otherwise:
            self.line("else:")
            self._indented(op.otherwise)

    def _count_loop(self, op: ops.CountLoop) -> None:
        """The bounds are looked at once; a loop that is not gone through costs nothing."""
        low, high = self.value(self.first(op.low)), self.value(op.high)
        if isinstance(op.low, ops.Const) and isinstance(op.high, ops.Const):
            if op.high.value <= op.low.value:
                return
            count = str(op.high.value - op.low.value)
        else:
            self.temporaries += 1
            first, last = f"first{self.temporaries}", f"last{self.temporaries}"
            self.line(f"{first} = {low}; {last} = {high}")
            low, high = first, last
            count = f"max(0, {last} - {first})"
        self.line(f"m[{STEPS}] += {count}")
        self.line(_too_long(op.at))
        self.line(f"for r[{op.local}] in range({low}, {high}):")
        self._loop_body(op.body)

    def _reach(self, op: ops.Reach) -> None:
        """Settle prices in rounds, then go through the cells that have one."""
        self.temporaries += 1
        number, first, cells = self.temporaries, op.prices, op.cells
        limit, start, news = f"limit{number}", f"start{number}", f"news{number}"
        here, cost, paid = f"here{number}", f"cost{number}", f"paid{number}"
        next_, there = f"r[{op.target}]", f"r[{first} + r[{op.target}]]"
        self.line(f"{limit} = {self.value(self.first(op.budget))}")
        self.line(f"{start} = {self.value(self.first(op.start))}")
        self._charge(cells)
        self.line(f"r[{first}:{first + cells}] = [-1] * {cells}")
        self.line(f"r[{first} + {start}] = 0; {news} = 1")
        with self._inside(f"while {news}:"):
            self._charge(1)
            self.line(f"{news} = 0")
            self._charge(cells)
            with self._inside(f"for {here} in range({cells}):"):
                self.line(f"if r[{first} + {here}] < 0: continue")
                self._charge(op.directions)
                if op.origin >= 0:
                    self.line(f"r[{op.origin}] = {here}")
                beside = f"{self.compiler.table(op.ways)}[{here}::{cells}]"
                with self._inside(f"for {next_} in {beside}:"):
                    self.line(f"if {next_} < 0: continue")
                    self.line(f"{cost} = {self.value(self.first(op.cost))}")
                    self.line(f"if {cost} < 0: continue")
                    self.line(f"{paid} = r[{first} + {here}] + {cost}")
                    self.line(f"if {paid} > {_HIGH}: fail('RR601', {op.at})")
                    self.line(f"if {paid} <= {limit} and ({there} < 0 or {paid} < {there}):")
                    self.line(f" {there} = {paid}; {news} = 1")
        self._charge(cells)
        self.line(f"for r[{op.local}] in range({cells}):")
        skip = f"if r[{first} + r[{op.local}]] < 0 or r[{op.local}] == {start}: continue"
        self._loop_body(op.body, skip)

    def _charge(self, steps: int) -> None:
        if steps:
            self.line(f"m[{STEPS}] += {steps}")
            self.line(_too_long(-1))

    @contextmanager
    def _inside(self, head: str) -> Iterator[None]:
        self.line(head)
        self.loops, self.indent = self.loops + 1, self.indent + 1
        yield
        self.loops, self.indent = self.loops - 1, self.indent - 1

    def _loop_body(self, body: tuple[ops.Statement, ...], *before: str) -> None:
        self.loops += 1
        self.indent += 1
        for text in before:
            self.line(text)
        self.indent -= 1
        self._indented(body)
        self.loops -= 1

    def _indented(self, statements: tuple[ops.Statement, ...]) -> None:
        self.indent += 1
        self.block(statements)
        self.line("pass")
        self.indent -= 1

    def _statement_apart(self, op: ops.Statement) -> None:
        """A statement as a function of its own, because it is too deep."""
        code = Code(self.compiler, part=True)
        code.statement(op)
        self.line(f"end = {self.compiler.part(code)}(m, r)")
        self.line(f"if end == {_RETURN}: return {_RETURN if self.part else 'r[-1]'}")
        if self.loops:
            self.line(f"if end == {_BREAK}: break")
            self.line(f"if end == {_CONTINUE}: continue")
        elif self.part:
            self.line("if end: return end")


def _more_locals(function: ops.Function) -> int:
    """The locals of a function that are not given; the last holds its result on the way out."""
    return function.locals - function.params + 1


def _listed(given: Sequence[str], more: int = 0) -> str:
    if more > 8:
        return f"[{', '.join(given)}] + [0] * {more}"
    return f"[{', '.join([*given, *['0'] * more])}]"


def _too_long(at: int) -> str:
    return f"if m[{STEPS}] > {LIMIT}: fail('RR608', {at})"
