"""rulerun: a declarative rules interpreter for tabletop games.

    load, load_text      rules from a file or a text, for some number of players: a `Game`
    Game, State, Option  a game, a moment of it, what can be chosen there
    View, Place, Piece   what a seat sees of a moment: `view["money"][0]`, `view["hand"][1]`
    HIDDEN               what stands in a view where the seat may not see a value
    search, Estimate     how good the options of a seat are, by tree search from its view
    imagine              a full state that agrees with a view
    study                many games between bots, and what they tell, with intervals (extra `lab`)
    RulesError           the rules have mistakes
    PlayError            the rules broke down while playing
    IllegalOption        what was to be applied is not offered

They are loaded when first used, so that `rulerun --version` stays quick. All of it is told, with
examples, in interpreter/PYTHON.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.bots.search import Estimate, search
    from interpreter.embedding import (
        Game,
        IllegalOption,
        Option,
        PlayError,
        State,
        load,
        load_text,
    )
    from interpreter.imagination import imagine
    from interpreter.lab.notebook import study
    from interpreter.report.problem import RulesError
    from interpreter.view.typed import HIDDEN, Piece, Place
    from interpreter.view.view import View

__version__ = "0.1.0"
__all__ = [
    "HIDDEN",
    "Estimate",
    "Game",
    "IllegalOption",
    "Option",
    "Piece",
    "Place",
    "PlayError",
    "RulesError",
    "State",
    "View",
    "imagine",
    "load",
    "load_text",
    "search",
    "study",
]
_FROM_VIEWS = ("HIDDEN", "Piece", "Place", "View")
_FROM_BOTS = ("Estimate", "search")


def __getattr__(name: str) -> Any:
    if name == "RulesError":
        from interpreter.report.problem import RulesError

        return RulesError
    if name in _FROM_VIEWS:
        from interpreter.view import typed, view

        return view.View if name == "View" else getattr(typed, name)
    if name in _FROM_BOTS:
        from interpreter.bots import search as module

        return getattr(module, name)
    if name == "imagine":
        from interpreter.imagination import imagine

        return imagine
    if name == "study":
        from interpreter.lab.notebook import study

        return study
    if name in __all__:
        from interpreter import embedding

        return getattr(embedding, name)
    raise AttributeError(name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__version__"])
