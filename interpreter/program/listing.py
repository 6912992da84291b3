"""A program and its layout as texts for people; `rulerun inspect` prints them.

    routine 1 play(0) at 214..217
       12  unless any grid[r0] = -1 go to 20

Cells of the buffer are called by what lies there, locals r0, r1, functions by number and name.
What can fail says at which line of the rules: `@12`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import assert_never

from interpreter.program import layout as header
from interpreter.program import ops
from interpreter.program.layout import Index, Layout
from interpreter.program.program import Action, Program, Trial

_HEADER = (
    "STATUS", "PC", "SEAT", "MENU", "KEY", "COUNTER", "STEPS", "TOTAL_STEPS", "MOVES", "MODE",
    "LOOK", "SEALED", "SEALED_DONE", "SEALED_SEAT", "SEALED_READ", "WINNERS", "ERROR", "ERROR_AT",
    "DECIDED",
)  # fmt: skip
_SIGNS: dict[ops.BinaryWord, str] = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "div", "divideUp": "divUp",
    "modulo": "mod", "equal": "=", "unequal": "!=", "less": "<", "atMost": "<=", "more": ">",
    "atLeast": ">=", "and": "and", "or": "or", "bitAnd": "&", "bitOr": "|", "shift": "<<",
}  # fmt: skip
_SHOWN = 16  # numbers of a table or a place's list that are shown


def list_layout(program: Program) -> str:
    """What lies where in the buffer."""
    layout = program.layout
    assert len(_HEADER) == header.HEADER
    lines = [f"{layout.size} cells, {layout.players} players", "", "header"]
    lines += [f"{number:6}  {name}" for number, name in enumerate(_HEADER)]
    lines += ["", "scores", f"{layout.scores:6}  {layout.players} seats"]
    if layout.sealed_width:
        lines += ["", "sealed choices", f"{layout.sealed_length:6}  how many, for each seat"]
        size = f"{layout.sealed_capacity} choices of {layout.sealed_width} for each seat"
        lines.append(f"{layout.sealed_choices:6}  {size}")
    lines += ["", "variables"]
    for variable in layout.variables:
        secret = ", secret" if variable.secret else ""
        secret = ", seen by nobody" if variable.unseen else secret
        name = f"{variable.name}{_dimensions(variable.indexes)}"
        lines.append(f"{variable.address:6}  {name}: {variable.type}{secret}")
        if variable.readers >= 0:
            lines.append(f"{variable.readers:6}  who can read it, once somebody has lost track")
    lines += ["", "places"]
    for place in layout.places:
        kind = layout.kinds[place.kind].name
        what = f"{place.name}{_dimensions(place.indexes)}: {place.word} of {kind}"
        room = f"up to {place.capacity}, {place.stride} cells each, seen by {place.seen}"
        lines.append(f"{place.address:6}  {what}, {room}")
    for kind_layout in layout.kinds:
        lines += ["", f"kind {kind_layout.name}: {len(kind_layout.row_of)} pieces"]
        rows = [f"{row} x{kind_layout.row_of.count(n)}" for n, row in enumerate(kind_layout.rows)]
        lines.append(f"        {', '.join(rows[:_SHOWN])}{', ...' if len(rows) > _SHOWN else ''}")
        if not kind_layout.fungible:
            lines.append(f"{kind_layout.where:6}  where each is")
            lines.append(f"{kind_layout.position:6}  its position there")
            if kind_layout.known >= 0:
                lines.append(f"{kind_layout.known:6}  who knows it")
    lines += ["", "frames"]
    for number, routine in enumerate(program.routines):
        lines.append(f"{routine.address:6}  routine {number} {routine.name}: {routine.size} cells")
    starts = ", ".join(f"{_Names(program).cell(a)} = {v}" for a, v in program.initial[:_SHOWN])
    more = ", ..." if len(program.initial) > _SHOWN else ""
    lines += ["", f"not 0 at the start: {starts or 'nothing'}{more}"]
    return "\n".join(lines)


def list_program(program: Program) -> str:
    """Everything that is run: code by routine, functions, menus, tables."""
    return _Lister(program).program_text()


def _dimensions(indexes: tuple[Index, ...]) -> str:
    return f"[{', '.join(str(index.type) for index in indexes)}]" if indexes else ""


class _Names:
    """What the cells of the buffer are called."""

    def __init__(self, program: Program) -> None:
        layout = program.layout
        found: dict[int, str] = dict(enumerate(_HEADER))
        found[layout.scores] = "scores"
        found |= _member_names(layout)
        for routine in program.routines:
            if routine.address >= 0:
                found.setdefault(routine.address, "frame")
        self.starts = sorted(found)
        self.names = [found[start] for start in self.starts]

    def cell(self, address: int) -> str:
        number = bisect_right(self.starts, address) - 1
        if number < 0:
            return f"m[{address}]"
        start, name = self.starts[number], self.names[number]
        if name == "frame":
            return f"m[{address}]"
        return name if address == start else f"{name}+{address - start}"


def _member_names(layout: Layout) -> dict[int, str]:
    found: dict[int, str] = {}
    for variable in layout.variables:
        found[variable.address] = variable.name
        if variable.readers >= 0:
            found[variable.readers] = f"{variable.name}.readers"
    for place in layout.places:
        found[place.address] = place.name
    for kind in layout.kinds:
        if not kind.fungible:
            found[kind.where] = f"{kind.name}.where"
            found[kind.position] = f"{kind.name}.position"
            if kind.known >= 0:
                found[kind.known] = f"{kind.name}.known"
    return found


class _Lister:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = _Names(program)

    def program_text(self) -> str:
        program = self.program
        chosen = "".join(f", {name} {value}" for name, value in program.options.items())
        lines = [f"{program.title}: {program.players} players{chosen}"]
        lines.append(f"starts at {program.start.position}")
        starts = {r.entry.position: n for n, r in enumerate(program.routines)}
        for position, instruction in enumerate(program.code):
            if position in starts:
                routine = program.routines[starts[position]]
                lines += ["", self._routine(starts[position], routine)]
            lines += self._instruction(position, instruction)
        for number, function in enumerate(program.functions):
            lines += ["", f"function {number} {function.name}({_locals(function.params)})"]
            lines += self._block(function.body, 1)
        for number, menu in enumerate(program.menus):
            passes = ", always asked" if menu.asked else ", may pass" if menu.passes else ""
            lines += ["", f"menu {number} {menu.name}{passes}"]
            lines += [self._entry(entry) for entry in menu.entries]
        if program.tables:
            lines += ["", "tables"]
            lines += [f"  t{n}  {_numbers(table)}" for n, table in enumerate(program.tables)]
        lines += ["", f"score: {self._function(program.score)}"]
        lines.append(f"winners: {self._function(program.winners)}")
        for function_number, text, _ in program.always:
            lines.append(f"always: {self._function(function_number)} {text!r}")
        lines += [self._trial(number, trial) for number, trial in enumerate(program.trials)]
        return "\n".join(lines)

    def _routine(self, number: int, routine: ops.Routine) -> str:
        frame = f"frame {routine.address}..{routine.address + routine.size - 1}"
        return f"routine {number} {routine.name}({routine.params}), {frame}"

    def _entry(self, entry: ops.Entry) -> str:
        action = self.program.actions[entry.action]
        cells = ", ".join(self.names.cell(cell) for cell in entry.cells)
        guards = "".join(f", when f{guard.function}" for guard in entry.guards)
        made = f"options f{entry.generator} into ({cells}), go to {entry.target.position}"
        return f"  {_action(action)}: {made}{guards}"

    def _function(self, number: int) -> str:
        if number < 0:
            return "none"
        return f"f{number} {self.program.functions[number].name}"

    def _trial(self, number: int, trial: Trial) -> str:
        asked = [self._function(probe.function) for probe in trial.probes if probe is not None]
        runs = ", ".join(f"run routine {run}" for run in trial.runs)
        made = f"given routine {trial.given}, {runs}"
        return f"scenario {number}: {made}, asks {', '.join(asked) or 'nothing'}"

    # ---- instructions

    def _instruction(self, position: int, op: ops.Instruction) -> list[str]:
        head = f"{position:6}  "
        match op:
            case ops.Do(statements, _, _):
                block = self._block(statements, 0)
                rest = [" " * len(head) + line for line in block[1:]]
                return [head + (block[0] if block else "nothing"), *rest]
            case ops.Goto(target):
                text = f"go to {target.position}"
            case ops.Unless(condition, target, _, _):
                text = f"unless {self._expr(condition)} go to {target.position}"
            case ops.Invoke(routine, arguments, _, at):
                name = self.program.routines[routine].name
                text = f"invoke {routine} {name}({self._list(arguments)}){self._line(at)}"
            case ops.Finish(routine):
                text = f"finish {self.program.routines[routine].name}"
            case ops.Decide(menu, seat, otherwise, _, at):
                rest_ = "" if otherwise is None else f", if nothing go to {otherwise.position}"
                text = f"decide menu {menu} by {self._expr(seat)}{rest_}{self._line(at)}"
            case ops.Chance(generator, address, event, at):
                what = self.program.events[event] + self._kept(op)
                text = f"{self.names.cell(address)} := chance f{generator} ({what}){self._line(at)}"
            case ops.Sealed(seat, body, end, at, asked):
                of = "" if asked is None else f" of {self._expr(asked)}"
                where = f"{self.names.cell(seat)}{of} at {body.position}"
                text = f"sealed for {where}, then go to {end.position}{self._line(at)}"
            case ops.SealedEnd():
                text = "sealed end"
            case ops.LookAhead(end):
                text = f"look ahead to {end.position}"
            case ops.LookEnd():
                text = "look end"
            case ops.Unwind(routine, target):
                name = self.program.routines[routine].name
                text = f"unwind to {name}, go to {target.position}"
            case ops.Over(decided):
                text = "over" if decided else "over, find the winners"
            case _:
                assert_never(op)
        return [head + text]

    def _kept(self, op: ops.Chance) -> str:
        """Where an outcome is going to be: in a variable, or in a pool."""
        layout = self.program.layout
        index = "" if op.index is None else f"[{self._expr(op.index)}]"
        if op.variable >= 0:
            return f" for {layout.variables[op.variable].name}{index}"
        return f" for {layout.places[op.pool].name}{index}" if op.pool >= 0 else index

    def _line(self, at: int) -> str:
        """The line of the rules at which something can fail."""
        return "" if at < 0 else f"@{self.program.spots[at].mark.line}"

    # ---- statements

    def _block(self, statements: Iterable[ops.Statement], depth: int) -> list[str]:
        return [line for statement in statements for line in self._statement(statement, depth)]

    def _statement(self, op: ops.Statement, depth: int) -> list[str]:
        space = "    " * depth
        expr = self._expr
        match op:
            case ops.SetLocal(index, value):
                text = f"r{index} := {expr(value)}"
            case ops.SetLocalAt(base, where, _, value):
                text = f"r[{base} + {expr(where)}] := {expr(value)}"
            case ops.SetMemory(address, value):
                text = f"{self.names.cell(address)} := {expr(value)}"
            case ops.SetMemoryAt(base, where, _, value, at):
                text = f"{self.names.cell(base)}[{expr(where)}]{self._line(at)} := {expr(value)}"
            case ops.When(condition, then, otherwise):
                lines = [f"{space}if {expr(condition)}", *self._block(then, depth + 1)]
                if otherwise:
                    lines += [f"{space}else", *self._block(otherwise, depth + 1)]
                return lines
            case ops.CountLoop(local, low, high, body, at):
                head = f"for r{local} from {expr(low)} to below {expr(high)}{self._line(at)}"
                return [space + head, *self._block(body, depth + 1)]
            case ops.While(condition, body, at):
                head = f"while {expr(condition)}{self._line(at)}"
                return [space + head, *self._block(body, depth + 1)]
            case ops.Reach(local, budget, start, _, ways, _, target, cost, prices, body, at):
                costs = f"r{target} costs {expr(cost)}"
                limits = f"from {expr(start)} within {expr(budget)} by t{ways} through {costs}"
                head = f"reach{self._line(at)} r{local} for r[{prices} + r{local}] {limits}"
                return [space + head, *self._block(body, depth + 1)]
            case ops.Break():
                text = "break"
            case ops.Continue():
                text = "continue"
            case ops.Return(value):
                text = f"return {expr(value)}"
            case ops.Emit(values):
                text = f"emit ({self._list(values)})"
            case ops.Fail(code, at):
                text = f"fail {code}{self._line(at)}"
            case ops.Evaluate(value):
                text = expr(value)
            case ops.MovePiece(kind, piece, place, bottom, at):
                name = self.program.layout.kinds[kind].name
                end = f"{' at the bottom' if bottom else ''}{self._line(at)}"
                text = f"move {name} {expr(piece)} to place {expr(place)}{end}"
            case ops.ShufflePlace(kind, place):
                text = f"shuffle {self.program.layout.kinds[kind].name} place {expr(place)}"
            case ops.Know(kind, piece, seats, forget):
                name = self.program.layout.kinds[kind].name
                word = "hide" if forget else "show"
                text = f"{word} {name} {expr(piece)} to {expr(seats)}"
            case ops.Cite(line):
                text = f"cite line {line}"
            case ops.Tell(saying, values):
                parts = "{}".join(self.program.sayings[saying].parts)
                to = ""
                if self.program.sayings[saying].private:
                    values, to = values[:-1], f" to {expr(values[-1])}"
                text = f"tell {parts!r} ({self._list(values)}){to}"
            case _:
                assert_never(op)
        return [space + text]

    # ---- expressions

    def _list(self, values: Iterable[ops.Expr]) -> str:
        return ", ".join(self._expr(value) for value in values)

    def _expr(self, op: ops.Expr) -> str:
        expr = self._expr
        match op:
            case ops.Const(value):
                return str(value)
            case ops.Local(index):
                return f"r{index}"
            case ops.LocalAt(base, where, _):
                return f"r[{base} + {expr(where)}]"
            case ops.Memory(address):
                return self.names.cell(address)
            case ops.MemoryAt(base, where, _, at):
                return f"{self.names.cell(base)}[{expr(where)}]{self._line(at)}"
            case ops.Lookup(table, where):
                return f"t{table}[{expr(where)}]"
            case ops.Unary(word, operand, at):
                return f"{'-' if word == 'negate' else 'not '}{expr(operand)}{self._line(at)}"
            case ops.Binary(word, left, right, at):
                if word in ("min", "max"):
                    return f"{word}({expr(left)}, {expr(right)})"
                return f"({expr(left)} {_SIGNS[word]}{self._line(at)} {expr(right)})"
            case ops.Choice(condition, then, otherwise):
                return f"({expr(then)} if {expr(condition)} else {expr(otherwise)})"
            case ops.Call(function, arguments, at):
                name = self.program.functions[function].name
                return f"f{function}<{name}>({self._list(arguments)}){self._line(at)}"
            case ops.Sequence(statements, result):
                return f"{{{_on_one_line(self._block(statements, 0))}; {expr(result)}}}"
            case ops.Within(value, low, high, code, at):
                return f"within({expr(value)}, {low}..{high}, {code}){self._line(at)}"
            case ops.Can(routine, arguments, at):
                name = self.program.routines[routine].name
                return f"can {name}({self._list(arguments)}){self._line(at)}"
            case ops.WhatIf(steps, value, at):
                after = _on_one_line(self._block(steps, 0))
                return f"({expr(value)} after {{{after}}}){self._line(at)}"
            case _:
                assert_never(op)


def _on_one_line(lines: list[str]) -> str:
    """A block inside an expression: what is indented stands in braces."""
    text, depth = "", 0
    for line in lines:
        inner = (len(line) - len(line.lstrip())) // 4
        if inner > depth:
            text += " {"
        elif text:
            text += "}" * (depth - inner) + "; "
        text, depth = text + line.strip(), inner
    return text + "}" * depth


def _locals(count: int) -> str:
    return ", ".join(f"r{number}" for number in range(count))


def _action(action: Action) -> str:
    params = ", ".join(f"{param.name}: {param.type}" for param in action.params)
    return f"{action.name}({params})"


def _numbers(table: tuple[int, ...]) -> str:
    shown = " ".join(str(number) for number in table[:_SHOWN])
    return f"{shown} ... {len(table)} in all" if len(table) > _SHOWN else shown
