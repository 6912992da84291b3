"""Runs scenarios: sets up their positions, plays what they say, and sees what they expect.

Scenarios with the same players and options share one program. Strict: a choice or a chance
event that is not scripted, an option that is not offered and a line that does not hold each
end a scenario with a located problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interpreter.embedding import Game, PlayError, State
from interpreter.model.seats import seat_name
from interpreter.pipeline import Table, build, scenario_tables
from interpreter.play import chance, words
from interpreter.play.buffer import FOUND, Buffer
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
from interpreter.reading import Rules
from interpreter.report.problem import Problem, RulesError
from interpreter.report.source import Mark
from interpreter.scenario_amend import Amending
from interpreter.scenario_offers import Failed, full_text, offer_text, offers_of, plain_text
from interpreter.scenario_state import MOST_TOLD, Amendment
from interpreter.scenario_unfold import unfold
from interpreter.tree import nodes

_SETUP_SEED = 1


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one scenario; without problems it has passed."""

    scenario: nodes.Scenario
    problems: tuple[Problem, ...] = ()
    table: str = ""  # which one, if it is run at several
    amendments: tuple[Amendment, ...] = ()  # of expectations that fail, if that is wanted

    @property
    def passed(self) -> bool:
        return not self.problems

    @property
    def title(self) -> str:
        return f"{self.scenario.title} ({self.table})" if self.table else self.scenario.title


def run_scenarios(
    rules: Rules, wanted: Sequence[nodes.Scenario] | None = None, *, amending: bool = False
) -> list[Result]:
    """All scenarios of the rules, or those wanted, in their order, and each at all of its tables.
    Raises RulesError if the rules themselves have errors: then no scenario says anything. When
    `amending`, an expectation that fails is no problem but an amendment."""
    chosen = rules.scenarios if wanted is None else wanted
    unfolded = [(written, unfold(rules, written)) for written in chosen]
    plain = [each.plain for _, one in unfolded if not isinstance(one, Problem) for each in one]
    found: dict[int, Result] = {}
    for table, scenarios in scenario_tables(rules, plain):
        for result in _run_group(rules, table, scenarios, amending):
            found[id(result.scenario)] = result
    results: list[Result] = []
    for written, one in unfolded:
        if isinstance(one, Problem):
            results.append(Result(written, (one,)))
        else:
            results += [
                replace(found[id(each.plain)], scenario=written, table=each.table) for each in one
            ]
    return results


def _run_group(
    rules: Rules, table: Table, scenarios: list[nodes.Scenario], amending: bool
) -> list[Result]:
    if not scenarios:
        return []
    program, problems = build(rules, table.players, dict(table.options), scenarios)
    if program is not None:
        game = Game(program, rules)
        runs = [Standing(game, s, t) for s, t in zip(scenarios, program.trials, strict=True)]
        for run in runs:
            run.amendments = [] if amending else None
        return [run.result() for run in runs]
    errors = [problem for problem in problems if problem.severity == "error"]
    _check_rules(rules, table)
    if len(scenarios) == 1:
        return [Result(scenarios[0], tuple(errors))]
    guilty = {id(each): found for each in scenarios if (found := _inside(each, rules, errors))}
    if not guilty:  # something they call is wrong: each for itself shows whose fault it is
        return [r for each in scenarios for r in _run_group(rules, table, [each], amending)]
    others = [each for each in scenarios if id(each) not in guilty]
    failed = [Result(each, guilty[id(each)]) for each in scenarios if id(each) in guilty]
    return [*failed, *_run_group(rules, table, others, amending)]


def _check_rules(rules: Rules, table: Table) -> None:
    """Raise if the rules cannot be built without scenarios either, unless it is only because of
    the table that a scenario wants."""
    if build(rules, table.players, dict(table.options))[0] is None:
        program, problems = build(rules, rules.players[0])
        if program is None:
            raise RulesError(problem for problem in problems if problem.severity == "error")


def _inside(scenario: nodes.Scenario, rules: Rules, errors: list[Problem]) -> tuple[Problem, ...]:
    """The errors between the first line of a scenario and the next declaration."""
    file, first = scenario.mark.file, scenario.mark.line
    declared = (*rules.declarations, *rules.scenarios, *rules.courses)
    starts = [each.mark.line for each in declared if each.mark.file == file]
    after = min((line for line in starts if line > first), default=None)
    return tuple(
        error
        for error in errors
        if error.mark.file == file
        and first <= error.mark.line
        and (after is None or error.mark.line < after)
    )


class Standing(Amending):
    """A scenario that is being run."""

    __slots__ = ()

    def result(self) -> Result:
        problems: tuple[Problem, ...] = ()
        try:
            self._run()
        except Failed as failed:
            problems = (failed.problem,)
        except PlayError as error:
            again = f'see it again with: rulerun test {self.scenario.mark.file} -k "{self.title}"'
            problems = (replace(error.problem, help=again),)
        return Result(self.scenario, problems, amendments=tuple(self.amendments or ()))

    def _run(self) -> None:
        if not any(isinstance(part, nodes.Expectation) for part in self.scenario.parts):
            help_ = "add a line with `then`: what should be so when all this has happened?"
            raise Failed("RR270", "this scenario expects nothing", self.scenario.mark, help_)
        self._prepare()
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
                    self._take(part)
                case _:
                    self._expect(part, probe)
        self._expect_an_end()

    def reached(self, *, explicit_chance: bool, played: bool) -> State:
        """Where the first run stops, or where all runs and steps lead. Raises RulesError."""
        try:
            self._prepare()
            if not explicit_chance and not played:
                self.state.buffer[MODE] &= ~STOP_AT_CHANCE
            runs = list(self.trial.runs)
            if not any(isinstance(p, nodes.Run | nodes.RunWhole) for p in self.scenario.parts):
                self._begin(runs.pop(), self.scenario.mark)
            for part in self.scenario.parts if runs or played else ():
                if isinstance(part, nodes.Run | nodes.RunWhole):
                    self._begin(runs.pop(0), part.mark)
                    if not played:
                        break
                elif isinstance(part, nodes.Steps) and played:
                    self._take(part)
        except Failed as failed:
            raise RulesError([failed.problem]) from None
        return self.state

    def _prepare(self) -> None:
        """Everything up to the position."""
        for head in self.scenario.heads:
            if head.word == "seed" and isinstance(head.values[0], nodes.Number):
                self.seed = head.values[0].value
        steps = [p for p in self.scenario.parts if isinstance(p, nodes.Steps)]
        self.waiting = [single for part in steps for single in self._singles(part)]
        self._make_position()

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
        self.came = self._single()
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

    def _singles(self, part: nodes.Steps) -> Iterator[nodes.Decision | nodes.Outcome]:
        """What is done by one seat, once."""
        for step in part.steps:
            if isinstance(step, nodes.Decision):
                everybody = step.seats == ("everybody",)
                seats = step.seats * self.game.players if everybody else step.seats
                for seat in seats * step.times:
                    yield replace(step, seats=(seat,), times=1)
            elif isinstance(step, nodes.Outcome):
                yield step

    def _take(self, part: nodes.Steps) -> None:
        done: list[int] = []  # who of everybody
        for step in self._singles(part):
            self.waiting.pop(0)
            try:
                if len(done) == self.game.players:
                    done.clear()
                self._step(step, done)
                self._arrive(step.mark)
            except Failed as failed:
                if part.mark == step.mark:
                    raise
                notes = (*failed.problem.notes, (part.mark, "these steps are taken here"))
                failed.problem = replace(failed.problem, notes=notes)
                raise

    def _whose(self, step: nodes.Decision, done: list[int]) -> str:
        """The seat of a step; of everybody, the next that is asked and has not had it yet."""
        if step.seats != ("everybody",):
            return step.seats[0]
        asked = [seat for seat in self.state.seats_to_act if seat not in done]
        if not asked:
            left = [seat for seat in range(self.game.players) if seat not in done]
            names = " and ".join(map(seat_name, left))
            message = f"{names} cannot choose here: {self._pending()}"
            raise Failed("RR272", message, step.mark, self._asked_help())
        done.append(asked[0])
        return seat_name(asked[0])

    def _step(self, step: nodes.Decision | nodes.Outcome, done: list[int]) -> None:
        if isinstance(step, nodes.Outcome):
            for value in step.values:
                self._outcome(step, value)
            return
        seat = self._whose(step, done)
        if len(offers_of(step.offer)) > 1:
            message = f"`{offer_text(step.offer)}` is several, and a step takes one"
            raise Failed("RR273", message, step.offer.mark)
        asked = self._asked(seat, step.mark)
        meanings = asked.meanings(step.offer)
        found = asked.offered(meanings)
        if len(found) > 1:  # in full, as records write it, an option is only itself
            found = [each for each in found if each.text == full_text(step.offer)] or found
        if len(found) > 1:
            told = ", ".join(f"`{option}`" for option in found[:MOST_TOLD])
            message = f"`{offer_text(step.offer)}` could be several of what is offered: {told}"
            raise Failed("RR273", message, step.offer.mark, "say more of its arguments")
        if not found:
            raise self._not_offered("RR273", asked, seat, step.offer)
        self.state = self.state.apply(found[0], asked.seat)
        self.came = self._single()

    def _outcome(self, step: nodes.Outcome, value: nodes.Expr) -> None:
        text = plain_text(value)
        outcomes = self.state.chance_outcomes()
        for outcome in outcomes:
            if self._is_outcome(step.word, text, str(outcome)):
                self.state = self.state.apply(outcome)
                self.came = self._single()
                return
        # What can come in one way only has come already; to script it is not wrong.
        if self.came and self._is_outcome(step.word, text, self.came[0]):
            self.came.pop(0)
            return
        only = f"; only `{self.came[0]}` could come before" if self.came else ""
        if not outcomes:
            message = f"nothing is left to chance here: {self._pending()}{only}"
            known = "what lies in a known order is drawn without chance: leave the step out"
            help_ = known if step.word == "draw" else None
            raise Failed("RR274", message, value.mark, self._asked_help() or help_)
        told = ", ".join(f"`{outcome}`" for outcome in outcomes[:MOST_TOLD])
        message = f"chance cannot bring `{step.word} {text}` here: it asks for one of {told}{only}"
        raise Failed("RR274", message, value.mark)

    def _is_outcome(self, word: str, text: str, outcome: str) -> bool:
        verb, _, rest = outcome.partition("(")
        called = rest.rpartition(")")[0].partition(": ")[2]
        return verb == word and text.casefold() in (
            called.casefold(),
            self._label(called).casefold(),
        )

    def _single(self) -> list[str]:
        """Outcomes that came by themselves since the last stop."""
        chances = [event for event in self.state.events if event.word == "chance"]
        was_chance = self.state.previous is not None and self.state.previous.is_chance
        return [
            words.outcome_text(self.program, event.before, event.number, event.values[0])
            for event in chances[1 if was_chance else 0 :]
        ]

    def _label(self, row: str) -> str:
        """The printed name of a row."""
        for kind in self.program.layout.kinds:
            if row in kind.rows:
                return kind.labels[kind.rows.index(row)]
        return row


def scenario_cites(scenario: nodes.Scenario) -> Iterator[str]:
    """The clauses a scenario tests: behind its title and on its lines."""
    yield from scenario.cites
    for part in scenario.parts:
        yield from part.cites
        if isinstance(part, nodes.Steps):
            yield from (cite for step in part.steps for cite in step.cites)
