"""The same study on many machines: chunks of games are played by the workers of a Dask cluster.

    dask scheduler
    dask worker ADDRESS --nworkers auto --nthreads 1      on each machine, with the same rulerun
    rulerun study FILE --games 1000000 --cluster ADDRESS --out DIR

Rules go along with every chunk as a `Parcel`: the texts of their files as they were read, and the
bot that was trained on them, if it plays. A worker needs no file of ours; it unpacks a parcel once,
compiles it once and keeps it. Chunks hang on nothing but the parcel, the arm and their numbers, so
it does not matter who plays them or how often: when a worker is lost, Dask gives its chunks to
others, and what comes back is the same to the byte. Parts come back as they are finished, and are
kept as with workers of one's own (`run.py`), so that a study goes on where it was, with or without
a cluster.

A worker must run the very code that we do: each compares a hash of it before it plays. Whoever can
reach a Dask scheduler can run anything on its workers; that is for networks one trusts.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import distributed

from interpreter.bots import trained
from interpreter.lab.play import Part, play_chunk
from interpreter.lab.ready import read
from interpreter.lab.spec import Arm, Chunk, Study

_SECONDS = 20  # to find the scheduler, and a worker
_TRIES = 10  # of a chunk, if something goes wrong on the way


class ClusterError(Exception):
    """There is no cluster, or it has other code; the text says what, for people."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """All that a worker needs to know of the rules: files by their names as seen from the folder of
    the first one, which is the rule file itself."""

    files: tuple[tuple[str, bytes], ...]  # packed
    code: str  # a hash of what plays them

    @property
    def key(self) -> str:
        found = hashlib.sha256(self.code.encode())
        for name, data in self.files:
            found.update(name.encode() + b"\0" + data)
        return found.hexdigest()[:24]


def pack(study: Study) -> Parcel:
    """The files as they were read when the study began."""
    rules = read(study.rules)
    home = PurePosixPath(Path(study.rules).parent.as_posix())
    files: list[tuple[str, bytes]] = []
    for name, source in rules.sources.items():
        path = PurePosixPath(Path(name).as_posix())
        inside = path.relative_to(home) if path.is_relative_to(home) else PurePosixPath(path.name)
        files.append((inside.as_posix(), zlib.compress(source.text.encode())))
    for path_ in trained.places(study.rules) if _needs_training(study) else ():
        if path_.is_file() and path_.stat().st_size <= trained.MOST_BYTES:
            name = Path(study.rules).with_suffix(trained.ENDING).name
            files.append((name, zlib.compress(path_.read_bytes())))
            break
    return Parcel(tuple(files), fingerprint())


def _needs_training(study: Study) -> bool:
    """Whether somebody plays who may have been trained."""
    plain = {"random", "first", "search", "plain"}
    names = {bot.partition(":")[0] for bots in (study.bots, *study.tables) for bot in bots}
    return bool(names - plain)


@cache
def fingerprint() -> str:
    """A hash of all code of this program: equal code plays equal games."""
    found = hashlib.sha256()
    home = Path(__file__).parents[1]
    for path in sorted(home.rglob("*.py")):
        found.update(path.relative_to(home).as_posix().encode() + path.read_bytes())
    return found.hexdigest()[:24]


# ---- on a worker

_unpacked: dict[str, Path] = {}
_alone = threading.Lock()  # a worker plays one chunk at a time, however many threads it has


def play_sent(parcel: Parcel, study: Study, arm: Arm, chunk: Chunk) -> Part:
    """What a worker does."""
    if parcel.code != fingerprint():
        raise ClusterError("a worker has another version of rulerun: install the same everywhere")
    with _alone:
        path = _unpack(parcel)
        # No bot that somebody has trained on this machine shall play.
        os.environ["RULERUN_BOTS"] = str(path.parent)
        return play_chunk(replace(study, rules=str(path)), arm, chunk)


def _unpack(parcel: Parcel) -> Path:
    if parcel.key not in _unpacked:
        folder = Path(tempfile.mkdtemp(prefix="rulerun-"))
        for name, data in parcel.files:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(zlib.decompress(data))
        _unpacked[parcel.key] = folder / parcel.files[0][0]
    return _unpacked[parcel.key]


# ---- here


class Cluster(Executor):
    """Hands for `play_study`, far away."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.hands = client.get_executor(pure=False, retries=_TRIES)
        self._parcels: dict[tuple[str, bool], Parcel] = {}

    @property
    def number(self) -> int:
        """Workers there are now."""
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """`play_chunk` with its study, arm and chunk; nothing else is done there."""
        assert fn is play_chunk and not kwargs
        study, arm, chunk = args
        key = study.rules, _needs_training(study)
        if key not in self._parcels:
            self._parcels[key] = pack(study)
        found: Future[Any] = self.hands.submit(play_sent, self._parcels[key], study, arm, chunk)
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.hands.shutdown(wait=wait)


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Raises ClusterError if nobody answers there."""
    connect: Any = distributed.Client  # it has no types
    try:
        client = connect(address, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        found = Cluster(client)
        try:
            client.wait_for_workers(1, timeout=_SECONDS)
        except TimeoutError:
            told = f"start some with `dask worker {address} --nthreads 1`"
            raise ClusterError(f"the scheduler at {address} has no workers; {told}") from None
        yield found
    finally:
        client.close()
