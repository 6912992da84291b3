"""Counting, adding up, picking and ranking over what can be gone through."""

from __future__ import annotations

from dataclasses import replace

from interpreter.model.types import BOOL, INT, fits, join, named, whole
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.typed import values as v
from interpreter.typed.build import fitting, pieces
from interpreter.typed.build.domains import bind, bind_step, board_of
from interpreter.typed.build.fitting import COUNT
from interpreter.typed.build.scope import Scope


def number_of(scope: Scope, expr: nodes.Unary) -> v.Value:
    """`number of players`, of a place, of a list, or of the values of a type."""
    if isinstance(expr.operand, nodes.Players):
        players = scope.ruleset.players
        called = v.Named("players", "players", "")
        return v.Constant(players, called, type=whole(players, players), mark=expr.mark)
    domain = scope.domain(expr.operand)
    match domain:
        case v.InPlace() if domain.place.place.word != "pool":
            type_ = whole(0, domain.place.place.capacity)
        case v.AllOf():
            return v.Constant(domain.bound, type=whole(domain.bound, domain.bound), mark=expr.mark)
        case _:
            type_ = COUNT
    return v.NumberOf(domain, type=type_, mark=expr.mark)


def quantified(scope: Scope, expr: nodes.Quantified) -> v.Value:
    binders, _ = _nested(scope, expr)
    if expr.word == "count":
        if len(binders) == 1:
            return v.Quantified("count", binders[0], type=COUNT, mark=expr.mark)
        one, more = v.Constant(1, type=whole(1, 1), mark=expr.mark), tuple(binders[1:])
        return v.Aggregate("sum", one, binders[0], None, more, type=COUNT, mark=expr.mark)
    found = v.Quantified("any", binders[-1], type=BOOL, mark=expr.mark)
    for binder in reversed(binders[:-1]):  # one for which there is another inside
        where: v.Value = found
        if binder.where is not None:
            where = v.Logic("and", binder.where, found, type=BOOL, mark=binder.mark)
        found = v.Quantified("any", replace(binder, where=where), type=BOOL, mark=expr.mark)
    return found


def every(scope: Scope, expr: nodes.Every) -> v.Value:
    binders, inner = _nested(scope, expr)
    found = fitting.condition(inner, expr.condition)
    for binder in reversed(binders):
        found = v.Every(binder, found, type=BOOL, mark=expr.mark)
    return found


def _nested(
    scope: Scope, expr: nodes.Quantified | nodes.Every | nodes.Aggregate
) -> tuple[list[v.Binder], Scope]:
    """Binders each inside the one before, and the scope in which the names of all are in force."""
    found: list[v.Binder] = []
    for written in (expr.binder, *expr.more):
        binder, scope = bind(scope, written)
        found.append(binder)
    return found, scope


def aggregate(scope: Scope, expr: nodes.Aggregate) -> v.Value:
    (binder, *nested), inner = _nested(scope, expr)
    more = tuple(nested)
    part = inner.value(expr.value)
    value = fitting.fit(inner, part, INT, expr.value.mark, "what is compared or added up")
    type_ = part.type if part.type.sort == "int" else INT
    if expr.word == "sum":
        return v.Aggregate("sum", value, binder, None, more, type=INT, mark=expr.mark)
    otherwise: v.Value | None = None
    if expr.otherwise is not None:
        other = scope.value(expr.otherwise)
        otherwise = fitting.fit(scope, other, INT, expr.otherwise.mark)
        type_ = join(type_, other.type) or INT
    type_ = type_.certain()
    return v.Aggregate(expr.word, value, binder, otherwise, more, type=type_, mark=expr.mark)


def member_of(scope: Scope, expr: nodes.MemberOf) -> v.Value:
    if isinstance(expr.domain, nodes.Listed):
        return _one_of(scope, expr.element, expr.domain)
    if isinstance(expr.domain, nodes.Name) and pieces.is_box(scope, expr.domain):
        return _in_box(scope, expr)
    domain = scope.domain(expr.domain)
    element = fitting.comparable(scope, scope.value(expr.element, domain.type), expr.element.mark)
    rows = element.type.sort == "row" and element.type.name == domain.type.name
    if not rows and not fits(element.type.certain(), domain.type):
        found = fitting.spoken(element.type)
        message = f"{found} is never found here, where each is {fitting.spoken(domain.type)}"
        scope.error("RR303", message, expr.mark, "look for something of the same type")
        return v.Broken(type=BOOL, mark=expr.mark)
    return v.MemberOf(element, domain, rows, type=BOOL, mark=expr.mark)


def _in_box(scope: Scope, expr: nodes.MemberOf) -> v.Value:
    """Whether a piece is out of the game; of a row, whether one of its copies is."""
    broken = v.Broken(type=BOOL, mark=expr.mark)
    if not scope.builder.testing:
        message = "rules cannot look into the box; only scenarios can"
        help_ = "keep what is still of interest in a place of its own, such as `out: set of Card`"
        scope.error("RR285", message, expr.domain.mark, help_)
        return broken
    element = fitting.comparable(scope, scope.value(expr.element), expr.element.mark)
    kind = scope.ruleset.kinds.get(element.type.name)
    if kind is None or not kind.tracked or element.type.sort not in ("kind", "row"):
        if element.type.sort != "unknown":
            scope.error("RR302", "a piece is needed here", expr.element.mark)
        return broken
    type_ = named("kind", kind.name)
    copies = [fitting.certain(scope, element, expr.element.mark)]
    if element.type.sort == "row":
        if not isinstance(element, v.Constant):
            help_ = f"ask it of pieces: `count(x in {kind.name} where x in box)`"
            scope.error("RR302", "a piece is needed here", expr.element.mark, help_)
            return broken
        rows = enumerate(kind.components)
        found = [piece for piece, row in rows if row == element.value]
        copies = [v.Constant(piece, type=type_, mark=element.mark) for piece in found]
    tests: list[v.Value] = [
        v.Builtin("inBox", (each,), type=BOOL, mark=expr.mark) for each in copies
    ]
    return _any_of(tests, expr.mark)


def _one_of(scope: Scope, element: nodes.Expr, listed: nodes.Listed) -> v.Value:
    """`x in (a, b, c)`: whether it is the first, or the second, and so on."""
    found = [
        scope.value(nodes.Binary("is", element, each, mark=each.mark)) for each in listed.values
    ]
    return _any_of(found, listed.mark)


def _any_of(found: list[v.Value], mark: Mark) -> v.Value:
    while len(found) > 1:  # in pairs, because a long chain would be deep
        pairs = [found[at : at + 2] for at in range(0, len(found), 2)]
        found = [
            v.Logic("or", pair[0], pair[1], type=BOOL, mark=mark) if pair[1:] else pair[0]
            for pair in pairs
        ]
    return found[0]


def pick(scope: Scope, expr: nodes.Pick) -> v.Value:
    """The best element by several keys; what happens on a tie is always said. Without keys all are
    equally good, so it is the only one or none."""
    if expr.keys is not None and expr.keys.ties == "share":
        help_ = "say `ties in order` or `ties none`"
        message = "one thing is picked, so it cannot be shared"
        scope.error("RR322", message, expr.keys.mark, help_)
    binder, inner = bind(scope, expr.binder)
    if expr.keys is not None:
        keys = fitting.keys(inner, expr.keys)
    else:
        alike = v.Constant(0, type=whole(0, 0), mark=expr.mark)
        keys = v.Keys((v.Key("most", alike, expr.mark),), "none", expr.mark)
    type_ = binder.element.type.or_none()
    if type_.sort == "int":
        message = "`pick` chooses among players, pieces, cells and other named things"
        scope.error("RR323", message, expr.mark, "use `max(... for ...)` for numbers")
        return scope.broken(expr.mark)
    return v.Pick(binder, keys, type=type_, mark=expr.mark)


def rank(scope: Scope, expr: nodes.Rank) -> v.Value:
    """1 for the best. `rank` leaves a gap after a tie, `denseRank` does not."""
    binder, inner = bind(scope, expr.binder)
    subject = scope.value(expr.subject, binder.domain.type)
    subject = fitting.fit(scope, subject, binder.domain.type.certain(), expr.subject.mark)
    alone = inner.inner()
    if expr.binder.position is not None:  # the subject itself has no position
        alone.names.pop(expr.binder.position, None)
    key = fitting.key(alone, expr.key)
    return v.Rank(expr.word, subject, key, binder, type=COUNT, mark=expr.mark)


def line(scope: Scope, expr: nodes.Through) -> v.Value:
    """The length of the longest straight row of cells through one cell, all of which satisfy
    the condition; 0 if that cell does not."""
    where = board_of(scope, expr.start)
    if where is None:
        return scope.broken(expr.mark)
    board, start = where
    inner = scope.inner()
    local = inner.bind(expr.name, named("board", board.name), "element", expr.mark)
    test = fitting.condition(inner, expr.where)
    type_ = whole(0, len(board.cells))
    return v.Line(board, start, local, test, type=type_, mark=expr.mark)


def way(scope: Scope, expr: nodes.Way) -> v.Value:
    """`distance(a, b through x from w where ...)`: how long the shortest such way is."""
    if not isinstance(expr.target, nodes.Name) or expr.target.name != "distance":
        help_ = "write `distance(a, b through x where ...)`"
        scope.error("RR301", "only `distance` looks for a way", expr.target.mark, help_)
        return scope.broken(expr.mark)
    where, to = board_of(scope, expr.start), board_of(scope, expr.end)
    if where is None or to is None:
        return scope.broken(expr.mark)
    board, start = where
    if to[0] is not board:
        scope.error("RR302", "two spaces of one board are needed here", expr.mark)
        return scope.broken(expr.mark)
    inner, local, origin = bind_step(scope, expr, named("board", board.name))
    test = fitting.condition(inner, expr.where)
    type_ = whole(-1, len(board.cells))
    return v.Way(board, start, to[1], local, origin, test, type=type_, mark=expr.mark)
