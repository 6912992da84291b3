"""Text to tree and back: the grammar, the nodes, the parser and the formatter."""
