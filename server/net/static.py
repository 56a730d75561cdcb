"""The browser client's files, from memory: which there are, how long they may be kept, what the page may do.

The built page (`client_web`, by vite) lies in `page/` beside this module; a checkout in which it was not built serves a
sentence instead. Nothing is read from disk after the first request, and no path of a request ever reaches the disk.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Sequence
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

FOLDER = Path(__file__).with_name("page")
INDEX = "index.html"
HASHED = "assets/"
"""Files under this carry a hash of their content in their name, so that they never change."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
COMPRESSED = ("text/", "application/json", "image/svg+xml", "application/manifest+json")
NOT_BUILT = b"The page is not built here: `make page` does that. Websockets at /ws, health at /health.\n"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'{pictures}; connect-src 'self'{nodes}; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, nothing inline, in no frame. `connect-src 'self'` includes websockets of the same origin."""


class File(msgspec.Struct, frozen=True):
    """A file of the page; `packed` is it in gzip, empty where that is no smaller."""

    body: bytes
    packed: bytes
    content_type: str
    etag: str
    caching: str


class Page:
    """All files of a built page. `pictures` are origins from which the page may load pictures; none of its own accord."""

    def __init__(self, folder: Path = FOLDER, pictures: Sequence[str] = ()) -> None:
        self._files = read_page(folder)
        self._pictures = _sources(pictures)
        self._policy = ""
        self.reach([])

    def reach(self, nodes: Sequence[str]) -> None:
        """At those origins, too, the page may open websockets from now on."""
        self._policy = POLICY.format(pictures=self._pictures, nodes=_sources(nodes))

    def respond(self, path: str, request: Request) -> Response | None:
        """The response for a path of the page; None where nothing is."""
        name = path.lstrip("/") or INDEX
        file = self._files.get(name)
        if file is None:
            return Response(HTTPStatus.OK, "OK", self._headers("text/plain"), NOT_BUILT) if name == INDEX else None
        headers = self._headers(file.content_type)
        headers["Cache-Control"] = file.caching
        headers["ETag"] = file.etag
        if file.etag in _all(request, "If-None-Match"):
            return Response(HTTPStatus.NOT_MODIFIED, "Not Modified", headers, b"")
        body = file.body
        if file.packed:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in _all(request, "Accept-Encoding").lower():
                headers["Content-Encoding"] = "gzip"
                body = file.packed
        headers["Content-Length"] = str(len(body))
        return Response(HTTPStatus.OK, "OK", headers, body)

    def _headers(self, content_type: str) -> Headers:
        return Headers(
            {
                "Connection": "close",
                "Content-Type": content_type,
                "Content-Security-Policy": self._policy,
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "same-origin",
                "Cross-Origin-Opener-Policy": "same-origin",
            }
        )


@lru_cache(maxsize=4)
def read_page(folder: Path) -> dict[str, File]:
    """The files under a folder by their path in it; none when there is no such folder."""
    if not folder.is_dir():
        return {}
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _read(path, folder) for path in files}


def _read(path: Path, folder: Path) -> File:
    body = path.read_bytes()
    content_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".js":  # what the system thinks of it does not count: a browser takes no other for a module
        content_type = "text/javascript"
    packed = gzip.compress(body, 9, mtime=0) if content_type.startswith(COMPRESSED) else b""
    return File(
        body=body,
        packed=packed if len(packed) < len(body) else b"",
        content_type=f"{content_type}; charset=utf-8" if content_type.startswith("text/") else content_type,
        etag=f'"{hashlib.sha256(body).hexdigest()[:20]}"',
        caching=FOR_EVER if path.relative_to(folder).as_posix().startswith(HASHED) else ASK_AGAIN,
    )


def _sources(origins: Sequence[str]) -> str:
    return "".join(f" {origin}" for origin in origins)


def _all(request: Request, header: str) -> str:
    """A header's values in one line, however often it was sent."""
    return ", ".join(request.headers.get_all(header))
