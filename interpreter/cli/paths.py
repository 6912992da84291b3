"""Which files somebody means: files, folders, patterns, and `-` for standard input."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path

import click

from interpreter import limits
from interpreter.report.suggest import nearest
from interpreter.watching import SKIPPED

ENDING = ".rules"
SCENARIOS = ".scenarios"
_SCENARIO = re.compile(r'^scenario "', re.MULTILINE)
_INCLUDE = re.compile(r'^include "([^"\n]*)"', re.MULTILINE)
_DATA = re.compile(r'^data "([^"\n]*)"', re.MULTILINE)


def find_files(paths: Iterable[str], *, parts: bool = False) -> list[str]:
    """Every file once, in order. Naming nothing that exists is wrong use. Files that rules include
    are seen with those, and by themselves only if `parts` are wanted."""
    found: dict[str, bool] = {}  # whether it was named itself
    for path in paths:
        if path == "-" or (os.path.exists(path) and not os.path.isdir(path)):
            refuse_data(path)
            found[path] = True
            continue
        if os.path.isdir(path):
            inside = [*_in_folder(path), *_in_folder(path, SCENARIOS)]
        else:
            inside = _matching(path)
        for each in inside:
            found.setdefault(each, False)
    inside_others = set() if parts else _included(p for p in found if not p.endswith(SCENARIOS))
    files = [p for p, named in found.items() if named or os.path.abspath(p) not in inside_others]
    if not files:
        raise click.UsageError(f"there is no {ENDING} file in {', '.join(paths)}")
    return files


def refuse_data(path: str) -> None:
    """A data file is no rules: whoever names one means the rules beside it that read it."""
    if not path.endswith((".yaml", ".yml")):
        return
    beside = sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(path)), f"*{ENDING}")))
    readers = [each for each in beside if os.path.abspath(path) in _named_in([each], _DATA)]
    named = " or ".join(f"`{each}`" for each in readers) or f"the {ENDING} file that reads it"
    raise click.UsageError(f"`{path}` is a data file, which has no rules. Name {named} instead.")


def no_file(path: str) -> click.UsageError:
    """The complaint about a file that is not there, with one beside it that was likely meant."""
    return click.UsageError(" ".join([f"there is no file `{path}`.", near_file(path)]).strip())


def near_file(path: str) -> str:
    folder, name = os.path.split(path)
    try:
        beside = [each for each in os.listdir(folder or ".") if not each.startswith(".")]
    except (OSError, ValueError):
        missing = folder and f"There is no folder `{folder}`."
        return missing or ""
    if name + ENDING in beside:
        return f"Did you mean `{path}{ENDING}`?"
    likely = [each for each in beside if each.endswith((ENDING, SCENARIOS, ".json"))]
    near = nearest(name, likely) or nearest(name + ENDING, likely)
    return f"Did you mean `{os.path.join(folder, near)}`?" if near else ""


def find_scenarios(paths: Iterable[str]) -> list[str]:
    """The files with scenarios that are meant: a rule file stands for those that include it,
    and for itself if it has some."""
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            rules = [each for each in _in_folder(path) if _has_scenarios(each)]
            found.update(dict.fromkeys([*rules, *_in_folder(path, SCENARIOS)]))
        elif not os.path.exists(path):
            raise no_file(path)
        elif path.endswith(ENDING) and os.path.isfile(path):
            if _has_scenarios(path):
                found[path] = None
            found.update(dict.fromkeys(scenarios_of(path)))
        else:
            found[path] = None
    return list(found)


def scenarios_of(path: str) -> list[str]:
    """The files of scenarios beside a rule file that include it."""
    folder = os.path.dirname(path)
    beside = sorted(glob.glob(os.path.join(glob.escape(folder), f"*{SCENARIOS}")))
    return [each for each in beside if os.path.abspath(path) in _included([each])]


def _has_scenarios(path: str) -> bool:
    return bool(_SCENARIO.search(_glance(path)))


def _glance(path: str) -> str:
    """What stands in a file; nothing for a pipe, which would be empty the second time."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(limits.SOURCE_BYTES)
    except OSError:
        return ""


def _in_folder(folder: str, ending: str = ENDING) -> Iterable[str]:
    for where, inner, names in os.walk(folder):
        inner[:] = sorted(n for n in inner if not n.startswith(".") and n not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(where, name) if where != "." else name
            if name.endswith(ending) and (os.path.isfile(path) or not os.path.exists(path)):
                yield path  # no pipe or device, which somebody must name to have it read


def _matching(pattern: str) -> list[str]:
    if glob.has_magic(pattern):
        inside = sorted(path for path in glob.glob(pattern, recursive=True))
        files = [path for path in inside if not os.path.isdir(path)]
        if files:
            return files
        raise click.UsageError(f"no file matches `{pattern}`")
    raise no_file(pattern)


def _included(files: Iterable[str]) -> set[str]:
    """Files that others include: they are no games of their own and are seen with those."""
    return _named_in(files, _INCLUDE)


def _named_in(files: Iterable[str], line: re.Pattern[str]) -> set[str]:
    found: set[str] = set()
    for path in files:
        folder = Path(path).parent
        found |= {os.path.abspath(folder / name) for name in line.findall(_glance(path))}
    return found
