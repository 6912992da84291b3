"""A leak made small: the shortest game that shows it, with the fewest hidden things different."""

from __future__ import annotations

from dataclasses import replace

from interpreter.embedding import Game, PlayError, State
from interpreter.option import IllegalOption
from interpreter.prove.leaks import SORTS, hunt, sort_of
from interpreter.prove.plain import plainly
from interpreter.prove.sight import seen_by
from interpreter.prove.twins import Decisions, Leak, Pair, Round, find_difference, seen_on_the_way

_GAMES = 12  # tried to find a shorter one


def size(leak: Leak) -> tuple[int, int, int]:
    """What a smaller leak has less of. Twins that were both played are worth more than a state
    that was made up."""
    state = leak.made_up
    decisions = sum(len(each.first) for each in leak.pair.rounds)
    if state is not None:
        decisions = len(state.history())
    return state is not None, decisions, sum(_unlike(each) for each in leak.pair.rounds)


def shrink(game: Game, leak: Leak, seed: int) -> Leak:
    """The smallest leak of the same sort that was found for the same viewer."""
    sort, viewer = sort_of(leak), leak.pair.viewer
    for number in range(_GAMES):
        shorter = len(leak.pair.rounds) if leak.made_up is None else len(leak.made_up.history())
        found = hunt(game, viewer, seed + number, max(1, shorter))
        leak = min([leak, *(each for each in found if sort_of(each) == sort)], key=size)
    if leak.made_up is not None:
        return leak
    for number in reversed(range(len(leak.pair.rounds))):
        leak = _alike(game, leak, number)
    return leak


def _unlike(each: Round) -> int:
    return sum(a != b for a, b in zip(each.first, each.second, strict=False))


def _alike(game: Game, leak: Leak, number: int) -> Leak:
    """Let decisions of one round be the same in both twins, one by one, as long as it leaks."""
    first, second = leak.pair.rounds[number].first, leak.pair.rounds[number].second
    if len(first) != len(second):
        return _retold(game, leak, number, first) or leak
    for at in range(len(first)):
        second = leak.pair.rounds[number].second
        if first[at] != second[at]:
            # What the second twin had here may be needed where the first twin has it.
            swapped = tuple(
                first[at] if n == at else second[at] if each == first[at] else each
                for n, each in enumerate(second)
            )
            leak = _retold(game, leak, number, swapped) or leak
    return leak


def _retold(game: Game, leak: Leak, number: int, second: Decisions) -> Leak | None:
    rounds = list(leak.pair.rounds)
    rounds[number] = Round(rounds[number].first, second)
    try:
        return retold(game, leak.pair.viewer, tuple(rounds), sort_of(leak))
    except (IllegalOption, PlayError):
        return None


def retold(game: Game, viewer: int | None, rounds: tuple[Round, ...], sort: str) -> Leak | None:
    """Tell two games again; the leak of a sort that their last round shows, and no round before."""
    start = game.start(explicit_chance=True, ask_when_forced=True)
    pair = Pair(viewer, start, start)
    plain = None
    parts = set(SORTS[sort])
    for number, each in enumerate(rounds):
        first, second = _on(pair.first, each.first), _on(pair.second, each.second)
        after = replace(pair, first=first, second=second, rounds=(*pair.rounds, each))
        if not _alike_in_sight(pair, after):
            return None
        leak = find_difference(after)
        if plain is None:
            plain = plainly(game, after)
        elif leak is None or not parts & set(leak.parts):
            leak = plain.follow(after) or leak
        if leak is not None and parts & set(leak.parts):
            shown = tuple(part for part in leak.parts if part in parts)
            return replace(leak, parts=shown) if number == len(rounds) - 1 else None
        pair = after
    return None


def _on(state: State, decisions: Decisions) -> State:
    for seat, text in decisions:
        state = state.apply(text, None if seat < 0 else seat)
    return state


def _alike_in_sight(before: Pair, after: Pair) -> bool:
    seen = seen_by(after.first, after.seat) == seen_by(after.second, after.seat)
    return seen and seen_on_the_way(after.first, before.first, after.seat) == seen_on_the_way(
        after.second, before.second, after.seat
    )
