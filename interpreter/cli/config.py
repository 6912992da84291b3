"""Settings of a project: `rulerun.toml`, or `[tool.rulerun]` in pyproject.toml, nearest upwards."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from interpreter import limits
from interpreter.cli.common import COLOURS

# As in report/render, which is not loaded for this.
FORMATS = ("full", "concise", "json", "github", "sarif", "junit", "gitlab")


@dataclass(frozen=True, slots=True)
class Config:
    output_format: str | None = None
    color: str | None = None
    strict: bool | None = None
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
    from interpreter.report.suggest import did_you_mean

    if not isinstance(table, dict):
        raise click.UsageError(f"{path}: `tool.rulerun` is not a table")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS) or f"Known are {', '.join(sorted(_KEYS))}."
            raise click.UsageError(f"{path}: there is no setting `{key}`. {hint}")
        fits, wanted = _KEYS[key]
        if not fits(value):
            raise click.UsageError(f"{path}: `{key}` must be {wanted}, not {value!r}")
        values[key.replace("-", "_")] = value
    return Config(**values, file=path)


def _is_format(value: object) -> bool:
    return value in FORMATS


_KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    "output-format": (_is_format, f"one of {', '.join(FORMATS)}"),
    "color": (lambda value: value in COLOURS, f"one of {', '.join(COLOURS)}"),
    "strict": (lambda value: isinstance(value, bool), "true or false"),
}
