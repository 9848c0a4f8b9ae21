"""A dialogue in a file, replayed: `>` is sent, `<` must come, with `*` for anything; other lines may come."""

import fnmatch
import queue
from pathlib import Path

PATIENCE = 120  # seconds for an answer, which may need a compilation
FOLDER = Path(__file__).parent / "transcripts"


def matches(line, pattern):
    """Does a line fit a pattern? Only `*` is special."""
    plain = pattern.replace("[", "[[]").replace("?", "[?]")
    return fnmatch.fnmatchcase(line, plain)


def replay(name, make):
    """Replay a transcript with the session that `make(say)` gives; returns what was said and not expected."""
    said, extra = queue.Queue(), []
    session = make(said.put)
    for line in (FOLDER / name).read_text().splitlines():
        if line.startswith("> "):
            assert session.hear(line[2:]) == (line != "> quit"), line
        elif line.startswith("< "):
            while not matches(got := said.get(timeout=PATIENCE), line[2:]):
                extra.append(got)
                assert not got.startswith(("done", "===", "pong", "error")), f"{got}, instead of {line[2:]}"
    session.close()
    return extra
