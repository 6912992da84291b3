"""Other people's implementations of known games, to compare ours with."""
