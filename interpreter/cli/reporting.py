"""What verbs find, told in the form the reader wants: problems, and what was tried."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.cli.common import exit_code, out, settings
from interpreter.cli.config import FORMATS

if TYPE_CHECKING:
    from interpreter.report.problem import Problem
    from interpreter.report.render import Document, Format, Tried
    from interpreter.report.source import Source

F = TypeVar("F", bound=Callable[..., Any])


def format_options(command: F) -> F:
    """`--output-format` and `--json`."""
    command = click.option(
        "--json", "as_json", is_flag=True, help="Short for --output-format json."
    )(command)
    return click.option(
        "--output-format",
        "form",
        type=click.Choice(FORMATS),
        envvar="RULERUN_OUTPUT_FORMAT",
        help="How problems are told; full is for people.",
    )(command)


def chosen_format(form: str | None, as_json: bool) -> Format:
    """What is typed wins over the environment, and that over the project's configuration. Rules
    that are refused from now on are told in this form, too."""
    chosen = settings()
    chosen.form = named_format("json" if as_json else form or chosen.config.output_format or "full")
    return chosen.form


def named_format(name: str) -> Format:
    from interpreter.report.render import FORMATS as RENDERED

    return next(each for each in RENDERED if each == name)


@dataclass(slots=True)
class Report:
    """What was found, each problem once, and in which files."""

    problems: list[Problem] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    tried: list[Tried] = field(default_factory=list)

    def add(self, problems: Iterable[Problem], sources: Mapping[str, Source]) -> None:
        known = set(self.problems)
        for problem in problems:
            if problem not in known:
                self.problems.append(problem)
                known.add(problem)
        self.sources |= sources

    def add_tried(self, tried: Tried, sources: Mapping[str, Source]) -> None:
        self.tried.append(tried)
        self.add(tried.problems, sources)

    def taken_strictly(self) -> Report:
        """The same with every warning as an error."""
        return Report(
            as_errors(self.problems),
            self.sources,
            [replace(each, problems=tuple(as_errors(each.problems))) for each in self.tried],
        )

    def text(self, form: Format, document: Document | None = None, *, colour: bool = False) -> str:
        from interpreter.report.render import render

        return render(
            self.problems, self.sources, form, colour, tried=self.tried, document=document
        )

    def tell(self, form: Format, document: Document | None = None) -> None:
        colour = settings().coloured(sys.stdout)
        out(self.text(form, document, colour=colour), end="", drawn=True)

    @property
    def code(self) -> int:
        return exit_code(self.problems)


def as_errors(problems: Iterable[Problem]) -> list[Problem]:
    return [replace(problem, severity="error") for problem in problems]
