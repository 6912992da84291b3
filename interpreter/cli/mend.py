"""`rulerun check --fix`: what can only be meant in one way is put right in the file.

Only errors are mended, because rules with an error mean nothing yet, and comments that silence
nothing. What a warning is about stays: the rules run, and would mean something else. Whatever is
written is looked at again; what did not help is taken back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.cli.check import check_file
from interpreter.cli.common import warn
from interpreter.cli.fmt import replace_file
from interpreter.report.source import Mark, Source
from interpreter.report.suggest import clearly_meant, near_names
from interpreter.scenario_amend import amended
from interpreter.scenario_state import Edit

if TYPE_CHECKING:
    from interpreter.report.problem import Problem

_PASSES = 20  # what is mended may let other mistakes show
_UNUSED = "RR830"
_UNREADABLE = ("RR106", "RR110", "RR111", "RR116")  # signs and words that no rule knows here

# Signs and words of other languages that can mean one thing only, wherever they stand.
_SPELLINGS = {
    "≤": "<=", "=<": "<=", "≥": ">=", "=>": ">=", "≠": "!=", "<>": "!=", "!==": "!=", "==": "=",
    "×": "*", "·": "*", "−": "-", "&&": "and", "||": "or", "elif": "else if", "elseif": "else if",
    "elsif": "else if", "foreach": "for each", "while": "repeat while",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Mending:
    problem: Problem
    edit: Edit
    before: str  # what stood there

    def __str__(self) -> str:
        new = self.edit.text.strip()
        became = f"became `{new}`" if new else "was taken away"
        return f"fixed {self.edit.mark}: `{self.before}` {became} ({self.problem.code})"


def mend(path: str) -> int:
    """Mend a file and those it reads, tell each thing that was done, and give their number."""
    done = 0
    hopeless: set[tuple[str, str, str]] = set()
    for _ in range(_PASSES):
        problems, sources = _look(path)
        mendings = [each for each in _mendings(problems, sources) if _key(each) not in hopeless]
        if not mendings:
            break
        useless = _try(path, mendings, sources)
        if useless:  # begin again without these
            hopeless |= useless
            continue
        for each in mendings:
            warn(str(each))
        done += len(mendings)
    return done


def _try(
    path: str, mendings: Sequence[_Mending], sources: Mapping[str, Source]
) -> set[tuple[str, str, str]]:
    """Write all of it, and give what is told again nevertheless; then nothing is written."""
    files = {each.edit.mark.file for each in mendings}
    kept = False
    try:
        for name in files:
            edits = [each.edit for each in mendings if each.edit.mark.file == name]
            replace_file(name, amended(sources[name], edits))
        again = {_key(each) for each in _mendings(*_look(path))}
        useless = {_key(each) for each in mendings} & again
        kept = not useless
    finally:
        for name in files if not kept else ():
            replace_file(name, sources[name].text)
    return useless


def _look(path: str) -> tuple[list[Problem], dict[str, Source]]:
    rules, problems = check_file(path)
    return problems, rules.sources


def _key(mending: _Mending) -> tuple[str, str, str]:
    return mending.problem.code, str(mending.edit.mark), mending.before


def _mendings(problems: Sequence[Problem], sources: Mapping[str, Source]) -> list[_Mending]:
    """What could be mended at once: no two of them on one line."""
    found: dict[tuple[str, int], _Mending] = {}
    for problem in problems:
        source = sources.get(problem.mark.file)
        edit = None if source is None else find_edit(problem, source)
        if source is not None and edit is not None:
            before = _text(source, edit.mark).strip()
            place = edit.mark.file, edit.mark.line
            found.setdefault(place, _Mending(problem, edit, before))
    return list(found.values())


def find_edit(problem: Problem, source: Source) -> Edit | None:
    """What to write instead, if it is clear."""
    if problem.mark.line != problem.mark.end_line:
        return None
    if problem.code == _UNUSED:
        return _without_code(problem.mark, source)
    if problem.severity != "error":
        return None
    word = _text(source, problem.mark)
    meant = clearly_meant(problem.help)
    if problem.code not in _UNREADABLE:
        mark = None if meant is None else _where(problem, source)
        return None if mark is None or meant is None else Edit(mark, meant)
    if word in _SPELLINGS:
        return Edit(problem.mark, _apart(source, problem.mark, _SPELLINGS[word]))
    if meant is not None:
        from interpreter.tree.parse import keywords

        if near_names(word, keywords()) == [meant]:
            return Edit(problem.mark, meant)
    return None


def _where(problem: Problem, source: Source) -> Mark | None:
    """The misspelt name: it is the first that the message quotes, and stands once in what is
    marked."""
    named = re.search(r"`([^`]+)`", problem.message)
    if named is None:
        return None
    text = _text(source, problem.mark)
    places = list(re.finditer(rf"(?<!\w){re.escape(named[1])}(?!\w)", text))
    if len(places) != 1:
        return None
    mark = problem.mark
    start = mark.column + places[0].start()
    return Mark(mark.file, mark.line, start, mark.line, start + len(named[1]))


def _without_code(mark: Mark, source: Source) -> Edit | None:
    """A comment that silences nothing goes, or its code if there are others."""
    from interpreter.report.noqa import find_noqas

    for noqa in find_noqas(source):
        if any(each == mark for _, each in noqa.codes):
            line = source.line(mark.line)
            if len(noqa.codes) == 1:
                start = len(line[: noqa.mark.column - 1].rstrip()) + 1
                end = noqa.mark.end_column
            else:
                start, end = mark.column, mark.end_column
                rest = re.match(r"[,\s]*", line[end - 1 :])
                end += len(rest[0]) if rest else 0
            return Edit(Mark(mark.file, mark.line, start, mark.line, end), "")
    return None


def _apart(source: Source, mark: Mark, text: str) -> str:
    """A word that takes the place of a sign needs spaces around it."""
    if not text[0].isalpha():
        return text
    line = f" {source.line(mark.line)} "
    before, after = line[mark.column - 1], line[mark.end_column]
    return f"{'' if before.isspace() else ' '}{text}{'' if after.isspace() else ' '}"


def _text(source: Source, mark: Mark) -> str:
    return source.line(mark.line)[mark.column - 1 : mark.end_column - 1]
