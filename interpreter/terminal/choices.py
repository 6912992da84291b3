"""What somebody can choose, as it is listed: what to type for each option, and which one is meant.

What is typed for an option is its number in the list; but where a number is chosen, it is that
number: of 0 to 5 the 3 is the 3. Options that read the same are told apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.option import arguments_of
from interpreter.report.visible import spaced, visible
from interpreter.report.whole import read_whole
from interpreter.scene.about import about
from interpreter.scene.values import Data

if TYPE_CHECKING:
    from interpreter.embedding import Option, State

_COPY = re.compile(r"#([0-9]+)$")
_WHY = re.compile(
    r"why(?: can't| can’t| cannot| can not| can| may| am| isn't| is)?(?: i)?(?: not)?\b",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of the list."""

    option: Option
    typed: str  # "": by its words only
    words: str
    action: str  # options of one action stand together
    cells: tuple[tuple[str, int], ...] = ()  # of boards, that it names


def listed_choices(state: State, seat: int) -> list[Choice]:
    options = list(state.choices(seat))
    said = about(state, seat)
    values = _numbers(said)
    apart = told_apart(options)
    listed: list[Choice] = []
    for number, (option, each) in enumerate(zip(options, said, strict=True), 1):
        cells = tuple(
            (pointed["board"], pointed["cell"])
            for pointed in each["about"]
            if pointed["sort"] == "cell"
        )
        typed = str(number) if values is None else values.get(option.text, "")
        listed.append(Choice(option, typed, visible(apart[number - 1]), each["action"], cells))
    return listed


def _numbers(said: list[Data]) -> dict[str, str] | None:
    """If a number is chosen: which one each option is. It must be said in their words, and what
    else there is to choose takes no argument."""
    found: dict[str, str] = {}
    for option in said:
        if not option["about"]:
            continue
        pointed, *more = option["about"]
        if more or pointed["sort"] != "number":
            return None
        value = str(pointed["value"])
        if value in found.values() or value not in re.findall(r"-?[0-9]+", option["words"]):
            return None
        found[option["text"]] = value
    return found or None


def told_apart(options: Sequence[Option]) -> list[str]:
    """The words of options; where several read the same, with what is different in them."""
    by_words: dict[str, list[Option]] = {}
    for option in options:
        by_words.setdefault(option.words or option.text, []).append(option)
    told: list[str] = []
    for option in options:
        said = option.words or option.text
        same = by_words[said]
        told.append(said if len(same) == 1 else f"{said} ({_difference(option, same)})")
    return told


def _difference(option: Option, others: Sequence[Option]) -> str:
    mine, theirs = arguments_of(option), [arguments_of(each) for each in others]
    parts: list[str] = []
    for name, value in mine.items():
        values = {each.get(name) for each in theirs}
        if len(values) == 1:
            continue
        if len({_COPY.sub("", str(each)) for each in values}) > 1:
            parts.append(f"{spaced(name)} {spaced(value)}")
            continue
        copy = _COPY.search(value)  # copies of one thing
        number = int(copy[1]) if copy else 1
        parts.append(
            f"the {_ORDINALS[number - 1]}" if number <= len(_ORDINALS) else f"number {number}"
        )
    return ", ".join(parts) or option.text


def asked_about(answer: str) -> str | None:
    """What somebody asks about: `sell` of `?sell`, `why not sell` and `why can't I sell?`.
    None if it is no question."""
    asked = answer.strip()
    marked = asked.startswith("?")
    asked = asked.removeprefix("?").strip()
    why = _WHY.match(asked)
    if why is None:
        return asked if marked else None
    return asked[why.end() :].strip().rstrip("?").rstrip()


def find_choices(choices: Sequence[Choice], answer: str) -> list[Choice]:
    """Those that an answer can mean: by what is typed for one, by its exact words, or by some."""
    wanted = answer.strip().casefold()
    number = read_whole(wanted)
    if number is not None:
        return [each for each in choices if each.typed == str(number)]
    for fits in (_is_exactly, _has_words, _contains):
        found = [each for each in choices if fits(each, wanted)]
        if found:
            return found
    return []


def _is_exactly(choice: Choice, wanted: str) -> bool:
    texts = (choice.option.text, choice.option.words, choice.words)
    return wanted in (text.casefold() for text in texts)


def _has_words(choice: Choice, wanted: str) -> bool:
    said = f"{choice.words} {choice.option.text}".casefold()
    words = "".join(sign if sign.isalnum() else " " for sign in said).split()
    return all(part in words for part in wanted.split())


def _contains(choice: Choice, wanted: str) -> bool:
    said = f"{choice.words} {choice.option.text}".casefold()
    return all(part in said for part in wanted.split())


def what_numbers(choices: Sequence[Choice]) -> str:
    """`1 to 12`: what can be typed as a number."""
    numbers = sorted(int(each.typed) for each in choices if each.typed)
    if not numbers:
        return "no numbers"
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
    shown = ", ".join(map(str, numbers[:12]))
    return f"{shown}{' and more' if len(numbers) > 12 else ''}"
