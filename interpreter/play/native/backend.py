"""Which backend there is: native code if it can be had, else one clear line."""

from __future__ import annotations

import sys
from functools import cache

from interpreter.play.native.build import NativeError, is_kept
from interpreter.play.native.engine import Engine
from interpreter.program.program import Program


def find_engine(program: Program) -> Engine | None:
    """The engine of a program, or None, with the reason on stderr, once."""
    try:
        return Engine(program)
    except NativeError as error:
        _tell(str(error))
        return None


@cache
def _tell(reason: str) -> None:
    print(f"rulerun: {reason}", file=sys.stderr)


def takes_a_while(program: Program) -> bool:
    """Whether native code must be made first, and can be."""
    try:
        return not is_kept(program)
    except NativeError:
        return False
