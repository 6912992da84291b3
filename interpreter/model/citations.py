"""Clauses: every citation must name one that the rulebook file lists."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.data import yaml_tree
from interpreter.report.problem import Problems
from interpreter.report.suggest import nearest
from interpreter.tree import nodes
from interpreter.tree.walk import walk


def check_citations(
    declarations: Iterable[nodes.Declaration],
    clauses: yaml_tree.Node | None,
    problems: Problems,
) -> None:
    known = clause_ids(clauses)
    for declaration in declarations:
        for node in walk(declaration):
            if not isinstance(node, nodes.Line):
                continue
            for cite in node.cites:
                if clauses is None:
                    help_ = 'name the file of clauses with `clauses "rulebook.yaml"`'
                    message = f"clause `{cite}` is cited, but no clauses are named"
                    problems.warning("RR501", message, node.mark, help=help_)
                elif cite not in known:
                    near = nearest(cite, known)
                    advice = f"did you mean `{near}`?" if near else None
                    message = f"the rulebook has no clause `{cite}`"
                    problems.error("RR500", message, node.mark, help=advice)


def clause_ids(clauses: yaml_tree.Node | None) -> set[str]:
    """A clause file is a mapping from ids to texts (or to more about the clause)."""
    if not isinstance(clauses, yaml_tree.Mapping):
        return set()
    return {str(key.value) for key, _ in clauses.entries}
