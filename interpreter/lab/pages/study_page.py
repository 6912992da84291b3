"""The report of a study: what to look at, settings side by side, then each in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.lab.findings import ArmFindings, Clause, Findings, Remark
from interpreter.lab.pages import words
from interpreter.lab.pages.document import document, figures, section
from interpreter.lab.pages.markup import Markup, el, join
from interpreter.lab.pages.material import Material
from interpreter.lab.pages.plots import Plot, plots_of, plots_of_all
from interpreter.lab.pages.sayings import sayings, tiles
from interpreter.lab.pages.sweep import Way, sweep_plots, sweep_table, ways
from interpreter.lab.pages.table import figures_table, uses_table

_AT_ONCE = 4  # remarks of a sort; others are behind a line to open
# What cannot be right, and what is only to be known; all other remarks are worth a look.
_BAD = {"broken rules", "endless games", "bot failures"}
_NOTES = {"small sample"}


@dataclass(frozen=True, slots=True)
class Page:
    """A report, and the plots in it by the names of their files."""

    html: str
    plots: dict[str, Plot]


def study_page(material: Material) -> Page:
    findings = material.findings
    found = ways(material)
    several = len(found) > 1
    beside, whole = sweep_plots(found), plots_of_all(findings)
    # What is about all ways to play stands among the plots of the only one there is.
    inside = () if several else whole
    each = {way.findings.arm: plots_of(material, way.findings, inside) for way in found}
    arms = [_arm(way, each[way.findings.arm], findings, several) for way in found]
    html = document(
        findings.title,
        _facts(findings, found),
        _remarks(found),
        section("Side by side", figures(beside), sweep_table(found) if several else None,
                name="side-by-side"),
        section("Worth and luck", figures(whole), name="worth-and-luck") if several else None,
        _navigation(found) if several else None,
        *arms,
        _idle("Clauses that never mattered", findings.silent, findings.watched),
        _idle("Abilities that never fired", findings.unfired, findings.watched),
        foot=_foot(findings),
    )  # fmt: skip
    named = {plot.name: plot for plot in (*beside, *whole)}
    for number, plots in each.items():
        before = f"arm-{number}-" if several else ""
        named |= {f"{before}{plot.name}": plot for plot in plots}
    return Page(html, named)


def _facts(findings: Findings, found: Sequence[Way]) -> list[str]:
    games = sum(arm.games for arm in findings.arms)
    facts = [f"{words.plural(games, 'game')} between bots, seed {findings.seed}"]
    if len(found) == 1:
        facts[0] += f": {found[0].findings.title}"
    else:
        facts[0] += f", in {words.plural(len(findings.arms), 'way')} to play"
    if {bot for arm in findings.arms for bot in arm.bots} == {"random"}:
        facts.append(
            "All bots chose at random. That tells how the rules run; bots that search or have "
            "learned tell more about how people would play."
        )
    if not findings.complete:
        facts.append("The study was interrupted: more games can follow.")
    return facts


# ---- remarks


def _remarks(found: Sequence[Way]) -> Markup:
    kinds = list(dict.fromkeys(each.kind for way in found for each in way.findings.remarks))
    kinds.sort(key=lambda kind: 0 if kind in _BAD else 2 if kind in _NOTES else 1)
    cards = [_remark(kind, found) for kind in kinds]
    inner = el("ul", *cards) if cards else el("p", "Nothing stands out.")
    return el("section", el("h2", "What to look at"), inner, class_="remarks")


def _remark(kind: str, found: Sequence[Way]) -> Markup:
    """All remarks of a kind together; the first few are seen at once."""
    sort = " bad" if kind in _BAD else " note" if kind in _NOTES else ""
    lines = [_line(remark, where, len(found)) for remark, where in _said(kind, found)]
    more = len(lines) - _AT_ONCE
    rest = el("details", el("summary", f"{more} more"), *lines[_AT_ONCE:]) if more > 0 else None
    return el("li", el("b", kind), el("div", *lines[:_AT_ONCE], rest), class_=f"remark{sort}")


def _line(remark: Remark, where: list[str], arms: int) -> Markup:
    if arms == 1:
        return el("p", remark.words)
    told = f"in all {arms}" if len(where) == arms else "; ".join(where)
    return el("p", remark.words, el("small", f" ({told})"))


def _said(kind: str, found: Sequence[Way]) -> list[tuple[Remark, list[str]]]:
    """What is said in the same words of several ways to play is said once, and everything that is
    spoken about comes once before anything comes again."""
    where: dict[Remark, list[str]] = {}
    for way in found:
        for remark in way.findings.remarks:
            if remark.kind == kind:
                where.setdefault(remark, []).append(way.title)
    times: dict[str, int] = {}
    order: list[tuple[int, Remark]] = []
    for remark in where:
        times[remark.about] = times.get(remark.about, 0) + 1
        order.append((times[remark.about], remark))
    return [(remark, where[remark]) for _, remark in sorted(order, key=lambda each: each[0])]


# ---- arms


def _navigation(found: Sequence[Way]) -> Markup:
    links = [el("a", way.title, href=f"#arm-{way.findings.arm}") for way in found]
    return el("nav", *links, class_="ways-nav", aria_label="Ways to play")


def _arm(way: Way, plots: Sequence[Plot], findings: Findings, several: bool) -> Markup:
    arm = way.findings
    before = f"arm-{arm.arm}-" if several else ""
    title = f"{way.title[:1].upper()}{way.title[1:]}" if several else "In short"
    return el(
        "section",
        el("h2", title),
        el("p", f"{arm.title}: {words.plural(arm.games, 'game')}", class_="soft")
        if several
        else None,
        el("ul", *(el("li", said) for said in sayings(arm, findings.seconds)), class_="said"),
        _tiles(arm),
        figures(plots, before),
        _uses(arm, before),
        el("details", el("summary", "All figures"), figures_table(arm, f"{before}all-figures")),
        class_="arm several" if several else "arm",
        id=f"arm-{arm.arm}",
    )


def _tiles(arm: ArmFindings) -> Markup | None:
    found = tiles(arm)
    if not found:
        return None
    return el("dl", *(
        el("div", el("dt", each.name), el("dd", each.value), el("dd", each.more), class_="tile")
        for each in found
    ), class_="tiles")  # fmt: skip


def _uses(arm: ArmFindings, before: str) -> Markup | None:
    if not arm.uses:
        return None
    told = (
        "Change: how much more often those won who took it than those who could have and did not, "
        "in points with its 95 % interval. A verdict is given where this is more than chance would "
        "bring among so many comparisons."
    )
    return el(
        "div",
        el("h2", "All that could be chosen"),
        el("p", told, class_="soft"),
        uses_table(arm, f"{before}all-uses"),
        class_="everything",
    )


# ---- the end


def _idle(title: str, clauses: Sequence[Clause], watched: int) -> Markup | None:
    if not clauses:
        return None
    rows = [join(el("dt", each.name), el("dd", each.text)) for each in clauses]
    games = words.plural(watched, "random game")
    told = f"These took part in none of {games} that were watched for it."
    return section(title, el("p", told, class_="soft"),
                   el("dl", *rows, class_="clauses"))  # fmt: skip


def _foot(findings: Findings) -> Markup:
    hashes = sorted({arm.rules[:12] for arm in findings.arms})
    bots = sorted({bot for arm in findings.arms for bot in arm.bots})
    return join(
        el("p", "Rules: ", el("code", findings.rules), f" ({words.listed(hashes)}). Bots: "
           f"{words.listed(bots)}, with seats rotated. Seed {findings.seed}."),
        el("p", "Every ± and every interval is of 95 %. Bots are no people: what they never find "
           "may be found at a table, and the other way round."),
    )  # fmt: skip
