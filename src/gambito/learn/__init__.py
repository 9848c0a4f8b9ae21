"""What is learned from play, from searches and from labelled positions. It knows no game by name."""
