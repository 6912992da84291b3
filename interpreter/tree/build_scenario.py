"""Turns Lark's tree of a scenario into our nodes; build.py has everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark.tree import Meta

from interpreter.tree import nodes
from interpreter.tree.build_base import Children, NodeBuilder, integer_of


class ScenarioBuilder(NodeBuilder):
    """The methods for scenarios, one for each alternative of rules.lark."""

    def scenario(self, meta: Meta, items: Children) -> nodes.Scenario:
        title, beginning, cites, *rest = items
        heads = tuple(item for item in rest if isinstance(item, nodes.Head))
        parts = tuple(item for item in rest if not isinstance(item, nodes.Head))
        begins = None if beginning is None else beginning[1:-1]
        return nodes.Scenario(title[1:-1], begins, heads, parts, **self._line(meta, cites))

    def steps_decl(self, meta: Meta, items: Children) -> nodes.NamedSteps:
        name, params, cites, *steps = items
        line = self._line(meta, cites)
        return nodes.NamedSteps(str(name), params or (), tuple(steps), **line)

    def head_players(self, meta: Meta, items: Children) -> nodes.Head:
        least, most, cites = items
        line = self._line(meta, cites)
        numbers = [
            nodes.Number(integer_of(each), mark=line["mark"])
            for each in (least, most)
            if each is not None
        ]
        value = numbers[0] if most is None else nodes.Range(*numbers, mark=line["mark"])
        return nodes.Head("players", None, (value,), **line)

    def head_option(self, meta: Meta, items: Children) -> nodes.Head:
        name, *values, cites = items
        return nodes.Head("option", str(name), tuple(values), **self._line(meta, cites))

    def head_seed(self, meta: Meta, items: Children) -> nodes.Head:
        value = nodes.Number(integer_of(items[0]), mark=self._mark(meta))
        return nodes.Head("seed", None, (value,), **self._line(meta, items[1]))

    def head_without_setup(self, meta: Meta, items: Children) -> nodes.Head:
        return nodes.Head("without setup", **self._line(meta, items[0]))

    def head_scripted_setup(self, meta: Meta, items: Children) -> nodes.Head:
        return nodes.Head("scripted setup", **self._line(meta, items[0]))

    def head_forced(self, meta: Meta, items: Children) -> nodes.Head:
        return nodes.Head("with forced choices", **self._line(meta, items[0]))

    def given(self, meta: Meta, items: Children) -> nodes.Given:
        return nodes.Given(items[1], **self._line(meta, items[0]))

    def given_line(self, meta: Meta, items: Children) -> nodes.Given:
        make, cites = items
        return nodes.Given((make({"mark": self._mark(meta)}),), **self._line(meta, cites))

    def run_whole(self, meta: Meta, items: Children) -> nodes.RunWhole:
        what: Any = str(items[0])
        return nodes.RunWhole(what, **self._line(meta, items[1]))

    def run_block(self, meta: Meta, items: Children) -> nodes.Run:
        return nodes.Run(items[1], **self._line(meta, items[0]))

    def run_line(self, meta: Meta, items: Children) -> nodes.Run:
        make, cites = items
        statement = make({"mark": self._mark(meta)})
        return nodes.Run((statement,), **self._line(meta, cites))

    # ---- when

    def when_step(self, meta: Meta, items: Children) -> nodes.Steps:
        make, cites = items
        return nodes.Steps((make({"mark": self._mark(meta)}),), **self._line(meta, cites))

    def when_steps(self, meta: Meta, items: Children) -> nodes.Steps:
        cites, *steps = items
        return nodes.Steps(tuple(steps), **self._line(meta, cites))

    def step_line(self, meta: Meta, items: Children) -> Any:
        make, cites = items
        return make(self._line(meta, cites))

    def step_chooses(self, meta: Meta, items: Children) -> Any:
        seats, value, times = items
        argument = nodes.Argument(None, value, mark=value.mark)
        offer = nodes.Offer("choose", (argument,), mark=value.mark)
        return lambda line: nodes.Decision(seats, offer, 1 if times is None else times, **line)

    def step_acts(self, meta: Meta, items: Children) -> Any:
        seats, verb, arguments, times = items
        mark = replace(self._mark(meta), column=verb.column + self.shift)
        offer = nodes.Offer(str(verb), arguments or (), mark=mark)
        return lambda line: nodes.Decision(seats, offer, 1 if times is None else times, **line)

    def step_call(self, meta: Meta, items: Children) -> Any:
        name, arguments = items
        return lambda line: nodes.StepCall(str(name), arguments or (), **line)

    def step_times(self, meta: Meta, items: Children) -> int:
        return integer_of(items[0])

    def takers(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return tuple(str(item) for item in items)

    def span(self, meta: Meta, items: Children) -> nodes.Range:
        return nodes.Range(items[0], items[1], mark=self._mark(meta))

    def step_draw(self, meta: Meta, items: Children) -> Any:
        return lambda line: nodes.Outcome("draw", tuple(items), **line)

    def step_roll(self, meta: Meta, items: Children) -> Any:
        return lambda line: nodes.Outcome("roll", tuple(items), **line)

    def step_random(self, meta: Meta, items: Children) -> Any:
        return lambda line: nodes.Outcome("random", tuple(items), **line)

    def arguments(self, meta: Meta, items: Children) -> tuple[nodes.Argument, ...]:
        return tuple(items)

    def argument_named(self, meta: Meta, items: Children) -> nodes.Argument:
        return nodes.Argument(str(items[0]), items[1], mark=self._mark(meta))

    def argument_plain(self, meta: Meta, items: Children) -> nodes.Argument:
        return nodes.Argument(None, items[0], mark=self._mark(meta))

    # ---- then

    def offers(self, meta: Meta, items: Children) -> tuple[nodes.Offer, ...]:
        return tuple(items)

    def offer_action(self, meta: Meta, items: Children) -> nodes.Offer:
        return nodes.Offer(str(items[0]), items[1] or (), mark=self._mark(meta))

    def offer_value(self, meta: Meta, items: Children) -> nodes.Offer:
        argument = nodes.Argument(None, items[0], mark=items[0].mark)
        return nodes.Offer("choose", (argument,), mark=self._mark(meta))

    def seats(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return tuple(str(item) for item in items)

    def then_holds(self, meta: Meta, items: Children) -> nodes.Holds:
        return nodes.Holds(items[0], **self._line(meta, items[1]))

    def then_may(self, meta: Meta, items: Children) -> nodes.Offers:
        return nodes.Offers(str(items[0]), "may", items[1], **self._line(meta, items[2]))

    def then_may_not(self, meta: Meta, items: Children) -> nodes.Offers:
        return nodes.Offers(str(items[0]), "may not", items[1], **self._line(meta, items[2]))

    def then_may_only(self, meta: Meta, items: Children) -> nodes.Offers:
        return nodes.Offers(str(items[0]), "may only", items[1], **self._line(meta, items[2]))

    def then_choose(self, meta: Meta, items: Children) -> nodes.Seats:
        return nodes.Seats("choose", items[0], **self._line(meta, items[1]))

    def then_win(self, meta: Meta, items: Children) -> nodes.Seats:
        return nodes.Seats("win", items[0], **self._line(meta, items[1]))

    def everybody(self, meta: Meta, items: Children) -> tuple[str, ...]:
        return ("everybody",)

    def then_lose(self, meta: Meta, items: Children) -> nodes.Seats:
        return nodes.Seats("lose", items[0], **self._line(meta, items[1]))

    def then_sees(self, meta: Meta, items: Children) -> nodes.Sees:
        return nodes.Sees(str(items[0]), True, items[1], **self._line(meta, items[2]))

    def then_does_not_see(self, meta: Meta, items: Children) -> nodes.Sees:
        return nodes.Sees(str(items[0]), False, items[1], **self._line(meta, items[2]))

    def then_reads(self, meta: Meta, items: Children) -> nodes.Reads:
        return nodes.Reads(str(items[0]), True, items[1][1:-1], **self._line(meta, items[2]))

    def then_does_not_read(self, meta: Meta, items: Children) -> nodes.Reads:
        return nodes.Reads(str(items[0]), False, items[1][1:-1], **self._line(meta, items[2]))

    def then_said(self, meta: Meta, items: Children) -> nodes.Reads:
        return nodes.Reads(None, True, items[0][1:-1], **self._line(meta, items[1]))

    def then_not_said(self, meta: Meta, items: Children) -> nodes.Reads:
        return nodes.Reads(None, False, items[0][1:-1], **self._line(meta, items[1]))

    def then_scores(self, meta: Meta, items: Children) -> nodes.Scores:
        return nodes.Scores(str(items[0]), items[1], **self._line(meta, items[2]))

    def then_over(self, meta: Meta, items: Children) -> nodes.Ends:
        return nodes.Ends(True, **self._line(meta, items[0]))

    def then_goes_on(self, meta: Meta, items: Children) -> nodes.Ends:
        return nodes.Ends(False, **self._line(meta, items[0]))
