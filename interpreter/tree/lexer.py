"""Reads the words of rules, as Lark's contextual lexer would, in a fraction of its time.

Lark makes one pattern for each state of the parser, with every word that may come next: a hundred
patterns to compile before the first file is read. Nearly all that people write is a word, a number,
a text or a sign, which one pattern finds in any state; what it is in this state is looked up.
Whatever is not found so is left to Lark, with its patterns and its errors.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

from lark import Token
from lark.lexer import BasicLexer, ContextualLexer, LexerState

# Where these patterns of the grammar match, nothing else can begin in any state.
_COMMON = ("NAME", "INT", "STRING", "_NL", "COMPARE")
_SIGNS = r"\.\.|:=|\+=|-=|[:=.,()\[\]+*-]"


class _Words(NamedTuple):
    """What is the same in all states."""

    common: re.Pattern[str]  # a word or sign with the spaces before it
    named: dict[str, re.Pattern[str]]  # patterns of words that come before others: `up to`


class _StateLexer:
    """The lexer for one set of words that may come next."""

    def __init__(self, conf: Any, accepted: Collection[str], words: _Words) -> None:
        self._conf = conf
        self._accepted = frozenset(accepted)
        self._common = words.common
        terminals = [conf.terminals_by_name[name] for name in sorted(self._accepted)]
        self._typed = {t.pattern.value: t.name for t in terminals if t.pattern.type == "str"}
        self._first = [(name, words.named[name]) for name in words.named if name in accepted]

    @cached_property
    def _full(self) -> BasicLexer:
        conf = copy(self._conf)
        conf.terminals = [conf.terminals_by_name[name] for name in self._accepted]
        return BasicLexer(conf)

    def next_token(self, lexer_state: LexerState, parser_state: Any = None) -> Token:
        counter = lexer_state.line_ctr
        text: Any = lexer_state.text
        found = self._common.match(text.text, counter.char_pos, text.end)
        if found is None:
            return self._full.next_token(lexer_state, parser_state)
        group = found.lastgroup
        assert group is not None
        start, end = found.span(group)
        sort = self._typed.get(found[group]) or (group if group in self._accepted else None)
        for name, pattern in self._first:
            first = pattern.match(text.text, start, text.end)
            if first is not None:
                sort, end = name, first.end()
                break
        if sort is None:
            return self._full.next_token(lexer_state, parser_state)
        line, begins = counter.line, counter.line_start_pos
        if group == "_NL":
            counter.char_pos = start
            counter.feed(found[group], True)
        else:
            counter.char_pos, counter.column = end, end - begins + 1
        token = Token(
            sort,
            text.text[start:end],
            start,
            line,
            start - begins + 1,
            counter.line,
            counter.column,
            end,
        )
        lexer_state.last_token = token
        return token


class WordLexer(ContextualLexer):
    """Lark's contextual lexer with our lexers for its states, each made when it is needed."""

    def __init__(
        self, conf: Any, states: dict[int, Collection[str]], always_accept: Collection[str] = ()
    ) -> None:
        patterns = {t.name: t.pattern for t in conf.terminals if t.pattern.type == "re"}
        common = "|".join(f"(?P<{name}>{patterns[name].to_regexp()})" for name in _COMMON)
        named = {
            name: re.compile(patterns[name].to_regexp())
            for name in sorted(patterns)
            if name not in _COMMON and name not in conf.ignore
        }
        words = _Words(re.compile(f"[ ]*(?:{common}|(?P<SIGN>{_SIGNS}))"), named)
        self._conf = copy(conf)
        self._conf.skip_validation = True
        known = frozenset(conf.terminals_by_name)
        always = frozenset((*conf.ignore, *always_accept))
        made: dict[frozenset[str], Any] = {}
        self.lexers = {}
        for state, accepted in states.items():
            key = (always | frozenset(accepted)) & known
            if key not in made:
                made[key] = _StateLexer(self._conf, key, words)
            self.lexers[state] = made[key]

    @cached_property
    def root_lexer(self) -> Any:  # type: ignore[override]
        """Knows every word; asked when none was found that may come next."""
        return BasicLexer(self._conf)
