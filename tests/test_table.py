"""Tables in the browser: what holds whatever the network, the rules and other people do."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import simulated

from interpreter.reading import read_rules
from interpreter.scenario import run_scenarios
from interpreter.table import sheet as sheets
from interpreter.table import table as table_module
from interpreter.table.bounds import Buckets
from interpreter.table.clock import Clock
from interpreter.table.desk import Desk
from interpreter.table.effects import Keep
from interpreter.table.hall import Hall, Line, new_sheet
from interpreter.table.pool import Pool
from interpreter.table.sheet import Entry, Sheet
from interpreter.table.store import Store, StoreError
from interpreter.table.table import WRONG_KEY, Table
from interpreter.table.tokens import commitment, hashed, new_token, role_of
from interpreter.table.wire import ALL, SPECTATOR

Data = dict[str, Any]
ROOT = Path(__file__).resolve().parent.parent
SEALED = simulated.RULES
SEEDS = 1000
PARTS = 4

ENDLESS = """game "Endless"
players 2
the game has
    total: 0..1000000
play
    turns
        me chooses
            think "think"
                repeat 20000 times
                    repeat 100 times
                        total := (total * 7 + 3) mod 1000
            resign "resign"
                me wins
"""


# ---- under simulated weather


@pytest.mark.parametrize("part", range(PARTS))
def test_no_weather_loses_a_move_or_plays_it_twice(part: int) -> None:
    for seed in range(part * SEEDS // PARTS, (part + 1) * SEEDS // PARTS):
        simulated.simulate(seed)


@pytest.mark.slow
def test_no_weather_loses_a_move_in_many_more_games() -> None:
    for seed in range(SEEDS, 50 * SEEDS):
        simulated.simulate(seed)


def test_the_simulation_notices_what_is_played_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(set[tuple[int, str]]):
        def __contains__(self, item: object) -> bool:
            return False

    story_of = sheets.story_of

    def forgetting(sheet: Sheet, entries: list[Entry]) -> sheets.Story:
        story = story_of(sheet, entries)
        story.answered = Forgetful(story.answered)
        return story

    monkeypatch.setattr("interpreter.table.gathering.story_of", forgetting)
    assert _fails("something refused was done")


def test_the_simulation_notices_what_is_told_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(table: Table, *rest: Any) -> list[Any]:
        return sorted(Table._taken(table, *rest), key=lambda effect: isinstance(effect, Keep))

    monkeypatch.setitem(table_module._TAKEN, "move", late)
    assert _fails("something acknowledged is lost")


def _fails(word: str) -> bool:
    for seed in range(200):
        try:
            simulated.simulate(seed)
        except AssertionError as error:
            assert f"seed {seed}" in str(error)
            return word in str(error)
    return False


# ---- a table in one process, for those who look at single messages


class Sitting:
    """A hall with one table, whose rules answer at once."""

    def __init__(self, store: Store, ask: Callable[[Data], Awaitable[Data]] | None = None) -> None:
        self.desk, self.now = Desk(), 1000.0
        self.hall = Hall(store, ask or self._ask, lambda: self.now)
        self.lines: dict[int, Line] = {}
        self.table = ""

    async def _ask(self, request: Data) -> Data:
        answer: Data = json.loads(json.dumps(self.desk.answer(json.loads(json.dumps(request)))))
        return answer

    def new(self, file: Path | str, players: int = 2, **more: Any) -> dict[int, str]:
        seats = more.pop("seats", ("person",) * players)
        sheet, tokens = new_sheet(str(file), players, more.pop("options", {}), seats, **more)
        self.hall.make(sheet)
        self.table = sheet.id
        return tokens

    async def join(self, token: str, **more: Any) -> int:
        line = Line()
        conn = self.hall.join(self.table, line)
        self.lines[conn] = line
        hello = {"type": "hello", "token": token, "since": None, **more}
        await self.hall.receive(self.table, conn, hello)
        await self.quiet()
        return conn

    async def tell(self, conn: int, **message: Any) -> list[Data]:
        """Send something; all that this connection hears until everything is quiet."""
        await self.hall.receive(self.table, conn, message)
        await self.quiet()
        return self.heard(conn)

    async def quiet(self) -> None:
        while self.hall._tasks:
            await asyncio.gather(*self.hall._tasks)

    def heard(self, conn: int) -> list[Data]:
        found: list[Data] = []
        while not self.lines[conn].out.empty():
            text = self.lines[conn].out.get_nowait()
            if text is not None:
                found.append(json.loads(text))
        return found


def one(messages: list[Data], kind: str) -> Data:
    found = [each for each in messages if each["type"] == kind]
    assert len(found) == 1, [each["type"] for each in messages]
    return found[0]


def kinds(messages: list[Data]) -> list[str]:
    return [each["type"] for each in messages if each["type"] != "people"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tables.db")


def test_sealed_choices_wait_without_telling(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seed=1)
        conns = [await sitting.join(tokens[role]) for role in (0, 1, SPECTATOR)]
        assert kinds(await sitting.tell(conns[0], type="review", id="r"))[-1] == "refused"
        conns[0] = await sitting.join(tokens[0])
        welcome = one(sitting.heard(conns[0]), "welcome")
        for conn in conns[1:]:
            sitting.heard(conn)
        first = welcome["scene"]["decision"]["options"][0]["text"]
        heard = await sitting.tell(conns[0], type="move", id="a", option=first)
        assert kinds(heard) == ["done", "event"]
        assert sitting.heard(conns[1]) == sitting.heard(conns[2]) == []
        # It is taken back, and the other has still heard of nothing; nor do numbers tell.
        assert heard[1]["undo"]
        assert kinds(await sitting.tell(conns[0], type="undo", id="b")) == ["done", "event"]
        assert sitting.heard(conns[1]) == sitting.heard(conns[2]) == []
        again = await sitting.tell(conns[0], type="move", id="a", option=first)
        assert kinds(again) == ["done"], "a message that comes again is acknowledged, not played"

    asyncio.run(play())


def test_a_seat_takes_back_its_sealed_choice_after_another_has_chosen(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seed=1)
        one_conn, other = [await sitting.join(tokens[seat]) for seat in (0, 1)]
        await sitting.tell(one_conn, type="move", id="a", option="choose(n: 1)")
        await sitting.tell(other, type="move", id="b", option="choose(n: 0)")
        heard = await sitting.tell(one_conn, type="undo", id="c")
        assert kinds(heard) == ["done", "event"] and heard[1]["log"] == []
        room = sitting.hall.rooms[sitting.table]
        assert room.table.story.decisions == [(1, "choose(n: 0)")]
        heard = await sitting.tell(one_conn, type="move", id="d", option="choose(n: 0)")
        assert kinds(heard) == ["done", "event"]

    asyncio.run(play())


def test_who_comes_back_is_told_what_was_missed(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(ROOT / "rulesets/classics/ticTacToe.rules")
        conns = [await sitting.join(tokens[seat]) for seat in (0, 1)]
        seen = one(sitting.heard(conns[1]), "welcome")
        await sitting.hall.leave(sitting.table, conns[1])
        heard: list[Data] = one(sitting.heard(conns[0]), "welcome")["scene"]["decision"]["options"]
        await sitting.tell(conns[0], type="move", id="a", option=heard[4]["text"])
        line = Line()
        back = sitting.hall.join(sitting.table, line)
        sitting.lines[back] = line
        hello = {"type": "hello", "token": tokens[1], "since": seen["seq"]}
        missed = await sitting.tell(back, **hello)
        assert kinds(missed) == ["resumed", "event"]
        event = one(missed, "event")
        assert (event["since"], event["seq"]) == (seen["seq"], seen["seq"] + 1)
        assert [line["n"] for line in event["log"]] == [1] and event["scene"]["decision"]
        stale = await sitting.tell(conns[0], type="move", id="b", at=0, option=heard[0]["text"])
        assert one(stale, "refused")["lines"] == ["The table has moved on since; look again."]

    asyncio.run(play())


def test_a_table_is_there_again_after_everything_has_ended(tmp_path: Path) -> None:
    async def play() -> None:
        path = tmp_path / "tables.db"
        sitting = Sitting(Store(path))
        tokens = sitting.new(SEALED, seats=("person", "bot random"), seed=1)
        conn = await sitting.join(tokens[0])
        before = one(sitting.heard(conn), "welcome")
        option = before["scene"]["decision"]["options"][0]["text"]
        await sitting.tell(conn, type="move", id="a", option=option)
        table = sitting.table
        sitting = Sitting(Store(path))
        sitting.table, sitting.now = table, sitting.now + 1
        conn = await sitting.join(tokens[0], since=before["seq"])
        after = one(sitting.heard(conn), "welcome")
        assert len(after["log"]) == len(before["log"]) + 1
        assert kinds(await sitting.tell(conn, type="move", id="a", option=option)) == ["done"]
        for number in range(20):
            decision = after["scene"]["decision"]
            if decision is None:
                break
            option = decision["options"][0]["text"]
            heard = await sitting.tell(conn, type="move", id=f"{number}", option=option)
            after = [each for each in heard if each["type"] == "event"][-1]
        assert (
            commitment(int(after["over"]["seed"]), after["over"]["salt"])
            == before["table"]["seedHash"]
        )
        record = await sitting.hall.question(table, "record")
        assert record["record"].splitlines()[-1].startswith("over ")

    asyncio.run(play())


def test_a_full_disk_acknowledges_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seed=1)
        conn = await sitting.join(tokens[0])
        sitting.heard(conn)
        with monkeypatch.context() as patch:

            def full(*rest: Any) -> None:
                raise StoreError("the disk is full")

            patch.setattr(store, "add_entry", full)
            heard = await sitting.tell(conn, type="move", id="a", option="choose(n: 1)")
            assert kinds(heard) == [] and sitting.lines[conn].shut
        conn = await sitting.join(tokens[0])
        assert one(sitting.heard(conn), "welcome")["log"] == []
        heard = await sitting.tell(conn, type="move", id="a", option="choose(n: 1)")
        assert kinds(heard) == ["done", "event"]

    asyncio.run(play())


def test_only_keys_open_a_table(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED)
        assert len(set(tokens.values())) == 4
        for wrong in (new_token(), "", tokens[0][:-1], None, 7):
            line = Line()
            conn = sitting.hall.join(sitting.table, line)
            sitting.lines[conn] = line
            heard = await sitting.tell(conn, type="hello", token=wrong)
            assert heard == [WRONG_KEY] and line.shut
        kept = store.find(sitting.table)
        assert kept is not None
        raw = (Path(store.path).read_bytes(), Path(f"{store.path}-wal").read_bytes())
        assert not any(token.encode() in data for token in tokens.values() for data in raw)
        assert role_of(tokens[1], kept[0].keys) == 1 and hashed("") not in kept[0].keys.values()

    asyncio.run(play())


def test_spectators_watch(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED)
        conn = await sitting.join(tokens[SPECTATOR])
        sitting.heard(conn)
        for number, kind in enumerate(("move", "undo", "why", "hint", "rematch", "seat")):
            heard = await sitting.tell(
                conn, type=kind, id=str(number), option="x", seat=0, who="person"
            )
            assert kinds(heard) == ["refused"], kind
        strange = [
            {"type": "move"},
            {"type": "no", "id": "1"},
            {"type": "look", "id": "2", "at": -1},
        ]
        strange += [
            {"type": "chat", "id": each, "text": "x"} for each in ("", "\ud800", "a" * 65, 7)
        ]
        for message in strange:
            assert kinds(await sitting.tell(conn, **message)) == ["refused"]

    asyncio.run(play())


def test_hints_come_from_the_best_bot(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seed=1)
        conn = await sitting.join(tokens[0])
        options = one(sitting.heard(conn), "welcome")["scene"]["decision"]["options"]
        told = one(await sitting.tell(conn, type="hint", id="a"), "done")["hints"]
        assert {each["option"] for each in told} <= {each["text"] for each in options}
        assert told and all(0 <= each["value"] <= 1 for each in told)

    asyncio.run(play())


def test_chat_is_off_unless_it_is_wanted(store: Store) -> None:
    async def play() -> None:
        for wanted in (False, True):
            sitting = Sitting(store)
            tokens = sitting.new(SEALED, chat=wanted)
            conns = [await sitting.join(tokens[seat]) for seat in (0, 1)]
            for conn in conns:
                sitting.heard(conn)
            await sitting.tell(conns[0], type="chat", id="a", text="hello")
            said = [each for each in sitting.heard(conns[1]) if each["type"] == "chat"]
            assert bool(said) == wanted

    asyncio.run(play())


def test_a_bot_takes_the_seat_of_somebody_who_left_and_hands_it_back(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seed=1)
        stays, leaves = [await sitting.join(tokens[seat]) for seat in (0, 1)]
        bot = {"type": "seat", "seat": 1, "who": "bot random"}
        await sitting.hall.leave(sitting.table, leaves)
        sitting.heard(stays)
        assert kinds(await sitting.tell(stays, id="a", **bot)) == ["refused"], "not at once"
        sitting.now += 61
        heard = await sitting.tell(stays, id="b", **bot)
        assert one(heard, "people")["seats"][1]["who"] == "bot random"
        table = sitting.hall.rooms[sitting.table].table
        assert [seat for seat, _ in table.story.decisions] == [1, 1], "it chooses"
        person = {"type": "seat", "seat": 1, "who": "person"}
        assert kinds(await sitting.tell(stays, id="c", **person)) == ["refused"]
        back = await sitting.join(tokens[1])
        sitting.heard(back)
        assert kinds(await sitting.tell(back, id="d", **person)) == ["done"]
        assert table.story.seats == ["person", "person"]

    asyncio.run(play())


def test_a_rematch_has_the_seats_rotated_and_the_same_keys(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seats=("person", "bot random"), seed=1)
        conn = await sitting.join(tokens[0])
        await _finish(sitting, conn)
        assert one(await sitting.tell(conn, type="review", id="judge"), "done")["decisions"] == []
        heard = await sitting.tell(conn, type="rematch", id="again")
        table = one(heard, "rematch")["table"]
        assert one(heard, "done")["table"] == table
        sitting.table = table
        conn = await sitting.join(tokens[0])
        welcome = one(sitting.heard(conn), "welcome")
        assert welcome["table"]["you"] == 1
        assert [each["who"] for each in welcome["table"]["seats"]] == ["bot random", "person"]

    asyncio.run(play())


async def _finish(sitting: Sitting, conn: int) -> None:
    after = one(sitting.heard(conn), "welcome")
    for number in range(20):
        decision = after["scene"]["decision"]
        if decision is None:
            return
        option = decision["options"][0]["text"]
        heard = await sitting.tell(conn, type="move", id=f"m{number}", option=option)
        after = [each for each in heard if each["type"] == "event"][-1]


def test_the_clock_runs_for_one_person_in_the_open(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        clock = {"seconds": 100, "more": 5}
        tokens = sitting.new(ROOT / "rulesets/classics/ticTacToe.rules", clock=clock)
        conns = [await sitting.join(tokens[seat]) for seat in (0, 1)]
        options = one(sitting.heard(conns[0]), "welcome")["scene"]["decision"]["options"]
        sitting.now += 30
        heard = await sitting.tell(conns[0], type="move", id="a", option=options[0]["text"])
        assert one(heard, "event")["clock"] == {
            "seconds": 100.0, "more": 5.0, "left": [75.0, 100.0], "running": 1,
        }  # fmt: skip
        bot = {"type": "seat", "seat": 1, "who": "bot random"}
        assert kinds(await sitting.tell(conns[0], id="b", **bot)) == ["refused"]
        sitting.now += 101
        assert "done" in kinds(await sitting.tell(conns[0], id="c", **bot)), "out of time"

    asyncio.run(play())
    stopped = Clock.of({"seconds": 10, "more": 1}, 2, [])
    stopped.turn(0, 100.0)
    assert stopped.decided(0, 50.0) == [10, 10], "a clock that was set back gives nobody time"


def test_buckets_fill_as_time_goes_by() -> None:
    buckets = Buckets(2.0, 3.0)
    assert [buckets.take("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b", 0.0) and buckets.take("a", 0.5) and not buckets.take("a", 0.5)


# ---- designers


def test_open_tables_go_on_under_new_rules_or_say_where_they_part(
    store: Store, tmp_path: Path
) -> None:
    async def play() -> None:
        rules = tmp_path / "game.rules"
        text = SEALED.read_text(encoding="utf-8")
        rules.write_text(text, encoding="utf-8")
        sitting = Sitting(store)
        tokens = sitting.new(rules, seed=1)
        everybody, seat = await sitting.join(tokens[ALL], seat=1), await sitting.join(tokens[0])
        sitting.heard(everybody)
        await sitting.tell(everybody, type="move", id="a", option="choose(n: 1)")
        sitting.heard(seat)
        rules.write_text(text.replace("bid {n}", "offer {n}"), encoding="utf-8")
        await sitting.hall.renew()
        await sitting.quiet()
        welcome = one(sitting.heard(everybody), "welcome")
        assert [line["text"] for line in welcome["log"]] == ["P2: offer 1"]
        assert one(sitting.heard(seat), "welcome")["log"] == []

        rules.write_text(text.replace("n in 0..1", "n in 0..0"), encoding="utf-8")
        await sitting.hall.renew()
        await sitting.quiet()
        problem = one(sitting.heard(everybody), "problem")
        assert problem["at"] == 1 and "choose(n: 1)" in problem["text"] and problem["line"] == 13
        mild = one(sitting.heard(seat), "problem")
        assert "choose" not in json.dumps(mild), "what another chose in secret"

        heard = await sitting.tell(everybody, type="cut", id="b")
        assert one(heard, "welcome")["log"] == []
        rules.write_text(text.replace("players 2", "playrs 2"), encoding="utf-8")
        await sitting.hall.renew()
        await sitting.quiet()
        problem = one(sitting.heard(everybody), "problem")
        assert (problem["file"], problem["line"]) == ("game.rules", 2)

    asyncio.run(play())


def test_who_has_all_seats_looks_with_the_eyes_of_each(store: Store) -> None:
    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(SEALED, seed=1)
        conn = await sitting.join(tokens[ALL])
        welcome = one(sitting.heard(conn), "welcome")
        assert welcome["table"]["you"] == 0 and welcome["table"]["all"]
        heard = await sitting.tell(conn, type="as", id="a", seat=1)
        assert one(heard, "welcome")["table"]["you"] == 1
        other = await sitting.join(tokens[0])
        sitting.heard(other)
        assert kinds(await sitting.tell(other, type="as", id="a", seat=1)) == ["refused"]

    asyncio.run(play())


def test_a_game_is_kept_as_a_scenario_and_played_on_from_there(
    store: Store, tmp_path: Path
) -> None:
    rules = tmp_path / "game.rules"
    rules.write_text(SEALED.read_text(encoding="utf-8"), encoding="utf-8")

    async def play() -> None:
        sitting = Sitting(store)
        tokens = sitting.new(rules, seed=1)
        conn, seat = await sitting.join(tokens[ALL]), await sitting.join(tokens[1])
        sitting.heard(conn)
        sitting.heard(seat)
        await sitting.tell(conn, type="move", id="a", option="choose(n: 1)")
        keep = {"type": "scenario", "title": "one has bid"}
        assert kinds(await sitting.tell(seat, id="s", **keep)) == ["refused"]
        told = one(await sitting.tell(conn, id="b", **keep), "done")
        assert not told["written"] and "P1 chooses 1" in told["text"]
        sitting.hall.rooms[sitting.table].table.designing = True
        told = one(await sitting.tell(conn, id="c", **keep), "done")
        assert told["file"] == "game.scenarios"
        bad = {**keep, "title": 'x" y'}
        assert kinds(await sitting.tell(conn, id="d", **bad)) == ["refused"]

        about = sitting.desk.answer({"do": "about", "file": str(rules)})
        assert about["scenarios"] == ["one has bid"]
        tokens = sitting.new(rules, seed=5, scenario="one has bid")
        conn = await sitting.join(tokens[0])
        options = one(sitting.heard(conn), "welcome")["scene"]["decision"]["options"]
        assert [each["text"] for each in options] == ["choose(m: 0)", "choose(m: 1)"]
        heard = await sitting.tell(conn, type="move", id="a", option="choose(m: 0)")
        assert kinds(heard) == ["done", "event"]

    asyncio.run(play())
    found = run_scenarios(read_rules(tmp_path / "game.scenarios"))
    assert [each.problems for each in found] == [()], "what was kept passes"


# ---- rules in a process of their own


def test_rules_that_take_too_long_are_ended_and_the_table_goes_on(
    store: Store, tmp_path: Path
) -> None:
    rules = tmp_path / "endless.rules"
    rules.write_text(ENDLESS, encoding="utf-8")

    async def play() -> None:
        pool = Pool(players=1, thinkers=1)
        sitting = Sitting(store, pool.ask)
        tokens = sitting.new(rules)
        conn = await sitting.join(tokens[0])
        assert one(sitting.heard(conn), "welcome")
        (child,) = pool.pids
        pool.limit(0.05)
        heard = await sitting.tell(conn, type="move", id="a", option="think")
        assert one(heard, "refused") and "took too long" in one(heard, "problem")["text"]
        assert pool.pids == [] and not _lives(child)
        pool.limit(60)
        heard = await sitting.tell(conn, type="move", id="b", option="resign")
        assert kinds(heard) == ["done", "event"] and one(heard, "event")["over"]
        (child,) = pool.pids
        os.kill(child, signal.SIGKILL)  # as a system does that is out of memory
        heard = await sitting.tell(conn, type="look", id="c", at=0)
        assert one(heard, "done")["scene"]["over"] is False
        await pool.close()
        assert pool.pids == []

    asyncio.run(play())


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_refusal_does_not_tell_where_the_rules_lie(tmp_path: Path) -> None:
    rules = tmp_path / "stones.rules"
    rules.write_text(
        'game "Stones"\nplayers 2\n\nthe game has\n    stones: 0..10 = 2\n\n'
        'action take(n in 1..3) "take {n}"\n    when n <= stones\n    stones -= n\n\n'
        "play\n    turns\n        choose take\n",
        encoding="utf-8",
    )
    position = {"table": "t", "file": str(rules), "players": 2, "options": {}, "seed": 1}
    position |= {"scenario": None, "version": 0, "count": 0, "digest": "", "moves": []}
    asked = {"do": "why", "position": position, "seat": 0, "option": "take(n: 3)"}
    (line, *_) = Desk().answer(asked)["lines"]
    assert "(stones.rules:8)" in line and str(tmp_path) not in line
