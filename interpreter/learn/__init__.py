"""Learning a ruleset: practice by playing oneself, and contests that say what of it helps."""
