"""Problems in every form somebody reads: a terminal, a log, a program, a code review.

All text is made visible first, in one place, so no format can forget it.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args
from urllib.parse import quote

from interpreter.report.hints import title
from interpreter.report.problem import Problem
from interpreter.report.source import Mark, Source
from interpreter.report.visible import escaped, visible, visible_character, width

Format = Literal["full", "concise", "json", "github", "sarif", "junit", "gitlab"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SNIPPET_WIDTH = 100  # of the source line, without its number
_LEAD = 40  # characters kept before the mark when a long line is cropped


@dataclass(frozen=True, slots=True)
class Tried:
    """Something with a name that was tried out, such as a scenario or some games, where it stands,
    and what was wrong with it. Those who count tests count these."""

    step: str  # the command that tried it
    name: str
    mark: Mark
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """What the JSON form is called, and what a command tells there besides problems."""

    schema: str = "rulerun/check@1"
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Told:
    """All that a form can tell of."""

    problems: Sequence[Problem]
    sources: Mapping[str, Source]
    tried: Sequence[Tried]
    document: Document
    colour: bool


def render(
    problems: Sequence[Problem],
    sources: Mapping[str, Source],
    format: Format = "full",
    colour: bool = False,
    *,
    tried: Sequence[Tried] = (),
    document: Document | None = None,
) -> str:
    """The problems, in the order given, as one text that ends in a newline unless empty.

    `sources` are the files that were looked at, by the name that marks use; a file that is not
    there is named but not quoted. Only the full form has colour. The problems of what was `tried`
    are among the problems.
    """
    told = _Told(
        [_visible_problem(problem) for problem in problems],
        {visible(name): source for name, source in sources.items()},
        [_visible_tried(each) for each in tried],
        document or Document(),
        colour,
    )
    return _RENDERERS[format](told)


def count(problems: Sequence[Problem]) -> str:
    """How many there are, in words: `2 errors and 1 warning`."""
    numbers = Counter(problem.severity for problem in problems)
    parts = [
        f"{numbers[kind]} {kind}{'s' if numbers[kind] != 1 else ''}"
        for kind in ("error", "warning")
        if numbers[kind]
    ]
    return " and ".join(parts) or "no problems"


# --- For people -----------------------------------------------------------------------------


def _full(told: _Told) -> str:
    problems = told.problems
    if not problems:
        return ""
    paint = _Paint(told.colour)
    blocks = [_full_problem(problem, told.sources, paint) for problem in problems]
    # The first error, or the first warning if there is none: what is to be mended first.
    by_weight = sorted(problems, key=lambda problem: problem.severity != "error")
    explained = next((problem.code for problem in by_weight if title(problem.code)), None)
    more = f" `rulerun explain {explained}` tells more." if explained else ""
    return "\n".join([*blocks, f"Found {count(problems)}.{more}\n"])


def _full_problem(problem: Problem, sources: Mapping[str, Source], paint: "_Paint") -> str:
    marks = [problem.mark, *(mark for mark, _ in problem.notes)]
    gutter = max(len(str(mark.line)) for mark in marks)
    head = paint(problem.severity, f"{problem.severity}[{problem.code}]")
    lines = [f"{head}{paint('strong', f': {problem.message}')}"]
    lines += _quote(problem.mark, sources, gutter, "^", problem.severity, paint)
    for mark, text in problem.notes:
        lines.append(f"{paint('strong', 'note')}: {text}")
        lines += _quote(mark, sources, gutter, "-", "frame", paint)
    if problem.help:
        first, *rest = problem.help.split("\n")
        lines.append(f"{paint('help', 'help')}: {first}")
        lines += [f"      {line}" for line in rest]
    return "".join(f"{line}\n" for line in lines)


def _quote(
    mark: Mark,
    sources: Mapping[str, Source],
    gutter: int,
    sign: str,
    style: str,
    paint: "_Paint",
) -> list[str]:
    """Where it is, the line itself, and a line of signs under the guilty part."""
    place = f"{' ' * gutter}{paint('frame', '-->')} {mark}"
    source = sources.get(mark.file)
    if source is None or not source.text:
        return [place]
    text, blank, signs = _snippet(source.line(mark.line), mark)
    bar = paint("frame", "|")
    return [
        place,
        f"{' ' * gutter} {bar}",
        f"{paint('frame', str(mark.line).rjust(gutter))} {bar} {text}".rstrip(),
        f"{' ' * gutter} {bar} {' ' * blank}{paint(style, sign * signs)}",
    ]


def _snippet(line: str, mark: Mark) -> tuple[str, int, int]:
    """The line as shown, the columns before the marked part, and the columns it takes."""
    start = min(mark.column - 1, len(line))
    end = mark.end_column - 1 if mark.end_line == mark.line else len(line)
    first = max(0, start - _LEAD) if len(line) > _SNIPPET_WIDTH else 0
    shown, used, blank, signs = "", 0, 0, 0
    if first:
        shown, used, blank = "…", 1, 1
    for position in range(first, len(line)):
        cell = "    " if line[position] == "\t" else visible_character(line[position])
        if used + width(cell) > _SNIPPET_WIDTH:
            shown += "…"
            break
        shown += cell
        used += width(cell)
        if position < start:
            blank += width(cell)
        elif position < end:
            signs += width(cell)
    return shown, blank, max(1, signs)  # an empty mark, such as the end of a line, still shows


@dataclass(frozen=True)
class _Paint:
    """Colours words, or does not."""

    colour: bool

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour else text


_STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "help": "1;32",
    "frame": "1;34",
    "strong": "1",
}


def _concise(told: _Told) -> str:
    return "".join(f"{problem}\n" for problem in told.problems)


# --- For programs ---------------------------------------------------------------------------


def _json(told: _Told) -> str:
    numbers = Counter(problem.severity for problem in told.problems)
    return escaped(
        _dump(
            {
                "schema": told.document.schema,
                "errors": numbers["error"],
                "warnings": numbers["warning"],
                **told.document.more,
                "problems": [_json_problem(problem) for problem in told.problems],
            }
        )
    )


def _json_problem(problem: Problem) -> dict[str, object]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        **_json_mark(problem.mark),
        "notes": [{"message": text, **_json_mark(mark)} for mark, text in problem.notes],
        "help": problem.help,
        "limit": problem.limit,
    }


def _json_mark(mark: Mark) -> dict[str, str | int]:
    return {
        "file": mark.file,
        "line": mark.line,
        "column": mark.column,
        "end_line": mark.end_line,
        "end_column": mark.end_column,
    }


def _github(told: _Told) -> str:
    return "".join(f"{_github_line(problem)}\n" for problem in told.problems)


def _github_line(problem: Problem) -> str:
    mark = problem.mark
    file = _relative(mark.file)
    fields: dict[str, str | int] = {"title": f"rulerun ({problem.code})", "file": file}
    # Columns are refused in an annotation of more than one line.
    if mark.line == mark.end_line:
        fields |= {"line": mark.line, "col": mark.column}
        fields |= {"endLine": mark.end_line, "endColumn": mark.end_column}
    else:
        fields |= {"line": mark.line, "endLine": mark.end_line}
    properties = ",".join(f"{key}={_github_property(str(fields[key]))}" for key in fields)
    text = problem.message if problem.help is None else f"{problem.message}\n{problem.help}"
    return f"::{problem.severity} {properties}::{_github_text(text)}"


def _github_text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_text(text).replace(":", "%3A").replace(",", "%2C")


def _sarif(told: _Told) -> str:
    problems = told.problems
    codes = sorted({problem.code for problem in problems})
    results = [
        {
            "ruleId": problem.code,
            "ruleIndex": codes.index(problem.code),
            "level": problem.severity,
            "message": {"text": "\n".join(filter(None, [problem.message, problem.help]))},
            "locations": [_sarif_location(problem.mark)],
            "relatedLocations": [
                {**_sarif_location(mark), "id": number, "message": {"text": text}}
                for number, (mark, text) in enumerate(problem.notes)
            ],
            "partialFingerprints": {"rulerun/v1": fingerprint},
        }
        for problem, fingerprint in zip(problems, _fingerprints(told), strict=True)
    ]
    rules = [{"id": code, "shortDescription": {"text": title(code) or code}} for code in codes]
    return _dump(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {"driver": {"name": "rulerun", "rules": rules}},
                    "columnKind": "unicodeCodePoints",
                    "results": results,
                }
            ],
        }
    )


def _sarif_location(mark: Mark) -> dict[str, Any]:
    region = {
        "startLine": mark.line,
        "startColumn": mark.column,
        "endLine": mark.end_line,
        "endColumn": mark.end_column,
    }
    uri = quote(_relative(mark.file))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _junit(told: _Told) -> str:
    """A suite for each file and command. What was tried is a test of its own; so is a problem that
    nothing of it has, and a file without any."""
    from xml.etree import ElementTree

    suites: dict[tuple[str, str], list[_Case]] = {}
    if not told.tried:
        suites = {("check", name): [] for name in told.sources}
    for each in told.tried:
        suites.setdefault((each.step, each.mark.file), []).append(_Case(each.name, each.problems))
    inside = {problem for each in told.tried for problem in each.problems}
    for problem in told.problems:
        if problem not in inside:
            name = f"{problem.code} {problem.mark.line}:{problem.mark.column}"
            suites.setdefault(("check", problem.mark.file), []).append(_Case(name, (problem,)))
    root = ElementTree.Element("testsuites", name="rulerun")
    for (step, file), cases in suites.items():
        name = file if step == "check" else f"{step} {file}"
        found = cases or [_Case("check", ())]
        failures = sum(case.fails for case in found)
        counts = {"tests": len(found), "failures": failures, "errors": 0}
        head = {"name": name, **{key: str(number) for key, number in counts.items()}}
        suite = ElementTree.SubElement(root, "testsuite", head)
        for case in found:
            element = ElementTree.SubElement(suite, "testcase", name=case.name, classname=name)
            for problem in case.problems:
                if problem.severity == "error":
                    said = {"type": problem.code, "message": problem.message}
                    text = ElementTree.SubElement(element, "failure", said)
                else:  # a warning is told but fails nothing
                    text = ElementTree.SubElement(element, "system-out")
                text.text = "\n".join(filter(None, [str(problem), problem.help]))
    ElementTree.indent(root)
    xml = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{xml}\n'


@dataclass(frozen=True, slots=True)
class _Case:
    """One test of a suite."""

    name: str
    problems: tuple[Problem, ...]

    @property
    def fails(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)


def _gitlab(told: _Told) -> str:
    return _dump(
        [
            {
                "description": problem.message,
                "check_name": problem.code,
                "fingerprint": fingerprint,
                "severity": "major" if problem.severity == "error" else "minor",
                "location": {
                    "path": _relative(problem.mark.file),
                    "lines": {"begin": problem.mark.line, "end": problem.mark.end_line},
                },
            }
            for problem, fingerprint in zip(told.problems, _fingerprints(told), strict=True)
        ]
    )


_RENDERERS: dict[Format, Callable[[_Told], str]] = {
    "full": _full,
    "concise": _concise,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
    "junit": _junit,
    "gitlab": _gitlab,
}


# --- Shared ---------------------------------------------------------------------------------


def _visible_problem(problem: Problem) -> Problem:
    return replace(
        problem,
        message=visible(problem.message),
        mark=_visible_mark(problem.mark),
        notes=tuple((_visible_mark(mark), visible(text)) for mark, text in problem.notes),
        help=problem.help and "\n".join(visible(line) for line in problem.help.split("\n")),
    )


def _visible_tried(tried: Tried) -> Tried:
    return replace(
        tried,
        name=visible(tried.name),
        mark=_visible_mark(tried.mark),
        problems=tuple(_visible_problem(problem) for problem in tried.problems),
    )


def _visible_mark(mark: Mark) -> Mark:
    return replace(mark, file=visible(mark.file))


def _fingerprints(told: _Told) -> list[str]:
    """A name for each problem that survives lines being added above it."""
    seen: Counter[str] = Counter()
    fingerprints = []
    for problem in told.problems:
        source = told.sources.get(problem.mark.file)
        line = source.line(problem.mark.line).strip() if source else ""
        key = "\0".join([problem.code, _relative(problem.mark.file), line])
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode(errors="replace"))
        fingerprints.append(digest.hexdigest()[:32])
        seen[key] += 1  # the same mistake twice on equal lines is two problems
    return fingerprints


def _relative(file: str) -> str:
    # Code reviews know files by their path from the root of the checkout, where the tool is run.
    return os.path.relpath(file).replace(os.sep, "/") if os.path.isabs(file) else file


def _dump(document: object) -> str:
    return json.dumps(document, indent=2) + "\n"
