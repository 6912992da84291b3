"""`rulerun review`: where a recorded game was decided."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from interpreter.cli.common import (
    OK,
    Refused,
    common_options,
    json_option,
    load,
    out,
    out_json,
    settings,
    telling,
    unreadable,
    warn,
)  # fmt: skip
from interpreter.cli.seated import make_ready
from interpreter.model.seats import seat_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.bots.advice import Cost
    from interpreter.embedding import State

GAMES = 1000


@click.command("review")
@click.argument("record", metavar="RECORD", type=click.Path())
@click.option("--rules", "file", metavar="FILE", help="The rules, if not found by their name.")
@click.option(
    "--think", default=str(GAMES), show_default=True, metavar="TIME",
    help="For each decision: so many games, or `2s`.",
)  # fmt: skip
@click.option(
    "--bot", default="plain", show_default=True,
    help="Who judges: plain counts games won, search goes by points too.",
)  # fmt: skip
@click.option("--seat", type=click.IntRange(1, 16), help="Only the decisions of this seat.")
@click.option(
    "--most", type=click.IntRange(1), default=5, show_default=True, help="Decisions to tell."
)
@json_option
@common_options
def command(
    record: str,
    file: str | None,
    think: str,
    bot: str,
    seat: int | None,
    most: int,
    as_json: bool,
) -> int:
    """Go through a recorded game and tell the decisions that cost most: what was chosen, what
    would have been better, and how the chances of winning were after either. Each is judged by
    what its seat could know at that moment."""
    from interpreter.bots.advice import review
    from interpreter.bots.bot import MINDS, make_mind
    from interpreter.bots.budget import FORMS, read_budget
    from interpreter.cli.replay import rules_of
    from interpreter.record import RecordError, read_record, replay_states

    found = read_record(record)
    if not found.has_header:
        raise unreadable(found.problems)
    budget = read_budget(think)
    if budget is None:
        raise click.UsageError(f"`--think {think}`: write {FORMS}")
    if bot not in (*MINDS, "best"):
        raise click.UsageError(f"`{bot}` cannot judge; there is best, {', '.join(MINDS)}")
    game = load(file or rules_of(found, record), found.players, found.options, found.set_otherwise)
    try:
        mind = make_mind(bot, game)
        states = list(replay_states(game, found))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except RecordError as error:
        raise Refused([error.problem], {}) from None
    make_ready(game)
    with telling(game):
        costs = review(states, mind, budget, lambda number: _progress(number, len(states) - 1))
    if seat is not None:
        costs = [each for each in costs if each.seat == seat - 1]
    told = [each for each in costs if each.sure > 0][:most]
    if as_json:
        out_json({"schema": "rulerun/review@1", "decisions": [_data(each) for each in told]})
        return OK
    for line in lines(states[-1], told, budget.words, record):
        out(line)
    return OK


def _progress(number: int, most: int) -> None:
    if sys.stderr.isatty() and not settings().quiet:
        end = "\r\x1b[K" if number == most else ""
        warn(f"\rdecision {number} of {most}{end}", end="", drawn=True)


def lines(state: State, costs: Sequence[Cost], effort: str, record: str) -> list[str]:
    """For people, in the order of the game."""
    from interpreter.report.visible import visible

    title = visible(f"{state.game.title}: judged by {effort}, by what each seat knew.")
    if not costs:
        return [title, "No decision was clearly worse than another would have been."]
    found = [title, "These decisions cost most:", ""]
    for each in sorted(costs, key=lambda cost: cost.number):
        chosen, best = visible(each.chosen.option.words), visible(each.best.option.words)
        found += [
            f"{each.number:4}  {seat_name(each.seat)} chose    {chosen}: "
            f"{100 * each.chosen.value:.0f}% to win",
            f"         better was  {best}: {100 * each.best.value:.0f}%",
        ]
    dearest = costs[0]
    found += [
        "",
        f"The dearest was decision {dearest.number} of {seat_name(dearest.seat)}: it cost "
        f"{100 * dearest.lost:.0f} points in a hundred.",
        f"The table before it: rulerun replay {record} --until {dearest.number - 1}",
    ]
    return found


def _data(cost: Cost) -> dict[str, object]:
    return {
        "decision": cost.number,
        "seat": cost.seat + 1,
        "chosen": cost.chosen.option.text,
        "chance": cost.chosen.value,
        "better": cost.best.option.text,
        "betterChance": cost.best.value,
    }
