"""rulerun: a data-driven rules interpreter for tabletop games."""
