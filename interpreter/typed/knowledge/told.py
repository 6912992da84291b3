"""The places of which the rules show pieces to single players, at some time."""

from __future__ import annotations

from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.knowledge.showing import places_of
from interpreter.typed.seats import bare, owner_of
from interpreter.typed.walk import walk_all, wholes


def told_places(rules: r.Rules) -> frozenset[str]:
    """A piece that is shown by a name lies where it was found, or where it was moved by that name.
    Where that cannot be told, it may lie in any place; what is left out here is not tested while
    playing but refused."""
    shown: list[s.Reveal] = []
    found: dict[v.Local, set[str]] = {}
    moved: dict[v.Local, set[str]] = {}
    for node in walk_all(wholes(rules)):
        match node:
            case s.Reveal(to=to) if to is not None:
                shown.append(node)
            case v.Binder(element=local, domain=domain):
                place = owner_of(rules, domain)
                if place is not None:
                    found.setdefault(local, set()).add(place[0].name)
            case s.Let(local=local, value=value):
                name = _place_of(value)
                if name is not None:
                    found.setdefault(local, set()).add(name)
            case s.Move(what=v.LocalValue(local=local), target=v.PlaceAt(place=target)):
                moved.setdefault(local, set()).add(target.name)
            case _:  # nothing else names a piece for the place in which it lies
                pass
    places: set[str] = set()
    for each in shown:
        what = bare(each.what)
        name = _place_of(what)
        if isinstance(what, v.LocalValue) and what.local in found:
            places |= found[what.local] | moved.get(what.local, set())
        elif name is not None:
            places.add(name)
        else:
            places |= places_of(rules, each)
    return frozenset(places)


def _place_of(value: v.Value) -> str | None:
    """The place out of which a piece is read."""
    match bare(value):
        case v.PlaceAt(place=place) | v.Content(place=v.PlaceAt(place=place)):
            return place.name
        case v.Builtin(name="top" | "bottom", arguments=(v.PlaceAt(place=place),)):
            return place.name
        case _:
            return None
