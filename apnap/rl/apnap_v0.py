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


def env(seats: int = 2, **options: Any) -> wrappers.OrderEnforcingWrapper[Any, Any, Any]:
    """The environment in PettingZoo's usual wrappers: who takes a number that is not allowed has lost."""
    inner = wrappers.TerminateIllegalWrapper(raw_env(seats, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))
