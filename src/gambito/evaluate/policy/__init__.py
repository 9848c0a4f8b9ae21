"""Networks with a policy and a value, for any game: what they see, their layers, and their files."""
