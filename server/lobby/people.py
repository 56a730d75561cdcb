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


class Person(msgspec.Struct):
    """Somebody. `id` is public. A seated bot is a person, too, but is not kept on disk."""

    id: str
    name: str
    bot: bool = False


class People:
    """Everyone this server knows."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._known: dict[str, Person] = {}
        """By hash of the token: those met since the server started."""

    async def come(self, name: str, token: str) -> tuple[Person, str]:
        """The person behind a hello, and the token by which they come again.

        Raises `Refusal`: bad_name; bad_token for a token that belongs to nobody.
        """
        name = clean_name(name)
        if not token:
            token = secrets.token_urlsafe(24)
            person = Person(id=secrets.token_hex(6), name=name)
            await self._keep(token, person)
            return person, token
        key = _hash(token)
        person = self._known.get(key)
        if person is None:
            data = await self._storage.get(KIND, key)
            if data is None:
                raise Refusal(Code.BAD_TOKEN)
            # Another connection of theirs may have come first while the disk was read.
            person = self._known.setdefault(key, msgspec.json.decode(data, type=Person))
        return person, token

    async def rename(self, person: Person, token: str, name: str) -> None:
        """Give a person another name. Raises `Refusal`: bad_name."""
        name = clean_name(name)
        if name != person.name and not person.bot:
            person.name = name
            await self._keep(token, person)

    def bot(self, name: str) -> tuple[Person, str]:
        """A new person for a bot that the server seats, and its token."""
        token = secrets.token_urlsafe(24)
        person = Person(id=secrets.token_hex(6), name=name, bot=True)
        self._known[_hash(token)] = person
        return person, token

    def forget(self, token: str) -> None:
        """A bot's token is of no use any more."""
        self._known.pop(_hash(token), None)

    async def _keep(self, token: str, person: Person) -> None:
        key = _hash(token)
        self._known[key] = person
        await self._storage.put(KIND, key, msgspec.json.encode(person))


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
