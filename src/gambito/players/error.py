"""What cannot be played."""


class PlayerError(ValueError):
    """A player, a clock or a match that cannot be had: one sentence that says what is wrong and accepted."""
