"""Build the documentation site in both languages, into build/site: `make docs`.

For each language, the pages, the executed notebooks and the style are copied to build/docs, pictures of
searches become steps (`steps.py`), games get boards that play (`playing.py`), and Zensical builds a site from
them. The site loads no fonts or scripts from other servers. A warning from Zensical, such as a broken link,
is an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course import COURSE
from notebook_pages import page
from own_folders import use_own_folders
from playing import change_leaves, play_here
from steps import step_through

from gambito.version import __version__
from gambito.words import LANGUAGES

DOCS = Path(__file__).resolve().parent
BUILD = DOCS.parent / "build"
SITE = BUILD / "site"
NAMES = {"en": "English", "es": "Español"}
ABOUT = {
    "en": "Adversarial search: rules written once in Python, every algorithm, at native speed",
    "es": "Búsqueda con adversario: reglas escritas una vez en Python, todos los algoritmos, muy deprisa",
}
GAMES = {"en": "The games", "es": "Cada juego"}
NOTEBOOKS = {"en": "Notebooks", "es": "Cuadernos"}
SCHEMES = {
    language: (
        ("default", "light", {"icon": "lucide/sun", "name": dark}),
        ("slate", "dark", {"icon": "lucide/moon", "name": light}),
    )
    for language, dark, light in (("en", "Dark", "Light"), ("es", "Oscuro", "Claro"))
}
EXTENSIONS = (
    "abbr", "attr_list", "md_in_html", "tables", "pymdownx.highlight", "pymdownx.inlinehilite",
    "pymdownx.superfences",
)  # fmt: skip
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
CHOOSER = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Gambito</title>
<meta http-equiv="refresh" content="0; url=en/index.html">
<p><a href="en/index.html">English</a> · <a href="es/index.html" lang="es">Español</a></p></html>
"""


def stage(language: str) -> Path:
    """Copy the sources of a language's site into one folder, and return that folder."""
    folder = BUILD / "docs" / language
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS / language, folder / "pages")
    shutil.copy(DOCS / "theme" / "gambito.css", folder / "pages" / "gambito.css")
    shutil.copy(DOCS.parent / "src" / "gambito" / "web" / "page" / "icon.svg", folder / "pages" / "icon.svg")
    shutil.copytree(DOCS / "theme" / "partials", folder / "theme" / "partials")
    return folder


def add_notebooks(language: str, folder: Path) -> None:
    """Run the notebooks of a language and add them as pages, with two kernels at a time."""
    paths = sorted((DOCS / "notebooks" / language).glob("*.ipynb"))
    (folder / "pages" / "notebooks").mkdir()
    with ThreadPoolExecutor(2) as workers:
        for path, text in zip(paths, workers.map(page, paths), strict=True):
            (folder / "pages" / "notebooks" / f"{path.stem}.md").write_text(text, encoding="utf-8")


def navigation(language: str, pages: Path) -> list[dict[str, list[str]]]:
    """The sections of the site: the course, with the games and the notebooks before its last two sections."""
    place = LANGUAGES.index(language)
    found = [{names[place]: [f"{page}.md" for page in listed]} for names, listed in COURSE]
    games = sorted(f"games/{path.name}" for path in (pages / "games").glob("*.md"))
    notebooks = sorted(f"notebooks/{path.name}" for path in (pages / "notebooks").glob("*.md"))
    return [*found[:-2], {GAMES[language]: games}, found[-2], {NOTEBOOKS[language]: notebooks}, found[-1]]


def configuration(language: str, folder: Path) -> str:
    """The settings of a language's site, as TOML."""
    others = [{"name": NAMES[o], "link": f"../{o}/", "lang": o} for o in LANGUAGES if o != language]
    features = [
        "navigation.footer",
        "navigation.indexes",
        "navigation.top",
        "toc.follow",
        "content.code.copy",
    ]
    tables = {
        "project": {
            "site_name": "Gambito",
            "site_description": ABOUT[language],
            "copyright": f"Gambito {__version__}",
            "docs_dir": "pages",
            "site_dir": "site",
            "use_directory_urls": False,
            "extra_css": ["gambito.css"],
            "nav": navigation(language, folder / "pages"),
        },
        "project.theme": {
            "language": language,
            "font": False,
            "custom_dir": "theme",
            "features": features,
            "logo": "icon.svg",
            "favicon": "icon.svg",
            "palette": [
                {"scheme": scheme, "media": f"(prefers-color-scheme: {media})", "toggle": toggle}
                for scheme, media, toggle in SCHEMES[language]
            ],
        },
        "project.extra": {"generator": False, "alternate": others},
        "project.plugins.search": {},
        **{f"project.markdown_extensions.{name}": {} for name in EXTENSIONS},
    }
    return "\n".join(
        f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())
        for name, table in tables.items()
    )


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {_toml(v)}" for k, v in value.items())
            + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    use_own_folders()
    shutil.rmtree(SITE, ignore_errors=True)
    SITE.mkdir(parents=True)
    for language in LANGUAGES:
        folder = stage(language)
        add_notebooks(language, folder)
        steps = step_through(language, folder / "pages")
        boards = play_here(language, folder / "pages") + change_leaves(language, folder / "pages")
        settings = folder / "zensical.toml"
        settings.write_text(configuration(language, folder), encoding="utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(settings)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode or "No issues found" not in done.stdout + done.stderr:
            said = COLOURS.sub("", done.stdout + done.stderr).partition("Traceback")[0]
            print(f"{language}: {said}", file=sys.stderr)
            return 1
        shutil.move(folder / "site", SITE / language)
        count = len(list((SITE / language).rglob("*.html")))
        print(f"{language}: {count} pages, {steps} of them steps, {boards} boards and trees that play")
    (SITE / "index.html").write_text(CHOOSER, encoding="utf-8")
    print(f"built: {SITE.relative_to(DOCS.parent)}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
