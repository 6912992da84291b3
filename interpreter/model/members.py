"""What games, players, pieces and spaces have: variables and places, and what is said of them."""

from __future__ import annotations

from typing import Any

from interpreter.model.ruleset import Dimension, History, Place, Ruleset, Variable
from interpreter.model.static import static_value
from interpreter.model.types import INT, Type
from interpreter.report.problem import Notes, Problems
from interpreter.report.suggest import nearest
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark, part
from interpreter.tree.walk import walk

_SEEN = {
    "stack": "nobody", "bag": "nobody", "hand": "owner",
    "row": "all", "set": "all", "slot": "all", "pool": "all",
}  # fmt: skip


_SEEN_HELP = "say `seen by all`, `seen by owner` or `seen by nobody`"
_SHOWN_HELP = "what only the others see is `seen by nobody`, with `reveal x to q` for each of them"


def declare_variable(
    ruleset: Ruleset,
    name: str,
    member: nodes.Member,
    type_: Type,
    dims: tuple[Dimension, ...],
    problems: Problems,
) -> None:
    variable = Variable(name, dims, type_, member.start, member.mark)
    variable.plain_range = isinstance(member.type, nodes.TypeRange) and not any(
        isinstance(part, nodes.Name) for part in walk(member.type)
    )
    if variable.type.sort in ("list", "void"):
        help_ = "lists stand in the data; while playing use an index: `name[1..5]: ...`"
        of = variable.type.of
        if of is not None and of.sort != "void":
            help_ = f"say how many there are, with an index: `{name}[1..5]: {of}`"
        if of is not None and of.sort == "kind":
            owned = bool(dims) and dims[0].type.sort == "player"
            word, others = ("hand", "`row`, `set`") if owned else ("row", "`stack`, `set`")
            help_ = f"pieces lie in places: `{name}: {word} of {of.name}`, or a {others}"
        problems.error("RR212", "a variable cannot be a list", member.mark, help=help_)
        ruleset.broken.add(name)
        return
    for attribute in member.attributes:
        match attribute.word:
            case "secret":
                _keep_secret(variable, attribute, problems)
            case "seen by" if attribute.name == "owner":
                _keep_secret(variable, attribute, problems)
            case "seen by" if attribute.name == "nobody":
                variable.secret = variable.unseen = True
            case "seen by" if attribute.name != "all":
                message = f"no variable can be seen by `{attribute.name}`"
                problems.error("RR246", message, attribute.mark, help=_SEEN_HELP)
            case "seen by":
                pass
            case "clamped":
                variable.clamped = True
            case "not shown":
                ruleset.not_shown.add(name)
            case "per":
                variable.scope = attribute.name
            case _:
                message = f"`{attribute.word}` is said of places, and this is a variable"
                help_ = (
                    "of a variable you can say `secret`, `seen by nobody`, `clamped`, `per ...`\n"
                    "and `not shown`"
                )
                problems.error("RR242", message, attribute.mark, help=help_)
    if variable.clamped and variable.type.sort == "int" and variable.type == INT:
        message = "`clamped` needs a range to stay in"
        help_ = f"write one instead of `int`: `{name}: 0..10, clamped`"
        mark = next(each.mark for each in member.attributes if each.word == "clamped")
        problems.error("RR243", message, mark, help=help_)
    ruleset.variables[name] = variable


def declare_history(ruleset: Ruleset, each: nodes.History, problems: Problems) -> None:
    size = static_value(each.size, ruleset, problems)
    if size is not None and size < 1:
        message = f"a history of the last {size} remembers nothing"
        help_ = "say how many positions are remembered, `of the last 200` for instance"
        problems.error("RR238", message, each.size.mark, help=help_)
    if size is None or size < 1:
        ruleset.broken.add(each.name)
        return
    variable = Variable(each.name, (), INT.or_none(), None, declared_mark(each), remembers=True)
    for attribute in each.attributes:
        if attribute.word == "seen by" and attribute.name == "nobody":
            variable.secret = variable.unseen = True
            continue
        message = f"`{attribute.word}` cannot be said of a history"
        help_ = "of a history you can say `seen by nobody`, if it is made of secrets"
        problems.error("RR242", message, attribute.mark, help=help_)
    ruleset.variables[each.name] = variable
    ruleset.histories[each.name] = History(each, size, variable)


def _keep_secret(variable: Variable, attribute: nodes.Attribute, problems: Problems) -> None:
    variable.secret = True
    if not variable.dimensions or variable.dimensions[0].type.sort != "player":
        message = "only what belongs to a player can be secret"
        help_ = "declare it under `each player has`, or say `seen by nobody`"
        problems.error("RR241", message, attribute.mark, help=help_)


def declare_place(
    ruleset: Ruleset,
    name: str,
    member: nodes.Member,
    type_: nodes.PlaceType,
    dims: tuple[Dimension, ...],
    problems: Problems,
) -> None:
    kind = ruleset.kinds.get(type_.kind)
    if kind is None or not kind.physical:
        physical = [each.name for each in ruleset.kinds.values() if each.physical]
        near = nearest(type_.kind, physical)
        notes: Notes = ()
        help_ = f"Did you mean `{near}`?" if near is not None else None
        if kind is not None:
            help_ = f"rows of a `table` are only looked up: declare `kind {type_.kind}`"
        elif help_ is None and physical:
            help_ = f"kinds here: {', '.join(physical)}"
        ruleset.broken.add(name)
        if type_.kind in ruleset.broken:
            return  # told of the first place
        ruleset.broken.add(type_.kind)
        message = f"a place holds pieces of a `kind`, and there is no kind `{type_.kind}`"
        if kind is not None:
            message = f"a place holds pieces of a `kind`, and `{type_.kind}` is a table"
        elif near is not None:
            notes = ((ruleset.declared[near], "the kind is declared here"),)
        mark = part(type_.mark, len(f"{type_.word} of "), len(type_.kind))
        problems.error("RR213", message, mark, help=help_, notes=notes)
        return
    pieces = sum(row.copies for row in kind.rows)
    capacity = 1 if type_.word == "slot" else pieces
    if type_.word == "pool":
        capacity = len(kind.rows)
    seen: Any = _SEEN[type_.word]
    place = Place(name, type_.word, dims, type_.kind, member.mark, capacity, seen)
    if member.start is not None:
        help_ = "say `holds all`, or move pieces there in `setup`"
        message = "a place has no starting value"
        problems.error("RR244", message, member.start.mark, help=help_)
    for attribute in member.attributes:
        if attribute.word == "not shown":
            ruleset.not_shown.add(name)
        else:
            _place_attribute(ruleset, place, attribute, problems)
    if place.word == "pool" and place.seen != "all":
        message = "a pool is counted openly, so it cannot be hidden from anybody"
        help_ = "keep the pieces in a bag, or in a set `seen by owner`"
        problems.error("RR246", message, member.mark, help=help_)
        place.seen = "all"
    if place.seen == "owner" and (not dims or dims[0].type.sort != "player"):
        message = "nobody owns this place, so its owner cannot see it"
        help_ = "declare it under `each player has`, or say `face up` or `face down`"
        problems.error("RR241", message, member.mark, help=help_)
        place.seen = "all"
    kind.placed = True
    kind.fungible = kind.fungible or type_.word == "pool"
    ruleset.places[name] = place
    mixed = {other.word == "pool" for other in ruleset.places.values() if other.kind == type_.kind}
    if len(mixed) > 1:
        message = f"`{type_.kind}` is counted in a pool and tracked piece by piece elsewhere"
        help_ = "keep it in pools only, or in no pool"
        problems.error("RR245", message, member.mark, help=help_)


def _place_attribute(
    ruleset: Ruleset, place: Place, attribute: nodes.Attribute, problems: Problems
) -> None:
    match attribute.word:
        case "face up":
            place.seen = "all"
        case "face down":
            place.seen = "nobody"
        case "seen by":
            if attribute.name in ("all", "owner", "nobody"):
                place.seen = attribute.name  # type: ignore[assignment]
            else:
                message = f"no place can be seen by `{attribute.name}`"
                problems.error(
                    "RR246", message, attribute.mark, help=f"{_SEEN_HELP};\n{_SHOWN_HELP}"
                )
        case "up to":
            assert attribute.value is not None
            value = static_value(attribute.value, ruleset, problems)
            if value is not None and place.word != "pool":
                if value < 1:
                    message = "a place must have room for at least one piece"
                    help_ = "write `up to 1` or more"
                    problems.error("RR247", message, attribute.mark, help=help_)
                place.capacity = max(1, min(value, place.capacity))
        case "active":
            place.active = True
        case "holds all":
            place.holds_all = True
            place.holds_where = attribute.value
        case "refilled from":
            place.refill = attribute.name
        case _:
            message = f"`{attribute.word}` is said of variables, and this is a place"
            help_ = "of a place you can say `face up`, `up to ...`, `holds all` and `active`"
            if attribute.word == "secret":
                help_ = "write `seen by owner`, or `face down` for what nobody sees"
                if place.word == "hand":
                    help_ = "take it away: only its owner sees into a `hand`"
            problems.error("RR242", message, attribute.mark, help=help_)
