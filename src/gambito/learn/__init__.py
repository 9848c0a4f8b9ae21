"""Learning and checking evaluations: self-play, fitting, temporal differences, and measures of quality.

This package names no game, and knows no protocol and no screen.
"""
