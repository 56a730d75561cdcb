"""`apnap play` on a terminal of its own, as a person sees it: keys in, and the screen that pyte makes of what is written."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pyte
import trio

from client_cli.settings import Settings, write

ROOT = Path(__file__).resolve().parents[2]
APNAP = [sys.executable, "-m", "server.command.main"]
PATIENCE_S = 20


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """A home of its own, in English."""
    folders = {"XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    return {**os.environ, **folders, "LANG": "C.UTF-8", "TERM": "vt100", **more}


def prefers(tmp_path: Path, settings: Settings) -> None:
    """Whose home that is likes the client so."""
    write(settings, tmp_path / "apnap" / "play.json")


class Screen:
    """A process on a terminal of (columns, lines)."""

    def __init__(self, words: list[str], env: dict[str, str], size: tuple[int, int] = (80, 24)) -> None:
        width, height = size
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.process = subprocess.Popen(
            [*APNAP, *words], cwd=ROOT, env=env, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        os.set_blocking(self._master, False)
        self._screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self._screen)
        self.alive = True
        self.written = b""
        """The end of what was written, as it was."""

    @property
    def lines(self) -> list[str]:
        """What stands on the screen."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def _read(self) -> None:
        await trio.lowlevel.wait_readable(self._master)
        self.take()

    def take(self) -> None:
        """Take in what is written by now."""
        try:
            while data := os.read(self._master, 65536):
                self.written = (self.written + data)[-20_000:]
                self._stream.feed(data)
        except BlockingIOError:
            return
        except OSError:
            pass
        self.alive = False

    async def until(self, holds: Callable[[str], bool] | str) -> None:
        """Read until this stands on the screen."""
        fits = (lambda text: holds in text) if isinstance(holds, str) else holds
        with trio.move_on_after(PATIENCE_S):
            while not fits(self.text):
                assert self.alive, f"ended; {holds!r} never came:\n{self.text}"
                await self._read()
            return
        raise AssertionError(f"{holds!r} never came:\n{self.text}")

    async def for_a_while(self, seconds: float) -> None:
        """Read for so long, or to the end."""
        with trio.move_on_after(seconds):
            while self.alive:
                await self._read()

    async def hears(self, seconds: float) -> None:
        """Read what comes of a key, for so long at most; keys pressed faster than they are read are before any question."""
        with trio.move_on_after(seconds):
            await self._read()

    def press(self, keys: str) -> None:
        """Press keys."""
        try:
            os.write(self._master, keys.encode())
        except OSError:  # nobody is there any more, or reads too slowly: as with keys pressed at such a terminal
            self.take()

    async def say(self, keys: str, expected: Callable[[str], bool] | str) -> None:
        """Press keys, and see what comes of them."""
        self.press(keys)
        await self.until(expected)

    async def ended(self) -> int:
        """Wait for the process; its exit code."""
        with trio.fail_after(PATIENCE_S):
            while self.alive:
                await self._read()
            return await trio.to_thread.run_sync(self.process.wait)

    def kill(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.wait()
        os.close(self._master)
