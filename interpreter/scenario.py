"""Runs scenarios: sets up their positions, plays what they say, and sees what they expect.

Scenarios with the same players and options share one program. Strict: a choice or a chance
event that is not scripted, an option that is not offered and a line that does not hold each
end a scenario with a located problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interpreter.embedding import Game, IllegalOption, Option, PlayError, State
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
from interpreter.report.suggest import did_you_mean
from interpreter.scenario_state import (
    MOST_TOLD,
    Asking,
    Failed,
    as_step,
    is_one_of,
    offer_text,
    plain_text,
    told_seats,
)
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_SETUP_SEED = 1
_COPY = re.compile(r"[#\[]")  # what follows the name of a row in the name of one of its pieces


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
        self._start()
        self._let_chance()
        for part, probe in zip(self.scenario.parts, self.trial.probes, strict=True):
            match part:
                case nodes.Given() | nodes.Run():
                    pass
                case nodes.Steps():
                    for step in part.steps:
                        self.waiting.pop(0)
                        self._step(step)
                        self._let_chance()
                case _:
                    self._expect(part, probe)
        only_set_up = not steps and not any(isinstance(p, nodes.Run) for p in self.scenario.parts)
        if self.state.is_chance and not only_set_up:
            last = self.scenario.parts[-1].mark
            message = f"the scenario ends where {self._pending()}"
            raise Failed("RR274", message, last, self._asked_help())

    # ---- given and run

    def _start(self) -> None:
        machine = self.game.machine
        seed = _SETUP_SEED if self.seed is None else self.seed
        m = machine.blank(seed)
        try:
            machine.begin(m, self.trial.given)
            while m[STATUS] in (DECISION, SEALING):
                self._answer(m, seed)
            m[MODE] |= STOP_AT_CHANCE
            if any(head.word == "with forced choices" for head in self.scenario.heads):
                m[MODE] |= ASK_WHEN_FORCED
            m[MOVES] = m[STEPS] = m[TOTAL_STEPS] = 0
            events = machine.events = []
            if m[STATUS] == FOUND:
                machine.begin(m, self.trial.run)
        except Failure as failure:
            raise PlayError(self.game.problem(failure, 0, seed)) from None
        finally:
            machine.events = None
        self.state = State(self.game, m, seed, None, None, tuple(events))

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
        seat = self._seat(step.seat, step.mark)
        if seat not in self.state.seats_to_act:
            message = f"{step.seat} is not asked here: {self._pending()}"
            raise Failed("RR272", message, step.mark, self._asked_help())
        found = self._offered(seat, step.offer)
        if len(found) > 1 and len({str(option) for option in found}) > 1:
            told = ", ".join(f"`{option}`" for option in found[:MOST_TOLD])
            message = f"`{offer_text(step.offer)}` could be several of what is offered: {told}"
            raise Failed("RR273", message, step.mark, "say more of its arguments")
        if not found:
            reasons = [each.words for each in self._refusals(seat, step.offer)]
            why = f" ({'; '.join(reasons[:3])})" if reasons else ""
            message = f"`{offer_text(step.offer)}` is not offered to {step.seat}{why}"
            raise Failed("RR273", message, step.mark, self._asked_help())
        try:
            self.state = self.state.apply(found[0], seat)
        except IllegalOption as error:
            raise Failed("RR273", str(error), step.mark) from None

    def _outcome(self, step: nodes.Outcome, value: nodes.Expr) -> None:
        text = plain_text(value)
        if not self.state.is_chance:
            message = f"nothing is left to chance here: {self._pending()}"
            raise Failed("RR274", message, step.mark, self._asked_help())
        outcomes = self.state.chance_outcomes()
        for outcome in outcomes:
            verb, _, rest = str(outcome).partition("(")
            called = rest.rpartition(")")[0].partition(": ")[2]
            if verb == step.word and is_one_of(text, called, self._label(called)):
                self.state = self.state.apply(outcome)
                return
        told = ", ".join(f"`{outcome}`" for outcome in outcomes[:MOST_TOLD])
        message = f"chance cannot bring `{step.word} {text}` here: it asks for one of {told}"
        raise Failed("RR274", message, step.mark)

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
        try:
            return self.game.machine.evaluate(self.state.buffer, function, [])
        except Failure as failure:
            moves = self.state.moves
            raise PlayError(self.game.problem(failure, moves, self.state.seed)) from None

    def _parts(self, probe: Probe) -> str:
        told: dict[str, None] = {}
        for part in probe.parts:
            value = words.value_text(self.program, part.type, self._evaluate(part.function))
            told[f"{part.text} is {value}"] = None
        return f": {', '.join(told)}" if told else ""

    def _expect_offers(self, part: nodes.Offers) -> None:
        seat = self._seat(part.seat, part.mark)
        if part.word != "may not" and seat not in self.state.seats_to_act:
            message = f"{part.seat} is not asked here: {self._pending()}"
            raise Failed("RR275", message, part.mark, self._asked_help())
        wanted: set[Option] = set()
        for offer in part.offers:
            self._check_known(part, offer)
            found = self._offered(seat, offer)
            if part.word == "may not":
                if found:
                    message = f"`{offer_text(offer)}` is offered to {part.seat}"
                    raise Failed("RR275", message, part.mark)
                self._expect_clause(part, seat, offer)
            elif not found:
                reasons = [each.words for each in self._refusals(seat, offer)]
                why = f" ({'; '.join(reasons[:3])})" if reasons else ""
                message = f"`{offer_text(offer)}` is not offered to {part.seat}{why}"
                raise Failed("RR275", message, part.mark, self._asked_help())
            wanted.update(found)
        if part.word == "may only":
            more = [option for option in self.state.options(seat) if option not in wanted]
            if more:
                told = ", ".join(f"`{as_step(option)}`" for option in more[:MOST_TOLD])
                message = f"{part.seat} is offered more than that: {told}"
                raise Failed("RR275", message, part.mark)

    def _check_known(self, part: nodes.Offers, offer: nodes.Offer) -> None:
        """What is not offered because it does not exist would prove nothing."""
        verbs = {action.name for action in self.program.actions}
        if offer.verb not in verbs:
            message = f"nothing that can be chosen is called `{offer.verb}`"
            near = did_you_mean(offer.verb, verbs) or self._asked_help()
            raise Failed("RR273", message, part.mark, near)
        rows = [name for kind in self.program.layout.kinds for name in (*kind.rows, *kind.labels)]
        for words_of in (self.program.enums, self.program.labels):
            rows += [name for members in words_of.values() for name in members]
        for argument in offer.arguments:
            text = plain_text(argument.value)
            if isinstance(argument.value, nodes.Quoted) and not is_one_of(
                _COPY.split(text)[0], *rows
            ):
                message = f"nothing here is called `{text}`"
                raise Failed("RR273", message, argument.mark, did_you_mean(text, rows))

    def _expect_clause(self, part: nodes.Offers, seat: int, offer: nodes.Offer) -> None:
        """A refusal that cites clauses is refused by conditions that cite them."""
        if not part.cites:
            return
        reasons = self._refusals(seat, offer) if seat in self.state.seats_to_act else []
        cited = {cite for reason in reasons for cite in reason.cites}
        missing = [cite for cite in part.cites if cite not in cited]
        if missing:
            asked = seat in self.state.seats_to_act
            other = f"`{offer.verb}` is not in this choice" if asked else self._pending()
            told = "; ".join(reason.words for reason in reasons[:3]) or other
            message = (
                f"`{offer_text(offer)}` is refused, but not by {' and '.join(missing)}: {told}"
            )
            raise Failed("RR276", message, part.mark)

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
            sees = found >= 0 and knowledge.knows(m, kind, found, seat)
        if sees != part.sees:
            word = "sees" if sees else "does not see"
            message = f"{part.seat} {word} `{flat(say_value(part.what))}`"
            raise Failed("RR275", message, part.mark)

    def _expect_words(self, part: nodes.Reads) -> None:
        if part.seat is None:
            log = self.state.log()
            if not any(part.text in line for line in log):
                told = "; ".join(log[-3:]) or "nothing"
                raise Failed("RR275", f"this was not said: the last was {told}", part.mark)
            return
        seat = self._seat(part.seat, part.mark)
        spoken = [option.words for option in self.state.options(seat)]
        if any(part.text in each for each in spoken) != part.reads:
            told = "; ".join(spoken[:MOST_TOLD]) or "nothing"
            word = "does not read this" if part.reads else "reads this"
            raise Failed("RR275", f"{part.seat} {word}: there is {told}", part.mark)


def scenario_cites(scenario: nodes.Scenario) -> Iterator[str]:
    """The clauses a scenario tests: behind its title and on its lines."""
    yield from scenario.cites
    for part in scenario.parts:
        yield from part.cites
