"""A first evening: one hosts at an address of the machine that others have, a friend opens the link that stands on the host's screen, and
both play at their terminals.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import trio

from server.command.decks import house_decks
from server.command.friends import addresses
from server.net.app import running
from server.settings import Listen, Settings
from server.storage import MemoryStorage
from tests.client.terminal import Screen, environment

FAR = next((address for address in addresses() if ":" not in address), "")
TURN = 10


def turn(screen: Screen) -> int:
    """The turn that stands on the screen; 0 before the first."""
    found = re.search(r"^Turn (\d+)", screen.text, re.M)
    return int(found[1]) if found else 0


async def plays(screen: Screen) -> None:
    """The first choice, else Enter, as one who wants to see what happens."""
    at = 0
    while turn(screen) < TURN and "The game is over." not in screen.text:
        assert screen.alive, screen.text
        choosing = "1. play " in screen.text or "1. cast " in screen.text or "1. pass all the same" in screen.text
        screen.press("1" if choosing and at % 3 else "\r")
        at += 1
        await screen.for_a_while(0.05)


@pytest.mark.skipif(not FAR, reason="this machine is in no network")
async def test_two_play_by_the_link_on_the_hosts_screen(tmp_path: Path) -> None:
    async with running(MemoryStorage(), house_decks(), settings=Settings(listen=Listen(host=FAR, port=0))) as app:
        words = ["play", f"{FAR}:{app.port}", "--name", "Ann", "--new", "2", "--seed", "3"]
        host = Screen(words, environment(tmp_path))
        await host.until("Invite friends: http://")
        link = re.search(r"http://\S+", host.text)
        assert link and f"{FAR}:{app.port}/#/room/" in link[0]
        guest = Screen(["play", link[0], "--name", "Ben"], environment(tmp_path))
        try:
            await guest.until("2. ready")
            await guest.say("2", "not ready after all")
            await host.until(lambda text: "Ben" in text and text.count("ready)") == 2)
            await host.say("4", "Before the first turn")
            with trio.fail_after(100):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(plays, host)
                    nursery.start_soon(plays, guest)
            assert turn(host) >= TURN and turn(guest) >= TURN, host.text + guest.text
            assert b"Traceback" not in host.written + guest.written
        finally:
            host.kill()
            guest.kill()
