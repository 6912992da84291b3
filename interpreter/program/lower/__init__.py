"""Lowering: from the typed tree (`typed/`) to a program (`program.py`).

In come `Rules` without mistakes, in which every name is what it refers to and every value has its
type; out comes a `Program`, which needs neither names nor types to be played. Nothing is reported
here but what becomes too big (`Enough`): all other questions were asked of the typed tree.

**The way.** `assemble.py` is the whole on one screen: `laying_out` gives everything an address,
bodies are lowered, `finishing` makes the code flat and gives every frame its place. A function or
routine is lowered the first time it is met, so what nothing calls is not in the program.

**Three layers of operations** (`ops.py`), and who makes them:

    values          values.py says who: operators, reading, aggregates, builtins, lines, functions
    statements      straight.py: what never stops; with assigning, moves, sorting
    instructions    routines.py: what may stop; with choices (on menus and alike) and chances

What stands after `in` is a `Domain`, a loop that waits for its body: domains.py and
board_domains.py make it, loops.py goes through it. What is asked of a state, rather than carried
out, is in endings.py (scores, winners, `always`) and scenarios.py.

**The core** is builder.py (the program as far as it has come) and scope.py (what each local is
bound to, and where new ones are kept: in registers of a function or in cells of a frame). A value
may contain loops, a loop conditions, a condition calls. So that no module needs one that needs it,
they never call each other for what stands inside, but ask the scope: `scope.value(...)`,
`scope.domain(...)`, `scope.function(...)`. Who answers is said by the table `Recursion`, which
assemble.py fills. Read these two first, then values.py, then straight.py and routines.py.

**What to know.**
- The same local is bound to different operations in different code. In the generator of a menu an
  argument is a register, in the body of the option a cell, in a guard or a text a parameter.
- `scope.inner()` is the same code with more bound; `scope.beside()` a function that uses the same
  cells, such as a generator; `scope.elsewhere()` code that knows nothing of here.
- Until frames are laid out, a cell of a frame is a negative number (`builder.frame_cell`).
- `spot` is where something was written, for the message if it fails; -1 says it cannot fail.
- A new node of the typed tree needs a `case` here; the type checker says where, because every
  `match` ends in `assert_never`.
"""
