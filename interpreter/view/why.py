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
from interpreter.program.program import Param
from interpreter.report.source import Source

_OPTION = re.compile(r"^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\((.*)\))?\s*$", re.DOTALL)
_TRIED = 5_000  # combinations of arguments tried to find out what is in the way
_TOLD = 6
Given = Sequence[tuple[str | None, str]]  # arguments: name, if there is one, and text


@dataclass(frozen=True, slots=True)
class Written:
    """What can be quoted: the lines of the rules, and the clauses of the rulebook."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    clauses: yaml_tree.Node | None = None


def why_not(
    machine: Machine, buffer: Buffer, seat: int, text: str | None, written: Written
) -> list[str]:
    """For a typed option, why it is not offered; else the same for every action of the
    pending choice that offers nothing. Only what the chooser may know is looked at: the
    conditions are those of the chooser's own options."""
    return _Why(machine, buffer, seat, written).tell(text)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason why an option is not offered, and the clauses behind it."""

    words: str
    cites: tuple[str, ...] = ()


def refusals(
    machine: Machine, buffer: Buffer, seat: int, verb: str, given: Given, written: Written
) -> list[Refusal]:
    """Every condition that keeps an option from being offered, with its clauses. For tests, not
    for players: what is hidden is looked at too."""
    why = _Why(machine, buffer, seat, written)
    why.sees_all = True
    if why.m[STATUS] != DECISION:
        return []
    menu = why.program.menus[why.m[MENU]]
    offered = why.machine.options(why.m, seat)
    found: list[Refusal] = []
    for entry in menu.entries:
        if why._name(entry) == verb:
            params = why.program.actions[entry.action].params
            found += why._refused(entry, _named(given, params), offered, menu)
    return found


class _Why:
    def __init__(self, machine: Machine, buffer: Buffer, seat: int, written: Written) -> None:
        self.machine = machine
        self.program = machine.program
        self.written = written
        self.seat = seat
        self.sees_all = False
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
            example = self._example(menu)
            return lines or [f"Every action offers something. Ask about one thing: `? {example}`"]
        match = _OPTION.match(text)
        entries = [entry for entry in menu.entries if match and self._name(entry) == match[1]]
        lines = []
        for entry in entries:
            params = self.program.actions[entry.action].params
            given = _arguments(match[2] or "" if match else "", params)
            lines += self._typed(entry, given, offered, menu)
        return lines or self._argument(text.strip(), offered, menu)

    def _argument(self, text: str, offered: Sequence[tuple[int, ...]], menu: ops.Menu) -> list[str]:
        """Only a card or a cell was typed: ask about it in every action that could take it."""
        lines: list[str] = []
        for entry in menu.entries:
            for param in self.program.actions[entry.action].params:
                if any(self._is_called(param, value, text) for value in self._values(param)):
                    lines += self._typed(entry, {param.name: text}, offered, menu)
                    break
        if lines:
            return lines
        known = ", ".join(dict.fromkeys(self._name(entry) for entry in menu.entries))
        return [f"`{text}` is nothing this choice knows; its actions are {known}."]

    def _example(self, menu: ops.Menu) -> str:
        action = self.program.actions[menu.entries[0].action]
        names = ", ".join(param.name for param in action.params)
        return f"{action.name}({names})" if names else action.name

    def _name(self, entry: ops.Entry) -> str:
        return self.program.actions[entry.action].name

    # ---- nothing at all is offered

    def _nothing(self, entry: ops.Entry) -> list[str]:
        params = self.program.actions[entry.action].params
        name = self._name(entry)
        alive = list(islice(product(*(self._values(param) for param in params)), _TRIED))
        for guard in entry.guards:
            left = [values for values in alive if self._holds(guard, values)]
            if not left:
                which = "" if not params else " for any choice"
                return [f"{name}: {self._condition(guard)} does not hold{which}"]
            alive = left
        if params:
            return [f"{name}: there is nothing to choose from{self._line(entry.at)}"]
        return [f"{name}: it could not be carried through to its end{self._line(entry.at)}"]

    # ---- a typed option

    def _typed(
        self,
        entry: ops.Entry,
        given: dict[str, str],
        offered: Sequence[tuple[int, ...]],
        menu: ops.Menu,
    ) -> list[str]:
        if not given and self.program.actions[entry.action].params:
            number = menu.entries.index(entry)
            count = sum(choice[0] == number for choice in offered)
            if count:
                return [f"{self._name(entry)}: {count} choices are offered."]
            return self._nothing(entry)
        found = self._refused(entry, given, offered, menu)
        return [f"{self._name(entry)}: {each.words}" for each in found[:_TOLD]]

    def _refused(
        self,
        entry: ops.Entry,
        given: dict[str, str],
        offered: Sequence[tuple[int, ...]],
        menu: ops.Menu,
    ) -> list[Refusal]:
        params = self.program.actions[entry.action].params
        choices: list[list[int]] = []
        for param in params:
            wanted = given.get(param.name)
            fitting = self._fitting(param, wanted)
            if not fitting:
                return [Refusal(f"`{wanted}` is nothing that {param.name} can be.")]
            choices.append(fitting)
        all_values = list(islice(product(*choices), _TRIED))
        number = menu.entries.index(entry)
        width = len(params) + 1
        if any((number, *values) in [c[:width] for c in offered] for values in all_values):
            return [Refusal("this is offered.")]
        failing: list[ops.Guard] = []
        for values in all_values:
            failed = [g for g in entry.guards if not self._holds(g, values)]
            if not failed:
                cites = self._cites(entry.at)
                where = f"this is not among what may be chosen{self._line(entry.at)}"
                return [Refusal(f"{where}{self._clauses(cites)}", cites)]
            failing += [guard for guard in failed if guard not in failing]
        return [
            Refusal(f"{self._condition(guard)} does not hold", guard.cites) for guard in failing
        ]

    def _cites(self, at: int) -> tuple[str, ...]:
        return self.program.spots[at].cites if 0 <= at < len(self.program.spots) else ()

    def _fitting(self, param: Param, wanted: str | None) -> list[int]:
        """The values of a parameter that a text can mean."""
        if wanted is None:
            return list(self._values(param))
        if param.type.sort == "int":
            return [int(wanted)] if re.fullmatch(r"-?[0-9]{1,18}", wanted) else []
        return [value for value in self._values(param) if self._is_called(param, value, wanted)]

    def _is_called(self, param: Param, value: int, wanted: str) -> bool:
        names = {words.value_text(self.program, param.type, value)}
        names.add(words.label_text(self.program, param.type, value))
        if param.type.sort == "kind" and value >= 0:
            names.add(words.argument_text(self.program, self.m, param, value))
        return wanted.casefold() in {name.casefold() for name in names}

    def _values(self, param: Param) -> Iterator[int]:
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

    def _holds(self, guard: ops.Guard, values: tuple[int, ...]) -> bool:
        try:
            return bool(self.machine.evaluate(self.m, guard.function, list(values)))
        except Failure:
            return False

    # ---- words

    def _condition(self, guard: ops.Guard) -> str:
        spot = self.program.spots[guard.at]
        mark = spot.mark
        text = ""
        source = self.written.sources.get(mark.file)
        if source is not None:
            end = mark.end_column - 1 if mark.end_line == mark.line else None
            text = source.line(mark.line)[mark.column - 1 : end].strip()
            text = re.sub(r"(\s*\[[A-Z][A-Z0-9]*-R?[0-9]+\])+$", "", text)
        quoted = f"`{text}`" if text else "a condition"
        return f"{quoted} ({mark.file}:{mark.line}){self._clauses(guard.cites or spot.cites)}"

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


def _named(given: Given, params: Sequence[Param]) -> dict[str, str]:
    """Arguments by name; those without one stand in order."""
    return {
        name or params[number].name: text
        for number, (name, text) in enumerate(given)
        if name is not None or number < len(params)
    }


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
