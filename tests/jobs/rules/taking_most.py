"""The most that may be taken."""

MOST = 3
