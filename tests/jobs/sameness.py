"""What a crew makes of the same jobs: `python -m tests.jobs.sameness CREW FOLDER` prints digests."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import gambito
from gambito.books.asking import Asking
from gambito.books.book import new_pages
from gambito.books.growth import Growth
from gambito.endgames.graph import Building, Verifying
from gambito.jobs import read_executor
from gambito.learn.train import FitTraining, read_recipe
from gambito.players.ablation import ablate
from gambito.players.match import Match
from gambito.search.limits import Limits
from tests.learn.small import SPEC

STAIRS = f"{Path(__file__).parents[1] / 'endgames' / 'stairs.py'}:Stairs"
SLICES = ["a0", "b0", "a1", "b1", "a2", "b2"]


def match(executor: str, folder: Path) -> bytes:
    match = Match("tic-tac-toe", "alpha-beta:depth=3", "greedy:seed=1", 20, seed=4, cluster=executor)
    games = [{**game, "seconds": 0} for game in match.run().played]
    return json.dumps(sorted(games, key=lambda game: int(game["number"]))).encode()


def training(executor: str, folder: Path) -> bytes:
    recipe = read_recipe(gambito.load(SPEC), games=150, epochs=2)
    FitTraining(SPEC, folder, recipe, 4, cluster=executor).run(folder / "it.eval")
    chunks = [path.read_bytes() for path in sorted(folder.rglob("games-*.npz"))]
    assert chunks
    return b"".join([*chunks, (folder / "it.eval").read_bytes()])


def slices(executor: str, folder: Path) -> bytes:
    building = Building(STAIRS, SLICES, folder)
    list(building.run(read_executor(executor)))
    verifying = Verifying(STAIRS, SLICES, folder)
    list(verifying.run(read_executor(executor)))
    assert all(verdict.wrong is None for verdict in verifying.verdicts.values())
    return b"".join(building.shelf.path(name).read_bytes() for name in SLICES)


def book(executor: str, folder: Path) -> bytes:
    game = gambito.load("tic-tac-toe")
    with closing(Asking(game, Limits(nodes=300), executor=read_executor(executor))) as ask:
        growth = Growth(game, new_pages(game), ask, together=3)
        for _ in growth.grow(12):
            pass
    return bytes(growth.kept().entries.tobytes())


def ablation(executor: str, folder: Path) -> bytes:
    *_, last = ablate("tic-tac-toe", games=2, nodes=100, depth=4, cluster=executor)
    data = last.as_dict()
    for row in (data, *data["techniques"]):
        row.pop("seconds")
        row.pop("time_ratio", None)
    return json.dumps(data).encode()


KINDS: tuple[Callable[[str, Path], bytes], ...] = (match, training, slices, book, ablation)


def main(executor: str, folder: str) -> None:
    found = {}
    for kind in KINDS:
        place = Path(folder) / kind.__name__
        place.mkdir(parents=True)
        found[kind.__name__] = hashlib.sha256(kind(executor, place)).hexdigest()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
