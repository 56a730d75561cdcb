"""A table of another node: the page goes to that node's own address, without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.cluster.door import Door
from tests.cluster.test_moved import Reached
from tests.storage.cluster import cluster
from tests.web.player import Player

WATCH_BANNERS = """() => {
  window.banners = [];
  new MutationObserver(() => {
    for (const one of document.querySelectorAll('.banner')) window.banners.push(one.innerText);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def comes_to(who: Player, invitation: str) -> list[str]:
    """Somebody in the lobby follows the link and sits down; where their page has opened websockets meanwhile."""
    opened: list[str] = []

    def dialled(line: Any) -> None:
        opened.append(line.url)

    who.visit()
    who.page.wait_for_selector("text=open a table for four")
    who.page.wait_for_timeout(500)  # they come anew by their name
    who.page.wait_for_selector(".banner", state="detached")
    who.page.evaluate(WATCH_BANNERS)
    who.page.on("websocket", dialled)
    who.page.evaluate("path => { location.hash = path }", invitation.partition("#")[2])
    who.press("sit down")
    who.page.wait_for_selector(f".seats >> text={who.name}")
    assert who.page.evaluate("window.banners") == []
    return opened


@pytest.mark.slow
def test_the_page_goes_to_the_node_of_the_table(arrive: Callable[..., Player], tmp_path: Path) -> None:
    with cluster() as database, Door() as door:
        store = database.new()
        with Reached(tmp_path / "first", door, store) as first, Reached(tmp_path / "second", door, store) as second:
            trio.run(first.start)
            trio.run(second.start)
            trio.run(second.ready)
            here, there = (f"127.0.0.1:{node.port}" for node in (first, second))
            ann = arrive("Ann", url=f"http://{there}/")
            ann.visit()
            ann.press("open a table for four")
            invitation = ann.invitation()

            ben = arrive("Ben", url=f"http://{here}/")
            assert comes_to(ben, invitation) == [f"ws://{there}/ws"]
            ben.page.reload()
            ben.page.wait_for_selector(".seats >> text=Ben")
            assert ann.page.locator(".seats >> text=Ben").count()

            # An address that this browser does not reach: he is passed on, and sees nothing of that either.
            dan = arrive("Dan", url=f"http://{here}/")
            tried: list[str] = []

            def shut(line: Any) -> None:
                tried.append(line.url)
                line.close()

            dan.context.route_web_socket(f"ws://{there}/ws", shut)
            assert comes_to(dan, invitation) == [f"ws://{here}/ws"]
            assert tried == [f"ws://{there}/ws"]

            # One that always leads on: he goes there a few times.
            eve = arrive("Eve", url=f"http://{here}/")
            led: list[str] = []

            def leads_on(line: Any) -> None:
                led.append(line.url)
                server = line.connect_to_server()

                def said(frame: str) -> None:
                    message = json.loads(frame)
                    if message["type"] in ("join", "watch", "resume"):
                        room = {"room": message["room"], "address": f"ws://{there}/ws", "ticket": "x" * 32}
                        line.send(json.dumps({"type": "moved", "re": message["id"], **room}))
                    else:
                        server.send(json.dumps({**message, "ticket": ""}))

                line.on_message(said)

            eve.context.route_web_socket(f"ws://{there}/ws", leads_on)
            assert comes_to(eve, invitation)[-1] == f"ws://{here}/ws"
            assert led == [f"ws://{there}/ws"] * 3
