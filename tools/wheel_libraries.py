"""Machine code for a wheel: every built-in game with the algorithms that people ask for.

    compile FOLDER         compile all pairs, for each kind of processor; write the index of this Python
    index FOLDER           run all pairs on these libraries; write the index of this Python, without Numba
    check                  run each pair of the installed package, which must compile nothing

Machine code does not depend on the version of Python, but the keys do, as they are digests of bytecode. So
the code is compiled once, and another Python asks for the same functions in the same order. It is given the
same libraries, and notes its own keys.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gambito.game.registry import game_classes
from gambito.native import functions, libraries, shipped
from gambito.native.digest import compiled_sources
from gambito.native.files import put_file
from gambito.native.processor import LEVELS, levels
from gambito.players.pairs import Pair, ask, pairs

RECORDS = "records"  # the folder with what each game has asked for
DIGEST = re.compile(r"\b[0-9a-f]{20}\b")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "step", choices=["compile", "index", "check", "compile-one", "index-one", "check-one"]
    )
    parser.add_argument("words", nargs="*")
    parser.add_argument("--games", default="", help="names with commas between them; all if left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    names = list(filter(None, given.games.split(","))) or list(game_classes())
    if given.step.endswith("-one"):
        {"compile-one": compile_one, "index-one": index_one, "check-one": check_one}[given.step](*given.words)
    elif given.step == "check":
        run_all([("check-one", *pair) for pair in pairs(names)], given.jobs)
        print(
            f"{len(pairs(names))} pairs of games and algorithms run without a compilation and without Numba"
        )
    else:
        folder = Path(given.words[0])
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
        run_all([(f"{given.step}-one", str(folder), name) for name in names], given.jobs)
        write_index(folder, names)


def run_all(commands: list[tuple[str, ...]], jobs: int) -> None:
    """Run this program once for each command, some at a time; end with the first that fails."""

    def run(command: tuple[str, ...]) -> None:
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([sys.executable, __file__, *command], env=own_folders(cache), check=False)
            left = [path.name for path in Path(cache).rglob("*") if path.suffix in (".so", ".code")]
        if done.returncode or left:
            raise SystemExit(f"{' '.join(command)} failed {' '.join(left)}")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, commands))


def own_folders(cache: str) -> dict[str, str]:
    """An environment without the user's folders: with endgame tables other functions would be asked for."""
    return {**os.environ, "GAMBITO_CACHE": cache, "GAMBITO_TABLES": str(Path(cache, "no-tables"))}


# ---- one game ----------------------------------------------------------------------------------------


def asked(name: str) -> Iterator[Pair]:
    """Search all pairs of a game, in the same order everywhere."""
    for pair in pairs([name]):
        ask(pair)
        yield pair


def shape(function: Any, given: tuple[Any, ...]) -> list[str]:
    """What tells a request in any version of Python: the function, and its arguments without digests."""
    return [function.name, *(DIGEST.sub("", kind.text) for kind in given)]


def compile_one(folder: str, name: str) -> None:
    """Compile all that the pairs of one game ask for."""
    from gambito.native.compiler.dispatching import compile_libraries
    from gambito.native.compiler.emitting import Machine

    records: list[dict[str, Any]] = []

    def provide(function: Any, key: str, given: tuple[Any, ...]) -> Any:
        made = compile_libraries(function, given, [Machine(level, "") for level in LEVELS])
        if made is None:
            raise SystemExit(f"{name}: {function.name} cannot be a library")
        images, returned = made
        bodies = {level: libraries.pack(image, returned) for level, image in zip(LEVELS, images, strict=True)}
        content = hashlib.sha256(b"".join(bodies.values())).hexdigest()
        file = f"{function.name.rpartition('.')[2]}-{content[:16]}.so"
        for level, body in bodies.items():
            put_file(Path(folder, level, file), [body], lasting=False)  # never into a file that is loaded
        checks = {level: hashlib.sha256(body).hexdigest() for level, body in bodies.items()}
        records.append({"shape": shape(function, given), "key": key, "file": file, **checks})
        return libraries.open_library(Path(folder, levels()[0], file), bodies[levels()[0]], given)

    functions.provider[0] = provide
    for pair in asked(name):
        print(f"compiled {pair.game}, {pair.algorithm}", flush=True)
    for path in Path(os.environ["GAMBITO_CACHE"]).glob("tables/*.npz"):  # what the games have computed
        put_file(Path(folder, "numbers", DIGEST.sub("", path.stem).rstrip("-") + ".npz"), [path.read_bytes()])
    put(Path(folder, RECORDS, f"{name}.json"), records)
    put(own_keys(folder, name), [record["key"] for record in records])


def index_one(folder: str, name: str) -> None:
    """Run the pairs of one game on the libraries, and note the keys of this Python."""
    records = json.loads(Path(folder, RECORDS, f"{name}.json").read_text())
    keys: list[str] = []

    def provide(function: Any, key: str, given: tuple[Any, ...]) -> Any:
        record = records[len(keys)]
        if record["shape"] != shape(function, given):
            raise SystemExit(f"{name}: {shape(function, given)} was asked for, not {record['shape']}")
        keys.append(key)
        path = Path(folder, levels()[0], record["file"])
        return libraries.open_library(path, path.read_bytes(), given)

    functions.provider[0] = provide
    for _ in asked(name):
        pass
    if "numba" in sys.modules or len(keys) != len(records):
        raise SystemExit(f"{name}: {len(keys)} functions were asked for, not {len(records)}")
    put(own_keys(folder, name), keys)


def check_one(game: str, algorithm: str) -> None:
    """Run one pair of the installed package."""
    ask(Pair(game, algorithm))
    if "numba" in sys.modules:
        raise SystemExit(f"{game}, {algorithm}: Numba was loaded")


# ---- the index ---------------------------------------------------------------------------------------


def own_keys(folder: str | Path, name: str) -> Path:
    """Where the keys of a game in this version of Python are noted."""
    return Path(folder, RECORDS, f"{name}.{shipped.index_name()}")


def write_index(folder: Path, names: list[str]) -> None:
    entries: dict[str, Any] = {}
    for name in names:
        records = json.loads(Path(folder, RECORDS, f"{name}.json").read_text())
        keys = json.loads(own_keys(folder, name).read_text())
        for key, record in zip(keys, records, strict=True):
            entries[key] = {field: record[field] for field in ("file", *LEVELS)}
    put(folder / shipped.index_name(), {"sources": compiled_sources(), "entries": entries})
    sizes = [path.stat().st_size for path in folder.rglob("*.so")]
    print(f"{shipped.index_name()}: {len(entries)} keys; {len(sizes)} libraries, {sum(sizes) / 1e6:.1f} MB")


def put(path: Path, facts: Any) -> None:
    path.write_text(json.dumps(facts, separators=(",", ":")))


if __name__ == "__main__":
    main()
