"""What `gambito --version` says: the version, and what it runs on."""

from __future__ import annotations

import json
import platform
from importlib import metadata

import gambito
from gambito.cli import phrases
from gambito.native import cache, shipped
from gambito.native.processor import levels
from gambito.words import say


def version_words() -> str:
    """The version, the versions of what it needs, the system, and where its machine code comes from."""
    needed = (f"{name} {_version(package)}" for name, package in (("NumPy", "numpy"), ("Numba", "numba")))
    machine = f"{platform.system()} {platform.machine()}" + (f" ({levels()[0]})" if levels() else "")
    facts = [
        ("Python", f"{platform.python_version()}, {', '.join(needed)}"),
        (say("system"), machine),
        (say("code"), _code()),
        (say("cache"), str(cache.folder())),
    ]
    return f"gambito {gambito.__version__}\n{phrases.rows(facts, indent=2)}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return say("missing")


def _code() -> str:
    """Where the machine code of the built-in games comes from."""
    path = shipped.FOLDER / shipped.index_name()
    if not path.is_file():
        return say("compiled when it is needed")
    return say(
        "{} functions in the package, others when needed", len(json.loads(path.read_bytes())["entries"])
    )
