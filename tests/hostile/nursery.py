"""Runs command lines in children that are forked from one process, which has loaded everything.

    python nursery.py < one JSON object a line: {"args", "stdin", "stdout", "stderr", "seconds"}

It answers each with a line {"signal", "exit", "cpu", "clock", "mebibytes", "slowness"}. A child
runs under limits of its own, so that no hostile input can hurt the machine the tests run on.
"""

import json
import os
import resource
import sys
import time

from slowness import slowness

from interpreter.cli import check, main, play  # noqa: F401
from interpreter.embedding import load_text

ADDRESSES = 1 << 30  # a child that wants more is told that there is no memory


def child(order: dict[str, object]) -> None:
    for name, number, flags in (
        ("stdin", 0, os.O_RDONLY),
        ("stdout", 1, os.O_WRONLY | os.O_CREAT),
        ("stderr", 2, os.O_WRONLY | os.O_CREAT),
    ):
        handle = os.open(str(order[name]), flags)
        os.dup2(handle, number)
        os.close(handle)
    seconds = int(str(order["seconds"]))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    args = order["args"]
    assert isinstance(args, list)
    code = main.run(args)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def answer(order: dict[str, object]) -> dict[str, object]:
    slow = slowness()
    start = time.monotonic()
    number = os.fork()
    if number == 0:
        try:
            child(order)
        finally:
            os._exit(99)  # something came out of main.run, which promises that nothing does
    _, status, used = os.wait4(number, 0)
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1,
        "cpu": used.ru_utime + used.ru_stime,
        "clock": time.monotonic() - start,
        "mebibytes": used.ru_maxrss / 1024,
        "slowness": max(slow, slowness()),
    }


if __name__ == "__main__":
    load_text('game "Warm"\nplayers 2\nplay\n    nobody wins\n').start()
    while line := sys.stdin.readline():
        print(json.dumps(answer(json.loads(line))), flush=True)
