"""Files travel with jobs, to processes that have another cache, another folder and other tables."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import gambito
from gambito.books.asking import Asking
from gambito.books.book import new_pages
from gambito.books.growth import Growth
from gambito.endgames.graph import Building, Verifying
from gambito.endgames.remote_files import tables_to_send
from gambito.errors import JobError
from gambito.game.registry import module_of
from gambito.game.remote_files import files_of_game, rules_file
from gambito.jobs import Executor, dispatch, done, files, read_executor
from gambito.jobs.files import Files, Missing, Needed, receive
from gambito.jobs.processes import Processes
from gambito.native import cache
from gambito.players import match
from gambito.players.match import Match
from gambito.players.remote_files import files_of_player
from gambito.search.limits import Limits
from tests.jobs import works

RULES = Path(__file__).parent / "rules"


class Distant(Files):
    """Files of a machine whose folders are not here."""

    def named(self) -> dict[str, Any]:
        named = super().named()
        return {**named, "trees": [{**tree, "root": f"/elsewhere{tree['root']}"} for tree in named["trees"]]}


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The cache folder of a crew of two processes that stand for another machine."""
    place, here = tmp_path / "away", tmp_path / "here"
    for folder in (place, here / "tables"):
        folder.mkdir(parents=True)
    monkeypatch.chdir(RULES.parent)
    monkeypatch.setenv("GAMBITO_TABLES", str(here / "tables"))
    env = {**os.environ, "GAMBITO_CACHE": str(place / "cache"), "GAMBITO_TABLES": str(place)}
    executor = Executor("elsewhere:2", lambda: Processes(2, env=env, cwd=place))
    monkeypatch.setattr(match, "executor_for", lambda *_: executor)
    monkeypatch.setattr(works, "executor", executor, raising=False)
    monkeypatch.setattr(dispatch, "Files", Distant)
    yield place / "cache"


def played(**given: Any) -> list[dict[str, Any]]:
    games = Match(games=4, seed=1, **given)
    return [{**g, "seconds": 0} for g in sorted(games.run().played, key=lambda g: int(g["number"]))]


def test_what_a_match_needs_travels(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules with modules beside them, a player's file, a function that judges: from the working directory."""
    given = {
        "game": "rules/taking.py:Taking",
        "first": "rules/mine.py:Careful",
        "second": "alpha-beta:depth=2,gear=python,evaluation=rules/mine.py:judge",
    }
    there = played(**given)
    assert len(files.stored()) == 0  # nothing came to this process
    kept = {path.name: path.read_text() for path in away.rglob("trees/*/**/*.py")}
    assert set(kept) == {"taking.py", "taking_most.py", "__init__.py", "turns.py", "mine.py"}
    monkeypatch.setattr(match, "executor_for", lambda *_: match.read_executor("threads:1"))
    assert there == played(**given)


def test_machine_code_and_tables_travel(away: Path, tmp_path: Path) -> None:
    """The workers compile nothing: the module has the same name there, and with it the rules their digest."""
    spec = f"{RULES / 'taking.py'}:Taking"
    job = {"game": spec, "algorithm": "alpha-beta", "depth": 4, "gear": "native"}
    game = gambito.load(spec)
    place = tmp_path / "here" / "tables" / "taking-12345678"
    place.mkdir()
    (place / "one.table").write_bytes(b"1")
    (tmp_path / "away" / "taking-12345678").mkdir()
    (tmp_path / "away" / "taking-12345678" / "two.table").write_bytes(b"2")
    here = works.search_elsewhere(job)
    needed = [*files_of_game(spec), tables_to_send(game)]
    assert [n.main for n in needed] == ["taking.py", ""]
    there = [result for _, result in done(works.executor, works.search_elsewhere, [job] * 4, files=needed)]
    for found in there:
        assert found["folder"] == str(tmp_path / "away") and found["game"] == spec
        assert (found["value"], found["nodes"]) == (here["value"], here["nodes"])
        assert found["compiled"] == 0 and found["tables"] == ["taking-12345678/one.table"]
    assert any(away.rglob("*.so"))


def test_tables_travel_as_they_are_built(away: Path, tmp_path: Path) -> None:
    """A slice needs those below it, which were made meanwhile; ranges are verified there too."""
    spec = f"{RULES.parent.parent / 'endgames' / 'stairs.py'}:Stairs"
    names, here, there = gambito.load(spec).slice_names(6), tmp_path / "calm", tmp_path / "sent"
    for where, executor in ((here, read_executor("threads:1")), (there, works.executor)):
        list(Building(spec, names, where).run(executor))
    assert {path.name: path.read_bytes() for path in here.rglob("*.table")} == {
        path.name: path.read_bytes() for path in there.rglob("*.table")
    }
    assert any(away.rglob("trees/*/*.table"))
    verifying = Verifying(spec, names, there)
    list(verifying.run(works.executor))
    assert {verdict.wrong for verdict in verifying.verdicts.values()} == {None}


def test_a_book_grows_elsewhere(away: Path) -> None:
    spec, books = "rules/taking.py:Taking", []
    for executor in (read_executor("threads:1"), works.executor):
        with closing(Asking(spec, Limits(depth=2), algorithm="alpha-beta", executor=executor)) as ask:
            growth = Growth(game := gambito.load(spec), new_pages(game), ask)
            assert len(list(growth.grow(3))) == 3
            books.append(growth.kept().entries.tobytes())
    assert books[0] == books[1]


def receiving(needed: list[Needed]) -> files.Places:
    """What a worker does: ask for what it lacks, receive it."""
    sent = Files(needed)
    try:
        return receive(sent.named(), {})
    except Missing as lack:
        return receive(sent.named(), sent.contents(lack.args[0]))


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with rules, and an empty cache for what this process receives."""
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "used", {})
    for name in ("_bound", "module_names", "origins"):
        monkeypatch.setattr(files, name, {})
    monkeypatch.setattr("gambito.game.registry.module_names", files.module_names)
    shutil.copytree(RULES, tmp_path / "rules")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_paths_are_replaced_as_whole_words(alone: Path) -> None:
    (alone / "w.eval").write_bytes(b"weights")
    sent = Distant([Needed.file("w.eval", "w.eval")])
    with pytest.raises(Missing) as lack:
        receive(sent.named(), {})
    places = receive(sent.named(), sent.contents(lack.value.args[0]))
    local = places.paths["w.eval"]
    assert Path(local).read_bytes() == b"weights" and local.startswith(str(alone / "cache"))
    job = {"first": "engine:depth=4,evaluation=w.eval", "list": ["w.eval", "new.eval", 3], "x": "w.evals"}
    there = {
        "first": f"engine:depth=4,evaluation={local}",
        "list": [local, "new.eval", 3],
        "x": "w.evals",
    }
    assert places.local(job) == there and places.back(there) == job
    assert receive(sent.named(), {}).paths == places.paths  # the second time nothing lacks
    assert files.stored() and files.clear() == 1 and not (alone / "cache" / "jobs").exists()


def test_a_file_at_the_same_path_is_used_as_it_is(alone: Path) -> None:
    (alone / "w.eval").write_bytes(b"weights")
    assert receiving([Needed.file("w.eval", "w.eval")]).paths == {"w.eval": str(alone / "w.eval")}
    assert not files.stored()
    (alone / "w.eval").write_bytes(b"others!")  # a process may still know the first ones
    again = receiving([Needed.file("w.eval", "w.eval")]).paths["w.eval"]
    assert Path(again).read_bytes() == b"others!" and "trees" in again


def test_a_worker_of_long_life_meets_changed_rules(alone: Path) -> None:
    """The module keeps its name; what it was before is forgotten."""
    path = alone / "rules" / "taking.py"
    spec = f"{path}:Taking"
    for most in (3, 2, 3):
        (alone / "rules" / "taking_most.py").write_text(f"MOST = {most}\n")
        needed = rules_file(str(path))
        places = receiving([needed])
        game = gambito.load(places.local(spec))
        assert list(game.actions(game.initial())) == list(range(1, most + 1))
        assert type(game).__module__ == needed.modules["taking.py"] == module_of(path).__name__


def test_a_file_that_changes_meanwhile_is_refused(alone: Path) -> None:
    (alone / "w.eval").write_bytes(b"weights")
    sent = Distant([Needed.file("w.eval", "w.eval")])
    (alone / "w.eval").write_bytes(b"other weights")
    with pytest.raises(JobError, match=r"w\.eval has changed since the jobs began"):
        sent.contents(list(sent.paths))
    with pytest.raises(JobError, match="cannot be read"):
        Files([Needed.file("none", "none")])
    (alone / "cache").mkdir()
    (alone / "cache").chmod(0o777)
    with pytest.raises(JobError, match="files for jobs are not accepted: others may write to"):
        receive(sent.named(), {"0" * 64: b""})


def test_the_files_of_texts(alone: Path) -> None:
    for name in ("b.book", "w.eval", "m.json"):
        (alone / name).write_bytes(b"")
    text = "engine:depth=4,book=b.book,evaluation=w.eval,probcut_model=m.json"
    assert [n.text for n in files_of_player(text)] == ["b.book", "w.eval", "m.json"]
    assert [n.text for n in files_of_player("rules/mine.py:Careful")] == ["rules/mine.py"]
    assert [n.text for n in files_of_player("strongest:evaluation=rules/mine.py:judge")] == ["rules/mine.py"]
    assert files_of_player("random") == files_of_player("uci:stockfish") == files_of_game("othello") == []
    assert [n.text for n in files_of_game("othello:evaluation=w.eval")] == ["w.eval"]
    whole = files_of_game("rules/taking.py:Taking:heap=5")[0]
    assert whole.members == ("signs/__init__.py", "signs/turns.py", "taking.py", "taking_most.py")
    assert whole.modules["signs/turns.py"] == "signs.turns"
