"""Tables as jobs: the same bytes by any crew, whatever happens to it, and verdicts from ranges of numbers."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from gambito.endgames import graph
from gambito.endgames.builder import memory_of
from gambito.endgames.files import TableFile, write_table
from gambito.endgames.graph import Building, Verifying, build_table
from gambito.endgames.tables import TableSet, paths_of
from gambito.errors import EndgameError
from gambito.game.registry import load
from gambito.jobs import NO_JOB_YET, read_executor
from tests.support import child, is_running, wait_until

HERE, THREADS, TWO = map(read_executor, ("threads:1", "threads:3", "processes:2"))
RULES = Path(__file__).with_name("stairs.py")
STAIRS = f"{RULES}:Stairs"
SLOW = f"{STAIRS}:pause=0.001"
NAMES = ["a0", "b0", "a1", "b1", "a2", "b2"]


def files(game: str, where: Path) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in paths_of(load(game), where).items()}


def build(game: str, names: list[str], where: Path, executor=HERE, **given) -> dict[str, bytes]:
    list(Building(game, names, where, **given).run(executor))
    return files(game, where)


def workers_of(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for path in found for word in path.read_text().split()]


def test_one_process_at_a_time_builds_in_a_folder(tmp_path):
    pytest.importorskip("fcntl")
    building = Building(STAIRS, NAMES, tmp_path).run(HERE)
    next(building)
    with pytest.raises(EndgameError, match="tables of stairs are being built in"):
        build(STAIRS, NAMES, tmp_path)
    list(building)
    assert set(files(STAIRS, tmp_path)) == set(NAMES) == set(build(STAIRS, NAMES, tmp_path))


def test_a_slice_waits_for_those_below_and_for_memory(tmp_path, monkeypatch):
    building = Building("chess", ["KRK", "KPK", "KNK"], tmp_path)
    under_way: set[str] = set()

    def given_out(jobs):
        found = []
        while (job := next(jobs)) is not NO_JOB_YET:
            found.append(job["slice"])
        return found

    jobs = building._jobs(THREADS, under_way)
    first = given_out(jobs)
    assert set(first) == {"KNK", "KBK", "KRK", "KQK"} and first[0] != "KNK"  # KPK converts to the others too
    under_way -= {"KNK", "KBK", "KRK"}
    assert given_out(jobs) == []
    under_way.clear()
    assert next(jobs)["lower"].keys() == set(building.lower["KPK"])
    monkeypatch.setattr(graph, "room", lambda: 2 * building.memory["KRK"])
    under_way.clear()
    assert len(given_out(building._jobs(THREADS, under_way))) == 2
    monkeypatch.setattr(graph, "room", lambda: 0)  # one is always built; it refuses by itself
    under_way.clear()
    assert len(given_out(building._jobs(THREADS, under_way))) == 1


def test_every_crew_builds_the_same_bytes(tmp_path):
    """And bytes that are sent here are those that a worker would have written."""
    whole = build(STAIRS, NAMES, tmp_path / "here")
    assert list(whole) == sorted(NAMES)
    shelf = TableSet(load(STAIRS), tmp_path / "here")
    assert any(TableFile(shelf.path(name)).facts["wins"] for name in NAMES)
    assert build(STAIRS, ["b2"], tmp_path / "two", TWO) == {n: whole[n] for n in sorted({*NAMES} - {"a2"})}
    assert build(STAIRS, NAMES, tmp_path / "threads", THREADS) == whole
    lower = {name: str(shelf.path(name)) for name in ("a1", "b1")}
    job = {"game": STAIRS, "slice": "a2", "metric": "end", "threads": 1, "where": None, "lower": lower}
    assert build_table(job)["table"] == whole["a2"]


def test_a_dead_worker_changes_nothing(tmp_path):
    """Killed after the first table, in the middle of others."""
    whole, struck = build(SLOW, NAMES, tmp_path / "here"), []
    for name, _ in Building(SLOW, NAMES, tmp_path / "two").run(TWO):
        if not struck:
            struck = workers_of(os.getpid())[:1]
            os.kill(struck[0], signal.SIGKILL)
        assert name in NAMES
    assert files(SLOW, tmp_path / "two") == whole and struck


DRIVER = """
import sys
from pathlib import Path
from gambito.endgames.graph import Building
from gambito.jobs import read_executor
game, where, *names = sys.argv[1:]
list(Building(game, names, Path(where), between=0.0).run(read_executor("processes:2")))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "names"), [(SLOW, NAMES), ("chess", ["KRKR", "KBBK", "KPK"])], ids=["stairs", "chess"]
)
def test_a_dead_driver_changes_nothing(tmp_path, game, names):
    """The driver is killed three times when there is something new, and so are some of its workers."""
    whole, place = build(game, names, tmp_path / "calm"), TableSet(load(game), tmp_path / "harsh").place

    def there():
        return sorted((path.name, path.stat().st_mtime_ns) for path in place.glob("*.[tp]a*"))

    for strike in range(3):
        before, workers = there(), set()
        with child(sys.executable, "-c", DRIVER, game, str(tmp_path / "harsh"), *names) as driver:
            wait_until(lambda: driver.poll() is not None or there() != before)  # noqa: B023
            workers = set(workers_of(driver.pid))
            if strike and workers:
                os.kill(min(workers), signal.SIGKILL)
                before = there()
                wait_until(lambda: driver.poll() is not None or there() != before)  # noqa: B023
                workers |= set(workers_of(driver.pid))
        wait_until(lambda: not any(map(is_running, workers)))  # noqa: B023
    assert build(game, names, tmp_path / "harsh", read_executor("processes:3"), between=0.0) == whole
    assert {path.suffix for path in place.iterdir()} == {".table"}


def spoil(shelf: TableSet, name: str, numbers: list[int]) -> None:
    table = TableFile(shelf.path(name)).read()
    table.values[numbers] += 2
    write_table(shelf.path(name), shelf.game.label(), shelf.open(name).facts["rules"], table)


def test_ranges_give_the_verdict_of_the_whole(tmp_path, monkeypatch):
    build(STAIRS, NAMES, tmp_path)
    shelf = TableSet(load(STAIRS), tmp_path)

    def verdicts(executor, each):
        monkeypatch.setattr(graph, "RANGE", each)
        verifying = Verifying(STAIRS, NAMES, tmp_path)
        seen = sum(count for _, count in verifying.run(executor))
        assert seen == verifying.size == 6 * 14
        return {name: (found.real, found.wrong) for name, found in verifying.verdicts.items()}

    assert set(verdicts(TWO, 3).values()) == {(14, None)}
    spoil(shelf, "b2", [9, 4, 13])
    spoil(shelf, "a2", [0])
    found = verdicts(HERE, 1 << 20)
    assert found["b2"][1] is not None and found["a2"] == (14, 0) and found["a1"] == (14, None)
    for each in (1, 5):
        assert verdicts(read_executor("threads:2"), each) == found
    shelf.path("a1").unlink()
    with pytest.raises(EndgameError, match=r"a1\.table cannot be read"):
        Verifying(STAIRS, ["b2"], tmp_path)


def test_as_many_verify_as_fit_into_memory(tmp_path, monkeypatch):
    build(STAIRS, NAMES, tmp_path)
    workers = []
    monkeypatch.setattr(graph, "room", lambda: 3 * memory_of(14, 28))
    executor = read_executor("threads:7")
    list(Verifying(STAIRS, NAMES, tmp_path).run(executor, lambda news: workers.append(news.workers)))
    assert set(workers) == {3}


@pytest.mark.slow
def test_chess_of_three_men_by_every_crew(tmp_path, monkeypatch):
    names = load("chess").slice_names(3)
    whole = build("chess", names, tmp_path / "1")
    for count in (2, 3):
        assert build("chess", names, tmp_path / f"{count}", read_executor(f"processes:{count}")) == whole
    monkeypatch.setattr(graph, "RANGE", 1 << 14)
    spoil(TableSet(load("chess"), tmp_path / "2"), "KRK", [40000])
    found = []
    for executor in (HERE, TWO):
        verifying = Verifying("chess", names, tmp_path / "2")
        list(verifying.run(executor))
        found.append({name: (v.real, v.wrong) for name, v in verifying.verdicts.items()})
    assert found[0] == found[1] and found[0]["KRK"][1] and found[0]["KQK"] == (46137, None)
