"""The files that the text of a player names, for games that are played on another machine."""

from __future__ import annotations

import os
import re

from gambito.game.registry import FILE_SPEC
from gambito.game.remote_files import rules_file
from gambito.jobs.files import Needed
from gambito.players.custom import is_own, is_search, split_player
from gambito.players.opening_book import BOOK
from gambito.search.algorithm import find


def files_of_player(text: str) -> list[Needed]:
    """The files of one's own class or algorithm; the book, the evaluation and the models of an engine."""
    name, given = split_player(text)
    found = [rules_file(name.partition(":")[0])] if is_own(text) else []
    options = find(name).every_option() if is_search(name) else ()
    free = {o.name for o in options if isinstance(o.default, str) and not o.choices}
    for part in given.split(","):
        key, _, value = part.partition("=")
        file = re.fullmatch(FILE_SPEC, value)
        if key == "evaluation" and file:
            found.append(rules_file(file[1]))
        elif key in (BOOK[0], "evaluation", *free) and os.path.isfile(value):
            found.append(Needed.file(value, value))
    return found
