"""Studies on a cluster: two workers, of which one is killed, come to what one process comes to."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Rulerun
from distributed import Client, LocalCluster

from interpreter.lab import ready
from interpreter.lab.cluster import Cluster, ClusterError, Parcel, cluster, pack, play_sent
from interpreter.lab.run import Progress, play_study
from interpreter.lab.spec import Chunk, Study
from interpreter.reading import read_rules

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def local() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as found:
        yield found


def bytes_of(progress: Progress) -> dict[int, tuple[Any, ...]]:
    """Everything that games have come to, whoever has played them in what chunks."""
    found = {}
    for arm, parts in progress.parts.items():
        games = b"".join(part.games.tobytes() for part in parts)
        uses = {
            bot: [sum(column) for column in zip(*(part.uses[bot] for part in parts), strict=True)]
            for bot in parts[0].uses
        }
        race = [sum(column) for column in zip(*(part.race for part in parts), strict=True)]
        found[arm] = games, uses, race
    return found


def test_a_lost_worker_costs_nothing_but_time(local: LocalCluster) -> None:
    """The second arm thinks, so that it lasts until the worker is lost."""
    rules = str(ROOT / "rulesets" / "classics" / "pig.rules")
    study = Study(
        rules, (2,), 60, bots=("random",), tables=(("search:8", "random"),),
        options=(("goal", 30),), settings=(),
    )  # fmt: skip
    alone = play_study(study, study.arms())
    killed: list[int] = []
    with cluster(local.scheduler_address) as far:
        pids = set(far.client.run(os.getpid).values())
        assert len(pids) == far.number == 2

        def tell(progress: Progress) -> None:
            if progress.played >= 62 and not killed:
                killed.append(min(pids))
                os.kill(killed[0], signal.SIGKILL)

        found = play_study(study, study.arms(), workers=2, pool=far, tell=tell, chunk=2)
    assert killed
    assert bytes_of(found) == bytes_of(alone)


def test_a_worker_needs_no_file_of_ours(tmp_path: Path) -> None:
    """All that rules read goes along, also from folders below."""
    (tmp_path / "more").mkdir()
    main = 'game "T"\nplayers 2\ndata "more/t.yaml"\ninclude "more/rest.rules"\n'
    rest = (
        "constant most from most\n\nthe game has\n    left: int\n\n"
        'action take(n in 1..most) "take {n}"\n    left += n\n    if left > 9\n'
        "        me wins\n\nplay\n    turns\n        choose take\n"
    )
    (tmp_path / "t.rules").write_text(main, encoding="utf-8")
    (tmp_path / "more" / "rest.rules").write_text(rest, encoding="utf-8")
    (tmp_path / "more" / "t.yaml").write_text("most: 3\n", encoding="utf-8")
    ready.forget()
    path = tmp_path / "t.rules"
    assert not read_rules(path).problems.has_errors
    study = Study(str(path), (2,), 10)
    arm = study.arms()[0]
    here = play_study(study, study.arms())
    parcel = pack(study)
    assert {name for name, _ in parcel.files} == {"t.rules", "more/rest.rules", "more/t.yaml"}
    for each in [path, tmp_path / "more" / "rest.rules", tmp_path / "more" / "t.yaml"]:
        each.unlink()
    part = play_sent(parcel, study, arm, Chunk(0, 0, 10))
    assert part.games.tobytes() == bytes_of(here)[0][0]
    other = Parcel(parcel.files, "other code")
    with pytest.raises(ClusterError, match="another version"):
        play_sent(other, study, arm, Chunk(0, 0, 10))


def test_the_command_says_the_same(local: LocalCluster, rulerun: Rulerun) -> None:
    words = ["study", "ticTacToe", "--games", "300", "--json"]
    one = rulerun(*words, "--workers", "1")
    far = rulerun(*words, "--cluster", local.scheduler_address)
    assert (far.code, far.out) == (0, one.out)


def test_gates_and_comparisons_go_there_too(
    local: LocalCluster, rulerun: Rulerun, tmp_path: Path
) -> None:
    """Also a bot that was trained, after games without one, and what is set on one side only."""
    (tmp_path / "clauses").mkdir()
    for name in ("nozoku.rules", "nozoku.yaml", "nozoku.bot", "clauses/nozoku.yaml"):
        (tmp_path / name).write_bytes((ROOT / "rulesets" / name).read_bytes())
    (tmp_path / "nozoku.expect.yaml").write_text(
        "- {players: 2, games: 200, expect: {endless: below 5%}}\n"
        "- {players: 2, bots: trained, games: 20, expect: {endless: below 50%}}\n",
        encoding="utf-8",
    )
    rules = str(tmp_path / "nozoku.rules")
    other = str(ROOT / "rulesets" / "classics" / "upAndDown.rules")
    for words in (
        ("expect", rules, "--json"),
        ("compare", other, "--set", "handSize=5", "--games", "40", "--json"),
    ):
        one = rulerun(*words, "--workers", "1")
        far = rulerun(*words, "--cluster", local.scheduler_address)
        assert (far.code, far.out) == (0, one.out), far.err


def test_whoever_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch, rulerun: Rulerun) -> None:
    monkeypatch.setattr("interpreter.lab.cluster._SECONDS", 1)
    done = rulerun("study", "ticTacToe", "--games", "10", "--cluster", "tcp://127.0.0.1:9")
    assert done.code == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.err


def test_only_games_are_played_there() -> None:
    with pytest.raises(AssertionError):
        Cluster.submit(object.__new__(Cluster), print, "hello")


def test_clients_of_others_are_left_alone(local: LocalCluster) -> None:
    with Client(local, set_as_default=True) as own, cluster(local.scheduler_address):
        assert Client.current() is own
