"""Text from a user, made safe to print: nothing invisible may move the cursor or reorder a line."""

import unicodedata

# These join or part the letters of honest words in many scripts, and do nothing else.
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    """The text on one line, with every control, format or impossible character spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(visible_character(character) for character in text)


def visible_lines(text: str) -> str:
    """The same, but for the ends of lines, which stay."""
    return "\n".join(visible(line) for line in text.split("\n"))


def escaped(document: str) -> str:
    """The text of a JSON document with everything invisible in its texts as `\\u` escapes: it
    means the same, and nothing happens to a terminal that shows it."""
    if document.isascii() and "\x7f" not in document:  # JSON itself escapes what is below a space
        return document
    return "".join(
        sign if sign == "\n" or sign.isprintable() else _escape(sign) for sign in document
    )


def _escape(sign: str) -> str:
    halves = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{halves[at : at + 2].hex()}" for at in range(0, len(halves), 2))


def visible_character(character: str) -> str:
    if character in "\n\r\t":
        return " "
    if character.isprintable() or character in _JOINERS:
        return character
    number = ord(character)
    if number < 0x20:
        return chr(0x2400 + number)  # the picture of the control character
    if number == 0x7F:
        return "\u2421"
    if unicodedata.category(character) == "Zs":
        return character
    return f"<U+{number:04X}>"


def spaced(name: str) -> str:
    """camelCase as people write it; names that begin with a capital are written so already."""
    if " " in name or not name[:1].islower():
        return name
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name)


def small(name: str) -> str:
    """The name of a type, as people write it: `bonus card`."""
    return spaced(name[:1].lower() + name[1:])


def width(text: str) -> int:
    """How many columns of a terminal the (visible) text takes."""
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if character in _JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
