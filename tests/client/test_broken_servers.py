"""Servers that are none, or broken, as a person meets them: one sentence each, the exit code 1, and never a traceback."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
import trustme
from websockets.exceptions import ConnectionClosed
from websockets.trio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client_cli.invitation import Invited, NoAddress, invited
from protocol import JSON_SUBPROTOCOL
from server.command.decks import house_decks
from server.net.app import running
from server.settings import Settings
from server.storage import MemoryStorage
from tests.client.terminal import APNAP, ROOT, environment

Talk = Callable[[trio.SocketStream], Awaitable[None]]
Speak = Callable[[ServerConnection], Awaitable[None]]


async def hangs_up(stream: trio.SocketStream) -> None:
    await stream.aclose()


async def stays_silent(stream: trio.SocketStream) -> None:
    await trio.sleep_forever()


def answers(data: bytes) -> Talk:
    async def talk(stream: trio.SocketStream) -> None:
        await stream.receive_some(4096)
        await stream.send_all(data)
        await stream.aclose()

    return talk


def says(*frames: str | bytes, then_waits: bool = False) -> Speak:
    async def speak(websocket: ServerConnection) -> None:
        try:
            await websocket.recv()
            for frame in frames:
                await websocket.send(frame)
            if then_waits:
                await trio.sleep_forever()
        except ConnectionClosed:
            pass

    return speak


TCP: dict[str, tuple[Talk, str]] = {
    "hangs up at once": (hangs_up, "is no apnap server"),
    "never answers": (stays_silent, "no answer"),
    "is a web server": (answers(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), "is no apnap server"),
    "is a web page": (answers(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), "is no apnap server"),
    "redirects in a circle": (answers(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"), "reach"),
    "is another protocol": (answers(b"SSH-2.0-nothing\r\n"), "is no apnap server"),
    "speaks nonsense": (answers(bytes(range(256)) * 40), "is no apnap server"),
}
WEBSOCKET: dict[str, tuple[Speak, str]] = {
    "says nothing": (says(then_waits=True), "has not said welcome"),
    "says nonsense": (says("{", "[]", b"\xff", '{"type":"view"}', then_waits=True), "has not said welcome"),
    "leaves after hello": (says(), "hung up before it said welcome"),
    "refuses": (
        says('{"type":"refused","re":"c1","code":"closing","sentence":"The server is shutting down."}'),
        "shutting down",
    ),
    "welcomes wrongly": (says('{"type":"welcome","re":"c1","server":4}'), "hung up before it said welcome"),
}


async def play(tmp_path: Path, *words: str) -> tuple[int, str]:
    """What `apnap play` ends with, and what it says."""
    done = await trio.run_process(
        [*APNAP, "play", "--plain", *words],
        stdin=b"",
        capture_stdout=True,
        capture_stderr=True,
        check=False,
        cwd=ROOT,
        env=environment(tmp_path),
    )
    said = done.stderr.decode() + done.stdout.decode()
    assert "Traceback" not in said, said
    return done.returncode, said


async def told(tmp_path: Path, name: str, port: int, expected: str) -> None:
    code, said = await play(tmp_path, f"127.0.0.1:{port}")
    assert code == 1 and said.count("\n") == 1, (name, said)
    assert expected in said or expected == "reach", (name, said)


async def test_a_broken_server_gets_one_sentence(tmp_path: Path) -> None:
    async with trio.open_nursery() as servers:
        async with trio.open_nursery() as clients:
            for name, (talk, expected) in TCP.items():
                listeners = await servers.start(trio.serve_tcp, talk, 0)
                clients.start_soon(told, tmp_path, name, listeners[0].socket.getsockname()[1], expected)
            for name, (speak, expected) in WEBSOCKET.items():
                server = await servers.start(
                    lambda task_status, speak=speak: serve(
                        speak,
                        port=0,
                        host="127.0.0.1",
                        subprotocols=[Subprotocol(JSON_SUBPROTOCOL)],
                        task_status=task_status,
                    )
                )
                clients.start_soon(told, tmp_path, name, server.listeners[0].socket.getsockname()[1], expected)
        servers.cancel_scope.cancel()


async def test_a_certificate_that_is_not_trusted(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    chain, key, ca = tmp_path / "chain.pem", tmp_path / "key.pem", tmp_path / "ca.pem"
    chain.write_bytes(b"".join(pem.bytes() for pem in certificate.cert_chain_pems))
    key.write_bytes(certificate.private_key_pem.bytes())
    authority.cert_pem.write_to_path(str(ca))
    digits = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate.cert_chain_pems[0].bytes().decode())).hexdigest()
    listen = Settings().listen
    import msgspec

    listen = msgspec.structs.replace(listen, port=0, tls_cert=str(chain), tls_key=str(key))
    async with running(
        MemoryStorage(), house_decks(), settings=msgspec.structs.replace(Settings(), listen=listen)
    ) as app:
        address = f"https://127.0.0.1:{app.port}"
        code, said = await play(tmp_path, address)
        assert code == 1 and "is not trusted" in said and f"--fingerprint {digits}" in said
        assert "Tables at" in (await play(tmp_path, address, "--ca", str(ca)))[1]
        assert "Tables at" in (await play(tmp_path, address, "--fingerprint", digits))[1]
        code, said = await play(tmp_path, address, "--fingerprint", "0" * 64)
        assert code == 1 and "its certificate is another" in said
        assert (await play(tmp_path, address, "--fingerprint", "abc"))[0] == 2
        assert (await play(tmp_path, address, "--ca", str(tmp_path / "none")))[0] == 2
        code, said = await play(tmp_path, f"127.0.0.1:{app.port}")
        assert code == 1 and "wants https" in said


async def test_tls_where_there_is_none(tmp_path: Path) -> None:
    async with running(MemoryStorage(), house_decks()) as app:
        code, said = await play(tmp_path, f"https://127.0.0.1:{app.port}")
    assert code == 1 and "does not speak TLS" in said


@pytest.mark.parametrize(
    ("typed", "where"),
    [
        ("192.168.1.5:9000", Invited("ws://192.168.1.5:9000")),
        ("table.example", Invited("ws://table.example:8802")),
        ("[fe80::1]:9000", Invited("ws://[fe80::1]:9000")),
        ("http://10.0.0.2:8802/", Invited("ws://10.0.0.2:8802")),
        ("https://table.example", Invited("wss://table.example")),
        ("https://table.example/#/room/r1", Invited("wss://table.example", room="r1")),
        ("https://table.example/#/room/r1/c0de", Invited("wss://table.example", room="r1", invitation="c0de")),
        (" <10.0.0.2:8802/#/room/r1/c0de> ", Invited("ws://10.0.0.2:8802", room="r1", invitation="c0de")),
        ("wss://table.example/tables/#/link/c0de", Invited("wss://table.example/tables", link="c0de")),
    ],
)
def test_what_people_type_leads_there(typed: str, where: Invited) -> None:
    assert invited(typed) == where


@pytest.mark.parametrize(
    "typed", ["", ":80", "ftp://table.example", "http://[", "two words", "host:port", "ws://", "a:99999"]
)
def test_what_is_no_address_is_said(typed: str) -> None:
    with pytest.raises(NoAddress):
        invited(typed)
