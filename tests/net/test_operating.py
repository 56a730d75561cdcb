"""What a host's programs read: health, readiness, metrics; and addresses behind a proxy."""

from __future__ import annotations

import json
import re
import ssl
from pathlib import Path

import pytest
import trustme
from websockets.exceptions import InvalidStatus
from websockets.trio.client import connect
from websockets.typing import Subprotocol

from protocol import JSON_SUBPROTOCOL
from server.settings import Limits, Listen, Operating, Settings
from tests.net.test_net import app_of, ask, client_of, http
from tests.rooms.fake import FakeGame


def figure(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
    assert found, f"{name} is not in the metrics"
    return float(found[1])


async def test_metrics_count_rooms_answers_and_refusals() -> None:
    async with app_of(FakeGame(turns=4)) as app, client_of(app, "Ada") as ada:
        _, before = await http(app, "/metrics")
        decks = await ask(ada, {"type": "decks", "id": "d"})
        await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}})
        await ask(ada, {"type": "open", "id": "again", "options": {"seats": 2}})
        status, after = await http(app, "/metrics")
        assert "200" in status and decks["bots"]
        assert figure(after, 'apnap_rooms{state="gathering"}') == 1
        assert figure(after, "apnap_people") == 1 and figure(after, "apnap_open_connections") >= 1
        assert figure(after, 'apnap_refusals_total{code="in_a_room"}') >= 1
        assert "apnap_decision_seconds_bucket" in after and "apnap_journal_seconds_count" in before


@pytest.mark.parametrize(("who", "status"), [("off", "403"), ("local", "403"), ("all", "200")])
async def test_metrics_are_for_whom_the_host_says(who: str, status: str) -> None:
    listen = Listen(port=0, trusted_proxies=("127.0.0.0/8",))
    settings = Settings(listen=listen, operating=Operating(metrics=who))  # type: ignore[arg-type]
    async with app_of(settings=settings) as app:
        assert status in (await http(app, "/metrics", "X-Forwarded-For: 203.0.113.9\r\n"))[0]


async def test_ready_until_the_server_stops() -> None:
    async with app_of() as app:
        status, body = await http(app, "/ready")
        assert "200" in status and json.loads(body) == {"ready": True, "why": "", "you": "127.0.0.1"}
        await app.lobby.close()
        status, body = await http(app, "/ready")
        assert "503" in status and json.loads(body)["why"] == "the server stops"


async def test_an_address_has_so_many_connections_and_a_proxy_names_them() -> None:
    listen = Listen(port=0, trusted_proxies=("127.0.0.1/32",))
    settings = Settings(listen=listen, limits=Limits(connections_per_address=1))
    near, far = {"X-Forwarded-For": "203.0.113.1"}, {"X-Forwarded-For": "1.1.1.1, 203.0.113.2"}
    async with (
        app_of(settings=settings) as app,
        client_of(app, additional_headers=near),
        client_of(app, additional_headers=far),
    ):
        with pytest.raises(InvalidStatus) as caught:
            async with client_of(app, additional_headers={"X-Forwarded-For": "9.9.9.9, 203.0.113.1"}):
                pass
        assert caught.value.response.status_code == 429


async def test_hellos_are_counted_for_the_address_they_come_from() -> None:
    listen = Listen(port=0, trusted_proxies=("127.0.0.1/32",))
    near, far = {"X-Forwarded-For": "203.0.113.1"}, {"X-Forwarded-For": "203.0.113.2"}
    async with app_of(settings=Settings(listen=listen, limits=Limits(hellos_per_minute=2))) as app:
        codes: list[str] = []
        for headers in (near, near, near, far):
            async with client_of(app, additional_headers=headers) as client:
                codes.append((await ask(client, {"type": "hello", "id": "h", "name": "Ada"})).get("code", ""))
        assert codes == ["", "", "too_many_tries", ""]


async def test_nobody_is_believed_about_addresses_but_trusted_proxies() -> None:
    settings = Settings(listen=Listen(port=0), limits=Limits(connections_per_address=1))
    async with app_of(settings=settings) as app, client_of(app):
        with pytest.raises(InvalidStatus):
            async with client_of(app, additional_headers={"X-Forwarded-For": "203.0.113.1"}):
                pass


async def test_a_certificate_makes_it_wss(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "server.pem"))
    pem = str(tmp_path / "server.pem")
    context = ssl.create_default_context()
    authority.configure_trust(context)
    async with app_of(settings=Settings(listen=Listen(port=0, tls_cert=pem, tls_key=pem))) as app:
        url = app.url.replace("ws://", "wss://")
        async with connect(url, ssl=context, proxy=None, subprotocols=[Subprotocol(JSON_SUBPROTOCOL)]) as client:
            assert (await ask(client, {"type": "hello", "id": "h", "name": "Ada"}))["type"] == "welcome"


async def test_a_trace_leads_from_a_message_to_what_was_written_and_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "apnap")
    async with app_of(FakeGame(turns=4)) as app, client_of(app, "Ada") as ada:
        await ask(ada, {"type": "open", "id": "o1", "options": {"seats": 2, "seed": 1}})
        await ask(ada, {"type": "add_bot", "id": "b1", "level": app.endpoint._lobby.seating.levels[0]})
        deck = (await ask(ada, {"type": "decks", "id": "d"}))["decks"][0]["name"]
        await ask(ada, {"type": "deck", "id": "c", "house": deck})
        await ask(ada, {"type": "start", "id": "s1"})
        await ask(ada, {"type": "concede", "id": "gone"})
    by_trace: dict[str, list[str]] = {}
    for record in caplog.records:
        by_trace.setdefault(getattr(record, "trace", "").partition("/")[2], []).append(record.message)
    assert by_trace["o1"] == ["open"] and by_trace["s1"] == ["start"]
    assert sorted(by_trace["gone"]) == ["concede", "shown", "written"]
