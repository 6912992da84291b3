"""LLVM IR for a program, as text: the same cases, in the same order, as the reference machine's.

- `module.py` is the whole. `text.py` writes IR in a structured way, `context.py` says what lies
  beside a state, `code.py` is straight code under construction: locals, steps, ways out.
- `expressions.py` and `statements.py` translate straight code, `pieces.py` has what happens to
  pieces, `menus.py` the enumeration of options, `control.py` the instructions a game is resumed
  at, `lookahead.py` looking ahead (with `undo.py`, which puts back what was tried), `sealed.py`
  sealed choices (with `sealing.py`, which carries them out at once), `draws.py` chance,
  `runtime.py` what all of it shares.
- `loops.py` and `tries.py` are called from outside: steps, whole games, many at a time.
  `valid.py` looks over every state that comes from there.
- Tree search is code of its own, the same for all games: `uct.py`, with `dealing.py` for what is
  hidden.
- Shortcuts: `memory.py` remembers answers, `reaching.py` finds cheapest ways, `flooding.py` ends
  early and keeps ways, `again.py` keeps what was found, `spreading.py` finds it without a jump,
  `sure.py` does not try what must succeed, `idle.py` what comes to the same as the trial before,
  `offers.py` writes several options at once, `digits.py` adds up digits in any order, `lines.py`
  and `seeking.py` ask all cells at once, `anywhere.py` whether any are in a row, `hoisting.py` asks
  before a loop what comes out alike in it, `blind.py` plays where nobody chooses but chance.
"""
