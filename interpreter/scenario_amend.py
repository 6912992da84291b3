"""What a scenario would have to expect, when the rules have changed on purpose.

An expectation changes nothing, so the scenario goes on behind one that fails: all of them are found
at once. Each becomes edits of the text, as small as can be; what the author has written around them
stays. Not everything can be rewritten: that chance has to come, or that an option cannot exist, is
no other expectation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from interpreter.play import words
from interpreter.program.program import Part, Probe
from interpreter.report.source import Mark, Source
from interpreter.scenario_expect import Expecting
from interpreter.scenario_offers import Failed, Offers
from interpreter.scenario_state import Amendment, Edit
from interpreter.scenario_text import offered_text, quoted, seats_text
from interpreter.scenario_words import could_be_read, could_be_said
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_MOST_OFFERED = 40  # options that are written down
_ALIKE = 0.4  # how much of a text is the same in the one that takes its place
_SEATS = re.compile(r"then\s+(.*?\b(?:chooses?|wins?|loses?))\b")
_STRING = re.compile(r'"[^"]*"')
_Literal = nodes.Number | nodes.Truth | nodes.NoneValue | nodes.Quoted


class Amending(Expecting):
    __slots__ = ()

    def _expect(self, part: nodes.Expectation, probe: Probe | None) -> None:
        try:
            super()._expect(part, probe)
        except Failed as failed:
            if self.amendments is None:
                raise
            fails = failed.problem.code == "RR275"  # and is not empty, or refused by another clause
            edits = tuple(self._edits(part, probe)) if fails else ()
            self.amendments.append(Amendment(part.mark, edits, failed.problem))

    def _edits(self, part: nodes.Expectation, probe: Probe | None) -> Iterator[Edit]:
        """Nothing, if it cannot be rewritten."""
        state = self.state
        match part:
            case nodes.Holds():
                assert probe is not None
                yield from self._compared(part.condition, probe)
            case nodes.Scores():
                if state.is_over and isinstance(part.value, nodes.Number):
                    score = state.scores[self._seat(part.seat, part.mark)]
                    yield Edit(part.value.mark, str(score))
            case nodes.Offers():
                yield from self._offered(part)
            case nodes.Seats(word="choose"):
                if not state.is_chance:
                    yield from self._named(part, state.seats_to_act)
            case nodes.Seats():
                if state.is_over:
                    ended = state.winners if part.word == "win" else state.losers
                    yield from self._named(part, ended)
            case nodes.Sees():
                assert probe is not None
                if not probe.place and self._evaluate(probe.function) >= 0:
                    yield self._instead(part, part.sees, "sees", "does not see")
            case nodes.Reads():
                yield from self._spoken(part)
            case nodes.Ends():
                if not state.is_chance:
                    yield self._instead(part, part.over, "is over", "goes on")

    # ---- conditions

    def _compared(self, condition: nodes.Expr, probe: Probe) -> Iterator[Edit]:
        """Of what is compared with a value that is written down, the value it has now."""
        match condition:
            case nodes.Binary(operator="and"):
                yield from self._compared(condition.left, probe)
                yield from self._compared(condition.right, probe)
            case nodes.Binary(operator="=" | "is"):
                parts = {each.text: each for each in probe.parts if each.elements is None}
                sides = ((condition.left, condition.right), (condition.right, condition.left))
                for of, written in sides:
                    found = parts.get(flat(say_value(of)))
                    if found is not None and self._is_literal(written, parts):
                        now, was = self._value(found), flat(say_value(written))
                        if now != was:
                            yield Edit(written.mark, now)
                        return
            case _:  # what it would have to be is not told by what it is
                pass

    def _is_literal(self, expr: nodes.Expr, parts: Mapping[str, Part]) -> bool:
        """A number, a text, or a name that stands for itself: of a seat or a member."""
        if isinstance(expr, nodes.Unary):
            return expr.operator == "-" and isinstance(expr.operand, nodes.Number)
        if isinstance(expr, nodes.Name):
            return expr.name in parts and self._value(parts[expr.name]) == expr.name
        return isinstance(expr, _Literal)

    def _value(self, part: Part) -> str:
        value = self._evaluate(part.function)
        return quoted(words.value_text(self.program, part.type, value))

    # ---- the others

    def _offered(self, part: nodes.Offers) -> Iterator[Edit]:
        seat = self._seat(part.seat, part.mark)
        if seat not in self.state.seats_to_act:
            return
        if part.word == "may only":
            options = Offers(self.state, seat).choosable
            if len(options) <= _MOST_OFFERED:
                first, last = part.offers[0].mark, part.offers[-1].mark
                over = Mark(first.file, first.line, first.column, last.end_line, last.end_column)
                yield Edit(over, offered_text(option.text for option in options))
        elif len(part.offers) == 1:
            yield self._instead(part, part.word == "may", "may", "may not")

    def _named(self, part: nodes.Seats, seats: tuple[int, ...]) -> Iterator[Edit]:
        found = _SEATS.search(self._text(part.mark), part.mark.column - 1)
        if found is not None:
            yield Edit(_within(part.mark, found, 1), seats_text(seats, part.word))

    def _spoken(self, part: nodes.Reads) -> Iterator[Edit]:
        if part.seat is None:
            possible, spoken = could_be_said(self.program, part.text), self.state.log()
        else:
            seat = self._seat(part.seat, part.mark)
            asked = seat in self.state.seats_to_act
            options = Offers(self.state, seat).choosable if asked else []
            possible = could_be_read(self.program, part.text)
            spoken = [option.words for option in options]
        if not part.reads:
            if possible and any(part.text in each for each in spoken):
                positive, negative = ("said", "not said") if part.seat is None else _READS
                yield self._instead(part, False, positive, negative)
            return
        near = get_close_matches(part.text, [e for e in spoken if '"' not in e], 1, _ALIKE)
        found = _STRING.search(self._text(part.mark), part.mark.column - 1)
        if near and found is not None:
            yield Edit(_within(part.mark, found), json.dumps(near[0], ensure_ascii=False))

    def _instead(self, part: nodes.Line, is_so: bool, positive: str, negative: str) -> Edit:
        was, now = (positive, negative) if is_so else (negative, positive)
        return Edit(self._word(was, part.mark), now)


_READS = ("reads", "does not read")


def _within(line: Mark, found: re.Match[str], group: int = 0) -> Mark:
    return Mark(line.file, line.line, found.start(group) + 1, line.line, found.end(group) + 1)


def amended(source: Source, edits: Iterable[Edit]) -> str:
    """The text of a file with some of its stretches replaced."""
    lines = list(source.lines)
    for edit in sorted(set(edits), key=lambda each: _start(each.mark), reverse=True):
        mark = edit.mark
        first, last = mark.line - 1, mark.end_line - 1
        before, after = lines[first][: mark.column - 1], lines[last][mark.end_column - 1 :]
        lines[first : last + 1] = [f"{before}{edit.text}{after}"]
    return "\n".join(lines)


def _start(mark: Mark) -> tuple[int, int]:
    return mark.line, mark.column
