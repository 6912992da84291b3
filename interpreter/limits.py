"""The limits that keep an untrusted ruleset from hurting whoever opens it, in one table.

Going over one is a located problem and exit code 3, never a traceback or a signal.
"""

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# Reading. Checked before parsing, so an endless device costs no more than a long file.
SOURCE_BYTES: Final = 256 * KIB  # one rules file: far beyond any rulebook
RULESET_BYTES: Final = MIB  # all files of one ruleset together
INCLUDE_DEPTH: Final = 8  # files including files
INCLUDE_FILES: Final = 64  # files of one ruleset

# Parsing.
TOKENS: Final = 30_000  # of a whole ruleset, some 3,000 lines: keeps a check within two seconds
COPIES: Final = TOKENS  # of all that is written once more for places that are passed to it
NESTING: Final = 64  # blocks, expressions, types: recursion must stay far from Python's limit
BRANCHES: Final = 4 * NESTING  # of one `if`, if it is not nested in anything
SYNTAX_PROBLEMS: Final = 20  # for each file: recovery is quadratic, and nobody reads more
PROBLEMS: Final = 100  # of all other kinds

# YAML. The stock loader crashes the process on deep files and explodes on small ones.
YAML_BYTES: Final = MIB
YAML_DEPTH: Final = 32
YAML_EVENTS: Final = 200_000
YAML_SCALAR_BYTES: Final = 64 * KIB

# Checking any input within the limits above. Work is counted, so that the same rules get the same
# answer everywhere: in expressions, after groups have been put where they are used, for all numbers
# of players and all options of scenarios that are checked with a file.
WORK: Final = 60_000
CELLS_OF_WORK: Final = 300  # of a table: they take as long as one expression
BUILD_WORK: Final = 500  # of beginning once more, for other players or options
DATA_WORK: Final = 100  # characters of a data file that take as long as one expression
OPERATIONS: Final = 200_000  # of a program, written out: ten times the biggest that ships
OPERATION_DEPTH: Final = 280  # operations inside each other
LOCALS: Final = 100_000  # of one piece of code: some floods of a big board
# What that comes to on an idle machine, and what stops a check that was counted wrongly.
CHECK_SECONDS: Final = 2
SLOWER: Final = 10  # times as long on a slow or busy machine
CHECK_BYTES: Final = 256 * MIB

# Running. Steps are counted by every backend alike, so all stop at the same step.
# A step is a round of a loop, a call, a piece or a number that is moved: some tenths of a
# microsecond. An instruction, which a game can be resumed at, takes as long as several.
STEPS_PER_MOVE: Final = 5_000_000  # about two seconds: rules that search for long stay below it
STEPS_PER_GAME: Final = 250_000_000
STEPS_AN_INSTRUCTION: Final = 5
OPTIONS: Final = 10_000  # options of one decision: bigger choices are sequences of small ones
CALL_DEPTH: Final = 100
TRIAL_CELLS: Final = 4_000_000  # kept at once by all trials (`after`) that stand in each other
SEARCH_NODES: Final = 20_000  # situations that looking ahead once may come to
SEARCH_DEPTH: Final = 64  # choices that it looks ahead
MOVES_PER_GAME: Final = 10_000  # then the game is declared "did not end"

# Values.
INT_MIN: Final = -(2**63)  # 64 bits in every backend; overflow is an error, never a bigger number
INT_MAX: Final = 2**63 - 1
TEXT_BYTES: Final = 64 * KIB
COLLECTION_ITEMS: Final = 100_000
CELLS: Final = 10_000  # of all boards together
STATE_BYTES: Final = MIB  # a state is copied for every step of a search, and shown to people
HISTORY_NUMBERS: Final = 8_000_000  # kept of the states that led to one; older ones are let go
RECORD_BYTES: Final = 16 * MIB  # of one game: ten thousand moves take about half a MiB
