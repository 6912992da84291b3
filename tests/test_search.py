"""Tree search: right where the truth is known, the same on both machines, and blind to secrets."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import cache, reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from differential import RULESETS

import interpreter
from interpreter.bots.bot import Stream, decide, make_bot
from interpreter.bots.search import Estimate, search
from interpreter.bots.tuning import usual
from interpreter.embedding import Backend, Game, Option, State, load, load_text
from interpreter.imagination import Imagined, Imaginer
from interpreter.play.buffer import Choice
from interpreter.play.guided import Settings
from interpreter.play.native.emit import context
from interpreter.play.native.engine import Engine
from interpreter.play.native.grow import grow
from interpreter.play.uct import Root, Task
from interpreter.program.layout import HEADER, MENU
from interpreter.program.program import Program
from interpreter.view.imagining import Imagining, plan_of

pytest.importorskip("llvmlite")

PATHS = {path.stem: path for path in RULESETS}
HIDDEN = ["kuhnPoker", "leducPoker", "goofspiel", "liarsDice", "trickTaking"]
OPEN = ["ticTacToe", "connectFour", "oware", "pig"]


@cache
def game(name: str, backend: Backend = "native") -> Game:
    return load(PATHS[name], backend=backend)


def positions(of: Game, seed: int, every: int) -> list[State]:
    """States of a random game."""
    state, found, streams = of.start(seed), [], [Stream(seed, seat) for seat in range(of.players)]
    while not state.is_over:
        seat = state.seats_to_act[-1]
        if len(state.history()) % every == 0:
            found.append(state)
        state = state.apply(streams[seat].choose(state.options(seat)), seat)
    return found


def plain(estimates: list[Estimate]) -> list[tuple[str, int, float]]:
    return [(each.option.text, each.visits, each.value) for each in estimates]


# ---- where the truth is known


def worth(state: State, values: dict[bytes, int]) -> int:
    """By looking at everything: 1 if whoever is to move can win, 0 for a draw, -1."""
    key = state.save()
    if key not in values:
        values[key] = max(worth_after(state, option, values) for option in state.options())
    return values[key]


def worth_after(state: State, option: Option, values: dict[bytes, int]) -> int:
    after = state.apply(option)
    if not after.is_over:
        return -worth(after, values)
    if not after.winners:
        return 0
    return 1 if after.winners == state.seats_to_act else -1


def test_tic_tac_toe_is_played_perfectly() -> None:
    """Against the truth, worked out by looking at every continuation."""
    values: dict[bytes, int] = {}
    judged = 0
    for seed in range(12):
        for state in positions(game("ticTacToe"), seed, 1)[2:]:
            best = search(state.game, state.view(state.seats_to_act[0]), 3000)[0].option
            reached = worth_after(state, best, values)
            assert reached == worth(state, values), f"{state.history()}: {best}"
            judged += 1
    assert judged > 40


def test_nim_is_won_where_it_can_be() -> None:
    """The theory of Nim: leave heaps whose exclusive or is nothing."""
    nim = load(PATHS["nim"], options={"misere": "no"})
    address = next(each.address for each in nim.program.layout.variables if each.name == "sticks")
    won = 0
    for seed in range(8):
        for state in positions(nim, seed, 1)[3:]:
            heaps = state.buffer[address : address + 4]
            if reduce(xor, heaps):
                best = search(nim, state.view(state.seats_to_act[0]), 20_000)[0].option
                after = state.apply(best).buffer[address : address + 4]
                assert reduce(xor, after) == 0, f"{heaps}: {best}"
                won += 1
    assert won > 10


def test_the_highest_card_is_never_given_up() -> None:
    """In Kuhn poker it wins whatever the other holds, once a bet is called."""
    of, judged = game("kuhnPoker"), 0
    for seed in range(30):
        state = of.start(seed)
        state = state.apply(state.options()[-1])
        seat = state.seats_to_act[0]
        view = state.view(seat)
        own = next(each for each in view.places if each.owner == seat)
        if own.pieces[0].name == "3":
            best = search(of, view, 200)[0]
            assert (best.option.text, best.value) == ("bet", 1.0)
            judged += 1
    assert judged > 3


@pytest.mark.parametrize(
    "name, games, least", [("connectFour", 10, 10), ("leducPoker", 40, 24), ("goofspiel", 10, 8)]
)
def test_it_beats_chance(name: str, games: int, least: int) -> None:
    of = game(name)
    bots = [make_bot("search:400", of), make_bot("random", of)]
    won = 0.0
    for seed in range(games):
        streams = [Stream(seed, seat) for seat in range(2)]
        state = of.start(seed)
        while not state.is_over:
            seat = state.seats_to_act[0]
            bot = bots[(seat + seed) % 2]
            state = state.apply(decide(bot, state, seat, streams[seat]), seat)
        own = seed % 2
        won += (own in state.winners) / max(1, len(state.winners))
    assert won >= least


# ---- the same on both machines, whatever the number of threads


@pytest.mark.parametrize("name", [*HIDDEN, *OPEN])
def test_both_machines_find_the_same(name: str) -> None:
    compared = 0
    for state in positions(game(name), 5, 7):
        for seat in state.seats_to_act:
            view = state.view(seat)
            found = search(game(name), view, 30, seed=compared, trees=2)
            wanted = search(game(name, "reference"), view, 30, seed=compared, trees=2)
            assert plain(found) == plain(wanted)
            assert sum(each.visits for each in found) == 30
            compared += 1
    assert compared


class Tidy:
    """A policy that likes low numbers: the entry of a choice, then its first value."""

    def __init__(self, program: Program) -> None:
        self.menus = program.menus
        kinds = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, *[ctypes.c_void_p] * 2)
        form = ctypes.CFUNCTYPE(None, *kinds, ctypes.c_int64, ctypes.c_void_p)
        self.called = form(self._weigh)

    def weigh(self, m: list[int], seat: int, choices: Sequence[Choice]) -> list[int]:
        return [-300 * choice[0] - 7 * sum(choice[1:2]) + seat for choice in choices]

    def _weigh(
        self, policy: int, state: int, seat: int, rows: int, entries: int, count: int, out: int
    ) -> None:
        words = ctypes.c_int64 * count
        found = zip(words.from_address(entries), words.from_address(rows), strict=True)
        menu = self.menus[(ctypes.c_int64 * HEADER).from_address(state)[MENU]]
        choices = [
            (entry, *(ctypes.c_int64 * len(menu.entries[entry].cells)).from_address(row))
            for entry, row in found
        ]
        words.from_address(out)[:] = self.weigh([], seat, choices)

    def native(self) -> tuple[int, int]:
        return ctypes.cast(self.called, ctypes.c_void_p).value or 0, 0


SETTINGS = {
    "learned": Settings(learned=3),
    "trusted": Settings(learned=2, trust=4, score=40),
    "cut": Settings(cut=9, score=100, haste=7),
    "score": Settings(score=50, exploration=0.4),
    "policy": Settings(sharp=60, prior=1.5),
    "policy doubted": Settings(prior=1.5, doubt=20),
    "anew": Settings(anew=2, cut=60),
    "learned anew": Settings(anew=1, learned=2),
    "evenly": Settings(evenly=100, score=40),
    "evenly learned": Settings(evenly=30, learned=2, trust=4),
}


@pytest.mark.parametrize("word", SETTINGS)
@pytest.mark.parametrize("name", ["goofspiel", "trickTaking", "oware", "connectFour", "pig"])
def test_both_machines_find_the_same_with_settings(name: str, word: str) -> None:
    compared = 0
    for state in positions(game(name), 6, 11):
        seat = state.seats_to_act[-1]
        asked = {
            "seed": compared,
            "trees": 2,
            "settings": SETTINGS[word],
            "policy": Tidy(game(name).program),
            "careless": [30 * compared % 101] * game(name).players,
        }
        found, wanted = (
            search(game(name, backend), state.view(seat), 30, **asked)
            for backend in ("native", "reference")
        )
        assert plain(found) == plain(wanted)
        compared += 1
    assert compared


@pytest.mark.slow
@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_both_machines_find_the_same_everywhere(path: object) -> None:
    rules = load(str(path)).rules
    assert rules is not None
    for players in range(rules.players[0], rules.players[1] + 1):
        native, reference = (
            load(str(path), players, backend=backend) for backend in ("native", "reference")
        )
        for number, state in enumerate(positions(native, players, 37)):
            view = state.view(state.seats_to_act[-1])
            found = search(native, view, 15, seed=number)
            assert plain(found) == plain(search(reference, view, 15, seed=number))


@pytest.mark.parametrize("name", ["goofspiel", "trickTaking", "connectFour"])
def test_threads_do_not_matter(name: str) -> None:
    settings = Settings(evenly=50)
    state = positions(game(name), 3, 4)[1]
    view = state.view(state.seats_to_act[0])
    found = {
        threads: plain(
            search(game(name), view, 700, seed=9, trees=7, threads=threads, settings=settings)
        )
        for threads in (1, 2, 7)
    }
    assert found[1] == found[2] == found[7]


BEST_CARD = """game "Best card"
players 2
kind Card: 1..9
the game has
    deck: stack of Card, holds all
    table: row of Card, face up
each player has
    hand: hand of Card
setup
    shuffle deck
    for each p in players
        draw 3 from deck to p.hand
play
    let best = max(card.value for card in P1.hand)
    turns
        me chooses card in me.hand
        move card to table
        if number of table = 4
            if best > 6
                P1 wins
            else
                P2 wins
"""


def test_what_must_be_worked_out_is_imagined_beforehand() -> None:
    """The best card of a closed hand is kept by the rules over all decisions."""
    native, reference = (load_text(BEST_CARD, 2, backend=b) for b in ("native", "reference"))
    state = native.start(1)
    state = state.apply(state.options()[0])
    assert state.seats_to_act == (1,)
    assert not Imagining(native.machine, state.view(1)).is_dealing
    found = search(native, state.view(1), 200, trees=2)
    assert plain(found) == plain(search(reference, state.view(1), 200, trees=2))
    assert 0 < found[0].value < 1  # both kinds of hands were imagined


# ---- blind to what its seat cannot see


def test_options_are_looked_up_in_the_view_where_it_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are the same in all states that a seat cannot tell apart."""
    asked: list[int] = []
    within = Imaginer.within

    def counted(imaginer: Imaginer, seed: int, *given: Any) -> Imagined:
        asked.append(seed)
        return within(imaginer, seed, *given)

    monkeypatch.setattr(Imaginer, "within", counted)
    for name, imagined in (("ohHell", False), ("phantomTicTacToe", True)):
        of, lacking = game(name), 0
        for state in positions(of, 2, every=2):
            seat = state.seats_to_act[-1]
            view = state.view(seat)
            lacks = not State(of, list(view.masked), 0, None, None, ()).options(seat)
            asked.clear()
            found = search(of, view, 5)
            assert {each.option for each in found} == set(state.options(seat))
            assert bool(asked) == (lacks or view.story is not None)
            lacking += lacks
        assert bool(lacking) == imagined


@pytest.mark.parametrize("name", HIDDEN)
def test_what_others_hide_does_not_matter(name: str) -> None:
    """In every state that looks the same to a seat, it finds the same."""
    of, compared = game(name), 0
    for state in positions(of, 11, 5):
        for seat in state.seats_to_act:
            view = state.view(seat)
            other = interpreter.imagine(of, view, 77)
            compared += other.buffer != state.buffer
            assert search(of, other.view(seat), 50) == search(of, view, 50)
    assert compared


MATCHING = """game "Matching pennies"
players 2
each player has
    side: 0..1, secret
play
    sealed for p
        p chooses s in 0..1
        p.side := s
    if P1.side = P2.side
        P1 wins
    else
        P2 wins
"""


def test_a_sealed_choice_is_no_answer_to_another() -> None:
    """If the second seat's tallies went by what the first has sealed, P1 would always lose."""
    pennies = load_text(MATCHING)
    found = search(pennies, pennies.start(1).view(0), 4000)
    assert all(0.4 < each.value < 0.6 for each in found)


HIGHER = """game "Higher"
players 2
each player has
    bid: 1..6
play
    sealed for p
        p chooses n in 1..6
        p.bid := (n if p is P1 else 7 - n)
    if P1.bid > P2.bid
        P1 wins
    else if P2.bid > P1.bid
        P2 wins
    else
        nobody wins
"""


def test_each_seat_has_tallies_of_its_own() -> None:
    """What is best for one seat is worst for the other."""
    higher = load_text(HIGHER)
    state = higher.start(1)
    for seat, best in ((0, "choose(n: 6)"), (1, "choose(n: 1)")):
        found = search(higher, state.view(seat), 600)
        assert found[0].option.text == best
        assert sum(each.visits for each in found) == 600


# ---- settings


@pytest.mark.parametrize("word", ["learned", "cut"])
def test_what_others_hide_does_not_matter_with_settings(word: str) -> None:
    of, compared = game("trickTaking"), 0
    for state in positions(of, 12, 6):
        seat = state.seats_to_act[0]
        other = interpreter.imagine(of, state.view(seat), 78)
        compared += other.buffer != state.buffer
        views = (state.view(seat), other.view(seat))
        one, two = (search(of, view, 40, settings=SETTINGS[word]) for view in views)
        assert one == two
    assert compared


def test_threads_do_not_matter_with_settings() -> None:
    state = positions(game("goofspiel"), 3, 4)[1]
    view = state.view(state.seats_to_act[0])
    asked = {"seed": 9, "trees": 7, "settings": SETTINGS["trusted"]}
    found = [plain(search(game("goofspiel"), view, 300, threads=n, **asked)) for n in (1, 2, 7)]
    assert found[0] == found[1] == found[2]


ALONE = """game "Alone"
players 1
each player has
    points: 0..60
play
    repeat 3 times
        P1 chooses n in 1..6
        P1.points := P1.points + n
    end game
score p: p.points
"""


def test_who_plays_alone_plays_for_points() -> None:
    """Whoever is alone always wins; the score tells good choices from bad ones."""
    alone = load_text(ALONE, 1)
    found = search(alone, alone.start(1).view(0), 600, settings=usual(alone))
    assert found[0].option.text == "choose(n: 6)"
    assert found[0].value > found[-1].value


DAWDLING = """game "Dawdling"
players 2
the game has
    waited: 0..50
play
    turns
        me chooses
            wait "wait"
                when waited < 50
                waited := waited + 1
            win "win"
                when me is P1
                me wins
            finish "finish"
                when waited = 50
                nobody wins
"""


def test_with_haste_a_win_is_taken_at_once() -> None:
    dawdling = load_text(DAWDLING)
    view = dawdling.start(1).view(0)
    hasty = search(dawdling, view, 400, settings=Settings(haste=10))
    assert hasty[0].option.text == "win"
    assert hasty[1].value < hasty[0].value


NO_SCORE_YET = """game "No score yet"
players 2
the game has
    done: 0..4
play
    turns
        me chooses n in 0..1
        done := done + 1
        if done = 4
            end game
score p: 8 div (done div 4)
"""


def test_a_score_that_breaks_down_before_the_end_is_nothing() -> None:
    native, reference = (load_text(NO_SCORE_YET, backend=b) for b in ("native", "reference"))
    view = native.start(1).view(0)
    cut = Settings(cut=1, score=50)
    found = search(native, view, 2, settings=cut)
    assert plain(found) == plain(search(reference, view, 2, settings=cut))
    assert all(each.value == 0.5 for each in found)


# ---- time


def test_time_is_spent_and_not_more() -> None:
    """By a clock that goes on by a second whenever somebody looks at it."""
    of = game("connectFour")
    view = of.start(1).view(0)

    def visits(seconds: float) -> int:
        looks = iter(range(1000))
        found = search(of, view, seconds=seconds, clock=lambda: float(next(looks)))
        return sum(each.visits for each in found)

    assert 0 < visits(0.5) < visits(20.0) < visits(60.0)


def test_a_search_that_is_stopped_keeps_what_it_has() -> None:
    of = game("connectFour")
    view = of.start(1).view(0)
    stopped = search(of, view, 100_000, stop=lambda: True)
    assert 0 < sum(each.visits for each in stopped) < 100_000
    assert search(of, view, 3000, stop=lambda: False) == search(of, view, 3000)


# ---- rules that break down, and wrong questions


BROKEN = """game "Broken"
players 2
the game has
    n: 0..9 = 3
play
    turns
        me chooses
            down "down"
                n := n - 1
                if 6 div n = 6
                    me wins
            risk "risk"
                n := n div (n - 3)
"""


def test_games_in_which_rules_break_down_are_lost() -> None:
    native, reference = (load_text(BROKEN, backend=b) for b in ("native", "reference"))
    view = native.start(1).view(0)
    found = search(native, view, 100)
    assert plain(found) == plain(search(reference, view, 100))
    assert next(each.value for each in found if each.option.text == "risk") == 0


SEALED_AND_BROKEN = """game "Once more"
players 2
the game has
    n: -9..9
each player has
    risks: 0..9
play
    repeat 3 times
        sealed for p
            p chooses k in 0..2
            p.risks += k
            p chooses more in 0..1
            if p.risks < 4
                p.risks += more
        n := 5 div (P1.risks + P2.risks - 7)
score p: p.risks
"""


def test_what_breaks_down_after_sealed_choices_leaves_nothing_behind() -> None:
    native, reference = (load_text(SEALED_AND_BROKEN, backend=b) for b in ("native", "reference"))
    state = native.start(1)
    for seat in (0, 1):
        found = search(native, state.view(seat), 200)
        assert plain(found) == plain(search(reference, state.view(seat), 200))
        state = state.apply(state.options(seat)[1], seat)


@pytest.mark.parametrize("name", ["goofspiel", "hearts", "phantomTicTacToe"])
def test_the_state_a_sealed_choice_refers_to_is_the_same(name: str) -> None:
    """Native code copies of sealed choices only what was made."""
    of = game(name)
    assert isinstance(of.native, Engine)
    state, asked = of.start(3), 0
    for _ in range(12):
        for seat in state.seats_to_act:
            found = of.native.seen_by_chooser(state.buffer, seat)
            assert found == of.machine.seen_by_chooser(state.buffer, seat)
            asked += 1
        state = state.apply(state.options(state.seats_to_act[-1])[0], state.seats_to_act[-1])
    assert asked >= 12


def test_wrong_questions_are_refused() -> None:
    of = game("ticTacToe")
    state = of.start(1)
    for wrong in ({"games": 0}, {"games": 10**8}, {"trees": 0}, {"threads": 0}):
        with pytest.raises(ValueError, match="1 to 10,000,000"):
            search(of, state.view(0), **wrong)
    for careless in ([50], [0, 101], [-1, 0]):  # native code would read anything beyond
        with pytest.raises(ValueError, match="for each seat"):
            search(of, state.view(0), careless=careless)
    for seat in (1, None):
        with pytest.raises(ValueError, match="to choose"):
            search(of, state.view(seat))
    for text, words in {
        "serch": "Did you mean `search`",
        "search:0": "1 to 10,000,000",
        "search:many": "1 to 10,000,000",
        "random:5": "takes no number",
    }.items():
        with pytest.raises(ValueError, match=words):
            make_bot(text, of)


def test_what_is_no_state_is_refused() -> None:
    of = game("trickTaking")
    assert isinstance(of.native, Engine)
    view = of.start(1).view(0)
    kind = of.program.layout.kinds[0]
    for cell in (kind.where, kind.position, kind.instance_address[1]):
        wrong = list(view.masked)
        wrong[cell] = 1 << 40
        task = Task(0, (wrong,), plan_of(of.program, view), 10, 1)
        with pytest.raises(ValueError, match="no state of this game"):
            grow(of.native, task, Root(list(view.masked), [], 1), 1, 1)


def test_what_the_readme_shows_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(interpreter.__file__).parents[1]
    monkeypatch.chdir(root)
    shown = (root / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", shown, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def calls_a_game(name: str, settings: Settings) -> float:
    """How often a search calls the code of a game for each game that it tries, as long as each
    begins with an option that was never tried."""
    of = game(name)
    assert isinstance(of.native, Engine)
    made: list[int] = []
    for games in (3, 6):
        before = of.native.context.cells[context.CALLS]
        search(of, of.start(1).view(0), games, settings=settings)
        made.append(of.native.context.cells[context.CALLS] - before)
    return (made[1] - made[0]) / 3


def test_the_options_of_a_root_are_found_once_where_all_games_begin_alike() -> None:
    take_and_play = 2
    assert calls_a_game("ticTacToe", Settings()) == take_and_play
    assert calls_a_game("ticTacToe", Settings(learned=2)) == take_and_play + 1
    assert calls_a_game("goofspiel", Settings()) > take_and_play + 1  # dealt anew, and sealed


def test_what_was_searched_before_does_not_matter() -> None:
    """A long game asks the engine again and again."""
    of = game("ticTacToe")
    assert isinstance(of.native, Engine)
    view = of.start(1).view(0)
    assert len({tuple(plain(search(of, view, 50, seed=4))) for _ in range(20)}) == 1
    for games in (700, 50, 3000):  # in tables of any size
        again = [plain(search(of, view, games, seed=4)) for _ in range(2)]
        assert again[0] == again[1] == plain(search(load(PATHS["ticTacToe"]), view, games, seed=4))
