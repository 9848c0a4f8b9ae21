"""The engine: alpha-beta with every technique that makes it strong, each of which can be switched."""
