"""Which backend there is: native code if it can be had, else one clear line."""

from __future__ import annotations

import sys

from interpreter.play.native.build import NativeError
from interpreter.play.native.engine import Engine
from interpreter.program.program import Program


def find_engine(program: Program, *, quiet: bool = False) -> Engine | None:
    """The engine of a program, or None, with the reason on stderr unless it is not wanted."""
    try:
        return Engine(program)
    except NativeError as error:
        if not quiet:
            print(f"rulerun: {error}", file=sys.stderr)
        return None
