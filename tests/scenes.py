"""Scenes of invented rulesets: one thing that somebody cannot know, and one place that tells of it.

Each scene is a way to keep a secret, gone through in turn by number, with a way to tell it, by
chance. The same is made up for one who knows it: most of that is accepted, and must be tight.
"""

from __future__ import annotations

import random

Lines = list[str]

_DEMAND = """procedure demand(q: Player)
    q chooses c in q.hand where c is ace or c is queen "show {c}"
    q.shown += 1

"""
_DARE = """procedure dare(q: Player)
    if q.luck > 2
        q chooses n in 1..q.gold "dare {n}"
        q.done := yes

"""
_MIX = """procedure mix()
    shuffle deck

"""


class Scenes:
    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.names = 0
        self.needs_active = False  # hands in which abilities work

    def chance(self, share: float) -> bool:
        return self.rnd.random() < share

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def one(self, *forms: str) -> str:
        return self.rnd.choice(forms)

    def scene(self, p: str, number: int, *, own: bool) -> Lines:
        """One scene for player `p`; with `own`, for the one who knows."""
        q = p if own else f"next({p})"
        kept = [*self._read(q), *self._named(q), *self._shown(p, q), *self._lost(q)]
        whole = self._whole(p, q)
        number %= len(kept) + len(whole)
        if number >= len(kept):
            return whole[number - len(kept)]
        before, secret = kept[number]
        self.needs_active = "toll" in secret
        ways = [*self._offered(p, secret), *([] if own else self._told(p, secret))]
        return [*before, *self.rnd.choice(ways)]

    def declared(self, scene: Lines) -> str:
        """What a scene calls. (What nothing leads to is an error.)"""
        text = "\n".join(scene)
        declared = {"demand(": _DEMAND, "dare(": _DARE, "mix(": _MIX}
        return "".join(rules for call, rules in declared.items() if call in text)

    # ---- ways to keep a secret: what comes before, and a number from 1 to 6

    def _read(self, q: str) -> list[tuple[Lines, str]]:
        """What is read where it lies."""
        x, y = self.fresh(), self.fresh()
        secrets = [
            self.one(f"{q}.luck", f"max({q}.luck, 2)"),
            self.one(
                f"sum({x}.value for {x} in {q}.pouch)",
                f"(pick({x} in {q}.pouch by most {x}.value ties in order).value "
                f"if number of {q}.pouch > 0 else 1)",
            ),
            f"(3 if ace in {q}.hand else 1)",
            self.one(f"(3 if ace in strong({q}) else 1)", f"(1 + count({x} in strong({q})))"),
            self.one(
                f"(3 if any({x} in {q}.hand where {x} is ace or {x} is king) else 1)",
                f"(1 if every({x} in {q}.hand has {x} is queen) else 3)",
                f"(1 + count({x} in bowl where {x} is ace or {x} is queen))",
                "(3 if number of closed > 0 and top(closed) is queen else 1)",
            ),
            f"(3 if holder(ace) is {q} else 1)",
            f"(1 + toll({q}) + toll(next({q})))",
            self.one(f"wealth({q})", f"rank({q}, most wealth({y}) for {y} in players)"),
            f"(3 if can (demand({q})) else 1)",
            f"(3 if can (dare({q})) else 1)",
        ]
        return [([], secret) for secret in secrets]

    def _named(self, q: str) -> list[tuple[Lines, str]]:
        """What a name or a variable was given before."""
        x, y = self.fresh(), self.fresh()
        good = f"{y} is ace or {y} is queen"
        changed = self.rnd.choice([
            [f"if {q}.luck > 2", f"    {x} := 3"],
            [f"for each {y} in {q}.hand", f"    if {good}", f"        {x} := 3"],
            [f"for each {y} in {q}.hand where {good}", f"    {x} := 3"],
        ])  # fmt: skip
        held = self.one("mark", f"{q}.held")
        return [
            ([f"let {x} = {q}.luck"], x),
            ([f"let {x} = 1", *changed], x),
            (self._drawn(held, q), f"(3 if {held} is not none and {held} is queen else 1)"),
        ]

    def _drawn(self, variable: str, q: str) -> Lines:
        x = self.fresh()
        return [f"{variable} := none", f"if number of {q}.hand > 0",
                f"    {variable} := random {x} in {q}.hand"]  # fmt: skip

    def _shown(self, p: str, q: str) -> list[tuple[Lines, str]]:
        """What was shown, and then something else came there or it was hidden again."""
        x = self.fresh()
        aces = f"(1 + count({x} in {q}.hand where {x} is ace or {x} is queen))"
        return [
            ([f"reveal {q}.hand", f"draw up to 1 from deck to {q}.hand"], aces),
            ([f"reveal {q}.hand to {p}", f"hide {q}.hand"], aces),
            ([f"reveal closed to {q}"],
             "(3 if number of closed > 0 and top(closed) is queen else 1)"),
        ]  # fmt: skip

    def _lost(self, q: str) -> list[tuple[Lines, str]]:
        """A piece that all have seen goes where nobody can tell it from others."""
        x, y = self.fresh(), self.fresh()
        seen = ["if number of open = 0", "    draw up to 1 from deck to open",
                f"let {x} = top(open)"]  # fmt: skip
        hand = [*seen, f"move {x} to {q}.hand",
                f'{q} chooses {y} in {q}.hand "bury {{{y}}}"', f"move {y} to closed"]  # fmt: skip
        draw = f"draw up to 2 from deck to {q}.hand"
        held = f"(3 if holder({x}) is {q} else 1)"
        return [
            ([*seen, f"move {x} to bowl", f"draw up to 1 from bowl to {q}.hand"], held),
            ([*seen, f"move {x} to deck", self.one("shuffle deck", "mix()"), draw], held),
            (hand, f"(3 if {x} in {q}.hand else 1)"),
            (hand, f"(3 if {x} is {y} else 1)"),
        ]

    # ---- ways to tell it

    def _offered(self, p: str, secret: str) -> list[Lines]:
        x = self.fresh()
        choose = f"{p} chooses {x} in"
        return [
            [f'{choose} 1..(1 + {secret}) "choose {{{x}}}"'],
            [f'{choose} 1..6 where {x} <= {secret} "choose {{{x}}}"'],
            [f'{choose} 1..6 where {x} = 1 or {secret} > 1 "choose {{{x}}}"'],
            [f'{choose} 1..2 "choose {{{x}}} of {{{secret}}}"'],
            [f"{p} chooses", f'    grab({x} in 1..6) "grab {{{x}}}"',
             f"        when {x} <= {secret}", f"        {p}.gold += {x}"],
            [f"reply({p}, {secret})"],
        ]  # fmt: skip

    def _told(self, p: str, secret: str) -> list[Lines]:
        x = self.fresh()
        return [
            [f'say "it is {{{secret}}}"'],
            [f"if {secret} > 2", '    say "it is so"'],
            [f"if {secret} > 2", f'    {p} chooses {x} in 1..2 "choose {{{x}}}"'],
        ]

    def _whole(self, p: str, q: str) -> list[Lines]:
        """Where the secret is in the way the rules go."""
        x, y = self.fresh(), self.fresh()
        ask = f'{p} chooses {y} in 1..2 "choose {{{y}}}"'
        other = x if q == p else f"next({x})"
        seal = self.rnd.choice([
            [f'    {x} chooses {y} in 1..(1 + {other}.luck) "seal {{{y}}}"',
             f"    {x}.shown := {y}"],
            [f"    if {other}.luck > 2",
             f'        {x} chooses {y} in 1..2 "seal {{{y}}}"', f"        {x}.shown := {y}"],
        ])  # fmt: skip
        return [
            [f"for each {x} in players by most {x}.luck ties in order",
             f'    {x} chooses {y} in 1..2 "choose {{{y}}}"'],
            [f"sealed for {x}", *seal],
            [f"repeat 2 times as {x}", f"    {ask}", f"    if {q}.luck > 2", f"        leave {x}"],
            [f"repeat {q}.luck times", f"    {ask}"],
            [f"let {x} = {p}", f"let {x}n = {x}.luck", f"{x} := next({x})",
             f'{x} chooses {y} in 1..(1 + {x}n) "choose {{{y}}}"'],
            ["looking ahead", f"    {p} chooses", '        ask "ask"', f"            demand({q})",
             '        wait "wait"'],
            [f"let {x} = ({p} if {q}.luck > 2 else {q})",
             f'{x} chooses {y} in 1..2 "choose {{{y}}}"'],
            [f"{p} chooses {y} in {q}.hand \"choose {{{y}}}\"", f"reveal {y} to {p}"],
        ]  # fmt: skip
