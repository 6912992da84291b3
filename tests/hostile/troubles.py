"""Games that break down while being played: every sort of trouble at every sort of place.

    python tests/hostile/troubles.py [--first 0] [--step 1] [--level 2] [--show NUMBER]

A fuse burns down turn by turn; when it is out, an expression or a statement fails. Both backends
must tell the same failure at the same spot in the same move, and neither may break down itself.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

_MOST = "9223372036854775807"

# Numbers that cannot be worked out any more when the fuse is out.
NUMBERS = {
    "div": "(12 div fuse)",
    "divUp": "(12 divUp fuse)",
    "mod": "(12 mod fuse)",
    "plus": f"({_MOST} + (1 - min(fuse, 1)))",
    "minus": f"((0 - {_MOST}) - (2 - min(fuse, 1)))",
    "times": "(4611686018427387904 * (2 - min(fuse, 1)))",
    "negative": f"(-((0 - {_MOST}) - 1 + min(fuse, 1)))",
    "abs": f"abs((0 - {_MOST}) - 1 + min(fuse, 1))",
    "lowest": f"(((0 - {_MOST}) - 1 + min(fuse, 1)) div (0 - 1))",
    "sum": f"sum({_MOST} for z in 1..(2 - min(fuse, 1)))",
    "index": "field[4 - min(fuse, 1)]",
    "indexBelow": "field[min(fuse, 1)]",
    "farIndex": f"field[({_MOST} if fuse = 0 else 1)]",
    "most": "max(z for z in 1..fuse)",
    "least": "min(z for z in 1..fuse)",
    "deep": "down(fuse)",
    "long": "count(z in 1..(3000000 if fuse = 0 else 3) where z > 1)",
    "endless": f"count(z in 1..({_MOST} if fuse = 0 else 3) where z > 1)",
    "doubling": "twice((40 if fuse = 0 else 1))",
    "edge": "(step(last, forward).height if fuse = 0 else 1)",
}

# Statements that cannot be carried out any more.
STATEMENTS = {
    "range": "heat := 11 - min(fuse, 1)",
    "rangeBelow": "heat := min(fuse, 1) - 1",
    "element": "field[4 - min(fuse, 1)] := 1",
    "slotFull": "if fuse = 0\n    draw 1 from deck to shown\n    draw 1 from deck to shown",
    "noRoom": "if fuse = 0\n    repeat 2 times\n        draw 1 from deck to narrow",
    "notEnough": "if fuse = 0\n    draw 100 from deck to pile",
    "lessThanNothing": "draw (fuse - 1) from deck to pile",
    "emptySlot": "if fuse = 0\n    move shown to pile",
    "emptyPool": "if fuse = 0\n    move 5 of red from supply to spent",
    "loop": "repeat until fuse > 0 or p.picks > 7\n    p.picks := (p.picks + 1) mod 7",
    "diceLoop": (
        "repeat while fuse = 0\n    roll die\n    heat := count(z in 1..50000 where z > 49990)"
    ),
    "moves": "repeat until fuse > 0 or p.picks > 7\n    p chooses y in 1..2\n    p.picks := y",
    "forcedLoop": "repeat while fuse = 0\n    p chooses y in 1..1\n    p.picks := y",
    "nothing": "p chooses y in 1..fuse\np.picks := y",
    "wide": "p chooses y in 1..(10001 if fuse = 0 else 2)\np.picks := y",
    "wideEnough": "p chooses y in 1..(10000 if fuse = 0 else 2)\np.picks := y",
    "veryWide": f"p chooses y in 1..({_MOST} if fuse = 0 else 2)\np.picks := y",
    "hidden": "p chooses y in 1..(1000000000000 if fuse = 0 else 3) where y < 3\np.picks := y",
    "square": "p chooses pair",
    "sealedLoop": (
        "sealed for q\n    repeat until fuse > 0 or q.picks > 100\n"
        "        q chooses y in 1..2\n        q.picks += 1"
    ),
    "sealedNothing": "sealed for q\n    q chooses y in 1..fuse\n    q.picks := y",
    "sealedWide": (
        "sealed for q\n    q chooses y in 1..(20000 if fuse = 0 else 2)\n    q.picks := y"
    ),
    "far": (
        "looking ahead\n    repeat (70 if fuse = 0 else 1) times\n"
        "        p chooses y in 0..1\n        total := y\n    p chooses y in 1..total"
    ),
    "farAndWide": (
        "looking ahead\n    repeat (8 if fuse = 0 else 1) times\n        p chooses y in 0..9\n"
        "        total += y\n    p chooses y in 1..1 where fuse > 0 or total = 1000"
    ),
    "try": "if can (fail(p))\n    total := 1",
    "chance": "total := random y in 1..fuse",
}  # fmt: skip

# Where a number is asked for. The key of a part is a place of the ruleset below.
PLACES: dict[str, Callable[[str], dict[str, str]]] = {
    "setup": lambda e: {"setup": f"fuse := 0\ntotal := {e}"},
    "assign": lambda e: {"turn": f"total := {e}"},
    "add": lambda e: {"turn": f"p.gold := 0\np.gold += {e}"},
    "let": lambda e: {"turn": f"let y = {e}\ntotal := y mod 2"},
    "body": lambda e: {"body": f"total := {e}"},
    "when": lambda e: {"when": f"when {e} != c.row"},
    "guarded": lambda e: {"when": f"when fuse > 0\nwhen {e} != c.row"},
    "sometimes": lambda e: {"when": f"when c.row > 1 or {e} != 0"},
    "second": lambda e: {"when": f"when c.row = 2 and {e} != 0"},
    "bound": lambda e: {"bound": f"{e} mod 3"},
    "where": lambda e: {"turn": f"p chooses y in 1..3 where y != {e}\np.picks := y"},
    "function": lambda e: {"function": e, "turn": "total := worth(1) mod 5"},
    "calledInWhen": lambda e: {"function": e, "when": "when worth(c.row) != 0"},
    "quantity": lambda e: {"quantity": e, "turn": "total := price(p) mod 5"},
    "count": lambda e: {"turn": f"total := count(y in Grid where y.row != {e})"},
    "every": lambda e: {"turn": f"if every(y in Grid has y.row < 3 or {e} > 0)\n    total := 2"},
    "total": lambda e: {"turn": f"total := sum({e} mod 3 for y in Grid)"},
    "most": lambda e: {"turn": f"total := max({e} mod 3 for y in Grid)"},
    "reach": lambda e: {
        "turn": f"total := count(y in reach(b2 within 2 through w costs 1 + abs({e} mod 2)))"
    },
    "region": lambda e: {"turn": f"total := count(y in region(b2 through w where w.row != {e}))"},
    "sorted": lambda e: {
        "turn": f"for each y in players by most {e} mod 2 ties in order\n    total := y.gold mod 3"
    },
    "times": lambda e: {"turn": f"repeat abs({e} mod 3) times\n    total := 1"},
    "while": lambda e: {"turn": f"total := 0\nrepeat until total > 1 or {e} = 3\n    total += 1"},
    "random": lambda e: {"turn": f"total := random y in 1..(1 + abs({e} mod 3))"},
    "said": lambda e: {"turn": f'say "{{{e}}}"'},
    "index": lambda e: {"turn": f"field[1 + abs({e} mod 3)] := 1"},
    "chosenIf": lambda e: {"turn": f"if {e} != 5\n    p chooses rest\nelse\n    total := 1"},
    "sealed": lambda e: {
        "round": f"sealed for q\n    q chooses y in 0..2\n    q.picks := {e} mod 3"
    },
    "sealedBefore": lambda e: {
        "round": f"sealed for q\n    q.picks := {e} mod 3\n    q chooses y in 0..2\n    q.gold += y"
    },
    "sealedBound": lambda e: {
        "round": f"sealed for q\n    q chooses y in 0..abs({e} mod 3)\n    q.picks := y"
    },
    "ahead": lambda e: {
        "turn": f"looking ahead\n    p chooses rest\n    total := {e} mod 3\n    p chooses rest"
    },
    "aheadWhen": lambda e: {
        "turn": f"looking ahead\n    p chooses rest\n    p chooses y in 1..3 where {e} != y"
    },
    "tried": lambda e: {"trial": f"total := {e} mod 3", "turn": "if can (try(p))\n    total := 1"},
    "triedInWhen": lambda e: {"trial": f"total := {e} mod 3", "when": "when can (try(me))"},
    "routine": lambda e: {"trial": f"total := {e} mod 3", "turn": "try(p)"},
    "score": lambda e: {"score": f" + {e} mod 3"},
}  # fmt: skip

# Where a statement can stand. Not every statement can stand everywhere.
BLOCKS: dict[str, Callable[[str], dict[str, str]]] = {
    "turn": lambda s: {"turn": s},
    "routine": lambda s: {"trial": s, "turn": "try(p)"},
    "body": lambda s: {"body": "let p = me\n" + s},
    "loop": lambda s: {"turn": "repeat 2 times\n" + _indented(s, 1)},
    "ahead": lambda s: {"turn": "looking ahead\n    p chooses rest\n" + _indented(s, 1)},
    "tried": lambda s: {"trial": s, "turn": "if can (try(p))\n    total := 1"},
    "triedInWhen": lambda s: {"trial": s, "when": "when can (try(me))"},
    "sealed": lambda s: {"round": "sealed for p\n    p chooses x in 0..1\n" + _indented(s, 1)},
}


@dataclass(frozen=True, slots=True)
class Trouble:
    name: str
    text: str


def _indented(text: str, depth: int) -> str:
    return "\n".join("    " * depth + line for line in text.splitlines())


def ruleset(name: str, fuse: int, parts: dict[str, str]) -> str:
    def block(key: str, depth: int) -> str:
        return _indented(parts[key], depth) + "\n" if key in parts else ""

    return f'''game "{name}"
players 2
board Grid: square 3 by 3
board Track: line 4
kind Card: ace 2, king 2, queen 2
kind Cube: red 3, blue 3
the game has
    fuse: int = {fuse}
    total: int
    heat: 0..10
    die: 1..6
    field[1..3]: int
    last: Track
    deck: stack of Card, holds all
    pile: row of Card
    narrow: row of Card, up to 1
    shown: slot of Card
    supply: pool of Cube, holds all
    spent: pool of Cube
each player has
    gold, picks: int = 1
each Grid has
    mark: Player or none
each Track has
    height: int = 1
function down(n: int): int = (0 if n > 0 else down(n - 1))
function twice(n: int): int = (1 if n <= 0 else twice(n - 1) + twice(n - 1))
function worth(n: int): int = n + {parts.get("function", "1")}
quantity price(p: Player) = 1 + {parts.get("quantity", "1")}
setup
    for each x in Track
        last := x
    shuffle deck
{block("setup", 1)}action place(c in Grid)
    when c.mark is none
{block("when", 1)}    c.mark := me
{block("body", 1)}action bet(n in 0..{parts.get("bound", "2")})
    me.gold += n
action rest
    me.gold += 1
action pair(c in Grid, d in Grid, n in 1..(200 if fuse = 0 else 1))
    me.gold += n
procedure try(p: Player)
    p chooses rest or bet
{block("trial", 1)}procedure fail(p: Player)
    p chooses y in 1..2
    total := 7 div fuse
    p chooses x in 1..y
play
    repeat 5 times
{block("round", 2)}        for each p in players
            p chooses place or bet or rest
{block("turn", 3)}        fuse := max(0, fuse - 1)
    if total = 123456
        for each p in players
            try(p)
            fail(p)
            p chooses pair
    end game
score p: p.gold{parts.get("score", "")}
'''


def troubles() -> Iterator[Trouble]:
    """All of them, mixed, so that any part of them has something of everything."""
    pairs = [
        (f"{what} in {where}", place(number))
        for where, place in PLACES.items()
        for what, number in NUMBERS.items()
    ]
    pairs += [
        (f"{what} in block {where}", block(statement))
        for where, block in BLOCKS.items()
        for what, statement in STATEMENTS.items()
    ]
    rnd = random.Random(1)
    rnd.shuffle(pairs)
    for name, parts in pairs:
        yield Trouble(name, ruleset(name, rnd.randrange(4), parts))


def main() -> int:
    from differential import compare_texts

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=int, default=1, help="only one in so many")
    parser.add_argument("--level", type=int, default=2, help="of optimising: 0, 1 or 2")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--show", action="store_true", help="print the rulesets")
    given = parser.parse_args()
    chosen = islice(enumerate(troubles()), given.first, None, given.step)
    named = [(f"{number} {trouble.name}", trouble.text) for number, trouble in chosen]
    return compare_texts(named, len(named), given.games, given.level, show=given.show)


if __name__ == "__main__":
    sys.exit(main())
