"""Clauses: the rulebook file lists them, and every citation must name one of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from interpreter.data import yaml_tree
from interpreter.data.validate import validate_node
from interpreter.report.problem import Problem, Problems
from interpreter.resources import schemas_folder
from interpreter.tree import nodes
from interpreter.tree.walk import walk


def check_clauses(clauses: yaml_tree.Node) -> list[Problem]:
    """What in a file of clauses is no clause."""
    return validate_node(clauses, _schema())


@cache
def _schema() -> dict[str, Any]:
    text = (schemas_folder() / "clauses.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def check_citations(
    declarations: Iterable[nodes.Declaration],
    clauses: yaml_tree.Node | None,
    problems: Problems,
) -> None:
    known = clause_ids(clauses)
    for declaration in declarations:
        for node in walk(declaration):
            if not isinstance(node, nodes.Line) or not node.cites:
                continue
            if clauses is None:
                help_ = 'name the file of clauses with `clauses "rulebook.yaml"`'
                message = f"clause `{node.cites[0]}` is cited, but no clauses are named"
                problems.warning("RR501", message, node.mark, help=help_)
                return  # once is enough: it is the same with all others
            unknown = [cite for cite in node.cites if cite not in known]
            if unknown:
                named = " and ".join(f"`{cite}`" for cite in unknown)
                message = f"the rulebook has no clause {named}"
                help_ = _near(unknown[0], known) or "look at the number, or add it to the rulebook"
                problems.error("RR500", message, node.mark, help=help_)


def _near(cite: str, known: Iterable[str]) -> str | None:
    """The same number with other zeros or letters; the next number is another clause."""
    wanted = _plain(cite)
    return next(
        (f"Did you mean `{name}`?" for name in sorted(known) if _plain(name) == wanted), None
    )


def _plain(cite: str) -> tuple[str, str]:
    digits = "".join(sign for sign in cite if sign.isdigit())
    return cite.partition("-")[0].casefold(), digits.lstrip("0")


def clause_ids(clauses: yaml_tree.Node | None) -> set[str]:
    """A clause file is a mapping from ids to texts (or to more about the clause)."""
    if not isinstance(clauses, yaml_tree.Mapping):
        return set()
    return {str(key.value) for key, _ in clauses.entries}
