"""How evaluations are found: by play against oneself, by fitting, by differences in time; and how they are
judged. It knows no game by name, no protocol and no screen."""
