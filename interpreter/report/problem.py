"""What is wrong with a ruleset, as data; the words and colours around it are made in render."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from interpreter.report.visible import visible

if TYPE_CHECKING:  # a problem has a mark, and reading a source can end in a problem
    from interpreter.report.source import Mark

Severity = Literal["error", "warning"]
Notes = tuple[tuple["Mark", str], ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake, at the smallest place that shows it.

    A code never changes its meaning. `notes` point at other places that belong to the story,
    `help` says what to type next, and `limit` tells that a limit was hit rather than a rule broken.
    """

    code: str
    message: str
    mark: Mark
    severity: Severity = "error"
    notes: Notes = ()
    help: str | None = None
    limit: bool = False

    def __str__(self) -> str:
        kind = "warning: " if self.severity == "warning" else ""
        return visible(f"{self.mark}: {self.code} {kind}{self.message}")


class Enough(Exception):
    """Ends a check that has found more problems than anybody reads, or that a limit stops; then
    `problem` tells which."""

    def __init__(self, problem: Problem | None = None) -> None:
        super().__init__()
        self.problem = problem


class Problems:
    """Collects problems, so that a reader hears of all of them at once.

    After `most` errors it raises Enough: looking for more would take ever longer.
    """

    def __init__(self, problems: Iterable[Problem] = (), most: int | None = None) -> None:
        self._problems = list(problems)
        self._most = most
        self._errors = 0

    def add(self, problem: Problem) -> None:
        self._problems.append(problem)
        self._errors += problem.severity == "error"
        if self._most is not None and self._errors >= self._most:
            raise Enough

    def extend(self, problems: Iterable[Problem]) -> None:
        self._problems.extend(problems)

    def error(
        self,
        code: str,
        message: str,
        mark: Mark,
        *,
        help: str | None = None,
        notes: Notes = (),
        limit: bool = False,
    ) -> None:
        self.add(Problem(code, message, mark, "error", notes, help, limit))

    def warning(
        self, code: str, message: str, mark: Mark, *, help: str | None = None, notes: Notes = ()
    ) -> None:
        self.add(Problem(code, message, mark, "warning", notes, help))

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self._problems)

    def items(self) -> list[Problem]:
        """All problems by place, each mistake once: the first telling of it."""
        first: dict[tuple[str, Mark], Problem] = {}
        for problem in self._problems:
            first.setdefault((problem.code, problem.mark), problem)
        return _gathered(sorted(first.values(), key=_by_place))


# A name that nothing has, or a column that no row should have, is often one slip where it should
# be declared, and many lines that tell. So is a text that is taken for a value.
_OF_NAMES = (
    "RR040", "RR210", "RR232", "RR235", "RR288", "RR300", "RR308", "RR313", "RR317", "RR330",
    "RR353", "RR413",
)  # fmt: skip
_OF_LINES = ("RR288",)  # a line is missing above several names
_SHOWN = 3


def _gathered(problems: list[Problem]) -> list[Problem]:
    """The same name that is wrong for the same reason in several places is told once."""
    found: dict[tuple[str, str, str | None], list[Problem]] = {}
    for problem in problems:
        if problem.code in _OF_NAMES:
            found.setdefault(_same(problem), []).append(problem)
    later = {id(each) for many in found.values() for each in many[1:]}
    kept = [problem for problem in problems if id(problem) not in later]
    return [
        _with_others(problem, found[_same(problem)][1:]) if problem.code in _OF_NAMES else problem
        for problem in kept
    ]


def _same(problem: Problem) -> tuple[str, str, str | None]:
    help_ = None if problem.code in _OF_LINES else problem.help
    return problem.code, problem.message, help_


def _with_others(problem: Problem, others: list[Problem]) -> Problem:
    lines = {each.mark.line: each.mark for each in others if each.mark.line != problem.mark.line}
    notes = tuple((mark, "here too") for mark in list(lines.values())[:_SHOWN])
    if len(lines) > _SHOWN:
        *before, (mark, _) = notes
        more = len(lines) - _SHOWN
        further = "one more line" if more == 1 else f"{more} more lines"
        notes = (*before, (mark, f"here too, and on {further}"))
    return replace(problem, notes=(*problem.notes, *notes))


class RulesError(Exception):
    """Raised by the embedding API for a ruleset that has problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def _by_place(problem: Problem) -> tuple[str, int, int, str]:
    return problem.mark.file, problem.mark.line, problem.mark.column, problem.code
