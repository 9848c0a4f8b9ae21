"""Pictures of searches become steps on the site, in the language of the page."""

import json
import re
import shutil
import sys

import pytest

from tests.docs.pages import DOCS

sys.path.insert(0, str(DOCS))  # as `docs/build.py` finds its modules


@pytest.mark.parametrize(("language", "word"), [("en", "Conclusions"), ("es", "Conclusiones")])
def test_a_picture_becomes_steps(tmp_path, language, word):
    from steps import FOLDER, step_through

    shutil.copytree(DOCS / language / "algorithms", tmp_path / "algorithms", copy_function=shutil.copy)
    for page in (tmp_path / "algorithms").glob("*.md"):
        if page.stem != "minimax":
            page.unlink()
    assert step_through(language, tmp_path) == 2
    text = (tmp_path / "algorithms" / "minimax.md").read_text()
    frames = re.findall(r'<iframe src="\.\./(steps/[a-z-]+\.html)" title="[^"]+" loading="lazy">', text)
    assert len(frames) == 2 and "<noscript><img src=" in text
    for frame in frames:
        html = (tmp_path / frame).read_text()
        assert f"<h2>{word}</h2>" in html and "<header>" not in html and "src=" not in html
        data = re.search(r'id="record">(.*?)</script>', html, re.DOTALL)
        assert data and json.loads(data[1])["steps"]
    assert (tmp_path / FOLDER).is_dir()
