"""Every documented command, typed key by key at a terminal, and nonsense by the thousand."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client_cli import commands
from client_cli.channels import MemoryChannel
from client_cli.line import Line, Said
from client_cli.scenes import seen
from client_cli.settings import Settings
from protocol import messages as m
from protocol import people, rooms
from protocol.by_hand import LifeChange, TappedChange
from protocol.questions import (
    ActAnswer,
    ActQuestion,
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    PlayerChoice,
    PriorityAnswer,
    Question,
)
from server.command.decks import house_decks
from server.net.app import running
from server.storage import MemoryStorage
from tests.client.fake import Fake
from tests.client.tables import Setting, base, confirm
from tests.client.terminal import Screen, environment, prefers
from tests.client.test_app import at_a_table, priority, setting

SIZES = [(80, 24), (120, 40)]
ESC = "\x1b"


class Table(Fake):
    """A table whose game asks for priority, with a vote open."""

    def __init__(self, made: Setting, *script: Question) -> None:
        super().__init__(list(script) or [priority(made, number) for number in range(9)], made)

    async def message(self, message, send) -> bool:
        """Everything is granted."""
        if isinstance(
            message, m.Resume | m.AnswerMessage | m.Hello | m.Sync | rooms.Join | rooms.Start | rooms.ChooseDeck
        ):
            return await super().message(message, send)
        if isinstance(message, m.Say) and message.text == "vote":
            self.got.append(message)
            vote = m.Vote(vote="v1", what="pause", by=1, yes=[1], waiting=[0, 2], left_ms=60_000, ms=300_000)
            await send(m.Ok(re=message.id))
            await send(vote)
            return True
        if isinstance(message, m.Consent):
            self.got.append(message)
            await send(m.Vote(vote="v1", what="pause", by=1, yes=[0, 1, 2], result="passed"))
            await send(m.Ok(re=message.id))
            return True
        if isinstance(message, people.ListSavedDecks):
            self.got.append(message)
            await send(m.SavedDecks(re=message.id, saved={"Mine": "4 Wolf"}))
            return True
        if isinstance(message, people.ListRatings):
            self.got.append(message)
            ann = people.RatingLine(ladder="brawl", person="p1", name="Ann", rating=31.5, spread=9.0, games=7, wins=5)
            await send(m.Ratings(re=message.id, ladder=message.ladder, ladders=["brawl", "constructed"], rated=[ann]))
            return True
        if isinstance(message, m.ListRooms | m.ListDecks | m.Open | m.AddBot):
            return await super().message(message, send)
        self.got.append(message)
        await send(m.Ok(re=message.id))
        return True

    def sent(self, kind: type) -> list:
        return [message for message in self.got if isinstance(message, kind)]


@asynccontextmanager
async def playing(tmp_path: Path, size: tuple[int, int], fake: Fake) -> AsyncIterator[Screen]:
    """Somebody at the first question of a game."""
    async with fake.websocket() as url:
        screen = Screen(["play", url, "--name", "Ann", "--room", "r1"], environment(tmp_path), size)
        try:
            await screen.until("start the game")
            await screen.say("4", "Turn 7")
            yield screen
        finally:
            screen.kill()


async def arrives(fake: Fake, kind: type, **fields: object) -> None:
    """Wait until the server has such a message."""

    def fits(message: object) -> bool:
        return isinstance(message, kind) and all(getattr(message, name) == value for name, value in fields.items())

    with trio.move_on_after(10):
        while not any(map(fits, fake.got)):  # noqa: ASYNC110
            await trio.sleep(0.01)
        return
    raise AssertionError(f"no {kind.__name__} {fields} in {fake.got[-5:]}")


VOTE = ("c vote\r", "1. agree")
SENT: dict[str, tuple[list[tuple[str, str]], type, dict[str, object]]] = {
    "pass_something": ([("P", "")], m.Pass, {"until": "something"}),
    "pass_my_turn": ([("T", "")], m.Pass, {"until": "my_turn"}),
    "pass_end_of_turn": ([("E", "")], m.Pass, {"until": "end_of_turn"}),
    "pass_off": ([("O", "")], m.Pass, {"until": "off"}),
    "concede": ([("concede\r", "1. give up"), ("1", "cast Dragon"), ("C", "1. give up"), ("1", "")], m.Concede, {}),
    "chat": ([("c hello 2 you, P?\r", "")], m.Say, {"text": "hello 2 you, P?"}),
    "emote": ([("e good_game\r", "")], m.Emote, {"emote": "good_game"}),
    "stops": ([("stops mine upk\r", "")], m.Stops, {"mine": ["upkeep", "precombat_main", "postcombat_main"]}),
    "preview": ([("w 1\r", "")], m.Preview, {"answer": PriorityAnswer(index=1)}),
    "yes": ([VOTE, ("yes\r", "cast Dragon")], m.Consent, {"yes": True}),
    "no": ([VOTE, ("no\r", "cast Dragon")], m.Consent, {"yes": False}),
    "yield": ([("yield\r", "")], m.Yield, {}),
    "forget": ([("forget\r", "")], m.Forget, {}),
    "pause": ([("pause 5\r", "")], m.Pause, {"ms": 300_000}),
    "go": ([("go\r", "")], m.Unpause, {}),
    "slow": ([("slow 3\r", "")], m.LongerClock, {"times": 3}),
    "sitin": ([("sitin 2\r", "")], m.BotFor, {"seat": 1}),
    "end": (
        [("end\r", "2. play on"), ("2", "cast Dragon"), ("end\r", "1. end it"), ("1", "")],
        m.EndGame,
        {},
    ),
    "fix": (
        [("fix life Cid -3; untap #12\r", "")],
        m.Correct,
        {"changes": (LifeChange(seat=2, to=-3), TappedChange(object="12", to=False))},
    ),
    "reword": ([("reword #12 Flying, trample\r", "")], m.Reword, {"object": "12", "line": "Flying, trample"}),
    "takeup": ([("takeup skip\r", "")], m.TakeUp, {"skip": True}),
    "publish": ([("publish\r", "")], people.Publish, {"room": "r1"}),
    "rematch": ([("rematch\r", "")], m.Rematch, {}),
    "ratings": ([("ratings brawl\r", "Ladder: brawl & 1. Ann: 31.5 ± 9.0")], people.ListRatings, {"ladder": "brawl"}),
    "pass": ([("p\r", "Event1 & cast Dragon")], m.AnswerMessage, {"answer": PriorityAnswer(index=0)}),
    "manual": ([("m 1\r", "Event2 & cast Dragon")], m.AnswerMessage, {"answer": PriorityAnswer(index=1, manual=True)}),
    "back": ([("back 2\r", "")], m.TakeBack, {"question": "q0"}),
    "loop": ([("loop 2 20\r", "")], m.Repeat, {"since": "q0", "times": 20}),
}
"""What is typed for a command at the table, what is then to be seen, and what the server is told by it."""
SHOWN: dict[str, list[tuple[str, str]]] = {
    "help": [("?", "numbers, Enter"), (ESC, "cast Dragon")],
    "card": [
        ("i wall\r", "Wall of Briars  {2}"),
        (ESC, "cast Dragon"),
        ("card 1\r", "Dragon  {5}"),
        (ESC, "cast Dragon"),
    ],
    "log": [("l\r", "Esc: close."), (ESC, "cast Dragon"), ("log\r", "Esc: close."), (ESC, "cast Dragon")],
    "board": [("b\r", "(tapped, +Sword)"), (ESC, "cast Dragon"), ("board\r", "(tapped, +Sword)"), (ESC, "cast Dragon")],
    "damage": [("d", "No damage has been dealt yet."), (ESC, "cast Dragon")],
    "lands": [("lands off\r", "You are not asked before you pass")],
    "pace": [("pace slow\r", "shown: slow."), ("pace\r", "shown: slow."), ("pace normal\r", "shown: normal.")],
    "undo": [("u", "Nothing to take back.")],
    "stops": [("stops\r", "beginning_of_combat"), (ESC, "cast Dragon")],
    "quit": [("q", "1. quit"), (ESC, "cast Dragon"), ("q", "2. stay"), ("2", "cast Dragon")],
}
"""What is typed for a command at the table, and what is then to be seen."""
ELSEWHERE = {"act", "all", "always", "never", "object", "deck", "save", "swap", "reword_deck"}
"""Commands that belong to other moments, in the tests below."""


def test_every_command_has_its_test() -> None:
    assert {command.called for command in commands.COMMANDS} == {*SENT, *SHOWN, *ELSEWHERE}


async def typed(screen: Screen, steps: list[tuple[str, str]]) -> None:
    """Press each key by itself."""
    for keys, expected in steps:
        for key in keys:
            screen.press(key)
            await trio.lowlevel.checkpoint()
        await screen.until(lambda text, expected=expected: all(part in text for part in expected.split(" & ")))


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_every_command_typed_key_by_key_tells_the_server(tmp_path: Path, size: tuple[int, int]) -> None:
    fake = Table(setting())
    async with playing(tmp_path, size, fake) as screen:
        for name, (steps, kind, fields) in SENT.items():
            fake.got.clear()
            await typed(screen, steps)
            await arrives(fake, kind, **fields)
            assert "!" not in screen.text, f"{name}: {screen.text}"
            assert screen.alive and len(screen.lines) == size[1]


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_every_command_typed_key_by_key_shows_what_it_says(tmp_path: Path, size: tuple[int, int]) -> None:
    fake = Table(setting())
    async with playing(tmp_path, size, fake) as screen:
        for steps in SHOWN.values():
            await typed(screen, steps)
        screen.press("q")
        await screen.until("1. quit")
        screen.press("1")
        assert await screen.ended() == 0
    assert not fake.answers


@pytest.mark.parametrize(("key", "yes"), [("1", True), ("2", False)])
async def test_a_vote_is_answered_by_its_number(tmp_path: Path, key: str, yes: bool) -> None:
    fake = Table(setting())
    async with playing(tmp_path, (80, 24), fake) as screen:
        await typed(screen, [VOTE, (key, "cast Dragon")])
        await arrives(fake, m.Consent, yes=yes)
    assert not fake.answers


@pytest.mark.parametrize(("word", "yes"), [("always", True), ("never", False)])
async def test_a_question_is_answered_always(tmp_path: Path, word: str, yes: bool) -> None:
    fake = Table(setting(), confirm(0), confirm(1))
    async with playing(tmp_path, (80, 24), fake) as screen:
        await typed(screen, [(f"{word}\r", "")])
        await arrives(fake, m.Always, question="q0", yes=yes)


async def test_all_attack_the_same_by_one_key(tmp_path: Path) -> None:
    made = setting()
    foes = (PlayerChoice(1), PlayerChoice(2))
    creatures = [key for key in made.battlefield if made.objects[key].controller == 0 and made.objects[key].power == 2]
    attack = AttackersQuestion(
        **base(default=AttackersAnswer(attacks=())), attackers=tuple(Attacker(key, foes) for key in creatures)
    )
    fake = Table(made, attack)
    async with playing(tmp_path, (80, 24), fake) as screen:
        await typed(screen, [("A", "Whom do all attack?"), ("2", "-> Cid"), ("\r", "The game is over.")])
    assert fake.answers == [AttackersAnswer(attacks=((0, 1), (1, 1)))]


async def test_an_act_is_a_line_with_all_its_commas_and_enter_says_it_is_done(tmp_path: Path) -> None:
    made = setting()
    acts = [ActQuestion(**base("by hand", ActAnswer()), text="Hum.", left=left) for left in (20, 19)]
    fake = Table(made, *acts)
    async with playing(tmp_path, (80, 24), fake) as screen:
        await typed(screen, [("act draw a card, then #12 gains flying\r", "19 acts left"), ("\r", "The game is over.")])
    assert fake.answers == [ActAnswer(line="draw a card, then #12 gains flying"), ActAnswer()]


async def test_a_deck_of_ones_own_from_a_file_pasted_kept_and_played_again(tmp_path: Path) -> None:
    fake = Table(setting())
    (tmp_path / "mine.txt").write_text("30 Forest\n30 Wolf\n", encoding="utf-8")
    async with fake.websocket() as url:
        screen = Screen(["play", url, "--name", "Ann", "--room", "r1"], environment(tmp_path))
        await screen.until("start the game")
        await typed(screen, [(f"deck {tmp_path}/none.txt\r", "No such file")])
        await typed(screen, [(f"deck {tmp_path}\r", "Is a directory")])
        spaced = tmp_path / "my own.txt"
        spaced.write_text("60 Forest\n", encoding="utf-8")
        for path in (f'"{spaced}"', f"'{spaced}'", str(spaced), str(spaced).replace(" ", "\\ ")):
            fake.got.clear()
            await typed(screen, [(f"deck {path}", path[-8:]), ("\r", "> _")])
            await arrives(fake, rooms.ChooseDeck, text="60 Forest\n")
        await typed(screen, [(f"deck {tmp_path}/mine.txt\r", "")])
        await arrives(fake, rooms.ChooseDeck, text="30 Forest\n30 Wolf\n")
        await typed(screen, [("save Mine\r", "Kept as Mine.")])
        await arrives(fake, people.SaveDeck, name="Mine", text="30 Forest\n30 Wolf\n")
        await typed(
            screen, [("deck paste\r", "with only a dot"), ("4 Wolf\r", "4 Wolf"), ("?q\r", "?q"), (".\r", "start")]
        )
        await arrives(fake, rooms.ChooseDeck, text="4 Wolf\n?q")
        await typed(screen, [("1", "your own: Mine"), ("5", "start the game")])
        await arrives(fake, rooms.ChooseDeck, saved="Mine")
        screen.kill()


class BetweenGames(Table):
    """A table at which a match goes on, and cards may be exchanged with the sideboard."""

    def room(self) -> rooms.RoomState:
        match = rooms.MatchState(
            best_of=3, game=2, wins=[1, 0], left_ms=120_000, main={"Forest": 20, "Wolf": 40}, sideboard={"Plains": 3}
        )
        return replace(super().room(), match=match)


async def test_cards_are_exchanged_with_the_sideboard_between_games_of_a_match(tmp_path: Path) -> None:
    fake = BetweenGames(setting())
    async with fake.websocket() as url:
        screen = Screen(["play", url, "--name", "Ann", "--room", "r1"], environment(tmp_path))
        await screen.until("3 Plains")
        await typed(screen, [("swap 2 Forest for Plains\r", "> _")])
        await arrives(fake, rooms.Sideboard, main={"Forest": 18, "Wolf": 40, "Plains": 2})
        fake.got.clear()
        await typed(screen, [("swap 4 Forest for Plains\r", "> _")])
        assert not fake.sent(rooms.Sideboard), "there are three in the sideboard"
        screen.kill()


async def test_what_is_typed_as_the_question_changes_answers_nothing(tmp_path: Path) -> None:
    fake = Table(setting(), confirm(0), confirm(1), confirm(2))
    async with playing(tmp_path, (80, 24), fake) as screen:
        await typed(screen, [("1\r", "nothing was answered")])
        await screen.until("Event1")
        assert len(fake.answers) == 1


async def test_what_is_read_or_asked_over_the_table_is_closed_before_a_word_answers_what_lies_beneath(
    tmp_path: Path,
) -> None:
    fake = Table(setting())
    async with playing(tmp_path, (80, 24), fake) as screen:
        await typed(screen, [("?", "numbers, Enter"), ("p\r", "numbers, Enter"), (ESC, "Close this first"), VOTE])
        await typed(screen, [("pass\r", "Close this first & 1. agree"), ("3", "cast Dragon")])
        assert not fake.answers
        await typed(screen, [("p\r", "Event1")])
    assert fake.answers == [PriorityAnswer(index=0)]


# --- nonsense ------------------------------------------------------------------------------------------------------

KEYS = ["\r", ESC, "\x7f", "\t", "\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", "\x1b[H", "é", "猫", "²", "\x01", "\x00"]
KEYS += [chr(code) for code in range(32, 127)] + list("123456789") * 4 + ["\r"] * 12
FORBIDDEN = ("q", "C")
"""Keys after which a digit ends the game for us: they are pressed, but Escape comes next."""


def nonsense(chance: random.Random) -> str:
    key = chance.choice(KEYS)
    return key + ESC + ESC if key in FORBIDDEN else key


async def test_random_keys_never_answer_a_question_that_came_after_their_first_key(
    request: pytest.FixtureRequest,
) -> None:
    """Keys, the server's messages and painting come in any order; each answer is to what was painted at its first key."""
    wanted = 20_000 if request.config.getoption("--all") else 3_000
    made = setting()
    fake = Fake([priority(made, number) if number % 2 else confirm(number) for number in range(wanted)], made)
    chance, now = random.Random("keys"), 0.0
    line = Line(lambda: now)
    keys = [*"123456789", *["enter"] * 8, *"pPTEOudAiblmcnsyw:?0 ", "esc", "backspace", "up"]
    async with at_a_table(fake) as app:
        painted = seen(app)
        before = first = painted.about
        told: list[tuple[Said, set[str]]] = []
        for _ in range(wanted):
            now += chance.random() * 0.3
            if not line.typed:
                before, first = first, painted.about
            said = line.press(chance.choice(keys), painted)
            if said is not None:
                told.append((said, {first, before}))
            while told and chance.random() < 0.7:
                one, meant = told.pop(0)
                answered = len(fake.got)
                await app.line(one.text, one.about)
                await trio.testing.wait_all_tasks_blocked()
                for message in fake.got[answered:]:
                    if isinstance(message, m.AnswerMessage):
                        assert f"question {message.question}" in meant, (one, message)
                        assert f"question {message.question}" == one.about or not one.about.startswith("question")
            channel = app.session._channel
            assert isinstance(channel, MemoryChannel)
            while channel._receive.statistics().current_buffer_used and chance.random() < 0.8:
                await app.tell(await app.session.receive())
            if chance.random() < 0.5:
                painted = seen(app)
    assert len(fake.answers) > wanted / 100


async def test_random_keys_in_a_game_against_bots_never_break_it(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    wanted = 20_000 if request.config.getoption("--all") else 1_500
    pressed, games = 0, 0
    while pressed < wanted:
        chance = random.Random(f"{games}")
        async with running(MemoryStorage(), house_decks()) as app:
            words = ["play", app.url, "--name", "Ann", "--new", "4", "--bots", "--seed", str(games)]
            prefers(tmp_path, Settings(pace="normal" if games % 3 == 2 else "off"))
            screen = Screen(words, environment(tmp_path), SIZES[games % 2])
            try:
                await screen.until("Take a mulligan?")
                while pressed < wanted and screen.alive and "The game is over." not in screen.text:
                    screen.press("".join(nonsense(chance) for _ in range(10)))
                    pressed += 10
                    await screen.for_a_while(0.02)
                assert b"Traceback" not in screen.written, screen.written.decode(errors="replace")
                # Among the keys there may be ":q" and then "1": that is how one leaves.
                assert screen.alive or await screen.ended() == 0, screen.text
            finally:
                screen.kill()
        games += 1
