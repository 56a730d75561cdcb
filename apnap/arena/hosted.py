"""Games that another process hosts, because bots come over the network: it is told what to play by lines, and tells what became of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import Future
from io import FileIO
from threading import Lock, Thread
from typing import BinaryIO

import msgspec

from apnap.arena.match import MOST_TURNS, Played, Setting, bot_seed, drawn_names, seated, shares_of
from server.contests import HostedGame, HostedResult, Say


class HostGone(Exception):
    """Who hosts the games hosts them no more."""


class Host:
    """The other process, at the ends of two pipes. `submit` may be called while games are played."""

    def __init__(self, into: FileIO, out: BinaryIO) -> None:
        self._into = into
        self._out = out
        self._open: dict[int, tuple[HostedGame, Sequence[int], int, int, Future[Played]]] = {}
        self._number = 0
        self._lock = Lock()
        self._gone = False
        Thread(target=self._listen, daemon=True).start()

    def submit(self, setting: Setting, number: int, shifted: int) -> Future[Played]:
        """As `apnap.arena.match.play`, later."""
        sat = seated(setting, shifted)
        places = sorted(range(len(sat)), key=sat.__getitem__)  # by seats the places of the line-up
        decks, first = drawn_names(setting, number)
        seed = random.Random(f"{setting.seed}/{number}/deal").getrandbits(52)
        future: Future[Played] = Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            self._number += 1
            game = HostedGame(
                number=self._number,
                bots=tuple(setting.line_up[place] for place in places),
                decks=tuple(decks),
                seeds=tuple(bot_seed(setting, number, place) for place in places),
                edition=setting.edition,
                seed=seed,
                first=first,
                answer_ms=setting.answer_ms,
                most_turns=MOST_TURNS,
            )
            if self._gone:
                future.set_exception(HostGone("nobody hosts the games any more"))
                return future
            self._open[self._number] = game, sat, number, shifted, future
            self._send(game)
        return future

    def say(self, text: str) -> None:
        """Have that printed."""
        self._send(Say(text))

    def _send(self, message: HostedGame | Say) -> None:
        self._out.write(msgspec.json.encode(message) + b"\n")
        self._out.flush()

    def _listen(self) -> None:
        for line in self._into:
            self._take(msgspec.json.decode(line, type=HostedResult))
        with self._lock:
            self._gone = True
            for *_, future in self._open.values():
                future.set_exception(HostGone("nobody hosts the games any more"))
            self._open.clear()

    def _take(self, result: HostedResult) -> None:
        with self._lock:
            game, sat, number, shifted, future = self._open.pop(result.number)
        shares = shares_of(result.winners, len(game.bots))
        future.set_result(
            Played(
                round=number,
                shifted=shifted,
                shares=tuple(shares[seat] for seat in sat),
                turns=result.turns,
                answers=tuple(result.answers[seat] for seat in sat),
                ms=tuple(result.ms[seat] for seat in sat),
                failures=tuple(result.failures[seat] for seat in sat),
                timeouts=tuple(result.timeouts[seat] for seat in sat),
            )
        )
