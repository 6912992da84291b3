"""What a run of statements can do: what it reads and changes, whom it asks, how it can be left.

Everything is judged by name, through every procedure, action, function and group that is
called. That is coarse on purpose: the checks that use it (check_flow.py, check_places.py) speak
only where no reading of the rules could do what the author hopes for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.model.ruleset import Ruleset
from interpreter.program.lower import analysis
from interpreter.tree import nodes
from interpreter.tree.walk import walk

Body = tuple[nodes.Statement, ...]
PIECES = "where the pieces lie"  # stands for every place, since a move empties one unnamed
_LOOPS = (nodes.ForEach, nodes.Repeat, nodes.Turns)
CHOICES = (nodes.ChooseActions, nodes.ChooseValue, nodes.ChooseBlock)
_OF_PIECES = ("top", "bottom", "holder")


@dataclass(slots=True)
class Effects:
    reads: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    leaves: set[str] = field(default_factory=set)  # what `leave` is said of
    asks: bool = False
    rolls: bool = False  # chance may differ the next time
    ends: bool = False  # the game may be over

    def add(self, other: Effects) -> bool:
        """Take in the effects of a part; tells whether that was news."""
        before = self.size
        self.reads |= other.reads
        self.changes |= other.changes
        self.leaves |= other.leaves
        self.asks |= other.asks
        self.rolls |= other.rolls
        self.ends |= other.ends
        return self.size != before

    @property
    def size(self) -> tuple[int, int, int, bool, bool, bool]:
        sets = (len(self.reads), len(self.changes), len(self.leaves))
        return (*sets, self.asks, self.rolls, self.ends)


class Summaries:
    """The effects of every procedure, phase and action of a ruleset, known once for all."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._seen_through: dict[str, set[str]] = {}
        self._directly: dict[str, tuple[str, ...]] = {}
        self.procedures = {name: Effects() for name in ruleset.procedures}
        self.actions = {name: Effects() for name in ruleset.actions}
        order, ring = _callees_first(ruleset)
        news = [self._summarise(name) for name in order]
        while ring and any(news):  # those of a ring wait for each other
            news = [self._summarise(name) for name in order]

    def _summarise(self, name: str) -> bool:
        procedure = self.ruleset.procedures.get(name)
        if procedure is not None:
            found = self.of(procedure.body)
            found.leaves -= {name, *inner_labels(procedure.body)}
            return self.procedures[name].add(found)
        action = self.ruleset.actions[name]
        found = self.of(action.body)
        found.reads |= self.names_in(*action.binders, *action.whens)
        found.leaves -= inner_labels(action.body)
        return self.actions[name].add(found)

    def of(self, body: Iterable[nodes.Statement]) -> Effects:
        found = Effects()
        for statement in analysis.statements_in(body):
            self._one(statement, found)
        return found

    def _one(self, statement: nodes.Statement, found: Effects) -> None:
        found.reads |= self._read_by(statement)
        match statement:
            case nodes.Assign() | nodes.AssignRandom() | nodes.Roll():
                found.changes |= {name_of(statement.target) or ""}
                found.rolls |= not isinstance(statement, nodes.Assign)
            case nodes.Let():
                found.changes.add(statement.name)
            case nodes.Draw():
                found.changes.add(PIECES)
                found.rolls = True
            case nodes.Move() | nodes.MoveAll() | nodes.MoveSome() | nodes.Shuffle():
                found.changes.add(PIECES)
            case nodes.Do():
                name = analysis.called_name(statement.call) or ""
                if name in self.procedures:
                    found.add(self.procedures[name])
                    found.changes |= self._reset_by(name)
            case nodes.ChooseActions():
                for name in statement.actions:
                    found.add(self.actions.get(name, Effects()))
            case nodes.ChooseBlock():
                for option in statement.options:
                    if option.name in self.actions:  # a declared action, offered by its name
                        found.add(self.actions[option.name])
            case nodes.Leave():
                found.leaves.add(statement.name)
            case nodes.Wins() | nodes.EndGame():
                found.ends = True
            case _:
                pass
        if isinstance(statement, (*CHOICES, nodes.Sealed)):
            found.asks = True
        if isinstance(statement, (nodes.ChooseValue, nodes.ForEach)):
            found.changes.add(statement.binder.name)
        if isinstance(statement, _LOOPS):
            found.changes |= self._reset_by(loop_name(statement))

    def _reset_by(self, name: str | None) -> set[str]:
        variables = self.ruleset.variables.values()
        return {variable.name for variable in variables if name and variable.scope == name}

    def _read_by(self, statement: nodes.Statement) -> set[str]:
        """What the statement itself reads; the statements inside it are asked one by one."""
        parts: list[nodes.Node | None] = []
        match statement:
            case nodes.If():
                parts += [arm.condition for arm in statement.arms]
            case nodes.ForEach():
                parts += [statement.binder, statement.keys]
            case nodes.Repeat():
                parts += [statement.value]
            case nodes.Turns():
                parts += [statement.start, statement.where]
            case nodes.ChooseBlock():
                parts += [statement.chooser]
                for option in statement.options:
                    parts += [*option.binders, *option.whens]
            case nodes.ChooseValue():
                parts += [statement.chooser, statement.binder]
            case nodes.Sealed() | nodes.LookingAhead() | nodes.Say():
                pass  # what is only told decides nothing
            case nodes.Assign():
                parts += [statement.value]
            case _:
                parts += [statement]
        return self.names_in(*(part for part in parts if part is not None))

    def names_in(self, *parts: nodes.Node) -> set[str]:
        """Every name that has a say in these, seen through functions and groups."""
        found: set[str] = set()
        for part in parts:
            for name in names(part):
                found |= self._through(name)
        return found

    def _through(self, name: str) -> set[str]:
        if name not in self._seen_through:
            found: set[str] = set()
            waiting = [name]
            while waiting:
                each = waiting.pop()
                if each not in found:
                    found.add(each)
                    waiting += self._behind(each)
            self._seen_through[name] = found
        return self._seen_through[name]

    def _behind(self, name: str) -> tuple[str, ...]:
        if name not in self._directly:
            self._directly[name] = tuple(dict.fromkeys(self._look_behind(name)))
        return self._directly[name]

    def _look_behind(self, name: str) -> Iterator[str]:
        ruleset = self.ruleset
        if name in ruleset.places or name in ruleset.kinds or name in _OF_PIECES:
            yield PIECES
        declared = ruleset.functions.get(name) or ruleset.groups.get(name)
        if declared is not None:
            yield from names(declared)
        if isinstance(declared, nodes.Quantity):  # abilities in active places have a say too
            yield PIECES
            for ability in ruleset.abilities.values():
                yield from names(ability)


def _callees_first(ruleset: Ruleset) -> tuple[list[str], bool]:
    """Procedures and actions, each after those it leads to as far as that is possible; and
    whether it is not, because some lead to each other in a ring."""
    bodies = {name: each.body for name, each in ruleset.procedures.items()}
    bodies |= {name: each.body for name, each in ruleset.actions.items()}
    calls = {name: _calls(body) & bodies.keys() for name, body in bodies.items()}
    order: dict[str, None] = {}
    ring = False
    entered: set[str] = set()
    waiting = [(name, False) for name in bodies]
    while waiting:
        name, done = waiting.pop()
        if done:
            ring |= not calls[name] <= order.keys()
            order[name] = None
        elif name not in entered:
            entered.add(name)
            waiting.append((name, True))
            waiting += [(each, False) for each in calls[name]]
    return list(order), ring


def _calls(body: Body) -> set[str]:
    found: set[str] = set()
    for statement in analysis.statements_in(body):
        match statement:
            case nodes.Do():
                found.add(analysis.called_name(statement.call) or "")
            case nodes.ChooseActions():
                found |= set(statement.actions)
            case nodes.ChooseBlock():
                found |= {option.name for option in statement.options}
            case _:
                pass
    return found


def names(node: nodes.Node) -> Iterator[str]:
    """Every name written in a node, as a word or after a dot."""
    for part in walk(node):
        if isinstance(part, (nodes.Name, nodes.Dot)):
            yield part.name


def name_of(target: nodes.Expr) -> str | None:
    """The name of what is changed: `gold` in `p.gold[1]`."""
    match target:
        case nodes.Name() | nodes.Dot():
            return target.name
        case nodes.Index():
            return name_of(target.target)
        case _:
            return None


def loop_name(loop: nodes.Statement) -> str | None:
    """What `leave` and `per` call a loop; turns are called `turn` unless they are named."""
    match loop:
        case nodes.ForEach() | nodes.Repeat():
            return loop.label
        case nodes.Turns():
            return loop.label or "turn"
        case _:
            return None


def inner_labels(body: Iterable[nodes.Statement]) -> set[str]:
    return {name for each in analysis.statements_in(body) if (name := loop_name(each))}


def stops_here(body: Iterable[nodes.Statement]) -> bool:
    """Whether a `stop` in this body ends the loop around it, not one inside it."""
    for statement in body:
        if isinstance(statement, nodes.Jump) and statement.word == "stop":
            return True
        if isinstance(statement, (*_LOOPS, nodes.Sealed)):
            continue
        if any(stops_here(inner) for inner in analysis.bodies_of(statement)):
            return True
    return False


def all_bodies(ruleset: Ruleset) -> Iterator[Body]:
    """Every run of statements the author wrote."""
    for setup in ruleset.setup:
        yield setup.body
    if ruleset.play is not None:
        yield ruleset.play.body
    for procedure in ruleset.procedures.values():
        yield procedure.body
    for action in ruleset.actions.values():
        yield action.body
    for ability in ruleset.abilities.values():
        for clause in ability.clauses:
            if isinstance(clause, nodes.React):
                yield clause.body


def wholes(ruleset: Ruleset) -> Iterator[nodes.Node]:
    """Every declaration with statements or values in it."""
    yield from ruleset.setup
    for each in (ruleset.play, ruleset.score, ruleset.winner):
        if each is not None:
            yield each
    yield from ruleset.always
    yield from ruleset.functions.values()
    yield from ruleset.groups.values()
    yield from ruleset.actions.values()
    yield from ruleset.abilities.values()
    yield from ruleset.procedures.values()
