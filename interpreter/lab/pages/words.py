"""Numbers in words, the same everywhere on a page."""

from __future__ import annotations

from interpreter.lab.findings import Figure

SPACE = "\N{NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"


def count(value: float) -> str:
    return f"{round(value):,}"


def percent(share: float, digits: int | None = None) -> str:
    """`31 %`; with a place after the point where that says more, as near 0 and 100 %."""
    if digits is None:
        digits = 0 if 0.095 <= share <= 0.905 or share in (0, 1) else 1
    return f"{signed_zero(100 * share, digits)}{SPACE}%"


def points(share: float, digits: int = 1) -> str:
    """Half of an interval, in points: `±1.9`."""
    return f"±{trimmed(100 * share, digits)}"


def change(share: float) -> str:
    """A change of a share, with its sign: `+3.1`."""
    return signed(100 * share, 1)


def signed(value: float, digits: int) -> str:
    told = f"{abs(value):,.{digits}f}"
    if float(told.replace(",", "")) == 0:
        return told
    return f"{'+' if value > 0 else _MINUS}{told}"


def signed_zero(value: float, digits: int) -> str:
    told = f"{abs(value):,.{digits}f}"
    return told if value >= 0 or float(told.replace(",", "")) == 0 else f"{_MINUS}{told}"


def trimmed(value: float, digits: int = 1) -> str:
    """As many places as are worth telling: 123, 12.3, 1.23."""
    if abs(value) >= 100:
        digits = 0
    told = signed_zero(value, digits)
    return told.rstrip("0").rstrip(".") if "." in told else told


def amount(value: float, unit: str) -> str:
    """A figure of some unit: `31 %`, `42 min`, `12.3`."""
    if unit == "share":
        return percent(value)
    if unit == "minutes":
        return f"{trimmed(value, 0 if abs(value) >= 10 else 1)}{SPACE}min"
    return trimmed(value)


def half(figure: Figure) -> str:
    """The half of its interval, in its unit."""
    if figure.unit == "share":
        return points(figure.half)
    return f"±{small(figure.half)}"


def small(value: float) -> str:
    """With two digits that count."""
    return trimmed(value, _places(value))


def _places(value: float) -> int:
    """After the point, until there is a digit that counts."""
    digits = 1
    while digits < 3 and 0 < abs(value) * 10**digits < 1:
        digits += 1
    return digits


def told(figure: Figure) -> str:
    """`31 % ±1.9`, `0.25 ±0.03`: as many places as the interval has."""
    if figure.unit in ("share", "minutes"):
        return f"{amount(figure.value, figure.unit)} {half(figure)}"
    return f"{trimmed(figure.value, _places(figure.half))} {half(figure)}"


def needed(figure: Figure, wanted: float) -> int:
    """How many games it takes until half of the interval is as small as wanted, going by how wide
    it is after those that were played: it shrinks with the root of their number."""
    if figure.half <= wanted:
        return figure.games
    games = figure.games * (figure.half / wanted) ** 2
    step = 10 ** max(0, len(str(int(games))) - 2)
    return int(-(-round(games, 3) // step) * step)


def plural(number: int, one: str, many: str = "") -> str:
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def listed(parts: list[str]) -> str:
    """`a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
