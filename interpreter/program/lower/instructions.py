"""Instructions in the making: what every part of lowering a routine adds to."""

from __future__ import annotations

from typing import Any

from interpreter.program import ops
from interpreter.program.lower.builder import Scope
from interpreter.tree import nodes


class Instructions:
    """The instructions of one routine. Labels stand among them until the code is flattened."""

    def __init__(self, scope: Scope, stopping: set[str]) -> None:
        self.scope = scope
        self.stopping = stopping
        self.items: list[Any] = []
        self.pending: list[ops.Statement] = []
        self.at = -1  # the statement being lowered, for failures without a place of their own

    def do(self, *statements: ops.Statement) -> None:
        self.pending.extend(statements)

    def flush(self) -> None:
        if self.pending:
            self.items.append(ops.Do(tuple(self.pending), self.scope.locals.count, self.at))
            self.pending = []

    def add(self, instruction: ops.Instruction) -> None:
        self.flush()
        self.items.append(instruction)

    def place(self, label: ops.Label) -> None:
        self.flush()
        self.items.append(label)

    def unless(self, condition: ops.Expr, target: ops.Label) -> None:
        self.add(ops.Unless(condition, target, self.scope.locals.count, self.at))

    def block(self, scope: Scope, statements: tuple[nodes.Statement, ...]) -> None:
        """Lower statements one after the other; routines.py says how."""
        raise NotImplementedError
