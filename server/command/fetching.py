"""Card lists fetched from their addresses: over https, gone on with where a download broke off, never larger than asked.

What has come so far stays as `lists/NAME.part` in the data directory beside `NAME.mark`, which says of which version of the
file it is (the server's ETag or date): what has changed meanwhile is fetched from its beginning.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import IO
from urllib.parse import urljoin, urlsplit

import msgspec

from server.storage.private import private_file, private_folder


class Source(msgspec.Struct, frozen=True):
    """Where a known list is. `field`: the address holds JSON, in which this field has the list's own address."""

    address: str
    field: str = ""


SOURCES = {
    "scryfall": Source("https://api.scryfall.com/bulk-data/oracle-cards", "download_uri"),
    "scryfall-all": Source("https://api.scryfall.com/bulk-data/all-cards", "download_uri"),
    "mtgjson": Source("https://mtgjson.com/api/v5/AtomicCards.json"),
    "mtgjson-sets": Source("https://mtgjson.com/api/v5/AllPrintings.json"),
}
"""Lists that are called by a name: the usual sources' bulk data."""
LARGEST = 4 * 1024**3
POINTER = 64 * 1024
"""Bytes of the JSON that only says where a list is."""
PIECE = 256 * 1024
TRIES = 5
"""Connections that are begun for one list, as long as each brings something."""
SECONDS = 30.0
HEADERS = {"User-Agent": "apnap", "Accept": "application/json, */*;q=0.5", "Accept-Encoding": "identity"}
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class FetchFault(Exception):
    """The sentence that says why a list could not be fetched."""


def is_address(word: str) -> bool:
    """Whether a word of the command line is to be fetched: a known name or an address."""
    return word in SOURCES or "://" in word


def fetch(word: str, folder: Path, say: Callable[[str], None]) -> Path:
    """The file that a known name or an address stands for, whole, in `folder/lists`. `say` hears how far it is. Raises
    FetchFault, OSError of the disk.
    """
    source = SOURCES.get(word, Source(word))
    address = _pointed_at(source) if source.field else _allowed(source.address)
    private_folder(folder)
    lists = folder / "lists"
    private_folder(lists)
    part = lists / f"{hashlib.sha256(word.encode()).hexdigest()[:16]}.part"
    mark = part.with_suffix(".mark")
    for tries in range(TRIES):
        before = _size(part)
        try:
            if _more(address, part, mark, say):
                return part
        except urllib.error.HTTPError as fault:
            if fault.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE or not before:
                raise FetchFault(f"{address}: {_why(fault)}") from None
            forget(part)  # it was whole, and an import that was stopped left it
        except (OSError, http.client.HTTPException) as fault:
            if _size(part) <= before or tries + 1 == TRIES:
                raise FetchFault(f"{address}: {_why(fault)}; what came is kept, say it again to go on") from None
    raise FetchFault(f"{address}: the connection broke off {TRIES} times; what came is kept, say it again to go on")


def forget(part: Path) -> None:
    """Remove a fetched file."""
    part.unlink(missing_ok=True)
    part.with_suffix(".mark").unlink(missing_ok=True)


def _more(address: str, part: Path, mark: Path, say: Callable[[str], None]) -> bool:
    """Fetch what is missing of a file; whether it is whole then. Raises OSError, HTTPException, FetchFault."""
    begun = mark.read_text("utf-8") if part.exists() and mark.exists() else ""
    size = _size(part) if begun else 0
    more = {"Range": f"bytes={size}-", "If-Range": begun} if size else {}
    with _open(address, more) as answer:
        if answer.status != HTTPStatus.PARTIAL_CONTENT:
            size = 0
        elif not answer.headers.get("Content-Range", "").startswith(f"bytes {size}-"):
            forget(part)  # some other part than was asked for
            raise FetchFault(f"{address}: the server sent another part than was asked for; say it again to begin anew")
        whole = _length(answer.headers.get("Content-Length"), size)
        private_file(mark)
        mark.write_text(answer.headers.get("ETag") or answer.headers.get("Last-Modified") or "", "utf-8")
        private_file(part)
        with part.open("ab" if size else "wb") as file:
            while piece := answer.read(PIECE):
                size += len(piece)
                if size > LARGEST:
                    forget(part)
                    raise FetchFault(f"{address}: is larger than {LARGEST} bytes")
                file.write(piece)
                say(f"{address}: {size / 1e6:.1f}{f' of {whole / 1e6:.1f}' if whole else ''} MB")
    return not whole or size >= whole


def _open(address: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    request = urllib.request.Request(address, headers=HEADERS | headers)
    return urllib.request.build_opener(_Redirects()).open(request, timeout=SECONDS)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows as urllib does, but not from https to what anybody on the way may change."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        _allowed(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _pointed_at(source: Source) -> str:
    """The address that the JSON at a source's address names. Raises FetchFault."""
    try:
        with _open(_allowed(source.address), {}) as answer:
            said: object = json.loads(answer.read(POINTER))
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise FetchFault(f"{source.address}: {_why(fault)}") from None
    address = said.get(source.field) if isinstance(said, dict) else None
    if not isinstance(address, str):
        raise FetchFault(f"{source.address}: says no {source.field}")
    return _allowed(urljoin(source.address, address))


def _allowed(address: str) -> str:
    """The address, if it is one of https, or of this machine. Raises FetchFault."""
    try:
        parts = urlsplit(address)
        fine = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    except ValueError:
        fine = False
    if not fine:
        raise FetchFault(f"{address[:200]}: is no address of https")
    return address


def _length(said: str | None, before: int) -> int:
    """How large the whole file is; 0 if that is not said."""
    return before + int(said) if said is not None and said.isdecimal() else 0


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _why(fault: Exception) -> str:
    if isinstance(fault, urllib.error.HTTPError):
        return f"the server says {fault.code} {fault.reason}"
    reason = getattr(fault, "reason", fault)
    return str(reason) or type(fault).__name__
