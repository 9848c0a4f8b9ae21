"""A package beside rules."""
