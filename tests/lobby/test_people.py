"""People: names, accounts, one-time links, sessions; who comes in as whom."""

from __future__ import annotations

import base64
import itertools
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol import people as p
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from server.lobby.accounts import Accounts
from server.lobby.lobby import Lobby
from server.lobby.names import bot_label, clean_name, skeleton
from server.lobby.rates import Peer, Rates, network_of, peer_of
from server.settings import Limits, People, Settings
from server.storage import MemoryStorage, open_sqlite, schema
from tests.lobby.parlour import Guest, lobby_of, refusal_of

OPEN = Settings(people=People(accounts="open"))
INVITED = Settings(people=People(accounts="invited"))
SECRET = "correct horse battery"


def hello(name: str, **more: str | bool) -> m.Hello:
    return m.Hello(id="h", name=name, **more)  # type: ignore[arg-type]


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "АԁА"),
        ("Ada", "ａｄａ"),
        ("Bill", "BiII"),
        ("Bob", "B0b"),
        ("Emma", "Ernrna"),
        ("Ivy", "1vy"),
        ("Wu", "VVu"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_names_that_look_different_do_not() -> None:
    names = [
        "Ada",
        "Adam",
        "Bob",
        "Rob",
        "Léa",
        "Lea",
        "Zoé",
        "Иван",
        "Μαρία",
        "李雷",
        "韓梅梅",
        "Nora",
        "Nara",
        "Tim",
        "Tom",
    ]
    assert len({skeleton(clean_name(name)) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Pаypal", Code.BAD_NAME),  # its second letter is Cyrillic
        ("a\u3164b", Code.BAD_NAME),
        ("Z\u0300\u0301\u0302\u0303algo", Code.BAD_NAME),
        ("---", Code.BAD_NAME),
        ("Alder (bot)", Code.RESERVED_NAME),
        ("Alder [B0T]", Code.RESERVED_NAME),
        ("Alder \uff08bot\uff09", Code.RESERVED_NAME),
        ("Server", Code.RESERVED_NAME),
        ("Adm1n", Code.RESERVED_NAME),
    ],
)
def test_names_that_nobody_may_have(name: str, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        clean_name(name)
    assert refused.value.code == code


def test_a_name_is_normalised() -> None:
    assert clean_name("  Ａｄａ\u00a0 L. ") == "Ada L."
    assert clean_name("Abbot") == "Abbot", "a name that merely ends so"


async def test_who_sat_down_under_an_older_version_is_still_known(tmp_path: Path) -> None:
    """It kept people under the hash of the one token that they had."""
    token = "a-token-of-long-ago"
    key = sha256(token.encode()).hexdigest()
    with closing(sqlite3.connect(tmp_path / schema.FILE)) as db, db:
        db.executescript(f"{schema.TABLES}{schema.CARDS}PRAGMA user_version = 2;")
        db.execute(
            "INSERT INTO record VALUES ('person', ?, ?)", (key, b'{"id":"0a1b2c3d4e5f","name":"Ada","kept":true}')
        )
        db.execute("INSERT INTO record VALUES ('person', ?, ?)", ("f" * 64, b"of a version that nobody knows"))
    for _ in range(2):
        async with open_sqlite(tmp_path) as storage, lobby_of(storage) as lobby:
            await wait_all_tasks_blocked()  # what is too old is deleted now
            guest = Guest(lobby)
            welcome = await guest.hello("Ada", token)
            assert (welcome.person, welcome.name) == ("0a1b2c3d4e5f", "Ada")
            sessions = await guest.ask(p.ListSessions(id="l"))
            assert isinstance(sessions, p.Sessions) and [line.here for line in sessions.sessions] == [True]


async def test_two_at_a_table_never_look_alike() -> None:
    async with lobby_of() as lobby:
        host, other = Guest(lobby), Guest(lobby)
        await host.hello("Bill")
        await other.hello("BiII")
        opened = await host.ask(m.Open(id="o"))
        assert isinstance(opened, m.Room)
        assert await refusal_of(other, m.Join(id="j", room=opened.room.id)) == Code.NAME_TAKEN


async def test_no_watcher_bears_the_name_of_a_seat() -> None:
    """Neither by coming in under it, nor by another name later, nor by having been there first; and nobody is kept from a seat."""
    async with lobby_of() as lobby:
        host, twin, early = Guest(lobby), Guest(lobby), Guest(lobby)
        await host.hello("Bill")
        token = (await twin.hello("BiII")).token
        await early.hello("Eve")
        opened = await host.ask(m.Open(id="o", options=RoomOptions(seats=3)))
        assert isinstance(opened, m.Room)
        room = opened.room.id
        assert await refusal_of(twin, m.Watch(id="w", room=room)) == Code.NAME_TAKEN
        assert await refusal_of(twin, m.Resume(id="r", room=room)) == Code.NAME_TAKEN
        again = Guest(lobby)
        await again.hello("Will", token)
        await again.ask(m.Watch(id="w", room=room))
        await Guest(lobby).hello("Bi11", token)
        assert again.last(m.Notice).key == "notice.namesake" and not again.client.room
        await early.ask(m.Watch(id="w", room=room))
        late = Guest(lobby)
        await late.hello("EVE")
        await late.ask(m.Join(id="j", room=room))
        assert early.last(m.Notice).key == "notice.namesake"
        assert late.last(m.Room).room.watchers == [] and lobby.tables[room].watchers == []


async def test_a_program_is_called_a_bot_and_stays_one() -> None:
    async with lobby_of() as lobby:
        first = await Guest(lobby).hello("Hal", bot=True)
        assert first.name == "Hal (bot)" == bot_label("Hal")
        assert (await Guest(lobby).hello("Dave", first.token)).name == "Dave (bot)"


# --- accounts -------------------------------------------------------------------------------------------------------


async def test_a_guest_makes_an_account_and_signs_in_elsewhere_and_after_a_restart() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, settings=OPEN) as lobby:
        ada = Guest(lobby)
        first = await ada.hello("Ada")
        assert (first.role, first.accounts) == ("", "open")
        assert await refusal_of(ada, p.MakeAccount(id="a", password="short")) == Code.WEAK_PASSWORD
        await ada.ask(p.MakeAccount(id="a", password=SECRET))
        assert await refusal_of(ada, p.MakeAccount(id="a", password=SECRET)) == Code.HAS_ACCOUNT
        there = await Guest(lobby).hello("ada", password=SECRET)
        assert (there.person, there.name, there.role) == (first.person, "Ada", "account")
        assert there.token != first.token, "a session of its own"
        for name, password in (("Ada", "wrong wrong"), ("Nobody", SECRET)):
            assert await refusal_of(Guest(lobby), hello(name, password=password)) == Code.BAD_PASSWORD
        assert await refusal_of(Guest(lobby), hello("Аda".replace("А", "A"))) == Code.NAME_TAKEN
    async with lobby_of(storage, settings=OPEN) as lobby:
        assert (await Guest(lobby).hello("Ada", password=SECRET)).person == first.person
        again = await Guest(lobby).hello("Other", first.token)
        assert (again.person, again.name) == (first.person, "Ada"), "an account keeps its name"


async def test_what_is_on_disk_lets_nobody_in() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, settings=OPEN) as lobby:
        ada = Guest(lobby)
        token = (await ada.hello("Ada")).token
        await ada.ask(p.MakeAccount(id="a", password=SECRET))
        link = await lobby.reception.make_link("invitation")
    written = b"".join([*storage._records.values(), *(repr(key).encode() for key in storage._records)])
    assert b"$argon2id$" in written
    for secret in (SECRET, token, link):
        assert secret.encode() not in written


async def test_a_token_is_192_bits_that_tell_nothing_of_another() -> None:
    async with lobby_of() as lobby:
        tokens = [base64.urlsafe_b64decode((await Guest(lobby).hello(f"Guest {number}")).token) for number in range(20)]
    assert {len(token) for token in tokens} == {24}
    ones = [sum(byte.bit_count() for byte in token) for token in tokens]
    assert 20 * 192 * 0.4 < sum(ones) < 20 * 192 * 0.6
    apart = [sum((a ^ b).bit_count() for a, b in zip(*pair, strict=True)) for pair in itertools.combinations(tokens, 2)]
    assert min(apart) > 40, "half of the bits differ, as by chance"


async def test_who_opens_accounts_is_the_hosts_choice() -> None:
    async with lobby_of() as lobby:
        guest = Guest(lobby)
        await guest.hello("Ada")
        assert await refusal_of(guest, p.MakeAccount(id="a", password=SECRET)) == Code.NO_ACCOUNTS
    async with lobby_of(settings=INVITED) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ada")
        assert await refusal_of(guest, p.MakeAccount(id="a", password=SECRET)) == Code.NO_ACCOUNTS
        link = await lobby.reception.make_link("invitation")
        await guest.ask(p.MakeAccount(id="a", password=SECRET, link=link))
        assert await refusal_of(Guest(lobby), hello("Bob", password=SECRET, link=link)) == Code.BAD_LINK, "used"
    async with lobby_of(settings=Settings(people=People(guests=False, accounts="invited"))) as lobby:
        assert await refusal_of(Guest(lobby), hello("Ada")) == Code.NO_GUESTS
        link = await lobby.reception.make_link("invitation")
        assert await refusal_of(Guest(lobby), hello("Ada", password="short", link=link)) == Code.WEAK_PASSWORD
        welcome = await Guest(lobby).hello("Ada", password=SECRET, link=link)
        assert welcome.role == "account", "a link whose use was refused is not used up"


async def test_the_first_admin_comes_in_by_a_link() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, settings=INVITED) as lobby:
        old = await lobby.reception.first_login()
        link = await lobby.reception.first_login()
        assert await refusal_of(Guest(lobby), hello("Ada", password=SECRET, link=old)) == Code.BAD_LINK
        assert (await Guest(lobby).hello("Ada", password=SECRET, link=link)).role == "admin"
        assert await lobby.reception.first_login() == ""
    async with lobby_of(storage, settings=INVITED) as lobby:
        assert await lobby.reception.first_login() == ""
        assert (await Guest(lobby).hello("Ada", password=SECRET)).role == "admin"
    async with lobby_of() as lobby:
        assert await lobby.reception.first_login() == "", "no accounts, no admin"


async def test_a_reset_ends_all_sessions_and_the_old_password() -> None:
    async with lobby_of(settings=OPEN) as lobby:
        ada = Guest(lobby)
        first = await ada.hello("Ada")
        await ada.ask(p.MakeAccount(id="a", password=SECRET))
        link = await lobby.reception.make_link("reset", "Ada")
        back = await Guest(lobby).hello("whatever", password="another secret", link=link)
        assert (back.person, back.name) == (first.person, "Ada")
        assert ada.last(m.Closing).code == "signed_out"
        assert await refusal_of(Guest(lobby), hello("Ada", token=first.token)) == Code.BAD_TOKEN
        assert await refusal_of(Guest(lobby), hello("Ada", password=SECRET)) == Code.BAD_PASSWORD
        with pytest.raises(Refusal, match="no_such_person"):
            await lobby.reception.make_link("reset", "Nobody")


async def test_a_link_grows_old(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = Accounts(MemoryStorage())
    code = await accounts.link("invitation", None, 3600)
    monkeypatch.setattr("server.lobby.accounts.time.time", lambda: 9e9)
    with pytest.raises(Refusal, match="bad_link"):
        async with accounts.using(code):
            pass
    await accounts.sweep()
    assert not accounts._links


async def test_a_link_lets_one_in_though_two_try_at_once() -> None:
    async with lobby_of(settings=INVITED) as lobby:
        link = await lobby.reception.make_link("invitation")
        codes: list[str] = []

        async def come(name: str) -> None:
            codes.append(await refusal_of(Guest(lobby), hello(name, password=SECRET, link=link)))

        async with trio.open_nursery() as nursery:
            for name in ("Ada", "Bob", "Cy"):
                nursery.start_soon(come, name)
        assert sorted(codes) == ["", Code.BAD_LINK, Code.BAD_LINK]


async def test_an_unknown_name_costs_as_much_as_a_wrong_password(monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby_of(settings=OPEN) as lobby:
        ada = Guest(lobby)
        await ada.hello("Ada")
        await ada.ask(p.MakeAccount(id="a", password=SECRET))
        checked: list[str] = []
        passwords = lobby.reception.accounts.passwords
        verify = passwords._hasher.verify
        monkeypatch.setattr(passwords, "_hasher", Counting(verify, checked))
        for name in ("Ada", "Nobody"):
            assert await refusal_of(Guest(lobby), hello(name, password="wrong wrong")) == Code.BAD_PASSWORD
        parameters = [hashed.split("$")[1:4] for hashed in checked]
        assert len(parameters) == 2 and parameters[0] == parameters[1]


class Counting:
    """A hasher that notes what it was asked to verify."""

    def __init__(self, verify: object, checked: list[str]) -> None:
        self._verify, self._checked = verify, checked

    def verify(self, hashed: str, password: str) -> bool:
        self._checked.append(hashed)
        return self._verify(hashed, password)  # type: ignore[operator]


async def guessed(lobby: Lobby, addresses: Sequence[str], names: Sequence[str]) -> list[tuple[str, int]]:
    """What becomes of wrong passwords, one after the other: the code, and how many seconds it took."""
    found: list[tuple[str, int]] = []
    for address, name in zip(addresses, names, strict=True):
        begun = trio.current_time()
        code = await refusal_of(Guest(lobby, address), hello(name, password="x"))
        found.append((code, round(trio.current_time() - begun)))
    return found


async def test_who_guesses_passwords_is_slowed_by_address_and_by_account(
    autojump_clock: trio.testing.MockClock,
) -> None:
    accounts = Settings(people=People(accounts="open"), limits=Limits(tries_per_minute=3))
    async with lobby_of(settings=accounts) as lobby:
        ada = Guest(lobby)
        person = await ada.hello("Ada")
        lobby.reception.accounts._accounts[skeleton("Ada")] = await _account("Ada", person.person)  # type: ignore[assignment]
        lobby.reception.accounts.passwords = Never()  # type: ignore[assignment]
        slow = await guessed(lobby, ["192.0.2.1"] * 6, [f"A{n}" for n in range(6)])
        assert slow == [(Code.BAD_PASSWORD, 0)] * 3 + [(Code.BAD_PASSWORD, 20)] * 3, "one address, many names"
        slow = await guessed(lobby, [f"192.0.2.{n}" for n in range(2, 8)], ["Ada"] * 6)
        assert [seconds for _, seconds in slow] == [0, 0, 0, 3, 3, 3], "many addresses, one name"
        codes: list[str] = []

        async def guess() -> None:
            codes.append(await refusal_of(Guest(lobby, "192.0.2.1"), hello("Ada", password="x")))

        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(guess)
        assert codes.count(Code.TOO_MANY_TRIES) >= 15, "nor many at once"


async def test_wrong_passwords_lock_nobody_out(autojump_clock: trio.testing.MockClock) -> None:
    """While somebody guesses without end, from a few addresses, who knows the password comes in at once; from their address soon."""
    async with lobby_of(settings=OPEN) as lobby:
        ada = Guest(lobby)
        await ada.hello("Ada")
        await ada.ask(p.MakeAccount(id="a", password=SECRET))
        lobby.reception.accounts.passwords = Never(SECRET)  # type: ignore[assignment]
        async with trio.open_nursery() as nursery:

            async def guess(address: str) -> None:
                while True:
                    await refusal_of(Guest(lobby, address), hello("Ada", password="wrong wrong"))
                    await trio.sleep(0.3)

            for address in ("192.0.2.1", "192.0.2.2", "198.51.100.1"):
                for _ in range(5):
                    nursery.start_soon(guess, address)
            await trio.sleep(300)
            with trio.fail_after(5):
                assert (await Guest(lobby, "203.0.113.7").hello("Ada", password=SECRET)).role == "account"
            codes = [await refusal_of(Guest(lobby, "192.0.2.1"), hello("Ada", password=SECRET)) for _ in range(100)]
            assert "" in codes
            nursery.cancel_scope.cancel()


async def _account(name: str, person: str) -> object:
    from server.lobby.accounts import Account

    return Account(name=name, person=person, hash="none")


class Never:
    """Passwords without the cost and without a thread: none is right, but for one."""

    def __init__(self, right: str = "") -> None:
        self._right = right

    async def matches(self, hashed: str, password: str) -> bool:
        await trio.lowlevel.checkpoint()
        return bool(self._right) and password == self._right

    def outdated(self, hashed: str) -> bool:
        return False


async def test_hellos_are_counted_by_address() -> None:
    async with lobby_of(settings=Settings(limits=Limits(hellos_per_minute=2))) as lobby:
        codes = [await refusal_of(Guest(lobby, "192.0.2.1"), hello("Ada")) for _ in range(3)]
        assert codes == ["", "", Code.TOO_MANY_TRIES]
        assert await refusal_of(Guest(lobby, "192.0.2.2"), hello("Ada")) == ""


async def test_buckets_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.rates.REMEMBERED", 100)
    rates = Rates()
    for number in range(1000):
        rates.take("hello", f"192.0.2.{number}", 10)
    assert len(rates._left) <= 100


def test_an_address_stands_in_a_network() -> None:
    assert peer_of("192.0.2.77", Limits()) == Peer("192.0.2.77", "192.0.2.0/24")
    assert peer_of("2001:db8:1:2:3::4", Limits()) == Peer("2001:db8:1:2::/64", "2001:db8:1::/48")
    assert peer_of("", Limits()) == Peer() and peer_of("somewhere", Limits()) == Peer("somewhere", "somewhere")


def test_a_household_is_one_address() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("") == "" and network_of("somewhere") == "somewhere"


# --- sessions -------------------------------------------------------------------------------------------------------


async def test_sessions_are_listed_and_ended() -> None:
    async with lobby_of(settings=OPEN) as lobby:
        here, there = Guest(lobby), Guest(lobby)
        await here.hello("Ada", client="page")
        await here.ask(p.MakeAccount(id="a", password=SECRET))
        token = (await there.hello("Ada", password=SECRET, client="apnap play")).token
        listed = await here.ask(p.ListSessions(id="l"))
        assert isinstance(listed, p.Sessions)
        lines = [(line.client, line.here, line.connected) for line in listed.sessions]
        assert lines == [("page", True, True), ("apnap play", False, True)]
        assert await refusal_of(here, p.SignOut(id="s", session="none")) == Code.NO_SUCH_SESSION
        await here.ask(p.SignOut(id="s", session=listed.sessions[1].session))
        assert there.last(m.Closing).code == "signed_out"
        assert await refusal_of(Guest(lobby), hello("Ada", token=token)) == Code.BAD_TOKEN


async def test_another_password_signs_out_elsewhere() -> None:
    async with lobby_of(settings=OPEN) as lobby:
        here, there = Guest(lobby), Guest(lobby)
        await here.hello("Ada")
        await here.ask(p.MakeAccount(id="a", password=SECRET))
        await there.hello("Ada", password=SECRET)
        assert await refusal_of(here, p.ChangePassword(id="c", old="wrong", new="x" * 9)) == Code.BAD_PASSWORD
        await here.ask(p.ChangePassword(id="c", old=SECRET, new="another secret"))
        assert there.last(m.Closing).code == "signed_out"
        assert not any(isinstance(message, m.Closing) for message in here.read())
        assert await refusal_of(Guest(lobby), hello("Ada", password="another secret")) == ""
