"""Make a wheel with machine code, and try it: `make wheel`.

The sources are copied to `build/wheel`, so that a checkout keeps compiling what it changes. There all pairs
of games and algorithms are compiled (`wheel_libraries.py`), each further Python that is named adds its index,
and the wheel is built into `dist`. Then it is installed in a folder of its own, and every pair must run from
an empty cache without a compilation, in each Python.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "wheel"
TREE, INSTALLED, DIST = PLACE / "tree", PLACE / "installed", ROOT / "dist"
TRAVELS = ("src", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
LARGEST, LARGEST_COMPRESSED = 12e6, 4e6  # bytes of all libraries


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pythons", nargs="*", help="other versions of Python that the wheel is for")
    parser.add_argument("--games", default="", help="names with commas between them; all if left out")
    parser.add_argument("--jobs", default=str(os.cpu_count() or 1))
    given = parser.parse_args()
    games = ["--jobs", given.jobs, *(["--games", given.games] if given.games else [])]
    shutil.rmtree(PLACE, ignore_errors=True)
    copy_sources()
    shipped = TREE / "src" / "gambito" / "native" / "shipped"
    pythons = [sys.executable, *map(with_numpy, given.pythons)]
    for step, python in zip(["compile", *["index"] * len(given.pythons)], pythons, strict=True):
        run_step(python, TREE / "src", step, str(shipped), *games)
    shutil.rmtree(shipped / "records")
    wheel = build()
    tell_sizes(wheel)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps"]
    subprocess.run([*pip, "--target", str(INSTALLED), str(wheel)], check=True)
    for python in pythons:
        run_step(python, INSTALLED, "check", *games)
    print(wheel.relative_to(ROOT))


def copy_sources() -> None:
    TREE.mkdir(parents=True)
    for name in TRAVELS:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, TREE / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(place, TREE / name)


def with_numpy(python: str) -> str:
    """An environment of another Python with NumPy, which is all that the libraries need."""
    place = PLACE / Path(python).name
    subprocess.run([python, "-m", "venv", str(place)], check=True)
    own = place / "bin" / "python"
    subprocess.run([own, "-m", "pip", "-q", "--disable-pip-version-check", "install", "numpy"], check=True)
    return str(own)


def run_step(python: str, sources: Path, *words: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    subprocess.run([python, str(ROOT / "tools" / "wheel_libraries.py"), *words], env=environment, check=True)


def build() -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(PLACE / "made")],
        cwd=TREE,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (made,) = (PLACE / "made").glob("*.whl")
    DIST.mkdir(exist_ok=True)
    return Path(shutil.copy(made, DIST))


def tell_sizes(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = [file for file in archive.infolist() if file.filename.endswith(".so")]
    size, compressed = (
        sum(sizes) for sizes in zip(*((f.file_size, f.compress_size) for f in files), strict=True)
    )
    print(f"{len(files)} libraries: {size / 1e6:.1f} MB, {compressed / 1e6:.1f} MB in the wheel")
    if size > LARGEST or compressed > LARGEST_COMPRESSED:
        raise SystemExit("that is more than a wheel may have")


if __name__ == "__main__":
    main()
