"""Evaluates what must be known before a game starts: sizes, bounds, options, requirements."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.names import named_type
from interpreter.model.ruleset import Ruleset
from interpreter.report.problem import Problems
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_ALLOWED = "use numbers, options, `playerCount` and constants declared above"


class NotStatic(Exception):
    """The expression needs the running game; the mark says where."""

    def __init__(
        self, node: nodes.Node, why: str, help_: str | None = None, code: str = "RR230"
    ) -> None:
        super().__init__(why)
        self.node = node
        self.why = why
        self.help = help_
        self.code = code


def static_value(
    expr: nodes.Expr, ruleset: Ruleset, problems: Problems, names: dict[str, int] | None = None
) -> int | None:
    """The value of an expression, or None after reporting why it has none yet."""
    try:
        value = _evaluate(expr, ruleset, names or {})
    except NotStatic as error:
        problems.error(error.code, error.why, error.node.mark, help=error.help)
        return None
    if not -limits.INT_MAX <= value <= limits.INT_MAX:
        help_ = "count in a bigger unit: no number may need more than 64 bits"
        problems.error("RR231", "this number is too big", expr.mark, help=help_)
        return None
    return value


def _evaluate(expr: nodes.Expr, ruleset: Ruleset, names: dict[str, int]) -> int:
    def value(part: nodes.Expr) -> int:
        return _evaluate(part, ruleset, names)

    match expr:
        case nodes.Number():
            return expr.value
        case nodes.Truth():
            return int(expr.value)
        case nodes.Name(name=name):
            return _name(expr, name, ruleset, names)
        case nodes.Unary(operator="-"):
            return -value(expr.operand)
        case nodes.Unary(operator="not"):
            return int(not value(expr.operand))
        case nodes.Unary(operator="number of", operand=nodes.Players()):
            return ruleset.players
        case nodes.Unary(operator="number of", operand=nodes.Name(name=name)):
            type_ = named_type(name, ruleset)
            many = None if type_ is None else ruleset.type_size(type_)
            if many:  # of pieces with all their copies, as in the game
                return many
            if type_ is not None:
                raise NotStatic(expr, "this is not known yet", f"declare `{type_.name}` above")
        case nodes.Quantified() | nodes.Every() | nodes.Aggregate() | nodes.Pick() | nodes.Rank():
            why = "only the rules of the game go through things one by one"
            asked = flat(say_value(expr))
            help_ = f"make it a function, and write it with brackets: `function total() = {asked}`"
            raise NotStatic(expr, why, help_)
        case nodes.IfElse():
            return value(expr.then) if value(expr.condition) else value(expr.otherwise)
        case nodes.Extreme():
            values = [value(part) for part in expr.values]
            return min(values) if expr.word == "min" else max(values)
        case nodes.Binary():
            return _binary(expr, value(expr.left), value(expr.right))
        case nodes.Call(target=nodes.Name(name="position"), arguments=(member,)):
            return value(member) + 1
        case nodes.Index(target=nodes.Name(name=name)) if name in ruleset.constants:
            constant = ruleset.constants[name]
            position = 0
            for dimension, argument in zip(constant.dimensions, expr.arguments, strict=False):
                index = value(argument) - dimension.offset
                if not 0 <= index < dimension.size:
                    raise NotStatic(argument, f"`{name}` has no entry at this index")
                position = position * dimension.size + index
            return constant.values[position]
        case nodes.Index(target=nodes.Number()):
            why = "how many there are is said after the name"
            count = expr.arguments[0]
            size = str(count.value) if isinstance(count, nodes.Number) else "n"
            raise NotStatic(expr, why, f"put the brackets there: `name[1..{size}]: 1..6`")
        case _:
            pass
    why = "this must be known before the game starts"
    raise NotStatic(expr, why, _ALLOWED)


def _name(expr: nodes.Name, name: str, ruleset: Ruleset, names: dict[str, int]) -> int:
    if name in names:
        return names[name]
    if name == "playerCount":
        return ruleset.players
    if name in ruleset.options:
        return int(ruleset.options[name])
    constant = ruleset.constants.get(name)
    if constant is not None and not constant.dimensions:
        return constant.values[0]
    found = {members.index(name) for members in ruleset.enums.values() if name in members}
    if len(found) == 1:
        return found.pop()
    known = [*names, *ruleset.options, *ruleset.constants]
    why = f"`{name}` is not known before the game starts"
    raise NotStatic(expr, why, did_you_mean(name, known) or _ALLOWED)


def _binary(expr: nodes.Binary, left: int, right: int) -> int:
    match expr.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div" | "divUp" | "mod":
            if right == 0:
                help_ = "write the number to divide by"
                raise NotStatic(expr.right, "nothing can be divided by zero", help_, "RR334")
            if expr.operator == "mod":
                return left % right
            return left // right if expr.operator == "div" else -(-left // right)
        case "=" | "is":
            return int(left == right)
        case "!=" | "is not":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case "and":
            return int(bool(left) and bool(right))
        case "or":
            return int(bool(left) or bool(right))
        case _:
            raise NotStatic(expr, "this cannot be computed before the game starts")
