"""The native backend: a program as machine code, over the same buffer as the reference machine.

    facts/ ── what is found out ──► emit/ ── LLVM IR as text ──► build.py ── object code, on disk
                                                                    └─► Engine (engine.py)

- `facts/` looks at a program and says what holds of it. `emit/` writes code, and asks `facts/`
  where a shortcut may be taken. Neither runs anything.
- `build.py` turns the text into code in memory and keeps it on disk, `engine.py` is that code for
  Python: steps, batches, whole games on threads. `grow.py` writes the tables of a tree search and
  calls it.
- `profiling.py` finds out where the time goes, by code that tells where it is.
- `simulate.py` and `backend.py` choose between this and the reference machine.

The state after every decision, the options and their order, steps and failures are those of the
reference machine: tests/differential.py compares them.
"""
