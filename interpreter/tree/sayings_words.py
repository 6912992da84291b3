"""What the helps of sayings need beyond the words that were written."""

from __future__ import annotations

import re

from interpreter.tree.foreign import NUMBERS


def _whole(test: str) -> str:
    """A condition that is joined with another one: in brackets, if it would fall apart."""
    return f"({test})" if re.search(r"\bor\b", test) and not test.endswith(")") else test


_PLACES = ("stack", "row", "set", "hand", "slot", "bag", "pool")
_LEAST = ("least", "lowest", "smallest", "fewest")
_COUNTERS = ("i", "n", "seat", "index", "idx", "k", "number", "position")


def _name_of(text: str) -> str:
    """A text as a name: `Buy a card` is `buyACard`."""
    words = [found[0] for found in re.finditer(r"[A-Za-z]+", re.sub(r"\{[^}]*\}", "", text))]
    first, *others = words or ["take"]
    return first.lower() + "".join(word.capitalize() for word in others)


def completed(words: dict[str, str]) -> dict[str, str]:
    """What the helps need beyond what was written."""
    if words.get("name") == "...":
        words["name"] = "p"
    minus = (words.get("at") in ("-", "-=")) != (words.get("minus") == "-")
    words["change"] = "-" if minus else "+"
    others = re.split(r", ?(?:or |and )?| and | or ", words.get("others", ""))
    words["joined"] = " or ".join(others)
    words["listed"] = ", ".join(re.findall(r"\w+", words["mark"]))
    words["seats"] = ", ".join(re.findall(r"\bP\d+", words["mark"]))
    words["digits"] = str(NUMBERS.index(words["digit"])) if "digit" in words else ""
    words["amount"] = "1" if words.get("by", "...") == "..." else words["by"]
    words["tested"] = words.get("test", "")
    if words["mark"] == "unless":
        words["tested"] = f"not ({words['tested']})"
    verb = words.get("verb", "")
    words["verbs"] = verb if verb == "may" or verb.endswith("s") else f"{verb}s"
    words["joined_name"] = _name_of(words.get("text", ""))
    words["brackets"] = "" if words.get("rest") in (None, "...") else words["rest"]
    words["bracketed"] = re.sub(r"^(\w+) (.*)$", r"\1(\2)", words["mark"])
    words["Name"] = words.get("name", "")[:1].upper() + words.get("name", "")[1:]
    words["words"] = ", ".join(re.findall(r"\w+", words["mark"]))
    word = words.get("word", "")
    words["placed"] = word if word in _PLACES else "row"
    who, to = words.get("who", "..."), words.get("to", "...")
    words["taken"] = to if to != "..." else f"{'p' if who == '...' else who}.hand"
    first, second = words.get("a", ""), words.get("b", "")
    if first in _COUNTERS and second not in _COUNTERS:
        first, second = second, first
    words["counted"] = f"{first} at {second}"
    words["bare"] = words.get("what", "").removeprefix("let ")
    joint, more = "and", words.get("more", "")
    if words.get("at") == "unless":
        joint, more = "and not", f"({more})"
    words["both"] = f"{_whole(words.get('test', ''))} {joint} {_whole(more)}"
    words["nothing"] = "" if word == "sum" else " else 0"
    words["combined"] = re.sub(r", ?(?=\w+ in )", " by ", words["mark"])
    words["extreme"] = "least" if words.get("end") in _LEAST else "most"
    rest = words.get("rest", "")
    words["tied"] = rest if "ties" in rest else f"{rest} ties none"
    words["unbracketed"] = words["mark"].replace("()", "")
    return words
