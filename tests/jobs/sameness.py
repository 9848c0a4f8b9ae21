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
from gambito.jobs import read_crew
from gambito.learn.train import FitTraining, read_recipe
from gambito.players.ablation import ablate
from gambito.players.contest import Contest
from gambito.search.limits import Limits
from tests.learn.small import SPEC

STAIRS = f"{Path(__file__).parents[1] / 'endgames' / 'stairs.py'}:Stairs"
SLICES = ["a0", "b0", "a1", "b1", "a2", "b2"]


def match(crew: str, folder: Path) -> bytes:
    contest = Contest("tic-tac-toe", "alpha-beta:depth=3", "greedy:seed=1", 20, seed=4, cluster=crew)
    games = [{**game, "seconds": 0} for game in contest.run().played]
    return json.dumps(sorted(games, key=lambda game: int(game["number"]))).encode()


def training(crew: str, folder: Path) -> bytes:
    recipe = read_recipe(gambito.load(SPEC), games=150, epochs=2)
    FitTraining(SPEC, folder, recipe, 4, cluster=crew).run(folder / "it.eval")
    chunks = [path.read_bytes() for path in sorted(folder.rglob("games-*.npz"))]
    assert chunks
    return b"".join([*chunks, (folder / "it.eval").read_bytes()])


def slices(crew: str, folder: Path) -> bytes:
    building = Building(STAIRS, SLICES, folder)
    list(building.run(read_crew(crew)))
    verifying = Verifying(STAIRS, SLICES, folder)
    list(verifying.run(read_crew(crew)))
    assert all(verdict.wrong is None for verdict in verifying.verdicts.values())
    return b"".join(building.shelf.path(name).read_bytes() for name in SLICES)


def book(crew: str, folder: Path) -> bytes:
    game = gambito.load("tic-tac-toe")
    with closing(Asking(game, Limits(nodes=300), crew=read_crew(crew))) as ask:
        growth = Growth(game, new_pages(game), ask, together=3)
        for _ in growth.grow(12):
            pass
    return bytes(growth.kept().entries.tobytes())


def ablation(crew: str, folder: Path) -> bytes:
    *_, last = ablate("tic-tac-toe", games=2, nodes=100, depth=4, cluster=crew)
    data = last.as_dict()
    for row in (data, *data["techniques"]):
        row.pop("seconds")
        row.pop("time_ratio", None)
    return json.dumps(data).encode()


KINDS: tuple[Callable[[str, Path], bytes], ...] = (match, training, slices, book, ablation)


def main(crew: str, folder: str) -> None:
    found = {}
    for kind in KINDS:
        place = Path(folder) / kind.__name__
        place.mkdir(parents=True)
        found[kind.__name__] = hashlib.sha256(kind(crew, place)).hexdigest()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
