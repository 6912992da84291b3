"""Broken rule texts without end, each from a number: mutations of honest rules, and word soup."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "rulesets", ROOT / "tests" / "cases"]
_LONGEST = 6000  # characters of a seed that is mutated whole; of longer ones a part is taken
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\S")
_NUMBERS = ["0", "1", "2", "63", "64", "65", "1000", "100001", "9223372036854775807",
            "9223372036854775808", "99999999999999999999"]  # fmt: skip
_SIGNS = [
    *"()[]{}:,.=<>+-*\"#\\\t\0\r\n |'`;@$%^&~?!/é\u202e\ufeff\U0001f3b2\xa0",
    "..", ":=", "+=", "-=", "!=", "<=", ">=", "[PD-001]", "\n    ", "\n        ", "{x}", '""',
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seed:
    name: str
    folder: Path
    text: str


@cache
def seeds() -> tuple[Seed, ...]:
    paths = sorted(path for folder in FOLDERS for path in folder.rglob("*.rules"))
    return tuple(Seed(path.name, path.parent, path.read_text(encoding="utf-8")) for path in paths)


@cache
def honest() -> tuple[Seed, ...]:
    """Those that nothing is wrong with; the rest are cases of problems."""
    return tuple(seed for seed in seeds() if "problems" not in seed.folder.parts)


@cache
def vocabulary() -> tuple[str, ...]:
    grammar = (ROOT / "interpreter" / "tree" / "rules.lark").read_text(encoding="utf-8")
    words = set(re.findall(r'"([^"\\]+)"', grammar))
    words |= {word for seed in seeds() for word in _WORD.findall(seed.text)}
    return tuple(sorted(words))


@cache
def all_lines() -> tuple[str, ...]:
    lines = {line for seed in seeds() for line in seed.text.split("\n") if line.strip()}
    return tuple(sorted(lines))


def broken_text(number: int) -> tuple[Seed, str]:
    """The n-th text, and the seed it comes from."""
    chance = random.Random(number)
    seed = chance.choice(honest() if chance.random() < 0.8 else seeds())
    if number % 10 == 9:
        return seed, _soup(chance)
    text = _part(chance, seed.text)
    mutations = _MUTATIONS if number % 2 else _SOFT
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        text = chance.choice(mutations)(chance, text)
    return seed, text


def _part(chance: random.Random, text: str) -> str:
    """Some of the declarations of a long text, in order, always with the first ones."""
    if len(text) <= _LONGEST:
        return text
    chunks = _chunks(text)
    share = _LONGEST / len(text)
    return "".join(c for n, c in enumerate(chunks) if n < 4 or chance.random() < share)


def _chunks(text: str) -> list[str]:
    return re.findall(r"(?:^[^ \n].*\n?)(?:^(?: .*)?(?:\n|\Z))*", text, re.M) or [text]


def _soup(chance: random.Random) -> str:
    lines = []
    for _ in range(chance.randint(1, 40)):
        if chance.random() < 0.4:
            lines.append(chance.choice(all_lines()))
        else:
            words = [chance.choice(vocabulary()) for _ in range(chance.randint(1, 12))]
            lines.append("    " * chance.choice([0, 0, 1, 1, 2, 3]) + " ".join(words))
    return "\n".join(lines) + "\n"


def _spot(chance: random.Random, text: str, most: int) -> tuple[int, int]:
    start = chance.randint(0, len(text))
    return start, min(len(text), start + chance.randint(1, most))


def _delete_signs(chance: random.Random, text: str) -> str:
    start, end = _spot(chance, text, 6)
    return text[:start] + text[end:]


def _double_signs(chance: random.Random, text: str) -> str:
    start, end = _spot(chance, text, 30)
    return text[:end] + text[start:end] + text[end:]


def _insert_sign(chance: random.Random, text: str) -> str:
    start, _ = _spot(chance, text, 1)
    return text[:start] + chance.choice(_SIGNS) + text[start:]


def _repeat_sign(chance: random.Random, text: str) -> str:
    start, _ = _spot(chance, text, 1)
    many = chance.choice([5, 70, 300, 3000])
    return (
        text[:start]
        + chance.choice(["(", "[", "-", "1 + ", "not ", " ", '"', "a", ")"]) * many
        + text[start:]
    )


def _swap_words(chance: random.Random, text: str) -> str:
    found = list(_WORD.finditer(text))
    if len(found) < 2:
        return text
    first, second = sorted(chance.sample(found, 2), key=lambda match: match.start())
    middle = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + middle + first[0] + text[second.end() :]


def _replace_word(chance: random.Random, text: str) -> str:
    found = list(_WORD.finditer(text))
    if not found:
        return text
    old = chance.choice(found)
    same = [match[0] for match in found if match[0][0].isalpha()] or ["x"]
    number = old[0].isdigit() and chance.random() < 0.8
    new = chance.choice(_NUMBERS if number else chance.choice([same, same, vocabulary()]))
    return text[: old.start()] + new + text[old.end() :]


def _exchange(chance: random.Random, text: str) -> str:
    """A word for another of the same kind, so that the text mostly still parses."""
    found = list(_WORD.finditer(text))
    if not found:
        return text
    old = chance.choice(found)
    group = next((g for g in _ALIKE if old[0] in g), None)
    if group is None:
        pattern = next((p for p in _KINDS if p.match(old[0])), _KINDS[-1])
        group = [match[0] for match in found if pattern.match(match[0])] or [old[0]]
        if old[0].isdigit():
            group = _NUMBERS
    return text[: old.start()] + chance.choice(group) + text[old.end() :]


def _exchange_lines(chance: random.Random, text: str) -> str:
    """A line for, or before, another of the same depth, from anywhere."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    indent = len(lines[at]) - len(lines[at].lstrip())
    alike = [line for line in all_lines() if len(line) - len(line.lstrip()) == indent]
    if alike:
        lines[at : at + chance.randint(0, 1)] = [chance.choice(alike)]
    return "\n".join(lines)


def _exchange_value(chance: random.Random, text: str) -> str:
    """A bracketed or assigned value for another."""
    found = list(re.finditer(r"(?<=\()[^()\n]+(?=\))|(?<=:= )[^\n\[]+|(?<= where )[^\n)]+", text))
    if not found:
        return text
    old, new = chance.choice(found), chance.choice(found)
    return text[: old.start()] + new[0] + text[old.end() :]


def _delete_word(chance: random.Random, text: str) -> str:
    found = list(_WORD.finditer(text))
    if not found:
        return text
    old = chance.choice(found)
    return text[: old.start()] + text[old.end() :]


def _change_lines(chance: random.Random, text: str) -> str:
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            indent = len(lines[at]) - len(lines[at].lstrip())
            lines.insert(at, " " * indent + chance.choice(all_lines()).lstrip())
        case 4:
            lines[at] = "    " * chance.randint(0, 3) + lines[at].lstrip()
        case _:
            lines.insert(at, chance.choice(all_lines()))
    return "\n".join(lines)


def _change_chunks(chance: random.Random, text: str) -> str:
    chunks = _chunks(text)
    at, other = chance.randrange(len(chunks)), chance.randrange(len(chunks))
    match chance.randrange(4):
        case 0:
            del chunks[at]
        case 1:
            chunks.insert(other, chunks[at])
        case 2:
            chunks[at], chunks[other] = chunks[other], chunks[at]
        case _:
            chunks.insert(at, chance.choice(_chunks(chance.choice(seeds()).text)))
    return "".join(chunks)


_ALIKE = [
    ["stack", "row", "set", "hand", "slot", "bag", "pool"],
    ["count", "any", "sum", "min", "max", "every"],
    ["+", "-", "*", "div", "divUp", "mod", "=", "<", ">", "and", "or", "is", "in"],
    ["int", "bool", "Player"],
    ["most", "least"],
    ["square", "hex", "line", "ring"],
    ["function", "group", "quantity", "procedure", "event", "action"],
    ["stop", "skip", "again"],
    ["neighbours", "adjacent", "diagonals", "region", "ray", "reach", "step", "opposite", "turn",
     "distance", "next", "previous", "clockwise", "abs", "top", "bottom", "holder", "players"],
    ["row", "column", "onEdge", "value"],
    ["me", "none", "it", "owner", "card", "p", "x", "c", "yes", "no", "playerCount"],
]  # fmt: skip
_KINDS = [
    re.compile(r"[A-Z]\w*$"),
    re.compile(r"[a-z_]\w*$"),
    re.compile(r"[0-9]+$"),
    re.compile(""),
]
_SOFT = [
    _exchange,
    _exchange,
    _exchange,
    _exchange,
    _exchange_lines,
    _exchange_value,
    _change_chunks,
]
_MUTATIONS = [
    _delete_signs, _double_signs, _insert_sign, _repeat_sign, _swap_words, _swap_words,
    _replace_word, _replace_word, _replace_word, _replace_word, _delete_word, _change_lines,
    _change_lines, _change_lines, _change_chunks,
]  # fmt: skip
