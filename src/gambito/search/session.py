"""A session: what one search keeps for the next search of the same game, such as a table or a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.memory.table import TranspositionTable, fullness
from gambito.native import Handle

PAGE = 4096  # bytes


class Session:
    """What a search keeps for the next one of the same game: pass it to `search` as `session`.

    Algorithms keep here what they need again, each under its own names.
    """

    def __init__(self) -> None:
        self._contents: dict[str, tuple[Any, Any]] = {}  # name: (purpose, object)

    # ---- for callers of `search` -----------------------------------------------------------------
    def fullness(self) -> int:
        """How many thousandths of the transposition table are used; 0 without a table."""
        return max(
            (fullness(held) for held in self._held() if isinstance(held, TranspositionTable)), default=0
        )

    def clear(self) -> None:
        """Forget everything, as before a new game."""
        self._contents.clear()

    def is_empty(self) -> bool:
        """Does the session hold nothing yet?"""
        return not self._contents

    def touch(self) -> None:
        """Write to every page, so that the system provides the memory now, while no clock runs."""
        for held in self._held():
            for name in held.arrays if isinstance(held, Handle) else ():
                array = getattr(held, name)
                if isinstance(array, np.ndarray):
                    pages = array.reshape(-1)[:: max(1, PAGE // array.itemsize)]
                    pages[:] = pages.copy()

    def _held(self) -> list[Any]:
        return [held for _, held in list(self._contents.values())]

    # ---- for algorithms --------------------------------------------------------------------------
    def get(self, name: str, purpose: Any = None) -> Any:
        """The object under a name, if it was made for the given purpose; else None."""
        made_for, held = self._contents.get(name, (None, None))
        return held if purpose is None or made_for == purpose else None

    def put(self, name: str, held: Any, purpose: Any = None) -> None:
        self._contents[name] = (purpose, held)

    def keep(self, name: str, make: Callable[[], Any], purpose: Any = None) -> Any:
        """The object under a name, as `get` finds it; if there is none, make it now."""
        held = self.get(name, purpose)
        if held is None:
            held = make()
            self.put(name, held, purpose)
        return held
