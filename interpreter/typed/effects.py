"""What a run of statements or a value can do: what it reads and changes, whom it asks, how it ends.

Every declaration is gone through once; what it does itself and what it calls is then put together,
callees first, so that everything is seen through every procedure, action, function, quantity and
group. Variables and places go by their names, which all differ, and locals by themselves. What the
data say never changes, so it is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

from interpreter.model.ruleset import Place
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.walk import Node, children, read_to_change

Thing = str | v.Local
Callee = tuple[Literal["procedure", "action", "function", "group"], str]


@dataclass(slots=True)
class Effects:
    reads: set[Thing] = field(default_factory=set)
    tells: set[Thing] = field(default_factory=set)  # read for a text only: it decides nothing
    writes: set[Thing] = field(default_factory=set)
    loses: set[Thing] = field(default_factory=set)  # places a piece may be taken from, unnamed
    leaves: set[str] = field(default_factory=set)  # what `leave` is said of
    asks: bool = False
    draws: bool = False  # chance may differ the next time
    ends: bool = False  # the game may be over

    def add(self, other: Effects) -> bool:
        """Take in the effects of a part; tells whether that was news."""
        before = self._size
        self.reads |= other.reads
        self.tells |= other.tells
        self.writes |= other.writes
        self.loses |= other.loses
        self.leaves |= other.leaves
        self.asks |= other.asks
        self.draws |= other.draws
        self.ends |= other.ends
        return self._size != before

    def changes(self, things: set[Thing]) -> bool:
        """Whether any of these may be different afterwards."""
        return not (things.isdisjoint(self.writes) and things.isdisjoint(self.loses))

    @property
    def _size(self) -> tuple[int, ...]:
        sets: tuple[set[Thing] | set[str], ...] = (
            self.reads, self.tells, self.writes, self.loses, self.leaves
        )  # fmt: skip
        return (*(len(each) for each in sets), self.asks, self.draws, self.ends)


@dataclass(slots=True)
class _Direct:
    """What a part does itself, and what it leads to."""

    effects: Effects = field(default_factory=Effects)
    calls: dict[Callee, None] = field(default_factory=dict)  # in the order of the text
    tries: dict[Callee, None] = field(default_factory=dict)  # on a copy, by `can`
    tells: dict[Callee, None] = field(default_factory=dict)  # in a text
    labels: set[str] = field(default_factory=set)  # what loops inside are called

    def add(self, other: _Direct) -> None:
        self.effects.add(other.effects)
        self.calls |= other.calls
        self.tries |= other.tries
        self.tells |= other.tells
        self.labels |= other.labels

    @property
    def all_calls(self) -> list[Callee]:
        return [*self.calls, *self.tries, *self.tells]


class Summaries:
    """The effects of every declaration that can be called, known once for all."""

    def __init__(self, rules: r.Rules) -> None:
        self.rules = rules
        self._places: dict[str, set[Thing]] = {}  # by the kind of piece that lies there
        for place in rules.ruleset.places.values():
            self._places.setdefault(place.kind, set()).add(place.name)
        self._reset: dict[str, set[Thing]] = {}  # variables that start again, by what they are per
        for variable in rules.ruleset.variables.values():
            if variable.scope is not None:
                self._reset.setdefault(variable.scope, set()).add(variable.name)
        self._bodies: dict[int, _Direct] = {}  # of loops: each is gone through once
        parts = dict(_callable(rules))
        self._direct = {callee: self._look([part]) for callee, part in parts.items()}
        for name in rules.procedures:
            direct = self._direct["procedure", name].effects
            direct.writes |= self._reset.get(r.declared_name(name), set())
        self._known = {callee: Effects() for callee in parts}
        self._put_together()

    # ---- asking

    def of(self, nodes: Iterable[Node]) -> Effects:
        """The effects of statements, values or both."""
        direct = self._look(nodes)
        return self._whole(direct)

    def of_loop(self, loop: s.ForEach | s.Repeat | s.Turns) -> Effects:
        """The effects of what stands in a loop; a loop inside it that is left leaves nothing."""
        direct = self._body(loop.body)
        found = self._whole(direct)
        found.leaves -= direct.labels
        return found

    def procedure(self, name: str) -> Effects:
        return self._known.get(("procedure", name)) or Effects()

    def action(self, name: str) -> Effects:
        return self._known.get(("action", name)) or Effects()

    def reachable(self, nodes: Iterable[Node]) -> set[Callee]:
        """Everything that is called or tried by these, by what they call, and so on."""
        start = self._look(nodes)
        found: set[Callee] = set()
        waiting = start.all_calls
        while waiting:
            callee = waiting.pop()
            if callee not in found and callee in self._direct:
                found.add(callee)
                waiting += self._direct[callee].all_calls
        return found

    def called_by(self, nodes: Iterable[Node]) -> list[Callee]:
        """What these call themselves, in the order of the text."""
        return [each for each in self._look(nodes).calls if each in self._direct]

    def calls(self, callee: Callee) -> list[Callee]:
        """What a declaration calls itself, in the order of its text."""
        return [each for each in self._direct[callee].calls if each in self._direct]

    # ---- putting together

    def _put_together(self) -> None:
        order, ring = self._callees_first()
        news = [self._summarise(callee) for callee in order]
        while ring and any(news):  # those of a ring wait for each other
            news = [self._summarise(callee) for callee in order]

    def _summarise(self, callee: Callee) -> bool:
        found = self._whole(self._direct[callee])
        found.leaves -= self._direct[callee].labels
        if callee[0] == "procedure":
            found.leaves.discard(callee[1])
        return self._known[callee].add(found)

    def _whole(self, direct: _Direct) -> Effects:
        found = Effects()
        found.add(direct.effects)
        for callee in direct.calls:
            found.add(self._known.get(callee) or Effects())
        for callee in direct.tries:
            found.reads |= (self._known.get(callee) or Effects()).reads
        for callee in direct.tells:
            found.tells |= (self._known.get(callee) or Effects()).reads
        return found

    def _callees_first(self) -> tuple[list[Callee], bool]:
        """Each after those it leads to as far as that is possible; and whether it is not, because
        some lead to each other in a ring."""
        after = {
            callee: self._direct.keys() & direct.all_calls
            for callee, direct in self._direct.items()
        }
        order: dict[Callee, None] = {}
        ring = False
        entered: set[Callee] = set()
        waiting = [(callee, False) for callee in after]
        while waiting:
            callee, done = waiting.pop()
            if done:
                ring |= not after[callee] <= order.keys()
                order[callee] = None
            elif callee not in entered:
                entered.add(callee)
                waiting.append((callee, True))
                waiting += [(each, False) for each in after[callee]]
        return list(order), ring

    # ---- looking

    def _look(self, nodes: Iterable[Node]) -> _Direct:
        found = _Direct()
        to_change: set[int] = set()
        waiting = list(nodes)[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, s.Text):
                told = self._look(node.gaps)
                found.effects.tells |= told.effects.reads
                found.tells |= dict.fromkeys(told.all_calls)
                continue
            if isinstance(node, s.ForEach | s.Repeat | s.Turns):
                self._one(node, found)
                found.add(self._body(node.body))
                waiting += _head(node)
                continue
            if isinstance(node, s.Assign):
                to_change.add(id(read_to_change(node)))
            if type(node) in _DOING and id(node) not in to_change:
                self._one(node, found)
            waiting += reversed(children(node))
        return found

    def _body(self, body: s.Body) -> _Direct:
        if id(body) not in self._bodies:
            self._bodies[id(body)] = self._look(body)
        return self._bodies[id(body)]

    def _one(self, node: Node, found: _Direct) -> None:
        effects = found.effects
        match node:
            case v.LocalValue():
                effects.reads.add(node.local)
            case v.Read():
                effects.reads.add(node.variable.name)
            case v.PlaceAt():
                effects.reads.add(node.place.name)
            case v.Builtin(name="holder"):
                effects.reads |= self._places.get(node.arguments[0].type.name, set())
            case v.Call():
                found.calls.setdefault(("function", node.function))
            case v.InGroup():
                found.calls.setdefault(("group", node.group))
            case v.Step():
                found.tries.setdefault(("procedure", node.procedure))
            case r.Modifier():
                effects.reads.add(node.place.name)
            case s.Assign() | s.Remember():
                effects.writes.add(_written(node.target))
            case s.AssignRandom() | s.Roll():
                effects.writes.add(_written(node.target))
                effects.draws = True
            case s.Draw():
                effects.writes |= _places_of(node.source, node.target)
                effects.writes |= _refilled_from(node.source.place)
                effects.draws = True
            case s.MoveAll() | s.MoveSome():
                effects.writes |= _places_of(node.source, node.target)
            case s.Move():
                effects.writes |= _places_of(node.target)
                effects.loses |= self._places.get(node.what.type.name, set())
            case s.Shuffle():
                effects.writes.add(node.place.place.name)
            case s.Do():
                found.calls.setdefault(("procedure", node.procedure))
            case s.Declared():
                found.calls.setdefault(("action", node.action))
            case s.Choose() | s.Sealed():
                effects.asks = True
            case s.Leave():
                effects.leaves.add(node.name)
            case s.Wins() | s.EndGame():
                effects.ends = True
            case s.ForEach() | s.Repeat() | s.Turns():
                name = loop_name(node)
                if name is not None:
                    found.labels.add(name)
                    effects.writes |= self._reset.get(name, set())
            case _:  # does nothing by itself
                pass


# What `_one` has something to say of; most nodes only hold others. A class that has a case there
# and is missing here is passed over in silence.
_DOING = frozenset({
    v.LocalValue, v.Read, v.PlaceAt, v.Builtin, v.Call, v.InGroup, v.Step, r.Modifier,
    s.Assign, s.Remember, s.AssignRandom, s.Roll, s.Draw, s.MoveAll, s.MoveSome, s.Move, s.Shuffle,
    s.Do, s.Declared, s.Choose, s.Sealed, s.Leave, s.Wins, s.EndGame, s.ForEach, s.Repeat, s.Turns,
})  # fmt: skip


def _callable(rules: r.Rules) -> Iterator[tuple[Callee, Node]]:
    for name, procedure in rules.procedures.items():
        yield ("procedure", name), procedure
    for name, action in rules.actions.items():
        yield ("action", name), action
    for name, function in rules.functions.items():
        yield ("function", name), function
    for name, group in rules.groups.items():
        yield ("group", name), group


def _head(loop: s.ForEach | s.Repeat | s.Turns) -> list[Node]:
    """What a loop asks before each pass."""
    parts: tuple[Node | None, ...]
    match loop:
        case s.ForEach():
            parts = (loop.binder, loop.keys)
        case s.Repeat():
            parts = (loop.value,)
        case s.Turns():
            parts = (loop.start, loop.where)
        case _:
            assert_never(loop)
    return [each for each in parts if each is not None]


def _written(target: s.Entry | v.Local) -> Thing:
    return target if isinstance(target, v.Local) else target.variable.name


def _places_of(*places: v.PlaceAt | s.Box) -> set[Thing]:
    return {each.place.name for each in places if isinstance(each, v.PlaceAt)}


def _refilled_from(place: Place) -> set[Thing]:
    return set() if place.refill is None else {place.refill}


def loop_name(statement: s.Statement) -> str | None:
    """What `leave` and `per` call a loop; turns are called `turn` unless they are named."""
    match statement:
        case s.ForEach() | s.Repeat():
            return statement.label
        case s.Turns():
            return statement.label or "turn"
        case _:  # no loop
            return None
