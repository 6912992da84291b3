"""What lies on pieces: a place that belongs to a piece goes where the piece goes.

Where pieces change their numbers, as copies do that nobody can tell apart, what lies on them must
stay where it is seen to lie. So the cells of such places are moved along with the marks of their
piece, and whatever lies there is told its place anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.play.buffer import Buffer
from interpreter.play.knowledge import mark_cells
from interpreter.play.pieces import CONTENTS
from interpreter.program.layout import KindLayout, PlaceLayout, indexes_of
from interpreter.program.once import once_for_each_program
from interpreter.program.program import Program

Instances = list[tuple[PlaceLayout, int]]  # a place and the number of one of its instances
Renumbered = dict[tuple[str, int], int]  # by kind and number of a place, the number it has now


@once_for_each_program
def borne(program: Program, name: str) -> list[Instances]:
    """Of each piece of a kind, the places that belong to it."""
    kind = next(each for each in program.layout.kinds if each.name == name)
    found: list[Instances] = [[] for _ in kind.row_of]
    if kind.fungible:
        return found
    for place in program.layout.places:
        for at, index in enumerate(place.indexes):
            if index.type.sort == "kind" and index.type.name == name:
                for number in range(place.size):
                    found[indexes_of(number, place.indexes)[at]].append((place, number))
    return found


@once_for_each_program
def bears(program: Program, name: str) -> bool:
    """Whether places belong to the pieces of a kind."""
    return any(borne(program, name))


def cells_with(program: Program, kind: KindLayout, piece: int) -> list[int]:
    """The cells of all that goes with a piece, what is written on it and what lies on it, in the
    same order for all of a kind."""
    cells = cells_of(program, kind.name)
    return cells[piece] if cells else []


@once_for_each_program
def cells_of(program: Program, name: str) -> list[list[int]]:
    """The same for each piece of a kind; empty if nothing goes with any."""
    kind = next(each for each in program.layout.kinds if each.name == name)
    found = [
        mark_cells(program, kind, piece)
        + [
            place.address + number * place.stride + offset
            for place, number in instances
            for offset in range(place.stride)
        ]
        for piece, instances in enumerate(borne(program, name))
    ]
    return found if any(found) else []


def counts_on(program: Program, m: Buffer, kind: KindLayout, piece: int) -> list[int]:
    """How much lies on a piece, place by place: nobody fails to see that."""
    return [m[cell] for cell in count_cells(program, kind.name)[piece]]


@once_for_each_program
def count_cells(program: Program, name: str) -> list[list[int]]:
    """The cells that say so, of each piece of a kind."""
    return [
        [
            place.address + number * place.stride + offset
            for place, number in instances
            for offset in range(place.stride if place.word == "pool" else 1)
        ]
        for instances in borne(program, name)
    ]


@once_for_each_program
def bearing(program: Program, name: str) -> list[list[tuple[KindLayout, int, int]]]:
    """Of each piece of a kind, the places on it, all but pools: the kind that lies there, the
    number of the place among those of that kind, and its address."""
    return [
        [
            (program.layout.kinds[place.kind], place.first + n, place.address + n * place.stride)
            for place, n in instances
            if place.word != "pool"
        ]
        for instances in borne(program, name)
    ]


def settle(program: Program, m: Buffer, kind: KindLayout, changed: Iterable[int]) -> None:
    """Whatever lies on pieces that have changed their numbers lies there now."""
    places_on = bearing(program, kind.name)
    for piece in changed:
        for lying, instance, address in places_on[piece]:
            for each in m[address + CONTENTS : address + CONTENTS + m[address]]:
                m[lying.where + each] = instance


def renumbered(program: Program, kind: KindLayout, swap: dict[int, int]) -> Renumbered:
    """Which numbers the places on pieces have when these have changed theirs."""
    pairs = borne(program, kind.name)
    return {
        (program.layout.kinds[place.kind].name, place.first + before): place.first + now
        for old, new in swap.items()
        for (place, before), (_, now) in zip(pairs[old], pairs[new], strict=True)
        if place.word != "pool"
    }


@once_for_each_program
def bearers_first(program: Program) -> tuple[int, ...]:
    """The numbers of all kinds: as they are declared, but those first that others lie on."""
    return _in_order(len(program.layout.kinds), _lying(program))


@once_for_each_program
def bearers_last(program: Program) -> tuple[int, ...]:
    """The numbers of all kinds: as they are declared, but first those that lie on others."""
    return _in_order(len(program.layout.kinds), [(upon, lies) for lies, upon in _lying(program)])


def _lying(program: Program) -> list[tuple[int, int]]:
    """Which kinds have pieces that may lie on which."""
    numbers = {kind.name: number for number, kind in enumerate(program.layout.kinds)}
    return [
        (place.kind, numbers[index.type.name])
        for place in program.layout.places
        for index in place.indexes
        if index.type.sort == "kind"
    ]


def _in_order(count: int, after: list[tuple[int, int]]) -> tuple[int, ...]:
    """All numbers, each after those it must come after, unless these lead in a circle."""
    found: dict[int, None] = {}
    entered: set[int] = set()

    def enter(number: int) -> None:
        if number not in entered:
            entered.add(number)
            for later, earlier in after:
                if later == number:
                    enter(earlier)
            found[number] = None

    for number in range(count):
        enter(number)
    return tuple(found)
