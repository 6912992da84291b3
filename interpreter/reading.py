"""From files to `Rules`: every declaration of a ruleset, its data, and the sources for messages.

Files are read with limits, and nothing is read that does not lie beside or below the first one.
Problems are collected; nothing is raised.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.model.citations import check_clauses
from interpreter.model.rows import DataFile
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Mark, Source, read_source
from interpreter.report.suggest import nearest
from interpreter.tree import nodes
from interpreter.tree.parse import count_words, parse, too_many_words


@dataclass(slots=True)
class Rules:
    """A ruleset as read: all its declarations, its data, and the sources for messages."""

    name: str
    sources: dict[str, Source] = field(default_factory=dict)
    declarations: list[nodes.Declaration] = field(default_factory=list)
    scenarios: list[nodes.Scenario] = field(default_factory=list)
    courses: list[nodes.NamedSteps] = field(default_factory=list)  # of steps, for scenarios
    data: DataFile | None = None
    clauses: yaml_tree.Node | None = None
    set_otherwise: tuple[str, ...] = ()  # than the files say: see amending.py
    problems: Problems = field(default_factory=Problems)
    bytes_read: int = 0
    words: int = 0

    @property
    def players(self) -> tuple[int, int]:
        for each in self.declarations:
            if isinstance(each, nodes.PlayerRange):
                return each.least, each.most
        return 2, 2

    @property
    def title(self) -> str:
        for each in self.declarations:
            if isinstance(each, nodes.Game):
                return each.title
        return self.name

    @property
    def settings(self) -> list[nodes.Setting]:
        return [each for each in self.declarations if isinstance(each, nodes.Setting)]

    @property
    def hash(self) -> str:
        """Names the rules exactly: every byte of every file counts."""
        digest = hashlib.sha256()
        for source in self.sources.values():
            text = source.text.encode("utf-8", "surrogatepass")
            digest.update(len(text).to_bytes(8, "little"))
            digest.update(text)
        return digest.hexdigest()[:32]


def read_rules(path: str | Path, stdin_name: str | None = None) -> Rules:
    rules = Rules(stdin_name or str(path))
    source = read_source(path, limits.SOURCE_BYTES, name=stdin_name)
    if isinstance(source, Problem):
        rules.problems.add(source)
        return rules
    folder = Path(".") if str(path) == "-" else Path(path).parent
    return _read(rules, source, folder)


def read_text(text: str, name: str = "rules", folder: Path | None = None) -> Rules:
    """Rules from a text in memory; files they name are looked up in `folder`, if given."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _read(Rules(name), Source(name, lines), folder)


def _read(rules: Rules, source: Source, folder: Path | None) -> Rules:
    _add_file(rules, source, folder, 0)
    _read_data(rules, folder)
    _check_header(rules, source)
    return rules


def _add_file(rules: Rules, source: Source, folder: Path | None, depth: int) -> None:
    rules.sources[source.name] = source
    rules.bytes_read += len(source.text)
    rules.words += count_words(source.text)
    if rules.words > limits.TOKENS:
        rules.problems.add(too_many_words(Mark.top(source.name)))
        return
    if source.text.lstrip().startswith("{"):
        from interpreter.tree.document import read_document

        found = read_document(source.text, source.name)
        tree = nodes.Tree(()) if isinstance(found, list) else found
        problems = found if isinstance(found, list) else []
    else:
        tree, problems = parse(source)
    rules.problems.extend(problems)
    for declaration in tree.declarations:
        if isinstance(declaration, nodes.Include):
            _include(rules, declaration, folder, depth)
        elif isinstance(declaration, nodes.Scenario):
            rules.scenarios.append(declaration)
        elif isinstance(declaration, nodes.NamedSteps):
            rules.courses.append(declaration)
        else:
            rules.declarations.append(declaration)


def _include(rules: Rules, include: nodes.Include, folder: Path | None, depth: int) -> None:
    if depth >= limits.INCLUDE_DEPTH or len(rules.sources) >= limits.INCLUDE_FILES:
        message = "files include files too deeply, or there are too many of them"
        help_ = f"at most {limits.INCLUDE_DEPTH} files deep, {limits.INCLUDE_FILES} files in all"
        rules.problems.error("RR050", message, include.mark, help=help_, limit=True)
        return
    path = safe_path(folder, include.file)
    if path is None:
        _outside(rules, include.file, include.mark)
        return
    name = _relative(rules, include.file)
    if name in rules.sources:
        message = f"`{include.file}` is included twice"
        help_ = "take this line away: once is enough for all files"
        rules.problems.error("RR051", message, include.mark, help=help_)
        return
    source = read_source(path, limits.SOURCE_BYTES, name=name)
    if isinstance(source, Problem):
        _unreadable(rules, source, include, folder)
        return
    if rules.bytes_read > limits.RULESET_BYTES:
        rules.problems.error("RR003", "the whole ruleset is too long", include.mark, limit=True)
        return
    _add_file(rules, source, folder, depth + 1)


def _unreadable(
    rules: Rules,
    found: Problem,
    line: nodes.Include | nodes.Data | nodes.Clauses,
    folder: Path | None,
) -> None:
    """A file that a line names cannot be read: tell it there, with the name as it was typed."""
    message, help_ = f"`{line.file}`: {found.message}", found.help
    if found.code == "RR001" and folder is not None:
        message = f"there is no file `{line.file}` beside the rules"
        beside = (folder / line.file).parent
        names = [each.name for each in beside.iterdir()] if beside.is_dir() else []
        near = nearest(Path(line.file).name, names)
        help_ = f"Did you mean `{near}`?" if near else "look at the spelling and at the folder"
    notes = () if found.code in ("RR001", "RR002") else ((found.mark, "it stands here"),)
    rules.problems.add(
        Problem(found.code, message, line.mark, "error", notes, help_, limit=found.limit)
    )


def safe_path(folder: Path | None, name: str) -> Path | None:
    """A file in the ruleset's own folder or below it; never anywhere else."""
    if folder is None or not name or "\\" in name or "\0" in name:
        return None
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        return None
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        readable = path.is_file() or not path.exists()  # no pipe, device or folder
    except (OSError, RuntimeError):  # a name too long, a loop of links
        return None
    return path if inside and readable else None


def _relative(rules: Rules, name: str) -> str:
    first = next(iter(rules.sources), "")
    folder = first.rpartition("/")[0]
    return f"{folder}/{name}" if folder else name


def _outside(rules: Rules, name: str, mark: Mark) -> None:
    message = f"`{name}` is not a file in the ruleset's folder"
    help_ = "rule files read only what lies beside or below them"
    rules.problems.error("RR052", message, mark, help=help_)


def _read_data(rules: Rules, folder: Path | None) -> None:
    for each in rules.declarations:
        if not isinstance(each, (nodes.Data, nodes.Clauses)):
            continue
        node = _read_yaml(rules, each, folder)
        if node is None:
            continue
        if isinstance(each, nodes.Data):
            rules.data = DataFile(_relative(rules, each.file), node)
        else:
            rules.problems.extend(check_clauses(node))
            rules.clauses = node


def _read_yaml(
    rules: Rules, each: nodes.Data | nodes.Clauses, folder: Path | None
) -> yaml_tree.Node | None:
    path = safe_path(folder, each.file)
    if path is None:
        _outside(rules, each.file, each.mark)
        return None
    source = read_source(path, limits.YAML_BYTES, name=_relative(rules, each.file))
    if isinstance(source, Problem):
        _unreadable(rules, source, each, folder)
        return None
    rules.sources[source.name] = source
    from interpreter.data.yaml_reader import compose

    node, problems = compose(source)
    rules.problems.extend(problems)
    return None if problems else node


def _check_header(rules: Rules, source: Source) -> None:
    top = Mark(source.name, 1, 1, 1, 2)
    if rules.problems.has_errors:
        return
    if rules.scenarios and not rules.declarations:
        message = "these scenarios do not say which rules they test"
        stem = Path(source.name).stem
        help_ = f'begin with `include "{stem}.rules"`'
        rules.problems.error("RR205", message, top, help=help_)
        return
    if not any(isinstance(each, nodes.Game) for each in rules.declarations):
        help_ = 'begin with `game "The name of the game"`'
        rules.problems.error("RR205", "the game has no name", top, help=help_)
    ranges = [each for each in rules.declarations if isinstance(each, nodes.PlayerRange)]
    if not ranges:
        help_ = "say `players 2` or `players 2..5`"
        rules.problems.error("RR206", "the number of players is missing", top, help=help_)
    for each in ranges:
        if not 1 <= each.least <= each.most <= 16:
            message = "from 1 to 16 players can play"
            help_ = "write the smaller number first, such as `players 2..5`"
            rules.problems.error("RR206", message, each.mark, help=help_)
