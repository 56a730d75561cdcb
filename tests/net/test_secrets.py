"""Nothing secret is ever in a log: a whole session with every kind of secret is played, and all that was logged is searched."""

from __future__ import annotations

import io
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.command.logs import set_up
from server.net.app import running
from server.settings import Listen, Log, People, Settings
from server.storage import open_sqlite
from tests.lobby.parlour import TwoDecks
from tests.net.test_floods import HONEST, client_from
from tests.net.test_net import app_of, ask, client_of
from tests.rooms.fake import FakeGame

ACCOUNT, OTHER, ROOM, WRONG = (
    "correct horse battery",
    "another horse battery",
    "open sesame street",
    "wrong horse battery",
)


@pytest.fixture(params=["text", "json"])
def logged(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """All that is logged, from debug on, as the server writes it."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    client = logging.getLogger("websockets.client")
    client.propagate = False  # the test's own end of the line says all that it sends
    set_up(Log(format=request.param, level="debug"))
    written = io.StringIO()
    handler = root.handlers[0]
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(written)
    yield written
    root.handlers = handlers
    root.setLevel(level)
    client.propagate = True


async def test_no_log_has_a_password_a_token_or_a_link(logged: io.StringIO) -> None:
    settings = Settings(listen=Listen(port=0), people=People(accounts="open"))
    secrets = [ACCOUNT, OTHER, ROOM, WRONG]
    async with app_of(FakeGame(turns=2), settings=settings) as app:
        login = await app.lobby.reception.first_login()
        async with client_of(app) as ada, client_of(app) as bob, client_of(app) as cy, client_of(app) as dan:
            hello = {"type": "hello", "id": "h", "name": "Ada"}
            first = await ask(ada, {**hello, "password": ACCOUNT, "link": login})
            guest = await ask(bob, {**hello, "name": "Bob"})
            await ask(bob, {"type": "account", "id": "a", "password": OTHER})
            assert (await ask(cy, {**hello, "password": WRONG}))["code"] == "bad_password"
            assert (await ask(cy, {**hello, "token": WRONG}))["code"] == "bad_token"
            assert (await ask(cy, {**hello, "ticket": WRONG}))["code"] == "bad_ticket"
            assert (await ask(cy, {**hello, "password": ACCOUNT, "link": login}))["code"] == "bad_link"
            opened = await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}})
            room = opened["room"]["id"]
            await ask(ada, {"type": "room_password", "id": "p", "password": ROOM})
            assert (await ask(bob, {"type": "join", "id": "j", "room": room, "password": WRONG}))[
                "code"
            ] == "bad_password"
            joined = await ask(bob, {"type": "join", "id": "j", "room": room, "password": ROOM})
            for one in (ada, bob):
                await ask(one, {"type": "deck", "id": "d", "house": "bears"})
                await ask(one, {"type": "ready", "id": "r"})
            await ask(ada, {"type": "start", "id": "s"})
            await ask(bob, {"type": "password", "id": "w", "old": OTHER, "new": ACCOUNT})
            await ask(bob, {"type": "concede", "id": "c"})
            again = await ask(dan, {**hello, "token": first["token"]})
            assert again["person"] == first["person"]
            await ask(dan, {"type": "sign_out", "id": "x"})
            secrets += [login, first["token"], guest["token"], joined["room"]["invitation"]]
    told = logged.getvalue()
    assert "over" in told, "something is logged"
    for code in ("bad_password", "bad_token", "bad_ticket", "bad_link"):
        assert re.search(rf"refused\W+{code}", told)
    for secret in secrets:
        assert len(secret) >= 12 and secret not in told


def all_files(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


async def test_nobodys_address_is_written_anywhere(logged: io.StringIO, tmp_path: Path) -> None:
    """Neither where the data are nor in a log, whatever is done from there: refused, counted, reported, played."""
    settings = Settings(listen=Listen(port=0), people=People(accounts="open"))
    async with (
        open_sqlite(tmp_path) as storage,
        running(storage, TwoDecks(), game=FakeGame(turns=2), settings=settings) as app,
        client_from(app, HONEST) as ada,
        client_from(app, HONEST) as bob,
    ):
        hello = {"type": "hello", "id": "h", "name": "Ada"}
        first = await ask(ada, hello)
        await ask(ada, {"type": "account", "id": "a", "password": ACCOUNT})
        assert (await ask(bob, {**hello, "password": WRONG}))["code"] == "bad_password"
        await ask(bob, {**hello, "name": "Bob"})
        room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        await ask(bob, {"type": "join", "id": "j", "room": room})
        report = {"type": "report", "id": "r", "person": first["person"], "text": "hello there"}
        assert (await ask(bob, report))["type"] == "ok"
        for one in (ada, bob):
            await ask(one, {"type": "deck", "id": "d", "house": "bears"})
            await ask(one, {"type": "ready", "id": "r"})
        await ask(ada, {"type": "start", "id": "s"})
        await bob.send("no message")
        await ask(bob, {"type": "concede", "id": "c"})
        written = all_files(tmp_path)
    assert b"hello there" in written, "what is reported is written"
    address = socket.inet_aton(HONEST)
    assert HONEST not in logged.getvalue()
    for form in (HONEST.encode(), address, address[::-1], address.hex().encode()):
        assert form not in written
