"""A game as numbers in fixed places, for whoever learns: what a seat sees and what it can do.

    Program ──► actions.py   every option as one number of a fixed range, the same in all states
            └─► columns.py   what a seat sees as a row of numbers, each in a column with a name
    buffer, seat ──► observe.py   such a row

Both are tables of plain data, worked out from a program. `observe.py` and `actions.numbers` read
them in Python; native code reads the same tables (`native/steps.py`) and finds the same numbers.

Two states that look the same to a seat have the same row and the same actions: nothing here asks
for the number of a copy, or for anything about a piece that the seat cannot name.
"""
