"""For the formatter: values, types and parameters as pieces of a line.

Parentheses follow from precedence alone. (What people say in other words is in foreign.py.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import assert_never

from interpreter.tree import nodes
from interpreter.tree.pieces import SOFT, Bracket, Pieces, call, flat, listed

# How tightly things bind; an operand that binds less than its place asks for gets parentheses.
OR, _AND, _NOT, _COMPARISON, SUM, _PRODUCT, _UNARY, POSTFIX = range(1, 9)
_LEVELS = {
    "or": OR,
    "and": _AND,
    "+": SUM,
    "-": SUM,
    "*": _PRODUCT,
    "div": _PRODUCT,
    "divUp": _PRODUCT,
    "mod": _PRODUCT,
}
_CHAINS = (OR, _AND, SUM)


def _level(expr: nodes.Expr) -> int:
    match expr:
        case nodes.Binary():
            return _LEVELS.get(expr.operator, _COMPARISON)
        case nodes.MemberOf():
            return _COMPARISON
        case nodes.Unary():
            return _NOT if expr.operator == "not" else _UNARY
        case _:
            return POSTFIX


def say_value(expr: nodes.Expr, level: int = OR) -> Pieces:
    """The pieces of an expression where something that binds like `level` is wanted."""
    if _level(expr) < level:
        if isinstance(expr, nodes.Binary) and _level(expr) in _CHAINS:
            return (Bracket("(", _say_chain(expr), ")"),)
        return (Bracket("(", say_value(expr), ")"),)
    match expr:
        case nodes.Number():
            return (str(expr.value),)
        case nodes.Truth():
            return ("yes" if expr.value else "no",)
        case nodes.NoneValue():
            return ("none",)
        case nodes.Quoted():
            return (f'"{expr.text}"',)
        case nodes.Name():
            return (expr.name,)
        case nodes.Players():
            return ("players",)
        case nodes.Dot():
            return (*say_value(expr.target, POSTFIX), f".{expr.name}")
        case nodes.Index():
            inside = listed(say_value(argument) for argument in expr.arguments)
            return (*say_value(expr.target, POSTFIX), Bracket("[", inside, "]"))
        case nodes.Call():
            inside = listed(say_value(argument) for argument in expr.arguments)
            return (*say_value(expr.target, POSTFIX), Bracket("(", inside, ")"))
        case nodes.Way():
            ends = (*say_value(expr.start), ",", SOFT, *say_value(expr.end))
            inside = (*ends, *_say_through(expr), SOFT, "where ", *say_value(expr.where))
            return (*say_value(expr.target, POSTFIX), Bracket("(", inside, ")"))
        case nodes.Unary():
            return _say_unary(expr)
        case nodes.Binary():
            return _say_binary(expr)
        case nodes.MemberOf():
            return (*say_value(expr.element, SUM), " in ", *say_domain(expr.domain))
        case nodes.IfElse():
            return (Bracket("(", _say_if_else(expr), ")"),)
        case nodes.WhatIf():
            after = (SOFT, "after ", *_say_steps(expr.steps))
            return (Bracket("(", (*say_value(expr.value), *after), ")"),)
        case _:
            return _say_word_call(expr)


def _say_word_call(
    expr: (
        nodes.Quantified
        | nodes.Every
        | nodes.Aggregate
        | nodes.Extreme
        | nodes.Pick
        | nodes.Rank
        | nodes.Through
        | nodes.Reach
        | nodes.Can
    ),
) -> Pieces:
    """What looks like a call of a built-in word."""
    match expr:
        case nodes.Quantified():
            return call(expr.word, *_say_nested(expr.binder, expr.more))
        case nodes.Every():
            has = (SOFT, "has ", *say_value(expr.condition))
            return call("every", *_say_nested(expr.binder, expr.more), *has)
        case nodes.Aggregate():
            through = (SOFT, "for ", *_say_nested(expr.binder, expr.more))
            otherwise = say_part(SOFT, "else ", expr.otherwise)
            return call(expr.word, *say_value(expr.value), *through, *otherwise)
        case nodes.Extreme():
            return call(expr.word, *listed(say_value(value) for value in expr.values))
        case nodes.Pick():
            keys = () if expr.keys is None else (SOFT, *say_keys(expr.keys))
            return call("pick", *say_binder(expr.binder), *keys)
        case nodes.Rank():
            through = (SOFT, "for ", *say_binder(expr.binder))
            subject = (*say_value(expr.subject), ",", SOFT)
            return call(expr.word, *subject, *_say_key(expr.key), *through)
        case nodes.Through():
            where = (*_say_through(expr), SOFT, "where ", *say_value(expr.where))
            return call(expr.word, *say_value(expr.start), *where)
        case nodes.Reach():
            within = (SOFT, "within ", *say_value(expr.within))
            costs = (*_say_through(expr), SOFT, "costs ", *say_value(expr.costs))
            return call("reach", *say_value(expr.start), *within, *costs)
        case nodes.Can():
            return call("can", *_say_steps(expr.steps))
        case _:
            assert_never(expr)


def _say_through(expr: nodes.Through | nodes.Reach | nodes.Way) -> Pieces:
    """What the cells on the way are called."""
    origin = "" if expr.origin is None else f" from {expr.origin}"
    return (SOFT, f"through {expr.name}{origin}")


def _say_steps(steps: Sequence[nodes.Expr]) -> Pieces:
    first, *rest = steps
    then = [piece for step in rest for piece in (SOFT, "then ", *say_value(step))]
    return (*say_value(first), *then)


def say_part(space: str, word: str, expr: nodes.Expr | None) -> Pieces:
    """A part that is only there when it has a value."""
    return () if expr is None else (space, word, *say_value(expr))


def _say_unary(expr: nodes.Unary) -> Pieces:
    match expr.operator:
        case "not":
            return ("not ", *say_value(expr.operand, _NOT))
        case "-":
            return ("-", *say_value(expr.operand, _UNARY))
        case "number of":
            return ("number of ", *say_value(expr.operand, POSTFIX))
        case _:
            assert_never(expr.operator)


def _say_binary(expr: nodes.Binary) -> Pieces:
    level = _level(expr)
    if level in _CHAINS:
        return (Bracket("(", _say_chain(expr), ")", optional=True),)
    left, right = (SUM, SUM) if level == _COMPARISON else (level, level + 1)
    return (*say_value(expr.left, left), f" {expr.operator} ", *say_value(expr.right, right))


def _say_chain(expr: nodes.Binary) -> Pieces:
    """`a + b - c` side by side, to be broken before each operator."""
    level = _level(expr)
    links: list[Pieces] = []
    first: nodes.Expr = expr
    while isinstance(first, nodes.Binary) and _level(first) == level:
        links.append((SOFT, f"{first.operator} ", *say_value(first.right, level + 1)))
        first = first.left
    pieces = [*say_value(first, level)]
    for link in reversed(links):
        pieces += link
    return tuple(pieces)


def _say_if_else(expr: nodes.IfElse) -> Pieces:
    condition = (SOFT, "if ", *say_value(expr.condition))
    return (*say_value(expr.then), *condition, SOFT, "else ", *say_value(expr.otherwise))


def say_domain(domain: nodes.Domain) -> Pieces:
    if isinstance(domain, nodes.Listed):
        return (Bracket("(", listed(map(say_value, domain.values)), ")"),)
    return say_range(domain) if isinstance(domain, nodes.Range) else say_value(domain, SUM)


def say_range(range_: nodes.Range) -> Pieces:
    step: Pieces = () if range_.step is None else (" step ", *say_value(range_.step, SUM))
    return (*say_from_to(range_.low, range_.high), *step)


def say_from_to(low: nodes.Expr, high: nodes.Expr) -> Pieces:
    """`1..6` is tight, `0 .. size - 1` is not, so that the eye sees where it is cut."""
    short = (nodes.Number, nodes.Name, nodes.Dot)
    dots = ".." if isinstance(low, short) and isinstance(high, short) else " .. "
    return (*say_value(low, SUM), dots, *say_value(high, SUM))


def say_binder(binder: nodes.Binder) -> Pieces:
    at = f" at {binder.position}" if binder.position is not None else ""
    stays = (
        *say_part(SOFT, "while ", binder.stays),
        *say_part(SOFT, "until ", binder.ends),
    )
    where = say_part(SOFT, "where ", binder.where)
    return (f"{binder.name}{at} in ", *say_domain(binder.domain), *stays, *where)


def say_attributes(attributes: tuple[nodes.Attribute, ...]) -> Pieces:
    pieces: list[str | Bracket] = []
    for attribute in attributes:
        name = "" if attribute.name is None else f" {attribute.name}"
        where = "where " if attribute.word == "holds all" else ""
        pieces += [f", {attribute.word}{name}", *say_part(" ", where, attribute.value)]
    return tuple(pieces)


def say_binders(binders: Sequence[nodes.Binder]) -> Pieces:
    return (Bracket("(", _say_nested(binders[0], binders[1:]), ")"),) if binders else ()


def _say_nested(first: nodes.Binder, more: Sequence[nodes.Binder]) -> Pieces:
    if not more:
        return say_binder(first)
    # One of several keeps to its line, because the next would look like a part of it.
    return listed(
        tuple(" " if piece == SOFT else piece for piece in say_binder(each))
        for each in (first, *more)
    )


def say_keys(keys: nodes.Keys) -> Pieces:
    return ("by ", *listed(map(_say_key, keys.keys)), f" ties {keys.ties}")


def _say_key(key: nodes.Key) -> Pieces:
    return (f"{key.word} ", *say_value(key.value))


# -------------------------------------------------------------------------------- types


def say_type(type_: nodes.Type | nodes.PlaceType | nodes.GivenPlace) -> Pieces:
    match type_:
        case nodes.PlaceType() | nodes.GivenPlace():
            return (f"{type_.word} of {type_.kind}",)
        case nodes.TypeName():
            pieces: Pieces = (type_.name,)
        case nodes.TypeRange():
            pieces = say_from_to(type_.low, type_.high)
        case nodes.TypeList():
            pieces = ("list of ", *say_type(type_.of))
        case _:
            assert_never(type_)
    return (*pieces, " or none") if type_.optional else pieces


def say_dimensions(dimensions: Sequence[nodes.Dimension]) -> Pieces:
    return (Bracket("[", listed(map(say_type, dimensions)), "]"),) if dimensions else ()


def say_rows(rows: nodes.Rows | None) -> Pieces:
    match rows:
        case None:
            return ()
        case nodes.Range():
            return (": ", *say_range(rows))
        case nodes.RowsFrom():
            defaults = "" if rows.defaults is None else f" defaults {'.'.join(rows.defaults)}"
            return (f" from {'.'.join(rows.path)}{defaults}",)
        case nodes.RowsListed():
            copies = [f" {row.copies}" if row.copies != 1 else "" for row in rows.rows]
            names = [say_printed([row.name], [row.printed]) for row in rows.rows]
            return (": ", ", ".join(map(str.__add__, names, copies)))
        case nodes.RowsProduct():
            return (": ", *_say_product(rows))
        case _:
            assert_never(rows)


def _say_product(rows: nodes.RowsProduct) -> Pieces:
    said: list[str | Bracket] = []
    for factor in rows.factors:
        said += [" by "] if said else []
        said += [] if factor.name is None else [f"{factor.name} in "]
        said += say_type(factor.of)
    said += say_part(" ", "where ", rows.where)
    said += () if rows.copies is None else (" copies ", *say_value(rows.copies, SUM))
    return (*said, *say_text(rows.text))


def say_params(params: Sequence[nodes.Param]) -> Pieces:
    inside = listed((f"{param.name}: ", *say_type(param.type)) for param in params)
    return (Bracket("(", inside, ")"),)


def say_names(names: Sequence[str]) -> Pieces:
    return (Bracket("(", listed((name,) for name in names), ")"),)


def say_printed(names: Sequence[str], printed: Sequence[str]) -> str:
    """Names, each with what people read behind it, where that is said."""
    pairs = zip_longest(names, printed[: len(names)], fillvalue="")
    return ", ".join(f'{name} "{text}"' if text else name for name, text in pairs)


def say_text(text: str | nodes.Text | None) -> Pieces:
    if text is None:
        return ()
    return (f' "{text if isinstance(text, str) else _say_gaps(text)}"',)


def _say_gaps(text: nodes.Text) -> str:
    """What stands between the quotes; a text cannot be broken, so neither can its values."""
    first, *rest = text.parts
    gaps = [f"{{{flat(say_value(gap))}}}" for gap in text.gaps]
    return first + "".join(gap + part for gap, part in zip(gaps, rest, strict=False))
