"""Instructions in the making: what every part of lowering a routine adds to."""

from __future__ import annotations

from abc import ABC, abstractmethod

from interpreter.program import ops
from interpreter.program.lower.scope import Scope
from interpreter.typed.statements import Body


class Instructions(ABC):
    """The instructions of one routine. Labels stand among them until the code is flattened."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.items: list[ops.Instruction | ops.Label] = []
        self.pending: list[ops.Statement] = []
        self.at = -1  # the statement being lowered, for failures without a place of their own

    def do(self, *statements: ops.Statement) -> None:
        self.pending.extend(statements)

    def flush(self) -> None:
        if self.pending:
            self.items.append(ops.Do(tuple(self.pending), self.scope.registers.count, self.at))
            self.pending = []

    def add(self, instruction: ops.Instruction) -> None:
        self.flush()
        self.items.append(instruction)

    def place(self, label: ops.Label) -> None:
        self.flush()
        self.items.append(label)

    def unless(self, condition: ops.Expr, target: ops.Label) -> None:
        self.add(ops.Unless(condition, target, self.scope.registers.count, self.at))

    @abstractmethod
    def block(self, scope: Scope, statements: Body) -> None:
        """Lower statements one after the other; routines.py says how."""
