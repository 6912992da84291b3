"""What a scenario expects: whether it is so, and if not, what is so instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.embedding import Option, PlayError
from interpreter.play import knowledge, words
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.program.layout import MOVES
from interpreter.program.program import Part, Probe
from interpreter.scenario_offers import Failed, Meaning, Offers, offer_text, offers_of
from interpreter.scenario_state import MOST_TOLD, Asking, as_step
from interpreter.scenario_text import seats_text
from interpreter.scenario_words import could_be_read, could_be_said
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat


class Expecting(Asking):
    __slots__ = ()

    def _expect(self, part: nodes.Expectation, probe: Probe | None) -> None:
        match part:
            case nodes.Holds():
                assert probe is not None
                if not self._evaluate(probe.function):
                    text = flat(say_value(part.condition))
                    message = f"`{text}` does not hold{self._parts(probe)}"
                    now = f"at this moment: {self._pending()}"
                    raise Failed("RR275", message, part.condition.mark, now)
            case nodes.Offers():
                self._expect_offers(part)
            case nodes.Seats(word="choose") if self.state.is_chance:
                raise Failed("RR275", self._pending(), part.mark, self._asked_help())
            case nodes.Seats(word="choose"):
                self._expect_seats(part, self.state.seats_to_act)
            case nodes.Seats():
                if not self.state.is_over:
                    raise Failed("RR275", f"the game is not over: {self._pending()}", part.mark)
                ended = self.state.winners if part.word == "win" else self.state.losers
                self._expect_seats(part, ended)
            case nodes.Sees():
                assert probe is not None
                self._expect_sight(part, probe)
            case nodes.Reads():
                self._expect_words(part)
            case nodes.Scores():
                assert probe is not None
                if not self.state.is_over:
                    raise Failed("RR275", f"the game is not over: {self._pending()}", part.mark)
                wanted = self._evaluate(probe.function)
                found = self.state.scores[self._seat(part.seat, part.mark)]
                if found != wanted:
                    message = f"{part.seat} scores {found}, not {wanted}"
                    raise Failed("RR275", message, part.mark)
            case nodes.Ends():
                if self.state.is_over != part.over:
                    message = "the game is over" if self.state.is_over else self._pending()
                    raise Failed("RR275", message, part.mark)

    def _evaluate(self, function: int) -> int:
        with self._telling(self.state.buffer, self.state.seed):
            return self.game.machine.evaluate(self.state.buffer, function, [])

    @contextmanager
    def _telling(self, m: Buffer, seed: int) -> Iterator[None]:
        """A failure of the rules is told as a problem."""
        try:
            yield
        except Failure as failure:
            raise PlayError(self.game.problem(failure, m[MOVES], seed)) from None

    def _parts(self, probe: Probe) -> str:
        told: dict[str, None] = {}
        for part in probe.parts:
            if part.elements is None:
                value = words.value_text(self.program, part.type, self._evaluate(part.function))
                told[f"{part.text} is {value}"] = None
            else:
                told[self._witnesses(part)] = None
        return f": {', '.join(told)}" if told else ""

    def _witnesses(self, part: Part) -> str:
        with self._telling(self.state.buffer, self.state.seed):
            found = self.game.machine.elements(self.state.buffer, part.function)
        names = [words.value_text(self.program, part.type, each) for each in found[:MOST_TOLD]]
        more = f" and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
        listed = f"{' and '.join(names)}{more}" if found else ""
        if part.elements == "broken":
            return f"{part.text} breaks it as {listed}" if found else f"no {part.text} breaks it"
        return f"{part.text} can be {listed}" if found else f"there is no such {part.text}"

    def _expect_offers(self, part: nodes.Offers) -> None:
        asked = self._asked(part.seat, part.mark, "RR275")
        wanted: set[Option] = set()
        for offer in (single for each in part.offers for single in offers_of(each)):
            cited = part.word == "may not" and bool(part.cites)
            meanings = asked.meanings(offer, beyond=cited)
            found = asked.offered(meanings)
            if part.word == "may not":
                if found:
                    message = f"`{offer_text(offer)}` is offered to {part.seat}"
                    raise Failed("RR275", message, offer.mark)
                if cited:
                    self._expect_clauses(part, asked, offer, meanings)
            elif not found:
                raise self._not_offered("RR275", asked, part.seat, offer)
            wanted.update(found)
        if part.word == "may only":
            more = [option for option in asked.choosable if option not in wanted]
            if more:
                told = ", ".join(f"`{as_step(option)}`" for option in more[:MOST_TOLD])
                message = f"{part.seat} is offered more than that: {told}"
                raise Failed("RR275", message, part.mark)

    def _not_offered(self, code: str, asked: Offers, seat: str, offer: nodes.Offer) -> Failed:
        meanings = asked.meanings(offer)
        reasons = [each.words for each in asked.refusals(meanings)]
        if not meanings:
            reasons = [f"`{offer.verb}` is not in this choice"]
        message = f"`{offer_text(offer)}` is not offered to {seat} ({'; '.join(reasons[:3])})"
        return Failed(code, message, offer.mark, self._asked_help())

    def _expect_clauses(
        self, part: nodes.Offers, asked: Offers, offer: nodes.Offer, meanings: list[Meaning]
    ) -> None:
        """A refusal that cites clauses is refused by conditions that cite them."""
        if not meanings:
            message = f"`{offer.verb}` is not in this choice, so no clause refuses it"
            raise Failed("RR276", message, offer.mark, self._asked_help())
        for option, missing, reasons in asked.unexplained(meanings, part.cites, offer.mark):
            told = "; ".join(reason.words for reason in reasons[:3])
            message = f"`{option}` is refused, but not by {' and '.join(missing)}: {told}"
            raise Failed("RR276", message, offer.mark)

    def _expect_seats(self, part: nodes.Seats, found: tuple[int, ...]) -> None:
        if part.seats == ("everybody",):
            wanted = list(range(self.game.players))
        else:
            wanted = sorted(self._seat(name, part.mark) for name in part.seats)
        if wanted != sorted(found):
            now = self._pending() if part.word == "choose" else seats_text(found, part.word)
            raise Failed("RR275", now, part.mark, self._asked_help())

    def _expect_sight(self, part: nodes.Sees, probe: Probe) -> None:
        seat = self._seat(part.seat, part.mark)
        m, found = self.state.buffer, self._evaluate(probe.function)
        if probe.cell:
            sees = found not in knowledge.hidden_cells(self.program, m, seat)
        elif probe.place:
            self._expect_sight_of_all(part, probe, seat, found)
            return
        else:
            kind = words.kind_of(self.program, probe.kind or "")
            if found < 0:
                what = flat(say_value(part.what))
                message = f"`{what}` is none: there is nothing that anybody could see"
                raise Failed("RR275", message, part.what.mark)
            sees = knowledge.knows(m, kind, found, seat)
        if sees != part.sees:
            word = "sees" if sees else "does not see"
            message = f"{part.seat} {word} `{flat(say_value(part.what))}`"
            raise Failed("RR275", message, part.mark)

    def _expect_sight_of_all(
        self, part: nodes.Sees, probe: Probe, seat: int, instance: int
    ) -> None:
        """A place is seen if all pieces in it are, and not seen if none of them is."""
        m, what = self.state.buffer, flat(say_value(part.what))
        kind = words.kind_of(self.program, probe.kind or "")
        pieces = words.contents(m, kind, instance)
        if not pieces:
            message = f"`{what}` is empty: there is nothing that anybody could see"
            raise Failed("RR275", message, part.what.mark)
        seen = sum(knowledge.knows(m, kind, piece, seat) for piece in pieces)
        if seen != (len(pieces) if part.sees else 0):
            message = f"{part.seat} sees {seen} of the {len(pieces)} pieces in `{what}`"
            raise Failed("RR275", message, part.mark)

    def _expect_words(self, part: nodes.Reads) -> None:
        possible = could_be_said if part.seat is None else could_be_read
        if not part.text.strip():
            raise Failed("RR275", "there are no words to look for", part.mark)
        if not part.reads and not possible(self.program, part.text):
            message = f"no text of the rules can have the words `{part.text}`"
            raise Failed("RR275", message, part.mark, "look at how the rules spell it")
        if part.seat is None:
            self._expect_said(part)
            return
        asked = self._asked(part.seat, part.mark, "RR275")
        spoken = [option.words for option in asked.choosable]
        if any(part.text in each for each in spoken) != part.reads:
            told = "; ".join(spoken[:MOST_TOLD]) or "nothing"
            word = "does not read this" if part.reads else "reads this"
            raise Failed("RR275", f"{part.seat} {word}: there is {told}", part.mark)

    def _expect_said(self, part: nodes.Reads) -> None:
        log = self.state.log()
        found = [line for line in log if part.text in line]
        if part.reads and not found:
            told = "; ".join(log[-3:]) or "nothing"
            raise Failed("RR275", f"this was not said: the last was {told}", part.mark)
        if found and not part.reads:
            raise Failed("RR275", f"this was said: {found[-1]}", part.mark)

    def _expect_an_end(self) -> None:
        """A scenario does not stop by accident: chance has come, and who is asked is said."""
        parts = self.scenario.parts
        doing = nodes.Given | nodes.Run | nodes.RunWhole | nodes.Steps
        if not any(isinstance(part, doing) for part in parts):
            return  # it looks at what the setup has made
        if self.state.is_chance:
            message = f"the scenario ends where {self._pending()}"
            raise Failed("RR274", message, parts[-1].mark, self._asked_help())
        if not self.state.seats_to_act:
            return
        for part in reversed(parts):
            match part:
                case nodes.Steps() | nodes.Run() | nodes.RunWhole() | nodes.Given():
                    break
                case nodes.Offers() | nodes.Seats(word="choose"):
                    return
                case nodes.Reads() if part.seat is not None:
                    return
                case _:  # says nothing of who is asked
                    pass
        message = f"the scenario ends where {self._pending()}, and does not say so"
        choose = seats_text(self.state.seats_to_act, "choose")
        help_ = f"if it should end here, add `then {choose}`; otherwise add the next step"
        raise Failed("RR278", message, parts[-1].mark, f"{help_}\n{self._asked_help()}")
