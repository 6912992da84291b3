"""A state as bytes: a line that says whose it is and its seed, then the numbers of the buffer."""

from __future__ import annotations

import struct

from interpreter.play.buffer import Buffer
from interpreter.program.program import Program


def pack_state(program: Program, m: Buffer, seed: int) -> bytes:
    return f"{_owner(program)} {seed}\n".encode() + struct.pack(f"<{len(m)}q", *m)


def unpack_state(program: Program, data: bytes) -> tuple[Buffer, int]:
    """The buffer and the seed; ValueError if other rules have saved it."""
    head, _, body = data.partition(b"\n")
    owner, _, seed = head.rpartition(b" ")
    size = program.layout.size
    if owner != _owner(program).encode() or len(body) != size * 8:
        raise ValueError("this was saved by other rules, players or options")
    return list(struct.unpack(f"<{size}q", body)), int(seed)


def _owner(program: Program) -> str:
    chosen = ",".join(f"{key}={value}" for key, value in sorted(program.options.items()))
    return f"rulerun-state-1 {program.rules_hash} {program.players} {chosen or '-'}"
