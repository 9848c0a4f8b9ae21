"""Endgame tables by retrograde analysis: building them, their files, and looking into them."""
