"""What a learned policy looks at in a game: the list of numbers that `play/policy.py` goes by.

It is made from the layout and the menus alone. What things are called is hashed from their names,
and seats are counted from the chooser's on, so that weights keep their meaning when a rule is
changed, and from seat to seat. Only what every chooser in that seat can know is in the list, or is
asked for piece by piece while playing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product

from interpreter.model.boards import HEX, SQUARE
from interpreter.model.types import Type
from interpreter.play import policy
from interpreter.play.chance import signed
from interpreter.program import ops
from interpreter.program.layout import Index, PlaceLayout, VariableLayout
from interpreter.program.liveness import active_at, live_cells
from interpreter.program.once import once_for_each_program
from interpreter.program.program import BoardWords, Program
from interpreter.view.open_frames import closed_cells

MOST_ENTRIES = 72  # of a variable or place: bigger ones are looked at around an argument only
MOST_COMBINATIONS = 16  # of the other indexes of what an argument is the index of


@once_for_each_program
def features(program: Program) -> tuple[int, ...]:
    """The whole list, without the weights."""
    return tuple(_Writer(program).write())


@once_for_each_program
def sights(program: Program) -> tuple[int, ...]:
    """What a judge of positions looks at: the same without options, and what lies on pieces."""
    return tuple(_Writer(program, judging=True).write())


def _hash(*parts: object) -> int:
    data = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return signed(int.from_bytes(data, "little"))


class _Writer:
    def __init__(self, program: Program, *, judging: bool = False) -> None:
        self.program, self.judging = program, judging
        self.layout = program.layout
        self.words = [0] * policy.HEAD
        self.kinds = {kind.name: number for number, kind in enumerate(self.layout.kinds)}
        self.owners: dict[str, int] = {}  # where the players' variables of an enum are listed
        self.own: set[str] = set()  # those variables
        self.boards: dict[tuple[str, int], int] = {}

    def write(self) -> list[int]:
        words, program = self.words, self.program
        words[policy.PLAYERS] = program.players
        self._find_owners()
        self._write_kinds()
        closed = closed_cells(program)
        blocks: list[int] = []
        for seat in range(program.players):
            blocks += self._block(seat)
        words[policy.BLOCKS] = self._add(blocks)
        words[policy.STOPS] = self._add(self._stops(closed))
        words[policy.STOP_COUNT] = len(program.code)
        menus: list[int] = []
        first = 0
        for menu in program.menus:
            menus += [_hash("menu", menu.name, len(menu.entries)), first, len(menu.entries)]
            first += len(menu.entries)
        words[policy.MENUS] = self._add(menus)
        return words

    def _add(self, words: list[int]) -> int:
        start = len(self.words)
        self.words += words
        return start

    # ---- what all seats share

    def _find_owners(self) -> None:
        """Where each player has one of an enum, its values mean players: colours, say."""
        having: dict[str, list[VariableLayout]] = {}
        for variable in self.layout.variables:
            by_player = [index.type.sort for index in variable.indexes] == ["player"]
            if by_player and variable.type.sort == "enum" and not variable.secret:
                having.setdefault(variable.type.name, []).append(variable)
        for name, variables in having.items():
            if len(variables) == 1:
                first = variables[0].address
                self.own.add(variables[0].name)
                self.owners[name] = self._add([first + n for n in range(self.program.players)])

    def _write_kinds(self) -> None:
        kinds: list[int] = []
        for kind in self.layout.kinds:
            rows = self._add([_hash("row", kind.rows[row]) for row in kind.row_of])
            seen = self._add([signed(each) for each in kind.instance_viewers])
            marks = [
                [_hash("mark", each.name), each.address, *self._form(each.type, each.name), 0]
                for each in self.layout.variables
                if len(each.indexes) == 1
                and each.indexes[0].type.sort == "kind"
                and each.indexes[0].type.name == kind.name
                and not each.secret
                and each.type.sort != "kind"
            ]
            where = self._add([word for mark in marks for word in mark])
            laid = self._laid(kind.name) if self.judging else []
            kinds += [
                kind.where, kind.position, kind.known, int(kind.hidden_fields), rows, seen,
                where, len(marks), self._add(laid), len(laid) // policy.LAID_SIZE,
            ]  # fmt: skip
        self.words[policy.KINDS] = self._add(kinds)

    def _laid(self, kind: str) -> list[int]:
        """The places that each piece of a kind has, if all see into them."""
        found: list[int] = []
        for place in self.layout.places:
            on_pieces = [(index.type.sort, index.type.name) for index in place.indexes]
            if on_pieces != [("kind", kind)]:
                continue
            first = place.address - place.indexes[0].offset * place.stride
            lying = self.layout.kinds[place.kind]
            if not lying.fungible:
                found += [_hash("laid", place.name), first, place.stride]
                continue
            for row in range(place.stride if place.seen == "all" else 0):
                found += [_hash("laid", place.name, lying.rows[row]), first + row, place.stride]
        return found

    def _stops(self, closed: list[frozenset[int]]) -> list[int]:
        """By position in the code: what is to be looked at of the frame that is stopped there."""
        program = self.program
        live = live_cells(program)
        found = [0] * len(program.code)
        stopping = [pc for pc, op in enumerate(program.code) if isinstance(op, ops.Decide)]
        returning = [pc + 1 for pc, op in enumerate(program.code) if isinstance(op, ops.Invoke)]
        for pc in sorted({*stopping, *returning} & set(range(len(program.code)))):
            number = active_at(program, pc).number
            routine = program.routines[number]
            cells: list[int] = []
            for offset, type_ in routine.types:
                at = routine.address + offset
                if offset and at in live[pc] and at not in closed[number]:
                    name = _hash("frame", routine.name, offset)
                    cells += [name, at, *self._form(type_), _usual(type_)]
            count = len(cells) // policy.CELL
            start = self._add(cells)
            found[pc] = self._add([routine.address, int(number == 0), start, count])
        return found

    def _form(self, type_: Type, name: str = "") -> tuple[int, int]:
        """How values of a type are told, and what is needed for that."""
        match type_.sort:
            case "int":
                return policy.NUMBER, 0
            case "player":
                return policy.PLAYER, 0
            case "kind":
                number = self.kinds[type_.name]
                if self.layout.kinds[number].fungible:
                    return policy.NAMED, 0
                return policy.PIECE, number
            case "enum" if type_.name in self.owners and name not in self.own:
                return policy.OWNER, self.owners[type_.name]
            case _:  # what has a name, or is yes or no
                return policy.NAMED, 0

    # ---- what is looked at for one seat

    def _block(self, seat: int) -> list[int]:
        cells: list[int] = []
        for variable in self.layout.variables:
            cells += self._variable(variable, seat)
        places: list[int] = []
        for place in self.layout.places:
            more, counts = self._place(place, seat)
            places += more
            cells += counts
        homes = [self._add(self._homes(number, seat)) for number in range(len(self.layout.kinds))]
        entries: list[int] = []
        for menu in () if self.judging else self.program.menus:
            entries += [self._add(self._entry(menu, each, seat)) for each in menu.entries]
        return [
            self._add(cells), len(cells) // policy.CELL, self._add(places),
            len(places) // policy.PLACE, self._add(entries), self._add(homes),
        ]  # fmt: skip

    def _variable(self, variable: VariableLayout, seat: int) -> list[int]:
        if variable.remembers or variable.unseen or not _is_small(variable.indexes):
            return []
        form = self._form(variable.type, variable.name)
        found: list[int] = []
        for number in range(variable.size):
            if variable.is_open_to(number, seat):
                told = self._indexes(number, variable.indexes, seat)
                name = _hash("variable", variable.name, told)
                usual = _usual(variable.type)
                found += [name, variable.address + number, *form, usual]
        return found

    def _place(self, place: PlaceLayout, seat: int) -> tuple[list[int], list[int]]:
        """Records of its pieces, and of the cells that count them."""
        if not _is_small(place.indexes):
            return [], []
        kind = self.layout.kinds[place.kind]
        pieces: list[int] = []
        counts: list[int] = []
        for number in range(place.size):
            told = self._indexes(number, place.indexes, seat)
            address = place.address + number * place.stride
            if kind.fungible:
                seen = place.seen == "all" or (place.seen == "owner" and told[:1] == (0,))
                for row in range(place.stride if seen else 0):
                    name = _hash("pool", place.name, told, kind.rows[row])
                    counts += [name, address + row, policy.NUMBER, 0, 0]
                continue
            counts += [_hash("count", place.name, told), address, policy.NUMBER, 0, 0]
            pieces += [_hash("place", place.name, told), address, place.kind]
        return pieces, counts

    def _indexes(self, number: int, indexes: tuple[Index, ...], seat: int) -> tuple[int, ...]:
        """The indexes of an entry, with players counted from the seat on."""
        found: list[int] = []
        for index in reversed(indexes):
            number, part = divmod(number, index.size)
            if index.type.sort == "player":
                part = (part - seat) % self.program.players
            found.append(part + index.offset)
        return tuple(reversed(found))

    def _homes(self, kind: int, seat: int) -> list[int]:
        """For each place of a kind what it is called, and the cell of a board it lies on."""
        found = [_hash("box"), -1]
        for place in self.layout.places:
            if place.kind != kind:
                continue
            boards = [index.type.sort for index in place.indexes]
            for number in range(place.size):
                told = self._indexes(number, place.indexes, seat)
                cell = told[0] if boards == ["board"] else -1
                found += [_hash("home", place.name, told if _is_small(place.indexes) else ()), cell]
        return found

    # ---- options

    def _entry(self, menu: ops.Menu, entry: ops.Entry, seat: int) -> list[int]:
        action = self.program.actions[entry.action]
        params = action.params
        where = menu.name if action.name in ("choose", "pass") else ""
        name = _hash("entry", action.name, where, tuple(each.name for each in params))
        found = [name, len(entry.cells)]
        for number in range(len(entry.cells)):
            if number >= len(params):
                found += [policy.NUMBER, 0, 0, 0, 0]
                continue
            found += self._argument(params[number].type, params[number].form, seat)
        return found

    def _argument(self, type_: Type, form: str, seat: int) -> list[int]:
        kind, board = 0, 0
        told = self._form(type_)[0]
        if told == policy.PIECE:
            kind = self.kinds[type_.name]
            told = policy.BY_PLACE if form == "place" else policy.BY_ROW
            board = self._board_of_kind(kind, seat)
        elif told == policy.OWNER:
            told = policy.NAMED
        elif type_.sort == "board":
            told, board = policy.ON_BOARD, self._board(type_.name, seat)
        cells = [] if told in (policy.NUMBER, policy.BY_PLACE) else self._indexed(type_, seat)
        return [told, kind, self._add(cells), len(cells) // policy.INDEXED, board]

    def _indexed(self, type_: Type, seat: int) -> list[int]:
        found: list[int] = []
        for variable in self.layout.variables:
            if variable.remembers or variable.secret:
                continue
            for number, low, stride, told in self._along(variable.indexes, type_, seat):
                name = _hash("indexed", variable.name, told)
                form = self._form(variable.type, variable.name)
                usual = _usual(variable.type)
                found += [name, variable.address + number, stride, low, *form, usual]
        for place in self.layout.places:
            kind = self.layout.kinds[place.kind]
            for number, low, stride, told in self._along(place.indexes, type_, seat):
                at, step = place.address + number * place.stride, stride * place.stride
                if kind.fungible:
                    for row in range(place.stride if place.seen == "all" else 0):
                        name = _hash("indexed pool", place.name, told, kind.rows[row])
                        found += [name, at + row, step, low, policy.NUMBER, 0, 0]
                    continue
                name = _hash("indexed place", place.name, told)
                found += [name, at, step, low, policy.NUMBER, 0, 0]
                found += [signed(name + 1), at, step, low, policy.TOP, place.kind, 0]
        return found

    def _along(
        self, indexes: tuple[Index, ...], type_: Type, seat: int
    ) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
        """For each way to fix the other indexes: the first entry, the lowest value, the distance
        from value to value, and how the others are told."""
        same = [n for n, each in enumerate(indexes) if _is_same(each.type, type_)]
        if len(same) != 1:
            return
        sizes = [1 if n == same[0] else each.size for n, each in enumerate(indexes)]
        combinations = 1
        for size in sizes:
            combinations *= size
        if combinations > MOST_COMBINATIONS:
            return
        stride = 1
        for index in indexes[same[0] + 1 :]:
            stride *= index.size
        for chosen in product(*map(range, sizes)):
            number = 0
            for index, part in zip(indexes, chosen, strict=True):
                number = number * index.size + part
            told = self._indexes(number, indexes, seat)
            yield number, indexes[same[0]].offset, stride, told

    # ---- boards

    def _board_of_kind(self, kind: int, seat: int) -> int:
        for place in self.layout.places:
            if place.kind == kind and [each.type.sort for each in place.indexes] == ["board"]:
                return self._board(place.indexes[0].type.name, seat)
        return 0

    def _board(self, name: str, seat: int) -> int:
        if (name, seat) not in self.boards:
            self.boards[name, seat] = self._write_board(self.program.boards[name], seat)
        return self.boards[name, seat]

    def _write_board(self, board: BoardWords, seat: int) -> int:
        ways = _steps(board)
        steps = [way[cell] for cell in range(len(board.cells)) for way in ways]
        spots = [part for spot in board.coordinates for part in spot]
        layers: list[int] = []
        type_ = Type("board", board.name)
        for variable in self.layout.variables:
            if len(variable.indexes) == 1 and _is_same(variable.indexes[0].type, type_):
                if variable.secret or variable.remembers:
                    continue
                form = self._form(variable.type, variable.name)
                name = _hash("layer", variable.name)
                layers += [name, variable.address, 1, 0, *form, _usual(variable.type)]
        for place in self.layout.places:
            if self.layout.kinds[place.kind].fungible or len(place.indexes) != 1:
                continue
            if _is_same(place.indexes[0].type, type_):
                name = _hash("layer", place.name)
                at = [place.address, place.stride, 0]
                layers += [name, *at, policy.TOP, place.kind, 0]
        anchors: list[int] = []
        for variable in self.layout.variables:
            if not _is_same(variable.type, type_) or variable.secret or variable.size > 16:
                continue
            for number in range(variable.size):
                told = self._indexes(number, variable.indexes, seat)
                anchors += [_hash("anchor", variable.name, told), variable.address + number]
        return self._add(
            [
                len(ways),
                self._add(steps),
                self._add(spots),
                self._add(layers),
                len(layers) // policy.INDEXED,
                self._add(anchors),
                len(anchors) // 2,
            ]
        )


def _is_small(indexes: tuple[Index, ...]) -> bool:
    """What has one entry for each of a few things. What pieces have goes by the pieces."""
    size = 1
    for index in indexes:
        if index.type.sort == "kind":
            return False
        size *= 1 if index.type.sort == "player" else index.size
    return size <= MOST_ENTRIES


def _is_same(left: Type, right: Type) -> bool:
    return left.sort == right.sort and left.name == right.name and left.sort not in ("int", "bool")


def _usual(type_: Type) -> int:
    """What goes without saying."""
    return type_.none if type_.optional else 0


def _steps(board: BoardWords) -> list[list[int]]:
    """For each direction, where it leads from every cell."""
    size = len(board.cells)
    if board.shape in ("square", "hex"):
        offsets = SQUARE if board.shape == "square" else HEX
        at = {spot: cell for cell, spot in enumerate(board.coordinates)}
        return [
            [at.get((x + offsets[way][0], y + offsets[way][1]), -1) for x, y in board.coordinates]
            for way in board.directions
            if way in offsets
        ]
    if board.shape == "line":
        return [[n + 1 if n + 1 < size else -1 for n in range(size)], [n - 1 for n in range(size)]]
    if board.shape == "ring":
        return [[(n + 1) % size for n in range(size)], [(n - 1) % size for n in range(size)]]
    return []
