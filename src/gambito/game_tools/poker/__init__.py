"""Hold'em beside its rules: cards, hands, equities, ranges, spots and push or fold; it knows no game.

Every function that takes long is native: its first argument is `gear("native")`, or `gear("python")`.
"""
