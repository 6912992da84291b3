"""What is declared and then never mentioned again, told from the tree alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.report.problem import Problems
from interpreter.tree import nodes
from interpreter.tree.marks import declared_mark
from interpreter.tree.walk import walk

_SPOKEN = {
    nodes.Constant: "constant",
    nodes.Setting: "option",
    nodes.Function: "function",
    nodes.Quantity: "quantity",
    nodes.Group: "group",
    nodes.Enum: "enum",
}


def check_mentioned(
    declarations: Iterable[nodes.Declaration], main_file: str, problems: Problems
) -> None:
    """Warn of names that nothing mentions. Included files are libraries: nobody need use all
    that they offer."""
    declared = list(declarations)
    mentioned = {name for each in declared for name in _mentioned(each)}
    for each in declared:
        word = _SPOKEN.get(type(each))
        if word is None or each.mark.file != main_file:
            continue
        assert isinstance(
            each,
            (
                nodes.Constant, nodes.Setting, nodes.Function, nodes.Quantity, nodes.Group,
                nodes.Enum,
            ),
        )  # fmt: skip
        if each.name in mentioned:
            continue
        if isinstance(each, nodes.Enum) and mentioned & set(each.members):
            continue
        message = f"no rule uses the {word} `{each.name}`"
        help_ = f"write `{each.name}` where it belongs, or take it away"
        problems.warning("RR419", message, declared_mark(each), help=help_)


def _mentioned(declaration: nodes.Declaration) -> Iterator[str]:
    for node in walk(declaration):
        match node:
            case nodes.Name() | nodes.Dot() | nodes.TypeName():
                yield node.name
            case nodes.Has():
                yield from node.owners
            case nodes.Modify():
                yield node.quantity
            case _:
                pass
