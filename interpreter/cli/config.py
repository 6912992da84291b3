"""Settings of a project: `rulerun.toml`, or `[tool.rulerun]` in pyproject.toml, nearest upwards."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from interpreter import limits
from interpreter.cli.common import COLOURS

# As in report/render, which is not loaded for this.
FORMATS = ("full", "concise", "json", "github", "sarif", "junit", "gitlab")


# Of `rulerun ci`, in this order.
STEPS = ("check", "fmt", "test", "clauses", "prove", "soak", "expect")


@dataclass(frozen=True, slots=True)
class Ci:
    """What `rulerun ci` does, and how much of it: games of each ruleset, spread over all numbers of
    players and options; and of each game that is proved, the first so many rounds of choices. Some
    rulesets may be too slow for that. Where something is expected of playing, no more games than
    so many are played with each number of players to find out."""

    paths: Sequence[str] = (".",)
    steps: Sequence[str] = STEPS
    prove_games: int = 4
    prove_rounds: int = 20
    soak_games: int = 20
    expect_games: int = 10_000
    without_games: Sequence[str] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Config:
    output_format: str | None = None
    color: str | None = None
    strict: bool | None = None
    ci: Ci = Ci()
    file: Path | None = None


def find_config(start: Path) -> Config:
    for folder in (start, *start.parents):
        own = folder / "rulerun.toml"
        if own.is_file():
            return _config(own, _read(own))
        project = folder / "pyproject.toml"
        if project.is_file():
            tool = _read(project).get("tool", {})
            if isinstance(tool, dict) and "rulerun" in tool:
                return _config(project, tool["rulerun"])
    return Config()


def _read(path: Path) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            data = file.read(limits.SOURCE_BYTES + 1)
        if len(data) > limits.SOURCE_BYTES:
            raise click.UsageError(f"{path}: this configuration is too long")
        return tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{path}: {error or 'this is nested too deeply'}") from None


def _config(path: Path, table: Any) -> Config:
    values = _values(path, table, "", _KEYS)
    ci = _values(path, values.pop("ci", {}), "ci", _CI_KEYS)
    return Config(**values, ci=Ci(**ci), file=path)


def _values(path: Path, table: Any, name: str, keys: _Keys) -> dict[str, Any]:
    """The settings of one table, by the names that Python has for them."""
    from interpreter.report.suggest import did_you_mean

    if not isinstance(table, dict):
        raise click.UsageError(f"{path}: `{name or 'tool.rulerun'}` is not a table")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in keys:
            hint = did_you_mean(key, keys) or f"Known are {', '.join(sorted(keys))}."
            where = f" in `{name}`" if name else ""
            raise click.UsageError(f"{path}: there is no setting `{key}`{where}. {hint}")
        fits, wanted = keys[key]
        if not fits(value):
            raise click.UsageError(f"{path}: `{key}` must be {wanted}, not {value!r}")
        values[key.replace("-", "_")] = value
    return values


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_GAMES


def _are_words(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, str) for e in value)


_MOST_GAMES = 1_000_000
_COUNT = (_is_count, f"a number from 0 to {_MOST_GAMES}")
_Keys = dict[str, tuple[Callable[[Any], bool], str]]
_KEYS: _Keys = {
    "output-format": (lambda value: value in FORMATS, f"one of {', '.join(FORMATS)}"),
    "color": (lambda value: value in COLOURS, f"one of {', '.join(COLOURS)}"),
    "strict": (lambda value: isinstance(value, bool), "true or false"),
    "ci": (lambda value: isinstance(value, dict), "a table"),
}
_CI_KEYS: _Keys = {
    "paths": (_are_words, "a list of files and folders"),
    "steps": (
        lambda value: _are_words(value) and set(value) <= set(STEPS),
        f"a list of some of {', '.join(STEPS)}",
    ),
    "prove-games": _COUNT,
    "prove-rounds": _COUNT,
    "soak-games": _COUNT,
    "expect-games": _COUNT,
    "without-games": (_are_words, "a list of files and patterns"),
    "seed": _COUNT,
}
