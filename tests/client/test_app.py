"""The terminal client: from the list of tables to the end of a game, in lines and on a screen of 80 by 24."""

from __future__ import annotations

import io

import pytest
import trio

from client_cli import plain
from client_cli.app import App, Quit
from client_cli.screen import Board, Keys, columns
from client_cli.session import Session
from client_cli.show import Show
from protocol.messages import AnswerMessage, Concede, Pass, Say
from protocol.questions import (
    Action,
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    PlayerChoice,
    PriorityAnswer,
    PriorityQuestion,
)
from protocol.rooms import AddBot, ChooseDeck, Leave, Open, RevealWanted
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
        fake, "2\n4\nc hello there\n?\n\ni 1\ni wall\ni nonsense\nb\nl\nu\nP\nT\nC\nC\n9\np\ny\n", room="r1"
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


async def test_a_refusal_asks_again() -> None:
    fake = Fake([confirm(1)], setting())
    from protocol.questions import ConfirmAnswer

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
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        with pytest.raises(Quit):
            await app.line("q")
        await app.begin("r1")
        for _ in range(3):
            await app.tell(await session.receive())
        fake.state = "playing"
        await app.start()
        while app.dialog is None:
            await app.tell(await session.receive())
        await app.line("q")
        assert "q again" in app.log[-1]
        await app.line("?")
        await app.line("q")
        with pytest.raises(Quit):
            await app.line("q")
        await session.aclose()
        nursery.cancel_scope.cancel()


# --- on a screen --------------------------------------------------------------------------------------------------


def painted(app_screen, log: list[str]) -> list[str]:
    board = Board()
    board.paint(app_screen, log, 80)
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
        lines = painted(app.screen(), ["one", "two", "three", "four"])
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


def test_keys_become_lines() -> None:
    board = Board()
    keys = Keys(board)
    screen = _screen([f"choice {i}" for i in range(12)])
    assert keys.press("5", screen) == "5"  # no other choice begins with 5
    assert keys.press("1", screen) is None  # 10, 11 and 12 do
    assert keys.press("2", screen) == "12"
    assert [keys.press(key, screen) for key in ("1", "enter")] == [None, "1"]
    assert [keys.press(key, screen) for key in ("1", "m", "enter")] == [None, None, "1m"]
    assert [keys.press(key, screen) for key in ("1", "backspace", "enter")] == [None, None, ""]
    assert [keys.press(key, screen) for key in ("1", "esc", "p")] == [None, None, "p"]
    assert [keys.press(key, screen) for key in ("c", "h", "i", "enter")] == [None, None, None, "c hi"]
    assert [keys.press(key, screen) for key in ("P", "q", "?", "f5")] == ["P", "q", "?", None]
    assert [keys.press(key, screen) for key in ("1", "q", "enter")] == [None, "q", ""]
    number = _screen([], immediate=False)
    assert [keys.press(key, number) for key in ("2", "5", "enter")] == [None, None, "25"]


def _screen(choices: list[str], *, immediate: bool = True):
    from client_cli.app import Screen

    return Screen("header", ["body"], "prompt", choices, "keys", immediate=immediate, asked=True)


def test_many_choices_scroll() -> None:
    board = Board()
    screen = _screen([f"a rather long choice of number {i}" for i in range(1, 41)])
    board.paint(screen, [], 80)
    first = b"\n".join(board.render((80, 24), True).text).decode()
    assert "1. a rather" in first and "40. a rather" not in first
    for _ in range(5):
        assert board.keypress((80, 24), ">") is None
    board.paint(screen, [], 80)
    assert "40. a rather" in b"\n".join(board.render((80, 24), True).text).decode()
    assert board.keypress((80, 24), "p") == "p"


def test_columns() -> None:
    assert columns(["one", "two"], 80) == ["1. one", "2. two"]
    assert columns(["a", "b", "c", "d"], 80) == ["1. a  3. c", "2. b  4. d"]
    assert columns([], 80) == []


def test_short_and_full_words() -> None:
    table = setting().table()
    assert "   Bear 2/2 (T, +Sword) -> Cid, Bear 2/2 (s)" in Show(table).board()
    assert any("Bear 2/2 (summoning sick)" in line for line in Show(table, full=True).board())
    assert any("mal d'invocation" in line for line in Show(table, "fr", full=True).board())
