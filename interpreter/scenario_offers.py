"""What the offers of a scenario mean: `raise(bid: 4000)`, `take("kite#2")`, `choose P2`.

An offer is settled before anything is asked about it: which entries of the pending menu it names,
and which values each of its arguments can be. What means nothing is told at once, because an
option that cannot exist is never offered, and to expect just that would test nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod

from interpreter.embedding import Option, State
from interpreter.model.types import Type
from interpreter.play import words
from interpreter.program import ops
from interpreter.program.layout import MENU, KindLayout
from interpreter.program.program import Action, Param, Program
from interpreter.report.problem import Notes, Problem
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.report.whole import read_count, read_whole
from interpreter.tree import nodes
from interpreter.tree.phrases import say_domain, say_value
from interpreter.tree.phrases_scenario import say_offer
from interpreter.tree.pieces import flat
from interpreter.view.why import Refusal, Why

_MOST_WAYS = 20_000  # combinations of arguments that are looked at one by one
_MOST_NAMES = 12
_MARKS = re.compile(r"(.*)\[(.*)\]", re.DOTALL)


class Failed(Exception):
    """Ends a scenario."""

    def __init__(
        self, code: str, message: str, mark: Mark, help_: str | None = None, notes: Notes = ()
    ) -> None:
        self.problem = Problem(code, message, mark, help=help_, notes=notes)


@dataclass(frozen=True, slots=True)
class Meaning:
    """An entry of the menu, and for each of its arguments every value it can be; `named` has the
    numbers of those that the scenario gives."""

    entry: int
    values: tuple[tuple[int, ...], ...]
    named: tuple[int, ...]

    def fits(self, choice: Sequence[int]) -> bool:
        return choice[0] == self.entry and all(
            value in of for value, of in zip(choice[1:], self.values, strict=False)
        )


class Offers:
    """The pending choice of one seat, asked in the words of a scenario."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.program: Program = state.game.program
        game = state.game
        self.why = Why(game.machine, state.buffer, seat, game.written, sees_all=True)
        self.menu = self.program.menus[self.why.m[MENU]]
        self.choosable = state.options(seat)
        self.beyond = False
        self.raw = state.game.machine.options(state.buffer, seat)

    # ---- what is meant

    def meanings(self, offer: nodes.Offer, *, beyond: bool = False) -> list[Meaning]:
        """Nothing, if the action is none of this choice. A number that can never be chosen means
        something only where a clause is said to keep it from that: `beyond`."""
        self.beyond = beyond
        here = [
            (number, self.program.actions[entry.action])
            for number, entry in enumerate(self.menu.entries)
            if self.program.actions[entry.action].name == offer.verb
        ]
        if not here:
            self._check_elsewhere(offer)
            return []
        found = [self._meaning(number, action, offer) for number, action in here]
        meant = [each for each in found if isinstance(each, Meaning)]
        if not meant:
            raise next(each for each in found if isinstance(each, Failed))
        return meant

    def _check_elsewhere(self, offer: nodes.Offer) -> None:
        """An action that is no part of this choice can be meant, if its arguments make sense."""
        actions = [each for each in self.program.actions if each.name == offer.verb]
        if offer.verb == "choose":
            message = f"no value is chosen here: the choice is {self._entries()}"
            help_ = self._option_help(offer)
            raise Failed("RR273", message, offer.mark, help_)
        if not actions:
            known = {action.name for action in self.program.actions}
            message = f"nothing that can be chosen is called `{offer.verb}`"
            raise Failed("RR273", message, offer.mark, did_you_mean(offer.verb, known))
        found = [self._meaning(-1, action, offer) for action in actions]
        if all(isinstance(each, Failed) for each in found):
            raise next(each for each in found if isinstance(each, Failed))

    def _option_help(self, offer: nodes.Offer) -> str | None:
        """`P1 chooses buy(lamp)`, where an option is named and not a value."""
        known = {action.name for action in self.program.actions}
        for each in offer.arguments:
            match each.value:
                case nodes.Name(name=name) | nodes.Call(target=nodes.Name(name=name)):
                    if name in known:
                        return f"an option is taken by its name: `P1 {flat(say_value(each.value))}`"
                case _:
                    pass
        return None

    def _entries(self) -> str:
        names = [self.program.actions[entry.action].name for entry in self.menu.entries]
        return " or ".join(f"`{name}`" for name in dict.fromkeys(names))

    def _meaning(self, number: int, action: Action, offer: nodes.Offer) -> Meaning | Failed:
        params = action.params
        if len(offer.arguments) > len(params):
            takes = " and ".join(f"`{param.name}`" for param in params) or "no arguments"
            message = f"`{offer.verb}` takes {takes}, and nothing more"
            return Failed("RR273", message, offer.arguments[len(params)].mark)
        by_name = {param.name: place for place, param in enumerate(params)}
        given: dict[int, tuple[int, ...]] = {}
        for place, argument in enumerate(offer.arguments):
            where = by_name.get(argument.name, -1) if argument.name is not None else place
            if where < 0:
                message = f"`{offer.verb}` has no argument called `{argument.name}`"
                near = did_you_mean(argument.name or "", by_name)
                takes = f"it has {', '.join(by_name)}" if by_name else "it has none"
                return Failed("RR273", message, argument.mark, near or takes)
            if where in given:
                message = f"`{params[where].name}` is given twice"
                return Failed("RR273", message, argument.mark)
            values = self._called(params[where], plain_text(argument.value))
            if not values:
                return self._meaningless(params[where], argument)
            given[where] = values
        of = tuple(
            given[place] if place in given else tuple(self.why.values_of(param))
            for place, param in enumerate(params)
        )
        return Meaning(number, of, tuple(given))

    def _meaningless(self, param: Param, argument: nodes.Argument) -> Failed:
        text = plain_text(argument.value)
        names = list(dict.fromkeys(self._names(param)))
        near = did_you_mean(text, names)
        if near is None and param.type.sort == "int":
            near = f"`{param.name}` is {param.type}"
        elif near is None and names:
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            near = f"it can be {', '.join(names[:_MOST_NAMES])}{more}"
        message = f"`{text}` is nothing that `{param.name}` can be"
        return Failed("RR273", message, argument.value.mark, near)

    def _names(self, param: Param) -> Iterator[str]:
        """What a value of an argument can be called; of pieces, their rows first."""
        for value in self.why.values_of(param):
            yield words.value_text(self.program, param.type, value)
        for value in self.why.values_of(param):
            yield words.argument_text(self.program, self.why.m, param, value)

    # ---- what a text can mean

    def _called(self, param: Param, text: str) -> tuple[int, ...]:
        """Every value of an argument that this text can mean."""
        type_ = param.type
        if type_.optional and text == "none":
            return (type_.none,)
        text = text.removeprefix(f"{type_.name}.") if type_.name else text
        if type_.sort == "int":
            number = read_whole(text)
            fits = number is not None and (self.beyond or type_.low <= number <= type_.high)
            return (number,) if number is not None and fits else ()
        if type_.sort == "kind":
            kind = words.kind_of(self.program, type_.name)
            if not kind.fungible:
                return tuple(self._pieces(param, kind, text))
        return tuple(
            value for value in self.why.values_of(param) if self._is_called(type_, value, text)
        )

    def _is_called(self, type_: Type, value: int, text: str) -> bool:
        names = (
            words.value_text(self.program, type_, value),
            words.label_text(self.program, type_, value),
        )
        return text.casefold() in (name.casefold() for name in names)

    def _pieces(self, param: Param, kind: KindLayout, text: str) -> Iterator[int]:
        """The pieces of a row, `kite`; one copy, `kite#2`; those that show something,
        `die[top:3]`; or what lies somewhere, `P2.hand#3`."""
        one = copy_of(kind, text)
        if one is not None:
            yield from self._alike(param, kind, one)
            return
        marked = _MARKS.fullmatch(text)
        for piece in range(len(kind.row_of)):
            if self._is_called(param.type, piece, text) or (
                (marked or param.form == "place")
                and words.argument_text(self.program, self.why.m, param, piece).casefold()
                == text.casefold()
            ):
                yield piece

    def _alike(self, param: Param, kind: KindLayout, one: int) -> Iterator[int]:
        """A copy, and those that are one option with it: in the same place, and with the same
        things kept about them."""
        m = self.why.m

        def called(piece: int) -> str:
            return words.argument_text(self.program, m, param, piece)

        for piece, row in enumerate(kind.row_of):
            if piece == one or (
                param.form == "row"
                and row == kind.row_of[one]
                and m[kind.where + piece] == m[kind.where + one]
                and called(piece) == called(one)
            ):
                yield piece

    # ---- what is offered, and why not

    def offered(self, meanings: Sequence[Meaning]) -> list[Option]:
        """The options that are meant, as the seat can choose them."""
        m = self.why.m
        found: dict[Option, None] = {}
        for choice in self.raw:
            if any(meaning.fits(choice) for meaning in meanings):
                action = words.entry_action(self.program, m[MENU], choice)
                found[Option(words.option_text(self.program, m, action, choice[1:]))] = None
        return [option for option in self.choosable if option in found]

    def ways(self, meaning: Meaning, mark: Mark) -> list[tuple[int, ...]]:
        if prod(len(values) for values in meaning.values) > _MOST_WAYS:
            message = "this could be meant in too many ways to look at each"
            raise Failed("RR273", message, mark, "say more of its arguments")
        return list(product(*meaning.values))

    def refusals(self, meanings: Sequence[Meaning]) -> list[Refusal]:
        """Some conditions that are in the way, to be told."""
        found: dict[Refusal, None] = {}
        for meaning in meanings:
            entry = self.menu.entries[meaning.entry]
            for values in islice(product(*meaning.values), _MOST_WAYS):
                found.update(dict.fromkeys(self.why.refused(entry, values)))
        return list(found)

    def unexplained(
        self, meanings: Sequence[Meaning], cites: Sequence[str], mark: Mark
    ) -> list[tuple[str, list[str], list[Refusal]]]:
        """What is meant and refused, but not by all of the clauses: the option, the clauses that
        do not refuse it, and what refuses it instead.

        Of several things that are called alike, and of arguments that are left out, those count
        that the choice looks at; if it looks at none, all of them."""
        found: list[tuple[str, list[str], list[Refusal]]] = []
        for meaning in meanings:
            entry = self.menu.entries[meaning.entry]
            judged = [(v, self._reasons(entry, v)) for v in self.ways(meaning, mark)]
            inside = [(v, r) for v, r in judged if not any(each.domain for each in r)]
            groups: dict[tuple[int, ...], list[tuple[tuple[int, ...], list[Refusal]]]] = {}
            for values, reasons in inside or judged:
                key = tuple(values[place] for place in meaning.named)
                groups.setdefault(key, []).append((values, reasons))
            for group in groups.values():
                found += self._unexplained(entry, group, cites)
        return found

    def _reasons(self, entry: ops.Entry, values: tuple[int, ...]) -> list[Refusal]:
        """Of a number that can never be, nothing may be asked but whether it is in its domain."""
        params = self.program.actions[entry.action].params
        never = any(
            param.type.sort == "int" and not param.type.low <= value <= param.type.high
            for param, value in zip(params, values, strict=True)
        )
        return self.why.refused(entry, values, domain=never)

    def _unexplained(
        self,
        entry: ops.Entry,
        group: Sequence[tuple[tuple[int, ...], list[Refusal]]],
        cites: Sequence[str],
    ) -> Iterator[tuple[str, list[str], list[Refusal]]]:
        """Each clause refuses what is named, and nothing of it is refused by none of them."""
        by = [{cite for reason in reasons for cite in reason.cites} for _, reasons in group]
        for (values, reasons), cited in zip(group, by, strict=True):
            missing = [cite for cite in cites if cite not in set().union(*by)]
            if missing or cited.isdisjoint(cites):
                yield self._text(entry, values), missing or list(cites), reasons
                return

    def _text(self, entry: ops.Entry, values: tuple[int, ...]) -> str:
        action = self.program.actions[entry.action]
        return words.option_text(self.program, self.why.m, action, values)


def copy_of(kind: KindLayout, text: str) -> int | None:
    """The piece that `kite#2` names: the second of its row."""
    row, sign, digits = text.rpartition("#")
    number = read_count(digits)
    if not sign or number is None:
        return None
    for place, names in enumerate(zip(kind.rows, kind.labels, strict=True)):
        if row.casefold() in (name.casefold() for name in names):
            copies = [piece for piece, of in enumerate(kind.row_of) if of == place]
            if 1 <= number <= len(copies):
                return copies[number - 1]
    return None


def offers_of(offer: nodes.Offer) -> list[nodes.Offer]:
    """One for each number of the ranges among its arguments."""
    choices = [list(_arguments_of(argument)) for argument in offer.arguments]
    if prod(map(len, choices)) > _MOST_WAYS:
        raise Failed("RR273", "this is too many to look at each", offer.mark)
    return [replace(offer, arguments=each) for each in product(*choices)]


def _arguments_of(argument: nodes.Argument) -> Iterator[nodes.Argument]:
    span = argument.value
    if not isinstance(span, nodes.Range):
        yield argument
        return
    low, high = (read_whole(flat(say_value(end))) for end in (span.low, span.high))
    if low is None or high is None or low >= high or high - low > _MOST_WAYS:
        message = f"`{flat(say_domain(span))}` is no range of numbers from one to a higher one"
        raise Failed("RR273", message, span.mark, "write it as `1..4`")
    for number in range(low, high + 1):
        yield replace(argument, value=nodes.Number(number, mark=span.mark))


def offer_text(offer: nodes.Offer) -> str:
    return flat(say_offer(offer))


def full_text(offer: nodes.Offer) -> str:
    """An offer as records write the option that it names with all its arguments."""
    told = ", ".join(f"{each.name}: {plain_text(each.value)}" for each in offer.arguments)
    return f"{offer.verb}({told})"


def plain_text(value: nodes.Expr | nodes.Range) -> str:
    """What an argument says, without its quotes."""
    return value.text if isinstance(value, nodes.Quoted) else flat(say_domain(value))
