"""Records: nothing acknowledged is lost, nothing is invented, every changed byte shows."""

import errno
import fcntl
import json
import os
import random
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile.slowness import allowed
from jsonschema import Draft202012Validator

import interpreter
from interpreter import Game, State, limits
from interpreter.record import (
    Disk,
    File,
    Record,
    Recorder,
    RecordError,
    check_same_rules,
    load_game_for,
    read_record,
    read_record_bytes,
    replay,
    resume,
)
from interpreter.report.hints import all_codes

ROOT = Path(__file__).resolve().parent.parent
TIC_TAC_TOE = """game "Tic-tac-toe"
players 2
board Grid: square 3 by 3
each Grid has
    mark: Player or none
action place(c in Grid) "mark {c}"
    when c.mark is none
    c.mark := me
    if line(c through x where x.mark is me) >= 3
        me wins
    if every(x in Grid has x.mark is not none)
        nobody wins
play
    turns
        choose place
"""
# Chance, sealed choices, an option, and names that no line could hold as they are.
PRIZES = """game "Prizes"
players 2..3
option rounds: 2..5 = 3
data "prizes.yaml"
kind Prize from prizes
    worth: int
enum Face: low, high
the game has
    deck: stack of Prize, holds all
    offer: slot of Prize, face up
each player has
    bid: 0..3, secret
    gold: int
setup
    shuffle deck
play
    repeat rounds times
        draw 1 from deck to offer
        sealed for p
            p chooses b in 0..3 "bid {b}"
            p.bid := b
        for each p in players
            p chooses
                take(c in offer) "take {c}"
                    p.gold += c.worth + p.bid
                leaveIt "leave it"
                    p.gold += 1
        move all from offer to box
score p: p.gold
"""
PRIZES_DATA = r"""prizes:
  - {id: "a, b: c)", worth: 1}
  - {id: "two\nlines \\ #00000000", worth: 2}
  - {id: "größer\u2028", worth: 3}
  - {id: d, worth: 4}
  - {id: e, worth: 5}
"""


def write_rules(folder: Path, name: str = "prizes") -> Path:
    texts = {"prizes": PRIZES, "ticTacToe": TIC_TAC_TOE}
    (folder / "prizes.yaml").write_text(PRIZES_DATA, encoding="utf-8")
    path = folder / f"{name}.rules"
    path.write_text(texts[name], encoding="utf-8")
    return path


def play(game: Game, recorder: Recorder, state: State, most: int = 1000) -> State:
    """Play on, choosing by the record's own length so that a resumed game goes the same way."""
    for _ in range(most):
        if state.is_over:
            recorder.finish(state)
            return state
        seat = state.seats_to_act[0]
        options = state.options(seat)
        option = random.Random(recorder.decisions).choice(options)
        recorder.append(seat, option.text)
        state = state.apply(option, seat)
    return state


def record_game(path: Path, game: Game, seed: int = 1, disk: Disk | None = None) -> State:
    with Recorder.create(path, game, seed, disk=disk) as recorder:
        return play(game, recorder, game.start(seed))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return interpreter.load(write_rules(tmp_path_factory.mktemp("rules")), 3)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory, game: Game) -> bytes:
    path = tmp_path_factory.mktemp("journal") / "game.record"
    record_game(path, game)
    return path.read_bytes()


def complete(prefix: bytes) -> int:
    """Decisions in a prefix of a journal, counted without the reader."""
    lines = prefix.split(b"\n")[1:-1]
    return sum(line[:1].isdigit() for line in lines)


# ---- what is written is read


def test_a_record_is_readable_and_replays(tmp_path: Path) -> None:
    game = interpreter.load(write_rules(tmp_path, "ticTacToe"))
    path = tmp_path / "game.record"
    end = record_game(path, game, 7)
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    schema = json.loads((ROOT / "schemas" / "record.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(head))
    assert json.loads(head)["rules"] == "ticTacToe.rules"
    assert lines[0].startswith("1 P1 place(c: ")
    assert lines[-1].startswith("over scores ")
    record = read_record(path)
    assert not record.problems and record.finished and record.seed == 7
    assert (record.scores, record.winners) == (end.scores, end.winners)
    assert record.decisions == [(seat, str(option)) for seat, option in end.history()]
    assert replay(game, record) == end
    assert replay(game, record, 0) == game.start(7)
    assert replay(game, record, 2).moves == 2
    assert load_game_for(record, tmp_path / "ticTacToe.rules").title == "Tic-tac-toe"


def test_chance_sealed_choices_and_strange_names(game: Game, journal: bytes) -> None:
    record = read_record_bytes(journal)
    assert not record.problems and record.finished
    assert replay(game, record).scores == record.scores
    texts = {text for seed in range(20) for text in offered(game, seed)}
    assert any("\n" in text for text in texts) and any("\u2028" in text for text in texts)


def offered(game: Game, seed: int) -> Iterator[str]:
    state = game.start(seed)
    while not state.is_over:
        options = state.options()
        yield from (option.text for option in options)
        state = state.apply(options[0])


@pytest.mark.parametrize("text", ["a\nb", "\\u{a}", "\\", "\x00\x7f\x85", "x #00000000", "\ud800"])
def test_any_text_comes_back(tmp_path: Path, game: Game, text: str) -> None:
    path = tmp_path / "game.record"
    with Recorder.create(path, game, 1) as recorder:
        recorder.append(2, text)
    assert read_record(path).decisions == [(2, text)]
    assert path.read_bytes().count(b"\n") == 2


def test_forced_options_are_recorded_if_asked_for(tmp_path: Path) -> None:
    game = interpreter.load(write_rules(tmp_path, "ticTacToe"))
    path = tmp_path / "game.record"
    with Recorder.create(path, game, 3, ask_when_forced=True) as recorder:
        state = play(game, recorder, game.start(3, ask_when_forced=True))
    record = read_record(path)
    assert record.ask_when_forced
    assert replay(game, record) == state


def test_an_existing_file_is_left_alone(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.record"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        Recorder.create(path, game, 1)
    assert caught.value.problem.code == "RR703"
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_record_that_was_never_begun_is_begun_anew(
    tmp_path: Path, game: Game, journal: bytes
) -> None:
    """A kill may come before the first line is whole; then nothing was acknowledged."""
    path = tmp_path / "game.record"
    header = journal.index(b"\n")
    for torn in (0, 1, 10, 30, header - 1, header):
        path.write_bytes(journal[:torn])
        with Recorder.create(path, game, 3) as recorder:
            play(game, recorder, game.start(3))
        assert read_record(path).finished
        path.unlink()


@pytest.mark.parametrize("foreign", [b"{}", b" ", b'{"format": "other"', b"\n", b"x" * 100_000])
def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path, game: Game, foreign: bytes) -> None:
    path = tmp_path / "game.record"
    path.write_bytes(foreign)
    with pytest.raises(RecordError) as caught:
        Recorder.create(path, game, 1)
    assert caught.value.problem.code == "RR703"
    assert path.read_bytes() == foreign


def test_a_record_that_somebody_is_beginning_is_left_alone(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.record"
    path.write_bytes(b"")
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(RecordError) as caught:
            Recorder.create(path, game, 1)
    assert caught.value.problem.code == "RR708"
    assert path.read_bytes() == b""


def test_nothing_follows_the_end(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.record"
    with Recorder.create(path, game, 1) as recorder:
        with pytest.raises(ValueError, match="not over"):
            recorder.finish(game.start(1))
        end = play(game, recorder, game.start(1))
        for again in (lambda: recorder.append(0, "x"), lambda: recorder.finish(end)):
            with pytest.raises(RecordError) as caught:
                again()
            assert caught.value.problem.code == "RR708"
    with pytest.raises(RecordError) as caught:
        resume(path, game)
    assert caught.value.problem.code == "RR708"


def test_a_closed_recorder_says_so(tmp_path: Path, game: Game) -> None:
    recorder = Recorder.create(tmp_path / "game.record", game, 1)
    recorder.close()
    recorder.close()
    with pytest.raises(ValueError, match="closed"):
        recorder.append(0, "x")


def test_one_writer_at_a_time(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.record"
    with Recorder.create(path, game, 1), pytest.raises(RecordError) as caught:
        resume(path, game)
    assert caught.value.problem.code == "RR708"
    recorder, _ = resume(path, game)
    recorder.close()


def test_limits(tmp_path: Path, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.record"
    with Recorder.create(path, game, 1) as recorder:
        with pytest.raises(RecordError) as caught:
            recorder.append(0, "x" * (limits.TEXT_BYTES + 1))
        assert caught.value.problem.limit
        monkeypatch.setattr(limits, "RECORD_BYTES", path.stat().st_size + 5)
        with pytest.raises(RecordError) as caught:
            recorder.append(0, "place(c: a1)")
        assert caught.value.problem.code == "RR709"
    assert not read_record(path).problems
    for endless in ("/dev/zero", "/dev/urandom"):
        (problem,) = read_record(endless).problems
        assert problem.code == "RR709" and problem.limit


# ---- torn and damaged files


def test_every_prefix_opens(tmp_path: Path, game: Game, journal: bytes) -> None:
    whole = read_record_bytes(journal)
    header = journal.index(b"\n") + 1
    path = tmp_path / "prefix.record"
    for size in range(len(journal) + 1):
        record = read_record_bytes(journal[:size])
        assert len(record.decisions) == complete(journal[:size])
        assert record.decisions == whole.decisions[: len(record.decisions)]
        assert record.finished == (size == len(journal))
        if size < header:
            assert [each.code for each in record.problems] == ["RR700"]
            continue
        at_line_end = journal[size - 1 : size] == b"\n"
        assert [each.code for each in record.problems] == ([] if at_line_end else ["RR701"])
        assert record.error is None
        if size % 7 == 0 and not record.finished:  # a sample of them goes on to the same end
            path.write_bytes(journal[:size])
            recorder, state = resume(path, game)
            with recorder:
                play(game, recorder, state)
            assert path.read_bytes() == journal


def test_every_flipped_byte_is_detected(journal: bytes) -> None:
    whole = read_record_bytes(journal)
    for position in range(len(journal)):
        for change in (1, 0x20, 0x80, 0xFF, journal[position] ^ 0x0A):
            if not change:
                continue
            spoiled = bytearray(journal)
            spoiled[position] ^= change
            record = read_record_bytes(bytes(spoiled))
            assert record.problems, (position, change)
            assert record.error is not None, (position, change)  # so that resuming is refused
            assert record.decisions == whole.decisions[: complete(journal[:position])]


def test_every_other_value_of_every_byte_is_detected(tmp_path: Path) -> None:
    game = interpreter.load(write_rules(tmp_path, "ticTacToe"))
    path = tmp_path / "game.record"
    with Recorder.create(path, game, 1) as recorder:
        play(game, recorder, game.start(1), most=2)
    data = path.read_bytes()
    for position in range(len(data)):
        for value in range(256):
            spoiled = bytearray(data)
            spoiled[position] = value
            if spoiled != data:
                assert read_record_bytes(bytes(spoiled)).error, (position, value)


def test_moved_lines_are_detected(journal: bytes) -> None:
    lines = journal.splitlines(keepends=True)
    for position in range(1, len(lines) - 1):
        swapped = [*lines]
        swapped[position], swapped[position + 1] = lines[position + 1], lines[position]
        doubled = [*lines[:position], lines[position], *lines[position:]]
        dropped = [*lines[:position], *lines[position + 1 :]]
        for changed in (swapped, doubled, dropped):
            assert read_record_bytes(b"".join(changed)).error is not None


def test_no_bytes_make_the_reader_raise(journal: bytes) -> None:
    chance = random.Random(5)
    for _ in range(3000):
        data = bytearray(journal)
        for _ in range(chance.randint(1, 6)):
            start = chance.randrange(len(data))
            end = min(len(data), start + chance.choice([0, 1, 3, 40]))
            data[start:end] = chance.choice([b"", chance.randbytes(3), b"\n", data[:9], b"#"])
        read_record_bytes(bytes(data))
        read_record_bytes(chance.randbytes(chance.randint(0, 300)))


def signed(body: bytes, before: int = 0) -> tuple[bytes, int]:
    checksum = zlib.crc32(body, before)
    return body + f" #{checksum:08x}\n".encode(), checksum


@pytest.mark.parametrize(
    "body",
    [
        b"", b"2 P1 x", b"1 P4 x", b"1 P0 x", b"1 P1 ", b"01 P1 x", b"1  P1 x", b"1 P1 \\x",
        b"1 P1 \\u{110000}", b"1 P1 \\u{41}", b"1 P1 \xff", b"1 P1 a\x85\x00", b"over",
        b"over scores 1 winners P", b"over scores x winners none", b"more", "１ P1 x".encode(),
    ],
)  # fmt: skip
def test_lines_no_recorder_writes_are_refused(journal: bytes, body: bytes) -> None:
    """Somebody who can compute checksums can still not make the reader invent a decision."""
    head = journal[: journal.index(b"\n") + 1]
    line, _ = signed(body, int(head[-11:-3], 16))
    record = read_record_bytes(head + line)
    assert not record.decisions and not record.finished
    assert [each.code for each in record.problems] == ["RR702"]


@pytest.mark.parametrize(
    "head",
    [
        "", "[", "[" * 60_000, '{"a": ' * 3000, '{"format": "rulerun/record@1"',
        '{"format": "rulerun/record@2", "rules": ""', "{" + '"x": ' + "9" * 5000,
        '{"format": "rulerun/record@1", "rules": "", "title": "", "hash": "", "players": true, '
        '"options": {}, "seed": 1, "stream": "splitmix64"',
        '{"format": "rulerun/record@1", "rules": "", "title": "", "hash": "", "players": 2, '
        '"options": {"a": []}, "seed": 1, "stream": "splitmix64"',
    ],
)  # fmt: skip
def test_headers_no_recorder_writes_are_refused(head: str) -> None:
    data = f'{head}, "check": "{zlib.crc32(head.encode()):08x}"}}\n'.encode()
    record = read_record_bytes(data)
    assert [each.code for each in record.problems] == ["RR700"]
    assert not record.has_header


def test_files_that_are_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    codes = {"missing": "RR001", ".": "RR002", "pipe": "RR700", "a\0b": "RR002"}
    for name, code in codes.items():
        record = read_record(f"{tmp_path}/{name}")
        assert [each.code for each in record.problems] == [code]


# ---- other rules


def changed_rules(tmp_path: Path, old: str, new: str) -> Game:
    path = tmp_path / "ticTacToe.rules"
    path.write_text(TIC_TAC_TOE.replace(old, new), encoding="utf-8")
    return interpreter.load(path)


@pytest.fixture
def tic_tac_toe(tmp_path: Path) -> Record:
    game = interpreter.load(write_rules(tmp_path, "ticTacToe"))
    record_game(tmp_path / "game.record", game, 7)
    return read_record(tmp_path / "game.record")


def test_other_rules_that_still_fit(tmp_path: Path, tic_tac_toe: Record) -> None:
    game = changed_rules(tmp_path, "mark {c}", "put a mark on {c}")
    problem = check_same_rules(game, tic_tac_toe)
    assert problem is not None and problem.code == "RR705" and problem.mark.line == 1
    assert problem.help is not None and "still fit" in problem.help
    for refused in (
        lambda: replay(game, tic_tac_toe),
        lambda: load_game_for(tic_tac_toe, tmp_path / "ticTacToe.rules"),
    ):
        with pytest.raises(RecordError):
            refused()
    assert replay(game, tic_tac_toe, other_rules=True).scores == tic_tac_toe.scores


def test_other_rules_show_the_first_divergence(tmp_path: Path, tic_tac_toe: Record) -> None:
    (_, first), *_ = tic_tac_toe.decisions
    cell = first.removeprefix("place(c: ").removesuffix(")")
    game = changed_rules(
        tmp_path, "when c.mark is none", f"when c.mark is none and c is not {cell}"
    )
    problem = check_same_rules(game, tic_tac_toe)
    assert problem is not None and problem.mark.line == 2 and problem.mark.file.endswith("record")
    assert f"`{first}` by P1" in problem.message
    assert problem.help is not None and problem.help.startswith("what can be chosen: `place(")
    game = changed_rules(tmp_path, ">= 3", ">= 1")
    problem = check_same_rules(game, tic_tac_toe)
    assert problem is not None and problem.mark.line == 3
    assert problem.help == "the game is over before this decision"
    game = changed_rules(
        tmp_path,
        "    c.mark := me\n",
        "    c.mark := me\n    let nothing = 1 div (c.row - c.row)\n",
    )
    problem = check_same_rules(game, tic_tac_toe)
    assert problem is not None and problem.mark.line == 2
    assert problem.notes[0][0].file.endswith("ticTacToe.rules")
    game = changed_rules(tmp_path, "me wins", "nobody wins")
    problem = check_same_rules(game, tic_tac_toe)
    assert problem is not None and problem.mark.line == len(tic_tac_toe.decisions) + 2


def test_other_players_and_options(tmp_path: Path, game: Game, journal: bytes) -> None:
    write_rules(tmp_path)
    record = read_record_bytes(journal)
    for other in (
        interpreter.load(tmp_path / "prizes.rules", 2),
        interpreter.load(tmp_path / "prizes.rules", 3, {"rounds": 4}),
    ):
        problem = check_same_rules(other, record)
        assert problem is not None and problem.code == "RR707"
    again = load_game_for(record, tmp_path / "prizes.rules")
    assert (again.players, again.options) == (3, {"rounds": 3})


def test_a_torn_header_is_refused_everywhere(tmp_path: Path, game: Game, journal: bytes) -> None:
    path = tmp_path / "torn.record"
    path.write_bytes(journal[:50])
    record = read_record(path)
    for refused in (
        lambda: replay(game, record),
        lambda: load_game_for(record, tmp_path / "prizes.rules"),
        lambda: resume(path, game),
    ):
        with pytest.raises(RecordError) as caught:
            refused()
        assert caught.value.problem.code == "RR700"
    assert path.read_bytes() == journal[:50]


# ---- a failing disk


class FailingDisk(Disk):
    """Fails at the n-th operation: before it does anything, or half-way through a write."""

    def __init__(self, at: int, how: str, stays: bool = True) -> None:
        self.count, self.at, self.how, self.stays = 0, at, how, stays

    def step(self) -> bool:
        self.count += 1
        return self.count == self.at or (self.stays and self.count > self.at)

    def create(self, path: Path) -> File:
        return FailingFile(super().create(path).handle, self)

    def open(self, path: Path) -> File:
        return FailingFile(super().open(path).handle, self)

    def sync_folder(self, folder: Path) -> None:
        if self.step() and self.how != "short":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().sync_folder(folder)


class FailingFile(File):
    def __init__(self, handle: int, disk: FailingDisk) -> None:
        super().__init__(handle)
        self.disk = disk

    def write(self, data: bytes) -> int:
        if not self.disk.step():
            return super().write(data)
        if self.disk.how == "short":
            return super().write(data[: max(1, len(data) // 3)])
        if self.disk.how == "half":
            super().write(data[: len(data) // 2])
        if self.disk.how == "nothing written":
            return 0
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def sync(self) -> None:
        if self.disk.step() and self.disk.how != "short":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().sync()

    def truncate(self, size: int) -> None:
        if self.disk.step() and self.disk.how != "short":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().truncate(size)


@pytest.mark.parametrize("stays", [True, False], ids=["for good", "once"])
@pytest.mark.parametrize("how", ["none", "half", "short", "nothing written"])
def test_a_fault_at_every_operation(
    tmp_path: Path, game: Game, journal: bytes, how: str, stays: bool
) -> None:
    whole = read_record_bytes(journal)
    end = replay(game, whole)
    at = 0
    while True:
        at += 1
        path = tmp_path / f"{at}.record"
        disk = FailingDisk(at, how, stays)
        acknowledged: list[tuple[int, str]] = []
        try:
            with Recorder.create(path, game, 1, disk=disk) as recorder:
                for seat, text in whole.decisions:
                    recorder.append(seat, text)
                    acknowledged.append((seat, text))
                recorder.finish(end)
        except RecordError as error:
            assert how != "short"
            assert error.problem.code == "RR704" and "cannot be written" in error.problem.message
            assert not acknowledged or "safe" in (error.problem.help or "")
            if not path.exists():
                assert not acknowledged  # a record that could not be begun is not left about
                continue
            check_after_fault(path, game, whole, acknowledged, journal)
            with pytest.raises(RecordError):  # no more is taken after a fault
                recorder.append(0, "x")
        else:
            assert path.read_bytes() == journal
            if disk.count < at:
                break
    assert at > 2 * len(whole.decisions)


def check_after_fault(
    path: Path, game: Game, whole: Record, acknowledged: list[tuple[int, str]], journal: bytes
) -> None:
    record = read_record(path)
    assert record.error is None
    found = len(record.decisions)
    assert record.decisions == whole.decisions[:found]
    assert len(acknowledged) <= found <= len(acknowledged) + 1
    if not record.finished:
        recorder, state = resume(path, game)
        with recorder:
            play(game, recorder, state)
    assert path.read_bytes() == journal


@pytest.mark.parametrize("at", [1, 2])
def test_a_fault_while_cutting_a_torn_line(
    tmp_path: Path, game: Game, journal: bytes, at: int
) -> None:
    path = tmp_path / "torn.record"
    path.write_bytes(journal[:-40])
    before = read_record(path)
    assert [each.code for each in before.problems] == ["RR701"]
    with pytest.raises(RecordError) as caught:
        resume(path, game, disk=FailingDisk(at, "none"))
    assert caught.value.problem.code == "RR704"
    assert read_record(path).decisions == before.decisions
    recorder, state = resume(path, game)
    with recorder:
        play(game, recorder, state)
    assert path.read_bytes() == journal


def test_a_full_disk(tmp_path: Path, game: Game) -> None:
    """The kernel's own full disk, if the system has one."""
    with pytest.raises(RecordError) as caught:
        Recorder.create(tmp_path / "missing" / "game.record", game, 1)
    assert caught.value.problem.code == "RR704"
    with pytest.raises(RecordError) as caught:
        Recorder.create("a\0b", game, 1)
    assert caught.value.problem.code == "RR704"

    class FullDisk(Disk):
        def create(self, path: Path) -> File:
            return File(os.open("/dev/full", os.O_RDWR))

    with pytest.raises(RecordError) as caught:
        Recorder.create(tmp_path / "game.record", game, 1, disk=FullDisk())
    assert "space" in caught.value.problem.message
    assert "make room" in (caught.value.problem.help or "")


def test_a_record_that_may_not_be_written(tmp_path: Path, game: Game, journal: bytes) -> None:
    class ReadOnlyDisk(Disk):  # a super-user's tests may write anywhere
        def create(self, path: Path) -> File:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

        open = create

    path = tmp_path / "torn.record"
    path.write_bytes(journal[:-40])
    with pytest.raises(RecordError) as caught:
        resume(path, game, disk=ReadOnlyDisk())
    assert caught.value.problem.code == "RR704"
    assert caught.value.problem.help == "choose a folder you may write to"
    with pytest.raises(RecordError):
        Recorder.create(tmp_path / "new.record", game, 1, disk=ReadOnlyDisk())


# ---- the same bytes everywhere

CHILD = """
import random, sys
import interpreter
from interpreter.record import Recorder
game = interpreter.load(sys.argv[1], int(sys.argv[2]))
for seed in range(3):
    state = game.start(seed)
    with Recorder.create(f"{sys.argv[3]}/{seed}.record", game, seed) as recorder:
        while not state.is_over:
            seat = state.seats_to_act[0]
            option = random.Random(recorder.decisions).choice(state.options(seat))
            recorder.append(seat, option.text)
            state = state.apply(option, seat)
        recorder.finish(state)
"""


def journals(
    rules: Path, players: int, folder: Path, python: str = sys.executable, **environment: str
) -> list[bytes]:
    folder.mkdir()
    subprocess.run(
        [python, "-c", CHILD, str(rules), str(players), str(folder)],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    rules = write_rules(tmp_path)
    found = [
        journals(rules, 3, tmp_path / f"{number}", PYTHONHASHSEED=hashing)
        for number, hashing in enumerate(["0", "1", "random", "random"])
    ]
    assert all(len(each) == 3 and each == found[0] for each in found)
    assert len(set(found[0])) == 3


OTHER_PYTHON = os.environ.get("RULERUN_OTHER_PYTHON")


@pytest.mark.slow
def test_another_python_gives_the_same_bytes(tmp_path: Path) -> None:
    """Needs a second Python with this project's libraries, named by RULERUN_OTHER_PYTHON."""
    if OTHER_PYTHON is None:
        pytest.skip("RULERUN_OTHER_PYTHON names no second Python")
    rules = write_rules(tmp_path)
    here = journals(rules, 3, tmp_path / "here")
    assert journals(rules, 3, tmp_path / "there", OTHER_PYTHON) == here


def test_ten_thousand_moves_open_within_a_second(tmp_path: Path, game: Game) -> None:
    head = b""
    path = tmp_path / "long.record"
    Recorder.create(path, game, 1).close()
    head = path.read_bytes()
    lines, checksum = [head], int(head[-11:-3], 16)
    for number in range(1, 10_001):
        line, checksum = signed(
            f"{number} P{number % 3 + 1} place(c: b{number})".encode(), checksum
        )
        lines.append(line)
    path.write_bytes(b"".join(lines))
    before = os.times()
    record = read_record(path)
    after = os.times()
    assert len(record.decisions) == 10_000 and not record.problems
    assert after.user + after.system - before.user - before.system < allowed(1)


def test_every_code_has_a_page() -> None:
    assert {f"RR70{number}" for number in range(10)} <= set(all_codes())
