"""More than two players: max^n, paranoid, best reply, and their mixture; it knows no given game."""
