"""The environment for learning, by PettingZoo's interface for agents in turn (`AECEnv`).

    from apnap.rl import apnap_v0
    env = apnap_v0.env(seats=4)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

See `docs/learning.md`.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils import wrappers  # pyright: ignore[reportMissingTypeStubs]

from apnap.rl.env import RawEnv

__all__ = ["RawEnv", "env", "raw_env"]


def raw_env(seats: int = 2, **options: Any) -> RawEnv:
    """The environment itself. A number that is not allowed raises ValueError. For the options see `RawEnv`."""
    return RawEnv(seats, **options)


class _Straight:
    """What the wrappers look up at each step, from the environment itself instead of through each other."""

    env: Any
    possible_agents: list[str]

    def __init__(self, env: Any, *more: Any) -> None:
        super().__init__(env, *more)  # pyright: ignore[reportCallIssue]
        self._raw: RawEnv = env.unwrapped

    agents: Any = property(lambda self: self._raw.agents)
    agent_selection: Any = property(lambda self: self._raw.agent_selection)
    rewards: Any = property(lambda self: self._raw.rewards)
    terminations: Any = property(lambda self: self._raw.terminations)
    truncations: Any = property(lambda self: self._raw.truncations)
    infos: Any = property(lambda self: self._raw.infos)
    _cumulative_rewards: Any = property(lambda self: self._raw._cumulative_rewards)

    def action_space(self, agent: str) -> Any:
        return self._raw.action_space(agent)


class _Illegal(_Straight, wrappers.TerminateIllegalWrapper[Any, Any, Any]):
    pass


class _Bounds(_Straight, wrappers.AssertOutOfBoundsWrapper[Any, Any, Any]):
    pass


class _Order(_Straight, wrappers.OrderEnforcingWrapper[Any, Any, Any]):
    pass


def env(seats: int = 2, **options: Any) -> wrappers.OrderEnforcingWrapper[Any, Any, Any]:
    """The environment in PettingZoo's usual wrappers: who takes a number that is not allowed has lost."""
    return _Order(_Bounds(_Illegal(raw_env(seats, **options), -1)))
