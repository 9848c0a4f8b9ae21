"""Hold'em on the command line: spots, push or fold."""

from __future__ import annotations

import json

import pytest

from gambito.game_tools.poker.spots.spot import load_spot
from tests.game_tools.poker.spots.test_spots import SMALL


def test_the_command_solves_a_spot(gambito, tmp_path):
    spot, kept, curve = tmp_path / "small.spot", tmp_path / "s.strategy", tmp_path / "c.svg"
    spot.write_text(SMALL)
    ran = gambito(
        "solve", "holdem", "--spot", str(spot), "--save", str(kept), "--curve", str(curve), "--json"
    )
    assert ran.status == 0 and "of memory" in ran.err and ran.json["exploitability"] <= 0.1
    assert sum(ran.json["actions"].values()) == pytest.approx(1) and "<svg" in curve.read_text()
    more = gambito("solve", "holdem", "--spot", str(spot), "--save", str(kept), "--target", "0.01")
    assert more.status == 0 and "exploitability" in more.out and "AKo" in more.out
    assert json.loads(kept.read_bytes().partition(b"\n")[0])["iterations"] > ran.json["iterations"]
    assert load_spot(spot).pot == 10
    for wrong in (("leduc-poker", "--spot", str(spot)), ("holdem", "--spot", str(tmp_path / "none"))):
        assert gambito("solve", *wrong).status == 2


@pytest.mark.thorough
def test_the_command_draws_the_chart(gambito, tmp_path):
    picture = tmp_path / "chart.svg"
    ran = gambito("push-fold", "10", "--svg", str(picture), "--json")
    assert (
        ran.status == 0
        and ran.json["push"]["AA"] == pytest.approx(1)
        and picture.read_text().count("<rect") > 169
    )
    assert "push 58.3 %" in gambito("push-fold", "10").out
    assert gambito("push-fold", "0.5").status == 2
