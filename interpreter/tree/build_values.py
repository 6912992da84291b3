"""Turns Lark's tree of an expression or a type into our nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark.tree import Meta

from interpreter.tree import nodes
from interpreter.tree.build_base import Children, NodeBuilder, integer_of


class ValueBuilder(NodeBuilder):
    """The methods for values and types, one for each alternative of rules.lark."""

    # ---- expressions

    def name(self, meta: Meta, items: Children) -> nodes.Name:
        return nodes.Name(str(items[0]), mark=self._mark(meta))

    def number(self, meta: Meta, items: Children) -> nodes.Number:
        return nodes.Number(integer_of(items[0]), mark=self._mark(meta))

    def yes(self, meta: Meta, items: Children) -> nodes.Truth:
        return nodes.Truth(True, mark=self._mark(meta))

    def no(self, meta: Meta, items: Children) -> nodes.Truth:
        return nodes.Truth(False, mark=self._mark(meta))

    def none(self, meta: Meta, items: Children) -> nodes.NoneValue:
        return nodes.NoneValue(mark=self._mark(meta))

    def quoted(self, meta: Meta, items: Children) -> nodes.Quoted:
        return nodes.Quoted(items[0][1:-1], mark=self._mark(meta))

    def parenthesis(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def if_else(self, meta: Meta, items: Children) -> nodes.IfElse:
        then, condition, otherwise = items
        return nodes.IfElse(condition, then, otherwise, mark=self._mark(meta))

    def players(self, meta: Meta, items: Children) -> nodes.Players:
        return nodes.Players(mark=self._mark(meta))

    def dot(self, meta: Meta, items: Children) -> nodes.Dot:
        return nodes.Dot(items[0], str(items[1]), mark=self._mark(meta))

    def index(self, meta: Meta, items: Children) -> nodes.Index:
        return nodes.Index(items[0], tuple(items[1:]), mark=self._mark(meta))

    def call(self, meta: Meta, items: Children) -> nodes.Call:
        arguments = tuple(item for item in items[1:] if item is not None)
        return nodes.Call(items[0], arguments, mark=self._mark(meta))

    def _unary(operator: Any) -> Callable[..., nodes.Unary]:
        def build(self: ValueBuilder, meta: Meta, items: Children) -> nodes.Unary:
            return nodes.Unary(operator, items[0], mark=self._mark(meta))

        return build

    def _binary(operator: Any) -> Callable[..., nodes.Binary]:
        def build(self: ValueBuilder, meta: Meta, items: Children) -> nodes.Binary:
            return nodes.Binary(operator, items[0], items[1], mark=self._mark(meta))

        return build

    not_ = _unary("not")
    negative = _unary("-")
    number_of = _unary("number of")
    or_ = _binary("or")
    and_ = _binary("and")
    equal = _binary("=")
    is_ = _binary("is")
    is_not = _binary("is not")
    add = _binary("+")
    subtract = _binary("-")
    multiply = _binary("*")
    divide = _binary("div")
    divide_up = _binary("divUp")
    modulo = _binary("mod")

    def compare(self, meta: Meta, items: Children) -> nodes.Binary:
        operator: Any = str(items[1])
        return nodes.Binary(operator, items[0], items[2], mark=self._mark(meta))

    def member_of(self, meta: Meta, items: Children) -> nodes.MemberOf:
        return nodes.MemberOf(items[0], items[1], mark=self._mark(meta))

    def domain_value(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def domain_range(self, meta: Meta, items: Children) -> nodes.Range:
        low, high, step = items
        return nodes.Range(low, high, step, mark=self._mark(meta))

    def domain_listed(self, meta: Meta, items: Children) -> nodes.Listed:
        return nodes.Listed(tuple(items), mark=self._mark(meta))

    def binder(self, meta: Meta, items: Children) -> nodes.Binder:
        name, position, domain, walk, where = items
        at = None if position is None else str(position)
        word, test = walk or (None, None)
        stays, ends = (test if word == "while" else None), (test if word == "until" else None)
        return nodes.Binder(str(name), at, domain, stays, where, ends, mark=self._mark(meta))

    def walk_while(self, meta: Meta, items: Children) -> tuple[str, Any]:
        return "while", items[0]

    def walk_until(self, meta: Meta, items: Children) -> tuple[str, Any]:
        return "until", items[0]

    def binders(self, meta: Meta, items: Children) -> tuple[nodes.Binder, ...]:
        return tuple(items)

    nested = binders

    def count(self, meta: Meta, items: Children) -> nodes.Quantified:
        (binder, *more), mark = items[0], self._mark(meta)
        return nodes.Quantified("count", binder, tuple(more), mark=mark)

    def any_(self, meta: Meta, items: Children) -> nodes.Quantified:
        (binder, *more), mark = items[0], self._mark(meta)
        return nodes.Quantified("any", binder, tuple(more), mark=mark)

    def every(self, meta: Meta, items: Children) -> nodes.Every:
        (binder, *more), condition = items
        return nodes.Every(binder, condition, tuple(more), mark=self._mark(meta))

    def _aggregate(word: Any) -> Callable[..., nodes.Aggregate]:
        def build(self: ValueBuilder, meta: Meta, items: Children) -> nodes.Aggregate:
            value, (binder, *more), *otherwise = items
            other = otherwise[0] if otherwise else None
            mark = self._mark(meta)
            return nodes.Aggregate(word, value, binder, other, tuple(more), mark=mark)

        return build

    sum_of = _aggregate("sum")
    min_of = _aggregate("min")
    max_of = _aggregate("max")

    def least_of(self, meta: Meta, items: Children) -> nodes.Extreme:
        return nodes.Extreme("min", tuple(items), mark=self._mark(meta))

    def most_of(self, meta: Meta, items: Children) -> nodes.Extreme:
        return nodes.Extreme("max", tuple(items), mark=self._mark(meta))

    def most(self, meta: Meta, items: Children) -> nodes.Key:
        return nodes.Key("most", items[0], mark=self._mark(meta))

    def least(self, meta: Meta, items: Children) -> nodes.Key:
        return nodes.Key("least", items[0], mark=self._mark(meta))

    def keys(self, meta: Meta, items: Children) -> nodes.Keys:
        return nodes.Keys(tuple(items[:-1]), items[-1], mark=self._mark(meta))

    def ties_in_order(self, meta: Meta, items: Children) -> str:
        return "in order"

    def ties_none(self, meta: Meta, items: Children) -> str:
        return "none"

    def ties_share(self, meta: Meta, items: Children) -> str:
        return "share"

    def pick(self, meta: Meta, items: Children) -> nodes.Pick:
        return nodes.Pick(items[0], items[1], mark=self._mark(meta))

    def rank(self, meta: Meta, items: Children) -> nodes.Rank:
        return nodes.Rank("rank", *items[1:], mark=self._mark(meta))

    def dense_rank(self, meta: Meta, items: Children) -> nodes.Rank:
        return nodes.Rank("denseRank", *items, mark=self._mark(meta))

    def region(self, meta: Meta, items: Children) -> nodes.Through:
        start, name, origin, where = items
        from_ = None if origin is None else str(origin)
        return nodes.Through("region", start, str(name), where, from_, mark=self._mark(meta))

    def line(self, meta: Meta, items: Children) -> nodes.Through:
        start, name, where = items
        return nodes.Through("line", start, str(name), where, mark=self._mark(meta))

    def reach(self, meta: Meta, items: Children) -> nodes.Reach:
        start, within, name, origin, costs = items
        from_ = None if origin is None else str(origin)
        return nodes.Reach(start, within, str(name), costs, from_, mark=self._mark(meta))

    def way(self, meta: Meta, items: Children) -> nodes.Way:
        target, start, end, name, origin, where = items
        from_ = None if origin is None else str(origin)
        return nodes.Way(target, start, end, str(name), where, from_, mark=self._mark(meta))

    def can(self, meta: Meta, items: Children) -> nodes.Can:
        return nodes.Can(tuple(items), mark=self._mark(meta))

    def what_if(self, meta: Meta, items: Children) -> nodes.WhatIf:
        return nodes.WhatIf(items[0], tuple(items[1:]), mark=self._mark(meta))

    # ---- types

    def type(self, meta: Meta, items: Children) -> Any:
        base, optional = items
        if optional is None:
            return base
        if isinstance(base, nodes.TypeList):
            return nodes.TypeList(base.of, True, mark=self._mark(meta))
        if isinstance(base, nodes.TypeName):
            return nodes.TypeName(base.name, True, mark=self._mark(meta))
        return nodes.TypeRange(base.low, base.high, True, mark=self._mark(meta))

    def or_none(self, meta: Meta, items: Children) -> bool:
        return True

    def type_name(self, meta: Meta, items: Children) -> nodes.TypeName:
        return nodes.TypeName(str(items[0]), mark=self._mark(meta))

    def type_range(self, meta: Meta, items: Children) -> nodes.TypeRange:
        return nodes.TypeRange(items[0], items[1], mark=self._mark(meta))

    def type_list(self, meta: Meta, items: Children) -> nodes.TypeList:
        return nodes.TypeList(items[0], mark=self._mark(meta))

    dim_name = type_name
    dim_range = type_range

    def dims(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(items)

    def place_type(self, meta: Meta, items: Children) -> nodes.PlaceType:
        word: Any = str(items[0])
        return nodes.PlaceType(word, str(items[1]), mark=self._mark(meta))

    def member_type(self, meta: Meta, items: Children) -> Any:
        return items[0]
