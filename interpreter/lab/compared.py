"""A comparison in words, for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from interpreter.lab.changes import Change
from interpreter.lab.comparison import ArmComparison, Comparison, Shift, UseShift
from interpreter.lab.measures import BY_NAME
from interpreter.lab.words import number

_SURE = 0.05  # below which no accident is supposed, all comparisons counted
_WIDE = 54  # of what is named first
_MOST_CHANGES, _MOST_USES, _MOST_LINES, _MOST_PLACES = 20, 8, 3, 4


def lines(found: Comparison) -> Iterator[str]:
    yield f"{found.title}: {found.old}, compared with {found.new}"
    yield ""
    yield from _changes(found.changes)
    for arm in found.arms:
        yield ""
        yield from _arm(arm)
    if not found.complete:
        yield ""
        yield "This was interrupted: it goes by the games that were played under both."


def _changes(changes: tuple[Change, ...]) -> Iterator[str]:
    if not changes:
        yield "The rules declare the same."
        return
    yield f"{len(changes)} declaration{'s differ' if len(changes) != 1 else ' differs'}"
    for each in changes[:_MOST_CHANGES]:
        place = f"{Path(each.file).name}:{each.line}"
        name = f"{each.sort} {each.name}".strip()
        if each.sort == "data" and each.kind == "changed":
            yield f"  changed  {name}: {each.old[0]} -> {each.new[0]}  ({place})"
            continue
        yield f"  {each.kind:8} {name}  ({place})"
        yield from (f"           - {line}" for line in each.old[:_MOST_LINES])
        yield from (f"           + {line}" for line in each.new[:_MOST_LINES])
    if len(changes) > _MOST_CHANGES:
        yield f"  and {len(changes) - _MOST_CHANGES} more"


def _arm(arm: ArmComparison) -> Iterator[str]:
    yield f"{arm.title}: {arm.games:,} games under both, {arm.alike:,} came out the same"
    sure = [each for each in arm.shifts if each.corrected < _SURE]
    if sure:
        yield f"  {'':{_WIDE}}{'old':>9}{'new':>9}{'change':>10}   95 %"
    for each in sure:
        yield _shift(each)
    unsure = [each for each in arm.shifts if each.corrected >= _SURE and each.shift]
    if unsure:
        widest = max(unsure, key=lambda each: each.high - each.low if each.unit == "share" else 0)
        told = f"; {_name(widest)} may differ by {_span(widest)}" if widest.unit == "share" else ""
        which = f"{len(unsure)} other figures" if sure else f"any of {len(unsure)} figures"
        yield f"  No difference is seen in {which}{told}."
    yield from _uses(arm.uses)
    yield from _partings(arm)


def _name(shift: Shift) -> str:
    """`games won, by seat: 2`."""
    words = BY_NAME[shift.name].words
    return f"{words}: {shift.of}" if shift.of else words


def _shift(shift: Shift) -> str:
    if shift.unit == "share":
        old, new = f"{100 * shift.old:.1f} %", f"{100 * shift.new:.1f} %"
        moved = f"{100 * shift.shift:+.1f}"
    else:
        old, new, moved = number(shift.old), number(shift.new), _signed(shift.shift)
    return f"  {_name(shift):{_WIDE}}{old:>9}{new:>9}{moved:>10}   {_span(shift)}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{number(value)}"


def _span(shift: Shift) -> str:
    if shift.unit == "share":
        return f"{100 * shift.low:+.1f} to {100 * shift.high:+.1f} points"
    return f"{_signed(shift.low)} to {_signed(shift.high)}"


def _uses(uses: tuple[UseShift, ...]) -> Iterator[str]:
    """What is surely chosen more or less often, the most first."""
    moved = [
        (each, each.shift, each.low, each.high)
        for each in uses
        if each.shift is not None and each.low is not None and each.high is not None
    ]
    clear = [each for each in moved if each[2] > 0 or each[3] < 0]
    for each, shift, low, high in sorted(clear, key=lambda one: -abs(one[1]))[:_MOST_USES]:
        old, new = 100 * (each.old or 0.0), 100 * (each.new or 0.0)
        yield (
            f"  {f'{each.sort} {each.words} taken':{_WIDE}}{old:7.1f} %{new:7.1f} %"
            f"{100 * shift:+10.1f}   {100 * low:+.1f} to {100 * high:+.1f} points"
        )
    for said, several in (
        ("not offered any more", [e for e in uses if e.old_offered and not e.new_offered]),
        ("offered now", [e for e in uses if e.new_offered and not e.old_offered]),
    ):
        if several:
            names = ", ".join(f"{each.sort} {each.words}" for each in several[:_MOST_USES])
            rest = len(several) - _MOST_USES
            yield f"  {said}: {names}{f' and {rest} more' if rest > 0 else ''}"


def _partings(arm: ArmComparison) -> Iterator[str]:
    if not arm.partings:
        return
    first = min(arm.partings, key=lambda each: (each.decision, each.game))
    places = Counter((each.new_file, each.new_line) for each in arm.partings)
    told = ", ".join(
        f"{Path(file).name}:{line} ({times})"
        for (file, line), times in places.most_common(_MOST_PLACES)
    )
    yield f"  Of {len(arm.partings)} games that were looked at, decisions part at {told}."
    yield f"  Game {first.game} (seed {first.seed}) parts at decision {first.decision}:"
    yield from (f"    {line}" for line in first.words)
    before = f"{Path(first.old_file).name}:{first.old_line}"
    now = f"{Path(first.new_file).name}:{first.new_line}"
    yield f"    asked at {before}" + (f", now at {now}" if now != before else "")
