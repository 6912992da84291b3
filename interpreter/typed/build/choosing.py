"""Choices: who is asked, what is offered, in which words, and what each offer leads to."""

from __future__ import annotations

from typing import Literal

from interpreter.model.ruleset import Place, Variable
from interpreter.model.types import PLAYER, Type
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import action_mark, part
from interpreter.tree.reserved import RESERVED, reserved_help
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting, instead, lets
from interpreter.typed.build.domains import bind
from interpreter.typed.build.scope import Scope, local_value
from interpreter.typed.build.texts import text_of
from interpreter.typed.seats import owner_of, same_seat

Choice = nodes.ChooseActions | nodes.ChooseValue | nodes.ChooseBlock


def choose(scope: Scope, each: Choice) -> s.Statement | None:
    seat = _seat(scope, each.chooser, each.mark)
    if seat is None:
        return None
    me = v.Local("me", PLAYER, "chooser", each.chooser.mark)
    offers: list[s.Offer | s.Declared]
    otherwise: s.Body | None = None
    kept: v.Local | None = None
    form: Literal["actions", "value", "block"]
    match each:
        case nodes.ChooseActions():
            form = "actions"
            named = [
                _declared(scope, name, action_mark(each, number), ())
                for number, name in enumerate(each.actions)
            ]
            offers = [found for found in named if found is not None]
        case nodes.ChooseValue():
            form = "value"
            offered = _offer(scope, "choose", (each.binder,), each.text, (), (), me, seat, each)
            offers = [offered]
            kept = _keep(scope, each, offered)
        case nodes.ChooseBlock():
            form = "block"
            written = [_written(scope, option, me, seat) for option in each.options]
            offers = [found for found in written if found is not None]
            if each.otherwise is not None:
                otherwise = scope.body(each.otherwise.body)
    return s.Choose(
        form, seat, me, each.chooser.may, each.chooser.always, tuple(offers), otherwise, kept,
        mark=each.mark, cites=each.cites,
    )  # fmt: skip


def _seat(scope: Scope, chooser: nodes.Chooser, mark: Mark) -> v.Value | None:
    if chooser.seat is not None:
        return fitting.player(scope, chooser.seat, "who chooses")
    if "me" in scope.names:
        return local_value(scope.names["me"], mark)
    who = next((name for name in instead.players_here(scope)), "")
    help_ = "put it under `turns`, where the players take turns; or ask all of them once with\n"
    help_ += "`for each p in players`, and `p chooses ...` indented under it"
    if who:
        help_ = f"say who: `{who} chooses ...`"
    scope.error("RR414", "it is not said who chooses", mark, help_)
    return None


def _keep(scope: Scope, each: nodes.ChooseValue, offer: s.Offer) -> v.Local:
    """What was chosen has its name in the lines below."""
    binder = offer.binders[0]
    type_ = binder.element.type.or_none() if each.chooser.may else binder.element.type
    if binder.position is not None:
        scope.names[binder.position.name] = binder.position
    return scope.bind(binder.element.name, type_, "chosen", binder.element.mark)


def _written(
    scope: Scope, option: nodes.Option, me: v.Local, seat: v.Value
) -> s.Offer | s.Declared | None:
    """An entry written in a menu; the bare name of an action offers that action, and what is
    indented under it follows when it is chosen."""
    if option.name in RESERVED and option.name not in scope.ruleset.actions:
        message = f"`{option.name}` is a word of the language, and no entry can be called so"
        help_ = reserved_help(option.name)
        if option.name == "else":
            help_ = "write `otherwise` for what happens when nothing can be chosen"
        scope.error("RR201", message, part(option.mark, 0, len(option.name)), help_)
        return None
    if option.name not in scope.ruleset.actions:
        return _offer(
            scope, option.name, option.binders, option.text, option.whens, option.body, me, seat,
            option,
        )  # fmt: skip
    if option.binders or option.whens or option.text is not None:
        message = f"`{option.name}` is an action already, and this entry would hide it"
        help_ = "write its bare name to offer it, or give this entry another name"
        scope.error("RR335", message, option.mark, help_)
    following = scope.inner()
    following.names["me"] = me
    return _declared(scope, option.name, option.mark, following.body(option.body))


def _declared(scope: Scope, name: str, mark: Mark, then: s.Body) -> s.Declared | None:
    if name not in scope.ruleset.actions and name in scope.ruleset.broken:
        return None  # something else is called so too, which is told
    if name not in scope.ruleset.actions:
        help_ = did_you_mean(name, scope.ruleset.actions) or f"declare it: `action {name}`"
        if name in ("pass", "nothing", "skip", "done"):
            help_ = f"with `may choose` anybody can pass: take `or {name}` away, or declare an\n"
            help_ += f"`action {name}` for more than that"
        scope.error("RR330", f"there is no action `{name}`", mark, help_)
        return None
    return s.Declared(name, then, mark=mark)


def type_action(scope: Scope, action: nodes.Action) -> s.Offer:
    """A declared action knows nothing of where it is offered, only who chooses it."""
    me = v.Local("me", PLAYER, "chooser", action.mark)
    return _offer(
        scope, action.name, action.binders, action.text, action.whens, action.body, me,
        local_value(me, action.mark), action,
    )  # fmt: skip


def _offer(
    scope: Scope,
    name: str,
    written: tuple[nodes.Binder, ...],
    text: nodes.Text | None,
    whens: tuple[nodes.When | nodes.Let, ...],
    body: tuple[nodes.Statement, ...],
    me: v.Local,
    seat: v.Value,
    line: nodes.Line,
) -> s.Offer:
    inner = scope.inner()
    inner.names["me"] = me
    binders: list[v.Binder] = []
    for each in written:
        binder, inner = bind(inner, each)
        binders.append(binder)
    said, rest = lets.parted(text, body)
    head = tuple(_head_line(inner, each) for each in (*whens, *said))
    names = [each for each in head if isinstance(each, s.Let)]
    return s.Offer(
        name,
        me,
        tuple(binders),
        tuple(_form(scope, binder, me, seat) for binder in binders),
        text_of(inner, text) if text is not None else None,
        head,
        lets.with_lets(names, inner.body(rest)),
        mark=line.mark,
        cites=line.cites,
    )


def _head_line(scope: Scope, each: nodes.When | nodes.Let) -> s.When | s.Let:
    if isinstance(each, nodes.Let):
        return lets.let(scope, each)
    return s.When(fitting.condition(scope, each.condition), mark=each.mark, cites=each.cites)


# ---- how an option names what was chosen


def _form(scope: Scope, binder: v.Binder, me: v.Local, seat: v.Value) -> s.Form:
    type_ = binder.domain.type
    kind = scope.ruleset.kinds.get(type_.name)
    if type_.sort != "kind" or kind is None or not kind.tracked:
        return "value"
    found = owner_of(scope.builder.rules, binder.domain)
    places = scope.ruleset.places.values()
    if found is None and (
        kind.hidden or any(p.kind == kind.name and p.seen != "all" for p in places)
    ):
        message = f"some {kind.name} pieces are hidden, and a choice among all would show where"
        help_ = "choose in a place: `c in me.hand`; to name a card, choose a member of an enum"
        scope.error("RR403", message, binder.mark, help_)
    if found is None or kind.hidden or not _sees(*found, me, seat):
        if found is not None:
            scope.builder.rules.by_position.add(found[0].name)
        return "place"
    return "copy" if _carries(scope, type_) else "row"


def _sees(place: Place, owner: v.Value | None, me: v.Local, seat: v.Value) -> bool:
    if place.seen == "all":
        return True
    return place.seen == "owner" and owner is not None and same_seat(owner, me, seat)


def _carries(scope: Scope, kind: Type) -> bool:
    """Whether a piece has places or tables of its own, so that two copies are not alike."""
    ruleset = scope.ruleset
    things: list[Place | Variable] = [*ruleset.places.values(), *ruleset.variables.values()]
    return any(
        kind in (dimension.type for dimension in thing.dimensions)
        and (len(thing.dimensions) > 1 or isinstance(thing, Place))
        for thing in things
    )
