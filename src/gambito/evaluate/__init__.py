"""What is learned from a game's own searches. It knows no protocol and no screen."""
