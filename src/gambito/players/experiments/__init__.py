"""Experiments: many searches, or a tournament, from one small file, on all cores, resumed if interrupted."""

from gambito.players.experiments.experiment_plan import ExperimentPlan, TournamentPlan, read_plan
from gambito.players.experiments.running import experiment
from gambito.players.experiments.tournament import Tournament

__all__ = ["ExperimentPlan", "Tournament", "TournamentPlan", "experiment", "read_plan"]
