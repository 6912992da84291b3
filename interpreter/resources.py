"""Where the shipped rulesets and schemas are: inside an installed wheel, or beside the code."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def rulesets_folder() -> Path:
    return _folder("rulesets")


def schemas_folder() -> Path:
    return _folder("schemas")


def _folder(name: str) -> Path:
    # A wheel carries the folders as package data. A checkout, also when installed with -e, has
    # no such copy, so that editing a ruleset takes effect at once.
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name
