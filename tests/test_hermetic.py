"""A rule file reaches nothing but its own folder: no other file, no network, no program, no code.

Python tells an audit hook of everything that leaves the interpreter. The hook is set in a child,
after everything the package needs was loaded, and it writes down what the rules made happen.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from broken_texts import broken_text
from hostile.corpus import CASES

ROOT = Path(__file__).resolve().parent.parent

CHILD = r"""
import json, os, sys, time
import interpreter.cli.check, interpreter.cli.play, interpreter.bots.bot
import interpreter.tree.document
from interpreter.cli import main
from interpreter.embedding import load_text

PACKAGE = os.path.dirname(os.path.abspath(interpreter.__file__))
FORBIDDEN = (
    "socket", "subprocess", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn",
    "ctypes", "pickle", "marshal.load", "urllib", "http", "ftplib", "smtplib", "webbrowser",
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod",
    "os.putenv", "os.chdir", "shutil", "tempfile", "sqlite3", "os.kill", "os.truncate", "mmap",
    "syslog", "code.__new__",
)
found = []
folder = None
warm = '''game "Warm"
players 2
data "warm.yaml"
clauses "warmClauses.yaml"
kind Card from cards
    cost: int or none
the game has
    deck: stack of Card, holds all
play
    turns
        me chooses x in 1..2 "take {x}"
        nobody wins
'''

def hook(event, args):
    global compiled
    if folder is None:
        return
    if event == "open":
        path = args[0]
        if isinstance(path, int):
            return
        path = os.path.realpath(os.fsdecode(path))
        flags = args[2] or 0
        if path == f"/proc/{os.getpid()}/statm":  # how much memory is in use
            return
        inside = path.startswith((folder + os.sep, PACKAGE + os.sep)) or path in named
        if not inside or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            found.append(f"{event} {path} {flags}")
    elif event == "import":
        name = args[0]
        if name.split(".")[0] not in sys.stdlib_module_names | {"interpreter"}:
            if name.split(".")[0] not in loaded:
                found.append(f"{event} {name}")
    elif event == "compile":
        # The machine compiles programs of its own making; no word of a rule file is in them.
        compiled += 1
        if "mischief" in str(args[0]):
            found.append(f"{event} {args[0]!r:.200}")
    elif event.startswith(FORBIDDEN):
        found.append(f"{event} {args!r:.200}")

def run(verb, path):
    more = ["--seed", "1", "--seat", "0", "--bot", "random"] if verb == "play" else []
    return main.run([verb, *more, path])

os.makedirs(sys.argv[1], exist_ok=True)
open(f"{sys.argv[1]}/warm.rules", "w").write(warm)
open(f"{sys.argv[1]}/warm.yaml", "w").write("cards: {a: {cost: 1}, b: {}}\n")
open(f"{sys.argv[1]}/warm.look.yaml", "w").write("players: ['#112233', '#445566']\n")
expected = "- games: 10\n  expect:\n    decisions: below 9\n"
open(f"{sys.argv[1]}/warm.expect.yaml", "w").write(expected)
for clause in ("3", "Nobody wins."):  # the first does not fit, so the validator is loaded
    open(f"{sys.argv[1]}/warmClauses.yaml", "w").write(f"W-1: {clause}\n")
    run("check", f"{sys.argv[1]}/warm.rules")
run("play", f"{sys.argv[1]}/warm.rules")
run("check", f"{sys.argv[1]}/none.rules")
loaded = {name.split(".")[0] for name in sys.modules}
sys.addaudithook(hook)
jobs = json.load(open(sys.argv[2]))

# The hook itself is tried out first: each of these must be noticed.
named, compiled = set(), 0
for mischief in (
    lambda: open("/etc/hostname").close(),
    lambda: open(f"{sys.argv[1]}/new", "w").close(),
    lambda: os.system("true"),
    lambda: compile("mischief", "x", "eval"),
    lambda: __import__("socket").socket().close(),
    lambda: __import__("subprocess").run(["true"]),
):
    folder = os.path.realpath(sys.argv[1])
    mischief()
    folder = None
    assert found, "the hook sleeps"
    found.clear()
told = {}
for name, verb, path, home, codes in jobs:
    named = {os.path.realpath(path)}
    found.clear()
    folder = os.path.realpath(home)
    code = run(verb, path)
    folder = None
    if found or (codes and code not in codes):
        told[name] = [code, *found]
    if verb == "play" and code == 0:
        assert compiled, "the machine did not compile anything, so nothing was looked at"
print(json.dumps(told), file=open(sys.argv[3], "w"))
"""


def run_all(tmp_path: Path, jobs: list[tuple[str, str, str, str, tuple[int, ...]]]) -> None:
    (tmp_path / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    subprocess.run(
        [
            sys.executable,
            "-c",
            CHILD,
            f"{tmp_path}/warm",
            f"{tmp_path}/jobs.json",
            f"{tmp_path}/out",
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        cwd=tmp_path,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    told = json.loads((tmp_path / "out").read_text(encoding="utf-8"))
    assert not told, json.dumps(told, indent=1)


def test_the_hostile_corpus_reaches_nothing(tmp_path: Path) -> None:
    """All that name files, and some of the others."""
    jobs = []
    for number, case in enumerate(CASES):
        if case.seconds > 2 or case.stdin != os.devnull:
            continue
        if number % 4 and not any(word in case.name for word in ("include", "link", "data ")):
            continue
        folder = tmp_path / "rules" / str(number)
        folder.mkdir(parents=True)
        jobs.append((case.name, case.verb, case.build(folder), str(folder), case.exits))
    run_all(tmp_path, jobs)


def test_shipped_rules_reach_nothing(tmp_path: Path) -> None:
    paths = sorted((ROOT / "rulesets").rglob("*.rules"))
    assert paths
    jobs = [(f"check {p.name}", "check", str(p), str(p.parent), (0,)) for p in paths]
    small = [path for path in paths if path.stat().st_size < 4000]
    jobs += [(f"play {p.name}", "play", str(p), str(p.parent), (0,)) for p in small]
    run_all(tmp_path, jobs)


def test_broken_texts_reach_nothing(tmp_path: Path) -> None:
    jobs = []
    for number in range(150):
        folder = tmp_path / "rules" / str(number)
        folder.mkdir(parents=True)
        path = folder / "t.rules"
        path.write_bytes(broken_text(number)[1].encode("utf-8", "replace"))
        jobs.append((f"text {number}", "check", str(path), str(folder), ()))
    run_all(tmp_path, jobs)


@pytest.mark.parametrize("where", ["title", "name", "text", "label", "data"])
def test_no_word_of_a_rule_file_becomes_code(tmp_path: Path, where: str) -> None:
    """The machine writes Python for itself; what a rule file says must never be in it."""
    code = "__import__('os').system('mischief')"
    words = dict.fromkeys(["title", "text", "label", "data"], "x") | {where: code}
    name = "mischief" if where == "name" else "x1"
    rules = f'''game "{words["title"]}"
players 2
data "d.yaml"
kind Card from cards
the game has
    deck: stack of Card, holds all
    {name}: int
action take(c in 1..2) "{words["label"]} {{c}}"
    say "{words["text"]} {{{name}}}"
    {name} += c
    if {name} > 3
        nobody wins
play
    turns
        choose take
'''
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "t.rules").write_text(rules, encoding="utf-8")
    data = f'cards: {{"{words["data"]}": {{}}}}\n'
    (tmp_path / "rules" / "d.yaml").write_text(data, encoding="utf-8")
    path = str(tmp_path / "rules" / "t.rules")
    run_all(tmp_path, [("play", "play", path, f"{tmp_path}/rules", (0,))])
