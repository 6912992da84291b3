"""Colours by name, for light and for dark paper, and the styles made from them.

Series are Okabe and Ito's, which people who see colours otherwise can tell apart; every series has
a shape or a label besides. Amounts go from pale to strong in one colour; what may be more or less
than a middle goes from orange over grey to blue. A mark names its colour by a class (`fill-s1`,
`line-s1`), so that one drawing serves light pages, dark ones and files.
"""

from __future__ import annotations

STEPS = 9  # of amounts, and of what is more or less

_PLAIN = {
    "ink": ("#23221e", "#ecebe4"),
    "soft": ("#5c5a52", "#b5b2a8"),
    "line": ("#d9d5c9", "#45463f"),
    "rule": ("#8d8a80", "#8b8980"),
    "paper": ("#ffffff", "#242622"),
    "s1": ("#0072b2", "#56b4e9"),
    "s2": ("#d55e00", "#f0813a"),
    "s3": ("#009e73", "#2fc79b"),
    "s4": ("#a8518a", "#dd92bd"),
    "s5": ("#b98000", "#e69f00"),
    "s6": ("#4a4a4a", "#f0e442"),
    "more": ("#0072b2", "#56b4e9"),
    "less": ("#d55e00", "#f0813a"),
    "same": ("#8d8a80", "#9a988f"),
    "pale": ("#cfe3f1", "#2c4a5e"),
    "none": ("#f1efe9", "#2f312c"),
}
SERIES = ("s1", "s2", "s3", "s4", "s5", "s6")
# Where amounts are painted: the ends and the middle, between which steps are mixed.
_AMOUNTS = (("#eaf3fa", "#4a9cd0", "#003e66"), ("#25333d", "#2f7fb3", "#c4e6ff"))
_BALANCE = (("#b34700", "#f2efe8", "#005a8f"), ("#ff9a55", "#3a3b36", "#6cc3f7"))


def _mixed(ends: tuple[str, str, str], step: int) -> str:
    """A colour on the way from the first over the second to the third."""
    way = 2 * step / (STEPS - 1)
    one, other = (ends[0], ends[1]) if way <= 1 else (ends[1], ends[2])
    part = way if way <= 1 else way - 1
    channels = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in channels)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _brightness(colour: str) -> float:
    """Relative luminance, as contrasts are reckoned from."""
    parts = [channel / 255 for channel in _channels(colour)]
    bent = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * bent[0] + 0.7152 * bent[1] + 0.0722 * bent[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((_brightness(one), _brightness(other)))
    return (high + 0.05) / (low + 0.05)


def _readable(ground: str) -> str:
    """Black or white, whichever is read better on it."""
    return max(("#ffffff", "#000000"), key=lambda each: contrast(each, ground))


def _table() -> dict[str, tuple[str, str]]:
    found = dict(_PLAIN)
    for letter, (light, dark) in (("h", _AMOUNTS), ("d", _BALANCE)):
        for step in range(STEPS):
            pair = _mixed(light, step), _mixed(dark, step)
            found[f"{letter}{step}"] = pair
            found[f"on-{letter}{step}"] = _readable(pair[0]), _readable(pair[1])
    return found


COLOURS = _table()


def step_of(part: float) -> int:
    """The step of an amount from 0 to 1."""
    return min(STEPS - 1, max(0, int(part * STEPS)))


def balance_of(value: float, most: float) -> int:
    """The step of something from -most to most: the middle one is about nothing."""
    if most <= 0:
        return STEPS // 2
    return min(STEPS - 1, max(0, round((value / most + 1) / 2 * (STEPS - 1))))


_SHAPES = """
.t{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.t-small{font-size:11.5px}.t-strong{font-weight:650}
.w1{stroke-width:1}.w2{stroke-width:2}.w25{stroke-width:2.5}
.dash{stroke-dasharray:5 4}.no-fill{fill:none}.faint{opacity:.45}.band{opacity:.18}
.round{stroke-linecap:round;stroke-linejoin:round}
"""


def page_styles() -> str:
    """Colours as variables, and a class for each to fill and to draw with."""
    names = ";".join(
        f"--{name}:light-dark({light},{dark})" for name, (light, dark) in COLOURS.items()
    )
    return f":root{{{names}}}\n" + _classes({name: f"var(--{name})" for name in COLOURS}) + _SHAPES


def file_styles() -> str:
    """The same for a file of its own, on light paper, for programs that know no variables."""
    return _classes({name: light for name, (light, _) in COLOURS.items()}) + _SHAPES


def _classes(colours: dict[str, str]) -> str:
    return "".join(
        f".fill-{name}{{fill:{colour}}}.line-{name}{{stroke:{colour}}}\n"
        for name, colour in colours.items()
    )
