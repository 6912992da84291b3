"""`# noqa: RR419 the reason`: a warning that somebody has looked at and wants to keep.

It stands at the end of a line and silences the warnings of these codes there; a line that goes on
in brackets is one line. An error cannot be silenced: rules with errors mean nothing. A comment that
silences nothing is reported, and so is one without a reason, because whoever reads it next would
have to find it out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from interpreter.report.hints import all_codes
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source

_NOQA = re.compile(r"#\s*noqa\b[:\s]*(?P<codes>(?:[A-Za-z]+\d+[,\s]*)*)(?P<reason>[^#]*)", re.I)
_CODE = re.compile(r"[A-Za-z]+\d+")


@dataclass(frozen=True, slots=True)
class Noqa:
    """One such comment: where it stands, the lines it speaks of, and what it says."""

    mark: Mark
    first: int
    last: int
    codes: tuple[tuple[str, Mark], ...]
    reason: str

    def speaks_of(self, problem: Problem) -> bool:
        """Whether the problem is on its line."""
        mark = problem.mark
        return mark.file == self.mark.file and self.first <= mark.line <= self.last

    def silences(self, problem: Problem) -> bool:
        named = any(problem.code == code for code, _ in self.codes)
        return named and problem.severity == "warning" and self.speaks_of(problem)


def silence(problems: Sequence[Problem], sources: Mapping[str, Source]) -> list[Problem]:
    """The problems without the warnings that are silenced, and with what is wrong about that."""
    comments = [each for source in sources.values() for each in find_noqas(source)]
    if not comments:
        return list(problems)
    kept = [each for each in problems if not any(noqa.silences(each) for noqa in comments)]
    # Rules with errors are not looked over to the end, so nothing is known of their warnings.
    complete = not any(problem.severity == "error" for problem in problems)
    for each in comments:
        kept += _mistakes(each, problems, complete)
    return kept


def find_noqas(source: Source) -> Iterator[Noqa]:
    if "noqa" not in source.text.lower():
        return
    depth, first = 0, 1
    waiting: list[tuple[Mark, re.Match[str]]] = []
    for number, line in enumerate(source.lines, 1):
        code = _without_texts(line)
        words, sharp, _ = code.partition("#")
        if sharp and (found := _NOQA.search(line, len(words))):
            end = len(found[0].rstrip()) + found.start() + 1
            waiting.append((Mark(source.name, number, found.start() + 1, number, end), found))
        depth += sum((sign in "([") - (sign in ")]") for sign in words)
        if depth <= 0:
            for mark, found in waiting:
                codes = tuple(_codes(mark, found))
                yield Noqa(mark, first, number, codes, found["reason"].strip())
            depth, first, waiting = 0, number + 1, []


def _codes(mark: Mark, found: re.Match[str]) -> Iterator[tuple[str, Mark]]:
    for each in _CODE.finditer(found["codes"]):
        start = found.start("codes") + each.start() + 1
        yield each[0].upper(), replace(mark, column=start, end_column=start + len(each[0]))


def _without_texts(line: str) -> str:
    """The line with blanks for everything between quotes."""
    return re.sub(r'"[^"]*"?', lambda found: " " * len(found[0]), line)


def _mistakes(noqa: Noqa, problems: Sequence[Problem], complete: bool) -> Iterator[Problem]:
    here = [each.code for each in problems if noqa.speaks_of(each) and each.severity == "warning"]
    codes = ", ".join(code for code, _ in noqa.codes) or next(iter(here), "RR419")
    form = f"write `# noqa: {codes} the reason`"
    if not noqa.codes:
        message = "this does not say which warning it silences, so it silences none"
        yield Problem("RR832", message, noqa.mark, "warning", help=form)
        return
    known = all_codes()
    for code, mark in noqa.codes:
        about = [each for each in problems if each.code == code and noqa.speaks_of(each)]
        if code not in known:
            message = f"there is no problem with the code `{code}`"
            help_ = "`rulerun explain` lists all codes"
            yield Problem("RR832", message, mark, "warning", help=help_)
        elif any(each.severity == "error" for each in about):
            message = f"{code} is an error here, and an error cannot be silenced"
            help_ = f"mend what {code} tells of, and take `{code}` away here"
            yield Problem("RR830", message, mark, "warning", help=help_)
        elif complete and not about:
            message = f"there is no {code} on this line, so this silences nothing"
            help_ = f"take `{code}` away; `rulerun check --fix` does it for you"
            yield Problem("RR830", message, mark, "warning", help=help_)
    if not noqa.reason:
        message = "this does not say why the warning is all right"
        yield Problem("RR831", message, noqa.mark, "warning", help=form)
