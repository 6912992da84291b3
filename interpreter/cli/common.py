"""What verbs share: exit codes, settings, printing, finding rules, telling problems."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from interpreter.report.visible import escaped, visible_lines
from interpreter.resources import rulesets_folder

if TYPE_CHECKING:
    from interpreter.cli.config import Config
    from interpreter.embedding import Game
    from interpreter.reading import Rules
    from interpreter.report.problem import Problem
    from interpreter.report.render import Format
    from interpreter.report.source import Source

OK, PROBLEMS, USAGE, LIMIT, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130

MISSING = ("RR001", "RR002")  # codes of a file that cannot be opened
COLOURS = ("auto", "always", "never")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Settings:
    """What was said on the command line for every verb, and the configuration file."""

    colour: str | None = None
    quiet: bool = False
    verbose: int = 0
    form: Format = "full"  # in which problems are told, once a verb has settled it
    _config: Config | None = field(default=None, repr=False)

    @property
    def config(self) -> Config:
        if self._config is None:
            from interpreter.cli.config import find_config

            self._config = find_config(Path.cwd())
        return self._config

    def coloured(self, stream: TextIO) -> bool:
        """Whether to write colours there: what is typed wins over what the environment says,
        and that over the project's configuration."""
        wanted = self.colour or "auto"
        if wanted == "auto":
            if os.environ.get("NO_COLOR"):
                return False
            if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
                return True
            wanted = self.config.color or "auto"
        if wanted == "auto":
            return stream.isatty() and os.environ.get("TERM") != "dumb"
        return wanted == "always"


def common_options(command: F) -> F:
    """`--color`, `-q` and `-v`, before or after the verb."""

    def put(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
        def callback(ctx: click.Context, param: click.Parameter, value: Any) -> None:
            settings = ctx.ensure_object(Settings)
            if value:
                setattr(settings, name, value)

        return callback

    rows: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
        (("-v", "--verbose"), "verbose", {"count": True, "help": "Say more."}),
        (("-q", "--quiet"), "quiet", {"is_flag": True, "help": "Say only what was asked for."}),
        (
            ("--color", "--colour"),
            "colour",
            {
                "type": click.Choice(COLOURS),
                "envvar": "RULERUN_COLOR",
                "help": "When to use colours.",
            },
        ),
    ]
    for names, target, extra in rows:
        decorate = click.option(*names, target, expose_value=False, callback=put(target), **extra)
        command = decorate(command)
    return command


def settings() -> Settings:
    return click.get_current_context().ensure_object(Settings)


# ---- printing


def out(text: str, end: str = "\n", *, drawn: bool = False) -> None:
    """The result. Somebody who has closed the pipe has read enough; that is no problem, and the
    exit code stays what it would have been.

    Any text may hold words of a rule file, so what could move the cursor is spelled out; except
    in what is `drawn`: it has colours, and whoever drew it has looked at its words.
    """
    _write(sys.stdout, text if drawn else visible_lines(text), end)


def warn(text: str, end: str = "\n", *, drawn: bool = False) -> None:
    """Progress, warnings, errors."""
    with suppress(BrokenPipeError):
        if sys.stdout is not None:
            sys.stdout.flush()
    _write(sys.stderr, text if drawn else visible_lines(text), end)


def note(text: str) -> None:
    """What is good to know; `--quiet` leaves it out."""
    if not settings().quiet:
        warn(text)


def passing(text: str) -> None:
    """What is being done, on a line of a terminal that the next text takes the place of."""
    if not settings().quiet and sys.stderr is not None and sys.stderr.isatty():
        _write(sys.stderr, "\r\x1b[K" + visible_lines(text), "")


def _write(stream: TextIO | None, text: str, end: str) -> None:
    if stream is None:  # started without one
        return
    try:
        stream.write(text + end)
        stream.flush()
    except BrokenPipeError:
        _give_up(stream)


def _give_up(stream: TextIO) -> None:
    # Python flushes at its end and would complain then.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def quiet_pipes() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):
            _give_up(stream)


def out_json(document: Any) -> None:
    import json

    out(escaped(json.dumps(document, indent=2, ensure_ascii=False)), drawn=True)


# ---- rules


def shipped() -> dict[str, Path]:
    """The rulesets that ship, by name, those at the top first."""
    folder = rulesets_folder()
    paths = sorted(folder.rglob("*.rules"), key=lambda path: (len(path.parts), path.name.lower()))
    found: dict[str, Path] = {}
    for path in paths:
        if header(path) is not None:
            found.setdefault(path.stem, path)
    return found


def header(path: Path) -> tuple[str, int, int] | None:
    """Title and numbers of players of a rule file, from a glance at its first lines; None for a
    file that is only a part of a game."""
    import re

    from interpreter import limits

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(limits.SOURCE_BYTES)
    except OSError:
        return None
    game = re.search(r'^game "([^"\n]*)"', text, re.MULTILINE)
    players = re.search(r"^players ([0-9]{1,2})(?:\.\.([0-9]{1,2}))?", text, re.MULTILINE)
    if game is None:
        return None
    least = int(players[1]) if players else 0
    return game[1], least, int(players[2] or least) if players else 0


_LISTS = "`rulerun list` shows the games that ship, `rulerun -h` the commands."


def find_rules(name: str, unless: str = _LISTS) -> Path:
    """The rule file somebody means: a path, with or without its ending, or else the name of a
    game that ships. `unless`: what to do if nothing is called nearly so."""
    path = Path(name)
    if name == "-" or path.is_file() or (path.exists() and not path.is_dir()):
        from interpreter.cli.paths import refuse_data

        refuse_data(name)
        return path
    beside = path.with_name(f"{path.name}.rules") if path.name else path
    if path.suffix == "" and beside.is_file():
        return beside
    games = shipped()
    for game, where in games.items():
        if game.casefold() == name.casefold():
            return where
    if path.is_dir():
        raise click.UsageError(f"`{name}` is a folder; name the rule file in it")
    from interpreter.cli.main import VERBS
    from interpreter.cli.paths import near_file
    from interpreter.report.suggest import did_you_mean

    looks_like_a_path = "." in name or os.sep in name
    known = list(games) if looks_like_a_path else [*VERBS, *games]
    what = "file" if looks_like_a_path else "file, game or command"
    hint = near_file(name) if looks_like_a_path else ""
    hint = hint or did_you_mean(name.removesuffix(".rules"), known) or near_file(name)
    raise click.UsageError(f"there is no {what} `{name}`. {hint or unless}")


def read(name: str, settings: tuple[str, ...] | None = None) -> Rules:
    """The rules, read but not checked, with what was set on the command line, unless it is said
    what was; those that cannot be read end the command."""
    from interpreter.reading import read_rules

    shown = shown_path(find_rules(name))
    with within_limits(shown):
        rules = read_rules(shown)
    if not rules.sources:
        raise unreadable(rules.problems.items())
    return amended(rules, settings)


def amended(rules: Rules, settings: tuple[str, ...] | None = None) -> Rules:
    """With what was set on the command line, unless it is said what was."""
    if changes := set_otherwise() if settings is None else settings:
        from interpreter.amending import amend

        amend(rules, changes)
    return rules


def set_otherwise() -> tuple[str, ...]:
    """What was set on the command line otherwise than the files of the rules say."""
    found: tuple[str, ...] = click.get_current_context().meta.get(_SET, ())
    return found


def shown_path(path: Path) -> str:
    """Relative to where we are if that is shorter, as people type it."""
    with suppress(ValueError, OSError):
        relative = os.path.relpath(path)
        if path.is_absolute() and not relative.startswith(".."):
            return relative
    return str(path)


def load(
    name: str,
    players: int | None,
    options: Mapping[str, str | int],
    settings: tuple[str, ...] | None = None,
) -> Game:
    """A game ready to start, for as many players as asked, else as few as can play. What is set
    otherwise than the files say stands on the command line, unless it is given."""
    from interpreter.embedding import Game
    from interpreter.pipeline import build

    rules = read(name, settings)
    number = rules.players[0] if players is None else players
    with within_limits(rules.name):
        program, problems = build(rules, number, dict(options))
    if program is None:
        raise Refused([p for p in problems if p.severity == "error"], rules.sources)
    return Game(program, rules)


class Refused(click.ClickException):
    """Problems that end a command. They are told on the error stream."""

    def __init__(
        self,
        problems: Sequence[Problem],
        sources: Mapping[str, Source],
        code: int | None = None,
    ) -> None:
        super().__init__("the rules have problems")
        self.problems = problems
        self.sources = sources
        self.code = exit_code(problems) if code is None else code

    def tell(self, settings: Settings) -> None:
        """To people as what went wrong, to programs as the result they wait for."""
        from interpreter.report.render import render

        if settings.form == "full":
            colour = settings.coloured(sys.stderr)
            warn(render(self.problems, self.sources, "full", colour), end="", drawn=True)
        else:
            out(render(self.problems, self.sources, settings.form), end="", drawn=True)


def unreadable(problems: Sequence[Problem]) -> Refused:
    """A file that is not there is wrong use; one that is no text has a problem."""
    missing = any(problem.code in MISSING for problem in problems)
    return Refused(problems, {}, USAGE if missing else None)


@contextmanager
def telling(game: Game, again: str | None = None) -> Iterator[None]:
    """What breaks down while playing becomes a told problem. `again` is what to type to see it
    once more, where it is known who chose."""
    from interpreter.embedding import PlayError

    try:
        yield
    except PlayError as error:
        sources = game.rules.sources if game.rules else {}
        problem = error.problem
        if again is not None:
            problem = replace(problem, help=f"see it again with: rulerun {again}")
        raise Refused([problem], sources) from None


@contextmanager
def within_limits(name: str) -> Iterator[None]:
    """Rules that take too long, or too much memory, end a command."""
    from interpreter.cli.guard import guarded
    from interpreter.report.problem import Enough

    try:
        with guarded(name):
            yield
    except Enough as enough:
        raise Refused([enough.problem] if enough.problem else [], {}) from None


@contextmanager
def refusing(rules: Rules) -> Iterator[None]:
    """Rules that turn out to have errors end a command like any others."""
    from interpreter.report.problem import RulesError

    try:
        yield
    except RulesError as error:
        raise Refused(error.problems, rules.sources) from None


def exit_code(problems: Sequence[Problem]) -> int:
    errors = [problem for problem in problems if problem.severity == "error"]
    if any(problem.limit for problem in errors):
        return LIMIT
    return PROBLEMS if errors else OK


def parse_options(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str | int]:
    """`--option size=9 --option mode=basic` as a mapping."""
    found: dict[str, str | int] = {}
    for value in values:
        name, equals, chosen = value.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"`{value}` does not look like name=value", ctx, param)
        found[name.strip()] = chosen.strip()
    return found


def parse_seed(ctx: click.Context, param: click.Parameter, value: str | int | None) -> int | None:
    """A whole number of 64 bits: it stands in records and saved games."""
    from interpreter.report.whole import read_whole

    found = read_whole(value.strip()) if isinstance(value, str) else value
    if found is None and value is not None:
        raise click.BadParameter(f"`{value}` is not a whole number of 64 bits", ctx, param)
    return found


# Options that several verbs have.
players_option = click.option("--players", type=click.IntRange(1, 16), help="How many play.")
_SET = "interpreter.set"


def _keep_settings(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> None:
    ctx.meta[_SET] = values


set_option = click.option(
    "--set",
    multiple=True,
    metavar="NAME=VALUE",
    expose_value=False,
    callback=_keep_settings,
    help="Set a constant, what a variable starts with, or a value of the data; may be repeated.",
)


def game_options(command: F) -> F:
    """`--option`, and `--set`, which `read` goes by."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=parse_options,
        help="An option of the game; may be repeated.",
    )(set_option(command))


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
