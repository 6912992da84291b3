"""From the text of a module to code in memory, by way of llvmlite, and kept on disk.

Object code is kept in the user's cache folder under a name made of everything it depends on:
the program, this compiler, LLVM and the processor. A file starts with the hash of its name and
the rest, so a damaged one, or one made for something else, is made anew. Whoever can write there
could put code of theirs into this process, so a folder or file that belongs to somebody else, or
that others may write to, is not used at all. Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from threading import Lock
from typing import Any

from interpreter.play.native.passes import optimise, optimise_long, put_in_place
from interpreter.program.program import Program

_HASH = 32  # bytes
_LONG = 35_000  # lines: beyond that more optimising costs much time and gains little speed
_DEEP = 6  # loops inside each other: beyond that optimising takes twice as long for each
_KEPT = 64  # files; the oldest go
MISSING = "native code needs llvmlite (pip install 'rulerun[fast]'): using the reference machine"


class NativeError(Exception):
    """There is no native code for this program here; the text says why, in one line."""


@cache
def binding() -> Any:
    """llvmlite's binding, ready for this machine."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise NativeError(MISSING) from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def build(program: Program, *, cached: bool = True, level: int = 2, profiled: bool = False) -> Any:
    """An execution engine that holds the code of a program. Level 0 compiles ten times as
    fast, to code a few times as slow. `profiled`: it tells where it is."""
    key = _key(program, level)
    if profiled:
        key = _hash([key, "profiled"])
    return _linked(lambda: compile_program(program, level, profiled=profiled), key, cached=cached)


def is_kept(program: Program, level: int = 2) -> bool:
    """Whether the code of a program lies on disk already."""
    return _read(_key(program, level)) is not None


def _for_good(make: Callable[[], Any]) -> Callable[[], Any]:
    """It is made once, whoever asks at the same time: code that another thread already goes by
    would be gone with the engine that `cache` throws away."""
    lock, made = Lock(), list[Any]()

    @wraps(make)
    def found() -> Any:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return found


@_for_good
def build_search() -> Any:
    """An execution engine that holds the code of tree search, which is the same for all games."""
    from interpreter.play.native.emit.uct import emit_uct

    return _linked(lambda: compile_text(emit_uct()), _hash(["uct", *_surroundings()]), cached=True)


@_for_good
def build_steps() -> Any:
    """The same for the code that steps many games at once."""
    from interpreter.play.native.emit.steps import emit_steps

    key = _hash(["steps", *_surroundings()])
    return _linked(lambda: compile_text(emit_steps()), key, cached=True)


@_for_good
def build_gathering() -> Any:
    """The same for the code that gathers statistics of random games."""
    from interpreter.play.native.emit.gathering import emit_gathering

    key = _hash(["gathering", *_surroundings()])
    return _linked(lambda: compile_text(emit_gathering()), key, cached=True)


@_for_good
def build_learning() -> Any:
    """An execution engine that holds the code of learned policies, the same for all games."""
    from interpreter.play.native.emit.judging import emit_judging
    from interpreter.play.native.emit.learning import emit_learning
    from interpreter.play.native.emit.lessons import emit_lessons

    def text() -> str:
        return "\n".join([emit_learning(), emit_lessons(), emit_judging()])

    key = _hash(["learning", *_surroundings()])
    return _linked(lambda: compile_text(text()), key, cached=True)


def linked(data: bytes) -> Any:
    """An execution engine that holds object code."""
    llvm = binding()
    machine = _machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return engine


def _linked(compiled: Callable[[], bytes], key: str, *, cached: bool) -> Any:
    data = _read(key) if cached else None
    if data is None:
        data = compiled()
        if cached:
            _write(key, data)
    return linked(data)


def compile_program(program: Program, level: int = 2, *, profiled: bool = False) -> bytes:
    """Object code."""
    from interpreter.play.native.emit.blind import nth_bit, nth_bit_by_deposit
    from interpreter.play.native.emit.module import emit_module
    from interpreter.play.native.emit.shifting import shifting, shifting_at_once
    from interpreter.play.native.facts.nesting import loops_deep

    text = emit_module(program, profiled=profiled)
    if spreads_bits():
        text = text.replace(nth_bit(), nth_bit_by_deposit())
    if writes_many_places():
        text = text.replace(shifting(), shifting_at_once())
    return compile_text(text, 0 if loops_deep(program) > _DEEP else level)


def spreads_bits() -> bool:
    """Whether this processor has an instruction for that."""
    return bool(binding().get_host_cpu_features().get("bmi2"))


def writes_many_places() -> bool:
    """The same of instructions that write to many places at once."""
    return bool(binding().get_host_cpu_features().get("avx512vl"))


def compile_text(text: str, level: int = 2) -> bytes:
    llvm = binding()
    is_long = level > 0 and text.count("\n") > _LONG
    machine = _machine(1 if is_long else level)
    module = llvm.parse_assembly(put_in_place(text) if is_long else text)
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    module.verify()
    if is_long:
        optimise_long(llvm, module, machine)
    else:
        optimise(llvm, module, machine, level)
    found: bytes = machine.emit_object(module)
    return found


def _machine(level: int = 2) -> Any:
    llvm = binding()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        jit=True,
    )


# ---- the cache


def cache_folder() -> Path:
    chosen = os.environ.get("RULERUN_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "rulerun" / "native"


def _surroundings() -> list[Any]:
    """What code depends on beside its program."""
    llvm = binding()
    return [
        _compiler_hash(),
        llvm.llvm_version_info,
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    ]


def _key(program: Program, level: int) -> str:
    parts: list[Any] = [
        *_surroundings(),
        level,
        program.players,
        program.layout,
        program.tables,
        program.functions,
        program.routines,
        program.code,
        program.menus,
        program.start,
        program.initial,
        program.score,
        program.winners,
    ]
    return _hash(parts)


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@cache
def _compiler_hash() -> str:
    """This compiler: a change in it makes other code."""
    found = hashlib.sha256()
    house = Path(__file__).parents[2]
    shared = [house / "limits.py", house / "program" / "layout.py"]
    for folder in (house / "play", house / "play" / "spaces"):
        shared += sorted(folder.glob("*.py"))
    for path in [*sorted(Path(__file__).parent.rglob("*.py")), *shared]:
        found.update(path.read_bytes())
    return found.hexdigest()


def _digest(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + data).digest()


def _read(key: str) -> bytes | None:
    """Code of this name that we have written, and nobody else can have changed."""
    folder = cache_folder()
    with suppress(OSError):
        if not _is_ours(os.stat(folder)):
            return None
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        handle = os.open(folder / f"{key}.o", flags | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or not _is_ours(found):
                return None
            data = file.read()
        if _digest(key, data[_HASH:]) == data[:_HASH]:
            return data[_HASH:]
    return None


def _is_ours(found: os.stat_result) -> bool:
    """Whether a folder or file is this user's, and only this user's to change."""
    if not hasattr(os, "geteuid"):  # a system with other rights
        return True
    others = stat.S_IWGRP | stat.S_IWOTH
    return found.st_uid == os.geteuid() and not found.st_mode & others


def _write(key: str, data: bytes) -> None:
    """Whole or not at all. A cache that cannot be written is only slower."""
    folder = cache_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_ours(os.stat(folder)):
            return
        handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(key, data) + data)
        os.replace(name, folder / f"{key}.o")
        kept = sorted(folder.glob("*.o"), key=lambda each: each.stat().st_mtime)
        for old in kept[:-_KEPT]:
            old.unlink()
