"""A few numbers of memory that live as long as the call of the function that asks for them.

In compiled code they are on the stack, so they cost nothing and no references are counted: a recursive
function may have its own list. In the Python gear they are a list.
"""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64

BLOCK = 16  # numbers of a block


def scratch(count: int, kind: Any = uint64) -> Any:
    """Return `count` numbers of a kind, uninitialised; `count` must be a constant.

    A generator must not use them: each of its steps is a call of its own. It may keep a `block` of them.
    """
    return [0] * count


def block(numbers: Any, begin: int) -> tuple[Any, ...]:
    """Return BLOCK numbers of a list, from a place on, as a value.

    A generator keeps no array: if its reader leaves the loop early, compiled code would never free it.
    """
    n, at = numbers, begin
    return (
        int64(n[at]), int64(n[at + 1]), int64(n[at + 2]), int64(n[at + 3]),
        int64(n[at + 4]), int64(n[at + 5]), int64(n[at + 6]), int64(n[at + 7]),
        int64(n[at + 8]), int64(n[at + 9]), int64(n[at + 10]), int64(n[at + 11]),
        int64(n[at + 12]), int64(n[at + 13]), int64(n[at + 14]), int64(n[at + 15]),
    )  # fmt: skip
