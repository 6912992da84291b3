"""What is expected of playing: how it is read, and that alarms are false as seldom as is said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from conftest import Rulerun
from scipy import stats

from interpreter.cli.check import check_file
from interpreter.lab import sequential
from interpreter.lab.bounds import Bound, read_bound
from interpreter.lab.expectations import Claim, Gate, Never, read_expectations
from interpreter.lab.gates import Held, Item, Question, Tally, hold, ratio
from interpreter.lab.measures import BY_NAME
from interpreter.lab.sequential import Sums
from interpreter.lab.spec import Arm, Study
from interpreter.reading import read_rules
from interpreter.report.source import Mark

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RULES = """game "Coin"
players 2..4

option calls: 1..9 = 3

enum Side: heads, tails

the game has
    shown: Side or none

play
    repeat calls times
        for each p in players
            p chooses
                call(s in Side) "call {s}"
                    shown := s
    P1 wins
"""
HERE = Mark("t.expect.yaml", 1, 1, 1, 2)
STUDIES = 1200  # simulated for each promise
# Of so many studies, more alarms than this come by accident once in ten thousand times, if each
# study raises one with the chance that is allowed.
MOST_ALARMS = int(stats.binom.ppf(0.9999, STUDIES, 0.05))


def written(folder: Path, expected: str) -> Path:
    rules = folder / "t.rules"
    rules.write_text(RULES, encoding="utf-8")
    (folder / "t.expect.yaml").write_text(expected, encoding="utf-8")
    return rules


def told(folder: Path, expected: str) -> list[tuple[str, int, str]]:
    _, problems = check_file(str(written(folder, expected)))
    return [(each.code, each.mark.line, f"{each.message} {each.help or ''}") for each in problems]


# ---- how it is read

FIVE = """\
# Seats are fair for each number of players.
- name: fair seats
  bots: search:50
  games: 2000
  expect:
    wins: even ± 4%
    wins by start: {1: at most 55%}

# Nobody sits for too long, and what there is is used.
- players: [2, 4]
  bots: [search:50, random]
  options: {calls: 5}
  games: 400
  seed: 7
  seconds: 20
  expect:
    rounds: at most 12 in 95% of games
    minutes: 5 to 40
    ties: below 5%
    margin: 3..12
    wins by bot: {search:50: above 60%}
    taken: {Side: at least 5%, heads: 20% +- 10%}
    never offered: nothing
    never taken: [tails]
"""


def test_hard_uses_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, FIVE)
    assert check_file(str(path))[1] == []
    fair, used = read_expectations(read_rules(path), path).gates
    assert (fair.title, fair.study.players, fair.study.bots) == (
        "fair seats", (2, 3, 4), ("search:50",)
    )  # fmt: skip
    assert [(each.name, each.of, each.mark.line) for each in fair.claims] == [
        ("wins", "", 6), ("wins by start", "1", 7)
    ]  # fmt: skip
    assert fair.claims[0].bound.limits(4) == pytest.approx((0.21, 0.29))
    assert used.study == Study(
        str(path), (2, 4), 400, 7, ("search:50", "random"), options=(("calls", 5),), seconds=20.0
    )
    bounds = {(each.name, each.of): each.bound.limits(2) for each in used.claims}
    assert bounds["rounds", ""][0] == 0.95
    assert bounds["margin", ""] == (3, 12)
    assert bounds["wins by bot", "search:50"][0] == pytest.approx(0.6)
    assert bounds["taken", "heads"] == pytest.approx((0.1, 0.3))
    assert [(each.name, [text for text, _ in each.but]) for each in used.nevers] == [
        ("never offered", []), ("never taken", ["tails"])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "code", "line", "words"),
    [
        ("  expect: {win: even ± 4%}", "RR910", 2, "Did you mean `wins`?"),
        ("  expect:\n    wins: even", "RR911", 3, "does not say what is expected"),
        ("  expect:\n    wins: 0.25 ± 0.04", "RR911", 3, "written like `25%`"),
        ("  expect:\n    rounds: at most 12%", "RR911", 3, "no share"),
        ("  expect:\n    rounds: even ± 4%", "RR911", 3, "only shares"),
        ("  expect:\n    ties: even ± 4%", "RR911", 3, "by seat or by place"),
        ("  expect:\n    rounds: 12..3", "RR911", 3, "nothing lies between"),
        ("  expect:\n    rounds: at most 3 in 95 of games", "RR911", 3, "like `95%`"),
        ("  expect:\n    wins: {5: above 1%}", "RR912", 3, "there is no seat `5`"),
        ("  expect:\n    ties: {1: above 1%}", "RR912", 3, "one figure for all"),
        ("  expect:\n    taken: {haeds: above 1%}", "RR912", 3, "Did you mean `heads`?"),
        ("  expect:\n    never taken: [cal]", "RR912", 3, "Did you mean `call`?"),
        ("  bots: serach:5\n  expect: {ties: below 5%}", "RR912", 2, "Did you mean `search`?"),
        ("  bots: search:2s\n  expect: {ties: below 5%}", "RR912", 2, "`search:200`"),
        ("  bots: [random, first, random]\n  expect: {ties: below 5%}", "RR912", 2, "but 2 play"),
        ("  players: 5\n  expect: {ties: below 5%}", "RR912", 2, "for 2 to 4 players"),
        ("  options: {cals: 2}\n  expect: {ties: below 5%}", "RR912", 2, "Did you mean `calls`?"),
        ("  game: 5\n  expect: {ties: below 5%}", "RR040", 2, "`game`"),
        ("  expect:\n    ties: 5", "RR040", 3, "text"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    tmp_path: Path, lines: str, code: str, line: int, words: str
) -> None:
    [(found, where, message)] = told(tmp_path, f"- games: 100\n{lines}\n")
    assert (found, where) == (code, line)
    assert words in message


@pytest.mark.parametrize(
    ("words", "bounds"),
    [
        ("25% ± 4%", (0.21, 0.29)), ("25 +- 4%", (0.21, 0.29)), ("even +/- 5 %", (0.2, 0.3)),
        ("15..30%", (0.15, 0.3)), ("from 15% to 30%", (0.15, 0.3)), ("<= 5%", (-np.inf, 0.05)),
        ("more than 12.5%", (0.125, np.inf)), ("at most 12% in 95% of all games", (0.95, np.inf)),
    ],
)  # fmt: skip
def test_bounds_are_read_as_people_write_them(words: str, bounds: tuple[float, float]) -> None:
    found = read_bound(words, "share")
    assert isinstance(found, Bound)
    assert found.limits(4) == pytest.approx(bounds)


@pytest.mark.parametrize("words", ["25% ± 4", "15%..30", "", "even", "at most", "0.1%%", "9" * 20])
def test_what_is_no_bound(words: str) -> None:
    assert isinstance(read_bound(words, "share"), str)


def test_the_example_of_the_readme_is_right(tmp_path: Path) -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (example,) = [block for block in blocks if "never offered" in block]
    (tmp_path / "payDirt.expect.yaml").write_text(example, encoding="utf-8")
    rules = read_rules(ROOT / "rulesets" / "payDirt.rules")
    found = read_expectations(rules, tmp_path / "payDirt.rules")
    assert found.problems == []
    assert len(found.gates[0].claims) == 7


def test_something_is_expected_of_every_game_that_ships() -> None:
    """Whether it holds, `rulerun ci` sees."""
    for path in sorted((ROOT / "rulesets").glob("*.rules")):
        found = read_expectations(read_rules(path), path)
        assert found.gates and not found.problems, path


def test_the_schema_is_one() -> None:
    schema = json.loads((ROOT / "schemas" / "expect.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)


def test_expectations_are_no_part_of_the_rules(tmp_path: Path) -> None:
    path = written(tmp_path, FIVE)
    before = read_rules(path).hash
    path.with_suffix(".expect.yaml").unlink()
    assert read_rules(path).hash == before


# ---- distributions


@pytest.mark.parametrize("number", [20, 333, 100_000])
@pytest.mark.parametrize("error", [0.05, 1e-3, 1e-6])
def test_quantiles_are_those_of_scipy(number: int, error: float) -> None:
    for share in (0.001, 0.25, 0.5, 0.999):
        won = share * number
        low, high = sequential.share_interval(Sums(number, won), error)
        assert low == pytest.approx(stats.beta.ppf(error / 2, won, number - won + 1), rel=1e-8)
        assert high == pytest.approx(stats.beta.ppf(1 - error / 2, won + 1, number - won), rel=1e-8)
    found = sequential.student_quantile(1 - error / 2, number - 1)
    assert found == pytest.approx(stats.t.ppf(1 - error / 2, number - 1), rel=1e-8)


def test_looks_are_few_and_their_errors_add_up() -> None:
    assert sequential.looks(800) == (50, 100, 200, 400, 800)
    assert sequential.looks(800, 3) == (51, 102, 201, 402, 801)
    assert sequential.looks(30) == (20, 30)
    assert sum(sequential.spending(0.05, 5)) == pytest.approx(0.05)


# ---- alarms


@dataclass
class Drawn:
    """Games whose answers are drawn from a known distribution; `taken` has for each game how many
    took a thing and how many left it."""

    answers: np.ndarray
    taken: np.ndarray | None = None
    played: int = 0

    def play(self, arm: Arm, games: int) -> None:
        self.played = max(self.played, games)

    def sums(self, question: Question, games: int, step: int) -> Sums:
        found = self.answers[:games]
        bound = question.claim.bound
        if bound.of_games is not None:
            least, most = bound.inside(question.arm.players)
            found = ((found >= least) & (found <= most)).astype(float)
        found = found.reshape(-1, step).mean(axis=1)
        return Sums(len(found), float(found.sum()), float((found * found).sum()))

    def items(self, arm: Arm) -> Sequence[Item]:
        return [] if self.taken is None else [Item("Card", "lamp", "Lamp")]

    def tally(self, arm: Arm, games: int, item: Item) -> Tally:
        assert self.taken is not None
        takers, leavers = self.taken[:games].T
        could = takers + leavers > 0
        return Tally(
            int((takers + leavers).sum()), int(takers.sum()), int(could.sum()), int(takers.sum()),
            int(leavers.sum()), int((takers**2).sum()), int((leavers**2).sum()),
            int((takers * leavers).sum()),
        )  # fmt: skip


def gate_of(name: str, words: str, games: int, of: str = "", players: int = 4) -> Gate:
    measure = BY_NAME.get(name)
    bound = read_bound(words, measure.unit if measure else "share")
    assert isinstance(bound, Bound)
    claim = Claim(name, of, bound, HERE, measure)
    return Gate("t", HERE, Study("t.rules", (players,), games), (claim,))


def run(gate: Gate, drawn: Drawn) -> Held:
    return hold([gate], lambda _: drawn)


def _wins(random: np.random.Generator, share: float, games: int) -> np.ndarray:
    return (random.random(games) < share).astype(float)


def _shared_wins(random: np.random.Generator, share: float, games: int) -> np.ndarray:
    """A tenth of the games are won by two."""
    shared = random.random(games) < 0.1
    return np.where(shared, (random.random(games) < 2 * share) / 2, random.random(games) < share)


def _lengths(random: np.random.Generator, mean: float, games: int) -> np.ndarray:
    """Skewed, as lengths of games are."""
    return 4 + random.gamma(2.0, (mean - 4) / 2, games)


def _many_lengths(random: np.random.Generator, mean: float, games: int) -> np.ndarray:
    """Heavily skewed: most games are as short as can be."""
    return random.geometric(1 / mean, games).astype(float)


_Draw = Callable[[np.random.Generator, float, int], np.ndarray]


@pytest.mark.parametrize(
    ("name", "words", "of", "draw", "truth"),
    [
        # The truth lies on the very edge of what is expected: nowhere are alarms more frequent.
        ("wins", "25% ± 4%", "1", _wins, 0.29),
        ("wins", "even ± 4%", "1", _shared_wins, 0.21),
        ("ties", "at most 2%", "", _wins, 0.02),
        ("ties", "at least 60%", "", _wins, 0.6),
        ("rounds", "at most 12", "", _lengths, 12.0),
        ("rounds", "at least 12", "", _lengths, 12.0),
        ("moves", "at least 9", "", _many_lengths, 9.0),
    ],
)
def test_alarms_are_false_as_seldom_as_is_said(
    name: str, words: str, of: str, draw: _Draw, truth: float
) -> None:
    random = np.random.default_rng(14)
    gate = gate_of(name, words, 400, of)
    alarms = 0
    for _ in range(STUDIES):
        held = run(gate, Drawn(draw(random, truth, 400)))
        alarms += any(each.code == "RR920" for each in held.problems)
    assert alarms <= MOST_ALARMS


def test_whoever_looks_as_often_without_a_plan_is_misled() -> None:
    """What would happen with plain intervals of 95 % at each look: the test above can fail."""
    random = np.random.default_rng(14)
    alarms = 0
    for _ in range(STUDIES):
        won = _wins(random, 0.29, 400)
        sums = [Sums(games, float(won[:games].sum())) for games in sequential.looks(400)]
        alarms += any(sequential.share_interval(each, 0.1)[0] > 0.29 for each in sums)
    assert alarms > MOST_ALARMS


def test_alarms_about_what_is_taken_are_false_as_seldom() -> None:
    random = np.random.default_rng(14)
    gate = gate_of("taken", "at least 30%", 400, "Card")
    alarms = 0
    for _ in range(STUDIES // 2):
        # In some games all like it, in others nobody does: players of a game are much alike.
        liking = random.beta(1.2, 2.8, 400)
        could = random.integers(1, 5, 400)
        takers = random.binomial(could, liking)
        held = run(gate, Drawn(np.zeros(0), np.stack([takers, could - takers], axis=1)))
        alarms += any(each.code == "RR920" for each in held.problems)
    assert alarms <= stats.binom.ppf(0.9999, STUDIES // 2, 0.05)


def test_mixed_bots_are_judged_by_whole_rounds() -> None:
    """Seat 1 wins half of the games, in turn with a bot that always wins and one that never
    does; single games would seem to differ far more than rounds do."""
    gate = gate_of("wins", "even ± 4%", 400, "1", players=2)
    mixed = Gate(
        "t", HERE, Study("t.rules", (2,), 400, bots=("search:50", "random")), gate.claims
    )  # fmt: skip
    drawn = Drawn(np.tile([1.0, 0.0], 200))
    [judged] = run(mixed, drawn).judged
    assert (judged.verdict, judged.value, drawn.played) == ("held", 0.5, 26)
    [judged] = run(gate, drawn).judged
    assert judged.verdict == "open"


def test_clear_cases_end_early() -> None:
    random = np.random.default_rng(14)
    bad = Drawn(_wins(random, 0.7, 800))
    [judged] = run(gate_of("wins", "25% ± 4%", 800, "1"), bad).judged
    assert (judged.verdict, bad.played) == ("broken", 50)
    good = Drawn(_wins(random, 0.001, 800))
    [judged] = run(gate_of("ties", "below 20%", 800), good).judged
    assert (judged.verdict, good.played) == ("held", 50)


def test_messages_have_the_interval_and_how_many_games_would_tell() -> None:
    random = np.random.default_rng(14)
    [problem] = run(gate_of("wins", "25% ± 4%", 800, "1"), Drawn(_wins(random, 0.4, 800))).problems
    assert problem.code == "RR920"
    assert problem.message.startswith("wins of seat 1, 4 players, all random: ")
    assert "%, 200 games); `25% ± 4%` is expected" in problem.message
    assert problem.help == "That is 21.0 to 29.0 %."
    # An honest sample of 800 games is no more exact than 3 of 100.
    even = np.tile([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], 115)[:800]
    [problem] = run(gate_of("wins", "25% ± 4%", 800, "1"), Drawn(even)).problems
    assert (problem.code, problem.severity) == ("RR921", "warning")
    assert "800 games do not tell" in problem.message
    assert problem.help is not None and "games would tell" in problem.help


def test_what_is_never_offered_or_taken_is_named() -> None:
    gate = gate_of("ties", "below 50%", 400)
    nevers = (Never("never offered", (), HERE), Never("never taken", (), HERE))
    gate = Gate(gate.title, HERE, gate.study, gate.claims, nevers)
    left = np.tile([0, 2], (400, 1))
    held = run(gate, Drawn(np.zeros(400), left))
    assert [len(each.items) for each in held.missing] == [0, 1]
    [problem] = held.problems
    assert "never taken in 400 games: Card Lamp" in problem.message
    assert "less than 0.75 % of all games" in problem.message
    allowed = (Never("never taken", (("lamp", HERE),), HERE),)
    drawn = Drawn(np.zeros(400), left)
    held = run(Gate(gate.title, HERE, gate.study, gate.claims, allowed), drawn)
    assert (held.problems, drawn.played) == ([], 25)


def test_the_part_that_takes_something_covers_the_truth() -> None:
    random = np.random.default_rng(14)
    covered = 0
    for _ in range(STUDIES):
        liking = random.beta(2, 2, 150)
        could = random.integers(1, 4, 150)
        takers = random.binomial(could, liking)
        leavers = could - takers
        tally = Tally(
            0, 0, 150, int(takers.sum()), int(leavers.sum()), int((takers**2).sum()),
            int((leavers**2).sum()), int((takers * leavers).sum()),
        )  # fmt: skip
        _, (low, high) = ratio(tally, 0.05)
        covered += low <= 0.5 <= high
    assert covered >= stats.binom.ppf(0.0001, STUDIES, 0.94)


# ---- with real games

STICK = """game "Stick"
players 2..3

constant sticks = 5

the game has
    left: int

play
    left := sticks
    turns
        choose
            takeOne "take one"
                left -= 1
                if left = 0
                    me wins
            takeLeft "take one with the left hand"
                left -= 1
                if left = 0
                    me wins
            takeTwo "take two"
                when left >= 9
                left -= 2
"""
# Whoever takes the last of five sticks, one at a time, is always the first of two.
BROKEN = """\
- players: 2
  games: 400
  expect:
    wins: even ± 10%
    wins by start: {1: at least 90%}
    rounds: 2..4
    ties: at most 50%
    never taken: [takeTwo]
    never offered: nothing
"""


def stick(folder: Path, expected: str) -> str:
    (folder / "stick.rules").write_text(STICK, encoding="utf-8")
    (folder / "stick.expect.yaml").write_text(expected, encoding="utf-8")
    return str(folder / "stick.rules")


def test_a_planted_defect_is_told_at_its_line(rulerun: Rulerun) -> None:
    stick(Path("."), BROKEN)
    done = rulerun("expect", "--workers", "1", "--json")
    assert done.code == 1
    document = json.loads(done.out)
    told = [(each["code"], each["file"], each["line"]) for each in document["problems"]]
    assert told == [
        ("RR920", "stick.expect.yaml", 4), ("RR920", "stick.expect.yaml", 4),
        ("RR920", "stick.expect.yaml", 9),
    ]  # fmt: skip
    assert "wins of seat 1, 2 players, all random: 100.0 % (" in document["problems"][0]["message"]
    assert "to 100.0 %, 25 games)" in document["problems"][0]["message"]
    assert "takeTwo" in document["problems"][2]["help"]
    judged = document["files"][0]["judged"]
    verdicts = {each["name"].partition(",")[0]: each["verdict"] for each in judged}
    assert verdicts == {
        "wins of seat 1": "broken", "wins of seat 2": "broken", "wins by start of place 1": "held",
        "rounds": "held", "ties": "held",
    }  # fmt: skip


@pytest.mark.parametrize("form", ["junit", "github", "sarif", "gitlab", "concise", "full"])
def test_every_form_names_the_line(rulerun: Rulerun, form: str) -> None:
    stick(Path("."), BROKEN)
    done = rulerun("ci", "--skip", "prove", "--skip", "soak", "--output-format", form)
    assert done.code == 1
    assert "stick.expect.yaml" in done.out and "RR920" in done.out
    assert "wins of seat 2" in done.out and "(0.0 to " in done.out


def test_what_holds_is_all_well_and_noqa_silences_what_is_unclear(rulerun: Rulerun) -> None:
    fine = "- games: 40\n  players: 2\n  expect:\n    wins: {1: above 60%}\n"
    stick(Path("."), fine)
    done = rulerun("expect", "stick", "--workers", "1")
    assert (done.code, done.out.splitlines()[-1]) == (0, "All that is expected holds.")
    unclear = "- games: 20\n  players: 2\n  expect:\n    wins: {1: above 90%}"
    stick(Path("."), f"{unclear}\n")
    assert rulerun("expect", "--workers", "1").code == 0
    done = rulerun("expect", "--workers", "1", "--strict")
    assert done.code == 1 and "error[RR921]: 20 games do not tell" in done.out
    stick(Path("."), f"{unclear}  # noqa: RR921 more games take too long\n")
    assert rulerun("expect", "--workers", "1", "--strict").code == 0


def test_ci_says_nothing_of_expectations_where_there_are_none(rulerun: Rulerun) -> None:
    path = stick(Path("."), BROKEN)
    done = rulerun("ci", "--skip", "prove", "--skip", "soak", "--expect-games", "0")
    assert done.code == 0 and "expect" not in done.err
    Path(path).with_suffix(".expect.yaml").unlink()
    done = rulerun("ci", "--skip", "prove", "--skip", "soak")
    assert done.code == 0 and "expect" not in done.err
    assert rulerun("expect").code == 2


def test_two_workers_judge_alike(rulerun: Rulerun) -> None:
    stick(Path("."), BROKEN)
    one = rulerun("expect", "--workers", "1", "--json")
    assert rulerun("expect", "--workers", "2", "--json").out == one.out
