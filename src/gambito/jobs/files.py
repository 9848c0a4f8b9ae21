"""The files that jobs need: they travel with the jobs, by their SHA-256, into the cache of another machine.

An order names the files and their digests. A worker that has a file at the same path uses it as it is; one
that lacks a file answers which, and the same job is sent again with the contents. The texts of a job name
files as whoever gives out the job names them; the worker puts its own paths in their place, and turns them
back in the result. It knows no game: layers that read a text list the files that the text names.

    FOLDER/jobs/files/SHA-256           a file that was received
    FOLDER/jobs/trees/SHA-256/...       files that belong together, as links to these
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambito.errors import JobError
from gambito.native import cache
from gambito.native.files import put_file
from gambito.native.processor import processor

MAX_BYTES = 1 << 28  # bytes that are sent with one job, unless a single file is larger
POLL_SECONDS = 0.05  # seconds between two looks for files that somebody else brings
CODE = "code/"  # a file of machine code is named by this and its name; others are named by their digest
TEXT_SIGNS = re.compile(r"([:,=])")

# In a worker: the module name of a rules file where the jobs come from, and the path that it has there.
module_names: dict[str, str] = {}
origins: dict[str, str] = {}


@dataclass(frozen=True)
class Needed:
    """A file that a text of a job names, with the files beside it that it needs."""

    text: str  # as the job has it; "" for the value of a variable of the environment
    root: Path  # the folder that all of them are in
    main: str = ""  # the file, relative to the folder
    members: tuple[str, ...] = ()  # all files, relative to the folder
    modules: Mapping[str, str] = field(default_factory=dict)  # the module that a member is loaded as
    variable: str = ""  # the variable of the environment that names the folder

    @classmethod
    def file(cls, text: str, path: str | Path) -> Needed:
        """One file of data."""
        place = Path(path).resolve()
        return cls(text, place.parent, place.name, (place.name,))


def digest_of(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none. A file that has not changed is read once."""
    try:
        facts = path.stat()
        return _digest(str(path), facts.st_ino, facts.st_size, facts.st_mtime_ns)
    except OSError:
        return None


@functools.lru_cache(4096)
def _digest(path: str, *_: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---- where jobs are given out --------------------------------------------------------------------


class Files:
    """The files that a stream of jobs needs, and the machine code that this process has used."""

    def __init__(self, needed: Iterable[Needed] = ()) -> None:
        self.trees: list[dict[str, Any]] = []
        self.paths: dict[str, Path] = {}
        grouped: dict[tuple[str, str], list[Needed]] = {}
        for each in needed:
            grouped.setdefault((each.variable, each.text), []).append(each)
        for same in grouped.values():
            self._add(same)

    def _add(self, same: list[Needed]) -> None:
        """Take in one file, or all that belongs to a variable."""
        first, members = same[0], dict[str, str]()
        for each in same:
            for member in each.members:
                path = each.root / member
                digest = digest_of(path)
                if digest is None:
                    raise JobError("{} cannot be read", path)
                members[member], self.paths[digest] = digest, path
        tree = {
            "text": first.text,
            "root": str(first.root),
            "main": first.main,
            "members": members,
            "modules": dict(first.modules),
            "variable": first.variable,
        }
        tree["digest"] = hashlib.sha256(json.dumps([members, tree["modules"]]).encode()).hexdigest()
        self.trees.append(tree)

    def named(self) -> dict[str, Any]:
        """What an order says about the files."""
        return {"trees": self.trees, "processor": processor(), "code": sorted(cache.used)}

    def contents(self, wanted: Iterable[str]) -> dict[str, bytes]:
        """The contents of some files; of too many, only the first ones."""
        found: dict[str, bytes] = {}
        for name in wanted:
            if found and sum(map(len, found.values())) >= MAX_BYTES:
                break
            code = name[len(CODE) :] if name.startswith(CODE) else ""
            path = cache.used[code] if code else self.paths[name]
            try:
                found[name] = path.read_bytes()
            except OSError:
                if code:  # removed meanwhile: the worker compiles
                    del cache.used[code]
                    continue
            if not code and hashlib.sha256(found.get(name, b"")).hexdigest() != name:
                raise JobError("{} has changed since the jobs began", path)
        return found


# ---- in a worker -----------------------------------------------------------------------------------


def folder() -> Path:
    """The folder of all that was received."""
    return cache.folder() / "jobs"


class Missing(Exception):
    """A worker lacks files; the names of them are its only argument."""


def receive(named: dict[str, Any], contents: Mapping[str, bytes], patience: float = 0.0) -> Places:
    """Put the contents in place, and find all that an order names; raise Missing if something lacks.

    patience  seconds that another worker of this machine may take to bring it
    """
    reason = cache.distrust()
    if contents and reason:
        raise JobError("files for jobs are not accepted: {}; make it private, or set GAMBITO_CACHE", reason)
    for name, body in contents.items():
        if name.startswith(CODE):
            cache.put_code(name[len(CODE) :], body)
        elif hashlib.sha256(body).hexdigest() == name:
            put_file(_private(folder() / "files") / name, [body], lasting=False)
    deadline = time.monotonic() + patience
    while True:
        try:
            return Places(named)
        except Missing:
            if time.monotonic() >= deadline:
                raise
        time.sleep(POLL_SECONDS)


def _private(place: Path) -> Path:
    place.mkdir(0o700, parents=True, exist_ok=True)
    return place


class Places:
    """Where the files of an order are on this machine."""

    def __init__(self, named: dict[str, Any]) -> None:
        code = named["code"] if named["processor"] == processor() else []
        missing = [CODE + name for name in code if not cache.has_code(name)]
        self.paths: dict[str, str] = {}
        for tree in named["trees"]:
            try:
                root = _place(tree)
            except Missing as lack:
                missing += lack.args[0]
                continue
            if tree["variable"]:
                os.environ[tree["variable"]] = str(root)
            else:
                self.paths[tree["text"]] = str(root / tree["main"])
        if missing:
            raise Missing(list(dict.fromkeys(missing)))

    def local(self, data: Any) -> Any:
        """A job with the paths of this machine; a path is a whole text, or stands between `:` `,` `=`."""
        if isinstance(data, str):
            if data in self.paths:
                return self.paths[data]
            return "".join(self.paths.get(part, part) for part in TEXT_SIGNS.split(data))
        return _mapped(self.local, data)

    def back(self, data: Any) -> Any:
        """A result with the paths as the job had them."""
        if isinstance(data, str):
            for text, path in self.paths.items():
                if path != text:
                    data = data.replace(path, text)
            return data
        return _mapped(self.back, data)


def _mapped(change: Any, data: Any) -> Any:
    if isinstance(data, dict):
        return {key: change(value) for key, value in data.items()}
    if type(data) in (list, tuple):
        return type(data)(map(change, data))
    return data


_bound: dict[str, str] = {}  # a file or module that this process has used, and the digest of its tree


def _place(tree: dict[str, Any]) -> Path:
    """The folder of a tree on this machine: where it was, if it is the same there, or one made of links.

    A process may have read an earlier version at the same path and still know it: then the path is another.
    """
    there, made = Path(tree["root"]), folder() / "trees" / tree["digest"]
    origin = str(there / tree["main"])
    is_same = not tree["variable"] and _bound.setdefault(origin, tree["digest"]) == tree["digest"]
    if is_same and all(digest_of(there / name) == digest for name, digest in tree["members"].items()):
        root = there
    else:
        root = made
        _build(tree, there, made)
    for member, name in tree["modules"].items():
        file = str((root / member).resolve())
        held = sys.modules.get(name)
        if held is not None and (
            _bound.get(f"module {name}") != tree["digest"] or getattr(held, "__file__", "") != file
        ):
            del sys.modules[name]  # of another version, or of a worker's earlier life
        _bound[f"module {name}"] = tree["digest"]
        module_names[file] = name
        origins[name] = str(there / member)
    return root


def _build(tree: dict[str, Any], there: Path, made: Path) -> None:
    """Make a tree of links to files that were received, or that are here already."""
    missing = []
    for name, digest in tree["members"].items():
        place, source = made / name, folder() / "files" / digest
        if digest_of(place) == digest:
            continue
        if digest_of(there / name) == digest:
            source = there / name
        elif digest_of(source) != digest:
            missing.append(digest)
            continue
        _private(place.parent)
        new = place.with_name(f"{place.name}.{os.getpid()}.new")
        new.unlink(missing_ok=True)
        try:
            if tree["variable"]:  # may be large
                new.symlink_to(source)
            else:
                os.link(source, new)
        except OSError:
            shutil.copyfile(source, new)
        os.replace(new, place)
    if missing:
        raise Missing(missing)
    _private(made)


# ---- the folder ------------------------------------------------------------------------------------


def stored() -> list[Path]:
    """The files that were received."""
    place = folder() / "files"
    return [path for path in place.glob("*") if re.fullmatch(r"[0-9a-f]{64}", path.name)]


def clear() -> int:
    """Remove all that was received; return how many files it was."""
    count = len(stored())
    shutil.rmtree(folder(), ignore_errors=True)
    return count
