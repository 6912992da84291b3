"""Turns Lark's tree into our nodes: one method for each alternative of rules.lark."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.build_scenario import ScenarioBuilder
from interpreter.tree.lines import Layout

Children = list[Any]
_CITES = re.compile(r"(\s*\[[A-Z][A-Z0-9]*-[^\]]*\])+\s*$")


@v_args(meta=True)
class Builder(ScenarioBuilder):
    """Built for one declaration that starts `offset` lines into its file.

    Not recursive, because a long sum is a deep tree: how deep is too deep is for parse.py.
    """

    def __init__(self, layout: Layout, offset: int) -> None:
        super().__init__()
        self.layout = layout
        self.offset = offset

    # ---- helpers

    def _mark(self, meta: Meta) -> Mark:
        if meta.empty:
            return Mark(self.layout.name, self.offset + 1, 1, self.offset + 1, 1)
        return Mark(
            self.layout.name,
            meta.line + self.offset,
            meta.column,
            meta.end_line + self.offset,
            meta.end_column,
        )

    def _line(self, meta: Meta, cites: tuple[str, ...], end: int | None = None) -> dict[str, Any]:
        """The keyword arguments every `Line` node takes.

        The mark covers the head of a block, not the whole block, because a problem with a
        block is a problem with the line that opens it.
        """
        mark = self._mark(meta)
        first = mark.line
        last = self.layout.last_line_of(first)
        if mark.end_line > last:
            mark = Mark(mark.file, first, mark.column, last, self._end_of(last, bool(cites)))
        elif mark.end_column == 1 and mark.end_line > first:
            mark = Mark(mark.file, first, mark.column, first, mark.column + 1)
        before, after = self.layout.comments_of(first)
        return {"mark": mark, "cites": cites, "before": before, "after": after}

    def _end_of(self, line: int, has_cites: bool) -> int:
        """The column where a line's own words end, before citations and comments."""
        text = self.layout.lines[line - 1]
        text = text[: self.layout.widths.get(line, len(text))]
        return len(_CITES.sub("", text) if has_cites else text.rstrip()) + 1

    def cites(self, meta: Meta, items: Children) -> tuple[str, ...]:
        found: list[str] = []
        for token in items:
            found.extend(part.strip() for part in token[1:-1].split(","))
        return tuple(found)

    def declaration(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def statement(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def block(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(items)

    # ---- expressions

    def name(self, meta: Meta, items: Children) -> nodes.Name:
        return nodes.Name(str(items[0]), mark=self._mark(meta))

    def number(self, meta: Meta, items: Children) -> nodes.Number:
        return nodes.Number(_integer(items[0]), mark=self._mark(meta))

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
        def build(self: Builder, meta: Meta, items: Children) -> nodes.Unary:
            return nodes.Unary(operator, items[0], mark=self._mark(meta))

        return build

    def _binary(operator: Any) -> Callable[..., nodes.Binary]:
        def build(self: Builder, meta: Meta, items: Children) -> nodes.Binary:
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

    def binder(self, meta: Meta, items: Children) -> nodes.Binder:
        name, position, domain, stays, where = items
        at = None if position is None else str(position)
        return nodes.Binder(str(name), at, domain, stays, where, mark=self._mark(meta))

    def binders(self, meta: Meta, items: Children) -> tuple[nodes.Binder, ...]:
        return tuple(items)

    def count(self, meta: Meta, items: Children) -> nodes.Quantified:
        return nodes.Quantified("count", items[0], mark=self._mark(meta))

    def any_(self, meta: Meta, items: Children) -> nodes.Quantified:
        return nodes.Quantified("any", items[0], mark=self._mark(meta))

    def every(self, meta: Meta, items: Children) -> nodes.Every:
        return nodes.Every(items[0], items[1], mark=self._mark(meta))

    def sum_of(self, meta: Meta, items: Children) -> nodes.Aggregate:
        return nodes.Aggregate("sum", items[0], items[1], mark=self._mark(meta))

    def min_of(self, meta: Meta, items: Children) -> nodes.Aggregate:
        return nodes.Aggregate("min", items[0], items[1], items[2], mark=self._mark(meta))

    def max_of(self, meta: Meta, items: Children) -> nodes.Aggregate:
        return nodes.Aggregate("max", items[0], items[1], items[2], mark=self._mark(meta))

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
        return nodes.Rank("rank", *items, mark=self._mark(meta))

    def dense_rank(self, meta: Meta, items: Children) -> nodes.Rank:
        return nodes.Rank("denseRank", *items, mark=self._mark(meta))

    def region(self, meta: Meta, items: Children) -> nodes.Through:
        start, name, where = items
        return nodes.Through("region", start, str(name), where, mark=self._mark(meta))

    def line(self, meta: Meta, items: Children) -> nodes.Through:
        start, name, where = items
        return nodes.Through("line", start, str(name), where, mark=self._mark(meta))

    def reach(self, meta: Meta, items: Children) -> nodes.Reach:
        start, within, name, costs = items
        return nodes.Reach(start, within, str(name), costs, mark=self._mark(meta))

    def can(self, meta: Meta, items: Children) -> nodes.Can:
        return nodes.Can(tuple(items), mark=self._mark(meta))

    # ---- statements

    def simple_statement(self, meta: Meta, items: Children) -> Any:
        make, cites = items
        return make(self._line(meta, cites))

    def _simple(make: Callable[[Children, dict[str, Any]], Any]) -> Any:  # type: ignore[misc]
        """A simple statement learns its citations only when its line is complete."""

        def build(self: Builder, meta: Meta, items: Children) -> Any:
            return lambda line: make(items, line)

        return build

    def simple(self, meta: Meta, items: Children) -> Any:
        return items[0]

    assign = _simple(lambda i, line: nodes.Assign(i[0], ":=", i[1], **line))
    add_to = _simple(lambda i, line: nodes.Assign(i[0], "+=", i[1], **line))
    take_from = _simple(lambda i, line: nodes.Assign(i[0], "-=", i[1], **line))
    assign_random = _simple(lambda i, line: nodes.AssignRandom(i[0], i[1], **line))
    let = _simple(lambda i, line: nodes.Let(str(i[0]), i[1], **line))
    call_statement = _simple(lambda i, line: nodes.Do(i[0], **line))
    stop = _simple(lambda i, line: nodes.Jump("stop", **line))
    skip = _simple(lambda i, line: nodes.Jump("skip", **line))
    again = _simple(lambda i, line: nodes.Jump("again", **line))
    leave = _simple(lambda i, line: nodes.Leave(str(i[0]), **line))
    choose_actions = _simple(
        lambda i, line: nodes.ChooseActions(i[0], tuple(str(n) for n in i[1:]), **line)
    )
    choose_value = _simple(lambda i, line: nodes.ChooseValue(i[0], i[1], _text(i[2]), **line))
    shuffle = _simple(lambda i, line: nodes.Shuffle(i[0], **line))
    draw = _simple(lambda i, line: nodes.Draw(i[0] is not None, i[1], i[2], i[3], **line))
    move = _simple(
        lambda i, line: nodes.Move(i[0], i[1], (i[2] and i[2].split()[-1]) or None, **line)
    )
    move_all = _simple(lambda i, line: nodes.MoveAll(i[0], i[1], **line))
    move_some = _simple(
        lambda i, line: nodes.MoveSome(i[0] is not None, i[1], i[2], i[3], i[4], **line)
    )
    roll = _simple(lambda i, line: nodes.Roll(i[0], **line))
    reveal = _simple(lambda i, line: nodes.Reveal(i[0], i[1], **line))
    hide = _simple(lambda i, line: nodes.Hide(i[0], **line))
    wins = _simple(lambda i, line: nodes.Wins(i[0], **line))
    nobody_wins = _simple(lambda i, line: nodes.Wins(None, **line))
    end_game = _simple(lambda i, line: nodes.EndGame(**line))
    say = _simple(lambda i, line: nodes.Say(i[0][1:-1], **line))

    def let_line(self, meta: Meta, items: Children) -> nodes.Let:
        make, cites = items
        let: nodes.Let = make(self._line(meta, cites))
        return let

    def if_statement(self, meta: Meta, items: Children) -> nodes.If:
        condition, cites, body, *rest = items
        first = nodes.Arm(condition, body, **self._line(meta, cites))
        otherwise = rest[-1]
        return nodes.If((first, *rest[:-1]), otherwise, mark=first.mark)

    def else_if(self, meta: Meta, items: Children) -> nodes.Arm:
        condition, cites, body = items
        return nodes.Arm(condition, body, **self._line(meta, cites))

    def else_block(self, meta: Meta, items: Children) -> nodes.Otherwise:
        cites, body = items
        return nodes.Otherwise(body, **self._line(meta, cites))

    def otherwise(self, meta: Meta, items: Children) -> nodes.Otherwise:
        cites, body = items
        return nodes.Otherwise(body, **self._line(meta, cites))

    def label(self, meta: Meta, items: Children) -> str:
        return str(items[0])

    def for_each(self, meta: Meta, items: Children) -> nodes.ForEach:
        binder, keys, label, cites, body = items
        return nodes.ForEach(binder, keys, label, body, **self._line(meta, cites))

    def times(self, meta: Meta, items: Children) -> tuple[str, Any]:
        return ("times", items[0])

    def until(self, meta: Meta, items: Children) -> tuple[str, Any]:
        return ("until", items[0])

    def while_(self, meta: Meta, items: Children) -> tuple[str, Any]:
        return ("while", items[0])

    def repeat(self, meta: Meta, items: Children) -> nodes.Repeat:
        how, label, cites, body = items
        word: Any
        word, value = how or ("forever", None)
        return nodes.Repeat(word, value, label, body, **self._line(meta, cites))

    def turns(self, meta: Meta, items: Children) -> nodes.Turns:
        name, start, where, label, cites, body = items
        who = None if name is None else str(name)
        return nodes.Turns(who, start, where, label, body, **self._line(meta, cites))

    def sealed(self, meta: Meta, items: Children) -> nodes.Sealed:
        name, cites, body = items
        return nodes.Sealed(str(name), body, **self._line(meta, cites))

    def looking_ahead(self, meta: Meta, items: Children) -> nodes.LookingAhead:
        cites, body = items
        return nodes.LookingAhead(body, **self._line(meta, cites))

    def chooses(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], False, mark=self._mark(meta))

    def may_choose(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], True, mark=self._mark(meta))

    def may_always_choose(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], True, True, mark=self._mark(meta))

    def choose(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(None, False, mark=self._mark(meta))

    def choose_block(self, meta: Meta, items: Children) -> nodes.ChooseBlock:
        chooser, cites, *rest = items
        options, otherwise = tuple(rest[:-1]), rest[-1]
        return nodes.ChooseBlock(chooser, options, otherwise, **self._line(meta, cites))

    def option_body(self, meta: Meta, items: Children) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        found = [item for item in items if item is not None]
        whens = tuple(item for item in found if isinstance(item, nodes.When))
        body = tuple(item for item in found if not isinstance(item, nodes.When))
        return whens, body

    def option(self, meta: Meta, items: Children) -> nodes.Option:
        name, binders, text, cites, (whens, body) = items
        line = self._line(meta, cites)
        return nodes.Option(str(name), binders or (), _text(text), whens, body, **line)

    def when(self, meta: Meta, items: Children) -> nodes.When:
        return nodes.When(items[0], **self._line(meta, items[1]))

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

    # ---- declarations

    def game(self, meta: Meta, items: Children) -> nodes.Game:
        return nodes.Game(items[0][1:-1], **self._line(meta, items[1]))

    def players_decl(self, meta: Meta, items: Children) -> nodes.PlayerRange:
        least = _integer(items[0])
        most = least if items[1] is None else _integer(items[1])
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

    def option_name(self, meta: Meta, items: Children) -> str:
        return str(items[0])

    def option_yes(self, meta: Meta, items: Children) -> str:
        return "yes"

    def option_no(self, meta: Meta, items: Children) -> str:
        return "no"

    def option_decl(self, meta: Meta, items: Children) -> nodes.Setting:
        name, values, default, cites = items
        return nodes.Setting(str(name), values, default, **self._line(meta, cites))

    def require(self, meta: Meta, items: Children) -> nodes.Require:
        return nodes.Require(items[0], items[1][1:-1], **self._line(meta, items[2]))

    def enum(self, meta: Meta, items: Children) -> nodes.Enum:
        name, *members, cites = items
        return nodes.Enum(str(name), tuple(str(m) for m in members), **self._line(meta, cites))

    def path(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return tuple(str(item) for item in items)

    def row(self, meta: Meta, items: Children) -> nodes.Row:
        copies = 1 if items[1] is None else _integer(items[1])
        return nodes.Row(str(items[0]), copies, mark=self._mark(meta))

    def rows_listed(self, meta: Meta, items: Children) -> nodes.RowsListed:
        return nodes.RowsListed(tuple(items), mark=self._mark(meta))

    def rows_numbered(self, meta: Meta, items: Children) -> nodes.Range:
        return nodes.Range(items[0], items[1], mark=self._mark(meta))

    def rows_from(self, meta: Meta, items: Children) -> nodes.RowsFrom:
        return nodes.RowsFrom(items[0], items[1], mark=self._mark(meta))

    def hidden(self, meta: Meta, items: Children) -> bool:
        return True

    def field(self, meta: Meta, items: Children) -> nodes.Field:
        name, dims, type_, default, hidden, cites = items
        line = self._line(meta, cites)
        return nodes.Field(str(name), dims or (), type_, default, bool(hidden), **line)

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

    def constant_from(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def constant(self, meta: Meta, items: Children) -> nodes.Constant:
        name, dims, type_, value, cites = items
        path = value if isinstance(value, tuple) else None
        expr = None if isinstance(value, tuple) else value
        line = self._line(meta, cites)
        return nodes.Constant(str(name), dims or (), type_, expr, path, **line)

    def _attribute(word: Any, takes: str = "") -> Callable[..., nodes.Attribute]:
        def build(self: Builder, meta: Meta, items: Children) -> nodes.Attribute:
            name = str(items[0]) if takes == "name" else None
            value = items[0] if takes == "value" else None
            return nodes.Attribute(word, name, value, mark=self._mark(meta))

        return build

    secret = _attribute("secret")
    clamped = _attribute("clamped")
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
        words = tuple(str(name) for name in names)
        return nodes.Member(words, dims or (), type_, start, attributes, **line)

    def game_has(self, meta: Meta, items: Children) -> nodes.Has:
        return nodes.Has((), tuple(items), **self._line(meta, ()))

    def each_has(self, meta: Meta, items: Children) -> nodes.Has:
        owners = tuple(str(item) for item in items if isinstance(item, Token))
        members = tuple(item for item in items if not isinstance(item, Token))
        return nodes.Has(owners, members, **self._line(meta, ()))

    def has(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def params(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(item for item in items if item is not None)

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
        return nodes.Action(str(name), binders or (), _text(text), whens, body, **line)

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
            event, params, when, cites, body = items[1:] if may else items
            line = self._line(meta, cites)
            return nodes.React(word, may, str(event), params, when, body, **line)

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
        return nodes.Always(items[0], _text(items[1]), **self._line(meta, items[2]))


def _text(token: Token | None) -> str | None:
    return None if token is None else token[1:-1]


def _integer(digits: str) -> int:
    # Cut to a value that is still out of range, because turning very many digits into an exact
    # integer takes quadratic time. parse.py reports such a number.
    return int(digits.lstrip("0")[:20] or "0")
