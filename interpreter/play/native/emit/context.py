"""What a running engine keeps beside the states: errors, working memory, random streams.

One array of 64-bit cells for each thread. The working memory ("arena") is a stack: enumerated
options lie on it, and the copies of states that are tried out.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.play.failure import CODES
from interpreter.program import ops
from interpreter.program.program import Program
from interpreter.program.touches import operations

ERROR = 0  # 1 + index of the failure code
AT = 1  # its spot, or -1
TOP = 2  # address of the free part of the arena
LIMIT = 3  # address of its end
COUNT = 4  # options found at the last stop; they lie at TOP
SEARCHING = 5  # how deep in looking ahead
NODES = 6  # positions looked at
BASE = 7  # address of the arena
LOG = 8  # while looking ahead: address of the end of the log of what was written; else 0
LOG_BASE = 9
LOG_END = 10
PLAIN = 11  # sealed choices are made one at a time, as from outside
PENDING = 12  # steps of the state, while its sealed bodies are run on it
ROUTES = 13  # address of what was found out about routes while options are enumerated
TRIALS = 14  # address of the free part of what is kept by trials
PICK = 15  # address of what chooses in a simulation instead of chance; or 0
PICK_FOR = 16  # what it is given
KEEP_END = 17  # of a trial that keeps what is written: where its room ends; 0 if it always suffices
KEEP_WHOLE = 18  # whether it did not, and everything is kept
WHERE = 19  # in code that is to be profiled: the instruction or function that is under way
WATCHED = 20  # address of what is known about the state before trials: see watching.py
TRIAL = 21  # address of what the trial has kept that is under way
MARKS = 22  # address of the marks of cells that are read
MARK = 23  # the bit they are marked with
CALLS = 24  # how often something was asked from outside
BLIND = 25  # whether what chooses draws by chance, and sees nothing that sealed bodies change
TOUCHED = 26  # while looking ahead: bits of what was read; see idle.py
KEYS = 27  # for each seat: the key of its random stream, then its counter
UNKNOWN_MENU = -1  # given with a choice of which nobody knows where it is made

_NUMBERS = {code: index + 1 for index, code in enumerate(CODES)}
INVALID = len(CODES) + 3  # what was given is no state of this game
RETRY = len(CODES) + 2  # it may have taken too long: to be run again, counting exactly
BROKEN = len(CODES) + 1  # something the lowering promised does not hold: our own bug
_LOGGED = 1 << 22  # cells a trial can write
_SEARCHES = 80  # enumerations that can be under way at once


def code_number(code: str) -> int:
    return _NUMBERS[code]


def cells(program: Program) -> int:
    return KEYS + 2 * program.players


def menu_width(menu: ops.Menu) -> int:
    """The most cells an option of a menu takes."""
    return max((len(entry.cells) for entry in menu.entries), default=0)


def area(program: Program) -> int:
    """Cells that one enumeration can take: where entries end, then the options. A generator
    may go over the limit by as much again before that is noticed."""
    widths = [2, *(menu_width(menu) for menu in program.menus)]
    entries = max((len(menu.entries) for menu in program.menus), default=1)
    return entries + 2 * (limits.OPTIONS + 1) * max(widths)


def looks_ahead(program: Program) -> bool:
    return any(isinstance(op, ops.LookAhead) for op in program.code) or tries_out(program)


def tries_out(program: Program) -> bool:
    """Whether a condition anywhere tries out a routine."""
    bodies = [*program.code, *(function.body for function in program.functions)]
    return any(isinstance(op, ops.Can) for body in bodies for op in operations(body))


def chances(program: Program) -> set[int]:
    """The generators of what chance can do."""
    return {op.generator for op in program.code if isinstance(op, ops.Chance)}


def has_sealed(program: Program) -> bool:
    return any(isinstance(op, ops.Sealed) for op in program.code)


def arena(program: Program) -> int:
    """Cells of working memory a thread needs."""
    size = area(program) + 2 * program.layout.size
    if looks_ahead(program):
        size += _SEARCHES * (area(program) + program.layout.size)
    return size


def log(program: Program) -> int:
    """Cells of the log: an address and a content for each entry."""
    return 2 * _LOGGED if looks_ahead(program) else 0
