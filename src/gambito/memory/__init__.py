"""What searches remember. It does not know why it is asked."""
