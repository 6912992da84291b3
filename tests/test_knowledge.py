"""Who knows what, judged by all the worlds there could be.

Tiny tables with four cards: in each of some hundred short stories cards are drawn, passed on,
put away, shuffled and shown. A model of its own, which has no bits of knowledge and no masks, goes
through every story in all ways that it could have gone, and keeps for each seat those worlds that
look like what the seat has seen. What the machine says a seat knows must be so in all of them; what
it imagines for a seat must be one of them, and must be able to be the truth.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import interpreter
from interpreter.embedding import Game, State
from interpreter.play import knowledge, pieces
from interpreter.play.buffer import Buffer

RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
CARDS = "abcd"
SEATS = 3
HANDS = [f"P{seat + 1}.hand" for seat in range(SEATS)]
DENS = [f"P{seat + 1}.den" for seat in range(SEATS)]
PLACES = ["deck", "pile", "tray", "bag", "open", "box", *HANDS, *DENS]
ORDERED = {"deck", "pile", "tray"}
LAID_OUT = {"pile", "tray"}  # nobody shuffles them
SEEN_BY_ALL = {"pile", "open"}

HEAD = """game "Story"
players 3
kind Card: a, b, c, d
the game has
    deck: stack of Card, holds all
    pile: stack of Card, face up
    tray: row of Card, face down
    bag: bag of Card
    open: set of Card
each player has
    hand: hand of Card
    den: set of Card, seen by owner
play
"""
TICK = "        P1 chooses tick in 1..2\n"


def sees(seat: int, place: str) -> bool:
    return place in SEEN_BY_ALL or place in (HANDS[seat], DENS[seat])


# ---- stories


@dataclass(frozen=True)
class Step:
    """One line of a story: a verb, from where, to where, and whom it is shown to."""

    verb: str
    source: str
    target: str = ""
    seat: int = -1

    def text(self) -> str:
        return "    repeat 1 times\n" + "".join(f"        {line}\n" for line in self.lines()) + TICK

    def lines(self) -> list[str]:
        to = f" to P{self.seat + 1}" if self.seat >= 0 else ""
        who = self.source.split(".")[0]
        match self.verb:
            case "draw":
                return [f"draw 1 from {self.source} to {self.target}"]
            case "all":
                return [f"move all from {self.source} to {self.target}"]
            case "top":
                return [f"move top({self.source}) to {self.target}"]
            case "shuffle":
                return [f"shuffle {self.source}"]
            case "reveal":
                return [f"reveal {self.source}{to}"]
            case "show":
                return [f"{who} chooses c in {self.source}", f"reveal c{to}"]
            case "pass":
                return [f"{who} chooses c in {self.source}", f"move c to {self.target}"]
            case "under":
                return [f"{who} chooses c in {self.source}", f"move c to {self.target} at bottom"]
        raise AssertionError(self.verb)


def a_story(chance: random.Random, length: int) -> list[Step]:
    counts = dict.fromkeys(PLACES, 0) | {"deck": len(CARDS)}
    found = [Step("shuffle", "deck")]
    while len(found) < length and counts["box"] < len(CARDS):
        full = [place for place in PLACES if counts[place] and place != "box"]
        closed = [place for place in full if place in HANDS or place in DENS]
        verb = chance.choice(["draw", "draw", "pass", "pass", "pass", "under", "all"] * 2 + REST)
        sources = {
            "draw": ["deck", "bag"], "shuffle": ["deck", "bag"], "top": ["tray", "pile"],
            "reveal": [p for p in full if p not in {"deck", *SEEN_BY_ALL}], "all": full,
            "pass": closed, "under": closed, "show": closed,
        }[verb]  # fmt: skip
        sources = [place for place in sources if counts[place]]
        if not sources:
            continue
        source = chance.choice(sources)
        target, moved, seat = "", 0, -1
        if verb in ("draw", "pass", "all", "top"):
            target = chance.choice([p for p in PLACES if p != source])
            moved = counts[source] if verb == "all" else 1
        elif verb == "under":
            target, moved = chance.choice(["deck", "tray"]), 1
        elif verb in ("reveal", "show"):
            seat = chance.choice([-1, *range(SEATS)])
        if target:
            counts[source] -= moved
            counts[target] += moved
        found.append(Step(verb, source, target, seat))
    return found


REST = ["shuffle", "top", "reveal", "show", "show"]


# ---- the model


@dataclass(frozen=True)
class World:
    """What lies where (in order, where there is one), and what is shown to whom."""

    lies: tuple[tuple[str, ...], ...]
    shown: frozenset[tuple[str, int]] = frozenset()

    def at(self, place: str) -> tuple[str, ...]:
        return self.lies[PLACES.index(place)]

    def place_of(self, card: str) -> str:
        return next(place for place in PLACES if card in self.at(place))

    def moved(self, card: str, target: str, bottom: bool = False) -> World:
        lies = [tuple(each for each in cards if each != card) for cards in self.lies]
        at = PLACES.index(target)
        now = (card, *lies[at]) if bottom else (*lies[at], card)
        lies[at] = now if target in ORDERED else tuple(sorted(now))
        shown = frozenset(each for each in self.shown if each[0] != card)
        return World(tuple(lies), shown)

    def looks(self) -> tuple[tuple[str, ...], ...]:
        """Without the order of the deck, which the machine does not have."""
        each = zip(PLACES, self.lies, strict=True)
        return tuple(cards if p in LAID_OUT else tuple(sorted(cards)) for p, cards in each)


Seen = tuple[object, ...]


def identity(world: World, card: str, seat: int, *places: str) -> str:
    """What a seat sees of a card that goes from one place to another."""
    shown = (card, seat) in world.shown
    return card if shown or any(sees(seat, place) for place in places) else "?"


def outcomes(world: World, step: Step) -> Iterator[tuple[World, list[Seen]]]:
    """All that a step can lead to, and what each seat sees of it."""
    match step.verb:
        case "shuffle":
            at = PLACES.index(step.source)
            shown = frozenset(e for e in world.shown if e[0] not in world.at(step.source))
            orders = itertools.permutations(world.at(step.source))
            for order in orders if step.source in ORDERED else [world.at(step.source)]:
                lies = [*world.lies[:at], order, *world.lies[at + 1 :]]
                yield World(tuple(lies), shown), [()] * SEATS
        case "reveal" | "show":
            whole = world.at(step.source)
            for cards in [whole] if step.verb == "reveal" else [(card,) for card in whole]:
                seats = range(SEATS) if step.seat < 0 else [step.seat]
                shown = world.shown | {(card, seat) for card in cards for seat in seats}
                told: list[Seen] = []
                for seat in range(SEATS):
                    told.append(
                        tuple(identity(_with(world, shown), c, seat, step.source) for c in cards)
                    )
                    if step.source not in ORDERED:
                        told[-1] = tuple(sorted(map(str, told[-1])))
                yield _with(world, shown), told
        case "all":
            cards = world.at(step.source)
            after = world
            for card in cards:
                after = after.moved(card, step.target)
            told = [
                tuple(identity(world, card, seat, step.source, step.target) for card in cards)
                for seat in range(SEATS)
            ]
            if step.target not in ORDERED and step.source not in ORDERED:
                told = [tuple(sorted(map(str, each))) for each in told]
            yield after, told
        case _:
            cards = world.at(step.source)
            if step.verb == "top" or (step.verb == "draw" and step.source in ORDERED):
                cards = cards[-1:]
            for card in cards:
                after = world.moved(card, step.target, step.verb == "under")
                yield (
                    after,
                    [
                        (identity(world, card, seat, step.source, step.target),)
                        for seat in range(SEATS)
                    ],
                )


def _with(world: World, shown: frozenset[tuple[str, int]]) -> World:
    return World(world.lies, shown)


FIRST = World(tuple(tuple(CARDS) if place == "deck" else () for place in PLACES))


# ---- the machine


def placement(game: Game, m: Buffer) -> tuple[tuple[str, ...], ...]:
    kind = game.program.layout.kinds[0]
    found: dict[str, list[tuple[int, str]]] = {place: [] for place in PLACES}
    for piece, row in enumerate(kind.row_of):
        name = kind.instance_names[m[kind.where + piece]]
        found[name].append((m[kind.position + piece], kind.rows[row]))
    return tuple(
        tuple(card for _, card in sorted(found[p]))
        if p in LAID_OUT
        else tuple(sorted(card for _, card in found[p]))
        for p in PLACES
    )


def next_tick(state: State, chance: random.Random) -> State:
    while state.is_chance or not state.options()[0].text.startswith("choose(tick"):
        options = state.chance_outcomes() if state.is_chance else state.options()
        state = state.apply(chance.choice(options))
    return state


def compare(state: State, worlds: set[World], seat: int) -> int:
    """What the machine says a seat knows must be so in all worlds. How much that is."""
    kind, found = state.game.program.layout.kinds[0], 0
    for piece, row in enumerate(kind.row_of):
        if knowledge.knows(state.buffer, kind, piece, seat):
            card = kind.rows[row]
            places = {world.place_of(card) for world in worlds}
            assert len(places) == 1, (seat, card, places)
            if pieces.visible_position(state.buffer, kind, piece) >= 0:
                place = places.pop()
                assert len({world.at(place).index(card) for world in worlds}) == 1
            found += 1
    return found


def told(story: list[Step], chance: random.Random) -> tuple[State, list[set[World]]]:
    """A story as it happened to go, and at its end the worlds that each seat holds possible. At
    every step what the machine says is compared with them."""
    game = interpreter.load_text(HEAD + "".join(step.text() for step in story))
    state = game.start(seed=chance.randrange(1 << 30), explicit_chance=True, ask_when_forced=True)
    truth = {FIRST}
    beliefs = [{FIRST} for _ in range(SEATS)]
    for step in story:
        state = next_tick(state, chance)
        lies = placement(game, state.buffer)
        went = [
            (after, seen)
            for world in truth
            for after, seen in outcomes(world, step)
            if after.looks() == lies
        ]
        if step.verb == "show":  # nothing has moved: what was chosen tells which it was
            card = state.decision[1].text.removeprefix("choose(c: ").removesuffix(")")
            went = [each for each in went if _just_shown(each[0], truth, step, card)]
        seen = went[0][1]
        truth = {after for after, look in went if look == seen}
        beliefs = [
            {
                after
                for world in beliefs[seat]
                for after, look in outcomes(world, step)
                if look[seat] == seen[seat] and _own_choice(step, seat, world, after, went[0][0])
            }
            for seat in range(SEATS)
        ]
        for seat in range(SEATS):
            compare(state, beliefs[seat], seat)
        state = state.apply("choose(tick: 1)") if step is not story[-1] else state
    return state, beliefs


def _just_shown(after: World, truth: set[World], step: Step, card: str) -> bool:
    seats = range(SEATS) if step.seat < 0 else [step.seat]
    return all((card, seat) in after.shown for seat in seats) and any(
        after.shown == world.shown | {(card, seat) for seat in seats} for world in truth
    )


def _own_choice(step: Step, seat: int, world: World, after: World, went: World) -> bool:
    """Who shows a card knows which one, also if it sees nothing new."""
    if step.verb != "show" or step.source.split(".")[0] != f"P{seat + 1}":
        return True
    return after.shown == went.shown


@pytest.mark.parametrize("number", range(6))
def test_stories(number: int) -> None:
    chance = random.Random(number)
    known = imagined = 0
    for _ in range(25):
        story = a_story(chance, chance.randint(4, 9))
        state, beliefs = told(story, chance)
        lies = placement(state.game, state.buffer)
        for seat in range(SEATS):
            known += compare(state, beliefs[seat], seat)
            possible = {world.looks() for world in beliefs[seat]}
            view = state.view(seat)
            found = {
                placement(state.game, interpreter.imagine(state.game, view, seed).buffer)
                for seed in range(100)
            }
            assert found <= possible, (seat, story)
            assert lies in found, (seat, story)
            imagined += len(found)
    assert known > 60 and imagined > 100


# ---- what stays known, case by case

KEPT: dict[str, tuple[list[str], dict[str, str]]] = {
    # What is done with the hand of P1, all of whose cards P2 and P3 have seen go there; then, card
    # by card, the seats that still know it.
    "one goes unseen": (["move a to P2.den"], {"a": "12", "b": "12", "c": "12"}),
    "one goes to an open place": (["move a to open"], {"a": "123", "b": "123", "c": "123"}),
    "one is shown and goes": (["reveal a", "move a to box"], {"a": "123", "b": "123", "c": "123"}),
    "one is shown to P3 and goes": (
        ["reveal a to P3", "move a to box"],
        {"a": "13", "b": "13", "c": "13"},
    ),
    "one is shown, another goes": (["reveal a", "move b to bag"], {"a": "123", "b": "1", "c": "1"}),
    "one is shown and hidden again": (
        ["reveal a", "hide a", "move b to bag"],
        {"a": "1", "b": "1", "c": "1"},
    ),
    "all go": (["move all from P1.hand to box"], {"a": "123", "b": "123", "c": "123"}),
    "all go into an order": (["move all from P1.hand to tray"], {"a": "1", "b": "1", "c": "1"}),
    "all go and are mixed": (
        ["move all from P1.hand to bag", "shuffle bag"],
        {"a": "", "b": "", "c": ""},
    ),
    "what was shown is not shown elsewhere": (
        ["reveal a", "move a to P2.hand", "move d to P2.hand", "move d to bag"],
        {"a": "2", "b": "123", "c": "123"},
    ),
    "one goes on top": (["move a to deck"], {"a": "1", "b": "1", "c": "1"}),
    "one goes back": (["move a to P1.hand"], {"a": "123", "b": "123", "c": "123"}),
}


@pytest.mark.parametrize("case", KEPT)
def test_what_stays_known(case: str) -> None:
    lines, wanted = KEPT[case]
    first = ["move a to open", "move b to open", "move c to open", "move all from open to P1.hand"]
    text = HEAD + "".join(f"    {line}\n" for line in [*first, *lines]) + TICK[4:]
    state = interpreter.load_text(text).start(1)
    kind = state.game.program.layout.kinds[0]
    for card, seats in wanted.items():
        piece = kind.rows.index(card)
        knowing = {s for s in range(SEATS) if knowledge.knows(state.buffer, kind, piece, s)}
        assert knowing == {int(seat) - 1 for seat in seats}, card


BACKS = """game "Backs"
players 2
data "backs.yaml"
enum Colour: red, blue
kind Card from cards
    value: int
    back: Colour, on the back
the game has
    open: row of Card, holds all
each player has
    hand: hand of Card
play
    move all from open to P1.hand
    move "one" to P2.hand
    P1 chooses n in 1..2
"""
BACKS_DATA = """cards:
  one: {value: 1, back: red}
  two: {value: 2, back: red}
  three: {value: 3, back: blue}
"""


def test_another_back_is_another_card(tmp_path: Path) -> None:
    text = BACKS.replace("players 2", "players 3")
    (tmp_path / "backs.yaml").write_text(BACKS_DATA, encoding="utf-8")
    (tmp_path / "backs.rules").write_text(text, encoding="utf-8")
    state = interpreter.load(tmp_path / "backs.rules").start(1)
    kind = state.game.program.layout.kinds[0]
    assert [knowledge.knows(state.buffer, kind, piece, 2) for piece in range(3)] == [
        False,
        False,
        True,
    ]


def test_used_tokens_do_not_come_back() -> None:
    """In Gaagaa GO! the blue tokens are dealt in the open, and whoever uses one shows it."""
    game = interpreter.load(RULESETS / "gaagaaGo.rules", 3, {"mode": "advanced"})
    number = next(n for n, k in enumerate(game.program.layout.kinds) if k.name == "Token")
    kind = game.program.layout.kinds[number]
    chance, state = random.Random(2), game.start(2)
    used: set[int] = set()
    for _ in range(400):
        if state.is_over or len(used) > 3:
            break
        for event in state.events:
            if event.word == "moved" and event.number == number and event.values[3] == 0:
                used.add(event.values[0])
        seat = chance.choice(state.seats_to_act)
        state = state.apply(chance.choice(state.options(seat)), seat)
    for piece in used:
        assert all(knowledge.knows(state.buffer, kind, piece, seat) for seat in range(3))
    for seat in range(3):
        for seed in range(5):
            imagined = interpreter.imagine(game, state.view(seat), seed)
            gone = Counter(
                row
                for piece, row in enumerate(kind.row_of)
                if imagined.buffer[kind.where + piece] == 0
            )  # which of several copies a piece is, is no part of a view
            assert Counter(kind.row_of[piece] for piece in used) <= gone
    assert len(used) > 3
