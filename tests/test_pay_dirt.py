"""Pay Dirt: it checks clean, random games end, and the worked examples of its rulebook hold.

A `Table` is a state whose buffer a test may lay out by hand, through the layout of the program;
from there on everything is driven through the public interface.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter.embedding import Game, Option, State
from interpreter.model.types import Type
from interpreter.pipeline import check_rules, read_rules
from interpreter.play import pieces, words
from interpreter.program.layout import Index, KindLayout, PlaceLayout, VariableLayout

RULES = Path(__file__).resolve().parent.parent / "rulesets" / "payDirt.rules"
MOST_MOVES = 2_000
Chooser = Callable[[list[Option], random.Random], Option]
A, B, C, D = range(4)
SPACE_OF = {"Exc": "excavator", "Load": "loader", "Wash": "washPlant"}


@cache
def game(players: int, start: int = 0) -> Game:
    return interpreter.load(RULES, players=players, options={"startPlayer": start})


class Table:
    """A game in progress that can be laid out and then played on."""

    def __init__(self, players: int, start: int, seed: int = 1, *, ask: bool = False) -> None:
        self.game = game(players, start)
        self.state = self.game.start(seed, explicit_chance=True, ask_when_forced=ask)
        self.wanted: list[str] = []
        self.chance()

    # ---- driving

    def chance(self) -> None:
        """Let chance happen: what a test wants to be drawn if it can be, else the first."""
        while self.state.is_chance:
            outcomes = self.state.chance_outcomes()
            names = {str(each).rpartition(": ")[2].rstrip(")"): each for each in outcomes}
            name = next((name for name in self.wanted if name in names), None)
            if name is not None:
                self.wanted.remove(name)
            self.state = self.state.apply(names[name] if name else outcomes[0])

    def take(self, seat: int, *options: str) -> None:
        for option in options:
            assert seat in self.state.seats_to_act, (seat, option, self.offered())
            assert option in self.offered(seat), (option, self.offered(seat))
            self.state = self.state.apply(option, seat)
            self.chance()

    def offered(self, seat: int | None = None) -> list[str]:
        return [str(option) for option in self.state.options(seat)]

    def skip_auction(self) -> None:
        for _ in range(self.game.players):
            self.take(self.state.seats_to_act[0], "auctioneersPass")

    def send(self, seat: int, *locations: str) -> None:
        self.take(seat, *(f"choose(post: {location})" for location in locations))

    def idle(self, *seats: int) -> None:
        """All workers of these seats go where there is nothing to do."""
        for seat in seats:
            self.send(seat, *["claimGearRepair"] * self.get("unused", seat))

    # ---- looking

    def get(self, name: str, *index: object) -> int:
        variable = self._variable(name)
        return self.state.buffer[variable.address + self._at(variable.indexes, index)]

    def pieces(self, name: str, *index: object) -> list[str]:
        kind, instance = self._instance(name, index)
        return [
            kind.rows[kind.row_of[p]] for p in words.contents(self.state.buffer, kind, instance)
        ]

    def dirt(self, seat: int, machine: str) -> list[str]:
        """What lies on the spaces of a machine, in order."""
        return [
            "".join(self.pieces("track", seat, SPACE_OF[machine], space)) or "-"
            for space in range(1, 5)
        ]

    def wear(self, seat: int) -> list[int]:
        return [self.get("wear", seat, machine) for machine in SPACE_OF.values()]

    def ground(self, seat: int) -> list[list[str]]:
        """The dirt on each claim of a seat."""
        kind, instance = self._instance("land", (seat,))
        claims = words.contents(self.state.buffer, kind, instance)
        return [
            [row for n in range(1, 5) for row in self.pieces("ground", claim, n)]
            for claim in claims
        ]

    # ---- laying out

    def set(self, name: str, value: object, *index: object) -> None:
        variable = self._variable(name)
        number = self._number(variable.type, value)
        self._edit()[variable.address + self._at(variable.indexes, index)] = number

    def put(self, row: str, name: str, *index: object, out: bool = False) -> None:
        """Move a piece of this row from wherever it waits; `out`: one that lies there already
        leaves the game for it."""
        m = self._edit()
        kind, instance = self._instance(name, index)
        held = words.contents(m, kind, instance)
        if out and row in self.pieces(name, *index):
            return
        if out:
            pieces.move(m, kind, held[0], 0, False, -1)
        waiting = [
            piece
            for piece, number in enumerate(kind.row_of)
            if kind.rows[number] == row and self._waits(kind, m[kind.where + piece])
        ]
        pieces.move(m, kind, waiting[0], instance, False, -1)

    def lay(self, seat: int, machine: str, space: int, row: str) -> None:
        self.put(row, "track", seat, SPACE_OF[machine], space)

    def _edit(self) -> list[int]:
        """The buffer of a fresh state, so that nothing remembered about the old one counts."""
        copy = list(self.state.buffer)
        self.state = State(self.game, copy, self.state.seed, None, None, ())
        return copy

    def _waits(self, kind: KindLayout, instance: int) -> bool:
        places = ("box", "stock", "used", "equipment", "personnel", "claim", "gearRow", "gearStack")
        return kind.instance_names[instance].startswith((*places, "hardshipDeck"))

    def _variable(self, name: str) -> VariableLayout:
        return next(v for v in self.game.program.layout.variables if v.name == name)

    def _place(self, name: str) -> PlaceLayout:
        return next(p for p in self.game.program.layout.places if p.name == name)

    def _instance(self, name: str, index: tuple[object, ...]) -> tuple[KindLayout, int]:
        place = self._place(name)
        kind = self.game.program.layout.kinds[place.kind]
        return kind, place.first + self._at(place.indexes, index)

    def _at(self, indexes: tuple[Index, ...], values: tuple[object, ...]) -> int:
        position = 0
        for index, value in zip(indexes, values, strict=True):
            position = position * index.size + self._number(index.type, value) - index.offset
        return position

    def _number(self, type_: Type, value: object) -> int:
        if isinstance(value, str):
            program = self.game.program
            names = program.boards[type_.name].cells if type_.sort == "board" else None
            return (names or program.enums[type_.name]).index(value)
        assert isinstance(value, int)
        return value


# ---- the whole ruleset


def test_it_checks_clean() -> None:
    assert [str(problem) for problem in check_rules(read_rules(RULES))] == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_end(players: int) -> None:
    for seed in range(10):
        state = play(game(players), seed, lambda options, chooser: chooser.choice(options))
        assert state.winners
        assert state.scores[state.winners[0]] == max(state.scores)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_busy_games_wash_gold(players: int) -> None:
    """Players who like to work get to the far corners: washing, selling, gear, breaking."""
    total = 0
    for seed in range(3):
        total += sum(play(game(players), seed, busily).scores)
    assert total > 0


def busily(options: list[Option], chooser: random.Random) -> Option:
    liked = ("slide", "load", "dig", "run", "ride", "shake", "buy", "call", "nightShift")
    pools = ("choose(post: exc", "choose(post: loader", "choose(post: wash")
    for wanted in (liked, pools):
        found = [option for option in options if str(option).startswith(wanted)]
        if found and chooser.random() < 0.8:
            return chooser.choice(found)
    return chooser.choice(options)


def play(rules: Game, seed: int, choose: Chooser) -> State:
    chooser = random.Random(seed)
    state = rules.start(seed)
    for _ in range(MOST_MOVES):
        if state.is_over:
            return state
        seat = chooser.choice(state.seats_to_act)
        state = state.apply(choose(state.options(seat), chooser), seat)
        assert not state.broken_invariants()
    raise AssertionError(f"after {MOST_MOVES} moves the game with seed {seed} is not over")


def test_the_start_player_is_drawn_or_named() -> None:
    """PD-R52"""
    assert Table(4, 3).get("headMiner") == 2
    assert {game(4).start(seed).seats_to_act[0] for seed in range(30)} == {0, 1, 2, 3}


# ---- the worked examples


def test_we01_setup() -> None:
    table = Table(3, 1)
    assert table.get("temperature") == 15
    for lots in ("equipment", "personnel", "claim"):
        assert len(table.pieces(f"{lots}Row")) == 3
        assert len(table.pieces(f"{lots}Deck")) == 15
    assert len(table.pieces("gearRow")) == 5
    assert len(table.pieces("gearStack")) == 9
    assert len(table.pieces("hardshipDeck")) == 30
    for seat in range(3):
        assert [table.get(name, seat) for name in ("money", "gold", "unused", "spare")] == [
            9000, 0, 5, 5,
        ]  # fmt: skip
        assert table.pieces("land", seat) == ["GREENHORN"]
        assert [row.split("-")[0] for row in table.ground(seat)[0]] == ["barren"] * 3
    assert [len(table.pieces("stock", soil)) for soil in ("barren", "promising", "rich")] == [
        15, 21, 18,
    ]  # fmt: skip
    for seat in (None, 0, 1, 2):
        for place in table.state.view(seat).places:
            if place.member in ("ground", "stock"):
                assert all(piece.name is None for piece in place.pieces)
            if place.member == "ground":
                assert all(piece.label == "barren" for piece in place.pieces)


def test_we02_a_whole_auction_phase() -> None:
    table = Table(4, 1, ask=True)
    table.put("P-05", "personnelRow", out=True)
    table.put("C-02", "claimRow", out=True)
    table.put("EQ-01", "equipmentRow", out=True)
    table.take(A, "auctionPersonnel(lot: P-05)", "choose(opening: 5000)")
    table.take(B, "raise(bid: 6000)")
    table.take(C, "pass")
    table.take(D, "pass")
    table.take(A, "raise(bid: 7000)")
    table.take(B, "pass")
    assert (table.get("money", A), table.get("unused", A)) == (2000, 6)
    assert table.pieces("crew", A) == ["P-05"]
    assert table.state.seats_to_act == (B,)
    assert not [option for option in table.offered() if "Personnel" in option]
    table.take(B, "auctionClaim(lot: C-02)", "choose(opening: 2000)")
    table.take(C, "raise(bid: 3000)")
    table.take(D, "pass")
    assert table.offered(A) == ["pass"]
    table.take(A, "pass")
    table.take(B, "pass")
    assert table.get("money", C) == 6000
    soils = [row.split("-")[0] for row in table.ground(C)[1]]
    assert soils == ["barren", "promising", "promising"]
    assert not [option for option in table.offered(B) if "Claim" in option]
    assert [option for option in table.offered(B) if "Personnel" in option]
    table.take(B, "auctioneersPass")
    assert not [option for option in table.offered(D) if "Claim" in option]
    table.take(D, "auctionEquipment(lot: EQ-01)", "choose(opening: 2000)")
    for seat in (A, B, C):
        table.take(seat, "pass")
    table.take(D, "install")
    assert table.get("money", D) == 7000
    for lots in ("equipment", "personnel", "claim"):
        assert len(table.pieces(f"{lots}Row")) == 2
    assert table.state.seats_to_act == (A, B, C, D)  # the workers are being placed


def test_we03_refused_bids() -> None:
    table = Table(4, 2, ask=True)
    table.put("P-05", "personnelRow", out=True)
    table.set("money", 6000, C)
    table.take(B, "auctionPersonnel(lot: P-05)")
    openings = table.offered(B)
    assert "choose(opening: 4000)" not in openings
    assert "choose(opening: 5500)" not in openings
    assert openings == [f"choose(opening: {bid})" for bid in range(5000, 10000, 1000)]
    table.take(B, "choose(opening: 6000)")
    assert table.offered(C) == ["pass"]  # neither 6000, which is no raise, nor 7000
    table.take(C, "pass")
    table.take(D, "raise(bid: 7000)")
    table.take(A, "pass")
    table.take(B, "raise(bid: 8000)")
    assert table.state.seats_to_act == (D,)
    table.take(D, "raise(bid: 9000)")
    assert table.state.seats_to_act == (B,)


def test_we04_fourth_claim() -> None:
    table = Table(4, 1)
    table.put("C-03", "claimRow", out=True)
    for claim in ("C-06", "C-09"):
        table.put(claim, "land", A)
    kind, land = table._instance("land", (A,))
    greenhorn, glacier, _ = words.contents(table.state.buffer, kind, land)
    for n in (1, 2):
        lost = table.pieces("ground", greenhorn, n)[0]
        table.put("promising-3" if n == 1 else "rich-5", "ground", glacier, n)
        m = table._edit()
        dirt, place = table._instance("ground", (greenhorn, n))
        pieces.move(m, dirt, words.contents(m, dirt, place)[0], 0, False, -1)
        assert lost.startswith("barren")
    left = table.ground(A)[0]
    assert len(left) == 1
    table.take(A, "auctionClaim(lot: C-03)", "choose(opening: 4000)")
    for seat in (B, C, D):
        table.take(seat, "pass")
    assert [row.split("-")[0] for row in table.ground(A)[3]] == ["promising"] * 3
    assert table.offered(A) == [
        f"choose(given: {claim})" for claim in ("GREENHORN", "C-06", "C-09", "C-03")
    ]
    table.take(A, "choose(given: GREENHORN)")
    assert table.pieces("usedDirt", "barren") == left
    assert table.pieces("land", A) == ["C-06", "C-09", "C-03"]


def test_we05_install_with_pushing() -> None:
    table = Table(4, 1)
    table.put("EQ-12", "equipmentRow", out=True)
    x, y, z = "barren-4", "promising-4", "rich-8"
    table.lay(A, "Exc", 3, x)
    table.lay(A, "Load", 1, y)
    table.lay(A, "Load", 2, z)
    table.set("wear", 2, A, "loader")
    buy(table, "EQ-12", 7000)
    table.take(A, "install")
    assert table.dirt(A, "Exc") == [x, y, z, "-"]
    assert table.dirt(A, "Load") == ["-"] * 4
    assert table.wear(A) == [2, 0, 0]
    assert table.pieces("installed", A, "loader") == ["EQ-12"]


def test_we06_pushed_off_the_board() -> None:
    table = Table(4, 1)
    table.put("EQ-03", "equipmentRow", out=True)
    a, b, c = "barren-4", "promising-4", "rich-8"
    for space, tile in enumerate((a, b, c), 1):
        table.lay(A, "Exc", space, tile)
    table.set("wear", 1, A, "excavator")
    claims = table.ground(A)
    buy(table, "EQ-03", 4000)
    table.take(A, "install")
    assert table.dirt(A, "Exc") == [b, c, "-", "-"]
    assert table.wear(A) == [0, 0, 0]
    assert table.pieces("usedDirt", "barren") == [a]
    assert table.get("gold", A) == 0
    assert table.ground(A) == claims


def test_we07_scrap() -> None:
    table = Table(4, 4)
    table.put("EQ-10", "equipmentRow", out=True)
    table.put("G-06", "gear", D, "campGear")
    for machine, cubes in zip(SPACE_OF.values(), (3, 2, 1), strict=True):
        table.set("wear", cubes, D, machine)
    table.set("gearWear", 2, D, "campGear")
    buy(table, "EQ-10", 2000, D)
    table.take(D, "scrap")
    for machine, cubes in zip(SPACE_OF.values(), (3, 2, 1), strict=True):
        table.take(D, *[f"cleanMachine(m: {machine})"] * cubes)
    table.take(D, "cleanGear(side: campGear)")
    assert table.wear(D) == [0, 0, 0]
    assert table.get("gearWear", D, "campGear") == 1
    assert table.state.seats_to_act != (D,) or "enough" not in table.offered(D)
    layout = table.game.program.layout
    kind = layout.kinds[table._place("equipmentRow").kind]
    assert table.state.buffer[kind.where + kind.rows.index("EQ-10")] == 0  # out of the game


def buy(table: Table, lot: str, price: int, seat: int = A) -> None:
    """The auctioneer gets an equipment tile at its minimum."""
    table.take(seat, f"auctionEquipment(lot: {lot})", f"choose(opening: {price})")
    while table.state.seats_to_act != (seat,):
        table.take(table.state.seats_to_act[0], "pass")


def labour(table: Table, *locations: str) -> None:
    """To the first window, where A has his workers at these locations and nobody else acts."""
    table.skip_auction()
    table.send(A, *locations)
    table.idle(*range(1, table.game.players))


def test_we08_first_digging() -> None:
    table = Table(2, 1)
    labour(table, *["excavatorPool"] * 3, *["loaderPool"] * 2)
    table.take(A, "dig(claim: GREENHORN, n: 2)")
    table.take(A, "slide(post: excavatorPool, s: 1)", "slide(post: excavatorPool, s: 2)")
    option = next(o for o in table.state.options(A) if o.text.startswith("load("))
    assert option.words == "load the barren tile from your excavator onto your loader"
    table.take(A, "load(post: loaderPool)")
    option = next(o for o in table.state.options(A) if o.text.startswith("slide("))
    assert option.words == "slide the barren tile on your loader from 1 to 2"
    table.take(A, "slide(post: loaderPool, s: 1)")
    tile = table.dirt(A, "Load")[1]
    assert tile.startswith("barren")
    assert table.dirt(A, "Exc") == ["-"] * 4
    assert table.wear(A) == [1, 1, 0]
    assert len(table.ground(A)[0]) == 2
    assert table.get("unused", A) == 5


def test_we09_worn_out() -> None:
    table = Table(2, 1)
    table.lay(A, "Exc", 2, "barren-4")
    table.lay(A, "Exc", 3, "rich-8")
    table.set("wear", 3, A, "excavator")
    table.set("wear", 1, A, "loader")
    labour(table, "excavatorPool", "loaderPool", "loaderPool", "salesOffice", "salesOffice")
    assert table.offered(A) == ["load(post: loaderPool)", "finish"]
    table.take(A, "load(post: loaderPool)")
    assert table.wear(A) == [3, 2, 0]
    assert table.offered(A) == ["slide(post: loaderPool, s: 1)", "finish"]
    table.take(A, "slide(post: loaderPool, s: 1)")
    assert table.dirt(A, "Exc") == ["-", "barren-4", "-", "-"]
    assert table.dirt(A, "Load") == ["-", "rich-8", "-", "-"]
    assert table.get("unused", A) == 5


def test_we10_washing_and_selling() -> None:
    table = Table(2, 1)
    table.lay(A, "Wash", 2, "promising-4")
    table.set("wear", 1, A, "washPlant")
    table.set("gold", 1, A)
    labour(table, "washPlantPool", *["salesOffice"] * 2, *["claimGearRepair"] * 2)
    table.take(A, "slide(post: washPlantPool, s: 2)")
    assert table.get("gold", A) == 5
    assert table.pieces("usedDirt", "promising") == ["promising-4"]
    assert table.dirt(A, "Wash") == ["-"] * 4
    assert table.wear(A) == [0, 0, 1]
    assert table.offered(A) == ["sellGold(amount: 1)", "sellGold(amount: 2)", "finish"]
    money = table.get("money", A)
    table.take(A, "sellGold(amount: 2)", "sellGold(amount: 2)")
    assert table.get("money", A) == money + 12000
    assert table.get("gold", A) == 1
    assert not any("sell" in option for option in table.offered())


def test_we11_gear_laps() -> None:
    table = Table(3, 2)
    table.skip_auction()
    row = ("G-01", "G-02", "G-04", "G-06", "G-08")
    for _ in row:
        m = table._edit()
        kind, instance = table._instance("gearRow", ())
        pieces.move(m, kind, words.contents(m, kind, instance)[0], 0, False, -1)
    for tile in row:
        table.put(tile, "gearRow")
    for seat, workers, money in ((A, 2, 4000), (B, 2, 5000), (C, 1, 2000)):
        table.set("money", money, seat)
        table.send(seat, *["gearSupplier"] * workers, *["claimGearRepair"] * (5 - workers))
    table.take(B, "buy(tile: G-02)")
    assert "buy(tile: G-02)" not in table.offered(C)
    assert "buy(tile: G-08)" in table.offered(C)
    table.take(C, "buy(tile: G-06)")
    table.take(A, "buy(tile: G-01)")
    table.take(B, "buy(tile: G-08)")
    table.take(A, "buy(tile: G-04)")
    gear = [[*table.pieces("gear", seat, "claimGear"), *table.pieces("gear", seat, "campGear")]
            for seat in (A, B, C)]  # fmt: skip
    assert gear == [["G-04"], ["G-02", "G-08"], ["G-06"]]
    assert [table.get("money", seat) for seat in (A, B, C)] == [1000, 0, 0]
    assert table.pieces("gearRow") == []
    assert table.pieces("usedGear") == ["G-01"]


@pytest.mark.parametrize("mended", [True, False])
def test_we12_fiem_co(mended: bool) -> None:
    table = Table(2, 1)
    table.put("EQ-01", "installed", A, "excavator")
    table.lay(A, "Exc", 2, "rich-8")
    table.set("wear", 2, A, "excavator")
    labour(table, "excavatorPool", "excavatorRepair", *["claimGearRepair"] * 3)
    y = table.ground(A)[0][0]
    table.take(A, "dig(claim: GREENHORN, n: 1)")
    assert table.wear(A) == [3, 0, 0]
    assert table.dirt(A, "Exc") == [y, "rich-8", "-", "-"]
    if mended:
        table.take(A, "mendMachine(post: excavatorRepair, cubes: 2)")
        assert table.wear(A) == [1, 0, 0]
        assert table.pieces("installed", A, "excavator") == ["EQ-01"]
        return
    table.take(A, "finish", "finish")
    assert table.pieces("installed", A, "excavator") == []
    assert table.dirt(A, "Exc") == ["-", y, "rich-8", "-"]
    assert table.wear(A) == [0, 0, 0]


def test_we13_hardship_draft() -> None:
    table = Table(4, 2)
    table.skip_auction()
    for seat, gold in enumerate((3, 1, 3, 1)):
        table.set("gold", gold, seat)
    table.set("temperature", 11)
    table.wanted = ["H-07b", "H-03", "H-15", "H-13b"]
    table.idle(A, B, C, D)
    assert table.state.seats_to_act == (D,)
    cards = [f"choose(card: {card})" for card in ("H-03", "H-07b", "H-13b", "H-15")]
    assert table.offered(D) == cards
    hands = {p.owner: p for p in table.state.view(A).places if p.member == "drafted"}
    assert [piece.name for piece in hands[D].pieces] == [None] * 4
    table.take(D, "choose(card: H-03)")
    assert len(table.offered(B)) == 3
    table.take(B, "choose(card: H-07b)")
    table.wanted = []
    assert table.state.seats_to_act == (A,)
    assert len(table.offered(A)) == 2
    table.take(A, "choose(card: H-13b)")
    assert table.state.seats_to_act == (C,)  # Early Freeze: C chooses a tile to give back
    table.take(C, "freeze(claim: GREENHORN, n: 1)")
    assert table.get("temperature") == 8
    assert [table.get("gold", seat) for seat in range(4)] == [3, 0, 3, 1]
    assert table.wear(D) == [0, 0, 2]
    assert table.pieces("hardships", A) == ["H-13b"]


def test_we14_the_end() -> None:
    table = Table(4, 2)
    table.skip_auction()
    table.set("temperature", 2)
    table.wanted = ["H-07b", "H-01a", "H-02a", "H-03"]
    table.idle(A, B, C, D)
    for seat, card in ((A, "H-01a"), (D, "H-02a"), (C, "H-03")):
        table.take(seat, f"choose(card: {card})")
    assert table.get("temperature") == -1
    assert [table.get("money", seat) for seat in range(4)] == [11000, 9000, 11000, 11000]
    for name, size in (("equipmentRow", 3), ("personnelRow", 3), ("claimRow", 3), ("gearRow", 5)):
        assert len(table.pieces(name)) == size
    assert table.get("headMiner") == C
    assert table.get("lastRound")
    table.skip_auction()
    table.lay(A, "Wash", 1, "rich-5")
    table.lay(A, "Load", 3, "rich-8")  # not the furthest right
    table.lay(B, "Load", 3, "barren-2")
    table.lay(C, "Load", 3, "promising-4")
    table.lay(D, "Load", 2, "rich-6")
    for seat in range(4):
        for machine in SPACE_OF.values():
            table.set("wear", 3 if seat in (C, D) and machine == "loader" else 0, seat, machine)
    for seat, gold in enumerate((6, 5, 8, 7)):
        table.set("gold", gold, seat)
    table.idle(A, B, C, D)
    assert table.state.is_over
    assert table.state.scores == (9, 5, 9, 7)
    assert table.state.winners == (A,)
    tracks = [p for p in table.state.view(A).places if p.member == "track" and p.owner == D]
    assert [piece.name for place in tracks for piece in place.pieces] == ["rich-6"]


# ---- some abilities


def test_the_geologist_knows_his_own_dirt() -> None:
    table = Table(2, 1)
    table.put("P-11", "personnelRow", out=True)
    table.take(A, "auctionPersonnel(lot: P-11)", "choose(opening: 2000)")
    table.take(B, "pass")
    for viewer, knows in ((A, True), (B, False)):
        claims = [p for p in table.state.view(viewer).places if p.member == "ground"]
        tiles = [piece.name for place in claims for piece in place.pieces]
        assert len(tiles) == 6
        assert sum(name is not None for name in tiles) == (3 if knows else 0)


def test_the_night_shift_boss_drives_one_worker_twice() -> None:
    table = Table(2, 1)
    table.put("P-04", "crew", A)
    labour(table, *["excavatorPool"] * 3, *["claimGearRepair"] * 2)
    table.take(A, "dig(claim: GREENHORN, n: 1)", "nightShiftBoss")
    assert set(table.offered(A)) == {"slide(post: excavatorPool, s: 1)", "rest"}
    table.take(A, "slide(post: excavatorPool, s: 1)")
    assert table.get("placed", A, "excavatorPool") == 2
    table.take(A, "slide(post: excavatorPool, s: 2)")
    assert table.get("placed", A, "excavatorPool") == 1
    assert "nightShiftBoss" not in table.offered(A)


def test_gear_and_hardships_change_wear_and_costs() -> None:
    table = Table(2, 1)
    table.put("G-03", "gear", A, "claimGear")
    table.put("H-04a", "hardships", A)
    table.put("H-04b", "hardships", A)
    table.put("H-10a", "hardships", A)
    table.put("H-11", "hardships", A)
    table.lay(A, "Load", 3, "rich-8")
    table.skip_auction()
    table.send(A, "excavatorPool", "excavatorPool")
    assert "choose(post: excavatorPool)" not in table.offered(A)  # H-11
    table.send(A, "washPlantPool", *["claimGearRepair"] * 2)
    table.idle(B)
    money = table.get("money", A)
    table.take(A, "dig(claim: GREENHORN, n: 1)", "skidPlate")
    assert table.get("money", A) == money - 1000  # H-10
    assert table.wear(A) == [0, 0, 0]  # G-03
    assert table.get("gearWear", A, "claimGear") == 1
    table.take(A, "load(post: washPlantPool)")
    assert table.wear(A) == [0, 0, 3]  # H-04, twice


def test_the_stove_keeps_workers_at_work() -> None:
    table = Table(2, 1)
    table.put("G-07", "gear", A, "campGear")
    for card in ("H-05a", "H-05b"):
        table.put(card, "hardships", A)
    table.set("walkout", 1, A)
    table.skip_auction()
    table.take(A, "pass", "bunkhouseStove")  # the walkout happens, the first flu does not
    assert (table.get("aside", A), table.get("unused", A)) == (2, 3)


def test_two_copies_of_a_claim_are_two_claims() -> None:
    table = Table(2, 1)
    table.put("C-09", "land", A)
    table.put("C-09", "land", A)
    kind, land = table._instance("land", (A,))
    second = words.contents(table.state.buffer, kind, land)[2]
    table.put("barren-4", "ground", second, 1)
    labour(table, "excavatorPool", *["claimGearRepair"] * 4)
    assert "dig(claim: C-09#2, n: 1)" in table.offered(A)
