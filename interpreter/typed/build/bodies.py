"""Statements: what each of them says, and where a body can be left."""

from __future__ import annotations

from typing import assert_never

from interpreter.model.types import INT, PLAYER, Type, fits
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.marks import part
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import choosing, fitting, instead, lets, pieces
from interpreter.typed.build.calls import procedure_call
from interpreter.typed.build.domains import bind
from interpreter.typed.build.histories import remember
from interpreter.typed.build.lookup import check_new
from interpreter.typed.build.scope import Left, Loop, Scope, local_value
from interpreter.typed.build.targets import entry
from interpreter.typed.build.texts import text_of

_ENDS = (nodes.Jump, nodes.Leave, nodes.Wins, nodes.Loses, nodes.Together, nodes.EndGame)


def body(scope: Scope, statements: tuple[nodes.Statement, ...]) -> s.Body:
    inner = scope.inner()
    found: list[s.Statement] = []
    for position, each in enumerate(statements):
        typed = _statement(inner, each)
        if typed is not None:
            found += typed if isinstance(typed, tuple) else (typed,)
        if isinstance(each, _ENDS) and position + 1 < len(statements):
            message = "nothing after this point is ever carried out"
            help_ = "take it away, or move it up"
            scope.error("RR410", message, statements[position + 1].mark, help_)
            break
    return tuple(found)


def _statement(scope: Scope, each: nodes.Statement) -> s.Statement | s.Body | None:
    """A statement or several, or None if it was understood too little to stand in a tree."""
    match each:
        case nodes.Assign():
            return _assign(scope, each)
        case nodes.AssignRandom():
            return _assign_random(scope, each)
        case nodes.Let():
            return lets.let(scope, each)
        case nodes.LetRandom():
            return lets.let_random(scope, each)
        case nodes.Do():
            found = procedure_call(scope, each.call, each.mark)
            if found is None:
                return None
            return s.Do(*found, each.call.mark, mark=each.mark, cites=each.cites)
        case nodes.Jump():
            return _jump(scope, each)
        case nodes.Leave():
            return _leave(scope, each)
        case nodes.If():
            return _if(scope, each)
        case nodes.ForEach():
            return _for_each(scope, each)
        case nodes.Repeat():
            return _repeat(scope, each)
        case nodes.Turns():
            return _turns(scope, each)
        case nodes.Sealed():
            return _sealed(scope, each)
        case nodes.LookingAhead():
            return s.LookingAhead(scope.body(each.body), mark=each.mark, cites=each.cites)
        case nodes.ChooseActions() | nodes.ChooseValue() | nodes.ChooseBlock():
            return choosing.choose(scope, each)
        case nodes.Shuffle():
            return pieces.shuffle(scope, each)
        case nodes.Draw():
            return pieces.draw(scope, each)
        case nodes.Move():
            return pieces.move(scope, each)
        case nodes.MoveAll():
            return pieces.move_all(scope, each)
        case nodes.MoveSome():
            return pieces.move_some(scope, each)
        case nodes.Roll():
            return pieces.roll(scope, each)
        case nodes.Reveal() | nodes.Hide():
            return pieces.reveal(scope, each)
        case nodes.Remember():
            return remember(scope, each)
        case nodes.Wins():
            if each.who is None:
                return s.Wins("draw", None, mark=each.mark, cites=each.cites)
            winner = fitting.player(scope, each.who, "who wins")
            return s.Wins("win", winner, mark=each.mark, cites=each.cites)
        case nodes.Loses():
            loser = fitting.player(scope, each.who, "who loses")
            return s.Wins("lose", loser, mark=each.mark, cites=each.cites)
        case nodes.Together():
            those = None if each.who is None else _together(scope, each.who)
            return s.Wins(each.word, those, mark=each.mark, cites=each.cites)
        case nodes.EndGame():
            return s.EndGame(mark=each.mark, cites=each.cites)
        case nodes.Say():
            to = None if each.to is None else fitting.player(scope, each.to, "who hears this")
            return s.Say(text_of(scope, each.text), to, mark=each.mark, cites=each.cites)
        case _:
            assert_never(each)


# ---- values and names


def _target(
    scope: Scope, target: nodes.Expr, value: nodes.Expr | None = None
) -> s.Entry | v.Local | None:
    if isinstance(target, nodes.Name) and target.name in scope.names:
        local = scope.names[target.name]
        if local.settable:
            return local
        message = f"`{target.name}` cannot be given another value"
        help_ = "introduce a name of your own with `let`"
        given = flat(say_value(value)) if value is not None else "..."
        had = instead.had_by(scope, local.type, scope.value(value).type) if value else []
        if had:
            help_ = f"say what of it changes: `{target.name}.{had[0]} := {given}`"
        scope.error("RR315", message, target.mark, help_)
        return None
    found = entry(scope, target, value)
    return None if found is None else s.Entry(*found, target.mark)


def _target_type(target: s.Entry | v.Local, value: v.Value) -> Type:
    """What can be given to a target; what is clamped takes any number."""
    if isinstance(target, v.Local):
        return target.type
    if target.variable.clamped and value.type.sort == "int":
        return INT
    return target.variable.type


def _target_words(target: s.Entry | v.Local) -> str:
    return "the value" if isinstance(target, v.Local) else f"the value of `{target.variable.name}`"


def _together(scope: Scope, who: nodes.Binder) -> v.Binder:
    """Those who win or lose together: players, and nothing else that can be gone through."""
    binder, inner = bind(scope, who)
    element = local_value(binder.element, who.mark)
    fitting.fit(inner, element, PLAYER, who.mark, "who wins or loses")
    return binder


def _assign(scope: Scope, each: nodes.Assign) -> s.Statement | None:
    target = _target(scope, each.target, each.value)
    if target is None:
        return None
    if each.operator == ":=":
        wanted = target.type if isinstance(target, v.Local) else target.variable.type
        value = fitting.single(scope, scope.value(each.value, wanted), each.value.mark)
        mark = each.value.mark
    else:
        current = _current(target, each.target.mark)
        if not fits(current.type, INT):
            instead.tell_no_number(scope, each, current.type)
            return None
        before = fitting.fit(scope, current, INT, each.target.mark, "what is changed")
        by = fitting.number(scope, each.value, "the change")
        word: v.ArithmeticWord = "add" if each.operator == "+=" else "subtract"
        value = v.Arithmetic(word, before, by, False, type=INT, mark=each.mark)
        mark = each.value.mark if isinstance(target, v.Local) else each.mark
    value = fitting.fit(scope, value, _target_type(target, value), mark, _target_words(target))
    return s.Assign(
        target, each.target.mark, each.operator, value, mark=each.mark, cites=each.cites
    )


def _current(target: s.Entry | v.Local, mark: Mark) -> v.Value:
    if isinstance(target, v.Local):
        return local_value(target, mark)
    return v.Read(target.variable, target.indexes, type=target.variable.type, mark=mark)


def _assign_random(scope: Scope, each: nodes.AssignRandom) -> s.Statement | None:
    binder, inner = bind(scope, each.binder)
    target = _target(scope, each.target)
    if target is None:
        return None
    came = local_value(binder.element, each.mark)
    value = fitting.fit(inner, came, _target_type(target, came), each.mark, _target_words(target))
    return s.AssignRandom(target, each.target.mark, binder, value, mark=each.mark, cites=each.cites)


# ---- flow


def _jump(scope: Scope, each: nodes.Jump) -> s.Statement:
    again = each.word == "again"
    if not any(loop.turns or not again for loop in scope.loops):
        message = f"`{each.word}` stands in no loop"
        help_ = (
            "it belongs in `repeat`, `for each` or `turns`; an action can end a loop by its name:\n"
            "`repeat as acting` and `leave acting`, or a procedure: `leave takeTurn`"
        )
        if again:
            message = "`again` stands in no turns"
            help_ = (
                "it gives another turn to the same player, inside `turns`, and an action does not\n"
                "know where it is offered: there, write `choose` on a line of its own, indented\n"
                "under it the name of the action, and under that `again`"
            )
        scope.error("RR411", message, each.mark, help_)
    return s.Jump(each.word, mark=each.mark, cites=each.cites)


def _leave(scope: Scope, each: nodes.Leave) -> s.Statement:
    mark = part(each.mark, len("leave "), len(each.name))
    loops = tuple(loop.label for loop in scope.loops if loop.label)
    own = each.name == r.declared_name(scope.procedure) and each.name not in loops
    name = scope.procedure if own else each.name
    in_turns = bool(scope.loops) and scope.loops[-1].turns
    scope.builder.left.append(Left(name, mark, loops, scope.procedure, in_turns))
    return s.Leave(name, mark=each.mark, cites=each.cites)


def _if(scope: Scope, each: nodes.If) -> s.Statement:
    arms = tuple(
        s.Arm(
            fitting.condition(scope, arm.condition), scope.body(arm.body),
            mark=arm.mark, cites=arm.cites,
        )
        for arm in each.arms
    )  # fmt: skip
    otherwise = None if each.otherwise is None else scope.body(each.otherwise.body)
    return s.If(arms, otherwise, mark=each.mark)


def _for_each(scope: Scope, each: nodes.ForEach) -> s.Statement:
    binder, inner = bind(scope, each.binder)
    keys: v.Keys | None = None
    if each.keys is not None:
        if each.keys.ties != "in order":
            help_ = "say `ties in order`: equal ones come in the order they are gone through"
            scope.error("RR322", "in a loop, ties need an order", each.keys.mark, help_)
        keys = fitting.keys(inner, each.keys)
    inner.loops.append(Loop(each.label))
    return s.ForEach(
        binder, keys, each.label, inner.body(each.body), mark=each.mark, cites=each.cites
    )


def _repeat(scope: Scope, each: nodes.Repeat) -> s.Statement:
    value: v.Value | None = None
    if each.value is not None:
        if each.how == "times":
            value = fitting.number(scope, each.value, "the number of times")
        else:
            value = fitting.condition(scope, each.value)
    inner = scope.inner()
    inner.loops.append(Loop(each.label))
    return s.Repeat(
        each.how, value, each.label, inner.body(each.body), mark=each.mark, cites=each.cites
    )


def _turns(scope: Scope, each: nodes.Turns) -> s.Statement:
    if each.name is not None:
        check_new(scope, each.name, each.mark)
    start = fitting.player(scope, each.start, "who begins") if each.start is not None else None
    inner = scope.inner()
    seat = inner.bind(each.name or "me", PLAYER, "seat", each.mark)
    inner.names["me"] = seat
    where = fitting.condition(inner, each.where) if each.where is not None else None
    inner.loops.append(Loop(each.label or "turn", turns=True))
    return s.Turns(
        seat, start, where, each.label, inner.body(each.body), mark=each.mark, cites=each.cites
    )


def _sealed(scope: Scope, each: nodes.Sealed) -> s.Statement:
    check_new(scope, each.name, each.mark)
    inner = scope.inner()
    seat = inner.bind(each.name, PLAYER, "seat", each.mark)
    # Whoever has the turn is still `me` in the condition, so that it can be asked for.
    where = None if each.where is None else fitting.condition(inner, each.where)
    inner.names["me"] = seat
    inner.loops = []
    body = inner.body(each.body)
    return s.Sealed(seat, where, body, mark=each.mark, cites=each.cites)
