"""Doing by hand what a text says: chosen by numbers from the palette, or typed as a line of rules English."""

from __future__ import annotations

from client_cli.dialog_part import Feed, Part, Wrong, whole_number
from client_cli.palette import POINTED, compose, fields_of, palette, proposed
from client_cli.show import Show
from protocol.questions import ActAnswer, ActQuestion

SEEN = ("battlefield", "stack", "graveyard", "exile", "hand", "command")
MOST = 1000


class Act(Part):
    """An act at a time. "2:" before a line takes the second reading of one that can be read in several ways."""

    immediate = False
    whole_lines = True

    def __init__(self, show: Show, question: ActQuestion) -> None:
        super().__init__(show)
        self.question = question
        self.act = ""
        self.way: str | None = None
        self.values: dict[str, str] = {}

    # --- what is asked now ---

    @property
    def _field(self) -> str:
        """The field that is to be filled next; "" while an act or its way is to be chosen."""
        if not self.act or self.way is None:
            return ""
        return next((one for one in fields_of(palette()[self.act][self.way]) if one not in self.values), "")

    def _options(self) -> list[tuple[str, str]]:
        """What can be chosen by number: what is written for it, and its words."""
        show = self.show
        if not self.act:
            return [(act, show.say(f"act.{act}")) for act in palette()]
        if self.way is None:
            return [(way, show.say(f"act.{self.act}.{way or 'plain'}")) for way in palette()[self.act]]
        view, field = show.table.view, self._field
        people = [(player.name, player.name) for player in view.players.values() if not player.lost]
        if field == "who":
            return people
        if field in POINTED:
            things = [
                (f"#{key}", f"{show.table.name(key)} #{key}")
                for key, thing in view.objects.items()
                if thing.zone in SEEN and key.isdecimal()
            ]
            return [*things, *people] if field == "target" else things
        return [(word, word) for word in proposed(self.act, field)]

    def detail(self) -> str:
        say = self.show.say
        if not self.act:
            return say("ui.acts_left", left=self.question.left)
        field = self._field
        return f"{say(f'act.{self.act}')}: {say(f'ui.act_{field}')}" if field else say(f"act.{self.act}")

    def lines(self) -> list[str]:
        return [words for _, words in self._options()]

    def enter(self) -> str:
        return "ui.enter_act_back" if self.act else "ui.enter_acts_done"

    # --- what is given ---

    def enter_pressed(self) -> Feed:
        if self.act:
            self._again()
            return None
        return ActAnswer()

    def undo(self) -> bool:
        begun = bool(self.act)
        self._again()
        return begun

    def _again(self) -> None:
        self.act, self.way, self.values = "", None, {}

    def take(self, words: list[str]) -> Feed:
        if not self.act:
            number = whole_number(words[0]) if len(words) == 1 else None
            return self._typed(words) if number is None else self._choose(number)
        if self.way is None:
            self.way = self._picked(words[0])
        else:
            self.values[self._field] = self._filled(words)
        return self._next()

    def _typed(self, words: list[str]) -> Feed:
        first = words[0].removesuffix(":")
        reading = whole_number(first) if words[0].endswith(":") else None
        return ActAnswer(line=" ".join(words[1:] if reading else words), reading=min(reading or 0, 50))

    def _choose(self, number: int) -> Feed:
        acts = list(palette())
        self.act = acts[self.number(str(number), 1, len(acts)) - 1]
        ways = list(palette()[self.act])
        self.way = ways[0] if len(ways) == 1 else None
        return self._next()

    def _picked(self, word: str) -> str:
        options = self._options()
        return options[self.number(word, 1, len(options)) - 1][0]

    def _filled(self, words: list[str]) -> str:
        field = self._field
        if field == "number":
            return str(self.number(words[0], 1, MOST))
        numbers = [whole_number(word.strip(",")) for word in words]
        if field == "object" and all(number is not None for number in numbers):
            return " ".join(self._picked(str(number)) for number in numbers)
        if len(words) == 1 and numbers[0] is not None:
            return self._picked(words[0])
        if field in POINTED or field == "who":
            raise Wrong("ui.not_a_number", text=" ".join(words))
        return " ".join(words)

    def _next(self) -> Feed:
        """The act, if nothing is wanting any more."""
        if self.way is None or self._field:
            return None
        view = self.show.table.view
        you = self.show.table.you
        me = view.players[str(you)].name if you is not None else ""
        line = compose(palette()[self.act][self.way], self.values, me)
        self._again()
        return ActAnswer(line=line)
