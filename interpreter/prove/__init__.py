"""Proving: what is promised of every ruleset is tried out on one, in random games of every sort.

In come rules that were checked, out go problems: laws that do not hold, and leaks. Nothing in here
knows a game, and nothing asks the code that hides things what may be hidden: who may know what is
read once more from the declarations (`sight`), so that the judge is not the accused.
"""
