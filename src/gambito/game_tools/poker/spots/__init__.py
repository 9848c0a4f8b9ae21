"""Spots of hold'em for two: ranges on a board, with bets to come, solved by vectors of hands."""
