"""`apnap doctor`: what it finds well, and each thing that it is there to find."""

from __future__ import annotations

import email.message
import email.utils
import io
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from pathlib import Path

import msgspec
import pytest
import trio
import trustme

from server.command import doctor, doctor_far
from server.command.decks import house_decks
from server.command.doctor import Finding
from server.command.main import main
from server.net.app import running
from server.settings import Listen, Settings
from server.storage import MemoryStorage


def grades(found: list[Finding]) -> list[str]:
    return [grade for grade, _ in found]


def words(found: list[Finding]) -> str:
    return "\n".join(sentence for _, sentence in found)


async def looked_at(settings: Settings, tls: object = None, *, host: str = "127.0.0.1") -> list[Finding]:
    """What is found out of a running server, from a thread, as another process would."""
    scheme = "wss" if settings.listen.tls_cert else "ws"
    async with running(MemoryStorage(), house_decks(), settings=settings) as app:
        url = f"{scheme}://{host}:{app.port}"
        return await trio.to_thread.run_sync(lambda: list(doctor_far.server(url, tls)))  # type: ignore[arg-type]


async def test_a_server_that_is_well() -> None:
    found = await looked_at(Settings(listen=Listen(port=0)))
    text = words(found)
    assert "takes new people" in text and "websockets come through" in text and "agree" in text


async def test_pages_of_a_name_that_the_server_was_not_told_may_not_connect() -> None:
    """As behind a tunnel or a proxy: the name is none of the server's addresses."""
    import socket

    name = socket.gethostname()
    try:
        where = socket.gethostbyname(name)
    except OSError:
        pytest.skip("this machine's name leads nowhere")
    found = await looked_at(Settings(listen=Listen(port=0, host=where)), host=name)
    assert ("bad", True) in [(grade, "--public-url" in sentence) for grade, sentence in found]


@pytest.mark.parametrize(
    ("host", "you", "grade"),
    [
        ("127.0.0.1", "127.0.0.1", "ok"),
        ("table.example", "127.0.0.1", "look"),  # a tunnel on the server's own machine
        ("table.example", "172.17.0.3", "look"),  # a proxy in a container
        ("table.example", "8.8.8.8", "ok"),
        ("192.168.1.20", "192.168.1.7", "ok"),  # ours, in the same network
    ],
)
def test_by_whose_address_friends_are_counted(host: str, you: str, grade: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_far, "addresses", lambda: ["192.168.1.7"])
    ((found, sentence),) = doctor_far.counted(host, you)
    assert found == grade and you in sentence and ("trusted_proxies" in sentence) == (grade == "look")


async def test_behind_a_proxy_that_is_trusted_everybody_counts_by_their_own_address() -> None:
    """`/ready` tells who asks, by the header of a proxy that the settings name, and by no other's."""
    for trusted, seen in ((["127.0.0.1"], "203.0.113.9"), ([], "127.0.0.1")):
        settings = Settings(listen=Listen(port=0, trusted_proxies=tuple(trusted)))
        async with running(MemoryStorage(), house_decks(), settings=settings) as app:
            asked = urllib.request.Request(
                f"http://127.0.0.1:{app.port}/ready", headers={"X-Forwarded-For": "203.0.113.9"}
            )
            with await trio.to_thread.run_sync(urllib.request.urlopen, asked) as reply:
                assert json.load(reply)["you"] == seen


async def test_a_certificate_and_how_long_it_is_good_for(tmp_path: Path) -> None:
    from client_cli.reaching import trust

    authority = trustme.CA()
    pem, ca = str(tmp_path / "server.pem"), str(tmp_path / "ca.pem")
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(pem)
    authority.cert_pem.write_to_path(ca)
    settings = Settings(listen=Listen(port=0, tls_cert=pem, tls_key=pem))
    assert "is good for" in words(await looked_at(settings, trust(ca, "")))
    assert "bad" in grades(await looked_at(settings))


def test_a_page_that_was_not_built_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reply(io.BytesIO):
        headers = email.message.Message()

    def get(url: str, _tls: object) -> Reply:
        return Reply(b'{"ready": true}' if url.endswith("/ready") else b"The page is not built.")

    monkeypatch.setattr(doctor_far, "_get", get)
    found = list(doctor_far._ready("http://table.example", None))
    assert grades(found) == ["ok", "bad"] and "make page" in words(found)


@pytest.mark.parametrize(
    ("fault", "todo"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "start apnap serve"),
        (socket.gaierror(-2, "Name or service not known"), "look at the address"),
        (ssl.SSLError("WRONG_VERSION_NUMBER"), "try http"),
        (ssl.SSLCertVerificationError("self-signed"), "--ca FILE"),
        (TimeoutError("timed out"), "firewall"),
        (ValueError("no JSON"), "no apnap server"),
    ],
)
def test_what_is_bad_says_what_to_do(fault: Exception, todo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def get(_url: str, _tls: object) -> None:
        raise urllib.error.URLError(fault) if isinstance(fault, OSError) else fault

    monkeypatch.setattr(doctor_far, "_get", get)
    ((grade, sentence),) = doctor_far._ready("http://table.example", None)
    assert grade == "bad" and todo in sentence


def test_nobody_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["doctor", "127.0.0.1:9", "--data", str(tmp_path)]) == 1
    both = capsys.readouterr().out
    assert "bad   http://127.0.0.1:9/ready" in both and "8802" in both and "free there" in both
    assert main(["doctor", "127.0.0.1:9"]) == 1
    far = capsys.readouterr().out
    assert "bad   http://127.0.0.1:9/ready" in far and "8802" not in far and "free there" not in far
    assert main(["doctor", "two words"]) == 2


def test_a_data_directory_that_others_may_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert "chmod 700" in words(list(doctor.data(tmp_path)))
    tmp_path.chmod(0o700)
    assert "chmod" not in words(list(doctor.data(tmp_path)))
    assert "will be made" in words(list(doctor.data(tmp_path / "new" / "one")))


@pytest.mark.parametrize(("apart", "grade"), [(0, "ok"), (3600, "look")])
def test_clocks_that_are_apart(apart: int, grade: str) -> None:
    assert grades(list(doctor_far._clock(email.utils.formatdate(time.time() + apart)))) == [grade]


def test_settings_that_let_nobody_in_or_count_all_as_one() -> None:
    assert "apnap serve --friends" in words(list(doctor.listening(Settings())))
    proxied = msgspec.structs.replace(Settings(), listen=Listen(public_url="https://table.example"))
    assert "trusted_proxies" in words(list(doctor.listening(proxied)))
