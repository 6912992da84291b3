"""From the ruleset to the program: typing and lowering in one walk over the bodies."""
