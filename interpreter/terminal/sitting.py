"""A game that people sit at: whose turn it is, what bots do, passing, taking back, the record.

It shows nothing and asks nothing; `lines` and `full` do, each in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.bots.bot import Bot, Stream, decide
from interpreter.model.seats import number_of_players, seat_name
from interpreter.play.words import setting_words
from interpreter.program.layout import MENU
from interpreter.program.liveness import active_routines
from interpreter.report.visible import visible
from interpreter.terminal.history import taken_back

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.bots.preparing import Preparing
    from interpreter.embedding import Option, State
    from interpreter.model.ruleset import Ruleset
    from interpreter.record import Recorder


@dataclass(frozen=True, slots=True)
class Skip:
    """How long somebody wants to pass: while the options, or the phase, are these."""

    options: frozenset[str] | None = None
    phase: str | None = None


@dataclass(slots=True)
class Sitting:
    state: State
    humans: frozenset[int]
    bots: dict[int, tuple[Bot, Stream]]
    recorder: Recorder | None = None
    skipping: dict[int, Skip] = field(default_factory=dict)
    ruleset: Ruleset | None = None  # made when somebody looks at a card
    preparing: Preparing | None = None  # bots that think while people do
    hinting: Callable[[State, int], Callable[[], list[str]]] | None = None  # whom a seat may ask

    # ---- going on

    @property
    def to_ask(self) -> int | None:
        """The person who has to choose now, if it is one."""
        return next((seat for seat in self.state.seats_to_act if seat in self.humans), None)

    @property
    def only_human(self) -> int | None:
        return next(iter(self.humans)) if len(self.humans) == 1 else None

    def go_on(self) -> tuple[int, Option] | None:
        """One step that needs nobody to be asked: a bot's, or that of somebody who passes. None
        if there is none: a person has to choose, or the game is over."""
        if self.state.is_over:
            return None
        seat = self.to_ask
        if seat is None:
            seat = self.state.seats_to_act[0]
            bot, stream = self.bots[seat]
            option = decide(bot, self.state, seat, stream)
        else:
            passing = self._passes(seat)
            if passing is None:
                self.prepare()
                return None
            option = passing
        self.take(option, seat)
        return seat, option

    def prepare(self) -> None:
        """Somebody is asked: bots may think meanwhile."""
        if self.preparing is not None:
            self.preparing.begin(self.state)

    def rest(self) -> None:
        """Somebody has answered, or wants to have something worked out."""
        if self.preparing is not None:
            self.preparing.end()

    def take(self, option: Option, seat: int) -> None:
        self.rest()
        self.state = self.state.apply(option, seat)
        if self.recorder is not None:
            self.recorder.append(seat, option.text)
            if self.state.is_over:
                self.recorder.finish(self.state)

    def undo(self, seat: int) -> str | None:
        """Take back a seat's last decision; or else say why not."""
        found = taken_back(self.state, seat, self.humans)
        if isinstance(found, str):
            return found
        self.state = found
        self.skipping.pop(seat, None)
        if self.recorder is not None:
            self.recorder.take_back(len(found.history()))
        self.prepare()
        return None

    # ---- passing

    def skip(self, seat: int, how: str) -> str | None:
        """Pass, and go on passing; or else say why not."""
        found = self.passing(seat)
        if found is None:
            return "Here you have to choose; nothing can be passed."
        match how.strip().casefold():
            case "all":
                self.skipping[seat] = Skip()
            case "phase":
                self.skipping[seat] = Skip(phase=self._phase())
            case "":
                texts = frozenset(option.text for option in self.state.options(seat))
                self.skipping[seat] = Skip(options=texts)
            case _:
                return "skip, skip phase or skip all; help tells what they do."
        self.take(found, seat)
        return None

    def passing(self, seat: int) -> Option | None:
        """The option that passes, where the rules say that somebody may choose. An action that
        happens to be called so is another thing."""
        menu = self.state.game.program.menus[self.state.seen_by_chooser(seat)[MENU]]
        if not menu.passes:
            return None
        last = len(menu.entries) - 1
        choices = self.state.choices(seat)
        return next((option for option, choice in choices.items() if choice[0] == last), None)

    def _passes(self, seat: int) -> Option | None:
        """Pass for somebody who has said so, unless there is something new to choose."""
        if seat not in self.skipping:
            return None
        skip = self.skipping[seat]
        found = self.passing(seat)
        if found is None and skip.phase is not None and skip.phase == self._phase():
            return None  # this has to be chosen; after that it goes on
        texts = {option.text for option in self.state.options(seat)}
        new = skip.options is not None and skip.options != texts
        if found is None or new or skip.phase not in (None, self._phase()):
            del self.skipping[seat]
            return None
        return found

    def _phase(self) -> str:
        """The part of the game we are in: the outermost of the routines under way."""
        under_way = active_routines(self.state.game.program, self.state.buffer)
        return " ".join(each.routine.name for each in under_way[-2:])

    # ---- telling

    def welcome(self) -> str:
        game = self.state.game
        yours = " and ".join(seat_name(seat) for seat in sorted(self.humans))
        usual, ours = self._declared({}), self._declared(game.options)
        chosen = "".join(
            f", {setting_words(game.program, name)}"
            for name in game.options
            if usual is None or ours is None or usual.options[name] != ours.options[name]
        )
        return visible(f"{game.title}, {number_of_players(game.players)}{chosen}. You are {yours}.")

    def described(self, words: str) -> list[str]:
        """What is printed on cards, pieces and spaces with these words in their names. Everybody
        may know what there is."""
        from interpreter.model.listing import describe_rows

        if self.ruleset is None:
            self.ruleset = self._declared(self.state.game.options)
        found = [] if self.ruleset is None else describe_rows(self.ruleset, words)
        return [visible(line) for line in found[:20]]

    def _declared(self, options: dict[str, str | int]) -> Ruleset | None:
        from interpreter.model.declare import declare
        from interpreter.report.problem import Problems

        rules, players = self.state.game.rules, self.state.game.players
        if rules is None:
            return None
        return declare(rules.declarations, rules.data, players, options, Problems())

    @property
    def has_secrets(self) -> bool:
        layout = self.state.game.program.layout
        return any(kind.known >= 0 for kind in layout.kinds) or any(
            variable.secret for variable in layout.variables
        )
