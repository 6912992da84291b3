"""The whole way from rules to a program, on one screen.

    read (reading.py) ─► declare ─► type ─► check ─► assemble ─► Program

Each arrow collects problems instead of raising; a program comes out only if there are no errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter import limits
from interpreter.model.check import check_mentioned, names_for, needed
from interpreter.model.citations import check_citations
from interpreter.model.declare import declare
from interpreter.program.lower.assemble import assemble
from interpreter.program.program import Program
from interpreter.program.verify import verify
from interpreter.reading import Rules
from interpreter.report.noqa import silence
from interpreter.report.problem import Enough, Problem, Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_whole
from interpreter.report.work import Work
from interpreter.scenario_check import check_offers, check_seats
from interpreter.scenario_unfold import unfold
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed.build.whole import type_rules
from interpreter.typed.checks import check
from interpreter.typed.checks.abilities import check_abilities


def build(
    rules: Rules,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    scenarios: Sequence[nodes.Scenario] = (),
    *,
    watched: bool = False,
    work: Work | None = None,
    to_play: bool = True,
) -> tuple[Program | None, list[Problem]]:
    """The program for a number of players and options; None if there are errors. With
    scenarios it is theirs, and starts where each of them says; a watched one tells which
    lines that cite clauses it comes to. `work` is what may be done for this and for others. If it
    is not `to_play` but to be thrown away, nobody looks for secrets that get out of it."""
    problems = Problems(rules.problems.items(), limits.PROBLEMS)
    if problems.has_errors:
        return None, problems.items()
    least, most = rules.players
    number = most if players is None else players
    if not least <= number <= most:
        mark = next(e.mark for e in rules.declarations if isinstance(e, nodes.PlayerRange))
        how_many = f"{least} to {most} players" if least < most else f"{most} players"
        problems.error("RR207", f"this game is for {how_many}, not {number}", mark)
        return None, problems.items()
    _check_option_names(rules, options or {}, problems)
    if rules.data is not None:
        rules.data.used.clear()
    work = work or Work()
    try:
        work.begin(scenarios[0].mark if scenarios else _top(rules), scenarios=bool(scenarios))
        work.spend(limits.BUILD_WORK + _data_characters(rules) // limits.DATA_WORK)
        declarations = needed(rules.declarations, scenarios, number)
        ruleset = declare(declarations, rules.data, number, options or {}, problems)
        check_citations([*rules.declarations, *scenarios], rules.clauses, problems)
        ruleset.in_scenarios = names_for([*rules.scenarios, *rules.courses], declarations)
        check_abilities(ruleset, problems)
        typed = type_rules(ruleset, problems, scenarios)
        check(typed, problems, work, secrets=to_play)
        program = None if problems.has_errors else assemble(typed, work, watched=watched)
    except Enough as enough:
        stopped = [] if enough.problem is None else [enough.problem]
        return None, Problems([*problems.items(), *stopped]).items()
    except RecursionError:
        return None, Problems([*problems.items(), work.too_deep()]).items()
    if program is not None:
        if to_play:
            mistakes = verify(program)
            assert not mistakes, mistakes[0]
        program.rules_hash = rules.hash
        for setting in rules.settings:
            value = ruleset.options[setting.name]
            names = ruleset.enums.get(setting.name)
            if isinstance(value, bool):
                program.options[setting.name] = "yes" if value else "no"
            else:
                program.options[setting.name] = names[value] if names else value
    return (None if problems.has_errors else program), problems.items()


def _top(rules: Rules) -> Mark:
    return Mark(next(iter(rules.sources), rules.name), 1, 1, 1, 2)


def _data_characters(rules: Rules) -> int:
    return 0 if rules.data is None else len(rules.sources[rules.data.name].text)


def _check_option_names(rules: Rules, options: dict[str, str | int], problems: Problems) -> None:
    known = {setting.name for setting in rules.settings}
    for name in options:
        if name not in known:
            mark = _top(rules)
            listed = ", ".join(sorted(known)) or "none"
            message = f"there is no option `{name}`; there is {listed}"
            problems.error("RR237", message, mark, help=did_you_mean(name, known))


@dataclass(frozen=True, slots=True)
class Table:
    """What a scenario is played with."""

    players: int
    options: tuple[tuple[str, str | int], ...]


def scenario_tables(
    rules: Rules, scenarios: Iterable[nodes.Scenario]
) -> list[tuple[Table, list[nodes.Scenario]]]:
    """Scenarios, unfolded, by what they are played with: those alike share a program."""
    found: dict[Table, list[nodes.Scenario]] = {}
    for scenario in scenarios:
        found.setdefault(_table(rules, scenario), []).append(scenario)
    return list(found.items())


def _table(rules: Rules, scenario: nodes.Scenario) -> Table:
    players = rules.players[0]
    options: dict[str, str | int] = {}
    for head in scenario.heads:
        value = head.values[0] if head.values else None
        if head.word == "players" and isinstance(value, nodes.Number):
            players = value.value
        elif head.name is not None and value is not None and not isinstance(value, nodes.Range):
            text = flat(say_value(value))
            number = read_whole(text)
            options[head.name] = text if number is None else number
    return Table(players, tuple(sorted(options.items())))


def check_rules(rules: Rules) -> list[Problem]:
    """All problems, for the fewest and the most players: what differs between them differs
    at these ends. A mistake that shows in both is told once. Then what no rule uses, and the
    problems of the scenarios; without the warnings that comments in the rules silence."""
    least, most = rules.players
    found = Problems(rules.problems.items())
    work = Work()
    for number in dict.fromkeys((most, least)):
        if not found.has_errors:
            # Who can know what is the same for any number of players.
            found.extend(build(rules, number, work=work, to_play=number == most)[1])
    if not found.has_errors:
        named = next(iter(rules.sources), rules.name)
        check_mentioned(rules.declarations, named, [*rules.scenarios, *rules.courses], found)
    if not rules.problems.has_errors:
        _check_scenarios(rules, found, work)
    return Problems(silence(found.items(), rules.sources)).items()


def _check_scenarios(rules: Rules, found: Problems, work: Work) -> None:
    unfolded = [unfold(rules, each) for each in rules.scenarios]
    found.extend(each for each in unfolded if isinstance(each, Problem))
    plain = [each.plain for one in unfolded if not isinstance(one, Problem) for each in one]
    check_seats(plain, rules.players[1], found)
    for table, scenarios in scenario_tables(rules, plain):
        program, told = build(rules, table.players, dict(table.options), scenarios, work=work)
        found.extend(told)
        if program is not None:
            check_offers(program, scenarios, found)
        if work.left < 0:
            return
