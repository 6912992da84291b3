"""Positions that are remembered: what one is made of, and what is asked and said of a history.

A position is kept as numbers of a fixed size. So it must be known before a game begins how many
values it has and how many each can be: what is gone through is all of a type, or a known range.
"""

from __future__ import annotations

from interpreter import limits
from interpreter.model.packing import word_count
from interpreter.model.ruleset import Dimension, History
from interpreter.model.types import INT, whole
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import last_word
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.domains import bind
from interpreter.typed.build.known import constant_of
from interpreter.typed.build.scope import Scope
from interpreter.typed.positions import digits

TIMES_SEEN = "timesSeen"


def type_history(scope: Scope, history: History) -> None:
    kept = tuple(_kept(scope.inner(), each) for each in history.written.kept)
    scope.builder.rules.histories[history.written.name] = kept
    parts = digits(scope.ruleset, kept)
    values = sum(each.many for each in parts)
    cells = 1
    if values <= limits.COLLECTION_ITEMS:
        cells += history.size * word_count(parts)
    if values > limits.COLLECTION_ITEMS or cells * 8 > limits.STATE_BYTES:
        message = f"{history.size} positions of {values} values are more than a game may keep"
        help_ = "remember fewer, or keep less of a position: ranges rather than `int`"
        mark = history.variable.mark
        scope.builder.problems.error("RR240", message, mark, help=help_, limit=True)
    history.variable.dimensions = (Dimension(whole(1, cells), cells, 1),)


def times_seen(scope: Scope, written: list[nodes.Expr], mark: Mark) -> v.Value:
    if len(written) != 1 or not isinstance(written[0], nodes.Name):
        message = f"`{TIMES_SEEN}` is asked of a history, by its name"
        scope.error("RR350", message, mark, f"write `{TIMES_SEEN}(boards)`")
        return scope.broken(mark)
    found = _found(scope, written[0].name, written[0].mark)
    if found is None:
        return scope.broken(mark)
    history, kept = found
    read = v.Read(history.variable, (), type=INT, mark=mark)
    return v.TimesSeen(read, kept, type=whole(0, history.size), mark=mark)


def remember(scope: Scope, each: nodes.Remember) -> s.Statement | None:
    mark = last_word(each.mark, each.name)
    found = _found(scope, each.name, mark)
    if found is None:
        return None
    target = s.Entry(found[0].variable, (), mark)
    return s.Remember(target, found[1], mark=each.mark, cites=each.cites)


def no_value(scope: Scope, name: str, mark: Mark) -> v.Value:
    message = f"`{name}` is a history, and has no value itself"
    help_ = f"ask `{TIMES_SEEN}({name})`, and write `remember {name}` to add to it"
    scope.error("RR350", message, mark, help_)
    return scope.broken(mark)


def _found(scope: Scope, name: str, mark: Mark) -> tuple[History, tuple[v.Kept, ...]] | None:
    ruleset = scope.ruleset
    history = ruleset.histories.get(name)
    if history is None:
        if name not in ruleset.broken:
            help_ = did_you_mean(name, list(ruleset.histories))
            help_ = help_ or f"declare one: `history {name} of the last 200`, and what it keeps"
            scope.error("RR350", f"there is no history `{name}`", mark, help_)
        return None
    kept = scope.builder.rules.histories.get(name)
    if kept is None:  # it is being typed: this stands in what it is made of
        message = f"what `{name}` keeps cannot depend on what `{name}` has seen"
        scope.error("RR351", message, mark, "keep what is on the table")
        return None
    return history, kept


# ---- what a position is made of


def _kept(scope: Scope, each: nodes.Kept) -> v.Kept:
    binders: list[v.Binder] = []
    for written in each.binders:
        binder, scope = bind(scope, written)
        if _is_known(scope, binder):
            binders.append(binder)
    value = fitting.single(scope, scope.value(each.value), each.value.mark)
    if value.type.sort in ("none", "void"):
        message = "a position is made of values that can change"
        scope.error("RR351", message, each.value.mark, "keep a variable, or what a place holds")
        value = scope.broken(each.value.mark)
    return v.Kept(value, tuple(binders), each.mark)


def _is_known(scope: Scope, binder: v.Binder) -> bool:
    """How many there are must not change while a game is played; if it does, that is told."""
    match binder.domain:
        case v.AllPlayers() | v.AllOf() | v.Nowhere():
            known = True
        case v.Range(step=None):
            known = None not in (constant_of(binder.domain.low), constant_of(binder.domain.high))
        case v.Listed():
            known = None not in map(constant_of, binder.domain.values)
        case _:
            known = False
    if known and not binder.tests and binder.position is None:
        return True
    message = "a position has the same parts all through the game"
    help_ = (
        "go through all of a type, `c in Grid`, or numbers that are known, `n in 1..5`;\n"
        "what counts only at times is none otherwise: `(c.owner if c.open else none)`"
    )
    scope.error("RR351", message, binder.mark, help_)
    return False
