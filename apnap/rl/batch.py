"""Many tables at once: over processes, their observations in memory that all share.

    with Batch(64, processes=2, seats=2) as batch:
        batch.reset(seed=1)
        while learning:
            batch.step(policy(batch.observations, batch.masks))

Each table stands where somebody is asked: `seats[i]` at table i, whose knowledge `observations[name][i]` is. A game that ends begins
anew at once, with a seed that follows from the first; `ended[i]` is 1 (over) or 2 (truncated) and `rewards[i]` what each seat got.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from apnap.rl.env import RawEnv
from apnap.steps import WIDTH

_TYPES: Final[Mapping[str, Any]] = {
    "action_mask": np.int8, "rewards": np.float32, "ended": np.int8, "seats": np.int8, "actions": np.int16,
}  # fmt: skip
"""Of arrays that are no observations, which are int16."""
RESET, STEP, CLOSE = range(3)


def _shapes(env: RawEnv, count: int) -> dict[str, tuple[int, ...]]:
    seats = len(env.possible_agents)
    seen = env.observation_space(env.possible_agents[0])["observation"]
    shapes = {name: (count, *space.shape) for name, space in seen.spaces.items()}  # pyright: ignore
    return {
        **shapes,
        "action_mask": (count, WIDTH),
        "rewards": (count, seats),
        "ended": (count,),
        "seats": (count,),
        "actions": (count,),
    }


def _arrays(memory: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, NDArray[Any]]:
    return {
        name: np.frombuffer(memory[name], _TYPES.get(name, np.int16)).reshape(shape) for name, shape in shapes.items()
    }


class _Tables:
    """The tables from `low` to `high` of a batch, in the process that plays them."""

    def __init__(self, memory: Mapping[str, Any], count: int, low: int, high: int, options: dict[str, Any]) -> None:
        self._envs = [RawEnv(**options) for _ in range(low, high)]
        self._low = low
        self._arrays = _arrays(memory, _shapes(self._envs[0], count))

    def reset(self, seed: int) -> None:
        for place, env in enumerate(self._envs):
            env.reset(seed=random.Random(f"table {seed} {self._low + place}").randrange(1 << 62))
            self._arrays["ended"][self._low + place] = 0
            self._show(place, env)

    def step(self) -> None:
        arrays = self._arrays
        for place, env in enumerate(self._envs):
            at = self._low + place
            env.step(int(arrays["actions"][at]))
            agent = env.agent_selection
            over, truncated = env.terminations[agent], env.truncations[agent]
            arrays["ended"][at] = 1 if over else 2 if truncated else 0
            if over or truncated:
                arrays["rewards"][at] = [env.rewards[one] for one in env.possible_agents]
                env.reset()
            self._show(place, env)

    def _show(self, place: int, env: RawEnv) -> None:
        at, agent = self._low + place, env.agent_selection
        told = env.observe(agent)
        for name, array in told["observation"].items():
            self._arrays[name][at] = array
        self._arrays["action_mask"][at] = told["action_mask"]
        self._arrays["seats"][at] = env.possible_agents.index(agent)


def _serve(
    line: Connection, memory: Mapping[str, Any], count: int, low: int, high: int, options: dict[str, Any]
) -> None:
    """What a process does until it is told to end. What goes wrong is told instead of done."""
    tables = _Tables(memory, count, low, high, options)
    line.send(None)
    while True:
        order, seed = line.recv()
        if order == CLOSE:
            return
        try:
            if order == RESET:
                tables.reset(seed)
            else:
                tables.step()
        except ValueError as fault:
            line.send(str(fault))
        else:
            line.send(None)


class Batch:
    """`count` tables in some processes; `options` are those of `RawEnv`. Its arrays are written anew at each step: copy what is kept."""

    def __init__(self, count: int, *, processes: int = 2, **options: Any) -> None:
        if not 0 < processes <= count:
            raise ValueError(f"{count} tables are not for {processes} processes")
        context = get_context("spawn")
        shapes = _shapes(RawEnv(**options), count)
        sizes = {
            name: int(np.prod(shape)) * np.dtype(_TYPES.get(name, np.int16)).itemsize for name, shape in shapes.items()
        }
        memory = {name: context.RawArray("b", size) for name, size in sizes.items()}
        arrays = _arrays(memory, shapes)
        self.observations = {name: arrays[name] for name in shapes if name not in _TYPES}
        self.masks: NDArray[np.int8] = arrays["action_mask"]
        self.rewards: NDArray[np.float32] = arrays["rewards"]
        self.ended: NDArray[np.int8] = arrays["ended"]
        self.seats: NDArray[np.int8] = arrays["seats"]
        self._actions: NDArray[np.int16] = arrays["actions"]
        self._lines: list[Connection] = []
        self._workers: list[Any] = []
        self._begun = False
        for place in range(processes):
            low, high = count * place // processes, count * (place + 1) // processes
            mine, theirs = context.Pipe()
            worker = context.Process(target=_serve, args=(theirs, memory, count, low, high, options), daemon=True)
            worker.start()
            theirs.close()
            self._lines.append(mine)
            self._workers.append(worker)
        self._wait()

    def reset(self, seed: int = 0) -> None:
        """A new game at every table; the same seed gives the same games, however many processes play them."""
        self._order(RESET, seed)
        self._begun = True

    def step(self, actions: NDArray[Any]) -> None:
        """A number for each table. Raises ValueError if one is not allowed; then some tables have gone on, and `reset` is wanted. Where
        they are no such numbers at all, or no game has begun, nothing has changed.
        """
        if not self._begun:
            raise ValueError("no game has begun: `reset` comes before `step`, and nothing after `close`")
        numbers = np.asarray(actions)
        if numbers.shape != self._actions.shape or not np.issubdtype(numbers.dtype, np.integer):
            raise ValueError(f"{len(self._actions)} whole numbers are wanted, one for each table")
        if numbers.min() < 0 or numbers.max() >= WIDTH:
            raise ValueError(f"numbers are 0 to {WIDTH - 1}")
        self._actions[...] = numbers
        self._order(STEP, 0)

    def _order(self, order: int, seed: int) -> None:
        for line in self._lines:
            line.send((order, seed))
        self._wait()

    def _wait(self) -> None:
        faults = [fault for line in self._lines if (fault := line.recv()) is not None]
        if faults:
            raise ValueError(faults[0])

    def close(self) -> None:
        """Ends the processes."""
        for line in self._lines:
            with suppress(OSError):  # it has ended by itself
                line.send((CLOSE, 0))
        for worker in self._workers:
            worker.join()
        self._lines, self._workers = [], []
        self._begun = False

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
