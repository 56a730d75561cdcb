"""A finished game checked from its journal alone: nobody chose the cards, and everything went by the rules."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.fairness import faults
from server.rooms.errors import Diverged
from server.rooms.game import Game
from server.rooms.replay import replay
from server.rules.turn import Unreadable
from server.storage import Ended, Journal, Upgraded, drawn_seats, engine_options


def verify(journal: Journal, game: Game, chance: str = "") -> Iterator[str]:
    """Sentences that say what is wrong; none if all is well.

    `chance` is the commitment as it was shown before the game; "" leaves unchecked that the journal's secret is the one."""
    setup = journal.setup
    fairness = setup.fair
    yield from faults(fairness.secret, chance or fairness.chance, fairness.entropy, fairness.commits, fairness.salt)
    if fairness.seed != setup.rules.seed:
        yield "The game was not dealt from the seed that the secret and the entropy make."
    if setup.options.draw_teams and setup.rules.teams != engine_options(setup.options, fairness.seed).teams:
        yield "The teams were not drawn by that seed."
    if setup.options.draw_seats and not setup.drawn:
        yield "It is not written who sat where before the seats were drawn."
    elif setup.drawn and setup.drawn != drawn_seats(fairness.seed, len(setup.seats)):
        yield "The seats were not drawn by that seed."
    if any(isinstance(entry, Upgraded) for entry in journal.entries):
        yield "The server's rules changed during the game: it cannot be checked by one version of them."
        return
    if not isinstance(journal.entries[-1] if journal.entries else None, Ended):
        yield "The journal does not reach the end of a game."
    try:
        for _ in replay(journal, game):
            pass
    except (Diverged, Unreadable) as fault:
        yield f"{fault}."
