"""Versions of rule files: a file, or what git has kept of it (`HEAD~1:rulesets/NAME.rules`).

Git is asked for single files, without a shell, with limits, and for nothing that could write or
reach another machine. What it answers is put into a folder of its own, with all that the rules
read beside them.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import click

from interpreter import limits
from interpreter.cli.common import find_rules, shown_path

_NAMED = re.compile(r'^(?:include|data|clauses) "([^"\n]*)"', re.MULTILINE)
_REVISION = re.compile(r"[A-Za-z0-9_][\w./@{}^~-]{0,199}", re.ASCII)
_SECONDS = 20.0
_QUIET = {
    "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat", "LC_ALL": "C",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Version:
    path: str  # of the rule file
    name: str  # for people


def find_versions(old: str, new: str | None, folder: Path) -> tuple[Version, Version]:
    """What two names mean. `old` may be a file, `REVISION:FILE`, or a revision of the file that
    `new` names; without `new`, the file as it is now. What git has is put below `folder`."""
    if new is None:
        first = _find(old, folder / "old")
        current = old.partition(":")[2] if _is_revision(old) else old
        return first, _find(current, folder / "new")
    if _is_file(new) and not _is_file(old) and ":" not in old and _REVISION.fullmatch(old):
        old = f"{old}:{shown_path(find_rules(new))}"
    return _find(old, folder / "old"), _find(new, folder / "new")


def _is_file(name: str) -> bool:
    try:
        find_rules(name)
    except click.UsageError:
        return False
    return True


def _is_revision(name: str) -> bool:
    return ":" in name and not os.path.exists(name)


def _find(name: str, folder: Path) -> Version:
    if not _is_revision(name):
        path = shown_path(find_rules(name))
        return Version(path, path)
    revision, _, path = name.partition(":")
    if not _REVISION.fullmatch(revision) or not path:
        raise click.UsageError(f"`{name}` should be a file, or REVISION:FILE such as HEAD~1:{path}")
    _fetch(revision, path, folder)
    return Version(str(folder / PurePosixPath(path).name), f"{path} at {revision}")


def _fetch(revision: str, path: str, folder: Path) -> None:
    """A rule file with the files it names, and those they include."""
    home = Path(path).parent
    top = PurePosixPath(path).name
    waiting, seen, total = [top], {top}, 0
    while waiting:
        name = waiting.pop()
        data = _show(revision, str(home / name))
        if data is None and name == top:
            raise click.UsageError(f"git knows no `{path}` at `{revision}`")
        if data is None:
            continue  # whoever reads the rules will miss it
        total += len(data)
        if total > limits.RULESET_BYTES + 2 * limits.YAML_BYTES or len(seen) > limits.INCLUDE_FILES:
            raise click.UsageError(f"`{path}` at `{revision}` is too long")
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        for each in _NAMED.findall(data.decode("utf-8", "replace")):
            # All names are seen from the folder of the first file.
            if each not in seen and ".." not in PurePosixPath(each).parts and each[:1] != "/":
                seen.add(each)
                waiting.append(each)


def _show(revision: str, path: str) -> bytes | None:
    """A file as it was; None if git has none."""
    where = Path(path).absolute()
    beside = next((each for each in where.parents if each.is_dir()), Path.cwd())
    # From the folder, so that it does not matter where in the repository we are.
    relative = where.relative_to(beside).as_posix()
    named = f"{revision}:./{relative}"
    size = _git(beside, "cat-file", "-s", "--end-of-options", named)
    if size is None or not size.strip().isdigit():
        return None
    if int(size) > limits.YAML_BYTES:
        raise click.UsageError(f"`{path}` at `{revision}` is too long")
    return _git(beside, "show", "--no-textconv", "--end-of-options", named)


def _git(folder: Path, *arguments: str) -> bytes | None:
    command = ["git", "-C", str(folder), "--no-pager", "-c", "core.fsmonitor=false", *arguments]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **_QUIET}, timeout=_SECONDS, check=False,
        )  # fmt: skip
    except OSError:
        raise click.UsageError("git is not installed, so only files can be compared") from None
    except subprocess.TimeoutExpired:
        raise click.UsageError("git takes too long to answer") from None
    return done.stdout if done.returncode == 0 else None
