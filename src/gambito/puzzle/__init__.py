"""One agent: A* and its family, heuristics and their checks. It knows no opponent and no named puzzle."""
