"""A view drawn for a terminal: boards, places, variables."""
