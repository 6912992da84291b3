"""What a designer should look at: figures that are off by more than accident, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.lab.findings import Figure, Remark, Use
from interpreter.lab.intervals import accident, games_to_see
from interpreter.lab.spec import Arm

SURE = 0.05  # of accidents, all comparisons of a kind taken together
_MUCH = 0.02  # of a share: less is nothing that people would notice
_STRONG = 0.05  # the same for what is chosen
_RUNAWAY = 0.75
_FORCED = 0.6
_SEEN = 0.05
_OFTEN = 30  # offered, before it means something that nobody takes it
_WIDE = 0.05


def remarks(
    arm: Arm, found: Sequence[Figure], uses: Sequence[Use], failures: dict[str, int]
) -> list[Remark]:
    by_name: dict[str, list[Figure]] = {}
    for each in found:
        by_name.setdefault(each.name, []).append(each)
    games = max((each.games for each in by_name.get("moves", ())), default=0)
    told = [*_advantages(arm, by_name), *_things(uses, _better(by_name), games), *_games(by_name)]
    for reason, times in failures.items():
        words = f"a bot failed {times} times and took any option: {reason}"
        told.append(Remark("bot failures", reason.partition(":")[0], words))
    return told


def _advantages(arm: Arm, figures: dict[str, list[Figure]]) -> Iterator[Remark]:
    """Seats and places that win more or less than their share. Bots go round, so it is not them."""
    fair = 1 / arm.players
    won = sum(each.value for each in figures.get("wins", ()))
    if arm.players < 2 or arm.restraint is not None or abs(won - 1) > 0.01:
        return  # who wins and loses together has no share
    for name, kind, thing in (
        ("wins", "seat advantage", "seat"),
        ("wins by start", "start advantage", "place"),
    ):
        for each in figures.get(name, ()):
            # Few games may all have ended alike: then they differ less than fair ones would.
            spread = max(each.deviation, (fair * (1 - fair)) ** 0.5)
            chance = accident((each.value - fair) * max(1, each.games) ** 0.5 / spread)
            if chance * arm.players < SURE and abs(each.value - fair) > _MUCH:
                who = _place(int(each.of)) if thing == "place" else f"seat {each.of}"
                words = f"{who} wins {percent(each)}; {100 * fair:.1f} % would be fair"
                yield Remark(kind, f"{thing} {each.of}", words)  # type: ignore[arg-type]


def _place(number: int) -> str:
    if number == 1:
        return "whoever chooses first"
    return f"place {number}, counted from whoever chooses first,"


def _better(figures: dict[str, list[Figure]]) -> str:
    """The bot that wins most: what others leave may be their mistake."""
    told = figures.get("wins by bot", ())
    return max(told, key=lambda each: each.value).of if told else ""


def _things(uses: Sequence[Use], better: str, games: int) -> Iterator[Remark]:
    yield from _never_offered(uses, games)
    for each in uses:
        about = f"{each.sort} {each.name}"
        named = f"{each.sort} {each.words}"
        if each.taken == 0 and each.offered >= _OFTEN and each.bot == better != "random":
            words = f"{named}: offered {each.offered:,} times and never taken by {each.bot}"
            yield Remark("never taken", about, words)
        elif each.corrected is not None and each.change is not None and each.corrected < SURE:
            if abs(each.change) < _STRONG or each.takers_won is None or each.leavers_won is None:
                continue
            half = 100 * (each.change - (each.low or 0.0))
            took, left = 100 * each.takers_won, 100 * each.leavers_won
            words = (
                f"{named}: who takes it wins {took:.1f} %, who could and does not {left:.1f} % "
                f"({100 * each.change:+.1f} ± {half:.1f} points)"
            )
            yield Remark("too strong" if each.change > 0 else "too weak", about, words)


def _never_offered(uses: Sequence[Use], games: int) -> Iterator[Remark]:
    """Things that nobody could ever choose. Where that is most of a sort, it is one remark: such a
    list is for something else."""
    offered: dict[tuple[str, str], int] = {}
    words: dict[tuple[str, str], str] = {}
    for each in uses:
        key = each.sort, each.name
        offered[key] = offered.get(key, 0) + each.offered
        words[key] = each.words
    for sort in dict.fromkeys(sort for sort, _ in offered):
        all_ = [key for key in offered if key[0] == sort]
        none = [key for key in all_ if not offered[key]]
        if sort != "action" and len(none) > len(all_) / 2:
            told = f"{sort}: {len(none)} of {len(all_)} are never offered in {games:,} games"
            yield Remark("never offered", sort, told)
            continue
        for key in none:
            told = f"{sort} {words[key]}: never offered in {games:,} games"
            yield Remark("never offered", " ".join(key), told)


def _games(figures: dict[str, list[Figure]]) -> Iterator[Remark]:
    def only(name: str) -> Figure | None:
        return next(iter(figures.get(name, ())), None)

    if (each := only("endless")) and each.value > 0:
        words = f"{percent(each)} of the games did not end and were cut off"
        yield Remark("endless games", "games", words)
    if (each := only("failed")) and each.value > 0:
        yield Remark(
            "broken rules", "games", f"the rules broke down in {percent(each)} of the games"
        )
    if (each := only("repeats")) and each.low > _SEEN:
        words = f"in {percent(each)} of the games a position came again"
        yield Remark("positions again", "games", words)
    if (each := only("leader at 1/2 wins")) and each.low > _RUNAWAY:
        words = f"whoever leads at half-time wins {percent(each)} of the games"
        yield Remark("runaway leader", "games", words)
    if (each := only("forced")) and each.low > _FORCED:
        words = f"{percent(each)} of the decisions leave no choice"
        yield Remark("few decisions", "games", words)
    wins = figures.get("wins", ())
    if wins and max(each.half for each in wins) > _WIDE:
        yield Remark("small sample", "games", told_need(max(wins, key=lambda each: each.half)))


def percent(figure: Figure) -> str:
    """`25.3 % ± 1.9`."""
    return f"{100 * figure.value:.1f} % ± {100 * figure.half:.1f}"


def told_need(figure: Figure, wanted: float = 0.02) -> str:
    """`±1.9 points after 2,660 games; 4,906 games needed to see 2`; or, if there are enough, what
    can be seen. To see a difference is to tell it from accident four times in five."""
    p = min(max(figure.value, 0.05), 0.95)
    told = f"±{100 * figure.half:.1f} points after {figure.games:,} games"
    needed = games_to_see(p, wanted)
    if needed > figure.games:
        return f"{told}; {needed:,} games needed to see {100 * wanted:g}"
    seen = wanted * (needed / figure.games) ** 0.5
    return f"{told}; enough to see {100 * seen:.1f}"
