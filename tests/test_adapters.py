"""Every shipped ruleset obeys the conventions of PettingZoo, Gymnasium and OpenSpiel."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from random import Random

import numpy as np
import pytest

from interpreter.bots.bot import Stream, decide, random_bot
from interpreter.embedding import Game, load

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    evaluate_bots,
    expected_game_score,
    gambit,
    mcts,
)
from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402

from interpreter.adapters import gym, spiel, zoo  # noqa: E402
from interpreter.adapters.spaces import seats_of  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
RULESETS = sorted((ROOT / "rulesets").glob("*.rules")) + sorted(
    (ROOT / "rulesets" / "classics").glob("*.rules")
)
CLASSICS = ROOT / "rulesets" / "classics"
CYCLES = 6  # decisions a seat: games begin the same way however long they are
# OpenSpiel plays to the end, and asks everything of every state on the way.
LONG = {"chess", "gaagaaGo", "payDirt", "queenRun", "dinosaurRush", "quoridor", "battleship"}


@pytest.fixture(params=RULESETS, ids=lambda path: path.stem, scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param, backend="reference")


def test_pettingzoo(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(zoo.env(game), num_cycles=CYCLES)
        parallel_api_test(zoo.parallel_env(game), num_cycles=2 * CYCLES)
        seed_test(lambda: zoo.env(game), num_cycles=CYCLES)


def test_gymnasium(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gym.Seat(game))


def spiel_game(path: Path, more: str = "") -> spiel.RulerunGame:
    return pyspiel.load_game(f"{spiel.NAME}(file={path}{more})")


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow if path.stem in LONG else ()) for path in RULESETS],
    ids=lambda path: path.stem,
)
def test_openspiel(path: Path) -> None:
    pyspiel.random_sim_test(spiel_game(path), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["kuhnPoker", "goofspiel", "liarsDice", "pig"])
def test_states_of_openspiel_can_be_written_down(name: str) -> None:
    game = spiel_game(CLASSICS / f"{name}.rules")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("path", [path for path in RULESETS if path.stem in LONG], ids=str)
def test_long_games_of_openspiel_in_short(path: Path) -> None:
    """What `random_sim_test` asks, for the first decisions."""
    game, random = spiel_game(path), Random(1)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    state = game.new_initial_state()
    for _ in range(12):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(weight for _, weight in outcomes) == pytest.approx(1)
            state.apply_action(random.choice(outcomes)[0])
            continue
        seats = range(game.num_players())
        legal = [state.legal_actions(seat) for seat in seats]
        assert any(legal) and all(each == sorted(each) for each in legal)
        for seat in seats:
            observer.set_from(state, seat)
            assert np.isfinite(observer.tensor).all()
            assert observer.string_from(state, seat)
        copy = state.clone()
        if state.is_simultaneous_node():
            state.apply_actions([random.choice(each) if each else -1 for each in legal])
        else:
            state.apply_action(random.choice(legal[state.current_player()]))
        assert str(copy) != str(state)


def test_cfr_finds_the_value_of_kuhn_poker() -> None:
    game = spiel_game(CLASSICS / "kuhnPoker.rules", ",keep=True,zero_sum=True,low=-2.0,high=2.0")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(150):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value, _ = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value == pytest.approx(-1 / 18, abs=5e-4)
    assert len(solver._info_state_nodes) == 12


def test_cfr_finds_the_value_of_leduc_poker() -> None:
    """The whole tree goes to OpenSpiel once, which solves it in C++."""
    more = ",keep=True,zero_sum=True,low=-13.0,high=13.0"
    game = spiel_game(CLASSICS / "leducPoker.rules", more)
    tree = pyspiel.load_efg_game(gambit.export_gambit(game))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(250):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value, _ = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, False)
    assert value == pytest.approx(-0.0856, abs=1e-3)


def test_our_search_plays_in_openspiel() -> None:
    game = spiel_game(CLASSICS / "ticTacToe.rules")
    random = np.random.RandomState(1)
    gained = np.zeros(2)
    for seed in range(4):
        bots = [spiel.Bot(game, 0, "search:200", seed), spiel.Bot(game, 1, "random", seed)]
        gained += evaluate_bots.evaluate_bots(game.new_initial_state(), bots, random)
    assert gained[0] >= 3 and gained.sum() == 0


@pytest.mark.parametrize("name", ["ticTacToe", "kuhnPoker"])
def test_a_bot_of_openspiel_plays_at_our_table(name: str) -> None:
    game = spiel_game(CLASSICS / f"{name}.rules")
    random = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, random)
    guest = spiel.guest(game, mcts.MCTSBot(game, 1.4, 30, rollouts, random_state=random))
    total = 0
    for seed in range(4):
        state, bots = game.seats.game.start(seed), [guest, random_bot]
        streams = [Stream(seed, seat) for seat in range(2)]
        while not state.is_over:
            seat = state.seats_to_act[0]
            state = state.apply(decide(bots[seat], state, seat, streams[seat]), seat)
        total += game.seats.rewards(state)[0]
    assert name != "ticTacToe" or total >= 2


def test_what_openspiel_is_told_of_a_game() -> None:
    kinds = pyspiel.GameType
    chess = spiel_game(CLASSICS / "chess.rules").get_type()
    assert chess.information == kinds.Information.PERFECT_INFORMATION
    assert chess.chance_mode == kinds.ChanceMode.DETERMINISTIC
    goofspiel = spiel_game(CLASSICS / "goofspiel.rules", ",options=cards:4;order:descending")
    assert goofspiel.get_type().dynamics == kinds.Dynamics.SIMULTANEOUS
    assert goofspiel.num_distinct_actions() == 4


def test_mistakes_are_told() -> None:
    path = CLASSICS / "kuhnPoker.rules"
    with pytest.raises(ValueError, match="there is no reward `gold`"):
        seats_of(path, reward="gold")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 other seats, but 2 bots"):
        gym.Seat(path, bots=["random", "random"])
    with pytest.raises(Exception, match="which rules"):
        pyspiel.load_game(spiel.NAME)
    with pytest.raises(Exception, match="name:value"):
        spiel_game(path, ",options=cards")


def test_an_action_that_is_not_offered_loses() -> None:
    env = gym.Seat(CLASSICS / "ticTacToe.rules")
    observation, _ = env.reset(seed=1)
    taken = int(np.flatnonzero(observation["action_mask"])[0])
    env.step(taken)
    _, reward, over, _, info = env.step(taken)
    assert (reward, over, info) == (-1, True, {"illegal": True})


def examples() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## For researchers")[2].partition("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.S)


@pytest.mark.parametrize("example", examples())
def test_the_examples_run(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(example, "README.md", "exec"), {})
