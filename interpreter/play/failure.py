"""What stops a game: a mistake of the rules that shows only while playing."""

from __future__ import annotations

MESSAGES = {
    "RR601": "a number grows beyond 64 bits here",
    "RR602": "this divides by zero",
    "RR603": "there is nothing here: `none` is used as if it were something",
    "RR604": "this number is outside the range declared for it",
    "RR605": "there is no room for another piece in this place",
    "RR606": "there are not enough pieces left to draw or move",
    "RR607": "a choice must be made, and nothing can be chosen",
    "RR608": "this goes on and on: the rules have taken too many steps",
    "RR609": "there are too many options for one choice",
    "RR611": "functions call each other too deeply",
    "RR612": "there is nothing to take the least or most of",
    "RR613": "too many sealed choices by one player",
    "RR614": "looking ahead takes too long",
    "RR615": "the game has gone on for too many moves",
    "RR616": "this would tell somebody of a piece that they do not know yet",
}
CODES = tuple(MESSAGES)


class Failure(Exception):
    """Carries the code and the spot; whoever knows the game makes a problem of it."""

    def __init__(self, code: str, at: int, trial: int = -1, told: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.at = at
        self.trial = trial  # the spot of what was tried out when it happened, or -1
        self.told = told  # more than the code says, where more is known

    @property
    def message(self) -> str:
        return self.told or MESSAGES[self.code]

    @property
    def is_limit(self) -> bool:
        """Whether a limit was hit rather than a rule broken."""
        return self.code in ("RR608", "RR609", "RR613", "RR614", "RR615")

    def spent_by(self, name: str | None) -> Failure:
        """The same, told with the function that has used up the steps, if it is known."""
        if self.code != "RR608" or name is None:
            return self
        told = f"{MESSAGES[self.code]}, most of them in `{name}`"
        return Failure(self.code, self.at, self.trial, told)

    def located(self, at: int) -> Failure:
        """The same with a spot, if it has none yet."""
        return self if self.at >= 0 else Failure(self.code, at, self.trial, self.told)

    def tried(self, at: int) -> Failure:
        """The same, which happened in a trial; of several, in the outermost."""
        return Failure(self.code, self.at if self.at >= 0 else at, at, self.told)
