"""`gambito export`."""

import pytest


def test_a_game_is_written(gambito, tmp_path):
    folder = tmp_path / "site"
    done = gambito("export", "tic-tac-toe", "--output", str(folder), "--algorithm", "alpha-beta")
    assert done.status == 0 and done.out.startswith("tic-tac-toe with alpha-beta in ")
    told = gambito("export", "tic-tac-toe", "--site", str(folder), "--algorithm", "alpha-beta", "--json").json
    assert [one["game"] for one in told["exported"]] == ["tic-tac-toe"]
    assert {path.name for path in (folder / "tic-tac-toe").iterdir()} == set(told["exported"][0]["files"])
    assert (folder / "index.html").is_file()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "accepted: --output DIR for one game, or --site DIR for several"),
        (["nim", "--output", "x"], "--output is for one game"),
        (["--output", "x", "--algorithm", "pvs"], "pvs is not exported"),
        (["--output", "x", "--algorithm", "star2"], "star2 is for games of chance"),
    ],
)
def test_what_is_wrong_is_said(gambito, given, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in gambito("export", "tic-tac-toe", *given).complaint
    assert not list(tmp_path.iterdir())
