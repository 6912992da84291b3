"""The parser's tables, built once and shipped, because building them takes a second.

`rules.tables.json` is plain JSON, made from rules.lark by `python -m interpreter.tree.tables`.
It names the grammar and the version of Lark it was made with; if either is another one, the
tables are built anew in memory and nothing is written. The same grammar gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_parser import LALR_Parser

from interpreter.tree.lexer import WordLexer

GRAMMAR = Path(__file__).with_name("rules.lark")
TABLES = Path(__file__).with_name("rules.tables.json")


class _Parser(LALR_Parser):
    """Lark's parser. Where a rule only passes on what another made, as those of `a + b` and `a * b`
    do for a lone number, Lark would look for its position once more: most of its time."""

    @classmethod
    def deserialize(  # type: ignore[override]
        cls, data: Any, memo: Any, callbacks: Any, debug: Any = False
    ) -> Any:
        for rule in callbacks:
            if _passes_on(rule):
                callbacks[rule] = _only_child
        return super().deserialize(data, memo, callbacks, debug)  # type: ignore[no-untyped-call]


def _passes_on(rule: Rule) -> bool:
    options: Any = rule.options
    lone = len(rule.expansion) == 1 and not rule.expansion[0].is_term
    return lone and options.expand1 and rule.alias is None and not any(options.empty_indices)


def _only_child(children: list[Any]) -> Any:
    return children[0]


_PLUGINS = {"ContextualLexer": WordLexer, "LALR_Parser": _Parser}


def load_parser(postlex: Any) -> Lark:
    """The parser of the rule language, from the shipped tables if they fit."""
    grammar = GRAMMAR.read_text("utf-8")
    try:
        shipped = json.loads(TABLES.read_text("utf-8"))
    except (OSError, ValueError):
        shipped = {}
    if shipped.get("made") != made_from(grammar):
        return build_parser(grammar, postlex, _PLUGINS)
    data, memo = shipped["tables"]
    parser = data["parser"]["parser"]
    parser["tokens"] = _by_number(parser["tokens"])
    parser["states"] = _by_number(
        {state: _by_number(moves) for state, moves in parser["states"].items()}
    )
    loaded: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
        data, _by_number(memo), postlex=postlex, _plugins=_PLUGINS
    )
    return loaded


def build_parser(grammar: str, postlex: Any, plugins: dict[str, type]) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        postlex=postlex,
        propagate_positions=True,
        maybe_placeholders=True,
        start=["declaration", "expr"],
        _plugins=plugins,
    )


def made_from(grammar: str) -> str:
    return f"{hashlib.sha256(grammar.encode()).hexdigest()[:16]} lark {lark.__version__}"


def tables_text(postlex: Any) -> str:
    grammar = GRAMMAR.read_text("utf-8")
    parser = build_parser(grammar, postlex, {})  # Lark's own lexer has found out all it needs
    parser.options.options["postlex"] = None  # not data: whoever loads the tables brings it
    tables = parser.memo_serialize([TerminalDef, Rule])
    _number_anew(tables[0]["parser"]["parser"])
    return json.dumps({"made": made_from(grammar), "tables": tables}, separators=(",", ":")) + "\n"


def _number_anew(parser: dict[str, Any]) -> None:
    """Lark numbers tokens and states as it comes upon them in sets, so in another order each time.
    Here tokens are numbered by their names, and states as they are reached from the first ones."""
    names = sorted(parser["tokens"].values())
    token_of = {name: number for number, name in enumerate(names)}
    tokens = {old: token_of[name] for old, name in parser["tokens"].items()}
    moves: dict[int, dict[int, Any]] = {}  # of each state, in the new order of both
    waiting = list(parser["start_states"].values())[::-1]
    while waiting:
        state = waiting.pop()
        if state not in moves:
            found = {tokens[token]: move for token, move in parser["states"][state].items()}
            moves[state] = dict(sorted(found.items()))
            shifted = [target for reduce, target in moves[state].values() if not reduce]
            waiting += reversed(shifted)
    states = {old: number for number, old in enumerate(moves)}
    parser["tokens"] = dict(enumerate(names))
    parser["states"] = {
        states[old]: {
            token: (reduce, target if reduce else states[target])
            for token, (reduce, target) in found.items()
        }
        for old, found in moves.items()
    }
    for ends in ("start_states", "end_states"):
        parser[ends] = {start: states[state] for start, state in sorted(parser[ends].items())}


def _by_number(found: dict[str, Any]) -> dict[int, Any]:
    """JSON has no numbers as keys, and the tables of the parser have little else."""
    return {int(key): value for key, value in found.items()}


if __name__ == "__main__":
    from interpreter.tree.parse import _Indentation

    TABLES.write_text(tables_text(_Indentation()), "utf-8")
