"""What could be chosen, taken together for all bots, and the judgement of each in words."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.lab.findings import ArmFindings, Use
from interpreter.report.visible import spaced

_LIKELY = 0.05  # that it is chance, after the correction for so many comparisons
FEW = 30  # players on either side


@dataclass(frozen=True, slots=True)
class Used:
    """By all bots."""

    sort: str
    name: str
    label: str
    offered: int
    taken: int

    @property
    def share(self) -> float:
        return self.taken / self.offered if self.offered else 0.0


def used(arm: ArmFindings) -> list[Used]:
    found: dict[tuple[str, str], Used] = {}
    for use in arm.uses:
        key = use.sort, use.name
        before = found.get(key, Used(use.sort, use.name, named(use), 0, 0))
        found[key] = Used(
            use.sort, use.name, before.label, before.offered + use.offered, before.taken + use.taken
        )
    return list(found.values())


def named(use: Use) -> str:
    """For people."""
    return use.words or spaced(use.name)


def clear(use: Use) -> bool:
    """Whether the change is more than chance would bring, among so many."""
    return use.corrected is not None and use.corrected <= _LIKELY


def verdict(use: Use) -> str:
    """In a word or two."""
    if not use.offered:
        return "never offered"
    if not use.taken:
        return "never taken"
    if clear(use):
        return "wins more" if (use.change or 0.0) > 0 else "wins less"
    if min(use.takers, use.leavers) < FEW:
        return "too few to say" if use.leavers else "always taken"
    return "no clear change"
