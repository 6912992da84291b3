"""Statements about pieces: moving, drawing, shuffling and showing them; and rolling dice."""

from __future__ import annotations

from interpreter import limits
from interpreter.model.ruleset import Place
from interpreter.model.types import named
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.scope import Scope
from interpreter.typed.build.targets import entry


def piece(scope: Scope, expr: nodes.Expr, value: v.Value | None = None) -> v.Value | None:
    """A certain piece."""
    given = scope.value(expr) if value is None else value
    found = fitting.single(scope, given, expr.mark)
    kind = scope.ruleset.kinds.get(found.type.name)
    if found.type.sort == "kind" and kind is not None and kind.tracked:
        return fitting.certain(scope, found, expr.mark)
    if found.type.sort != "unknown":
        message = f"a piece is needed here, not {fitting.spoken(found.type)}"
        help_ = "name a piece, such as one from `for each c in` a place"
        if found.type.sort in ("board", "player", "int", "enum", "bool"):
            help_ = "only pieces of a `kind` are moved; a variable gets a value with `:=`"
        if kind is not None and kind.fungible:
            message = f"{kind.name} are counted, so there is no single piece to move"
            help_ = "pieces in a pool are counted: `move 2 of red from ... to ...`"
        scope.error("RR318", message, expr.mark, help_)
    return None


def is_box(scope: Scope, expr: nodes.Expr) -> bool:
    return isinstance(expr, nodes.Name) and expr.name == "box" and "box" not in scope.names


def _target(scope: Scope, expr: nodes.Expr, kind: str) -> v.PlaceAt | s.Box | None:
    """The place that pieces of a kind go to."""
    if is_box(scope, expr):
        return s.Box(expr.mark)
    found = fitting.place(scope, expr, "the target", kind)
    if found is None:
        return None
    place = found.place
    if place.kind != kind:
        message = f"`{place.name}` holds {place.kind}, not {kind}"
        others = [each.name for each in scope.ruleset.places.values() if each.kind == kind]
        help_ = f"{kind} goes to {', '.join(others)}" if others else None
        scope.error("RR319", message, expr.mark, help_)
        return None
    if place.word == "pool":
        message = f"`{place.name}` is a pool, which counts pieces by row"
        scope.error("RR318", message, expr.mark, "write `move 1 of ... from ... to ...`")
        return None
    return found


def _pool_target(
    scope: Scope, expr: nodes.Expr, kind: str, help_: str | None = None
) -> v.PlaceAt | s.Box | None:
    """The pool of a kind that counted pieces go to."""
    if is_box(scope, expr):
        return s.Box(expr.mark)
    found = fitting.place(scope, expr, "the target", kind)
    if found is None or _is_pool_of(found.place, kind):
        return found
    scope.error("RR319", f"`{found.place.name}` is no pool of {kind}", expr.mark, help_)
    return None


def _is_pool_of(place: Place, kind: str) -> bool:
    return place.word == "pool" and place.kind == kind


def _chooser(place: nodes.Expr) -> str:
    """Who would choose from a place: its owner, as it is written."""
    return flat(say_value(place.target)) if isinstance(place, nodes.Dot) else "me"


def move(scope: Scope, each: nodes.Move) -> s.Statement | None:
    given = scope.value(each.what)
    if isinstance(given, v.PlaceAt) and given.place.word not in ("slot", "pool"):
        source, to = flat(say_value(each.what)), flat(say_value(each.target))
        message = f"`{source}` may hold several pieces"
        one = f"`{_chooser(each.what)} chooses c in {source}`, and then `move c to {to}`"
        if given.place.word in ("stack", "bag"):
            one = f"`draw 1 from {source} to {to}`"
        help_ = f"all of them go with `move all from {source} to {to}`; one of them with\n{one}"
        scope.error("RR312", message, each.what.mark, help_)
        return None
    what = piece(scope, each.what, given)
    if what is None:
        return None
    target = _target(scope, each.target, what.type.name)
    if target is None:
        return None
    return s.Move(what, target, each.end == "bottom", mark=each.mark, cites=each.cites)


def move_all(scope: Scope, each: nodes.MoveAll) -> s.Statement | None:
    source = fitting.place(scope, each.source, "the source")
    if source is None:
        return None
    find = _pool_target if source.place.word == "pool" else _target
    target = find(scope, each.target, source.place.kind)
    if target is None:
        return None
    return s.MoveAll(source, target, mark=each.mark, cites=each.cites)


def move_some(scope: Scope, each: nodes.MoveSome) -> s.Statement | None:
    help_ = "`move ... of ...` counts pieces between two pools of one kind"
    source = fitting.place(scope, each.source, "the source")
    if source is None:
        return None
    kind = source.place.kind
    if not _is_pool_of(source.place, kind):
        message = f"`{source.place.name}` is no pool of {kind}"
        scope.error("RR319", message, each.source.mark, help_)
        return None
    target = _pool_target(scope, each.target, kind, help_)
    if target is None:
        return None
    row = fitting.value_as(scope, each.row, named("kind", kind))
    amount = fitting.number(scope, each.amount, "the amount")
    return s.MoveSome(each.up_to, amount, row, source, target, mark=each.mark, cites=each.cites)


def draw(scope: Scope, each: nodes.Draw) -> s.Statement | None:
    source = fitting.place(scope, each.source, "the source")
    if source is None:
        return None
    place = source.place
    if place.word == "pool":
        target = _pool_target(scope, each.target, place.kind)
    else:
        target = _target(scope, each.target, place.kind)
        if target is not None and place.word not in ("stack", "bag"):
            message = f"pieces are drawn from stacks and bags, and `{place.name}` is a {place.word}"
            written = flat(say_value(each.source))
            who = _chooser(each.source)
            help_ = f"choose one with `{who} chooses c in {written}`, and then `move c to ...`"
            scope.error("RR331", message, each.source.mark, help_)
            return None
        _check_refill(scope, place)
    if target is None:
        return None
    amount = fitting.number(scope, each.amount, "the amount")
    return s.Draw(each.up_to, amount, source, target, mark=each.mark, cites=each.cites)


def _check_refill(scope: Scope, place: Place) -> None:
    """An empty stack takes back the used pile, if that is one of its kind."""
    if place.refill is None:
        return
    if place.refill in scope.ruleset.broken:
        return
    used = scope.ruleset.places.get(place.refill)
    if used is None or used.kind != place.kind or used.word == "pool":
        message = f"`{place.refill}` is no place of {place.kind} to refill from"
        help_ = did_you_mean(place.refill, scope.ruleset.places)
        scope.error("RR332", message, place.mark, help_)


def roll(scope: Scope, each: nodes.Roll) -> s.Statement | None:
    if _is_several_dice(scope, each.target):
        return None
    found = entry(scope, each.target)
    if found is None:
        return None
    variable = found[0]
    size = scope.ruleset.type_size(variable.type)
    if size is None or size > limits.OPTIONS:
        message = f"`{variable.name}` is no die: it has no faces"
        help_ = f"declare it with a range or an enum: `{variable.name}: 1..6`"
        scope.error("RR333", message, each.target.mark, help_)
        return None
    return s.Roll(s.Entry(*found, each.target.mark), mark=each.mark, cites=each.cites)


def _is_several_dice(scope: Scope, target: nodes.Expr) -> bool:
    """Whether this is `roll dice` of dice with an index; then it is told how each is rolled."""
    name = target.name if isinstance(target, (nodes.Name, nodes.Dot)) else ""
    variable = scope.ruleset.variables.get(name)
    given = 1 if isinstance(target, nodes.Dot) else 0
    if variable is None or len(variable.dimensions) != given + 1:
        return False
    type_ = variable.dimensions[-1].type
    if type_.sort not in ("int", "enum") or name in scope.names:
        return False
    many = f"{type_.low}..{type_.high}" if type_.sort == "int" else type_.name
    written = flat(say_value(target))
    message = f"`{written}` is several dice, and each is rolled by itself"
    help_ = f"write `for each n in {many}`, and indented under it `roll {written}[n]`"
    scope.error("RR311", message, target.mark, help_)
    return True


def shuffle(scope: Scope, each: nodes.Shuffle) -> s.Statement | None:
    found = fitting.place(scope, each.place, "what is shuffled")
    if found is None:
        return None
    if found.place.word not in ("stack", "bag"):
        message = f"`{found.place.name}` is no stack: it has no order to lose"
        scope.error("RR313", message, each.place.mark, "stacks and bags are shuffled")
        return None
    return s.Shuffle(found, mark=each.mark, cites=each.cites)


def reveal(scope: Scope, each: nodes.Reveal | nodes.Hide) -> s.Statement | None:
    to: v.Value | None = None
    if isinstance(each, nodes.Reveal) and each.to is not None:
        to = fitting.player(scope, each.to, "whom it is shown to")
    value = scope.value(each.what)
    if isinstance(value, v.Read) and value.type.sort != "kind":
        help_ = "all see a variable that is not `secret`; to show a secret, give it to an open one"
        message = f"`{value.variable.name}` is no piece and no place"
        scope.error("RR318", message, each.what.mark, help_)
        return None
    what: v.Value | None = value
    if not isinstance(value, v.PlaceAt) or value.place.word == "slot":
        what = piece(scope, each.what, value)
    elif value.place.word == "pool":
        scope.error("RR318", "a pool is counted, not seen", each.mark)
        return None
    if what is None:
        return None
    if isinstance(each, nodes.Hide):
        return s.Hide(what, mark=each.mark, cites=each.cites)
    return s.Reveal(what, to, mark=each.mark, cites=each.cites)
