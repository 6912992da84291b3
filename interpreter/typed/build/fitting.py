"""Whether a value is of the sort that is wanted, and what to say if it is not."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.ruleset import Place
from interpreter.model.types import BOOL, INT, PLAYER, UNKNOWN, Type, fits, named
from interpreter.report.problem import Notes
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.phrases import SUM, say_binder, say_value
from interpreter.tree.pieces import flat
from interpreter.typed import values as v
from interpreter.typed.build.scope import Scope


def fit(scope: Scope, value: v.Value, wanted: Type, mark: Mark, what: str = "this") -> v.Value:
    """The value where a certain type is needed. What cannot be seen from the types, a possible
    `none` or a number out of its range, is tested while playing."""
    if isinstance(value, v.PlaceAt) and wanted.sort == "kind":
        value = content(scope, value, mark)
    if value.type.sort == "row" and wanted.sort == "kind":
        value = only_piece(scope, value)
    if not fits(value.type, wanted):
        help_ = _wanted_help(scope, wanted)
        if value.type.sort == "none":
            help_ = _none_help(wanted)
        message = f"{what} should be {spoken(wanted)}, but it is {spoken(value.type)}"
        notes: Notes = ()
        if isinstance(value, v.LocalValue):
            if _goes_through_numbers(scope, value.local, wanted):
                return scope.broken(mark)
            made = scope.builder.made.get(value.local) if wanted == PLAYER else None
            told = _whose_number(value.local, made)
            help_, notes = told if told is not None else (help_, notes)
        scope.error("RR302", message, mark, help_, notes)
        return scope.broken(mark)
    if _is_tested(value.type, wanted):
        return v.Fit(value, type=wanted, mark=mark)
    return value


def _none_help(wanted: Type) -> str:
    """What stands for nothing where `none` cannot."""
    optional = f"`{wanted} or none`"
    match wanted.sort:
        case "int" if wanted.low <= 0 <= wanted.high:
            return f'write `0` for nothing; declare it as {optional} if "no number" is meant'
        case "bool":
            return f"write `no`; declare it as {optional} if there is a third answer"
        case _:
            return f"declare it as {optional} if it may be absent"


def _goes_through_numbers(scope: Scope, local: v.Local, wanted: Type) -> bool:
    """Whether this is the `p` of `for each p in 1..2` where a player is wanted; it is told once."""
    if local.sort != "element" or local.type.sort != "int" or local.type.optional:
        return False
    if wanted.sort not in ("player", "board", "enum"):
        return False
    many = "players" if wanted.sort == "player" else wanted.name
    message = f"`{local.name}` is a number here, and below {spoken(wanted)} is wanted"
    help_ = f"write `{local.name} in {many}`; with numbers, `{many}[{local.name}]` is the one meant"
    scope.error("RR302", message, local.mark, help_)
    return True


def _whose_number(local: v.Local, written: nodes.Expr | None) -> tuple[str, Notes] | None:
    """`let best = max(p.bid for p in players)`, where the player who has it was meant."""
    match written:
        case nodes.Aggregate(word="max" | "min" as word, binder=who) if not written.more:
            end = "most" if word == "max" else "least"
            by = f"by {end} {flat(say_value(written.value))} ties in order"
            help_ = (
                f"`{word}` gives the number; the player who has it is\n"
                f"`let {local.name} = pick({flat(say_binder(who))} {by})`"
            )
            return help_, ((local.mark, "it is made here"),)
        case _:
            return None


def _is_tested(given: Type, wanted: Type) -> bool:
    if "unknown" in (given.sort, wanted.sort):
        return False
    if given.sort == "none" or (given.optional and not wanted.optional):
        return True
    return wanted.sort == "int" and not (wanted.low <= given.low and given.high <= wanted.high)


def value_as(scope: Scope, expr: nodes.Expr, wanted: Type, what: str = "this") -> v.Value:
    return fit(scope, scope.value(expr, wanted), wanted, expr.mark, what)


def condition(scope: Scope, expr: nodes.Expr) -> v.Value:
    """What is asked; of another thing it is told how to ask it."""
    value = scope.value(expr, BOOL)
    if fits(value.type, BOOL):
        return fit(scope, value, BOOL, expr.mark)
    written = flat(say_value(expr, SUM))
    match value.type:
        case Type(sort="place") if isinstance(value, v.PlaceAt) and value.place.word != "slot":
            help_ = f"ask how many there are: `number of {written} > 0`, or `= 0`"
        case Type(sort="int", optional=False):
            help_ = f'ask something of it: `{written} > 0`, or `{written} = 0` for "none left"'
        case Type(optional=True) | Type(sort="place"):
            help_ = f"ask whether there is one: `{written} is not none`, or `is none`"
        case _:
            help_ = "ask something of it, with `is`, `=` or another comparison"
    message = f"a condition should be yes or no, but it is {spoken(value.type)}"
    scope.error("RR302", message, expr.mark, help_)
    return scope.broken(expr.mark)


def player(scope: Scope, expr: nodes.Expr, what: str = "this") -> v.Value:
    return value_as(scope, expr, PLAYER, what)


def number(scope: Scope, expr: nodes.Expr, what: str = "this") -> v.Value:
    return value_as(scope, expr, INT, what)


def certain(scope: Scope, value: v.Value, mark: Mark) -> v.Value:
    return fit(scope, value, value.type.certain(), mark)


def key(scope: Scope, written: nodes.Key) -> v.Key:
    """What is compared to put things in order: a number, or a member by its place in the enum."""
    value = scope.value(written.value)
    if value.type.sort not in ("enum", "bool"):
        value = fit(scope, value, INT, written.value.mark, "a key")
    return v.Key(written.word, value, written.mark)


def keys(scope: Scope, written: nodes.Keys) -> v.Keys:
    found = tuple(key(scope, each) for each in written.keys)
    return v.Keys(found, written.ties, written.mark)


def only_piece(scope: Scope, value: v.Value) -> v.Value:
    """The name of a row that has one copy names that piece."""
    kind = scope.ruleset.kinds[value.type.name]
    if not isinstance(value, v.Constant) or kind.components.count(value.value) != 1:
        return value
    piece = kind.components.index(value.value)
    return v.Constant(piece, value.named, type=named("kind", kind.name), mark=value.mark)


def comparable(scope: Scope, value: v.Value, mark: Mark) -> v.Value:
    """One value: the piece in a slot, and never a list."""
    if isinstance(value, v.ListOf):
        scope.error("RR212", "a list is no single value", mark, "go through it with `in`")
        return scope.broken(mark)
    return content(scope, value, mark) if isinstance(value, v.PlaceAt) else value


def content(scope: Scope, place: v.PlaceAt, mark: Mark) -> v.Value:
    """The piece in a slot, or none."""
    if place.place.word != "slot":
        name = place.place.name
        help_ = f"say which: `for each x in {name}`, or let somebody choose one"
        if place.place.ordered:
            help_ = f"say which: `top({name})`, or go through them with `in`"
        scope.error("RR312", f"`{name}` may hold several pieces", mark, help_)
        return scope.broken(mark)
    return v.Content(place, type=named("kind", place.place.kind).or_none(), mark=mark)


def single(scope: Scope, value: v.Value, mark: Mark) -> v.Value:
    """One value that can be kept, not a place or a list."""
    if isinstance(value, v.PlaceAt):
        return content(scope, value, mark)
    if isinstance(value, v.ListOf):
        scope.error("RR212", "a list cannot be kept; go through it where it is needed", mark)
        return scope.broken(mark)
    if value.type.sort == "row":
        value = only_piece(scope, value)
    if value.type.sort == "row":
        help_ = "choose a piece in a place with `in`"
        if isinstance(value, v.Constant):
            help_ = _one_of_several(scope, value)
        scope.error("RR314", "there are several pieces of this name", mark, help_)
        return scope.broken(mark)
    return value


def _one_of_several(scope: Scope, row: v.Constant) -> str:
    """How one of several pieces of a row is got hold of."""
    name = scope.ruleset.kinds[row.type.name].rows[row.value].name
    if scope.builder.testing:
        return f'say which copy: "{name}#1"'
    kind = row.type.name
    whole = f'one of them is `"{name}#1"`; all of them, `for each c in {kind} where c is {name}`'
    who = [each for each, local in scope.names.items() if local.type.sort == "player"]
    if not who:
        return whole
    places = [each for each in scope.ruleset.places.values() if each.kind == kind]
    lying = [each for each in places if each.word != "pool" and not each.dimensions]
    where = next((each.name for each in lying if each.seen == "all"), None)
    owned = (f"{who[-1]}.{each.name}" for each in places if each.dimensions)
    where = where or next(owned, "place")
    return f"let somebody choose: `{who[-1]} chooses c in {where} where c is {name}`;\n{whole}"


def place(scope: Scope, expr: nodes.Expr, what: str, kind: str = "") -> v.PlaceAt | None:
    """A place is needed here, such as after `to`, for pieces of a kind if that is known."""
    of = named("kind", kind) if kind else None
    value = scope.value(expr, Type("place", of=of))
    if isinstance(value, v.PlaceAt):
        return value
    if value.type.sort != "unknown":
        known = list(scope.ruleset.places)
        help_ = f"places here: {', '.join(known)}" if known else None
        owned = places_of(scope, value.type, flat(say_value(expr)), kind)
        if owned:
            help_ = "say which of its places: " + " or ".join(f"`{each}`" for each in owned[:3])
        help_ = holding_help(value, what) or help_
        message = f"{what} should be a place, but it is {spoken(value.type)}"
        scope.error("RR313", message, expr.mark, help_)
    return None


def places_of(scope: Scope, of: Type, written: str, kind: str = "") -> list[str]:
    """The places that something of this type has, as they are written."""
    return [
        f"{written}.{each.name}"
        for each in scope.ruleset.places.values()
        if len(each.dimensions) == 1 and kind in ("", each.kind)
        and fits(of.certain(), each.dimensions[0].type)
    ]  # fmt: skip


def holding_help(value: v.Value, what: str = "") -> str | None:
    """A variable for one piece stands where a place for several was meant."""
    if not isinstance(value, v.Read) or value.type.sort != "kind":
        return None
    name, kind = value.variable.name, value.type.name
    words = {"what is shuffled": "stack", "the source": "stack", "the target": "slot"}
    word = words.get(what, "hand" if value.variable.dimensions else "row")
    others = " or ".join(f"`{each}`" for each in ("row", "stack", "set") if each != word)
    return f"what holds pieces is a place: declare `{name}: {word} of {kind}`, or a {others}"


def place_at(place: Place, indexes: tuple[v.Value, ...], mark: Mark) -> v.PlaceAt:
    of = named("kind", place.kind)
    return v.PlaceAt(place, indexes, type=Type("place", place.name, of=of), mark=mark)


def same_family(value: Type, wanted: Type) -> bool:
    if value.sort == "row":
        return wanted.sort in ("row", "kind", "place") and value.name in (
            wanted.name, wanted.of.name if wanted.of else "",
        )  # fmt: skip
    return value.sort == wanted.sort and value.name == wanted.name


def _wanted_help(scope: Scope, wanted: Type) -> str | None:
    """What could be typed where something of this type is needed."""
    match wanted.sort:
        case "bool":
            return "ask something, such as `... > 0` or `... is none`"
        case "player":
            here = [name for name, local in scope.names.items() if local.type.sort == "player"]
            if here and here != ["me"]:
                return f"the player at hand is called `{here[-1]}` here"
            return (
                "a player is `me`, `next(me)`, a name from `for each p in players`,\n"
                "or `players[1]` for the one at seat 1"
            )
        case "board":
            return f"a space is a name from `for each c in {wanted.name}`, or `{wanted.name}[1]`"
        case "enum":
            members = scope.ruleset.enums[wanted.name]
            return f"it is one of {', '.join(members[:12])}" if members else None
        case "direction":
            ways = scope.ruleset.boards[wanted.name].directions
            return f"it is one of {', '.join(ways[:12])}"
        case _:
            return None


def spoken(type_: Type) -> str:
    match type_.sort:
        case "int":
            return "a number" + (" or none" if type_.optional else "")
        case "bool":
            return "yes or no"
        case "player":
            return "a player" + (" or none" if type_.optional else "")
        case "none":
            return "none"
        case "place":
            return f"a place of {type_.of}"
        case "list":
            return f"a list of {type_.of}"
        case "board":
            return f"a cell of {type_.name}" + (" or none" if type_.optional else "")
        case "row":
            return f"a row of {type_.name}"
        case _:
            return with_article(str(type_)) if type_ != UNKNOWN else "unknown"


def with_article(name: str) -> str:
    return f"an {name}" if name[:1] in "AEIOaeio" else f"a {name}"


def counted(number: int, word: str) -> str:
    many = f"{word}es" if word.endswith("x") else f"{word}s"
    return f"no {word}" if number == 0 else f"{number} {word if number == 1 else many}"


COUNT = Type("int", low=0, high=limits.COLLECTION_ITEMS)
