"""Learning a ruleset: practice by playing against oneself, and contests that say what of it helps."""
