"""Experiments: many searches, or a tournament, from one small file, on all cores, resumed if interrupted."""

from gambito.players.experiments.plan import Plan, Tourney, read_plan
from gambito.players.experiments.running import experiment
from gambito.players.experiments.tournament import Tournament

__all__ = ["Plan", "Tournament", "Tourney", "experiment", "read_plan"]
