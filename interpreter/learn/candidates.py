"""Candidates: the ways to choose that a contest tries out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.bots.match import wilson
from interpreter.bots.trained import Plan
from interpreter.bots.tuning import usual
from interpreter.embedding import Game
from interpreter.play.guided import PLAIN, Settings
from interpreter.program import ops

_CUTS = (10, 25, 60)  # choices after which a game may be cut off
_JUDGED = (4, 12, 30, 75)  # and after which it may be judged
_JUDGED_ON_TOP = (12, 60)  # and if good players have played until there
# Of what a policy says, for all options alike: without it a search never tries most of them, and
# what the policy has not found out stays so. Much more of it was no better.
_DOUBT = 20

PLAIN_SEARCH = "plain search"
POLICY_ALONE = "the policy alone"


@dataclass(slots=True)
class Candidate:
    name: str
    plan: Plan
    pace: float = 1.0  # games of plain search that take as long as one of its own
    won: float = 0.0
    games: int = 0
    against: str = PLAIN_SEARCH  # who has the other seats
    deal: int = 0  # the first that it is given
    more: int = 1  # times as many games as usual are tried before a choice, by everybody

    @property
    def share(self) -> float:
        return self.won / max(1, self.games)

    @property
    def lowest(self) -> float:
        """The lower end of the 95 % interval of its share (Wilson)."""
        return self.interval[0]

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.games)


def shapes(game: Game, shape: Settings = PLAIN) -> list[Candidate]:
    """How games that are tried may be played and judged, other than usual. The rules' score is
    asked only where there is one; a game that is cut off early is judged by it alone."""
    found = [
        Candidate("games by what choices have brought", Plan(replace(shape, learned=3))),
        Candidate("less curious", Plan(replace(shape, exploration=0.4))),
        Candidate("no going to and fro in games", Plan(replace(shape, anew=3))),
    ]
    if has_secret_choices(game):
        found += [
            Candidate(f"secret choices of others drawn{word}", Plan(replace(shape, evenly=percent)))
            for percent, word in ((50, " half of the time"), (100, ""))
        ]
    if game.program.score >= 0:
        both = Settings(learned=3, score=50)
        found += [
            Candidate("half by the score", Plan(Settings(score=50))),
            Candidate("by what choices have brought, half by the score", Plan(both)),
        ]
        found += [
            Candidate(f"by the score after {cut} choices", Plan(Settings(score=60, cut=cut)))
            for cut in _CUTS
        ]
    return found


def has_secret_choices(game: Game) -> bool:
    """Whether somebody may have to choose before others tell what they chose."""
    return any(isinstance(op, ops.Sealed) for op in game.program.code)


def for_points(game: Game, settings: Settings) -> Settings:
    """The same, but as much for the score as is usual: who cannot win any more, or cannot lose,
    still plays for points. By wins alone all is the same to them, and they walk to and fro. It cost
    no wins where it was tried."""
    return replace(settings, score=max(settings.score, usual(game).score))


def judged_shapes(shape: Settings = PLAIN) -> list[Candidate]:
    """When a judge may be asked: a judgement says more than the end of a random game, but less
    than some choices more if it was made for quiet positions."""
    return [
        Candidate(f"judged after {cut} choices", Plan(replace(shape, cut=cut), judged=True))
        for cut in _JUDGED
    ]


def alone() -> Candidate:
    return Candidate(POLICY_ALONE, Plan(PLAIN, searches=False))


def uses(shape: Plan, *, secret: bool = False) -> list[Candidate]:
    """What a policy may be good for: to choose at once, to say where a search looks first, or to
    play the games that are tried, in some of them also what others choose in secret."""
    near, far = (
        replace(shape, settings=replace(shape.settings, prior=prior, doubt=_DOUBT), guided=True)
        for prior in (0.4, 1.0)
    )
    by_policy = replace(far, settings=replace(far.settings, sharp=100))
    found = [
        alone(),
        Candidate("search where the policy points", far),
        Candidate("search that trusts the policy less", near),
        Candidate("search and games by the policy", by_policy),
    ]
    if secret:
        drawn = replace(by_policy, settings=replace(by_policy.settings, evenly=50))
        found.append(Candidate("search, games and secret choices by the policy", drawn))
    return found


def on_top(shape: Settings = PLAIN, *, judged: bool, secret: bool = False) -> list[Candidate]:
    """How a search may make a good policy better: it plays its games by the policy, and looks
    closer at what the policy likes, or at other things, too. With a judge, games need not be played
    to their ends. Where others choose in secret, they may do as the policy does in some games, and
    not only what seems to answer one's own choice."""
    tried: list[tuple[str, Settings]] = [
        (word, replace(shape, prior=prior, sharp=sharp, doubt=_DOUBT))
        for word, prior, sharp in (
            ("curious", 2.5, 100), ("less curious", 1.0, 100), ("with sharp games", 1.0, 200),
        )
    ]  # fmt: skip
    if secret:
        drawn = replace(shape, prior=1.0, sharp=100, doubt=_DOUBT, evenly=50)
        tried.append(("secret choices of others drawn half of the time", drawn))
    if judged:
        tried += [
            (
                f"judged after {cut} choices",
                replace(shape, prior=1.0, sharp=200, cut=cut, doubt=_DOUBT),
            )
            for cut in _JUDGED_ON_TOP
        ]
    return [
        Candidate(
            f"search on top of the policy, {word}",
            Plan(settings, guided=True, judged=settings.cut > 0),
            against=POLICY_ALONE,
        )
        for word, settings in tried
    ]
