"""The pages behind `rulerun explain`: one Markdown file for each problem code.

A page opens with `# Title`. Its examples are fenced blocks marked `wrong` or `right` after the
language, and the tests run them.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent / "hints"


def all_codes() -> list[str]:
    """Every code that has a page, in order."""
    return sorted(path.stem for path in _FOLDER.glob("*.md"))


def hint(code: str) -> str | None:
    """The page of a code, in any case, or None when there is no such code."""
    code = code.upper()
    # Asking the list first keeps a made-up code from naming a file elsewhere.
    if code not in all_codes():
        return None
    return (_FOLDER / f"{code}.md").read_text(encoding="utf-8")


def title(code: str) -> str | None:
    """The title of a code's page."""
    page = hint(code)
    return None if page is None else page.split("\n", 1)[0].removeprefix("# ")
