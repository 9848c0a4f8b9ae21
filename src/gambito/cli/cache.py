"""`gambito cache`: the compiled machine code on disk."""

from __future__ import annotations

import click

from gambito.cli import phrases
from gambito.cli.answer import Answer, answering
from gambito.native import cache as disk


@click.command(short_help="Show or clear the compiled code on disk.")
@click.option(
    "--clear", is_flag=True, help="Remove all compiled code. It is compiled again when it is needed."
)
@answering
def cache(clear: bool) -> Answer:
    """Show where compiled code is stored and how much space it takes.

    The folder is that of the environment variable GAMBITO_CACHE, or the user's cache folder. It is made for
    this user alone: code from a folder that belongs to somebody else, or that others may write to, is not
    run.
    """
    removed = disk.clear() if clear else 0
    usage, problem = disk.usage(), disk.distrust()
    data = {
        "path": str(usage.path),
        "files": usage.files,
        "bytes": usage.bytes,
        "current": usage.current,
        "removed": removed,
    }
    facts = [
        ("path", str(usage.path)),
        ("files", f"{usage.files}, of which {usage.current} belong to this version"),
        ("size", phrases.size(usage.bytes)),
        ("removed", f"{removed} files" if clear else ""),
        ("not used", f"{problem}; make it private, or set GAMBITO_CACHE" if problem else ""),
    ]
    return Answer(data, phrases.rows(facts))
