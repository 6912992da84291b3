"""Fields that are worked out from other fields of their row, before the game starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter import limits
from interpreter.model.ruleset import FieldInfo, Ruleset
from interpreter.model.seats import seat_name
from interpreter.model.static import static_value
from interpreter.model.types import BOOL, INT, Type, fits, named
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.walk import walk

_MOST_STEPS = 20 * limits.WORK  # of working out, for all rows of a kind together
_ARITHMETIC = frozenset({"+", "-", "*", "div", "divUp", "mod"})


def mentions(expr: nodes.Expr, names: Iterable[str]) -> bool:
    """Whether a value speaks of one of these."""
    wanted = set(names)
    return any(isinstance(part, nodes.Name) and part.name in wanted for part in walk(expr))


def check_effort(
    exprs: Iterable[nodes.Expr | None], rows: int, mark: Mark, problems: Problems
) -> bool:
    """Whether all this can be worked out for so many rows before anybody grows tired."""
    steps = rows * sum(1 for expr in exprs if expr is not None for _ in walk(expr))
    if steps <= _MOST_STEPS:
        return True
    message = f"this takes {steps} steps to work out for {rows} rows"
    help_ = f"at most {_MOST_STEPS} are accepted: have fewer rows, or write shorter values"
    problems.error("RR240", message, mark, help=help_, limit=True)
    return False


def worked_value(
    ruleset: Ruleset,
    info: FieldInfo,
    above: Mapping[str, FieldInfo],
    mark: Mark,
    problems: Problems,
) -> int:
    """The value of a field in the row whose fields above it have just been filled."""
    assert info.worked is not None
    known: dict[str, tuple[Type, int]] = {}
    for name, other in above.items():
        if other.dimensions or other.type.sort == "list" or not other.values:
            continue
        if other.values[-1] != other.type.none or not other.type.optional:
            known[name] = (other.type, other.values[-1])
        elif mentions(info.worked, [name]):
            message = f"this row has no `{name}`, from which its `{info.name}` is worked out"
            help_ = f"write `{name}` or `{info.name}` in it"
            problems.error("RR235", message, mark, help=help_)
            return 0
    found = work_out(ruleset, info.worked, info.type, known, problems)
    if found is None:
        info.worked, info.default = None, 0  # told once, not for every row
    return found or 0


def work_out(
    ruleset: Ruleset,
    expr: nodes.Expr,
    type_: Type,
    known: Mapping[str, tuple[Type, int]],
    problems: Problems,
) -> int | None:
    """A value of this type, or None after telling why it is none."""
    if isinstance(expr, nodes.NoneValue) and type_.optional:
        return type_.none
    types = {name: found for name, (found, _) in known.items()}
    found = _type_of(ruleset, expr, types, type_)
    if found is not None and not fits(found, type_):
        message = f"this should be {_spoken(type_)}, but it is {_spoken(found)}"
        help_ = "work it out from fields above it, with numbers, constants and options"
        problems.error("RR302", message, expr.mark, help=help_)
        return None
    names = _members(ruleset, [type_, *types.values()])
    names |= {name: value for name, (_, value) in known.items()}
    value = static_value(expr, ruleset, problems, names)
    if value is not None and type_.sort == "int" and not type_.low <= value <= type_.high:
        here = [
            f"`{name}` is {_word(ruleset, *each)}"
            for name, each in known.items()
            if mentions(expr, [name])
        ]
        message = f"this should be a number from {type_.low} to {type_.high}"
        message += f", but it is {value} where {' and '.join(here)}" if here else f", not {value}"
        problems.error("RR302", message, expr.mark, help="work out a smaller or a greater number")
        return None
    return value


def _members(ruleset: Ruleset, types: Iterable[Type]) -> dict[str, int]:
    """The names that values of these types have, but for those that could mean two values."""
    found: dict[str, int] = {}
    unsure: set[str] = set()
    for type_ in types:
        for number, name in enumerate(_names(ruleset, type_)):
            if found.setdefault(name, number) != number:
                unsure.add(name)
    return {name: number for name, number in found.items() if name not in unsure}


def _names(ruleset: Ruleset, type_: Type) -> list[str]:
    if type_.sort == "player":
        return [seat_name(seat) for seat in range(ruleset.players)]
    return ruleset.enums[type_.name] if type_.sort == "enum" else []


def _word(ruleset: Ruleset, type_: Type, value: int) -> str:
    names = _names(ruleset, type_)
    return names[value] if 0 <= value < len(names) else str(value)


def _type_of(
    ruleset: Ruleset, expr: nodes.Expr, known: Mapping[str, Type], wanted: Type
) -> Type | None:
    """What sort of value this is, as far as that is written down."""
    match expr:
        case nodes.Number() | nodes.Unary(operator="-" | "number of"):
            return INT
        case nodes.Truth() | nodes.Unary(operator="not"):
            return BOOL
        case nodes.Binary(operator=operator):
            return INT if operator in _ARITHMETIC else BOOL
        case nodes.IfElse():
            return _type_of(ruleset, expr.then, known, wanted)
        case nodes.Name(name=name) if name in known:
            return known[name]
        case nodes.Name(name=name) if name in ruleset.constants:
            return ruleset.constants[name].type
        case nodes.Name(name=name) if name not in _names(ruleset, wanted):
            enums = [enum for enum, members in ruleset.enums.items() if name in members]
            return named("enum", enums[0]) if len(enums) == 1 else None
        case _:  # whatever else has a value before the game starts
            return None


def _spoken(type_: Type) -> str:
    plain = {"int": "a number", "bool": "yes or no", "player": "a player"}
    return plain.get(type_.sort) or f"one of `{type_.certain()}`"
