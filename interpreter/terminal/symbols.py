"""Short signs for what lies on a board, arrows, colours, and names as people write them."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.model.seats import seat_name
from interpreter.report.visible import spaced, visible

# Told apart by people who do not see all colours, and by the letters anyway.
PLAYER_STYLES = ("cyan", "yellow", "magenta", "green", "blue", "red")
ARROWS = {
    "north": "↑",
    "northeast": "↗",
    "east": "→",
    "southeast": "↘",
    "south": "↓",
    "southwest": "↙",
    "west": "←",
    "northwest": "↖",
    "forward": "→",
    "backward": "←",
    "clockwise": "↻",
    "counterclockwise": "↺",
}
# Words for colours that a terminal can show.
COLOURS = {
    "red": "red",
    "green": "green",
    "blue": "bright_blue",
    "yellow": "yellow",
    "white": "bright_white",
    "black": "bright_black",
    "grey": "bright_black",
    "gray": "bright_black",
    "purple": "magenta",
    "violet": "magenta",
    "pink": "bright_magenta",
    "orange": "bright_red",
    "cyan": "cyan",
    "turquoise": "cyan",
    "brown": "dark_red",
}
_LONGEST = 4


def player_style(seat: int) -> str:
    return PLAYER_STYLES[seat % len(PLAYER_STYLES)]


def player_sign(seat: int, players: int) -> str:
    return "XO"[seat] if players == 2 else seat_name(seat)


def colour_of(name: str) -> str:
    """The style of something that is called by a colour, or has one in its name."""
    for word in reversed(spaced(name).casefold().split()):
        if word in COLOURS:
            return COLOURS[word]
    return ""


def short_signs(names: Sequence[str]) -> dict[str, str]:
    """For each name the shortest beginning that no other name has, with a capital letter."""
    found: dict[str, str] = {}
    folded = [visible(name).casefold() for name in names]
    for name, own in zip(names, folded, strict=True):
        others = [other for other in folded if other != own]
        length = 1
        while length < min(len(own), _LONGEST) and any(o.startswith(own[:length]) for o in others):
            length += 1
        sign = visible(name)[:length]
        found[name] = sign[:1].upper() + sign[1:]
    if len(set(found.values())) < len(set(folded)):
        return {name: visible(name)[: _LONGEST * 3] for name in names}  # too much alike
    return found
