"""The table of verbs, and what every one of them can rely on: exit codes and quiet endings.

    0  all is well
    1  the rules have problems, a game broke down, or `fmt --check` would change a file
    2  wrong use: an unknown option, a missing file, a bad configuration
    3  a limit was reached
   70  a mistake of ours
  130  Ctrl-C

A verb is a module with a click command called `command`; it is imported when it is used, and it
imports what is slow to load only inside the command. So `rulerun --version` answers at once.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

import interpreter
from interpreter.cli.common import (
    INTERNAL,
    INTERRUPTED,
    LIMIT,
    OK,
    USAGE,
    Refused,
    Settings,
    common_options,
    quiet_pipes,
    warn,
)  # fmt: skip

# name: (module, what it does); in the order `--help` tells them.
VERBS = {
    "play": ("interpreter.cli.play", "Play a game, or let bots play it."),
    "serve": ("interpreter.cli.serve", "Play with friends, in the browser."),
    "watch": ("interpreter.cli.watching", "Watch bots play, as fast as you like."),
    "review": ("interpreter.cli.review", "Show where a recorded game was decided."),
    "ladder": ("interpreter.cli.ladder", "Let bots play each other and rate them."),
    "resume": ("interpreter.cli.resume", "List the games you have left, and go on with one."),
    "check": ("interpreter.cli.check", "Check rule files and tell all problems."),
    "test": ("interpreter.cli.scenarios", "Run the scenarios of rule files."),
    "soak": ("interpreter.cli.soak", "Play many random games with all tests on."),
    "prove": ("interpreter.cli.prove", "Try laws and look for leaks in random games."),
    "study": ("interpreter.cli.study", "Let bots play many games and tell what designers ask."),
    "expect": ("interpreter.cli.expect", "See whether playing comes to what is expected of it."),
    "compare": ("interpreter.cli.compare", "Tell what a change of the rules has changed in games."),
    "report": ("interpreter.cli.report", "Write a page about a study or a comparison."),
    "train": ("interpreter.cli.train", "Let a bot learn a game by playing it."),
    "clauses": ("interpreter.cli.clauses", "Tell where each clause is stated and tested."),
    "ci": ("interpreter.cli.ci", "Do all of this at once, with one report."),
    "fmt": ("interpreter.cli.fmt", "Bring rule files into the one canonical form."),
    "new": ("interpreter.cli.new", "Begin a new ruleset from a template."),
    "list": ("interpreter.cli.shipped", "List the games that come with rulerun."),
    "explain": ("interpreter.cli.explain", "Explain a problem code, with examples."),
    "replay": ("interpreter.cli.replay", "Play a recorded game again."),
    "perft": ("interpreter.cli.perft", "Count all lines of play up to a depth."),
    "bench": ("interpreter.cli.bench", "Measure how fast random games run here."),
    "profile": ("interpreter.cli.profile", "Tell which rules the time of random games goes to."),
    "inspect": ("interpreter.cli.inspect", "Show what a stage makes of a rule file."),
    "export": ("interpreter.cli.export", "Write a rule file as a JSON tree."),
    "schema": ("interpreter.cli.schema", "Write the JSON Schema of a ruleset's data file."),
}
SHELLS = ("bash", "zsh", "fish")


class _Verbs(click.Group):
    """Finds verbs in the table; whatever else comes first is taken for a game to play."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = import_module(VERBS[cmd_name][0])
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in VERBS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS and not ctx.resilient_parsing:
            _refuse_misspelt(args)
            return super().resolve_command(ctx, ["play", *args])
        return super().resolve_command(ctx, args)


# What other tools call the same thing.
_CALLED = {
    **dict.fromkeys(("validate", "lint", "verify", "compile"), "check"),
    **dict.fromkeys(("format", "tidy"), "fmt"),
    **dict.fromkeys(("run", "start"), "play"),
    **dict.fromkeys(("create", "init"), "new"),
    **dict.fromkeys(("tests", "scenarios"), "test"),
    **dict.fromkeys(("why", "man"), "explain"),
    **dict.fromkeys(("games", "ls"), "list"),
}


def _refuse_misspelt(args: list[str]) -> None:
    """`rulerun chek FILE`: a word before a file is a command, and a game has no such companion."""
    word, *rest = args
    names = [each for each in rest if not each.startswith("-")]
    if word == "help":
        told = f" {rest[0]}" if rest and rest[0] in VERBS else ""
        raise click.UsageError(f"help is shown by `rulerun{told} -h`.")
    if not names or os.path.exists(word) or "." in word:
        return
    from interpreter.cli.common import shipped
    from interpreter.report.suggest import nearest

    if word in shipped() or rest[0].startswith("-"):
        return
    verb = _CALLED.get(word) or nearest(word, VERBS)
    line = " ".join(["rulerun", verb or "", *rest])
    help_ = f"Did you mean `{line}`?" if verb else "`rulerun -h` lists the commands."
    raise click.UsageError(f"there is no command `{word}`. {help_}")


def _show_completion(ctx: click.Context, param: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(rulerun, {}, "rulerun", "_RULERUN_COMPLETE").source())
    ctx.exit()


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="COMMAND | GAME [ARGS]...",
    epilog="`rulerun GAME` is short for `rulerun play GAME`; a game is a rule file or the name "
    "of one that ships. `rulerun COMMAND -h` tells more.",
)
@click.version_option(interpreter.__version__, "--version", prog_name="rulerun")
@click.option(
    "--show-completion",
    type=click.Choice(SHELLS),
    metavar="|".join(SHELLS),
    callback=_show_completion,
    expose_value=False,
    is_eager=True,
    help="Print the completion script for a shell.",
)
@common_options
@click.pass_context
def rulerun(ctx: click.Context) -> None:
    """Rules of tabletop games, checked, played and replayed."""
    ctx.ensure_object(Settings)


def main(args: list[str] | None = None) -> NoReturn:
    gc.set_threshold(50_000, 20, 20)  # a command makes many objects and drops few: a tenth faster
    code = run(sys.argv[1:] if args is None else args)
    quiet_pipes()
    if "duckdb" in sys.modules:  # it complains at length of what Python leaves over at its end
        os._exit(code)
    gc.freeze()  # or else Python looks once more through everything before it ends
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run one command line and return its exit code; nothing is raised."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name no encoding holds must not stop the message
            stream.reconfigure(errors="backslashreplace")
    settings = Settings()
    try:
        code: Any = rulerun.main(
            _with_verb(args), prog_name="rulerun", standalone_mode=False, obj=settings
        )
        return code if isinstance(code, int) else OK
    except (click.Abort, KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        warn(error.format_message())
        return USAGE
    except Refused as refused:
        refused.tell(settings)
        return refused.code
    except click.ClickException as error:
        return _usage(error)
    except BrokenPipeError:
        return OK  # who closed the pipe has read enough
    except OSError as error:
        named = f"{error.filename}: " if error.filename is not None else ""
        warn(f"rulerun: {named}{error.strerror or error}")
        return USAGE
    except MemoryError:
        warn("rulerun: the memory of this machine is not enough for this")
        return LIMIT
    except Exception as error:
        return _our_mistake(error)


def _with_verb(args: list[str]) -> list[str]:
    """`rulerun --seed 3 game` has an option of `play` before any verb: put the verb in."""
    own = {name for param in rulerun.params for name in param.opts} | {"-h", "--help"}
    takes_value = {
        name
        for param in rulerun.params
        if isinstance(param, click.Option) and not param.is_flag and not param.count
        for name in param.opts
    }
    position = 0
    while position < len(args) and args[position].startswith("-") and args[position] != "-":
        name = args[position].partition("=")[0]
        if name not in own and not (name[:2] in own and not name.startswith("--")):
            return [*args[:position], "play", *args[position:]]
        position += 2 if name in takes_value and "=" not in args[position] else 1
    return args


def _usage(error: click.ClickException) -> int:
    if isinstance(error, click.UsageError) and error.ctx is not None:
        warn(f"{error.ctx.get_usage()}\nTry `{error.ctx.command_path} -h` for help.\n")
    warn(f"Error: {_in_words(error.format_message())}")
    return USAGE


# What click says of numbers, and what people say.
_SAID = [
    (r"is not a valid float( range)?\.", "is not a number."),
    (r"is not a valid integer( range)?\.", "is not a whole number."),
    (r"is not in the range (\S+)<=x<=(\S+)\.", r"is not between \1 and \2."),
    (r"is not in the range x>=(\S+)\.", r"is less than \1."),
]


def _in_words(message: str) -> str:
    for pattern, words in _SAID:
        message = re.sub(rf"{pattern}$", words, message)
    return message


def _our_mistake(error: Exception) -> int:
    """Say that it is our mistake, where, and what to send; nobody wants to read a traceback."""
    import traceback

    from interpreter.report.visible import visible

    if os.environ.get("RULERUN_TRACEBACK"):
        traceback.print_exc()
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "interpreter" in frame.filename] or list(frames)
    where = ""
    if ours:
        where = f" at {os.path.basename(ours[-1].filename)}:{ours[-1].lineno}"
    told = visible(str(error))[:300]
    warn(f"rulerun: internal error: {type(error).__name__}: {told}{where}")
    warn(
        f"This is a mistake of rulerun {interpreter.__version__}, not of your rules. Please report "
        "this line together with the rule file and the command; RULERUN_TRACEBACK=1 tells more."
    )
    return INTERNAL


if __name__ == "__main__":
    main()
