"""The letters of the pieces as a person reads and types them: in Spanish, R D T A C. Files keep SAN."""

from __future__ import annotations

from gambito.words import tell

LETTERS = "KQRBN"


def spoken(name: str) -> str:
    """A move in SAN with the letters of the language of the process."""
    return name.translate(str.maketrans(LETTERS, tell(LETTERS)))


def heard(text: str) -> str:
    """A move with the letters of the language of the process, in SAN."""
    return text.translate(str.maketrans(tell(LETTERS), LETTERS))


def drawn(board: str) -> str:
    """A board in characters with those letters; the names of rows and columns stay."""
    told = tell(LETTERS)
    if told == LETTERS:
        return board
    letters = str.maketrans(LETTERS + LETTERS.lower(), told + told.lower())
    lines = board.split("\n")
    return "\n".join(line[:1] + line[1:].translate(letters) if line[:1].isdigit() else line for line in lines)
