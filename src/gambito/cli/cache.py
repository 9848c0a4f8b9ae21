"""`gambito cache`: the compiled machine code on disk."""

from __future__ import annotations

import math

import click

from gambito.cli import phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.jobs import files
from gambito.native import cache as disk
from gambito.words import say


@click.command(short_help="Show or clear the compiled code on disk.")
@click.option(
    "--clear",
    is_flag=True,
    help="Remove all compiled code, and files received with jobs. What is needed is made or sent again.",
)
@click.option(
    "--trim",
    "most",
    type=click.IntRange(0),
    metavar="MIB",
    help="Remove the least recently used files until the rest takes at most this many MiB.",
)
@answering
def cache(clear: bool, most: int | None) -> CommandResult:
    """Show where compiled code is stored, how much space it takes, and when it was used last.

    The folder is that of the environment variable GAMBITO_CACHE, or the user's cache folder. It is made for
    this user alone: code from a folder that belongs to somebody else, or that others may write to, is not
    run. It also has the files that other machines have sent with jobs. If compiled code takes more than
    2 GiB, or GAMBITO_CACHE_LIMIT in MiB, the least recently used files are removed.
    """
    removed = disk.clear() + files.clear() if clear else 0
    removed += disk.trim(most << 20) if most is not None else 0
    usage, problem, received = disk.usage(), disk.distrust(), files.stored()
    data = {
        "path": str(usage.path),
        "files": usage.files,
        "bytes": usage.bytes,
        "current": usage.current,
        "limit": disk.limit(),
        "oldest": usage.oldest,
        "received": len(received),
        "removed": removed,
    }
    days = max(1, math.ceil(usage.oldest))
    last = say("all in the last day") if days == 1 else say("all in the last {} days", days)
    facts = [
        (say("path"), str(usage.path)),
        (say("files"), say("{:,}, of which {:,} belong to this version", usage.files, usage.current)),
        (say("size"), say("{} of at most {}", phrases.size(usage.bytes), phrases.size(disk.limit()))),
        (say("last used"), last if usage.files else ""),
        (say("received"), say("{0:,} {0:file|files} with jobs", len(received)) if received else ""),
        (say("removed"), phrases.count(removed, "file") if clear or most is not None else ""),
        (say("not used"), say("{}; make it private, or set GAMBITO_CACHE", problem) if problem else ""),
    ]
    return CommandResult(data, phrases.rows(facts))
