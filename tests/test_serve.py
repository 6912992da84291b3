"""`rulerun serve` as browsers meet it: over sockets, killed, and from other sites."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Data, Served
from websockets.exceptions import ConnectionClosed, InvalidStatus

from interpreter.cli.common import USAGE
from interpreter.cli.main import run
from interpreter.table.tokens import commitment, new_token
from interpreter.watching import Watching

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))

import tables  # noqa: E402

GAME = ROOT / "rulesets" / "classics" / "ticTacToe.rules"
SEALED = ROOT / "tests" / "cases" / "tables" / "sealed.rules"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served([GAME, SEALED], tmp_path_factory.mktemp("tables") / "tables.db")
    yield server
    server.close()


def table(served: Served, **wanted: object) -> Data:
    status, made, _ = served.post("/api/tables", {"game": "ticTacToe", **wanted})
    assert status == 201, made
    return made


def test_a_game_from_the_lobby_to_the_record(served: Served) -> None:
    _, lobby, _ = served.get("/api/games")
    (game,) = [each for each in lobby["games"] if each["game"] == "ticTacToe"]
    assert game["title"] == "Tic-tac-toe" and game["players"] == [2, 2]
    assert "random" in game["bots"]
    made = table(served, seats=["person", "bot random"])
    link = made["links"][0]["link"]
    browser = served.sit(link)
    now = first = browser.hear("welcome")
    assert first["plan"]["boards"] and first["table"]["you"] == 0
    path, _, token = link.partition("#")
    record = f"/api/tables/{path.removeprefix('/t/')}/record"
    assert served.get(record, authorization=f"Bearer {token}")[0] == 409
    number = 0
    while not now["over"]:
        if now["scene"]["decision"]:
            number += 1
            option = now["scene"]["decision"]["options"][0]["text"]
            browser.send(type="move", id=f"{number}", at=now["scene"]["moves"], option=option)
            assert browser.hear("done", "refused")["type"] == "done"
        now = browser.hear("event")
    assert commitment(int(now["over"]["seed"]), now["over"]["salt"]) == first["table"]["seedHash"]
    assert all(now["over"]["seed"] not in text for text in browser.heard[:-1])
    status, told, _ = served.get(record, authorization=f"Bearer {token}")
    assert status == 200 and told["text"].splitlines()[-1].startswith("over ")
    browser.close()


def test_a_killed_server_has_every_table_again(tmp_path: Path) -> None:
    store = tmp_path / "tables.db"
    server = Served([GAME], store)
    made = table(server)
    port = server.port
    seen: Data = {}
    for number in range(2):
        seat = number % 2
        browser = server.sit(made["links"][seat]["link"])
        seen = browser.hear("welcome")
        assert seen["scene"]["moves"] == number
        move = {
            "type": "move",
            "id": f"m{number}",
            "option": seen["scene"]["decision"]["options"][0]["text"],
        }
        browser.send(**move)
        browser.hear("done")
        server.kill()
        server = Served([GAME], store, port=port)
        again = server.sit(made["links"][seat]["link"], since=seen["seq"])
        assert again.hear("welcome", "resumed")["scene"]["moves"] == number + 1
        again.send(**move)
        assert again.hear("done", "refused", "event")["type"] == "done", "played once"
        again.close()
    server.close()


def test_a_wrong_key_is_answered_alike_for_every_table(served: Served) -> None:
    made = table(served)
    there, nowhere = made["table"], new_token()
    told = []
    for name in (there, nowhere, "x"):
        browser = served.sit(f"/t/{name}#{new_token()}")
        with pytest.raises(ConnectionClosed) as closed:
            browser.hear("welcome")
        told.append((browser.heard, closed.value.rcvd and closed.value.rcvd.code))
    assert told[0] == told[1] == told[2]
    answers = []
    for name in (there, nowhere):
        for headers in ({}, {"authorization": f"Bearer {new_token()}"}):
            status, body, _ = served.get(f"/api/tables/{name}/record", **headers)
            answers.append((status, body))
    assert answers == [answers[0]] * 4 and answers[0][0] == 404


def test_other_sites_have_no_business_here(served: Served) -> None:
    made = table(served)
    link = made["links"][0]["link"]
    for wrong in ("http://evil.example", "null", f"http://127.0.0.1:{served.port + 1}"):
        with pytest.raises(InvalidStatus):
            served.sit(link, origin=wrong)
        assert served.post("/api/tables", {"game": "ticTacToe"}, origin=wrong)[0] == 403
    assert served.get("/", host="evil.example")[0] == 403, "a name that was made to point here"
    served.sit(link, origin=served.address).close()


def test_every_answer_has_its_headers(served: Served) -> None:
    for path in ("/", "/t/anything", "/api/games", "/static/index.html", "/static/none", "/no"):
        _, _, headers = served.get(path)
        assert "default-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert served.get("/static/../server.py")[0] == 404


def test_who_sends_too_much_is_let_go(served: Served) -> None:
    made = table(served)
    big = served.sit(made["links"][0]["link"])
    big.hear("welcome")
    with pytest.raises(ConnectionClosed):
        big.send(type="chat", id="a", text="x" * 70_000)
        big.hear("done")
    for nonsense in ("[", "7", "[" * 60_000, b"\x00"):
        strange = served.sit(made["links"][0]["link"])
        with pytest.raises(ConnectionClosed):
            strange.socket.send(nonsense)
            strange.hear("nothing")
    many = served.sit(made["links"][0]["link"])
    with pytest.raises(ConnectionClosed):
        for _ in range(1000):
            many.send(type="ping")
        many.hear("nothing")
    calm = served.sit(made["links"][0]["link"])
    assert calm.hear("welcome")
    calm.close()
    assert served.post("/api/tables", b"x" * 70_000)[0] == 413


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"game": "none"}, "no such game"),
        ({"game": "ticTacToe", "players": 7}, "for 2 players"),
        ({"game": "ticTacToe", "seats": ["bot clever"]}, "bot random"),
        ({"game": "ticTacToe", "seats": ["a", "b", "c"]}, "for 2 players"),
        ({"game": "ticTacToe", "seats": "all"}, "seats"),
        ({"game": "ticTacToe", "seats": ["bot trained"]}, "nothing has been learned"),
        ({"game": "ticTacToe", "seats": ["bot search:often"]}, "after the colon"),
        ({"game": "ticTacToe", "seed": "x"}, "64 bits"),
        ({"game": "ticTacToe", "options": {"no": 1}}, "no"),
        ({"game": "ticTacToe", "scenario": "none"}, "no such scenario"),
        ({"game": "ticTacToe", "clock": {"seconds": 0}}, "clock"),
        ([], "no such game"),
    ],
)
def test_a_table_that_cannot_be_is_refused(tmp_path: Path, wanted: object, words: str) -> None:
    import asyncio

    from interpreter.table.desk import Desk
    from interpreter.table.lobby import Lobby, Unfit

    desk = Desk()

    async def ask(request: Data) -> Data:
        return desk.answer(request)

    with pytest.raises(Unfit) as unfit:
        asyncio.run(Lobby([GAME], ask).sheet(wanted))
    assert words in str(unfit.value)


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    asked = [str(GAME), "--browser", "--bot", "random", "--seat", "2", "--seed", "5"]
    server = Served.table(*asked, games=tmp_path)
    browser = server.sit(server.link.removeprefix(server.address))
    welcome = browser.hear("welcome")
    assert welcome["table"]["you"] == 1
    assert [each["who"] for each in welcome["table"]["seats"]] == ["bot random", "person"]
    browser.close()
    server.close()
    assert (tmp_path / "tables.db").exists()


def test_what_cannot_be_served_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ["--store", str(tmp_path / "tables.db")]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert run(["serve", str(GAME), "--port", port, *store]) == USAGE
    assert "--port" in capsys.readouterr().err
    assert run(["serve", str(tmp_path), *store]) == USAGE
    assert "no rule file" in capsys.readouterr().err
    assert run(["serve", str(GAME), "--store", str(GAME)]) == USAGE
    assert "cannot be kept" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert run(["serve", str(GAME), *store]) == USAGE
    assert "rulerun[web]" in capsys.readouterr().err


def test_a_file_that_is_saved_is_noticed(tmp_path: Path) -> None:
    watching = Watching([tmp_path])
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "game.rules").write_text("players 2", encoding="utf-8")
    watching.wait()
    assert watching.changed() is False


def test_what_is_emptied_and_then_filled_is_one_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = tmp_path / "game.rules"
    rules.write_text("before", encoding="utf-8")
    watching = Watching([tmp_path])
    rules.write_text("", encoding="utf-8")
    pauses = iter(["after", ""])
    monkeypatch.setattr("time.sleep", lambda _: (text := next(pauses)) and rules.write_text(text))
    watching.wait()
    assert (rules.read_text(encoding="utf-8"), next(pauses, "all")) == ("after", "all")
    assert watching.changed() is False


def test_nothing_is_lost_under_a_little_load() -> None:
    """The benchmark, in short; how fast it is nobody knows on a busy machine."""
    found = tables.run(GAME, tables=3, seconds=2, idle=4)
    assert found["moves"] >= 3 and found["sockets"] == 6
    assert (found["lost"], found["refused"], found["gaps"]) == (0, 0, 0)


def test_new_tables_are_bounded(served: Served) -> None:
    """Last of all, because nobody can make a table after it."""
    answers = [served.post("/api/tables", {"game": "ticTacToe"})[0] for _ in range(12)]
    assert answers[-1] == 429
