"""The buffer a machine runs over, and the signs by which its parts tell each other how a run ended.

What the cells of a buffer mean is said in `program/layout.py`.
"""

from __future__ import annotations

Buffer = list[int]
Choice = tuple[int, ...]  # entry of the menu, then the values of its cells

STOP = -1  # in place of the next instruction: the run ends here
HALT = -2  # the return address of a routine that is run by itself
FOUND = 6  # status: such a routine, or a trial, has come to its end
SCRATCH = 4  # mode bit: a sealed body run on a copy to see how far its choices reach
