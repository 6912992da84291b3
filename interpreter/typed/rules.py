"""Everything a ruleset says, typed: declarations with bodies, and what is known of all of them.

`type_rules` (build.py) makes this from a `Ruleset`; the checks go through it, and `program/lower`
makes a program of it. Functions, groups, procedures and actions call each other by name, so they
are kept by name here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.frozen import frozen
from interpreter.model.ruleset import Place, Ruleset
from interpreter.model.types import Type
from interpreter.report.source import Mark
from interpreter.typed.statements import Body, Let, Line, Offer
from interpreter.typed.values import Binder, Kept, Keys, Local, PlaceAt, Value


def declared_name(name: str) -> str:
    """`deal`, of the copy `deal(hand)` that is made for a place it is given."""
    return name.partition("(")[0]


@frozen
class Case(Line):
    """`condition` is None for `otherwise`, which comes last."""

    value: Value
    condition: Value | None


@frozen
class Function(Line):
    """Either `value`, or `lets` and `cases`. Each value is of the type `result`."""

    name: str
    params: tuple[Local, ...]
    result: Type
    value: Value | None
    lets: tuple[Let, ...]
    cases: tuple[Case, ...]
    given: tuple[Local, ...] = ()  # parameters that stand for places


@frozen
class Modifier(Line):
    """A clause of an ability that changes a quantity, for the pieces in one active place that have
    the ability with this number. `params` stand for those of the quantity, in their order."""

    ability: int
    place: Place
    owner: Local
    card: Local
    it: Local
    params: tuple[Local, ...]
    when: Value | None
    value: Value


@frozen
class Quantity(Line):
    name: str
    params: tuple[Local, ...]
    value: Value
    modifiers: tuple[Modifier, ...]  # place by place, as they are carried out


@frozen
class Group(Line):
    name: str
    params: tuple[Local, ...]
    binder: Binder
    given: tuple[Local, ...] = ()


@frozen
class Procedure(Line):
    word: Literal["procedure", "event", "phase"]
    name: str
    params: tuple[Local, ...]
    body: Body
    given: tuple[Local, ...] = ()


@frozen
class Setup(Line):
    body: Body


@frozen
class Play(Line):
    body: Body


@frozen
class Score(Line):
    seat: Local
    value: Value


@frozen
class Winner(Line):
    seat: Local
    keys: Keys


@frozen
class Always(Line):
    condition: Value
    text: str | None


@frozen
class Holding(Line):
    """`holds all where ...`: which pieces a place holds at first; None for all."""

    place: Place
    it: Local
    where: Value | None


# ----------------------------------------------------------------------------- scenarios


@frozen
class Operand:
    """What is compared in an expectation, as it was written: shown when it fails."""

    text: str
    value: Value


@frozen
class Witnesses:
    """The elements that an `any` or a `count` finds, or that an `every` breaks at; `test` is what
    they should all have."""

    binder: Binder
    test: Value | None


@frozen
class Holds:
    condition: Value
    operands: tuple[Operand | Witnesses, ...]


@frozen
class Scores:
    value: Value


@frozen
class SeesPiece:
    kind: str
    piece: Value


@frozen
class SeesPlace:
    place: PlaceAt


@frozen
class SeesEntry:
    entry: Value  # a `Read`


Question = Holds | Scores | SeesPiece | SeesPlace | SeesEntry


@frozen
class Run(Line):
    """One `run` of a scenario. The setup comes first where it is part of what is run, and `plays`
    goes on with the rules' own play."""

    sets_up: bool
    body: Body
    plays: bool


@frozen
class Scenario(Line):
    """`questions`: one for each part as it was written, None where a part asks nothing."""

    title: str
    set_up: bool  # before its position is made
    given: tuple[Body, ...]
    runs: tuple[Run, ...]
    questions: tuple[Question | None, ...]


# ----------------------------------------------------------------------------- the whole


@dataclass(slots=True)
class Rules:
    ruleset: Ruleset
    functions: dict[str, Function | Quantity] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    histories: dict[str, tuple[Kept, ...]] = field(default_factory=dict)  # what a position is
    procedures: dict[str, Procedure] = field(default_factory=dict)
    actions: dict[str, Offer] = field(default_factory=dict)
    holdings: list[Holding] = field(default_factory=list)
    starts: dict[str, int] = field(default_factory=dict)  # of variables: what they begin with
    setup: list[Setup] = field(default_factory=list)
    play: Play | None = None
    score: Score | None = None
    winner: Winner | None = None
    always: list[Always] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)
    # Procedures that may stop for a decision or for chance, or jump out of themselves.
    stopping: frozenset[str] = frozenset()
    # Places of which somebody chooses unseen pieces, told apart by where they lie.
    by_position: set[str] = field(default_factory=set)
    # Places, calls and groups that are read where everybody should know the pieces by then, or the
    # one for whom they are read.
    tested: set[Mark] = field(default_factory=set)
    tested_own: set[Mark] = field(default_factory=set)
    # Places whose pieces the rules show to all some time, or to one player.
    revealed: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
