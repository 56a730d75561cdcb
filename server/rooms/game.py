"""The interface of the rules that rooms use, as a protocol, so that rooms can be tested with a game of three lines.

`RULES` is the real one. A room never reaches past this interface into the rules; the state it passes around it only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from server import cards, oracle, rules
from server.cards.forms import Card
from server.knowledge import rulings
from server.knowledge.rulings import Outcome, Rulings
from server.rules.model import State
from server.rules.turn import AnyAmendment, amending
from server.storage import Setup


class Game(Rulings, Protocol):
    """What a room needs of the rules, with what views and questions need. All of it is synchronous and pure."""

    @property
    def version(self) -> str:
        """What journals pin: another version may replay differently."""
        ...

    def start(self, setup: Setup) -> Outcome:
        """Deal the game."""
        ...

    def pass_unlisted(self, state: State) -> Outcome:
        """A pass of who has priority, as by `submit`; whoever has it then is asked with nothing listed but to pass. Raises `Illegal`."""
        ...

    def concede(self, state: State, seat: int) -> Outcome:
        """A player leaves (104.3a)."""
        ...

    def amend(self, state: State, seat: int, change: AnyAmendment) -> Outcome:
        """The table changes something by hand. Raises `Illegal`."""
        ...

    def fingerprint(self, state: State) -> str:
        """A hash of all that matters in the state."""
        ...

    def write(self, setup: Setup, state: State) -> Iterator[bytes]:
        """The state of a game of that setup, written down."""
        ...

    def read(self, setup: Setup, data: bytes) -> State:
        """The state that was written, perhaps by another version. Raises `server.rules.turn.snapshot.Unreadable`."""
        ...

    def ask_again(self, state: State) -> State:
        """The same state, with its open question as these rules ask it. Raises what the rules raise for a state that
        they cannot go on from.
        """
        ...


class Rules(rulings.Rules):
    """The real game: `server.rules` behind the interface."""

    @property
    def version(self) -> str:
        """The rules' own version, and a hash of their source and of what they know of cards."""
        return f"{rules.RULES_VERSION}-{reader_version()}"

    def start(self, setup: Setup) -> Outcome:
        """See `Game`."""
        seats = tuple(
            rules.Seat(
                seat.name,
                setup.deck(number),
                setup.commander(number),
                setup.companion(number),
                *_outside(setup.sideboard(number)),
            )
            for number, seat in enumerate(setup.seats)
        )
        return rules.start(setup.rules, seats, None if setup.first < 0 else setup.first)

    def pass_unlisted(self, state: State) -> Outcome:
        """See `Game`."""
        return rules.pass_unlisted(state)

    def concede(self, state: State, seat: int) -> Outcome:
        """See `Game`."""
        return rules.concede(state, seat)

    def amend(self, state: State, seat: int, change: AnyAmendment) -> Outcome:
        """See `Game`."""
        return amending.amend(state, seat, change)

    def fingerprint(self, state: State) -> str:
        """See `Game`."""
        return rules.fingerprint(state)

    def write(self, setup: Setup, state: State) -> Iterator[bytes]:
        """See `Game`."""
        return rules.snapshot.parts(state, setup.cards)

    def read(self, setup: Setup, data: bytes) -> State:
        """See `Game`."""
        return rules.snapshot.read(data, setup.cards)

    def ask_again(self, state: State) -> State:
        """See `Game`."""
        return rules.ask_again(state)


RULES: Game = Rules()


def _outside(sideboard: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The dungeons of a sideboard, and its other cards."""
    return tuple(card for card in sideboard if card.rooms), tuple(card for card in sideboard if not card.rooms)


@cache
def reader_version() -> str:
    """16 hex digits of what a replay, and what can be read of a card, may depend on."""
    return source_hash([Path(package.__path__[0]) for package in (rules, cards, oracle)])


def source_hash(roots: Sequence[Path]) -> str:
    """16 hex digits of the SHA-256 of all modules in these folders and in every folder below them, with their places."""
    digest = hashlib.sha256()
    for root in roots:
        for file in sorted(root.rglob("*.py"), key=lambda path: path.relative_to(root).as_posix()):
            source = file.read_bytes()
            place = f"{root.name}/{file.relative_to(root).as_posix()}"
            digest.update(f"{place} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:16]
