"""What building the typed tree carries along: the ruleset, the problems, and the names in force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.model.names import named_type, type_help
from interpreter.model.ruleset import Place, Ruleset
from interpreter.model.types import INT, UNKNOWN, Type, named, whole
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.report.suggest import did_you_mean
from interpreter.tree import nodes
from interpreter.tree.marks import part
from interpreter.typed import values as v
from interpreter.typed.build.known import constant_of
from interpreter.typed.build.members import Members
from interpreter.typed.rules import Rules
from interpreter.typed.statements import Body


@dataclass(slots=True)
class Loop:
    """A loop that `stop`, `skip`, `again` and `leave` can refer to."""

    label: str | None
    turns: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """A `leave`, to be judged when all loops and procedures are known."""

    name: str
    mark: Mark
    loops: tuple[str, ...]  # the labels around it
    procedure: str
    in_turns: bool = False  # whether the turns are the innermost loop, so that `skip` ends one


@dataclass(frozen=True, slots=True)
class Copied:
    """What is called with places, one for each parameter that is a place."""

    written: nodes.Function | nodes.Procedure
    places: tuple[Place, ...]


class Builder:
    def __init__(
        self,
        ruleset: Ruleset,
        problems: Problems,
        value: Callable[[Scope, nodes.Expr, Type | None], v.Value],
        domain: Callable[[Scope, nodes.Domain], v.Domain],
        body: Callable[[Scope, tuple[nodes.Statement, ...]], Body],
    ) -> None:
        self.ruleset = ruleset
        self.problems = problems
        self.rules = Rules(ruleset)
        self.members = Members(ruleset)
        self.value = value
        self.domain = domain
        self.body = body
        self.results: dict[str, Type] = {}  # of functions, as far as they are known
        self.begun: set[str] = set()  # functions and groups that are being typed, or are typed
        self.left: list[Left] = []
        self.copies = 0  # how much has been written once more for places that are passed
        self.copied: dict[str, Copied] = {}  # what waits to be typed, by the name of the copy
        self.made: dict[v.Local, nodes.Expr] = {}  # what the names of `let` were made of
        self.testing = False  # whether it is scenarios that are typed

    def error(
        self,
        code: str,
        message: str,
        mark: Mark,
        help_: str | None = None,
        notes: tuple[tuple[Mark, str], ...] = (),
    ) -> None:
        self.problems.error(code, message, mark, help=help_, notes=notes)


@dataclass(slots=True)
class Scope:
    """The names in force at one place."""

    builder: Builder
    names: dict[str, v.Local] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    procedure: str = ""  # or function that the place is in
    unfolding: tuple[str, ...] = ()  # groups being looked into, against endless recursion
    places: dict[str, v.PlaceAt] = field(default_factory=dict)  # what parameters stand for

    @property
    def ruleset(self) -> Ruleset:
        return self.builder.ruleset

    def inner(self) -> Scope:
        return Scope(
            self.builder, dict(self.names), list(self.loops), self.procedure, self.unfolding,
            self.places,
        )  # fmt: skip

    def bind(
        self, name: str, type_: Type, sort: v.LocalSort, mark: Mark, *, settable: bool = False
    ) -> v.Local:
        local = v.Local(name, type_, sort, mark, settable)
        self.names[name] = local
        return local

    def value(self, expr: nodes.Expr, wanted: Type | None = None) -> v.Value:
        """The value of an expression. `wanted` settles names that several enums share."""
        return self.builder.value(self, expr, wanted)

    def domain(self, domain: nodes.Domain) -> v.Domain:
        return self.builder.domain(self, domain)

    def body(self, statements: tuple[nodes.Statement, ...]) -> Body:
        """Statements one after the other; the names they make end with them."""
        return self.builder.body(self, statements)

    def error(
        self,
        code: str,
        message: str,
        mark: Mark,
        help_: str | None = None,
        notes: tuple[tuple[Mark, str], ...] = (),
    ) -> None:
        self.builder.error(code, message, mark, help_, notes)

    def broken(self, mark: Mark) -> v.Broken:
        return v.Broken(type=UNKNOWN, mark=mark)

    # ---- types as they are written

    def written_type(self, written: nodes.Type | nodes.GivenPlace) -> Type:
        """A type as written in a body; declaring has reported only what is wrong with those of
        declarations, so unknown names are reported here."""
        match written:
            case nodes.TypeRange():
                low = constant_of(self.value(written.low))
                high = constant_of(self.value(written.high))
                found = INT if low is None or high is None else whole(low, high)
            case nodes.TypeList():
                self.error("RR212", "a list cannot be passed on", written.mark)
                return UNKNOWN
            case nodes.GivenPlace():
                return self._place_type(written)
            case nodes.TypeName(name=name):
                type_ = named_type(name, self.ruleset)
                if type_ is None:
                    message = f"there is no type `{name}`"
                    mark = part(written.mark, 0, len(name))
                    self.error("RR210", message, mark, type_help(name, self.ruleset))
                    return UNKNOWN
                found = type_
        return found.or_none() if written.optional else found

    def _place_type(self, written: nodes.GivenPlace) -> Type:
        kind = self.ruleset.kinds.get(written.kind)
        if kind is None or not kind.physical:
            message = f"no place holds `{written.kind}`: that is no kind of pieces"
            kinds = [each.name for each in self.ruleset.kinds.values() if each.physical]
            help_ = did_you_mean(written.kind, kinds) or f"kinds here: {', '.join(kinds) or 'none'}"
            self.error("RR210", message, written.mark, help_)
            return UNKNOWN
        return Type("place", of=named("kind", written.kind))


def local_value(local: v.Local, mark: Mark) -> v.LocalValue:
    return v.LocalValue(local, type=local.type, mark=mark)
