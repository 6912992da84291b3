"""Statements that ask chance: drawing, rolling, random values."""

from __future__ import annotations

from typing import Any

from interpreter import limits
from interpreter.model.ruleset import Variable
from interpreter.model.types import BOOL, INT, Type, named
from interpreter.program import ops
from interpreter.program.lower import (
    assigning,
    domains,
    expressions,
    fitting,
    moves,
)
from interpreter.program.lower.builder import Body, Locals, Scope, Value
from interpreter.program.lower.instructions import Instructions
from interpreter.program.lower.references import PlaceRef
from interpreter.program.verify import operations
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes


class ChanceCode(Instructions):
    """Lowers the statements that wait for an outcome."""

    def _draw(self, scope: Scope, statement: nodes.Draw) -> None:
        source = expressions.lower_place(scope, statement.source, "the source")
        if source is None:
            return
        scope.builder.used_names.add(source.place.name)
        if source.place.word == "pool":
            self._draw_pool(scope, statement, source)
            return
        kind = source.place.kind
        target = moves.target_place(scope, statement.target, kind, statement.mark)
        if target is None:
            return
        if source.place.word not in ("stack", "bag"):
            name = source.place.name
            message = (
                f"pieces are drawn from stacks and bags, and `{name}` is a {source.place.word}"
            )
            help_ = f"choose one with `p chooses c in {name}`, and `move c to ...`"
            scope.builder.error("RR331", message, statement.source.mark, help_)
            return
        spot = scope.builder.spot(statement.mark)
        left, remaining = scope.cell(INT)
        place_cell, held_source = scope.cell(INT)
        to_cell, held_target = scope.cell(INT)
        self.do(
            ops.SetMemory(left, expressions.lower_as(scope, statement.amount, INT, "the amount")),
            ops.SetMemory(place_cell, source.index),
            ops.SetMemory(to_cell, target),
        )
        # The places are fixed before the first piece moves.
        source = PlaceRef(source.place, held_source.op)
        top, end, ordered = (ops.Label() for _ in range(3))
        self.place(top)
        self.unless(ops.Binary("more", remaining.op, ops.Const(0)), end)
        self.do(ops.SetMemory(left, ops.Binary("subtract", remaining.op, ops.Const(1))))
        self.do(*self._refill(scope, source, statement.mark))
        some = ops.Binary("more", source.cell(0), ops.Const(0))
        if statement.up_to:
            self.unless(some, end)
        else:
            self.do(ops.When(some, (), (ops.Fail("RR606", spot),)))
        address, piece = scope.cell(named("kind", kind))
        move = moves.move_piece(scope, kind, piece.op, held_target.op, False, statement.mark)
        loose = ops.Binary("add", source.cell(1), source.cell(2))
        known = ops.Binary(
            "or",
            ops.Binary("more", source.cell(0), loose),
            ops.Binary("equal", source.cell(1), ops.Const(0)),
        )
        self.unless(known, ordered)
        last = ops.Binary("subtract", source.cell(0), ops.Const(1))
        self.do(ops.SetMemory(address, source.content(last)))
        take = ops.Label()
        self.add(ops.Goto(take))
        self.place(ordered)
        generator = _draw_generator(scope, source)
        self._chance(
            scope,
            generator,
            address,
            f"draw {source.place.name}",
            named("kind", kind),
            statement.mark,
        )
        self.place(take)
        self.do(move)
        self.add(ops.Goto(top))
        self.place(end)

    def _refill(self, scope: Scope, source: PlaceRef, mark: Mark) -> Body:
        """An empty stack takes back the used pile and is shuffled."""
        name = source.place.refill
        if name is None:
            return ()
        used = scope.builder.ruleset.places.get(name)
        if used is None or used.kind != source.place.kind or used.word == "pool":
            message = f"`{name}` is no place of {source.place.kind} to refill from"
            help_ = did_you_mean(name, scope.builder.ruleset.places)
            scope.builder.error("RR332", message, source.place.mark, help_)
            return ()
        index = source.index if used.size == source.place.size else ops.Const(0)
        pile = PlaceRef(used, index)
        empty = ops.Binary("equal", source.cell(0), ops.Const(0))
        number = scope.builder.kind_numbers[source.place.kind]
        refill = moves.empty_place(scope, pile, source.number, mark)
        return (ops.When(empty, (*refill, ops.ShufflePlace(number, source.number))),)

    def _draw_pool(self, scope: Scope, statement: nodes.Draw, source: PlaceRef) -> None:
        target = expressions.lower_place(scope, statement.target, "the target")
        if target is None:
            return
        if target.place.word != "pool" or target.place.kind != source.place.kind:
            message = f"`{target.place.name}` is no pool of {source.place.kind}"
            scope.builder.error("RR319", message, statement.target.mark)
            return
        left, remaining = scope.cell(INT)
        spot = scope.builder.spot(statement.mark)
        self.do(
            ops.SetMemory(left, expressions.lower_as(scope, statement.amount, INT, "the amount"))
        )
        top, end = ops.Label(), ops.Label()
        self.place(top)
        self.unless(ops.Binary("more", remaining.op, ops.Const(0)), end)
        self.do(ops.SetMemory(left, ops.Binary("subtract", remaining.op, ops.Const(1))))
        generator = _pool_generator(scope, source)
        rows = scope.locals.new()
        some, found = scope.fresh(BOOL)
        held = moves.pool_cell(source, ops.Local(rows))
        self.do(
            ops.SetLocal(some, ops.Const(0)),
            ops.CountLoop(
                rows, ops.Const(0), ops.Const(source.place.capacity),
                (ops.When(held, (ops.SetLocal(some, ops.Const(1)),)),),
            ),
        )  # fmt: skip
        flag, has_some = scope.cell(BOOL)
        self.do(ops.SetMemory(flag, found.op))
        if statement.up_to:
            self.unless(has_some.op, end)
        else:
            self.do(ops.When(has_some.op, (), (ops.Fail("RR606", spot),)))
        type_ = named("kind", source.place.kind)
        address, row = scope.cell(type_)
        words = f"draw {source.place.name}"
        self._chance(scope, generator, address, words, type_, statement.mark, pool=target)
        self.do(*moves.pool_transfer(scope, source, target, row.op, ops.Const(1), statement.mark))
        self.add(ops.Goto(top))
        self.place(end)

    def _chance(
        self,
        scope: Scope,
        generator: int,
        address: int,
        words: str,
        type_: Type,
        mark: Mark,
        kept: tuple[Variable, ops.Expr] | None = None,
        pool: PlaceRef | None = None,
    ) -> None:
        builder = scope.builder
        builder.program.events.append(words)
        builder.program.event_types.append(type_)
        event = len(builder.program.events) - 1
        spot = builder.spot(mark)
        if pool is not None and not any(isinstance(o, ops.Local) for o in operations(pool.index)):
            place = list(builder.ruleset.places).index(pool.place.name)
            self.add(ops.Chance(generator, address, event, spot, -1, pool.index, place))
            return
        if kept is None:
            self.add(ops.Chance(generator, address, event, spot))
            return
        number = list(builder.ruleset.variables).index(kept[0].name)
        self.add(ops.Chance(generator, address, event, spot, number, kept[1]))

    def _roll(self, scope: Scope, statement: nodes.Roll) -> None:
        found = assigning.variable_access(scope, statement.target)
        if found is None:
            return
        variable, index = found
        size = scope.builder.ruleset.type_size(variable.type)
        if size is None or size > limits.OPTIONS:
            message = f"`{variable.name}` is no die: it has no faces"
            help_ = f"declare it with a range or an enum: `{variable.name}: 1..6`"
            scope.builder.error("RR333", message, statement.target.mark, help_)
            return
        low = variable.type.low if variable.type.sort == "int" else 0
        generator = _range_generator(scope, low, size)
        address, value = scope.cell(variable.type.certain())
        where, held = scope.cell(INT)
        self.do(ops.SetMemory(where, index))
        words, kept = f"roll {variable.name}", (variable, held.op)
        self._chance(scope, generator, address, words, variable.type, statement.mark, kept)
        self.do(assigning.store(scope, variable, held.op, value, statement.mark))

    def _assign_random(self, scope: Scope, statement: nodes.AssignRandom) -> None:
        builder = scope.builder
        number = builder.function("random", 0)
        inner = scope.inner()
        inner.locals = Locals()
        inner.straight = True
        types: list[Type] = []

        def act(each: Scope, value: Value, at: Value) -> Body:
            types.append(value.type)
            return (ops.Emit((ops.Const(1), value.op)),)

        body = domains.iterate(inner, statement.binder, act)
        function = builder.program.functions[number]
        function.body = (*body, ops.Return(ops.Const(0)))
        function.locals = inner.locals.count
        type_ = types[0] if types else INT
        address, value = scope.cell(type_)
        words = f"random {statement.binder.name}"
        if isinstance(statement.target, nodes.Name) and statement.target.name in scope.names:
            self._chance(scope, number, address, words, type_, statement.mark)
            binding = scope.names[statement.target.name]
            op = fitting.fit(scope, value, binding.value.type, statement.mark)
            if binding.settable and isinstance(binding.value.op, ops.Memory):
                self.do(ops.SetMemory(binding.value.op.address, op))
            else:
                message = f"`{statement.target.name}` cannot be given another value"
                help_ = "introduce a name of your own with `let`"
                builder.error("RR315", message, statement.target.mark, help_)
            return
        found = assigning.variable_access(scope, statement.target)
        if found is not None:
            where, held = scope.cell(INT)
            self.do(ops.SetMemory(where, found[1]))
            kept = (found[0], held.op)
            self._chance(scope, number, address, words, type_, statement.mark, kept)
            self.do(assigning.store(scope, found[0], held.op, value, statement.mark))


# ---- generators of chance


def _emitting(scope: Scope, build: Any) -> int:
    builder = scope.builder
    number = builder.function("chance", 0)
    inner = scope.inner()
    inner.locals = Locals()
    inner.straight = True
    body = build(inner)
    function = builder.program.functions[number]
    function.body = (*body, ops.Return(ops.Const(0)))
    function.locals = inner.locals.count
    return number


def _range_generator(scope: Scope, low: int, size: int) -> int:
    def build(inner: Scope) -> Body:
        index = inner.locals.new()
        value = ops.Binary("add", ops.Local(index), ops.Const(low))
        emit = ops.Emit((ops.Const(1), value))
        return (ops.CountLoop(index, ops.Const(0), ops.Const(size), (emit,)),)

    return _emitting(scope, build)


def _draw_generator(scope: Scope, source: PlaceRef) -> int:
    """Each row once, weighted by its copies in the unordered part; the first copy stands for
    all, since copies in an unordered part cannot be told apart."""
    kind = scope.builder.ruleset.kinds[source.place.kind]
    rows = scope.builder.table(kind.components)

    def build(inner: Scope) -> Body:
        index, other, weight, seen = (inner.locals.new() for _ in range(4))
        mine = ops.Lookup(rows, source.content(ops.Local(index)))
        end = ops.Binary("add", source.cell(1), source.cell(2))
        if all(row.copies <= 1 for row in kind.rows):
            emit = ops.Emit((ops.Const(1), source.content(ops.Local(index))))
            return (ops.CountLoop(index, source.cell(2), end, (emit,)),)
        theirs = ops.Lookup(rows, source.content(ops.Local(other)))
        same = ops.Binary("equal", mine, theirs)
        earlier = ops.Binary("less", ops.Local(other), ops.Local(index))
        counted = (
            ops.When(
                same,
                (
                    ops.When(earlier, (ops.SetLocal(seen, ops.Const(1)), ops.Break())),
                    ops.SetLocal(weight, ops.Binary("add", ops.Local(weight), ops.Const(1))),
                ),
            ),
        )
        emit = ops.Emit((ops.Local(weight), source.content(ops.Local(index))))
        body: Body = (
            ops.SetLocal(weight, ops.Const(0)),
            ops.SetLocal(seen, ops.Const(0)),
            ops.CountLoop(other, source.cell(2), end, counted),
            ops.When(ops.Local(seen), (), (emit,)),
        )
        return (ops.CountLoop(index, source.cell(2), end, body),)

    return _emitting(scope, build)


def _pool_generator(scope: Scope, source: PlaceRef) -> int:
    def build(inner: Scope) -> Body:
        row = inner.locals.new()
        held = moves.pool_cell(source, ops.Local(row))
        emit = ops.When(held, (ops.Emit((held, ops.Local(row))),))
        return (ops.CountLoop(row, ops.Const(0), ops.Const(source.place.capacity), (emit,)),)

    return _emitting(scope, build)
