"""Running an experiment: its searches are jobs, done on all cores or on a cluster, and their table."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gambito.version
from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import load_kept
from gambito.game.remote_files import files_of_game
from gambito.jobs import Executor, JobProgress, choose_executor, done
from gambito.jobs.files import Needed
from gambito.players.experiments.experiment_plan import Cell, ExperimentPlan, TournamentPlan, read_plan
from gambito.players.experiments.table import ResultTable, key_of
from gambito.players.experiments.tournament import Tournament
from gambito.players.player import Engine
from gambito.players.player_text import read_player
from gambito.players.remote_files import files_of_player
from gambito.search.algorithm import find
from gambito.search.api import search
from gambito.search.chooser import strongest

SHARED = 4  # searches for each code: if there are as many, it is compiled once, before the workers begin


def experiment(
    file: Any = None,
    *,
    output: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], Any] | None = None,
    tell: Callable[[JobProgress], Any] | None = None,
    **plan: Any,
) -> list[dict[str, Any]]:
    """Run an experiment and return its rows, one dictionary for each search, as a data frame takes them.

    file      `FILE.toml`, or `FILE.py` with a dictionary `experiment`; or give its words: `algorithms=[…]`
    output    the CSV file that keeps the rows; an experiment that was interrupted continues from it
    jobs      searches at the same time, each in a process; by default one for each core
    cluster   does them instead: processes:N, ray:HOST:PORT, dask:HOST:PORT
    progress  is called with the searches that are done, and how many there are
    tell      is called with the news of the workers

    Of a tournament (`players=[…]`) the rows are the pairs of players, and `output` keeps the games.
    """
    if (file is None) == (not plan):
        raise PlayerError("give an experiment as a file, or its words: algorithms, game, depth …")
    read = read_plan(plan if file is None else file)
    if isinstance(read, TournamentPlan):
        tournament = Tournament(read, output, jobs, cluster)
        tournament.run(lambda: progress and progress(tournament.done, tournament.wanted), tell)
        return tournament.rows()
    with ResultTable(output) as table:
        return list(run_plan(read, table, choose_executor(jobs, cluster), progress, tell))


def run_plan(
    plan: ExperimentPlan,
    table: ResultTable,
    executor: Executor,
    progress: Callable[[int, int], Any] | None = None,
    tell: Callable[[JobProgress], Any] | None = None,
) -> Iterator[dict[str, Any]]:
    """Do the searches that the table does not have, and give the rows of the plan in its order."""
    cells = list(dict.fromkeys(plan.cells()))
    missing = [cell for cell in cells if table.row(cell) is None]
    count = len(cells) - len(missing)
    if any(cell.seconds is not None for cell in missing):
        executor.warn_of_time()
    jobs = _prepared(missing, executor)
    work = search_job
    with contextlib.closing(done(executor, work, jobs, tell, weigh=None, files=_files)) as results:
        for job, found in results:
            table.add({**key_of(Cell(**job)), **found})
            count += 1
            if progress is not None:
                progress(count, len(cells))
    table.sort(cells)
    for cell in cells:
        row = table.row(cell)
        assert row is not None
        yield row


def _prepared(cells: list[Cell], executor: Executor) -> Iterator[dict[str, Any]]:
    """The searches as jobs. Code that many of them share is compiled first, once, and the workers find it."""
    codes = dict.fromkeys((cell.game, cell.algorithm, cell.options) for cell in cells)
    if not executor.is_here and len(codes) * SHARED <= len(cells):
        for game, algorithm, options in codes:
            _prepare(game, algorithm, options)
    for cell in cells:
        yield asdict(cell)


def _files(job: dict[str, Any]) -> list[Needed]:
    return [*files_of_game(job["game"]), *files_of_player(job["algorithm"])]


@functools.lru_cache(64)
def _prepare(game: str, algorithm: str, options: str) -> None:
    """Compile or load what a search needs: the time of the search does not count that."""
    _search(Cell(game, "", algorithm, options, None, 0, None, 1, None))


def search_job(job: dict[str, Any]) -> dict[str, Any]:
    """Do one search; return the columns of its result."""
    cell = Cell(**job)
    found = _search(cell)
    return {
        "gear": found.gear,
        "action": "" if found.action is None else found.game.write(found.state, found.action),
        "value": _plain(found.value),
        "exact": bool(found.exact),
        "depth": int(found.depth),
        "nodes": int(found.nodes),
        "leaves": int(found.evaluations),
        "seconds": float(found.seconds),
        "compile_seconds": float(found.compile_seconds),
        "version": gambito.version.__version__,
    }


def _search(cell: Cell) -> Any:
    player, game = read_player(cell.algorithm), load_kept(cell.game)
    assert isinstance(player, Engine)
    limits = {**player.limits.given(), **_limits(cell)}
    options = {**player.options, **cell.given_options()}
    if cell.seed is not None and _takes_seed(player, game):
        options["seed"] = cell.seed
    return search(
        game,
        cell.position or None,
        player.algorithm,
        gear=player.gear,
        threads=player.threads,
        evaluate=player.evaluation or None,
        **limits,
        **options,
    )


def _limits(cell: Cell) -> dict[str, Any]:
    given = {"depth": cell.depth, "nodes": cell.nodes, "seconds": cell.seconds}
    return {name: limit for name, limit in given.items() if limit is not None}


def _takes_seed(player: Engine, game: Game) -> bool:
    chosen = find(player.algorithm or strongest(game))
    return any(option.name == "seed" for option in chosen.every_option())


def _plain(value: Any) -> int | float | None:
    if value is None:
        return None
    return float(value) if isinstance(value, float) else int(value)
