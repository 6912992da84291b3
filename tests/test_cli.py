"""The command line: every verb, its exit codes and streams, and no traceback whatever is typed."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Rulerun

from interpreter import limits
from interpreter.cli import main as cli
from interpreter.cli.common import find_rules
from interpreter.cli.resume import who_sits
from interpreter.data.validate import validate
from interpreter.embedding import load
from interpreter.perft import perft
from interpreter.resources import rulesets_folder

ROOT = Path(__file__).resolve().parent.parent
TTT = str(rulesets_folder() / "classics" / "ticTacToe.rules")
FAIR = str(ROOT / "tests" / "cases" / "slips" / "fair.rules")
GAME = """\
game "Count"
players 2..3

the game has
    total: int

action add(n in 1..3) "add {n}"
    when total + n <= 10
    total += n

play
    turns
        choose add
        if total = 10
            me wins
"""
BROKEN = 'game "Broken"\nplayers 2\nplay\n    frobnicate\n'
UGLY = 'game   "Ugly"\nplayers    2\n\n\n\nplay\n    nobody   wins\n'
PRETTY = 'game "Ugly"\nplayers 2\n\nplay\n    nobody wins\n'
NOISY = 'game "Noisy"\nplayers 2\n\nplay\n    nobody wins  [AB-1]\n'


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


# --- Starting ---------------------------------------------------------------------------------


def test_version_loads_nothing_slow() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "interpreter", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "click" in loaded
    assert not loaded & {"lark", "jsonschema", "rich", "yaml", "tomllib"}
    assert done.stdout.startswith("rulerun")


def test_help_tells_all_verbs(rulerun: Rulerun) -> None:
    done = rulerun("-h")
    assert done.code == 0
    assert all(f"  {verb} " in done.out for verb in cli.VERBS)


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_help(rulerun: Rulerun, verb: str) -> None:
    done = rulerun(verb, "-h")
    assert (done.code, done.err) == (0, "")
    assert "--quiet" in done.out


def test_nothing_to_do_is_wrong_use(rulerun: Rulerun) -> None:
    done = rulerun()
    assert done.code == 2 and done.out == "" and "Commands" in done.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["pley"], "Did you mean `play`?"),
        (["ticTacTo"], "Did you mean `ticTacToe`?"),
        (["chek", TTT], f"Did you mean `rulerun check {TTT}`?"),
        (["lint", TTT], f"Did you mean `rulerun check {TTT}`?"),
        (["frobnicate", TTT], "no command `frobnicate`"),
        (["help", "check"], "`rulerun check -h`"),
        (["check", TTT.replace(".rules", ".rule")], f"Did you mean `{TTT}`?"),
        (["check", "nowhere/x.rules"], "no folder `nowhere`"),
        (["gone.rules"], "there is no file `gone.rules`"),
        (["test", TTT, "Three in a row"], 'write `-k "Three in a row"`'),
        (["check", FAIR.replace(".rules", ".yaml")], f"Name `{FAIR}` instead"),
        (["play", FAIR.replace(".rules", ".yaml")], f"Name `{FAIR}` instead"),
        (["--colour", "blue", "list"], "blue"),
        (["check", "--frob"], "--frob"),
        (["explain", "RR9999"], "no problem code"),
        (["inspect", "soul", TTT], "soul"),
        (["perft", TTT, "--depth", "-1"], "-1"),
        (["play", TTT, "--option", "size"], "name=value"),
        (["play", TTT, "--bot", "clever"], "no bot"),
        (["play", TTT, "--bot", ""], "no bot"),
        (["play", TTT, "--bots", "random"], "write --bots random,best"),
        (["play", TTT, "--bots", "random,first,best"], "write --bots random,first"),
        (["train", TTT, "--minutes", "soon"], "'soon' is not a number."),
        (["train", TTT, "--minutes", "0"], "0.0 is not between 0.05 and 10000."),
        (["ladder", TTT, "--games", "0"], "0 is less than 1."),
        (["ladder", TTT, "--games", "some"], "'some' is not a whole number."),
        (["play", TTT, "--seat", "3"], "no seat 3"),
        (["play", TTT, "--seat", "x"], "should be a seat"),
        (["play", "."], "folder"),
        (["replay", "gone.record"], "no such file"),
        (["--show-completion", "cobol"], "cobol"),
    ],
)
def test_wrong_use_is_2(rulerun: Rulerun, args: list[str], said: str) -> None:
    done = rulerun(*args)
    assert done.code == 2, done
    assert done.out == ""
    assert said.casefold() in done.err.casefold()


def test_a_level_that_holds_nobody_back_is_told(rulerun: Rulerun) -> None:
    said = "--level easy changes nothing here"
    assert said in rulerun("play", TTT, "--bot", "random", "--level", "easy").err
    assert said in rulerun("play", TTT, "--bots", "first,search:9", "--level", "easy").err
    assert said not in rulerun("play", TTT, "--bots", "first,search", "--level", "easy").err


def test_an_option_of_play_may_come_first(rulerun: Rulerun) -> None:
    assert rulerun("--seed", "3", TTT).out == rulerun("play", TTT, "--seed", "3").out
    assert rulerun("-q", "--seed=3", TTT).code == 0


@pytest.mark.parametrize("shell", cli.SHELLS)
def test_completion(rulerun: Rulerun, shell: str) -> None:
    done = rulerun("--show-completion", shell)
    assert done.code == 0 and "_RULERUN_COMPLETE" in done.out


def test_completion_completes() -> None:
    environment = {**os.environ, "_RULERUN_COMPLETE": "bash_complete"}
    environment |= {"COMP_WORDS": "rulerun ch", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "interpreter"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "check" in done.stdout


# --- Endings ----------------------------------------------------------------------------------


def test_our_mistake_is_70(rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise KeyError("bad\x1b[31m")

    monkeypatch.setattr("interpreter.reading.read_rules", fail)
    done = rulerun("check", TTT)
    assert done.code == 70 and done.out == ""
    assert "KeyError" in done.err and "report" in done.err
    assert "\x1b" not in done.err


def test_closed_pipe_is_quiet() -> None:
    shell = f"'{sys.executable}' -m interpreter explain | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", shell],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_interrupt_is_130(rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.reading.read_rules", interrupt)
    done = rulerun("check", TTT)
    assert (done.code, done.out, done.err.strip()) == (130, "", "")


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe", b"\0" * 10, b"((((" * 9000, b"\x1b]0;x\x07"],
    ids=["utf16", "zeros", "deep", "escape"],
)
def test_bad_bytes(rulerun: Rulerun, data: bytes) -> None:
    Path("bad.rules").write_bytes(data)
    for verb in (["check"], ["fmt"], ["play"], ["export"], ["inspect", "model"], ["schema"]):
        done = rulerun(*verb, "bad.rules")
        assert done.code in (1, 3), (verb, done)
        assert "\x1b" not in done.out + done.err


def test_limits_are_3(rulerun: Rulerun) -> None:
    write("long.rules", "#" * (limits.SOURCE_BYTES + 1))
    assert rulerun("check", "long.rules").code == 3
    assert rulerun("check", "/dev/zero").code == 3
    text = 'game "Loop"\nplayers 1\n\nthe game has\n    n: int\n\nplay\n    repeat while n = 0\n'
    write("loop.rules", text + "        n := 0\n")
    done = rulerun("loop.rules", "--seed", "1")
    assert done.code == 3 and "RR608" in done.err


# --- check ------------------------------------------------------------------------------------


def test_check(rulerun: Rulerun) -> None:
    write("good.rules", GAME)
    done = rulerun("check", "good.rules")
    assert (done.code, done.out) == (0, "")
    assert "no problems" in done.err
    assert rulerun("check", "-q", "good.rules").err == ""
    write("bad.rules", BROKEN)
    done = rulerun("check", "bad.rules", "good.rules")
    assert done.code == 1 and "bad.rules:4:5" in done.out
    assert done.err == ""
    assert rulerun("check", "--exit-zero", "bad.rules").code == 0


def test_check_finds_files(rulerun: Rulerun) -> None:
    assert rulerun("check").code == 2  # nothing here
    assert rulerun("check", "*.rules").code == 2
    assert rulerun("check", "gone.rules").code == 2
    Path("games/.hidden").mkdir(parents=True)
    write("games/.hidden/bad.rules", BROKEN)
    write("games/part.rules", "constant goal = 5\n")
    write("games/whole.rules", 'include "part.rules"\n' + GAME)
    assert "Checked 1 file" in rulerun("check").err
    assert "Checked 1 file" in rulerun("check", "games").err
    assert "Checked 1 file" in rulerun("check", "games/w*.rules").err
    assert "Checked 1 file" in rulerun("check", "games", "games/whole.rules").err


def test_check_standard_input(rulerun: Rulerun) -> None:
    assert rulerun("check", "-", stdin=GAME).code == 0
    done = rulerun("check", "-", "--stdin-filename", "mine.rules", stdin=BROKEN)
    assert done.code == 1 and "mine.rules:4:5" in done.out


def test_check_formats(rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    write("bad.rules", BROKEN)

    def check(form: str) -> str:
        done = rulerun("check", "bad.rules", "--output-format", form)
        assert done.code == 1 and done.err == ""
        return done.out

    assert json.loads(check("json"))["errors"] == 1
    assert json.loads(check("sarif"))["version"] == "2.1.0"
    assert len(json.loads(check("gitlab"))) == 1
    assert ElementTree.fromstring(check("junit")).tag == "testsuites"
    assert check("github").startswith("::error ")
    assert check("concise").startswith("bad.rules:4:5: RR")
    assert rulerun("check", "--json", "bad.rules").out == check("json")
    monkeypatch.setenv("RULERUN_OUTPUT_FORMAT", "concise")
    assert rulerun("check", "bad.rules").out == check("concise")


def test_check_strict(rulerun: Rulerun) -> None:
    write("noisy.rules", NOISY)
    assert rulerun("check", "noisy.rules").code == 0
    assert rulerun("check", "--strict", "noisy.rules").code == 1


def test_shipped_rulesets_check() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "check", "--strict", "rulesets"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


# --- colours ----------------------------------------------------------------------------------


def test_colours(rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    write("bad.rules", BROKEN)

    def coloured(*args: str) -> bool:
        return "\x1b[" in rulerun(*args, "check", "bad.rules").out

    assert not coloured()  # not a terminal
    assert coloured("--color", "always")
    assert "\x1b[" in rulerun("check", "bad.rules", "--color=always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert coloured()
    assert not coloured("--color", "never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured()
    assert coloured("--color", "always")
    assert "\x1b[" not in rulerun("--color=always", "check", "--json", "bad.rules").out


def test_terminal_colours() -> None:
    import pty

    for term, wanted in (("xterm", True), ("dumb", False)):
        leader, follower = pty.openpty()
        environment = {**os.environ, "TERM": term, "PYTHONPATH": str(ROOT)}
        environment.pop("NO_COLOR", None)
        with subprocess.Popen(
            [sys.executable, "-m", "interpreter", "check", "-"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=follower,
            stderr=follower,
        ) as process:
            process.communicate(BROKEN.encode(), timeout=180)
        os.close(follower)
        assert (b"\x1b[" in os.read(leader, 65536)) is wanted
        os.close(leader)


# --- configuration ----------------------------------------------------------------------------


def test_configuration(rulerun: Rulerun) -> None:
    write("bad.rules", BROKEN)
    write("noisy.rules", NOISY)
    write("pyproject.toml", '[tool.rulerun]\noutput-format = "concise"\nstrict = true\n')
    assert rulerun("check", "bad.rules").out.startswith("bad.rules:4:5: RR")
    assert rulerun("check", "noisy.rules").code == 1
    assert rulerun("check", "--no-strict", "noisy.rules").code == 0
    assert rulerun("check", "bad.rules", "--output-format", "full").out.startswith("error[")
    write("rulerun.toml", 'color = "always"\n')
    assert "\x1b[" in rulerun("check", "bad.rules").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('output_format = "json"', "Did you mean `output-format`?"),
        ('output-format = "yaml"', "must be one of"),
        ("strict = 1", "true or false"),
        ("strict =", "rulerun.toml"),
    ],
)
def test_bad_configuration(rulerun: Rulerun, text: str, said: str) -> None:
    write("rulerun.toml", text)
    done = rulerun("check", TTT)
    assert done.code == 2 and said in done.err


# --- fmt --------------------------------------------------------------------------------------


def test_fmt(rulerun: Rulerun) -> None:
    write("ugly.rules", UGLY)
    os.chmod("ugly.rules", 0o640)
    done = rulerun("fmt", "--check", "ugly.rules")
    assert done.code == 1 and "would reformat ugly.rules" in done.err
    done = rulerun("fmt", "--diff", "ugly.rules")
    assert done.code == 1 and '-game   "Ugly"' in done.out and '+game "Ugly"' in done.out
    assert Path("ugly.rules").read_text() == UGLY
    assert rulerun("fmt", "ugly.rules").code == 0
    assert Path("ugly.rules").read_text() == PRETTY
    assert os.stat("ugly.rules").st_mode & 0o777 == 0o640
    assert rulerun("fmt", "--check", ".").code == 0
    assert os.listdir() == ["ugly.rules"]


def test_fmt_standard_input(rulerun: Rulerun) -> None:
    done = rulerun("fmt", "-", stdin=UGLY)
    assert (done.code, done.out) == (0, PRETTY)
    done = rulerun("fmt", "-", stdin="action (\n")
    assert done.code == 1 and done.out == "" and "error[" in done.err


# --- the other verbs --------------------------------------------------------------------------


def test_explain(rulerun: Rulerun) -> None:
    assert rulerun("explain", "rr104").out.startswith("# ")
    assert "RR104" in rulerun("explain").out
    assert json.loads(rulerun("explain", "RR104", "--json").out)["code"] == "RR104"


@pytest.mark.parametrize("stage", ["tree", "model", "program", "layout"])
@pytest.mark.parametrize("game", ["ticTacToe", "goofspiel", "trickTaking", "hex"])
def test_inspect(rulerun: Rulerun, stage: str, game: str) -> None:
    done = rulerun("inspect", stage, game)
    assert done.code == 0 and done.err == ""
    assert len(done.out.splitlines()) > 5


def test_export_can_be_played(rulerun: Rulerun) -> None:
    done = rulerun("export", TTT)
    assert done.code == 0
    write("tree.json", done.out)
    same = ("-q", "--seed", "4")
    assert rulerun("tree.json", *same).out == rulerun(TTT, *same).out


def test_schema_fits_the_data(rulerun: Rulerun) -> None:
    import yaml

    for rules in sorted(rulesets_folder().rglob("*.rules")):
        data = rules.with_suffix(".yaml")
        if 'data "' not in rules.read_text() or not data.is_file():
            continue
        done = rulerun("schema", str(rules))
        assert done.code == 0
        document = json.loads(json.dumps(yaml.safe_load(data.read_text())))  # keys are texts
        assert validate(document, json.loads(done.out)) == [], rules.name
        assert validate({**document, "strange": 1}, json.loads(done.out))


def test_list(rulerun: Rulerun) -> None:
    assert "ticTacToe" in rulerun("list").out
    games = json.loads(rulerun("list", "--json").out)["games"]
    assert {"name": "ticTacToe", "title": "Tic-tac-toe"}.items() <= games_by_name(games)


def games_by_name(games: list[dict[str, object]]) -> object:
    return next(game for game in games if game["name"] == "ticTacToe").items()


@pytest.mark.parametrize("name, depth", [("connectFour", 4), ("goofspiel", 3), ("trickTaking", 3)])
def test_native_code_counts_the_same(name: str, depth: int) -> None:
    path = next(rulesets_folder().rglob(f"{name}.rules"))
    told: list[list[int]] = []
    counts = perft(load(path), depth, False, 1, lambda so_far: told.append(list(so_far)))
    assert counts == perft(load(path, backend="reference"), depth, False, 1)
    assert told and all(each <= counts for each in told)


def test_a_game_in_this_folder_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ticTacToe.rules").write_text('game "Mine"\nplayers 2\n')
    assert find_rules("ticTacToe") == Path("ticTacToe.rules")
    assert find_rules("hex").is_absolute()


def test_what_had_to_be_chosen_is_replayed(rulerun: Rulerun, tmp_path: Path) -> None:
    record = str(tmp_path / "game.record")
    assert rulerun("payDirt", "--seat", "0", "--seed", "3", "--record", record).code == 0
    lines = rulerun("replay", record).out.splitlines()
    assert "      P1  pass for good" in lines  # nobody was asked, so it has no number
    refused = rulerun("payDirt", "--seat", "0", "--record", str(tmp_path / "game.json"))
    assert refused.code == 2 and "not JSON" in refused.err


def test_perft(rulerun: Rulerun) -> None:
    done = rulerun("perft", "ticTacToe", "--depth", "3")
    assert done.out.split() == ["0", "1", "1", "9", "2", "72", "3", "504"]
    done = rulerun("perft", "ticTacToe", "--depth", "2", "--json")
    assert json.loads(done.out)["counts"] == [1, 9, 72]


def test_new(rulerun: Rulerun) -> None:
    done = rulerun("new", "sub/goldRush")
    assert done.code == 0
    assert done.out.split() == ["sub/goldRush.rules", "sub/goldRush.yaml"]
    assert rulerun("check", "--strict", "sub").code == 0
    assert rulerun("fmt", "--check", "sub").code == 0
    assert "Gold Rush" in rulerun("sub/goldRush.rules", "--seed", "1").out
    before = Path("sub/goldRush.rules").read_text()
    assert rulerun("new", "sub/goldRush").code == 2
    assert Path("sub/goldRush.rules").read_text() == before
    assert rulerun("new", "../ba d").code == 2


# --- playing ----------------------------------------------------------------------------------


def test_bots_of_different_kinds_are_told_apart(rulerun: Rulerun) -> None:
    write("count.rules", GAME)
    done = rulerun("count.rules", "--bots", "search:20,random", "--seed", "5")
    assert "all of them bots: search (20 games a choice), random." in done.out


def test_a_file_of_another_bot_is_told_of(rulerun: Rulerun) -> None:
    write("count.rules", GAME)
    write("count.bot", "nonsense")
    rulerun("count.rules", "--seed", "5")
    done = rulerun("count.rules", "--seed", "5")
    assert done.code == 0
    assert done.err == "count.bot cannot be read as a trained bot; it is not used.\n"
    assert rulerun("count.rules", "--bot", "random", "--seed", "5").err == ""


def test_bots_play(rulerun: Rulerun) -> None:
    write("count.rules", GAME)
    rulerun("count.rules", "--seed", "5")  # native code is made once, which is told
    done = rulerun("count.rules", "--seed", "5")
    assert done.code == 0 and done.err == ""
    assert "wins" in done.out and "seed    5" in done.out
    assert "all of them bots" in done.out and "rulerun watch count.rules --seed 5" in done.out
    assert rulerun("play", "count.rules", "--seed", "5").out == done.out
    drawn = rulerun("count.rules")
    assert "Seed" in drawn.err
    data = json.loads(rulerun("count.rules", "--json", "-q", "--players", "3").out)
    assert data["schema"] == "rulerun/result@1" and len(data["scores"]) == 3


def test_a_game_that_bots_played_is_told_by_its_moves(rulerun: Rulerun) -> None:
    """Rounds are what the rules call so. Of what is not worth telling there is no empty line."""
    adding = 'action add(n in 1..3) "add {n}"\n    when total + n <= 10\n    total += n\n'
    step = 'action step "step"\n    total += 1\n'
    leap = 'action leap "leap"\n    when total < 9\n    total += 2\n'
    bare = f"{step}\n{leap}"
    write("bare.rules", GAME.replace(adding, bare).replace("choose add", "choose step or leap"))
    told = rulerun("bare.rules", "--seed", "1", "--bot", "random").out
    assert "wins" in told and "moves\n" not in told and "round" not in told
    told = rulerun("pig", "--seed", "1", "--bot", "random").out
    assert "hold and score" in told and ": roll" not in told and "round" not in told
    told = rulerun("goofspiel", "--seed", "1", "--bot", "random").out
    lines = told.partition("moves\n")[2].partition("\n\n")[0].splitlines()
    assert lines and all(re.match(r" *[0-9]+(-[0-9]+)?  +\S", line) for line in lines)
    told = rulerun("upAndDown", "--seed", "1", "--bot", "random").out
    assert "1 player, a bot: random." in told and "\n\n\n" not in told


def test_who_sits_where_is_told_in_few_words() -> None:
    assert who_sits(["you", "random"]) == "P1 you, P2 random"
    assert who_sits(["best", "you", "best", "best"]) == "P2 you, others best"
    assert who_sits(["you", "best", "search:500"]) == "P1 you, P2 best, P3 search:500"
    assert who_sits(["you", "you", "you"]) == "P1 you, P2 you, P3 you"


def test_options_of_the_game(rulerun: Rulerun) -> None:
    assert rulerun("nim", "--option", "heaps=1", "--seed", "1").code == 0
    assert rulerun("nim", "--option", "heaps=99", "--seed", "1").code == 1
    done = rulerun("nim", "--option", "heap=1")
    assert done.code == 1 and "heaps" in done.err
    assert rulerun("nim", "--players", "5").code == 1


def test_so_many_cannot_play(rulerun: Rulerun) -> None:
    write("count.rules", GAME)
    write("pair.rules", GAME.replace("2..3", "2").replace("Count", "Pair"))
    even = '\nrequire playerCount = 2 "only two"\n\nplay'
    write("even.rules", GAME.replace("\nplay", even, 1))
    for verb in ("play", "soak", "bench"):
        done = rulerun(verb, "count.rules", "--players", "9")
        assert (done.code, done.out) == (1, ""), verb
        assert "RR207" in done.err and "this game is for 2 to 3 players, not 9" in done.err
    # Nothing is played of the other file either, as nobody would miss what is not told.
    for verb in ("soak", "bench"):
        done = rulerun(verb, "count.rules", "pair.rules", "--players", "3")
        assert (done.code, done.out) == (1, "") and "pair.rules:2:1" in done.err
    done = rulerun("soak", "even.rules", "--players", "3")
    assert (done.code, done.out) == (1, "") and "only two" in done.err
    done = rulerun("soak", "even.rules", "--games", "2")
    assert done.code == 0 and "2 players: 2 games" in done.out and "3 players" not in done.out


def test_soak_tells_how_long_games_are_and_what_it_has_varied(rulerun: Rulerun) -> None:
    options = "option steps: 1..9 = 3\noption mode: fast, slow = fast\n"
    rest = "play\n    repeat steps times\n        P1 chooses n in 1..2\n        got := n\n"
    rest += "    if mode is slow\n        P1 chooses m in 1..2\n        got := m\n"
    head = 'game "Steps"\nplayers 2\n\n'
    write("steps.rules", f"{head}{options}\nthe game has\n    got: int\n\n{rest}")
    fast = "mode fast: 4 games, 3 to 3 moves, 3.0 on average, half within 3, all well"
    slow = "mode slow: 4 games, 4 to 4 moves, 4.0 on average, half within 4, all well"
    five = "steps 5: 4 games, 5 to 5 moves, 5.0 on average, half within 5, all well"
    done = rulerun("soak", "steps.rules", "--games", "4")
    assert done.out.splitlines() == [f"Steps, 2 players, {each}" for each in (fast, slow)]
    done = rulerun("soak", "steps.rules", "--games", "4", "--option", "steps=5")
    assert done.out.splitlines() == [f"Steps, 2 players, {five}"]


def test_what_is_said_to_show_a_breakdown_again_does_so(rulerun: Rulerun) -> None:
    """Other bots play another game: whoever chose belongs to the command."""
    rules = "the game has\n    stones: 0..10 = 10\n\nplay\n    repeat 5 times\n"
    rules += "        for each p in players\n            p chooses n in 0..3\n"
    rules += "            stones -= n\n\nscore p: (stones if p is P1 else 0)\n"
    write("stones.rules", f'game "Stones"\nplayers 2\n\n{rules}')
    for command in (
        ("soak", "stones.rules", "--games", "3"),
        ("stones.rules", "--bot", "random", "--seed", "2"),
    ):
        done = rulerun(*command)
        assert done.code == 1 and "RR604" in done.out + done.err
        words = (done.out + done.err).partition("see it again with: rulerun ")[2].splitlines()[0]
        again = rulerun(*words.split())
        assert again.code == 1 and "RR604" in again.out + again.err, words


def test_bench_tells_what_it_measures(rulerun: Rulerun) -> None:
    write("count.rules", GAME)
    quick = ("bench", "count.rules", "--secs", "0.01", "--runs", "1")
    fewest, three = rulerun(*quick), rulerun(*quick, "--players", "3")
    assert fewest.code == three.code == 0
    assert "Count, 2" in fewest.out and "--players" in fewest.err
    assert "Count, 3" in three.out and "--players" not in three.err
    units = ("cells", "games/s", "decisions/s", "copies/s", "seconds")
    assert all(unit in three.out for unit in units)
    assert "as few as can play" in " ".join(rulerun("bench", "-h").out.split())


def test_heads_of_bench_stand_above_their_columns() -> None:
    from interpreter.cli.bench import HEAD, Rate, Row, tell

    row = tell(Row("Count", 2, 9, Rate(1.5, 12.0), Rate(1e5, 1e6), 3.0, 1e6))
    assert {len(line) for line in HEAD.splitlines()} == {len(row)}


def test_a_scenario_for_too_many_fails(rulerun: Rulerun) -> None:
    write("count.rules", GAME + '\nscenario "Many"\n    players 9\n    then total = 0\n')
    done = rulerun("test", "count.rules")
    assert done.code == 1 and "RR207" in done.out


def test_rules_with_problems_are_told(rulerun: Rulerun) -> None:
    write("bad.rules", BROKEN)
    done = rulerun("bad.rules")
    assert done.code == 1 and done.out == "" and "bad.rules:4:5" in done.err


def test_answers_from_a_pipe(rulerun: Rulerun) -> None:
    done = rulerun("ticTacToe", "--seed", "1", "--seat", "1,2", stdin="a1\nb1\na2\nb2\na3\n")
    assert done.code == 0
    assert "P1 wins" in done.out and "moves   5" in done.out
    done = rulerun("ticTacToe", "--seed", "1", "--seat", "1", stdin="a1\n")
    assert done.code == 0 and done.out == "" and "left" in done.err


def test_records(rulerun: Rulerun) -> None:
    done = rulerun("ticTacToe", "-q", "--seed", "2", "--record", "game.record")
    assert done.code == 0
    again = rulerun("replay", "game.record")
    assert again.code == 0 and done.out.strip() in again.out
    assert rulerun("ticTacToe", "--record", "game.record").code == 2  # never overwritten
    assert "is not over" in rulerun("replay", "game.record", "--until", "2").out
    data = json.loads(rulerun("replay", "game.record", "--json").out)
    assert data["view"]["schema"] == "rulerun/view@1"
    assert rulerun("ticTacToe", "--resume", "game.record").code == 1  # it is over
    assert rulerun("ticTacToe", "--resume", "game.record", "--seed", "1").code == 2


@pytest.mark.parametrize("wrong", [("--bot", "serach"), ("--seat", "9")])
def test_a_wrong_table_begins_nothing(rulerun: Rulerun, wrong: tuple[str, str]) -> None:
    done = rulerun("ticTacToe", *wrong, "--record", "game.record")
    assert (done.code, done.out) == (2, "") and "Seed" not in done.err
    assert not Path("game.record").exists()
    rulerun("ticTacToe", "--seed", "2", "--seat", "1", stdin="a1\nsave half.record\n")
    done = rulerun("ticTacToe", *wrong, "--resume", "half.record")
    assert (done.code, done.out) == (2, "") and "Going on" not in done.err
    assert "Going on after decision 2." in rulerun("ticTacToe", "--resume", "half.record").err


def test_resume(rulerun: Rulerun) -> None:
    answers = "a1\nsave half.record\n"
    done = rulerun("ticTacToe", "--seed", "2", "--seat", "1", stdin=answers)
    assert done.code == 0 and "Saved" in done.err
    done = rulerun("ticTacToe", "--resume", "half.record")
    assert done.code == 0 and "Tic-tac-toe:" in done.out
    assert rulerun("replay", "half.record").code == 0
    assert rulerun("replay", "half.record", "--rules", "nim").code == 1


def test_damaged_record(rulerun: Rulerun) -> None:
    write("bad.record", "nothing\n")
    assert rulerun("replay", "bad.record").code == 1
    rulerun("ticTacToe", "--seed", "2", "--record", "game.record")
    data = Path("game.record").read_bytes()
    Path("game.record").write_bytes(data.replace(b"place(cell: ", b"place(cell: z", 1))
    done = rulerun("replay", "game.record")
    assert done.code == 1 and "RR702" in done.err


# --- What nobody should type -------------------------------------------------------------------

MANY = "9" * 5_000
ODD = ("²", "٣", MANY, "-" + MANY, "1_0", "--5", "nan", "")
NUMBERS = [
    ("play", "--seat"), ("play", "--seed"), ("play", "--players"),
    ("soak", "--games"), ("soak", "--every"), ("soak", "--seed"), ("soak", "--players"),
    ("bench", "--secs"), ("bench", "--runs"), ("bench", "--threads"), ("profile", "--secs"),
    ("perft", "--depth"), ("perft", "--seed"), ("clauses", "--games"), ("clauses", "--seed"),
    ("replay", "--until"), ("replay", "--seat"),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "option"), NUMBERS)
def test_odd_numbers_are_wrong_use(rulerun: Rulerun, verb: str, option: str) -> None:
    for odd in ODD:
        if odd in ("1_0", "٣"):  # which click takes for 10 and for 3
            continue
        done = rulerun(verb, f"{option}={odd}", TTT)
        assert done.code == 2, f"{odd[:9]}: {done.err[:200]}"
        assert "rror: " in done.err


@pytest.mark.parametrize("odd", ODD)
def test_odd_numbers_are_no_options(rulerun: Rulerun, odd: str) -> None:
    file = write("t.rules", 'game "T"\nplayers 2\noption m: 1..9 = 5\nplay\n    nobody wins\n')
    done = rulerun("play", "--seat", "0", "--option", f"m={odd}", file)
    assert done.code == 1 and "RR237" in done.err
    done = rulerun("play", "--seat", "0", "--bot", f"search:{odd}", file)
    assert done.code == 2 and "how many games" in done.err


def test_odd_answers_are_not_options(rulerun: Rulerun) -> None:
    answers = "".join(f"{odd}\nlog {odd}\n" for odd in ODD)
    done = rulerun("play", "--seat", "1", "--seed", "1", write("t.rules", GAME), stdin=answers)
    assert done.code == 0 and "is not offered" in done.err


def test_a_configuration_with_a_long_number_is_wrong_use(rulerun: Rulerun) -> None:
    write("rulerun.toml", f"strict = {MANY}\n")
    done = rulerun("check", write("t.rules", GAME))
    assert done.code == 2 and "rulerun.toml" in done.err


SIGNS = "\x1b[31m\x07\x7f\x9b31m\u202e\u2066\u200f\ufeff"
LOUD = f"""\
game "T{SIGNS}"
players 2
kind Card: ace
the game has
    v: int
action go "go {SIGNS}"
    say "went {SIGNS}"
    nobody wins
play
    turns
        choose go
scenario "s{SIGNS}"
    then v = 1
"""
INVISIBLE = {chr(n) for n in (*range(32), *range(127, 160))} | set(SIGNS[-4:]) - {"["}
COMMANDS = [
    "check", "check --json", "check --output-format sarif", "check --output-format junit",
    "check --output-format gitlab", "check --output-format github", "test", "test -v",
    "test --json", "soak --games 1", "soak --games 1 --json", "bench --secs 0.01 --runs 1",
    "bench --secs 0.01 --runs 1 --json", "export", "schema", "inspect tree", "inspect model",
    "inspect program", "inspect layout", "play --seat 0 --seed 1", "play --seat 0 --seed 1 -v",
    "play --seat 0 --seed 1 --json", "perft --depth 2", "fmt --diff", "clauses", "play --seat 1",
    "test --update",
    "replay game.record", "replay --json game.record", "replay --scenario game.record",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_lets_anything_invisible_out(rulerun: Rulerun, command: str) -> None:
    file = write("t.rules", LOUD)
    if command.startswith("replay"):
        assert rulerun("play", "--seat", "0", "--record", "game.record", file).code == 0
    done = rulerun(*command.split(), file, stdin="log\ntable\n1\n")
    printed = done.out + done.err
    assert done.code in (0, 1, 2) and printed.strip()
    assert not INVISIBLE & (set(printed) - {"\n"})


def test_what_json_escapes_is_still_the_same(rulerun: Rulerun) -> None:
    done = rulerun("export", write("t.rules", LOUD))
    assert json.loads(done.out)["declarations"][0]["game"]["title"] == f"T{SIGNS}"
    assert "\\u202e" in done.out and "\\u009b" in done.out


def test_formatting_keeps_every_sign(rulerun: Rulerun) -> None:
    assert SIGNS in rulerun("fmt", "-", stdin=f'game "T{SIGNS}"\nplayers 2\n').out


@pytest.mark.parametrize("verb", ["check", "test", "play", "soak", "fmt", "clauses", "export"])
def test_pipes_and_devices_are_not_waited_for(rulerun: Rulerun, verb: str) -> None:
    os.mkfifo("pipe.rules")
    assert rulerun(verb, "pipe.rules").code in (0, 1, 2)
    assert rulerun(verb, "/dev/zero").code == 3


def test_a_folder_with_pipes_and_devices_in_it(rulerun: Rulerun) -> None:
    os.mkfifo("pipe.rules")
    Path("endless.rules").symlink_to("/dev/zero")
    Path("folder.rules").mkdir()
    write("t.rules", GAME)
    for verb in ("check", "test", "fmt"):
        assert rulerun(verb, ".").code in (0, 1)


def test_no_standard_input(rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(io, "TextIOWrapper", lambda _: None)
    done = rulerun("check", "-")
    assert done.code == 2 and "standard input" in done.out


def test_a_clock_and_a_ceiling_stop_what_was_counted_wrongly(
    rulerun: Rulerun, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter import pipeline

    def endless(rules: object) -> list[object]:
        found: list[object] = []
        while True:
            found.append(None) if len(found) < 100 else None

    def greedy(rules: object) -> list[object]:
        return [bytearray(1 << 20) for _ in range(4 * limits.CHECK_BYTES >> 20)]

    file = write("t.rules", GAME)
    for stand_in, slower, told in ((endless, 0.05, "too long"), (greedy, 9, "too much memory")):
        monkeypatch.setattr(limits, "SLOWER", slower)
        monkeypatch.setattr(pipeline, "check_rules", stand_in)
        done = rulerun("check", file)
        assert done.code == 3 and told in done.out and "RR208" in done.out
