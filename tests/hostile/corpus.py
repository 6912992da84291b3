"""The hostile inputs: every limit in several forms. Large ones are built when they are needed.

A case has a builder, which writes what it needs into a folder and returns the path to give to
the command; the exit codes that are right; and, if one is sure, the code of the problem told.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Build = Callable[[Path], str]


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    build: Build
    exits: tuple[int, ...]
    code: str = ""
    verb: Literal["check", "play"] = "check"
    stdin: str = os.devnull
    seconds: float = 2.0  # of computing


CASES: list[Case] = []
HEAD = 'game "T"\nplayers 2\n'
END = "play\n    nobody wins\n"
OK, WRONG, USAGE, LIMIT = (0,), (1,), (2,), (3,)
REFUSED = (1, 3)


def file(content: str | bytes, name: str = "t.rules") -> Build:
    def build(folder: Path) -> str:
        path = folder / name
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        path.write_bytes(data)
        return str(path)

    return build


def check(name: str, content: str | bytes | Build, exits: tuple[int, ...], code: str = "") -> None:
    build = content if callable(content) else file(content)
    CASES.append(Case(name, build, exits, code))


def rules(name: str, body: str, exits: tuple[int, ...], code: str = "") -> None:
    """Rules that are whole but for what is in the middle."""
    check(name, HEAD + body + ("" if "\nplay\n" in f"\n{body}" else END), exits, code)


def data(name: str, yaml: str | bytes, exits: tuple[int, ...], code: str = "") -> None:
    def build(folder: Path) -> str:
        content = yaml.encode() if isinstance(yaml, str) else yaml
        (folder / "d.yaml").write_bytes(content)
        kind = (
            "kind Card from cards\n    cost: int or none\nthe game has\n    deck: stack of Card\n"
        )
        return file(f'{HEAD}data "d.yaml"\n{kind}{END}')(folder)

    CASES.append(Case(name, build, exits, code))


def lines(make: Callable[[int], str], count: int) -> str:
    return "".join(make(number) + "\n" for number in range(count))


# ---- what a file can be


def fifo(folder: Path) -> str:
    os.mkfifo(folder / "pipe.rules")
    return str(folder / "pipe.rules")


def linked(target: str) -> Build:
    def build(folder: Path) -> str:
        (folder / "t.rules").symlink_to(target)
        return str(folder / "t.rules")

    return build


def loop_of_links(folder: Path) -> str:
    (folder / "t.rules").symlink_to("u.rules")
    (folder / "u.rules").symlink_to("t.rules")
    return str(folder / "t.rules")


check("a huge file", lambda f: file("# long\n" * 50_000)(f), LIMIT, "RR003")
check("an endless device", lambda f: "/dev/zero", LIMIT, "RR003")
check("a random device", lambda f: "/dev/urandom", LIMIT, "RR003")
check("a link to an endless device", linked("/dev/zero"), LIMIT, "RR003")
check("a pipe nobody writes to", fifo, WRONG)
check("a loop of links", loop_of_links, USAGE)
check("a folder without rules", str, USAGE)
check("a file that is not there", lambda f: f"{f}/none.rules", USAGE)
check("a name no system takes", lambda f: f"{f}/{'x' * 5000}.rules", USAGE)
check("an empty file", b"", WRONG)
check("a zero byte", HEAD.encode() + b"\0" + END.encode(), WRONG, "RR005")
check("only zero bytes", b"\0" * 1000, WRONG, "RR005")
check("bytes that are no text", b'game "\xff\xfe"\n', WRONG, "RR004")
check("the first bytes of a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), WRONG)
check("text in UTF-16", (HEAD + END).encode("utf-16"), WRONG)
check("a text cut inside a letter", (HEAD + "# é").encode()[:-1], WRONG, "RR004")
check("an encoded surrogate", HEAD.encode() + b"# \xed\xa0\x80\n", WRONG, "RR004")
check("a byte order mark", b"\xef\xbb\xbf" + (HEAD + END).encode(), OK)
check("line ends of Windows", (HEAD + END).replace("\n", "\r\n").encode(), OK)
check("line ends of old", (HEAD + END).replace("\n", "\r").encode(), OK)
check("tabs", HEAD + "play\n\tnobody wins\n", WRONG)
check("only line ends", b"\n" * 250_000, WRONG)
check("one long line", HEAD + "# " + "x" * 250_000 + "\n" + END, OK)
check("text that runs backwards", HEAD + 'phase x\n    say "\u202eabc"\n' + END, (0, 1))
check("a name that runs backwards", HEAD + "enum \u202eE: a\n" + END, WRONG)
check("a title that commands a terminal", 'game "\x1b]0;x\x07\x1b[31m"\nplayers 2\nplays\n', WRONG)
check("every character there is", "".join(map(chr, range(1, 0xD800))), WRONG)
CASES.append(Case("endless input", lambda f: "-", LIMIT, "RR003", stdin="/dev/zero"))
CASES.append(Case("no input", lambda f: "-", WRONG))

# ---- how a text can be built

for signs in ("(", "[", "(1 + ", "-(", "count(x in "):
    rules(f"deep {signs.strip()}", f"constant a = {signs * 5000}1\n", REFUSED)
rules("brackets that close", f"constant a = {'(' * 2000}1{')' * 2000}\n", LIMIT)
rules(
    "deep blocks",
    "procedure p(n: int)\n" + lines(lambda n: "    " * (n + 1) + "if yes", 200),
    LIMIT,
)
rules("deep types", f"the game has\n    a: {'list of ' * 5000}int\n", REFUSED)
rules("not not not", f"constant a = {'not ' * 29_000}yes\n", REFUSED)
rules("minus minus", f"constant a = {'- ' * 29_000}1\n", REFUSED)
rules("one and one and one", f"constant a = {'1 + ' * 60_000}1\n", LIMIT)
rules("fewer ones", f"constant a = {'1 + ' * 14_000}1\n", REFUSED)
rules("yes and yes and yes", f"constant a = {'yes and ' * 14_000}yes\n", REFUSED)
rules("if else if else", f"constant a = {'1 if yes else ' * 5000}1\n", REFUSED)
rules("dots", f"constant a = x{'.y' * 14_000}\n", REFUSED)
rules("indexes", f"constant a = x{'[1]' * 9_000}\n", REFUSED)
rules("calls in calls", f"constant a = {'abs(' * 3000}1{')' * 3000}\n", LIMIT)
rules(
    "else if else if",
    "the game has\n    v: int\nprocedure p(n: int)\n    if n = 0\n        v := 1\n"
    + lines(lambda n: f"    else if n = {n}\n        v := 1", 3000) + END,
    REFUSED,
)  # fmt: skip
for count, right in ((200, OK), (300, LIMIT), (2_500, LIMIT)):
    rules(
        f"an if with {count} branches",
        "the game has\n    v: int\nprocedure p(n: int)\n    if n = 0\n        v := 1\n"
        + lines(lambda n: f"    else if n = {n}\n        v := n", count)
        + "play\n    p(3)\n    nobody wins\n",
        right,
    )
rules(
    "ifs in the last branches of ifs",
    "the game has\n    v: int\nplay\n"
    + "".join(
        lines(lambda n, deep=deep: f"{'    ' * deep}{'else ' * (n > 0)}if v = {n}\n"
              f"{'    ' * (deep + 1)}v := {n}", 40)
        + "    " * deep + "else\n" for deep in range(1, 20)
    )
    + "    " * 20 + "v := 1\n    nobody wins\n",
    LIMIT,
)  # fmt: skip
rules("many arguments", f"constant a = max({', '.join('1' * 14_000)})\n", (0, 1, 3))
rules("too many words", lines(lambda n: f"constant a{n} = {n}", 9_000), LIMIT, "RR113")
rules("as many declarations as fit", lines(lambda n: f"constant a{n} = {n}", 6_000), OK)
rules("an error a line", lines(lambda n: f"gmae {n}", 14_000), WRONG)
rules("an error in each block", lines(lambda n: f"procedure p{n}(n: int)\n    x y z", 2_500), WRONG)
rules("errors in one block", "procedure p(n: int)\n" + lines(lambda n: "    x y z", 9_000), WRONG)
rules("backslashes", 'procedure p(n: int)\n    say "' + '"\\' * 15_000 + "\n", WRONG)
rules("quotes", '"' * 50_000 + "\n", WRONG)
rules("a text without end", 'procedure p(n: int)\n    say "' + "x" * 200_000 + "\n", WRONG)
rules("a long text", 'procedure p(n: int)\n    say "' + "x" * 200_000 + '"\n', (0, 1, 3))
rules("gaps in a text", 'procedure p(n: int)\n    say "' + "{1}" * 20_000 + '"\n', (0, 1, 3))
rules("a deep gap", 'procedure p(n: int)\n    say "{' + "(" * 5_000 + '1}"\n', REFUSED)
rules("a long name", f"constant {'a' * 200_000} = 1\n", (0, 1, 3))
rules("a long number", f"constant a = {'9' * 100_000}\n", REFUSED)
rules("many zeros", f"constant a = {'0' * 100_000}1\n", (0, 1, 3))
rules("many citations", "procedure p(n: int) " + "[PD-001]" * 10_000 + "\n    stop\n", (0, 1, 3))
check("a tree that is deep", '{"a": ' * 50_000, REFUSED)
check("a tree that is a list", "{" + '"declarations": [' * 10_000, REFUSED)
check("a tree with a long number", '{"schema": ' + "9" * 100_000 + "}", WRONG)
check("a tree with odd numbers", '{"schema": NaN, "declarations": [1e999]}', WRONG)
check("a tree with a name twice", '{"schema": 1, "schema": 2}', WRONG)
check(
    "a tree nobody can write as rules",
    '{"schema": "rulerun/ruleset@1", "declarations": [{"game": {"title": "\\ud800"}}]}',
    WRONG,
)

# ---- what can be declared

for shape in (
    "square 100000 by 100000", "square 1 by 1000000000000", "hex 99999 by 99999",
    "hex radius 1000000000", "line 1000000000000000000", "ring 99999999999",
):  # fmt: skip
    rules(f"board {shape}", f"board B: {shape}\n", LIMIT)
for shape in ("square 0 by 0", "hex radius 0 - 5", "line 0", "ring 0 - 1", "square 1 by 0"):
    rules(f"board {shape}", f"board B: {shape}\n", (0, 1))
rules("many boards", lines(lambda n: f"board B{n}: square 90 by 90", 200), (0, 1, 3))
rules("big boards", lines(lambda n: f"board B{n}: square 20 by 20", 60), (0, 1, 3))
rules("a million copies", "kind Card: jack 1000000000\n", REFUSED)
rules("a million rows", "kind Card: 1..1000000000\n", REFUSED)
rules("rows backwards", "kind Card: 9..1\n", REFUSED)
rules("a wide index", "the game has\n    a[1..100000, 1..100000]: int\n", REFUSED)
rules("a wider index", "the game has\n    a[0..9223372036854775807]: int\n", REFUSED)
rules(
    "a state too big in one piece", "board B: square 60 by 60\neach B has\n    a[B]: int\n", LIMIT
)
rules(
    "a state too big in small pieces",
    "the game has\n" + lines(lambda n: f"    a{n}[1..1000, 1..100]: int", 30), LIMIT,
)  # fmt: skip
rules(
    "a state too big in places",
    "kind Card: jack 1000\nboard B: square 60 by 60\neach B has\n    s: stack of Card\n", LIMIT,
)  # fmt: skip
rules(
    "a state too big in pools",
    "kind Card: 1..2000\nboard B: square 60 by 60\neach B has\n    s: pool of Card\n", LIMIT,
)  # fmt: skip
rules("a constant too big", "constant a[1..100000, 1..100000] = 1\n", REFUSED)
rules("a field too big", "kind C: a, b\n    f[1..100000, 1..100000]: int = 1\n", REFUSED)
rules("a wide option", "option n: 1..9223372036854775807 = 5\n", (0, 1, 3))
rules("an option for a size", "option n: 1..100000000 = 5\nboard B: line n\n", (0, 1, 3))
rules("many members", "enum E: " + ", ".join(f"m{n}" for n in range(14_000)) + "\n", (0, 1, 3))
rules("members twice", "enum E: " + ", ".join(["m"] * 14_000) + "\n", WRONG)
check("many players", 'game "T"\nplayers 1..1000000000\n' + END, REFUSED)
check("no players", 'game "T"\nplayers 0\n' + END, WRONG)
check("players backwards", 'game "T"\nplayers 5..2\n' + END, WRONG)
rules("a constant doubled", "constant a0 = 2\n" + lines(
    lambda n: f"constant a{n + 1} = a{n} * a{n}", 100), REFUSED)  # fmt: skip
rules("a constant of itself", "constant a = a\nconstant b = c\nconstant c = b\n", WRONG)
rules("one too many", "constant a = 9223372036854775807 + 1\n", REFUSED)
rules("a constant divided by zero", "constant a = 1 mod 0\n", WRONG)
rules(
    "a division that overflows", "constant a = (0 - 9223372036854775807 - 1) div (0 - 1)\n", (1, 3)
)
rules("a group of itself", "group g = x in g\n", WRONG)
rules("groups of each other", "group g = x in h\ngroup h = x in g\n", WRONG)
rules(
    "groups that unfold",
    "board B: square 3 by 3\ngroup g0 = x in B\n"
    + lines(lambda n: f"group g{n + 1} = x in g{n} where any(y in g{n} where y is x)", 30)
    + "action a(x in g30)\n    nobody wins\nplay\n    turns\n        choose a\n",
    (0, 1, 3),
)
rules("a function of itself", "function f(n: int): int = f(n)\n", (0, 1, 3))
rules("functions in a long chain", "function f0(n: int): int = n\n" + lines(
    lambda n: f"function f{n + 1}(n: int): int = f{n}(n) + f{n}(n)", 1200), (0, 1, 3))  # fmt: skip
rules(
    "procedures in a long chain",
    "the game has\n    v: int\nprocedure p0(n: int)\n    v += n\n"
    + lines(lambda n: f"procedure p{n + 1}(n: int)\n    p{n}(n)\n    p{n}(n + 1)", 900),
    (0, 1, 3),
)
rules(
    "choices in a long chain",
    "procedure p0(w: Player)\n    w chooses x in 1..2\n"
    + lines(lambda n: f"procedure p{n + 1}(w: Player)\n    p{n}(w)\n    p{n}(w)", 900)
    + "play\n    turns\n        p900(me)\n        nobody wins\n",
    (0, 1, 3),
)
rules(
    "phases in a long chain",
    "phase p0\n    for each w in players\n        w chooses x in 1..2\n"
    + lines(lambda n: f"phase p{n + 1}\n    p{n}\n    p{n}", 900)
    + "play\n    p900\n    nobody wins\n",
    (0, 1, 3),
)
rules(
    "groups in a long chain",
    "board B: square 3 by 3\ngroup g0 = x in B\n"
    + lines(lambda n: f"group g{n + 1} = x in g{n} where x.row > {n}", 900)
    + "the game has\n    v: int\nplay\n    v := count(x in g900)\n    nobody wins\n",
    (0, 1, 3),
)
rules("a procedure of itself", "procedure p(n: int)\n    p(n)\nplay\n    p(1)\n", (0, 1, 3))
rules(
    "choices of themselves",
    "procedure p(w: Player)\n    w chooses x in 1..2\n    p(w)\n"
    "play\n    for each w in players\n        p(w)\n",
    REFUSED,
)
rules("phases of each other", "phase p\n    q\nphase q\n    p\nplay\n    p\n", (0, 1, 3))
rules(
    "events that unfold",
    "the game has\n    v: int\nevent e0(n: int)\n    v += n\n"
    + lines(lambda n: f"event e{n + 1}(n: int)\n    e{n}(n)", 20)
    + lines(
        lambda n: f"ability a{n}\n" + lines(
            lambda m: f"    before e{m + 1}(n) when n > 0\n        e{m}(n)\n        e{m}(n)", 20
        ).rstrip(), 20)
    + "kind C: x\n    ability: ability or none = a1\n"
    + "the game has\n    s: row of C, holds all, face up, active\nplay\n    e20(1)\n    nobody wins\n",  # noqa: E501
    (0, 1, 3),
)  # fmt: skip
rules("many actions", lines(lambda n: f"action a{n}\n    nobody wins", 2000)
      + "play\n    turns\n        choose " + " or ".join(f"a{n}" for n in range(2000)) + "\n",
      (0, 1, 3))  # fmt: skip
rules("many variables", "the game has\n" + lines(lambda n: f"    v{n}: int = {n}", 4900), (0, 1, 3))
rules("many near names", lines(lambda n: f"constant name{n} = nam{n}", 3000), WRONG)
rules(
    "many unknown words",
    "procedure p(n: int)\n" + lines(lambda n: f"    unknown{n} := 1", 7000),
    WRONG,
)
BIG = "board B: ring 10000\nthe game has\n    v: int\n"
LARGE = "board B: square 100 by 100\nthe game has\n    v: int\n"
MIDDLE = "board B: square 20 by 20\nthe game has\n    v: int\n"
END_OF_PLAY = "    nobody wins\n"


def often(name: str, head: str, line: str, count: int, exits: tuple[int, ...]) -> None:
    """The same line over and over, with names of its own."""
    body = lines(lambda n: "        " + line.replace("@", str(n)), count)
    rules(name, f"{head}play\n    for each c in B\n{body}{END_OF_PLAY}", exits)


often("a line on a long ring", BIG, "v += line(c through x where x is c)", 1, OK)
often("a ray on a long ring", BIG, "v += count(x in ray(c, clockwise))", 1, OK)
often("lines on a long ring", BIG, "v += line(c through x@ where x@ is c)", 1_500, (0, 3))
often("neighbours on a large board", LARGE, "v += count(x@ in neighbours(c))", 2_000, (0, 3))
often("steps on a large board", LARGE, "v += count(x@ in adjacent(c))", 2_000, (0, 3))
often("rows of a large board", LARGE, "v += c.row + c.column", 2_000, (0, 3))
often("regions of a large board", LARGE, "v += count(x@ in region(c through y@ where y@ is c))",
      1_000, LIMIT)  # fmt: skip
often("reaches on a large board", LARGE,
      "v += count(x@ in reach(c within 3 through y@ costs 1))", 1_000, (0, 3))  # fmt: skip
often("distances on a large board", LARGE, "v += distance(c, c)", 1, WRONG)
often("distances on a middling board", MIDDLE, "v += distance(c, c)", 2_000, (0, 3))
rules(
    "distances on many boards",
    lines(lambda n: f"board B{n}: square 20 by 20", 24)
    + "the game has\n    v: int\nplay\n"
    + lines(lambda n: f"    for each c in B{n}\n        v += distance(c, c)", 24) + END_OF_PLAY,
    (0, 3),
)  # fmt: skip


def nested(name: str, around: str, inside: str, depth: int, exits: tuple[int, ...]) -> None:
    """A value in a value in a value, each with a name of its own."""
    value = inside
    for number in range(depth):
        value = around.replace("@", str(number)).replace("...", value)
    head = "board B: square 3 by 3\nthe game has\n    v: int\n"
    rules(f"{name} {depth} deep", f"{head}play\n    v := {value}\n{END_OF_PLAY}", exits)


for depth in (7, 14, 21, 30, 60):
    nested("counts", "count(x@ in B where ... > 0)", "1", depth, (0, 3))
    nested("sums", "sum(... for x@ in B)", "1", depth, (0, 3))
    nested("most", "max(... for x@ in B)", "1", depth, (0, 3))
    nested("lines", "line(a1 through x@ where ... > 0)", "1", depth, (0, 3))
    nested("regions", "count(y@ in region(a1 through x@ where ... > 0))", "1", depth, (0, 3))
    nested("reaches", "count(y@ in reach(a1 within 3 through x@ costs ...))", "1", depth, (0, 3))
    nested("ranks", "rank(P1, most ... for p@ in players)", "1", depth, (0, 3))
    nested("choices", "(1 if ... > 0 else 2)", "1", depth, (0, 3))

# ---- scenarios


def scenarios(name: str, head: str, exits: tuple[int, ...], body: str = "") -> None:
    option = "option m: 1..900 = 5\nconstant used = m\n"
    rules(name, f'{option}{body}{END}scenario "a"\n    {head}\n    then 1 = 1\n', exits)


for odd in ("--5", "- - 5", "2 + 3", "9999999999999999999", "yes", '"x"', "none"):
    scenarios(f"a scenario with option {odd}", f"option m = {odd}", WRONG)
scenarios("a scenario with a long option", "option m = " + "9" * 5_000, LIMIT)
scenarios("a scenario with a long number of players", "players " + "9" * 5_000, LIMIT)
scenarios("a scenario with a long seed", "seed " + "9" * 5_000, LIMIT)
scenarios("a scenario with a seed of zeros", "seed " + "0" * 5_000, OK)
MUCH = "the game has\n    v: int\n" + lines(
    lambda n: f"procedure p{n}(n: int)\n    v := n + v * 2 - {n}", 300
)  # fmt: skip
rules(
    "scenarios with options of their own",
    f"option m: 1..900 = 5\nconstant used = m\n{MUCH}{END}"
    + lines(lambda n: f'scenario "s{n}"\n    option m = {n + 1}\n    then used = {n + 1}', 200),
    LIMIT, "RR208",
)  # fmt: skip
rules(
    "a few scenarios with options of their own",
    f"option m: 1..900 = 5\nconstant used = m\n{END}"
    + lines(lambda n: f'scenario "s{n}"\n    option m = {n + 1}\n    then used = {n + 1}', 20),
    OK,
)  # fmt: skip
rules(
    "a list of nested rows",
    "table A\n    b: list of A\ntable B from b\n    a: list of A\n", WRONG,
)  # fmt: skip

# ---- data files

data("data that is deep", "cards: " + "[" * 50_000, REFUSED)
data("data that is deep in blocks", "cards:\n" + lines(lambda n: " " * n + "- a:", 400), REFUSED)
LAUGHS = ["a: &b0 [x]"]
LAUGHS += [f"b{n + 1}: &b{n + 1} [{', '.join([f'*b{n}'] * 9)}]" for n in range(9)]
data("data that laughs", "\n".join(LAUGHS) + "\ncards: *b9\n", REFUSED)
data("data that holds itself", "cards: &a [*a]\n", REFUSED)
data("data that merges", "a: &a {x: 1}\ncards: {<<: *a}\n", REFUSED)
data("data that is code", 'cards: !!python/object/apply:os.system ["true"]\n', REFUSED)
data("data with a tag", "cards: !x {a: 1}\n", REFUSED)
data("data without end", "cards: [" + "1," * 300_000 + "]\n", LIMIT)
data("data too long", "cards: {}\n" + "# long\n" * 160_000, LIMIT)
data("data with a long text", "cards: [{id: " + "x" * 70_000 + "}]\n", LIMIT)
data("data with a name twice", "cards: {a: {cost: 1}, a: {cost: 2}}\n", WRONG)
data("data in two documents", "cards: {}\n---\ncards: {}\n", WRONG)
data("data with a list as a name", "cards: {[a]: 1}\n", WRONG)
data("data with a long number", "cards: {a: {cost: " + "9" * 10_000 + "}}\n", REFUSED)
data("data with a hex number", "cards: {a: {cost: 0x" + "f" * 10_000 + "}}\n", REFUSED)
data("data with no number", "cards: {a: {cost: .nan}, b: {cost: 1e999}}\n", WRONG)
data("data with a zero byte", b"cards: {a: \0}\n", WRONG)
data("data that is no text", b"cards: \xff\n", WRONG)
data("data that is empty", "", WRONG)
data("data that is a word", "x\n", WRONG)
data("data that is nothing", "cards:\n", WRONG)
data("data with a million copies", "cards: {a: {copies: 1000000000}}\n", REFUSED)
data("data with many copies", "cards:\n" + lines(lambda n: f"  a{n}: {{copies: 1000}}", 100), LIMIT)
data("data with many rows", "cards:\n" + lines(lambda n: f"  a{n}: {{cost: 1}}", 20_000), (0, 1, 3))
data(
    "data with many mistakes", "cards:\n" + lines(lambda n: f"  a{n}: {{cots: 1}}", 20_000), REFUSED
)
data(
    "data with odd names",
    'cards: {"a\\nb\\u202e": {cost: 1}, "": {cost: 2}, 1: {cost: 3}}\n',
    (0, 1),
)


def graph(count: int, ways: int) -> Build:
    def build(folder: Path) -> str:
        chance = random.Random(1)
        with (folder / "d.yaml").open("w", encoding="utf-8") as target:
            target.write("map:\n")
            for cell in range(count):
                near = ", ".join(f"c{chance.randrange(count)}" for _ in range(ways))
                target.write(f"  c{cell}: {{neighbours: [{near}]}}\n")
        return file(f'{HEAD}data "d.yaml"\nboard B: graph from map\n{END}')(folder)

    return build


check("a graph of many cells", graph(20_000, 3), (0, 1, 3))
check("a graph of many ways", graph(380, 120), (0, 1, 3))

# ---- files that name files


def included(names: Iterable[str], **files: str | bytes) -> Build:
    def build(folder: Path) -> str:
        for name, content in files.items():
            file(content, f"{name}.rules")(folder)
        return file(HEAD + "".join(f'include "{name}"\n' for name in names) + END)(folder)

    return build


def chain(count: int) -> Build:
    def build(folder: Path) -> str:
        for number in range(count):
            file(f'include "f{number + 1}.rules"\n', f"f{number}.rules")(folder)
        file("constant a = 1\n", f"f{count}.rules")(folder)
        return file(f'{HEAD}include "f0.rules"\n{END}')(folder)

    return build


def with_link(target: str) -> Build:
    def build(folder: Path) -> str:
        (folder / "link.rules").symlink_to(target)
        return included(["link.rules"])(folder)

    return build


def with_pipe(folder: Path) -> str:
    os.mkfifo(folder / "pipe.rules")
    return included(["pipe.rules"])(folder)


def with_folder_link(folder: Path) -> str:
    (folder / "sub").symlink_to("/etc")
    return included(["sub/passwd"])(folder)


check("an include of itself", included(["t.rules"]), REFUSED)
check("includes of each other", included(["a.rules"], a='include "b.rules"\n',
      b='include "a.rules"\n'), REFUSED)  # fmt: skip
check("an include twice", included(["a.rules", "./a.rules"], a="constant a = 1\n"), WRONG)
check("includes too deep", chain(20), LIMIT, "RR050")
check(
    "too many includes",
    included([f"f{n}.rules" for n in range(100)], **{f"f{n}": "# x\n" for n in range(100)}), LIMIT,
)  # fmt: skip
check(
    "includes too long",
    included([f"f{n}.rules" for n in range(8)], **{f"f{n}": "# x\n" * 50_000 for n in range(8)}),
    LIMIT, "RR003",
)  # fmt: skip
for outside in (
    "../t.rules", "/etc/passwd", "sub/../../x", "..", "/dev/zero", "~/x", "a\\\\..\\\\b",
    "file:///etc/passwd", "C:/x", "", ".", "x" * 5000, "sub/" * 2000 + "x", "$HOME/x", "%2e%2e/x",
):  # fmt: skip
    check(f"an include of {outside[:20]}", included([outside]), WRONG)
for target in ("/etc/passwd", "/dev/zero", "../../../etc/passwd", "link.rules", "none.rules"):
    check(f"an include of a link to {target}", with_link(target), WRONG)
check("an include in a linked folder", with_folder_link, WRONG, "RR052")
check("an include of a pipe", with_pipe, WRONG)
check("data that is a device", file(f'{HEAD}data "/dev/zero"\n{END}'), WRONG, "RR052")
check("clauses from elsewhere", file(f'{HEAD}clauses "../../etc/passwd"\n{END}'), WRONG, "RR052")

# ---- what can happen while playing: files whose first line says what is right

_RIGHT = re.compile(r"# exit ([0-9](?: or [0-9])*)(?:, (RR[0-9]{3}))?(?:, ([0-9]+) s)?\n")


def _playing(path: Path) -> Case:
    found = _RIGHT.match(path.read_text(encoding="utf-8"))
    assert found is not None, f"{path.name} must begin like `# exit 3, RR608`"
    exits = tuple(int(number) for number in found[1].split(" or "))
    name, text = f"playing {path.stem}", path.read_bytes()
    return Case(name, file(text), exits, found[2] or "", "play", seconds=float(found[3] or 2))


CASES += [_playing(path) for path in sorted(Path(__file__).parent.glob("playing/*.rules"))]
