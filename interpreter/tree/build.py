"""Turns Lark's tree into our nodes: one method for each alternative of rules.lark.

Those for declarations are here; build_values.py, build_statements.py and build_scenario.py have the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lark import Token
from lark.tree import Meta

from interpreter.tree import nodes
from interpreter.tree.build_base import Children, integer_of, text_of
from interpreter.tree.build_scenario import ScenarioBuilder
from interpreter.tree.build_statements import StatementBuilder
from interpreter.tree.build_values import ValueBuilder


def _named_and_printed(
    found: Iterable[tuple[str, str]],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names, texts = zip(*found, strict=True)
    return names, texts if any(texts) else ()


class Builder(ValueBuilder, StatementBuilder, ScenarioBuilder):
    """All methods; those for declarations are its own."""

    def declaration(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def game(self, meta: Meta, items: Children) -> nodes.Game:
        return nodes.Game(items[0][1:-1], **self._line(meta, items[1]))

    def players_decl(self, meta: Meta, items: Children) -> nodes.PlayerRange:
        least = integer_of(items[0])
        most = least if items[1] is None else integer_of(items[1])
        return nodes.PlayerRange(least, most, **self._line(meta, items[2]))

    def data(self, meta: Meta, items: Children) -> nodes.Data:
        return nodes.Data(items[0][1:-1], **self._line(meta, items[1]))

    def clauses(self, meta: Meta, items: Children) -> nodes.Clauses:
        return nodes.Clauses(items[0][1:-1], **self._line(meta, items[1]))

    def include(self, meta: Meta, items: Children) -> nodes.Include:
        return nodes.Include(items[0][1:-1], **self._line(meta, items[1]))

    def choice_range(self, meta: Meta, items: Children) -> nodes.Range:
        return nodes.Range(items[0], items[1], mark=self._mark(meta))

    def choice_list(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return tuple(items)

    def printed(self, meta: Meta, items: Children) -> tuple[str, str]:
        """A name, and what people read."""
        return str(items[0]), (text_of(items[1]) or "").strip()

    option_name = printed

    def option_yes(self, meta: Meta, items: Children) -> tuple[str, str]:
        return "yes", ""

    def option_no(self, meta: Meta, items: Children) -> tuple[str, str]:
        return "no", ""

    def option_decl(self, meta: Meta, items: Children) -> nodes.Setting:
        name, values, default, cites = items
        line = self._line(meta, cites)
        if isinstance(values, nodes.Range):
            return nodes.Setting(str(name), values, default, **line)
        names, texts = _named_and_printed(values)
        return nodes.Setting(str(name), names, default, texts, **line)

    def require(self, meta: Meta, items: Children) -> nodes.Require:
        return nodes.Require(items[0], items[1][1:-1], **self._line(meta, items[2]))

    def enum(self, meta: Meta, items: Children) -> nodes.Enum:
        name, *members, cites = items
        return nodes.Enum(str(name), *_named_and_printed(members), **self._line(meta, cites))

    def path(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return tuple(str(item) for item in items)

    def row(self, meta: Meta, items: Children) -> nodes.Row:
        name, text, written = items
        copies = 1 if written is None else integer_of(written)
        printed = (text_of(text) or "").strip()
        return nodes.Row(str(name), copies, printed, mark=self._mark(meta))

    def rows_listed(self, meta: Meta, items: Children) -> nodes.RowsListed:
        return nodes.RowsListed(tuple(items), mark=self._mark(meta))

    def factor_name(self, meta: Meta, items: Children) -> nodes.Factor:
        of = nodes.TypeName(str(items[0]), mark=self._mark(meta))
        return nodes.Factor(None, of, mark=self._mark(meta))

    def factor_named(self, meta: Meta, items: Children) -> nodes.Factor:
        return nodes.Factor(str(items[0]), items[1], mark=self._mark(meta))

    def factor_range(self, meta: Meta, items: Children) -> nodes.Factor:
        of = nodes.TypeRange(items[0], items[1], mark=self._mark(meta))
        return nodes.Factor(None, of, mark=self._mark(meta))

    def factors(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(items)

    def rows_product(self, meta: Meta, items: Children) -> nodes.Range | nodes.RowsProduct:
        factors, where, copies, text = items
        mark = self._mark(meta)
        match factors, (where, copies, text):
            case (nodes.Factor(None, nodes.TypeRange(low, high)),), (None, None, None):
                return nodes.Range(low, high, mark=mark)
            case _:
                return nodes.RowsProduct(factors, where, copies, self._text_if_any(text), mark=mark)

    def rows_from(self, meta: Meta, items: Children) -> nodes.RowsFrom:
        return nodes.RowsFrom(items[0], items[1], mark=self._mark(meta))

    def hidden(self, meta: Meta, items: Children) -> str:
        return "hidden"

    def on_the_back(self, meta: Meta, items: Children) -> str:
        return "on the back"

    def field(self, meta: Meta, items: Children) -> nodes.Field:
        name, dims, type_, default, sight, cites = items
        hidden, on_back = sight == "hidden", sight == "on the back"
        line = self._line(meta, cites)
        return nodes.Field(str(name), dims or (), type_, default, hidden, on_back, **line)

    def fields(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(item for item in items if item is not None)

    def kind(self, meta: Meta, items: Children) -> nodes.Kind:
        name, rows, cites, fields = items
        return nodes.Kind("kind", str(name), rows, fields, **self._line(meta, cites))

    def table(self, meta: Meta, items: Children) -> nodes.Kind:
        name, rows, cites, fields = items
        return nodes.Kind("table", str(name), rows, fields, **self._line(meta, cites))

    def _shape(word: Any) -> Callable[..., nodes.Shape]:
        def build(self: Builder, meta: Meta, items: Children) -> nodes.Shape:
            return nodes.Shape(word, tuple(items), mark=self._mark(meta))

        return build

    def _shape_from(word: Any) -> Callable[..., nodes.ShapeFrom]:
        def build(self: Builder, meta: Meta, items: Children) -> nodes.ShapeFrom:
            return nodes.ShapeFrom(word, items[0], mark=self._mark(meta))

        return build

    square = _shape("square")
    hex_rhombus = _shape("hex")
    hex_radius = _shape("hex radius")
    line_shape = _shape("line")
    ring_shape = _shape("ring")
    square_from = _shape_from("square")
    hex_from = _shape_from("hex")
    graph_from = _shape_from("graph")

    def board(self, meta: Meta, items: Children) -> nodes.Board:
        name, shape, where, cites, fields = items
        return nodes.Board(str(name), shape, where, fields, **self._line(meta, cites))

    def constant_expr(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def constant_table(self, meta: Meta, items: Children) -> list[Any]:
        return list(items)

    def constant_from(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def constant(self, meta: Meta, items: Children) -> nodes.Constant:
        name, dims, type_, value, cites = items
        path = value if isinstance(value, tuple) else None
        expr, *more = value if isinstance(value, list) else [value]
        if path is not None:
            expr = None
        line = self._line(meta, cites)
        return nodes.Constant(str(name), dims or (), type_, expr, path, tuple(more), **line)

    def _attribute(word: Any, takes: str = "") -> Callable[..., nodes.Attribute]:
        def build(self: Builder, meta: Meta, items: Children) -> nodes.Attribute:
            name = str(items[0]) if takes == "name" else None
            value = items[0] if takes == "value" else None
            return nodes.Attribute(word, name, value, mark=self._mark(meta))

        return build

    secret = _attribute("secret")
    clamped = _attribute("clamped")
    not_shown = _attribute("not shown")
    active = _attribute("active")
    face_up = _attribute("face up")
    face_down = _attribute("face down")
    seen_by = _attribute("seen by", "name")
    up_to = _attribute("up to", "value")
    per = _attribute("per", "name")
    holds_all = _attribute("holds all", "value")
    refilled = _attribute("refilled from", "name")

    def attributes(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(items)

    def member(self, meta: Meta, items: Children) -> nodes.Member:
        *names, dims, type_, start, attributes, cites = items
        line = self._line(meta, cites)
        words, texts = _named_and_printed(names)
        return nodes.Member(words, dims or (), type_, start, attributes, texts, **line)

    def game_has(self, meta: Meta, items: Children) -> nodes.Has:
        return nodes.Has((), tuple(items), **self._line(meta, ()))

    def each_has(self, meta: Meta, items: Children) -> nodes.Has:
        owners = tuple(str(item) for item in items if isinstance(item, Token))
        members = tuple(item for item in items if not isinstance(item, Token))
        return nodes.Has(owners, members, **self._line(meta, ()))

    def has(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def kept(self, meta: Meta, items: Children) -> nodes.Kept:
        value, binders, cites = items
        return nodes.Kept(value, tuple(binders or ()), **self._line(meta, cites))

    def history(self, meta: Meta, items: Children) -> nodes.History:
        name, size, attributes, cites, *kept = items
        line = self._line(meta, cites)
        return nodes.History(str(name), size, attributes, tuple(kept), **line)

    def params(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(item for item in items if item is not None)

    def param_type(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def given_place(self, meta: Meta, items: Children) -> nodes.GivenPlace:
        word: Any = str(items[0])
        return nodes.GivenPlace(word, str(items[1]), mark=self._mark(meta))

    def param(self, meta: Meta, items: Children) -> nodes.Param:
        return nodes.Param(str(items[0]), items[1], mark=self._mark(meta))

    def group(self, meta: Meta, items: Children) -> nodes.Group:
        name, params, binder, cites = items
        return nodes.Group(str(name), params or (), binder, **self._line(meta, cites))

    def function_short(self, meta: Meta, items: Children) -> nodes.Function:
        name, params, result, value, cites = items
        line = self._line(meta, cites)
        return nodes.Function(str(name), params or (), result, value, (), (), **line)

    def function_cases(self, meta: Meta, items: Children) -> nodes.Function:
        name, params, result, cites, *rest = items
        lets = tuple(item for item in rest if isinstance(item, nodes.Let))
        cases = tuple(item for item in rest if isinstance(item, nodes.Case))
        line = self._line(meta, cites)
        return nodes.Function(str(name), params or (), result, None, lets, cases, **line)

    def case_if(self, meta: Meta, items: Children) -> nodes.Case:
        return nodes.Case(items[0], items[1], **self._line(meta, items[2]))

    def case_otherwise(self, meta: Meta, items: Children) -> nodes.Case:
        return nodes.Case(items[0], None, **self._line(meta, items[1]))

    def quantity(self, meta: Meta, items: Children) -> nodes.Quantity:
        name, params, value, cites = items
        return nodes.Quantity(str(name), params or (), value, **self._line(meta, cites))

    def procedure(self, meta: Meta, items: Children) -> nodes.Procedure:
        name, params, cites, body = items
        return nodes.Procedure("procedure", str(name), params, body, **self._line(meta, cites))

    def event(self, meta: Meta, items: Children) -> nodes.Procedure:
        name, params, cites, body = items
        return nodes.Procedure("event", str(name), params, body, **self._line(meta, cites))

    def action(self, meta: Meta, items: Children) -> nodes.Action:
        name, binders, text, cites, (whens, body) = items
        line = self._line(meta, cites)
        said = self._text_if_any(text)
        return nodes.Action(str(name), binders or (), said, whens, body, **line)

    def phase(self, meta: Meta, items: Children) -> nodes.Phase:
        return nodes.Phase(str(items[0]), items[2], **self._line(meta, items[1]))

    def names(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return tuple(str(item) for item in items if item is not None)

    def modify(self, meta: Meta, items: Children) -> nodes.Modify:
        quantity, params, value, when, cites = items
        return nodes.Modify(str(quantity), params, value, when, **self._line(meta, cites))

    def _react(word: Any) -> Callable[..., nodes.React]:
        def build(self: Builder, meta: Meta, items: Children) -> nodes.React:
            may = isinstance(items[0], Token) and items[0].type == "MAY"
            event, params, when, *more, cites, body = items[1:] if may else items
            text = self._text_if_any(more[0]) if more else None
            line = self._line(meta, cites)
            return nodes.React(word, may, str(event), params, when, body, text, **line)

        return build

    before = _react("before")
    after = _react("after")
    instead = _react("instead of")

    def ability(self, meta: Meta, items: Children) -> nodes.Ability:
        name, once_per, cites, *clauses = items
        scope = None if once_per is None else str(once_per)
        return nodes.Ability(str(name), scope, tuple(clauses), **self._line(meta, cites))

    def setup(self, meta: Meta, items: Children) -> nodes.Setup:
        return nodes.Setup(items[1], **self._line(meta, items[0]))

    def play(self, meta: Meta, items: Children) -> nodes.Play:
        return nodes.Play(items[1], **self._line(meta, items[0]))

    def score(self, meta: Meta, items: Children) -> nodes.Score:
        return nodes.Score(str(items[0]), items[1], **self._line(meta, items[2]))

    def winner(self, meta: Meta, items: Children) -> nodes.Winner:
        return nodes.Winner(str(items[0]), items[1], **self._line(meta, items[2]))

    def ends(self, meta: Meta, items: Children) -> nodes.EndsWithin:
        return nodes.EndsWithin(items[0], **self._line(meta, items[1]))

    def always(self, meta: Meta, items: Children) -> nodes.Always:
        return nodes.Always(items[0], text_of(items[1]), **self._line(meta, items[2]))
