"""`apnap play` as a process: on a terminal of 80 by 24, through a pipe, and without a server."""

from __future__ import annotations

import signal
from pathlib import Path

import trio

from client_cli.settings import Settings
from protocol.questions import ConfirmAnswer
from server.command.decks import house_decks
from server.net.app import running
from server.storage import MemoryStorage
from tests.client.fake import Fake
from tests.client.tables import confirm
from tests.client.terminal import APNAP, ROOT, Screen, environment, prefers
from tests.client.test_app import setting

AT_THE_END = ("The game is over.", "Which deck?")


async def test_a_game_by_keyboard(tmp_path: Path) -> None:
    fake = Fake([confirm(1), confirm(2)], setting())
    async with fake.websocket() as url:
        terminal = Screen(["play", url, "--name", "Ann"], environment(tmp_path))
        await terminal.until("join Ann (1 of 4, r1)")
        await terminal.say("4", "fill the free seats with bots")
        await terminal.say("2", "Bot3")
        await terminal.say("4", "Turn 7")
        assert "Forest" in terminal.text
        await terminal.say("?", "pass until your turn")
        await terminal.say("\r", "Do it?")
        await terminal.say("1", "Event1")
        await terminal.until("1. yes")
        await terminal.say("2", "The game is over.")
        terminal.press("q")
        assert await terminal.ended() == 0
    assert fake.answers == [ConfirmAnswer(yes=True), ConfirmAnswer(yes=False)]


async def test_a_whole_game_against_three_bots_by_keyboard(tmp_path: Path) -> None:
    async with running(MemoryStorage(), house_decks()) as app:
        words = ["play", app.url, "--name", "Ann", "--new", "4", "--bots", "--seed", "4"]
        prefers(tmp_path, Settings(pace="off"))
        terminal = Screen(words, environment(tmp_path))
        await terminal.until("Take a mulligan?")
        assert "Before the first turn" in terminal.text
        keys = 0
        with trio.move_on_after(200):  # six seconds alone, forty on a machine that is busy
            # Whose key came just then is past the end already, and may choose a deck for the next game.
            while not any(said in terminal.text for said in AT_THE_END):
                # The first choice and, since a number alone is not always all, Enter; where all attack, the first.
                terminal.press("1" if keys % 3 == 0 else "\r")
                keys += 1
                await terminal.hears(0.5)
                await terminal.for_a_while(0.02)
        assert any(said in terminal.text for said in AT_THE_END), f"after {keys} keys it stands at\n{terminal.text}"
        terminal.press("q")
        assert await terminal.ended() == 0
    assert keys > 20


async def test_a_seat_that_is_taken_over_elsewhere_leaves_the_first_terminal_at_the_tables(tmp_path: Path) -> None:
    """And a terminal that is told to stop gives the screen back as it was."""
    async with running(MemoryStorage(), house_decks()) as app:
        first = Screen(["play", app.url, "--name", "Ann", "--new", "2", "--bots"], environment(tmp_path))
        await first.until("Take a mulligan?")
        second = Screen(["play", app.url, "--name", "Ann", "--resume"], environment(tmp_path))
        await second.until("Take a mulligan?")
        await first.until("open a table for four")
        assert "You are connected from elsewhere" in first.text
        second.process.send_signal(signal.SIGTERM)
        assert await second.ended() == 128 + signal.SIGTERM
        assert b"\x1b[?1049l" in second.written and b"Traceback" not in second.written
        first.kill()


async def test_a_game_through_a_pipe(tmp_path: Path) -> None:
    fake = Fake([confirm(i) for i in range(8)], setting())
    async with fake.websocket() as url:
        with trio.fail_after(30):
            done = await trio.run_process(
                [*APNAP, "play", url, "--plain", "--room", "r1", "--name", "Ann"],
                stdin=b"2\n4\n" + b"\n" * 30,
                capture_stdout=True,
                cwd=ROOT,
                env=environment(tmp_path, LANG="fr_FR.UTF-8"),
            )
    assert len(fake.answers) == 8
    assert "La partie est terminée." in done.stdout.decode()


async def test_without_a_terminal_or_a_server(tmp_path: Path) -> None:
    env = environment(tmp_path)
    for words, code, said in (
        (["play"], 2, "use --plain"),
        (["play", "--new", "11"], 2, "2 to 10 seats"),
        (["play", "--name", "x" * 33], 2, "--name takes 1 to 32 characters"),
        (["play", "--bots"], 2, "--bots goes with --new SEATS"),
        (["play", "--seed", "1"], 2, "--seed goes with --new SEATS"),
        (["play", "--variant", "emperor"], 2, "--variant goes with --new SEATS"),
        (["play", "--new", "2", "--seed", "-1"], 2, "--seed takes a number from 0"),
        (["play", "--new", "2", "--room", "r"], 2, "leave --room and --watch out"),
        (["play", "--watch"], 2, "--watch goes with --room ID"),
        (["play", "--plain", "ws://127.0.0.1:9"], 1, "ws://127.0.0.1:9: "),
        (["bot", "ws://127.0.0.1:9", "--room", "r"], 1, "ws://127.0.0.1:9: "),
        (["bot", "nonsense", "--room", "r"], 1, "nonsense"),
    ):
        done = await trio.run_process(
            [*APNAP, *words], stdin=b"", capture_stdout=True, capture_stderr=True, check=False, cwd=ROOT, env=env
        )
        assert done.returncode == code, done.stderr
        assert said in done.stderr.decode()
        assert "Traceback" not in done.stderr.decode()
