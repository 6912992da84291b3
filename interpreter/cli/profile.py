"""`rulerun profile`: which lines, functions and options the time of random games goes to.

It needs native code, where everything runs that is in a hurry. Shares are of the time of games;
what a function calls is told by itself, not with the function.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from interpreter.cli.bench import as_number
from interpreter.cli.common import (
    OK,
    USAGE,
    common_options,
    game_options,
    json_option,
    load,
    note,
    out,
    out_json,
    players_option,
    telling,
    warn,
)  # fmt: skip

if TYPE_CHECKING:
    from interpreter.embedding import Game


@dataclass(frozen=True, slots=True)
class Share:
    """What takes part of the time: a part of the rules by name, and the line it begins at."""

    share: float
    what: str
    file: str
    line: int  # 0: nobody knows
    text: str


@click.command("profile")
@click.argument("file")
@click.option(
    "--secs", type=click.FloatRange(0.05, 60), default=2.0, callback=as_number,
    help="CPU time of the games.",
)  # fmt: skip
@click.option("--top", type=click.IntRange(1, 1000), default=20, help="So many rows at most.")
@players_option
@game_options
@json_option
@common_options
def command(
    file: str,
    secs: float,
    top: int,
    players: int | None,
    options: dict[str, str | int],
    as_json: bool,
) -> int:
    """Tell which lines, functions and options of the rules take how much of the time.

    Random games are played natively, by as few as can play, unless --players says how many.
    """
    game = load(file, players, options)
    if game.native is None:
        warn("a profile needs native code: pip install 'rulerun[fast]'")
        return USAGE
    with telling(game):
        shares, games, samples = profile(game, secs)
    shares = shares[:top]
    if as_json:
        told = [asdict(each) for each in shares]
        found = {"schema": "rulerun/profile@1", "games": games, "samples": samples, "shares": told}
        out_json(found)
        return OK
    note(f"{games:,} random games, looked at {samples:,} times")
    for each in shares:
        where = f"{each.line:>5}  {each.text}" if each.line else ""
        out(f"{each.share:6.1%}  {each.what[:32]:32}{where}".rstrip())
    return OK


def profile(game: Game, secs: float) -> tuple[list[Share], int, int]:
    """Shares of the time, the greatest first; how many games were played, and how often they
    were looked at."""
    from interpreter.play.native.profiling import sample

    counts, games = sample(game.program, secs)
    total = max(1, sum(counts.values()))
    found: dict[tuple[str, str, int], int] = {}
    for number, count in counts.items():
        key = _named(game, number)
        found[key] = found.get(key, 0) + count
    rows = [
        Share(count / total, what, file, line, _text(game, file, line))
        for (what, file, line), count in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.share, row.what, row.line)), games, total


def _named(game: Game, number: int) -> tuple[str, str, int]:
    """What a number of the profile stands for, and where it begins: file and line."""
    from interpreter.program.touches import operations

    program = game.program
    code = program.code
    if number < len(code):
        before = [each for each in program.routines if each.entry.position <= number]
        what = max(before, key=lambda each: each.entry.position).name if before else "play"
        spots = [_spot(each) for each in code[number::-1]]
    else:
        function = program.functions[number - len(code)]
        what = function.name
        spots = [_spot(op) for op in operations(function.body)]
    mark = next((program.spots[spot].mark for spot in spots if spot >= 0), None)
    return (what, mark.file, mark.line) if mark else (what, "", 0)


def _spot(op: object) -> int:
    found = getattr(op, "at", -1)
    return found if isinstance(found, int) else -1


def _text(game: Game, file: str, line: int) -> str:
    source = game.rules.sources.get(file) if game.rules else None
    return source.text.splitlines()[line - 1].strip() if source and line else ""
