"""OpenSpiel: any ruleset as a game of it.

    import pyspiel
    from interpreter.adapters import spiel

    game = pyspiel.load_game("python_rulerun(file=rulesets/classics/kuhnPoker.rules,players=2)")
    state = game.new_initial_state()
    print(state.chance_outcomes(), game.get_type().information)

Chance is a node of its own, with exact weights. Choices that are sealed are made at the same time:
each seat that is not done yet chooses once, and the others have no actions there.

Parameters: `file`, `players` (0: as few as can play), `options` (`cards:4;order:descending`),
`reward` (`outcome` or `score`), `zero_sum`, `low` and `high` (what a reward can be, where the rules
do not tell), and `keep`: what is found out about a state is kept for those who come there again, as
algorithms that go through the whole tree many times do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from interpreter import limits
from interpreter.adapters.spaces import Seats, seats_of
from interpreter.adapters.tensors import (
    Encoding,
    Tensor,
    action_width,
    write_action,
    write_told,
)
from interpreter.bots.bot import Bot as Seated
from interpreter.bots.bot import Stream, decide, make_bot
from interpreter.embedding import Option, State
from interpreter.imagination import imagine
from interpreter.play import pieces, uct
from interpreter.play.spaces.domains import bounds, is_countable
from interpreter.program import ops
from interpreter.program.layout import MODE, SEALING, STATUS, STOP_AT_CHANCE
from interpreter.program.program import Program
from interpreter.view.view import View

NAME = "python_rulerun"
_MEMORY = 16  # own actions in the tensor of an information state
_TOLD = 64  # numbers for what was told, in the same
_CHANCE = -1
_UNKNOWN = float(1 << 31)  # what a score can be, if nobody says
_PARAMETERS: dict[str, Any] = {
    "file": "", "players": 0, "options": "", "reward": "", "zero_sum": False, "low": 0.0,
    "high": 0.0, "keep": False,
}  # fmt: skip


def _game_type(
    title: str, dynamics: Any, chance: Any, information: Any, utility: Any, players: tuple[int, int]
) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name=title,
        dynamics=dynamics,
        chance_mode=chance,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _type_of(program: Program, players: tuple[int, int], zero_sum: bool) -> Any:
    kind = pyspiel.GameType
    draws = any(isinstance(op, ops.Chance) for op in program.code)
    return _game_type(
        program.title,
        kind.Dynamics.SIMULTANEOUS if program.layout.sealed_width else kind.Dynamics.SEQUENTIAL,
        kind.ChanceMode.EXPLICIT_STOCHASTIC if draws else kind.ChanceMode.DETERMINISTIC,
        kind.Information.PERFECT_INFORMATION
        if uct.observers(program) == 1
        else kind.Information.IMPERFECT_INFORMATION,
        kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        players,
    )


class RulerunGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset for some number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        if not given["file"]:
            raise ValueError(f"which rules? Write {NAME}(file=rules/of/a/game.rules)")
        self.seats: Seats = seats_of(
            given["file"], given["players"] or None, _options(given["options"]),
            given["reward"] or None,
        )  # fmt: skip
        game = self.seats.game
        program = game.program
        outcome = self.seats.reward == "outcome"
        known = given["low"] < given["high"]
        low, high = (given["low"], given["high"]) if known else (-_UNKNOWN, _UNKNOWN)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.seats.actions,
            max_chance_outcomes=_most_outcomes(program),
            num_players=program.players,
            min_utility=-1.0 if outcome else low,
            max_utility=1.0 if outcome else high,
            utility_sum=0.0 if given["zero_sum"] else None,
            max_game_length=program.most_moves or limits.MOVES_PER_GAME,
        )
        players = program.players, program.players
        super().__init__(_type_of(program, players, given["zero_sum"]), info, params or {})
        shared = _Shared(str(self), self.seats, bool(given["keep"]))
        self.first = _Moment(shared, game.start(explicit_chance=True), ((),) * program.players)

    def new_initial_state(self) -> RulerunState:
        return RulerunState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"there is nothing to set for an observer, but here is {params}")
        return Observer(self, bool(iig_obs_type and iig_obs_type.perfect_recall))


def _options(text: str) -> dict[str, str | int] | None:
    """`cards:4;order:descending`."""
    found: dict[str, str | int] = {}
    for part in filter(None, text.split(";")):
        name, colon, value = part.partition(":")
        if not colon:
            raise ValueError(f"`{part}`: options are written name:value;name:value")
        found[name] = int(value) if value.isdigit() else value
    return found or None


def _most_outcomes(program: Program) -> int:
    found = [1]
    for type_ in program.event_types:
        low, high = bounds(program, type_)
        found.append(high - low + 1 if is_countable(low, high) else limits.OPTIONS)
    return max(found)


@dataclass(slots=True, eq=False)
class _Moment:
    """A state, and what has been found out about it. It does not change, so copies share it; where
    it is written down, that is what led to it."""

    rules: _Shared
    state: State
    own: tuple[tuple[int, ...], ...]  # what each seat has chosen so far
    offered: dict[int, dict[int, Option]] = field(default_factory=dict)
    outcomes: list[Option] = field(default_factory=list)
    strings: dict[tuple[int, bool], str] = field(default_factory=dict)
    after: dict[tuple[int, ...], _Moment] = field(default_factory=dict)

    def offered_to(self, seat: int) -> dict[int, Option]:
        if seat not in self.offered:
            self.offered[seat] = self.rules.seats.offered(self.state, seat)
        return self.offered[seat]

    def then(self, option: Option, seat: int) -> _Moment:
        """After an option, or after an outcome of chance."""
        own = list(self.own)
        if not self.state.is_chance:
            offered = self.offered_to(seat)
            number = next(each for each, other in offered.items() if other == option)
            own[seat] = (*own[seat], number)
        return _Moment(self.rules, self.state.apply(option, seat), tuple(own))

    def __deepcopy__(self, memory: Any) -> _Moment:
        return self

    def __reduce__(self) -> Any:
        path = tuple((seat, str(option)) for seat, option in self.state.history())
        return _told_again, (self.rules.name, path)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What all states of a game share."""

    name: str
    seats: Seats
    keeps: bool


def _told_again(name: str, path: tuple[tuple[int, str], ...]) -> _Moment:
    moment: _Moment = _loaded(name).first
    for seat, text in path:
        moment = moment.then(moment.state.game.option(text), seat)
    return moment


@lru_cache(maxsize=8)
def _loaded(name: str) -> Any:
    return pyspiel.load_game(name)


class RulerunState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game, as OpenSpiel asks for it."""

    def __init__(self, game: RulerunGame) -> None:
        super().__init__(game)
        self.moment: _Moment = game.first

    @property
    def table(self) -> State:
        """The state, for those who know rulerun."""
        return self.moment.state

    def current_player(self) -> Any:
        state = self.moment.state
        if state.is_over:
            return pyspiel.PlayerId.TERMINAL
        if state.is_chance:
            return pyspiel.PlayerId.CHANCE
        if state.buffer[STATUS] == SEALING:
            return pyspiel.PlayerId.SIMULTANEOUS
        return state.seats_to_act[0]

    def is_terminal(self) -> bool:
        return self.moment.state.is_over

    def returns(self) -> list[float]:
        return [float(each) for each in self.moment.rules.seats.rewards(self.moment.state)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.moment.offered_to(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self._outcomes()
        total = sum(outcome.weight for outcome in outcomes)
        return [(number, outcome.weight / total) for number, outcome in enumerate(outcomes)]

    def _outcomes(self) -> list[Option]:
        if not self.moment.outcomes:
            self.moment.outcomes = self.moment.state.chance_outcomes()
        return self.moment.outcomes

    def _apply_action(self, action: int) -> None:
        self._apply((action,))

    def _apply_actions(self, actions: list[int]) -> None:
        """Of those who have nothing to choose, the action does not count."""
        seats = self.moment.state.seats_to_act
        self._apply(tuple(action if seat in seats else -1 for seat, action in enumerate(actions)))

    def _apply(self, actions: tuple[int, ...]) -> None:
        found = self.moment.after.get(actions)
        if found is None:
            found = self._after(actions)
            if self.moment.rules.keeps:
                self.moment.after[actions] = found
        self.moment = found

    def _after(self, actions: tuple[int, ...]) -> _Moment:
        moment = self.moment
        if moment.state.is_chance:
            return moment.then(self._outcomes()[actions[0]], _CHANCE)
        seats = moment.state.seats_to_act
        chosen = dict(enumerate(actions)) if len(actions) > 1 else {seats[0]: actions[0]}
        for seat in seats:  # what one seat seals changes nothing for the others
            option = self.moment.offered_to(seat).get(chosen[seat])
            if option is None:
                raise ValueError(f"action {chosen[seat]} is not offered to player {seat}")
            moment = moment.then(option, seat)
        return moment

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(self._outcomes()[action])
        offered = self.moment.offered_to(player).get(action)
        return str(offered) if offered else self.moment.rules.seats.text(action)

    def __str__(self) -> str:
        return " ".join(str(option) for _, option in self.moment.state.history()) or "start"


class Observer:
    """What a seat sees, as OpenSpiel asks for it: `tensor`, the parts of it in `dict`, and a text.
    With perfect recall also its own last actions, and what it has been told so far."""

    def __init__(self, game: RulerunGame, recalls: bool) -> None:
        self.seats, self.recalls = game.seats, recalls
        self.encoding = Encoding(game.seats.columns)
        actions = game.seats.actions
        parts: list[tuple[str, tuple[int, ...]]] = [
            ("seat", (game.seats.game.players,)),
            ("observation", (self.encoding.size,)),
        ]
        if recalls:
            parts += [("own", (_MEMORY, action_width(actions))), ("told", (_TOLD,))]
        self.tensor: Tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in parts), np.float32)
        self.dict: dict[str, Tensor] = {}
        start = 0
        for name, shape in parts:
            end = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:end].reshape(shape)
            start = end

    def set_from(self, state: RulerunState, player: int) -> None:
        table = state.table
        self.dict["seat"].fill(0)
        self.dict["seat"][player] = 1
        self.encoding.write(self.seats.row(table, player), self.dict["observation"])
        if self.recalls:
            own, last = self.dict["own"], state.moment.own[player][-_MEMORY:]
            own.fill(0)
            for line, action in zip(own, reversed(last), strict=False):
                write_action(line, action, self.seats.actions)
            write_told(self.dict["told"], _told(table, player))

    def string_from(self, state: RulerunState, player: int) -> str:
        strings = state.moment.strings
        if (player, self.recalls) not in strings:
            strings[player, self.recalls] = self._string(state, player)
        return strings[player, self.recalls]

    def _string(self, state: RulerunState, player: int) -> str:
        columns, row = self.seats.columns, self.seats.row(state.table, player)
        lines = [
            f"{name}: {value}"
            for name, value, blank in zip(columns.names, row, columns.blank, strict=True)
            if value != blank
        ]
        if self.recalls:
            lines += [self.seats.text(action) for action in state.moment.own[player]]
            lines += _told(state.table, player)
        return "\n".join([f"seat: {player}", *lines])


def _told(state: State, seat: int) -> list[str]:
    return [entry.text for entry in state.entries(seat)]


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of ours in a game of OpenSpiel, by the name that `rulerun play` knows it by."""

    def __init__(self, game: RulerunGame, player: int, name: str = "search", seed: int = 0) -> None:
        super().__init__()
        self.seats, self.player, self.seed = game.seats, player, seed
        self.bot = make_bot(name, game.seats.game)
        self.stream = Stream(seed, player)

    def player_id(self) -> int:
        return self.player

    def restart_at(self, state: RulerunState) -> None:
        self.stream = Stream(self.seed, self.player)

    def step(self, state: RulerunState) -> int:
        option = decide(self.bot, state.table, self.player, self.stream)
        offered = self.seats.offered(state.table, self.player)
        return next(number for number, each in offered.items() if each == option)


def guest(game: RulerunGame, bot: Any) -> Seated:
    """A bot of OpenSpiel at our table. It gets a state that agrees with what its seat sees: in an
    open game that is how the game stands, else what is hidden in it is dealt anew."""

    def choose(view: View, options: Sequence[Option], stream: Stream) -> Option:
        table = imagine(game.seats.game, view, stream.below(1 << 62))
        table.buffer[MODE] |= STOP_AT_CHANCE
        assert view.seat is not None
        state = game.new_initial_state()
        state.moment = _Moment(game.first.rules, table, game.first.own)
        return state.moment.offered_to(view.seat)[bot.step(state)]

    return choose


pyspiel.register_game(
    _game_type(
        "rulerun",
        pyspiel.GameType.Dynamics.SIMULTANEOUS,
        pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        pyspiel.GameType.Utility.GENERAL_SUM,
        (1, pieces.SHOWN - 1),
    ),
    RulerunGame,
)
