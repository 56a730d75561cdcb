"""What a server of several workers says on its terminal as it starts: of games in hand, and where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import trio

from server.command.decks import HouseDecks
from server.command.serve import games_go_on
from server.command.workers import _read_in, cannot
from server.net.static import Page, read_page
from server.net.workers.nodes import _said, version_of
from server.oracle.house import brawl_decks, commander_decks, house_decks
from server.settings import Listen, Settings
from tests.cluster.test_nodes import begun
from tests.cluster.test_workers import calling, served


def line_about_games(said: IO[str]) -> str:
    """The first that begins with how many there are."""
    return next(line for line in said if line[0].isdigit())


async def test_it_is_said_how_many_games_go_on_when_all_are_taken_up(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo:
            for caller in (ada, bo):
                await begun(caller)
        assert server.process is not None
        server.process.terminate()
        await trio.to_thread.run_sync(server.process.wait)
        await server.start()
        assert server.process.stdout is not None
        with trio.fail_after(60):
            told = await trio.to_thread.run_sync(line_about_games, server.process.stdout, abandon_on_cancel=True)
        assert told == "2 games go on.\n"


def test_games_that_stand_still_are_counted_beside_the_others() -> None:
    assert games_go_on(["playing", "gathering"]) == "1 game goes on."
    assert games_go_on(["playing", "frozen", "playing"]) == "2 games go on, 1 game stands still (frozen)."
    assert games_go_on(["frozen"] * 2) == "2 games stand still (frozen)."
    assert games_go_on([]) == games_go_on(["gathering", "over"]) == ""


def test_what_workers_cannot_do_is_said() -> None:
    assert "let a proxy such as Caddy end it" in cannot(Settings(listen=Listen(tls_cert="chain.pem"), workers=2))
    assert cannot(Settings(workers=2)) == ""


def test_what_every_child_needs_is_read_before_any_begins() -> None:
    """A takeover waits for the children, and four of them share two cores."""
    kept = (house_decks, commander_decks, brawl_decks, read_page, _said)
    for one in kept:
        one.cache_clear()
    _read_in()
    read = [one.cache_info().misses for one in kept]
    assert all(read)
    HouseDecks().summaries()
    Page()
    version_of("rules")
    assert [one.cache_info().misses for one in kept] == read
