"""Any game as an environment of PettingZoo, in which the agents act in turn (AEC)."""

from __future__ import annotations

from typing import Any

from gambito.adapters.environment import EpisodeState
from gambito.adapters.peers import peer
from gambito.errors import GameError
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load

EXTRA = "gymnasium"  # with which PettingZoo is installed
RENDER = "ansi"  # the way of rendering: as text


def env(game: Any, most_plies: int | None = None, render_mode: str | None = None) -> Any:
    """A game as an environment: `env("connect-four")`. The agents are `player_0`, `player_1` …

    most_plies    a longer game is cut off; by default the longest that the rules allow, or 1000
    render_mode   "ansi": `render` returns the board as text
    """
    own = load(game)
    if isinstance(own, Puzzle):
        raise GameError("{} is a puzzle; use gambito.adapters.gymnasium", own.label())
    base = peer("pettingzoo", "PettingZoo", EXTRA).AECEnv

    class GambitoEnv(base):  # type: ignore[misc, valid-type]
        """A game of Gambito."""

        def __init__(self) -> None:
            super().__init__()
            self.metadata = {"name": own.label(), "render_modes": [RENDER], "is_parallelizable": False}
            self.render_mode = render_mode
            self.course = EpisodeState(own, most_plies)
            seen, acts = self.course.spaces()
            self.possible_agents = [f"player_{seat}" for seat in range(own.players)]
            self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
            self.action_spaces = dict.fromkeys(self.possible_agents, acts)

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            self.course.restart(seed)
            self.agents = list(self.possible_agents)
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self.agent_selection = self.agents[0 if self.course.is_over else self.course.mover]

        def step(self, action: int | None) -> None:
            agent, course = self.agent_selection, self.course
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            if action is None:
                raise GameError("{} is to move, so an action is needed", agent)
            self._cumulative_rewards[agent] = 0.0
            course.play(int(action))
            self._clear_rewards()
            if course.is_over:
                returns = course.returns()
                self.rewards = {name: returns[int(name[7:])] for name in self.agents}
                ended = self.truncations if course.is_cut else self.terminations
                ended.update(dict.fromkeys(self.agents, True))
                if course.fault is not None:
                    self.infos[agent] = {"illegal": int(action)}
                self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
            else:
                self.agent_selection = self.possible_agents[course.mover]
            self._accumulate_rewards()

        def observe(self, agent: str) -> dict[str, Any]:
            return self.course.observe(self.possible_agents.index(agent))

        def render(self) -> str | None:
            return own.show(self.course.position.state) if self.render_mode == RENDER else None

        def close(self) -> None:
            """Do nothing: the environment holds nothing."""

    return GambitoEnv()
