"""Bounds checks: compiled code that raises IndexError for an index out of range, as the Python gear does.

By default compiled code does not check, and an index out of range reads or writes other memory. A `Constant`
made with `is_checked` is compiled with checks of its arrays and memories. With GAMBITO_BOUNDS=1 in the
environment all code is, and the memory of handles and of `scratch` is checked too. Memory that is known by
its address alone (`raw`) has no length and is never checked.
"""

from __future__ import annotations

import os

ALWAYS = os.environ.get("GAMBITO_BOUNDS", "") not in ("", "0")
