"""The table of everything that could be chosen, to sort and to search. It is whole without any
script; the script of the page only moves and hides its rows."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.lab.findings import ArmFindings, Figure, Use
from interpreter.lab.measures import BY_NAME
from interpreter.lab.pages import words
from interpreter.lab.pages.drawing import Scale, line, shape
from interpreter.lab.pages.markup import Markup, el, join
from interpreter.lab.pages.using import clear, named, verdict
from interpreter.report.visible import small

_WIDE = 92.0


def uses_table(arm: ArmFindings, key: str) -> Markup:
    """All uses of an arm; the most telling first."""
    bots = sorted({use.bot for use in arm.uses})
    sorts = sorted({use.sort for use in arm.uses}, key=lambda sort: (sort != "action", sort))
    ordered = sorted(
        arm.uses, key=lambda use: (not clear(use), -abs(use.change or 0.0), use.sort, use.name)
    )
    ends = [abs(each) for use in arm.uses for each in (use.low, use.high) if each is not None]
    most = min(max(ends, default=0.1), 1.0)
    several = len(bots) > 1
    filters = [("Kind", "sort", sorts)] + ([("Bot", "bot", bots)] if several else [])
    body = [_row(use, several, most) for use in ordered]
    return finder(key, f"Table, {arm.title}", _heads(several), body, filters)


def finder(
    key: str,
    label: str,
    head: Markup,
    body: Sequence[Markup],
    filters: Sequence[tuple[str, str, Sequence[str]]],
) -> Markup:
    """A table with what the script needs to sort and search it. A filter has a label, the name of
    the data that rows carry for it, and their values."""
    caption = el("caption", label, class_="hidden-words")
    tools = el(
        "div",
        el("label", "Search ", el("input", type="search", class_="find", aria_controls=key)),
        *(_filter(*each) for each in filters if len(each[2]) > 1),
        el("output", f"{len(body)} rows", class_="shown"),
        class_="table-tools", hidden=True,
    )  # fmt: skip
    scroll = el(
        "div", el("table", caption, head, el("tbody", *body), id=key, class_="uses"),
        class_="scroll", role="region", tabindex=0, aria_label=label,
    )  # fmt: skip
    return el("div", tools, scroll, class_="finder")


def _filter(label: str, name: str, values: Sequence[str]) -> Markup:
    options = [el("option", "all", value="")]
    options += [el("option", _sort_words(value), value=value) for value in values]
    return el("label", f"{label} ", el("select", *options, class_="filter", data_by=name))


def _sort_words(sort: str) -> str:
    return small(sort)


def _heads(several: bool) -> Markup:
    columns = [
        ("what", "text"), ("verdict", "text"), ("change", "number"), ("taken of offered", "number"),
        ("offered", "number"), ("taken", "number"), ("takers won", "number"),
        ("others won", "number"), ("kind", "text"),
    ]  # fmt: skip
    columns += [("bot", "text")] if several else []
    return headings(columns)


def headings(columns: Sequence[tuple[str, str]]) -> Markup:
    """Names, each with whether its column is of numbers or text."""
    cells = [el("th", name, scope="col", data_as=kind, class_=kind) for name, kind in columns]
    return el("thead", el("tr", *cells))


def _row(use: Use, several: bool, most: float) -> Markup:
    share = use.taken / use.offered if use.offered else None
    said = verdict(use)
    cells = [
        el("th", named(use), scope="row", title=use.name if use.name != named(use) else None),
        el("td", el("span", said, class_=f"verdict {said.replace(' ', '-')}")),
        interval_cell(use.change, use.low, use.high, clear(use), most),
        number_cell(share, words.percent(share) if share is not None else ""),
        number_cell(use.offered, words.count(use.offered)),
        number_cell(use.taken, words.count(use.taken)),
        number_cell(use.takers_won, _won(use.takers_won, use.takers)),
        number_cell(use.leavers_won, _won(use.leavers_won, use.leavers)),
        el("td", _sort_words(use.sort)),
    ]
    cells += [el("td", use.bot)] if several else []
    return el("tr", *cells, data_sort=use.sort, data_bot=use.bot)


def _won(share: float | None, players: int) -> Markup | str:
    if share is None:
        return ""
    return join(words.percent(share), el("small", f" of {words.count(players)}"))


def number_cell(value: float | None, told: Markup | str) -> Markup:
    return el("td", told, class_="number", data_v="" if value is None else f"{value:.6g}")


def interval_cell(
    value: float | None, low: float | None, high: float | None, sure: bool, most: float
) -> Markup:
    """A change of a share, with its interval drawn beside it."""
    if value is None or low is None or high is None:
        return number_cell(None, "")
    scale = Scale(-most, most, 3, _WIDE - 3)
    colour, kind = "same", "circle"
    if sure:
        colour, kind = ("more", "triangle") if value > 0 else ("less", "down")
    drawn = el(
        "svg",
        line(scale.at(0), 1, scale.at(0), 17, "line-line w1"),
        line(scale.held(low), 9, scale.held(high), 9, f"line-{colour} w2"),
        shape(kind, scale.held(value), 9, 4, f"fill-{colour}"),
        viewBox=f"0 0 {_WIDE:g} 18", width=_WIDE, height=18, aria_hidden="true",
    )  # fmt: skip
    told = el("span", f"{words.change(value)} {words.points((high - low) / 2)}", class_="told")
    return number_cell(value, el("span", told, drawn, class_="with-line"))


def figures_table(arm: ArmFindings, key: str) -> Markup:
    """All figures of an arm, for those who want to know exactly."""
    head = el("tr", *(el("th", name, scope="col", class_=kind) for name, kind in (
        ("figure", "text"), ("of", "text"), ("value", "number"), ("95 % interval", "number"),
        ("games", "number"))))  # fmt: skip
    rows = [_figure(each) for each in arm.figures]
    caption = el("caption", f"All figures: {arm.title}", class_="hidden-words")
    table = el("table", caption, el("thead", head), el("tbody", *rows), id=key)
    return el(
        "div", table, class_="scroll", role="region", tabindex=0, aria_label=f"Figures, {arm.title}"
    )


def _figure(each: Figure) -> Markup:
    known = BY_NAME.get(each.name)
    interval = f"{words.amount(each.low, each.unit)} to {words.amount(each.high, each.unit)}"
    return el(
        "tr",
        el("th", known.words if known is not None else each.name, scope="row"),
        el("td", each.of),
        el("td", words.amount(each.value, each.unit), class_="number"),
        el("td", interval, class_="number"),
        el("td", words.count(each.games), class_="number"),
    )
