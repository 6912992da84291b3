"""Code nested deeper than Python allows is taken apart, and still does the same."""

import random

import pytest

import interpreter
from interpreter.play.compile import Compiler
from interpreter.play.machine import Machine
from interpreter.program import ops

HEAD = 'game "T"\nplayers 2\n\nthe game has\n    found: int\n\n'


def run(play: str) -> int:
    text = HEAD + "play\n" + "".join(f"    {line}\n" for line in play.splitlines())
    state = interpreter.load_text(text).start()
    assert state.is_over
    return int(next(v.value for v in state.view().variables if v.member == "found") or 0)


@pytest.mark.parametrize("depth", [1, 11, 12, 13, 25, 40])
def test_nested_loops(depth: int) -> None:
    lines = ["    " * level + f"for each x{level} in 1..1" for level in range(depth)]
    assert run("\n".join([*lines, "    " * depth + "found += 1"])) == 1


@pytest.mark.parametrize("depth", [1, 13, 28])
def test_stop_inside_nested_ifs(depth: int) -> None:
    lines = ["repeat 3 times", "    found += 1"]
    lines += ["    " * (level + 1) + f"if found > {level - 50}" for level in range(depth)]
    assert run("\n".join([*lines, "    " * (depth + 1) + "stop"])) == 1


@pytest.mark.parametrize("depth", [1, 13, 28])
def test_skip_inside_nested_ifs(depth: int) -> None:
    lines = ["repeat 3 times"]
    lines += ["    " * (level + 1) + f"if found > {level - 50}" for level in range(depth)]
    lines += ["    " * (depth + 1) + "skip", "    found += 1"]
    assert run("\n".join(lines)) == 0


def test_many_cases() -> None:
    cases = "".join(f"    {n} if x = {n}\n" for n in range(300))
    text = f"{HEAD}function f(x: int): int\n{cases}    -1 otherwise\n\nplay\n    found := f(299)\n"
    state = interpreter.load_text(text).start()
    assert state.view().variables[0].value == "299"


def test_else_if_chain() -> None:
    lines = ["found := 7", "if found = 0", "    found := 1"]
    for number in range(1, 30):
        lines += [f"else if found = {number}", f"    found := {1000 + number}"]
    assert run("\n".join(lines)) == 1007


def test_long_sums() -> None:
    assert run("found := found" + " + 1" * 55) == 55


def test_nested_brackets() -> None:
    assert run("found := " + "(1 + " * 50 + "found" + ")" * 50) == 50


@pytest.mark.parametrize("depth", [2, 5, 30, 100])
def test_return_from_deep_inside(depth: int) -> None:
    """Made by hand, since functions are written without loops."""
    program = interpreter.load_text(HEAD + "play\n    found := 1\n").program
    body: tuple[ops.Statement, ...] = (
        ops.When(ops.Binary("equal", ops.Local(0), ops.Const(3)), (ops.Return(ops.Const(9)),)),
    )
    for local in range(depth):
        body = (ops.CountLoop(local, ops.Const(0), ops.Const(1), body),)
    body = (ops.CountLoop(0, ops.Const(0), ops.Const(5), body[0].body), ops.Return(ops.Const(4)))
    program.functions.append(ops.Function("deep", 0, depth, body))
    compiler = Compiler(program, Machine(program))
    m = [0] * program.layout.size
    innermost = depth > 1  # then local 0 is the innermost loop's, and never gets to 3
    assert compiler.function(len(program.functions) - 1)(m, []) == (4 if innermost else 9)


def test_any_expression() -> None:
    """Against a few lines that say what each operation means."""
    program = interpreter.load_text(HEAD + "play\n    found := 1\n").program
    compiler = Compiler(program, Machine(program))
    kept = []
    for seed in range(500):
        choice = random.Random(seed)
        op = expression(choice, choice.randint(1, 60 if seed % 10 == 0 else 6))
        kept.append(op)  # as a program does
        r = [choice.randint(-5, 5) for _ in range(4)]
        m = [0] * program.layout.size
        assert compiler.expression(op)(m, r.copy()) == meaning(op, r.copy()), seed
        when = ops.When(op, (ops.SetMemory(20, ops.Const(1)),))
        compiler.block((when,))(m, r.copy())
        assert m[20] == bool(meaning(op, r.copy())), seed


WORDS: list[ops.BinaryWord] = [
    "add", "subtract", "equal", "unequal", "less", "atMost", "more", "atLeast", "and", "or",
    "min", "max",
]  # fmt: skip


def expression(choice: random.Random, depth: int) -> ops.Expr:
    if depth == 0:
        return choice.choice([ops.Local(choice.randrange(4)), ops.Const(choice.randint(-5, 5))])
    small = choice.randint(0, min(2, depth - 1))
    match choice.randrange(5):
        case 0:
            return ops.Unary(choice.choice(["not", "negate"]), expression(choice, depth - 1))
        case 1:
            parts = [expression(choice, size) for size in (small, depth - 1, small)]
            return ops.Choice(*parts)
        case 2:
            set_ = ops.SetLocal(choice.randrange(4), expression(choice, depth - 1))
            return ops.Sequence((set_,), expression(choice, small))
        case _:
            sides = [expression(choice, depth - 1), expression(choice, small)]
            choice.shuffle(sides)
            return ops.Binary(choice.choice(WORDS), *sides)


def meaning(op: ops.Expr, r: list[int]) -> int:
    match op:
        case ops.Const(value):
            return value
        case ops.Local(index):
            return r[index]
        case ops.Unary(word, operand):
            value = meaning(operand, r)
            return int(not value) if word == "not" else -value
        case ops.Choice(condition, then, otherwise):
            return meaning(then, r) if meaning(condition, r) else meaning(otherwise, r)
        case ops.Sequence((ops.SetLocal(index, value),), result):
            r[index] = meaning(value, r)
            return meaning(result, r)
        case ops.Binary("and", left, right):
            return int(bool(meaning(left, r) and meaning(right, r)))
        case ops.Binary("or", left, right):
            return int(bool(meaning(left, r) or meaning(right, r)))
        case ops.Binary(word, left, right):
            a, b = meaning(left, r), meaning(right, r)
            answers = {
                "add": a + b, "subtract": a - b, "equal": a == b, "unequal": a != b, "less": a < b,
                "atMost": a <= b, "more": a > b, "atLeast": a >= b, "min": min(a, b),
                "max": max(a, b),
            }  # fmt: skip
            return int(answers[word])
        case _:
            raise AssertionError(op)


def test_options_are_those_of_the_state_as_it_is() -> None:
    """A state may be changed in place between two questions: there is no older answer."""
    game = interpreter.load_text(
        'game "Heap"\nplayers 2\nthe game has\n    heap: 0..9 = 5\n'
        'action take(n in 1..3) "take {n}"\n    when n <= heap\n    heap -= n\n'
        "play\n    repeat while heap > 1\n        P1 chooses take\n"
    )
    machine, m = game.machine, game.machine.start(1)
    assert machine.options(m) == [(0, 1), (0, 2), (0, 3)]
    heap = next(v.address for v in game.program.layout.variables if v.name == "heap")
    m[heap] = 2
    assert machine.options(m) == [(0, 1), (0, 2)]
    machine.options(m).clear()
    m[heap] = 5
    assert machine.options(m) == [(0, 1), (0, 2), (0, 3)]
