"""How a learned policy sees a choice: as a set of numbers, each with a weight of its own.

What a chooser can know of the position is a list of *contexts* (mixed from the name of a thing and
what it is now), and every option has *keys* (mixed from the name of its entry and its arguments).
A pair of a context and a key has a weight in a table, where it is looked up by its hash; the sum of
an option's weights says how much it is to be preferred. Some keys, those that say what lies around
an argument, are paired with the first context only, which is always there.

All that is to be known of a game stands in one list of numbers (`bots/features.py` writes it).
Everything is whole numbers here, so that native code (`native/emit/policy.py`) finds the same sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play import chance
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.pieces import CONTENTS, SEATS
from interpreter.program.layout import MENU, PC

# The list: first where everything begins.
(
    PLAYERS, SHIFT, SCALE, WEIGHTS, BLOCKS, KINDS, STOPS, STOP_COUNT, MENUS, HEAD,
) = range(10)  # fmt: skip
# What is looked at for one seat: how many, and where.
CELLS, CELL_COUNT, PLACES, PLACE_COUNT, ENTRIES, HOMES, BLOCK = range(7)
# A cell: what it is called, where it lies, how it is told, and what goes without saying.
CELL_NAME, CELL_AT, CELL_FORM, CELL_MORE, CELL_USUAL, CELL = range(6)
# A place with pieces.
PLACE_NAME, PLACE_AT, PLACE_KIND, PLACE = range(4)
# A kind: its rows, who sees into its places, and the variables its pieces have.
(
    KIND_WHERE,
    KIND_POSITION,
    KIND_KNOWN,
    KIND_HIDDEN,
    KIND_ROWS,
    KIND_SEEN,
    MARKS,
    MARK_COUNT,
    LAID,
    LAID_COUNT,
    KIND,
) = range(11)
# What lies on a piece: how many of a sort, in a place that each piece has.
LAID_NAME, LAID_AT, LAID_STRIDE, LAID_SIZE = range(4)
# Where the game can be stopped: the frame, whether it is the outermost, and cells of it.
STOP_FRAME, STOP_OUTERMOST, STOP_CELLS, STOP_CELL_COUNT, STOP = range(5)
# An entry, then its arguments.
ENTRY_NAME, ENTRY_WIDTH, ENTRY_ARGUMENTS = range(3)
ARG_FORM, ARG_KIND, ARG_CELLS, ARG_CELL_COUNT, ARG_BOARD, ARGUMENT = range(6)
# What an argument is the index of.
(
    INDEX_NAME, INDEX_AT, INDEX_STRIDE, INDEX_LOW, INDEX_FORM, INDEX_MORE, INDEX_USUAL, INDEXED,
) = range(8)  # fmt: skip
# A board: its ways, where each leads, where cells lie, what lies on them and who stands where.
(
    BOARD_WAYS, BOARD_STEPS, BOARD_SPOTS, BOARD_LAYERS, BOARD_LAYER_COUNT, BOARD_ANCHORS,
    BOARD_ANCHOR_COUNT, BOARD,
) = range(8)  # fmt: skip

# How a value is told.
NUMBER, PLAYER, NAMED, PIECE, OWNER, TOP = range(6)
# How an argument is told, beyond these.
BY_ROW, BY_PLACE, ON_BOARD = range(6, 9)

ALWAYS = 0x5DEECE66D  # the first context
MOST_CONTEXTS = 1024
MOST_KEYS = 160  # that say what lies around arguments
MOST_PIECES = 24  # in one place, that are gone through
MOST_FRAMES = 16
LONGEST_RUN = 5
FARTHEST = 8
MIX = 0x9E3779B97F4A7C15
FINER = 8  # bits by which the scale of weights is finer than logits
_MASK = (1 << 64) - 1
EXACT = 4  # bits of a number that count


def rounded(value: int) -> int:
    """A number of which only the first bits count."""
    size = abs(value)
    more = max(0, size.bit_length() - EXACT)
    size = size >> more << more
    return -size if value < 0 else size


class Policy:
    """A policy on the reference machine: what it looks at, and the weights."""

    def __init__(self, words: Sequence[int], weights: Sequence[int]) -> None:
        self.words = words
        self.weights = weights

    def weigh(self, m: Buffer, seat: int, choices: Sequence[Choice]) -> list[int]:
        """For each choice how much it is to be preferred, in 1/1024 nats. `m` is the state as its
        chooser sees it."""
        found = contexts(self.words, m, seat)
        return [self._weight(found, m, seat, choice) for choice in choices]

    def _weight(self, found: list[int], m: Buffer, seat: int, choice: Choice) -> int:
        crossed, single = keys(self.words, m, seat, choice)
        total = sum(self._sum(found, key) for key in crossed)
        total += sum(self._sum(found[:1], key) for key in single)
        return total * self.words[SCALE] >> FINER

    def _sum(self, found: list[int], key: int) -> int:
        shift = self.words[SHIFT]
        return sum(self.weights[((each ^ key) * MIX & _MASK) >> shift] for each in found)


def contexts(words: Sequence[int], m: Buffer, seat: int) -> list[int]:
    """What a seat that is to choose can know of the position."""
    found = [ALWAYS, words[words[MENUS] + 3 * m[MENU]] & _MASK]
    block = words[BLOCKS] + seat * BLOCK
    _cells(words, m, seat, words[block + CELLS], words[block + CELL_COUNT], found)
    for number in range(words[block + PLACE_COUNT]):
        place = words[block + PLACES] + number * PLACE
        _pieces(words, m, seat, place, found)
    pc = m[PC]
    for _ in range(MOST_FRAMES):
        stop = words[words[STOPS] + pc] if 0 <= pc < words[STOP_COUNT] else 0
        if not stop:
            break
        _cells(words, m, seat, words[stop + STOP_CELLS], words[stop + STOP_CELL_COUNT], found)
        if words[stop + STOP_OUTERMOST]:
            break
        pc = m[words[stop + STOP_FRAME]]
    return found[:MOST_CONTEXTS]


def _cells(
    words: Sequence[int], m: Buffer, seat: int, first: int, count: int, found: list[int]
) -> None:
    for cell in range(first, first + count * CELL, CELL):
        at = words[cell + CELL_AT]
        if m[at] == words[cell + CELL_USUAL]:
            continue
        told = _told(words, m, seat, words[cell + CELL_FORM], words[cell + CELL_MORE], at)
        if told is not None:
            found.append(chance.number(words[cell + CELL_NAME] & _MASK, told))


def _pieces(words: Sequence[int], m: Buffer, seat: int, place: int, found: list[int]) -> None:
    name, address = words[place + PLACE_NAME] & _MASK, words[place + PLACE_AT]
    kind = words[KINDS] + words[place + PLACE_KIND] * KIND
    if m[address] > MOST_PIECES:
        return
    for piece in m[address + CONTENTS : address + CONTENTS + m[address]]:
        if _who(words, kind, m, piece) >> seat & 1:
            found.append(chance.number(name, words[words[kind + KIND_ROWS] + piece]))
            together = name  # where a piece is and which way it faces, say
            for mark in range(words[kind + MARK_COUNT]):
                told = _mark(words, m, seat, kind, mark, piece)
                if told is not None:
                    found.append(chance.number(chance.number(name, -1 - mark), told))
                    together = chance.number(together, told)
            together = _laid(words, m, kind, piece, name, together, found)
            if words[kind + MARK_COUNT] + words[kind + LAID_COUNT] > 1:
                found.append(together)


def _laid(
    words: Sequence[int], m: Buffer, kind: int, piece: int, name: int, together: int,
    found: list[int],
) -> int:  # fmt: skip
    """What lies on a piece, each and all together."""
    for number in range(words[kind + LAID_COUNT]):
        laid = words[kind + LAID] + number * LAID_SIZE
        told = rounded(m[words[laid + LAID_AT] + piece * words[laid + LAID_STRIDE]])
        if told:
            what = words[laid + LAID_NAME] & _MASK
            found.append(chance.number(chance.number(name, what), told))
            together = chance.number(chance.number(together, what), told)
    return together


def _mark(
    words: Sequence[int], m: Buffer, seat: int, kind: int, mark: int, piece: int
) -> int | None:
    cell = words[kind + MARKS] + mark * CELL
    at = words[cell + CELL_AT] + piece
    return _told(words, m, seat, words[cell + CELL_FORM], words[cell + CELL_MORE], at)


def _who(words: Sequence[int], kind: int, m: Buffer, piece: int) -> int:
    """The seats that can name a piece (`pieces.who_knows`)."""
    if words[kind + KIND_KNOWN] < 0:
        return -1
    found = m[words[kind + KIND_KNOWN] + piece] & SEATS
    if words[kind + KIND_HIDDEN]:
        return found
    return found | words[words[kind + KIND_SEEN] + m[words[kind + KIND_WHERE] + piece]]


def _told(words: Sequence[int], m: Buffer, seat: int, form: int, more: int, at: int) -> int | None:
    """What lies in a cell as the seat tells it; None if it cannot."""
    value = m[at]
    if form == NUMBER:
        return rounded(value)
    if form == NAMED:
        return value
    if form == PLAYER:
        return (value - seat) % words[PLAYERS] if value >= 0 else -1
    if form == OWNER:
        for player in range(words[PLAYERS]):
            if value >= 0 and m[words[more + player]] == value:
                return (player - seat) % words[PLAYERS]
        return -1
    if form == TOP:  # of a place, which begins with how many lie there
        value = m[at + CONTENTS + value - 1] if value > 0 else -1
    kind = words[KINDS] + more * KIND
    if value < 0 or not _who(words, kind, m, value) >> seat & 1:
        return None
    return words[words[kind + KIND_ROWS] + value]


def keys(words: Sequence[int], m: Buffer, seat: int, choice: Choice) -> tuple[list[int], list[int]]:
    """What an option is called: the keys that are paired with all contexts, and those with the
    first only."""
    block = words[BLOCKS] + seat * BLOCK
    number = words[words[MENUS] + 3 * m[MENU] + 1] + choice[0]
    entry = words[words[block + ENTRIES] + number]
    name = words[entry + ENTRY_NAME] & _MASK
    crossed, single = [name], list[int]()
    whole, before = name, -1
    width = words[entry + ENTRY_WIDTH]
    for number in range(width):
        argument = entry + ENTRY_ARGUMENTS + number * ARGUMENT
        value = choice[1 + number]
        base = chance.number(name, number)
        told, cell = _argument(words, m, seat, argument, value, base, single)
        crossed.append(chance.number(base, told))
        whole = chance.number(whole, told)
        if value >= 0:
            _indexed(words, m, seat, argument, value, base, single)
        board = words[argument + ARG_BOARD]
        if board and cell >= 0:
            if before >= 0:
                single.append(chance.number(base, _offset(words, board, before, cell)))
            _around(words, m, seat, board, cell, base, single)
            before = cell
    if width > 1:
        crossed.append(whole)
    return crossed, single[:MOST_KEYS]


def _argument(
    words: Sequence[int], m: Buffer, seat: int, argument: int, value: int, base: int,
    single: list[int],
) -> tuple[int, int]:  # fmt: skip
    """An argument as it is told, and the cell of a board that it is or lies on."""
    form = words[argument + ARG_FORM]
    if form == NUMBER:
        return rounded(value), -1
    if value < 0 or form == NAMED:
        return value, -1
    if form == PLAYER:
        return (value - seat) % words[PLAYERS], -1
    if form == ON_BOARD:
        return value, value
    kind = words[KINDS] + words[argument + ARG_KIND] * KIND
    where = m[words[kind + KIND_WHERE] + value]
    block = words[BLOCKS] + seat * BLOCK
    homes = words[words[block + HOMES] + words[argument + ARG_KIND]] + 2 * where
    home, cell = words[homes] & _MASK, words[homes + 1]
    if form == BY_PLACE:
        return chance.number(home, m[words[kind + KIND_POSITION] + value]), cell
    row = words[words[kind + KIND_ROWS] + value]
    if not _who(words, kind, m, value) >> seat & 1:
        return row, -1
    single.append(chance.number(base, chance.number(row, -1)))
    found = chance.number(row, home)
    for mark in range(words[kind + MARK_COUNT]):
        told = _mark(words, m, seat, kind, mark, value)
        if told is not None:
            found = chance.number(found, told)
            single.append(chance.number(chance.number(base, -2 - mark), told))
    return found, cell


def _indexed(
    words: Sequence[int], m: Buffer, seat: int, argument: int, value: int, base: int,
    single: list[int],
) -> None:  # fmt: skip
    """What an argument is the index of."""
    first = words[argument + ARG_CELLS]
    for cell in range(first, first + words[argument + ARG_CELL_COUNT] * INDEXED, INDEXED):
        at = words[cell + INDEX_AT] + (value - words[cell + INDEX_LOW]) * words[cell + INDEX_STRIDE]
        if m[at] == words[cell + INDEX_USUAL]:
            continue
        told = _told(words, m, seat, words[cell + INDEX_FORM], words[cell + INDEX_MORE], at)
        if told is not None:
            single.append(chance.number(base ^ (words[cell + INDEX_NAME] & _MASK), told))


def _offset(words: Sequence[int], board: int, start: int, end: int) -> int:
    """How far one cell is from another, across and along."""
    spots = words[board + BOARD_SPOTS]
    across, along = (
        max(-FARTHEST, min(FARTHEST, words[spots + 2 * end + way] - words[spots + 2 * start + way]))
        for way in range(2)
    )
    return (across + FARTHEST) * 64 + along + FARTHEST


def _around(
    words: Sequence[int], m: Buffer, seat: int, board: int, cell: int, base: int, single: list[int]
) -> None:
    """What lies around a cell of a board: where it is, how far it is from those who stand
    somewhere, and in each direction what comes first and how long that goes on."""
    spots = words[board + BOARD_SPOTS] + 2 * cell
    for way in range(2):
        single.append(chance.number(chance.number(base, -40 - way), words[spots + way]))
    anchors = words[board + BOARD_ANCHORS]
    for anchor in range(anchors, anchors + words[board + BOARD_ANCHOR_COUNT] * 2, 2):
        stands = m[words[anchor + 1]]
        if stands >= 0:
            far = _offset(words, board, stands, cell)
            single.append(chance.number(base ^ (words[anchor] & _MASK), far))
    layers = words[board + BOARD_LAYERS]
    for layer in range(layers, layers + words[board + BOARD_LAYER_COUNT] * INDEXED, INDEXED):
        name = base ^ (words[layer + INDEX_NAME] & _MASK)
        for way in range(words[board + BOARD_WAYS]):
            first, long = _run(words, m, seat, board, layer, cell, way)
            single.append(chance.number(chance.number(name, -2), first * 8 + long))
            single.append(chance.number(chance.number(name, way), first))


def _run(
    words: Sequence[int], m: Buffer, seat: int, board: int, layer: int, cell: int, way: int
) -> tuple[int, int]:
    """What lies on the next cell in a direction, and on how many from there on."""
    steps, ways = words[board + BOARD_STEPS], words[board + BOARD_WAYS]
    first, long = -3, 0
    for _ in range(LONGEST_RUN):
        cell = words[steps + cell * ways + way]
        if cell < 0:
            return first, long
        lies = _lies(words, m, seat, layer, cell)
        if long and lies != first:
            return first, long
        first, long = lies, long + 1
    return first, long


def _lies(words: Sequence[int], m: Buffer, seat: int, layer: int, cell: int) -> int:
    at = words[layer + INDEX_AT] + cell * words[layer + INDEX_STRIDE]
    if m[at] == words[layer + INDEX_USUAL]:
        return -1
    told = _told(words, m, seat, words[layer + INDEX_FORM], words[layer + INDEX_MORE], at)
    return -2 if told is None else told
