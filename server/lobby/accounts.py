"""Accounts: a name of one's own and a password; and the one-time links by which the host lets people in.

Passwords are argon2id hashes, made and checked in threads, a few at a time because each takes 64 MiB. A name without an account
takes as long to refuse as a wrong password. Of a link only the hash is kept. Accounts and links are few: all are in memory.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
import trio
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from protocol.people import PASSWORD_LENGTH
from protocol.refusals import Code, Refusal
from server.lobby.names import skeleton
from server.lobby.others import Alone, Others
from server.storage import Storage

ACCOUNT = "account"
LINK = "link"
"""Kinds of the storage's records."""
AT_ONCE = 2
"""Passwords that are hashed at the same time."""

T = TypeVar("T")
LinkKind: TypeAlias = Literal["login", "reset", "invitation"]


class Account(msgspec.Struct, omit_defaults=True):
    """An account: `person` is the id of whom it belongs to, `hash` of the password, "" while there is none."""

    name: str
    person: str
    hash: str = ""
    admin: bool = False
    created: int = 0


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a one-time link lets its bearer do, until `expires` (seconds since 1970): `login` without a password, also as the
    first admin (no `account`); `reset` the password; be invited to open an account. `account` is the key of one.
    """

    kind: LinkKind
    expires: int
    account: str = ""


class Passwords:
    """Hashing and checking, within a running trio loop."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._limiter = trio.CapacityLimiter(AT_ONCE)

    async def hash(self, password: str) -> str:
        """The hash of a new password. Raises `Refusal`: weak_password."""
        if len(password) < PASSWORD_LENGTH:
            raise Refusal(Code.WEAK_PASSWORD, args={"length": PASSWORD_LENGTH})
        return await self._run(partial(self._hasher.hash, password))

    async def matches(self, hashed: str, password: str) -> bool:
        """Whether that is the password. Without a hash it takes as long and is not."""
        return await self._run(partial(self._matches, hashed, password))

    def outdated(self, hashed: str) -> bool:
        """Whether a hash was made with other parameters than are used now."""
        return self._hasher.check_needs_rehash(hashed)

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            found = self._hasher.verify(hashed or _nobody(), password)
        except (VerificationError, InvalidHashError):
            return False
        return found and bool(hashed)

    async def _run(self, work: Callable[[], T]) -> T:
        return await trio.to_thread.run_sync(work, limiter=self._limiter)


@cache
def _nobody() -> str:
    """The hash of a password that nobody knows."""
    return PasswordHasher().hash(secrets.token_urlsafe())


class Accounts:
    """All accounts by the skeleton of their names, so that no two look alike. `load` comes first."""

    def __init__(self, storage: Storage, others: Others | None = None) -> None:
        self._storage = storage
        self._others = others or Alone()
        self._accounts: dict[str, Account] = {}
        self._links: dict[str, Link] = {}
        self._used: set[str] = set()
        """Links that somebody is about to use."""
        self._changes = 0
        """How often others have changed one."""
        self.passwords = Passwords()

    async def load(self) -> None:
        """Read what is on disk."""
        found: dict[str, dict[str, bytes]] = {}
        changes = -1
        while changes != self._changes:  # else it may be as it was before a change that has been told of meanwhile
            changes = self._changes
            found = {kind: await self._storage.all(kind) for kind in (ACCOUNT, LINK)}
        for kind, records in found.items():
            for key, data in records.items():
                self.changed(kind, key, data)

    def changed(self, kind: str, key: str, data: bytes | None) -> None:
        """That is the record of an account or a link now; None: there is none."""
        self._changes += 1
        if kind == ACCOUNT and data is not None:
            # Of one that is damaged the name stays taken, and nobody comes in by it.
            self._accounts[key] = msgspec.json.decode(data, type=Account) if data else Account(name=key, person="")
        elif kind == ACCOUNT:
            self._accounts.pop(key, None)
        elif data:
            self._links[key] = msgspec.json.decode(data, type=Link)
        else:
            self._links.pop(key, None)

    # --- accounts ---

    def find(self, name: str) -> Account | None:
        """The account of that name, or of one that looks like it."""
        return self._accounts.get(skeleton(name))

    def of(self, person: str) -> Account | None:
        """The account of a person, by id."""
        return next((account for account in self._accounts.values() if account.person == person), None)

    def has_admin(self) -> bool:
        """Whether anybody is an admin."""
        return any(account.admin for account in self._accounts.values())

    async def check(self, name: str, password: str) -> Account:
        """The account whose password that is. Raises `Refusal`: bad_password."""
        account = self.find(name)
        hashed = "" if account is None else account.hash
        right = await self.passwords.matches(hashed, password)
        if not right or account is None or account.hash != hashed or self.find(name) is not account:
            raise Refusal(Code.BAD_PASSWORD)
        if self.passwords.outdated(hashed):
            account = await self.set_password(account, password)
        return account

    async def add(self, name: str, password: str, person: str, *, admin: bool = False) -> Account:
        """A new account. Raises `Refusal`: name_taken, weak_password."""
        self._free(name)
        hashed = await self.passwords.hash(password)
        async with self._others.alone("accounts"):
            self._free(name)
            account = Account(name=name, person=person, hash=hashed, admin=admin, created=int(time.time()))
            self._accounts[skeleton(name)] = account
            try:
                await self.keep(account)
            except BaseException:
                del self._accounts[skeleton(name)]
                raise
        return account

    async def set_password(self, account: Account, password: str) -> Account:
        """Give an account another password. Raises `Refusal`: weak_password, no_accounts."""
        return await self.change(account, hash=await self.passwords.hash(password))

    async def change(self, account: Account, **to: Any) -> Account:
        """Write down what is to be another of an account; the rest stays as it is by now. Raises `Refusal`: no_accounts (it is gone)."""
        async with self._others.alone("accounts"):
            now = self.find(account.name)
            if now is None or now.person != account.person:
                raise Refusal(Code.NO_ACCOUNTS)
            changed = msgspec.structs.replace(now, **to)
            await self.keep(changed)
            self._accounts[skeleton(account.name)] = changed
        return changed

    async def keep(self, account: Account) -> None:
        """Write an account down."""
        await self._storage.put(ACCOUNT, skeleton(account.name), msgspec.json.encode(account))

    async def remove(self, account: Account) -> None:
        """Forget an account and the links to it."""
        key = skeleton(account.name)
        async with self._others.alone("accounts"):
            await self._storage.delete(ACCOUNT, key)
            self._accounts.pop(key, None)
        for link in [found for found, link in self._links.items() if link.account == key]:
            await self._drop(link)

    def _free(self, name: str) -> None:
        if self.find(name) is not None:
            raise Refusal(Code.NAME_TAKEN)

    # --- links ---

    async def link(self, kind: LinkKind, account: Account | None, seconds: float) -> str:
        """The code of a new link. A link of that kind to that account that was made before is of no use any more."""
        target = "" if account is None else skeleton(account.name)
        if kind != "invitation":
            for key in [found for found, old in self._links.items() if (old.kind, old.account) == (kind, target)]:
                await self._drop(key)
        code = secrets.token_urlsafe(18)
        link = Link(kind=kind, expires=int(time.time() + seconds), account=target)
        await self._storage.put(LINK, _hash(code), msgspec.json.encode(link))
        self._links[_hash(code)] = link
        return code

    @asynccontextmanager
    async def using(self, code: str) -> AsyncIterator[tuple[Link, Account | None]]:
        """What a link lets do, and the account it is for. It is used up unless the block raises, which is done whole though its
        connection is lost meanwhile: else a link might let two in. Raises `Refusal`: bad_link.
        """
        key = _hash(code)
        if key not in self._links or key in self._used:
            raise Refusal(Code.BAD_LINK)
        async with self._others.alone("links"):
            link = self._links.get(key)
            if link is None or key in self._used or link.expires < time.time():
                raise Refusal(Code.BAD_LINK)
            account = self._accounts.get(link.account)
            if link.account and account is None:
                raise Refusal(Code.BAD_LINK)
            self._used.add(key)
            try:
                with trio.CancelScope(shield=True):
                    yield link, account
                    await self._drop(key)
            finally:
                self._used.discard(key)

    async def sweep(self) -> None:
        """Forget links that are of no use any more."""
        for key in [found for found, link in self._links.items() if link.expires < time.time()]:
            await self._drop(key)

    async def _drop(self, key: str) -> None:
        await self._storage.delete(LINK, key)
        self._links.pop(key, None)


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
