"""A state as bytes: a line that says whose it is and its seed, then the numbers of the buffer."""

from __future__ import annotations

import struct

from interpreter.play.buffer import Buffer
from interpreter.play.verify import check_buffer, check_stop
from interpreter.program.program import Program
from interpreter.report.whole import read_whole


def pack_state(program: Program, m: Buffer, seed: int) -> bytes:
    return f"{_owner(program)} {seed}\n".encode() + struct.pack(f"<{len(m)}q", *m)


def unpack_state(program: Program, data: bytes) -> tuple[Buffer, int]:
    """The buffer and the seed; ValueError if other rules have saved it, or if nobody can have:
    bytes come from anywhere, and whoever plays on relies on what a state promises."""
    head, _, body = data.partition(b"\n")
    owner, _, text = head.rpartition(b" ")
    size = program.layout.size
    if owner != _owner(program).encode() or len(body) != size * 8:
        raise ValueError("this was saved by other rules, players or options")
    seed = read_whole(text.decode("ascii", "replace"))
    m = list(struct.unpack(f"<{size}q", body))
    wrong = ["its seed is no number"] if seed is None else check_stop(program, m)
    wrong = wrong or check_buffer(program, m)
    if wrong or seed is None:
        raise ValueError(f"this is no state that was saved: {wrong[0]}")
    return m, seed


def _owner(program: Program) -> str:
    chosen = ",".join(f"{key}={value}" for key, value in sorted(program.options.items()))
    return f"rulerun-state-1 {program.rules_hash} {program.players} {chosen or '-'}"
