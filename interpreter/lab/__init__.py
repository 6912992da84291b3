"""The playtest lab: many games of a ruleset between bots, kept as tables, and what they tell.

Comes in: a rule file (`Study` in `spec.py` says which, for how many players, with what set
otherwise, between which bots, from which seed). Goes out: a folder of tables that other programs
read (`rows.py`; schemas/study.schema.json), and one document of figures with intervals
(`findings.py`; schemas/findings.schema.json).

    Study ─► arms ─► chunks of games ─► parts on disk ─► tables ─► figures ─► findings ─► words
     spec             play, batch        store            rows      figures     remarks

- An *arm* is one way to play: players, options, settings, bots, and what a seat may not do. The
  games of all arms have the same numbers and the same seeds, so any two arms can be compared game
  by game.
- A *chunk* is some games of an arm. What comes of it are whole numbers, which add up to the same
  whatever chunks there were and whoever played them: so results are the same to the byte for any
  number of workers, and a study that was interrupted goes on.
- A *gate* is games with what is expected of them (`expectations.py`, `gates.py`).
- A *measure* is a question to one row (`measures.py`); a *figure* is the answer of all rows, with
  its interval. Comparing, gates and reports go by the same measures.

What it may not know: any game. A seat's bot sees what its seat sees, as everywhere; the lab itself
sees whole games when they are over, secrets included, so its tables are for whoever made the rules
and not for anybody at a table. duckdb and numpy are imported in here only, and nobody imports this
room before a command that needs it is run.
"""
