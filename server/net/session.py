"""One connection's life: read, hand to the lobby, reply. Knows nothing of games, and not how its outbox is emptied.

Nothing that goes wrong here reaches further than this connection.
"""

from __future__ import annotations

import logging
import math
import time
from functools import partial

import trio

from protocol import messages as m
from protocol.codec import Malformed
from protocol.messages import ClientMessage, Closing, Refused
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby.client import Client
from server.lobby.listing import Told
from server.lobby.lobby import Lobby
from server.lobby.others import Elsewhere
from server.lobby.rates import peer_of
from server.metrics import REFUSALS
from server.net.connection import Connection, Gone, WebsocketConnection
from server.net.websocket import Unread
from server.net.workers.moving import Moved, Passed
from server.net.workers.passing import Ahead, Ways
from server.settings import Limits
from server.storage import StorageFault

log = logging.getLogger("apnap.net")

DEFAULTS = Limits()
NOTABLE = frozenset({m.Hello, m.Open, m.Join, m.Watch, m.Resume, m.Leave, m.Start})
"""Messages that a host's log tells of unless it is to tell of less."""
NOTABLE_REFUSALS = frozenset({Code.BAD_PASSWORD, Code.BAD_TOKEN, Code.BAD_TICKET, Code.BAD_LINK, Code.BLOCKED})
"""Of these a host's log tells as well: they are counted, while what else is refused could fill it."""
CARRIED = ("lang", "digests", "packed", "brief", "gathered", "receipts", "commits", "moves")
"""What a client has said in its hello, and goes with it to another worker."""
MALFORMED_LIMIT = 100
"""Malformed frames in a row after which the connection is closed: nobody there speaks the protocol."""


class Allowance:
    """A bucket of messages that fills at a rate; `take` is false when it is empty. `left`: how many it held when it was asked last."""

    __slots__ = ("_at", "_burst", "_rate", "left")

    def __init__(self, limits: Limits, left: float | None = None) -> None:
        self._burst = float(limits.burst)
        self._rate = limits.messages_per_second
        self.left = self._burst if left is None else left
        self._at = time.monotonic()

    def take(self) -> bool:
        """Take one, if there is one."""
        now = time.monotonic()
        self.left = min(self._burst, self.left + (now - self._at) * self._rate)
        self._at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


async def serve_connection(
    connection: Connection,
    lobby: Lobby,
    limits: Limits = DEFAULTS,
    address: str = "",
    *,
    moved: Moved | None = None,
    ways: Ways | None = None,
) -> Ahead | None:
    """Serve a connection until either end has had enough, or another worker goes on with it: of another node by the line that is
    returned. Raises nothing but cancellation. `address` is where it comes from, "" for one of our own; `moved`: who is there, where
    another worker has begun; `ways` lead to the others.
    """
    client = Client(peer_of(address, limits))
    client.other_end = connection
    client.local = connection.local
    client.when_asked = connection.local  # a bot looks at the table when it has to
    allowance = None if connection.local else Allowance(limits, moved.allowance if moved else None)
    going: Going | None = None
    ahead: Ahead | None = None
    ways = ways or Ways()
    try:
        with trio.CancelScope() as scope:
            async with connection.writing(client.outbox, scope.cancel):
                if moved is None or await _arrive(client, lobby, moved):
                    going = await _read(connection, client, lobby, limits, allowance, moved)
                    moves = client.moves and not client.comes_for  # what has led elsewhere would lead round and round
                    if going is not None and moves and (url := ways.url_of(going.worker)):
                        asked, going = going.asks, None
                        await _send_there(client, lobby, asked, url)
                    if going is not None and isinstance(connection, WebsocketConnection):
                        await connection.settle()
                        going.settled = not client.outbox.closed
                        going.allowance = allowance.left if allowance is not None else 0.0
    except Gone:
        pass
    except Exception:
        log.exception("a connection failed")
    finally:
        connection.offer(None)
        reads = lobby.depart(client)
        client.outbox.close()
        with trio.CancelScope(shield=True):
            if going is not None and going.settled and isinstance(connection, WebsocketConnection):
                onward = ways.onward(going.worker, moved.passed if moved else None)
                moving = partial(_on_its_way, client, address, going, reads, onward.passed)
                ahead = await connection.hand_over(onward, moving)
            else:
                await connection.aclose()
    return ahead


class Going:
    """A connection that moves to that worker, for that message; `settled`: nothing is on its way there or from there; `allowance`: what is
    left of its messages.
    """

    def __init__(self, worker: int, asks: m.Open | m.Join | m.Watch | m.Resume) -> None:
        self.worker = worker
        self.asks = asks
        self.settled = False
        self.allowance = 0.0


async def _send_there(client: Client, lobby: Lobby, asked: m.Open | m.Join | m.Watch | m.Resume, url: str) -> None:
    """The client goes to that address by itself; cancelled when it has been told."""
    assert not isinstance(asked, m.Open), "a new room is of the node at which it is asked for"
    try:
        ticket = await lobby.reception.issue(client, asked.room)
        client.put(m.Moved(re=asked.id, room=asked.room, address=url, ticket=ticket))
    except StorageFault as fault:
        log.error("no ticket can be given: %s", fault)
        client.put(Refused(re=asked.id, code=Code.BUSY, sentence=fill("notice.unwritten", {}, client.lang)))
    client.outbox.close()
    await trio.sleep_forever()


def _on_its_way(
    client: Client, address: str, going: Going, reads: Told | None, passed: Passed | None, unread: Unread
) -> Moved:
    assert client.person is not None
    said = {name: getattr(client, name) for name in CARRIED} | {"faces": list(client.faces)}
    return Moved(address, unread, client.person.id, client.session, said, going.asks, going.allowance, reads, passed)


async def _arrive(client: Client, lobby: Lobby, moved: Moved) -> bool:
    """Whoever was said to come is here; false if they have no business here any more, or the disk does not say who they are."""
    try:
        person = await lobby.people.find(moved.person)
    except StorageFault as fault:
        log.error("who has come from another worker cannot be read: %s", fault)
        return False
    if person is None or moved.session not in {session.id for session in person.sessions}:
        return False
    for name in CARRIED:
        setattr(client, name, moved.client[name])
    client.faces = set(moved.client["faces"])
    client.outbox.unnumbered = client.brief
    client.session = moved.session
    lobby.arrive(client, person, moved.list)
    return True


async def _read(
    connection: Connection,
    client: Client,
    lobby: Lobby,
    limits: Limits,
    allowance: Allowance | None,
    moved: Moved | None,
) -> Going | None:
    """Until the connection is gone (None), or moves."""
    if moved is not None:
        client.moved = True
        if (going := await _handle(client, lobby, moved.asks)) is not None:
            return going
        client.moved = False
    hello_by = math.inf if connection.local else trio.current_time() + limits.greeting_seconds
    at_once = _AtOnce(client, lobby, allowance)
    connection.offer(at_once)
    while at_once.malformed < MALFORMED_LIMIT:
        try:
            message = await (
                connection.receive() if client.person is not None else _greeted(connection, client, hello_by)
            )
        except Gone:
            return None
        except Malformed as refusal:
            at_once.malformed += 1
            client.put(refused(refusal, refusal.re, client.lang))
            if allowance is not None and not allowance.take():
                await trio.sleep(0.1)
            continue
        at_once.malformed = 0
        if allowance is not None and not allowance.take():
            client.put(refused(Refusal(Code.TOO_FAST), message.id, client.lang))
            await trio.sleep(0.1)
            continue
        if (going := await _handle(client, lobby, message)) is not None:
            return going
        del message  # it would be kept until another comes that is not done at once, which in a game none may for hours
    return None


async def _greeted(connection: Connection, client: Client, hello_by: float) -> ClientMessage:
    """The next message of who has said no hello, and is shown out who says none by then. Raises as `Connection.receive`."""
    with trio.CancelScope(deadline=hello_by):
        return await connection.receive()
    sentence = fill(f"refused.{Code.HELLO_FIRST}", {}, client.lang)
    client.put(Closing(code=Code.HELLO_FIRST, sentence=sentence))
    client.outbox.close()
    return await trio.sleep_forever()  # until it has been told


class _AtOnce:
    """Is offered a client's messages. `malformed`: how many have come in a row."""

    __slots__ = ("_allowance", "_client", "_lobby", "malformed")

    def __init__(self, client: Client, lobby: Lobby, allowance: Allowance | None) -> None:
        self._client = client
        self._lobby = lobby
        self._allowance = allowance
        self.malformed = 0

    def __call__(self, message: ClientMessage) -> bool:
        """See `server.net.connection.AtOnce`."""
        if self._allowance is None or not self._allowance.take():
            return False
        if not self._does(message):
            self._allowance.left += 1  # it is taken when the message is handled
            return False
        self.malformed = 0
        return True

    def _does(self, message: ClientMessage) -> bool:
        """As `_handle`, where nothing has to be waited for; whether it is done. If not, nothing has changed."""
        try:
            done = self._lobby.does_at_once(self._client, message)
        except Exception:
            self._client.put(_failed(self._client, message))
            return True
        if done:
            _note(logging.DEBUG, self._client, message)
        return done


async def _handle(client: Client, lobby: Lobby, message: ClientMessage) -> Going | None:
    """Hand a message on; the reply, if not already under way, goes to the outbox. Where another worker has to do it, the connection goes.

    What it was is logged with a trace by which the room's own lines are found again: of which connection, which message.
    """
    level = logging.INFO if type(message) in NOTABLE else logging.DEBUG
    try:
        reply = await lobby.handle(client, message)
        _note(level, client, message)
    except Refusal as refusal:
        _note(level if refusal.code in NOTABLE_REFUSALS else logging.DEBUG, client, message, refused=str(refusal.code))
        reply = refused(refusal, message.id, client.lang)
    except Elsewhere as where:
        assert isinstance(message, m.Open | m.Join | m.Watch | m.Resume)
        return Going(where.worker, message)
    except StorageFault as fault:
        log.error("nothing can be written: %s", fault)
        reply = Refused(re=message.id, code=Code.BUSY, sentence=fill("notice.unwritten", {}, client.lang))
    except Exception:
        reply = _failed(client, message)
    if reply is not None:
        client.put(reply)
    return None


def _failed(client: Client, message: ClientMessage) -> Refused:
    log.exception("a message failed: %s", type(message).__name__)
    return refused(Refusal(Code.DEFECT), message.id, client.lang)


def _note(level: int, client: Client, message: ClientMessage, **more: str) -> None:
    """A line of the log about a message; never its content."""
    if log.isEnabledFor(level):
        person = client.person.id if client.person is not None else ""
        trace = f"{client.key}/{message.id}"
        log.log(level, _tag(message), extra={"trace": trace, "room": client.room, "person": person, **more})


def _tag(message: ClientMessage) -> str:
    return str(message.__struct_config__.tag)


def refused(refusal: Refusal, re: str, lang: str) -> Refused:
    """The message of a refusal, which is counted. Sentences of the catalogue are said in the client's language."""
    REFUSALS.inc(str(refusal.code))
    sentence = fill(refusal.key, refusal.places, lang) if refusal.key else refusal.sentence
    return Refused(re=re, code=refusal.code, sentence=sentence, rule=refusal.rule, path=refusal.path)
