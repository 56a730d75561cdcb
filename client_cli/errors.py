"""What goes wrong for a client, as it is raised to whoever uses one.

- `Disconnected`: the channel is gone (a session dials again by itself)
- `Unreachable`: no connection could be made, or none any more
- `RequestRefused`: the server refused a request; holds the `Refused`
"""

from __future__ import annotations

from protocol.messages import Refused
from protocol.words import say


class ClientError(Exception):
    """Base of the others."""


class Disconnected(ClientError):
    """The other end is gone."""


class Unreachable(ClientError):
    """Nobody answers at that address, or what answers does not speak the protocol. `key` says so in the catalogue, with the
    `places` of its sentence; absent: the message is all that is known.
    """

    def __init__(self, message: str, key: str = "", **places: object) -> None:
        super().__init__(message)
        self.key = key
        self.places = places


class RequestRefused(ClientError):
    """The server said no. `refused` tells why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"{refused.sentence} ({refused.code})")
        self.refused = refused


def sentence(fault: ClientError, lang: str) -> str:
    """What went wrong, in a sentence for people."""
    match fault:
        case Unreachable(key=key, places=places) if key:
            return say(key, lang, **places)
        case RequestRefused(refused=refused):
            words = say(f"refused.{refused.code}", lang)
            return refused.sentence if lang == "en" or words.startswith("refused.") else words
        case _:
            return str(fault)


def plain_error(fault: BaseException) -> ClientError | None:
    """The client's own error in what a nursery raised, if that is all it holds."""
    while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
        fault = fault.exceptions[0]
    return fault if isinstance(fault, ClientError) else None
