"""The folder for machine code on disk: one file for each compiled function and signature.

A file is named after all that it depends on, so it is never stale, only unused. It contains its own checksum
and is put in place in one step: a damaged or half-written file counts as missing, and two processes that
compile the same code at once write the same file twice. What the files hold is not known here.

To load machine code is to run it. So the folders are made for this user alone, and nothing is read from a
folder that belongs to another user or that others may write to.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gambito.native.digest import source_digest
from gambito.native.files import NEW, put_file
from gambito.words import say
from gambito.words.sentence import Sentence, reason_of

_MAGIC = b"gambito machine code 3\n"  # the end of a file: a library must begin as the system expects
_KIND = b"gambito machine code "  # of every version; in the first one it was at the beginning
_SEAL = hashlib.sha256().digest_size + len(_MAGIC)
_VERSION_FOLDER = re.compile(r"[0-9a-f]{20}")
_OWN_FILE = re.compile(r".+-[0-9a-f]{32}\.(code|so)|.+\.data")
_CODE = (".code", ".so")
_A_DAY = 86_400  # seconds
_LIMIT = 2 << 30
_UNFINISHED = re.compile(rf".+\.\w{{8}}{re.escape(NEW)}")
_PRIVATE = 0o700
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


_trimmed: list[int] = []  # how many files this process has removed
used: dict[str, Path] = {}  # the files that this process has read or written, by name


class CacheWarning(UserWarning):
    """Machine code could not be read or kept; the only cost is a compilation."""


def folder() -> Path:
    """The folder for machine code: `GAMBITO_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("GAMBITO_CACHE")
    base = Path(chosen or os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    try:
        base = base.expanduser()
    except RuntimeError as problem:  # no home folder
        raise NotADirectoryError(errno.ENOTDIR, f"{problem}; set GAMBITO_CACHE", str(base)) from None
    return base if chosen else base / "gambito"


def distrust() -> str:
    """Why code in the cache folder is not run; "" if only this user can have put it there."""
    return next(filter(None, map(_distrust, (folder(), folder() / source_digest()))), "")


def _distrust(path: Path) -> str:
    try:
        facts = path.stat()
    except OSError:
        return ""
    if os.name != "posix":
        return ""
    if facts.st_uid != os.geteuid():
        return Sentence("{} belongs to another user", path)
    return Sentence("others may write to {}", path) if facts.st_mode & _OTHERS_WRITE else ""


def place_of(name: str) -> Path:
    """Where a file of this version is."""
    return folder() / source_digest() / name


def _seal(name: str, body: bytes) -> bytes:
    """The end of a file. It holds the name: under another's name it would be code for other arguments."""
    return hashlib.sha256(name.encode() + b"\0" + body).digest() + _MAGIC


def _unsealed(name: str, text: bytes) -> bytes | None:
    """The body of a file; None if it is damaged, or not the one of that name."""
    body = text[:-_SEAL]
    return body if text[len(body) :] == _seal(name, body) else None


def load(name: str) -> bytes | None:
    """The body of a file of machine code; None, with a warning, if it cannot be used."""
    try:
        reason = distrust()
        if reason:
            warn(say("machine code on disk is not used: {}; make it private, or set GAMBITO_CACHE", reason))
            return None
        path = place_of(name)
        body = _unsealed(name, path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as problem:
        warn(say("cannot read {}: {}", problem.filename, reason_of(problem)))
        return None
    if body is None:
        warn(say("damaged file {}; compiling again", path))
        return None
    used[name] = path
    _touch(path)
    return body


def _touch(path: Path) -> None:
    """Remember when a file was used last, to the day."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > _A_DAY:
            os.utime(path)


def save(name: str, body: bytes) -> Path | None:
    """Write a file of machine code and tell where it is; None, with a warning, if that cannot be."""
    try:
        path = place_of(name)
        if not _put(path, body):
            return None
        if not _trimmed:  # once in a process
            _trimmed.append(trim(limit()))
        return path
    except OSError as problem:
        place = problem.filename or say("its folder")
        warn(say("cannot keep machine code in {}: {}", place, reason_of(problem)))
        return None


def warn(text: str) -> None:
    warnings.warn(text, CacheWarning, stacklevel=2)


def _put(path: Path, body: bytes) -> bool:
    """Write a file of the cache; its folders are for this user alone."""
    base = folder()
    base.parent.mkdir(parents=True, exist_ok=True)
    for place in (base, path.parent):
        place.mkdir(_PRIVATE, exist_ok=True)
    if distrust():
        return False
    put_file(path, [body, _seal(path.name, body)], lasting=False)
    used[path.name] = path
    return True


class Usage(NamedTuple):
    """The contents of the cache folder."""

    path: Path
    files: int
    bytes: int
    current: int  # files made by the current version of Gambito
    oldest: float = 0.0  # days since that file was used which was not used for longest


def _own_files() -> Iterator[Path]:
    """The files that this module has written, by their names and their beginnings."""
    for place in sorted(folder().glob("*")):
        if _VERSION_FOLDER.fullmatch(place.name) and place.is_dir() and not place.is_symlink():
            for path in sorted(place.iterdir()):
                if path.is_symlink() or not path.is_file():
                    continue
                if _UNFINISHED.fullmatch(path.name) or (_OWN_FILE.fullmatch(path.name) and _is_own(path)):
                    yield path


def _is_own(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            start = file.read(len(_KIND))
            file.seek(-min(len(_MAGIC), path.stat().st_size), os.SEEK_END)
            return _KIND in (start, file.read(len(_KIND)))
    except OSError:
        return False


def usage() -> Usage:
    files = [f for f in _own_files() if f.suffix in _CODE]
    current = sum(f.parent.name == source_digest() for f in files)
    facts = [f.stat() for f in files]
    oldest = max(0.0, time.time() - min((f.st_mtime for f in facts), default=time.time())) / _A_DAY
    return Usage(folder(), len(files), sum(f.st_size for f in facts), current, oldest)


def limit() -> int:
    """The bytes that the files may take: GAMBITO_CACHE_LIMIT in MiB, or 2 GiB."""
    chosen = os.environ.get("GAMBITO_CACHE_LIMIT", "")
    return int(chosen) << 20 if chosen.isdecimal() else _LIMIT


def trim(most: int) -> int:
    """Remove the files that were not used for longest, until the others take `most` bytes."""
    known = []
    for path in _own_files():
        with contextlib.suppress(OSError):
            known.append((path.stat().st_mtime, path.stat().st_size, path))
    left, count = sum(size for _, size, _ in known), 0
    for _, size, path in sorted(known):
        if left <= most:
            break
        with contextlib.suppress(OSError):
            path.unlink()
            left, count = left - size, count + 1
            path.parent.rmdir()  # when it is empty
    return count


def clear() -> int:
    """Remove all files that this module has kept, and nothing else; return how many held machine code."""
    count = 0
    for path in [*_own_files()]:
        with contextlib.suppress(OSError):
            path.unlink()
            count += path.suffix in _CODE
            path.parent.rmdir()  # when it is empty
    return count


def kept(name: str) -> bytes | None:
    """What `keep` has stored under a name; None if it is missing or damaged, or may be somebody else's."""
    try:
        path = place_of(f"{name}.data")
        body = None if distrust() else _unsealed(path.name, path.read_bytes())
    except OSError:
        return None
    if body is not None:
        used[path.name] = path
        _touch(path)
    return body


def has_code(name: str) -> bool:
    """Is there a file with the name that another process of this version has in `used`?"""
    return place_of(name).exists()


def put_code(name: str, text: bytes) -> None:
    """Write such a file, of which another process has sent the contents; a damaged one counts as missing."""
    body = _unsealed(name, text)
    if body is not None and _OWN_FILE.fullmatch(name) and os.path.basename(name) == name:
        _put(place_of(name), body)


def keep(name: str, body: bytes) -> None:
    """Store a result that is slow to compute, beside the machine code; if that fails, it is recomputed."""
    with contextlib.suppress(OSError):
        _put(place_of(f"{name}.data"), body)
