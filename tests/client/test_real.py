"""Whole games on the real server: by pipe, by the first bot of a stranger, by `apnap bot`, by `apnap demo`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from client_cli.bot_kit import Outcome, play, prepare
from client_cli.bots import LEVELS, make
from client_cli.session import Session, open_session
from protocol.messages import Ok
from protocol.options import RoomOptions
from protocol.rooms import AddBot, Open, Room, RoomState, Start
from server.command.decks import house_decks
from server.net.app import App, running
from server.storage import MemoryStorage

ROOT = Path(__file__).resolve().parents[2]
APNAP = [sys.executable, "-m", "server.command.main"]


@asynccontextmanager
async def server() -> AsyncIterator[App]:
    with trio.fail_after(120):
        async with running(MemoryStorage(), house_decks()) as app:
            yield app


async def open_room(session: Session, seats: int, seed: int = 5) -> RoomState:
    """Open a room as its host, sit down, be ready."""
    options = RoomOptions(seats=seats, seed=seed)
    room = (await session.request(Open(id=session.new_id(), options=options), Room)).room
    await prepare(session, seat=0)
    return room


async def start_when_full(session: Session) -> None:
    """Wait until everyone is ready, then start."""
    while True:
        room = session.table.room
        if room is not None and all(seat.ready or seat.seat == room.host for seat in room.seats):
            break
        await session.receive()
    await session.request(Start(id=session.new_id()), Ok)


async def host(app: App, seats: int, *, then: list[str], seed: int = 5) -> tuple[Outcome, str]:
    """Host a room, have a process join it, play to the end; the outcome and what the process printed."""
    printed = ""
    async with open_session(app.url, "Host") as session:
        room = await open_room(session, seats, seed)
        async with trio.open_nursery() as nursery:

            async def join() -> None:
                nonlocal printed
                words = [word.format(url=app.url, room=room.id) for word in then]
                done = await trio.run_process(words, capture_stdout=True, stderr=subprocess.STDOUT, cwd=ROOT)
                printed = done.stdout.decode()

            nursery.start_soon(join)
            await start_when_full(session)
            outcome = await play(session, make("simple"))
    return outcome, printed


async def test_the_first_bot_of_a_stranger_plays_a_game() -> None:
    lines = (ROOT / "examples/first_bot.py").read_text().splitlines()
    assert len(lines) <= 80
    imported = [line for line in lines if line.startswith(("import", "from"))]
    assert all(line.split()[1].split(".")[0] in ("json", "sys", "websockets") for line in imported)
    async with server() as app:
        outcome, printed = await host(app, 2, then=[sys.executable, "examples/first_bot.py", "{url}", "{room}"])
    assert outcome.over is not None and outcome.refusals == outcome.failures == 0
    assert "over: won" in printed or "over: lost" in printed
    assert "refused" not in printed


@pytest.mark.parametrize("level", LEVELS)
async def test_apnap_bot_plays_a_game(level: str) -> None:
    words = [*APNAP, "bot", "{url}", "--room", "{room}", "--level", level, "--seed", "3", "--msgpack"]
    async with server() as app:
        outcome, printed = await host(app, 2, then=words)
    assert outcome.over is not None
    assert "sits at seat 1" in printed and "of 2:" in printed
    assert " 0 refused" in printed


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_a_whole_game_through_a_pipe(tmp_path: Path, lang: str) -> None:
    async with server() as app:
        words = [*APNAP, "play", app.url, "--plain", "--new", "3", "--bots", "--seed", "4", "--lang", lang]
        # A land or a spell whenever there is one, attacks on the first that can be attacked, else Enter.
        typed = "\n".join(["1", "", "", "1 1", ""] * 400) + "\n"
        done = await trio.run_process(
            words,
            stdin=typed.encode(),
            capture_stdout=True,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        )
    printed = done.stdout.decode()
    assert {"en": "The game is over.", "fr": "La partie est terminée."}[lang] in printed
    assert "Traceback" not in printed and "ui." not in printed and "ask." not in printed
    assert {"en": "Turn 4", "fr": "Tour 4"}[lang] in printed


async def test_seated_bots_play_with_one_who_only_passes() -> None:
    """The same bots, seated by the server."""

    class Passive:
        def answer(self, table, question):
            return question.default

    async with server() as app, open_session(app.url, "Ann") as session:
        await open_room(session, 4)
        for level in ("simple", "random", "simple"):
            await session.do(AddBot(id=session.new_id(), level=level))
        await session.request(Start(id=session.new_id()), Ok)
        outcome = await play(session, Passive())
    assert outcome.over is not None
    places = {standing.seat: standing.place for standing in outcome.over.result.standings}
    assert sorted(places) == [0, 1, 2, 3]
    assert places[0] > 1


def demo(*words: str) -> dict[str, object]:
    done = subprocess.run([*APNAP, "demo", "--json", *words], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "views verified" in done.stderr
    summary: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    summary.pop("seconds")
    return summary


def test_the_demo_plays_the_same_game_again() -> None:
    seven = demo("--seed", "7", "--seats", "2")
    assert set(seven) == {"state_hash", "winner", "turns", "decisions", "views_verified", "seats"}
    assert demo("--seed", "7", "--seats", "2") == seven
    other = demo("--seed", "8", "--seats", "2", "--level", "random", "--edition", "current")
    assert other["state_hash"] != seven["state_hash"]


@pytest.mark.slow
def test_the_demo_with_eight_seats() -> None:
    assert demo("--seed", "2", "--seats", "8")["seats"] == 8


def test_the_demo_says_what_it_cannot() -> None:
    for words in (["--seats", "11"], ["--seats", "1"], ["--seed", "-1"]):
        done = subprocess.run([*APNAP, "demo", *words], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 2 and "apnap demo:" in done.stderr
