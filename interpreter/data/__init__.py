"""Reading tables from YAML and checking them against a schema, with a mark for every value."""
