"""Algorithms of one's own that a server offers: by name, and never a file that a client names."""

from pathlib import Path

import pytest

from tests.web.conftest import Client, serving

OWN = Path(__file__).resolve().parents[2] / "docs" / "examples" / "min_max.py"


@pytest.mark.thorough
def test_it_plays_analyses_and_is_watched():
    with serving("--algorithm", f"{OWN}:min_max", "--workers", "1") as (address, _):
        client = Client(address)
        catalogue = client.ask(do="hello")
        (mine,) = [each for each in catalogue["algorithms"] if each["name"] == "min_max"]
        assert "tree" in mine["fits"] and [option["name"] for option in mine["options"]][:2] == ["p", "room"]
        assert client.ask(do="trace", game="tree", algorithm="min_max", depth=2)["is"] == "done"
        played = client.ask(do="go", game="tree", player={"algorithm": "min_max", "nodes": 50})
        assert played["is"] == "done" and played["move"] == "a", played
        for name in ("min_max.py:min_max", str(OWN)):
            refused = client.ask(do="trace", game="tree", algorithm=name[-40:], depth=2)
            assert refused["is"] == "error" and "not a file" in refused["text"]
        client.close()
