"""Can the order in which seats answer a sealed block matter?

It cannot if each seat changes only what is its own, reads nothing that others change there, and
nothing else happens meanwhile: no chance, no end, nobody else who chooses. What is one's own has
the seat itself as its first index, not just a seat found from it. A body that is called is held to
the same; in it the parameters to which the seat was passed are the seat. What is wrong there is
told where the block calls it, and notes lead to where it happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

from interpreter.model.ruleset import Dimension, Place, Variable
from interpreter.report.problem import Notes, Problem, Problems
from interpreter.report.source import Mark
from interpreter.report.work import Work
from interpreter.typed import rules as r
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.effects import Summaries
from interpreter.typed.seats import owner_of
from interpreter.typed.stopping import statements_in
from interpreter.typed.walk import Node, Parts, walk_all


def check_sealed(
    rules: r.Rules, parts: Parts, summaries: Summaries, problems: Problems, work: Work
) -> None:
    looks = _Looks(rules, work)
    inner: set[int] = set()
    for block in parts.of(s.Sealed):
        if id(block) not in inner:
            inner |= {id(each) for each in statements_in(block.body)}
            changed = {each for each in summaries.of(block.body).writes if isinstance(each, str)}
            for problem in _problems(looks, block, changed):
                problems.add(problem)


@dataclass(frozen=True, slots=True)
class _Found:
    """A piece that was found in a place of one's own, or in another."""

    place: str
    own: bool


_Known = Literal["seat"] | _Found | None  # what is known of a local
# A body elsewhere, and what is known of its parameters; of an action, of whoever chooses it.
# A trial is a procedure of which all is put back in the end, so that it may change anything.
_Word = Literal["procedure", "trial", "function", "group", "action"]
_Callee = tuple[_Word, str, tuple[_Known, ...]]
_SAYS = {
    "procedure": "does it here",
    "trial": "reads it here",
    "function": "reads it here",
    "group": "reads it here",
}


@dataclass(slots=True)
class _Seen:
    """What is wrong in one body, and where it leads to others. What is wrong only because it reads
    something that changes in the block comes with the name of that."""

    found: list[tuple[Problem, str | None]] = field(default_factory=list)
    calls: list[tuple[_Callee, Mark]] = field(default_factory=list)
    offers: list[_Callee] = field(default_factory=list)
    takes: set[str] = field(default_factory=set)  # one's own places that pieces are taken from


def _problems(looks: _Looks, block: s.Sealed, changed: set[str]) -> Iterator[Problem]:
    """`changed`: what the seats give values to, and where they put pieces."""
    written = _Seen()
    _Body(looks.rules, written, {block.seat: "seat"}, block.seat.name).body(block.body)
    bodies = [written, *looks.offered(written)]
    for seen in bodies:
        changed |= seen.takes
        for callee, _ in seen.calls:
            for inner in looks.below(callee):
                changed |= looks.into(inner).takes
    for seen in bodies:
        yield from _counting(seen, changed)
        for callee, mark in seen.calls:
            yield from _told_at(looks, callee, mark, changed)


def _counting(seen: _Seen, changed: set[str]) -> Iterator[Problem]:
    return (each for each, name in seen.found if name is None or name in changed)


def _told_at(looks: _Looks, first: _Callee, mark: Mark, changed: set[str]) -> Iterator[Problem]:
    """What is wrong in a body that is called, and in those it calls, told at the call."""
    if not any(looks.into(each).found for each in looks.below(first)):
        return
    entered = {first}
    waiting: list[tuple[_Callee, Notes]] = [(first, ())]
    while waiting:
        callee, way = waiting.pop()
        note = f"`{callee[1]}` {_SAYS[callee[0]]}"
        seen = looks.into(callee)
        for each in _counting(seen, changed):
            notes = (*way, (each.mark, note), *each.notes)
            yield Problem(each.code, each.message, mark, "error", notes, each.help)
        for inner, at in reversed(seen.calls):
            if inner not in entered:
                entered.add(inner)
                waiting.append((inner, (*way, (at, note))))


class _Looks:
    """What was seen in bodies that several blocks may lead to, each looked into once."""

    def __init__(self, rules: r.Rules, work: Work) -> None:
        self.rules = rules
        self.work = work
        self._seen: dict[_Callee, _Seen] = {}
        self._below: dict[_Callee, list[_Callee]] = {}

    def offered(self, written: _Seen) -> list[_Seen]:
        """What was seen in the actions that are offered, and in those that they offer."""
        entered: dict[_Callee, None] = {}
        waiting = list(written.offers)
        while waiting:
            action = waiting.pop()
            if action not in entered:
                entered[action] = None
                waiting += self.into(action).offers
        return [self.into(action) for action in entered]

    def below(self, first: _Callee) -> list[_Callee]:
        """A body that is called, and all that it leads to."""
        if first not in self._below:
            entered = {first: None}
            waiting = [first]
            while waiting:
                for inner, _ in self.into(waiting.pop()).calls:
                    if inner not in entered:
                        entered[inner] = None
                        waiting.append(inner)
            self._below[first] = list(entered)
        return self._below[first]

    def into(self, callee: _Callee) -> _Seen:
        if callee not in self._seen:
            self._seen[callee] = self._look(callee)
        return self._seen[callee]

    def _look(self, callee: _Callee) -> _Seen:
        seen = _Seen()
        word, name, given = callee
        if word == "action":
            _Body(self.rules, seen, {}, "me").offer(self.rules.actions[name], given[0])
            return seen
        declared: r.Procedure | r.Function | r.Quantity | r.Group
        if word == "procedure" or word == "trial":
            declared = self.rules.procedures[name]
        elif word == "function":
            declared = self.rules.functions[name]
        else:
            declared = self.rules.groups[name]
        look = _Body(self.rules, seen, dict(zip(declared.params, given, strict=False)), None)
        look.inside |= set(declared.params)
        look.trying = word == "trial"
        self.work.spend(1)
        if isinstance(declared, r.Procedure):
            self.work.spend(sum(1 for _ in statements_in(declared.body)))
            look.body(declared.body)
        else:
            look.reads(declared)
        return seen


class _Body:
    """Goes through one body. `who` is what the seat is called there, if it has a name."""

    def __init__(
        self, rules: r.Rules, seen: _Seen, known: dict[v.Local, _Known], who: str | None
    ) -> None:
        self.rules = rules
        self.seen = seen
        self.known = known
        self.who = who
        self.inside: set[v.Local] = set()  # introduced here, so nobody else sees them
        self.trying = False  # whether all is put back in the end

    # ---- statements

    def body(self, body: Iterable[s.Statement]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: s.Statement) -> None:
        match node:
            case s.Assign():
                self._assign(node)
            case s.Remember():
                self._not_own(node.target.variable.name, node.mark)
            case s.Let():
                self.reads(node.value)
                self.inside.add(node.local)
                self.known[node.local] = self._found(node.value)
            case s.Do():
                self._do(node)
            case s.If():
                for arm in node.arms:
                    self.reads(arm.condition)
                    self.body(arm.body)
                self.body(node.otherwise or ())
            case s.ForEach():
                self._bind(node.binder)
                self.reads(node.keys)
                self.body(node.body)
            case s.Repeat():
                self.reads(node.value)
                self.body(node.body)
            case s.Turns():
                self.reads(node.start, node.where)
                self.body(node.body)
            case s.Sealed():
                message = "a sealed block cannot stand in another"
                self._wrong("RR423", message, node.mark, "write one after the other")
            case s.LookingAhead():
                self.body(node.body)
            case s.Choose():
                self._choose(node)
            case s.Draw() | s.Roll() | s.AssignRandom() | s.Shuffle():
                message = "chance cannot be asked inside `sealed`: its order would matter"
                self._wrong("RR424", message, node.mark, "draw or roll before or after it")
            case s.Wins() | s.EndGame() | s.Leave():
                message = "nobody can leave or end the game here: the others are still choosing"
                self._wrong("RR425", message, node.mark, "do it after the sealed block")
            case s.Move():
                self._move(node)
            case s.MoveAll():
                self._writes(node.source, node.mark)
                self._writes(node.target, node.mark)
            case s.MoveSome():
                self.reads(node.amount, node.row)
                self._writes(node.source, node.mark)
                self._writes(node.target, node.mark)
            case s.Reveal():
                self.reads(node.what, node.to)
            case s.Hide():
                self.reads(node.what)
            case s.Say():
                self.reads(node.text, node.to)
            case s.Jump():
                pass
            case _:
                assert_never(node)

    def _assign(self, node: s.Assign) -> None:
        if isinstance(node.target, v.Local):
            if node.target not in self.inside:
                self._not_own(node.target.name, node.target_mark)
                return
        else:
            entry = node.target
            if not self._is_own(entry.variable.dimensions, entry.indexes):
                help_ = self._added_up(entry.variable, node.operator)
                self._not_own(entry.variable.name, node.target_mark, help_)
                return
            self.reads(*entry.indexes)
        self.reads(node.value)

    def _do(self, node: s.Do) -> None:
        self.reads(*node.arguments)
        if node.procedure in self.rules.stopping:
            message = "inside `sealed`, choices stand in the block itself"
            help_ = "write the choices here; procedures without choices may be called"
            self._wrong("RR421", message, node.mark, help_)
        elif node.procedure in self.rules.procedures:
            given = tuple(self._known(each) for each in node.arguments)
            word: _Word = "trial" if self.trying else "procedure"
            self.seen.calls.append(((word, node.procedure, given), node.call_mark))

    def _choose(self, node: s.Choose) -> None:
        chooser: _Known = "seat" if self._is_seat(node.seat) else None
        if chooser is None:
            message = f"inside `sealed`, only `{self.who}` can choose"
            help_ = "let others choose before or after the sealed block"
            self._wrong("RR422", message, node.seat.mark, help_)
        self.known[node.me] = chooser
        for offer in node.offers:
            if isinstance(offer, s.Offer):
                self.offer(offer, chooser)
                continue
            if offer.action in self.rules.actions:
                self.seen.offers.append(("action", offer.action, (chooser,)))
            self.body(offer.then)
        self.body(node.otherwise or ())
        if node.kept is not None and node.offers and isinstance(node.offers[0], s.Offer):
            binder = node.offers[0].binders[0]
            self.known[node.kept] = self.known.get(binder.element)

    def offer(self, offer: s.Offer, chooser: _Known) -> None:
        self.known[offer.me] = chooser
        for binder in offer.binders:
            self._bind(binder)
        for each in offer.whens:
            if isinstance(each, s.Let):
                self.statement(each)
            else:
                self.reads(each)
        self.reads(offer.text)
        self.body(offer.body)

    def _bind(self, binder: v.Binder) -> None:
        self.reads(binder)
        if (found := owner_of(self.rules, binder.domain)) is not None:
            place, owner = found
            own = owner is not None and self._is_seat(owner)
            self.known[binder.element] = _Found(place.name, own)

    def _move(self, node: s.Move) -> None:
        found = self._found(node.what)
        if isinstance(found, _Found) and not found.own and not self.trying:
            message = (
                f"inside `sealed`, pieces cannot be taken from `{found.place}`: "
                "two may take the same"
            )
            help_ = "let everybody choose first, and move the pieces after the sealed block"
            self._wrong("RR420", message, node.what.mark, help_)
        else:
            self.reads(node.what)
            if isinstance(found, _Found) and not self.trying:
                self.seen.takes.add(found.place)
        self._writes(node.target, node.mark)

    # ---- what is changed

    def _writes(self, target: v.PlaceAt | s.Box, mark: Mark) -> None:
        if isinstance(target, s.Box):
            return
        self.reads(*target.indexes)
        if not self._is_own(target.place.dimensions, target.indexes):
            self._not_own(target.place.name, mark, self._on_its_way(target.place))

    def _on_its_way(self, place: Place) -> str:
        """Where a piece that goes to a shared place can wait until all have chosen."""
        places = self.rules.ruleset.places.values()
        own = [
            each.name
            for each in places
            if each.kind == place.kind and each.word == "slot" and len(each.dimensions) == 1
            and each.dimensions[0].type.sort == "player"
        ]  # fmt: skip
        who, waits = self.who or "p", next(iter(own), "kept")
        declared = "" if own else f", declared as `kept: slot of {place.kind}, seen by owner`"
        return (
            f"move it to a place of `{who}` first, `{who}.{waits}`{declared};\nafter the block, "
            f"`for each {who} in players`, with `move {who}.{waits} to {place.name}` under it"
        )

    def _not_own(self, name: str, mark: Mark, help_: str | None = None) -> None:
        if self.trying:
            return
        owner = f"`{self.who}`" if self.who is not None else "the one who chooses"
        message = f"inside `sealed`, only what belongs to {owner} may be changed"
        if help_ is None:
            help_ = f"change `{name}` after the sealed block, when all have chosen"
            help_ += self._from_all(name)
        self._wrong("RR420", message, mark, help_)

    def _added_up(self, changed: Variable, operator: str) -> str | None:
        """How a shared number changes by what each of them has put down."""
        own = self._own_numbers(changed)
        if operator == ":=" or not own:
            return None
        return (
            f"change it after the sealed block, when all have chosen: `for each p in players`,\n"
            f"with `{changed.name} {operator} p.{own[0].name}` under it"
        )

    def _own_numbers(self, changed: Variable | None) -> list[Variable]:
        """Where each player keeps a number, the secret ones first."""
        if changed is None or changed.type.sort != "int" or changed.dimensions:
            return []
        kept = [
            each
            for each in self.rules.ruleset.variables.values()
            if len(each.dimensions) == 1 and each.dimensions[0].type.sort == "player"
            and each.type.sort == "int"
        ]  # fmt: skip
        return sorted(kept, key=lambda each: not each.secret)

    def _from_all(self, name: str) -> str:
        """How a number is worked out of what each of them has put down."""
        own = self._own_numbers(self.rules.ruleset.variables.get(name))
        if not own:
            return ""
        of = own[0].name
        return f",\nfrom what each of them keeps: `{name} := max(p.{of} for p in players)`"

    # ---- what is read

    def reads(self, *nodes: Node | None) -> None:
        """What others change in the block is not there yet for those who answer first."""
        for node in walk_all(each for each in nodes if each is not None):
            match node:
                case v.Read():
                    variable = node.variable
                    self._read(variable.name, variable.dimensions, node.indexes, node.mark)
                case v.PlaceAt():
                    self._read(node.place.name, node.place.dimensions, node.indexes, node.mark)
                case v.Call() if node.function in self.rules.functions:
                    given = tuple(self._known(each) for each in node.arguments)
                    self.seen.calls.append((("function", node.function, given), node.mark))
                case v.WhatIf():
                    self._tries(node)
                case v.InGroup() if node.group in self.rules.groups:
                    given = tuple(self._known(each) for each in node.arguments)
                    self.seen.calls.append((("group", node.group, given), node.mark))
                case _:
                    pass

    def _tries(self, node: v.WhatIf) -> None:
        """What is tried out changes nothing in the end, but may read no more than anything else."""
        for step in node.steps:
            if step.procedure in self.rules.procedures:
                given = tuple(self._known(each) for each in step.arguments)
                self.seen.calls.append((("trial", step.procedure, given), step.mark))

    def _read(
        self, name: str, dimensions: tuple[Dimension, ...], indexes: tuple[v.Value, ...], mark: Mark
    ) -> None:
        if not self._is_own(dimensions, indexes):
            message = f"`{name}` of others is still being chosen inside this sealed block"
            help_ = "look at it after the sealed block, when all have chosen"
            self._wrong("RR427", message, mark, help_, name)

    def _wrong(
        self, code: str, message: str, mark: Mark, help_: str, if_changed: str | None = None
    ) -> None:
        self.seen.found.append((Problem(code, message, mark, help=help_), if_changed))

    # ---- what is one's own

    def _is_own(self, dimensions: tuple[Dimension, ...], indexes: tuple[v.Value, ...]) -> bool:
        owned = bool(dimensions) and dimensions[0].type.sort == "player"
        return owned and bool(indexes) and self._is_seat(indexes[0])

    def _is_seat(self, value: v.Value) -> bool:
        return isinstance(value, v.LocalValue) and self.known.get(value.local) == "seat"

    def _known(self, value: v.Value) -> _Known:
        return "seat" if self._is_seat(value) else self._found(value)

    def _found(self, value: v.Value) -> _Known:
        """Where a piece was found, if that can be told."""
        match value:
            case v.LocalValue():
                known = self.known.get(value.local)
                return None if known == "seat" else known
            case v.Content():
                return self._found_in(value.place)
            case v.Builtin(name="top" | "bottom", arguments=(v.PlaceAt() as place, *_)):
                return self._found_in(place)
            case v.Fit():
                return self._found(value.value)
            case _:
                return None

    def _found_in(self, place: v.PlaceAt) -> _Found:
        return _Found(place.place.name, self._is_own(place.place.dimensions, place.indexes))
