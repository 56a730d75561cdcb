"""People: each with a name, a public id, and secret tokens, one for each session, by which they are known again after a lost
connection, on this device or another.

What is kept on disk of a token is its hash, so that a stolen database lets nobody in; tokens are long enough that looking a
hash up tells nothing by the time it takes.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Callable

import msgspec

from protocol.refusals import Code, Refusal
from server.lobby.names import bot_label, clean_name, clean_text
from server.lobby.others import Alone, Others
from server.storage import Storage

log = logging.getLogger("apnap.lobby")

KIND = "person"
"""The kind of the storage's records of people, by id."""
TOKEN = "token"
"""The kind of the records that say whose a token is, by its hash."""
REMEMBERED = 20_000
"""People kept in memory; beyond that the oldest are forgotten, unless they are on disk."""
SESSIONS = 20
"""Sessions of one person; the one not used for longest ends when there are more."""
SEEN_SECONDS = 3600
"""How exactly it is written down when a session was last used."""


class Session(msgspec.Struct, omit_defaults=True):
    """Somebody on one device: `key` is the token's hash, `id` public, `since` and `seen` seconds since 1970, `client` what the
    client says of itself.
    """

    key: str
    id: str
    since: int = 0
    seen: int = 0
    client: str = ""


class Person(msgspec.Struct, omit_defaults=True):
    """Somebody. `id` is public; `kept` once they are on disk. A seated bot is a person, too, but is never kept.

    `role` is guest, account or admin; `program`: a bot that came in as a client and is called so; `ignored` are ids of people
    whose words are not shown to them.
    """

    id: str
    name: str
    bot: bool = False
    kept: bool = False
    role: str = "guest"
    program: bool = False
    ignored: list[str] = []
    sessions: list[Session] = []


class People:
    """Everyone this server knows. Guests are in memory only until they sit down somewhere: then `keep` writes them down."""

    def __init__(self, storage: Storage, here: Callable[[], set[str]] = set, others: Others | None = None) -> None:
        """`here` gives the ids of those who are connected, and so are not to be forgotten."""
        self._storage = storage
        self._here = here
        self._others = others or Alone()
        self._changes = 0
        """How often others have changed somebody."""
        self._known: dict[str, Person] = {}
        """By id, oldest first."""
        self._tokens: dict[str, str] = {}
        """Whose a token is, by its hash, for those who are known."""

    # --- coming ---

    async def come(self, token: str) -> tuple[Person, Session]:
        """The person behind a token. Raises `Refusal`: bad_token."""
        key = _hash(token)
        owner = self._tokens.get(key) or (await self._others.recall(TOKEN, key) or b"").decode()
        # The disk last, for what is written is recalled no more.
        owner = owner or (await self._storage.get(TOKEN, key) or b"").decode()
        person = await self.find(owner) if owner else None
        session = next((session for session in person.sessions if session.key == key), None) if person else None
        if person is None or session is None:
            raise Refusal(Code.BAD_TOKEN)
        now = int(time.time())
        if now - session.seen >= SEEN_SECONDS:
            async with self._others.alone("people"):
                session.seen = now
                if person.kept:
                    await self.write(person)
        return person, session

    def guest(self, name: str, *, program: bool = False) -> Person:
        """A new person, without a session. Raises `Refusal`: bad_name, reserved_name."""
        person = self._new(_called(name, program), bot=False)
        person.program = program
        return person

    def bot(self, name: str) -> tuple[Person, str]:
        """A new person for a bot that the server seats, and its token."""
        person = self._new(name, bot=True)
        return person, self._add_session(person, "")[1]

    async def begin(self, person: Person, client: str) -> tuple[Session, str]:
        """A new session of a person, and its token."""
        if not person.kept:
            session, token = self._add_session(person, client)
            self._remember(person)
            return session, token
        async with self._others.alone("people"):
            session, token = self._add_session(person, client)
            await self._storage.put(TOKEN, session.key, person.id.encode())
            for old in sorted(person.sessions, key=lambda one: one.seen)[: max(0, len(person.sessions) - SESSIONS)]:
                await self._end(person, old)
            await self.write(person)
        return session, token

    async def find(self, person_id: str) -> Person | None:
        """The person of that id, None if there is none."""
        person = self._known.get(person_id)
        if person is not None:
            return person
        data, remembered, changes = None, None, -1
        while changes != self._changes:  # else it may be as it was before a change that has been told of meanwhile
            changes = self._changes
            data = await self._storage.get(KIND, person_id)
            remembered = await self._others.recall(KIND, person_id) if data is None else None
        found = None if data is None else _read(data)
        if remembered:
            found = msgspec.json.decode(remembered, type=Person)
        if found is None:
            return None
        # Another connection of theirs may have come first while the disk was read.
        person = self._known.setdefault(person_id, found)
        for session in person.sessions:
            self._tokens[session.key] = person.id
        return person

    # --- staying ---

    async def keep(self, person: Person) -> None:
        """Write a person down, to be known after a restart."""
        if person.id in self._known and not person.bot and not person.kept:
            for session in person.sessions:
                await self._storage.put(TOKEN, session.key, person.id.encode())
            await self.write(person)
            person.kept = True

    def changed(self, person_id: str, data: bytes | None, *, kept: bool = True) -> None:
        """Another worker has written that record of a person, or deleted it (None); not `kept`: it is one of a guest, on no disk."""
        self._changes += 1
        person = self._known.get(person_id)
        if person is None:
            return
        new = None if data is None else _read(data)
        for session in person.sessions:
            self._tokens.pop(session.key, None)
        if new is None:
            self._known.pop(person_id, None)
            person.kept = False
            return
        # The same person: tables and connections know it.
        person.name, person.role, person.program, person.kept = new.name, new.role, new.program, kept
        person.ignored, person.sessions = new.ignored, new.sessions
        for session in person.sessions:
            self._tokens[session.key] = person_id

    def _remember(self, person: Person) -> None:
        """Who is not written down is known to the other workers, too."""
        if not person.bot and person.id in self._known:
            self._others.remember(KIND, person.id, msgspec.json.encode(person))
            for session in person.sessions:
                self._others.remember(TOKEN, session.key, person.id.encode())

    async def write(self, person: Person) -> None:
        """Write down what has changed about a person who is kept."""
        await self._storage.put(KIND, person.id, msgspec.json.encode(person))

    async def note(self, person: Person) -> None:
        """Something has changed about a person, kept or not."""
        if person.kept:
            await self.write(person)
        else:
            self._remember(person)

    async def rename(self, person: Person, name: str) -> None:
        """Give a person another name. Raises `Refusal`: bad_name."""
        name = _called(name, person.program)
        if name != person.name and not person.bot:
            if not person.kept:
                person.name = name
                self._remember(person)
                return
            async with self._others.alone("people"):
                person.name = name
                await self.write(person)

    # --- going ---

    async def end(self, person: Person, session: Session) -> None:
        """A session's token is of no use any more."""
        async with self._others.alone("people"):
            await self._end(person, session)

    async def _end(self, person: Person, session: Session) -> None:
        person.sessions = [one for one in person.sessions if one.key != session.key]
        self._tokens.pop(session.key, None)
        if person.kept:
            await self._storage.delete(TOKEN, session.key)
            await self.write(person)
        else:
            self._remember(person)

    def ended(self, person_id: str, session: str) -> None:
        """A session of somebody has ended, maybe at another worker. Of who is written down the record tells it."""
        person = self._known.get(person_id)
        if person is not None and not person.kept:
            for one in person.sessions:
                if one.id == session:
                    self._tokens.pop(one.key, None)
            person.sessions = [one for one in person.sessions if one.id != session]

    async def erase(self, person: Person) -> None:
        """Nothing of a person is left in the records of people."""
        for session in person.sessions:
            await self._storage.delete(TOKEN, session.key)
        await self._storage.delete(KIND, person.id)
        self.forget(person)
        person.kept = False

    def forget(self, person: Person) -> None:
        """A person's tokens are of no use any more, unless they are on disk."""
        self._known.pop(person.id, None)
        for session in person.sessions:
            self._tokens.pop(session.key, None)

    async def unseen_since(self, moment: int) -> list[Person]:
        """Guests on disk who have not come since then (seconds since 1970)."""
        found = [_read(data) for data in (await self._storage.all(KIND)).values()]
        return [
            person
            for person in found
            if person and person.role == "guest" and all(s.seen < moment for s in person.sessions)
        ]

    def _new(self, name: str, *, bot: bool) -> Person:
        person = Person(id=secrets.token_hex(6), name=name, bot=bot)
        self._known[person.id] = person
        if len(self._known) > REMEMBERED:
            here = self._here() | {person.id}
            oldest = next((old for old in self._known.values() if not old.bot and old.id not in here), None)
            if oldest is not None:
                self.forget(oldest)
        return person

    def _add_session(self, person: Person, client: str) -> tuple[Session, str]:
        token = secrets.token_urlsafe(24)
        now = int(time.time())
        session = Session(key=_hash(token), id=secrets.token_hex(4), since=now, seen=now, client=clean_text(client))
        person.sessions = [*person.sessions, session]
        self._tokens[session.key] = person.id
        return session, token


def _read(data: bytes) -> Person | None:
    """The person of a record; None if it cannot be read, which is nobody then, and is left as it is."""
    try:
        person = msgspec.json.decode(data, type=Person)
    except msgspec.MsgspecError as fault:
        log.error("the record of a person cannot be read: %s", fault)
        return None
    person.kept = True
    return person


def _called(name: str, program: bool) -> str:
    name = clean_name(name)
    return bot_label(name) if program else name


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
