"""`rulerun new`: a small ruleset that checks and runs, to be changed into another."""

from __future__ import annotations

import re
from pathlib import Path

import click

from interpreter.cli.common import OK, common_options, note, out

RULES = """# {title}: a race for gold. Change it into your game.
# Play it with `rulerun {name}.rules`, look for mistakes with `rulerun check {name}.rules`.
game "{title}"
players 2..4
data "{name}.yaml"

constant goal = 10

kind Card from cards
    gold: int

the game has
    deck: stack of Card, holds all, refilled from discard
    discard: stack of Card, face up

each player has
    gold: int
    hand: hand of Card

setup
    shuffle deck
    for each p in players
        draw 2 from deck to p.hand

action playCard(card in me.hand) "play {{card}}"
    me.gold += card.gold
    move card to discard

action drawCard "draw a card"
    when number of me.hand < 4
    draw 1 from deck to me.hand

play
    turns
        choose playCard or drawCard
        if me.gold >= goal
            end game

score p: p.gold
winner p by most p.gold ties share
"""
DATA = """# The cards: how many of each there are, and what they are worth.
cards:
    copper:
        gold: 1
        copies: 6
    silver:
        gold: 2
        copies: 4
    nugget:
        name: a big nugget
        gold: 4
        copies: 2
"""


@click.command("new")
@click.argument("name")
@common_options
def command(name: str) -> int:
    """Write NAME.rules and NAME.yaml, a small game to begin with. Nothing is overwritten."""
    path = Path(name.removesuffix(".rules"))
    stem = path.name
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", stem):
        raise click.UsageError(f"`{stem}` is no good name for a file: use letters and digits")
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+", " ", stem)
    title = spaced[:1].upper() + spaced[1:]
    texts = {
        path.with_name(f"{stem}.rules"): RULES.format(title=title, name=stem),
        path.with_name(f"{stem}.yaml"): DATA,
    }
    for file in texts:
        if file.exists() or file.is_symlink():
            raise click.UsageError(f"`{file}` is there already; nothing was written")
    path.parent.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        with open(file, "x", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
        out(str(file))
    note(f"Play it with: rulerun {path.with_name(f'{stem}.rules')}")
    return OK
