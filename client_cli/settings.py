"""How a person likes the terminal client: kept between two runs, the same for every server.

The default stops are those of the page (`client_web/src/state/passing.ts`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import Struct, field

from protocol.base import Step
from protocol.messages import Stops
from protocol.view import STEPS

MINE: tuple[Step, ...] = ("precombat_main", "postcombat_main")
Pace = Literal["off", "fast", "normal", "slow"]
PACES: tuple[Pace, ...] = get_args(Pace)
OTHERS: tuple[Step, ...] = ("declare_attackers", "declare_blockers", "end")


class Settings(Struct, omit_defaults=True):
    """`mine` and `others` are the steps in which one wants priority with an empty stack, in one's own turns and in others';
    `lands`: whether passing a main phase in which a land could be played asks once; `pace`: how fast the screen shows others' turns.
    """

    mine: list[Step] = field(default_factory=lambda: list(MINE))
    others: list[Step] = field(default_factory=lambda: list(OTHERS))
    lands: bool = True
    pace: Pace = "normal"

    def stops(self, message_id: str) -> Stops:
        """The message that tells a room."""
        return Stops(id=message_id, mine=list(self.mine), others=list(self.others))

    def toggle(self, whose: str, step: Step) -> bool:
        """Set a stop or take it away, in the turns of "mine" or "others"; whether it stands now."""
        steps = self.mine if whose == "mine" else self.others
        kept: list[Step] = [one for one in STEPS if (one in steps) != (one == step)]
        steps[:] = kept
        return step in kept


def steps_of(words: str) -> list[Step]:
    """The step of that word, or those that it begins."""
    wanted = words.strip().lower().replace(" ", "_")
    exact: list[Step] = [step for step in STEPS if step == wanted]
    return exact or [step for step in STEPS if wanted and step.startswith(wanted)]


def file() -> Path:
    """Where this account's settings are kept."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(base) / "apnap" / "play.json"


def read(path: Path) -> Settings:
    """The settings kept there; the defaults when there are none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except (OSError, msgspec.DecodeError):
        return Settings()


def write(settings: Settings, path: Path) -> None:
    """Keep them there. What cannot be written is forgotten at the end."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=2))
        fresh.replace(path)
    except OSError:
        pass
