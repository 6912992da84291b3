"""How busy or slow the machine is: what makes a promise in seconds testable anywhere."""

import time

ALLOWANCE = 4  # a test process has a heap full of other tests, and neighbours; a hang takes longer


def slowness() -> float:
    """How much longer computing takes now than on an idle machine of the year 2026."""
    start, table, number = time.process_time(), {}, 0
    for step in range(60_000):
        table[step & 1023] = number
        number = (number * 31 + step) & 0xFFFF ^ len(str(number))
    return max(1.0, (time.process_time() - start) / 0.014)


def allowed(seconds: float) -> float:
    """The time to wait here and now for what takes at most `seconds` on an idle machine."""
    return seconds * slowness() * ALLOWANCE
