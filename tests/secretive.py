"""Makes up a ruleset with hidden information for each number; `invented_secrets.py` tries them.

They are well typed by construction. Of four rulesets one is made of random statements: hands,
stacks face down, a bag, secret variables, sealed blocks, pieces that are shown and move between
places that are seen and such that are not, `let`, functions, groups, abilities, `can`, `looking
ahead`, texts with gaps. The others are quiet but for one scene (`scenes.py`): there one thing is
read that somebody cannot know, so that nothing else covers it up.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from scenes import Scenes

HEAD = """game "Invented secrets {number}"
players {players}

kind Card: {cards}
    skill: ability = sly

kind Gem: 1..6

the game has
    deck: stack of Card, holds all
    vault: stack of Gem, holds all
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
    pouch: hand of Gem
    held: Card or none
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

{declared}action give(c in me.hand) "give {{c}}"
{give}

action take(n in 1..{take}) "{taken}"
{takes}

action rest "rest"

setup
    shuffle deck
    for each c in Card
        {worth}
    shuffle vault
    for each p in players
        draw 2 from deck to p.hand
        draw 1 from vault to p.pouch
        roll p.luck
    draw 1 from deck to bowl
    draw 1 from deck to open
    draw 1 from deck to closed

play
{play}
score p: p.gold
"""
Lines = list[str]


class Inventor(Scenes):
    """One ruleset. `bold` is how often it reads what somebody cannot know."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
        self.seed = seed
        self.bold = self.rnd.choice([0.0, 0.05, 0.15, 0.4])
        self.quiet = seed % 4 != 0
        if self.quiet:
            self.bold = 0.0
        self.nested = 0
        self.calls = True

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
            f"sum({x}.value for {x} in {p}.pouch)",
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
            f"max({x}.value for {x} in {q}.pouch else 1)",
            f"(2 if {q}.held is not none and {q}.held is ace else 1)",
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
            [f"if number of {p}.hand > 0", f"    {p}.held := random x in {p}.hand"],
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

    def _scene(self) -> Lines:
        """Of four rulesets two read what somebody cannot know, and one what its reader knows."""
        four, place = divmod(self.seed, 4)
        own = place == 3
        return self.scene("p", four if own else four * 2 + place - 1, own=own)

    def text(self) -> str:
        def plainly(p: str) -> str:
            return "\n".join(self.block(p, 1, choices=False))

        loud = not self.quiet
        scene = self._scene() if self.quiet else []
        x = self.fresh()
        self.nested = 1  # no sealed block and no looking ahead in what is called
        self.calls = False
        body = self.block("q", 1)
        reply = [f'    q chooses {x} in 1..most "answer {{{x}}}"', f"    q.gold += {x}"]
        parts = {
            "players": self.one("2", "2", "3"),
            "cards": self.one("ace, king, queen 4, jack 5", "ace, king, queen 3, jack 3, ten 4"),
            "active": ", active" if self.needs_active or self.chance(0.3 * loud) else "",
            "declared": self.declared(scene),
            "worth": self.one("c.worth := 1", "roll c.worth"),
            "wealth": "sum(c.worth for c in q.hand) + count(c in q.hand where c is ace)",
            "strong": self.one("c.worth > 1", "c is ace or c is king"),
            "toll": self.plain("q"), "hit": plainly("q"),
            "modified": self.one("1", "card.worth"),
            "modifies": self.one("q is owner", "q is not owner", "card is ace"),
            "reaction": self.rnd.choice((
                "after hit(q) when q is owner\n        q.gold += 1",
                "after hit(q) when q is owner and card is ace\n        q.gold += 1",
                "may instead of hit(q) when q is owner and card is ace\n        q.gold += 2",
                'before hit(q) when card is king\n        say "a king"',
            )[: 4 if loud else 2]),
            "reply": "\n".join(reply if self.quiet or self.chance(0.7) else body),
            "give": "    move c to next(me).hand" if self.chance(0.5) else "    move c to closed",
            "take": self.one("3", "2", self.small("me")),
            "taken": self.one("take {n}", "take {n}", "take {n} of {total}",
                              "take {n} of {" + self.number("me") + "}"),
            "takes": (f"    when {self.test('me')}\n" if self.chance(0.6) else "")
            + "    me.gold += n",
        }  # fmt: skip
        self.nested, self.calls = 0, True
        play = ["    for each p in players"]
        if loud or self.chance(0.3):
            play += self.block("p", 2, 4 if loud else 1)
        play += ["        " + line for line in scene]
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
