"""What can be told of a program before it is run, so that its code can be made shorter.

Nothing here writes code, and nothing here changes what a program means: a fact that is not found
costs time, a fact that does not hold is a bug. `shape.py` finds code without jumps and code whose
steps need not be counted, `ranges.py` between which bounds values lie, `occupied.py` which loops
meet nothing but pieces, `routes.py` searches for cheapest ways, `conditions.py` what the conditions
of an option tell about the state in which it is taken, `writes.py` which cells a stretch can write,
and whether it writes few of them, `floods.py` where cells that hang together are looked for, and
`early.py` whether that may end before all are found, `again.py` which of them find the same,
`digits.py` where a number is written down digit by digit, `repeated.py` which functions are asked
the same again while nothing changes, and `listed.py` while options are listed, `in_place.py` what
code is without the names of short functions, `hoisted.py` what comes out alike in all rounds of a
loop, `tabled.py` and `spelt.py` what may stand in a table, `needed.py` what a round of a loop needs
to come to anything, `idle.py` which options differ only in a piece that nobody looks at,
`slotted.py` which pieces are looked for in slots, `lines.py` where it is only asked whether a row
is long enough, `anywhere.py` which loops look for one on the whole board, `compared.py` where the
contents of cells can be compared at once, `words.py` which conditions on cells are sets of bits,
and `kept.py` which boards are.
"""
