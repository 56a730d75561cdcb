"""`apnap admin` against a running server: what the host may ask and do from the machine itself."""

from __future__ import annotations

import json
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from server.command.main import main
from server.net.app import ANYWHERE, App, running
from server.net.desk import NAME
from server.settings import Listen, People, Settings
from server.storage import open_sqlite
from tests.lobby.parlour import TwoDecks
from tests.net.test_net import ask, client_of, until
from tests.rooms.fake import FakeGame


@pytest.fixture
def data() -> Iterator[Path]:
    """A directory whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="apnap") as folder:
        yield Path(folder)


@asynccontextmanager
async def served(data: Path, settings: Settings = ANYWHERE) -> AsyncIterator[App]:
    async with (
        open_sqlite(data) as storage,
        running(storage, TwoDecks(), game=FakeGame(), desk=data, settings=settings) as app,
    ):
        yield app


async def admin(data: Path, *words: str) -> int:
    """`apnap admin` with these words, as another process would run it."""
    return await trio.to_thread.run_sync(main, ["admin", *words, "--data", str(data)])


async def listed(data: Path, what: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert await admin(data, what, "--json") == 0
    return json.loads(capsys.readouterr().out)[what]


async def test_the_host_sees_rooms_and_people(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with served(data) as app, client_of(app, "Ada") as ada:
        room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2, "private": True}}))["room"]["id"]
        rooms = await listed(data, "rooms", capsys)
        assert rooms == [{"id": room, "state": "gathering", "seats": ["Ada", ""], "watchers": 0, "entries": 0}]
        (person,) = await listed(data, "people", capsys)
        assert (person["name"], person["room"]) == ("Ada", room)


async def test_a_person_is_kicked_and_told_why(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with served(data) as app, client_of(app, "Ada") as ada:
        (person,) = await listed(data, "people", capsys)
        assert await admin(data, "kick", person["id"], "Be kind.") == 0
        assert (await until(ada, "closing"))["sentence"] == "Be kind."
        assert await admin(data, "kick", "nobody") == 1
        assert "nobody connected" in capsys.readouterr().err


async def test_everyone_hears_the_host_and_a_room_is_closed(data: Path) -> None:
    async with served(data) as app, client_of(app, "Ada") as ada, client_of(app, "Bob") as bob:
        room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        assert await admin(data, "broadcast", "Pizza is here.") == 0
        assert (await until(bob, "notice"))["args"] == {"text": "Pizza is here."}
        assert await admin(data, "close", room) == 0
        while (notice := await until(ada, "notice"))["key"] != "notice.room_closed":
            pass
        assert "journal is kept" in notice["text"] and not app.lobby.tables
        assert await admin(data, "close", room) == 1


async def test_a_server_of_one_process_has_nowhere_to_move_a_game_to(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(data) as app, client_of(app, "Ada") as ada:
        room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        assert await admin(data, "move", room) == 1
        assert "no other worker" in capsys.readouterr().err and room in app.lobby.tables


async def test_a_backup_is_taken_while_games_go_on_and_put_back(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = data / "copy.sqlite"
    async with served(data) as app, client_of(app, "Ada") as ada:
        await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}})
        assert await admin(data, "backup", str(copy)) == 0
        assert await admin(data, "restore", str(copy)) == 1
        assert "already" in capsys.readouterr().err or copy.exists()
    assert copy.stat().st_size > 0
    assert await admin(data, "restore", str(copy)) == 0


async def test_only_the_owner_may_give_orders_and_a_stopped_server_takes_none(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(data):
        assert stat.S_IMODE((data / NAME).stat().st_mode) == 0o600
    assert not (data / NAME).exists()
    assert await admin(data, "rooms") == 1
    assert "no server answers" in capsys.readouterr().err


async def test_what_is_no_request_is_refused(data: Path) -> None:
    async with served(data):
        for line in (b"{}\n", b'{"do":"rooms","of":"mine"}\n', b"\xff\n", b'{"do":"erase"}\n'):
            stream = await trio.open_unix_socket(str(data / NAME))
            await stream.send_all(line)
            assert json.loads(await stream.receive_some())["reply"] == "failed"
            await stream.aclose()


async def test_the_first_admin_a_reset_and_an_invitation_are_links_of_the_hosts(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def link(*words: str) -> str:
        capsys.readouterr()
        assert await admin(data, *words, "--json") == 0
        return json.loads(capsys.readouterr().out)["code"]

    settings = Settings(
        listen=Listen(port=0, public_url="https://table.example/"), people=People(guests=False, accounts="invited")
    )
    async with served(data, settings) as app:
        first = await link("login-link")
        assert await admin(data, "invite") == 0
        assert "https://table.example/#/link/" in capsys.readouterr().out
        hello = {"type": "hello", "id": "h", "name": "Ada", "password": "correct horse", "link": first}
        async with client_of(app) as ada:
            assert (await ask(ada, hello))["role"] == "admin"
            again = await link("reset", "Ada")
            async with client_of(app) as there:
                assert (await ask(there, {**hello, "link": again, "password": "another horse"}))["name"] == "Ada"
            assert (await until(ada, "closing"))["code"] == "signed_out"
        assert await admin(data, "reset", "Nobody") == 1


async def test_a_person_is_forgotten_and_reports_are_listed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with served(data) as app, client_of(app, "Ada") as ada, client_of(app, "Bob") as bob:
        room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        joined = await ask(bob, {"type": "join", "id": "j", "room": room})
        accused = joined["room"]["seats"][1]["person"]
        await ask(bob, {"type": "chat", "id": "c", "text": "grr"})
        assert (await ask(ada, {"type": "report", "id": "r", "person": accused, "text": "rude"}))["type"] == "ok"
        capsys.readouterr()
        assert await admin(data, "reports") == 0
        shown = capsys.readouterr().out
        assert f"Ada reports Bob ({accused}), room {room}, entry 0: rude" in shown and "Bob: grr" in shown
        assert await admin(data, "forget", accused) == 0
        assert (await until(bob, "closing"))["code"] == "forgotten"
        assert await admin(data, "reports") == 0 and "Bob" not in capsys.readouterr().out.replace("0 reports", "")
        assert await admin(data, "forget", "nobody") == 1
