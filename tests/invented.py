"""Invents rulesets: well-typed by construction, of everything the language has, and hardly ever
sensible. Both backends must agree on them, failures included.

    python tests/invented.py [--first 0] [--count 300] [--level 2] [--games 5] [--show]

Those that the checker refuses do not count. A difference ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

_INTS = ("total", "limit", "wild")
_PLAYER_INTS = ("gold", "luck", "life")
_WRONG = 12  # one in so many numbers is chosen to make trouble


class Inventor:
    """Writes one ruleset. A scope is what can be named at some place: numbers, players, cells,
    cards, and `me`."""

    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(seed)
        self.names = 0
        self.seed = seed
        self.events = True  # whether events can be called here
        self.tries = True  # whether something can be tried out here

    def chance(self, part: float) -> bool:
        return self.rnd.random() < part

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    # ---- values

    def number(self, scope: dict[str, list[str]], depth: int = 3) -> str:
        pick = self.rnd.randrange
        if depth <= 0 or self.chance(0.25):
            leaves = [*_INTS, *scope["number"], str(pick(7)), str(pick(3))]
            leaves += [f"{p}.{self.rnd.choice(_PLAYER_INTS)}" for p in scope["player"]]
            leaves += [f"{c}.height" for c in scope["cell"]] + [f"{c}.row" for c in scope["cell"]]
            leaves += [f"{c}.value" for c in scope["card"]]
            leaves += [f"{p}.bones[{self.rnd.choice(['red', 'blue'])}]" for p in scope["player"]]
            leaves += ["number of deck", "number of pile", "playerCount", f"field[{1 + pick(3)}]"]
            if pick(_WRONG) == 0:
                return self.rnd.choice(["9223372036854775807", "0", "-1", "4000000000"])
            return self.rnd.choice(leaves)
        a, b = self.number(scope, depth - 1), self.number(scope, depth - 1)
        test = self.test(scope, depth - 1)
        x = self.fresh("x")
        cell = {**scope, "cell": [*scope["cell"], x]}
        card = {**scope, "card": [*scope["card"], x]}
        player = {**scope, "player": [*scope["player"], x]}
        forms = [
            lambda: f"({a} + {b})",
            lambda: f"({a} - {b})",
            lambda: f"({a} * {b})",
            lambda: f"({a} div {b})" if pick(3) == 0 else f"({a} div {1 + pick(5)})",
            lambda: f"({a} divUp {b})" if pick(3) == 0 else f"({a} divUp {1 + pick(5)})",
            lambda: f"({a} mod {b})" if pick(3) == 0 else f"({a} mod {1 + pick(5)})",
            lambda: f"min({a}, {b})",
            lambda: f"max({a}, {b})",
            lambda: f"abs({a})",
            lambda: f"({a} if {test} else {b})",
            lambda: f"count({x} in Grid where {self.test(cell, 1)})",
            lambda: f"sum({self.number(cell, 1)} for {x} in Grid)",
            lambda: f"max({self.number(card, 1)} for {x} in pile else {pick(5)})",
            lambda: f"min({self.number(player, 1)} for {x} in players)",
            lambda: f"sum({self.number(card, 1)} for {x} in Card where {self.test(card, 1)})",
            lambda: f"worth({a}, {b})",
            lambda: f"held({self.rnd.choice(['pile', 'shown'])}, {a})",
            lambda: "timesSeen(boards)",
            lambda: f"field[{a}]" if pick(6) == 0 else f"field[1 + (({a}) mod 3)]",
            lambda: f"sum({x}.value * {x}n for {x} at {x}n in pile while {self.test(card, 1)})",
            lambda: f"sum({x}.value for {x} in pile until {self.test(card, 1)})",
            lambda: f"count({x} in 1..{2 + pick(9)} step {1 + pick(3)} where {x} != {a})",
            lambda: f"count({x} in Suit where {x} is not moon or {test})",
            lambda: f"sum({x}n for {x} at {x}n in supply)",
            lambda: f"pick({x} in Grid by most {self.number(cell, 1)} ties in order).height",
            lambda: (
                f"(pick({x} in pile by least {self.number(card, 1)} ties in order).value "
                f"if number of pile > {-1 if pick(6) == 0 else 0} else {a})"
            ),
        ]
        if self.tries:
            forms += [
                lambda: f"({a} after raise({b}) then raise({pick(3)}))",
                lambda: f"({self.number(scope, 1)} after clear())",
            ]
        if scope["player"]:
            p = self.rnd.choice(scope["player"])
            forms += [
                lambda: f"price({p})",
                lambda: f"held({p}.worn, {a})",
                lambda: f"count({x} in high({p}.worn) where {self.test(card, 1)})",
                lambda: f"rank({p}, most {self.number(player, 1)} for {x} in players)",
                lambda: f"denseRank({p}, least {self.number(player, 1)} for {x} in players)",
                lambda: f"clockwise({p}, next(next({p})))",
                lambda: f"sum({self.number(player, 1)} for {x} in playersAfter({p}))",
            ]
        if scope["cell"]:
            c = self.rnd.choice(scope["cell"])
            forms += [
                lambda: f"count({x} in GridDirection where step({c}, {x}) is not none)",
                lambda: f"distance({c}, {self.rnd.choice(scope['cell'])})",
                lambda: (
                    f"distance({c}, {self.rnd.choice(scope['cell'])} through {x} from {x}w "
                    f"where {self.test(cell, 1)} or {x}w.height < {x}.height)"
                ),
                lambda: (
                    f"count({x} in region({c} through {x}y from {x}w "
                    f"where {x}y.height >= {x}w.height))"
                ),
                lambda: (
                    f"sum({x}n for {x} at {x}n in reach({c} within {2 + pick(9)} through {x}y "
                    f"from {x}w costs (abs({x}y.height - {x}w.height) + {pick(2)})))"
                ),
                lambda: (
                    f"count({x} in Grid where direction({c}, {x}) is "
                    f"{self.rnd.choice(['north', 'none', 'west'])})"
                ),
                lambda: f"count({x} in diagonals({c}) while {self.test(cell, 1)})",
                lambda: (
                    f"(1 if step({c}, turn(north, {a}), {pick(5)}) is "
                    f"step({c}, west, abs({b})) else {a})"
                ),
                lambda: (
                    f"(position(Grid[{c}.column - {pick(3)}, {a}]) "
                    f"if Grid[{c}.column - {pick(3)}, {a}] is not none else {b})"
                ),
                lambda: (
                    f"(1 if pick({x} in Grid where {x}.column = {c}.column + {pick(3)} "
                    f"and {c}.row = {x}.row) is none else {a})"
                ),
                lambda: (
                    f"(step({c}, turn(east, {a})).height "
                    f"if {'yes' if pick(6) == 0 else f'not {c}.onEdge'} else {b})"
                ),
                lambda: f"count({x} in region({c} through {x}y where {x}y.mark is none))",
                lambda: f"sum({x}.height for {x} in neighbours({c}))",
                lambda: f"line({c} through {x} where {self.test(cell, 1)})",
                lambda: (
                    f"count({x} in reach({c} within {2 + pick(4)} through {x}y costs "
                    f"({x}y.height if {x}y.mark is none else none)))"
                ),
                lambda: (
                    f"count({x} in ray({c}, {self.rnd.choice(['north', 'southeast', 'west'])}))"
                ),
            ]
        return self.rnd.choice(forms)()

    def test(self, scope: dict[str, list[str]], depth: int = 2) -> str:
        pick = self.rnd.randrange
        compare = self.rnd.choice(["=", "!=", "<", "<=", ">", ">="])
        if depth <= 0 or self.chance(0.4):
            leaves = [f"{self.number(scope, 0)} {compare} {self.number(scope, 0)}"]
            leaves += [f"{c}.mark is none" for c in scope["cell"]]
            leaves += [f"{c}.mark is {p}" for c in scope["cell"] for p in scope["player"]] + [
                f"{c}.suit is {self.rnd.choice(['sun', 'moon'])}" for c in scope["card"]
            ]
            leaves += [f"not {p}.done" for p in scope["player"]]
            leaves += [f"{c}.onEdge" for c in scope["cell"]]
            leaves += [f"holder({c}) is {p}" for c in scope["card"] for p in scope["player"]]
            return self.rnd.choice(leaves)
        x = self.fresh("x")
        cell = {**scope, "cell": [*scope["cell"], x]}
        forms = [
            lambda: f"({self.test(scope, depth - 1)} and {self.test(scope, depth - 1)})",
            lambda: f"({self.test(scope, depth - 1)} or {self.test(scope, depth - 1)})",
            lambda: f"(not {self.test(scope, depth - 1)})",
            lambda: f"{self.number(scope, depth - 1)} {compare} {self.number(scope, depth - 1)}",
            lambda: f"any({x} in Grid where {self.test(cell, depth - 1)})",
            lambda: f"every({x} in Grid has {self.test(cell, depth - 1)})",
            lambda: f"{self.number(scope, 1)} in {pick(3)}..{3 + pick(5)}",
            lambda: f"any({x} in free where {self.test(cell, depth - 1)})",
        ]
        for c in scope["cell"]:
            forms.append(lambda c=c: f"{c} in region(a1 through {x} where {self.test(cell, 1)})")
        return self.rnd.choice(forms)()

    # ---- statements

    def block(
        self, scope: dict[str, list[str]], indent: int, size: int, *, chance: bool = True
    ) -> list[str]:
        found: list[str] = []
        for _ in range(1 + self.rnd.randrange(size)):
            found += self.statement(scope, indent, chance)
        return found

    def statement(self, scope: dict[str, list[str]], indent: int, chance: bool) -> list[str]:
        space = "    " * indent
        pick = self.rnd.randrange
        deep = indent >= 4
        x = self.fresh("x")
        target = self.rnd.choice(
            [*_INTS, *(f"{p}.{name}" for p in scope["player"] for name in _PLAYER_INTS)]
        )
        if self.chance(0.7):  # mostly numbers that stay small
            value = f"(({self.number(scope)}) mod 7)"
        else:
            value = self.number(scope)
        assign = self.rnd.choice([f"{target} := {value}", f"{target} += {self.number(scope, 1)}"])
        simple = [[space + assign], [space + assign], [f"{space}remember boards"]]
        for c in scope["cell"]:
            p = self.rnd.choice([*scope["player"], "none"])
            simple += [[f"{space}{c}.mark := {p}"], [f"{space}{c}.height := ({value}) mod 5"]]
        for p in scope["player"]:
            simple.append([f"{space}{p}.done := {'yes' if self.chance(0.5) else 'no'}"])
            simple.append([f"{space}move all from {p}.hand to pile"])
            simple.append([f"{space}spill({p}.{self.rnd.choice(['hand', 'worn'])}, {pick(3)})"])
            if chance:
                simple.append([f"{space}draw up to {1 + pick(3)} from deck to {p}.hand"])
                simple.append([f"{space}roll {p}.die"])
        for c in scope["card"]:
            where = self.rnd.choice(["pile", "pile at bottom", "shown", "box", "deck"])
            if scope["player"] and self.chance(0.3):
                where = f"{self.rnd.choice(scope['player'])}.worn"
            simple.append([f"{space}move {c} to {where}"])
            simple.append([f"{space}reveal {c}"])
        for p in scope["player"]:
            bone = self.rnd.choice(["red", "blue"])
            up = "" if pick(4) == 0 else "up to "
            simple.append([f"{space}move {up}{1 + pick(2)} of {bone} from supply to {p}.bones"])
            if self.events:
                simple.append([f"{space}hits({p}, {self.number(scope, 1)})"])
        simple.append([f"{space}field[1 + (({value}) mod 3)] := {self.number(scope, 1)}"])
        simple.append([f'{space}say "total {{total}}"'])
        if chance:
            simple += [
                [f"{space}shuffle deck"],
                [f"{space}total := random {x} in 1..{2 + pick(5)}"],
            ]
        if deep or self.chance(0.5):
            return self.rnd.choice(simple)
        cell = {**scope, "cell": [*scope["cell"], x]}
        card = {**scope, "card": [*scope["card"], x]}
        player = {**scope, "player": [*scope["player"], x]}
        n = {**scope, "number": [*scope["number"], x]}
        forms = [
            lambda: [
                f"{space}if {self.test(scope)}",
                *self.block(scope, indent + 1, 2, chance=chance),
                *(
                    [f"{space}else", *self.block(scope, indent + 1, 2, chance=chance)]
                    if self.chance(0.4)
                    else []
                ),
            ],
            lambda: [
                f"{space}for each {x} in Grid where {self.test(cell, 1)}",
                *self.block(cell, indent + 1, 2, chance=False),
            ],
            lambda: [
                f"{space}for each {x} in players",
                *self.block(player, indent + 1, 2, chance=chance),
            ],
            lambda: [
                f"{space}for each {x} in pile by most {x}.value ties in order",
                *self.block(card, indent + 1, 1, chance=False),
            ],
            lambda: [
                f"{space}for each {x} in 1..{pick(6)}",
                *self.block(n, indent + 1, 2, chance=chance),
            ],
            lambda: [
                f"{space}let {x} = {self.number(scope)}",
                *self.block(n, indent, 2, chance=chance),
            ],
            lambda: [
                f"{space}let {x} = pick({x}y in Grid by most {x}y.height ties none)",
                f"{space}if {x} is not none",
                *self.block(cell, indent + 1, 2, chance=chance),
            ],
            lambda: [
                f"{space}for each {x} at {x}n in free while {self.test(cell, 1)}",
                *self.block(cell, indent + 1, 1, chance=False),
            ],
            lambda: [
                f"{space}for each {x} in pile until {self.test(card, 1)}",
                *self.block(card, indent + 1, 1, chance=False),
            ],
            lambda: [
                f"{space}for each {x} in players until {self.test(player, 1)}",
                *self.block(player, indent + 1, 1, chance=chance),
            ],
            lambda: [
                f"{space}repeat {pick(4)} times",
                *self.block(scope, indent + 1, 2, chance=chance),
            ],
        ]
        return self.rnd.choice(forms)()

    def abilities(self) -> list[str]:
        """A quantity and an event, and what pieces do to them."""
        none: dict[str, list[str]] = {"number": [], "player": [], "cell": [], "card": []}
        struck = {**none, "number": ["n"], "player": ["p"]}
        reacting = {**struck, "player": ["p", "owner"]}
        self.events = False
        lines = [f"quantity price(p: Player) = {self.number(none, 2)}", ""]
        lines += ["event hits(p: Player, n: int)", *self.block(struck, 1, 2), ""]
        lines += [
            f"ability sly{self.rnd.choice(['', '', ' once per bids'])}",
            f"    modify price(p) to it + {self.number(none, 1)} when p is owner",
            f"    {self.rnd.choice(['after', 'before', 'instead of'])} hits(p, n)"
            f" when {self.test(reacting, 1)}",
            *self.block(reacting, 2, 2),
            "",
        ]
        self.events = True
        return lines

    def trials(self) -> list[str]:
        """What is tried out: it tries out nothing itself, or hardly any ruleset would end."""
        none: dict[str, list[str]] = {"number": [], "player": [], "cell": [], "card": []}
        raised = {**none, "number": ["n"]}
        self.tries = self.events = False
        lines = ["procedure raise(n: int)", *self.block(raised, 1, 2, chance=False)]
        lines += ["", "procedure clear()", *self.block(none, 1, 2, chance=False), ""]
        self.tries = self.events = True
        return lines

    # ---- the whole

    def ruleset(self) -> str:
        rnd = self.rnd
        players = rnd.choice(["2", "2..3", "3"])
        grid = rnd.choice(["square 3 by 3", "square 4 by 3", "square 2 by 5"])
        none: dict[str, list[str]] = {"number": [], "player": [], "cell": [], "card": []}
        two = {**none, "number": ["a", "b"]}
        me = {**none, "player": ["me"]}
        lines = [
            f'game "Invented {self.seed}"', f"players {players}", "",
            "enum Suit: sun, moon", "", f"board Grid: {grid}", "",
            "group free = c in Grid where c.mark is none", "", "kind Bone: red 4, blue 2", "",
            f"kind Card: {', '.join(f'c{n} {2 + rnd.randrange(3)}' for n in range(4))}",
            "    skill: ability = sly", "", "the game has",
            "    total: int = 1", "    limit: 0..20 = 3, clamped", "    wild: int",
            "    deck: stack of Card, holds all", "    pile: row of Card",
            "    shown: set of Card", "    field[1..3]: int = 1",
            "    supply: pool of Bone, holds all",
            "", "each player has",
            "    gold: int = 2", "    luck: 0..9 = 1, clamped", "    life: int = 4",
            "    die: 1..6", "    done: bool", "    hand: hand of Card",
            "    bid: 0..9, secret", "    bones: pool of Bone",
            "    worn: set of Card, active",
            "", "each Grid has", "    mark: Player or none", "    height: int = 1", "",
            "each Card has", "    value: int = 2", "    suit: Suit", "",
            "history boards of the last 4", "    c.mark for c in Grid", "    total",
            "    p.luck for p in players", "",
            "function worth(a: int, b: int): int = " + self.number(two, 2), "",
            "function held(h: place of Card, n: int): int = n + sum(x.value for x in high(h))",
            "group high(h: place of Card) = x in h where x.value > 1", "",
            "procedure spill(h: place of Card, n: int)", "    total += n + number of h",
            "    move all from h to pile", "",
            "setup", "    shuffle deck",
            f"    for each p in players\n        draw {1 + rnd.randrange(2)} from deck to p.hand",
            "",
        ]  # fmt: skip
        lines += self.trials()
        lines += self.abilities()
        cell = {**me, "cell": ["c"]}
        card = {**me, "card": ["k"]}
        number = {**me, "number": ["n"]}
        lines += ["action place(c in Grid)", f"    when {self.test(cell)}"]
        if self.chance(0.5):
            lines.append(f"    when {self.test(cell)}")
        lines += self.block(cell, 1, 4)
        lines += ["", "action play(k in me.hand)"]
        if self.chance(0.5):
            lines.append(f"    when {self.test(card)}")
        lines += ["    move k to pile", *self.block(card, 1, 3)]
        lines += ["", f"action bet(n in {rnd.randrange(2)}..{2 + rnd.randrange(4)})"]
        if self.chance(0.5):
            lines.append(f"    when {self.test(number)}")
        lines += self.block(number, 1, 3)
        lines += ["", "action rest", "    me.life -= 1", "    hits(me, me.life)", ""]
        lines += ["procedure act(p: Player)", "    p chooses bet or rest"]
        lines += ["    p may choose play or place"]
        lines += ["", "phase bids"]
        if self.chance(0.6):
            lines += [
                "    sealed for p",
                "        p chooses b in 0..min(9, max(0, p.luck)) \"bid {b}\"",
                "        p.bid := b",
                "    for each p in players",
                "        p.gold += p.bid",
            ]  # fmt: skip
        lines += self.block({**none, "player": []}, 1, 2)
        lines += ["", "play", f"    repeat {2 + rnd.randrange(3)} times", "        bids"]
        lines += ["        raise(total mod 3)", "        clear()"]
        lines += ["        for each p in players"]
        if self.chance(0.4):
            lines += [
                "            looking ahead",
                "                p chooses place or rest",
                "                p chooses bet or rest",
            ]
        else:
            lines += ["            p chooses place or play or rest"]
        lines += ["            act(p)"]
        if self.chance(0.3):
            lines += [
                "            if can (act(p) then act(next(p)))",
                "                p.gold += 1",
            ]
        lines += [f"        if {self.test(none)}", "            stop"]
        if self.chance(0.5):
            lines += ["    nobody wins" if self.chance(0.3) else "    end game"]
        lines += ["", "score p: p.gold + p.life"]
        return "\n".join(lines) + "\n"


def ruleset(seed: int) -> str:
    return Inventor(seed).ruleset()


def main() -> int:
    from differential import compare_texts

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first ruleset")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--level", type=int, default=2, help="of optimising: 0, 1 or 2")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--show", action="store_true", help="print the rulesets")
    given = parser.parse_args()
    named = ((str(number), ruleset(number)) for number in itertools.count(given.first))
    return compare_texts(named, given.count, given.games, given.level, show=given.show)


if __name__ == "__main__":
    sys.exit(main())
