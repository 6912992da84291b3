"""What the rules say about a table: requests and answers are plain data, and whoever asks says
everything that is needed to answer. So it can be ended at any moment and another goes on."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.bots.advice import Cost, hints, review
from interpreter.bots.bot import LEVELS, Bot, Stream, decide, make_bot, make_mind
from interpreter.bots.budget import Budget
from interpreter.bots.search import Estimate
from interpreter.breakdown import PlayError
from interpreter.embedding import Game, State, load
from interpreter.model.seats import seat_name
from interpreter.option import IllegalOption
from interpreter.program.layout import DECIDED, SEALING, STATUS
from interpreter.reading import read_rules
from interpreter.report.problem import Problem, RulesError
from interpreter.report.source import Mark
from interpreter.report.visible import visible
from interpreter.scene import plan_of, scene_of
from interpreter.scene.look import look_of
from interpreter.table.foresight import foreseen
from interpreter.table.positions import scenario_names, scenario_start, scenario_text
from interpreter.table.taking_back import taken_back
from interpreter.table.wire import SPECTATOR, Refused, chained
from interpreter.tree import nodes
from interpreter.view.happenings import told
from interpreter.view.standing import asked_at

Data = dict[str, Any]
_GAMES = 8  # rulesets kept ready
_KEPT = 4_000_000  # numbers in the states of all tables kept ready
_BOT_STRIDE = 1_000_003  # so that a bot draws anew at every decision
_REVIEW_GAMES = 200  # tried for each decision of a game that is over
_REVIEWED = 5  # decisions that are told
_HINT_GAMES = 500  # tried to say what is good
_CLICKS = 40  # reasons told at once


class Parted(Exception):
    """Decisions that were made cannot be made any more."""

    def __init__(self, number: int, lines: list[str], mark: Mark) -> None:
        super().__init__(lines[0])
        self.number, self.lines, self.mark = number, lines, mark


class NeedMoves(Exception):
    """The table is not known here: whoever asks must tell all of its decisions."""


@dataclass(slots=True)
class _Kept:
    """A table as it was left, and the decisions that led there."""

    key: str
    count: int
    digest: str
    state: State


class Desk:
    def __init__(self) -> None:
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.tables: OrderedDict[str, _Kept] = OrderedDict()

    def answer(self, request: Data) -> Data:
        """Never raises what is the fault of rules or requests."""
        try:
            return _VERBS[request["do"]](self, request)
        except NeedMoves:
            return {"need": "moves"}
        except Refused as refused:
            return {"refused": refused.lines}
        except Parted as parted:
            where = {"file": Path(parted.mark.file).name, "line": parted.mark.line}
            return {"parted": {"at": parted.number, "lines": parted.lines, **where}}
        except PlayError as error:
            return {"problem": problem_data(error.problem)}
        except RulesError as error:
            return {"problem": {**problem_data(error.problems[0]), "open": True}}

    # ---- games and positions

    def game(self, position: Data) -> Game:
        """The rules of a table. A version is one reading of the file, so that all children that
        are told the same number mean the same text."""
        key = game_key(position)
        if key not in self.games:
            scenario = position.get("scenario")
            if scenario is None:
                game = load(position["file"], position["players"], dict(position["options"]))
            else:
                game = scenario_start(position["file"], scenario, position["seed"]).game
            self.games[key] = game
            while len(self.games) > _GAMES:
                self.games.popitem(last=False)
        self.games.move_to_end(key)
        return self.games[key]

    def state(self, position: Data) -> State:
        """The state of a table: as it was left, or by making its decisions again."""
        key, table = game_key(position), position["table"]
        kept = self.tables.get(table)
        wanted = (key, position["count"], position["digest"])
        if kept is not None and (kept.key, kept.count, kept.digest) == wanted:
            self.tables.move_to_end(table)
            return kept.state
        if "moves" not in position:
            raise NeedMoves
        state = self.beginning(position)
        for number, (seat, text) in enumerate(position["moves"], 1):
            state = _made_again(state, number, seat, text)
        self.keep(position, state, position["count"], position["digest"])
        return state

    def beginning(self, position: Data) -> State:
        scenario = position.get("scenario")
        if scenario is not None:
            return scenario_start(position["file"], scenario, position["seed"])
        return self.game(position).start(position["seed"])

    def keep(self, position: Data, state: State, count: int, digest: str) -> None:
        table = position["table"]
        self.tables[table] = _Kept(game_key(position), count, digest, state)
        self.tables.move_to_end(table)
        total = 0
        for each in reversed(list(self.tables)):
            total += _numbers(self.tables[each].state)
            if total > _KEPT and each != table:
                del self.tables[each]

    # ---- verbs

    def about(self, request: Data) -> Data:
        """What a lobby tells about a game."""
        rules = read_rules(request["file"])
        errors = [each for each in rules.problems.items() if each.severity == "error"]
        if errors:
            raise RulesError(errors)
        return {
            "title": visible(rules.title),
            "players": list(rules.players),
            "options": [_setting(each) for each in rules.settings],
            "bots": ["best", *LEVELS, "random"],
            "scenarios": scenario_names(request["file"]),
        }

    def open(self, request: Data) -> Data:
        position = request["position"]
        state = self.state(position)
        if state.game.players != position["players"]:
            raise Refused(f"This scenario is for {state.game.players} players.")
        for bot in request.get("bots", ()):
            _bot(bot, state.game)
        found = self.told(state, request, whole=True)
        return {
            **found,
            "title": visible(state.game.title),
            "plan": json.dumps(plan_of(state.game), separators=(",", ":")),
            "look": json.dumps(look_of(position["file"]), separators=(",", ":")),
        }

    def move(self, request: Data) -> Data:
        state = self.state(request["position"])
        return self._take(request, state, request["seat"], request["option"])

    def bot(self, request: Data) -> Data:
        """A bot decides for a seat. It sees what the seat sees."""
        state, seat = self.state(request["position"]), request["seat"]
        return self._take(request, state, seat, self._thought(request, state, seat))

    def hint(self, request: Data) -> Data:
        state, seat = self.state(request["position"]), request["seat"]
        if seat not in state.seats_to_act:
            raise Refused("You have nothing to choose now.")
        game, view = state.game, state.view(seat)
        found = hints(game, view, make_mind("best", game), Budget(_HINT_GAMES))
        told = [
            {
                "option": each.option.text,
                "words": visible(each.option.words),
                "value": round(each.value, 3),
                "leadsTo": [visible(line) for line in each.leads_to],
            }
            for each in found
        ]
        return {"hints": told}

    def undo(self, request: Data) -> Data:
        position, seat = request["position"], request["seat"]
        state = self.state(position)
        found = taken_back(state, seat, frozenset(request["persons"]))
        if isinstance(found, str):
            raise Refused(found)
        decisions = [(who, option.text) for who, option in found.state.history()]
        self.keep(position, found.state, len(decisions), chained(decisions))
        return {"removed": found.removed, **self.told(found.state, request, fresh=0)}

    def why(self, request: Data) -> Data:
        state, seat = self.state(request["position"]), request["seat"]
        if seat not in state.seats_to_act:
            return {"lines": [_not_now(state, seat)]}
        asked = request.get("option") or _named(request.get("about"))
        return {"lines": _why_not(state, seat, asked)}

    def preview(self, request: Data) -> Data:
        state, seat = self.state(request["position"]), request["seat"]
        if seat not in state.seats_to_act:
            raise Refused(_not_now(state, seat))
        return foreseen(state, seat, request["option"])

    def look(self, request: Data) -> Data:
        """The table as a viewer saw it after so many moves, the last time it was so."""
        viewer, at = _seat(request["viewer"]), request["at"]
        here: State | None = self.state(request["position"])
        while here is not None:
            scene = scene_of(here, viewer)
            if scene["moves"] <= at or here.previous is None:
                scene["decision"] = None
                return {"scene": json.dumps(scene, separators=(",", ":"))}
            here = here.previous
        raise AssertionError("a path has a first state")

    def review(self, request: Data) -> Data:
        """The decisions of a seat that cost most, judged by what it knew. Those of others may name
        what nobody has seen to this day."""
        seat, last = request["seat"], self.state(request["position"])
        mind, budget = make_mind("plain", last.game), Budget(_REVIEW_GAMES)
        found: list[tuple[int, Cost]] = []
        here = last
        while here.previous is not None:
            if here.decision is not None and here.decision[0] == seat:
                costs = review((here.previous, here), mind, budget)
                found += [(here.previous.buffer[DECIDED], each) for each in costs if each.sure > 0]
            here = here.previous
        found = sorted(found, key=lambda each: -each[1].sure)[:_REVIEWED]
        return {
            "decisions": [
                {"n": moves, "chosen": _judged(each.chosen), "better": _judged(each.best)}
                for moves, each in sorted(found, key=lambda each: each[0])
            ]
        }

    def record(self, request: Data) -> Data:
        from interpreter.table.positions import record_text

        state = self.state(request["position"])
        if not state.is_over:
            raise Refused("The record can be had when the game is over.")
        return {"record": record_text(state)}

    def scenario(self, request: Data) -> Data:
        """The game so far as a scenario that passes."""
        position = request["position"]
        if position.get("scenario") is not None:
            raise Refused("This game began with a scenario, so it is none from its beginning.")
        return {"text": scenario_text(self.state(position), request["title"])}

    # ---- what viewers are told

    def _take(self, request: Data, state: State, seat: int, text: str) -> Data:
        position = request["position"]
        try:
            after = state.apply(text, seat) if seat in state.seats_to_act else None
        except IllegalOption:
            lines = _why_not(state, seat, text)
            raise Refused(*(lines or ["This cannot be chosen here."])) from None
        if after is None:
            raise Refused(_not_now(state, seat))
        assert after.decision is not None
        taken = after.decision[1].text
        told = self.told(after, request)  # before it is kept: rules may break down in telling
        digest = chained([(seat, taken)], position["digest"])
        self.keep(position, after, position["count"] + 1, digest)
        return {"taken": taken, **told}

    def _thought(self, request: Data, state: State, seat: int) -> str:
        position, bot = request["position"], _bot(request["bot"], state.game)
        draw = position["seed"] + _BOT_STRIDE * position["count"]
        return decide(bot, state, seat, Stream(draw, seat)).text

    def told(self, state: State, request: Data, *, whole: bool = False, fresh: int = 1) -> Data:
        persons = frozenset(request["persons"])
        views: Data = {}
        for viewer in request["viewers"]:
            seat = _seat(viewer)
            scene = scene_of(state, seat)
            chunks = _chunks(state, seat, None if whole else fresh)
            undo = seat is not None and not isinstance(taken_back(state, seat, persons), str)
            views[str(viewer)] = {
                "scene": json.dumps(scene, separators=(",", ":")),
                "moves": scene["moves"],
                "chunks": chunks,
                "undo": undo,
            }
        return {
            "acting": list(state.seats_to_act),
            "sealed": state.buffer[STATUS] == SEALING,
            "over": state.is_over,
            "views": views,
        }


_VERBS: dict[str, Callable[[Desk, Data], Data]] = {
    "about": Desk.about,
    "open": Desk.open,
    "move": Desk.move,
    "bot": Desk.bot,
    "hint": Desk.hint,
    "undo": Desk.undo,
    "why": Desk.why,
    "preview": Desk.preview,
    "look": Desk.look,
    "review": Desk.review,
    "record": Desk.record,
    "scenario": Desk.scenario,
}


def game_key(position: Data) -> str:
    """Names rules made ready for a table."""
    parts = ("file", "players", "options", "scenario", "version")
    return json.dumps([position.get(part) for part in parts], sort_keys=True)


def problem_data(problem: Problem) -> Data:
    """What went wrong. Only what is said about the rules themselves is `open` to everybody: if they
    break down while playing, what exactly happened may hold what not everybody may know."""
    return {
        "code": problem.code,
        "text": visible(problem.message),
        "help": visible(problem.help) if problem.help else None,
        "file": Path(problem.mark.file).name,
        "line": problem.mark.line,
        "column": problem.mark.column,
    }


def _made_again(state: State, number: int, seat: int, text: str) -> State:
    try:
        return state.apply(text, seat)
    except IllegalOption:
        lines = [f"Decision {number}, {seat_name(seat)}: {text}, cannot be made under these rules."]
        if seat in state.seats_to_act:
            lines += _why_not(state, seat, text)
        else:
            lines.append(_not_now(state, seat))
        raise Parted(number, lines, _asked_at(state, seat)) from None
    except PlayError as error:
        lines = [f"Decision {number}, {seat_name(seat)}: {text}, breaks down under these rules."]
        lines.append(visible(error.problem.message))
        raise Parted(number, lines, error.problem.mark) from None


def _why_not(state: State, seat: int, asked: str | None) -> list[str]:
    """Why something cannot be chosen. In which folder of the server the rules lie is nobody's
    business."""
    lines = [visible(line) for line in state.why_not(seat, asked)[:_CLICKS]]
    return [re.sub(r"\((?:[^()]*[/\\])?([^()/\\]+:\d+)\)", r"(\1)", line) for line in lines]


def _asked_at(state: State, seat: int) -> Mark:
    """The line that asks somebody to choose here."""
    m = state.seen_by_chooser(seat) if seat in state.seats_to_act else state.buffer
    return asked_at(state.game.program, m)


def _bot(name: str, game: Game) -> Bot:
    try:
        return make_bot(name, game)
    except ValueError as error:
        raise Refused(str(error)) from None


def _judged(estimate: Estimate) -> Data:
    words = visible(estimate.option.words or estimate.option.text)
    return {"words": words, "value": round(estimate.value, 3)}


def _seat(viewer: int) -> int | None:
    return None if viewer == SPECTATOR else viewer


def _chunks(state: State, seat: int | None, last: int | None) -> list[list[Data]]:
    """The lines of a log, one list for the beginning and for each decision; or those of the last
    ones. A line says after how many moves it stood there."""
    state.entries(seat)
    viewer = SPECTATOR if seat is None else seat
    found: list[list[Data]] = []
    here: State | None = state
    while here is not None and (last is None or len(found) < last):
        moves = here.buffer[DECIDED]
        found.append([{"n": moves, "text": visible(line)} for line in told(here.told[viewer])])
        here = here.previous
    return found[::-1]


def _not_now(state: State, seat: int) -> str:
    if state.is_over:
        return "The game is over."
    return "You are not to choose now."


def _named(pointed: Data | None) -> str | None:
    """What somebody has pointed at, as words to ask about."""
    if not pointed:
        return None
    for part in ("text", "row", "id", "value", "cell"):
        if pointed.get(part) is not None:
            return str(pointed[part])
    return None


def _setting(setting: nodes.Setting) -> Data:
    values = setting.values
    found: Data = {"name": setting.name}
    if isinstance(values, nodes.Range):
        low, high = (
            each.value if isinstance(each, nodes.Number) else None
            for each in (values.low, values.high)
        )
        return {**found, "from": low, "to": high}
    return {**found, "values": [str(value) for value in values]}


def _numbers(state: State) -> int:
    return len(state.buffer) + (state.trail.kept if state.trail is not None else 0)
