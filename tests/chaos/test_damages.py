"""Damage to the database, its log and its witness: each is noticed when the server starts or when somebody comes back, and is said."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TypeAlias

import msgspec
import pytest

from protocol import messages as m
from protocol import people as p
from protocol.options import RoomOptions
from server.lobby.lobby import Lobby
from server.settings import People, Settings
from server.storage import StorageError, open_sqlite
from server.storage.schema import FILE
from server.storage.witness import FILE as WITNESS
from tests.lobby.parlour import Guest, lobby_of
from tests.net.test_damage import answer

OPEN = Settings(people=People(accounts="open"))
LOG = f"{FILE}-wal"
PAGE = 4096
TABLES = ("room", "entry", "card", "room_card", "snapshot", "record", "head", "past")

Harm: TypeAlias = Callable[[Path, "Data"], object]


class Data(msgspec.Struct):
    """Directories that a server has left: `old` after a few answers and `now` after more, both as it was killed, so that most lies in
    the log; `closed` at the end of all; `other` is another server's. `seats` are the tokens and receipts of a room by `now`.
    """

    folder: Path
    room: str = ""
    seats: list[tuple[str, str]] = []

    def __getattr__(self, name: str) -> Path:
        return self.folder / name


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    import trio

    made = Data(tmp_path_factory.mktemp("data"))
    trio.run(make, made)
    return made


async def make(made: Data) -> None:
    for name in ("other", "run"):
        async with open_sqlite(made.folder / name) as storage, lobby_of(storage, settings=OPEN) as lobby:
            tables = [await begun(lobby, name, number) for number in range(2)]
            for times, copy in ((3, "old"), (9, "now")):
                for table in tables:
                    for _ in range(times):
                        await answer(lobby, table[0].client.room, table)
                if name == "run":
                    shutil.copytree(made.folder / "run", made.folder / copy, ignore=shutil.ignore_patterns("*-shm"))
            table = tables[0]
            made.room = table[0].client.room
            made.seats = [(guest.last(m.Welcome).token, receipt_of(guest)) for guest in table]
            for table in tables:
                game = lobby.tables[table[0].client.room].room
                assert game is not None
                await game.rest()
    shutil.copytree(made.folder / "run", made.folder / "closed")


async def begun(lobby: Lobby, name: str, number: int) -> list[Guest]:
    """A game of two with an account at the table, whose seats ask for receipts."""
    guests = [Guest(lobby), Guest(lobby)]
    for seat, guest in enumerate(guests):
        await guest.hello(f"{name} {number} {'abc'[seat]}", receipts=True)
    await guests[0].ask(p.MakeAccount(id="a", password="correct horse battery"))
    opened = await guests[0].ask(m.Open(id="o", options=RoomOptions(seats=2)))
    assert isinstance(opened, m.Room)
    await guests[1].ask(m.Join(id="j", room=opened.room.id))
    for guest in guests:
        await guest.prepare()
    await guests[0].ask(m.Start(id="s"))
    return guests


def receipt_of(guest: Guest) -> str:
    told = [got.receipt for got in guest.read() if isinstance(got, m.Ok | m.ViewMessage | m.Patch)]
    return [receipt for receipt in told if receipt][-1]


async def said(folder: Path, data: Data, caplog: pytest.LogCaptureFixture, *, comes_back: bool = False) -> list[str]:
    """What is said as a server starts on that directory: why it does not, or what its log is told, and whoever comes back."""
    caplog.clear()
    found: list[str] = []
    try:
        with caplog.at_level(logging.WARNING):
            async with open_sqlite(folder) as storage, lobby_of(storage, settings=OPEN) as lobby:
                await lobby.upkeep.audit()
                for token, receipt in data.seats if comes_back else ():
                    guest = Guest(lobby)
                    await guest.hello("back", token, receipts=True)
                    await guest.ask(m.Resume(id="r", room=data.room, receipt=receipt))
                    await guest.ask(m.Sync(id="s"))
                    found += [got.key for got in guest.read() if isinstance(got, m.Notice)]
    except* StorageError as group:
        found += [str(fault) for fault in _leaves(group)]
    return found + [record.getMessage() for record in caplog.records]


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for one in group.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from _leaves(one)
        else:
            yield one


# --- damages ----------------------------------------------------------------------------------------------------------


def gone(name: str) -> Harm:
    return lambda folder, _: (folder / name).unlink()


def text(name: str, content: bytes) -> Harm:
    return lambda folder, _: (folder / name).write_bytes(content)


def cut(name: str, part: float = 1.0, less: int = 0) -> Harm:
    """A part of the file is left, or all but a few bytes."""

    def harm(folder: Path, _: Data) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: round(len(content) * part) - less])

    return harm


def zeroed(name: str, at: float = 0.0, length: int = PAGE) -> Harm:
    """A page, from that part of the file on, holds nothing."""

    def harm(folder: Path, _: Data) -> None:
        content = bytearray((folder / name).read_bytes())
        start = round(len(content) * at) // PAGE * PAGE
        content[start : start + length] = bytes(len(content[start : start + length]))
        (folder / name).write_bytes(content)

    return harm


def flipped(name: str, at: float = 0.0, plus: int = 0, word: bytes = b"") -> Harm:
    """One bit is another: at that part of the file, or in the last place where these bytes stand."""

    def harm(folder: Path, _: Data) -> None:
        content = bytearray((folder / name).read_bytes())
        start = content.rindex(word) if word else round((len(content) - 1) * at)
        content[start + plus] ^= 1
        (folder / name).write_bytes(content)

    return harm


def of(source: str, name: str, into: str = "") -> Harm:
    """The file is another directory's."""
    return lambda folder, data: shutil.copy(data.folder / source / name, folder / (into or name))


def pages_exchanged(folder: Path, _: Data) -> None:
    content = (folder / FILE).read_bytes()
    pages = [content[at : at + PAGE] for at in range(0, len(content), PAGE)]
    pages[5], pages[9] = pages[9], pages[5]
    (folder / FILE).write_bytes(b"".join(pages))


def stated(statement: str) -> Harm:
    """Somebody has done it with SQL."""

    def harm(folder: Path, _: Data) -> None:
        with closing(sqlite3.connect(folder / FILE)) as db, db:
            assert db.execute(statement).rowcount >= 1

    return harm


DATABASE: dict[str, Harm] = {
    "gone": gone(FILE),
    "empty": text(FILE, b""),
    "a text": text(FILE, b"this is no database " * 500),
    "half of it": cut(FILE, 0.5),
    "without its last page": cut(FILE, less=PAGE),
    "without its last bytes": cut(FILE, less=PAGE // 2),
    "an older copy": of("old", FILE),
    "another server's": of("other", FILE),
    "its first page zeroed": zeroed(FILE),
    "a page zeroed": zeroed(FILE, 0.3),
    "another page zeroed": zeroed(FILE, 0.6),
    "its last page zeroed": zeroed(FILE, 0.999),
    "half of a page zeroed": zeroed(FILE, 0.5, PAGE // 2),
    "pages exchanged": pages_exchanged,
    "a bit of an answer": flipped(FILE, word=b'"seat":1', plus=7),
    "a bit of a setup": flipped(FILE, word=b'"edition":', plus=12),
    "a bit of a card": flipped(FILE, word=b"Creature", plus=3),
    "a bit of a name": flipped(FILE, word=b"run 1 b", plus=6),
    "a bit of a password": flipped(FILE, word=b"$argon2id", plus=40),
    "a bit of its head": flipped(FILE, plus=17),
    "an entry gone": stated("DELETE FROM entry WHERE seq = 5 AND room = 1"),
    "its last entries gone": stated("DELETE FROM entry WHERE seq > 9 AND room = 2"),
    "a room gone": stated("DELETE FROM room WHERE no = 1"),
    "a room called finished": stated("UPDATE room SET finished = 1 WHERE no = 1"),
    "an account gone over to another": stated("UPDATE record SET key = key || 'x' WHERE kind = 'account'"),
    "its heads gone": stated("DELETE FROM head"),
    "its chain cut": stated("DELETE FROM past WHERE no > 10"),
}
LOGS: dict[str, Harm] = {
    "gone": gone(LOG),
    "empty": text(LOG, b""),
    "a text": text(LOG, b"this is no log " * 900),
    "half of it": cut(LOG, 0.5),
    "without its last bytes": cut(LOG, less=10),
    "a bit of its head": flipped(LOG, plus=9),
    "a bit of its middle": flipped(LOG, 0.5),
    "a bit of its end": flipped(LOG, 1.0),
    "a page zeroed": zeroed(LOG, 0.7),
    "an older one": of("old", LOG),
    "a database": of("other", FILE, LOG),
}
WITNESSES: dict[str, Harm] = {
    "gone": gone(WITNESS),
    "empty": text(WITNESS, b""),
    "a text": text(WITNESS, b"seen nothing"),
    "half of it": cut(WITNESS, 0.5),
    "without its last bytes": cut(WITNESS, less=10),
    "a bit of its head": flipped(WITNESS, plus=3),
    "a bit of its middle": flipped(WITNESS, 0.5),
    "an older one": of("old", WITNESS),
    "another server's": of("other", WITNESS),
}
ALL = [
    *(pytest.param("closed", harm, id=f"database, {name}") for name, harm in DATABASE.items()),
    *(pytest.param("now", harm, id=f"log, {name}") for name, harm in LOGS.items()),
    *(pytest.param("now", harm, id=f"witness, {name}") for name, harm in WITNESSES.items()),
]


def test_there_are_forty() -> None:
    assert len(ALL) >= 40


@pytest.mark.parametrize("source", ["closed", "now", "old"])
async def test_nothing_is_said_of_data_that_are_whole(
    source: str, data: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(data.folder / source, tmp_path / "data")
    for _ in range(2):
        told = await said(tmp_path / "data", data, caplog, comes_back=source != "old")
        assert told == []


@pytest.mark.parametrize(("source", "harm"), ALL)
async def test_each_damage_is_said(
    source: str, harm: Harm, data: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(data.folder / source, tmp_path / "data")
    harm(tmp_path / "data", data)
    assert await said(tmp_path / "data", data, caplog) != []


async def test_an_older_copy_of_everything_is_said_to_who_comes_back(
    data: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(data.old, tmp_path / "data")
    told = await said(tmp_path / "data", data, caplog, comes_back=True)
    assert "notice.lost" in told and any(f"room {data.room}: entries" in line for line in told)


def content(folder: Path) -> object:
    """All that a database says, by a plain reader; None where it cannot be read."""
    try:
        with closing(sqlite3.connect(folder / FILE)) as db:
            return [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES]
    except (sqlite3.Error, UnicodeDecodeError):
        return None


@pytest.mark.parametrize("name", [FILE, LOG, WITNESS])
async def test_a_bit_anywhere_is_noticed_where_it_makes_a_difference(
    name: str, data: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    """What SQLite does not look at may be anything: there the content is the same, and it is none of the data."""
    source = data.closed if name == FILE else data.now
    size = (source / name).stat().st_size
    made = 0
    for seed in range(100 if request.config.getoption("--all") else 8):
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        shutil.rmtree(tmp_path / "read", ignore_errors=True)
        shutil.copytree(source, tmp_path / "data")
        chance = Random(seed)
        with (tmp_path / "data" / name).open("r+b") as file:
            at = chance.randrange(size)
            file.seek(at)
            byte = file.read(1)[0] ^ 1 << chance.randrange(8)
            file.seek(at)
            file.write(bytes([byte]))
        shutil.copytree(tmp_path / "data", tmp_path / "read")
        if name != WITNESS and content(tmp_path / "read") == content_of(source, tmp_path):
            continue
        made += 1
        assert await said(tmp_path / "data", data, caplog) != [], f"{name}, byte {at}"
    assert made or name == FILE


def content_of(source: Path, aside: Path) -> object:
    shutil.rmtree(aside / "whole", ignore_errors=True)
    shutil.copytree(source, aside / "whole")
    return content(aside / "whole")
