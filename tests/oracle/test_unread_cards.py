"""The cards that are not read whole and that most of the shared decks have: each is played by hand as its text says, with at most
three acts or one rewording. `unread_cards.toml` says how; the texts are those of the shared list.

    name = "..."                    the card, which A has: a permanent on the battlefield, any other in hand (`zone` says otherwise)
    put = { bear = "B bear" }       what else there is: an owner, a kind of `KINDS`, a zone (the battlefield)
    do = [...]                      the game: `cast`, `use`, `call`, `act`, `done`, `reword`, ... (`STEPS`)
    expect = [...]                  what is so in the end (`CHECKS`)

`other` are those that cannot be played so, and why.

In a line `{bear}` is the object's id.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.loading import MULTIFACED, Entry, paragraphs_by_hand
from server.oracle.acts import read_act
from server.oracle.by_hand import read_partly
from server.oracle.reading import read_card
from server.oracle.rewording import reworded
from server.rules.model import Act, ActQuestion, PaymentQuestion, PriorityQuestion, Take, player_ref
from server.rules.turn import Reworded, amending
from tests.conftest import ROOT
from tests.rules.play import Game

LIST = Path(os.environ.get("APNAP_SHARED") or ROOT.parent / "shared") / "cards" / "modern.jsonl"
ROWS: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("unread_cards.toml").read_text(encoding="utf-8")
)
MOST_ACTS = 3


def own(name: str, types: str, text: str = "", cost: str = "{0}", size: str = "") -> Card:
    """A card of our own that is read whole."""
    power, _, toughness = size.partition("/")
    cost = "" if "Land" in types else cost
    found = read_card(Entry(name, cost=cost, types=types, text=text, power=power or None, toughness=toughness or None))
    assert isinstance(found, Card), found
    return found


KINDS: dict[str, Card] = {
    "bear": own("Bear", "Creature — Bear", cost="{1}{G}", size="2/2"),
    "giant": own("Giant", "Creature — Giant", cost="{4}{R}", size="5/5"),
    "wolf": own("Wolf", "Creature — Wolf", cost="{2}{G}", size="3/3"),
    "bird": own("Kite Bird", "Creature — Bird", "Flying", cost="{1}{U}", size="1/1"),
    "faerie": own("Small Faerie", "Creature — Faerie", cost="{U}", size="1/1"),
    "ghost": own("Pale Ghost", "Creature — Spirit", "Hexproof", cost="{W}", size="1/1"),
    "squire": own("Bold Squire", "Creature — Human", "First strike", cost="{W}", size="2/1"),
    "asp": own("Green Asp", "Creature — Snake", "Deathtouch", cost="{G}", size="1/1"),
    "relic": own("Old Relic", "Artifact", cost="{3}"),
    "trinket": own("Trinket", "Artifact", cost="{1}"),
    "cart": own("Ox Cart", "Artifact — Vehicle", "Crew 1", cost="{2}", size="4/4"),
    "glade": own("Glade", "Basic Land — Forest"),
    "crag": own("Crag", "Basic Land — Mountain"),
    "meadow": own("Meadow", "Basic Land — Plains"),
    "prism": own("Prism", "Land", "{T}: Add one mana of any color."),
    "zap": own("Zap", "Instant", "Zap deals 3 damage to any target."),
    "hex": own("Long Hex", "Sorcery", "Target player loses 1 life.", cost="{2}"),
}
LANDS = 10
"""How many lands that make any mana A has."""


@lru_cache(maxsize=1)
def listed() -> dict[str, dict[str, Any]]:
    """The entries of the list for the cards of the table, by name."""
    wanted = {row["name"] for row in ROWS["card"]}
    found: dict[str, dict[str, Any]] = {}
    with LIST.open(encoding="utf-8") as lines:
        for line in lines:
            name = json.loads(line[: line.index('", "') + 1] + "}")["name"]
            if name in wanted:
                found.setdefault(name, json.loads(line))
    return found


def partly(name: str) -> Card:
    """The card of that name in the list, free to cast. Skips where the list lacks or whole reads it."""
    item = listed().get(name)
    if item is None:
        pytest.skip("the list has no such card")
    layout = item.get("layout", "normal")
    fields = {key: item[key] for key in ("cost", "types", "text", "power", "toughness", "loyalty") if key in item}
    found = read_partly(Entry(name, **fields), layout if layout in MULTIFACED else "", item.get("colors"))
    assert isinstance(found, Card), found
    if not paragraphs_by_hand(found):
        pytest.skip("is read whole")
    return replace(found, cost="{X}" if "{X}" in found.cost else "{0}") if found.cost else found


class Played:
    """A game that a row plays."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.game = Game("ABC")
        self.row = row
        self.things: dict[str, int] = {}
        self.kinds: dict[str, Card] = {}
        self.acts = self.rewordings = 0
        card = partly(row["name"])
        self.name = card.name
        self.game.put("A", KINDS["prism"], number=LANDS)
        here = "hand" if {"Instant", "Sorcery"} & set(card.types.replace(" // ", " ").split()) else "battlefield"
        self.things["it"] = self.game.put("A", card, row.get("zone", here), **row.get("more", {}))
        for name, spec in row.get("put", {}).items():
            owner, kind, *zone = spec.split()
            self.kinds[name] = KINDS[kind]
            self.things[name] = self.game.put(owner, KINDS[kind], zone[0] if zone else "battlefield")
        if "attached" in row:
            self.game.attach(self.things["it"], self.things[row["attached"]])
        self.game.begin(row.get("active", "A"), row.get("step", "precombat_main"))

    def thing(self, word: str) -> Any:
        """What a word names: a thing of the row, a player, yes or no, a number, itself."""
        if word in self.things:
            self.find(word)
            return self.things[word]
        if word in ("yes", "no"):
            return word == "yes"
        return int(word) if word.isdecimal() else word

    def find(self, word: str) -> None:
        """What was shuffled has other ids: a thing that is not there is another of its name."""
        objects = self.game.state.objects
        if self.game.now(self.things[word]) not in objects and word in self.kinds:
            name = self.kinds[word].name
            self.things[word] = next((o.id for o in objects.values() if o.definition.name == name), self.things[word])

    def line(self, text: str) -> str:
        """A line with the ids of what it names."""
        for name in self.things:
            if f"{{{name}}}" in text:
                self.find(name)
                text = text.replace(f"{{{name}}}", f"#{self.game.now(self.things[name])}")
        return text

    # --- steps: what is done -----------------------------------------------------------------------------------------

    def put(self, rest: str) -> None:
        """ "put bear": A casts it with these answers; "put: zap bear": another card. It waits on the stack."""
        what, words = "it", rest.split()
        if rest.startswith(": "):
            what, *words = words[1:]
        way, side = self.row.get("way"), self.row.get("side", 0)
        if side:
            question = self.game.question
            assert isinstance(question, PriorityQuestion)
            oid = self.game.now(self.things[what])
            self.game.submit(Take(next(i for i, a in enumerate(question.actions) if (a.object, a.side) == (oid, side))))
            for word in words:
                if not isinstance(self.game.question, PriorityQuestion):  # the only legal choice is not asked for
                    self.game.answer(self.thing(word))
            while isinstance(self.game.state.pending, PaymentQuestion):
                self.game.default()
        else:
            self.game.cast("A", self.things[what], *map(self.thing, words), way=way)
        self.things["spell"] = self.game.state.stack[-1] if self.game.state.stack else 0

    def cast(self, rest: str) -> None:
        """As `put`, and it resolves."""
        self.put(rest)
        self.to_act()

    def use(self, rest: str) -> None:
        """ "use bear": A activates the ability of the card that is by hand, or ability number N ("use 2 bear")."""
        number, *words = rest.split() or [""]
        if not number.isdecimal():
            number, words = "", rest.split()
        self.game.cast(
            "A", self.things["it"], *map(self.thing, words), ability=int(number) if number.isdecimal() else None
        )
        self.to_act()

    def call(self, rest: str) -> None:
        """ "call bear": who has priority calls the paragraph, and the answers to what it asks."""
        question = self.game.question
        assert isinstance(question, PriorityQuestion)
        index = next(i for i, a in enumerate(question.actions) if a.type == "call")
        self.game.submit(Take(index))
        for word in rest.split():
            self.game.answer(self.thing(word))
        self.to_act()

    def to_act(self) -> None:
        """The stack resolves until somebody is asked for an act, or all of it has."""
        while self.game.state.stack and isinstance(self.game.question, PriorityQuestion):
            self.game.submit(Take(0))

    def act(self, rest: str) -> None:
        """ "act LINE": the controller does it."""
        question = self.game.question
        assert isinstance(question, ActQuestion), self.game.asks
        line = self.line(rest)
        said = read_act(line, self.name, {letter: i for i, letter in enumerate(self.game.letters)})
        seats = tuple((f"player{seat}", (player_ref(seat),)) for seat in said.seats)
        self.game.submit(Act(said.do, line, (*seats, *((str(oid), (oid,)) for oid in said.objects))))
        self.acts += 1

    def done(self, rest: str) -> None:
        """ "done": that was all."""
        assert isinstance(self.game.question, ActQuestion), self.game.asks
        self.game.submit(Act())
        self.to_act()

    def reword(self, rest: str) -> None:
        """ "reword LINE", or "reword 2 LINE" for the second paragraph by hand; paragraphs of the wording parted by " / "."""
        found = self.game.object(self.things["it"])
        definition = found.printed or found.definition
        whole = definition.whole or definition
        number, line = (rest[0], rest[2:]) if rest[0].isdecimal() and rest[1] == " " else ("1", rest)
        text = paragraphs_by_hand(whole.card)[int(number) - 1]
        card, _ = reworded(whole.card, text, line.replace(" / ", "\n"))
        change = Reworded(was=whole.key, card=card, text=text, line=line)
        self.game._take_over(*amending.amend(self.game.state, 0, change))
        self.rewordings += 1

    def tokens(self, rest: str) -> None:
        """ "tokens one two": these are the tokens that A controls, the oldest first."""
        found = sorted(o.id for o in self.game.state.objects.values() if o.token and o.controller == 0)
        self.things.update(zip(rest.split(), found, strict=False))

    def answer(self, rest: str) -> None:
        """ "answer bear": the open question is answered."""
        words = [self.thing(word) for word in rest.split()]
        self.game.answer(words[0] if len(words) == 1 else words)
        self.to_act()

    def rest(self, rest: str) -> None:
        """ "rest": all else resolves, questions answered by default."""
        self.game.resolve_all()

    def go(self, rest: str) -> None:
        """ "go upkeep": all by default until that step."""
        self.game.pass_until(step=rest)

    def until(self, rest: str) -> None:
        """ "until PURPOSE": all by default until that is asked."""
        self.game.pass_until(purpose=rest.replace("_", " "))

    def attack(self, rest: str) -> None:
        """ "attack it B": one creature attacks."""
        what, whom = rest.split()
        self.game.attack({self.things[what]: whom})

    # --- checks: what is so --------------------------------------------------------------------------------------------

    def check(self, rest: str) -> None:
        """One line of `expect`: what it asks and what should be the answer, the last word."""
        *words, wanted = rest.split()
        what, *of = words
        assert CHECKS[what](self, *of) == wanted, f"{rest}: {CHECKS[what](self, *of)}"


STEPS: dict[str, Callable[[Played, str], None]] = {
    "put": Played.put,
    "cast": Played.cast,
    "tokens": Played.tokens,
    "use": Played.use,
    "call": Played.call,
    "act": Played.act,
    "done": Played.done,
    "reword": Played.reword,
    "answer": Played.answer,
    "rest": Played.rest,
    "go": Played.go,
    "until": Played.until,
    "attack": Played.attack,
    "expect": Played.check,
}


def _tokens(played: Played, kind: str, owner: str) -> str:
    seat = played.game.seat(owner)
    found = [o for o in played.game.state.objects.values() if o.token and o.controller == seat]
    return str(sum(kind in o.definition.base.subtypes or kind == o.definition.name for o in found))


def _pool(played: Played) -> str:
    return str(sum(played.game.state.players[0].pool))


CHECKS: dict[str, Callable[..., str]] = {
    "life": lambda p, who: str(p.game.life(who)),
    "zone": lambda p, what: p.game.zone(p.things[what]) or "nowhere",
    "size": lambda p, what: "/".join(map(str, p.game.size(p.things[what]))),
    "hand": lambda p, who: str(len(p.game.state.players[p.game.seat(who)].hand)),
    "library": lambda p, who: str(len(p.game.state.players[p.game.seat(who)].library)),
    "graveyard": lambda p, who: str(len(p.game.state.players[p.game.seat(who)].graveyard)),
    "tapped": lambda p, what: "yes" if p.game.object(p.things[what]).tapped else "no",
    "counters": lambda p, what, kind: str(p.game.counters(p.things[what], kind)),
    "has": lambda p, what, word: "yes" if word.replace("_", " ") in p.game.chars(p.things[what]).keywords else "no",
    "is": lambda p, what, word: "yes" if word in p.game.chars(p.things[what]).types else "no",
    "tokens": _tokens,
    "mana": _pool,
    "face_down": lambda p, who: str(
        sum(o.face_down and o.controller == p.game.seat(who) for o in p.game.state.objects.values())
    ),
    "can_cast": lambda p, who, what: "yes" if p.game.can(who, p.things[what]) else "no",
    "damage": lambda p, what: str(p.game.damage(p.things[what])),
}


@pytest.mark.skipif(not LIST.exists(), reason="no shared card list")
@pytest.mark.parametrize("row", ROWS["card"], ids=lambda row: row["name"])
def test_an_unread_card_plays_as_its_text_says(row: dict[str, Any]) -> None:
    played = Played(row)
    for step in row["do"]:
        word, _, rest = step.partition(" ")
        if word.endswith(":"):
            word, rest = word[:-1], f": {rest}"
        STEPS[word](played, rest)
    for expected in row["expect"]:
        played.check(expected)
    assert played.acts <= MOST_ACTS and played.rewordings <= 1 and not (played.acts and played.rewordings)
    assert played.acts or played.rewordings
