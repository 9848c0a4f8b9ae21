"""The engine: alpha-beta with every technique that makes it strong; each one can be switched on and off."""
