"""What is said to an author whose rules would tell a secret: what is known to whom, where it comes
from, and what to write instead."""

from __future__ import annotations

from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.typed.knowledge.labels import Label, Source

_LATER = "whoever sees the options would learn it; let it be decided after it is revealed"


class Teller:
    """Collects the problems, each once. Without problems to add to it keeps silent."""

    def __init__(self, problems: Problems | None) -> None:
        self.problems = problems
        self.told: set[tuple[str, Mark]] = set()

    def offer(self, label: Label, mark: Mark, *, sealed: bool = False) -> None:
        """An option depends on what its chooser cannot know."""
        source = _first(label)
        what = "what happens in this sealed block" if sealed else "what may be chosen here"
        match source.word:
            case "field":
                message = f"`{source.name}` is hidden, but {what} depends on it"
                self._error("RR401", message, source, mark, _LATER)
            case "secret":
                message = f"`{source.name}` is secret, but what others may choose depends on it"
                help_ = "only the choices of its owner may depend on it"
                self._error("RR402", message, source, mark, help_)
            case "whereabouts":
                message = (
                    f"where a {source.name} lies is not known to all, but {what} depends on it"
                )
                self._error("RR403", message, source, mark, _LATER)
            case "pieces":
                message = f"the pieces in `{source.name}` are hidden, but {what} depends on them"
                help_ = "whoever sees the options would learn them; decide after they are revealed"
                self._error("RR403", message, source, mark, help_)
            case "chosen":
                message = f"`{source.name}` was sealed by somebody else, but {what} depends on it"
                self._error("RR402", message, source, mark, _LATER)

    def words(self, label: Label, mark: Mark) -> None:
        """The words of an option name a piece that its chooser cannot see."""
        source = _first(label)
        message = f"this text names a piece in `{source.name}` that whoever chooses cannot see"
        if source.word != "pieces":
            message = "this text names a piece that whoever chooses cannot know"
        help_ = "say where it lies instead of what it is, or leave the text away"
        self._error("RR403", message, source, mark, help_)

    def said(self, label: Label, mark: Mark) -> None:
        source = _first(label)
        help_ = "say it after it is revealed to all"
        match source.word:
            case "field":
                what = f"`{source.name}` is hidden"
            case "secret":
                what = f"`{source.name}` is secret"
                help_ = "give its value to a variable that all can see, and say that"
            case "pieces":
                what = f"the pieces in `{source.name}` are hidden"
            case "whereabouts":
                what = f"some {source.name} lie hidden"
            case "chosen":
                what = f"`{source.name}` was chosen in secret"
        message = f"{what}, but everybody hears what is said"
        self._error("RR404", message, source, mark, help_)

    def asked(self, label: Label, mark: Mark) -> None:
        """Whether somebody is asked depends on what not everybody knows."""
        source = _first(label)
        what = {
            "field": f"`{source.name}`, which is hidden",
            "secret": f"`{source.name}`, which is secret",
            "pieces": f"the pieces in `{source.name}`, which not all can see",
            "whereabouts": f"where a {source.name} lies, which not all can know",
            "chosen": f"`{source.name}`, which was chosen in secret",
        }[source.word]
        message = f"whether somebody is asked here tells the others about {what}"
        help_ = (
            "ask in any case: move the condition behind `when` of the options and write "
            "`always chooses`, or reveal it before"
        )
        self._warning("RR405", message, source, mark, help_)

    def open_choice(self, name: str, chosen: Mark, mark: Mark) -> None:
        message = f"`{name}` is secret, but everybody has seen this choice"
        help_ = "let it be chosen in a block `sealed for p`, where nobody sees it"
        if self.problems is not None and self._is_new("RR406", mark):
            notes = ((chosen, "it is chosen here"),)
            self.problems.warning("RR406", message, mark, help=help_, notes=notes)

    # ---- where it is told

    def _error(self, code: str, message: str, source: Source, mark: Mark, help_: str) -> None:
        at, notes = _place(source, mark)
        if self.problems is None or not self._is_new(code, at):
            return
        self.problems.error(code, message, at, help=help_, notes=notes)

    def _warning(self, code: str, message: str, source: Source, mark: Mark, help_: str) -> None:
        if self.problems is not None and self._is_new(code, mark):
            notes = ((source.mark, "it is looked at here"),)
            self.problems.warning(code, message, mark, help=help_, notes=notes)

    def _is_new(self, code: str, mark: Mark) -> bool:
        key = (code, mark)
        if key in self.told:
            return False
        self.told.add(key)
        return True


def _first(label: Label) -> Source:
    """What is spoken of: a hidden field before the piece that it is on."""
    return label.sources[0]


def _place(source: Source, mark: Mark) -> tuple[Mark, tuple[tuple[Mark, str], ...]]:
    """The guilty words, if they stand in what is offered or said; else that, and a second mark
    where the secret is read."""
    inside = (
        source.mark.file == mark.file
        and (mark.line, mark.column) <= (source.mark.line, source.mark.column)
        and (source.mark.end_line, source.mark.end_column) <= (mark.end_line, mark.end_column)
    )
    if inside:
        return source.mark, ()
    return mark, ((source.mark, "it is read here"),)
