"""The native backend: a program as machine code, over the same buffer as the reference machine.

    emit_module (module.py) ── LLVM IR as text ──► build (build.py) ── object code, cached on disk
                                                      └─► Engine (engine.py): threads, batches

`text.py` writes IR in a structured way; `expressions.py` and `statements.py` translate straight
code, `pieces.py` has what happens to pieces, `menus.py` the enumeration of options, `control.py`
the instructions a game is resumed at, `search.py` looking ahead and sealed choices, `loops.py`
whole games. Nothing here knows Python objects: all that is left is arrays of integers.
"""
