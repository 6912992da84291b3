"""Words with values between them."""

from __future__ import annotations

from interpreter.tree import nodes
from interpreter.typed import statements as s
from interpreter.typed import values as v
from interpreter.typed.build import fitting
from interpreter.typed.build.scope import Scope


def text_of(scope: Scope, text: nodes.Text) -> s.Text:
    gaps = tuple(_said(scope, gap) for gap in text.gaps)
    return s.Text(text.parts, gaps, text.mark)


def _said(scope: Scope, gap: nodes.Expr) -> v.Value:
    """One thing that can be put into words."""
    value = scope.value(gap)
    if isinstance(value, v.PlaceAt):
        return fitting.content(scope, value, gap.mark)
    if isinstance(value, v.ListOf):
        help_ = "say one thing of it, or its `number of`"
        scope.error("RR212", "a list cannot be put into a text", gap.mark, help_)
        return scope.broken(gap.mark)
    return value
