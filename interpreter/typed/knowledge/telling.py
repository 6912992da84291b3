"""What is said to an author whose rules would tell a secret: what is known to whom, where it comes
from, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from interpreter.model.ruleset import Ruleset
from interpreter.report.problem import Problems
from interpreter.report.source import Mark
from interpreter.typed.knowledge.labels import Label, Source

_LATER = "whoever sees the options would learn it; let it be decided after it is revealed"
_REVEAL = "whoever sees the options would learn them; decide after they are revealed"
_SHOWN = (
    "if they were shown to whoever chooses, read them in the option itself, after `in`, `where`\n"
    "or `when`: there it is tested while playing that this has happened"
)


class Teller:
    """Collects the problems, each once. Without problems to add to it keeps silent."""

    def __init__(
        self,
        ruleset: Ruleset,
        problems: Problems | None,
        opened: Mapping[str, str] = MappingProxyType({}),
        shown: frozenset[str] = frozenset(),
    ) -> None:
        """`opened`: the open variables that secret ones are given to somewhere; `shown`: places of
        which pieces are shown to single players."""
        self.ruleset = ruleset
        self.opened = opened
        self.problems = problems
        self.shown = shown
        self.conditions: set[Mark] = set()
        self.told: set[tuple[str, Mark, str, int]] = set()

    def offer(
        self, label: Label, mark: Mark, *, sealed: bool = False, in_text: bool = False
    ) -> None:
        """An option depends on what its chooser cannot know."""
        source = label.sources[0]
        what = "what happens in this sealed block" if sealed else "what may be chosen here"
        what = "the text of this option" if in_text else what
        code, help_ = "RR403", _REVEAL
        match source.word:
            case "field":
                code, help_ = "RR401", _LATER
            case "secret":
                code = "RR402"
                help_ = (
                    "only the choices of its owner may depend on it; if all have seen it by now,\n"
                    + self._open_instead(source.name)
                )
                variable = self.ruleset.variables.get(source.name)
                if variable is not None and variable.unseen:
                    help_ = "give it to a variable that whoever chooses can see"
            case "chosen":
                code, help_ = "RR402", "look at it after the sealed block"
            case "whereabouts":
                help_ = _LATER
            case "pieces":
                if source.name in self.shown and not sealed:
                    help_ = _SHOWN
        many = "them" if source.word == "pieces" else "it"
        tells = f"{what} tells {many}" if in_text else f"{what} depends on {many}"
        self._error(code, f"{self._known(source)}, but {tells}", source, mark, help_)

    def words(self, label: Label, mark: Mark) -> None:
        """The words of an option name a piece that its chooser cannot see."""
        source = label.sources[0]
        message = f"this text names a piece in `{source.name}` that whoever chooses cannot see"
        if source.word != "pieces":
            message = "this text names a piece that whoever chooses cannot know"
        help_ = "say where it lies instead of what it is, or leave the text away"
        self._error("RR403", message, source, mark, help_)

    def whether_said(self, label: Label, mark: Mark, *, private: bool = False) -> None:
        """Not the words but the condition above them tells it; once for each condition."""
        source = label.sources[0]
        if source.word not in ("pieces", "field", "whereabouts") or _is_inside(source.mark, mark):
            self.said(label, mark, private=private)
            return
        many = "them" if source.word == "pieces" else "it"
        hears = "another player" if private else "everybody"
        message = f"{self._known(source)}, but whether {hears} hears this depends on {many}"
        if source.mark not in self.conditions:
            self.conditions.add(source.mark)
            help_ = f"reveal {many} before the condition is asked"
            self._error("RR404", message, source, mark, help_)

    def said(self, label: Label, mark: Mark, *, private: bool = False) -> None:
        source = label.sources[0]
        help_ = "say it after it is revealed to all"
        if source.word in ("secret", "chosen"):
            help_ = "give its value to a variable that all can see, and say that"
            if source.word == "secret" and not private and not _is_inside(source.mark, mark):
                shown = self.opened.get(source.name) or self._free("shown", source.name)
                help_ = (
                    f"above the line where it is read, for each p, `p.{shown} := p.{source.name}`\n"
                    f"with a variable that all can see; then read `p.{shown}` there"
                )
            if private:
                help_ = "give its value to a variable of whoever hears this, and say that"
        hears = "another player" if private else "everybody"
        message = f"{self._known(source)}, but {hears} hears what is said"
        self._error("RR404", message, source, mark, help_)

    def remembered(self, label: Label, name: str, mark: Mark) -> None:
        """Everybody may ask for a history, and it is made of what not everybody knows."""
        source = label.sources[0]
        message = f"{self._known(source)}, but everybody can know what `{name}` remembers"
        help_ = f"keep it to the rules: `history {name} of the last ..., seen by nobody`"
        self._error("RR352", message, source, mark, help_)

    def asked(self, label: Label, mark: Mark) -> None:
        """Whether somebody is asked depends on what not everybody knows."""
        source = label.sources[0]
        many = "them" if source.word == "pieces" else "it"
        message = f"{self._known(source)}, but whether somebody is asked here depends on {many}"
        help_ = (
            "the others learn something when nobody is asked: ask in any case, with the condition\n"
            "after `when` of the options and `always`, as in `p may always choose`"
        )
        if self.problems is not None and self._is_new("RR405", source, mark):
            notes = ((source.mark, "it is looked at here"),)
            self.problems.warning("RR405", message, mark, help=help_, notes=notes)

    def drawn(self, label: Label, mark: Mark) -> None:
        """Chance brings something into the open that depends on what not everybody knows."""
        source = label.sources[0]
        message = f"{self._known(source)}, but everybody sees what chance brings here"
        help_ = "let it bring it to a variable that is `seen by nobody`, or to one that is `secret`"
        self._error("RR404", message, source, mark, help_)

    def open_choice(self, name: str, chosen: Mark, mark: Mark) -> None:
        """What is put into a secret variable was chosen before everybody's eyes."""
        message = f"`{name}` is secret, but everybody has seen this choice"
        help_ = "let it be chosen in a block `sealed for p`, where nobody sees it"
        self._warn(name, message, mark, help_, (chosen, "it is chosen here"))

    def open_chance(self, name: str, drawn: Mark, mark: Mark) -> None:
        """The same of what chance has brought."""
        message = f"`{name}` is secret, but everybody has seen what chance brought"
        help_ = (
            "let chance bring it to a variable that is `seen by nobody`: `spot := random ...`, "
            "with `spot` declared so"
        )
        self._warn(name, message, mark, help_, (drawn, "it is drawn here"))

    def _warn(
        self, name: str, message: str, mark: Mark, help_: str, note: tuple[Mark, str]
    ) -> None:
        if self.problems is not None and self._is_new("RR406", Source("chosen", name, mark), mark):
            self.problems.warning("RR406", message, mark, help=help_, notes=(note,))

    def _open_instead(self, name: str) -> str:
        opened = self.opened.get(name)
        if opened is not None:
            return f"ask `{opened}`, which is open and was given its value"
        shown = self._free("shown", name)
        return (
            f"ask an open variable that was given its value, `p.{shown} := p.{name}`,\n"
            f"with `{self._declared_as(shown, name)}` declared under `each player has`"
        )

    def _free(self, wanted: str, name: str) -> str:
        """A name that nothing has yet."""
        if wanted not in self.ruleset.declared:
            return wanted
        return f"{wanted}{name[:1].upper()}{name[1:]}"

    def _declared_as(self, shown: str, name: str) -> str:
        variable = self.ruleset.variables.get(name)
        return f"{shown}: {'int' if variable is None else variable.type}"

    def _known(self, source: Source) -> str:
        """What is known to whom."""
        match source.word:
            case "field":
                return f"`{source.name}` is hidden until the piece is revealed"
            case "secret":
                variable = self.ruleset.variables.get(source.name)
                if variable is not None and variable.unseen:
                    return f"nobody sees `{source.name}`"
                return f"only its owner knows `{source.name}`"
            case "whereabouts":
                return f"not everybody knows where a {source.name} lies"
            case "chosen":
                return f"only who chose it knows `{source.name}` inside this sealed block"
            case "pieces":
                place = self.ruleset.places.get(source.name)
                if place is not None and place.seen == "owner":
                    return f"only their owner sees the pieces in `{source.name}`"
                return f"nobody sees the pieces in `{source.name}`"

    # ---- where it is told

    def _error(self, code: str, message: str, source: Source, mark: Mark, help_: str) -> None:
        at, notes = _place(source, mark)
        if self.problems is not None and self._is_new(code, source, at):
            self.problems.error(code, message, at, help=help_, notes=notes)

    def _is_new(self, code: str, source: Source, mark: Mark) -> bool:
        """One secret that comes into one line in several ways is told once."""
        key = (code, source.mark, mark.file, mark.line)
        if key in self.told:
            return False
        self.told.add(key)
        return True


def _place(source: Source, mark: Mark) -> tuple[Mark, tuple[tuple[Mark, str], ...]]:
    """The guilty words, if they stand in what is offered or said; else that, and a second mark
    where the secret is read."""
    if _is_inside(source.mark, mark):
        return source.mark, ()
    at = mark
    if source.through is not None and _is_inside(source.through, mark):
        at = source.through
    return at, ((source.mark, "it is read here"),)


def _is_inside(inner: Mark, outer: Mark) -> bool:
    return (
        inner.file == outer.file
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )
