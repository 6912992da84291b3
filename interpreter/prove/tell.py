"""A leak in words: a problem at a line of the rules, and two scenarios that anybody can run.

The scenarios are the two games that look the same to somebody. Put behind the rules, both pass:
what they expect at their end is what should not have been different.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from interpreter.embedding import State
from interpreter.model.seats import seat_name
from interpreter.play import words
from interpreter.play.buffer import Buffer
from interpreter.program import ops
from interpreter.program.layout import MENU, OVER, PC, STATUS
from interpreter.program.program import Program
from interpreter.prove.leaks import SORTS, sort_of
from interpreter.prove.twins import Leak
from interpreter.reading import Rules
from interpreter.report.problem import Problem
from interpreter.report.source import Mark
from interpreter.scenario_text import Taken, expectations, scenario_lines
from interpreter.variants import Variant

_LONGEST = 160  # characters of what differs

MESSAGES = {
    "RR801": "what {who} is offered depends on what {who} cannot know",
    "RR802": "what {who} is told depends on what {who} cannot know",
    "RR803": "who is asked depends on what {who} cannot know",
    "RR804": "{who} can tell whether somebody else had a choice",
    "RR805": "what {who} sees depends on what {who} cannot know",
    "RR806": "what is imagined for {who} depends on what {who} cannot know",
}


def called(viewer: int | None) -> str:
    return "a spectator" if viewer is None else seat_name(viewer)


def leak_problem(rules: Rules, variant: Variant, leak: Leak, again: str) -> Problem:
    code = sort_of(leak)
    who = called(leak.pair.viewer)
    parts = [part for part in leak.parts if part in SORTS[code]]
    one, two = _contrast(parts[0], leak.told[0][parts[0]], leak.told[1][parts[0]])
    message = f"{MESSAGES[code].format(who=who)}: {parts[0]} {one} or {two}"
    help_ = "\n".join([f"see it again with: {again}", *scenarios(rules, leak, variant)])
    return Problem(code, message, find_mark(rules, leak), help=help_)


def _contrast(part: str, one: str, two: str) -> tuple[str, str]:
    """Of two long texts what differs; of lists what each has alone."""
    first, second = json.loads(one), json.loads(two)
    if part == "toAct":
        return _asked(first), _asked(second)
    if part == "masked":
        cells = [cell for cell, (x, y) in enumerate(zip(first, second, strict=True)) if x != y]
        first, second = ({cell: each[cell] for cell in cells} for each in (first, second))
        one, two = str(first), str(second)
    elif isinstance(first, list) and isinstance(second, list):
        alone = [x for x in first if x not in second], [x for x in second if x not in first]
        if any(alone):
            one, two = (json.dumps(each, ensure_ascii=False) for each in alone)
    return _cropped(one), _cropped(two)


def _asked(seats: list[int]) -> str:
    return " and ".join(called(seat) for seat in seats) or "nobody"


def _cropped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


# ---- where


def find_mark(rules: Rules, leak: Leak) -> Mark:
    """The line of the question that differs, or of what was said; else the top of the file."""
    top = Mark.top(rules.name)
    match sort_of(leak):
        case "RR801" | "RR803":
            return _question(leak.pair.first, leak) or _question(leak.pair.second, leak) or top
        case "RR802":
            return _said(rules, leak) or _question(leak.pair.first.previous, leak) or top
        case _:
            return top


def _question(state: State | None, leak: Leak) -> Mark | None:
    if state is None or not state.seats_to_act:
        return None
    viewer = leak.pair.viewer
    seat = viewer if viewer in state.seats_to_act else state.seats_to_act[0]
    m: Buffer = state.seen_by_chooser(seat if seat is not None else 0)
    program = state.game.program
    op = program.code[m[PC]] if m[STATUS] != OVER else None
    at = op.at if isinstance(op, ops.Decide) else -1
    texts = [{text for text, _ in json.loads(each.get("options", "[]"))} for each in leak.told]
    for text in sorted(texts[0] ^ texts[1]):
        verb = text.partition("(")[0]
        for entry in program.menus[m[MENU]].entries:
            if program.actions[entry.action].name == verb and entry.at >= 0:
                at = entry.at
    return program.spots[at].mark if 0 <= at < len(program.spots) else None


def _said(rules: Rules, leak: Leak) -> Mark | None:
    """The line that says what was told in one of the two games only."""
    lines = [set(json.loads(each.get("log", "[]"))) for each in leak.told]
    program: Program = leak.pair.first.game.program
    for line in sorted(lines[0] ^ lines[1]):
        for saying in program.sayings:
            if re.fullmatch(".*".join(map(re.escape, saying.parts)), line, re.DOTALL):
                start = f'say "{saying.parts[0]}'
                for source in rules.sources.values():
                    for number, text in enumerate(source.lines, 1):
                        if start in text:
                            column = text.index(start) + 1
                            return Mark(source.name, number, column, number, len(text) + 1)
    return None


# ---- as scenarios


def scenarios(rules: Rules, leak: Leak, variant: Variant) -> list[str]:
    """Two games that look the same to the viewer, as text for a file of rules."""
    who = called(leak.pair.viewer)
    if leak.made_up is not None:
        title = f"{who} can tell what is hidden"
        then = expectations(leak.pair.first, leak.pair.viewer)
        history = [(seat, option.text) for seat, option in leak.made_up.history()]
        told = _scenario(rules, title, variant, history, then)
        return [*told, *(f"# instead: {each}" for each in _elsewhere(leak))]
    found: list[str] = []
    for number, state in enumerate((leak.pair.first, leak.pair.second)):
        decisions = tuple(
            each for step in leak.pair.rounds for each in (step.first, step.second)[number]
        )
        title = f"{who} can tell this from the {('second', 'first')[number]} game"
        then = expectations(state, leak.pair.viewer)
        found += _scenario(rules, title, variant, decisions, then)
    return found


def _scenario(
    rules: Rules, title: str, variant: Variant, decisions: Sequence[Taken], then: list[str]
) -> list[str]:
    return scenario_lines(rules, title, variant, decisions, then, forced=True)


def _elsewhere(leak: Leak) -> list[str]:
    """What is different in a state that was made up: pieces elsewhere, other secrets."""
    program = leak.pair.first.game.program
    one, two = leak.pair.first.buffer, leak.pair.second.buffer
    found: list[str] = []
    for kind in program.layout.kinds:
        if kind.fungible:
            continue
        for place, name in enumerate(kind.instance_names):
            rows = [[kind.rows[kind.row_of[p]] for p in _in(m, kind.where, len(kind.row_of), place)]
                    for m in (one, two)]  # fmt: skip
            if sorted(rows[0]) != sorted(rows[1]):
                found.append(f"{name} holds {', '.join(rows[1])} instead of {', '.join(rows[0])}")
    for variable in program.layout.variables:
        for cell in range(variable.address, variable.address + variable.size):
            if variable.secret and one[cell] != two[cell]:
                was, now = (words.value_text(program, variable.type, m[cell]) for m in (one, two))
                found.append(f"an entry of {variable.name} is {now} instead of {was}")
    return found


def _in(m: Buffer, where: int, count: int, place: int) -> list[int]:
    return [piece for piece in range(count) if m[where + piece] == place]
