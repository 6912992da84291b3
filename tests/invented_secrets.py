"""Makes up rulesets with hidden information, and proves of those the check accepts that none leaks.

    python tests/invented_secrets.py [--rulesets 500] [--first 0] [--games 3] [--planted NAME]

Each number is a ruleset, well typed by construction: hands, stacks face down, a bag, secret
variables, sealed blocks, pieces that are shown and move between places that are seen and such that
are not, `let`, functions, groups, abilities, `can`, `looking ahead`, texts with gaps. Much of what
they say would tell secrets, so the check refuses many of them or warns. No leak may be found in any
other; one that is found ends it with exit code 1, told with the ruleset's number and two scenarios.

With `--planted` the check is made blind in one way, which then must be found: `--planted all` tries
every one, and fails if one of them is not.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.embedding import Game  # noqa: E402
from interpreter.pipeline import build, check_rules  # noqa: E402
from interpreter.prove.leaks import hunt, sort_of  # noqa: E402
from interpreter.prove.shrink import shrink, size  # noqa: E402
from interpreter.prove.tell import find_mark, leak_problem  # noqa: E402
from interpreter.prove.twins import Leak  # noqa: E402
from interpreter.reading import read_text  # noqa: E402
from interpreter.report.render import render  # noqa: E402
from interpreter.typed.knowledge.labels import KNOWN, OPEN  # noqa: E402
from interpreter.variants import Variant  # noqa: E402

HEAD = """game "Invented secrets {number}"
players {players}

kind Card: {cards}
    skill: ability = sly

the game has
    deck: stack of Card, holds all
    bowl: bag of Card
    open: row of Card
    closed: row of Card, face down
    mark: Card or none
    total: int
    level: 0..6 = 2, clamped

each player has
    hand: hand of Card{active}
    front: slot of Card, seen by owner
    worn: set of Card, active
    gold: int
    luck: 1..4, secret
    bid: 0..4, secret
    shown: 0..9, clamped
    done: bool

each Card has
    worth: 1..4

function wealth(q: Player): int = {wealth}

function best(q: Player): int = max(c.worth for c in q.hand else 0)

group strong(q: Player) = c in q.hand where {strong}

quantity toll(q: Player) = {toll}

event hit(q: Player)
{hit}

ability sly
    modify toll(q) to it + {modified} when {modifies}
    {reaction}

procedure reply(q: Player, most: int)
{reply}

action give(c in me.hand) "give {{c}}"
{give}

action take(n in 1..{take}) "{taken}"
{takes}

action rest "rest"

setup
    shuffle deck
    for each c in Card
        c.worth := 1
    for each p in players
        draw 2 from deck to p.hand
        roll p.luck
    draw 1 from deck to bowl
    draw 1 from deck to open
    draw 1 from deck to closed

play
{play}
score p: p.gold
"""
Lines = list[str]


class Inventor:
    """One ruleset. `bold` is how often it reads what somebody cannot know."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rnd = random.Random(seed)
        self.bold = self.rnd.choice([0.0, 0.05, 0.15, 0.4])
        self.names = 0
        self.nested = 0
        self.calls = True

    def chance(self, share: float) -> bool:
        return self.rnd.random() < share

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def one(self, *forms: str) -> str:
        return self.rnd.choice(forms)

    # ---- values

    def plain(self, p: str) -> str:
        """A number everybody can know."""
        x = self.fresh()
        return self.one(
            "level", "total", f"{p}.gold", f"{p}.shown", "1", "2", "3", f"number of {p}.hand",
            "number of deck", f"next({p}).shown", f"sum({x}.worth for {x} in open)",
            f"count({x} in players where {x}.done)", f"clockwise(P1, {p})",
        )  # fmt: skip

    def own(self, p: str) -> str:
        """A number that a player knows."""
        x = self.fresh()
        return self.one(
            f"{p}.luck", f"{p}.bid", f"wealth({p})", f"best({p})", f"count({x} in strong({p}))",
            f"sum({x}.worth for {x} in {p}.hand)",
            f"({p}.front.worth if {p}.front is not none else 1)",
        )  # fmt: skip

    def hidden(self, p: str) -> str:
        """A number that a player cannot know."""
        q, x, y = f"next({p})", self.fresh(), self.fresh()
        return self.one(
            f"{q}.luck", f"{q}.bid", f"wealth({q})", f"best({q})", f"count({x} in strong({q}))",
            f"sum({x}.worth for {x} in {q}.hand)", f"sum({x}.worth for {x} in deck)",
            f"count({x} in bowl where {x} is ace)", f"(2 if holder(ace) is {q} else 1)",
            f"(3 if any({x} in {q}.hand where {x} is ace) else 1)", f"toll({p})",
            f"(3 if mark is not none and mark in {q}.hand else 1)",
            f"rank({p}, most wealth({y}) for {y} in players)",
            "(mark.worth if mark is not none else 1)",
            f"(2 if can (reply({q}, 2)) else 1)" if self.calls else f"{q}.luck",
            f"(pick({x} in {q}.hand by most {x}.worth ties in order).worth "
            f"if number of {q}.hand > 0 else 1)",
        )  # fmt: skip

    def number(self, p: str, *, own: bool = True) -> str:
        if self.chance(self.bold):
            return self.hidden(p)
        if own and self.chance(0.4):
            return self.own(p)
        return self.plain(p)

    def test(self, p: str, *, own: bool = True) -> str:
        sign = self.one("<", ">", "=", "<=", ">=", "!=")
        return f"{self.number(p, own=own)} {sign} {self.number(p, own=own)}"

    def small(self, p: str, *, own: bool = True) -> str:
        return f"(1 + ({self.number(p, own=own)}) mod 3)"

    # ---- statements

    def block(self, p: str, depth: int, size: int = 2, *, choices: bool = True) -> Lines:
        lines: Lines = []
        for _ in range(1 + self.rnd.randrange(size)):
            lines += self.statement(p, depth, choices)
        return ["    " * depth + line for line in lines]

    def statement(self, p: str, depth: int, choices: bool) -> Lines:
        forms: list[Callable[[str], Lines]] = [
            self.assign, self.assign, self.move, self.show, self.speak, self.remember,
        ]  # fmt: skip
        if choices:
            forms += [self.ask, self.ask, self.ask, self.menu, self.sealed]
            forms += [self.hit, self.reply, self.ahead] if self.calls else []
        if depth < 3:
            forms += [self.condition(choices), self.condition(choices), self.keep(choices)]
            forms += [self.loop(choices)]
        return self.rnd.choice(forms)(p)

    def assign(self, p: str) -> Lines:
        target = self.one("level", f"{p}.shown", f"{p}.luck", f"{p}.bid", "total", f"{p}.gold")
        if target.endswith(("luck", "bid")):
            return [f"{target} := {self.small(p)}"]
        return [f"{target} := ({self.number(p)}) mod 5"]

    def move(self, p: str) -> Lines:
        x = self.fresh()
        return self.rnd.choice([
            [f"draw up to 1 from deck to {p}.hand"],
            [f"draw up to 1 from deck to {self.one('open', 'closed', 'bowl')}"],
            [f"draw up to 1 from bowl to {p}.hand"],
            [f"move all from {self.one('open', 'closed')} to deck", "shuffle deck"],
            [f"for each {x} in {p}.hand while number of {p}.hand > 1",
             f"    move {x} to {self.one('open', 'closed', 'bowl', 'deck')}"],
            ["if number of open > 0", f"    move top(open) to {p}.hand"],
            [f"if {p}.front is none and number of {p}.hand > 1",
             f"    {p} chooses {x} in {p}.hand \"put {{{x}}} down\"", f"    move {x} to {p}.front"],
            [f"if {p}.front is not none",
             f"    move {p}.front to {self.one('open', 'closed', f'{p}.worn')}"],
        ])  # fmt: skip

    def show(self, p: str) -> Lines:
        what = self.one(f"{p}.hand", "closed", f"{p}.front", f"next({p}).hand")
        to = self.one("", f" to {p}", f" to next({p})")
        if what.endswith("front"):
            return [f"if {what} is not none", f"    reveal {what}{to}"]
        return [self.one(f"reveal {what}{to}", f"hide {what}")]

    def speak(self, p: str) -> Lines:
        gap = self.number(p, own=self.chance(self.bold))
        return [f'say "{{{p}}} and {{{gap}}}"' if self.chance(0.6) else f'say "{p} acts"']

    def remember(self, p: str) -> Lines:
        return self.rnd.choice([
            ["if number of open > 0", "    mark := top(open)"],
            ["mark := none"],
            [f"if number of next({p}).hand > 0", f"    mark := random x in next({p}).hand"],
        ])  # fmt: skip

    def ask(self, p: str) -> Lines:
        x, who = self.fresh(), self.one(p, p, f"next({p})")
        q = self.fresh()
        after = self.one(
            f"{q}.shown := {x}", f"{q}.luck := {x}", f"total += {x}", f"{q}.gold += {x}",
            f"if {self.test(q)}\n    {q}.gold += {x}",
        )  # fmt: skip
        question = self.one(
            f'{q} chooses {x} in 1..{self.small(q)} "choose {{{x}}}"',
            f'{q} chooses {x} in 1..4 "choose {{{x}}} of {{{self.number(q)}}}"',
            f'{q} chooses {x} in 1..4 where {x} = 1 or {self.number(q)} > {x} "choose {{{x}}}"',
        )
        return [f"let {q} = {who}", question, *after.split("\n")]

    def menu(self, p: str) -> Lines:
        form = self.one(f"{p} chooses", f"{p} may choose", f"{p} may always choose")
        entries = self.rnd.sample(["give", "take", "rest"], 2)
        return [f"{form} {' or '.join(sorted({*entries, 'rest'}))}"]

    def sealed(self, p: str) -> Lines:
        if self.nested or p != "p":
            return self.ask(p)
        q, x = self.fresh(), self.fresh()
        target = self.one(f"{q}.bid := {x} mod 4", f"{q}.shown := {x}", f"{q}.gold += {x}")
        lines = [f"sealed for {q}", f'    {q} chooses {x} in 1..{self.small(q)} "seal {{{x}}}"']
        if self.chance(0.3):
            lines.insert(1, f"    if {self.test(q)}")
            lines[2] = "    " + lines[2]
            return [*lines, f"        {target}"]
        return [*lines, f"    {target}"]

    def hit(self, p: str) -> Lines:
        return [f"hit({self.one(p, f'next({p})')})"]

    def reply(self, p: str) -> Lines:
        return [f"reply({self.one(p, f'next({p})')}, {self.small(p)})"]

    def ahead(self, p: str) -> Lines:
        if self.nested:
            return self.ask(p)
        return ["looking ahead", f"    {p} chooses take or rest",
                f"    {p} chooses give or rest"]  # fmt: skip

    def condition(self, choices: bool) -> Callable[[str], Lines]:
        def form(p: str) -> Lines:
            lines = [f"if {self.test(p, own=self.chance(0.3))}", *self.inner(p, choices)]
            if self.chance(0.3):
                lines += ["else", *self.inner(p, choices)]
            return lines

        return form

    def keep(self, choices: bool) -> Callable[[str], Lines]:
        def form(p: str) -> Lines:
            x = self.fresh()
            lines = [f"let {x} = {self.number(p)}", *self.statement(p, 3, choices)]
            if self.chance(0.4):
                lines += [f"if {self.test(p)}", f"    {x} := {self.number(p)}"]
            use = self.one(f"total := {x} mod 7", f"{p}.luck := 1 + {x} mod 3")
            if choices and self.chance(0.5):
                use = f'{p} chooses {x}n in 1..(1 + {x} mod 3) "choose {{{x}n}}"'
            return [*lines, use]

        return form

    def loop(self, choices: bool) -> Callable[[str], Lines]:
        def form(p: str) -> Lines:
            x = self.fresh()
            order = ""
            if self.chance(0.3):
                order = f" by most {self.number(x, own=self.chance(self.bold))} ties in order"
            head = self.one(f"for each {x} in players{order}", f"repeat {self.small(p)} times")
            return [head, *self.inner(x if head.startswith("for") else p, choices)]

        return form

    def inner(self, p: str, choices: bool) -> Lines:
        self.nested += 1
        lines = self.block(p, 1, 1, choices=choices)
        self.nested -= 1
        return lines

    # ---- the whole

    def text(self) -> str:
        def plainly(p: str) -> str:
            return "\n".join(self.block(p, 1, choices=False))

        x = self.fresh()
        self.nested = 1  # no sealed block and no looking ahead in what is called
        self.calls = False
        body = self.block("q", 1)
        reply = [f'    q chooses {x} in 1..most "answer {{{x}}}"', f"    q.gold += {x}"]
        parts = {
            "players": self.one("2", "2", "3"),
            "cards": self.one("ace, king, queen 3, jack 4", "ace, king, queen, jack 2, ten 4"),
            "active": ", active" if self.chance(0.3) else "",
            "wealth": "sum(c.worth for c in q.hand) + count(c in q.hand where c is ace)",
            "strong": self.one("c.worth > 1", "c is ace or c is king"),
            "toll": self.plain("q"), "hit": plainly("q"),
            "modified": self.one("1", "card.worth"),
            "modifies": self.one("q is owner", "q is not owner", "card is ace"),
            "reaction": self.one(
                "after hit(q) when q is owner\n        q.gold += 1",
                "after hit(q) when q is owner and card is ace\n        q.gold += 1",
                "may instead of hit(q) when q is owner and card is ace\n        q.gold += 2",
                'before hit(q) when card is king\n        say "a king"',
            ),
            "reply": "\n".join(reply if self.chance(0.7) else body),
            "give": "    move c to next(me).hand" if self.chance(0.5) else "    move c to closed",
            "take": self.one("3", "2", self.small("me")),
            "taken": self.one("take {n}", "take {n}", "take {n} of {total}",
                              "take {n} of {" + self.number("me") + "}"),
            "takes": (f"    when {self.test('me')}\n" if self.chance(0.6) else "")
            + "    me.gold += n",
        }  # fmt: skip
        self.nested, self.calls = 0, True
        play = ["    for each p in players", *self.block("p", 2, 4)]
        play += ["    for each p in players", "        p chooses give or take or rest"]
        play += [
            "        hit(p)",
            "        reply(p, 2)",
            '        p chooses last in 1..2 "end {last}"',
            "",
        ]
        return HEAD.format(number=self.seed, play="\n".join(play), **parts)


def ruleset(number: int) -> str:
    return Inventor(number).text()


# ---- the campaign

# Ways to make the check blind: what then says nothing, or that everybody knows. Each must be found.
_KNOWLEDGE = "interpreter.typed.knowledge"
PLANTED: dict[str, tuple[str, object]] = {
    "offers": (f"{_KNOWLEDGE}.telling.Teller.offer", None),
    "saying": (f"{_KNOWLEDGE}.telling.Teller.said", None),
    "variables": (f"{_KNOWLEDGE}.reading.Reader._read", KNOWN),
    "comparing": (f"{_KNOWLEDGE}.reading.Reader._compare", OPEN),
    "membership": (f"{_KNOWLEDGE}.reading.Reader._member", OPEN),
    "calls": (f"{_KNOWLEDGE}.reading.Reader._call", KNOWN),
    "modifiers": (f"{_KNOWLEDGE}.reading.Reader._modifier", OPEN),
}


@contextmanager
def blind(names: list[str]) -> Iterator[None]:
    """Let the check overlook something."""
    with ExitStack() as stack:
        for name in names:
            target, answer = PLANTED[name]
            stack.enter_context(patch(target, lambda *given, answer=answer, **named: answer))
        yield


def is_accepted(text: str) -> bool:
    """Whether the check has nothing to say: a warning that somebody may learn something counts."""
    told = check_rules(read_text(text))
    return not any(each.severity == "error" or each.code in ("RR405", "RR406") for each in told)


def find_leaks(text: str, games: int) -> dict[str, tuple[Game, Leak]]:
    """Of each sort of leak that random games show the smallest."""
    rules = read_text(text)
    program, _ = build(rules, rules.players[0])
    assert program is not None
    game = Game(program, rules, "reference")
    found: dict[str, tuple[Game, Leak]] = {}
    for seed in range(games):
        for viewer in (*range(game.players), None):
            for leak in hunt(game, viewer, seed, 40):
                sort = sort_of(leak)
                if sort not in found or size(leak) < size(found[sort][1]):
                    found[sort] = game, leak
    return found


def told(game: Game, leak: Leak, number: int) -> str:
    assert game.rules is not None
    again = f"python tests/invented_secrets.py --first {number} --rulesets 1 --show"
    problem = leak_problem(game.rules, Variant(game.players), shrink(game, leak, 0), again)
    return render([problem], game.rules.sources)


def campaign(first: int, count: int, games: int, *, show: bool = False) -> Counter[str]:
    """How many rulesets were refused and accepted, and how many showed leaks, by their sort."""
    counted: Counter[str] = Counter()
    for number in range(first, first + count):
        text = ruleset(number)
        if show:
            print(text)
        if not is_accepted(text):
            counted["refused"] += 1
            continue
        counted["accepted"] += 1
        leaks = find_leaks(text, games)
        counted["leaking"] += bool(leaks)
        counted.update(leaks.keys())
        for sort, (game, leak) in leaks.items():
            if counted[sort] == 1 or show:
                print(f"ruleset {number}:\n{told(game, leak, number)}", flush=True)
    return counted


def finds_planted(name: str, first: int, count: int, games: int) -> int | None:
    """The number of a ruleset that leaks because the check overlooks something: on a line that it
    would have refused."""
    for number in range(first, first + count):
        text = ruleset(number)
        refused = {p.mark.line for p in check_rules(read_text(text)) if p.severity == "error"}
        with blind([name]):
            if not refused or not is_accepted(text):
                continue
            for game, leak in find_leaks(text, games).values():
                assert game.rules is not None
                if find_mark(game.rules, leak).line in refused:
                    return number
    return None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first ruleset")
    parser.add_argument("--rulesets", type=int, default=500)
    parser.add_argument("--games", type=int, default=3, help="of each ruleset and viewer")
    parser.add_argument("--planted", choices=[*PLANTED, "all"], help="make the check blind")
    parser.add_argument("--show", action="store_true", help="print the rulesets")
    given = parser.parse_args()
    if given.planted is None:
        counted = campaign(given.first, given.rulesets, given.games, show=given.show)
        print(", ".join(f"{word} {number}" for word, number in sorted(counted.items())))
        return 1 if counted["leaking"] else 0
    missed = 0
    for name in PLANTED if given.planted == "all" else [given.planted]:
        number = finds_planted(name, given.first, given.rulesets, given.games)
        print(f"{name}: {'NOT FOUND' if number is None else f'found in ruleset {number}'}")
        missed += number is None
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
