"""The tree: one frozen class for each thing a person can write in a rule file.

Nodes say what was written, not what it means: names are not resolved and nothing is typed.
Every node knows its mark; marks do not take part in comparison, so two trees are equal when
they say the same. Nodes that stand on a line of their own also carry that line's comments
and clause citations, so that the formatter can print a file from its tree alone.

They stand in values.py, statements.py, scenarios.py and declarations.py, each of which needs only
those before it; this module names all of them.
"""

from interpreter.tree.declarations import *  # noqa: F403
from interpreter.tree.scenarios import *  # noqa: F403
from interpreter.tree.statements import *  # noqa: F403
from interpreter.tree.values import *  # noqa: F403
