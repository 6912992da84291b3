"""Mistakes whose remedy depends on what else the file declares, as far as its lines tell that."""

from __future__ import annotations

import re

from interpreter.report.problem import Problem
from interpreter.tree.stuck import Place, Stuck

_STEP_WORDS = re.compile(
    r"^(?:when |then )?(?P<seat>P\d+) (?P<verb>[A-Za-z]\w*) (?P<rest>[\w\"#., -]+)$"
)


def explain_step_words(stuck: Stuck) -> Problem | None:
    """`P1 sells lamp` in a scenario, where an option is written as the log writes it."""
    head = stuck.place.line(1)
    written = _STEP_WORDS.match(stuck.line.strip())
    if not head.startswith(("scenario", "steps")) or written is None:
        return None
    seat, verb, rest = written["seat"], written["verb"], written["rest"].strip()
    if verb in ("may", "chooses", "choose", "sees", "does", "wins", "loses"):
        return None
    mark = stuck.place.mark(
        stuck.number, stuck.line.index(f"{seat} {verb}") + len(seat) + 2, len(f"{verb} {rest}")
    )
    option = _option_called(stuck.place, verb)
    if option is not None:
        arguments = re.sub(r"\s*,?\s+(?:and\s+)?|,(?=\S)", ", ", rest)
        message = f"what `{option}` is given stands in brackets"
        help_ = f"write the option as the log does: `{seat} {option}({arguments})`"
    else:
        message = f"no action is called `{verb}`"
        help_ = f"whoever chooses a value answers with it: `{seat} chooses {rest}`"
    return Problem("RR122", message, mark, help=help_)


def _option_called(place: Place, verb: str) -> str | None:
    """The action or the option of a choice that a verb such as `sells` means."""
    text = "\n".join(line[:200] for line in place.layout.lines)
    named = re.findall(r"^(?:action|\s+)\s*([A-Za-z]\w*)(?=\(\w+ in |\s*\"|$)", text, re.M)
    forms = {verb, verb.removesuffix("s"), verb.removesuffix("es")}
    forms |= {re.sub("ies$", "y", verb), re.sub("(?:ed|d|ing)$", "", verb)}
    return next((each for each in named if each in forms), None)


def entries_help(place: Place, word: str, many: str, field: str) -> str | None:
    """How all entries of something declared with an index are gone through: `dice[1..5]`."""
    declared = re.compile(rf"^\s+{re.escape(field)}\[([^\]\[,]+)\]\s*:")
    found = next((each for line in place.layout.lines if (each := declared.match(line))), None)
    if found is None:
        return None
    through = found[1].strip()
    name = "n" if re.match(r"\d", through) else "x"
    shown = f"{many}.{field}" if many else field
    return f"go through its indexes: `{word}({shown}[{name}] for {name} in {through})`"
