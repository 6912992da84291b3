"""The whole way from a file to a program, on one screen.

    read ─► parse ─► (include) ─► data ─► declare ─► assemble ─► Program

Each arrow collects problems instead of raising; a program comes out only if there are no
errors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from interpreter import limits
from interpreter.data import yaml_tree
from interpreter.model.check import check_mentioned
from interpreter.model.citations import check_citations, check_clauses
from interpreter.model.declare import declare
from interpreter.model.rows import DataFile
from interpreter.program.lower.assemble import assemble
from interpreter.program.program import Program
from interpreter.report.problem import Enough, Problem, Problems
from interpreter.report.source import Mark, Source, read_source
from interpreter.report.suggest import nearest
from interpreter.report.whole import read_whole
from interpreter.report.work import Work
from interpreter.tree import nodes
from interpreter.tree.parse import count_words, parse, too_many_words
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat


@dataclass(slots=True)
class Rules:
    """A ruleset as read: all its declarations, its data, and the sources for messages."""

    name: str
    sources: dict[str, Source] = field(default_factory=dict)
    declarations: list[nodes.Declaration] = field(default_factory=list)
    scenarios: list[nodes.Scenario] = field(default_factory=list)
    data: DataFile | None = None
    clauses: yaml_tree.Node | None = None
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
    if not any(isinstance(each, nodes.Game) for each in rules.declarations):
        help_ = 'begin with `game "The name of the game"`'
        rules.problems.error("RR205", "the game has no name", top, help=help_)
    ranges = [each for each in rules.declarations if isinstance(each, nodes.PlayerRange)]
    if not ranges:
        help_ = "say `players 2` or `players 2..5`"
        rules.problems.error("RR206", "it is not said how many can play", top, help=help_)
    for each in ranges:
        if not 1 <= each.least <= each.most <= 16:
            message = "from 1 to 16 players can play"
            help_ = "write the smaller number first, such as `players 2..5`"
            rules.problems.error("RR206", message, each.mark, help=help_)


def build(
    rules: Rules,
    players: int | None = None,
    options: dict[str, str | int] | None = None,
    scenarios: Sequence[nodes.Scenario] = (),
    *,
    watched: bool = False,
    work: Work | None = None,
) -> tuple[Program | None, list[Problem]]:
    """The program for a number of players and options; None if there are errors. With
    scenarios it is theirs, and starts where each of them says; a watched one tells which
    lines that cite clauses it comes to. `work` is what may be done for this and for others."""
    problems = Problems(rules.problems.items(), limits.PROBLEMS)
    if problems.has_errors:
        return None, problems.items()
    least, most = rules.players
    number = most if players is None else players
    if not least <= number <= most:
        mark = next(e.mark for e in rules.declarations if isinstance(e, nodes.PlayerRange))
        problems.error("RR207", f"{number} cannot play: from {least} to {most} can", mark)
        return None, problems.items()
    _check_option_names(rules, options or {}, problems)
    if rules.data is not None:
        rules.data.used.clear()
    work = work or Work()
    try:
        work.begin(scenarios[0].mark if scenarios else _top(rules), scenarios=bool(scenarios))
        work.spend(limits.BUILD_WORK + _data_characters(rules) // limits.DATA_WORK)
        ruleset = declare(rules.declarations, rules.data, number, options or {}, problems)
        check_citations([*rules.declarations, *scenarios], rules.clauses, problems)
        program = assemble(ruleset, problems, work, scenarios, watched=watched)
    except Enough as enough:
        stopped = [] if enough.problem is None else [enough.problem]
        return None, Problems([*problems.items(), *stopped]).items()
    if program is not None:
        program.rules_hash = rules.hash
        for setting in rules.settings:
            value = ruleset.options[setting.name]
            names = ruleset.enums.get(setting.name)
            if isinstance(value, bool):
                program.options[setting.name] = "yes" if value else "no"
            else:
                program.options[setting.name] = names[value] if names else value
    return (None if problems.has_errors else program), problems.items()


def _top(rules: Rules) -> Mark:
    return Mark(next(iter(rules.sources), rules.name), 1, 1, 1, 2)


def _data_characters(rules: Rules) -> int:
    return 0 if rules.data is None else len(rules.sources[rules.data.name].text)


def _check_option_names(rules: Rules, options: dict[str, str | int], problems: Problems) -> None:
    known = {setting.name for setting in rules.settings}
    for name in options:
        if name not in known:
            mark = _top(rules)
            listed = ", ".join(sorted(known)) or "none"
            problems.error("RR237", f"there is no option `{name}`; there is {listed}", mark)


@dataclass(frozen=True, slots=True)
class Table:
    """What a scenario is played with."""

    players: int
    options: tuple[tuple[str, str | int], ...]


def scenario_tables(
    rules: Rules, scenarios: Iterable[nodes.Scenario]
) -> list[tuple[Table, list[nodes.Scenario]]]:
    """Scenarios by what they are played with: those alike share a program."""
    found: dict[Table, list[nodes.Scenario]] = {}
    for scenario in scenarios:
        found.setdefault(_table(rules, scenario), []).append(scenario)
    return list(found.items())


def _table(rules: Rules, scenario: nodes.Scenario) -> Table:
    players = rules.players[0]
    options: dict[str, str | int] = {}
    for head in scenario.heads:
        if head.word == "players" and isinstance(head.value, nodes.Number):
            players = head.value.value
        elif head.word == "option" and head.name is not None and head.value is not None:
            text = flat(say_value(head.value))
            number = read_whole(text)
            options[head.name] = text if number is None else number
    return Table(players, tuple(sorted(options.items())))


def check_rules(rules: Rules) -> list[Problem]:
    """All problems, for the fewest and the most players: what differs between them differs
    at these ends. A mistake that shows in both is told once. Then what no rule uses, and the
    problems of the scenarios."""
    least, most = rules.players
    found = Problems(rules.problems.items())
    work = Work()
    for number in dict.fromkeys((most, least)):
        if not found.has_errors:
            found.extend(build(rules, number, work=work)[1])
    if not found.has_errors:
        check_mentioned(rules.declarations, next(iter(rules.sources), rules.name), found)
    if not rules.problems.has_errors:
        _check_scenarios(rules, found, work)
    return found.items()


def _check_scenarios(rules: Rules, found: Problems, work: Work) -> None:
    for table, scenarios in scenario_tables(rules, rules.scenarios):
        found.extend(build(rules, table.players, dict(table.options), scenarios, work=work)[1])
        if work.left < 0:
            return


def check_source(source: Source) -> list[Problem]:
    return check_rules(read_text(source.text, source.name))
