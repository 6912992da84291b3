"""The plots of one way to play: which there are, and what each says in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median

from interpreter.lab.findings import ArmFindings, Board, Figure, Findings, Luck, Use, Worth
from interpreter.lab.pages import heat, icicle, rows, words
from interpreter.lab.pages.drawing import Drawing
from interpreter.lab.pages.lines import Point, Series, curves, histogram
from interpreter.lab.pages.material import Material, Spread
from interpreter.lab.pages.using import FEW, Used, clear, named, used
from interpreter.report.visible import small, spaced

_FEW_LEFT = 0.25  # of the games: lines are faint where so few have come
_MOST_TILES = 60
_MOST_CHANGES = 24
_MOST_SEATS = 12
_MARKS = (
    "Brackets are 95 % intervals. Blue is clearly more than fair, orange clearly less, grey may be "
    "chance."
)
_OUTCOMES = {
    "won": "one player won",
    "shared": "several players won",
    "nobody": "nobody won",
    "endless": "cut off: without end",
    "failed": "the rules broke down",
}


@dataclass(frozen=True, slots=True)
class Plot:
    name: str  # of its file
    title: str
    drawing: Drawing
    caption: str


def plots_of(material: Material, arm: ArmFindings, more: Sequence[Plot] = ()) -> list[Plot]:
    """Of one arm, in the order they are shown; `more` come before what was chosen."""
    return [
        *_wins(arm),
        *_outcomes(arm, material.outcomes.get(arm.arm, {})),
        *_lengths(arm, material),
        *_scores(arm),
        *_race(arm),
        *_leaders(arm),
        *more,
        *_openings(arm),
        *_changes(arm),
        *_cells(arm, material.findings.boards),
        *_cards(arm, material.findings.boards),
    ]


def plots_of_all(findings: Findings) -> list[Plot]:
    """Of the study as a whole: what rules are worth, and what the deal decides."""
    return [*_worth(findings.worth), *_luck(findings.luck)]


# ---- who wins


def _wins(arm: ArmFindings) -> Iterator[Plot]:
    fair = 1 / arm.players
    for name, title, label, caption in (
        ("wins", "Wins by seat", "seat {}", "Games won from each seat."),
        ("wins by start", "Wins by who chose first", "chose {}.",
         "1. is whoever made the first choice, 2. sits next to them, and so on."),
        ("wins by bot", "Wins by bot", "{}", "Games won for each seat a bot sat in."),
    ):  # fmt: skip
        found = _group(arm, name)
        if len(found) < 2 or (name == "wins by start" and _same(found, _group(arm, "wins"))):
            continue
        bars = [_bar(each, label.format(each.of)) for each in found]
        told = f"{title}: " + ", ".join(f"{bar.label} {bar.told}" for bar in bars)
        yield Plot(_slug(name), title, rows.bars(bars, fair, told), f"{caption} {_MARKS}")


def _same(some: Sequence[Figure], others: Sequence[Figure]) -> bool:
    return [(each.value, each.games) for each in some] == [
        (each.value, each.games) for each in others
    ]


def _group(arm: ArmFindings, name: str) -> list[Figure]:
    return [each for each in arm.figures if each.name == name][:_MOST_SEATS]


def _bar(figure: Figure, label: str) -> rows.Bar:
    hint = f"{label}: {words.told(figure)}, of {words.plural(figure.games, 'game')}"
    return rows.Bar(
        label, figure.value, figure.low, figure.high, words.told(figure), figure.quantiles, hint
    )


def _outcomes(arm: ArmFindings, counts: dict[str, int]) -> Iterator[Plot]:
    total = sum(counts.values())
    if len(counts) < 2 or not total:
        return
    parts = [
        rows.Part(label, counts[how] / total) for how, label in _OUTCOMES.items() if how in counts
    ]
    told = "How games end: " + ", ".join(f"{p.label} {words.percent(p.share)}" for p in parts)
    yield Plot("outcomes", "How games end", rows.parts_of_all(parts, told), "Of all games.")


# ---- how long


def _lengths(arm: ArmFindings, material: Material) -> Iterator[Plot]:
    seconds = words.trimmed(material.findings.seconds)
    rounds = arm.figure("rounds")
    for name, title, caption in (
        ("minutes", "Length in minutes",
         f"Estimated for people who take {seconds} seconds for a choice."),
        ("rounds", "Length in rounds", "Rounds in which somebody chose."),
        ("moves", "Length in decisions", "Decisions that somebody was asked for."),
    ):  # fmt: skip
        figure = arm.figure(name)
        spread = material.spreads.get((arm.arm, name))
        if figure is None or (name == "moves" and rounds is not None):
            continue
        if figure.deviation == 0:
            continue  # all are as long: the number says it
        yield Plot(
            name,
            title,
            _length(figure, spread, name, title),
            f"{caption} {_beyond(spread)}".strip(),
        )


def _length(figure: Figure, spread: Spread | None, name: str, title: str) -> Drawing:
    told = f"{title}: mean {words.told(figure)}"
    if len(figure.quantiles) == 5:
        lower, upper = (words.amount(figure.quantiles[n], figure.unit) for n in (1, 3))
        told += f"; half of the games {lower} to {upper}"
    if spread is None or len(spread.bins) < 2:
        bar = _bar(figure, name)
        return rows.boxes([bar], figure.unit, told)
    said = {"minutes": "minutes", "rounds": "rounds", "moves": "decisions"}[name]
    return histogram(spread.bins, figure.quantiles, said, told, figure.unit)


def _beyond(spread: Spread | None) -> str:
    strong = "The middle half of all games is strong."
    if spread is None or len(spread.bins) < 2:
        return ""
    if not spread.beyond:
        return strong
    return f"{strong} {words.plural(spread.beyond, 'longer game')} not drawn."


# ---- scores


def _scores(arm: ArmFindings) -> Iterator[Plot]:
    bars = [_bar(each, f"seat {each.of}") for each in _group(arm, "score")]
    by_bot = _group(arm, "score by bot")
    if len(by_bot) > 1:
        bars += [_bar(each, each.of) for each in by_bot]
    winners = arm.figure("score of winners")
    bars += [_bar(winners, "winners")] if winners is not None else []
    bars = [bar for bar in bars if len(bar.quantiles) == 5]
    if not bars or all(len({*bar.quantiles, bar.value}) == 1 for bar in bars):
        return  # a game without scores that differ
    told = "Scores: " + ", ".join(f"{bar.label} {bar.told}" for bar in bars)
    caption = (
        "At the end. Boxes hold the middle half of all games, with the median across; thin lines "
        "reach from 5 to 95 %; diamonds are means, told beside them."
    )
    yield Plot("scores", "Scores", rows.boxes(bars, "score", told), caption)


def _race(arm: ArmFindings) -> Iterator[Plot]:
    most = max((each.games for each in arm.race), default=0)
    kept = [each for each in arm.race if each.games >= max(2, most * 0.02)]
    if len(kept) < 3:
        return
    winners, others = [], []
    for each in kept:
        faint = each.games < _FEW_LEFT * most
        winners.append(Point(each.round, each.winners, faint=faint))
        if each.others is not None:
            others.append(Point(each.round, each.others, faint=faint))
    series = [Series("winners", tuple(winners))]
    if others:
        series.append(Series("others", tuple(others)))
    if len({point.y for each in series for point in each.points}) < 2:
        return
    told = f"Mean score of winners and others over {kept[-1].round} rounds"
    caption = "Mean scores where a round begins, of those who won in the end and of the others."
    if any(point.faint for point in winners):
        caption += " Broken lines: fewer than a quarter of the games go on so long."
    yield Plot("race", "The race", curves(series, ("round", "mean score"), told), caption)


def _leaders(arm: ArmFindings) -> Iterator[Plot]:
    found = [
        (label, arm.figure(f"leader at {part} wins"))
        for part, label in (("1/4", "after a quarter"), ("1/2", "at half-time"),
                            ("3/4", "after 3 quarters"))
    ]  # fmt: skip
    bars = [
        _bar(figure, label) for label, figure in found if figure is not None and figure.games >= FEW
    ]
    if not bars:
        return
    told = "Whoever leads wins: " + ", ".join(f"{bar.label} {bar.told}" for bar in bars)
    fair = 1 / arm.players
    caption = "How often whoever leads alone at that time wins in the end."
    back = arm.figure("no return")
    if back is not None:
        caption += f" On average the lead changes no more after {words.told(back)} of a game."
    settled = arm.figure("no return expected")
    if settled is not None:
        caption += f" By the bots' estimates it is settled after {words.told(settled)}."
    yield Plot("leaders", "Does the leader win?", rows.bars(bars, fair, told), caption)


# ---- what is chosen


def _openings(arm: ArmFindings) -> Iterator[Plot]:
    if len({each.path[:1] for each in arm.openings}) < 2:
        return
    told = f"What is chosen first, of {words.plural(arm.games, 'game')}"
    drawing = icicle.icicle(arm.openings, arm.games, 1 / arm.players, told)
    caption = (
        "The first choices of a game, each as high as it is frequent. Colours tell how whoever "
        "chose first fared in the end."
    )
    yield Plot("openings", "What is chosen first", drawing, caption)


def _changes(arm: ArmFindings) -> Iterator[Plot]:
    known = [each for each in arm.uses if each.change is not None and each.low is not None]
    order = sorted(known, key=lambda use: (not clear(use), -abs(use.change or 0.0), use.name))
    chosen = sorted(order[:_MOST_CHANGES], key=lambda use: -(use.change or 0.0))
    if len(chosen) < 2:
        return
    several = len({each.bot for each in known}) > 1
    bars = [_change(use, several) for use in chosen]
    told = "Change of the chance to win: " + ", ".join(f"{b.label} {b.told}" for b in bars[:6])
    caption = (
        "How much more often those have won who took it than those who could have and did not, in "
        "points. This goes together; it need not be the cause: who is winning can afford more."
    )
    if len(known) > len(chosen):
        caption += f" The {len(chosen)} most telling of {len(known)}; the table has all."
    drawing = rows.changes(bars, told, ("takers win less", "takers win more"))
    yield Plot("changes", "What goes with winning", drawing, caption)


def _change(use: Use, several: bool) -> rows.Bar:
    value, low, high = use.change or 0.0, use.low or 0.0, use.high or 0.0
    label = named(use) + (f" ({use.bot})" if several else "")
    if low * high > 0 and not clear(use):  # by itself it looks clear, but there are many
        low, high = min(low, 0.0), max(high, 0.0)
    half = (high - low) / 2
    told = f"{words.change(value)} {words.points(half)}"
    hint = (
        f"{label}: takers won {words.percent(use.takers_won or 0.0)}, others who could "
        f"{words.percent(use.leavers_won or 0.0)}"
    )
    return rows.Bar(label, value, low, high, told, (), hint)


def _cells(arm: ArmFindings, boards: Sequence[Board]) -> Iterator[Plot]:
    for board in boards:
        found = {each.name: each for each in used(arm) if each.sort == board.name}
        if not any(each.taken for each in found.values()):
            continue
        most = max(each.taken for each in found.values())
        heats = {
            name: heat.Heat(
                each.label,
                math.sqrt(each.taken / most) if each.offered else None,
                _short(each.taken),
                _offers(each),
            )
            for name, each in found.items()
        }
        title = f"Where: {small(board.name)}"
        told = f"How often each of {len(board.cells)} cells is chosen, at most {_short(most)} times"
        drawing = heat.board(board, heats, ("never", f"{words.count(most)} times"), told)
        caption = (
            "How often each cell is chosen. Cells with an edge and no number were never offered."
        )
        yield Plot(f"cells-{_slug(board.name)}", title, drawing, caption)


def _cards(arm: ArmFindings, boards: Sequence[Board]) -> Iterator[Plot]:
    drawn = {board.name for board in boards}
    everything = used(arm)
    sorts = dict.fromkeys(each.sort for each in everything if each.sort not in drawn)
    for sort in sorted(sorts, key=lambda sort: sort != "action"):
        found = [each for each in everything if each.sort == sort]
        if len(found) < 2 or not any(each.offered for each in found):
            continue
        yield _tiles(sort, found)


def _tiles(sort: str, found: list[Used]) -> Plot:
    order = sorted(found, key=lambda each: (-each.share, -each.offered, each.label))
    if len(order) > _MOST_TILES:
        kept = {each.name for each in sorted(found, key=lambda e: -e.offered)[:_MOST_TILES]}
        order = [each for each in order if each.name in kept]
    shares = [each.share for each in found if each.offered]
    usual = median(shares) or mean(shares)  # most may be taken by nobody
    heats = [
        heat.Heat(
            each.label,
            _times(each.share, usual) if each.offered else None,
            words.percent(each.share) if each.offered else "not offered",
            _offers(each),
        )
        for each in order
    ]
    name = "actions" if sort == "action" else small(sort)
    told = f"How often each of {len(found)} is taken when it is offered"
    rest = "half of them are taken more often than" if median(shares) else "the mean is"
    caption = (
        f"How often each is taken when it is offered. Pale is usual: {rest} {words.percent(usual)}."
    )
    if len(order) < len(found):
        caption += f" The {len(order)} offered most often, of {len(found)}; the table has all."
    drawing = heat.tiles(heats, ("half as often", "twice"), told)
    return Plot(f"taken-{_slug(sort)}", f"What is taken: {name}", drawing, caption)


def _times(share: float, usual: float) -> float:
    """1 for what is taken twice as often as is usual, -1 for half as often."""
    if not share or not usual:
        return -1.0 if usual else 0.0
    return max(-1.0, min(1.0, math.log2(share / usual)))


def _offers(each: Used) -> str:
    if not each.offered:
        return f"{each.label}: never offered"
    return (
        f"{each.label}: taken {words.count(each.taken)} of {words.count(each.offered)} times it "
        f"was offered, {words.percent(each.share)}"
    )


def _short(value: int) -> str:
    if value < 1000:
        return str(value)
    if value < 1_000_000:
        return f"{value / 1000:.{1 if value < 10_000 else 0}f}k"
    return f"{value / 1_000_000:.1f}M"


# ---- what rules are worth, and luck


def _worth(worth: Sequence[Worth]) -> Iterator[Plot]:
    if not worth:
        return
    order = sorted(worth, key=lambda each: -each.cost)
    bars = []
    for each in order[:40]:
        low, high = each.low, each.high
        if low * high > 0 and each.corrected > 0.05:
            low, high = min(low, 0.0), max(high, 0.0)
        told = f"{words.change(each.cost)} {words.points((high - low) / 2)}"
        label = spaced(each.name) if each.restraint.startswith("never") else each.restraint
        hint = f"{each.restraint}: costs {told} points of wins, {words.plural(each.games, 'game')}"
        bars.append(rows.Bar(label, each.cost, low, high, told, (), hint))
    told = "Worth: " + ", ".join(f"{bar.label} {bar.told}" for bar in bars[:6])
    drawing = rows.changes(bars, told, ("better without", "worth having"))
    caption = (
        "Games lost, in points, by a player who never takes it, in the same games against the same "
        "others. This is what it causes."
    )
    yield Plot("worth", "What each is worth", drawing, caption)


def _luck(luck: Sequence[Luck]) -> Iterator[Plot]:
    for each in luck:
        parts = [
            rows.Part("the deal", each.share),
            rows.Part("choices and chance later", 1 - each.share),
        ]
        interval = f"{words.percent(each.low)} to {words.percent(each.high)}"
        told = f"The deal decides {words.percent(each.share)} of {each.of}, {interval}"
        caption = (
            f"Part of the differences in {each.of} that the deal makes (95 % interval {interval}): "
            f"{words.plural(each.deals, 'deal')}, each played several times."
        )
        name = f"luck-{each.arm}-{_slug(each.of)}"
        yield Plot(name, f"Luck of the deal: {each.of}", rows.parts_of_all(parts, told), caption)


def _slug(name: str) -> str:
    kept = "".join(sign.lower() if sign.isascii() and sign.isalnum() else "-" for sign in name)
    return "-".join(part for part in kept.split("-") if part) or "plot"
