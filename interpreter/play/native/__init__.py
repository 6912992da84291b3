"""The native backend: a program as machine code, over the same buffer as the reference machine.

    emit_module (module.py) ── LLVM IR as text ──► build (build.py) ── object code, cached on disk
                                                      └─► Engine (engine.py): threads, batches

- `text.py` writes IR in a structured way, `context.py` says what lies beside a state, `code.py`
  is straight code under construction: locals, steps, ways out.
- `expressions.py` and `statements.py` translate straight code, `pieces.py` has what happens to
  pieces, `menus.py` the enumeration of options, `control.py` the instructions a game is resumed
  at, `search.py` looking ahead (with `log.py`, which puts back what was tried), `sealed.py` sealed
  choices, `draws.py` chance, `runtime.py` what all of it shares.
- `loops.py` and `tries.py` are called from outside: steps, whole games, many at a time.
  `valid.py` looks over every state that comes from there.
- Tree search is code of its own, the same for all games: `uct.py`, with `dealing.py` for what is
  hidden; `grow.py` writes its tables and calls it.
- What makes it fast: `shape.py` (code without jumps, code without counted steps), `ranges.py`,
  `occupied.py`, `memory.py` (answers that are remembered), `routes.py` and `reaching.py` (cheapest
  ways), `sure.py` and `conditions.py` (what need not be tried), `writes.py`, `offers.py` (options
  written several at once).
- `simulate.py` and `backend.py` choose between this and the reference machine.

The state after every decision, the options and their order, steps and failures are those of the
reference machine: tests/differential.py compares them.
"""
