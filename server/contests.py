"""A game of a contest, as who draws it and who hosts it say it to each other: two processes, one line of JSON for each message. Data only,
which also the library may read.
"""

from __future__ import annotations

import msgspec

REMOTE = "remote:"
"""Before the name of a bot that comes over the network: by that name it joins."""


class HostedGame(msgspec.Struct, frozen=True, tag="game"):
    """A game to be hosted; all but the last five by seat. `bots` by name, `decks` names of the house's or files, `seeds` of the bots.

    `first` begins; `answer_ms` each answer of a remote bot may take (0: a day); after `most_turns` it is a draw.
    """

    number: int
    bots: tuple[str, ...]
    decks: tuple[str, ...]
    seeds: tuple[int, ...]
    edition: str
    seed: int
    first: int
    answer_ms: int
    most_turns: int


class HostedResult(msgspec.Struct, frozen=True, tag="result"):
    """What became of the game of that number: who won (nobody: a draw), and by seat how many `answers` were given, how many milliseconds
    they took, how many were none (`failures`), and how many the clock gave (`timeouts`).
    """

    number: int
    winners: tuple[int, ...]
    turns: int
    answers: tuple[int, ...]
    ms: tuple[float, ...]
    failures: tuple[int, ...]
    timeouts: tuple[int, ...]


class Say(msgspec.Struct, frozen=True, tag="say"):
    """What is to be printed in the end."""

    text: str


def remote(bot: str) -> str:
    """The name by which a bot joins; "" for one that does not come over the network.

    >>> remote("remote:first"), remote("simple")
    ('first', '')
    """
    return bot.removeprefix(REMOTE) if bot.startswith(REMOTE) else ""
