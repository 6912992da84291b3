"""The full screen: a game with mouse and keys, drawn by textual.

In comes a `Sitting`, out goes whether somebody left it. What is shown is what `terminal` draws for
the lines too: sections of the table, choices, lines of the log. Textual is imported in this room
only, and only when somebody plays here.
"""
