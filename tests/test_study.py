"""Studies: games with known answers, defects that were planted, the same bytes whoever plays, and
games that are played back."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
from jsonschema import Draft202012Validator
from scipy import stats

from interpreter.cli.main import run
from interpreter.lab import asked, intervals, notebook
from interpreter.lab.findings import Figure, Findings, read_findings
from interpreter.lab.play import play_chunk
from interpreter.lab.replay import play_back
from interpreter.lab.rows import changes
from interpreter.lab.run import Progress, looks
from interpreter.lab.schemas import SCHEMAS
from interpreter.lab.spec import MOST_GAMES, Chunk, Restraint, Study, usual_games
from interpreter.lab.store import StoreError
from interpreter.lab.study import Results, check_study, find, open_study, run_study
from interpreter.play import gathering as g
from interpreter.play.guided import WHOLE
from interpreter.report.problem import RulesError

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases" / "lab"
CLASSICS = ROOT / "rulesets" / "classics"


def case(name: str, games: int, players: int = 2, **more: object) -> Study:
    return Study(str(CASES / f"{name}.rules"), (players,), games, **more)  # type: ignore[arg-type]


def kinds(found: Findings) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for arm in found.arms:
        for each in arm.remarks:
            told.setdefault(each.kind, []).append(each.about)
    return told


def files(folder: Path) -> dict[str, bytes]:
    """All that a study has written, but for its parts."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


# ---- known answers


def test_a_coin_is_fair() -> None:
    arm = run_study(case("coin", 4000)).findings.arms[0]
    for seat in ("1", "2"):
        figure = arm.figure("wins", seat)
        assert figure is not None and figure.games == 4000
        assert figure.low < 0.5 < figure.high and 0.014 < figure.half < 0.016
    assert not arm.remarks


def test_dice_have_the_sums_they_have() -> None:
    arm = run_study(case("dice", 4000)).findings.arms[0]
    score, ties = arm.figure("score", "1"), arm.figure("ties")
    assert score is not None and ties is not None
    assert abs(score.value - 7) < 0.15 and abs(score.deviation - math.sqrt(35 / 6)) < 0.1
    counts = [6 - abs(7 - total) for total in range(2, 13)]
    even = sum((count / 36) ** 2 for count in counts)
    assert ties.low - 0.005 < even < ties.high + 0.005
    assert score.quantiles[2] == 7


def test_nim_is_won_by_theory() -> None:
    """Of heaps of 1, 3 and 5 the first player wins, whoever sits there."""
    study = Study(
        str(CLASSICS / "nim.rules"), (2,), 6, bots=("search:1500",), options=(("heaps", 3),)
    )
    first = run_study(study).findings.arms[0].figure("wins", "1")
    assert first is not None and first.value == 1.0 and first.low < 0.7


def test_nobody_wins_tic_tac_toe() -> None:
    study = Study(str(CLASSICS / "ticTacToe.rules"), (2,), 3, bots=("search:1000",))
    results = run_study(study)
    nobody = results.findings.arms[0].figure("nobody")
    assert nobody is not None and nobody.value == 1.0
    assert results.sql("SELECT DISTINCT won FROM seats") == [(0.5,)]
    (judged,) = results.sql("SELECT sum(judged) FROM seats")[0]
    assert judged > 10  # the search told what it thought of its options


# ---- intervals


def test_intervals_are_those_of_scipy() -> None:
    for won, games in ((0, 10), (3, 10), (50, 100), (999, 1000)):
        theirs = stats.binomtest(won, games).proportion_ci(method="wilson")
        assert intervals.wilson(won, games) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    for freedom in (1, 2, 3, 5, 10, 30, 1000):
        theirs = stats.t.ppf(0.975, freedom)
        assert intervals.student(freedom) == pytest.approx(theirs, rel=0.01)
    for above, below in ((5, 40), (99, 300), (300, 99)):
        assert intervals.fisher(above, below) == pytest.approx(
            stats.f.ppf(0.975, above, below), rel=0.01
        )
    chances = [0.001, 0.2, 0.04, 0.9, 0.011, 0.011]
    theirs = stats.false_discovery_control(chances)
    assert intervals.corrected(chances) == pytest.approx(list(theirs))
    assert intervals.accident(1.7) == pytest.approx(2 * stats.norm.sf(1.7))


def test_intervals_hold_as_often_as_they_say() -> None:
    """Two hundred studies of a hundred games: figures are asked as of two hundred arms."""
    results = run_study(case("dice", 20_000))
    results.db.execute("UPDATE games SET arm = game // 100")
    results.db.execute("UPDATE seats SET arm = game // 100")
    from interpreter.lab.figures import figures

    truth = {"score": 7.0, "ties": 146 / 1296, "wins": 0.5}
    counts = [6 - abs(7 - total) for total in range(2, 13)]
    truth["ties"] = sum((count / 36) ** 2 for count in counts)
    for name, true in truth.items():
        held = [
            each.low <= true <= each.high
            for several in figures(results.db, 12.0).values()
            for each in several
            if each.name == name and each.of in ("", "1")
        ]
        assert len(held) == 200
        assert 0.90 <= sum(held) / 200 <= 0.99, name


def test_the_error_of_a_change_goes_by_games() -> None:
    """One of two players takes a thing, and wins three of five games: as sure as that share is."""
    games = 1000
    won = numpy.arange(games) % 5 < 3
    cells = numpy.zeros((1, g.USE_WIDTH), dtype=numpy.int64)
    for taker in won:
        t, n, wt, wn = 1, 1, WHOLE * int(taker), WHOLE * int(not taker)
        added = (
            1, t, n, wt, wn, t * t, n * n, t * n, wt * wt, wn * wn, wt * wn, t * wt, t * wn,
            n * wt, n * wn,
        )  # fmt: skip
        cells[0, g.U_GAMES : g.U_GAMES + len(added)] += numpy.array(added)
    change, error = changes(cells)
    assert change[0] == pytest.approx(0.2)
    assert error[0] == pytest.approx(2 * math.sqrt(0.6 * 0.4 / (games - 1)), rel=1e-9)


def test_how_many_games_are_needed() -> None:
    assert intervals.games_to_see(0.5, 0.02) == 4906
    figure = run_study(case("coin", 400)).findings.arms[0].figure("wins", "1")
    assert figure is not None
    from interpreter.lab.remarks import told_need

    assert told_need(figure) == "±4.9 points after 400 games; 4,900 games needed to see 2"


def test_few_games_that_ended_alike_tell_nothing_of_seats() -> None:
    from interpreter.lab.remarks import remarks

    (arm,) = case("coin", 2).arms()
    for games, told in ((2, set()), (40, {"seat advantage"})):
        all_won = [
            Figure("wins", str(seat + 1), 1.0 - seat, 0.0, 1.0, games, "share", 0.0)
            for seat in range(2)
        ]
        kinds_told = {each.kind for each in remarks(arm, all_won, [], {})}
        assert kinds_told - {"small sample"} == told


# ---- planted defects


def test_an_advantage_of_who_begins_is_found() -> None:
    told = kinds(run_study(case("startAdvantage", 1000, 3)).findings)
    assert "place 1" in told["start advantage"] and "seat 1" in told["seat advantage"]


def test_a_card_that_wins_too_often_is_found() -> None:
    told = kinds(run_study(case("strongCard", 1000)).findings)
    assert told["too strong"] == ["Card crown"]
    assert "never offered" not in told


def test_a_card_that_nobody_can_buy_is_found() -> None:
    told = kinds(run_study(case("tooDear", 500)).findings)
    assert told["never offered"] == ["Card sun"]
    assert "too strong" not in told and "seat advantage" not in told


def test_an_action_that_is_never_good_is_found() -> None:
    told = kinds(run_study(case("badAction", 1000)).findings)
    assert "action sleep" in told["too weak"]
    told = kinds(run_study(case("badAction", 12, bots=("search:200",))).findings)
    assert told["never taken"] == ["action sleep"]


def test_an_endless_game_is_found() -> None:
    told = kinds(run_study(case("endless", 20)).findings)
    assert {"endless games", "positions again"} <= told.keys()


def test_an_ability_that_never_fires_is_found() -> None:
    results = run_study(case("idleAbility", 50), clauses=20)
    told = [(each.name, each.text.partition(" (")[0]) for each in results.findings.unfired]
    assert told == [("sleeps", "modify income"), ("sleeps", "instead of dug")]
    assert results.findings.watched == 20
    assert "never fired in 20 watched random games: sleeps (modify income)" in str(results)


def test_what_the_better_bot_leaves_is_told_of_it_alone() -> None:
    """Random players sleep; and what the weaker bot leaves may be its mistake."""
    results = run_study(case("badAction", 16, bots=("search:200", "first")))
    remarks = [each for each in results.findings.arms[0].remarks if each.kind == "never taken"]
    assert remarks and all(each.words.endswith("search:200") for each in remarks)


def test_bots_that_estimate_tell_when_a_game_is_settled() -> None:
    """Whoever digs is ahead; and without estimates nothing is told."""
    found = run_study(case("badAction", 12, bots=("search:60",)))
    figure = found.findings.arms[0].figure("no return expected")
    assert figure is not None and figure.games == 12 and 0 <= figure.value < 1
    alike = found.findings.arms[0].figure("alike")
    assert alike is not None and alike.value < 0.9
    blind = run_study(case("badAction", 12, bots=("search:60", "random"))).findings.arms[0]
    assert blind.figure("no return expected") is None


# ---- worth and luck


def test_what_a_rule_is_worth_is_told_with_its_interval() -> None:
    study = case(
        "badAction", 800,
        restraints=(Restraint("never", "action", "dig"), Restraint("always", "action", "dig")),
    )  # fmt: skip
    never, always = run_study(study).findings.worth
    assert never.restraint == "never action=dig" and never.low > 0.2
    assert always.restraint == "always action=dig" and always.high < -0.1
    assert never.corrected < 0.001


def test_never_choosing_something_is_named_by_sort_or_just_as_a_card() -> None:
    for sort in ("Card", "card", "piece"):
        study = case("strongCard", 300, restraints=(Restraint("never", sort, "crown"),))
        results = run_study(study)
        assert results.findings.worth[0].cost > 0.1
        used = {(use.name, use.bot): use for use in results.findings.arms[1].uses}
        assert used["crown", "random"].taken > 0  # by the other player
    with pytest.raises(ValueError, match="Did you mean `crown`"):
        run_study(case("strongCard", 10, restraints=(Restraint("never", "card", "crowm"),)))


def test_the_deals_part_is_all_of_dice_and_nothing_of_nim() -> None:
    found = {each.of: each for each in run_study(case("dice", 400, luck=4)).findings.luck}
    assert found["wins"].share == found["scores"].share == 1.0
    nim = Study(str(CLASSICS / "nim.rules"), (2,), 800, luck=4)
    share = run_study(nim).findings.luck[0]
    assert share.of == "wins" and share.low == 0.0 and share.share < 0.1 and share.deals == 200


def test_the_better_bot_wins_from_all_seats() -> None:
    study = case("badAction", 40, bots=("search:100", "random"))
    arm = run_study(study).findings.arms[0]
    best, seat = arm.figure("wins by bot", "search:100"), arm.figure("wins", "1")
    assert best is not None and best.low > 0.5 and best.games == 40
    assert seat is not None and seat.low < 0.5 < seat.high


# ---- the same whoever plays


def study_of_all() -> Study:
    return Study(
        str(CLASSICS / "pig.rules"), (2, 3), 60, bots=("random",), tables=(("first", "random"),),
        options=(("goal", 20),),
    )  # fmt: skip


def test_the_same_bytes_for_any_workers_and_chunks(tmp_path: Path) -> None:
    whole, small, two = (tmp_path / name for name in ("whole", "small", "two"))
    run_study(study_of_all(), folder=whole)
    run_study(study_of_all(), folder=small, chunk=7)
    run_study(study_of_all(), folder=two, workers=2, chunk=25)
    assert files(whole) == files(small) == files(two)
    assert {"games.parquet", "games.csv", "seats.parquet", "uses.csv"} <= files(whole).keys()


def test_a_study_goes_on_after_ctrl_c_and_with_more_games(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.played >= 60:
            raise KeyboardInterrupt

    results = run_study(study_of_all(), folder=tmp_path / "a", chunk=10, tell=stop)
    assert not results.manifest.complete and sum(results.manifest.played) == 60
    assert not open_study(tmp_path / "a").findings.complete
    torn = next((tmp_path / "a" / "parts").glob("*.npz"))
    torn.write_bytes(torn.read_bytes()[:100])
    run_study(study_of_all(), folder=tmp_path / "a", chunk=33)
    run_study(replace(study_of_all(), games=20), folder=tmp_path / "b")
    run_study(study_of_all(), folder=tmp_path / "b")
    run_study(study_of_all(), folder=tmp_path / "c")
    assert files(tmp_path / "a") == files(tmp_path / "b") == files(tmp_path / "c")


KILLED = """
import os, sys
from pathlib import Path
from interpreter.lab.spec import Study
from interpreter.lab.study import run_study

def stop(progress):
    if progress.played >= 30:
        os._exit(9)

run_study(Study(sys.argv[1], (2,), 60), folder=Path(sys.argv[2]), chunk=10, tell=stop)
"""


def test_a_study_goes_on_after_it_was_killed(tmp_path: Path) -> None:
    rules = str(CASES / "coin.rules")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, rules, str(tmp_path / "a")], cwd=ROOT, check=False
    )
    assert done.returncode == 9
    assert len(list((tmp_path / "a" / "parts").glob("*.npz"))) == 3
    study = Study(rules, (2,), 60)
    run_study(study, folder=tmp_path / "a")
    run_study(study, folder=tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_another_study_is_not_mixed_in(tmp_path: Path) -> None:
    run_study(case("coin", 20), folder=tmp_path)
    with pytest.raises(StoreError, match="another study"):
        run_study(case("coin", 20, seed=2), folder=tmp_path)
    with pytest.raises(StoreError, match="another study"):
        run_study(case("dice", 20), folder=tmp_path)


def test_it_stops_at_the_same_game_however_games_are_cut(tmp_path: Path) -> None:
    study = case("coin", 5000, until=0.05)
    found = [run_study(study, chunk=chunk).manifest.played for chunk in (0, 7, 5000)]
    assert found[0] == found[1] == found[2]
    assert found[0][0] in list(looks(5000, True)) and 380 <= found[0][0] <= 500
    run_study(
        replace(study, until=0.0, games=1000), folder=tmp_path
    )  # has more games than are needed
    assert run_study(study, folder=tmp_path).manifest.played == found[0]


def test_who_only_says_how_well_it_is_to_be_known_gets_games_enough() -> None:
    assert usual_games(0.0) == 1000 and usual_games(1e-9) == MOST_GAMES
    result = notebook.study(CASES / "coin.rules", until=0.02)
    assert 2200 <= result.manifest.played[0] <= usual_games(0.02) < 2500


# ---- rows


def test_tables_are_as_their_schemas_say(tmp_path: Path) -> None:
    results = run_study(replace(study_of_all(), decisions=True), folder=tmp_path)
    schema = SCHEMAS["study"]()
    Draft202012Validator(schema).validate(json.loads((tmp_path / "study.json").read_text()))
    data = json.loads((tmp_path / "findings.json").read_text(encoding="utf-8"))
    Draft202012Validator(SCHEMAS["findings"]()).validate(data)
    assert read_findings(data) == results.findings
    opened = open_study(tmp_path)
    for name, told in schema["$defs"].items():
        columns = list(told["properties"])
        judge = Draft202012Validator(told)
        for row in opened.sql(f"SELECT * FROM {name} LIMIT 50"):
            judge.validate(dict(zip(columns, row, strict=True)))
        assert opened.sql(f"SELECT count(*) FROM {name}")[0][0] > 0, name
    assert find(opened.db, opened.manifest).arms == results.findings.arms


def test_decisions_are_those_of_the_same_games() -> None:
    study = study_of_all()
    plain, told = run_study(study), run_study(replace(study, decisions=True))
    query = "SELECT * FROM games ORDER BY arm, game"
    assert plain.sql(query) == told.sql(query)
    (moves,) = told.sql("SELECT sum(moves) FROM games")[0]
    assert told.sql("SELECT count(*) FROM decisions") == [(moves,)]


@pytest.mark.parametrize("bots", [("random",), ("search:30", "random")])
def test_any_game_is_played_back_from_its_row(bots: tuple[str, ...]) -> None:
    study = Study(str(CLASSICS / "goofspiel.rules"), (2,), 6, bots=bots, options=(("cards", 4),))
    results = run_study(study)
    for game, seed, winners, moves in results.sql("SELECT game, seed, winners, moves FROM games"):
        state = play_back(study, results.manifest.arms[0], game)
        assert state.is_over and state.seed == seed and state.moves == moves
        assert sum(1 << seat for seat in state.winners) == winners


def test_sweeps_change_what_they_name() -> None:
    study = case("strongCard", 50, players=2, vary=(("x", ("1",)),))
    with pytest.raises(RulesError):
        check_study(study)
    pay = Study(
        str(ROOT / "rulesets" / "payDirt.rules"), (2,), 1, vary=(("bidStep", ("500", "1000")),)
    )
    one, two = check_study(pay)
    assert one.game.rules_hash != two.game.rules_hash
    assert one.game.rules is not None and "--set" in one.game.rules.sources


def test_the_reference_machine_writes_the_same() -> None:
    study = Study(str(CLASSICS / "pig.rules"), (2,), 20, options=(("goal", 20),))
    arm = study.arms()[0]
    native = play_chunk(study, arm, Chunk(0, 0, 20))
    plain = play_chunk(replace(study, decisions=True), arm, Chunk(0, 0, 20))
    assert (native.games, native.uses, native.race) == (plain.games, plain.uses, plain.race)


# ---- what people type


def test_what_people_type_is_understood() -> None:
    assert asked.players("2..4,6", 2, 6) == (2, 3, 4, 6)
    assert asked.players("all", 2, 3) == (2, 3)
    assert asked.bots("best, random", "500") == ("best:500", "random")
    assert asked.varied("money=1,2") == ("money", ("1", "2"))
    assert asked.restraint("never", 'card="Claims Lawyer"') == Restraint(
        "never", "card", "Claims Lawyer"
    )
    assert asked.share("±2%") == asked.share("2 %") == asked.share("0.02") == 0.02
    for wrong in ("x", "4..2", ""):
        with pytest.raises(ValueError, match="how many play"):
            asked.players(wrong, 2, 4)
    for wrong in ("", "200%", "0"):
        with pytest.raises(ValueError, match="a share"):
            asked.share(wrong)


def test_results_show_themselves() -> None:
    results: Results = run_study(case("strongCard", 200))
    assert "Card crown" in str(results) and "wins by seat" in str(results)
    assert "<table>" in results._repr_html_() and "games won, by seat 1" in results._repr_html_()
    assert len(results.columns("SELECT moves FROM games")["moves"]) == 200


def test_the_command_tells_what_the_study_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = str(CASES / "badAction.rules")
    given = ["study", rules, "--games", "60", "--workers", "1", "--out", str(tmp_path / "out")]
    assert run([*given, "--never", "action=dig"]) == 0
    told = capsys.readouterr().out
    assert "2 players, all random: 60 games" in told and "never action=dig" in told
    assert run(["study", rules, "--games", "30", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["findings"]()).validate(data)
    record = tmp_path / "game.record"
    game = ["study", "--out", str(tmp_path / "out"), "--game", "7", "--record", str(record)]
    assert run(game) == 0
    assert "Digging, 2 players, all random, game 7" in capsys.readouterr().out
    assert run(["replay", str(record), "--rules", rules]) == 0
    assert run(["study", rules, "--games", "10", "--never", "action=fly"]) == 2
    assert run(["study", rules, "--set", "x=1"]) == 1
    assert run(["study"]) == 2
