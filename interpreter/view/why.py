"""Why something cannot be chosen: the first condition that fails, with its line and clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from interpreter.data import yaml_tree
from interpreter.play import words
from interpreter.play.buffer import Buffer
from interpreter.play.failure import Failure
from interpreter.play.machine import Machine
from interpreter.program import ops
from interpreter.program.layout import DECISION, MENU, STATUS
from interpreter.program.program import Action, Param
from interpreter.report.source import Mark, Source
from interpreter.report.visible import spaced
from interpreter.tree import nodes

_OPTION = re.compile(r"^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\((.*)\))?\s*$", re.DOTALL)
_CITED = re.compile(r"(\s*\[[A-Z][A-Z0-9]*-R?[0-9]+(, [A-Z][A-Z0-9]*-R?[0-9]+)*\])+")
_TRIED = 5_000  # combinations of arguments tried to find out what is in the way
_TOLD = 6
_SHORT = 2  # letters that are no beginning of a word


@dataclass(frozen=True, slots=True)
class Written:
    """What can be quoted: the lines of the rules, and the clauses of the rulebook."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    clauses: yaml_tree.Node | None = None
    functions: Mapping[str, nodes.Function] = field(default_factory=dict)


def why_not(
    machine: Machine, buffer: Buffer, seat: int, text: str | None, written: Written
) -> list[str]:
    """For a typed option, why it is not offered; else the same for every action of the
    pending choice that offers nothing. Only what the chooser may know is looked at: the
    conditions are those of the chooser's own options."""
    return Why(machine, buffer, seat, written).tell(text)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason why an option is not offered, and the clauses behind it. In the `domain`: what is
    asked for is not among what the choice looks at."""

    words: str
    cites: tuple[str, ...] = ()
    domain: bool = False


class Why:
    """What a seat may be told of its choice. A test that `sees_all` looks at hidden pieces too."""

    def __init__(
        self,
        machine: Machine,
        buffer: Buffer,
        seat: int,
        written: Written,
        *,
        sees_all: bool = False,
    ) -> None:
        self.machine = machine
        self.program = machine.program
        self.written = written
        self.seat = seat
        self.sees_all = sees_all
        self.m = machine.seen_by_chooser(buffer, seat)

    def tell(self, text: str | None) -> list[str]:
        if self.m[STATUS] != DECISION:
            return ["There is nothing to choose now."]
        menu = self.program.menus[self.m[MENU]]
        offered = self.machine.options(self.m, self.seat)
        if text is None:
            missing = [
                entry
                for number, entry in enumerate(menu.entries)
                if not any(choice[0] == number for choice in offered)
            ]
            lines = [line for entry in missing for line in self._nothing(entry)]
            return lines or [
                "Something is offered of everything here. Ask about one thing: ? WORDS"
            ]
        lines = self._asked(text.strip(), offered, menu)
        return lines or [self._elsewhere(text.strip(), menu)]

    def _asked(self, text: str, offered: Sequence[tuple[int, ...]], menu: ops.Menu) -> list[str]:
        """An option as it is written, or some of its words, or only one argument."""
        match = _OPTION.match(text)
        lines: list[str] = []
        for entry in menu.entries:
            params = self.program.actions[entry.action].params
            if match and self._name(entry) == match[1]:
                lines += self._typed(entry, _arguments(match[2] or "", params), offered, menu)
        if lines:
            return lines
        for entry in menu.entries:
            for param in self.program.actions[entry.action].params:
                if any(self._is_called(param, value, text) for value in self.values_of(param)):
                    lines += self._typed(entry, {param.name: text}, offered, menu)
                    break
        return lines or [
            line for entry in menu.entries for line in self._by_words(entry, text, offered, menu)
        ]

    def _by_words(
        self, entry: ops.Entry, text: str, offered: Sequence[tuple[int, ...]], menu: ops.Menu
    ) -> list[str]:
        """What has all these words: those of its action, and those of its arguments."""
        action = self.program.actions[entry.action]
        wanted, own = _words(text), self._action_words(action)
        if _has_all(own, wanted):
            return self._typed(entry, {}, offered, menu)
        found: list[tuple[int, ...]] = []
        for values in islice(product(*(self.values_of(param) for param in action.params)), _TRIED):
            labels = [
                words.label_text(self.program, param.type, value)
                for param, value in zip(action.params, values, strict=True)
            ]
            if _has_all([*own, *_words(" ".join(labels))], wanted):
                found.append(values)
        return self._told(entry, found, offered, menu) if found else []

    def _elsewhere(self, text: str, menu: ops.Menu) -> str:
        """Nothing here is called so; but perhaps it can be chosen some other time."""
        for action in self.program.actions:
            if _has_all(self._action_words(action), _words(text)):
                return f"{self._title(action)}: not now. What can be chosen now is something else."
        known = ", ".join(
            dict.fromkeys(self._title(self.program.actions[e.action]) for e in menu.entries)
        )
        return f"`{text}` is nothing that can be chosen here. What can: {known}."

    def _name(self, entry: ops.Entry) -> str:
        return self.program.actions[entry.action].name

    def _title(self, action: Action) -> str:
        """`send a worker to the ...`: what an option says, without its arguments."""
        if action.text is None:
            return spaced(action.name)
        said = "...".join(action.text.parts).partition("(")[0]
        return re.sub(r"\.\.\.([^a-z]*\.\.\.)+", "...", " ".join(said.split()))

    def _action_words(self, action: Action) -> list[str]:
        said = " ".join(action.text.parts) if action.text is not None else ""
        return _words(f"{spaced(action.name)} {action.name} {said}")

    # ---- nothing at all is offered

    def _nothing(self, entry: ops.Entry) -> list[str]:
        action = self.program.actions[entry.action]
        title = self._title(action)
        alive = list(islice(product(*(self.values_of(param) for param in action.params)), _TRIED))
        for guard in entry.guards:
            left = [values for values in alive if self._holds(guard.function, values)]
            if not left:
                return [f"{title}: {each}" for each in self._reasons(guard, alive)]
            alive = left
        where = self._line(entry.at)
        if action.params:
            return [f"{title}: there is nothing to choose from{where}"]
        return [f"{title}: it could not be carried through to its end{where}"]

    # ---- a typed option

    def _typed(
        self,
        entry: ops.Entry,
        given: dict[str, str],
        offered: Sequence[tuple[int, ...]],
        menu: ops.Menu,
    ) -> list[str]:
        action = self.program.actions[entry.action]
        if not given and action.params:
            number = menu.entries.index(entry)
            count = sum(choice[0] == number for choice in offered)
            if count:
                told = "this is offered" if count == 1 else f"{count} choices are offered"
                return [f"{self._title(action)}: {told}."]
            return self._nothing(entry)
        choices: list[list[int]] = []
        for param in action.params:
            wanted = given.get(param.name)
            fitting = self._fitting(param, wanted)
            if not fitting:
                return [f"{self._title(action)}: `{wanted}` is nothing that {param.name} can be."]
            choices.append(fitting)
        return self._told(entry, list(islice(product(*choices), _TRIED)), offered, menu)

    def _told(
        self,
        entry: ops.Entry,
        ways: Sequence[tuple[int, ...]],
        offered: Sequence[tuple[int, ...]],
        menu: ops.Menu,
    ) -> list[str]:
        """Why none of these is offered: what is in the way of those that come nearest to it."""
        action = self.program.actions[entry.action]
        title = self._title(action)
        number, width = menu.entries.index(entry), len(action.params) + 1
        if not {(number, *values) for values in ways}.isdisjoint(c[:width] for c in offered):
            return [f"{title}: this is offered."]
        failing = {values: self._failing(entry, values) for values in ways}
        fewest = min(sum(1 + 2 * guard.domain for guard in each) for each in failing.values())
        found: dict[str, None] = {}
        for values, guards in failing.items():
            if sum(1 + 2 * guard.domain for guard in guards) > fewest:
                continue
            if not guards:  # no condition is in the way
                cites = self._cites(entry.at)
                told = "this is not among what may be chosen"
                found[f"{title}: {self._said(cites, told, self._line(entry.at))}"] = None
            for guard in guards:
                found.update(
                    dict.fromkeys(f"{title}: {each}" for each in self._reasons(guard, [values]))
                )
        return list(found)[:_TOLD]

    def _failing(self, entry: ops.Entry, values: tuple[int, ...]) -> list[ops.Guard]:
        """The conditions that do not hold. One that cannot even be asked relies on another."""
        answers = [self._answer(guard.function, values) for guard in entry.guards]
        pairs = list(zip(entry.guards, answers, strict=True))
        found = [guard for guard, answer in pairs if answer == 0]
        return found or [guard for guard, answer in pairs if answer is None]

    def _reasons(self, guard: ops.Guard, ways: Sequence[tuple[int, ...]]) -> list[str]:
        """What of a condition fails for all of these: the rulebook's words, if it has some."""
        at, cites, function = guard.at, guard.cites, guard.function
        for part, where in guard.parts:
            if not any(self._holds(part, values) for values in ways):
                at, function = where, part
                break
        spot = self.program.spots[at]
        mark, cites = spot.mark, cites or spot.cites
        case = self._deciding(function, ways[0]) if ways else None
        if case is not None:
            mark, cites = case.mark, case.cites or cites
        text = self._text_of(mark)
        told = f"`{text}` does not hold" if text else "a condition does not hold"
        if case is not None:
            told = f"`{text}`"
        return [self._said(cites, told, f" ({mark.file}:{mark.line})")]

    def _said(self, cites: Sequence[str], told: str, where: str) -> str:
        clauses = [(cite, self._clause(cite)) for cite in cites]
        said = " ".join(f"{text} [{cite}]" for cite, text in clauses if text)
        unsaid = "".join(f" [{cite}]" for cite, text in clauses if not text)
        return f"{said}{where}" if said else f"{told}{unsaid}{where}"

    def _deciding(self, function: int, values: tuple[int, ...]) -> nodes.Case | None:
        """If a condition is nothing but a function of several lines: the line that says no."""
        match self.program.functions[function].body:
            case (ops.Return(ops.Call(called, arguments)),):
                pass
            case _:  # any other says for itself what fails
                return None
        name = self.program.functions[called].name
        declared = self.written.functions.get(name)
        body = self.program.functions[called].body
        lines = [each for each in body if isinstance(each, ops.When | ops.Return)]
        if declared is None or not declared.cases or len(lines) != len(declared.cases):
            return None
        run = self.machine.compiler.expression
        try:
            given = list(values) + [0] * self.program.functions[function].locals
            r = [run(each)(self.m, given) for each in arguments]
            r += [0] * self.program.functions[called].locals
            for each in body:
                if isinstance(each, ops.SetLocal):
                    r[each.index] = run(each.value)(self.m, r)
                elif isinstance(each, ops.When) and not run(each.condition)(self.m, r):
                    continue
                if isinstance(each, ops.When | ops.Return):
                    return declared.cases[lines.index(each)]
        except Failure:
            pass
        return None

    def refused(
        self, entry: ops.Entry, values: tuple[int, ...], *, domain: bool = False
    ) -> list[Refusal]:
        """Every condition that keeps an option which is not offered from being so; or only those
        that say what its arguments can be."""
        asked = [guard for guard in entry.guards if guard.domain or not domain]
        failed = [guard for guard in asked if not self._holds(guard.function, values)]
        if failed:
            return [
                Refusal(f"{self._condition(each)} does not hold", each.cites, each.domain)
                for each in failed
            ]
        cites = self._cites(entry.at)
        where = f"this is not among what may be chosen{self._line(entry.at)}"
        return [Refusal(f"{where}{self._clauses(cites)}", cites)]

    def _cites(self, at: int) -> tuple[str, ...]:
        return self.program.spots[at].cites if 0 <= at < len(self.program.spots) else ()

    def _fitting(self, param: Param, wanted: str | None) -> list[int]:
        """The values of a parameter that a text can mean."""
        if wanted is None:
            return list(self.values_of(param))
        if param.type.sort == "int":
            return [int(wanted)] if re.fullmatch(r"-?[0-9]{1,18}", wanted) else []
        return [value for value in self.values_of(param) if self._is_called(param, value, wanted)]

    def _is_called(self, param: Param, value: int, wanted: str) -> bool:
        names = {words.value_text(self.program, param.type, value)}
        names.add(words.label_text(self.program, param.type, value))
        if param.type.sort == "kind" and value >= 0:
            names.add(words.argument_text(self.program, self.m, param, value))
        return wanted.casefold() in {name.casefold() for name in names}

    def values_of(self, param: Param) -> Iterator[int]:
        """Every value of a parameter's type. Hidden pieces all look alike, so they are left
        out: whether a condition holds for them would tell what they are."""
        program, type_ = self.program, param.type
        match type_.sort:
            case "player":
                count = program.players
            case "bool":
                count = 2
            case "enum" | "table":
                count = len(program.enums[type_.name])
            case "board":
                count = len(program.boards[type_.name].cells)
            case "direction":
                count = len(program.boards[type_.name].directions)
            case "int":
                low, high = max(type_.low, -1_000), min(type_.high, 1_000)
                yield from range(low, high + 1)
                return
            case "kind" | "row":
                kind = words.kind_of(program, type_.name)
                if param.form == "place" and not self.sees_all:
                    return
                by_row = kind.fungible or type_.sort == "row"
                for piece in range(len(kind.rows) if by_row else len(kind.row_of)):
                    if by_row or self.sees_all or self._sees(kind.name, piece):
                        yield piece
                return
            case _:
                count = 0
        yield from range(count)

    def _sees(self, kind_name: str, piece: int) -> bool:
        from interpreter.play.knowledge import knows

        return knows(self.m, words.kind_of(self.program, kind_name), piece, self.seat)

    def _holds(self, function: int, values: tuple[int, ...]) -> bool:
        return bool(self._answer(function, values))

    def _answer(self, function: int, values: tuple[int, ...]) -> int | None:
        try:
            return self.machine.evaluate(self.m, function, list(values))
        except Failure:
            return None

    # ---- words

    def _condition(self, guard: ops.Guard) -> str:
        spot = self.program.spots[guard.at]
        text = self._text_of(spot.mark)
        quoted = f"`{text}`" if text else "a condition"
        where = f"({spot.mark.file}:{spot.mark.line})"
        return f"{quoted} {where}{self._clauses(guard.cites or spot.cites)}"

    def _text_of(self, mark: Mark) -> str:
        """All that is written there, on one line and without its clauses."""
        source = self.written.sources.get(mark.file)
        if source is None:
            return ""
        lines = [source.line(number) for number in range(mark.line, mark.end_line + 1)]
        lines[-1] = lines[-1][: mark.end_column - 1]
        lines[0] = lines[0][mark.column - 1 :]
        text = _CITED.sub("", " ".join(lines))
        return " ".join(text.split())

    def _clauses(self, cites: Sequence[str]) -> str:
        told = ""
        for cite in cites:
            text = self._clause(cite)
            told += f" [{cite}: {text}]" if text else f" [{cite}]"
        return told

    def _clause(self, cite: str) -> str | None:
        clauses = self.written.clauses
        if not isinstance(clauses, yaml_tree.Mapping):
            return None
        found = clauses.get(cite)
        if isinstance(found, yaml_tree.Mapping):
            found = found.get("text")
        return str(found.value) if isinstance(found, yaml_tree.Scalar) else None

    def _line(self, at: int) -> str:
        if not 0 <= at < len(self.program.spots):
            return ""
        mark = self.program.spots[at].mark
        return f" ({mark.file}:{mark.line})"


def _arguments(text: str, params: Sequence[Param]) -> dict[str, str]:
    """`name: value` parts, or values in order."""
    found: dict[str, str] = {}
    for number, part in enumerate(p.strip() for p in text.split(",") if p.strip()):
        name, colon, value = part.partition(":")
        if colon and any(param.name == name.strip() for param in params):
            found[name.strip()] = value.strip()
        elif number < len(params):
            found[params[number].name] = part
    return found


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() else " " for sign in text.casefold()).split()


def _has_all(said: Sequence[str], wanted: Sequence[str]) -> bool:
    """Every word, as often as it is wanted, or a word that begins so: `sell` is in `selling`."""
    left = list(said)
    for word in sorted(wanted, key=len, reverse=True):
        fits = [each for each in left if each == word] or [
            each for each in left if len(word) > _SHORT and each.startswith(word)
        ]
        if not fits:
            return False
        left.remove(fits[0])
    return True
