"""Exported games: WebAssembly in Node beside the same module as machine code for x86-64-v2.

Both visit the same nodes. Needs Node.js.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from report import Requirement, text_table

import gambito
from gambito.exports.files import written
from gambito.exports.module import export_game

sys.path.insert(0, str(Path(__file__).parent.parent))  # tests
from tests.exports.hosts import Here

ROUNDS, REPEATS = 2, 4  # turns of both, and searches in a turn; the best counts
GAMES = {  # by game: algorithms, each with its nodes
    "connect-four": {"engine": 600_000, "alpha-beta": 6_000_000},
    "othello": {"engine": 250_000, "alpha-beta": 800_000},
    "chess": {"engine": 100_000, "alpha-beta": 200_000},
    "checkers": {"engine": 200_000},
    "breakthrough": {"engine": 300_000},
    "nine-mens-morris": {"engine": 200_000},
    "kalah": {"engine": 300_000},
    "dots-and-boxes": {"engine": 300_000},
    "gomoku": {"engine": 60_000},
    "backgammon": {"star2": 20_000},
    "hex": {"mcts": 4_000},
    "go:size=9": {"mcts": 1_500},
}
LEAST, MEAN = 0.45, 0.6  # of the speed of machine code: of each search, and their geometric mean
SCRIPT = """
const { load } = await import(process.argv[1]);
const game = await load();
const { opening, searches, repeats } = JSON.parse(process.argv[2]);
const position = opening.reduce((now, action) => game.play(now, action), game.start());
const best = searches.map((limits) => {
  let [most, nodes] = [0, 0];
  for (let turn = 0; turn < repeats; turn++) {
    const before = process.cpuUsage();
    nodes = game.searchNow(position, { ...limits, forget: true }).nodes;
    const { user, system } = process.cpuUsage(before);
    most = Math.max(most, (1e6 * nodes) / (user + system));
  }
  return [most, nodes];
});
console.log(JSON.stringify(best));
"""


def run(args: Any) -> list[Requirement]:
    if shutil.which("node") is None:
        print("Node.js is not installed")
        return []
    rows, ratios = [], dict[str, float]()
    for name, searches in GAMES.items():
        for algorithm, (there, here) in _measure(name, searches).items():
            ratio = ratios[f"{name}, {algorithm}"] = there / here
            rows.append([name, algorithm, f"{there:,.0f}", f"{here:,.0f}", f"{ratio:.2f}"])
    print(text_table(["game", "algorithm", "nodes/s, WebAssembly", "x86-64-v2", "ratio"], rows))
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    least = min(ratios, key=lambda name: ratios[name])
    return [
        Requirement("WebAssembly over x86-64-v2, geometric mean", mean, least=MEAN),
        Requirement(f"the slowest: {least}", ratios[least], least=LEAST),
    ]


def _measure(name: str, searches: dict[str, int]) -> dict[str, tuple[float, float]]:
    """The best nodes per second of each algorithm, as WebAssembly and as machine code, by processor time."""
    game = gambito.load(name)
    made = export_game(game, searches)
    here, state, opening = Here(made), game.initial(), list[int]()
    while game.player(state) < 0:  # dice
        opening.append(int(next(iter(game.chances(state)))[0]))
        state = game.result(state, opening[-1])
    best = dict.fromkeys(searches, (0.0, 0.0))
    with tempfile.TemporaryDirectory() as folder:
        for file, body in written(made).items():
            (Path(folder) / file).write_bytes(body)
        listed = [{"algorithm": algorithm, "nodes": nodes} for algorithm, nodes in searches.items()]
        asked = json.dumps({"opening": opening, "searches": listed, "repeats": REPEATS})
        place = (Path(folder) / "game.js").as_uri()
        for _ in range(ROUNDS):
            command = ["node", "--input-type=module", "-e", SCRIPT, place, asked]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            for (algorithm, limit), (speed, nodes) in zip(
                searches.items(), json.loads(done.stdout), strict=True
            ):
                for _ in range(REPEATS):
                    began = time.process_time()
                    found = here.search(state, algorithm, nodes=limit)
                    own = found["nodes"] / (time.process_time() - began)
                    assert found["nodes"] == nodes
                    best[algorithm] = (max(best[algorithm][0], speed), max(best[algorithm][1], own))
    return best
