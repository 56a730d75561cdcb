"""The palette in the terminal: numbers lead to a line of rules English, and a typed line is one as ever."""

from __future__ import annotations

from typing import Any

import pytest

from client_cli.ballots import Ballots
from client_cli.dialog_act import Act
from client_cli.palette import compose, palette
from protocol.by_hand import Agree, Ballot
from protocol.questions import ActAnswer, ActQuestion, Text
from protocol.words import fill


class _Thing:
    def __init__(self, zone: str) -> None:
        self.zone = zone


class _Player:
    lost = ""

    def __init__(self, name: str) -> None:
        self.name = name


class _View:
    def __init__(self) -> None:
        self.players = {"0": _Player("Ann"), "1": _Player("Ben")}
        self.objects = {"7": _Thing("battlefield"), "8": _Thing("graveyard"), "9": _Thing("library")}


class _Table:
    you = 0

    def __init__(self) -> None:
        self.view = _View()

    def name(self, key: str) -> str:
        return {"7": "Bear", "8": "Wolf"}.get(key, "?")


class _Show:
    """As much of `Show` as the dialog asks."""

    def __init__(self) -> None:
        self.table = _Table()

    def say(self, key: str, **args: object) -> str:
        return fill(key, args)

    def player(self, seat: int) -> str:
        return ("Ann", "Ben")[seat]

    named = player

    def text(self, text: Text) -> str:
        return fill(text.key, text.args)


def act() -> Act:
    show: Any = _Show()
    question = ActQuestion(
        id="q1", seat=0, purpose="by hand", prompt=Text("ask.act"), default=ActAnswer(), text="Hum.", left=20
    )
    return Act(show, question)


def chosen(name: str) -> list[str]:
    """The number of an act in the list."""
    return [str(list(palette()).index(name) + 1)]


SAID: dict[str, tuple[list[list[str]], str]] = {
    "what others lose": ([chosen("life"), ["2"], ["2"], ["3"]], "Ben loses 3 life"),
    "what one draws": ([chosen("draw"), ["1"], ["1"]], "I draw one card"),
    "one thing": ([chosen("destroy"), ["1"]], "destroy #7"),
    "several things": ([chosen("tap"), ["1"], ["1", "2"]], "tap #7 and #8"),
    "a person or a thing": ([chosen("damage"), ["2"], ["4"]], "deal 2 damage to Ben"),
    "what is proposed": ([chosen("keyword"), ["1"], ["1"]], "#7 gains flying until end of turn"),
    "words of one's own": (
        [chosen("token"), ["1"], ["2"], ["2/2", "red", "Ogre", "creature"]],
        "create 2 2/2 red Ogre creature tokens",
    ),
}


@pytest.mark.parametrize("what", SAID)
def test_numbers_make_a_line(what: str) -> None:
    part = act()
    steps, line = SAID[what]
    found = None
    for step in steps:
        assert found is None and part.lines() is not None and part.detail()
        found = part.take(step)
    assert found == ActAnswer(line=line)
    assert part.lines()[0] == fill("act.draw", {})  # and the next act can be chosen


def test_a_typed_line_is_an_act_as_ever() -> None:
    assert act().take(["2:", "draw", "a", "card"]) == ActAnswer(line="draw a card", reading=2)
    assert act().enter_pressed() == ActAnswer()


def test_what_was_begun_is_left_again() -> None:
    part = act()
    assert part.take(chosen("life")) is None
    assert part.enter() == "ui.enter_act_back" and part.enter_pressed() is None
    assert part.enter() == "ui.enter_acts_done"
    assert part.take(chosen("life")) is None and part.undo() and not part.undo()


def test_what_is_many_is_said_so() -> None:
    line = palette()["move"]["hand"]
    assert compose(line, {"object": "#7"}, "Ann") == "return #7 to its owner's hand"
    assert compose(line, {"object": "#7 #8 #9"}, "Ann") == "return #7, #8 and #9 to their owner's hand"


class _App:
    """As much of the app as ballots ask."""

    def __init__(self) -> None:
        self.show = _Show()
        self.say = self.show.say
        self.session = self
        self.table = self.show.table
        self.confirming = self
        self.notes: list[str] = []
        self.asked: list[str] = []

    def note(self, line: str) -> None:
        self.notes.append(line)

    def ask(self, prompt: str, *choices: object) -> str:
        self.asked.append(prompt)
        return f"asked {len(self.asked)}"

    def close(self, about: str) -> None:
        self.asked = []


def test_an_act_of_another_is_told_and_can_be_objected_to() -> None:
    app: Any = _App()
    ballots = Ballots(app)
    done = Text("event.acted", {"player": "Ben", "seat": 1, "card": "Verse", "said": "destroy #7"})
    ballots.tell(Ballot(ballot="b1", what="act", by=1, need=1, left_ms=5000, changes=[done]))
    assert any("destroy #7" in line for line in app.notes) and not app.asked
    assert ballots.message("m", "object") == Agree(id="m", ballot="b1", yes=False)
    ballots.tell(Ballot(ballot="b1", what="act", by=1, result="failed"))
    assert ballots.message("m", "object") == fill("refused.no_ballot", {})


def test_a_proposal_is_asked_about_once_and_no_more_when_it_is_over() -> None:
    app: Any = _App()
    ballots = Ballots(app)
    change = Text("amend.reword", {"card": "Kin", "text": "Hum.", "line": "Flying", "read": "flying"})
    open_ = Ballot(ballot="b2", what="reword", by=1, yes=[1], waiting=[0], need=2, left_ms=60_000, changes=[change])
    ballots.tell(open_)
    ballots.tell(open_)
    assert len(app.asked) == 1 and "Hum." in app.asked[0]
    assert ballots.message("m", "yes") == Agree(id="m", ballot="b2")
    ballots.tell(Ballot(ballot="b2", what="reword", by=1, result="passed"))
    assert app.asked == [] and ballots.message("m", "yes") is None
