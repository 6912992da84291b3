"""What a seat sees, as one description for every face: the terminal, the page, anybody's own.

`plan` is what never changes during a game: boards and where their cells are, pieces and what is
printed on them, what is kept and how it is best shown. `scene` is the table of one moment as one
seat sees it, with what can be chosen and what each option is about. Both are plain data.
"""

from interpreter.scene.plan import plan_of
from interpreter.scene.scene import scene_of

__all__ = ["plan_of", "scene_of"]
