"""Players that are no people. They see a view and the options, never a state."""
