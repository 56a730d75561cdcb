"""`apnap play` as a process: on a terminal of 80 by 24, through a pipe, and without a server."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import trio

from protocol.questions import ConfirmAnswer
from server.command.decks import house_decks
from server.net.app import running
from server.storage import MemoryStorage
from tests.client.fake import Fake
from tests.client.tables import confirm
from tests.client.test_app import setting

ROOT = Path(__file__).resolve().parents[2]
APNAP = [sys.executable, "-m", "server.command.main"]


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "XDG_STATE_HOME": str(tmp_path), "LANG": "C.UTF-8", "TERM": "vt100", **more}


class Terminal:
    """A process on a terminal of its own, and what it has written there."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*APNAP, *words], cwd=ROOT, env=env, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self.written = ""

    async def until(self, words: str) -> None:
        """Read until these words have been written."""
        with trio.fail_after(20):
            while words not in self.text():
                await trio.lowlevel.wait_readable(self.master)
                try:
                    self.written += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    raise AssertionError(f"{words!r} never came:\n{self.text()}") from None

    def text(self) -> str:
        """What was written, without what moves the cursor."""
        return re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][0AB]|[=>78])|[\x0e\x0f]", "", self.written)

    def type(self, keys: str) -> None:
        """Press keys."""
        self.written = ""
        os.write(self.master, keys.encode())

    async def ended(self) -> int:
        with trio.fail_after(20):
            while True:
                await trio.lowlevel.wait_readable(self.master)
                try:
                    if not os.read(self.master, 65536):
                        break
                except OSError:
                    break
            return await trio.to_thread.run_sync(self.process.wait)


async def test_a_game_by_keyboard(tmp_path: Path) -> None:
    fake = Fake([confirm(1), confirm(2)], setting())
    async with fake.websocket() as url:
        terminal = Terminal(["play", url, "--name", "Ann"], environment(tmp_path))
        await terminal.until("join Ann (1 of 4, r1)")
        terminal.type("4")
        await terminal.until("fill the free seats with bots")
        terminal.type("2")
        await terminal.until("Bot3")
        terminal.type("4")
        await terminal.until("Turn 7")
        assert "Forest" in terminal.text()
        terminal.type("?")
        await terminal.until("pass until your turn")
        terminal.type("\r")
        await terminal.until("Do it?")
        terminal.type("1")
        await terminal.until("Event1")
        terminal.type("n")
        await terminal.until("The game is over.")
        terminal.type("q")
        assert await terminal.ended() == 0
    assert fake.answers == [ConfirmAnswer(yes=True), ConfirmAnswer(yes=False)]


async def test_a_whole_game_against_three_bots_by_keyboard(tmp_path: Path) -> None:
    async with running(MemoryStorage(), house_decks()) as app:
        words = ["play", app.url, "--name", "Ann", "--new", "4", "--bots", "--seed", "4"]
        terminal = Terminal(words, environment(tmp_path))
        await terminal.until("Take a mulligan?")
        assert "Before the first turn" in terminal.text()
        keys = 0
        with trio.fail_after(100):
            while "The game is over." not in terminal.text():
                # The first choice and, since a number alone is not always all, Enter; where all attack, the first.
                os.write(terminal.master, b"1" if keys % 3 == 0 else b"\r")
                keys += 1
                with trio.move_on_after(0.03):
                    await terminal.until("The game is over.")
        terminal.type("q")
        assert await terminal.ended() == 0
    assert keys > 20


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
