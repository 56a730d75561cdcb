"""How fast a turn of others is shown at the terminal, and what a key does meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client_cli.app import App
from client_cli.channels import ReadAhead, memory_channels, reading_ahead
from client_cli.errors import Disconnected
from client_cli.line import GO_ON, Line, Said
from client_cli.pace import LAG_S, LINE_S, Pacing, seconds
from client_cli.scenes import Screen as Scene
from client_cli.scenes import seen
from client_cli.screen import _read
from client_cli.session import Session
from client_cli.settings import PACES, Pace, Settings
from protocol.messages import ClockMessage, Closing, Ok, Patch, QuestionMessage
from protocol.questions import Question
from protocol.view import Event
from server.command.decks import house_decks
from server.net.app import running
from server.storage import MemoryStorage
from tests.client.fake import Fake, Send
from tests.client.tables import Setting, confirm
from tests.client.terminal import Screen, environment

LINES = 6


class Bots(Fake):
    """After each answer a bot does `LINES` things, all at once; then we are asked again."""

    def __init__(self, script: list[Question], active: int = 1, clock: ClockMessage | None = None) -> None:
        super().__init__(script, Setting(active=active))
        self.clock = clock

    async def _advance(self, send: Send) -> None:
        if self.clock is not None:
            await send(self.clock)
        for _ in range(LINES // 2):
            self.seq += 1
            told = [Event(kind="draw", key="notice.joined", args={"name": f"Line{self.seq}{part}"}) for part in "ab"]
            await send(Patch(epoch=self.epoch, seq=self.seq, events=told))
        await send(QuestionMessage(epoch=self.epoch, seq=self.seq, question=self.script[0]))


class Watcher:
    """What stood on the screen, and when."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.pacing = Pacing(app, lambda: app.session.unread)
        self.first: dict[str, float] = {}
        self.begun = 0.0

    def show(self) -> None:
        log = self.app.log[: len(self.app.log) - self.pacing.hidden]
        now = trio.current_time() - self.begun
        for words in [*log, seen(self.app).about]:
            self.first.setdefault(words, now)

    def times(self) -> list[float]:
        """When each line of the bot was seen first, in order."""
        return [round(at, 3) for line, at in self.first.items() if line.startswith("Line")]


@asynccontextmanager
async def watching(fake: Fake, pace: Pace = "normal") -> AsyncIterator[Watcher]:
    """A person who has just answered; what follows is shown as on the screen."""
    async with trio.open_nursery() as nursery:
        session = Session(reading_ahead(fake.dial_memory(nursery), nursery), "Ann")
        await session.connect()
        app = App(session, settings=Settings(pace=pace))
        await app.begin("r1")
        for _ in range(3):
            await app.tell(await session.receive())
        await app.start()
        while app.dialog is None:
            await app.tell(await session.receive())
        watcher = Watcher(app)
        nursery.start_soon(_read, app, session, watcher.pacing, watcher.show, [], trio.CancelScope())
        watcher.begun = trio.current_time()
        await app.line("1")
        yield watcher
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("pace", ["fast", "normal", "slow"])
async def test_each_line_of_anothers_turn_stands_for_a_while(autojump_clock: object, pace: Pace) -> None:
    async with watching(Bots([confirm(0), confirm(1)]), pace) as watcher:
        await trio.sleep(30)
    each = LINE_S[pace]
    assert watcher.times() == [round(at * each, 3) for at in range(LINES)]
    assert watcher.first["question q1"] == pytest.approx(LINES * each)


@pytest.mark.parametrize("why", ["off", "our own turn", "little time"])
async def test_nothing_waits_where_nobody_wants_it_to(autojump_clock: object, why: str) -> None:
    clock = ClockMessage(seat=0, by="chess", left_ms=29_000) if why == "little time" else None
    fake = Bots([confirm(0), confirm(1)], 0 if why == "our own turn" else 1, clock)
    async with watching(fake, "off" if why == "off" else "normal") as watcher:
        await trio.sleep(30)
    assert watcher.times() == [0] * LINES and watcher.first["question q1"] == 0


async def test_a_key_goes_on_to_what_is_asked_and_answers_nothing(autojump_clock: object) -> None:
    fake = Bots([confirm(0), confirm(1)])
    async with watching(fake) as watcher:
        await trio.sleep(1)
        assert seen(watcher.app).behind
        watcher.pacing.go_on()
        await trio.sleep(10)
        assert watcher.times() == [0, 0.8] + [1] * (LINES - 2) and watcher.first["question q1"] == 1
        assert len(fake.answers) == 1 and not seen(watcher.app).behind


@given(pace=st.sampled_from(PACES), lines=st.lists(st.integers(1, 30), max_size=40))
def test_the_screen_is_never_behind_for_longer_than_its_pace_allows(pace: Pace, lines: list[int]) -> None:
    """Whatever had come at second 0, all of it has been seen when the pace's lag is over."""
    now, left = 0.0, sum(lines)
    while left:
        wait = seconds(pace, left, now)
        assert 0 <= wait <= LINE_S[pace]
        now, left = now + wait, left - 1
    assert now <= LAG_S[pace] + 1e-9


@pytest.mark.parametrize("key", ["enter", "1", "9", " ", "esc", "x"])
def test_keys_that_mean_nothing_else_go_on_and_enter_soon_after_them_answers_nothing(key: str) -> None:
    now = 0.0
    line = Line(lambda: now)
    behind = Scene("", [], "", [], "", about="waiting", opens="cl", keys_at_once="P?", waits=True, behind=True)
    asked = Scene("", [], "", ["yes"], "", numbers=[1], asked=True, about="question q1", opens="cl", keys_at_once="P?")
    assert line.press(key, behind) == Said(GO_ON, "waiting")
    now = 0.9
    assert line.press("enter", asked) == Said(GO_ON, "question q1")
    now = 2.0
    assert line.press("enter", asked) == Said("", "question q1")
    assert line.press("enter", replace(behind, behind=False)) == Said(GO_ON, "waiting")
    assert line.press("enter", asked) == Said("", "question q1")
    assert line.press("P", behind) == Said("P", "waiting") and line.press("c", behind) is None and line.typed == "c"
    assert line.press("1", behind) is None and line.typed == "c1"


async def test_what_is_read_ahead_comes_in_order_and_its_end_last() -> None:
    async with trio.open_nursery() as nursery:
        channel, end = memory_channels()
        ahead = ReadAhead(channel, nursery)
        for number in range(3):
            await end.outbox.send(Ok(re=f"{number}"))
        await end.outbox.send(Closing(code="bye", sentence="Bye."))
        end.outbox.close()
        await trio.testing.wait_all_tasks_blocked()
        assert len(ahead.unread) == 4
        assert [(await ahead.receive()).re for _ in range(3)] == ["0", "1", "2"]
        assert isinstance(await ahead.receive(), Closing)
        with pytest.raises(Disconnected):
            await ahead.receive()
        await ahead.aclose()


async def test_a_turn_of_bots_is_shown_and_a_digit_goes_on_without_answering(tmp_path: Path) -> None:
    async with running(MemoryStorage(), house_decks()) as app:
        words = ["play", app.url, "--name", "Ann", "--new", "4", "--bots", "--seed", "4"]
        screen = Screen(words, environment(tmp_path))
        try:
            await screen.until("Take a mulligan?")
            await screen.say("2", "You have priority.")
            await screen.say("1", lambda text: "1. cast" in text or "1. use" in text or "You have priority" in text)
            await screen.say("T", "on to what you are asked")
            await screen.say("1", lambda text: "Turn 5: Ann." in text and "You have priority." in text)
            await screen.for_a_while(0.3)
            assert "play" in screen.text and "You have priority." in screen.text, screen.text
        finally:
            screen.kill()
