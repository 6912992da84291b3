"""The whole lowering: lay out the state, lower every body, flatten the code, place frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interpreter import limits
from interpreter.model.ruleset import Dimension, FieldInfo, KindInfo, Place, Ruleset
from interpreter.model.types import INT, NONE_NAMED, PLAYER
from interpreter.program import layout, ops
from interpreter.program.layout import Index, KindLayout, PlaceLayout, VariableLayout
from interpreter.program.lower import (
    abilities,
    aggregates,
    analysis,
    assigning,
    builtins,
    domains,
    expressions,
    moves,
    routines,
    straight,
    unused,
)  # fmt: skip
from interpreter.program.lower.builder import Body, Builder, Locals, Scope, Value, resolve_cell
from interpreter.program.lower.check_flow import check_flow
from interpreter.program.lower.check_places import check_places
from interpreter.program.lower.check_words import check_labels, check_words
from interpreter.program.lower.references import PlaceRef
from interpreter.program.lower.scenarios import lower_scenarios
from interpreter.program.program import BoardWords, Program
from interpreter.program.verify import inner_fields, verify
from interpreter.report.problem import Enough, Problem, Problems
from interpreter.report.source import Mark
from interpreter.report.visible import small, spaced
from interpreter.tree import nodes

SEALED_CAPACITY = 64


def assemble(
    ruleset: Ruleset,
    problems: Problems,
    trials: Sequence[nodes.Scenario] = (),
    *,
    watched: bool = False,
) -> Program | None:
    """The program of a ruleset, or None if it has problems. With scenarios it starts where
    they say, and has their questions as functions."""
    abilities.check_abilities(ruleset, problems)
    check_words(ruleset, problems)
    abilities.unfold_reactions(ruleset, problems)
    builder = Builder(ruleset, problems, watched=watched)
    _lay_out(builder)
    builder.stopping = analysis.stopping_procedures(ruleset)
    if ruleset.play is None:
        mark = Mark.top(ruleset.file)
        help_ = "add a `play` block: it says what happens in which order"
        problems.error("RR204", "nothing says how the game is played", mark, help=help_)
        return None
    _main(builder, ruleset.play, starts=not trials)
    if trials:
        builder.program.trials = lower_scenarios(builder, trials, _start)
    _ends(builder)
    _rest(builder)
    _check_recursion(builder)
    if problems.has_errors:
        return None
    return _finish(builder)


# ---- layout


def _lay_out(builder: Builder) -> None:
    ruleset, program = builder.ruleset, builder.program
    found = program.layout
    found.players = ruleset.players
    found.scores = layout.HEADER
    address = layout.HEADER + ruleset.players
    found.sealed_length = address
    address += ruleset.players
    for variable in ruleset.variables.values():
        variable.address = address
        address += variable.size
    instances: dict[str, int] = {}
    for place in ruleset.places.values():
        place.address = address
        address += place.size * place.stride
        if place.word != "pool":
            place.first = instances.get(place.kind, 1)
            instances[place.kind] = place.first + place.size
        if address * 8 > limits.STATE_BYTES:
            # Laying it out would take the memory that it must not take.
            raise Enough(_state_too_big(address, place.mark))
    for name in builder.kind_numbers:
        address = _lay_out_kind(builder, name, address)
    found.size = address
    for variable in ruleset.variables.values():
        shown = VariableLayout(
            variable.name, variable.address, _indexes(variable.dimensions), variable.type,
            variable.secret,
        )  # fmt: skip
        found.variables.append(shown)
    for place in ruleset.places.values():
        found.places.append(
            PlaceLayout(
                place.name, place.word, builder.kind_numbers[place.kind], place.address,
                place.first, place.stride, place.capacity, _indexes(place.dimensions), place.seen,
            )
        )  # fmt: skip
    program.most_moves = ruleset.most_moves
    program.enums = {name: tuple(members) for name, members in ruleset.enums.items()}
    for kind in ruleset.kinds.values():
        if not kind.physical:
            program.enums[kind.name] = tuple(row.name for row in kind.rows)
            program.labels[kind.name] = tuple(row.label for row in kind.rows)
    for board in ruleset.boards.values():
        program.boards[board.name] = BoardWords(
            board.name, board.shape, tuple(board.cells), tuple(board.coordinates),
            tuple(board.directions), tuple(row.label for row in board.rows),
        )  # fmt: skip
    for name, rows in (
        *((kind.name, kind.rows) for kind in ruleset.kinds.values()),
        *((board.name, board.rows) for board in ruleset.boards.values()),
    ):
        if any(row.sign for row in rows):
            program.signs[name] = tuple(row.sign for row in rows)


def _state_too_big(size: int, mark: Mark) -> Problem:
    message = f"a state of this game would need {size * 8} bytes"
    help_ = f"at most {limits.STATE_BYTES} are accepted: use smaller indexes, boards or places"
    return Problem("RR240", message, mark, help=help_, limit=True)


def _indexes(dimensions: tuple[Dimension, ...]) -> tuple[Index, ...]:
    return tuple(Index(each.type, each.size, each.offset) for each in dimensions)


def _lay_out_kind(builder: Builder, name: str, address: int) -> int:
    ruleset = builder.ruleset
    kind = ruleset.kinds[name]
    components = kind.components if kind.tracked else []
    places = [p for p in ruleset.places.values() if p.kind == name and p.word != "pool"]
    everyone = (1 << ruleset.players) - 1
    private = kind.hidden or any(place.seen != "all" for place in places)
    where, position = address, address + len(components)
    address += 2 * len(components)
    known = address if private else -1
    address += len(components) if private else 0
    addresses, capacities, viewers, sorted_, names = [0], [0], [0], [False], ["box"]
    for place in places:
        for number in range(place.size):
            addresses.append(place.address + number * place.stride)
            capacities.append(place.capacity)
            viewers.append(_viewers(place, number, everyone))
            sorted_.append(place.word in ("set", "hand", "bag"))
            names.append(_instance_name(builder, place, number))
    public = [info for info in kind.fields.values() if not info.hidden]
    labels: list[str] = []
    for number, row in enumerate(kind.rows):
        if not kind.hidden:
            labels.append(row.label)
            continue
        words = [
            _field_words(builder, info.type, info.values[number])
            for info in public
            if not info.dimensions and info.type.sort != "list" and info.values
        ]
        labels.append(" ".join(words) or kind.name[:1].lower() + kind.name[1:])
    builder.program.layout.kinds.append(
        KindLayout(
            name, tuple(row.name for row in kind.rows), tuple(row.label for row in kind.rows),
            tuple(components), where, position, known, kind.fungible, kind.hidden, tuple(labels),
            tuple(addresses), tuple(capacities), tuple(viewers), tuple(sorted_), tuple(names),
            ruleset.players, _backs(ruleset, kind),
        )
    )  # fmt: skip
    return address


def _backs(ruleset: Ruleset, kind: KindInfo) -> tuple[str, ...]:
    """How the pieces of each row look from behind: `red card`. Other backs, other words."""
    fields = [info for info in kind.fields.values() if info.on_back and info.values]
    if not fields:
        return ()
    labels: dict[tuple[int, ...], str] = {}
    backs = [tuple(info.values[row] for info in fields) for row in range(len(kind.rows))]
    for back in sorted(set(backs)):
        words = [_back_word(ruleset, info, value) for info, value in zip(fields, back, strict=True)]
        label = " ".join(word for word in [*words, small(kind.name)] if word)
        labels[back] = label if label not in labels.values() else f"{label} {len(labels) + 1}"
    return tuple(labels[back] for back in backs)


def _back_word(ruleset: Ruleset, info: FieldInfo, value: int) -> str:
    if value == info.type.none and info.type.optional:
        return ""
    match info.type.sort:
        case "bool":
            return spaced(info.name) if value else ""
        case "enum":
            return spaced(ruleset.enums[info.type.name][value])
        case "kind" | "table":
            kind = ruleset.kinds[info.type.name]
            return kind.rows[kind.components[value] if kind.tracked else value].label
        case _:
            return f"{spaced(info.name)} {value}"


def _field_words(builder: Builder, type_: Any, value: int) -> str:
    if type_.sort == "enum" and 0 <= value < len(builder.ruleset.enums[type_.name]):
        return builder.ruleset.enums[type_.name][value]
    return str(value)


def _viewers(place: Place, number: int, everyone: int) -> int:
    if place.seen == "all":
        return everyone
    if place.seen == "nobody":
        return 0
    span = place.size // place.dimensions[0].size
    return int(1 << (number // span))


def _instance_name(builder: Builder, place: Place, number: int) -> str:
    parts: list[str] = []
    for dimension in reversed(place.dimensions):
        number, index = divmod(number, dimension.size)
        parts.append(_index_name(builder, dimension, index))
    parts.reverse()
    owned = bool(place.dimensions) and place.dimensions[0].type == PLAYER
    if owned:
        rest = f"[{','.join(parts[1:])}]" if parts[1:] else ""
        return f"{parts[0]}.{place.name}{rest}"
    return f"{place.name}[{','.join(parts)}]" if parts else place.name


def _index_name(builder: Builder, dimension: Dimension, index: int) -> str:
    ruleset = builder.ruleset
    match dimension.type.sort:
        case "player":
            return f"P{index + 1}"
        case "enum":
            return ruleset.enums[dimension.type.name][index]
        case "board":
            return ruleset.boards[dimension.type.name].cells[index]
        case "kind" | "table":
            kind = ruleset.kinds[dimension.type.name]
            row = kind.components[index] if kind.tracked else index
            return kind.rows[row].name
        case _:
            return str(index + dimension.offset)


# ---- code


def _main(builder: Builder, play: nodes.Play, *, starts: bool) -> None:
    ruleset, program = builder.ruleset, builder.program
    number = routines.new_routine(builder, "play", 0)
    scope = Scope(builder, Locals(), routine=number)
    code = routines.RoutineCode(scope, builder.stopping)
    for variable in ruleset.variables.values():
        value = assigning.start_value(scope, variable)
        if value:
            program.initial.extend((variable.address + i, value) for i in range(variable.size))
    if starts:
        _start(code, setup=True)
    builder.phase = "play"
    code.block(scope, play.body)
    code.add(ops.Over(False))
    routines.finish(builder, code, number)
    program.routines[number].root = True


def _start(code: routines.RoutineCode, *, setup: bool) -> None:
    """Put the pieces where they are at first; then set up."""
    scope = code.scope
    ruleset = scope.builder.ruleset
    for place in ruleset.places.values():
        if place.holds_all:
            code.do(*_holds_all(scope.builder, scope, place))
    for each in ruleset.setup if setup else ():
        scope.builder.phase = "setup"
        code.block(scope, each.body)


def _holds_all(builder: Builder, scope: Scope, place: Place) -> Body:
    """Put every piece that satisfies the condition into the place. Under `each`, a place is
    filled only with pieces that no earlier instance has taken."""
    kind = builder.ruleset.kinds[place.kind]
    if place.word == "pool":
        body: Body = ()
        for row, info in enumerate(kind.rows):
            body += (ops.SetMemory(place.address + row, ops.Const(info.copies)),)
        return body
    index = scope.locals.new()
    ref = PlaceRef(place, ops.Const(0))
    spot = moves.move_piece(scope, place.kind, ops.Local(index), ref.number, False, place.mark)
    fill: Body = (spot,)
    if place.holds_where is not None:
        inner = scope.inner()
        inner.straight = True
        name = place.kind[:1].lower() + place.kind[1:]
        type_ = domains.place_domain(inner, ref).type
        inner.bind(name, Value(ops.Local(index), type_))
        inner.bind("it", Value(ops.Local(index), type_))
        fill = (ops.When(expressions.condition(inner, place.holds_where), fill),)
    if place.size > 1:
        message = "`holds all` needs one place, and this is one for each of several"
        builder.error("RR249", message, place.mark, "move the pieces in `setup`")
    return (ops.CountLoop(index, ops.Const(0), ops.Const(len(kind.components)), fill),)


def _ends(builder: Builder) -> None:
    ruleset, program = builder.ruleset, builder.program
    if ruleset.score is not None:
        program.score = builder.function("score", 1)
        scope = Scope(builder, Locals(), straight=True)
        scope.bind(ruleset.score.name, scope.fresh(PLAYER)[1])
        builder.phase = "score"
        result = expressions.lower_as(scope, ruleset.score.value, INT, "a score")
        _complete(builder, program.score, (ops.Return(result),), scope)
    if ruleset.winner is not None:
        program.winners = _winners(builder, ruleset.winner.name, ruleset.winner.keys)
    elif ruleset.score is not None:
        key = nodes.Key("most", ruleset.score.value, mark=ruleset.score.mark)
        keys = nodes.Keys((key,), "share", mark=ruleset.score.mark)
        program.winners = _winners(builder, ruleset.score.name, keys)
    for always in ruleset.always:
        scope = Scope(builder, Locals(), straight=True)
        number = builder.function("always", 0)
        builder.phase = "always"
        test = expressions.condition(scope, always.condition)
        _complete(builder, number, (ops.Return(test),), scope)
        text = always.text or "an `always` of the rules does not hold"
        program.always.append((number, text, builder.spot(always.mark, always.cites)))


def _winners(builder: Builder, name: str, keys: nodes.Keys) -> int:
    """A function giving the bit mask of those whose keys nobody beats."""
    number = builder.function("winners", 0)
    scope = Scope(builder, Locals(), straight=True)
    builder.phase = "winner"
    players = builder.ruleset.players
    columns = [scope.locals.new(players) for _ in keys.keys]
    seat, other, mask, beaten = (scope.locals.new() for _ in range(4))
    inner = scope.inner()
    inner.bind(name, Value(ops.Local(seat), PLAYER))
    measure: Body = tuple(
        ops.SetLocalAt(column, ops.Local(seat), op)
        for column, op in zip(columns, aggregates.sort_keys(inner, keys), strict=True)
    )
    worse: ops.Expr = ops.Const(0)
    if keys.ties == "in order":
        worse = ops.Binary("less", ops.Local(other), ops.Local(seat))
    for column in reversed(columns):
        mine, theirs = ops.LocalAt(column, ops.Local(seat)), ops.LocalAt(column, ops.Local(other))
        equal = ops.Binary("and", ops.Binary("equal", theirs, mine), worse)
        worse = ops.Binary("or", ops.Binary("less", theirs, mine), equal)
    everyone = (ops.Const(0), ops.Const(players))
    bit = ops.Binary("shift", ops.Const(1), ops.Local(seat))
    judge: Body = (
        ops.SetLocal(beaten, ops.Const(0)),
        ops.CountLoop(other, *everyone, (ops.When(worse, (ops.SetLocal(beaten, ops.Const(1)),)),)),
        ops.When(
            ops.Local(beaten), (),
            (ops.SetLocal(mask, ops.Binary("bitOr", ops.Local(mask), bit)),),
        ),
    )  # fmt: skip
    body: Body = (
        ops.CountLoop(seat, *everyone, measure),
        ops.SetLocal(mask, ops.Const(0)),
        ops.CountLoop(seat, *everyone, judge),
    )
    if keys.ties == "none":
        single = ops.Binary(
            "bitAnd", ops.Local(mask), ops.Binary("subtract", ops.Local(mask), ops.Const(1))
        )
        body += (ops.When(single, (ops.SetLocal(mask, ops.Const(0)),)),)
    _complete(builder, number, (*body, ops.Return(ops.Local(mask))), scope)
    return number


def _complete(builder: Builder, number: int, body: Body, scope: Scope) -> None:
    function = builder.program.functions[number]
    function.body = body
    function.locals = scope.locals.count


def _rest(builder: Builder) -> None:
    """Lower what nothing calls, so that its mistakes are told as well."""
    ruleset = builder.ruleset
    used = set(builder.used_names)
    for name in ruleset.functions:
        builtins.function_number(Scope(builder, Locals(), straight=True), name)
    for name in ruleset.procedures:
        if name in builder.stopping:
            routines.routine_number(builder, name, builder.stopping)
        else:
            straight.procedure_function(Scope(builder, Locals(), straight=True), name)
    for name, action in ruleset.actions.items():
        if name in used:
            continue
        number = routines.new_routine(builder, f"unused {name}", 0)
        scope = Scope(builder, Locals(), routine=number)
        scope.bind("me", scope.cell(PLAYER)[1])
        code = routines.RoutineCode(scope, builder.stopping)
        chooser = nodes.Chooser(None, False, mark=action.mark)
        code.statement(scope, nodes.ChooseActions(chooser, (name,), mark=action.mark))
        routines.finish(builder, code, number)
    for name, group in ruleset.groups.items():
        if name in used:
            continue
        scope = Scope(builder, Locals(), straight=True)
        for param, type_ in zip(
            group.params, builtins.param_types(scope, group.params), strict=True
        ):
            scope.bind(param.name, scope.fresh(type_)[1])
        domains.iterate(scope, group.binder, lambda inner, element, at: ())
    builder.used_names = used
    if not builder.problems.has_errors:  # else these would only repeat what is already told
        check_labels(ruleset, builder.problems)
        check_flow(ruleset, builder.summaries, builder.problems)
        check_places(ruleset, builder.problems)
        unused.report(builder)


def _check_recursion(builder: Builder) -> None:
    """Routines keep their frames in the buffer, once each, so they cannot call themselves."""
    program = builder.program
    state: dict[int, int] = {}

    def visit(number: int) -> bool:
        if state.get(number) == 1:
            return True
        if state.get(number) == 2:
            return False
        state[number] = 1
        for inner in program.routines[number].calls:
            if visit(inner):
                name = program.routines[inner].name
                procedure = builder.ruleset.procedures.get(name)
                if procedure is not None and state.get(inner) == 1:
                    message = f"`{name}` comes back to itself, and somebody chooses on the way"
                    help_ = "use `repeat` instead of calling it again"
                    builder.error("RR415", message, procedure.mark, help_)
                state[number] = 2
                return False
        state[number] = 2
        return False

    for number in range(len(program.routines)):
        visit(number)


# ---- finishing


def _finish(builder: Builder) -> Program | None:
    program = builder.program
    _keep_order(builder)
    flat: list[Any] = []
    for number in range(len(program.routines)):
        program.routines[number].entry.position = len(flat)
        for item in builder.codes.get(number, []):
            if isinstance(item, ops.Label):
                item.position = len(flat)
            else:
                flat.append(item)
    _lay_out_sealed(builder)
    frames = _place_frames(program)
    program.code = [_relocate(item, frames) for item in flat]
    for function in program.functions:
        function.body = tuple(_relocate(item, frames) for item in function.body)
    for menu in program.menus:
        for entry in menu.entries:
            entry.cells = tuple(resolve_cell(cell, frames) for cell in entry.cells)
    program.start = program.routines[0].entry
    _initial_cells(program)
    if program.layout.size * 8 > limits.STATE_BYTES:
        mark = program.spots[0].mark if program.spots else Mark.top(builder.ruleset.file)
        builder.problems.add(_state_too_big(program.layout.size, mark))
        return None
    mistakes = verify(program)
    assert not mistakes, mistakes[0]
    return program


def _lay_out_sealed(builder: Builder) -> None:
    program = builder.program
    if not builder.sealed:
        return
    found = program.layout
    found.sealed_width = 1 + max((len(action.params) for action in program.actions), default=0)
    positions = max((len(e.cells) for m in program.menus for e in m.entries), default=0)
    found.sealed_width = max(found.sealed_width, 1 + positions)
    found.sealed_capacity = SEALED_CAPACITY
    found.sealed_choices = found.size
    found.size += found.players * found.sealed_capacity * found.sealed_width


def _keep_order(builder: Builder) -> None:
    """Where pieces are chosen unseen, by position, they lie in the order they came: pieces kept
    by number would tell by their position what they are."""
    layout = builder.program.layout
    for place in builder.ruleset.places.values():
        if not place.by_position or place.word not in ("set", "hand"):
            continue
        number = builder.kind_numbers[place.kind]
        kind = layout.kinds[number]
        ordered = list(kind.instance_sorted)
        ordered[place.first : place.first + place.size] = [False] * place.size
        layout.kinds[number] = replace(kind, instance_sorted=tuple(ordered))


def _place_frames(program: Program) -> list[int]:
    """A routine's frame begins after those of all its callers; so two routines that can be
    active at the same time never share a cell, and others may."""
    base = program.layout.size
    frames = [base] * len(program.routines)
    changed = True
    while changed:
        changed = False
        for number, routine in enumerate(program.routines):
            for inner in routine.calls:
                wanted = frames[number] + routine.size
                if frames[inner] < wanted:
                    frames[inner] = wanted
                    changed = True
    end = base
    for routine, address in zip(program.routines, frames, strict=True):
        routine.address = address
        end = max(end, address + routine.size)
    program.layout.frames = base
    program.layout.frames_size = end - base
    program.layout.size = end
    return frames


def _relocate(item: Any, frames: list[int]) -> Any:
    """Replace frame cells by their addresses, everywhere in an operation."""
    if isinstance(item, tuple):
        parts = [_relocate(part, frames) for part in item]
        same = all(new is old for new, old in zip(parts, item, strict=True))
        return item if same else tuple(parts)
    kind: type = type(item)
    names = inner_fields(kind)
    if names is None:
        return item
    changes: dict[str, Any] = {}
    for name in names:
        old = getattr(item, name)
        new = _relocate(old, frames)
        if new is not old:
            changes[name] = new
    cell = _CELLS.get(kind)
    if cell is not None and getattr(item, cell) < 0:
        changes[cell] = resolve_cell(getattr(item, cell), frames)
    return replace(item, **changes) if changes else item


# Operations with a cell of the buffer, and the field that has it.
_CELLS: dict[type, str] = {
    ops.Memory: "address",
    ops.SetMemory: "address",
    ops.Chance: "address",
    ops.MemoryAt: "base",
    ops.SetMemoryAt: "base",
    ops.Sealed: "seat",
}


def _initial_cells(program: Program) -> None:
    """Empty cells of places hold -1, so that a piece numbered 0 is not everywhere."""
    for place in program.layout.places:
        if place.word == "pool":
            continue
        for number in range(place.size):
            start = place.address + number * place.stride + 3
            program.initial.extend((start + i, NONE_NAMED) for i in range(place.capacity))
