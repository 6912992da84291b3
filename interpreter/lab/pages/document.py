"""A page as a whole: one file with its styles and its script in it, which asks nobody for anything.
A policy in its head has the browser hold it to that: only this script and these styles, by their
hashes, and no address at all."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path

from interpreter.lab.pages.colours import page_styles
from interpreter.lab.pages.markup import Markup, el, join
from interpreter.lab.pages.plots import Plot

_HERE = Path(__file__).resolve().parent


def document(title: str, facts: Iterable[str], *body: Markup | None, foot: Markup) -> str:
    """`facts` stand below the title."""
    style = page_styles() + (_HERE / "page.css").read_text(encoding="utf-8")
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("link", rel="icon", href="data:,"),
        el("title", title),
        el("style", Markup(style)),
    )
    button = el("button", "Dark", type="button", class_="theme", hidden=True)
    top = el(
        "header",
        el("div", el("h1", title), *(el("p", fact) for fact in facts)),
        button,
        class_="top",
    )
    main = el("main", *body)
    footer = el("footer", foot, class_="foot")
    whole = el("html", head, el("body", top, main, footer, el("script", Markup(script))), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def figures(plots: Iterable[Plot], before: str = "") -> Markup | None:
    """Plots with their words; `before` tells apart those of several arms."""
    found = [
        el(
            "figure",
            el("figcaption", el("h3", plot.title), el("p", plot.caption)),
            plot.drawing.inline(),
            id=f"{before}{plot.name}",
        )
        for plot in plots
    ]
    return el("div", *found, class_="plots") if found else None


def section(title: str, *body: Markup | None, name: str | None = None) -> Markup | None:
    """With a heading, if there is anything in it."""
    inner = join(*body)
    return el("section", el("h2", title), inner, id=name) if inner else None
