"""AlphaZero for any game: many games at once, one batch for the network, and what is learned from them."""
