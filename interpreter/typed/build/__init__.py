"""Building the typed tree: every name is settled, every value gets its type, mistakes are told.

    type_rules (whole.py) ─► bodies.py, choosing.py, pieces.py ─► values.py ─► operators.py, ...

An expression contains loops, a loop contains conditions, a condition contains expressions. So that
the modules need not import each other, whoever types a part asks its `Scope` for the value of an
expression or for a domain (scope.py), and values.py, which knows them all, answers.
"""
