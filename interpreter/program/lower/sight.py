"""Who may know what: options and `say` must not tell secrets, and sealed seats must not meet.

Inside the conditions of an option `Scope.reads_for` is the chooser, inside the text of a `say` it
is `EVERYBODY`, inside a sealed block `Scope.sealed_for` names the seat. What a called function
reads or a called procedure changes is looked at by lowering its body once more for this purpose
only, with the chooser put in where it was passed on; so `worth(me)` may look into a hand that
`worth(next(me))` may not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.model.ruleset import Dimension, FieldInfo, Place, Variable
from interpreter.model.types import PLAYER
from interpreter.program import ops
from interpreter.program.lower import analysis, builtins, effects, expressions, references
from interpreter.program.lower.builder import Builder, Locals, Scope, Value
from interpreter.report.problem import Problem, Problems
from interpreter.report.source import Mark
from interpreter.tree import nodes
from interpreter.tree.walk import walk

if TYPE_CHECKING:
    from interpreter.program.lower.references import PlaceRef

_SEAT = ops.Local(-1)  # the chooser, while a body is looked at for nobody in particular
EVERYBODY = Value(ops.Local(-2), PLAYER)  # who hears what is said
_SEALED = "sealed seat"  # no name: it cannot be typed
_REVEALED = "whoever sees the options would learn it; let it be decided after it is revealed"


def owner_of(dimensions: tuple[Dimension, ...], index: ops.Expr) -> ops.Expr | None:
    """The first index of an entry, when it can be told from the whole position."""
    for dimension in reversed(dimensions[1:]):
        if not isinstance(index, ops.Binary) or index.word != "add":
            return None
        index = index.left
        if dimension.size > 1:
            if not isinstance(index, ops.Binary) or index.word != "multiply":
                return None
            index = index.left
    return index


def belongs_to(dimensions: tuple[Dimension, ...], index: ops.Expr, seat: ops.Expr) -> bool:
    """Whether an entry belongs to this very seat, and not just to one found from it."""
    owned = bool(dimensions) and dimensions[0].type.sort == "player"
    return owned and owner_of(dimensions, index) == seat


# ---- what a chooser may not see


def check_field(scope: Scope, info: FieldInfo, of: Value, mark: Mark) -> None:
    if scope.reads_for is None:
        return
    if info.hidden and _is_said(scope):
        if not _is_ever_shown(scope, of.type.name):
            _refuse_saying(scope, f"`{info.name}` is hidden", mark)
        return
    if info.hidden:
        message = f"`{info.name}` is hidden, but what may be chosen here depends on it"
        scope.builder.error("RR401", message, mark, _REVEALED)
        return
    if not info.on_back:
        check_piece(scope, of, mark)


def check_secret(scope: Scope, variable: Variable, index: ops.Expr, mark: Mark) -> None:
    if scope.reads_for is None or not variable.secret:
        return
    if _is_said(scope):
        help_ = "give its value to a variable that all can see, and say that"
        _refuse_saying(scope, f"`{variable.name}` is secret", mark, help_)
    elif not belongs_to(variable.dimensions, index, scope.reads_for.op):
        message = f"`{variable.name}` is secret, but what others may choose depends on it"
        help_ = "only the choices of its owner may depend on it"
        scope.builder.error("RR402", message, mark, help_)


def check_piece(scope: Scope, piece: Value, mark: Mark) -> None:
    """What a piece is may be asked only where its chooser can see it. A kind with hidden
    fields shows the others to everybody, like the backs of cards."""
    if piece.origin is None or piece.type.name not in scope.builder.ruleset.kinds:
        return
    if scope.builder.ruleset.kinds[piece.type.name].hidden:
        return
    if any(scope.names[name].value.op == piece.op for name in scope.found if name in scope.names):
        # It was found before it is spoken of, and may have come into sight since then.
        if not _is_ever_shown(scope, piece.type.name):
            check_visible(scope, piece.origin, mark)
        return
    check_visible(scope, piece.origin, mark)


def check_visible(scope: Scope, ref: PlaceRef, mark: Mark) -> None:
    place = ref.place
    if scope.reads_for is None or place.seen == "all":
        return
    if _is_said(scope):
        if not {place.name, _ANY} & _revealed(scope.builder).get(place.kind, set()):
            _refuse_saying(scope, f"the pieces in `{place.name}` are hidden", mark)
        return
    own = belongs_to(place.dimensions, ref.index, scope.reads_for.op)
    if place.seen == "owner" and own:
        return
    message = f"the pieces in `{place.name}` are hidden, but what may be chosen depends on them"
    help_ = "whoever sees the options would learn them; decide after they are revealed"
    scope.builder.error("RR403", message, mark, help_)


def check_whereabouts(scope: Scope, piece: Value, mark: Mark) -> None:
    """Asking where a piece lies tells what lies in hidden places."""
    if scope.reads_for is None or piece.origin is not None:
        return
    for place in scope.builder.ruleset.places.values():
        if place.kind == piece.type.name and place.seen != "all":
            if _is_said(scope):
                if not _revealed(scope.builder).get(place.kind):
                    _refuse_saying(scope, f"some {place.kind} lie hidden", mark)
                return
            message = (
                f"some {place.kind} lie hidden in `{place.name}`, "
                "but what may be chosen depends on who holds which"
            )
            scope.builder.error("RR403", message, mark, _REVEALED)
            return


def check_told(scope: Scope, piece: Value, mark: Mark) -> None:
    """The words of an option must not name a piece that its chooser cannot see."""
    place = _unseen(scope, piece)
    if place is None or scope.builder.ruleset.kinds[place.kind].hidden:
        return
    message = f"this text names a piece in `{place.name}` that whoever chooses cannot see"
    help_ = "say where it lies instead of what it is, or leave the text away"
    scope.builder.error("RR403", message, mark, help_)


# ---- what is said to all


def _is_said(scope: Scope) -> bool:
    return scope.reads_for is not None and scope.reads_for.op == EVERYBODY.op


def _refuse_saying(scope: Scope, what: str, mark: Mark, help_: str = "") -> None:
    message = f"{what}, but everybody hears what is said"
    scope.builder.error("RR404", message, mark, help_ or "say it after it is revealed to all")


_ANY = "*"  # a piece is revealed by name, wherever it lies


def _revealed(builder: Builder) -> dict[str, set[str]]:
    """The places whose pieces the rules show to all at some time, by kind. Whether that has
    happened when something is said is not looked into."""
    if builder.revealed is None:
        builder.revealed = {}
        ruleset = builder.ruleset
        declared = [*ruleset.procedures.values(), *ruleset.actions.values(), *ruleset.setup]
        every = [*declared, *ruleset.abilities.values(), *([ruleset.play] if ruleset.play else [])]
        for node in (node for each in every for node in walk(each)):
            if isinstance(node, nodes.Reveal) and node.to is None:
                place = ruleset.places.get(effects.name_of(node.what) or "")
                kinds = [place.kind] if place is not None else ruleset.kinds
                for kind in kinds:
                    builder.revealed.setdefault(kind, set()).add(place.name if place else _ANY)
    return builder.revealed


def _is_ever_shown(scope: Scope, kind: str) -> bool:
    """Whether all can ever see what a piece of this kind is."""
    ruleset = scope.builder.ruleset
    if _revealed(scope.builder).get(kind):
        return True
    return not ruleset.kinds[kind].hidden and any(
        place.kind == kind and place.seen == "all" for place in ruleset.places.values()
    )


# ---- functions and groups that are called


def check_call(scope: Scope, name: str, given: list[Value], mark: Mark) -> None:
    """A function must not read for a chooser what the chooser may not see."""
    chooser = scope.reads_for
    if chooser is None:
        return
    own = tuple(value.op == chooser.op for value in given)
    unseen = tuple(_unseen(scope, value) for value in given)
    declared = scope.builder.ruleset.functions[name]
    said = _is_said(scope)

    def look(inner: Scope) -> None:
        _bind(inner, declared.params, own, unseen, said)
        if isinstance(declared, nodes.Quantity) or declared.value is not None:
            assert declared.value is not None
            expressions.lower(inner, declared.value)
            return
        for let in declared.lets:
            inner.bind(let.name, expressions.lower(inner, let.value))
        for case in declared.cases:
            expressions.lower(inner, case.value)
            if case.condition is not None:
                expressions.condition(inner, case.condition)

    key = ("says" if said else "reads", name, own, tuple(place and place.name for place in unseen))
    _tell(scope, key, look, mark, f"`{name}` reads it here")


def check_group(scope: Scope, group: nodes.Group, given: list[Value], mark: Mark) -> None:
    """The same for a group, whose conditions are asked when it is gone through."""
    from interpreter.program.lower import domains

    chooser = scope.reads_for
    if chooser is None:
        return
    own = tuple(value.op == chooser.op for value in given)
    unseen = tuple(_unseen(scope, value) for value in given)
    said = _is_said(scope)

    def look(inner: Scope) -> None:
        _bind(inner, group.params, own, unseen, said)
        domains.iterate(inner, group.binder, lambda each, element, at: ())

    key = (
        "says all" if said else "goes through",
        group.name,
        own,
        tuple(place and place.name for place in unseen),
    )
    _tell(scope, key, look, mark, f"`{group.name}` reads it here")


def _bind(
    scope: Scope,
    params: tuple[nodes.Param, ...],
    own: tuple[bool, ...],
    unseen: tuple[Place | None, ...],
    said: bool,
) -> None:
    """Parameters for looking into a body: the chooser, or somebody else, or some piece."""
    scope.reads_for = EVERYBODY if said else Value(_SEAT, PLAYER)
    scope.found = frozenset(param.name for param in params if said)
    types = builtins.param_types(scope, params)
    for param, type_, mine, place in zip(params, types, own, unseen, strict=True):
        if mine:
            scope.bind(param.name, Value(_SEAT, type_))
            continue
        bound = scope.fresh(type_)[1]
        if place is not None:
            somewhere = references.PlaceRef(place, scope.fresh(PLAYER)[1].op)
            bound = Value(bound.op, type_, somewhere)
        scope.bind(param.name, bound)


def _unseen(scope: Scope, value: Value) -> Place | None:
    """The hidden place a piece was found in, if its chooser does not see into it."""
    ref = value.origin
    if ref is None or ref.place.seen == "all" or scope.reads_for is None:
        return None
    own = belongs_to(ref.place.dimensions, ref.index, scope.reads_for.op)
    place: Place = ref.place
    return None if place.seen == "owner" and own else place


# ---- what a sealed seat may not touch


def sealed_seat(scope: Scope) -> ops.Expr | None:
    if scope.sealed_for is None:
        return None
    op: ops.Expr = scope.names[scope.sealed_for].value.op
    return op


def check_sealed_write(
    scope: Scope, name: str, dimensions: tuple[Dimension, ...], index: ops.Expr, mark: Mark
) -> bool:
    """Inside `sealed`, a seat changes only what is its own; so the order in which seats
    answer cannot matter."""
    seat = sealed_seat(scope)
    if seat is None or belongs_to(dimensions, index, seat):
        return True
    owner = scope.sealed_for if scope.sealed_for != _SEALED else "the one who chooses"
    message = f"inside `sealed`, only what belongs to `{owner}` may be changed"
    if scope.sealed_for == _SEALED:
        message = "inside `sealed`, only what belongs to the one who chooses may be changed"
    help_ = f"change `{name}` after the sealed block, when all have chosen"
    scope.builder.error("RR420", message, mark, help_)
    return False


def check_sealed_piece(scope: Scope, piece: Value, mark: Mark) -> None:
    """Two seats could take the same piece from a place they share."""
    seat = sealed_seat(scope)
    if seat is None or piece.origin is None:
        return
    place, index = piece.origin.place, piece.origin.index
    if not belongs_to(place.dimensions, index, seat):
        message = (
            f"inside `sealed`, pieces cannot be taken from `{place.name}`: two may take the same"
        )
        help_ = "let everybody choose first, and move the pieces after the sealed block"
        scope.builder.error("RR420", message, mark, help_)


def check_sealed_read(
    scope: Scope, name: str, dimensions: tuple[Dimension, ...], index: ops.Expr, mark: Mark
) -> None:
    """What others change in the block is not there yet for those who answer first."""
    seat = sealed_seat(scope)
    if seat is None or name not in scope.builder.sealed_changes:
        return
    if not belongs_to(dimensions, index, seat):
        message = f"`{name}` of others is still being chosen inside this sealed block"
        help_ = "look at it after the sealed block, when all have chosen"
        scope.builder.error("RR427", message, mark, help_)


def check_sealed_call(scope: Scope, name: str, given: tuple[ops.Expr, ...], mark: Mark) -> None:
    """A procedure called inside a sealed block is held to the same rules."""
    from interpreter.program.lower import straight

    seat = sealed_seat(scope)
    procedure = scope.builder.ruleset.procedures[name]
    if seat is None or name in scope.builder.stopping:
        return
    params = procedure.params if isinstance(procedure, nodes.Procedure) else ()
    own = tuple(op == seat for op in given)

    def look(inner: Scope) -> None:
        inner.straight = True
        inner.bind(_SEALED, Value(_SEAT, PLAYER))
        inner.sealed_for = _SEALED
        types = builtins.param_types(inner, params)
        for param, type_, mine in zip(params, types, own, strict=True):
            if mine:
                inner.bind(param.name, Value(_SEAT, type_))
            else:
                inner.bind(param.name, inner.fresh(type_)[1], settable=True)
        straight.block(inner, procedure.body)

    _tell(scope, ("changes", name, own), look, mark, f"`{name}` does it here")


def sealed_changes(scope: Scope, body: tuple[nodes.Statement, ...]) -> set[str]:
    """The variables that the seats give values to inside a sealed block, and the places they
    move pieces to or from."""
    found = scope.builder.summaries.of(body).changes
    for statement in analysis.statements_in(body):
        if isinstance(statement, (nodes.Move, nodes.MoveAll, nodes.MoveSome)):
            found.add(effects.name_of(statement.target) or "")
        if isinstance(statement, (nodes.MoveAll, nodes.MoveSome)):
            found.add(effects.name_of(statement.source) or "")
    return found


# ---- looking into what is called

_ABOUT_SIGHT = ("RR401", "RR402", "RR403", "RR404", "RR420", "RR427")


def _tell(
    scope: Scope, key: tuple[object, ...], look: Callable[[Scope], None], mark: Mark, note: str
) -> None:
    """Tell at the call what is wrong in the body that is called, and point there."""
    builder = scope.builder
    if key not in builder.looked_into:
        builder.looked_into[key] = []  # what calls itself is looked into once
        builder.looked_into[key] = _found_by(scope, look)
    for problem in builder.looked_into[key]:
        notes = ((problem.mark, note), *problem.notes)
        builder.error(problem.code, problem.message, mark, problem.help, notes)


def _found_by(scope: Scope, look: Callable[[Scope], None]) -> list[Problem]:
    builder = scope.builder
    told, builder.problems = builder.problems, Problems()
    try:
        look(Scope(builder, Locals(), lowering=scope.lowering))
    finally:
        found, builder.problems = builder.problems.items(), told
        # Other mistakes of the body belong to the body; telling them again does no harm.
        builder.problems.extend(each for each in found if each.code not in _ABOUT_SIGHT)
    return [each for each in found if each.code in _ABOUT_SIGHT]
