"""What is known of a ruleset as a whole, and what players are called."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.report.source import Mark
from interpreter.report.work import Work
from interpreter.typed import rules as r
from interpreter.typed import values as v
from interpreter.typed.knowledge.environment import Environment
from interpreter.typed.knowledge.labels import (
    Known,
    Label,
    Seat,
    SeatIn,
    SeatNumber,
    SeatOf,
    moved,
)  # fmt: skip
from interpreter.typed.seats import bare


@dataclass(slots=True)
class Facts:
    """What is known of a ruleset as a whole."""

    rules: r.Rules
    work: Work
    hideable: frozenset[str] = frozenset()  # kinds whose pieces somebody may not know
    pieces: dict[str, Known] = field(default_factory=dict)  # of variables that hold a piece
    assigned: frozenset[v.Local] = frozenset()  # names that are given other values later
    # What a trial may have changed on its copy, for which nobody has seen anything.
    tried: dict[str, Label] = field(default_factory=dict)
    calls: dict[object, Known] = field(default_factory=dict)
    # Where it is tested while playing that all know the pieces, or the one for whom they are read.
    tested: set[Mark] = field(default_factory=set)
    tested_own: set[Mark] = field(default_factory=set)


def hideable_kinds(rules: r.Rules) -> frozenset[str]:
    ruleset = rules.ruleset
    found = {place.kind for place in ruleset.places.values() if place.seen != "all"}
    found |= {kind.name for kind in ruleset.kinds.values() if kind.hidden}
    return frozenset(name for name in found if ruleset.kinds[name].tracked)


class Naming:
    """Tells which seat a value is, by a name that can be compared."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.rules = facts.rules
        self.ruleset = facts.rules.ruleset

    def seat(self, value: v.Value, env: Environment) -> Seat | None:
        """What a player is called, if that can be told."""
        match bare(value):
            case v.Constant(value=number, type=type_) if type_.sort == "player":
                return SeatNumber(number)
            case v.LocalValue(local=local):
                return env.seats.get(local) or SeatOf(local)
            case v.Builtin(name="next" | "previous" as name, arguments=(of,)):
                seat = self.seat(of, env)
                by = 1 if name == "next" else -1
                return None if seat is None else moved(seat, by, self.ruleset.players)
            case v.Read(variable=variable, indexes=indexes) if not variable.secret:
                keys = tuple(self._index_key(index, env) for index in indexes)
                return None if None in keys else SeatIn(variable.name, keys)
            case _:
                return None

    def _index_key(self, index: v.Value, env: Environment) -> object | None:
        known = bare(index)
        if isinstance(known, v.Constant):
            return (known.type.sort, known.value)
        return self.seat(known, env) if known.type.sort == "player" else None

    def only_owner(self, modifier: r.Modifier, env: Environment) -> Seat | None:
        """Who the owner must be for the clause to apply, if its condition says so."""
        waiting = [] if modifier.when is None else [modifier.when]
        while waiting:
            test = waiting.pop()
            match test:
                case v.Logic(word="and"):
                    waiting += [test.left, test.right]
                case v.Compare(word="equal"):
                    for one, other in ((test.left, test.right), (test.right, test.left)):
                        if isinstance(one, v.LocalValue) and one.local is modifier.owner:
                            return self.seat(other, env)
                case _:
                    pass
        return None

    def stable(self, seat: Seat | None) -> Seat | None:
        """A name for a seat that will mean the same later on."""
        if isinstance(seat, SeatIn):
            return None
        if isinstance(seat, SeatOf) and seat.local in self.facts.assigned:
            return None
        return seat

    def lasting(self, known: Known) -> Known:
        """What is known of a value that is kept: seats are named in a way that lasts."""

        def kept(label: Label) -> Label:
            if label.who is None or all(self.stable(each) for each in label.who):
                return label
            return Label(frozenset(s for s in label.who if self.stable(s)), label.sources)

        return known.each(kept)
