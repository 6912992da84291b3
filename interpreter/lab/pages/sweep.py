"""Several ways to play beside each other: settings that were varied, numbers of players, bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.lab.findings import ArmFindings, Figure
from interpreter.lab.measures import BY_NAME
from interpreter.lab.pages import heat, words
from interpreter.lab.pages.drawing import SHAPES
from interpreter.lab.pages.lines import Point, Series, curves
from interpreter.lab.pages.markup import Markup, el
from interpreter.lab.pages.material import Material
from interpreter.lab.pages.plots import Plot
from interpreter.lab.pages.using import used
from interpreter.lab.spec import Arm, told_bots

_MOST_COLUMNS = 8
_LEAST = 30  # games that have an answer, before a line is drawn through it
_MOST_THINGS = 25
_OFTEN = 100  # offered, before it is worth comparing
_FIGURES = (
    ("minutes", "Length in minutes"),
    ("rounds", "Length in rounds"),
    ("score of winners", "The winner's score"),
    ("margin", "Margin of the winner"),
    ("leader at 1/2 wins", "Whoever leads at half-time wins"),
    ("lead changes", "Changes of the lead"),
    ("branching", "Options of a decision"),
    ("ties", "Shared wins"),
    ("nobody", "Games that nobody won"),
    ("endless", "Games without end"),
)
Factors = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Way:
    """An arm, by what is particular to it among the others."""

    findings: ArmFindings
    factors: Factors  # only those in which arms differ

    @property
    def title(self) -> str:
        return ", ".join(_said(name, value) for name, value in self.factors) or self.findings.title


def plain_arms(material: Material) -> list[ArmFindings]:
    """Those that are looked at in full: nobody is held back in them, and no deal is repeated."""
    found = []
    for each in material.findings.arms:
        arm = material.arms.get(each.arm)
        if arm is None or (arm.restraint is None and arm.repeats == 1):
            found.append(each)
    return found or list(material.findings.arms)


def ways(material: Material) -> list[Way]:
    arms = plain_arms(material)
    known = [material.arms.get(each.arm) for each in arms]
    if any(arm is None for arm in known):
        return [Way(each, (("arm", each.title),)) for each in arms]
    every = [_factors(arm) for arm in known if arm is not None]
    names = list(dict.fromkeys(name for factors in every for name in factors))
    differing = [name for name in names if len({each.get(name) for each in every}) > 1]
    return [
        Way(each, tuple((name, factors[name]) for name in differing if name in factors))
        for each, factors in zip(arms, every, strict=True)
    ]


def _factors(arm: Arm) -> dict[str, str]:
    found = dict(setting.partition("=")[::2] for setting in arm.settings)
    found["players"] = str(arm.players)
    found |= {name: str(value) for name, value in arm.options}
    found["bots"] = told_bots(arm.bots)
    return found


def _said(name: str, value: str) -> str:
    if name == "players":
        return f"{value} player{'s' if value != '1' else ''}"
    return value if name in ("bots", "arm") else f"{name} {value}"


def sweep_plots(found: Sequence[Way]) -> list[Plot]:
    """Each figure over what was varied first, with a line for each of the rest."""
    if len(found) < 2:
        return []
    across = _across(found)
    return [
        *_seats(found, across),
        *(plot for name, title in _FIGURES for plot in _figure(found, across, name, title)),
        *_taken(found),
    ]


@dataclass(frozen=True, slots=True)
class _Across:
    """What goes along the lower edge."""

    name: str
    places: dict[str, float]
    labels: dict[float, str]


def _across(found: Sequence[Way]) -> _Across:
    names = list(dict.fromkeys(name for way in found for name, _ in way.factors))
    name = names[0] if names else ""
    values = list(dict.fromkeys(dict(way.factors).get(name, "") for way in found))
    numbers = [_float(value) for value in values]
    if all(number is not None for number in numbers):
        places = {value: number or 0.0 for value, number in zip(values, numbers, strict=True)}
    else:
        places = {value: float(number) for number, value in enumerate(values)}
    return _Across(name, places, {place: value for value, place in places.items()})


def _float(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _rest(way: Way, across: _Across) -> str:
    others = [(name, value) for name, value in way.factors if name != across.name]
    return ", ".join(_said(name, value) for name, value in others)


def _place(way: Way, across: _Across) -> float:
    return across.places[dict(way.factors).get(across.name, "")]


def _series(points: dict[str, list[Point]]) -> list[Series]:
    ordered = {label: sorted(each, key=lambda p: p.x) for label, each in points.items()}
    return [Series(label, tuple(each)) for label, each in ordered.items()]


def _point(way: Way, across: _Across, figure: Figure) -> Point:
    counted = figure.quantiles and figure.quantiles[0] >= 0
    low = max(figure.low, 0.0) if counted else figure.low  # of what is never below nothing
    return Point(_place(way, across), figure.value, low, figure.high)


def _seats(found: Sequence[Way], across: _Across) -> Iterator[Plot]:
    """Wins of each seat, if lines are left for them."""
    if len({_rest(way, across) for way in found}) > 1 or across.name == "players":
        return
    for name, label, title in (
        ("wins", "seat ", "Wins by seat"),
        ("wins by bot", "", "Wins by bot"),
    ):
        points: dict[str, list[Point]] = {}
        for way in found:
            for each in way.findings.figures:
                if each.name == name:
                    points.setdefault(f"{label}{each.of}", []).append(_point(way, across, each))
        if 2 <= len(points) <= len(SHAPES):
            caption = "Games won; bands are 95 % intervals."
            yield _curves(name, title, _series(points), across, "share", caption)


def _figure(found: Sequence[Way], across: _Across, name: str, title: str) -> Iterator[Plot]:
    points: dict[str, list[Point]] = {}
    unit = ""
    for way in found:
        figure = way.findings.figure(name)
        if figure is not None and figure.games >= min(_LEAST, way.findings.games):
            unit = figure.unit
            points.setdefault(_rest(way, across), []).append(_point(way, across, figure))
    values = {p.y for each in points.values() for p in each}
    if not points or len(points) > len(SHAPES) or len(values) == 1:
        return  # nothing to see; the table has it
    if max(len(each) for each in points.values()) < 2:
        return
    yield _curves(name, title, _series(points), across, unit, "Bands are 95 % intervals.")


def _curves(
    name: str, title: str, series: list[Series], across: _Across, unit: str, caption: str
) -> Plot:
    told = f"{title} over {across.name}: " + "; ".join(
        f"{each.label} {words.amount(each.points[0].y, unit)} to "
        f"{words.amount(each.points[-1].y, unit)}".strip()
        for each in series
    )
    up = {"share": "share of games", "minutes": "minutes", "score": "points"}.get(unit)
    up = up or BY_NAME[name].words
    drawing = curves(series, (across.name, up), told, unit, across.labels)
    slug = "-".join(name.replace("/", " ").split())
    return Plot(f"by-setting-{slug}", title, drawing, caption)


def _taken(found: Sequence[Way]) -> Iterator[Plot]:
    """What is taken in each, of things that are taken differently."""
    if len(found) > _MOST_COLUMNS:
        return
    shares: dict[tuple[str, str], list[tuple[str, float] | None]] = {}
    for number, way in enumerate(found):
        for each in used(way.findings):
            row = shares.setdefault((each.sort, each.name), [None] * len(found))
            row[number] = (each.label, each.share) if each.offered >= _OFTEN else None
    differing = sorted(
        ((key, row) for key, row in shares.items() if sum(each is not None for each in row) > 1),
        key=lambda item: -_range(item[1]),
    )[:_MOST_THINGS]
    if not differing:
        return
    rows = [
        (next(each[0] for each in row if each is not None), [_entry(each) for each in row])
        for _, row in differing
    ]
    told = f"How often each of {len(rows)} things is taken when offered, in each setting"
    heads = list(dict.fromkeys(name for way in found for name, _ in way.factors))
    columns = [tuple(dict(way.factors).get(head, "") for head in heads) for way in found]
    drawing = heat.matrix(rows, columns, heads, False, ("seldom", "often"), told)
    caption = "How often each is taken when it is offered; those that differ most come first."
    yield Plot("by-setting-taken", "What is taken", drawing, caption)


def _range(row: Sequence[tuple[str, float] | None]) -> float:
    shares = [each[1] for each in row if each is not None]
    return max(shares) - min(shares)


def _entry(each: tuple[str, float] | None) -> heat.Entry:
    if each is None:
        return heat.Entry(None, "–", f"offered less than {_OFTEN} times")
    return heat.Entry(each[1], words.percent(each[1]), f"{each[0]}: {words.percent(each[1])}")


def sweep_table(found: Sequence[Way]) -> Markup:
    """The chief figures of each, with their intervals."""
    names = [
        name
        for name, _ in _FIGURES
        if any((figure := way.findings.figure(name)) and figure.value for way in found)
    ]
    head = [el("th", "setting", scope="col", class_="text"),
            el("th", "games", scope="col", class_="number"),
            el("th", "wins by seat", scope="col", class_="number")]  # fmt: skip
    head += [el("th", BY_NAME[name].words, scope="col", class_="number") for name in names]
    rows = [_way(way, names) for way in found]
    table = el("table", el("thead", el("tr", *head)), el("tbody", *rows), class_="ways")
    return el("div", table, class_="scroll", role="region", tabindex=0, aria_label="Settings")


def _way(way: Way, names: Sequence[str]) -> Markup:
    arm = way.findings
    seats = [each for each in arm.figures if each.name == "wins"]
    wins = " · ".join(words.percent(each.value) for each in seats)
    widest = max((each.half for each in seats), default=0.0)
    cells = [
        el("th", el("a", way.title, href=f"#arm-{arm.arm}"), scope="row"),
        el("td", words.count(arm.games), class_="number"),
        el("td", f"{wins} {words.points(widest)}" if seats else "", class_="number"),
    ]
    for name in names:
        figure = arm.figure(name)
        cells.append(el("td", words.told(figure) if figure else "", class_="number"))
    return el("tr", *cells)
