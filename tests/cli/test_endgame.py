"""`gambito endgame`: tables are built, listed, verified and looked into."""

import pytest

from gambito.endgames.files import TableFile, write_table


@pytest.fixture
def tables(tmp_path):
    return ["--tables", str(tmp_path / "tables")]


def test_a_table_is_built_listed_verified_and_probed(gambito, rules, tables):
    game = f"{rules}:Stones"
    built = gambito("endgame", "build", game, *tables, "--json").json
    (table,) = built["tables"]
    assert (table["slice"], table["positions"], table["longest"]) == ("all", 10, 3)
    assert table["wins"] + table["draws"] + table["losses"] == 10 and table["seconds"] > 0
    assert "already built" in gambito("endgame", "build", game, *tables).out
    assert gambito("endgame", "list", *tables, "--json").json["tables"][0]["bytes"] == table["bytes"]
    assert "all" in gambito("endgame", "list", game, *tables).out
    done = gambito("endgame", "verify", game, *tables, "--json")
    assert done.status == 0 and done.json["tables"] == [{"slice": "all", "positions": 10, "wrong": None}]
    said = gambito("endgame", "probe", game, "1", *tables, "--json").json
    assert (said["outcome"], said["distance"], said["metric"]) == ("win", 3, "end")
    assert said["line"][0] == "1" and len(said["line"]) == 3
    assert said["moves"] == [{"action": "1", "outcome": "win", "distance": 3},
                             {"action": "2", "outcome": "loss", "distance": 2}]  # fmt: skip
    told = gambito("endgame", "probe", game, "1", *tables).out
    assert "outcome   win" in told and "distance  3 plies" in told and "action    1" in told


def test_a_damaged_table_is_found(gambito, rules, tables, tmp_path):
    game = f"{rules}:Stones"
    gambito("endgame", "build", game, *tables)
    (path,) = (tmp_path / "tables").rglob("*.table")
    whole = path.read_bytes()
    for place in (3, 40, len(whole) - 2):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert "damaged" in gambito("endgame", "verify", game, *tables).complaint


def test_stale_tables_are_told_and_built_again(gambito, tables, tmp_path):
    game = "graph"  # always in the Python gear
    gambito("endgame", "build", game, *tables)
    assert not gambito("endgame", "list", *tables, "--json").json["tables"][0]["stale"]
    (path,) = (tmp_path / "tables").rglob("*.table")
    write_table(path, game, "older", TableFile(path).read())
    for words in (["list"], ["list", game]):
        assert "was built for other rules of graph" in gambito("endgame", *words, *tables).out
    assert "was built for other rules" in gambito("endgame", "verify", game, *tables).complaint
    assert (
        "was built for other rules"
        in gambito("endgame", "probe", game, "S-A 1, A-G 2, S to G", *tables).complaint
    )
    assert len(gambito("endgame", "build", game, *tables, "--json").json["tables"]) == 1
    assert gambito("endgame", "verify", game, *tables).status == 0
    path.write_bytes(path.read_bytes().replace(b"table 2", b"table 1"))
    assert "of another version" in gambito("endgame", "list", *tables).out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["build", "pig"], "pig has chance; endgame tables are for games of perfect information"),
        (["build", "chess"], "which tables of chess? accepted: slices such as KNK, KBK"),
        (["build", "chess", "KXK"], "'KXK' is no slice of chess; accepted: both kings"),
        (["build", "chess", "KQK", "--men", "3"], "give slices or --men, not both"),
        (["build", "tic-tac-toe", "KQK"], "'KQK' is no slice of tic-tac-toe; accepted: all"),
        (["build", "tic-tac-toe", "--threads", "0"], "threads must be at least 1, not 0"),
        (["verify", "nim"], "there is no endgame table of nim"),
        (["probe", "nim", "3 4 5"], "no endgame table of nim holds this position"),
        (["probe", "nim", "x"], "is no set of heaps"),
    ],
)
def test_what_is_wrong_is_one_sentence(gambito, tables, words, sentence):
    assert sentence in gambito("endgame", *words, *tables).complaint


def test_no_tables_are_no_error(gambito, tables):
    assert gambito("endgame", "list", *tables, "--json").json["tables"] == []
    assert "no tables" in gambito("endgame", "list", *tables).out


def test_best_follows_tables_to_the_end(gambito, rules, tables, monkeypatch):
    game = f"{rules}:Stones"
    gambito("endgame", "build", game, *tables)
    monkeypatch.setenv("GAMBITO_TABLES", tables[1])
    said = gambito("best", game, "--position", "1", "--algorithm", "engine", "--depth", "1", "--json").json
    assert (said["action"], said["ends_in"], len(said["line"]), said["exact"]) == ("1", 3, 3, True)


def test_the_longest_win_of_a_slice(gambito, tables):
    gambito("endgame", "build", "chess", "KQK", *tables)
    said = gambito("endgame", "longest", "chess", "KQK", *tables, "--json").json
    assert said["distance"] == 19 and len(said["line"]) == 19 and said["line"][-1].endswith("#")
    told = gambito("endgame", "probe", "chess", said["position"], *tables, "--json").json
    assert (told["outcome"], told["distance"]) == ("win", 19)
    assert "distance  19 plies" in gambito("endgame", "longest", "chess", "KQK", *tables).out
    complaint = gambito("endgame", "longest", "chess", "KRK", *tables).complaint
    assert "there is no table KRK of chess; the tables that are there: KQK" in complaint


def test_a_table_without_numbers_has_no_longest_win(gambito, rules, tables):
    game = f"{rules}:Stones"
    gambito("endgame", "build", game, *tables)
    assert "no numbered position" in gambito("endgame", "longest", game, "all", *tables).complaint
