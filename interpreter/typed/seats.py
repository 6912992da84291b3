"""Whose something is: the owner of a place that is gone through, and whether two seats are one."""

from __future__ import annotations

from interpreter.model.ruleset import Dimension, Place
from interpreter.typed import values as v
from interpreter.typed.rules import Rules


def owner_of(rules: Rules, domain: v.Domain) -> tuple[Place, v.Value | None] | None:
    """The place that is gone through, and who it belongs to (None: to nobody in particular), also
    where a group goes through it. None if no place is gone through."""
    match domain:
        case v.InPlace():
            return domain.place.place, owner(domain.place.place.dimensions, domain.place.indexes)
        case v.InGroup():
            group = rules.groups[domain.group]
            found = owner_of(rules, group.binder.domain)
            if found is None:
                return None
            place, seat = found
            if isinstance(seat, v.LocalValue) and seat.local in group.params:
                return place, bare(domain.arguments[group.params.index(seat.local)])
            return place, None if seat is None else seat
        case _:
            return None


def owner(dimensions: tuple[Dimension, ...], indexes: tuple[v.Value, ...]) -> v.Value | None:
    """The first index of what belongs to a player."""
    if not dimensions or dimensions[0].type.sort != "player":
        return None
    return bare(indexes[0])


def bare(value: v.Value) -> v.Value:
    return bare(value.value) if isinstance(value, v.Fit) else value


def same_seat(one: v.Value, me: v.Local, seat: v.Value) -> bool:
    """Whether a value is the one who is asked: `me` of the offers, or as it was written."""
    if isinstance(one, v.LocalValue) and one.local is me:
        return True
    return one == bare(seat)
