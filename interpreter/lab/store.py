"""A study on disk: parts as they are finished, whole or not at all, and what they are parts of.

    DIR/study.json       the study and its arms
    DIR/parts/*.npz      games that were played, a file for each chunk
    DIR/games.parquet    and .csv, with seats, uses, race and decisions: written from the parts
    DIR/findings.json    the figures

Parts are what is gone on with; everything else is made from them.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from array import array
from pathlib import Path
from typing import Any

import numpy

from interpreter.lab.play import Part
from interpreter.lab.spec import Arm, Chunk, Manifest, Restraint, Study


class StoreError(Exception):
    """The folder holds something else; the text says what, for people."""


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts = folder / "parts"

    def open(self, identity: str) -> None:
        """Make the folder, or see that it is of the same study."""
        self.parts.mkdir(parents=True, exist_ok=True)
        told = self.folder / "study.json"
        if not told.exists():
            if any(self.parts.iterdir()):
                raise StoreError(f"{self.folder} has games, but no study.json says of what")
            return
        try:
            found = json.loads(told.read_text(encoding="utf-8"))["identity"]
        except (ValueError, KeyError, TypeError):
            raise StoreError(f"{told} is no study") from None
        if found != identity:
            raise StoreError(
                f"{self.folder} holds another study: other rules, bots, settings or another seed. "
                "Choose another folder with --out, or delete this one."
            )

    def write(self, name: str, text: str) -> None:
        _replace(self.folder / name, text.encode())

    def add(self, part: Part) -> None:
        chunk = part.chunk
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {
            "games": numpy.frombuffer(part.games, dtype=numpy.int64),
            "race": numpy.frombuffer(part.race, dtype=numpy.int64),
            "about": numpy.frombuffer(
                json.dumps(
                    {
                        "bots": list(part.uses),
                        "failures": part.failures,
                        "decisions": part.decisions,
                    }
                ).encode(),
                dtype=numpy.uint8,
            ),
        }
        for number, uses in enumerate(part.uses.values()):
            arrays[f"uses{number}"] = numpy.frombuffer(uses, dtype=numpy.int64)
        numpy.savez_compressed(buffer, **arrays)
        name = f"{chunk.arm:05}-{chunk.first:010}-{chunk.count}.npz"
        _replace(self.parts / name, buffer.getvalue())

    def read(self) -> list[Part]:
        """All parts that are whole, in the order of their games. One that is torn is passed over,
        and played again."""
        found: list[Part] = []
        for path in sorted(self.parts.glob("*.npz")):
            try:
                arm, first, count = (int(word) for word in path.stem.split("-"))
                with numpy.load(path, allow_pickle=False) as data:
                    found.append(_part(Chunk(arm, first, count), data))
            except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError):
                continue
        return found


def _part(chunk: Chunk, data: Any) -> Part:
    about = json.loads(bytes(data["about"]))
    uses = {bot: _array(data[f"uses{n}"]) for n, bot in enumerate(about["bots"])}
    decisions = [tuple(each) for each in about["decisions"]]
    games, race = _array(data["games"]), _array(data["race"])
    return Part(chunk, games, uses, race, decisions, about["failures"])


def _array(values: Any) -> array[int]:
    return array("q", values.astype(numpy.int64).tobytes())


def _replace(path: Path, data: bytes) -> None:
    new = path.with_name(f".{path.name}.new")
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def read_manifest(folder: Path) -> Manifest:
    """Raises StoreError if there is none."""
    try:
        data = json.loads((folder / "study.json").read_text(encoding="utf-8"))
        return _manifest(data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{folder} is no study: {error}") from None


def _manifest(data: dict[str, Any]) -> Manifest:
    given = data["study"]
    study = Study(
        **{
            **given,
            "players": tuple(given["players"]),
            "bots": tuple(given["bots"]),
            "tables": tuple(map(tuple, given["tables"])),
            "options": tuple((name, value) for name, value in given["options"]),
            "settings": tuple(given["settings"]),
            "vary": tuple((name, tuple(values)) for name, values in given["vary"]),
            "restraints": tuple(Restraint(**each) for each in given["restraints"]),
        }
    )
    return Manifest(
        study,
        data["title"],
        data["rules_hash"],
        tuple(_arm(each) for each in data["arms"]),
        tuple(data["hashes"]),
        tuple(data["played"]),
        data["version"],
        data["complete"],
    )


def _arm(data: dict[str, Any]) -> Arm:
    restraint = data["restraint"] and Restraint(**data["restraint"])
    options = tuple((name, value) for name, value in data["options"])
    settings, bots = tuple(data["settings"]), tuple(data["bots"])
    return Arm(data["number"], data["players"], options, settings, bots, restraint, data["repeats"])
