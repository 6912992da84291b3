"""A scene drawn for a terminal: boards, places, variables."""
