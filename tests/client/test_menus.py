"""What the menus away from the table say, and that all of it can be read."""

from __future__ import annotations

import trio

from client_cli.app import App
from client_cli.layout import columns
from client_cli.scenes import Screen, seen
from client_cli.screen import Board
from client_cli.session import Session
from protocol.rooms import Seat
from tests.client.fake import Fake


async def test_the_room_says_once_who_is_a_bot_and_what_the_start_waits_for() -> None:
    fake = Fake([])
    fake.seats[1] = Seat(seat=1, kind="bot", name="Elm (bot)", level="simple", deck="Red", ready=True)
    fake.seats[2] = Seat(seat=2, kind="person", name="Ben", connected=True)
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        await app.begin("r1")
        while app.room is None:
            await app.tell(await session.receive())
        screen = seen(app)
        assert screen.header == "Table r1 - rules 2011"
        assert screen.body[1] == "seat 2: Elm (bot, simple, deck: Red, ready)"
        assert screen.choices[3] == "start the game (not yet; free seats: 1; not ready: Ben)"
        nursery.cancel_scope.cancel()


async def test_a_number_that_is_no_choice_is_told_which_there_are() -> None:
    async with trio.open_nursery() as nursery:
        session = Session(Fake([]).dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        await app.line("99")
        assert app.log[-1] == "! One of these numbers, please: 1, 2, 3."
        app.place = "seats"
        await app.line("99")
        assert app.log[-1] == "! One of these numbers, please: 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11."
        nursery.cancel_scope.cancel()


def test_no_choice_loses_a_word_and_all_can_be_scrolled_to() -> None:
    words = [
        f"{n}. Deck {n} (WUB): " + "a long tale of what it does and how it wins, " * 2 + f"end{n}" for n in range(1, 10)
    ]
    rows = columns(words, 80)
    assert all(len(row) <= 80 for row in rows) and all(any(f"end{n}" in row for row in rows) for n in range(1, 10))
    board = Board()
    screen = Screen("", [], "", [word.partition(" ")[2] for word in words], "", numbers=list(range(1, 10)))
    found: set[str] = set()
    for _ in rows:
        board.paint(screen, [])
        found |= {word for _, line in board._painted.lines for word in line.split() if word.startswith("end")}
        board.scroll(">")
    assert found == {f"end{n}" for n in range(1, 10)}
