"""What a study has found, in words: a summary for the terminal with bars, and a table for
notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from interpreter.lab.findings import ArmFindings, Figure, Findings, Use
from interpreter.lab.measures import BY_NAME
from interpreter.lab.remarks import SURE, told_need

_BAR = 24
_EIGHTHS = " ▏▎▍▌▋▊▉"
_MOST_THINGS = 8
_MOST_REMARKS = 12
_FEW = 50  # games that a figure goes by: then it is said
# In this order; those that are by seat, place or bot have bars.
_LENGTH = ("minutes", "rounds", "moves", "branching", "widest")
_COURSE = (
    "score of winners", "margin", "ties", "nobody", "lead changes", "no return",
    "favourites", "no return expected",
    "leader at 1/4 wins", "leader at 1/2 wins", "leader at 3/4 wins", "forced", "alike", "repeats",
    "endless", "failed",
)  # fmt: skip


def bar(share: float, width: int = _BAR) -> str:
    """A bar of this share of the width."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    found = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
    return found.ljust(width)


def number(value: float, digits: int = 1) -> str:
    """With as many digits as say something."""
    return f"{value:,.{0 if abs(value) >= 100 or value == round(value) else digits}f}"


def told(figure: Figure) -> str:
    """A figure with its interval."""
    if figure.unit == "share":
        return f"{100 * figure.value:5.1f} % ± {100 * figure.half:.1f}"
    digits = 1
    while digits < 3 and 0 < figure.half < 0.5 / 10**digits:
        digits += 1
    return f"{number(figure.value, digits)} ± {number(figure.half, digits)}"


def summary(findings: Findings) -> Iterator[str]:
    """Everything a designer asks first, for each arm."""
    yield findings.title
    for arm in findings.arms:
        yield ""
        yield from arm_summary(arm, findings.seconds)
    yield from _across(findings)
    if findings.silent:
        names = ", ".join(each.name for each in findings.silent)
        yield ""
        yield f"clauses that took part in none of {findings.watched} watched random games: {names}"
    if findings.unfired:
        parts = ", ".join(
            f"{each.name} ({each.text.partition(' (')[0]})" for each in findings.unfired
        )
        yield ""
        yield f"abilities that never fired in {findings.watched} watched random games: {parts}"
    if not findings.complete:
        yield ""
        yield "The study was interrupted. The same command goes on with it."


def arm_summary(arm: ArmFindings, seconds: float) -> Iterator[str]:
    yield f"{arm.title}: {arm.games:,} games"
    if not arm.games:
        return
    yield from _shares("wins by seat", "seat", [e for e in arm.figures if e.name == "wins"])
    starts = [each for each in arm.figures if each.name == "wins by start"]
    yield from _shares("wins by place, from whoever chooses first", "place", starts)
    if len(set(arm.bots)) > 1:
        bots = [each for each in arm.figures if each.name == "wins by bot"]
        yield from _shares("wins by bot", "", bots)
    wins = [each for each in arm.figures if each.name == "wins"]
    if wins:
        yield f"  {told_need(max(wins, key=lambda each: each.half))}"
    for name in _LENGTH:
        figure = arm.figure(name)
        if figure is not None:
            yield _with_quantiles(figure, seconds)
    for name in _COURSE:
        figure = arm.figure(name)
        if figure is not None and (figure.value > 0 or name in ("ties", "lead changes")):
            few = figure.games < min(_FEW, arm.games / 2)
            known = f"   in {figure.games} game{'s' * (figure.games != 1)}" if few else ""
            yield f"  {BY_NAME[name].words:<52}{told(figure):>18}{known}"
    yield from _things(arm.uses)
    yield from _remarks(arm)


def _shares(title: str, what: str, figures: Sequence[Figure]) -> Iterator[str]:
    if figures:
        yield f"  {title}"
    wide = max((len(each.of) for each in figures), default=0)
    for each in sorted(figures, key=lambda each: (len(each.of) * bool(what), each.of)):
        name = f"{what} {each.of}".strip().ljust(wide + len(what) + 1)
        yield f"    {name}  {bar(each.value)} {told(each)}"


def _with_quantiles(figure: Figure, seconds: float) -> str:
    words = BY_NAME[figure.name].words
    if figure.name == "minutes":
        words = f"minutes, {seconds:g} seconds a choice"
    line = f"  {words:<52}{told(figure):>18}"
    if figure.quantiles:
        low, high = figure.quantiles[0], figure.quantiles[-1]
        line += f"   9 in 10 games: {number(low)}"
        line += f" to {number(high)}" if low != high else ""
    return line


def _things(uses: Sequence[Use]) -> Iterator[str]:
    """What goes with winning, and with losing."""
    sure = [each for each in uses if each.corrected is not None and each.corrected < SURE]
    sure.sort(key=lambda each: -(each.change or 0.0))
    for title, several in (
        ("goes with winning", [each for each in sure if (each.change or 0.0) > 0]),
        ("goes with losing", [each for each in reversed(sure) if (each.change or 0.0) < 0]),
    ):
        if several:
            yield f"  {title}{'':39}offered   taken  points of a hundred games"
        for each in several[:_MOST_THINGS]:
            yield _thing(each)
        if len(several) > _MOST_THINGS:
            yield f"    and {len(several) - _MOST_THINGS} more"


def _thing(use: Use) -> str:
    assert use.change is not None and use.low is not None
    name = f"{use.sort} {use.words}"[:52]
    half = 100 * (use.change - use.low)
    taken = f"{100 * use.taken / use.offered:.0f} %"
    return f"    {name:<50}{use.offered:>9,}{taken:>8}{100 * use.change:>+8.1f} ± {half:.1f}"


def _remarks(arm: ArmFindings) -> Iterator[str]:
    kinds: dict[str, list[str]] = {}
    for each in arm.remarks:
        kinds.setdefault(each.kind, []).append(each.words)
    for kind, several in kinds.items():
        if kind in ("too strong", "too weak", "small sample"):
            continue  # told above
        for words in several[:_MOST_REMARKS]:
            yield f"  ! {words}"
        if len(several) > _MOST_REMARKS:
            yield f"  ! and {len(several) - _MOST_REMARKS} more of the sort: {kind}"


def _across(findings: Findings) -> Iterator[str]:
    """What takes several arms."""
    if findings.worth:
        yield ""
        yield f"{'what it costs one player':<58}{'points of a hundred games':>26}"
        for each in findings.worth:
            half = 100 * (each.high - each.low) / 2
            sure = "" if each.corrected < SURE else "   no more than accident"
            line = f"  {each.restraint:<56}{100 * each.cost:>+14.1f} ± {half:<6.1f}{sure}"
            yield line.rstrip()
    if findings.luck:
        yield ""
        yield "the deal's part of what differs from game to game"
        for part in findings.luck:
            yield (
                f"  {part.of:<12}{bar(part.share)} {100 * part.share:.0f} % "
                f"({100 * part.low:.0f} to {100 * part.high:.0f}), {part.deals:,} deals"
            )


# ---- notebooks


def as_html(findings: Findings) -> str:
    """The figures of every arm as a table, for Jupyter."""
    names: dict[tuple[str, str], None] = {}
    for arm in findings.arms:
        names.update(dict.fromkeys((each.name, each.of) for each in arm.figures))
    head = "".join(f"<th>{escape(arm.title)}<br>{arm.games:,} games</th>" for arm in findings.arms)
    rows = []
    for name, of in names:
        cells = [arm.figure(name, of) for arm in findings.arms]
        shown = "".join(f"<td>{escape(told(each)) if each else ''}</td>" for each in cells)
        what = f"{BY_NAME[name].words} {of}".strip()
        rows.append(f"<tr><th>{escape(what)}</th>{shown}</tr>")
    said = [escape(each.words) for arm in findings.arms for each in arm.remarks]
    items = "".join(f"<li>{words}</li>" for words in said[:_MOST_REMARKS])
    return (
        f"<table><caption>{escape(findings.title)}</caption><tr><th></th>{head}</tr>"
        f"{''.join(rows)}</table><ul>{items}</ul>"
    )
