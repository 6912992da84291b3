"""Playing: the machine that runs a program, chance, pieces, who knows what, searching.

compile.py (operations to Python functions) and machine.py are the reference machine, which says
what a program means; native/ does the same faster.
"""
