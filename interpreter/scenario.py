"""Runs scenarios: sets up their positions, plays what they say, and sees what they expect.

Scenarios with the same players and options share one program. Strict: a choice or a chance
event that is not scripted, an option that is not offered and a line that does not hold each
end a scenario with a located problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from interpreter.embedding import Game, Option, PlayError, State
from interpreter.model.seats import seat_name
from interpreter.pipeline import Table, build, scenario_tables
from interpreter.play import chance, knowledge, words
from interpreter.play.buffer import FOUND, Buffer
from interpreter.play.failure import Failure
from interpreter.program.layout import (
    ASK_WHEN_FORCED,
    DECISION,
    MODE,
    MOVES,
    SEALING,
    STATUS,
    STEPS,
    STOP_AT_CHANCE,
    TOTAL_STEPS,
)  # fmt: skip
from interpreter.program.program import Probe
from interpreter.reading import Rules
from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.scenario_offers import Failed, Meaning, Offers, offer_text, plain_text
from interpreter.scenario_state import MOST_TOLD, Asking, as_step, told_seats
from interpreter.scenario_words import could_be_read, could_be_said
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_SETUP_SEED = 1


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one scenario; without problems it has passed."""

    scenario: nodes.Scenario
    problems: tuple[Problem, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems


def run_scenarios(rules: Rules, wanted: Sequence[nodes.Scenario] | None = None) -> list[Result]:
    """All scenarios of the rules, or those wanted, in their order."""
    chosen = rules.scenarios if wanted is None else wanted
    found: dict[int, Result] = {}
    for table, scenarios in scenario_tables(rules, chosen):
        for scenario, result in zip(scenarios, _run_group(rules, table, scenarios), strict=True):
            found[id(scenario)] = result
    return [found[id(scenario)] for scenario in chosen]


def _run_group(rules: Rules, table: Table, scenarios: list[nodes.Scenario]) -> list[Result]:
    program, problems = build(rules, table.players, dict(table.options), scenarios)
    if program is not None:
        game = Game(program, rules)
        return [_Run(game, s, t).result() for s, t in zip(scenarios, program.trials, strict=True)]
    if len(scenarios) == 1:
        errors = tuple(problem for problem in problems if problem.severity == "error")
        return [Result(scenarios[0], errors)]
    # One of them cannot be built: each for itself shows which.
    return [r for each in scenarios for r in _run_group(rules, table, [each])]


class _Run(Asking):
    __slots__ = ()

    def result(self) -> Result:
        try:
            self._run()
        except Failed as failed:
            return Result(self.scenario, (failed.problem,))
        except PlayError as error:
            again = f'see it again with: rulerun test {self.scenario.mark.file} -k "{self.title}"'
            return Result(self.scenario, (replace(error.problem, help=again),))
        return Result(self.scenario)

    def _run(self) -> None:
        if not any(isinstance(part, nodes.Expectation) for part in self.scenario.parts):
            help_ = "add a line with `then`: what should be so when all this has happened?"
            raise Failed("RR270", "this scenario expects nothing", self.scenario.mark, help_)
        for head in self.scenario.heads:
            if head.word == "seed" and isinstance(head.value, nodes.Number):
                self.seed = head.value.value
        steps = [p for p in self.scenario.parts if isinstance(p, nodes.Steps)]
        self.waiting = [step for part in steps for step in part.steps]
        self._make_position()
        runs = list(self.trial.runs)
        if not any(isinstance(p, nodes.Run | nodes.RunWhole) for p in self.scenario.parts):
            self._begin(runs.pop(), self.scenario.mark)
        for part, probe in zip(self.scenario.parts, self.trial.probes, strict=True):
            match part:
                case nodes.Given():
                    pass
                case nodes.Run() | nodes.RunWhole():
                    self._begin(runs.pop(0), part.mark)
                case nodes.Steps():
                    for step in part.steps:
                        self.waiting.pop(0)
                        self._step(step)
                        self._arrive(step.mark)
                case _:
                    self._expect(part, probe)
        self._expect_an_end()

    def _expect_an_end(self) -> None:
        """A scenario does not stop by accident: chance has come, and who is asked is said."""
        parts = self.scenario.parts
        doing = nodes.Given | nodes.Run | nodes.RunWhole | nodes.Steps
        if not any(isinstance(part, doing) for part in parts):
            return  # it looks at what the setup has made
        if self.state.is_chance:
            message = f"the scenario ends where {self._pending()}"
            raise Failed("RR274", message, parts[-1].mark, self._asked_help())
        if not self.state.seats_to_act:
            return
        for part in reversed(parts):
            match part:
                case nodes.Steps() | nodes.Run() | nodes.RunWhole() | nodes.Given():
                    break
                case nodes.Offers() | nodes.Seats(word="choose"):
                    return
                case nodes.Reads() if part.seat is not None:
                    return
                case _:  # says nothing of who is asked
                    pass
        message = f"the scenario ends where {self._pending()}, and does not say so"
        seats = ", ".join(seat_name(seat) for seat in self.state.seats_to_act)
        word = "choose" if "," in seats else "chooses"
        help_ = f"if it should end here, add `then {seats} {word}`; else take a step more"
        raise Failed("RR278", message, parts[-1].mark, f"{help_}\n{self._asked_help()}")

    def _test_always(self, m: Buffer, mark: Mark) -> None:
        for function, text, at in self.program.always:
            if not self.game.machine.evaluate(m, function, []):
                message = f"this position cannot be: {text} does not hold"
                notes = ((self.program.spots[at].mark, "this must always hold"),)
                raise Failed("RR279", message, mark, notes=notes)

    # ---- given and run

    def _make_position(self) -> None:
        machine = self.game.machine
        seed = _SETUP_SEED if self.seed is None else self.seed
        m = machine.blank(seed)
        with self._telling(m, seed):
            machine.begin(m, self.trial.given)
            while m[STATUS] in (DECISION, SEALING):
                self._answer(m, seed)
            if not self.sets_up:
                self._test_always(m, self._position())
        m[MODE] |= STOP_AT_CHANCE
        if any(head.word == "with forced choices" for head in self.scenario.heads):
            m[MODE] |= ASK_WHEN_FORCED
        m[MOVES] = m[STEPS] = m[TOTAL_STEPS] = 0
        self.state = State(self.game, m, seed, None, None, ())

    @property
    def sets_up(self) -> bool:
        """Whether the setup is a part of what is run."""
        return any(head.word == "scripted setup" for head in self.scenario.heads) or any(
            isinstance(part, nodes.RunWhole) and part.what == "setup"
            for part in self.scenario.parts
        )

    def _begin(self, routine: int, mark: Mark) -> None:
        """Run something, when all that was run before has come to its end."""
        state = self.state
        if state.buffer[STATUS] != FOUND:
            message = f"this cannot be run yet: {self._pending()}"
            raise Failed("RR272", message, mark, self._asked_help())
        self.begun = True
        m = state.buffer.copy()
        with self.game.noting(state.moves, state.seed) as events:
            self.game.machine.begin(m, routine)
        previous = state if state.events or state.previous is not None else None
        self.state = State(self.game, m, state.seed, previous, None, tuple(events))
        self._arrive(mark)

    def _arrive(self, mark: Mark) -> None:
        """Chance that nobody scripts comes; then what must always hold is tested, wherever
        somebody is asked and at the end. While chance has to bring something, the rules are in
        the middle of what they do."""
        self._let_chance()
        if not self.state.is_chance:
            with self._telling(self.state.buffer, self.state.seed):
                self._test_always(self.state.buffer, mark)

    def _position(self) -> Mark:
        """The line that makes the position."""
        given = [part.mark for part in self.scenario.parts if isinstance(part, nodes.Given)]
        return given[-1] if given else self.scenario.mark

    def _answer(self, m: Buffer, seed: int) -> None:
        """Choices of the setup are made by the seed, like its chance."""
        machine = self.game.machine
        state = State(self.game, m, seed, None, None, ())
        seat = state.seats_to_act[0]
        options = machine.options(m, seat)
        pick, _ = chance.below(chance.seed_key(seed), m[MOVES], len(options))
        machine.take(m, options[pick], seat)

    def _let_chance(self) -> None:
        """With a seed, chance that the next step does not script comes as it comes."""
        while (
            self.seed is not None
            and self.state.is_chance
            and not (self.waiting and isinstance(self.waiting[0], nodes.Outcome))
        ):
            outcomes = self.state.chance_outcomes()
            total = sum(outcome.weight for outcome in outcomes)
            pick, self.drawn = chance.below(chance.seed_key(self.seed), self.drawn, total)
            for outcome in outcomes:
                pick -= outcome.weight
                if pick < 0:
                    self.state = self.state.apply(outcome)
                    break

    # ---- when

    def _step(self, step: nodes.Decision | nodes.Outcome) -> None:
        if isinstance(step, nodes.Outcome):
            for value in step.values:
                self._outcome(step, value)
            return
        asked = self._asked(step.seat, step.mark)
        meanings = asked.meanings(step.offer)
        found = asked.offered(meanings)
        if len(found) > 1:
            told = ", ".join(f"`{option}`" for option in found[:MOST_TOLD])
            message = f"`{offer_text(step.offer)}` could be several of what is offered: {told}"
            raise Failed("RR273", message, step.offer.mark, "say more of its arguments")
        if not found:
            raise self._not_offered("RR273", asked, step.seat, step.offer)
        self.state = self.state.apply(found[0], asked.seat)

    def _not_offered(self, code: str, asked: Offers, seat: str, offer: nodes.Offer) -> Failed:
        meanings = asked.meanings(offer)
        reasons = [each.words for each in asked.refusals(meanings)]
        if not meanings:
            reasons = [f"`{offer.verb}` is not in this choice"]
        message = f"`{offer_text(offer)}` is not offered to {seat} ({'; '.join(reasons[:3])})"
        return Failed(code, message, offer.mark, self._asked_help())

    def _outcome(self, step: nodes.Outcome, value: nodes.Expr) -> None:
        text = plain_text(value)
        if not self.state.is_chance:
            message = f"nothing is left to chance here: {self._pending()}"
            raise Failed("RR274", message, value.mark, self._asked_help())
        outcomes = self.state.chance_outcomes()
        for outcome in outcomes:
            verb, _, rest = str(outcome).partition("(")
            called = rest.rpartition(")")[0].partition(": ")[2]
            names = (called.casefold(), self._label(called).casefold())
            if verb == step.word and text.casefold() in names:
                self.state = self.state.apply(outcome)
                return
        told = ", ".join(f"`{outcome}`" for outcome in outcomes[:MOST_TOLD])
        message = f"chance cannot bring `{step.word} {text}` here: it asks for one of {told}"
        raise Failed("RR274", message, value.mark)

    def _label(self, row: str) -> str:
        """The printed name of a row."""
        for kind in self.program.layout.kinds:
            if row in kind.rows:
                return kind.labels[kind.rows.index(row)]
        return row

    # ---- then

    def _expect(self, part: nodes.Expectation, probe: Probe | None) -> None:
        match part:
            case nodes.Holds():
                assert probe is not None
                if not self._evaluate(probe.function):
                    text = flat(say_value(part.condition))
                    raise Failed("RR275", f"`{text}` does not hold{self._parts(probe)}", part.mark)
            case nodes.Offers():
                self._expect_offers(part)
            case nodes.Seats(word="choose") if self.state.is_chance:
                raise Failed("RR275", self._pending(), part.mark, self._asked_help())
            case nodes.Seats(word="choose"):
                self._expect_seats(part, self.state.seats_to_act)
            case nodes.Seats():
                if not self.state.is_over:
                    raise Failed("RR275", f"the game is not over: {self._pending()}", part.mark)
                ended = self.state.winners if part.word == "win" else self.state.losers
                self._expect_seats(part, ended)
            case nodes.Sees():
                assert probe is not None
                self._expect_sight(part, probe)
            case nodes.Reads():
                self._expect_words(part)
            case nodes.Scores():
                assert probe is not None
                if not self.state.is_over:
                    raise Failed("RR275", f"the game is not over: {self._pending()}", part.mark)
                wanted = self._evaluate(probe.function)
                found = self.state.scores[self._seat(part.seat, part.mark)]
                if found != wanted:
                    message = f"{part.seat} scores {found}, not {wanted}"
                    raise Failed("RR275", message, part.mark)
            case nodes.Ends():
                if self.state.is_over != part.over:
                    message = "the game is over" if self.state.is_over else self._pending()
                    raise Failed("RR275", message, part.mark)

    def _evaluate(self, function: int) -> int:
        with self._telling(self.state.buffer, self.state.seed):
            return self.game.machine.evaluate(self.state.buffer, function, [])

    @contextmanager
    def _telling(self, m: Buffer, seed: int) -> Iterator[None]:
        """A failure of the rules is told as a problem."""
        try:
            yield
        except Failure as failure:
            raise PlayError(self.game.problem(failure, m[MOVES], seed)) from None

    def _parts(self, probe: Probe) -> str:
        told: dict[str, None] = {}
        for part in probe.parts:
            value = words.value_text(self.program, part.type, self._evaluate(part.function))
            told[f"{part.text} is {value}"] = None
        return f": {', '.join(told)}" if told else ""

    def _expect_offers(self, part: nodes.Offers) -> None:
        asked = self._asked(part.seat, part.mark, "RR275")
        wanted: set[Option] = set()
        for offer in part.offers:
            cited = part.word == "may not" and bool(part.cites)
            meanings = asked.meanings(offer, beyond=cited)
            found = asked.offered(meanings)
            if part.word == "may not":
                if found:
                    message = f"`{offer_text(offer)}` is offered to {part.seat}"
                    raise Failed("RR275", message, offer.mark)
                if cited:
                    self._expect_clauses(part, asked, offer, meanings)
            elif not found:
                raise self._not_offered("RR275", asked, part.seat, offer)
            wanted.update(found)
        if part.word == "may only":
            more = [option for option in asked.choosable if option not in wanted]
            if more:
                told = ", ".join(f"`{as_step(option)}`" for option in more[:MOST_TOLD])
                message = f"{part.seat} is offered more than that: {told}"
                raise Failed("RR275", message, part.mark)

    def _expect_clauses(
        self, part: nodes.Offers, asked: Offers, offer: nodes.Offer, meanings: list[Meaning]
    ) -> None:
        """A refusal that cites clauses is refused by conditions that cite them."""
        if not meanings:
            message = f"`{offer.verb}` is not in this choice, so no clause refuses it"
            raise Failed("RR276", message, offer.mark, self._asked_help())
        for option, missing, reasons in asked.unexplained(meanings, part.cites, offer.mark):
            told = "; ".join(reason.words for reason in reasons[:3])
            message = f"`{option}` is refused, but not by {' and '.join(missing)}: {told}"
            raise Failed("RR276", message, offer.mark)

    def _expect_seats(self, part: nodes.Seats, found: tuple[int, ...]) -> None:
        if part.seats == ("everybody",):
            wanted = list(range(self.game.players))
        else:
            wanted = sorted(self._seat(name, part.mark) for name in part.seats)
        if wanted != sorted(found):
            ended = f"{told_seats(found)} to {part.word}"
            now = self._pending() if part.word == "choose" else ended
            raise Failed("RR275", now, part.mark, self._asked_help())

    def _expect_sight(self, part: nodes.Sees, probe: Probe) -> None:
        seat = self._seat(part.seat, part.mark)
        m, found = self.state.buffer, self._evaluate(probe.function)
        if probe.cell:
            sees = found not in knowledge.hidden_cells(self.program, m, seat)
        else:
            kind = words.kind_of(self.program, probe.kind or "")
            if found < 0:
                what = flat(say_value(part.what))
                message = f"`{what}` is none: there is nothing that anybody could see"
                raise Failed("RR275", message, part.what.mark)
            sees = knowledge.knows(m, kind, found, seat)
        if sees != part.sees:
            word = "sees" if sees else "does not see"
            message = f"{part.seat} {word} `{flat(say_value(part.what))}`"
            raise Failed("RR275", message, part.mark)

    def _expect_words(self, part: nodes.Reads) -> None:
        possible = could_be_said if part.seat is None else could_be_read
        if not part.text.strip():
            raise Failed("RR275", "there are no words to look for", part.mark)
        if not part.reads and not possible(self.program, part.text):
            message = f"no text of the rules can have the words `{part.text}`"
            raise Failed("RR275", message, part.mark, "look at how the rules spell it")
        if part.seat is None:
            self._expect_said(part)
            return
        asked = self._asked(part.seat, part.mark, "RR275")
        spoken = [option.words for option in asked.choosable]
        if any(part.text in each for each in spoken) != part.reads:
            told = "; ".join(spoken[:MOST_TOLD]) or "nothing"
            word = "does not read this" if part.reads else "reads this"
            raise Failed("RR275", f"{part.seat} {word}: there is {told}", part.mark)

    def _expect_said(self, part: nodes.Reads) -> None:
        log = self.state.log()
        found = [line for line in log if part.text in line]
        if part.reads and not found:
            told = "; ".join(log[-3:]) or "nothing"
            raise Failed("RR275", f"this was not said: the last was {told}", part.mark)
        if found and not part.reads:
            raise Failed("RR275", f"this was said: {found[-1]}", part.mark)


def scenario_cites(scenario: nodes.Scenario) -> Iterator[str]:
    """The clauses a scenario tests: behind its title and on its lines."""
    yield from scenario.cites
    for part in scenario.parts:
        yield from part.cites
