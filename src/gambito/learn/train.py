"""Train from self-play: rounds of games, a fit after each round, and a gate.

The games of a round are played with the weights of the previous round, those of the first round with the
game's hand-made evaluation. The new weights must then win a match against the previous ones. The match has a
fixed number of nodes per move, so that the same seed gives the same file on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.files import BLANK, BLANK_NETWORK, HAND, SUFFIX
from gambito.evaluate.patterns import Patterns
from gambito.game.contract import Game
from gambito.game.registry import respell
from gambito.jobs import choose_executor
from gambito.learn.base import Progress, Tell, Training
from gambito.learn.checkpoints import file_sum, read_facts, save_facts
from gambito.learn.fit import Fit, FitProgress, Fitting, gather, read_examples
from gambito.learn.labelled import read_labelled
from gambito.learn.self_play import Chunk, SelfPlayPlan, generate, read_chunk
from gambito.learn.stages import StagedFit
from gambito.learn.td_leaf import METHODS, Play, TDLeafTrainer
from gambito.learn.wide_fit import WideFit, WideFitting, choose_device
from gambito.native.files import put_file
from gambito.players.match import Match
from gambito.players.rating import Sprt, Tally
from gambito.players.standing import Standing
from gambito.words import count, say

GATE, BLOCK = (0.0, 30.0), 40  # the Elo hypotheses of the gate, and the games between two tests
MARK = 16  # hexadecimal digits of the checksum that identifies a file of positions: 64 bits


@dataclass(frozen=True)
class FitRecipe:
    """The settings of the training of an evaluation."""

    plans: tuple[SelfPlayPlan, ...]  # the games of each round
    fitting: Fitting | WideFitting = field(default_factory=Fitting)
    method: str = "fit"  # or a method of `leaf`, with the games of `play`
    play: Play = field(default_factory=Play)
    begin: str = HAND  # the evaluation of the first games: hand, blank or learned
    labelled: str = ""  # the checksum of positions with known values, which replace games
    gate: int = 0  # games of the match after each round; 0: no match
    nodes: int = 2000  # for each move of that match


def read_recipe(game: Game, **said: Any) -> FitRecipe:
    """Return the game's recipe with the given changes."""
    if game.form is None:
        raise EvaluationError("{} has no evaluation that can be trained", game.label())
    own = dict(game.network_recipe if game.is_wide else game.recipe)
    plans = [SelfPlayPlan(**plan) for plan in own.pop("plans", ({},))]
    kind: type[Any] = WideFitting if game.is_wide else Fitting
    fitting, play = kind(**own.pop("fitting", {})), Play(**own.pop("play", {}))
    given = {name: value for name, value in said.items() if value is not None}
    if "rounds" in given:
        rounds = given.pop("rounds")
        plans = [plans[min(number, len(plans) - 1)] for number in range(rounds)]
    for name in ("games", "depth"):
        if name in given:
            value = given.pop(name)
            plans = [replace(plan, **{name: value}) for plan in plans]
            play = replace(play, **{name: value})
    if "epochs" in given:
        fitting = replace(fitting, epochs=given.pop("epochs"))
    if "device" in given:
        device = given.pop("device")
        fitting = replace(fitting, device=choose_device(device)) if game.is_wide else fitting
    recipe = FitRecipe(tuple(plans), fitting, play=play, **{**own, **given})
    if recipe.method not in ("fit", *METHODS):
        raise EvaluationError("method must be fit, {}, not {}", ", ".join(METHODS), recipe.method)
    if recipe.method in METHODS and not hasattr(game.form, "unit"):
        raise EvaluationError("{} is for patterns and linear sums, not for {}", recipe.method, game.form.name)
    return recipe


class FitTraining(Training):
    """The training of a sum of weights: rounds of games, a fit, and a gate."""

    def __init__(
        self,
        spec: str,
        folder: Path,
        recipe: FitRecipe,
        seed: int = 0,
        jobs: int | None = None,
        positions: Path | None = None,
        cluster: str | None = None,
    ) -> None:
        if positions is not None:
            mark = hashlib.sha256(positions.read_bytes()).hexdigest()[:MARK]
            fitting = replace(recipe.fitting, results=0.0)
            recipe = replace(recipe, labelled=mark, plans=recipe.plans[:1], fitting=fitting)
        self.positions, self.tell = positions, None  # type: Path | None, Tell | None
        super().__init__(spec, folder, recipe, seed, jobs, cluster)

    def _train(self, output: Path, progress: Progress | None, tell: Tell | None) -> dict[str, Any]:
        self.tell = tell
        best, told = self.recipe.begin, []
        for number in range(len(self.recipe.plans)):
            fresh = self._round(number, best, progress or _silent)
            passed = self._gate(number, fresh, best, progress or _silent)
            told.append({"held": fresh["held"], "positions": fresh["positions"], "passed": passed})
            if passed:
                best = fresh["path"]
        if best == self.recipe.begin:
            raise EvaluationError("no round of {} passed its gate", self.folder)
        return self._write(output, self.game.judged_by(str(best)), {"rounds": told, **asdict(self.recipe)})

    def told(self, trained: dict[str, Any]) -> str:
        last = trained["rounds"][-1]
        counted = count(last["positions"], "position" if last["held"] else "game")
        told = say("the last round: {}", counted)
        return told + (say(", error {:.5g}", last["held"]) if last["held"] else "")

    def _round(self, number: int, best: Any, progress: Progress) -> dict[str, Any]:
        """Play and fit, and write the weights of the round to a file."""
        path, about = self.folder / f"round-{number}{SUFFIX}", self.folder / f"round-{number}.json"
        held = read_facts(about)
        if held is not None and held[1] == self.mark and held[0].get("file") == file_sum(path):
            return {**held[0], "path": str(path)}
        if self.recipe.method in METHODS:
            facts = self._learn(number, path, best, progress)
        else:
            label = respell(self.spec, str(best))
            plan, place = self.recipe.plans[number], self.folder / f"games-{number}"

            def count(done: int, total: int) -> None:
                progress(say("round {}: games", number + 1), done * plan.chunk, total * plan.chunk, "")

            blank: Any = self.game.judged_by(BLANK_NETWORK if self.game.is_wide else BLANK)
            chunks: Iterable[Chunk]
            if self.positions is not None:
                chunks = [read_labelled(blank, self.positions)]
            else:
                seed, executor = self.seed + number, (self.cluster, self.tell)
                games = generate(label, plan, place, seed, self.jobs, count, self.mark, *executor)
                chunks = map(read_chunk, games)
            fit = self._new_fit(blank, chunks, best)
            fit.mark = self.mark

            def tell(course: FitProgress) -> None:
                news = say("held back {:.5g}, best {:.5g}", course.held[-1], course.best)
                progress(say("round {}: fit", number + 1), *fit.advance, news)

            weights = fit.run(self.folder / f"fit-{number}.npz", tell)
            blank.form.install(blank, weights)
            self._write(path, blank, {"round": number})
            put_file(self.folder / f"fit-{number}.svg", [draw_course(self.label, fit.course).encode()])
            facts = {"held": fit.course.best, "positions": len(fit)}
        save_facts(about, {**facts, "file": file_sum(path)}, self.mark)
        return {**facts, "path": str(path)}

    def _new_fit(self, blank: Any, chunks: Iterable[Chunk], best: Any) -> Fit | StagedFit | WideFit:
        """The fit of the game's form to positions of games that the evaluation `best` played."""
        fitting = self.recipe.fitting
        if isinstance(fitting, WideFitting):
            player: Any = self.game.judged_by(str(best)) if fitting.continues else blank
            is_same = fitting.continues and player.form.description == blank.form.description
            begin = player.form.learned(player.weights.array) if is_same else None
            return WideFit(blank, chunks, fitting, self.seed, begin)
        positions = gather(chunks)
        if isinstance(blank.form, Patterns) and blank.form.stages > 1:
            return StagedFit(blank, positions, fitting, self.seed, self.jobs)
        examples = read_examples(blank, positions, fitting)
        begin = blank.form.begin(self.game) if hasattr(blank.form, "begin") else np.zeros(blank.form.size)
        return Fit(blank, examples, fitting, self.seed, begin)

    def _learn(self, number: int, path: Path, best: Any, progress: Progress) -> dict[str, Any]:
        """Play and learn from each move; return the facts of the round."""
        label, play = respell(self.spec, BLANK if best == HAND else str(best)), self.recipe.play
        seed, executor = self.seed + number, (self.jobs, self.cluster)
        apprentice, total = TDLeafTrainer(label, self.recipe.method, play, seed, *executor), play.games

        def tell(done: int) -> None:
            progress(say("round {}: games", number + 1), done, total, "")

        apprentice.mark = self.mark
        apprentice.run(self.folder / f"learned-{number}.npz", tell, self.tell)
        self._write(path, apprentice.game, {})
        return {"held": 0.0, "positions": total}

    def _gate(self, number: int, fresh: dict[str, Any], best: Any, progress: Progress) -> bool:
        """Return whether the new weights beat the previous ones, in a sequential test after every block."""
        if not self.recipe.gate:
            return True
        new, old = (f"engine:nodes={self.recipe.nodes},evaluation={one}" for one in (fresh["path"], best))
        games, executor = -(-self.recipe.gate // BLOCK) * BLOCK, choose_executor(self.jobs, self.cluster)
        path, test = self.folder / f"gate-{number}.jsonl", BlockTest(*GATE)
        contest = Match(
            self.spec, new, old, games=games, seed=self.seed, sprt=test, path=path, cluster=executor.text
        )

        def look(standing: Standing) -> None:
            progress(say("round {}: gate", number + 1), len(standing.done), games, "")

        standing = contest.run(look, self.tell)
        if standing.verdict:
            return standing.verdict == "elo1"
        rating = standing.tally.rating()
        return rating is not None and rating.elo > 0


class BlockTest(Sprt):
    """A sequential test that looks at the results after whole blocks only."""

    def verdict(self, tally: Tally) -> str:
        return "" if tally.games % BLOCK else super().verdict(tally)


def _silent(what: str, done: int, total: int, news: str) -> None:
    """Ignore the progress."""


def draw_course(label: str, course: FitProgress) -> str:
    """Draw the errors of a fit over the epochs."""
    from gambito.draw.chart import Line, draw_chart  # not needed by most commands

    epochs = range(1, len(course.held) + 1)
    lines = [
        Line("fitted", list(zip(epochs, course.fitted, strict=True)), 1),
        Line(say("held back"), list(zip(epochs, course.held, strict=True)), 2),
    ]
    return draw_chart(
        say("Fitting {}", label), say("Mean squared error"), say("epoch"), say("error"), lines, kind="plain"
    )
