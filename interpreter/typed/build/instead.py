"""What to write instead, where an index is missing or too much, or a type stands for a value.

Every help is made of what the ruleset and the place have, so that it can be copied.
"""

from __future__ import annotations

import re

from interpreter.model.ruleset import Dimension, Place, Variable
from interpreter.model.types import PLAYER, Type, fits, named
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.foreign import OF_CELLS, OF_MEMBERS, OF_PIECES, OF_PLAYERS
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build import builtins, fitting
from interpreter.typed.build.scope import Scope


def entry_help(
    scope: Scope,
    name: str,
    dimensions: tuple[Dimension, ...],
    given: list[v.Value],
    written: list[nodes.Expr],
) -> str:
    """How an entry of something with indexes is written here: `x.mark`, `dice[1]`."""
    if not dimensions:
        return f"write `{name}` without brackets"
    if len(dimensions) == 1 and not given:
        return _one_entry(scope, name, dimensions[0])
    first = dimensions[0].type
    said = [flat(say_value(each)) for each in written]
    if len(given) == len(dimensions) - 1 and first.sort in ("player", "board", "kind"):
        if not fits(given[0].type, first):
            return f"say whose: `{_example(scope, first)}.{name}[{', '.join(said)}]`"
        rest = [*said[1:], _example(scope, dimensions[-1].type)]
        return f"say which: `{said[0]}.{name}[{', '.join(rest)}]`"
    shown = ", ".join(_example(scope, dimension.type) for dimension in dimensions)
    return f"write `{name}[{shown}]`"


def alone_help(name: str, of: Type) -> str:
    """How something that the game has once is written, and how each could have its own."""
    owner = "player" if of.sort == "player" else of.name
    each = f"; if each {owner} has their own, declare it under `each {owner} has`" if owner else ""
    return f"write `{name}` alone{each}"


def numberless_help(place: Place, shown: str) -> str:
    """How a piece in a place is got at, which has no number there."""
    if place.word == "slot":
        return f"a slot holds one piece, and its name is that piece: `{shown}`"
    if place.word == "stack" and place.seen != "all":
        return f"what lies in it is not seen; draw from it: `draw 1 from {shown} to ...`"
    if place.ordered:
        return f"pieces have no numbers here: `top({shown})` is on top, `bottom({shown})` below"
    return f"pieces have no numbers here: go through them, as in `for each c in {shown}`"


def _one_entry(scope: Scope, name: str, dimension: Dimension) -> str:
    type_ = dimension.type
    owners = _locals_of(scope, type_)
    if owners:
        return f"say whose: `{owners[0]}.{name}`"
    if type_.sort == "player":
        return f"say whose: `p.{name}`, with a player `p` from `for each p in players`"
    if type_.sort == "int":
        low, high = type_.low, type_.high
        return (
            f"say which: `{name}[{low}]`, or go through all of them with\n"
            f"`for each n in {low}..{high}` and `{name}[n]`"
        )
    if type_.sort == "enum":
        return f"say which: `{name}[{_example(scope, type_)}]`, or `for each x in {type_.name}`"
    return f"say whose: `x.{name}`, with `x` from `for each x in {type_.name}`"


def _locals_of(scope: Scope, type_: Type) -> list[str]:
    """Names in force that are of a type, the latest first, `me` last."""
    found = [
        name
        for name, local in reversed(scope.names.items())
        if fits(local.type.certain(), type_) and local.type.sort == type_.sort
    ]
    return sorted(found, key=lambda name: name == "me")


def _example(scope: Scope, type_: Type) -> str:
    """Something of a type that could be typed here."""
    owners = _locals_of(scope, type_)
    if owners and type_.sort != "int":
        return owners[0]
    match type_.sort:
        case "int":
            return str(type_.low)
        case "enum":
            return next(iter(scope.ruleset.enums[type_.name]), "x")
        case "player":
            return "p"
        case "bool":
            return "yes"
        case "direction":
            return next(iter(scope.ruleset.boards[type_.name].directions), "x")
        case _:
            return "x"


def tell_no_number(scope: Scope, step: nodes.Assign, type_: Type) -> None:
    """`leader += 2`: not a player changes, but something that is theirs."""
    written, by = flat(say_value(step.target)), flat(say_value(step.value))
    counted = [
        each.name
        for each in scope.ruleset.variables.values()
        if len(each.dimensions) == 1 and each.type.sort == "int" and not each.remembers
        and fits(type_.certain(), each.dimensions[0].type)
    ]  # fmt: skip
    message = f"`{written}` is {fitting.spoken(type_)}, and `{step.operator}` changes a number"
    help_ = f"to give it another value, write `{written} := ...`"
    if type_.sort == "board":
        help_ = f"the space in a direction is `step`: `{written} := step({written}, {by})`"
    if counted:
        shown = [f"`{written}.{name} {step.operator} {by}`" for name in counted[:3]]
        help_ = f"say what of theirs changes: {' or '.join(shown)}"
    scope.error("RR302", message, step.target.mark, help_)


def tell_swapped(
    scope: Scope, name: str, types: list[Type], given: list[v.Value], written: list[nodes.Expr]
) -> bool:
    """Whether two values stand in each other's place; then it is told how they belong."""
    wrong = [
        number
        for number, (value, type_) in enumerate(zip(given, types, strict=True))
        if type_.sort != "place" and not fits(value.type, type_)
    ]
    if len(wrong) != 2:
        return False
    one, other = wrong
    if not (fits(given[one].type, types[other]) and fits(given[other].type, types[one])):
        return False
    shown = [flat(say_value(each)) for each in written]
    was, shown[one], shown[other] = f"{name}({', '.join(shown)})", shown[other], shown[one]
    message = f"two values of `{was}` stand in each other's place"
    help_ = f"write `{name}({', '.join(shown)})`"
    scope.error("RR302", message, written[one].mark, help_)
    return True


def range_help(name: str, expr: nodes.Expr) -> str | None:
    """`range(1, 6)` leaves out its last number elsewhere, `1..5` has both ends."""
    if name != "range" or not isinstance(expr, nodes.Call) or not 1 <= len(expr.arguments) <= 2:
        return None
    *first, last = expr.arguments
    if isinstance(last, nodes.Name) and last.name == "playerCount":
        return "go through the players themselves: `in players`"
    low = flat(say_value(first[0])) if first else "0"
    end = f"{flat(say_value(last))} - 1"
    dots = " .. "
    if isinstance(last, nodes.Number):
        end, dots = str(last.value - 1), ".." if low.isalnum() else dots
    return f"both ends of a range count here: write `{low}{dots}{end}`"


def seat_help(name: str) -> str | None:
    """`player1`, for a seat."""
    seat = re.fullmatch(r"[Pp](?:layer)?_?([1-9])", name)
    return seat and f"the player at seat {seat[1]} is called `P{seat[1]}`"


def asks_of_pieces(scope: Scope, name: str, of: v.PlaceAt, written: nodes.Expr) -> bool:
    """Whether this is `p.hand.strength`, a number of each of several pieces; it is told."""
    field = scope.ruleset.kinds[of.place.kind].fields.get(name)
    if of.place.word in ("slot", "pool") or field is None or field.type.sort != "int":
        return False
    place = flat(say_value(written))
    help_ = (
        f"add them up with `sum(x.{name} for x in {place})`; the greatest is\n"
        f"`max(x.{name} for x in {place} else 0)`"
    )
    scope.error("RR312", f"`{place}` may hold several pieces", written.mark, help_)
    return True


def had_by(scope: Scope, of: Type, wanted: Type) -> list[str]:
    """What something of one type has that is of another, by its names."""
    ruleset = scope.ruleset
    found: list[str] = []
    if of.sort in ("kind", "row", "table", "board"):
        info = ruleset.boards.get(of.name) if of.sort == "board" else ruleset.kinds.get(of.name)
        fields = info.fields.values() if info is not None else ()
        found = [each.name for each in fields if _is_one(each.type, wanted) and not each.dimensions]
    if of.sort in ("kind", "board", "player"):
        found += [
            each.name
            for each in ruleset.variables.values()
            if len(each.dimensions) == 1 and _is_one(each.type, wanted)
            and fits(of.certain(), each.dimensions[0].type)
        ]  # fmt: skip
    return found


def had_or_none(scope: Scope, of: Type) -> list[str]:
    """What something of this type has that may be none: variables, and slots that may be empty."""
    ruleset = scope.ruleset
    things = [each for each in ruleset.variables.values() if each.type.optional]
    named_so: list[Variable | Place] = [*things]
    named_so += [each for each in ruleset.places.values() if each.word == "slot"]
    return [
        each.name
        for each in named_so
        if len(each.dimensions) == 1 and fits(of.certain(), each.dimensions[0].type)
    ]


def _is_one(type_: Type, wanted: Type) -> bool:
    return type_.sort == wanted.sort and type_.name == wanted.name


def owner_type(scope: Scope, name: str) -> Type | None:
    """The one type that has something of this name."""
    ruleset = scope.ruleset
    thing = ruleset.variables.get(name) or ruleset.places.get(name)
    found = [thing.dimensions[0].type] if thing is not None and thing.dimensions else []
    found += [named("kind", kind.name) for kind in ruleset.kinds.values() if name in kind.fields]
    for board in ruleset.boards.values():
        if name in board.fields or name in builtins.PROPERTIES:
            found.append(named("board", board.name))
    return found[0] if len(found) == 1 else None


def asked_of(type_: Type, name: str, written: str) -> str | None:
    """What `p.seat` and the like are called here, which many ask with a dot elsewhere."""
    table = OF_PLAYERS if type_.sort == "player" else OF_CELLS if type_.sort == "board" else {}
    table = OF_PIECES if type_.sort in ("kind", "row") else table
    found = table.get(name) or OF_MEMBERS.get(name)
    return found and found.format(x=written)


def board_help(scope: Scope, name: str) -> str | None:
    """`Direction`, `cells` or `a9`, where the rules have a board."""
    boards = list(scope.ruleset.boards.values())
    if not boards:
        return None
    board = boards[0]
    if name in ("Direction", "direction", "directions", "Directions", "dirs"):
        return f"the directions of a board are called `{board.name}Direction`"
    if name in ("cells", "Cell", "cell", "spaces", "squares", "board", "sites"):
        return f"the spaces are gone through by the name of the board: `in {board.name}`"
    if re.fullmatch(r"[a-z]\d{1,2}", name) and board.cells:
        return f"the spaces of {board.name} go from `{min(board.cells)}` to `{max(board.cells)}`"
    return None


def empty_help(kind: str) -> str:
    return (
        f"`{kind}` has no pieces: `kind {kind} from ...` reads them from the data,\n"
        f"`kind {kind}: lamp 3, rope 4` lists them"
    )


def players_here(scope: Scope) -> list[str]:
    """The names of players in force, the latest first, `me` last."""
    return _locals_of(scope, PLAYER)


def others_help(scope: Scope, mark: Mark) -> str:
    """Which player could be named where there is no `me`."""
    ruleset = scope.ruleset
    for group in ruleset.groups.values():
        is_inside = group.mark.line <= mark.line <= group.mark.end_line
        if is_inside and group.mark.file == mark.file and not group.params:
            return _passed_player(group)  # a player that it goes through is another one
    owners = _locals_of(scope, PLAYER)
    if owners:
        return "Write " + " or ".join(f"`{name}`" for name in owners[:3])
    called = {**ruleset.functions, **ruleset.procedures}.get(scope.procedure)
    if called is not None:
        return _passed_player(called)
    return "Name a player,\nsuch as `P1`, or go through all of them: `for each p in players`"


def _passed_player(
    each: nodes.Function | nodes.Quantity | nodes.Group | nodes.Procedure | nodes.Phase,
) -> str:
    """How what is called by its name hears of a player; a phase hears of nothing."""
    word = each.word if isinstance(each, nodes.Procedure) else type(each).__name__.lower()
    word = "procedure" if isinstance(each, nodes.Phase) else word
    more = "" if isinstance(each, nodes.Phase) or not each.params else ", ..."
    name = "q" if isinstance(each, nodes.Group) and each.binder.name == "p" else "p"
    return (
        f"Pass the player on: declare\n`{word} {each.name}({name}: Player{more})`, "
        f"write `{name}` in it, and `{each.name}(me{more})` where it is used"
    )


def local_help(scope: Scope, name: str, wanted: Type) -> str | None:
    """Something of this type is meant by a name that nothing has here."""
    if wanted.sort == "player":
        return _player_help(scope, name)
    owners = _locals_of(scope, wanted) if wanted.sort in ("kind", "board") else []
    return f"the {wanted.name} at hand is called `{owners[0]}` here" if owners else None


def _player_help(scope: Scope, name: str) -> str:
    """A player is meant by a name that nobody has here."""
    owners = _locals_of(scope, PLAYER)
    if owners == ["me"]:
        return "write `me`, the player whose turn or choice it is"
    if owners:
        return f"the player at hand is called `{owners[0]}` here"
    return f"say which player it is: `for each {name} in players`, with the steps indented under it"


# ---- types where a value is wanted


def type_help(scope: Scope, name: str) -> str:
    """How one of a type is named."""
    ruleset = scope.ruleset
    if name == "Player":
        return "name one: `me`, `next(me)`, `players[1]`; or go through all of `players`"
    called = [row.name for row in ruleset.kinds[name].rows] if name in ruleset.kinds else []
    called += ruleset.enums.get(name, [])
    called += ruleset.boards[name].cells if name in ruleset.boards else []
    such = f"`{called[0]}`" if called and called[0].isidentifier() else f"`{name}[1]`"
    return f"name one, such as {such}, or go through all of them: `for each x in {name}`"


def role_help(scope: Scope, name: str) -> str | None:
    """What a name is that is no value, and how it is used."""
    ruleset = scope.ruleset
    if name in ruleset.actions:
        return f"`{name}` is an action: let somebody choose it with `choose {name}`"
    if name in ruleset.procedures:
        return f"`{name}` does something and is no value: write it on a line of its own"
    if name in ruleset.groups or name in builtins.DOMAINS:
        return f"`{name}` is not a single value: use it after `in`"
    if name in builtins.FUNCTIONS:
        return f"`{name}` needs brackets: `{name}(...)`"
    return None


def place_help(scope: Scope, name: str, wanted: Type) -> str:
    """Pieces are to go to a place that nothing declares."""
    ruleset = scope.ruleset
    kinds = [each.name for each in ruleset.kinds.values() if each.physical]
    kind = wanted.of.name if wanted.of is not None else next(iter(kinds), "Card")
    help_ = f"declare it under `the game has`: `{name}: row of {kind}`;\n"
    return f"{help_}what leaves the game for good goes to `box`"


def piece_help(scope: Scope, name: str) -> str | None:
    """`card` where the rules have a kind Card: which one is not said."""
    kinds = scope.ruleset.kinds
    kind = next((each for each in kinds if each.casefold() == name.casefold()), None)
    if kind is None and name in ("card", "piece", "tile", "token", "it", "that"):
        pieces = [each for each in kinds if _locals_of(scope, named("kind", each))]
        kind = pieces[0] if len(pieces) == 1 else None
    if kind is None:
        return None
    owners = _locals_of(scope, named("kind", kind))
    if owners:
        return f"the {kind} at hand is called `{owners[0]}` here"
    return f"say which {kind}: `me chooses {name} in me.hand`, or `for each {name} in` a place"


def owner_help(scope: Scope, name: str, type_: Type) -> str | None:
    """Who has the thing of this name, if it is not what was asked."""
    ruleset = scope.ruleset
    things: list[Variable | Place] = [*ruleset.variables.values(), *ruleset.places.values()]
    for thing in things:
        if thing.name != name:
            continue
        if not thing.dimensions:
            return f"the game has it: write `{name}` alone"
        first = thing.dimensions[0].type
        owners = _locals_of(scope, first)
        owner = "player" if first.sort == "player" else str(first.name or first)
        such = f": `{owners[0]}.{name}`" if owners else ""
        return f"each {owner} has it, not {_spoken(type_)}{such}"
    for kind in ruleset.kinds.values():
        if name in kind.fields:
            owners = _locals_of(scope, named("kind", kind.name))
            such = f": `{owners[0]}.{name}`" if owners else ""
            return f"each {kind.name} has it, not {_spoken(type_)}{such}"
    return None


def _spoken(type_: Type) -> str:
    return fitting.spoken(type_.certain())
