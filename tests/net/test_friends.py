"""Hosting for friends: what is printed leads somewhere from other machines, and what cannot be is said with what to do."""

from __future__ import annotations

import ipaddress
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trustme

from client_cli.invitation import invited, only_here, room_link
from server.command import friends
from server.command.serve import bad_certificate, for_friends, how_to_join
from server.settings import Listen, Settings

APNAP = [sys.executable, "-m", "server.command.main"]


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(tmp_path: Path, *words: str) -> Iterator[list[str]]:
    """A server as a process; the lines it says at its start."""
    process = subprocess.Popen(
        [*APNAP, "serve", "--data", str(tmp_path), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PATH": "/usr/bin:/bin"},
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        yield said
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def links(said: list[str]) -> list[str]:
    return [line.split()[-1] for line in said if line.startswith("  for friends:")]


@pytest.mark.skipif(not friends.addresses(), reason="this machine is in no network")
def test_the_links_for_friends_are_opened_at_the_machines_own_addresses(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, "--friends", "--port", str(port)) as said:
        found = links(said)
        assert found and all(urlsplit(link).port == port for link in found)
        for link in found:
            assert not ipaddress.ip_address(urlsplit(link).hostname or "").is_loopback
            with urllib.request.urlopen(f"{link}/health", timeout=10) as reply:
                assert reply.status == 200
        text = "\n".join(said)
        assert "█" in text and f"TCP port {port}" in text and "tailscale up" in text and "--public-url" in text
        taken = subprocess.run(
            [*APNAP, "serve", "--data", str(tmp_path / "b"), "--port", str(port)], capture_output=True, text=True
        )
        assert taken.returncode == 1 and f"port {port} is taken" in taken.stderr and "--port" in taken.stderr


def test_what_it_cannot_listen_on_or_with_is_said_in_a_sentence(tmp_path: Path) -> None:
    authority, other = trustme.CA(), trustme.CA()
    chain, key, strange, nothing = (tmp_path / name for name in ("chain.pem", "key.pem", "strange.pem", "k"))
    certificate = authority.issue_cert("127.0.0.1")
    chain.write_bytes(b"".join(pem.bytes() for pem in certificate.cert_chain_pems))
    certificate.private_key_pem.write_to_path(key)
    other.issue_cert("127.0.0.1").private_key_pem.write_to_path(strange)
    nothing.write_text("k\n")
    assert bad_certificate(Listen(tls_cert=str(chain), tls_key=str(key))) == ""
    for cert, its, said in (
        (nothing, nothing, "holds no certificate in PEM"),
        (key, chain, "holds no certificate in PEM"),
        (chain, nothing, "holds no private key in PEM"),
        (tmp_path / "none", key, "No such file or directory"),
        (chain, strange, "is not the private key of the first certificate"),
    ):
        assert said in bad_certificate(Listen(tls_cert=str(cert), tls_key=str(its))), (cert, its)
    words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(tmp_path / "data")]
    for more, said in (
        (["--host", "1.2.3.4"], "1.2.3.4 is no address of this machine, which has 127.0.0.1"),
        (["--tls-cert", str(nothing), "--tls-key", str(nothing)], "holds no certificate in PEM"),
    ):
        done = subprocess.run([*words, *more], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_server_for_this_computer_only_says_so_and_names_the_command() -> None:
    said = how_to_join(Listen(), 8802, "data")
    assert not links(said) and any("apnap serve --friends" in line for line in said)


def test_what_is_printed_can_be_typed_where_the_shell_does_not_find_apnap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / ".venv" / "bin" / "apnap"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(program), "serve"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert "For friends: .venv/bin/apnap serve --friends" in "\n".join(how_to_join(Listen(), 8802, "data"))
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert "For friends: apnap serve --friends" in "\n".join(how_to_join(Listen(), 8802, "data"))


def test_with_a_certificate_no_way_in_begins_with_http(tmp_path: Path) -> None:
    text = "\n".join(friends.far_away("192.0.2.7", 8802, tls=True))
    assert "http://" not in text and "not encrypted" not in text and "https://127.0.0.1:8802 --no-tls-verify" in text
    assert "https://" not in "\n".join(friends.far_away("192.0.2.7", 8802)).replace("https://ifconfig.co", "")


def test_a_page_that_is_not_built_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("server.net.static.FOLDER", tmp_path / "none")
    assert any("make page" in line for line in how_to_join(Listen(), 8802, "data"))


def test_a_public_address_comes_first_in_every_link() -> None:
    listen = Listen(host="", public_url="https://table.example")
    said = how_to_join(listen, 8802, "data", friends=True)
    assert links(said)[0] == "https://table.example"
    assert "apnap play https://table.example" in "\n".join(said)


def test_for_friends_the_server_tells_clients_an_address_that_others_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends, "addresses", lambda: ["192.0.2.7", "2001:db8::7"])
    listen = for_friends(Settings(), host_given=False).listen
    assert (listen.host, listen.public_url) == ("", "http://192.0.2.7:8802")
    kept = for_friends(Settings(listen=Listen(public_url="https://table.example")), host_given=False).listen
    assert kept.public_url == "https://table.example"


def test_no_address_is_one_that_only_this_machine_or_cable_knows() -> None:
    for address in friends.addresses():
        found = ipaddress.ip_address(address)
        assert not (found.is_loopback or found.is_link_local or found.is_unspecified)


def test_a_qr_code_is_a_square_in_half_blocks() -> None:
    rows = friends.qr("http://192.0.2.7:8802")
    assert len({len(row) for row in rows}) == 1 and set("".join(rows)) <= set(" █▀▄")
    assert abs(len(rows) * 2 - len(rows[0])) <= 1


@pytest.mark.parametrize("address", ["ws://192.0.2.7:8802", "https://table.example"])
def test_a_link_to_a_room_leads_back_to_it(address: str) -> None:
    where = invited(room_link(address, "r1", "c0de"))
    assert (where.room, where.invitation) == ("r1", "c0de")
    assert re.sub("^http", "ws", address) == where.url


@pytest.mark.parametrize(
    ("address", "only"), [("ws://127.0.0.1:1", True), ("ws://[::1]:1", True), ("ws://10.0.0.1", False)]
)
def test_a_loopback_address_is_known_as_such(address: str, only: bool) -> None:
    assert only_here(address) is only
