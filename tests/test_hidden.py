"""Nobody learns what they may not know: views, options, logs, imagined states, undo.

Every ruleset with hidden information, shipped or written for this test, is played at random. At
each state each seat's view is taken, full states are imagined from it, and all that the seat
could be sent must be the same in all of them, byte for byte.
"""

import itertools
import json
import random
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter.embedding import Game, State
from interpreter.play import knowledge, pieces
from interpreter.play.verify import check_buffer
from interpreter.program.layout import (
    COUNTER,
    DECISION,
    KEY,
    MENU,
    MODE,
    SEALING,
    STATUS,
    STEPS,
    TOTAL_STEPS,
    KindLayout,
)
from interpreter.prove.laws import broken_laws
from interpreter.prove.leaks import hunt, sort_of
from interpreter.view.log import information_state
from interpreter.view.taking_back import tells_nothing

RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
STATES = 50
FEW = 6  # states of a big game

# ---- small rulesets, one idea each

PEEK = """
game "Peek"
players 3

kind Card: 1..7

the game has
    deck: stack of Card, holds all
    table: row of Card, face down

each player has
    hand: hand of Card
    guesses: int

action look(c at n in table) "look at card {n}"
    reveal c to me

action guess(n in 1..7) "guess {n}"
    if n = table.top.value
        me.guesses += 1
    say "{me} has guessed {n}"

play
    shuffle deck
    draw 3 from deck to table
    for each p in players
        draw 1 from deck to p.hand
    repeat 2 times
        for each p in players
            p chooses look or guess
    reveal table

score p: p.guesses
"""

TURNED = """
game "Turned Hands"
players 3

enum Colour: red, blue

kind Card: colour in Colour by value in 1..6

the game has
    deck: stack of Card, holds all
    clues: int

each player has
    cards: row of Card, seen by nobody

function has(p: Player, k: Colour) = any(c in p.cards where c.colour is k)

procedure take(p: Player)
    draw up to 1 from deck to p.cards
    for each q in players where q is not p
        reveal p.cards to q

action tell(p in players where p is not me, k in Colour) "tell {p} of {k}"
    when has(p, k)
    for each c in p.cards where c.colour is k
        reveal c to p

action point(p in players where p is not me, c in p.cards) "point at {c}"
    when c.value > 3
    clues += 1

action drop(c at n in me.cards) "drop card {n}"
    move c to box
    take(me)

play
    shuffle deck
    for each p in players
        take(p)
        take(p)
    repeat 4 times
        for each p in players
            p chooses tell or point or drop

score p: clues
"""

PASSING = """
game "Passing"
players 3

kind Card: jack 2, queen 2, king 2, ace 3

the game has
    deck: stack of Card, holds all
    shown: row of Card

each player has
    hand: hand of Card

play
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand
    draw 1 from deck to shown
    move shown.top to hand[next(shownTo())]
    repeat 2 times
        for each p in players
            p chooses card in p.hand "pass {card} on"
            move card to next(p).hand
    for each p in players
        p chooses card in p.hand "show {card}"
        move card to shown

function shownTo(): Player = pick(p in players by least number of p.hand ties in order)

score p: count(card in p.hand where card is ace)
"""

PUTTING_BACK = """
game "Putting back"
players 2

kind Card: 1..6

the game has
    deck: stack of Card, holds all

each player has
    hand: hand of Card

action under(card in me.hand) "put {card} at the bottom"
    move card to deck at bottom

action over(card in me.hand) "put {card} on top"
    move card to deck at top

action mix "shuffle"
    shuffle deck

play
    shuffle deck
    for each p in players
        draw 1 from deck to p.hand
    repeat 4 times
        for each p in players
            draw 1 from deck to p.hand
            p chooses under or over
            p may choose mix

score p: sum(card.value for card in p.hand)
"""

TREASURE = """
game "Treasure"
players 2
data "treasure.yaml"

enum Grade: poor, rich

kind Chest from chests
    grade: Grade
    gold: int, hidden

each Chest has
    taps: 0..3

the game has
    stock: stack of Chest, holds all
    row: row of Chest, face up
    opened: set of Chest

each player has
    store: set of Chest, seen by owner
    wealth: int

action tap(c in row) "tap {c}"
    when c.taps < 3
    c.taps += 1
    if c.taps = 2
        reveal c to me

action take(c in row) "take {c}"
    move c to me.store

action open(c in me.store) "open {c}"
    reveal c
    me.wealth += c.gold
    move c to opened

play
    shuffle stock
    draw 4 from stock to row
    repeat 3 times
        for each p in players
            p chooses tap or take or open

score p: p.wealth
"""

TREASURE_DATA = """
chests:
  bones: {grade: poor, gold: 0, copies: 2}
  copper: {grade: poor, gold: 1}
  silver: {grade: poor, gold: 3}
  sand: {grade: rich, gold: 0}
  jewels: {grade: rich, gold: 7, copies: 2}
"""

BAGS = """
game "Bags"
players 2

kind Token: red 3, blue 2, white 1
kind Cube: green 4, black 3

the game has
    bag: bag of Token, holds all
    open: bag of Token, face up
    supply: pool of Cube, holds all

each player has
    tokens: set of Token, seen by owner
    cubes: pool of Cube

action back(t in me.tokens) "put {t} back"
    move t to bag

action away(t in me.tokens) "put {t} into the open bag"
    move t to open

action cube(c in supply) "take a {c} cube"
    move 1 of c from supply to me.cubes

play
    for each p in players
        draw 2 from bag to p.tokens
    repeat 3 times
        for each p in players
            draw up to 1 from bag to p.tokens
            p chooses back or away or cube
    draw up to 1 from open to tokens[lucky()]

function lucky(): Player = pick(p in players by most p.cubes[black] ties in order)

score p: p.cubes[black] - p.cubes[green]
"""

SEALS = """
game "Seals"
players 3

kind Card: ant, bee, cat, dog, eel, fly, gnu, hen, ibis

the game has
    deck: stack of Card, holds all
    table: row of Card

each player has
    hand: hand of Card
    chosen: slot of Card, seen by owner
    thought: 0..3 or none, secret
    bid: 0..3

play
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand
    repeat 2 times
        sealed for p
            p chooses n in 0..3 "think of {n}"
            p.thought := n
            if n > 0
                p chooses card in p.hand "put {card} down"
                move card to p.chosen
        for each p in players where p.chosen is not none
            move p.chosen to table
        sealed for p
            p chooses n in 0..3 "bid {n}"
            p.bid := n
        for each p in players
            draw up to 1 from deck to p.hand

score p: p.bid
"""

STEALING = """
game "Stealing"
players 3

kind Card: ant, bee, cat, dog, eel, fly, gnu, hen, ibis

the game has
    deck: stack of Card, holds all
    stolen: Card or none
    hoard: row of Card, face down

each Card has
    scratches: 0..9, clamped

each player has
    hand: hand of Card

action steal "steal a card"
    when number of next(me).hand > 0
    stolen := random c in next(me).hand
    stolen.scratches += 1
    move stolen to me.hand

action bury(card in me.hand) "bury {card}"
    move card to hoard

action scratch(n in 1..3) "scratch what was stolen, {n} times"
    when stolen is not none
    stolen.scratches += n

action rest "do nothing"

play
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand
    repeat 2 times
        for each p in players
            p chooses steal or bury or scratch or rest
            for each c in hoard
                p may choose
                    mark "mark a buried card"
                        c.scratches += 1

score p: number of p.hand
"""

REFILL = """
game "Refill"
players 2

kind Card: 1..5

the game has
    deck: stack of Card, holds all, refilled from discard
    discard: stack of Card, face up

each player has
    hand: hand of Card

action drop(card in me.hand) "drop {card}"
    move card to discard

action keep "keep everything"

play
    shuffle deck
    repeat 4 times
        for each p in players
            draw up to 1 from deck to p.hand
            p chooses drop or keep

score p: sum(card.value for card in p.hand)
"""

LETS = """
game "Lets"
players 3

kind Card: 1..9

the game has
    deck: stack of Card, holds all
    table: row of Card

each player has
    hand: hand of Card
    luck: 10..19, secret
    own, others: int, secret

function worth(p: Player): int = sum(card.value for card in p.hand)

procedure ask(p: Player, most: int)
    let q = next(p)
    let all = q.worth + most
    let mine = p.worth
    let more = q.luck + all
    let ace = no
    for each card in q.hand
        if card.value = 9
            ace := yes
    let counted = 0
    for each x in players
        counted += x.luck
        x chooses n in 20..22 "say {n}"
        counted += n
    p chooses card in p.hand where card.value <= mine "play {card}"
    move card to table
    p.own := mine
    q.others := all + more + most + counted + (1 if ace else 0)

play
    shuffle deck
    for each p in players
        draw 3 from deck to p.hand
        roll p.luck
    for each p in players
        ask(p, next(p).worth)
    let lucky = pick(p in players by most p.luck ties in order)
    show(lucky)
    show(next(lucky))

procedure show(p: Player)
    p chooses card in p.hand "show {card}"
    move card to table

score p: number of p.hand
"""

BACKS = """
game "Backs"
players 2
data "backs.yaml"

enum Colour: red, blue

kind Card from cards
    value: int
    back: Colour, on the back
    old: bool = no, on the back

the game has
    deck: stack of Card, holds all
    laid: row of Card, face down

each player has
    hand: hand of Card

action ask(card in next(me).hand) "ask for a card"
    when card.old
    move card to me.hand

action lay(card in me.hand) "lay {card} down"
    move card to laid

action turn(card at n in laid) "turn over the {card.back} card {n}"
    when card.back is blue
    reveal card

action wait "wait"

play
    shuffle deck
    for each p in players
        draw 3 from deck to p.hand
    repeat 4 times
        for each p in players
            p chooses ask or lay or turn or wait

score p: sum(card.value for card in p.hand)
"""

BACKS_DATA = """
cards:
  one: {value: 1, back: red}
  two: {value: 2, back: red}
  three: {value: 3, back: red, old: true}
  four: {value: 4, back: red, old: true}
  five: {value: 5, back: blue}
  six: {value: 6, back: blue}
  seven: {value: 7, back: blue}
  eight: {value: 8, back: red}
"""

SMALL = {
    "peek": PEEK,
    "turned": TURNED,
    "passing": PASSING,
    "putting back": PUTTING_BACK,
    "bags": BAGS,
    "seals": SEALS,
    "refill": REFILL,
    "stealing": STEALING,
    "lets": LETS,
}

Given = tuple[str, int, tuple[tuple[str, str | int], ...]]
SHIPPED: list[Given] = [
    ("kuhnPoker", 2, ()),
    ("kuhnPoker", 3, ()),
    ("leducPoker", 2, ()),
    ("liarsDice", 2, ()),
    ("liarsDice", 3, (("dicePerPlayer", 2),)),
    ("goofspiel", 2, (("cards", 6),)),
    ("goofspiel", 3, (("cards", 5), ("bids", "hidden"))),
    ("trickTaking", 3, (("hands", 2),)),
    ("trickTaking", 4, ()),
]
BIG: list[Given] = [
    ("payDirt", 2, ()),
    ("payDirt", 4, ()),
    ("dinosaurRush", 2, ()),
    ("dinosaurRush", 3, (("palaeontologists", "draft"),)),
    ("queenRun", 3, ()),
    ("gaagaaGo", 4, ()),
    ("gaagaaGo", 3, (("mode", "advanced"),)),
    ("gaagaaGo", 4, (("mode", "advanced"), ("layout", "advanced"))),
    ("nozoku", 2, ()),
    ("nozoku", 4, ()),
]
WITH_DATA = {"treasure": (TREASURE, TREASURE_DATA), "backs": (BACKS, BACKS_DATA)}
LESS: list[Given] = [
    *SHIPPED,
    *((name, 0, ()) for name in SMALL),
    *((name, 2, ()) for name in WITH_DATA),
]
EVERY: list[Given] = [*LESS, *BIG]

# If bids are shown, all that is unknown lies in one hand: nothing can be exchanged. So it is if
# the backs of the cards tell whose they are. And in one game nothing is ever hidden.
ALL_IN_ONE_PLACE: list[Given] = [
    ("goofspiel", 2, (("cards", 6),)),
    ("nozoku", 2, ()),
    ("nozoku", 4, ()),
    ("queenRun", 3, ()),
]


@cache
def load(given: Given) -> Game:
    name, players, options = given
    if name in SMALL:
        return interpreter.load_text(SMALL[name])
    if name in WITH_DATA:
        folder = Path(_folder)
        rules, data = WITH_DATA[name]
        (folder / f"{name}.yaml").write_text(data, encoding="utf-8")
        (folder / f"{name}.rules").write_text(rules, encoding="utf-8")
        return interpreter.load(folder / f"{name}.rules", players)
    folder = RULESETS if (RULESETS / f"{name}.rules").exists() else RULESETS / "classics"
    return interpreter.load(folder / f"{name}.rules", players, dict(options))


_folder = ""


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _folder
    _folder = str(tmp_path_factory.mktemp("rules"))


def called(given: Given) -> str:
    return " ".join([given[0], str(given[1] or ""), *(f"{k}={v}" for k, v in given[2])]).strip()


every_game = pytest.mark.parametrize("given", EVERY, ids=called)


def walk(game: Game, seed: int, **modes: bool) -> Iterator[State]:
    """The states of one random game."""
    chance = random.Random(seed)
    state = game.start(seed, **modes)
    yield state
    while not state.is_over:
        state = step(state, chance)
        yield state


def step(state: State, chance: random.Random) -> State:
    if state.is_chance:
        outcomes = state.chance_outcomes()
        return state.apply(chance.choices(outcomes, [o.weight for o in outcomes])[0])
    seat = chance.choice(state.seats_to_act)
    return state.apply(chance.choice(state.options(seat)), seat)


def some_states(game: Game, number: int = STATES, **modes: bool) -> Iterator[State]:
    """States from random games, all of each game until there are enough; of a big game a few,
    from all over it."""
    if game in map(load, BIG):
        states = list(walk(game, number, **modes))
        few = max(3, number * FEW // STATES)
        yield from (
            states[at] for at in sorted(random.Random(number).sample(range(len(states)), few))
        )
        return
    found = 0
    for seed in itertools.count():
        for state in walk(game, seed, **modes):
            yield state
            found += 1
        if found >= number:
            return


def play_on(state: State, seed: int) -> State:
    chance = random.Random(seed)
    while not state.is_over:
        state = step(state, chance)
        assert check_buffer(state.game.program, state.buffer) == []
    return state


def sent(state: State, seat: int | None) -> str:
    """Everything a seat is sent about a state, but for the log."""
    view = state.view(seat)
    options = []
    if seat is not None and seat in view.to_act:
        options = [[option.text, option.words] for option in state.options(seat)]
    return json.dumps([view.as_data(), options])


# ---- (a), (b): what a seat is sent is the same in all states it could be in


@every_game
def test_laws_hold(given: Given) -> None:
    """Among them: what a seat is sent is the same in all states that are imagined for it."""
    game = load(given)
    for seed in range(3 if given in LESS else 1):
        few = {} if given in LESS else {"every": 40}
        assert list(broken_laws(game, seed, 400, **few)) == []


# Who has nothing to play is not asked, and who is luckiest is: the rules of these mean to tell it.
TOLD = ("lets",)


@pytest.mark.parametrize("given", [g for g in EVERY if g[0] not in TOLD], ids=called)
def test_twins_are_offered_and_asked_the_same(given: Given) -> None:
    """Two games that differ only in what a seat cannot know: nobody is offered anything else in
    one of them, and nobody is passed over in silence."""
    loaded = load(given)
    game = Game(loaded.program, loaded.rules, "reference")  # a few searches are not worth compiling
    for viewer in (*range(game.players), None) if given in LESS else (0,):
        leaks = hunt(game, viewer, 1, 30 if given in LESS else 5)
        assert not {"RR801", "RR803"} & {sort_of(leak) for leak in leaks}


@every_game
def test_imagined_states_can_be_played(given: Given) -> None:
    game = load(given)
    for number, state in enumerate(some_states(game, STATES // 2)):
        for seat in range(game.players) if given in LESS else [number % game.players]:
            play_on(interpreter.imagine(game, state.view(seat), number), number)


@pytest.mark.parametrize("given", [g for g in EVERY if g not in ALL_IN_ONE_PLACE], ids=called)
def test_imagining_is_not_always_the_truth(given: Given) -> None:
    """Else it would be the state itself that is handed out."""
    game = load(given)
    for state in some_states(game):
        if state.is_over:
            continue
        for seat in range(game.players):
            view = state.view(seat)
            hands = [view.masked] + [
                tuple(interpreter.imagine(game, view, seed).buffer) for seed in range(6)
            ]
            if len({bytes(json.dumps(_hidden_part(game, m)), "ascii") for m in hands}) > 1:
                return
    raise AssertionError("nothing in this game is hidden")


def _hidden_part(game: Game, m: tuple[int, ...]) -> list[list[int]]:
    layout = game.program.layout
    found = [list(m[v.address : v.address + v.size]) for v in layout.variables if v.secret]
    return found + [list(m[k.where : k.where + len(k.row_of)]) for k in layout.kinds]


@every_game
def test_views_hold_no_random_stream(given: Given) -> None:
    game = load(given)
    for state in some_states(game, 10):
        for seat in range(game.players):
            masked = state.view(seat).masked
            assert masked[KEY] == masked[COUNTER] == 0


# ---- (a) for whole histories: exchange two pieces a seat has never known


def replayed(game: Game, history: list[tuple[int, str]]) -> State | None:
    """A game told again; None if it cannot be told that way."""
    state = game.start(explicit_chance=True, ask_when_forced=True)
    for seat, text in history:
        try:
            state = state.apply(text, None if seat < 0 else seat)
        except interpreter.IllegalOption:
            return None
    return state


def known_names(state: State, seat: int) -> set[str]:
    """The rows of all pieces a seat has known at any time, by the masks of the states."""
    found: set[str] = set()
    here: State | None = state
    while here is not None:
        for kind in here.game.program.layout.kinds:
            for piece, row in enumerate(kind.row_of):
                if knowledge.knows(here.buffer, kind, piece, seat):
                    found.add(kind.rows[row])
        for event in here.events:
            if event.word in ("moved", "shown") and event.values[-1] >> seat & 1:
                kind = here.game.program.layout.kinds[event.number]
                found.add(kind.rows[kind.row_of[event.values[0]]])
        here = here.previous
    return found


def exchanged(text: str, first: str, second: str) -> str:
    swap = {first: second, second: first}
    return _NAMES.sub(lambda m: swap.get(m[0], m[0]), text)


_NAMES = re.compile(r"(?<=: )[^][#(),]+")


HAND_GAMES = [
    ("kuhnPoker", 3, ()),
    ("leducPoker", 2, ()),
    ("trickTaking", 3, ()),
    ("trickTaking", 4, ()),
    ("passing", 0, ()),
    ("putting back", 0, ()),
    ("seals", 0, ()),
    ("refill", 0, ()),
    ("stealing", 0, ()),
    ("backs", 2, ()),
    ("lets", 0, ()),
]


def compare_exchanged(given: Given, kind: KindLayout, number: int, seeds: int) -> int:
    """Exchange pieces a seat does not know all through a game: the seat cannot tell. How many
    games were told in two ways."""
    game = load(given)
    chance = random.Random(5)
    compared = 0
    for seed in range(seeds):
        states = list(walk(game, seed, explicit_chance=True, ask_when_forced=True))
        stops = [state for state in states if not state.is_over and not state.is_chance]
        for state in chance.sample(stops, min(len(stops), 6)):
            if compared >= number:
                return compared
            history = [(who, option.text) for who, option in state.history()]
            for seat in range(game.players):
                told = retold(state, kind, seat, history, chance)
                other = replayed(game, told) if told != history else None
                if other is None:
                    continue
                assert sent(other, seat) == sent(state, seat)
                assert other.log(seat) == state.log(seat)
                assert information_state(
                    other.entries(seat), other.view(seat)
                ) == information_state(state.entries(seat), state.view(seat))
                assert other.view(seat).masked == state.view(seat).masked
                compared += 1
    return compared


def retold(
    state: State, kind: KindLayout, seat: int, history: list[tuple[int, str]], chance: random.Random
) -> list[tuple[int, str]]:
    """The history with two pieces exchanged that a seat has never known and cannot tell apart,
    one of which somebody has drawn or named; or the same history if there are none."""
    named = {name for who, text in history if who != seat for name in _NAMES.findall(text)}
    at = {
        kind.rows[row]: (kind.public_label[row] if kind.hidden_fields else "", kind.back[row:][:1])
        for piece, row in enumerate(kind.row_of)
        if not knowledge.knows(state.buffer, kind, piece, seat)
    }
    if not named & set(at):
        return history
    unknown = sorted(set(at) - known_names(state, seat))
    pairs = [(a, b) for a in unknown if a in named for b in unknown if a != b and at[a] == at[b]]
    if not pairs:
        return history
    pair = chance.choice(pairs)
    return [(who, text if who == seat else exchanged(text, *pair)) for who, text in history]


@pytest.mark.parametrize("given", HAND_GAMES, ids=called)
def test_exchanging_unknown_pieces_changes_nothing(given: Given) -> None:
    assert compare_exchanged(given, load(given).program.layout.kinds[0], 40, 200) > 15


HIDDEN_KINDS = [
    (("payDirt", 3, ()), "Dirt"),
    (("payDirt", 3, ()), "Hardship"),
    (("dinosaurRush", 3, ()), "BonusCard"),
    (("dinosaurRush", 4, ()), "Token"),
    (("gaagaaGo", 4, ()), "Card"),
    (("gaagaaGo", 3, (("mode", "advanced"),)), "Card"),
    pytest.param(("gaagaaGo", 3, (("mode", "advanced"),)), "Token", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("given", "name"), HIDDEN_KINDS)
def test_exchanging_pieces_of_big_games(given: Given, name: str) -> None:
    kind = next(each for each in load(given).program.layout.kinds if each.name == name)
    assert compare_exchanged(given, kind, 4, 60) >= 4


@pytest.mark.slow
@pytest.mark.parametrize(("given", "name"), HIDDEN_KINDS[:-1])
def test_exchanging_many_pieces_of_big_games(given: Given, name: str) -> None:
    kind = next(each for each in load(given).program.layout.kinds if each.name == name)
    assert compare_exchanged(given, kind, 60, 60) >= 40


@pytest.mark.parametrize("given", [("liarsDice", 2, ()), ("liarsDice", 3, (("faces", 4),))])
def test_other_dice_change_nothing(given: Given) -> None:
    game = load(given)
    chance = random.Random(6)
    for seed in range(100):
        states = list(walk(game, seed, explicit_chance=True, ask_when_forced=True))
        state = chance.choice([s for s in states if not s.is_over and not s.is_chance])
        seat = chance.randrange(game.players)
        history = [(who, option.text) for who, option in state.history()]
        for position in range(game.players):
            if position != seat:
                history[position] = (-1, f"roll(dice: {chance.randint(1, 4)})")
        other = replayed(game, history)
        assert other is not None
        assert sent(other, seat) == sent(state, seat)
        assert information_state(other.entries(seat), other.view(seat)) == information_state(
            state.entries(seat), state.view(seat)
        )
        assert other.log(None) == state.log(None)


# ---- (c) sealed answers


def answers(state: State, chance: random.Random) -> dict[int, list[str]]:
    """What each seat is going to answer in the sealed block a state stands at."""
    found: dict[int, list[str]] = {}
    for seat in range(state.game.players):
        here, texts = state, []
        while seat in here.seats_to_act and here.buffer[STATUS] == SEALING:
            option = chance.choice(here.options(seat))
            texts.append(option.text)
            done = len(here.seats_to_act) == 1 and here is not state
            here = here.apply(option, seat)
            if done or here.view(seat).to_act.count(seat) == 0:
                break
        found[seat] = texts
    return found


def orders(counts: dict[int, list[str]]) -> list[tuple[int, ...]]:
    """All interleavings, in a random order."""
    every = [seat for seat, texts in counts.items() for _ in texts]
    found = sorted(set(itertools.permutations(every)))
    random.Random(len(found)).shuffle(found)
    return found


@pytest.mark.parametrize(
    "given", [("seals", 0, ()), ("goofspiel", 3, (("cards", 4), ("bids", "hidden")))], ids=called
)
def test_order_of_sealed_answers_does_not_matter(given: Given) -> None:
    game = load(given)
    chance = random.Random(8)
    blocks = 0
    for state in some_states(game, 40):
        lengths = game.program.layout.sealed_length
        begun = any(state.buffer[lengths : lengths + game.players])
        if state.buffer[STATUS] != SEALING or begun:
            continue
        blocks += 1
        chosen = answers(state, chance)
        ends: list[State] = []
        for number, order in enumerate(orders(chosen)):
            left = {seat: list(texts) for seat, texts in chosen.items()}
            here = state
            for seat in order:
                watched = [s for s in range(game.players) if s != seat and number < 4]
                before = {s: sent(here, s) for s in watched}
                logs = {s: here.log(s) for s in watched}
                here = here.apply(left[seat].pop(0), seat)
                if here.buffer[STATUS] == SEALING and any(left.values()):
                    for other, expected in before.items():
                        assert sent(here, other) == expected  # nobody sees anybody answer
                        assert here.log(other) == logs[other]
            ends.append(here)
        first = ends[0]
        for end in ends:
            assert end.save() == first.save()
            for seat in [*range(game.players), None]:
                assert end.log(seat) == first.log(seat)
    assert blocks > 3


def test_sealed_log() -> None:
    """Others' answers appear together, in seat order, with what stays secret left out."""
    game = load(("seals", 0, ()))
    state = game.start(seed=3)
    start = len(state.log(0))
    card = state.options(2)  # player 3 answers first
    assert card[0].text == "choose(n: 0)"
    state = state.apply("choose(n: 0)", 2).apply("choose(n: 2)", 1)
    assert state.log(0)[start:] == []
    assert state.log(2)[start:] == ["P3: think of 0"]
    state = state.apply(state.options(1)[0], 1).apply("choose(n: 0)", 0)
    lines = state.log(0)[start:]
    # How many choices somebody has made is told to nobody, whatever came of them.
    assert lines[:3] == ["P1: think of 0", "P2 chooses in secret", "P3 chooses in secret"]
    assert place(state, 0, "table")[0] in game.program.layout.kinds[0].rows
    for seat, number in enumerate((3, 1, 2)):
        state = state.apply(f"choose(n: {number})", seat)
    assert state.log(None)[-6:-3] == ["P1: bid 3", "P2: bid 1", "P3: bid 2"]


# ---- (d) undo


@every_game
def test_undo(given: Given) -> None:
    game = load(given)
    everyone = range(game.players)
    for state in some_states(game, ask_when_forced=True):
        if state.decision is None or state.previous is None:
            assert not state.can_undo
            continue
        before, seat, option = state.previous, *state.decision
        if state.can_undo:
            assert state.undo() is before
            assert before.buffer[COUNTER] == state.buffer[COUNTER]
            for kind in game.program.layout.kinds:
                for piece in range(len(kind.row_of)):
                    knew = pieces.who_knows(before.buffer, kind, piece)
                    assert not pieces.who_knows(state.buffer, kind, piece) & ~knew
            # The one who acts has learnt nothing: it would look the same whatever is hidden.
            view = before.view(seat)
            for seed in range(3):
                imagined = interpreter.imagine(game, view, seed).apply(option, seat)
                assert sent(imagined, seat) == sent(state, seat)
            continue
        with pytest.raises(ValueError, match="cannot be taken back"):
            state.undo()
        chance = any(event.word == "chance" for event in state.events)
        shown = any(
            event.word in ("moved", "shown") and event.values[-1] & ~event.values[-2]
            for event in state.events
        )
        others = any(e.word == "forced" and e.seat != seat for e in state.events)
        looked = any(event.word == "secret" for event in state.events)
        told = before.buffer[STATUS] != SEALING and not all(
            tells_nothing(game.program, m, m[MENU], viewer)
            for m, viewer in ((before.buffer, -1), (state.buffer, seat))
            if m[STATUS] == DECISION
        )
        told = told or any(event.word == "passed" and event.seat != seat for event in state.events)
        sealed = before.buffer[STATUS] == SEALING and all(
            state.buffer[game.program.layout.sealed_length + s] == 0 for s in everyone
        )
        waits = state.buffer[STATUS] == SEALING and seat not in state.seats_to_act
        assert chance or shown or others or looked or told or sealed or waits or state.is_over


def test_undo_is_possible_somewhere() -> None:
    """Betting in poker can be taken back, but not the bet that turns up a card."""
    state = load(("leducPoker", 2, ())).start(seed=1).apply("raise")
    assert state.can_undo
    called_ = state.apply("call")
    assert not called_.can_undo
    assert state.undo().apply("call").decision is not None


# ---- (e) saving


def test_saved_states_are_of_one_ruleset() -> None:
    state = load(("leducPoker", 2, ())).start(seed=1)
    with pytest.raises(ValueError, match="other rules"):
        load(("kuhnPoker", 2, ())).restore(state.save())


# ---- (f) chance


@every_game
def test_chance_can_be_played_outcome_by_outcome(given: Given) -> None:
    """A game whose chance was drawn is the game in which the same outcomes were chosen."""
    game = load(given)
    for seed in range(3 if given in LESS else 1):
        states = list(walk(game, seed))
        told = game.start(explicit_chance=True)
        for state in states[: 40 if given in LESS else 12]:
            if state.decision is not None:
                told = told.apply(state.decision[1].text, state.decision[0])
            drawn = [event for event in state.events if event.word == "chance"]
            while told.is_chance:
                outcomes = told.chance_outcomes()
                assert len(outcomes) > 1 and len({o.text for o in outcomes}) == len(outcomes)
                assert all(outcome.weight > 0 for outcome in outcomes)
                told, drawn = _same_outcome(told, drawn)
                assert check_buffer(game.program, told.buffer) == []
            loose = (KEY, COUNTER, MODE, STEPS, TOTAL_STEPS)
            assert _without(told.buffer, loose) == _without(state.buffer, loose)
            for seat in [*range(game.players), None]:
                assert told.log(seat) == state.log(seat)
                assert sent(told, seat) == sent(state, seat)


def _same_outcome(told: State, drawn: list) -> tuple[State, list]:
    """Apply the outcome that was drawn; events of certain outcomes are passed over."""
    for position, event in enumerate(drawn):
        for outcome in told.chance_outcomes():
            after = told.apply(outcome)
            found = next(e for e in after.events if e.word == "chance")
            same_row = _row(told, found) == _row(told, event)
            if found.number == event.number and same_row:
                return after, drawn[position + 1 :]
    raise AssertionError("what was drawn is no outcome")


def _row(state: State, event) -> int:
    program = state.game.program
    type_ = program.event_types[event.number]
    value = event.values[0]
    for kind in program.layout.kinds:
        if type_.sort == "kind" and kind.name == type_.name and not kind.fungible:
            return kind.row_of[value]
    return value


def _without(m: list[int], cells: tuple[int, ...]) -> list[int]:
    return [value for cell, value in enumerate(m) if cell not in cells]


def test_weights_count_copies() -> None:
    state = load(("bags", 0, ())).start(explicit_chance=True)
    weights = {o.text: o.weight for o in state.chance_outcomes()}
    assert weights == {"draw(bag: red)": 3, "draw(bag: blue)": 2, "draw(bag: white)": 1}
    state = state.apply("draw(bag: red)")
    weights = {o.text: o.weight for o in state.chance_outcomes()}
    assert weights == {"draw(bag: red)": 2, "draw(bag: blue)": 2, "draw(bag: white)": 1}


def test_an_open_bag_is_drawn_from_by_chance() -> None:
    """Seeing what is in a bag does not mean choosing from it."""
    text = """
game "Open bag"
players 1
kind Token: red 2, blue 1
the game has
    open: bag of Token, face up, holds all
    table: row of Token
play
    draw 1 from open to table
"""
    state = interpreter.load_text(text).start(explicit_chance=True)
    weights = {o.text: o.weight for o in state.chance_outcomes()}
    assert weights == {"draw(open: red)": 2, "draw(open: blue)": 1}


# ---- (g) every state is sound


@every_game
def test_states_are_sound(given: Given) -> None:
    game = load(given)
    for modes in ({}, {"explicit_chance": True}, {"ask_when_forced": True}):
        for state in some_states(game, 30, **modes):
            assert check_buffer(game.program, state.buffer) == []
            for seat in range(game.players):
                assert check_buffer(game.program, list(state.view(seat).masked)) == []


def test_unsound_states_are_found() -> None:
    game = load(("trickTaking", 3, ()))
    state = game.start(seed=1)
    kind = game.program.layout.kinds[0]
    for cell, value in [
        (STATUS, 0),
        (kind.where + 3, 99),
        (kind.position + 3, 30),
        (kind.known + 3, 1 << 5),
        (kind.instance_address[1], 3),
        (kind.instance_address[2], -1),
        (kind.instance_address[2] + pieces.CONTENTS, 31),
        (game.program.layout.variables[0].address + 1, 17),
        (game.program.layout.frames + game.program.layout.frames_size - 1, 7),
    ]:
        broken = list(state.buffer)
        broken[cell] = value
        assert check_buffer(game.program, broken) != [], cell
    assert check_buffer(game.program, state.buffer[:-1]) != []


# ---- what single seats know


def place(state: State, seat: int | None, name: str) -> list[str]:
    found = next(p for p in state.view(seat).places if p.name == name)
    return [piece.label for piece in found.pieces]


def test_peeking() -> None:
    state = load(("peek", 0, ())).start(seed=4)
    state = state.apply("look(c: table#2)")
    assert place(state, 0, "table")[1] != "?" and place(state, 0, "table")[0] == "?"
    assert place(state, 1, "table") == ["?", "?", "?"]
    assert place(state, None, "table") == ["?", "?", "?"]
    name = place(state, 0, "table")[1]
    assert state.log(0)[-2:] == ["P1: look at card 2", f"shown to P1, table#2: {name}"]
    assert state.log(1)[-2:] == ["P1: look at card 2", "shown to P1, table#2: ?"]
    assert not state.can_undo


def test_passing_a_card_face_down() -> None:
    game = load(("passing", 0, ()))
    for seed in range(20):
        state = game.start(seed=seed, ask_when_forced=True)
        card = state.options(0)[0]
        name = card.text.removeprefix("choose(card: ").removesuffix(")")
        after = state.apply(card)
        assert name in place(after, 1, "P2.hand")
        assert place(after, 0, "P2.hand").count(name) >= 1  # who passed it still knows it
        assert after.log(2)[-1] == "P1: pass a card on"
        assert after.log(1)[-1] == f"P1: pass {name} on"


def test_known_card_passed_on_among_others_is_lost() -> None:
    """Player 3 saw a card go to player 1's hand; once that hand passes one on face down, it
    could be either."""
    game = load(("passing", 0, ()))
    state = game.start(seed=2)
    holder = next(
        seat for seat in range(3) if any(n != "?" for n in place(state, None, f"P{seat + 1}.hand"))
    )
    watcher = (holder + 2) % 3
    assert any(n != "?" for n in place(state, watcher, f"P{holder + 1}.hand"))
    while state.decision is None or state.decision[0] != holder:
        state = state.apply(state.options()[0])
    assert all(n == "?" for n in place(state, None, f"P{holder + 1}.hand"))


def test_putting_back() -> None:
    game = load(("putting back", 0, ()))
    state = game.start(seed=1)
    own = next(o for o in state.options(0) if o.text.startswith("over"))
    name = own.text.removeprefix("over(card: ").removesuffix(")")
    state = state.apply(own)
    assert place(state, 0, "deck")[-1] == name  # on top, and only its owner knows
    assert place(state, 1, "deck")[-1] == "?"
    mixed = state.apply("mix")
    assert place(mixed, 0, "deck").count("?") == len(place(mixed, 0, "deck"))
    state = state.apply("pass")
    assert name in place(state, 1, "P2.hand") and name in place(state, 0, "P2.hand")
    under = next(o for o in state.options(1) if o.text == f"under(card: {name})")
    state = state.apply(under)
    assert place(state, 1, "deck")[0] == name and place(state, 0, "deck")[0] == "?"


def test_hidden_fields() -> None:
    game = load(("treasure", 2, ()))
    state = game.start(seed=1)
    row = place(state, 0, "row")
    assert set(row) <= {"poor", "rich"} and len(row) == 4
    assert place(state, 0, "stock") == ["?"] * 3
    state = state.apply("tap(c: row#1)").apply("take(c: row#3)").apply("tap(c: row#1)")
    assert place(state, 0, "row")[0] not in ("poor", "rich")
    assert place(state, 1, "row")[0] == row[0]
    chests = next(p for p in state.view(1).places if p.name == "row").pieces
    assert dict(chests[0].marks)["taps"] == "2"
    assert place(state, 0, "P2.store") == ["?"] and place(state, 1, "P2.store") == [row[2]]


def test_backs() -> None:
    """What is on the back of a card is seen in closed hands and on face-down cards."""
    game = load(("backs", 2, ()))
    backs = {"one": "red card", "three": "red old card", "five": "blue card"}
    backs |= {"two": backs["one"], "four": backs["three"], "eight": backs["one"]}
    backs |= {"six": backs["five"], "seven": backs["five"]}
    for seed in range(5):
        state = game.start(seed=seed)
        hand = place(state, 1, "P2.hand")
        seen = sorted(backs[card] for card in hand)
        assert sorted(place(state, 0, "P2.hand")) == sorted(place(state, None, "P2.hand")) == seen
        for number in range(4):
            imagined = interpreter.imagine(game, state.view(0), number)
            assert sorted(backs[card] for card in place(imagined, 1, "P2.hand")) == seen
        drawn = [line for line in state.log(0) if line.startswith("P2 draws")]
        assert sorted(line.split(" draws ")[1].split(" from")[0] for line in drawn) == seen
        asked = [option.text for option in state.options(0) if option.text.startswith("ask")]
        assert len(asked) == seen.count("red old card")
        card = state.options(0)[-2].text
        if card.startswith("lay"):
            after = state.apply(card)
            assert place(after, 1, "laid") == [backs[card.removeprefix("lay(card: ")[:-1]]]


def test_what_the_rules_work_out() -> None:
    """What `let` keeps over a decision is in the views of those who can work it out, too; in
    imagined states it fits the cards imagined."""
    game = load(("lets", 0, ()))
    routine = next(each for each in game.program.routines if each.name == "ask")
    most, everything, mine, more, ace = (routine.address + each for each in (2, 4, 5, 6, 7))
    for seed in range(5):
        state = game.start(seed=seed)
        first, second = (sum(map(int, place(state, p, f"P{p + 1}.hand"))) for p in (0, 1))
        cells = [most, everything, mine, more, ace]
        has_ace = int("9" in place(state, 1, "P2.hand"))
        luck = next(v for v in game.program.layout.variables if v.name == "luck").address
        known = [second, 2 * second, first, 2 * second + state.buffer[luck + 1], has_ace]
        assert [state.buffer[cell] for cell in cells] == known
        assert [state.view(0).masked[cell] for cell in cells] == [0, 0, first, 0, 0]
        assert [state.view(1).masked[cell] for cell in cells] == [*known[:2], 0, *known[3:]]
        assert [state.view(2).masked[cell] for cell in cells] == [0] * 5
        assert [state.view(None).masked[cell] for cell in cells] == [0] * 5
        for number in range(4):
            imagined = interpreter.imagine(game, state.view(0), number)
            total = sum(map(int, place(imagined, 1, "P2.hand")))
            assert [imagined.buffer[cell] for cell in cells[:3]] == [total, 2 * total, first]
            assert imagined.buffer[ace] == int("9" in place(imagined, 1, "P2.hand"))


def test_options_name_no_hidden_piece() -> None:
    state = load(("peek", 0, ())).start(seed=4)
    option = state.options(0)[0]
    carried = {field.name: getattr(option, field.name) for field in fields(option)}
    words = "look at card 1"
    chance = {"weight": 1, "total": 1, "about": "", "value": None}  # says nothing of a choice
    assert carried == {"text": "look(c: table#1)", "words": words, "seat": 0, **chance}


def test_stealing() -> None:
    """Two know what was stolen: who has it now and who had it."""
    game = load(("stealing", 0, ()))
    state = game.start(seed=1).apply("steal")
    lines = [state.log(seat)[-1] for seat in (0, 1, 2, None)]
    card = lines[0].rpartition(" ")[2]
    assert card in game.program.layout.kinds[0].rows
    assert lines[0] == lines[1] == f"random stolen to P1.hand: {card}"
    assert lines[2] == lines[3] == "random stolen: a card"


def test_pools_hide_nothing() -> None:
    text = BAGS.replace("cubes: pool of Cube", "cubes: pool of Cube, seen by owner")
    with pytest.raises(interpreter.RulesError, match="RR246"):
        interpreter.load_text(text)


def test_logs_only_grow() -> None:
    for given in EVERY:
        game = load(given)
        for seat in [*range(game.players), None]:
            last: list[str] = []
            for state in itertools.islice(walk(game, 3), 50):
                lines = state.log(seat)
                assert lines[: len(last)] == last
                last = lines


TOSSED = """game "Tossed"
players 2
kind Card: 1..8
the game has
    deck: stack of Card, holds all
    bowl: bag of Card
each player has
    hand: hand of Card
    away: hand of Card
    pile: row of Card
play
    shuffle deck
    for each p in players
        draw 3 from deck to p.pile
        move all from p.pile to p.hand
        hide p.hand
        move all from p.hand to bowl
        draw 2 from bowl to p.hand
        p chooses c in p.hand where every(x in p.hand has x.value <= c.value) "toss the {c}"
        move c to p.away
"""


def test_to_have_seen_a_piece_before_does_not_name_it() -> None:
    """All this happens in one go: the cards are seen, go into a bag, and one that is drawn from it
    in secret is tossed because there is no choice."""
    for seed in range(20):
        state = interpreter.load_text(TOSSED).start(seed=seed)
        assert state.is_over
        for viewer in (0, 1, None):
            tossed = [line for line in state.log(viewer) if ": toss" in line]
            others = [
                line for line in tossed if viewer is None or not line.startswith(f"P{viewer + 1}")
            ]
            assert len(others) == (2 if viewer is None else 1)
            assert all(line.endswith(": toss a card") for line in others)
