"""The reception: who somebody is when they come, their accounts and their sessions.

A hello is a guest's (a new person, or one known by a token), or signs in to an account by its password, or uses a one-time link
of the host's. Nothing here knows rooms: what became of somebody's other connections is told by `Arrival` and `send_away`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import trio

from protocol import messages as m
from protocol import people as p
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby.accounts import Account, Accounts, Link, LinkKind
from server.lobby.client import Client
from server.lobby.names import clean_name, skeleton
from server.lobby.others import Alone, Others, SentAway
from server.lobby.people import People, Person, Session
from server.lobby.rates import Rates
from server.lobby.tries import Tries
from server.settings import Settings
from server.storage import Storage

HOUR = 3600.0


class Arrival(msgspec.Struct, frozen=True):
    """Who has come, by which session, and its token, which who comes by a ticket has already; for which room that is, "" for any."""

    person: Person
    session: Session
    token: str
    room: str = ""


class Ticket(msgspec.Struct, frozen=True, array_like=True):
    """What lets somebody who is known here in at another address, for a room."""

    person: str
    session: str
    room: str


class Reception:
    """See the module. `load` comes first. `clients` gives everyone who has said hello."""

    def __init__(
        self,
        storage: Storage,
        people: People,
        settings: Settings,
        clients: Callable[[], list[Client]],
        others: Others | None = None,
    ) -> None:
        self.people = people
        self._others = others or Alone()
        self.accounts = Accounts(storage, self._others)
        self.rates = Rates(self._others.tell)
        self.tries = Tries(settings.limits.tries_per_minute, self._others.tell)
        self._rules = settings.people
        self._limits = settings.limits
        self.address = settings.listen.public_url
        """Of the page, for the links that the host hands out; "" where nobody has said it. Whoever listens may set it."""
        self._clients = clients

    async def load(self) -> None:
        """Read accounts and links."""
        await self.accounts.load()

    # --- hello ---

    async def come(self, client: Client, hello: m.Hello) -> Arrival:
        """Who says hello. Raises `Refusal`: bad_name, bad_token, bad_ticket, bad_password, bad_link, name_taken, no_guests
        and more."""
        self._count("hello", client, self._limits.hellos_per_minute)
        if hello.ticket:
            return await self._by_ticket(hello.ticket)
        if hello.token:
            return await self._again(hello)
        if hello.link:
            return await self._by_link(client, hello)
        if hello.password:
            return await self._sign_in(await self._check(client, hello.name, hello.password), hello)
        self._count("guest", client, self._limits.guests_per_minute)
        return await self._as_guest(hello)

    def _count(self, what: str, client: Client, per_minute: int) -> None:
        """One of what an address may do so often, and its network several times as often. Raises `Refusal`: too_many_tries."""
        self.rates.take(what, client.peer.address, per_minute)
        self.rates.take(f"{what} of network", client.peer.network, per_minute * self._limits.network_share)

    async def _check(self, client: Client, name: str, password: str) -> Account:
        """The account of that name, whose password that is. Raises `Refusal`: bad_password, too_many_tries."""
        account = self.accounts.find(name)
        # Of names that nobody has, each is tried by itself, so that it takes no longer than with one that somebody has.
        what = f"account {skeleton(name)}" if account is None else f"account {account.person}"
        async with self.tries.at(what, client.peer.address):
            return await self.accounts.check(clean_name(name), password)

    async def _again(self, hello: m.Hello) -> Arrival:
        person, session = await self.people.come(hello.token)
        return Arrival(person, session, hello.token)

    async def issue(self, client: Client, room: str) -> str:
        """A ticket with which who is here comes in at another address. Raises `StorageFault` when nobody else can know of it."""
        assert client.person is not None
        code = secrets.token_urlsafe(24)
        said = msgspec.msgpack.encode(Ticket(client.person.id, client.session, room))
        await self._others.issue(_key(code), said)
        return code

    async def _by_ticket(self, code: str) -> Arrival:
        said = await self._others.redeem(_key(code))
        ticket = None if said is None else msgspec.msgpack.decode(said, type=Ticket)
        person = None if ticket is None else await self.people.find(ticket.person)
        for session in [] if person is None else person.sessions:
            if ticket is not None and person is not None and session.id == ticket.session:
                return Arrival(person, session, "", ticket.room)
        raise Refusal(Code.BAD_TICKET)

    async def _as_guest(self, hello: m.Hello) -> Arrival:
        if not self._rules.guests:
            raise Refusal(Code.NO_GUESTS)
        self._not_an_account(clean_name(hello.name))
        person = self.people.guest(hello.name, program=hello.bot)
        session, token = await self.people.begin(person, hello.client)
        return Arrival(person, session, token)

    async def _by_link(self, client: Client, hello: m.Hello) -> Arrival:
        async with self._link(client, hello.link) as (link, account):
            account = await self._let_in(link, account, hello)
        return await self._sign_in(account, hello)

    @asynccontextmanager
    async def _link(self, client: Client, code: str) -> AsyncIterator[tuple[Link, Account | None]]:
        """What a link lets do; that there is none counts as a wrong try. Raises `Refusal`: bad_link, too_many_tries."""
        async with self.tries.at("links", client.peer.address), self.accounts.using(code) as found:
            yield found

    async def _let_in(self, link: Link, account: Account | None, hello: m.Hello) -> Account:
        """The account that a link is for, or a new one, with the password that is asked for."""
        if account is None:
            person = self.people.guest(hello.name)
            return await self._open(person, hello.password, admin=link.kind == "login")
        if hello.password or link.kind == "reset":
            await self.accounts.set_password(account, hello.password)
            await self._end_sessions(account)
        if link.kind == "login" and not account.admin:
            await self.accounts.change(account, admin=True)
            person = await self._owner(account)
            async with self._others.alone("people"):
                person.role = "admin"
                await self.people.write(person)
        return account

    async def rename(self, person: Person, name: str) -> None:
        """A guest goes by another name from now on; who has an account keeps theirs. Raises `Refusal`: bad_name, name_taken."""
        if person.role == "guest" and not person.bot:
            name = clean_name(name)
            if name != person.name:
                self._not_an_account(name)
            await self.people.rename(person, name)

    def _not_an_account(self, name: str) -> None:
        if self.accounts.find(name) is not None:
            raise Refusal(Code.NAME_TAKEN)

    async def _sign_in(self, account: Account, hello: m.Hello) -> Arrival:
        person = await self._owner(account)
        session, token = await self.people.begin(person, hello.client)
        return Arrival(person, session, token)

    async def _owner(self, account: Account) -> Person:
        person = await self.people.find(account.person)
        if person is None:
            raise Refusal(Code.BAD_LINK)
        return person

    # --- accounts ---

    async def handle(self, client: Client, message: m.ClientMessage) -> m.ServerMessage:
        """What people ask about their accounts and sessions. Raises `Refusal`."""
        person = client.person
        assert person is not None
        match message:
            case p.MakeAccount():
                await self._make_account(client, person, message)
            case p.ChangePassword():
                account = await self.prove(client, person, message.old)
                with trio.CancelScope(shield=True):  # no session outlives the password by a lost connection
                    await self.accounts.set_password(account, message.new)
                    await self._end_others(client, person)
            case p.ListSessions():
                return p.Sessions(re=message.id, sessions=self._lines(client, person))
            case p.SignOut():
                await self._sign_out(client, person, message.session)
            case _:
                raise Refusal(Code.UNKNOWN_MESSAGE)
        return m.Ok(re=message.id)

    async def prove(self, client: Client, person: Person, password: str) -> Account:
        """That somebody knows the password of their account. Raises `Refusal`: bad_password, no_accounts."""
        account = self.accounts.of(person.id)
        if account is None:
            raise Refusal(Code.NO_ACCOUNTS)
        return await self._check(client, account.name, password)

    async def _make_account(self, client: Client, person: Person, message: p.MakeAccount) -> None:
        if person.role != "guest" or person.bot:
            raise Refusal(Code.HAS_ACCOUNT)
        self._count("account", client, self._limits.tries_per_minute)
        if message.link:
            async with self._link(client, message.link) as (link, account):
                if link.kind != "invitation" or account is not None:
                    raise Refusal(Code.BAD_LINK)
                await self._open(person, message.password, admin=False)
        elif self._rules.accounts == "open":
            with trio.CancelScope(shield=True):  # no name is taken by an account that nobody has
                await self._open(person, message.password, admin=False)
        else:
            raise Refusal(Code.NO_ACCOUNTS)

    async def _open(self, person: Person, password: str, *, admin: bool) -> Account:
        account = await self.accounts.add(person.name, password, person.id, admin=admin)
        async with self._others.alone("people"):
            person.role = "admin" if admin else "account"
            await self.people.keep(person)
            await self.people.write(person)
        return account

    # --- sessions ---

    def _lines(self, client: Client, person: Person) -> list[p.SessionLine]:
        connected = {other.session for other in self._clients()}
        return [
            p.SessionLine(
                session=one.id,
                since=one.since,
                seen=one.seen,
                client=one.client,
                here=one.id == client.session,
                connected=one.id in connected,
            )
            for one in person.sessions
        ]

    async def _sign_out(self, client: Client, person: Person, session: str) -> None:
        if not session:
            with trio.CancelScope(shield=True):
                await self._end_others(client, person)
            return
        found = next((one for one in person.sessions if one.id == session), None)
        if found is None:
            raise Refusal(Code.NO_SUCH_SESSION)
        await self._end(person, found)

    async def _end_others(self, client: Client, person: Person) -> None:
        for session in [one for one in person.sessions if one.id != client.session]:
            await self._end(person, session)

    async def _end_sessions(self, account: Account) -> None:
        person = await self._owner(account)
        for session in list(person.sessions):
            await self._end(person, session)

    async def _end(self, person: Person, session: Session) -> None:
        await self.people.end(person, session)
        self.send_away(person, "signed_out", "notice.signed_out", session.id)

    def send_away(self, person: Person, code: str, key: str, session: str = "") -> None:
        """Close a person's connections, of one session or of all, saying why."""
        news = SentAway(person.id, code, key, session)
        self._others.tell(news)
        self.told(news)

    def told(self, news: SentAway) -> None:
        """Close the connections that are here."""
        if news.session:
            self.people.ended(news.person, news.session)
        for client in self._clients():
            if client.person is not None and client.person.id == news.person and news.session in ("", client.session):
                client.put(m.Closing(code=news.code, sentence=fill(news.key, {}, client.lang)))
                client.outbox.close()

    # --- the host's desk ---

    async def make_link(self, kind: LinkKind, name: str = "") -> str:
        """The code of a one-time link. Raises `Refusal`: no_such_person when nobody has an account of that name."""
        account = self.accounts.find(name) if name else None
        if name and account is None or kind == "reset" and account is None:
            raise Refusal(Code.NO_SUCH_PERSON)
        return await self.accounts.link(kind, account, self._rules.link_hours * HOUR)

    def page(self, code: str) -> str:
        """The address of the page that takes a one-time link, "" where the server's own is not known. What stands after the hash is sent to
        no server and so stands in no log.
        """
        return f"{self.address.rstrip('/')}/#/link/{code}" if self.address else ""

    async def first_login(self) -> str:
        """The code by which the first admin comes in, "" when there is one already or there are no accounts."""
        if self._rules.accounts == "off" or self.accounts.has_admin():
            return ""
        return await self.make_link("login")


def _key(code: str) -> str:
    """By which a ticket is known: who sees what the keeper has comes in by none of them."""
    return hashlib.sha256(code.encode()).hexdigest()
