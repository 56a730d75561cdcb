"""A journal that is damaged on a real disk: its room stands still and says why, the host has it in hand, all others play on."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import trio

from protocol import messages as m
from protocol.refusals import Code
from server.command.main import main
from server.lobby.desk import answer as answered
from server.lobby.lobby import Lobby
from server.net.desk import serve_desk
from server.storage import Damaged, open_sqlite
from server.storage.files import read_file
from server.storage.schema import FILE
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of
from tests.net.test_desk import admin, data, listed

__all__ = ["data"]


async def played(folder: Path, answers: int = 4) -> tuple[str, list[str]]:
    """A game of two that a server has left so many answers after its deal; its room and the players' tokens."""
    async with open_sqlite(folder) as storage, lobby_of(storage) as lobby:
        table = await table_of(lobby)
        room = table[0].client.room
        await table[0].ask(m.Start(id="s"))
        for _ in range(answers):
            await answer(lobby, room, table)
    return room, [guest.last(m.Welcome).token for guest in table]


async def answer(lobby: Lobby, room: str, table: list[Guest]) -> None:
    """Whoever is asked keeps priority by playing a card or passes."""
    game = lobby.tables[room].room
    assert game is not None and game.state is not None and game.state.pending is not None
    guest = table[game.state.pending.seat]
    asked = next(
        got.question
        for got in reversed(guest.read())
        if isinstance(got, m.ViewMessage | m.QuestionMessage) and got.question
    )
    reply = await guest.ask(m.AnswerMessage(id=guest.id(), question=asked.id, answer=asked.default))
    assert isinstance(reply, m.Ok)


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as db, db:
        assert db.execute(statement, values).rowcount == 1


def damage_entry(folder: Path, room: str) -> None:
    number = "(SELECT no FROM room WHERE id = ?)"
    change(folder, f"UPDATE entry SET data = CAST('no entry' AS BLOB) WHERE seq = 2 AND room = {number}", room)


def damage_hash(folder: Path, room: str) -> None:
    """Another entry in its place, which could be read."""
    entry = b'{"entry":"check","seq":2,"hash":"another"}'
    change(folder, "UPDATE entry SET data = ? WHERE seq = 2 AND room = (SELECT no FROM room WHERE id = ?)", entry, room)


def damage_setup(folder: Path, room: str) -> None:
    change(folder, "UPDATE room SET setup = CAST('no setup' AS BLOB) WHERE id = ?", room)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.ERROR):
        yield


@pytest.mark.parametrize(
    ("damage", "why"),
    [(damage_entry, "notice.damaged"), (damage_hash, "notice.damaged"), (damage_setup, "notice.damaged")],
)
async def test_a_damaged_journal_freezes_its_room_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: object, why: str
) -> None:
    bad, tokens = await played(tmp_path)
    good, others = await played(tmp_path)
    damage(tmp_path, bad)  # type: ignore[operator]
    async with open_sqlite(tmp_path) as storage, lobby_of(storage) as lobby:
        assert {table.id: table.state for table in lobby.tables.values()} == {bad: "frozen", good: "playing"}
        assert any(bad in record.getMessage() for record in caplog.records), "the log names the journal"
        back = Guest(lobby)
        await back.hello("P0", tokens[0])
        shown = await back.ask(m.Resume(id="r", room=bad))
        assert isinstance(shown, m.Room) and shown.room.state == "frozen"
        assert back.last(m.Notice).key == why
        assert await refusal_of(back, m.Sync(id="y")) == Code.FROZEN
        table = [Guest(lobby), Guest(lobby)]
        for number, guest in enumerate(table):
            await guest.hello(f"P{number}", others[number])
            await guest.ask(m.Resume(id="r", room=good))
        await answer(lobby, good, table)
        assert not next(record for record in await storage.rooms() if record.room == bad).finished


async def test_the_host_sees_exports_and_closes_a_frozen_room(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room, _ = await played(data)
    damage_entry(data, room)
    async with open_sqlite(data) as storage, lobby_of(storage) as lobby, trio.open_nursery() as nursery:
        await nursery.start(serve_desk, partial(answered, lobby), data)
        (row,) = await listed(data, "rooms", capsys)
        assert (row["id"], row["state"], row["seats"]) == (room, "frozen", ["P0", "P1"])
        file = data / "journal"
        assert await admin(data, "export", room, str(file)) == 1
        assert "entry 2" in capsys.readouterr().err
        assert file.read_bytes().splitlines()[3] == b"no entry"
        with pytest.raises(Damaged, match="entry 2"):
            read_file(file)
        assert await admin(data, "close", room) == 0
        assert await listed(data, "rooms", capsys) == []
        nursery.cancel_scope.cancel()
    async with open_sqlite(data) as storage, lobby_of(storage) as lobby:
        assert lobby.tables == {}, "what the host has closed does not come back"
        assert [record.room for record in await storage.rooms()] == [room], "and its journal is kept"


def test_a_damaged_file_is_named_by_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room, _ = trio.run(played, tmp_path)
    damage_entry(tmp_path, room)
    assert main(["replay", room, "--data", str(tmp_path)]) == 1
    assert f"journal of {room}, entry 2" in capsys.readouterr().err
