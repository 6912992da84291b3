"""The hardest parts of five real games, each as a small ruleset: it checks clean, random games
run to their end, and worked examples of the rulebook come out as they should."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.embedding import Game, IllegalOption, State, load, load_text
from interpreter.pipeline import check_rules
from interpreter.reading import read_rules

FOLDER = Path(__file__).parent / "cases" / "fragments"
NAMES = sorted(path.stem for path in FOLDER.glob("*.rules"))
GAMES = 20


def game(name: str, players: int, **options: str | int) -> Game:
    return load(FOLDER / f"{name}.rules", players, options)


def offered(state: State, seat: int | None = None) -> list[str]:
    return [str(option) for option in state.options(seat)]


def play(state: State, *moves: str) -> State:
    """Moves as `2 raise(amount: 6000)`: the player (from 1) and what is chosen."""
    for move in moves:
        player, _, option = move.partition(" ")
        seat = int(player) - 1
        assert seat in state.seats_to_act, f"{move}: it is {state.seats_to_act} to act"
        assert option in offered(state, seat), f"{move}: only {offered(state, seat)}"
        state = state.apply(option, seat)
    return state


def value(state: State, member: str, *index: str) -> str | None:
    """A variable as everybody sees it."""
    for variable in state.view().variables:
        if variable.member == member and variable.index_words == index:
            return variable.value
    raise KeyError(member, *index)


def pieces(state: State, place: str, seat: int | None = None) -> list[str]:
    """What lies in a place, as a seat (or a spectator) sees it."""
    found = next(each for each in state.view(seat).places if each.name == place)
    return [piece.name or piece.label for piece in found.pieces]


def deal(state: State, *wanted: str) -> State:
    """Chance as scripted: what is drawn or rolled in this order, then whatever comes first."""
    script = list(wanted)
    while state.is_chance:
        outcomes = state.chance_outcomes()
        by_value = {str(each).rpartition(": ")[2].rstrip(")"): each for each in outcomes}
        chosen = script.pop(0) if script else next(iter(by_value))
        assert chosen in by_value, f"{chosen}: only {list(by_value)}"
        state = state.apply(by_value[chosen])
    return state


# ---- all of them


@pytest.mark.parametrize("name", NAMES)
def test_checks_clean(name: str) -> None:
    problems = check_rules(read_rules(FOLDER / f"{name}.rules"))
    assert not problems, "\n".join(str(problem) for problem in problems)


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end(name: str) -> None:
    least, most = read_rules(FOLDER / f"{name}.rules").players
    games = {players: game(name, players) for players in range(least, most + 1)}
    for seed in range(GAMES):
        rules = games[least + seed % len(games)]
        choice = random.Random(seed)
        state = rules.start(seed=seed)
        while not state.is_over:
            seat = choice.choice(state.seats_to_act)
            state = state.apply(choice.choice(state.options(seat)), seat)
            assert not state.broken_invariants()
        assert rules.restore(state.save()) == state


def answers_in_any_order(state: State, seed: int) -> State:
    """Everybody's first number, the seats answering in an order of their own."""
    choice = random.Random(seed)
    while not state.is_over:
        seat = choice.choice(state.seats_to_act)
        if not offered(state, seat)[0].startswith("choose(n"):
            break
        state = state.apply(state.options(seat)[0], seat)
    return state


STEAL = """
game "Steal"
players 2
kind Card: 1..5
the game has
    deck: stack of Card, holds all
    stolen: row of Card
each player has
    hand: hand of Card
play
    shuffle deck
    for each p at n in players where n = 2
        draw 3 from deck to p.hand
        next(p) chooses c in p.hand "steal a card"
        move c to stolen
"""


def test_unseen_pieces_lie_in_the_order_they_came() -> None:
    """Else the first card of a hand would always be the lowest."""
    state = deal(load_text(STEAL).start(explicit_chance=True), "5", "1", "3")
    assert offered(state) == [f"choose(c: P2.hand#{n})" for n in (1, 2, 3)]
    assert pieces(play(state, "1 choose(c: P2.hand#1)"), "stolen") == ["5"]


# ---- Pay Dirt


def auction(players: int) -> State:
    """Rows with EQ-01, EQ-03, EQ-08; P-01, P-05, P-09; C-01, C-02, C-05 on the market."""
    rows = ["EQ-01", "EQ-03", "EQ-08", "P-01", "P-05", "P-09", "C-01", "C-02", "C-05"]
    return deal(game("payDirtAuction", players, rounds=1).start(explicit_chance=True), *rows)


def test_a_whole_auction_phase() -> None:
    state = play(
        auction(4),
        "1 open(type: personnel, lot: P-05, amount: 5000)",
        *("2 raise(amount: 6000)", "3 pass", "4 pass", "1 raise(amount: 7000)", "2 pass"),
    )
    assert (value(state, "money", "P1"), value(state, "workers", "P1")) == ("2000", "6")
    assert (value(state, "noBid"), value(state, "auctioneer")) == ("personnel", "P2")
    assert not any("personnel" in option for option in offered(state))
    state = play(state, "2 open(type: claims, lot: C-02, amount: 2000)", "3 raise(amount: 3000)")
    state = play(state, "4 pass")  # P1 has 2000 and can only pass, so P2 is next
    assert state.seats_to_act == (1,)
    state = play(state, "2 pass")
    assert (value(state, "money", "P3"), pieces(state, "P3.camp")) == ("6000", ["C-02"])
    assert (value(state, "noBid"), value(state, "auctioneer")) == ("claims", "P2")
    state = play(state, "2 auctioneersPass")
    assert (value(state, "noBid"), value(state, "auctioneer")) == ("claims", "P4")
    state = play(state, "4 open(type: equipment, lot: EQ-01, amount: 2000)", "2 pass", "3 pass")
    assert state.is_over  # three auctions and one pass, and this is a game of one round
    assert value(state, "money", "P4") == "9000"  # 7000 and the income
    assert pieces(state, "P4.camp") == ["EQ-01"]


def test_refused_bids() -> None:
    state = auction(4)
    opening = offered(state)
    assert "open(type: personnel, lot: P-05, amount: 4000)" not in opening
    assert "open(type: personnel, lot: P-05, amount: 5500)" not in opening
    state = play(state, "1 open(type: personnel, lot: P-05, amount: 6000)")
    assert offered(state)[0] == "raise(amount: 7000)"
    with pytest.raises(IllegalOption):
        state.apply("raise(amount: 6000)")
    state = play(state, "2 pass", "3 raise(amount: 7000)", "4 pass", "1 raise(amount: 8000)")
    assert state.seats_to_act == (2,)  # who has passed is not asked again
    assert offered(state) == ["raise(amount: 9000)", "pass"]


def test_sealed_placement_with_a_limit() -> None:
    start = game("payDirtPlacement", 3).start(seed=4)
    homesick = [value(start, "homesick", f"P{n}") for n in (1, 2, 3)].index("yes")
    assert start.seats_to_act == (0, 1, 2)
    for seat in range(3):
        most = 2 if seat == homesick else 5
        assert offered(start, seat)[-1] == f"choose(n: {most})"
    one = start.apply("choose(n: 1)", 0)
    assert one.view(1) == start.view(1)  # nobody else can tell
    assert value(one, "placed", "P1", "excavatorPool") == "0"
    ends = {bytes(answers_in_any_order(start, seed).save()) for seed in range(5)}
    assert len(ends) == 1


def test_gear_laps() -> None:
    rows = ["G-01", "G-02", "G-04", "G-06", "G-08"]
    rules = game("payDirtPlacement", 3, scene="laps", rounds=1)
    state = deal(rules.start(explicit_chance=True), *rows)
    while len(state.seats_to_act) > 1 or offered(state)[0] == "choose(n: 0)":
        state = state.apply("choose(n: 0)", state.seats_to_act[0])  # all to the gear supplier
    state = play(state, "2 buy(tile: G-02)", "3 buy(tile: G-06)", "1 buy(tile: G-01)")
    state = play(state, "2 buy(tile: G-08)", "1 buy(tile: G-04)")
    assert pieces(state, "P2.owned[claimGear]") == ["G-02"]
    assert pieces(state, "P2.owned[campGear]") == ["G-08"]
    assert pieces(state, "P1.owned[claimGear]") == ["G-04"]
    assert pieces(state, "usedGear") == ["G-01"]
    assert [value(state, "money", f"P{n}") for n in (1, 2, 3)] == ["1000", "0", "0"]


def machines(state: State) -> dict[str, list[str]]:
    """Dirt on the spaces of the first player, by its public side."""
    names = {"excavator": 3, "loader": 3, "washPlant": 3}
    return {
        name: [(pieces(state, f"P1.space[{name},{at}]") or ["-"])[0] for at in range(1, last + 1)]
        for name, last in names.items()
    }


def test_install_with_pushing() -> None:
    state = play(
        game("payDirtMachines", 1, scene="installing").start(), "1 install(tile: frostback8)"
    )
    found = machines(state)
    assert found["excavator"] == ["promising", "barren", "rich"]
    assert found["loader"] == ["-", "-", "-"]
    assert value(state, "wear", "P1", "excavator") == "2"
    assert value(state, "wear", "P1", "loader") == "0"


def test_pushed_off_the_board() -> None:
    state = play(game("payDirtMachines", 1, scene="pushing").start(), "1 install(tile: tx2Digger)")
    assert machines(state)["excavator"] == ["promising", "rich", "-"]
    assert value(state, "wear", "P1", "excavator") == "0"
    assert len(pieces(state, "usedDirt[barren]")) == 1
    assert value(state, "gold", "P1") == "0"


def test_first_digging() -> None:
    state = game("payDirtMachines", 1, scene="digging").start()
    assert pieces(state, "P1.claim", 0) == ["barren"] * 3  # not even the owner sees the gold
    state = play(
        state, "1 dig(tile: P1.claim#1)", "1 slide(m: excavator, at: 1)",
        "1 slide(m: excavator, at: 2)", "1 load(m: loader)", "1 slide(m: loader, at: 1)",
    )  # fmt: skip
    assert machines(state)["loader"] == ["-", "barren", "-"]
    wear = [value(state, "wear", "P1", name) for name in ("excavator", "loader", "washPlant")]
    assert wear == ["1", "1", "0"]
    assert len(pieces(state, "P1.claim")) == 2


def test_washing_is_immediate() -> None:
    rules = game("payDirtMachines", 1, scene="washing")
    state = deal(rules.start(explicit_chance=True), "promising4")
    state = play(state, "1 slide(m: washPlant, at: 2)")
    assert value(state, "gold", "P1") == "5"
    assert pieces(state, "usedDirt[promising]") == ["promising4"]  # turned over, so all see it
    assert machines(state)["washPlant"] == ["-", "-", "-"]
    assert value(state, "wear", "P1", "washPlant") == "1"


def test_a_worn_out_machine_breaks() -> None:
    start = game("payDirtMachines", 1, scene="breaking", rounds=1).start()
    dug = play(start, "1 dig(tile: P1.claim#1)")
    assert value(dug, "wear", "P1", "excavator") == "3"
    state = play(dug, "1 done")
    assert pieces(state, "P1.layers[excavator]") == []
    assert machines(state)["excavator"] == ["-", "barren", "rich"]
    assert value(state, "wear", "P1", "excavator") == "0"


def test_quantities_are_modified() -> None:
    state = game("payDirtAbilities", 2, scene="market", rounds=1).start()
    words = {str(option): option.words for option in state.options()}
    assert words["sell"] == "sell a gold for 4000"
    state = play(state, "1 sell")
    assert value(state, "money", "P1") == "13000"
    state = play(state, "1 wash(found: 0)", "1 wash(found: 0)")
    other = {str(option): option.words for option in state.options()}
    assert other["sell"] == "sell a gold for 3000"


def test_replaced_once_then_offered() -> None:
    state = play(game("payDirtAbilities", 2, scene="loading").start(), "1 load(m: loader)")
    # The loader ace works by itself; the safety officer would have been asked.
    assert value(state, "wear", "P1", "loader") == "0"
    state = play(state, "1 load(m: loader)")
    assert offered(state) == ["skidPlate", "pass"]
    spared = play(state, "1 skidPlate")
    assert value(spared, "wear", "P1", "loader") == "0"
    worn = play(state, "1 pass")
    assert value(worn, "wear", "P1", "loader") == "1"
    # Once a round is over for the plate: the third load just wears.
    third = play(spared, "1 load(m: loader)")
    assert value(third, "wear", "P1", "loader") == "1"


def test_a_hardship_may_be_cancelled() -> None:
    state = game("payDirtAbilities", 2, scene="inspecting", rounds=1).start()
    state = play(state, *["1 wash(found: 0)"] * 3, *["2 wash(found: 0)"] * 3)
    assert (state.seats_to_act, offered(state)) == ((0,), ["cancel", "bear"])
    cancelled = play(state, "1 cancel")
    assert (cancelled.seats_to_act, offered(cancelled)) == ((1,), ["pay", "letThemLook"])
    assert value(cancelled, "temperature") == "13"  # it still counts
    born = play(state, "1 bear")
    assert (born.seats_to_act, offered(born)) == ((0,), ["pay", "letThemLook"])


def test_the_hardship_draft() -> None:
    rules = game("payDirtDraft", 4, scene="draft", rounds=1)
    state = deal(rules.start(explicit_chance=True), "bear3", "fuel1", "freeze4", "flu1")
    assert state.seats_to_act == (3,)
    assert len(offered(state)) == 4
    state = play(state, "4 choose(card: freeze4)")
    assert (state.seats_to_act, len(offered(state))) == ((1,), 3)
    assert pieces(state, "P4.kept", 3) == ["freeze4"]
    assert pieces(state, "P4.kept", 0) == ["?"]
    state = play(state, "2 choose(card: bear3)", "1 choose(card: flu1)")
    assert state.is_over  # P3 takes the last without being asked
    assert value(state, "temperature") == "8"
    assert [value(state, "gold", f"P{n}") for n in (1, 2, 3, 4)] == ["3", "0", "3", "1"]


# ---- The Great Dinosaur Rush


def test_legal_destinations() -> None:
    state = game("dinosaurRays", 4, scene="rays").start()
    assert state.seats_to_act == (0,)
    ends = [option.rpartition("to: ")[2].rstrip(")") for option in offered(state)]
    assert sorted(ends) == sorted(["D2", "D4", "D5", "C2", "C1", "F2", "E1"])


def test_traps_on_the_path() -> None:
    state = play(game("dinosaurRays", 4, scene="rays").start(), "1 travel(way: east, to: D5)")
    assert sorted(pieces(state, "P1.tokens", 0)) == ["one", "three", "two"]
    assert pieces(state, "P1.tokens", 1) == ["?", "?", "?"]  # everybody sees how many
    assert len(pieces(state, "traps[C2]")) == 1


def test_a_bent_move() -> None:
    straight = offered(game("dinosaurRays", 4, scene="rays").start())
    assert not any(option.startswith("bend") for option in straight)
    state = game("dinosaurRays", 4, scene="bent").start()
    move = "bend(way: east, corner: D3, then: northeast, to: C3)"
    assert move not in offered(state)  # C3 lies northwest of D3
    state = play(state, "1 bend(way: east, corner: D3, then: southeast, to: E4)")
    assert value(state, "spot", "P1") == "E4"
    assert pieces(state, "P1.tokens", 0) == ["three"]


def test_building_within_the_caps() -> None:
    state = game("dinosaurBuild", 2, scene="building").start()
    # Green: spine, ribs, (head); yellow: neck, (tail); red: arm, (leg); what is left is forced.
    for chosen, count in (("2", 4), ("3", 3), ("2", 3), ("2", 2)):
        assert len(offered(state, 0)) == count
        state = state.apply(f"choose(n: {chosen})", 0)
    # White: at most 1 on the spine, 3 on the ribs, 1 on the head ...
    assert offered(state, 0) == ["choose(n: 0)", "choose(n: 1)"]
    state = state.apply("choose(n: 1)", 0)
    assert offered(state, 0) == ["choose(n: 0)", "choose(n: 1)"]
    state = state.apply("choose(n: 0)", 0)
    assert offered(state, 0) == ["choose(n: 0)", "choose(n: 1)"]
    state = state.apply("choose(n: 1)", 0)
    state = answers_in_any_order(state, 0)
    # Size 3, height 2 + 2, length 2 + 3, ferocity 2 + 1, uniqueness 2: first in all of them.
    earned = [value(state, "earned", "P1", name) for name in ("size", "uniqueness")]
    assert earned == ["2", "1"]
    # Hadrosaurus and nodosaurus are achieved exactly, megalosaurus is not.
    assert offered(state) == ["choose(card: hadrosaurus)", "choose(card: nodosaurus)", "pass"]
    state = play(state, "1 choose(card: nodosaurus)", "1 choose(card: hadrosaurus)")
    assert pieces(state, "P1.cards", 0) == ["megalosaurus"]


def test_dense_ranking() -> None:
    state = game("dinosaurBuild", 4, scene="ranking").start()
    ribs = {0: "5", 1: "5", 2: "3", 3: "2"}
    for seat, count in ribs.items():
        state = state.apply("choose(n: 1)", seat)
        state = state.apply(f"choose(n: {count})", seat)
    for _ in ribs:  # nobody has a card to show, and nobody is to see that
        assert offered(state) == ["pass"]
        state = state.apply("pass")
    assert state.is_over
    assert [value(state, "earned", f"P{n}", "size") for n in (1, 2, 3, 4)] == ["6", "6", "3", "2"]


# ---- Queen Run


def prices(state: State) -> dict[str, int]:
    """Where a queen may go, and for how much."""
    return {
        str(option)[len("go(to: ") : -1]: int(option.words.rpartition(" ")[2])
        for option in state.options()
        if str(option).startswith("go(")
    }


def test_crossing_a_mountain_of_others() -> None:
    rich = game("queenRunMove", 2, scene="crossing", purse=3).start()
    assert prices(rich)["c8"] == 3
    assert "c7" not in prices(rich)
    poor = game("queenRunMove", 2, scene="crossing", purse=2).start()
    assert "c8" not in prices(poor)


def test_a_vampire_avoids_temples() -> None:
    knight = game("queenRunMove", 2, scene="temple", purse=4, people="knight").start()
    assert prices(knight)["d7"] == 2
    vampire = game("queenRunMove", 2, scene="temple", purse=4, people="vampire").start()
    assert prices(vampire)["d7"] == 4
    assert "d6" not in prices(vampire)


def spreads(state: State) -> set[str]:
    return {
        option.rpartition("c: ")[2].rstrip(")")
        for option in offered(state)
        if option.startswith("spread")
    }


def test_two_forts() -> None:
    knight = play(game("queenRunEffects", 2, scene="landingFort").start(), "1 build")
    assert value(knight, "points", "P1") == "1"
    assert spreads(knight) == {"a4", "b4", "d4", "e4"}
    state = play(
        knight, "1 spread(n: 1, c: a4)", "1 spread(n: 1, c: b4)", "1 spread(n: 1, c: d4)",
        "1 spread(n: 1, c: e4)",
    )  # fmt: skip
    assert value(state, "active", "P1") == "0"
    assert "spread" not in " ".join(offered(state))
    rules = game("queenRunEffects", 2, scene="landingFort", people="dwarf")
    dwarf = play(rules.start(), "1 build")
    assert (value(dwarf, "points", "P1"), spreads(dwarf)) == ("2", {"b4", "d4"})
    rules = game("queenRunEffects", 2, scene="giantFort", people="giant")
    giant = play(rules.start(), "1 build")
    assert value(giant, "points", "P1") == "0"
    assert spreads(giant) == {"b4", "c3"}  # another queen stands on d4
    # Wholly, in any order, or not at all.
    assert spreads(play(giant, "1 spread(n: 2, c: c3)")) == {"b4"}
    assert "spread" not in " ".join(offered(play(giant, "1 enough")))


def test_marks_beside_a_fort() -> None:
    state = play(game("queenRunEffects", 2, scene="farFort").start(), "1 build")
    assert spreads(state) == {"b8", "d8"}


def test_boards_make_one_map() -> None:
    rules = game("queenRunBoards", 4, turnsEach=1)
    state = deal(rules.start(explicit_chance=True), "C", "A", "B", "P1")
    assert value(state, "terrain", "b3") == "windmill"  # landing
    assert value(state, "terrain", "b5") == "mountain"  # C
    assert value(state, "terrain", "a10") == "redVillage"  # A
    assert state.seats_to_act == (3,)  # who acts last chooses first


@pytest.mark.parametrize(
    ("counts", "points"), [((4, 4, 3, 0), (2, 2, 1, 0)), ((5, 3, 3, 1), (3, 1, 1, 0))]
)
def test_shared_places(counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    """Bases on the landing board; the other boards have one base each player or none."""
    state = deal(game("queenRunBoards", 4, turnsEach=5).start(explicit_chance=True))
    while offered(state)[0].startswith("choose(hue"):
        state = state.apply(state.options()[0])
    left = list(counts)
    elsewhere = dict.fromkeys(range(4), 0)
    while not state.is_over:
        seat = state.seats_to_act[0]
        landing = [o for o in offered(state) if int(o[len("choose(c: ") + 1 : -1]) <= 4]
        others = [o for o in offered(state) if int(o[len("choose(c: ") + 1 : -1]) > 4]
        if left[seat]:
            left[seat] -= 1
            state = state.apply(landing[0])
        else:
            elsewhere[seat] += 1
            state = state.apply(others[0])
    # Everything not on the landing board went to the last board, row by row from its far end.
    spare = [5 - count for count in counts]
    assert list(elsewhere.values()) == spare
    assert [s - far(spare, seat) for seat, s in enumerate(state.scores)] == list(points)


def far(spare: list[int], seat: int) -> int:
    """The points of the last board, by the rule said in other words."""
    if not spare[seat]:
        return 0
    places = sorted(spare, reverse=True)
    filled = [place for place, count in enumerate(places) if count == spare[seat]]
    return sum((3, 2, 1, 0)[place] for place in filled) // len(filled)


# ---- Gaagaa GO!


def duck(state: State) -> tuple[str | None, str | None]:
    return value(state, "spot", "P1"), value(state, "facing", "P1")


def scene(number: int) -> State:
    return game("gaagaaRoutes", 3, scene=number).start()


def test_card_36_chooses_its_facing() -> None:
    state = scene(1)
    assert [option.words for option in state.options()] == ["face northeast", "face southeast"]
    assert duck(play(state, "1 choose(t: 1)")) == ("[1,1]", "southeast")


def test_card_42_has_two_routes() -> None:
    state = scene(2)
    assert duck(play(state, "1 choose(n: 2)")) == ("[-1,3]", "east")
    assert duck(play(state, "1 choose(n: 1)")) == ("[0,1]", "east")


def test_bumps() -> None:
    assert duck(scene(3)) == ("[-1,2]", "west")  # into a duck
    assert value(scene(3), "spot", "P2") == "[0,2]"
    assert duck(scene(4)) == ("[3,1]", "southwest")  # into the rim, after the turn


def test_over_and_onto_a_buoy() -> None:
    over = scene(5)
    assert (over.is_over, duck(over)[0]) == (True, "[3,1]")
    assert value(over, "touched", "P1", "red") == "yes"
    onto = scene(6)
    assert value(onto, "touched", "P1", "red") == "yes"
    assert offered(onto) == ["choose(c: 1)", "choose(c: 2)"]  # the turn does not end on a buoy


def test_the_drain() -> None:
    assert duck(scene(7)) == ("[-1,0]", "west")
    assert scene(8).winners == (0,)


def test_warp() -> None:
    state = scene(9)
    assert len(offered(state)) == 9 * 6
    state = play(state, "1 warp(c: [7,-4], way: west)")
    assert (state.is_over, duck(state)) == (True, ("[7,-4]", "west"))


def test_thrown_by_somebody_else() -> None:
    state = scene(10)
    assert state.seats_to_act == (1,)  # the holder of the marker says where
    state = play(state, "2 choose(c: [7,-4])")
    assert state.seats_to_act == (0,)  # the owner says which way
    state = play(state, "1 choose(way: west)")
    assert (duck(state), value(state, "touched", "P1", "red")) == (("[7,-4]", "west"), "no")


def test_a_window_before_the_collision() -> None:
    start = game("gaagaaWindow", 2, scene="hound").start(seed=3)
    state = start
    while True:  # nobody plays anything, the first player swims straight on by the longest card
        seat = state.seats_to_act[0]
        options = offered(state, seat)
        if value(state, "spot", "P1") == "c4" and seat == 0 and options[-1] == "pass":
            break
        wanted = [o for o in options if o in ("choose(c: long)", "pass", "choose(t: 1)")]
        state = state.apply((wanted or options)[0], seat)
    assert options == ["playToken(token: threeCards)", "playToken(token: slipThrough)", "pass"]
    through = play(state, "1 playToken(token: slipThrough)")
    assert through.seats_to_act == (0,)  # the window opens anew
    while offered(through)[-1] == "pass":
        through = through.apply("pass")
    assert (value(through, "spot", "P1"), value(through, "touches", "P1")) in (
        ("d4", "1"),
        ("e4", "1"),
    )
    thrown = state
    while offered(thrown)[-1] == "pass":
        thrown = thrown.apply("pass")
    assert thrown.seats_to_act == (1,)  # the holder of the marker throws
    assert value(thrown, "touches", "P1") == "0"


# ---- Nozoku Dice


def nozoku(number: int, players: int = 2) -> State:
    return game("nozokuLookahead", players, scene=number).start(ask_when_forced=True)


def test_the_main_action_makes_the_sub_action_possible() -> None:
    state = nozoku(1)
    assert offered(state) == ["play(card: blue5, die: red[top:5])"]
    state = play(state, "1 play(card: blue5, die: red[top:5])", "1 raise(die: red[top:1])")
    assert offered(state) == ["lower(die: red[top:2])"]  # of 1 and 2 only the 2


def test_the_main_action_spoils_the_sub_action() -> None:
    assert nozoku(2).seats_to_act == (1,)  # nothing to play: it is the next player's turn
    assert offered(nozoku(3)) == ["play(card: green5, die: red[top:5])"]


def test_dead_ends_are_not_offered() -> None:
    state = play(nozoku(4), "1 play(card: red4, die: blue[top:4])")
    assert offered(state) == ["flip(die: red[top:1])"]
    state = play(state, "1 flip(die: red[top:1])")
    assert offered(state) == ["lower(die: red[top:6])"]  # either of two equal dice


def test_what_does_not_serve() -> None:
    assert nozoku(5).seats_to_act == (1,)  # the die on the card is no target
    assert nozoku(6).is_over  # nobody can take a white die


def peekers(players: int) -> Iterator[tuple[int, str]]:
    """Who is asked to peek, and with which card."""
    state = game("nozokuLookahead", players, scene=7).start()
    while offered(state)[0].startswith(("play", "tip", "exchange")):
        state = state.apply(state.options()[0])
    while not state.is_over and offered(state)[0].startswith("peek"):
        yield state.seats_to_act[0] + 1, offered(state)[0]
        state = state.apply("pass")


def test_each_looks_from_their_side() -> None:
    assert list(peekers(4)) == [
        (2, "peek(card: blue6)"), (3, "peek(card: green1)"), (4, "peek(card: yellow6)"),
    ]  # fmt: skip
    assert list(peekers(2)) == [(2, "peek(card: blue4)")]
