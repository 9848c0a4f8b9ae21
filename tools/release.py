"""Make a release and check it: `make release`.

The version must be the same in the package, the changelog and the citation. The sdist and the wheel with
machine code are made in `dist`, and Twine checks what the package index will show. Then the wheel is
installed in a new environment of each Python, with nothing but what it requires. There the README's first
example must print what the README shows, in the time that its machine code promises, and nothing may be
written outside the cache folder. With --plain, the wheel has no machine code and is made in seconds.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE, DIST = ROOT / "build" / "release", ROOT / "dist"
FIRST_ANSWER = 0.5  # processor seconds of the README's first example with the machine code of the wheel
QUIET = ("-qq", "--disable-pip-version-check", "--no-input")
LEFT = """
Left to do by hand:
  git tag v{version} && git push origin v{version}
  twine upload {files}
  the notes of the release: the part of CHANGELOG.md about {version}
  the site: make docs, and publish build/site
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pythons", nargs="*", help="other versions of Python that the wheel is for")
    parser.add_argument("--plain", action="store_true", help="a wheel without machine code")
    parser.add_argument("--games", default="", help="machine code of these games only, for a trial")
    given = parser.parse_args()
    version = check_version()
    shutil.rmtree(PLACE, ignore_errors=True)
    shutil.rmtree(DIST, ignore_errors=True)
    build(given.pythons, given.plain, given.games)
    files = sorted(DIST.iterdir())
    check_description(files)
    (wheel,) = (file for file in files if file.suffix == ".whl")
    for python in [sys.executable, *given.pythons]:
        try_wheel(python, wheel, given.plain)
    for file in files:
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.1f} MB")
    print(LEFT.format(version=version, files=" ".join(str(file.relative_to(ROOT)) for file in files)))


def check_version() -> str:
    """The version, if all files agree about it."""
    texts = {
        "src/gambito/version.py": r'__version__ = "(.+)"',
        "CITATION.cff": r"^version: (.+)$",
        "CHANGELOG.md": r"^## (\S+) - ",
    }
    found = {}
    for file, pattern in texts.items():
        told = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.M)
        found[file] = told[1] if told else "none"
    if len(set(found.values())) > 1:
        raise SystemExit("versions differ: " + ", ".join(f"{file} {told}" for file, told in found.items()))
    return next(iter(found.values()))


def build(pythons: list[str], is_plain: bool, games: str) -> None:
    make = [sys.executable, "-m", "hatchling", "build", "--directory", str(DIST)]
    if is_plain:
        subprocess.run([*make, "--target", "sdist", "--target", "wheel"], cwd=ROOT, check=True)
        return
    chosen = ["--games", games] if games else []
    subprocess.run([sys.executable, str(ROOT / "tools" / "wheel.py"), *pythons, *chosen], check=True)
    subprocess.run([*make, "--target", "sdist"], cwd=ROOT, check=True)


def check_description(files: list[Path]) -> None:
    """Twine's check of the metadata and of the README as the package index shows it."""
    python = new_environment(sys.executable, PLACE / "twine")
    pinned = ["--require-hashes", "--no-deps", "--requirement", str(ROOT / "requirements-release.txt")]
    subprocess.run([python, "-m", "pip", "install", *QUIET, *pinned], check=True)
    subprocess.run([python, "-m", "twine", "check", "--strict", *map(str, files)], check=True)


def new_environment(python: str, place: Path) -> str:
    subprocess.run([python, "-m", "venv", str(place)], check=True)
    return str(place / "bin" / "python")


def try_wheel(python: str, wheel: Path, is_plain: bool) -> None:
    """Install the wheel alone, and run the README's first example as a new user would."""
    name = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    own = new_environment(python, PLACE / name.replace(" ", "-"))
    began = time.perf_counter()
    subprocess.run([own, "-m", "pip", "install", *QUIET, str(wheel)], check=True)
    print(f"{name}: installed in {time.perf_counter() - began:.0f} s")
    example, shown = first_example()
    with tempfile.TemporaryDirectory() as folder:
        places = {each: Path(folder, each) for each in ("home", "cache", "work", "tmp")}
        for place in places.values():
            place.mkdir(mode=0o700)
        named = {"HOME": "home", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp"}
        environment = {key: str(places[each]) for key, each in named.items()}
        environment |= {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
        given = {
            "cwd": places["work"],
            "env": environment,
            "capture_output": True,
            "text": True,
            "check": True,
        }
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = subprocess.run([own, "-c", example], **given).stdout.strip()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if told != shown:
            raise SystemExit(f"{name}: the README's first example prints {told}, not {shown}")
        subprocess.run([own, "-m", "gambito", "--version"], **given)
        written = [path for path in Path(folder).rglob("*") if path.is_file()]
        outside = [str(path) for path in written if places["cache"] not in path.parents]
        if outside:
            raise SystemExit(f"{name}: written outside the cache folder: {', '.join(outside)}")
    late = "" if is_plain or took <= FIRST_ANSWER else f"; more than {FIRST_ANSWER} s"
    print(f"{name}: the README's first example is right after {took:.2f} processor seconds{late}")
    print(f"{name}: nothing is written outside the cache folder")


def first_example() -> tuple[str, str]:
    """The README's first example, and what it shows below it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\n\n    (.*?)\n", text, re.S)
    assert found is not None
    return found[1], found[2].strip()


if __name__ == "__main__":
    main()
