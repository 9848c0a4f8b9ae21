"""A few numbers of memory that live as long as the call of the function that asks for them.

In compiled code they are on the stack, so they cost nothing and no references are counted: a recursive
function may have its own list. In the Python gear they are a list.
"""

from __future__ import annotations

from typing import Any

from numpy import uint64


def scratch(count: int, kind: Any = uint64) -> Any:
    """Return `count` numbers of a kind, uninitialised; `count` must be a constant.

    A generator must not use them: each of its steps is a call of its own.
    """
    return [0] * count
