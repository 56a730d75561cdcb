"""Servers on a database that has lost what it had acknowledged begin anew by themselves, and people are told."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
import trio

from client_cli.channels import websocket_dial
from client_cli.errors import RequestRefused, Unreachable
from client_cli.session import Session
from protocol import messages as m
from protocol.questions import Question
from server.storage.postgresql.reading import stand
from tests.chaos.test_bad_luck import answered, game_with_a_bot, question
from tests.cluster.door import Door
from tests.cluster.test_nodes import LEASE, Node
from tests.cluster.test_workers import Workers
from tests.storage.cluster import cluster
from tests.storage.test_forgotten import set_back

KEPT = """
CREATE SEQUENCE given_back;
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('given_back') = 1 THEN RETURN NULL; END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER kept BEFORE DELETE ON node FOR EACH ROW EXECUTE FUNCTION keep();
"""
"""The first lease that is given back stays, as where the line broke by which it would have been."""


def keep_lease(address: str) -> None:
    with psycopg.connect(address) as db:
        db.execute(KEPT)


def length(address: str, room: str) -> int:
    """The number of a room's last entry."""
    with psycopg.connect(address) as db:
        return stand(db, room).seq


class OneProcess(Workers):
    """`apnap serve --store ...`."""

    def __init__(self, folder: Path, door: Door, store: str) -> None:
        super().__init__(folder, door, store)
        self.workers = 1


@pytest.mark.parametrize("kind", [Node, OneProcess])
async def test_games_go_on_from_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Node | OneProcess]
) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with cluster() as database, Door() as door:
        store = database.new()
        with kind(tmp_path / "node", door, store) as node:
            await node.start()
            async with trio.open_nursery() as nursery:
                session = Session(websocket_dial(f"ws://127.0.0.1:{node.port}", nursery), "Ada")
                await session.connect()
                first = await game_with_a_bot(session)
                await answered(session, first)
                asked = await question(session)
                room = session.room
                kept = await trio.to_thread.run_sync(length, store, room)
                for _ in range(2):
                    await answered(session, asked)
                    asked = await question(session)
                receipt = session.receipt
                await trio.to_thread.run_sync(keep_lease, store)
                await trio.to_thread.run_sync(set_back, store, room, kept)
                with pytest.raises((RequestRefused, Unreachable)):
                    await answered(session, asked)
                told: list[str] = []
                taken = ""
                again: Question | None = None
                with trio.fail_after(60):
                    while not told:
                        again = None
                        try:
                            await session._hang_up()
                            await session.connect()
                            await session.request(m.Resume(id=session.new_id(), room=room, receipt=receipt), m.Room)
                            while not told:
                                message = await session.receive()
                                if isinstance(message, m.Notice):
                                    told.append(message.key)
                                if isinstance(message, m.ViewMessage | m.QuestionMessage) and message.question:
                                    again = message.question
                        except (RequestRefused, Unreachable):
                            await trio.sleep(0.2)
                    while not taken:
                        again = again or await question(session)
                        try:
                            await answered(session, again)
                            taken = again.id
                        except RequestRefused:  # the bot was asked meanwhile
                            again = None
                assert told == ["notice.lost"]
                assert first.id != taken
                nursery.cancel_scope.cancel()
            assert "the database has lost what it had acknowledged" in node.said()
            assert node.process is not None and node.process.poll() is None
            assert "frozen" not in node.said()
