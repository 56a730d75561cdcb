"""Nodes on a database that has lost what it had acknowledged begin anew by themselves, and people are told."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from client_cli.channels import websocket_dial
from client_cli.errors import RequestRefused, Unreachable
from client_cli.session import Session
from protocol import messages as m
from tests.chaos.test_bad_luck import answered, game_with_a_bot, question
from tests.cluster.door import Door
from tests.cluster.test_nodes import LEASE, Node
from tests.storage.cluster import cluster
from tests.storage.test_forgotten import set_back


async def test_games_go_on_from_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with cluster() as database, Door() as door:
        store = database.new()
        with Node(tmp_path / "node", door, store) as node:
            await node.start()
            async with trio.open_nursery() as nursery:
                session = Session(websocket_dial(f"ws://127.0.0.1:{node.port}", nursery), "Ada")
                await session.connect()
                first = asked = await game_with_a_bot(session)
                for _ in range(3):
                    await answered(session, asked)
                    asked = await question(session)
                room = session.room
                receipt = session.receipt
                both_kept_their_hands = 2  # whoever was asked first
                await trio.to_thread.run_sync(set_back, store, room, both_kept_their_hands)
                with pytest.raises((RequestRefused, Unreachable)):
                    await answered(session, asked)
                told: list[str] = []
                with trio.fail_after(60):
                    while not told:
                        try:
                            await session._hang_up()
                            await session.connect()
                            await session.request(m.Resume(id=session.new_id(), room=room, receipt=receipt), m.Room)
                            while not told:
                                message = await session.receive()
                                if isinstance(message, m.Notice):
                                    told.append(message.key)
                        except (RequestRefused, Unreachable):
                            await trio.sleep(0.2)
                    again = await question(session)
                    await answered(session, again)
                assert told == ["notice.lost"]
                assert first.id != again.id
                nursery.cancel_scope.cancel()
            assert "the database has lost what it had acknowledged" in node.said()
            assert node.process is not None and node.process.poll() is None
            assert "frozen" not in node.said()
