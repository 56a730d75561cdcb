"""`apnap replay` and `apnap export` on a real game, and `apnap serve` as a process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import trio
import trio.lowlevel

from server.command.main import main
from server.rooms import Room
from server.storage import open_sqlite
from tests.rooms.tables import Client, read_all
from tests.rooms.test_whole_games import Chance, setup_of


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A directory with the journal of a game, and the hash of its last state."""
    folder = tmp_path_factory.mktemp("data")

    async def game() -> str:
        async with open_sqlite(folder) as storage, trio.open_nursery() as nursery:
            room = Room(setup_of(2, "commands"), storage)
            await nursery.start(room.run)
            clients = [Client(room, f"c{seat}", seat) for seat in range(2)]
            for client in clients:
                client.attach()
            read_all(clients)
            await slow_play(room, clients)
            nursery.cancel_scope.cancel()
            return room.state_hash

    return folder, trio.run(game)


async def slow_play(room: Room, clients: list[Client]) -> None:
    """As `play`, one answer at a time, with a disk in between."""
    chance = Chance("commands")
    while not room.over.is_set():
        before = room.seq
        for client in clients:
            client.read()
        if any(client.question is not None for client in clients):
            await trio.lowlevel.checkpoint()
            await _one(room, clients, chance)
        with trio.move_on_after(5):
            while room.seq == before and not room.over.is_set():  # noqa: ASYNC110
                await trio.sleep(0.0005)


async def _one(room: Room, clients: list[Client], chance: Chance) -> None:
    from protocol import messages as m
    from server.knowledge.questions import write_answer
    from server.rules.turn import legal

    client = next(client for client in clients if client.question is not None)
    state = room.state
    assert state is not None and state.pending is not None and client.question is not None
    answer = write_answer(legal.sample(state.pending, state, chance))
    question, client.question = client.question, None
    await client.send(m.AnswerMessage(id="a", question=question.id, answer=answer))


def test_replay_of_a_room_and_of_its_file(
    played: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, state_hash = played
    assert main(["replay", "whole", "--data", str(folder)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == f"state hash {state_hash}"
    assert any("attacks" in line for line in told) and "won" in told[-2]
    file = tmp_path / "game.jsonl"
    assert main(["export", "whole", "--to", str(file), "--data", str(folder)]) == 0
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == told
    assert main(["replay", str(file), "--until", "3", "--quiet", "--lang", "fr"]) == 0
    assert "is asked of" in capsys.readouterr().out
    assert main(["export", "--data", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("whole ")


def test_a_journal_that_lies_is_found_out(
    played: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, state_hash = played
    file = tmp_path / "game.jsonl"
    main(["export", "whole", "--to", str(file), "--data", str(folder)])
    file.write_text(file.read_text().replace(state_hash, "0" * 64))
    assert main(["replay", str(file), "--quiet"]) == 1
    assert "hash" in capsys.readouterr().err
    for missing in (["replay", "nobody"], ["export", "nobody"], ["export"]):
        assert main([*missing, "--data", str(tmp_path / "no")]) == 1
    assert main(["export", "nobody", "--data", str(folder)]) == 1


def serve(folder: Path) -> tuple[subprocess.Popen[str], list[str]]:
    """A server as a process, and what it said when it had started."""
    words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if line.startswith("Ctrl-C"):
            return process, said
    raise AssertionError(process.communicate(timeout=10))


def test_serve_says_how_to_join_and_leaves_cleanly(tmp_path: Path) -> None:
    process, said = serve(tmp_path)
    url = said[0].split()[-1]
    told = "".join(said)
    assert f"apnap play {url.replace('ws', 'http', 1)}" in told and f"apnap bot {url}" in told
    try:
        with urllib.request.urlopen(url.replace("ws://", "http://") + "/health", timeout=10) as reply:
            assert json.load(reply)["status"] == "ok"
        second = subprocess.run(
            [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=20,
        )
        assert second.returncode == 1 and "another server" in second.stderr
        taken = subprocess.run(
            [sys.executable, "-m", "server.command.main", "serve", "--port", url.rsplit(":", 1)[1]]
            + ["--data", str(tmp_path / "other")],
            capture_output=True,
            text=True,
            timeout=20,
        )
        assert taken.returncode == 1 and taken.stderr.startswith("apnap serve: ")
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 0 and err == ""


def test_serve_takes_games_up_again(tmp_path: Path) -> None:
    async def half() -> None:
        async with open_sqlite(tmp_path) as storage, trio.open_nursery() as nursery:
            room = Room(setup_of(2, "half"), storage)
            await nursery.start(room.run)
            nursery.cancel_scope.cancel()

    trio.run(half)
    process, _ = serve(tmp_path)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Room"):
            assert line == "Room whole goes on (playing).\n"
            break
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 0 and err == ""
