"""The page's files over plain HTTP: headers, caching, compression, and that no path reaches the disk."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from server.net.static import FOLDER, FOR_EVER, Page


@pytest.fixture
def page(tmp_path: Path) -> Page:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + "<p>apnap</p>" * 50, encoding="utf-8")
    (tmp_path / "assets" / "index-0a1b.js").write_text("let table = 1;" * 50, encoding="utf-8")
    return Page(tmp_path, pictures=["https://pictures.example"])


def asked(**headers: str) -> Request:
    return Request("/", Headers({name.replace("_", "-"): value for name, value in headers.items()}))


def test_the_page_may_load_nothing_from_elsewhere(page: Page) -> None:
    response = page.respond("/", asked())
    assert response is not None and response.status_code == 200
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert "img-src 'self' https://pictures.example;" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_hashed_files_are_kept_for_ever_and_the_page_is_asked_for_again(page: Page) -> None:
    script = page.respond("/assets/index-0a1b.js", asked())
    index = page.respond("/", asked())
    assert script is not None and index is not None
    assert script.headers["Cache-Control"] == FOR_EVER
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert index.headers["Cache-Control"] == "no-cache"
    again = page.respond("/", asked(If_None_Match=index.headers["ETag"]))
    assert again is not None and (again.status_code, again.body) == (304, b"")


def test_what_gets_smaller_is_compressed_for_those_who_take_it(page: Page) -> None:
    plain = page.respond("/", asked())
    packed = page.respond("/", asked(Accept_Encoding="br, gzip"))
    assert plain is not None and packed is not None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body)


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/assets/../../static.py", "/index.htm", "//index.html.bak"])
def test_nothing_but_the_files_of_the_page_is_served(page: Page, path: str) -> None:
    assert page.respond(path, asked()) is None


def test_a_checkout_without_the_built_page_says_how_to_build_it(tmp_path: Path) -> None:
    response = Page(tmp_path / "nothing").respond("/", asked())
    assert response is not None and b"make page" in response.body


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the page is not built; `make page` builds it")
def test_the_built_page_names_only_files_that_are_there() -> None:
    page = Page()
    index = page.respond("/", asked())
    assert index is not None
    links = [part.split('"')[0] for part in index.body.decode().replace("href=", "src=").split('src="')[1:]]
    assert links
    for link in links:
        assert page.respond("/" + link.removeprefix("./").removeprefix("/"), asked()) is not None, link
