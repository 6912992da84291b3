"""Statements that ask chance: drawing, rolling, random values."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.model.ruleset import Variable
from interpreter.model.types import BOOL, INT, Type, named
from interpreter.program import ops
from interpreter.program.lower import assigning, moves
from interpreter.program.lower.builder import Body
from interpreter.program.lower.instructions import Instructions
from interpreter.program.lower.loops import iterate
from interpreter.program.lower.reading import place_ref
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.scope import Scope
from interpreter.program.verify import operations
from interpreter.report.source import Mark
from interpreter.typed import statements as typed
from interpreter.typed.values import Local, PlaceAt


class ChanceCode(Instructions):
    """Lowers the statements that wait for an outcome."""

    def draw(self, scope: Scope, statement: typed.Draw) -> None:
        source = place_ref(scope, statement.source)
        if source.place.word == "pool":
            self._draw_pool(scope, statement, source)
            return
        kind = named("kind", source.place.kind)
        target = moves.target_number(scope, statement.target)
        spot = scope.builder.spot(statement.mark)
        left, held_source, held_target = scope.cell(INT), scope.cell(INT), scope.cell(INT)
        self.do(
            ops.SetMemory(left.address, scope.value(statement.amount)),
            ops.SetMemory(held_source.address, source.index),
            ops.SetMemory(held_target.address, target),
        )
        # The places are fixed before the first piece moves.
        source = PlaceRef(source.place, held_source)
        top, end, unordered, take = (ops.Label() for _ in range(4))
        self.place(top)
        self._one_less(left, end)
        self.do(*_refill(scope, source, statement.mark))
        some = ops.Binary("more", source.count, ops.Const(0))
        self._need(some, statement, end, spot)
        piece = scope.cell(kind)
        move = moves.move_piece(scope, kind.name, piece, held_target, statement.mark)
        known = ops.Binary(
            "or",
            ops.Binary("more", source.count, ops.Binary("add", source.loose, source.under)),
            ops.Binary("equal", source.loose, ops.Const(0)),
        )
        self.unless(known, unordered)
        last = ops.Binary("subtract", source.count, ops.Const(1))
        self.do(ops.SetMemory(piece.address, source.content(last)))
        self.add(ops.Goto(take))
        self.place(unordered)
        generator = _draw_generator(scope, source)
        words = f"draw {source.place.name}"
        self._chance(scope, generator, piece, words, kind, statement.mark)
        self.place(take)
        self.do(move)
        self.add(ops.Goto(top))
        self.place(end)

    def _draw_pool(self, scope: Scope, statement: typed.Draw, source: PlaceRef) -> None:
        assert isinstance(statement.target, PlaceAt)
        target = place_ref(scope, statement.target)
        left = scope.cell(INT)
        spot = scope.builder.spot(statement.mark)
        self.do(ops.SetMemory(left.address, scope.value(statement.amount)))
        top, end = ops.Label(), ops.Label()
        self.place(top)
        self._one_less(left, end)
        generator = _pool_generator(scope, source)
        each, found = scope.register(), scope.register()
        look = (ops.When(source.held(each), (ops.SetLocal(found.index, ops.Const(1)),)),)
        rows = (ops.Const(0), ops.Const(source.place.capacity))
        some = scope.cell(BOOL)
        self.do(
            ops.SetLocal(found.index, ops.Const(0)),
            ops.CountLoop(each.index, *rows, look),
            ops.SetMemory(some.address, found),
        )
        self._need(some, statement, end, spot)
        kind = named("kind", source.place.kind)
        row = scope.cell(kind)
        words = f"draw {source.place.name}"
        self._chance(scope, generator, row, words, kind, statement.mark, pool=target)
        self.do(*moves.pool_transfer(scope, source, target, row, ops.Const(1), statement.mark))
        self.add(ops.Goto(top))
        self.place(end)

    def _one_less(self, left: ops.Memory, end: ops.Label) -> None:
        """Go on with one less to draw, or to the end if that were all."""
        self.unless(ops.Binary("more", left, ops.Const(0)), end)
        self.do(ops.SetMemory(left.address, ops.Binary("subtract", left, ops.Const(1))))

    def _need(self, some: ops.Expr, statement: typed.Draw, end: ops.Label, spot: int) -> None:
        """Where there is nothing left to draw, that is the end (`up to`) or a failure."""
        if statement.up_to:
            self.unless(some, end)
        else:
            self.do(ops.When(some, (), (ops.Fail("RR606", spot),)))

    def roll(self, scope: Scope, statement: typed.Roll) -> None:
        variable = statement.target.variable
        index = assigning.entry(scope, statement.target)
        size = scope.builder.ruleset.type_size(variable.type)
        assert size is not None
        low = variable.type.low if variable.type.sort == "int" else 0
        generator = _range_generator(scope, low, size)
        outcome, where = scope.cell(variable.type.certain()), scope.cell(INT)
        self.do(ops.SetMemory(where.address, index))
        words = f"roll {variable.name}"
        goes_to = (variable, where)
        self._chance(scope, generator, outcome, words, variable.type, statement.mark, goes_to)
        self.do(assigning.store(variable, where, outcome))

    def assign_random(self, scope: Scope, statement: typed.AssignRandom) -> None:
        binder, target, mark = statement.binder, statement.target, statement.mark
        generator = _emitting(
            scope,
            "random",
            lambda inner: iterate(
                inner, binder, lambda each, element, at: (ops.Emit((ops.Const(1), element)),)
            ),
        )
        type_ = binder.domain.type
        outcome = scope.cell(type_)
        words = f"random {binder.element.name}"
        inner = scope.inner()
        inner.bind(binder.element, outcome)
        if isinstance(target, Local):
            self._chance(scope, generator, outcome, words, type_, mark)
            self.do(assigning.keep(scope, target, inner.value(statement.value)))
            return
        index = assigning.entry(scope, target)
        where = scope.cell(INT)
        self.do(ops.SetMemory(where.address, index))
        goes_to = (target.variable, where)
        self._chance(scope, generator, outcome, words, type_, mark, goes_to)
        op = assigning.clamped(target.variable, statement.value, inner.value(statement.value))
        self.do(assigning.store(target.variable, where, op))

    def _chance(
        self,
        scope: Scope,
        generator: int,
        outcome: ops.Memory,
        words: str,
        type_: Type,
        mark: Mark,
        goes_to: tuple[Variable, ops.Expr] | None = None,
        pool: PlaceRef | None = None,
    ) -> None:
        """Ask chance. `goes_to` or `pool`: where the outcome is going to be, so that it can be told
        who sees it."""
        builder = scope.builder
        builder.program.events.append(words)
        builder.program.event_types.append(type_)
        event = len(builder.program.events) - 1
        spot = builder.spot(mark)
        variable, number, index = -1, -1, None
        if goes_to is not None:
            variable = list(builder.ruleset.variables).index(goes_to[0].name)
            index = goes_to[1]
        if pool is not None and not _uses_registers(pool.index):
            number = list(builder.ruleset.places).index(pool.place.name)
            index = pool.index
        self.add(ops.Chance(generator, outcome.address, event, spot, variable, index, number))


def _uses_registers(op: ops.Expr) -> bool:
    return any(isinstance(each, ops.Local) for each in operations(op))


def _refill(scope: Scope, source: PlaceRef, mark: Mark) -> Body:
    """An empty stack takes back the used pile and is shuffled."""
    if source.place.refill is None:
        return ()
    used = scope.builder.ruleset.places[source.place.refill]
    index = source.index if used.size == source.place.size else ops.Const(0)
    empty = ops.Binary("equal", source.count, ops.Const(0))
    number = scope.builder.kind_numbers[source.place.kind]
    refill = moves.empty_place(scope, PlaceRef(used, index), source.number, mark)
    return (ops.When(empty, (*refill, ops.ShufflePlace(number, source.number))),)


# ---- generators of chance


def _emitting(scope: Scope, name: str, body: Callable[[Scope], Body]) -> int:
    builder = scope.builder
    number = builder.new_function(name, 0)
    inner = scope.beside()
    emits = body(inner)
    builder.complete(number, (*emits, ops.Return(ops.Const(0))), inner.registers.count)
    return number


def _range_generator(scope: Scope, low: int, size: int) -> int:
    def body(inner: Scope) -> Body:
        index = inner.register()
        emit = ops.Emit((ops.Const(1), ops.Binary("add", index, ops.Const(low))))
        return (ops.CountLoop(index.index, ops.Const(0), ops.Const(size), (emit,)),)

    return _emitting(scope, "chance", body)


def _draw_generator(scope: Scope, source: PlaceRef) -> int:
    """Each row once, weighted by its copies in the unordered part; the first copy stands for
    all, since copies in an unordered part cannot be told apart."""
    kind = scope.builder.ruleset.kinds[source.place.kind]
    rows = scope.builder.table(kind.components)

    def body(inner: Scope) -> Body:
        index, other, weight, seen = (inner.register() for _ in range(4))
        loose = (source.under, ops.Binary("add", source.loose, source.under))
        if all(row.copies <= 1 for row in kind.rows):
            emit = ops.Emit((ops.Const(1), source.content(index)))
            return (ops.CountLoop(index.index, *loose, (emit,)),)
        mine = ops.Lookup(rows, source.content(index))
        theirs = ops.Lookup(rows, source.content(other))
        earlier = ops.Binary("less", other, index)
        count: Body = (
            ops.When(earlier, (ops.SetLocal(seen.index, ops.Const(1)), ops.Break())),
            ops.SetLocal(weight.index, ops.Binary("add", weight, ops.Const(1))),
        )
        emit = ops.Emit((weight, source.content(index)))
        each: Body = (
            ops.SetLocal(weight.index, ops.Const(0)),
            ops.SetLocal(seen.index, ops.Const(0)),
            ops.CountLoop(
                other.index, *loose, (ops.When(ops.Binary("equal", mine, theirs), count),)
            ),
            ops.When(seen, (), (emit,)),
        )
        return (ops.CountLoop(index.index, *loose, each),)

    return _emitting(scope, "chance", body)


def _pool_generator(scope: Scope, source: PlaceRef) -> int:
    def body(inner: Scope) -> Body:
        row = inner.register()
        held = source.held(row)
        emit = ops.When(held, (ops.Emit((held, row)),))
        rows = (ops.Const(0), ops.Const(source.place.capacity))
        return (ops.CountLoop(row.index, *rows, (emit,)),)

    return _emitting(scope, "chance", body)
