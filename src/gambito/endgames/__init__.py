"""Endgame tables by retrograde analysis: building tables, their files, and probing."""
