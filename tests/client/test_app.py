"""The terminal client: from the list of tables to the end of a game, in lines and on a screen of 80 by 24."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from msgspec.structs import replace

from client_cli import commands, plain
from client_cli.app import App, Quit
from client_cli.layout import columns
from client_cli.line import ESCAPE, Line
from client_cli.scenes import Screen, seen
from client_cli.screen import Board, keys_of
from client_cli.session import Session
from client_cli.show import Show
from protocol.messages import AnswerMessage, Concede, Pass, Say, ViewMessage
from protocol.questions import (
    Action,
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    ConfirmAnswer,
    PlayerChoice,
    PriorityAnswer,
    PriorityQuestion,
)
from protocol.rooms import AddBot, ChooseDeck, Leave, Open, RevealWanted
from protocol.view import write
from tests.client.fake import Fake
from tests.client.tables import Setting, base, confirm


def setting() -> Setting:
    made = Setting(turn=7, step="declare_blockers")
    for seat in range(4):
        for name in ("Forest", "Forest", "Mountain"):
            made.land(name, seat, tapped=name == "Mountain")
    made.creature("Wall of Briars", 0, 5, 1)
    bear = made.creature("Bear", 2, 2, tapped=True)
    made.creature("Bear", 2, 2, sick=True)
    sword = made.card("Sword", "artifact equipment", "Equip {1}", zone="battlefield", attached_to=bear)
    ogre = made.creature("Ogre", 3, 3, 2, damage=2)
    made.attack(bear, 2, ogre)
    made.creature("Dragon", 5, 5, zone="hand")
    made.card("Bolt", "instant", "Bolt deals 3 damage.", zone="stack", seat=3, targets=[PlayerChoice(0)])
    assert sword
    return made


def priority(made: Setting, number: int = 1) -> PriorityQuestion:
    dragon = made.hand[0]
    fields = base(default=PriorityAnswer(index=0))
    fields["id"] = f"q{number}"
    return PriorityQuestion(**fields, actions=(Action(type="pass"), Action(type="cast", object=dragon)))


async def typed(fake: Fake, text: str, *, lang: str = "en", **begin: object) -> tuple[str, App]:
    """What `--plain` prints when this is typed."""
    out = io.StringIO()
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann", lang=lang)
        await session.connect()
        app = App(session, lang, full=True)
        await app.begin(**begin)  # type: ignore[arg-type]
        with trio.fail_after(20):
            assert await plain.run(app, session, stdin=io.StringIO(text), out=out) == 0
        await session.aclose()
        nursery.cancel_scope.cancel()
    return out.getvalue(), app


@asynccontextmanager
async def at_a_table(fake: Fake, *, size: int = 80) -> AsyncIterator[App]:
    """A person at a game that has begun, asked for the first time."""
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session, width=size)
        await app.begin("r1")
        for _ in range(3):
            await app.tell(await session.receive())
        await app.start()
        while app.dialog is None:
            await app.tell(await session.receive())
        yield app
        await session.aclose()
        nursery.cancel_scope.cancel()


async def test_while_the_shuffle_is_agreed_a_line_says_so() -> None:
    async with trio.open_nursery() as nursery:
        session = Session(Fake([]).dial_memory(nursery), "Ann")
        for lang, words in (("en", "Shuffling: every seat"), ("fr", "Mélange : chaque place")):
            app = App(session, lang)
            await app.tell(RevealWanted(chance="ab", commits=["cd", ""]))
            assert app.log[-1].startswith(words)


async def test_a_whole_game_in_lines() -> None:
    made = setting()
    fake = Fake([confirm(0), priority(made, 1), confirm(2), confirm(3)], made)
    # open a table; choose a deck: the second; bots on the free seats; start; yes; cast; pass on; leave
    out, _ = await typed(fake, "1\n1\n2\n2\n4\ny\n1\n\n\n1\n")
    kinds = [type(message) for message in fake.got]
    assert kinds.count(Open) == 1 and kinds.count(AddBot) == 3
    assert [message.house for message in fake.got if isinstance(message, ChooseDeck)] == ["Green", "Red"]
    assert len(fake.answers) == 4 and fake.answers[1] == PriorityAnswer(index=1)
    for words in (
        "Tables at fake",
        "1. open a table for four",
        "seat 1: Ann (you, host, deck: Red, ready)",
        "Turn 7 | active: you | declare blockers step",
        " Bob: 20 life, hand 4, library 40, graveyard 0",
        "Bear 2/2 (tapped, +Sword) -> Cid",
        "Ogre 3/3 (2 damage)",
        "Bear 2/2 (tapped, +Sword) -> Cid, blocked by Ogre 3/3 (2 damage)",
        "Bolt [Dee] -> you",
        "Hand: Dragon 5/5 {5}",
        "  1. cast Dragon {5}",
        "Event1 comes in.",
        "1. you - won (turn 5)",
    ):
        assert words in out, f"{words!r} is not in\n{out}"
    assert "\x1b" not in out
    assert any(isinstance(message, Leave) for message in fake.got)


async def test_a_whole_game_by_enter_alone_and_in_french() -> None:
    fake = Fake([confirm(i) for i in range(30)], setting())
    out, _ = await typed(fake, "2\n4\n" + "\n" * 40, lang="fr", room="r1")
    assert len(fake.answers) == 30
    assert "Tour 7 | joueur actif : vous" in out
    assert "La partie est terminée." in out
    assert "ui." not in out


async def test_what_can_be_said_at_any_time() -> None:
    made = setting()
    fake = Fake([priority(made), confirm(2)], made)
    out, _ = await typed(
        fake, "2\n4\nc hello there\n?\ni 1\ni wall\ni nonsense\n\nb\nl\nu\nP\nT\nC\n1\n9\n\np\ny\n", room="r1"
    )
    assert [message.text for message in fake.got if isinstance(message, Say)] == ["hello there"]
    assert [message.until for message in fake.got if isinstance(message, Pass)] == ["something", "my_turn"]
    assert sum(isinstance(message, Concede) for message in fake.got) == 1
    for words in (
        "pass until something happens to you",
        "Dragon  {5}",
        "Wall of Briars  {2}",
        "Nothing of that name",
        "Nothing to take back.",
        "! A number from 0 to 1, please.",
        "! Not here.",
    ):
        assert words in out, f"{words!r} is not in\n{out}"
    assert fake.answers[0] == PriorityAnswer(index=0)


async def test_line_by_line_the_log_holds_nothing_that_was_only_read() -> None:
    made = setting()
    out, app = await typed(Fake([priority(made)], made), "2\n4\nc hello\nb\n?\nl\nl\nl\n", room="r1")
    assert out.count("pass until your turn") == 1
    assert not any("pass until your turn" in line for line in app.log)
    last = app.log[-1]
    assert app.log.count(last) == 1 and out.count(f"\n{last}\n") == 4


async def test_bytes_that_are_no_text_are_question_marks() -> None:
    read = plain.stdin_reader(io.TextIOWrapper(io.BytesIO(b"c caf\xe9\n"), encoding="utf-8"))
    assert await read() == "c caf\ufffd\n"


async def test_line_by_line_no_order_of_a_server_reaches_the_terminal() -> None:
    made = setting()
    out = io.StringIO()
    async with at_a_table(Fake([priority(made)], made)) as app:
        app.full = True
        app.note("red \x1b[31m \x9b2J \x07")
        plain.Plain(app, plain.stdin_reader(io.StringIO()), out, typed=False).paint()
    assert "red ?[31m ?2J ?" in out.getvalue()


async def test_a_refusal_asks_again() -> None:
    fake = Fake([confirm(1)], setting())

    fake.refuse = [ConfirmAnswer(yes=True)]
    out, _ = await typed(fake, "2\n4\ny\nn\n", room="r1")
    assert "! Against the rules. (509.1)" in out
    assert fake.answers == [ConfirmAnswer(yes=False)]
    assert sum(isinstance(message, AnswerMessage) for message in fake.got) == 2


async def test_new_with_bots_starts_by_itself() -> None:
    from protocol.options import RoomOptions

    fake = Fake([confirm(1)], setting())
    session_options = RoomOptions()
    out = io.StringIO()
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session, full=True)
        app.bots_wanted, app.wanted = 3, "Red"
        await app.begin(new=session_options)
        with trio.fail_after(20):
            await plain.run(app, session, stdin=io.StringIO("y\n"), out=out)
        await session.aclose()
        nursery.cancel_scope.cancel()
    assert len(fake.answers) == 1
    assert [message.house for message in fake.got if isinstance(message, ChooseDeck)] == ["Red"]


async def test_quit_in_a_game_is_asked_twice() -> None:
    fake = Fake([confirm(1)], setting())
    async with at_a_table(fake) as app:
        await app.line("q")
        assert seen(app).choices == ["quit", "stay"]
        await app.line("2")
        assert seen(app).prompt == "Do it?"
        await app.line("q")
        await app.line(ESCAPE)
        assert seen(app).prompt == "Do it?" and not fake.answers
        await app.line("q")
        with pytest.raises(Quit):
            await app.line("1")


# --- on a screen --------------------------------------------------------------------------------------------------


def painted(app_screen, log: list[str]) -> list[str]:
    board = Board()
    board.paint(app_screen, log)
    return [line.decode() for line in board.render((80, 24), True).text]


async def test_the_table_fits_80_by_24() -> None:
    made = setting()
    attack = AttackersQuestion(
        **base(default=AttackersAnswer(attacks=())),
        attackers=tuple(Attacker(key, tuple(map(PlayerChoice, (1, 2, 3)))) for key in made.battlefield[-4:-1]),
    )
    fake = Fake([attack], made)
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        await app.begin("r1")
        await app.start()
        while app.dialog is None:
            await app.tell(await session.receive())
        lines = painted(seen(app), ["one", "two", "three", "four"])
        await session.aclose()
        nursery.cancel_scope.cancel()
    text = "\n".join(lines)
    assert len(lines) == 24 and all(len(line) == 80 for line in lines)
    for words in (
        "Turn 7 | active: you",
        "lands 3 (2 untapped)",
        "Bear 2/2 (T, +Sword) -> Cid",
        "Ogre 3/3 (2 damage) blocks Bear",
        "Forest x2, Mountain (T)",
        "Bolt [Dee] -> you",
        "Hand: Dragon",
        "four",
        "A creature's number",
        "1. Bear",
    ):
        assert words in text, text
    assert "one" not in text.splitlines()


def _screen(choices: list[str], *, immediate: bool = True, about: str = "question q1") -> Screen:
    return Screen(
        "header",
        ["body"],
        "prompt",
        choices,
        "keys",
        numbers=list(range(1, len(choices) + 1)),
        immediate=immediate,
        asked=True,
        about=about,
        opens=commands.opening("table"),
        keys_at_once=commands.keys("table"),
    )


def pressed(keys: list[str], screen: Screen | None = None) -> list[str | None]:
    line = Line(lambda: 0.0)
    said = [line.press(key, screen or _screen([f"choice {i}" for i in range(12)])) for key in keys]
    return [None if one is None else one.text for one in said]


def test_keys_become_lines() -> None:
    assert pressed(["5"]) == ["5"]  # no other choice begins with 5
    assert pressed(["1", "2"]) == [None, "12"]  # 10, 11 and 12 begin with 1
    assert pressed(["1", "enter"]) == [None, "1"]
    assert pressed(["1", "m", "enter"]) == [None, None, "1m"]
    assert pressed(["1", "backspace", "enter"]) == [None, None, ""]
    assert pressed(["1", "esc", "P"]) == [None, None, "P"]
    assert pressed(["P", "q", "?", "f5", "esc"]) == ["P", "q", "?", None, ESCAPE]
    assert pressed(["1", "q", "enter"]) == [None, "q", ""]
    assert pressed(["²", "é", "enter"]) == [None, None, ""]
    assert pressed([*"Keep it", "enter"])[-1] == "Keep it"  # a word that is none is told so
    assert pressed(["2", "5", "enter"], _screen([], immediate=False)) == [None, None, "25"]


def test_escape_counts_though_another_key_comes_soon_after_it() -> None:
    assert keys_of("meta 1") == ["esc", "1"] and keys_of("meta esc") == ["esc", "esc"] and keys_of("up") == ["up"]


@pytest.mark.parametrize("command", [command for command in commands.COMMANDS if not command.key], ids=lambda c: c.word)
def test_no_word_is_swallowed_by_the_keys_that_it_begins_with(command: commands.Command) -> None:
    for word in (command.word, *command.also):
        screen = replace(_screen(["a", "b"]), opens=commands.opening(command.where))
        text = f"{word} 2 PTEOuq?"
        assert pressed([*text, "enter"], screen) == [None] * len(text) + [text]
        assert pressed([*f":{text}", "enter"], screen)[-1] == text


def test_no_key_that_acts_at_once_begins_a_word() -> None:
    for where in ("anywhere", "seat", "table"):
        words = [word for one in commands.understood(where) if not one.key for word in (one.word, *one.also)]
        assert words and not set(commands.keys(where)) & {word[0] for word in words}
        assert not set(commands.keys(where)) & set(commands.opening(where))


def test_an_answer_belongs_to_the_question_at_its_first_key() -> None:
    line = Line(lambda: 0.0)
    first, second = (_screen([str(i) for i in range(12)], about=about) for about in ("question q1", "question q2"))
    assert line.press("1", first) is None
    said = line.press("2", second)
    assert said is not None and (said.text, said.about) == ("12", "question q1")
    # Nor is what follows a number that was given up about a later question than that number.
    assert line.press("1", first) is line.press(":", second) is None
    said = line.press("enter", second)
    assert said is not None and (said.text, said.about) == ("", "question q1")


def test_enter_by_habit_after_a_number_belongs_to_that_number() -> None:
    now = 0.0
    line = Line(lambda: now)
    first, second = (_screen(["a", "b"], about=about) for about in ("question q1", "question q2"))
    line.press("1", first)
    now = 0.9
    said = line.press("enter", second)
    assert said is not None and said.about == "question q1"
    line.press("1", first)
    now = 2.0
    said = line.press("enter", second)
    assert said is not None and said.about == "question q2"


@pytest.mark.parametrize(("seats", "said"), [([0], "Waiting."), ([0, 1], "Waiting for Bob.")])
async def test_nobody_waits_for_oneself_without_a_question(seats: list[int], said: str) -> None:
    fake = Fake([confirm()], setting())
    async with at_a_table(fake) as app:
        app.session.table.tree["waiting_for"] = [*seats]
        app.dialog = None
        assert seen(app).prompt == said


async def test_enter_after_an_error_answers_nothing() -> None:
    made = setting()
    fake = Fake([priority(made)], made)
    async with at_a_table(fake) as app:
        for wrong in ("9", "nonsense", "i nobody", "pause²", "back"):
            await app.line(wrong, seen(app).about)
            assert app.log[-1].startswith("! "), wrong
            await app.line("", seen(app).about)
            assert app.dialog is not None and app.log[-1].startswith("Nothing was answered"), wrong
        await app.line("", seen(app).about)
        assert app.dialog is None


def with_a_land(made: Setting) -> PriorityQuestion:
    asked = priority(made)
    land = made.land("Forest", zone="hand")
    return replace(asked, actions=(*asked.actions, Action(type="play_land", object=land)))


async def test_passing_a_main_phase_with_a_land_to_play_asks_once() -> None:
    made = Setting(step="precombat_main")
    made.creature("Dragon", 5, 5, zone="hand")
    fake = Fake([with_a_land(made)], made)
    async with at_a_table(fake) as app:
        await app.line("")
        assert seen(app).choices == ["pass all the same", "not yet"] and app.dialog is not None
        await app.line("", seen(app).about)
        assert app.dialog is not None
        await app.line("2", seen(app).about)
        await app.line("")
        assert app.dialog is None


async def test_with_the_setting_off_a_land_does_not_keep_anybody() -> None:
    made = Setting(step="precombat_main")
    made.creature("Dragon", 5, 5, zone="hand")
    fake = Fake([with_a_land(made)], made)
    async with at_a_table(fake) as app:
        await app.line("lands off")
        await app.line("")
        assert app.dialog is None


async def test_of_seats_the_number_counts_and_not_the_place() -> None:
    fake = Fake([])
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        await app.line("2")
        assert seen(app).numbers == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]
        await app.line("1")
        assert app.place == "seats"
        await app.line("4")
        with trio.fail_after(5):
            await session.receive()
        assert [message.options.seats for message in fake.got if isinstance(message, Open)] == [4]
        await session.aclose()
        nursery.cancel_scope.cancel()


async def test_help_tells_every_command_scrolls_and_closes() -> None:
    fake = Fake([confirm(1)], setting())
    async with at_a_table(fake) as app:
        await app.line("?")
        screen = seen(app)
        for command in commands.understood("table"):
            assert any(line.startswith(command.usage) for line in screen.body), command
        for lang in ("en", "fr"):
            app.lang, app.reader = lang, None
            await app.line("?")
            assert [line for line in seen(app).body if len(line) > 80 or "do." in line] == []
        app.lang = "en"
        board = Board()
        board.paint(screen, [])
        assert "numbers, Enter" in text_of(board) and "On the board" not in text_of(board)
        board.scroll("end")
        board.paint(screen, [])
        assert "On the board" in text_of(board)
        await app.line("1")
        assert not fake.answers and app.log[-1].startswith("! Close this first")
        await app.line(ESCAPE)
        assert seen(app).prompt == "Do it?"


def text_of(board: Board, size: tuple[int, int] = (80, 24)) -> str:
    return "\n".join(line.decode() for line in board.render(size, True).text)


def test_many_choices_scroll() -> None:
    board = Board()
    screen = _screen([f"a rather long choice of number {i}" for i in range(1, 41)])
    board.paint(screen, [])
    first = b"\n".join(board.render((80, 24), True).text).decode()
    assert "1. a rather" in first and "40. a rather" not in first
    for _ in range(5):
        assert board.scroll(">")
    board.paint(screen, [])
    assert "40. a rather" in b"\n".join(board.render((80, 24), True).text).decode()
    assert not board.scroll("p")


def test_columns() -> None:
    assert columns(["1. one", "2. two"], 80) == ["1. one", "2. two"]
    assert columns(["1. a", "2. b", "3. c", "4. d"], 80) == ["1. a  3. c", "2. b  4. d"]
    assert columns(["1. \u732b", "2. b", "3. c", "4. d"], 80) == ["1. \u732b  3. c", "2. b   4. d"]
    assert columns([], 80) == []


def test_short_and_full_words() -> None:
    table = setting().table()
    assert "   Bear 2/2 (T, +Sword) -> Cid, Bear 2/2 (s)" in Show(table).board()
    assert any("Bear 2/2 (summoning sick)" in line for line in Show(table, full=True).board())
    assert any("mal d'invocation" in line for line in Show(table, "fr", full=True).board())


def test_the_command_zone_and_the_damage_of_commanders_stand_with_their_players() -> None:
    made = Setting(2)
    key = made.creature("Line Captain", 3, 3, 1, zone="command")
    view = made.view()
    players = {**view.players, "0": replace(view.players["0"], commander_damage={"1": 9}, graveyard=[key])}
    table = made.table()
    table.feed(ViewMessage(epoch=2, seq=0, view=write(replace(view, players=players, command=[key])), faces=made.faces))
    board = "\n".join(Show(table).board())
    assert "Bob: 20 life" in board and "command zone: Line Captain" in board
    assert "9 damage by the commander of Bob" in " ".join(board.split())
    assert Show(table).piles() == ["Bob, command zone: Line Captain", "you, graveyard: Line Captain"]
