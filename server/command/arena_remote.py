"""Contests with bots that come over the network: a server for their games, the process that draws and counts them, and, where that is
asked for, the bots' own programs, started anew for each game.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping

import msgspec
import trio

from protocol.refusals import Refusal
from server.command.decks import HouseDecks
from server.contests import HostedGame, HostedResult, Say
from server.net.contest import Contest, hosting
from server.settings import Listen

TRIES = 3
"""How often in a row a program may end without having sat down."""
AGAIN_SECONDS = 1.0
"""After it has ended so."""


class ContestFault(Exception):
    """Why the contest does not go on."""


class Remotes(msgspec.Struct, frozen=True):
    """The bots that come: by name how many `seats` they have at once, and the command that starts one, "" for none of ours to start."""

    seats: Mapping[str, int]
    commands: Mapping[str, str]
    listen: Listen
    processes: int


def run(words: list[str], remotes: Remotes) -> int:
    """Host the contest that `words` start, to its end; its exit code."""
    try:
        return trio.run(_run, words, remotes)
    except BaseException as group:
        fault = _known(group)
        if fault is None:
            raise
        print(f"apnap arena: {fault}", file=sys.stderr)
        return 1 if isinstance(fault, ContestFault | Refusal) else 2


def _known(fault: BaseException) -> Exception | None:
    if isinstance(fault, BaseExceptionGroup):
        return next((found for one in fault.exceptions if (found := _known(one)) is not None), None)
    return fault if isinstance(fault, ContestFault | Refusal | OSError) else None


async def _run(words: list[str], remotes: Remotes) -> int:
    async with hosting(HouseDecks(), remotes.seats, remotes.listen, processes=remotes.processes) as contest:
        for line in how_to_join(contest.url, remotes):
            print(line, file=sys.stderr, flush=True)
        async with trio.open_nursery() as nursery:
            for name, command in remotes.commands.items():
                for _ in range(remotes.seats[name]):
                    nursery.start_soon(_keep_started, contest, name, command)
            code = await _draw(words, contest)
            nursery.cancel_scope.cancel()
    return code


def how_to_join(url: str, remotes: Remotes) -> list[str]:
    """What is printed at the start."""
    lines = [f"The contest is at {url}; it begins when all are there. A bot joins again for each game."]
    for name, seats in remotes.seats.items():
        if name in remotes.commands:
            lines.append(f"  {name}: {filled(remotes.commands[name], url, name)}")
        else:
            times = f", {seats} of them" if seats > 1 else ""
            lines.append(f"  {name}: start your bot{times}, with the room {name}, such as")
            lines.append(f"    while python examples/first_bot.py {url} {shlex.quote(name)}; do :; done")
    return lines


def filled(command: str, url: str, name: str) -> str:
    """The command with address and room."""
    return command.replace("{url}", url).replace("{room}", shlex.quote(name))


async def _draw(words: list[str], contest: Contest) -> int:
    """Play what the process asks for, and print what it has to say; its exit code."""
    process = await trio.lowlevel.open_process(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    into, out = process.stdin, process.stdout
    assert into is not None and out is not None
    writing = trio.Lock()

    async def play(game: HostedGame) -> None:
        result: HostedResult = await contest.play(game)
        async with writing:
            await into.send_all(msgspec.json.encode(result) + b"\n")

    try:
        async with trio.open_nursery() as nursery:
            async for line in _lines(out):
                match msgspec.json.decode(line, type=HostedGame | Say):
                    case HostedGame() as game:
                        nursery.start_soon(play, game)
                    case Say(text):
                        print(text, flush=True)
            nursery.cancel_scope.cancel()
        return await process.wait()
    finally:
        if process.poll() is None:
            process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


async def _lines(stream: trio.abc.ReceiveStream) -> AsyncIterator[bytes]:
    buffer = b""
    async for chunk in stream:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            yield line


async def _keep_started(contest: Contest, name: str, command: str) -> None:
    """The program of a bot, started when a seat waits for it. Raises `ContestFault` for one that does not sit down."""
    vain = 0
    words = shlex.split(filled(command, contest.url, name))
    while True:
        await contest.lobby.wanted(name)
        came = contest.lobby.came[name]
        code = await trio.run_process(words, stdout=subprocess.DEVNULL, check=False, deliver_cancel=_kill)
        vain = vain + 1 if contest.lobby.came[name] == came else 0
        if vain == TRIES:
            raise ContestFault(f"{shlex.join(words)} ends without a game (exit code {code.returncode})")
        if vain:
            await trio.sleep(AGAIN_SECONDS)


async def _kill(process: trio.Process) -> None:
    process.kill()
    await trio.lowlevel.checkpoint()
