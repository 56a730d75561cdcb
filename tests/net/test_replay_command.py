"""`apnap replay URL`: the games that others have published, found and seen by a stranger."""

from __future__ import annotations

import pytest
import trio

from server.command.main import main
from server.net.app import App
from tests.net.test_net import app_of, ask, client_of, until


async def replay(app: App, *words: str) -> int:
    return await trio.to_thread.run_sync(main, ["replay", app.url, "--name", "Stranger", *words])


async def test_a_published_game_is_listed_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    async with app_of() as app, client_of(app, "Ada") as ada, client_of(app, "Bob") as bob:
        room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        await ask(bob, {"type": "join", "id": "j", "room": room})
        for client in (ada, bob):
            await ask(client, {"type": "deck", "id": "d", "house": "bears"})
            await ask(client, {"type": "ready", "id": "r"})
        await ask(ada, {"type": "start", "id": "s"})
        await ask(ada, {"type": "concede", "id": "c"})
        await until(bob, "over")
        capsys.readouterr()
        assert await replay(app) == 0 and capsys.readouterr().out == ""
        assert await replay(app, "--room", room) == 1
        for client in (ada, bob):
            await ask(client, {"type": "publish", "id": "p", "room": room})
        assert await replay(app) == 0
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith(room) and line.endswith("Ada, Bob  published")
        assert await replay(app, "--room", room) == 0
        assert "Ada" in capsys.readouterr().out.splitlines()[-1]
