"""Verifying views: what a client has patched together must be what its seat may see, at every (epoch, seq).

The witness stands beside the outbox of each seat. Whenever a view or patch is put there, it computes the view of that
seat anew, from the state alone and by nothing that was kept, and keeps it until the client has read that message. Where
somebody is asked what the seat may not know of, that is the view of the moment before; and when all have passed, the moment
before is shown once more with nobody asked.
"""

from __future__ import annotations

from client_cli.channels import Dial
from client_cli.session import Session
from protocol.messages import Patch, ServerMessage, ViewMessage
from protocol.patch import Tree
from server.knowledge.hidden import asked_in_secret
from server.knowledge.views import Views
from server.lobby.lobby import Lobby
from server.rooms.game import RULES, Game
from server.rooms.room import Room

MOST_MISMATCHES = 20
ASKED = frozenset({"priority", "waiting_for"})
"""What a view says of who is asked."""


class Witness:
    """Keeps what each seat should see until it has been compared. `verified` counts the views that were equal."""

    def __init__(self, lobby: Lobby, game: Game = RULES) -> None:
        self._lobby = lobby
        self._game = game
        self._expected: dict[tuple[int, int, int], tuple[Tree, ...]] = {}
        """By seat, epoch and seq the views that are right."""
        self._last: dict[int, Tree] = {}
        """By seat the view of the last moment that it may know of."""
        self._fresh: tuple[object, Views | None] = (None, None)
        self.verified = 0
        self.mismatches: list[str] = []

    def watch(self, room_id: str) -> None:
        """Stand beside the outboxes of all seats of a room that has not started."""
        table = self._lobby.tables[room_id]
        for seat, place in enumerate(table.places):
            if place.client is None:
                continue

            def watched(message: ServerMessage, seat: int = seat) -> None:
                if isinstance(message, ViewMessage | Patch) and table.room is not None:
                    self._expected[seat, message.epoch, message.seq] = self._right(table.room, seat)

            place.client.outbox.on_put = watched

    def _right(self, room: Room, seat: int) -> tuple[Tree, ...]:
        """What the seat may be shown now."""
        assert room.state is not None
        before = self._last.get(seat)
        told = asked_in_secret(room.state)
        if before is None or not told or seat in told:
            self._last[seat] = self._view(room, seat)
        bare = () if before is None else ({key: value for key, value in before.items() if key not in ASKED},)
        return (self._last[seat], *bare)

    def _view(self, room: Room, seat: int) -> Tree:
        """The view of a seat, computed from the state alone."""
        state = room.state
        assert state is not None
        known, views = self._fresh
        if views is None or known is not state:
            views = Views(self._game)
            views.update(state, room.result)
            self._fresh = (state, views)
        return views.tree(seat)

    def compare(self, seat: int, epoch: int, seq: int, tree: Tree) -> None:
        """The client of a seat has this tree after that message."""
        expected = self._expected.pop((seat, epoch, seq), ())
        if not expected:
            self._differs(f"seat {seat} at {epoch}.{seq}: nothing was sent")
        elif tree not in expected:
            self._differs(f"seat {seat} at {epoch}.{seq}: {_difference(expected[0], tree)}")
        else:
            self.verified += 1

    def _differs(self, words: str) -> None:
        if len(self.mismatches) < MOST_MISMATCHES:
            self.mismatches.append(words)


def _difference(expected: object, got: object, path: str = "") -> str:
    """Where two trees first differ."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in sorted(expected.keys() | got.keys()):
            if expected.get(key) != got.get(key):
                return _difference(expected.get(key), got.get(key), f"{path}.{key}" if path else key)
    return f"{path} is {got!r}, should be {expected!r}"


class CheckedSession(Session):
    """A session that shows every view it has to the witness."""

    def __init__(self, dial: Dial, name: str, witness: Witness, seat: int, *, printing: bool = False) -> None:
        super().__init__(dial, name, client="apnap demo")
        self._witness = witness
        self._seat = seat
        self._printing = printing

    async def receive(self) -> ServerMessage:
        """The next message; views and patches are compared."""
        before = (self.table.epoch, self.table.seq)
        message = await super().receive()
        if isinstance(message, ViewMessage | Patch):
            table = self.table
            now = (table.epoch, table.seq)
            if now == (message.epoch, message.seq) or (not message.seq and now != before):  # a brief one says neither
                self._witness.compare(self._seat, *now, table.tree)
            if self._printing:
                self._print()
        return message

    def _print(self) -> None:
        from client_cli.show import Show

        show = Show(self.table)
        for event in self.table.fresh:
            line = show.logged(event)
            if line:
                print(line)
