"""Can the options of every menu be told apart?"""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.typed import statements as s
from interpreter.typed.rules import Rules
from interpreter.typed.walk import Parts, alike

_Key = tuple[str, tuple[str, ...]]  # what an option is called, and its arguments


def check_menus(rules: Rules, parts: Parts, problems: Problems) -> None:
    for menu in parts.of(s.Choose):
        _check_menu(rules, menu, problems)


def _check_menu(rules: Rules, menu: s.Choose, problems: Problems) -> None:
    seen: dict[_Key, s.Offer | s.Declared] = {}
    for offer in menu.offers:
        key = _key(rules, offer)
        first = seen.setdefault(key, offer)
        if first is offer or _told_apart(first, offer):
            continue
        if menu.form == "actions":
            message = f"`{key[0]}` is offered twice"
            problems.error("RR437", message, offer.mark, help="name it once")
        else:
            message = f"`{key[0]}` is offered twice, and nobody could tell which is meant"
            notes = ((first.mark, "the first is here"),)
            help_ = "rename one of them, or give them conditions that exclude each other"
            problems.error("RR437", message, offer.mark, help=help_, notes=notes)
    passing = seen.get(("pass", ()))
    if menu.may and menu.form == "block" and passing is not None:
        message = "`may choose` already offers to pass"
        help_ = "write `chooses` instead of `may choose`, or take this option away"
        problems.error("RR437", message, passing.mark, help=help_)


def _key(rules: Rules, offer: s.Offer | s.Declared) -> _Key:
    if isinstance(offer, s.Offer):
        return offer.name, tuple(binder.element.name for binder in offer.binders)
    action = rules.actions.get(offer.action)
    binders = () if action is None else action.binders
    return offer.action, tuple(binder.element.name for binder in binders)


def _told_apart(one: s.Offer | s.Declared, other: s.Offer | s.Declared) -> bool:
    """Conditions may see to it that only one of them is offered, or their domains differ."""
    if not (isinstance(one, s.Offer) and isinstance(other, s.Offer)):
        return False
    if all(any(isinstance(each, s.When) for each in offer.whens) for offer in (one, other)):
        return True
    return not all(
        alike(left, right) for left, right in zip(one.binders, other.binders, strict=True)
    )
