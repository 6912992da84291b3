"""Integers to words and back: values, options, outcomes and log lines in canonical text.

An option's text is `verb(name: value, ...)`. It does not depend on the state it was offered
in, nor on which of several equal pieces is meant: a piece its chooser sees is called by its
row, one that is hidden by its place and position.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from interpreter.model.seats import seat_name
from interpreter.model.types import Type
from interpreter.play import knowledge, pieces
from interpreter.play.buffer import Buffer, Choice
from interpreter.play.machine import Machine
from interpreter.play.pieces import CONTENTS
from interpreter.program import ops
from interpreter.program.layout import KindLayout, VariableLayout, indexes_of
from interpreter.program.program import Action, Param, Program, Saying
from interpreter.report.visible import small, spaced

HIDDEN = "?"
_ARTICLE = re.compile(r"\b(the|an?) $")  # what stands before a gap in an English text
Knows = Callable[[Buffer, KindLayout, int], bool]  # whether somebody can name a piece
Unnamed = Callable[[Buffer, KindLayout, int], str]  # what a piece is called that cannot be named


def kind_of(program: Program, name: str) -> KindLayout:
    return next(kind for kind in program.layout.kinds if kind.name == name)


def value_text(program: Program, type_: Type, value: int) -> str:
    """A value in words; pieces by their row."""
    if value == type_.none and (type_.optional or value < 0):
        return "none"
    match type_.sort:
        case "int":
            return str(value)
        case "bool":
            return "yes" if value else "no"
        case "player":
            return seat_name(value)
        case "enum" | "table":
            return program.enums[type_.name][value]
        case "board":
            return program.boards[type_.name].cells[value]
        case "direction":
            return program.boards[type_.name].directions[value]
        case "kind":
            kind = kind_of(program, type_.name)
            return kind.rows[value if kind.fungible else kind.row_of[value]]
        case "row":
            return kind_of(program, type_.name).rows[value]
        case _:
            return str(value)


def label_text(program: Program, type_: Type, value: int) -> str:
    """The same for people: rows by their printed names, camelCase in words."""
    if type_.sort in ("kind", "row") and value >= 0:
        kind = kind_of(program, type_.name)
        by_row = kind.fungible or type_.sort == "row"
        return kind.labels[value if by_row else kind.row_of[value]]
    if type_.sort in ("enum", "table") and value >= 0:
        return program.labels[type_.name][value]
    if type_.sort == "board" and value >= 0 and program.boards[type_.name].labels:
        return program.boards[type_.name].labels[value]
    text = value_text(program, type_, value)
    return spaced(text) if type_.sort in ("board", "direction") else text


def member_words(program: Program, name: str) -> str:
    """What people read for a variable or a place."""
    return program.printed.get(name) or spaced(name)


def setting_words(program: Program, name: str) -> str:
    """An option with what was chosen: `layout advanced`."""
    chosen = program.options[name]
    if name in program.labels and chosen in program.enums[name]:
        chosen = program.labels[name][program.enums[name].index(str(chosen))]
    return f"{spaced(name)} {chosen}"


def piece_text(program: Program, m: Buffer, param: Param, piece: int) -> str:
    kind = kind_of(program, param.type.name)
    if param.form == "place":
        place = m[kind.where + piece]
        return f"{kind.instance_names[place]}#{m[kind.position + piece] + 1}"
    row = kind.row_of[piece]
    text = kind.rows[row]
    if kind.row_of.count(row) == 1:
        return text
    if param.form == "copy":
        before = contents(m, kind, m[kind.where + piece])[: m[kind.position + piece]]
        number = 1 + sum(kind.row_of[other] == row for other in before)
        return text if number == 1 else f"{text}#{number}"
    # Copies of one row are told apart by what the rules keep about each of them.
    marks = [
        f"{variable.name}:{value_text(program, variable.type, m[variable.address + piece])}"
        for variable in program.layout.variables
        if len(variable.indexes) == 1
        and variable.indexes[0].type == param.type
        and not variable.secret
        and not variable.name.startswith("used_")
    ]
    return f"{text}[{', '.join(marks)}]" if marks else text


def argument_text(program: Program, m: Buffer, param: Param, value: int) -> str:
    if param.type.sort == "kind" and param.form != "value" and value >= 0:
        return piece_text(program, m, param, value)
    return value_text(program, param.type, value)


def option_text(program: Program, m: Buffer, action: Action, values: tuple[int, ...]) -> str:
    if not action.params:
        return action.name
    arguments = ", ".join(
        f"{param.name}: {argument_text(program, m, param, value)}"
        for param, value in zip(action.params, values, strict=False)
    )
    return f"{action.name}({arguments})"


def plain_words(program: Program, menu: int, choice: Choice) -> tuple[str | None, str | None]:
    """Text and words of an option, as far as no state is needed for them."""
    action = entry_action(program, menu, choice)
    if any(param.type.sort == "kind" for param in action.params):
        return None, None
    text = option_text(program, [], action, choice[1:])
    parts: list[int] = []
    for function in action.text.functions if action.text is not None else ():
        match program.functions[function].body:
            case (ops.Return(ops.Local(index)),) if index < len(action.params):
                parts.append(choice[1 + index])
            case _:  # any other words need the state
                return text, None
    if action.text is None:
        return text, None if action.params else spaced(action.name)
    return text, fill(program, [], action.text, tuple(parts), lambda m, kind, piece: True)


def option_words(
    machine: Machine, m: Buffer, action: Action, values: tuple[int, ...], knows: Knows
) -> str:
    """What an option says to a person: the rules' own text, or its name and arguments."""
    program = machine.program
    if action.text is not None:
        gaps = [machine.evaluate(m, function, list(values)) for function in action.text.functions]
        return fill(program, m, action.text, tuple(gaps), knows)
    if not action.params:
        return spaced(action.name)
    shown = [
        label_text(program, param.type, value)
        if param.form != "place"
        else hidden_words(program, m, kind_of(program, param.type.name), value)
        for param, value in zip(action.params, values, strict=False)
    ]
    return f"{spaced(action.name)} {', '.join(shown)}"


def fill(
    program: Program,
    m: Buffer,
    saying: Saying,
    values: tuple[int | None, ...],
    knows: Knows,
    unnamed: Unnamed | None = None,
) -> str:
    """A text with its gaps filled, for one who may not know every piece in it. Such a piece is
    called by where it lies, unless there is something else to call it; what may not be known at
    all is left open."""
    called = partial(hidden_words, program)
    text = saying.parts[0]
    for type_, value, part in zip(saying.types, values, saying.parts[1:], strict=True):
        if value is None:
            text += HIDDEN + part
            continue
        hidden = _hidden_value(program, m, type_, value, knows, unnamed or called)
        if hidden is not None and hidden.startswith(("a ", "an ")):
            text = _ARTICLE.sub("", text)  # "toss the {card}" becomes "toss a card"
        text += (label_text(program, type_, value) if hidden is None else hidden) + part
    return text


def _hidden_value(
    program: Program, m: Buffer, type_: Type, value: int, knows: Knows, unnamed: Unnamed
) -> str | None:
    if type_.sort == "kind" and value >= 0:
        kind = kind_of(program, type_.name)
        if not kind.fungible and not knows(m, kind, value):
            return unnamed(m, kind, value)
    return None


def known_to(viewer: int) -> Knows:
    return lambda m, kind, piece: knowledge.knows(m, kind, piece, viewer)


def hidden_text(m: Buffer, kind: KindLayout, piece: int) -> str:
    """A piece somebody cannot name: where it lies, and where in there if that can be seen."""
    position = pieces.visible_position(m, kind, piece)
    place = kind.instance_names[m[kind.where + piece]]
    return f"{place}#{position + 1 if position >= 0 else HIDDEN}"


def hidden_words(program: Program, m: Buffer, kind: KindLayout, piece: int) -> str:
    """The same for people: `card 2 in P1's hand`, or `a card` if it cannot be told which one."""
    position = pieces.visible_position(m, kind, piece)
    called = knowledge.back_of(kind, piece) or kind.name
    if position < 0:
        return some(called, 1)
    instance = m[kind.where + piece]
    number = f" {position + 1}" if kind.instance_capacity[instance] > 1 else ""
    return f"{small(called)}{number} in {place_words(program, kind, instance)}"


def place_words(program: Program, kind: KindLayout, instance: int) -> str:
    """`P1's hand`, `the row`, `P2's field north 3`."""
    for place in program.layout.places:
        same = program.layout.kinds[place.kind] is kind and place.word != "pool"
        if same and place.first <= instance < place.first + place.size:
            at = zip(place.indexes, indexes_of(instance - place.first, place.indexes), strict=True)
            names = [(each.type.sort, label_text(program, each.type, part)) for each, part in at]
            member = member_words(program, place.name)
            owner = f"{names.pop(0)[1]}'s" if names and names[0][0] == "player" else "the"
            return " ".join([owner, member, *(name for _, name in names)])
    return "the box"


def some(name: str, count: int, several: str = "") -> str:
    """`a card`, `3 cards`: pieces that cannot be named. `several`: what they are called then, if
    that is known; what has no plural of its own is counted: `1 sand`."""
    name = small(name)
    if count == 1 and small(several) == name:
        return f"1 {name}"
    if count == 1:
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    if several:
        return f"{count} {several}"
    if name.endswith(("s", "x", "ch", "sh")):
        return f"{count} {name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{count} {name[:-1]}ies"
    return f"{count} {name}s"


def outcome_text(program: Program, m: Buffer, event: int, value: int) -> str:
    """A chance outcome in the form of an option: `draw(deck: king)`."""
    verb, _, what = program.events[event].partition(" ")
    return f"{verb}({what}: {value_text(program, program.event_types[event], value)})"


def outcome_words(program: Program, m: Buffer, op: ops.Chance, number: int, value: int) -> str:
    """The same for people: `roll P1.dice[2]: 5`, `draw deck: King`, `draw stock[rich]: Nugget`."""
    type_ = program.event_types[op.event]
    verb, _, what = program.events[op.event].partition(" ")
    if op.variable >= 0:
        what = entry_text(program, program.layout.variables[op.variable], number)
    elif type_.sort == "kind" and not kind_of(program, type_.name).fungible:
        kind = kind_of(program, type_.name)
        what = kind.instance_names[m[kind.where + value]]
    return f"{verb} {what}: {label_text(program, type_, value)}"


def entry_text(program: Program, variable: VariableLayout, number: int) -> str:
    """An entry of a variable as the rules write it: `P1.dice[2]`."""
    values = [
        value_text(program, index.type, part)
        for index, part in zip(variable.indexes, indexes_of(number, variable.indexes), strict=True)
    ]
    owner = ""
    if variable.indexes and variable.indexes[0].type.sort == "player":
        owner = f"{values.pop(0)}."
    rest = f"[{', '.join(values)}]" if values else ""
    return f"{owner}{variable.name}{rest}"


def entry_action(program: Program, menu: int, choice: Choice) -> Action:
    return program.actions[program.menus[menu].entries[choice[0]].action]


def contents(m: Buffer, kind: KindLayout, instance: int) -> list[int]:
    address = kind.instance_address[instance]
    return m[address + CONTENTS : address + CONTENTS + m[address]]
