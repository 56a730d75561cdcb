"""People: guests with a name, a public id and a secret token by which they are known again after a lost connection.

What is kept on disk is the hash of the token, so that a stolen database lets nobody in.
"""

from __future__ import annotations

import hashlib
import secrets

import msgspec

from protocol.refusals import Code, Refusal
from server.storage import Storage

KIND = "person"
"""The kind of the storage's records of people."""
NAME_LENGTH = 32
REMEMBERED = 20_000
"""People kept in memory; beyond that the oldest are forgotten, unless they are on disk."""


class Person(msgspec.Struct, omit_defaults=True):
    """Somebody. `id` is public; `kept` once they are on disk. A seated bot is a person, too, but is never kept."""

    id: str
    name: str
    bot: bool = False
    kept: bool = False


class People:
    """Everyone this server knows. Guests are in memory only until they sit down somewhere: then `keep` writes them down."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._known: dict[str, Person] = {}
        """By hash of the token, oldest first."""
        self._keys: dict[str, str] = {}
        """The hash of the token by the person's id."""

    async def come(self, name: str, token: str) -> tuple[Person, str]:
        """The person behind a hello, and the token by which they come again.

        Raises `Refusal`: bad_name; bad_token for a token that belongs to nobody.
        """
        name = clean_name(name)
        if not token:
            return self._new(name, bot=False)
        key = _hash(token)
        person = self._known.get(key)
        if person is None:
            data = await self._storage.get(KIND, key)
            if data is None:
                raise Refusal(Code.BAD_TOKEN)
            # Another connection of theirs may have come first while the disk was read.
            person = self._known.setdefault(key, _read(data))
            self._keys[person.id] = key
        return person, token

    def bot(self, name: str) -> tuple[Person, str]:
        """A new person for a bot that the server seats, and its token."""
        return self._new(name, bot=True)

    async def keep(self, person: Person) -> None:
        """Write a person down, to be known after a restart."""
        key = self._keys.get(person.id)
        if key is not None and not person.bot and not person.kept:
            await self._storage.put(KIND, key, msgspec.json.encode(person))
            person.kept = True

    async def rename(self, person: Person, name: str) -> None:
        """Give a person another name. Raises `Refusal`: bad_name."""
        name = clean_name(name)
        if name != person.name and not person.bot:
            person.name = name
            if person.kept:
                person.kept = False
                await self.keep(person)

    def forget(self, person: Person) -> None:
        """A person's token is of no use any more."""
        key = self._keys.pop(person.id, "")
        self._known.pop(key, None)

    def _new(self, name: str, *, bot: bool) -> tuple[Person, str]:
        token = secrets.token_urlsafe(24)
        person = Person(id=secrets.token_hex(6), name=name, bot=bot)
        key = _hash(token)
        self._known[key] = person
        self._keys[person.id] = key
        if len(self._known) > REMEMBERED:
            oldest = next((old for old in self._known.values() if not old.bot), None)
            if oldest is not None:
                self.forget(oldest)
        return person, token


def clean_name(name: str) -> str:
    """A name as it may be shown anywhere, terminals included. Raises `Refusal`: bad_name."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise Refusal(Code.BAD_NAME)
    return name


def clean_text(text: str) -> str:
    """A text as it may be shown anywhere: what does not print becomes a space. May come out empty."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _read(data: bytes) -> Person:
    person = msgspec.json.decode(data, type=Person)
    person.kept = True
    return person
