"""Card lists fetched from an address: resumed where they broke off, never from an open address, never larger than asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from server.command import fetching
from server.command.fetching import FetchFault, fetch, forget
from server.command.main import main
from server.storage.cards import CardStore

CARDS = [
    {"name": f"Grove Bear {n}", "types": "Creature — Bear", "text": "Trample", "power": "2", "toughness": "2"}
    for n in range(40)
]
LIST = "\n".join(map(json.dumps, CARDS)).encode()


class Lists(BaseHTTPRequestHandler):
    """Serves the list; breaks off after `cut` bytes of each answer."""

    cut = len(LIST)
    tag = '"one"'
    shift = 0
    """By how many bytes a part begins elsewhere than was asked for."""
    asked: list[str] = []

    def do_GET(self) -> None:
        if self.path == "/pointer":
            self._send(json.dumps({"download_uri": "/list"}).encode())
        elif self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://lists.example/list")
            self.end_headers()
        elif self.path == "/list":
            self._send(LIST)
        else:
            self.send_error(404)

    def _send(self, data: bytes) -> None:
        Lists.asked.append(self.headers.get("Range", ""))
        same = self.headers.get("If-Range") == self.tag
        start = int(self.headers["Range"][6:-1]) + self.shift if same else 0
        if start >= len(data):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("ETag", self.tag)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        self.wfile.write(data[start : start + self.cut])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Lists, "asked", [])
    with ThreadingHTTPServer(("127.0.0.1", 0), Lists) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def silent(text: str) -> None:
    pass


def test_a_list_that_breaks_off_goes_on_where_it_was(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lists, "cut", 1500)
    part = fetch(f"{address}/list", tmp_path, silent)
    assert part.read_bytes() == LIST
    assert Lists.asked[:3] == ["", "bytes=1500-", "bytes=3000-"]
    assert (part.stat().st_mode & 0o777, part.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_after_five_tries_it_says_so_and_goes_on_when_asked_again(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lists, "cut", 600)
    with pytest.raises(FetchFault, match="go on"):
        fetch(f"{address}/list", tmp_path, silent)
    monkeypatch.setattr(Lists, "cut", len(LIST))
    assert fetch(f"{address}/list", tmp_path, silent).read_bytes() == LIST
    assert Lists.asked[-1] == "bytes=3000-"


def test_what_changed_meanwhile_is_fetched_anew(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = fetch(f"{address}/list", tmp_path, silent)
    part.write_bytes(b"what was there before" * 10)
    monkeypatch.setattr(Lists, "tag", '"two"')
    assert fetch(f"{address}/list", tmp_path, silent).read_bytes() == LIST


def test_a_list_that_was_whole_already_is_fetched_anew(address: str, tmp_path: Path) -> None:
    fetch(f"{address}/list", tmp_path, silent)
    assert fetch(f"{address}/list", tmp_path, silent).read_bytes() == LIST


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("http://lists.example/list", "no address of https"),
        ("ftp://lists.example/list", "no address of https"),
        ("http://[", "no address of https"),
        ("/away", "no address of https"),
        ("/none", "the server says 404"),
    ],
)
def test_addresses_that_are_refused(address: str, tmp_path: Path, path: str, says: str) -> None:
    with pytest.raises(FetchFault, match=says):
        fetch(address + path if path.startswith("/") else path, tmp_path, silent)


def test_more_than_asked_is_not_taken(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "LARGEST", 1000)
    with pytest.raises(FetchFault, match="larger than 1000"):
        fetch(f"{address}/list", tmp_path, silent)
    assert not list((tmp_path / "lists").iterdir()), "nothing of it stays on the disk"


def test_a_part_that_was_not_asked_for_is_not_joined(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lists, "cut", 1500)
    monkeypatch.setattr(Lists, "shift", 7)
    with pytest.raises(FetchFault, match="another part"):
        fetch(f"{address}/list", tmp_path, silent)
    monkeypatch.setattr(Lists, "shift", 0)
    assert fetch(f"{address}/list", tmp_path, silent).read_bytes() == LIST


def test_a_known_name_is_imported_by_itself_and_read_once(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(fetching.SOURCES, "scryfall", fetching.Source(f"{address}/pointer", "download_uri"))
    monkeypatch.setenv("APNAP_DATA", str(tmp_path))
    assert main(["cards", "import", "scryfall"]) == 0
    assert "scryfall: JSON lines" in capsys.readouterr().out
    store = CardStore(tmp_path)
    assert store.count() == 40 and [source.file for source in store.sources()] == ["scryfall"]
    store.close()
    assert list((tmp_path / "lists").iterdir()) == [], "what was fetched does not stay"

    def unexpected(card: object) -> None:
        raise AssertionError("it was read before")

    monkeypatch.setattr("server.oracle.importing.read", unexpected)
    assert main(["cards", "import", "scryfall"]) == 0
    assert "40 playable" in capsys.readouterr().out
    assert main(["cards", "import", "https://127.0.0.1:1/none"]) == 2


def test_a_broken_list_does_not_stay(address: str, tmp_path: Path) -> None:
    part = fetch(f"{address}/list", tmp_path, silent)
    forget(part)
    assert list(part.parent.iterdir()) == []
