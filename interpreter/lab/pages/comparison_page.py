"""The report of a comparison: what is declared otherwise, which figures shifted, what is taken more
or less, and where games part. It is made from the document of `rulerun compare --json`
(schemas/comparison.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from interpreter.lab.measures import BY_NAME
from interpreter.lab.pages import rows, words
from interpreter.lab.pages.document import document, figures, section
from interpreter.lab.pages.markup import Markup, el, join
from interpreter.lab.pages.plots import Plot
from interpreter.lab.pages.study_page import Page
from interpreter.lab.pages.table import finder, headings, interval_cell, number_cell
from interpreter.report.visible import small, spaced

SCHEMA = "rulerun/comparison@1"
_LIKELY = 0.05  # that a shift is chance, after the correction for so many comparisons
_MOST = 24
_MOST_CHANGES = 12
_MOST_PARTINGS = 3
# For plots, where there is little room.
_SHORT = {
    "wins": "seat {} wins",
    "wins by start": "chose {}., wins",
    "wins by bot": "{} wins",
    "score": "score, seat {}",
    "score by bot": "score, {}",
    "score of winners": "winner's score",
    "moves": "decisions",
    "minutes": "minutes",
    "margin": "margin",
    "ties": "shared wins",
    "nobody": "nobody wins",
    "no return": "lead is settled",
    "favourites": "favourite changes",
    "no return expected": "game is settled",
    "leader at 1/4 wins": "leader at 1/4 wins",
    "leader at 1/2 wins": "leader at 1/2 wins",
    "leader at 3/4 wins": "leader at 3/4 wins",
    "branching": "options a decision",
    "widest": "widest decision",
    "forced": "forced decisions",
    "alike": "choices all alike",
    "repeats": "positions again",
    "endless": "without end",
    "failed": "rules broke down",
}
Row = dict[str, Any]


def comparison_page(found: Row) -> Page:
    """Raises KeyError or TypeError if the document is not what it says it is."""
    several = len(found["arms"]) > 1
    plots = [_plots(arm) for arm in found["arms"]]
    html = document(
        f"{found['title']}: what a change has changed",
        _facts(found),
        _look(found["arms"], several),
        section("What the rules say otherwise", _changes(found["changes"])),
        *(
            _arm(arm, drawn, number, several)
            for number, (arm, drawn) in enumerate(zip(found["arms"], plots, strict=True))
        ),
        foot=_foot(found),
    )
    named = {
        f"arm-{number}-{plot.name}" if several else plot.name: plot
        for number, drawn in enumerate(plots)
        for plot in drawn
    }
    return Page(html, named)


def _facts(found: Row) -> list[str]:
    facts = [
        f"{found['old']} compared with {found['new']}: {words.count(found['games'])} games of "
        f"each, from the same seeds (seed {found['seed']})"
    ]
    if not found["complete"]:
        facts.append("This was interrupted: it goes by the games that were played under both.")
    return facts


# ---- at the top


def _look(arms: Sequence[Row], several: bool) -> Markup:
    lines = [
        el("p", said, el("small", f" ({arm['title']})") if several else None)
        for arm in arms
        for said in _said(arm)
    ]
    card = el("li", el("b", "shifted"), el("div", *lines), class_="remark")
    inner = el("ul", card) if lines else el("p", "No figure has clearly shifted.")
    return el("section", el("h2", "What to look at"), inner, class_="remarks")


def _said(arm: Row) -> Iterator[str]:
    for each in _sure(arm):
        old, new = words.amount(each["old"], each["unit"]), words.amount(each["new"], each["unit"])
        yield f"{_name(each)}: {old} became {new} ({_shift(each)})"


def _sure(arm: Row) -> list[Row]:
    """Those that are more than chance would bring; scores by bot say what those by seat do."""
    return [each for each in arm["shifts"] if each["corrected"] <= _LIKELY and each["shift"]]


def _name(each: Row) -> str:
    known = BY_NAME.get(each["name"])
    told = known.words if known is not None else each["name"]
    group = known.group if known is not None else ""
    if not each["of"]:
        return told
    return f"{told.partition(',')[0]}, {f'{group} ' if group != 'bot' else ''}{each['of']}"


def _shift(each: Row) -> str:
    half = (each["high"] - each["low"]) / 2
    if each["unit"] == "share":
        return f"{words.change(each['shift'])} {words.points(half)} points"
    return (
        f"{words.signed(each['shift'], 1 if abs(each['shift']) >= 1 else 2)} ±{words.small(half)}"
    )


# ---- what the rules say


def _changes(changes: Sequence[Row]) -> Markup:
    if not changes:
        return el("p", "The rules declare the same.")
    items = [_change(each) for each in changes]
    return el("div", *_first_of(items, _MOST_CHANGES), class_="changes")


def _first_of(items: list[Markup], many: int) -> list[Markup]:
    """So many at once, others behind a line to open."""
    more = len(items) - many
    if more <= 0:
        return items
    return [*items[:many], el("details", el("summary", f"{more} more"), *items[many:])]


def _change(each: Row) -> Markup:
    place = f"{PurePath(each['file']).name}:{each['line']}"
    name = f"{each['sort']} {each['name']}".strip()
    lines = [el("del", line) for line in each["old"]] + [el("ins", line) for line in each["new"]]
    head = el("p", el("b", name), f" {each['kind']} ", el("small", place))
    return el("div", head, el("pre", *lines) if lines else None, class_="change")


# ---- arms


def _arm(arm: Row, plots: Sequence[Plot], number: int, several: bool) -> Markup:
    before = f"arm-{number}-" if several else ""
    alike = (
        f"{words.plural(arm['games'], 'game')} under both; {words.count(arm['alike'])} came out "
        "the same."
    )
    return el(
        "section",
        el("h2", arm["title"]),
        el("p", alike),
        figures(plots, before),
        _partings(arm["partings"]),
        el("h2", "All figures"),
        _table(arm, f"{before}all-shifts"),
        el("h2", "All that could be chosen") if arm["uses"] else None,
        _uses(arm, f"{before}all-uses") if arm["uses"] else None,
        class_="arm",
        id=f"arm-{number}",
    )


def _plots(arm: Row) -> list[Plot]:
    return [*_share_plot(arm), *_length_plot(arm), *_use_plot(arm)]


def _share_plot(arm: Row) -> Iterator[Plot]:
    shares = [each for each in arm["shifts"] if each["unit"] == "share" and _told(each)]
    if shares:
        bars = [_bar(each, 1.0) for each in shares[:_MOST]]
        caption = "Shares of games, in points: the same games under both, with 95 % intervals."
        yield _forest("shifted-shares", "Who wins, and how games go", bars, caption)


def _length_plot(arm: Row) -> Iterator[Plot]:
    others = [
        each
        for each in arm["shifts"]
        if each["unit"] != "share" and _told(each) and abs(each["old"]) > 1e-9
    ]
    if others:
        bars = [_bar(each, 1 / abs(each["old"])) for each in others[:_MOST]]
        caption = "Lengths and scores, in per cent of what they were, with 95 % intervals."
        yield _forest("shifted-sizes", "How long and how much", bars, caption)


def _told(each: Row) -> bool:
    """Whether there is something to draw."""
    return bool(each["shift"] or each["low"] or each["high"])


def _use_plot(arm: Row) -> Iterator[Plot]:
    known = [each for each in arm["uses"] if each["shift"] is not None]
    order = sorted(known, key=lambda each: (_unsure(each), -abs(each["shift"]), each["name"]))
    chosen = sorted(order[:_MOST], key=lambda each: -each["shift"])
    if chosen:
        bars = [
            rows.Bar(
                each["words"] or spaced(each["name"]), each["shift"], each["low"], each["high"],
                f"{words.change(each['shift'])} {words.points((each['high'] - each['low']) / 2)}",
            )
            for each in chosen
        ]  # fmt: skip
        caption = "Of players who could take it in a game, how many more or fewer do, in points."
        if len(known) > len(chosen):
            caption += f" The {len(chosen)} most telling of {len(known)}; the table has all."
        yield _forest("shifted-uses", "What is taken", bars, caption)


def _unsure(each: Row) -> bool:
    return bool(each["low"] <= 0 <= each["high"])


def _bar(each: Row, scale: float) -> rows.Bar:
    low, high = each["low"] * scale, each["high"] * scale
    if low * high > 0 and each["corrected"] > _LIKELY:
        low, high = min(low, 0.0), max(high, 0.0)
    told = f"{words.change(each['shift'] * scale)} {words.points((high - low) / 2)}"
    hint = f"{_name(each)}: {_shift(each)}"
    label = _SHORT.get(each["name"], "").format(each["of"]) or _name(each)
    return rows.Bar(label, each["shift"] * scale, low, high, told, (), hint)


def _forest(name: str, title: str, bars: Sequence[rows.Bar], caption: str) -> Plot:
    told = f"{title}: " + ", ".join(f"{bar.label} {bar.told}" for bar in bars[:6])
    return Plot(name, title, rows.changes(bars, told, ("less", "more")), caption)


def _partings(partings: Sequence[Row]) -> Markup | None:
    if not partings:
        return None
    items = [_parting(each) for each in partings]
    return join(el("h3", "Where games part"), *_first_of(items, _MOST_PARTINGS))


def _parting(each: Row) -> Markup:
    who = f"seat {each['seat']} decides" if each["seat"] else "nobody decides"
    places = (
        f"{PurePath(each[f'{side}_file']).name}:{each[f'{side}_line']}"
        for side in ("old", "new")
        if each[f"{side}_line"]
    )
    lines = " and ".join(dict.fromkeys(places))
    head = f"Game {each['game']}, decision {each['decision']}: {who}"
    about = f" seed {each['seed']}" + (f", {lines}" if lines else "")
    return el(
        "div",
        el("p", el("b", head), el("small", about)),
        *(el("p", line) for line in each["words"]),
        class_="change",
    )


# ---- tables


def _table(arm: Row, key: str) -> Markup:
    head = headings([
        ("figure", "text"), ("verdict", "text"), ("old", "number"), ("new", "number"),
        ("shift", "number"), ("95 % interval", "text"), ("games", "number"),
    ])  # fmt: skip
    body = [
        el(
            "tr",
            el("th", _name(each), scope="row"),
            el("td", _verdict(each["shift"], each["corrected"] <= _LIKELY)),
            number_cell(each["old"], words.amount(each["old"], each["unit"])),
            number_cell(each["new"], words.amount(each["new"], each["unit"])),
            number_cell(each["shift"], _shift(each)),
            el("td", _span(each)),
            number_cell(each["games"], words.count(each["games"])),
        )
        for each in arm["shifts"]
    ]
    return finder(key, f"Figures, {arm['title']}", head, body, [])


def _span(each: Row) -> str:
    ends = [each["low"], each["high"]]
    if each["unit"] == "share":
        return " to ".join(words.change(end) for end in ends)
    return " to ".join(words.signed(end, 2) for end in ends)


def _verdict(shift: float | None, sure: bool) -> Markup:
    said = "no clear change" if not sure or not shift else "more" if shift > 0 else "less"
    sort = {"more": "wins-more", "less": "wins-less"}.get(said, "no-clear-change")
    return el("span", said, class_=f"verdict {sort}")


def _uses(arm: Row, key: str) -> Markup:
    head = headings([("what", "text"), ("verdict", "text"), ("shift", "number"), ("old", "number"),
                     ("new", "number"), ("offered, old", "number"), ("offered, new", "number"),
                     ("kind", "text")])  # fmt: skip
    ends = [
        abs(each[end]) for each in arm["uses"] for end in ("low", "high") if each[end] is not None
    ]
    most = min(max(ends, default=0.1), 1.0)
    sorts = sorted({each["sort"] for each in arm["uses"]})
    order = sorted(arm["uses"], key=lambda each: -abs(each["shift"] or 0.0))
    body = [_use(each, most) for each in order]
    return finder(key, f"Table, {arm['title']}", head, body, [("Kind", "sort", sorts)])


def _use(each: Row, most: float) -> Markup:
    sure = each["shift"] is not None and not _unsure(each)
    share = [
        number_cell(each[side], words.percent(each[side]) if each[side] is not None else "")
        for side in ("old", "new")
    ]
    return el(
        "tr",
        el("th", each["words"] or spaced(each["name"]), scope="row"),
        el("td", _verdict(each["shift"], sure)),
        interval_cell(each["shift"], each["low"], each["high"], sure, most),
        *share,
        number_cell(each["old_offered"], words.count(each["old_offered"])),
        number_cell(each["new_offered"], words.count(each["new_offered"])),
        el("td", each["sort"] if each["sort"] == "action" else small(each["sort"])),
        data_sort=each["sort"],
    )


def _foot(found: Row) -> Markup:
    return join(
        el("p", f"Old: {found['old']} ({found['old_rules'][:12]}). New: {found['new']} "
           f"({found['new_rules'][:12]})."),
        el("p", "The same deals and the same bots under both, compared game by game. Verdicts are "
           "given where a shift is more than chance would bring among so many comparisons."),
    )  # fmt: skip
