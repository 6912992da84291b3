"""Names for values: `let`, also among the conditions of an option, and names that chance gives."""

from __future__ import annotations

from itertools import takewhile

from interpreter.model.types import INT, Type
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.tree.walk import walk
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.domains import bind
from interpreter.typed.build.lookup import check_new, warn_hiding
from interpreter.typed.build.scope import Scope, local_value
from interpreter.typed.walk import Node, walk_all


def let(scope: Scope, each: nodes.Let) -> s.Let:
    value = fitting.single(scope, scope.value(each.value), each.value.mark)
    local = _named(scope, each, value.type)
    scope.builder.made[local] = each.value
    return s.Let(local, value, mark=each.mark, cites=each.cites)


def let_random(scope: Scope, each: nodes.LetRandom) -> s.Body:
    """A name with a value that counts for nothing, to which chance gives another at once."""
    binder = bind(scope, each.binder)[0]
    came = local_value(binder.element, each.mark)
    local = _named(scope, each, came.type)
    nothing = v.Constant(0, type=local.type, mark=each.mark)
    return (
        s.Let(local, nothing, mark=each.mark),
        s.AssignRandom(local, local.mark, binder, came, mark=each.mark, cites=each.cites),
    )


def _named(scope: Scope, each: nodes.Let | nodes.LetRandom, type_: Type) -> v.Local:
    """A name that is new. It may be given other values later, so a literal's narrow range is not
    its type."""
    mark = declared_mark(each)
    value = flat(say_value(each.value)) if isinstance(each, nodes.Let) else "random ..."
    check_new(scope, each.name, mark, value)
    if type_.sort == "int":
        type_ = INT.or_none() if type_.optional else INT
    local = scope.bind(each.name, type_, "let", mark, settable=True)
    warn_hiding(scope, local, mark)
    return local


def parted(
    text: nodes.Text | None, body: tuple[nodes.Statement, ...]
) -> tuple[tuple[nodes.Let, ...], tuple[nodes.Statement, ...]]:
    """The names right below the conditions that the text of an option needs, and all other lines.
    Nothing has changed above such a name, so it means the same as among the conditions. Names that
    the text does not need stay in the body: there, they may use what the chooser does not know."""
    said: list[nodes.Let] = []
    rest: list[nodes.Statement] = []
    needed = set[str]() if text is None else _names_in(text)
    leading = list(takewhile(lambda line: isinstance(line, nodes.Let), body))
    for each in reversed(leading):
        if isinstance(each, nodes.Let) and each.name in needed:
            said.append(each)
            needed |= _names_in(each.value)
        else:
            rest.append(each)
    return tuple(reversed(said)), (*reversed(rest), *body[len(leading) :])


def _names_in(node: nodes.Node) -> set[str]:
    return {each.name for each in walk(node) if isinstance(each, nodes.Name)}


def with_lets(lets: list[s.Let], body: s.Body) -> s.Body:
    """The body of an option with those names from among its conditions that it uses. Nothing has
    changed since they were looked at, so they are worked out once more."""
    for each in reversed(lets):
        if any(each.local is _local(node) for node in walk_all(body)):
            body = (each, *body)
    return body


def _local(node: Node) -> object:
    match node:
        case v.LocalValue():
            return node.local
        case s.Assign() | s.AssignRandom():
            return node.target
        case _:  # no other uses a name itself
            return None
