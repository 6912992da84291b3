"""Where abilities work: the places whose pieces use them."""

from __future__ import annotations

from interpreter.model.ruleset import Place, Ruleset
from interpreter.model.types import PLAYER


def active_places(ruleset: Ruleset) -> list[Place]:
    return [
        place
        for place in ruleset.places.values()
        if place.active
        and place.word != "pool"
        and ruleset.kinds[place.kind].ability_field is not None
        and place.dimensions
        and place.dimensions[0].type == PLAYER
    ]


def occurs(ruleset: Ruleset, place: Place, ability: int) -> bool:
    """Whether pieces that may lie in a place have the ability; `card` is of their kind then."""
    kind = ruleset.kinds[place.kind]
    return kind.ability_field is not None and ability in kind.fields[kind.ability_field].values
