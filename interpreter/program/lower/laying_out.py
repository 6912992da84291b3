"""Where everything of a state is kept: variables, places, pieces and their words.

In come the declarations of a ruleset, whose variables and places are given their addresses; out
comes the `Layout`, without the frames of routines, which finishing.py adds.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.model.ruleset import Dimension, FieldInfo, KindInfo, Place, Ruleset
from interpreter.model.seats import seat_name
from interpreter.model.types import PLAYER, Type
from interpreter.program import layout
from interpreter.program.layout import Index, KindLayout, PlaceLayout, VariableLayout, everyone
from interpreter.program.lower.builder import Builder
from interpreter.program.program import BoardWords
from interpreter.report.problem import Enough, Problem
from interpreter.report.source import Mark
from interpreter.report.visible import small, spaced


def lay_out(builder: Builder) -> None:
    ruleset, program = builder.ruleset, builder.program
    found = program.layout
    found.players = ruleset.players
    found.scores = layout.HEADER
    address = layout.HEADER + ruleset.players
    found.sealed_length = address
    address += ruleset.players
    for variable in ruleset.variables.values():
        variable.address = address
        address += variable.size
    instances: dict[str, int] = {}
    for place in ruleset.places.values():
        place.address = address
        address += place.size * place.stride
        if place.word != "pool":
            place.first = instances.get(place.kind, 1)
            instances[place.kind] = place.first + place.size
        if address * 8 > limits.STATE_BYTES:
            # Laying it out would take the memory that it must not take.
            raise Enough(state_too_big(address, place.mark))
    for name in builder.kind_numbers:
        address = _lay_out_kind(builder, name, address)
    found.size = address
    for variable in ruleset.variables.values():
        shown = VariableLayout(
            variable.name, variable.address, _indexes(variable.dimensions), variable.type,
            variable.secret, variable.unseen, remembers=variable.remembers,
        )  # fmt: skip
        found.variables.append(shown)
    for place in ruleset.places.values():
        found.places.append(
            PlaceLayout(
                place.name, place.word, builder.kind_numbers[place.kind], place.address,
                place.first, place.stride, place.capacity, _indexes(place.dimensions), place.seen,
            )
        )  # fmt: skip
    program.most_moves = ruleset.most_moves
    program.not_shown = frozenset(ruleset.not_shown)
    program.printed = dict(ruleset.printed)
    program.enums = {name: tuple(members) for name, members in ruleset.enums.items()}
    program.labels = {name: ruleset.member_labels(name) for name in ruleset.enums}
    for kind in ruleset.kinds.values():
        if not kind.physical:
            program.enums[kind.name] = tuple(row.name for row in kind.rows)
            program.labels[kind.name] = tuple(row.label for row in kind.rows)
    for board in ruleset.boards.values():
        program.boards[board.name] = BoardWords(
            board.name, board.shape, tuple(board.cells), tuple(board.coordinates),
            tuple(board.directions), tuple(row.label for row in board.rows),
        )  # fmt: skip
    for name, rows in (
        *((kind.name, kind.rows) for kind in ruleset.kinds.values()),
        *((board.name, board.rows) for board in ruleset.boards.values()),
    ):
        if any(row.sign for row in rows):
            program.signs[name] = tuple(row.sign for row in rows)


def state_too_big(size: int, mark: Mark) -> Problem:
    message = f"a state of this game would need {size * 8} bytes"
    help_ = f"at most {limits.STATE_BYTES} are accepted: use smaller indexes, boards or places"
    return Problem("RR240", message, mark, help=help_, limit=True)


def _indexes(dimensions: tuple[Dimension, ...]) -> tuple[Index, ...]:
    return tuple(Index(each.type, each.size, each.offset) for each in dimensions)


def _lay_out_kind(builder: Builder, name: str, address: int) -> int:
    ruleset = builder.ruleset
    kind = ruleset.kinds[name]
    components = kind.components if kind.tracked else []
    places = [p for p in ruleset.places.values() if p.kind == name and p.word != "pool"]
    private = kind.hidden or any(place.seen != "all" for place in places)
    where, position = address, address + len(components)
    address += 2 * len(components)
    known = address if private else -1
    address += len(components) if private else 0
    addresses, capacities, viewers, sorted_, names = [0], [0], [0], [False], ["box"]
    told: set[int] = set()
    for place in places:
        for number in range(place.size):
            if builder.rules.tested_own and place.name in builder.rules.told:
                told.add(len(addresses))
            addresses.append(place.address + number * place.stride)
            capacities.append(place.capacity)
            viewers.append(_viewers(place, number, ruleset.players))
            sorted_.append(place.word in ("set", "hand", "bag"))
            names.append(_instance_name(builder, place, number))
    public = [info for info in kind.fields.values() if not info.hidden]
    labels: list[str] = []
    for number, row in enumerate(kind.rows):
        if not kind.hidden:
            labels.append(row.label)
            continue
        words = [
            _field_words(builder, info.type, info.values[number])
            for info in public
            if not info.dimensions and info.type.sort != "list" and info.values
        ]
        labels.append(" ".join(words) or kind.name[:1].lower() + kind.name[1:])
    builder.program.layout.kinds.append(
        KindLayout(
            name, tuple(row.name for row in kind.rows), tuple(row.label for row in kind.rows),
            tuple(components), where, position, known, kind.fungible, kind.hidden, tuple(labels),
            tuple(addresses), tuple(capacities), tuple(viewers), tuple(sorted_), tuple(names),
            ruleset.players, _backs(ruleset, kind), told=frozenset(told), plural=kind.plural,
        )
    )  # fmt: skip
    return address


def _backs(ruleset: Ruleset, kind: KindInfo) -> tuple[str, ...]:
    """How the pieces of each row look from behind: `red card`. Other backs, other words."""
    fields = [info for info in kind.fields.values() if info.on_back and info.values]
    if not fields:
        return ()
    labels: dict[tuple[int, ...], str] = {}
    backs = [tuple(info.values[row] for info in fields) for row in range(len(kind.rows))]
    for back in sorted(set(backs)):
        words = [_back_word(ruleset, info, value) for info, value in zip(fields, back, strict=True)]
        label = " ".join(word for word in [*words, small(kind.name)] if word)
        labels[back] = label if label not in labels.values() else f"{label} {len(labels) + 1}"
    return tuple(labels[back] for back in backs)


def _back_word(ruleset: Ruleset, info: FieldInfo, value: int) -> str:
    if value == info.type.none and info.type.optional:
        return ""
    match info.type.sort:
        case "bool":
            return spaced(info.name) if value else ""
        case "enum":
            return ruleset.member_labels(info.type.name)[value]
        case "kind" | "table":
            kind = ruleset.kinds[info.type.name]
            return kind.rows[kind.components[value] if kind.tracked else value].label
        case _:
            return f"{spaced(info.name)} {value}"


def _field_words(builder: Builder, type_: Type, value: int) -> str:
    if type_.sort == "enum" and 0 <= value < len(builder.ruleset.enums[type_.name]):
        return builder.ruleset.enums[type_.name][value]
    return str(value)


def _viewers(place: Place, number: int, players: int) -> int:
    if place.seen == "all" or (place.seen != "nobody" and players == 1):
        return everyone(players)
    if place.seen == "nobody":
        return 0
    span = place.size // place.dimensions[0].size
    return int(1 << (number // span))


def _instance_name(builder: Builder, place: Place, number: int) -> str:
    parts: list[str] = []
    for dimension in reversed(place.dimensions):
        number, index = divmod(number, dimension.size)
        parts.append(_index_name(builder, dimension, index))
    parts.reverse()
    owned = bool(place.dimensions) and place.dimensions[0].type == PLAYER
    if owned:
        rest = f"[{','.join(parts[1:])}]" if parts[1:] else ""
        return f"{parts[0]}.{place.name}{rest}"
    return f"{place.name}[{','.join(parts)}]" if parts else place.name


def _index_name(builder: Builder, dimension: Dimension, index: int) -> str:
    ruleset = builder.ruleset
    match dimension.type.sort:
        case "player":
            return seat_name(index)
        case "enum":
            return ruleset.enums[dimension.type.name][index]
        case "board":
            return ruleset.boards[dimension.type.name].cells[index]
        case "kind" | "table":
            kind = ruleset.kinds[dimension.type.name]
            row = kind.components[index] if kind.tracked else index
            return kind.rows[row].name
        case _:
            return str(index + dimension.offset)
