"""Rules with one small slip each: what somebody might have mistyped or misread, one tree per slip.

A slip is made in the tree, so it always parses. What it does not touch are promises (`always`,
`ends within`, `require`, the bounds of types, how much a place holds), which are weaker or
stronger without changing play, and texts, which no rule is made of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from interpreter.reading import Rules
from interpreter.tree import nodes
from interpreter.tree.phrases import say_value
from interpreter.tree.pieces import flat

_UNTOUCHED = (
    nodes.Always,
    nodes.EndsWithin,
    nodes.Require,
    nodes.Setting,
    nodes.TypeName,
    nodes.TypeRange,
    nodes.TypeList,
    nodes.Text,
    nodes.Say,
)
_COMPARED = {
    "=": ("!=",), "!=": ("=",), "is": ("is not",), "is not": ("is",),
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
}  # fmt: skip
_COMPUTED = {
    "and": ("or",), "or": ("and",), "+": ("-",), "-": ("+",), "*": ("+",),
    "div": ("divUp",), "divUp": ("div",), "mod": ("div",),
}  # fmt: skip
_CALLED = {
    "playersFrom": ("playersAfter",), "playersAfter": ("playersFrom",),
    "next": ("previous",), "previous": ("next",), "top": ("bottom",), "bottom": ("top",),
    "opposite": ("turn",), "adjacent": ("neighbours",), "holder": (),
}  # fmt: skip
_TIES = ("in order", "none", "share")
_JUMPS = ("stop", "skip", "again")
_DROPPED = {
    "clamped",
    "active",
    "face down",
    "face up",
    "seen by",
    "per",
    "refilled from",
    "secret",
}
_CONDITIONS = {"condition", "where", "stays", "when"}
_YES = nodes.Truth(True)


@dataclass(frozen=True, slots=True)
class Slip:
    """Where a slip was made and what it is, in words that outlive a renumbering of lines."""

    inside: str  # the declaration
    line: str
    change: str
    number: int  # of the line
    cites: tuple[str, ...]  # of the line, else of the declaration

    def __str__(self) -> str:
        return f"{self.inside}, line {self.number}: `{self.line}`: {self.change}"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.inside, self.line, self.change


@dataclass(frozen=True, slots=True)
class Mutant:
    number: int
    slip: Slip
    at: int  # which declaration is another
    declaration: nodes.Declaration

    def rules(self, honest: Rules) -> Rules:
        declarations = list(honest.declarations)
        declarations[self.at] = self.declaration
        return replace(honest, declarations=declarations)


def mutants(rules: Rules) -> list[Mutant]:
    """Every slip we can think of, in the order of the text."""
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for at, declaration in enumerate(rules.declarations):
        if not declaration.mark.file.endswith(".rules"):
            continue  # a helper of the scenarios
        for changed, change, place in _variants(declaration, declaration.mark):
            slip = _slip(rules, declaration, place, change)
            seen[slip.key] += 1
            if seen[slip.key] > 1:  # the same words twice on one line, or two lines alike
                slip = replace(slip, change=f"{change} ({seen[slip.key]})")
            found.append(Mutant(len(found) + 1, slip, at, changed))
    return found


def _slip(rules: Rules, declaration: nodes.Declaration, place: Any, change: str) -> Slip:
    lines = rules.sources[declaration.mark.file].lines
    text = lines[place.line - 1].strip()
    inside = [node for node in _lines(declaration) if node.mark.line <= place.line]
    nearest = max(inside, key=lambda node: node.mark.line, default=declaration)
    cites = nearest.cites or declaration.cites
    name = getattr(declaration, "name", type(declaration).__name__.lower())
    if isinstance(declaration, nodes.Has):
        name = " ".join(declaration.owners) or "the game"
    return Slip(name, text.partition("  [")[0], change, place.line, cites)


def _lines(node: Any) -> Iterator[nodes.Line]:
    if isinstance(node, nodes.Line):
        yield node
    for _, value in _parts(node):
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, nodes.Node):
                yield from _lines(each)


def _parts(node: nodes.Node) -> Iterator[tuple[str, Any]]:
    for field in fields(node):
        if field.name not in ("mark", "cites", "before", "after"):
            yield field.name, getattr(node, field.name)


Variant = tuple[Any, str, Any]  # what stands there instead, what was changed, and the mark


def _variants(node: Any, place: Any) -> Iterator[Variant]:
    if isinstance(node, _UNTOUCHED) or _only_says(node):
        return
    if node.mark.line > 1 or place.line == 1:
        place = node.mark
    for changed, change in _own(node):
        yield changed, change, place
    for name, value in _parts(node):
        if isinstance(value, nodes.Node):
            for inner, change, where in _variants(value, place):
                yield replace(node, **{name: inner}), change, where
            if name in _CONDITIONS:
                for inner, change in _conditions(node, value):
                    yield replace(node, **{name: inner}), change, value.mark
        elif isinstance(value, tuple):
            for at, each in enumerate(value):
                if not isinstance(each, nodes.Node):
                    continue
                for inner, change, where in _variants(each, place):
                    yield (
                        replace(node, **{name: (*value[:at], inner, *value[at + 1 :])}),
                        change,
                        where,
                    )
                if _may_go(each) and not (isinstance(node, nodes.Keys) and len(value) == 1):
                    gone = replace(node, **{name: (*value[:at], *value[at + 1 :])})
                    yield gone, "without it", _mark(each)


def _mark(node: nodes.Node) -> Any:
    return node.arms[0].mark if isinstance(node, nodes.If) else node.mark


def _may_go(node: nodes.Node) -> bool:
    """What a list can do without: statements, conditions, options, cases, sort keys, reactions."""
    if isinstance(node, nodes.Attribute):
        return node.word in _DROPPED
    if _only_says(node):
        return False
    if isinstance(node, nodes.Case):
        return node.condition is not None
    if isinstance(node, (nodes.Let, nodes.Say)):
        return False
    return isinstance(
        node, (nodes.When, nodes.Option, nodes.Key, nodes.Modify, nodes.React, nodes.Statement)
    )


def _only_says(node: Any) -> bool:
    """A statement that does nothing but put lines into the log."""
    match node:
        case nodes.Say():
            return True
        case nodes.ForEach(body=body) | nodes.Arm(body=body) | nodes.Otherwise(body=body):
            return all(map(_only_says, body))
        case nodes.If(arms=arms, otherwise=otherwise):
            return all(map(_only_says, [*arms, *([otherwise] if otherwise else [])]))
    return False


def _conditions(node: nodes.Node, value: nodes.Expr) -> Iterator[tuple[nodes.Expr, str]]:
    if not isinstance(node, nodes.When):  # which goes as a whole
        yield _YES, f"always, not only if `{_text(value)}`"
    if not isinstance(value, nodes.Binary) and not (
        isinstance(value, nodes.Unary) and value.operator == "not"
    ):
        yield nodes.Unary("not", value, mark=value.mark), f"not if `{_text(value)}`"


def _text(value: Any) -> str:
    return flat(say_value(value))


def _own(node: Any) -> Iterator[tuple[Any, str]]:
    """What this very node can be mistaken for."""
    match node:
        case nodes.Number(value=value):
            for other in (value + 1, value - 1) if value else (1,):
                yield replace(node, value=other), f"{value} becomes {other}"
        case nodes.Truth(value=value):
            yield replace(node, value=not value), "yes and no change places"
        case nodes.Binary(operator=operator, left=left, right=right):
            for other in (*_COMPARED.get(operator, ()), *_COMPUTED.get(operator, ())):
                changed = replace(node, operator=other)
                yield changed, f"`{_text(node)}` becomes `{_text(changed)}`"
            if operator in ("and", "or"):
                yield left, f"without `{operator} {_text(right)}`"
                yield right, f"without `{_text(left)} {operator}`"
        case nodes.Unary(operator="not", operand=operand):
            yield operand, f"`{_text(node)}` without the `not`"
        case nodes.MemberOf():
            yield nodes.Unary("not", node, mark=node.mark), f"not if `{_text(node)}`"
        case nodes.IfElse(then=then, otherwise=otherwise):
            yield replace(node, then=otherwise, otherwise=then), f"`{_text(node)}` the other way"
        case nodes.Aggregate(word="min" | "max" as word):
            other = "max" if word == "min" else "min"
            yield replace(node, word=other), f"`{word}` becomes `{other}`"
        case nodes.Extreme(word=word, values=values):
            other = "max" if word == "min" else "min"
            yield replace(node, word=other), f"`{_text(node)}` with `{other}`"
            for value in values:
                yield value, f"`{_text(node)}` becomes `{_text(value)}`"
        case nodes.Key(word=word):
            other = "least" if word == "most" else "most"
            yield replace(node, word=other), f"`{word} {_text(node.value)}` becomes `{other}`"
        case nodes.Keys(ties=ties):
            for other in _TIES:
                if other != ties:
                    yield replace(node, ties=other), f"ties {ties} become ties {other}"
        case nodes.Rank(word=word):
            other = "rank" if word == "denseRank" else "denseRank"
            yield replace(node, word=other), f"`{word}` becomes `{other}`"
        case nodes.Call(target=nodes.Name(name=name), arguments=arguments):
            for other in _CALLED.get(name, ()):
                yield (
                    replace(node, target=nodes.Name(other, mark=node.mark)),
                    (f"`{_text(node)}` becomes `{other}`"),
                )
            if name == "playersFrom":
                yield nodes.Players(mark=node.mark), f"`{_text(node)}` becomes `players`"
            if len(arguments) == 2:
                turned = replace(node, arguments=arguments[::-1])
                yield turned, f"`{_text(node)}` becomes `{_text(turned)}`"
        case nodes.Assign(operator="+=" | "-=" as operator):
            other = "-=" if operator == "+=" else "+="
            yield replace(node, operator=other), f"`{operator}` becomes `{other}`"
        case nodes.Jump(word=word):
            for other in _JUMPS:
                if other != word:
                    yield replace(node, word=other), f"`{word}` becomes `{other}`"
        case nodes.If(otherwise=otherwise) if otherwise is not None:
            yield replace(node, otherwise=None), "without its `else`"
        case nodes.ForEach(keys=keys) if keys is not None:
            yield replace(node, keys=None), "without its order"
        case nodes.ChooseBlock(otherwise=otherwise) if otherwise is not None:
            yield replace(node, otherwise=None), "without its `otherwise`"
        case nodes.Chooser(may=may, always=always):
            yield replace(node, may=not may), f"{'must' if may else 'may'} choose"
            if always:
                yield replace(node, always=False), "without `always`"
        case nodes.ChooseActions(actions=actions) if len(actions) > 1:
            for name in actions:
                rest = tuple(each for each in actions if each != name)
                yield replace(node, actions=rest), f"without `{name}`"
        case nodes.Draw(up_to=up_to) | nodes.MoveSome(up_to=up_to):
            words = "without" if up_to else "with"
            yield replace(node, up_to=not up_to), f"{words} `up to`"
        case nodes.Reveal(to=to) if to is not None:
            yield replace(node, to=None), "to all"
        case nodes.PlaceType(word="hand"):
            yield replace(node, word="row"), "`hand` becomes `row`"
        case nodes.Field(hidden=True):
            yield replace(node, hidden=False), "without `hidden`"
        case nodes.React(word=word, may=may):
            for other in ("before", "after", "instead of"):
                if other != word:
                    yield replace(node, word=other), f"`{word}` becomes `{other}`"
            yield replace(node, may=not may), "must" if may else "may"
        case nodes.Ability(once_per=once_per) if once_per is not None:
            yield replace(node, once_per=None), f"without `once per {once_per}`"
