"""One seat of a table as gymnasium has it: the others are played by bots."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from apnap.arena.bots import Sitting, maker
from apnap.rl.env import Observation, RawEnv
from apnap.search.policy import Policy

Bot: TypeAlias = Callable[[Observation, random.Random], int]
"""Plays another seat: what that seat knows, and chance, to a number that its mask allows."""


def drawn(observation: Observation, chance: random.Random) -> int:
    """Any number that is allowed, as `random` plays."""
    allowed = observation["action_mask"].nonzero()[0]
    return int(allowed[chance.randrange(len(allowed))])


class OneSeat(gymnasium.Env[Observation, int]):
    """`seat` of a table of `seats`; `bots` play the others, in turn from the left, all by `drawn` if none are given: functions, or names
    of bots as `apnap arena` knows them, `simple` or `search 50 ms`. For the other options see `RawEnv`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"]}

    def __init__(self, seats: int = 2, *, seat: int = 0, bots: Sequence[Bot | str] = (), **options: Any) -> None:
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat}")
        if bots and len(bots) != seats - 1:
            raise ValueError(f"{len(bots)} bots are not for {seats - 1} other seats")
        self._table = RawEnv(seats, **options)
        self.render_mode = self._table.render_mode
        self._agent = self._table.possible_agents[seat]
        others = (self._table.possible_agents[(seat + n) % seats] for n in range(1, seats))
        self._bots = dict(zip(others, bots or (drawn,) * (seats - 1), strict=True))
        self._sitting: dict[str, Sitting] = {}
        self._policy = Policy()
        self._chance = random.Random()
        self.observation_space: Any = self._table.observation_space(self._agent)
        self.action_space: Any = self._table.action_space(self._agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game, played until the seat is asked. Raises `apnap.arena.bots.UnknownBot`."""
        super().reset(seed=seed)
        if seed is not None:
            self._chance = random.Random(f"bots {seed}")
        self._table.reset(seed=seed, options=options)
        self._policy.anew()
        self._sitting = {
            agent: Sitting(maker(bot)(self._chance.getrandbits(32)), self._table.decks)
            for agent, bot in self._bots.items()
            if isinstance(bot, str)
        }
        self._play_on()
        return self._told(), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take a number, and let the others play until the seat is asked again. Raises ValueError for one that is not allowed."""
        self._table.step(int(action))
        self._play_on()
        table, me = self._table, self._agent
        return self._told(), table.rewards[me], table.terminations[me], table.truncations[me], {}

    def _play_on(self) -> None:
        table = self._table
        while not (table.agent_selection == self._agent or self._over()):
            agent = table.agent_selection
            bot = self._bots[agent]
            if isinstance(bot, str):
                self._answer(self._sitting[agent])
            else:
                table.step(bot(table.observe(agent), self._chance))

    def _answer(self, sitting: Sitting) -> None:
        """What is asked of a bot that answers whole questions."""
        game = self._table.game
        assert game.pending is not None
        self._table.answer(sitting.answer(game, game.pending, self._policy))

    def _told(self) -> Observation:
        """What the seat knows now, in arrays that are the caller's own, as gymnasium has it."""
        told = self._table.observe(self._agent)
        seen = {name: array.copy() for name, array in told["observation"].items()}
        return {"observation": seen, "action_mask": told["action_mask"].copy()}

    def _over(self) -> bool:
        return self._table.terminations[self._agent] or self._table.truncations[self._agent]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers are allowed now, as learners with masks ask for it."""
        return self._table.observe(self._agent)["action_mask"].astype(bool)

    def render(self) -> Any:
        """See `RawEnv.render`."""
        return self._table.render()
