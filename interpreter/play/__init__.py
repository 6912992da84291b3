"""Playing: the machine that runs a program, chance, states, games and records."""
