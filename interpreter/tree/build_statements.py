"""Turns Lark's tree of a statement into our nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark.tree import Meta

from interpreter.tree import nodes
from interpreter.tree.build_base import Children, NodeBuilder


class StatementBuilder(NodeBuilder):
    """The methods for statements, one for each alternative of rules.lark."""

    # ---- blocks

    def statement(self, meta: Meta, items: Children) -> Any:
        return items[0]

    def block(self, meta: Meta, items: Children) -> tuple[Any, ...]:
        return tuple(items)

    # ---- one line

    def simple_statement(self, meta: Meta, items: Children) -> Any:
        make, cites = items
        return make(self._line(meta, cites))

    def _simple(make: Callable[[Children, dict[str, Any]], Any]) -> Any:  # type: ignore[misc]
        """A simple statement learns its citations only when its line is complete."""

        def build(self: StatementBuilder, meta: Meta, items: Children) -> Any:
            return lambda line: make(items, line)

        return build

    def simple(self, meta: Meta, items: Children) -> Any:
        return items[0]

    other_simple = simple
    other_statement = simple

    assign = _simple(lambda i, line: nodes.Assign(i[0], ":=", i[1], **line))
    add_to = _simple(lambda i, line: nodes.Assign(i[0], "+=", i[1], **line))
    take_from = _simple(lambda i, line: nodes.Assign(i[0], "-=", i[1], **line))
    assign_random = _simple(lambda i, line: nodes.AssignRandom(i[0], i[1], **line))
    let = _simple(lambda i, line: nodes.Let(str(i[0]), i[1], **line))
    let_random = _simple(lambda i, line: nodes.LetRandom(str(i[0]), i[1], **line))
    call_statement = _simple(lambda i, line: nodes.Do(i[0], **line))
    stop = _simple(lambda i, line: nodes.Jump("stop", **line))
    skip = _simple(lambda i, line: nodes.Jump("skip", **line))
    again = _simple(lambda i, line: nodes.Jump("again", **line))
    leave = _simple(lambda i, line: nodes.Leave(str(i[0]), **line))
    choose_actions = _simple(
        lambda i, line: nodes.ChooseActions(i[0], tuple(str(n) for n in i[1:]), **line)
    )
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
    remember = _simple(lambda i, line: nodes.Remember(str(i[0]), **line))
    wins = _simple(lambda i, line: nodes.Wins(i[0], **line))
    nobody_wins = _simple(lambda i, line: nodes.Wins(None, **line))
    loses = _simple(lambda i, line: nodes.Loses(i[0], **line))
    everybody_wins = _simple(lambda i, line: nodes.Together("win", None, **line))
    everybody_loses = _simple(lambda i, line: nodes.Together("lose", None, **line))
    these_win = _simple(lambda i, line: nodes.Together("win", i[0], **line))
    these_lose = _simple(lambda i, line: nodes.Together("lose", i[0], **line))
    end_game = _simple(lambda i, line: nodes.EndGame(**line))

    def choose_value(self, meta: Meta, items: Children) -> Any:
        chooser, binder, token = items
        text = self._text_if_any(token)
        return lambda line: nodes.ChooseValue(chooser, binder, text, **line)

    def say(self, meta: Meta, items: Children) -> Any:
        text, to = self._text(items[0]), items[1]
        return lambda line: nodes.Say(text, to, **line)

    def let_line(self, meta: Meta, items: Children) -> nodes.Let:
        make, cites = items
        let: nodes.Let = make(self._line(meta, cites))
        return let

    # ---- blocks of lines

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
        name, where, cites, body = items
        return nodes.Sealed(str(name), where, body, **self._line(meta, cites))

    def looking_ahead(self, meta: Meta, items: Children) -> nodes.LookingAhead:
        cites, body = items
        return nodes.LookingAhead(body, **self._line(meta, cites))

    def chooses(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], False, mark=self._mark(meta))

    def may_choose(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], True, mark=self._mark(meta))

    def always_chooses(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], False, True, mark=self._mark(meta))

    def may_always_choose(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(items[0], True, True, mark=self._mark(meta))

    def choose(self, meta: Meta, items: Children) -> nodes.Chooser:
        return nodes.Chooser(None, False, mark=self._mark(meta))

    def choose_block(self, meta: Meta, items: Children) -> nodes.ChooseBlock:
        chooser, cites, *rest = items
        options, otherwise = tuple(rest[:-1]), rest[-1]
        return nodes.ChooseBlock(chooser, options, otherwise, **self._line(meta, cites))

    def option_body(self, meta: Meta, items: Children) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The conditions with the names that stand among them, and what follows the last one."""
        found = tuple(item for item in items if item is not None)
        whens = [at for at, item in enumerate(found, 1) if isinstance(item, nodes.When)]
        last = max(whens, default=0)
        return found[:last], found[last:]

    def option(self, meta: Meta, items: Children) -> nodes.Option:
        name, binders, text, cites, (whens, body) = items
        line = self._line(meta, cites)
        said = self._text_if_any(text)
        return nodes.Option(str(name), binders or (), said, whens, body, **line)

    def when(self, meta: Meta, items: Children) -> nodes.When:
        return nodes.When(items[0], **self._line(meta, items[1]))
