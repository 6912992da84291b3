"""The checked model: a ruleset specialised for one number of players and one set of options."""
