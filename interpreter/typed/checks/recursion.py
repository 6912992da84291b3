"""Does anything that somebody chooses in come back to itself?

What waits for a decision keeps what it knows in the state, once, so it cannot be begun again before
it is over. Actions are carried out where they are offered, so a procedure comes back to itself
through them too, and an action must not lead to itself at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.report.problem import Problems
from interpreter.typed.effects import Callee, Summaries
from interpreter.typed.rules import Rules, declared_name
from interpreter.typed.walk import roots


def check_recursion(rules: Rules, summaries: Summaries, problems: Problems) -> None:
    every: list[Callee] = [("procedure", name) for name in rules.procedures]
    every += [("action", name) for name in rules.actions]
    waiting = {each for each in every if each[0] == "action" or each[1] in rules.stopping}
    calls = {
        callee: [each for each in summaries.calls(callee) if each in waiting] for callee in waiting
    }
    first = summaries.called_by(roots(rules))
    for word, name in _returned_to([each for each in (*first, *every) if each in waiting], calls):
        declared = rules.procedures[name] if word == "procedure" else rules.actions[name]
        message = f"`{declared_name(name)}` comes back to itself, and somebody chooses on the way"
        help_ = "use `repeat` instead of calling it again"
        problems.error("RR415", message, declared.mark, help=help_)


def _returned_to(order: list[Callee], calls: dict[Callee, list[Callee]]) -> Iterator[Callee]:
    """Those that are called while they are under way, each call deep first."""
    under_way: set[Callee] = set()
    done: set[Callee] = set()
    waiting = [(callee, False) for callee in reversed(order)]
    while waiting:
        callee, over = waiting.pop()
        if over:
            under_way.discard(callee)
            done.add(callee)
        elif callee in under_way:
            yield callee
        elif callee not in done:
            under_way.add(callee)
            waiting.append((callee, True))
            waiting += [(each, False) for each in reversed(calls[callee])]
