"""Search for one agent: A* and its family, heuristics and their checks. It is not specific to one puzzle."""
